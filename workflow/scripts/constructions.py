"""Where the ROC hulls of a batch of datasets meet the constraints of the study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.constructions import CONSTRUCTIONS, constructions
from costcurves.tables.contract import read, write
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: constrained points"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    frame = each(constructions, points, selection=snakemake.params.selection)
    write(frame, snakemake.output[0], CONSTRUCTIONS)
