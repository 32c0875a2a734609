"""From tables to the report: results are checked, drawn and put together."""

COUNTED = [dataset.slug for dataset in STUDY.counted]
CLAIMED = [dataset.slug for dataset in STUDY.claimed]
READ = ("predictions/sources.json", "figures/drawn", "figures/drawn/cost_curves-a.svg")  # by the report
OF_MAP = multiext(f"{RESULTS}/map/", "map.parquet", "SHA256SUMS")
OF_CLAIMS = multiext(f"{RESULTS}/claims/", "claims.parquet", "SHA256SUMS")
STAGES = ("predictions", "cost_lines", "averages", "confidence", "comparisons")


rule models:
    """List the models of all datasets, so that each looks the same in the whole report."""
    input:
        of_all(f"{RESULTS}/{{dataset}}/predictions/models.jsonl"),
    output:
        f"{RESULTS}/models.jsonl",
    log:
        f"{LOGS}/models.log",
    localrule: True
    shell:
        "cat {input:q} > {output:q} 2> {log:q}"


rule figures:
    """Check the results against what must be true of any, and draw every figure, with the data that it shows as CSV."""
    input:
        *map(of, STAGES),
        models=rules.models.output,
        made_of=made_of("figures"),
    output:
        tables=made("figures"),
        cost_curves=report(
            f"{RESULTS}/{{dataset}}/figures/drawn/cost_curves-a.svg",
            caption="captions/cost_curves.rst",
            category="{dataset}",
        ),
        drawn=directory(f"{RESULTS}/{{dataset}}/figures/drawn"),
    log:
        f"{LOGS}/{{dataset}}/figures.log",
    shell:
        f"{STAGE} figures {CHECKED} {{wildcards.dataset}} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule map:
    """Count along PC(+) on how many datasets which of two models is cheaper, and test whether the observed costs
    favour one on more datasets than chance allows: familywise over PC(+), over pairs by Holm. Draw it."""
    input:
        of_all(of("averages", "measures"), COUNTED),
        of_all(of("comparisons", "verdicts", "crossovers"), COUNTED),
        made_of=made_of("map"),
    output:
        tables=OF_MAP,
        drawn=directory(f"{RESULTS}/map/drawn"),
    log:
        f"{LOGS}/map.log",
    localrule: True
    shell:
        f"{STAGE} map {CHECKED} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule claims:
    """Decide each claim: supported, contradicted or undecided, familywise over PC(+) and over all claims."""
    input:
        of_all(of("predictions") + of("cost_lines") + of("averages"), CLAIMED),
        of_all(f"{RESULTS}/{{dataset}}/confidence/resamples.npz", CLAIMED),
        made_of=made_of("claims"),
    output:
        tables=OF_CLAIMS,
    log:
        f"{LOGS}/claims.log",
    localrule: True
    shell:
        f"{STAGE} claims {CHECKED} --beside {{output.tables[0]:q}} 2> {{log:q}}"


rule report:
    """Write the report, and put it in its place, whole or not at all. It is no output of this rule, as the engine
    deletes outputs before a job: a receipt is."""
    input:
        of_all([f"{RESULTS}/{{dataset}}/{file}" for file in READ]),
        [*OF_MAP, f"{RESULTS}/map/drawn"] if "map" not in STUDY.left_out else [],
        OF_CLAIMS if "claims" not in STUDY.left_out else [],
        tables=[file for stage in (*STAGES, "figures") for file in of_all(made(stage))],
        sources=[local(ancient(file)) for dataset in STUDY.datasets for file in plan.dated(dataset)],
        made_of=made_of("report"),
    output:
        local(rules.all.input),
    log:
        f"{LOGS}/report.log",
    shell:
        f"{STAGE} report {CHECKED} --beside {{input.tables[0]:q}} 2> {{log:q}}"
