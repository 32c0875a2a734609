"""
From tables to the report: the results are checked, drawn and put together.

INPUTS: all tables of all datasets.
OUTPUTS: check_results/{batch}.parquet, figures/{batch}/, reported, and reports/<study>/.
"""


rule check_results:
    """
    Hold the results to what must be true of any: a report can't be built from results that break it.
    """
    input:
        **{stage: [table(stage)] for stage in STUDY.stages},
        predictions=rules.predictions.output.table,
    output:
        table("check_results"),
        stamp=f"{RESULTS}/stamps/check_results/{{batch}}",
    log:
        f"{LOGS}/check_results/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        stamp=stamp,
    message:
        "{wildcards.batch}: checking the results"
    run:
        work("check_results", input, output, params, wildcards, log)


rule figures:
    """
    Draw every figure of {wildcards.batch} as SVG and PDF, with the data that it shows as CSV.
    """
    input:
        **{stage: [table(stage)] for stage in STUDY.stages},
        checked=rules.check_results.output[0],
        roster=every(table("measures")),  # a model looks the same in the whole report
        unweighted_headline=beside(table("headline")),
        unweighted_bands=beside(table("bands")),
    output:
        report(
            directory(f"{RESULTS}/figures/{{batch}}"),
            patterns=["{dataset}/{figure,[a-z_]+}.svg"],
            category="{dataset}",
            labels={"figure": "{figure}"},
        ),
        stamp=f"{RESULTS}/stamps/figures/{{batch}}",
    log:
        f"{LOGS}/figures/{{batch}}.log",
    resources:
        mem_mb=memory,
    params:
        datasets=lambda wildcards: [one.plain() for one in BATCHES[wildcards.batch]],
        detail=STUDY.detail,
        first=STUDY.datasets[0].slug,
        operating_conditions=CONDITIONS,
        level=STUDY.level,
        stamp=stamp,
    message:
        "{wildcards.batch}: figures"
    run:
        work("figures", input, output, params, wildcards, log)


rule report:
    """
    Write the report of {params.study[name]} and put it in its place, whole or not at all.
    """
    input:
        **{stage: every(table(stage)) for stage in STUDY.stages},
        predictions=every(table("predictions")),
        check_results=every(table("check_results")),
        figures=every(f"{RESULTS}/figures/{{batch}}"),
        sources=unweighted(f"{RESULTS}/predictions/{{batch}}.json"),
        map=rules.map.output[0],
        map_figures=rules.map_figures.output[0],
        claims=CLAIMS,
        check_claims=rules.check_claims.output[0],
    output:
        REPORTED,
        stamp=local(f"{RESULTS}/stamps/report"),
    log:
        f"{LOGS}/report.log",
    resources:
        mem_mb=memory,
    params:
        study=STUDY.plain(),
        given=dict(config),
        added=sha256_of(STUDY.report.files()),
        stamp=stamp,
    message:
        "Writing the report"
    run:
        work("report", input, output, params, wildcards, log)
