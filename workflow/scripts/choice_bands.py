"""Both bands around each criterion's curve, its regret and differences, for a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.choice_bands import CHOICE_BANDS, choice_bands
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: bands of choices"):
    frame = each(
        choice_bands,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.hybrids[0], HYBRIDS),
        read(snakemake.input.headline[0], HEADLINE),
        read_resamples(snakemake.input.resampling[0]),
        marked=snakemake.params.marked,
        level=snakemake.params.level,
        selection=snakemake.params.selection,
        confidence=snakemake.params.confidence,
    )
    write(frame, snakemake.output[0], CHOICE_BANDS)
