"""
From curves to numbers and verdicts, one job a batch of datasets: the headline of each model, its confidence
bands, which of two models is cheaper, and what is known of ways of choosing.

INPUTS: predictions, operating_points, envelopes, rankings, averages, hybrids, criteria: a table each.
OUTPUTS: headline, measures, duality, resampling, bands, intervals, instance_costs, comparisons, verdicts,
crossovers, in_the_running, auc_differences, choice_bands, choice_intervals, optimism: a table each (resampling: arrays).
"""


rule duality:
    """
    Choose the curve by which each model is judged, cross-fitted wherever that can be; measure it: area, total
    expected cost under {params.prior}, operating range, largest cost, DeLong's interval of AUC, H-measure; and
    find its cheapest operating point under the marked operating conditions, in cost space and in ROC space.
    """
    input:
        operating_points=table("operating_points"),
        envelopes=table("envelopes"),
        rankings=table("rankings"),
        averages=table("averages"),
        hybrids=table("hybrids"),
    output:
        **tables("headline", "measures", "duality"),
        stamp=f"{RESULTS}/stamps/duality/{{batch}}",
    log:
        f"{LOGS}/duality/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        level=STUDY.level,
        prior=STUDY.prior.plain(),
        priors=lambda wildcards: {
            one.name: one.prior for one in BATCHES[wildcards.batch]
        },
        confidence=STUDY.inference.confidence,
        operating_conditions=CONDITIONS,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: measures of each model, in both spaces"
    run:
        work("stage", input, output, params, wildcards, log)


rule resampling:
    """
    Resample the instances {params.inference[resamples]} times or, where many pairs of models share the error,
    more often, the same draws for every model, and choose every threshold again in each.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=table("operating_points"),
        headline=table("headline"),
        measures=table("measures"),
    output:
        resampling=kept_for_claims(f"{RESULTS}/resampling/{{batch}}.npz"),
        stamp=f"{RESULTS}/stamps/resampling/{{batch}}",
    log:
        f"{LOGS}/resampling/{{batch}}.log",
    threads: THREADS
    resources:
        mem_mb=memory,
    params:
        level=STUDY.level,
        operating_conditions=CONDITIONS,
        inference=STUDY.inference.plain("confidence", "resamples", "unit"),
        seed=STUDY.seed,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: resampling the instances"
    run:
        work("stage", input, output, params, wildcards, log, threads)


rule confidence:
    """
    Draw {params.confidence} bands around the headline curves, pointwise and simultaneous, and give every number
    of the summary its interval; where instances count by their costs, say what each model costs per instance
    in their unit, at the mean costs and the deployment prior.
    """
    input:
        operating_points=table("operating_points"),
        predictions=lambda wildcards: (
            table("predictions").format(batch=wildcards.batch)
            if BATCHES[wildcards.batch][0].weighted
            else []
        ),
        headline=table("headline"),
        measures=table("measures"),
        resampling=rules.resampling.output.resampling,
    output:
        **tables("bands", "intervals", "instance_costs"),
        stamp=f"{RESULTS}/stamps/confidence/{{batch}}",
    log:
        f"{LOGS}/confidence/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        inference=STUDY.inference.plain("confidence", "band"),
        confidence=STUDY.inference.confidence,
        prior=STUDY.prior.plain(),
        operating_conditions=CONDITIONS,
        weighted=lambda wildcards: BATCHES[wildcards.batch][0].weighted,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: bands and intervals"
    run:
        work("stage", input, output, params, wildcards, log)


rule comparisons:
    """
    Subtract every two headline curves, resample by resample; draw the bands of the difference; divide PC(+) by
    what the data can decide, familywise over PC(+) by the largest deviation, over pairs by Holm; find where
    the curves cross; and say at every PC(+) which decisions may still be the cheapest. For an annex, test each
    two AUCs as DeLong does.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=table("operating_points"),
        headline=table("headline"),
        measures=table("measures"),
        resampling=rules.resampling.output.resampling,
    output:
        **tables(
            "comparisons",
            "verdicts",
            "crossovers",
            "in_the_running",
            "auc_differences",
        ),
        stamp=f"{RESULTS}/stamps/comparisons/{{batch}}",
    log:
        f"{LOGS}/comparisons/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        inference=STUDY.inference.plain(),
        confidence=STUDY.inference.confidence,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: comparisons of all pairs"
    run:
        work("stage", input, output, params, wildcards, log)


rule choices:
    """
    Resample the curve of every selection criterion as well: {params.confidence} bands around it, its regret,
    and differences between models under the same criterion; intervals of their areas and costs; and what
    lower envelopes leave out of the cost of cross-fitted choice.
    """
    input:
        predictions=rules.predictions.output.table,
        averages=table("averages"),
        hybrids=table("hybrids"),
        criteria=made("criteria"),
        headline=table("headline"),
        measures=table("measures"),
        resampling=rules.resampling.output.resampling,
    output:
        **tables("choice_bands", "choice_intervals", "optimism"),
        stamp=f"{RESULTS}/stamps/choices/{{batch}}",
    log:
        f"{LOGS}/choices/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        level=STUDY.level,
        selection=STUDY.selection.plain(),
        confidence=STUDY.inference.confidence,
        prior=STUDY.prior.plain(),
        operating_conditions=CONDITIONS,
        whole=STUDY.plain(),
        slugs=slugs,
        stamp=stamp,
    message:
        "{wildcards.batch}: bands and intervals of choices, and optimism"
    run:
        work("stage", input, output, params, wildcards, log)
