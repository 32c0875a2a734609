"""Each model's cheapest operating point under the marked operating conditions."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.duality import DUALITY, duality
from costcurves.tables.envelopes import ENVELOPES
from costcurves.tables.measures import MEASURES
from costcurves.tables.operating_points import OPERATING_POINTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: operating conditions"):
    frame = each(
        duality,
        read(snakemake.input.operating_points[0], OPERATING_POINTS),
        read(snakemake.input.envelopes[0], ENVELOPES),
        read(snakemake.input.measures[0], MEASURES),
        conditions=snakemake.params.conditions,
    )
    write(frame, snakemake.output[0], DUALITY)
