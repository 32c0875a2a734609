"""What each criterion costs, and what more than another, for a batch of datasets: intervals."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.choice_intervals import CHOICE_INTERVALS, choice_intervals
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: intervals of choices"):
    frame = each(
        choice_intervals,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.hybrids[0], HYBRIDS),
        read(snakemake.input.headline[0], HEADLINE),
        read_resamples(snakemake.input.resampling[0]),
        level=snakemake.params.level,
        selection=snakemake.params.selection,
        confidence=snakemake.params.confidence,
        prior=snakemake.params.prior,
        conditions=snakemake.params.conditions,
    )
    write(frame, snakemake.output[0], CHOICE_INTERVALS)
