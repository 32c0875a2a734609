"""What the study claims, decided: the whole study."""

from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.contract import write
from costcurves.tables.inference.claims import CLAIMS, claims
from costcurves.tables.inference.evidence import read_data

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Claims", snakemake) as stamp:
    params = snakemake.params
    names = {name for one in params.claims for name in one["datasets"]}
    choosing = {name: params[name] for name in ("marked", "level", "selection")}
    data = read_data(snakemake.input, names, choosing)
    write(claims(data, params.claims, params.prior), snakemake.output[0], CLAIMS, stamp)
