"""The tables of a dataset, by the stage that makes them, and which of them a study has."""

from typing import Final

# The tables that each stage of the workflow makes, in order.
TABLES: Final = {
    "cost_lines": (
        *("operating_points", "envelopes", "rankings", "plausibility", "hybrids", "criteria"),
        *("deployment", "roc", "threshold_choice", "constructions"),
    ),
    "averages": ("averages", "headline", "measures", "duality"),
    "confidence": (
        *("bands", "intervals", "instance_costs"),
        *("choice_bands", "choice_intervals", "optimism", "reliability", "calibration"),
    ),
    "comparisons": (
        *("comparisons", "verdicts", "pair_intervals", "crossovers", "not_ruled_out"),
        "auc_differences",
    ),
}
STAGES: Final = tuple(table for tables in TABLES.values() for table in tables)
STAGE_OF: Final = {
    **{table: stage for stage, tables in TABLES.items() for table in tables},
    "predictions": "predictions",
    "check_results": "figures",
    "map": "map",
    "check_map": "map",
    "claims": "claims",
    "check_claims": "claims",
}
# What a first look leaves out.
FIRST_LOOK: Final = (
    *("roc", "threshold_choice", "constructions", "duality", "comparisons", "auc_differences"),
    *("choice_bands", "choice_intervals", "optimism", "reliability", "calibration"),
)
