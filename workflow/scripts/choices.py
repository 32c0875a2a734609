"""What each criterion costs a batch of datasets, and more than another: bands and intervals."""

from typing import TYPE_CHECKING, Any

from costcurves.jobs import job
from costcurves.tables.batches import joined, of_each
from costcurves.tables.choice_bands import CHOICE_BANDS, choice_bands
from costcurves.tables.choice_intervals import CHOICE_INTERVALS, choice_intervals
from costcurves.tables.choices import choices
from costcurves.tables.chooser import chooser
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    import pandas as pd
    from snakemake.iocontainers import snakemake

params = snakemake.params


def tables(predictions: "pd.DataFrame", *others: Any) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Make both tables of one dataset; its resamples are forgotten then."""
    own = chooser(
        predictions,
        *others,
        marked=[condition["pc"] for condition in params.conditions],
        level=params.level,
        selection=params.selection,
    )
    found = choices(predictions, own)
    dataset = str(predictions["dataset"].iloc[0])
    bands = choice_bands(dataset, found, params.confidence)
    quantities = {"prior": params.prior, "conditions": params.conditions}
    return bands, choice_intervals(dataset, found, confidence=params.confidence, **quantities)


with job(snakemake.log[0], f"{snakemake.wildcards.batch}: bands and intervals of choices"):
    made = of_each(
        tables,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.hybrids[0], HYBRIDS),
        read(snakemake.input.headline[0], HEADLINE),
        read_resamples(snakemake.input.resampling[0]),
    )
    bands, intervals = (joined(list(frames)) for frames in zip(*made.values(), strict=True))
    write(bands, snakemake.output.bands, CHOICE_BANDS)
    write(intervals, snakemake.output.intervals, CHOICE_INTERVALS)
