"""What the study claims, decided: the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.contract import write
from costcurves.tables.inference.claims import CLAIMS, claims
from costcurves.tables.inference.evidence import read_data

with job(told.log[0], "Claims", told) as stamp:
    params = told.params
    names = {name for one in params.claims for name in one["datasets"]}
    choosing = {name: params[name] for name in ("level", "selection")}
    data = read_data(told.input, names, params.operating_conditions, choosing)
    write(claims(data, params.claims, params.prior), told.output[0], CLAIMS, stamp)
