"""On how many datasets which of two models is cheaper, along PC(+): the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.contract import read_all, write
from costcurves.tables.curves.measures import MEASURES
from costcurves.tables.inference.crossovers import CROSSOVERS
from costcurves.tables.inference.map import MAP, study_map
from costcurves.tables.inference.verdicts import VERDICTS

with job(told.log[0], "Map of all datasets", told) as stamp:
    found = study_map(
        read_all(told.input.measures, MEASURES),
        read_all(told.input.verdicts, VERDICTS),
        read_all(told.input.crossovers, CROSSOVERS),
        voters=told.params.voters,
        inference=told.params.inference,
        seed=told.params.seed,
        chosen=told.params.chosen,
    )
    write(found, told.output[0], MAP, stamp)
