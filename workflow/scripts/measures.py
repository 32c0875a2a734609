"""Area, operating range, largest cost, AUC and counts of each model of a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.measures import MEASURES, measures
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.predictions import PREDICTIONS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: measures"):
    frame = each(
        measures,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.averages[0], AVERAGES),
        read(snakemake.input.headline[0], HEADLINE),
        snakemake.params.deployment,
        level=snakemake.params.level,
        prior=snakemake.params.prior,
    )
    write(frame, snakemake.output[0], MEASURES)
