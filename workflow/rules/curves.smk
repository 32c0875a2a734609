"""From raw predictions to the curves by which models are judged, one job a batch of datasets."""


rule predictions:
    """
    Check the predictions of {wildcards.batch} against the input contract, and write a copy that all later
    rules read, with the sha256 of each source.
    """
    input:
        made_of("predictions"),
    output:
        directory(f"{RESULTS}/{{batch}}/predictions-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/predictions-{{key}}.log",
    resources:
        **needs("predictions"),
    message:
        "{wildcards.batch}: checking and staging predictions"
    shell:
        stage("predictions")


rule cost_lines:
    """
    Count false and true positives at every distinct score (ties are one step), per fold, per repeat and
    pooled; each operating point is a cost line, and a curve is the exact lower envelope of such lines, the
    no-model baselines included. Measure how each model ranks the cases: AUC with DeLong's standard error.
    Beside them possible problems in the data.
    """
    input:
        made_of("cost_lines"),
    output:
        directory(f"{RESULTS}/{{batch}}/cost_lines-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/cost_lines-{{key}}.log",
    threads: THREADS
    resources:
        **needs("cost_lines"),
    message:
        "{wildcards.batch}: cost lines and their lower envelopes"
    shell:
        stage("cost_lines")


rule averages:
    """
    Average the envelopes in cost space over folds, over repeats and pooled; for an annex average the ROC
    hulls vertically, horizontally, by threshold and pooled, and find what each of these costs.
    """
    input:
        made_of("averages"),
    output:
        directory(f"{RESULTS}/{{batch}}/averages-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/averages-{{key}}.log",
    resources:
        **needs("averages"),
    message:
        "{wildcards.batch}: averages in cost space and in ROC space"
    shell:
        stage("averages")


rule hybrids:
    """
    Apply each threshold rule to each model: choose on other folds than are judged, or as fixed in advance, or
    on the very data, and take the cost curve; compare the costs, and choose with all folds the threshold to
    use at each PC(+). For an annex add what follows from rankings alone: loss curves of the threshold choice
    methods, Brier score, rate-driven loss.
    """
    input:
        made_of("hybrids"),
    output:
        directory(f"{RESULTS}/{{batch}}/hybrids-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/hybrids-{{key}}.log",
    resources:
        **needs("hybrids"),
    message:
        "{wildcards.batch}: threshold rules and their curves"
    shell:
        stage("hybrids")


rule duality:
    """
    Choose the curve by which each model is judged, cross-fitted wherever that is possible; measure its area,
    total expected cost, operating range, largest cost, DeLong's interval of AUC and H-measure; and find its
    cheapest operating point under the marked operating conditions, in cost space and in ROC space.
    """
    input:
        made_of("duality"),
    output:
        directory(f"{RESULTS}/{{batch}}/duality-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/duality-{{key}}.log",
    resources:
        **needs("duality"),
    message:
        "{wildcards.batch}: measures of each model, in both spaces"
    shell:
        stage("duality")
