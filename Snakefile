"""costcurves: from the raw predictions of classifiers to a report of which one is cheaper, and when."""

from snakemake.utils import min_version

min_version("9.17")

if "datasets" not in config:

    configfile: "config/config.yaml"


include: "workflow/rules/study.smk"


rule all:
    """
    The finished report of the study.
    """
    input:
        local(PLAN.folder("report")),
    localrule: True  # as all rules that take less than a job on a cluster takes to begin


include: "workflow/rules/curves.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/report.smk"


onstart:
    begin(PLAN)


onsuccess:
    end(PLAN, succeeded=True)
    print(f"Built reports/{STUDY.name}/report.html")


onerror:
    end(PLAN, succeeded=False)
