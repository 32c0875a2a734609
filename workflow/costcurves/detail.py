"""The tables of a dataset, by the stage that makes them, and which of them a first look has."""

from typing import Final

TABLES: Final = {
    "predictions": ("predictions",),
    "cost_lines": (
        *("operating_points", "envelopes", "rankings", "plausibility", "hybrids", "criteria"),
        *("deployment", "roc", "threshold_choice", "constructions"),
    ),
    "averages": ("averages", "headline", "measures", "duality"),
    "confidence": (
        *("bands", "intervals", "instance_costs", "choice_intervals", "optimism"),
        *("reliability", "calibration"),
    ),
    "comparisons": (
        *("comparisons", "verdicts", "pair_intervals", "crossovers", "not_ruled_out"),
        "auc_differences",
    ),
    "figures": ("check_results",),
}
STAGE_OF: Final = {table: stage for stage, tables in TABLES.items() for table in tables}
# Those that are made of the predictions, some of them not in every study.
STAGES: Final = tuple(table for table in STAGE_OF if table not in ("predictions", "check_results"))
# What a first look leaves out.
FIRST_LOOK: Final = (
    *("roc", "threshold_choice", "constructions", "duality", "comparisons", "auc_differences"),
    *("choice_intervals", "optimism", "reliability", "calibration"),
)
