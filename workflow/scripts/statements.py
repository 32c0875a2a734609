"""Papers' statements about one dataset beside our numbers."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES
from costcurves.tables.batches import each
from costcurves.tables.contract import read, write
from costcurves.tables.hybrids import HYBRIDS
from costcurves.tables.statements import STATEMENTS, statements

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: papers' statements"):
    averages = read(snakemake.input.averages[0], AVERAGES)
    hybrids = read(snakemake.input.hybrids[0], HYBRIDS)
    frame = each(statements, averages, hybrids, snakemake.params.statements)
    write(frame, snakemake.output[0], STATEMENTS)
