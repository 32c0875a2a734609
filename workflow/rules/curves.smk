"""
From staged predictions to curves, one job a batch of datasets and stage.

INPUTS: predictions/{batch}.parquet.
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
        **tables("operating_points"),
    log:
        f"{LOGS}/operating_points/{{batch}}.log",
    message:
        "{wildcards.batch}: operating points"
    script:
        "../scripts/stage.py"


rule envelopes:
    """
    Take the exact lower envelope of each curve's cost lines, trivial classifiers included.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("envelopes"),
    output:
        **tables("envelopes"),
    log:
        f"{LOGS}/envelopes/{{batch}}.log",
    message:
        "{wildcards.batch}: lower envelopes"
    script:
        "../scripts/stage.py"


rule roc:
    """
    Average the ROC hulls at level {params.level} vertically, horizontally, by threshold, and pool them.
    """
    input:
        operating_points=rules.operating_points.output,
        code=code("roc"),
        told=told("roc"),
    output:
        **tables("roc"),
    log:
        f"{LOGS}/roc/{{batch}}.log",
    params:
        level=STUDY.level,
    message:
        "{wildcards.batch}: ROC averages at level {params.level}"
    script:
        "../scripts/stage.py"


rule averages:
    """
    Average the envelopes in cost space over folds, over repeats and pooled; beside them the cost of each
    ROC average.
    """
    input:
        envelopes=rules.envelopes.output,
        roc=made("roc"),
        code=code("averages"),
    output:
        **tables("averages"),
    log:
        f"{LOGS}/averages/{{batch}}.log",
    message:
        "{wildcards.batch}: averages in cost space"
    script:
        "../scripts/stage.py"
