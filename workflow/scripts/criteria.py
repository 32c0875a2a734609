"""Which selection criteria of each model of a batch of datasets apply, and what they cost."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.criteria import CRITERIA, criteria
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: selection criteria compared"):
    frame = each(
        criteria,
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.hybrids[0], HYBRIDS),
        selection=snakemake.params.selection,
        prior=snakemake.params.prior,
    )
    write(frame, snakemake.output[0], CRITERIA)
