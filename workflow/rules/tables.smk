"""From raw predictions to curves, and to what is known of them: one job a dataset and rule."""


rule predictions:
    """Check the raw predictions against the input contract, and write a copy that all later rules read, with the
    sha256 of each source."""
    input:
        sources=lambda wildcards: [local(ancient(file)) for file in plan.dated(DATASETS[wildcards.dataset])],
        made_of=made_of("predictions"),
    output:
        tables=made("predictions"),
        models=f"{RESULTS}/{{dataset}}/predictions/models.jsonl",
        sources=f"{RESULTS}/{{dataset}}/predictions/sources.json",
    log:
        f"{LOGS}/{{dataset}}/predictions.log",
    shell:
        f"{STAGE} predictions {CHECKED} {{wildcards.dataset}} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule cost_lines:
    """Count false and true positives at every distinct score (ties are one step), per fold, per repeat and pooled.
    Each operating point is a cost line, and a curve is the exact lower envelope of such lines, the no-model
    baselines included. Apply each threshold rule: choose on other folds than are judged, and take the cost curve
    (hybrids). Measure how each model ranks the cases: AUC with DeLong's standard error."""
    input:
        predictions=of("predictions"),
        made_of=made_of("cost_lines"),
    output:
        tables=made("cost_lines"),
    log:
        f"{LOGS}/{{dataset}}/cost_lines.log",
    threads: THREADS
    shell:
        f"{STAGE} cost_lines {CHECKED} {{wildcards.dataset}} --threads {{threads}} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule averages:
    """Average the envelopes in cost space over folds, over repeats and pooled. Choose the headline curve by which
    each model is judged, cross-fitted wherever that is possible, and measure it in both spaces."""
    input:
        cost_lines=of("cost_lines"),
        made_of=made_of("averages"),
    output:
        tables=made("averages"),
    log:
        f"{LOGS}/{{dataset}}/averages.log",
    shell:
        f"{STAGE} averages {CHECKED} {{wildcards.dataset}} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule confidence:
    """Resample the cases, the same draws for every model, and choose every threshold again in each resample. Draw
    bands around the headline curves, pointwise and simultaneous, and give every number of the summary its
    interval; do the same for every threshold rule."""
    input:
        predictions=of("predictions"),
        cost_lines=of("cost_lines"),
        averages=of("averages"),
        made_of=made_of("confidence"),
    output:
        tables=made("confidence"),
        resamples=f"{RESULTS}/{{dataset}}/confidence/resamples.npz",
    log:
        f"{LOGS}/{{dataset}}/confidence.log",
    threads: THREADS
    shell:
        f"{STAGE} confidence {CHECKED} {{wildcards.dataset}} --threads {{threads}} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule comparisons:
    """Subtract every two headline curves, resample by resample. Divide PC(+) by what the data settle, familywise
    over PC(+) by the largest deviation, over pairs by Holm. Find where the curves cross, and which decisions could
    still be cheapest at every PC(+)."""
    input:
        predictions=of("predictions"),
        cost_lines=of("cost_lines", "operating_points"),
        averages=of("averages", "headline", "measures"),
        resamples=rules.confidence.output.resamples,
        made_of=made_of("comparisons"),
    output:
        tables=made("comparisons"),
    log:
        f"{LOGS}/{{dataset}}/comparisons.log",
    shell:
        f"{STAGE} comparisons {CHECKED} {{wildcards.dataset}} --beside {{output.tables[0]:q}} 2> {{log:q}}"
