"""On how many datasets which of two models is cheaper, along PC(+): the whole study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.contract import read_all, write
from costcurves.tables.curves.headline import MEASURES
from costcurves.tables.inference.map import MAP, study_map
from costcurves.tables.inference.verdicts import CROSSOVERS, VERDICTS

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Map of all datasets", snakemake) as stamp:
    found = study_map(
        read_all(snakemake.input.measures, MEASURES),
        read_all(snakemake.input.verdicts, VERDICTS),
        read_all(snakemake.input.crossovers, CROSSOVERS),
        voters=snakemake.params.voters,
        inference=snakemake.params.inference,
        seed=snakemake.params.seed,
        chosen=snakemake.params.chosen,
    )
    write(found, snakemake.output[0], MAP, stamp)
