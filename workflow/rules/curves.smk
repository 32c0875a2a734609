"""
From staged predictions to curves, one job a batch of datasets.

INPUTS: predictions/{batch}.parquet.
OUTPUTS: operating_points, envelopes, rankings, plausibility, roc, averages: a table each.
"""


rule cost_lines:
    """
    Count false and true positives at every distinct score (ties are one step), per fold, per repeat and
    pooled; each operating point is a cost line, and a curve is the exact lower envelope of such lines, trivial
    classifiers included. Measure how each model ranks the instances: AUC with DeLong's standard error. Beside
    them what looks wrong with the predictions.
    """
    input:
        predictions=rules.predictions.output.table,
    output:
        **tables("operating_points", "envelopes", "rankings", "plausibility"),
        stamp=f"{RESULTS}/stamps/cost_lines/{{batch}}",
    log:
        f"{LOGS}/cost_lines/{{batch}}.log",
    threads: THREADS
    resources:
        mem_mb=memory,
    params:
        seed=STUDY.seed,
        every_threshold=STUDY.every_threshold,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: cost lines and their lower envelopes"
    run:
        work("stage", input, output, params, wildcards, log, threads)


rule averages:
    """
    Average the envelopes in cost space over folds, over repeats and pooled; beside them the ROC hulls of level
    {params.level}, vertically, horizontally, by threshold and pooled, and what each of these costs.
    """
    input:
        operating_points=table("operating_points"),
        envelopes=table("envelopes"),
    output:
        **tables("roc", "averages"),
        stamp=f"{RESULTS}/stamps/averages/{{batch}}",
    log:
        f"{LOGS}/averages/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        level=STUDY.level,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: averages in cost space and in ROC space"
    run:
        work("stage", input, output, params, wildcards, log)
