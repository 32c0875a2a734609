"""What must be true of any map: the whole study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.checks.check_study import check_map
from costcurves.tables.contract import read, read_all, write
from costcurves.tables.inference.map import MAP
from costcurves.tables.inference.verdicts import VERDICTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Map of all datasets checked", snakemake) as stamp:
    counts = read(snakemake.input.map, MAP)
    frame = check_map(counts, read_all(snakemake.input.verdicts, VERDICTS))
    write(frame, snakemake.output[0], CHECK_RESULTS, stamp)
