"""costcurves: from the raw predictions of classifiers to a report of which one is cheaper, and when."""

if "datasets" not in config:

    configfile: "config/config.yaml"


include: "workflow/rules/common.smk"


rule all:
    """The finished report of the study, in reports/<study>."""
    input:
        local(plan.receipt(STUDY)),
    localrule: True


include: "workflow/rules/tables.smk"
include: "workflow/rules/report.smk"


onstart:
    plan.begin(STUDY, config)


onsuccess:
    if PRINT_ANSWER and plan.published(STUDY.name):
        from costcurves.command.workflow import print_answer

        print_answer(STUDY.name)
