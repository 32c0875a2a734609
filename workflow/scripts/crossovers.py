"""Where each model of a batch of datasets costs less than each other one."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.crossovers import CROSSOVERS, crossovers
from costcurves.tables.headline import HEADLINE
from costcurves.tables.measures import MEASURES
from costcurves.tables.pairs import read_pairs

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: crossovers"):
    inference = snakemake.params.inference
    found = read_pairs(
        snakemake.input.predictions,
        snakemake.input.operating_points[0],
        snakemake.input.headline[0],
        snakemake.input.resampling[0],
        inference,
    )
    headline = read(snakemake.input.headline[0], HEADLINE)
    measures = read(snakemake.input.measures[0], MEASURES)
    frame = each(crossovers, headline, measures, found, confidence=inference["confidence"])
    write(frame, snakemake.output[0], CROSSOVERS)
