"""From curves to numbers with their uncertainty: intervals, verdicts on pairs, and claims."""


rule resampling:
    """
    Resample the cases, more often where many pairs of models share the error, the same draws for every model,
    and choose every threshold again in each resample.
    """
    input:
        made_of("resampling"),
    output:
        resamples(directory(f"{RESULTS}/{{batch}}/resampling-{{key}}")),
    log:
        f"{LOGS}/{{batch}}/resampling-{{key}}.log",
    threads: THREADS
    resources:
        **needs("resampling"),
    message:
        "{wildcards.batch}: resampling the cases"
    shell:
        stage("resampling")


rule confidence:
    """
    Draw bands around the headline curves, pointwise and simultaneous, and give every number of the summary its
    interval; where cases count by their costs, find what each model costs per case in their unit. For an annex
    do the same for every threshold rule, and measure how much lower envelopes leave out of the cost of
    cross-fitted choice.
    """
    input:
        made_of("confidence"),
    output:
        directory(f"{RESULTS}/{{batch}}/confidence-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/confidence-{{key}}.log",
    resources:
        **needs("confidence"),
    message:
        "{wildcards.batch}: bands and intervals"
    shell:
        stage("confidence")


rule comparisons:
    """
    Subtract every two headline curves, resample by resample; draw the bands of the difference; divide PC(+) by
    what the data settle, familywise over PC(+) by the largest deviation, over pairs by Holm; find where the
    curves cross, and which decisions could still be cheapest at every PC(+). For an annex, test each two AUCs
    as DeLong does.
    """
    input:
        made_of("comparisons"),
    output:
        directory(f"{RESULTS}/{{batch}}/comparisons-{{key}}"),
    log:
        f"{LOGS}/{{batch}}/comparisons-{{key}}.log",
    resources:
        **needs("comparisons"),
    message:
        "{wildcards.batch}: comparisons of all pairs"
    shell:
        stage("comparisons")


rule claims:
    """
    Decide each claim: supported, contradicted or undecided, familywise over PC(+) and over all claims; check the
    verdicts against what must be true of any.
    """
    input:
        made_of("claims"),
    output:
        directory(f"{RESULTS}/claims-{{key}}"),
    log:
        f"{LOGS}/claims-{{key}}.log",
    localrule: True
    resources:
        **needs("claims"),
    message:
        "Deciding the claims"
    shell:
        stage("claims")
