"""The curve by which each model of a batch of datasets is judged."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.headline import HEADLINE, headline
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: headline curves"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    hybrids = read(snakemake.input.hybrids[0], HYBRIDS)
    write(each(headline, points, hybrids), snakemake.output[0], HEADLINE)
