"""Which of two models is cheaper, and where: a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.measures import MEASURES
from costcurves.tables.pairs import read_pairs
from costcurves.tables.verdicts import VERDICTS, verdicts

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: verdicts"):
    inference = snakemake.params.inference
    found = read_pairs(
        snakemake.input.predictions,
        snakemake.input.operating_points[0],
        snakemake.input.headline[0],
        snakemake.input.resampling[0],
        inference,
    )
    measures = read(snakemake.input.measures[0], MEASURES)
    frame = each(verdicts, measures, found, inference=inference)
    write(frame, snakemake.output[0], VERDICTS)
