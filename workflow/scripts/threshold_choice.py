"""Loss curves of the threshold choice methods of each model of a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.threshold_choice import THRESHOLD_CHOICE, threshold_choice

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: threshold choice methods"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    frame = each(
        threshold_choice,
        points,
        score_threshold=snakemake.params.score_threshold,
        rate=snakemake.params.rate,
    )
    write(frame, snakemake.output[0], THRESHOLD_CHOICE)
