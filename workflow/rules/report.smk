"""From tables to the report: results are checked, drawn and put together."""


rule figures:
    """
    Check the results of {wildcards.batch} against what must be true of any, and draw every figure as SVG and
    PDF, with the data that it shows as CSV.
    """
    input:
        made_of("figures"),
    output:
        report(
            directory(f"{RESULTS}/{{batch}}/figures-{{key}}"),
            patterns=["{dataset}/{figure,[a-z_]+}.svg"],
            category="{dataset}",
            labels={"figure": "{figure}"},
        ),
    log:
        f"{LOGS}/{{batch}}/figures-{{key}}.log",
    resources:
        **needs("figures"),
    message:
        "{wildcards.batch}: figures"
    shell:
        stage("figures")


rule map:
    """
    Count along PC(+) on how many datasets which of two models is cheaper, and test whether the observed costs
    favour one on more datasets than chance allows: familywise over PC(+), over pairs by Holm. Check the map,
    and draw it with the costs of threshold rules on all datasets.
    """
    input:
        made_of("map"),
    output:
        directory(f"{RESULTS}/map-{{key}}"),
    log:
        f"{LOGS}/map-{{key}}.log",
    localrule: True
    resources:
        **needs("map"),
    message:
        "Mapping all datasets"
    shell:
        stage("map")


rule report:
    """
    Write the report and put it in its place, whole or not at all.
    """
    input:
        PLAN.inputs("report"),
    output:
        local(directory(f"{RESULTS}/report-{{key}}")),
    log:
        f"{LOGS}/report-{{key}}.log",
    resources:
        **needs("report"),
    message:
        "Writing the report"
    shell:
        stage("report")
