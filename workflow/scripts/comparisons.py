"""The paired difference of every two models of a batch of datasets, with its bands."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.comparisons import COMPARISONS, comparisons
from costcurves.tables.contract import write
from costcurves.tables.pairs import read_pairs

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: paired differences"):
    inference = snakemake.params.inference
    found = read_pairs(
        snakemake.input.predictions,
        snakemake.input.operating_points[0],
        snakemake.input.headline[0],
        snakemake.input.resampling[0],
        inference,
    )
    names = {name: name for name in found}
    frame = each(comparisons, names, found, confidence=inference["confidence"])
    write(frame, snakemake.output[0], COMPARISONS)
