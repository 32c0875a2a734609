"""On how many datasets which of two models is cheaper, along PC(+): the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.contract import read_all, write
from costcurves.tables.curves.headline import MEASURES
from costcurves.tables.inference.map import MAP, study_map
from costcurves.tables.inference.verdicts import CROSSOVERS, VERDICTS

with job(told.log[0], "Map of all datasets", told) as stamp:
    tables = [read_all(told.input[it.name], it) for it in (MEASURES, VERDICTS, CROSSOVERS)]
    given = {name: told.params[name] for name in ("voters", "inference", "seed", "chosen")}
    found = study_map(*tables, **given)
    write(found, told.output[0], MAP, stamp)
