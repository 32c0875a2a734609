"""Where each model of a batch of datasets costs less than each other one."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each, of_each
from costcurves.tables.contract import read, write
from costcurves.tables.crossovers import CROSSOVERS, crossovers
from costcurves.tables.headline import HEADLINE
from costcurves.tables.measures import MEASURES
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.pairs import pairs
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: crossovers"):
    inference = snakemake.params.inference
    headline = read(snakemake.input.headline[0], HEADLINE)
    found = of_each(
        pairs,
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        headline,
        read_resamples(snakemake.input.resampling[0]),
        inference=inference,
    )
    measures = read(snakemake.input.measures[0], MEASURES)
    frame = each(crossovers, headline, measures, found, confidence=inference["confidence"])
    write(frame, snakemake.output[0], CROSSOVERS)
