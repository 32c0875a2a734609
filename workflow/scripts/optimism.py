"""What the lower envelopes of each model of a batch of datasets leave out."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES
from costcurves.tables.batches import each, of_each
from costcurves.tables.contract import read, write
from costcurves.tables.criteria import CRITERIA
from costcurves.tables.headline import HEADLINE
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.optimism import OPTIMISM, left_out, optimism
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: optimism of in-sample selection"):
    averages = read(snakemake.input.averages[0], AVERAGES)
    criteria = read(snakemake.input.criteria[0], CRITERIA)
    intervals = of_each(
        left_out,
        read(snakemake.input.predictions, PREDICTIONS),
        averages,
        read(snakemake.input.hybrids[0], HYBRIDS),
        read(snakemake.input.headline[0], HEADLINE),
        read_resamples(snakemake.input.resampling[0]),
        confidence=snakemake.params.confidence,
    )
    write(each(optimism, averages, criteria, intervals), snakemake.output[0], OPTIMISM)
