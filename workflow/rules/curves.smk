"""
From staged predictions to curves and the numbers read from them, one job a dataset and stage.

INPUTS: predictions/{dataset}.parquet.
OUTPUTS: operating_points, envelopes, roc, averages, measures, crossovers, duality: a table each.
"""


rule operating_points:
    """
    Count false and true positives at every distinct score (ties are one step), per fold, per
    repeat and pooled.
    """
    input:
        predictions=rules.predictions.output.table,
        code=code("operating_points"),
    output:
        table("operating_points"),
    log:
        f"{LOGS}/operating_points/{{dataset}}.log",
    message:
        "{wildcards.dataset}: operating points"
    script:
        "../scripts/operating_points.py"


rule envelopes:
    """
    Take the exact lower envelope of each curve's cost lines, trivial classifiers included.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("envelopes"),
    output:
        table("envelopes"),
    log:
        f"{LOGS}/envelopes/{{dataset}}.log",
    message:
        "{wildcards.dataset}: lower envelopes"
    script:
        "../scripts/envelopes.py"


rule roc:
    """
    Average the ROC hulls at level {params.level} vertically, horizontally, by threshold, and pool them.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("roc"),
    output:
        table("roc"),
    log:
        f"{LOGS}/roc/{{dataset}}.log",
    params:
        level=STUDY.level,
    message:
        "{wildcards.dataset}: ROC averages at level {params.level}"
    script:
        "../scripts/roc.py"


rule averages:
    """
    Average the envelopes in cost space over folds, over repeats and pooled; beside them the cost of each
    ROC average.
    """
    input:
        envelopes=rules.envelopes.output,
        roc=rules.roc.output,
        code=code("averages"),
    output:
        table("averages"),
    log:
        f"{LOGS}/averages/{{dataset}}.log",
    message:
        "{wildcards.dataset}: averages in cost space"
    script:
        "../scripts/averages.py"


rule measures:
    """
    Measure each model: area, total expected cost under {params.prior}, operating range, largest cost, AUC.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=rules.operating_points.output,
        averages=rules.averages.output,
        code=code("measures"),
    output:
        table("measures"),
    log:
        f"{LOGS}/measures/{{dataset}}.log",
    params:
        level=STUDY.level,
        prior=STUDY.prior,
        deployment=lambda wildcards: DATASETS[wildcards.dataset].prior,
    message:
        "{wildcards.dataset}: measures of each model"
    script:
        "../scripts/measures.py"


rule crossovers:
    """
    Find where each model costs less than each other one, by exact crossings of the headline curves.
    """
    input:
        averages=rules.averages.output,
        measures=rules.measures.output,
        code=code("crossovers"),
    output:
        table("crossovers"),
    log:
        f"{LOGS}/crossovers/{{dataset}}.log",
    params:
        level=STUDY.level,
    message:
        "{wildcards.dataset}: crossovers of all pairs"
    script:
        "../scripts/crossovers.py"


rule duality:
    """
    Find each model's cheapest operating point under the marked operating conditions, in both spaces.
    """
    input:
        operating_points=rules.operating_points.output,
        envelopes=rules.envelopes.output,
        measures=rules.measures.output,
        code=code("duality"),
    output:
        table("duality"),
    log:
        f"{LOGS}/duality/{{dataset}}.log",
    params:
        conditions=[condition.plain() for condition in STUDY.operating_conditions],
    message:
        "{wildcards.dataset}: operating conditions in ROC and cost space"
    script:
        "../scripts/duality.py"
