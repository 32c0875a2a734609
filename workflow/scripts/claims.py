"""What the study claims, decided: the whole study."""

from costcurves.jobs import job, told
from costcurves.tables.configuration.claim_keys import Claim
from costcurves.tables.contract import write
from costcurves.tables.inference.claims import CLAIMS, claims
from costcurves.tables.inference.evidence import read_data

with job(told.log[0], "Claims", told) as stamp:
    params = told.params
    views = {view for one in params.claims for view in Claim.from_plain(one).views}
    choosing = {name: params[name] for name in ("level", "selection")}
    data = read_data(told.input, params.by_cost, views, params.operating_conditions, choosing)
    write(claims(data, params.claims, params.prior), told.output[0], CLAIMS, stamp)
