"""
What the study claims of its models, decided by the data: all claims together, as they share an error.

INPUTS: predictions, operating_points, hybrids, criteria, headline, resampling, measures of the datasets that claims are about, by cost where they say so.
OUTPUTS: claims.parquet, check_claims.parquet.
"""


rule claims:
    """
    Decide each claim: supported, contradicted or undecided, familywise over PC(+) and over all claims.
    """
    input:
        predictions=claimed(table("predictions")),
        operating_points=claimed(table("operating_points")),
        hybrids=claimed(table("hybrids")),
        headline=claimed(table("headline")),
        measures=claimed(table("measures")),
        resampling=claimed(f"{RESULTS}/resampling/{{batch}}.npz"),
    output:
        CLAIMS,
        stamp=local(f"{RESULTS}/stamps/claims"),
    log:
        f"{LOGS}/claims.log",
    localrule: True
    resources:
        mem_mb=memory,
    params:
        by_cost=list(CLAIMED.values()),
        claims=[one.plain() for one in STUDY.claims],
        operating_conditions=CONDITIONS,
        level=STUDY.level,
        selection=STUDY.applied.plain(),
        prior=STUDY.prior.plain(),
        stamp=stamp,
    message:
        "Deciding what is claimed"
    run:
        work("claims", input, output, params, wildcards, log)


rule check_claims:
    """
    Hold the verdicts on claims to what must be true of any.
    """
    input:
        claims=CLAIMS,
        headline=claimed(table("headline")),
        hybrids=claimed(table("hybrids")),
        criteria=claimed(made("criteria")),
        measures=claimed(table("measures")),
    output:
        f"{RESULTS}/check_claims.parquet",
        stamp=f"{RESULTS}/stamps/check_claims",
    log:
        f"{LOGS}/check_claims.log",
    localrule: True
    resources:
        mem_mb=memory,
    params:
        by_cost=list(CLAIMED.values()),
        stamp=stamp,
    message:
        "Checking the claims"
    run:
        work("check_claims", input, output, params, wildcards, log)
