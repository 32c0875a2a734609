"""Cost curves averaged over folds, over repeats and pooled, and the cost of the ROC averages."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.averages import AVERAGES, averages
from costcurves.tables.batches import each
from costcurves.tables.contract import read, read_all, write
from costcurves.tables.envelopes import ENVELOPES
from costcurves.tables.roc import ROC

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.batch}: averages in cost space"):
    envelopes = read(snakemake.input.envelopes[0], ENVELOPES)
    roc = read_all(snakemake.input.roc, ROC)
    write(each(averages, envelopes, roc), snakemake.output[0], AVERAGES)
