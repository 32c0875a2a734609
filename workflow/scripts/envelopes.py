"""Lower envelopes of every curve of a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.envelopes import ENVELOPES, envelopes
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: lower envelopes"):
    points = read(snakemake.input.operating_points[0], OPERATING_POINTS)
    write(each(envelopes, points), snakemake.output[0], ENVELOPES)
