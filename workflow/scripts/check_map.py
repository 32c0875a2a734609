"""What must be true of any map: the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.check_study import check_map
from costcurves.tables.contract import read, read_all, write
from costcurves.tables.inference.map import MAP
from costcurves.tables.inference.verdicts import VERDICTS

with job(told.log[0], "Map of all datasets checked", told) as stamp:
    counts = read(told.input.map, MAP)
    frame = check_map(counts, read_all(told.input.verdicts, VERDICTS))
    write(frame, told.output[0], CHECK_RESULTS, stamp)
