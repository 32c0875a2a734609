"""The tables of a rule, for a batch of datasets."""

from costcurves.jobs import job, told
from costcurves.tables.making import make

outputs, params = (
    {name: value for name, value in own.items() if name != "stamp"}
    for own in (told.output, told.params)
)
title = f"{told.wildcards.batch}: {', '.join(outputs).replace('_', ' ')}"
with job(told.log[0], title, told) as stamp:
    files = {name: [own] if isinstance(own, str) else own for name, own in told.input.items()}
    make(outputs, files, params, stamp)
