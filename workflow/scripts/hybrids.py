"""What each selection criterion of each model of a batch of datasets costs."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.hybrids import HYBRIDS, hybrids
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: selection criteria and their curves"):
    frame = each(
        hybrids,
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.averages[0], AVERAGES),
        level=snakemake.params.level,
        selection=snakemake.params.selection,
    )
    write(frame, snakemake.output[0], HYBRIDS)
