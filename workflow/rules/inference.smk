"""
From curves to numbers and verdicts, one job a batch of datasets and stage: the headline of each model,
how far chance takes it, which of two models is cheaper, and what is known of ways of choosing.

INPUTS: predictions, operating_points, envelopes, averages, hybrids, criteria: a table each.
OUTPUTS: headline, measures, duality, resampling, bands, intervals, comparisons, verdicts, crossovers,
instance_costs, choice_bands, choice_intervals, optimism: a table each (resampling: arrays).
"""


rule headline:
    """
    Choose the curve by which each model is judged: cross-fitted wherever that can be.
    """
    input:
        operating_points=rules.operating_points.output,
        hybrids=rules.hybrids.output,
        code=code("headline"),
    output:
        **tables("headline"),
    log:
        f"{LOGS}/headline/{{batch}}.log",
    message:
        "{wildcards.batch}: headline curves"
    script:
        "../scripts/stage.py"


rule measures:
    """
    Measure each model: area, total expected cost under {params.prior}, operating range, largest cost, AUC.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=rules.operating_points.output,
        averages=rules.averages.output,
        headline=rules.headline.output,
        code=code("measures"),
        told=told("measures"),
    output:
        **tables("measures"),
    log:
        f"{LOGS}/measures/{{batch}}.log",
    params:
        level=STUDY.level,
        prior=STUDY.prior,
        deployment=lambda wildcards: {
            one.name: one.prior for one in BATCHES[wildcards.batch]
        },
    message:
        "{wildcards.batch}: measures of each model"
    script:
        "../scripts/stage.py"


rule duality:
    """
    Find each model's cheapest operating point under the marked operating conditions, in both spaces.
    """
    input:
        operating_points=rules.operating_points.output,
        envelopes=rules.envelopes.output,
        measures=rules.measures.output,
        code=code("duality"),
        told=told("duality"),
    output:
        **tables("duality"),
    log:
        f"{LOGS}/duality/{{batch}}.log",
    params:
        conditions=[condition.plain() for condition in STUDY.operating_conditions],
    message:
        "{wildcards.batch}: operating conditions in ROC and cost space"
    script:
        "../scripts/stage.py"


rule resampling:
    """
    Resample the instances {params.inference[resamples]} times or, where many pairs of models share the error,
    more often, the same draws for every model, and choose every threshold again in each.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=rules.operating_points.output,
        headline=rules.headline.output,
        code=code("resampling"),
        told=told("resampling"),
    output:
        f"{RESULTS}/resampling/{{batch}}.npz",
    log:
        f"{LOGS}/resampling/{{batch}}.log",
    params:
        level=STUDY.level,
        marked=[condition.pc for condition in STUDY.operating_conditions],
        inference=STUDY.inference.plain(),
        seed=STUDY.seed,
    message:
        "{wildcards.batch}: resampling the instances"
    script:
        "../scripts/resampling.py"


rule confidence:
    """
    Draw {params.inference[confidence]} bands around the headline curves, pointwise and simultaneous, and give
    every number of the summary its interval.
    """
    input:
        operating_points=rules.operating_points.output,
        headline=rules.headline.output,
        resampling=rules.resampling.output,
        code=code("bands", "intervals"),
        told=told("confidence"),
    output:
        **tables("bands", "intervals"),
    log:
        f"{LOGS}/confidence/{{batch}}.log",
    params:
        inference=STUDY.inference.plain(),
        prior=STUDY.prior,
        conditions=[condition.plain() for condition in STUDY.operating_conditions],
    message:
        "{wildcards.batch}: bands and intervals"
    script:
        "../scripts/stage.py"


rule comparisons:
    """
    Subtract every two headline curves, resample by resample; draw the bands of the difference; divide PC(+) by
    what the data can decide, familywise over PC(+) by the largest deviation, over pairs by Holm; and find
    where the curves cross.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=rules.operating_points.output,
        headline=rules.headline.output,
        resampling=rules.resampling.output,
        measures=rules.measures.output,
        code=code("comparisons", "verdicts", "crossovers"),
        told=told("comparisons"),
    output:
        **tables("comparisons", "verdicts", "crossovers"),
    log:
        f"{LOGS}/comparisons/{{batch}}.log",
    params:
        inference=STUDY.inference.plain(),
    message:
        "{wildcards.batch}: comparisons of all pairs"
    script:
        "../scripts/stage.py"


rule instance_costs:
    """
    Where instances count by their costs, say what each model costs per instance in their unit, at the mean
    costs and the deployment prior.
    """
    input:
        predictions=rules.predictions.output.table,
        operating_points=rules.operating_points.output,
        headline=rules.headline.output,
        measures=rules.measures.output,
        resampling=rules.resampling.output,
        code=code("instance_costs"),
        told=told("instance_costs"),
    output:
        **tables("instance_costs"),
    log:
        f"{LOGS}/instance_costs/{{batch}}.log",
    params:
        weighted=lambda wildcards: BATCHES[wildcards.batch][0].weighted,
        confidence=STUDY.inference.confidence,
    message:
        "{wildcards.batch}: costs of instances"
    script:
        "../scripts/stage.py"


rule choices:
    """
    Resample the curve of every selection criterion as well: {params.confidence} bands around it, its regret,
    and differences between models under the same criterion; intervals of their areas and costs; and what
    lower envelopes leave out of the cost of cross-fitted choice.
    """
    input:
        predictions=rules.predictions.output.table,
        averages=rules.averages.output,
        hybrids=rules.hybrids.output,
        criteria=rules.criteria.output,
        headline=rules.headline.output,
        resampling=rules.resampling.output,
        code=code("choice_bands", "choice_intervals", "optimism"),
        told=told("choices"),
    output:
        **tables("choice_bands", "choice_intervals", "optimism"),
    log:
        f"{LOGS}/choices/{{batch}}.log",
    params:
        level=STUDY.level,
        selection=STUDY.selection.plain(),
        confidence=STUDY.inference.confidence,
        prior=STUDY.prior,
        conditions=[condition.plain() for condition in STUDY.operating_conditions],
    message:
        "{wildcards.batch}: bands and intervals of choices, and optimism"
    script:
        "../scripts/stage.py"
