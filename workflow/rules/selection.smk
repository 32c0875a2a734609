"""
From curves to choices, one job a batch of datasets and stage: what each way of choosing a threshold,
or a member of a family, really costs.

INPUTS: operating_points, averages: a table each.
OUTPUTS: hybrids, criteria, deployment, threshold_choice, losses, constructions, statements: a table each.
"""


rule hybrids:
    """
    Apply each selection criterion to each model: choose on other folds than are judged, or as fixed in
    advance, or on the very data (at level {params.level}), and take the cost curve.
    """
    input:
        operating_points=rules.operating_points.output,
        averages=rules.averages.output,
        code=code("hybrids"),
        told=told("hybrids"),
    output:
        **tables("hybrids"),
    log:
        f"{LOGS}/hybrids/{{batch}}.log",
    params:
        level=STUDY.level,
        selection=STUDY.applied.plain(),
    message:
        "{wildcards.batch}: selection criteria and their curves"
    script:
        "../scripts/stage.py"


rule criteria:
    """
    Compare each model's selection criteria: which apply, their expected cost, their regret against
    cross-fitted choice, where they are worse than a trivial classifier, which one is best.
    """
    input:
        operating_points=rules.operating_points.output,
        hybrids=rules.hybrids.output,
        code=code("criteria"),
        told=told("criteria"),
    output:
        **tables("criteria"),
    log:
        f"{LOGS}/criteria/{{batch}}.log",
    params:
        selection=STUDY.applied.plain("criteria", "max_fp_rate", "capacity"),
        prior=STUDY.prior,
    message:
        "{wildcards.batch}: selection criteria compared"
    script:
        "../scripts/stage.py"


rule deployment:
    """
    Choose with all folds which threshold or member is to serve each PC(+) from now on.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("deployment"),
    output:
        **tables("deployment"),
    log:
        f"{LOGS}/deployment/{{batch}}.log",
    message:
        "{wildcards.batch}: choices for deployment"
    script:
        "../scripts/stage.py"


rule threshold_choice:
    """
    Draw the loss curves of the threshold choice methods over cost proportions and over skews, with the
    fixed score {params.score_threshold} and the fixed rate {params.rate} (None: the class proportion).
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("threshold_choice"),
        told=told("threshold_choice"),
    output:
        **tables("threshold_choice"),
    log:
        f"{LOGS}/threshold_choice/{{batch}}.log",
    params:
        score_threshold=STUDY.selection.score_threshold,
        rate=STUDY.selection.rate,
    message:
        "{wildcards.batch}: threshold choice methods"
    script:
        "../scripts/stage.py"


rule losses:
    """
    Measure each ranking: AUC, Brier score, its refinement and calibration, rate-driven loss.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("losses"),
    output:
        **tables("losses"),
    log:
        f"{LOGS}/losses/{{batch}}.log",
    message:
        "{wildcards.batch}: losses of rankings"
    script:
        "../scripts/stage.py"


rule constructions:
    """
    Find the points of the pooled ROC hulls that the highest FP rate and the workforce's capacity allow, and
    what such a choice does on held-out folds.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("constructions"),
        told=told("constructions"),
    output:
        **tables("constructions"),
    log:
        f"{LOGS}/constructions/{{batch}}.log",
    params:
        selection=STUDY.selection.plain("criteria", "max_fp_rate", "capacity"),
    message:
        "{wildcards.batch}: constrained points"
    script:
        "../scripts/stage.py"


rule statements:
    """
    Read off the results what papers have read off theirs.
    """
    input:
        averages=rules.averages.output,
        hybrids=rules.hybrids.output,
        code=code("statements"),
        told=told("statements"),
    output:
        **tables("statements"),
    log:
        f"{LOGS}/statements/{{batch}}.log",
    params:
        stated=[one.plain() for one in STUDY.statements],
    message:
        "{wildcards.batch}: papers' statements"
    script:
        "../scripts/stage.py"
