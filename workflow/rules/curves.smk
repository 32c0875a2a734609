"""
From staged predictions to curves, one job a dataset and stage.

INPUTS: predictions/{dataset}.parquet.
OUTPUTS: operating_points, envelopes, roc, averages: a table each.
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
