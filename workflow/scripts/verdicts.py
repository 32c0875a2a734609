"""Which of two models is cheaper, and where: one dataset."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE
from costcurves.tables.measures import MEASURES
from costcurves.tables.operating_points import OPERATING_POINTS
from costcurves.tables.pairs import pairs
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import read_resamples
from costcurves.tables.verdicts import VERDICTS, verdicts

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.dataset}: verdicts"):
    headline = read(snakemake.input.headline[0], HEADLINE)
    found = pairs(
        read(snakemake.input.predictions, PREDICTIONS),
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        headline,
        read_resamples(snakemake.input.resampling[0]),
        snakemake.params.inference,
    )
    measures = read(snakemake.input.measures[0], MEASURES)
    write(verdicts(measures, found, snakemake.params.inference), snakemake.output[0], VERDICTS)
