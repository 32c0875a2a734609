"""The tables of a stage, for a batch of datasets."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.making import make

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

OF_THE_ENGINE = ("code", "told")  # what makes the engine run the stage again

outputs = dict(snakemake.output.items())
with job(snakemake.log[0], f"{snakemake.wildcards.batch}: {', '.join(outputs).replace('_', ' ')}"):
    files = {name: [own] if isinstance(own, str) else own for name, own in snakemake.input.items()}
    inputs = {name: own for name, own in files.items() if name not in OF_THE_ENGINE}
    make(outputs, inputs, dict(snakemake.params.items()))
