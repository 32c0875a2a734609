"""The tables of a rule, for a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.making import make

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

outputs, params = (
    {name: value for name, value in own.items() if name != "stamp"}
    for own in (snakemake.output, snakemake.params)
)
title = f"{snakemake.wildcards.batch}: {', '.join(outputs).replace('_', ' ')}"
with job(snakemake.log[0], title, snakemake) as stamp:
    files = {name: [own] if isinstance(own, str) else own for name, own in snakemake.input.items()}
    make(outputs, files, params, stamp)
