"""costcurves: from the raw predictions of classifiers to a report of which one is cheaper, and when."""

from snakemake.utils import min_version

min_version("9.17")

if "datasets" not in config:

    configfile: "config/config.yaml"


container: "docker://python:3.12-slim-bookworm"


include: "workflow/rules/study.smk"
include: "workflow/rules/predictions.smk"
include: "workflow/rules/curves.smk"
include: "workflow/rules/selection.smk"
include: "workflow/rules/inference.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/told.smk"


rule all:
    """
    INPUTS: the finished report of the study.
    """
    default_target: True
    input:
        REPORTED,


localrules:
    all,


onstart:
    # Jobs on this computer need no limit to how many start in a second. With one (seen in 9.27) every job that
    # ends adds a timer that wakes the scheduler each second from then on: a third of the time of 100 datasets.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    print(f"Built {', '.join(REPORT)}")
