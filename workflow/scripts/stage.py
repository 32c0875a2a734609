"""The tables of a rule, for a batch of datasets."""

from costcurves.errors import of_all
from costcurves.jobs import job, told
from costcurves.tables.configuration.stages import of
from costcurves.tables.configuration.study import Study
from costcurves.tables.contract import read_all, stacked, write
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.inference.resampling import read_resamples, write_resamples
from costcurves.tables.input.predictions import PREDICTIONS
from costcurves.tables.parameters import parameters_of
from costcurves.tables.results import Results

outputs = [name for name, _ in told.output.items() if name != "stamp"]
title = f"{told.wildcards.batch}: {', '.join(outputs).replace('_', ' ')}"
with job(told.log[0], title, told) as stamp:
    study = Study.from_plain(told.params.whole)
    files = {name: [own] if isinstance(own, str) else own for name, own in told.input.items()}
    known = {
        name: read_resamples(*own)
        if name == "resampling"
        else read_all(own, {**CONTRACTS, "predictions": PREDICTIONS}[name])
        for name, own in files.items()
    }
    results = {
        one.name: Results(
            parameters_of(study, one), **{it: of(table, one.name) for it, table in known.items()}
        )
        for one in study.views
        if one.slug in told.params.slugs
    }
    made = of_all(lambda one: [getattr(one, name) for name in outputs], results.values())
    for output, tables in zip(outputs, zip(*made, strict=True), strict=True):
        if output == "resampling":
            write_resamples(dict(zip(results, tables, strict=True)), told.output[output])
        else:
            write(stacked(tables), told.output[output], CONTRACTS[output], stamp)
