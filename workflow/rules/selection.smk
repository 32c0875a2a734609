"""
From curves to choices, one job a batch of datasets: what each way of choosing a threshold, or a member of a
family, really costs.

INPUTS: operating_points, averages: a table each.
OUTPUTS: hybrids, criteria, deployment, threshold_choice, losses, constructions: a table each.
"""


rule hybrids:
    """
    Apply each selection criterion to each model: choose on other folds than are judged, or as fixed in
    advance, or on the very data (at level {params.level}), and take the cost curve; compare what they cost,
    and choose with all folds what is to serve each PC(+) from now on. Beside them what follows from rankings
    alone: loss curves of the threshold choice methods, Brier score, rate-driven loss.
    """
    input:
        operating_points=table("operating_points"),
        averages=table("averages"),
    output:
        **tables(
            "hybrids",
            "criteria",
            "deployment",
            "threshold_choice",
            "losses",
            "constructions",
        ),
        stamp=f"{RESULTS}/stamps/hybrids/{{batch}}",
    log:
        f"{LOGS}/hybrids/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        level=STUDY.level,
        selection=STUDY.applied.plain(),
        prior=STUDY.prior.plain(),
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: selection criteria and their curves"
    run:
        work("stage", input, output, params, wildcards, log)
