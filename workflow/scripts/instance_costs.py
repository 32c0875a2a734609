"""What each model of a batch of datasets costs per instance, in the unit of the costs."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.instance_costs import INSTANCE_COSTS, instance_costs
from costcurves.tables.measures import MEASURES
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: costs of instances"):
    frame = each(
        instance_costs,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.headline[0], HEADLINE),
        read(snakemake.input.measures[0], MEASURES),
        read_resamples(snakemake.input.resampling[0]),
        weighted=snakemake.params.weighted,
        confidence=snakemake.params.confidence,
    )
    write(frame, snakemake.output[0], INSTANCE_COSTS)
