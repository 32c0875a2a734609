"""costcurves: from the raw predictions of classifiers to a report of which one is cheaper, and when."""

from snakemake.utils import min_version

min_version("9.17")

if "datasets" not in config:

    configfile: "config/config.yaml"


GIVEN = workflow.default_target  # of a workflow that takes this one as a module


# Content decides what is made again (stamps.smk), never dates.
inputflags:
    ancient,


include: "workflow/rules/study.smk"
include: "workflow/rules/predictions.smk"
include: "workflow/rules/curves.smk"
include: "workflow/rules/selection.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/stamps.smk"


rule all:
    """
    INPUTS: the finished report of the study.
    """
    input:
        REPORTED,
    localrule: True  # as all rules that take less than a job on a cluster takes to begin


TARGET = GIVEN
if GIVEN is None and (own := workflow.default_target):
    TARGET = own if workflow.modifier.is_main_snakefile() else Yielding(own)
workflow.default_target = TARGET


onsuccess:
    if is_current(
        rules.report.output.stamp, STAMPED[rules.report.output.stamp]["stamp"]
    ):
        print(f"Built {', '.join(REPORT)}")
