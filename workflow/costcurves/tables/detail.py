"""The tables of a dataset, by the stage that makes them, and which of them a study has."""

from typing import Final

MANY: Final = 24  # datasets; a study with more by default computes only what is essential

# Of decisions among several classes by a matrix of costs.
BY_MATRIX: Final = ("decisions", "decision_differences", "confusions")
# The tables that each stage of the workflow makes, in order.
TABLES: Final = {
    "cost_lines": ("operating_points", "envelopes", "rankings", "plausibility"),
    "averages": (
        *("averages", "roc", "hybrids", "criteria", "deployment", "threshold_choice"),
        *("constructions", "headline", "measures", "duality"),
    ),
    "confidence": (
        *("bands", "intervals", "instance_costs", "segments", *BY_MATRIX),
        *("choice_bands", "choice_intervals", "optimism", "reliability", "calibration"),
    ),
    "comparisons": (
        *("comparisons", "verdicts", "pair_intervals", "crossovers", "in_the_running"),
        "auc_differences",
    ),
}
STAGES: Final = tuple(table for tables in TABLES.values() for table in tables)
# What neither an essential report nor a first look has.
IN_ANNEX: Final = (
    *("roc", "auc_differences"),
    *("choice_bands", "choice_intervals", "optimism", "reliability", "calibration"),
)
LEFT_OUT: Final = (*IN_ANNEX, "deployment", "duality", "segments")  # of an essential report


def resolved(detail: str, datasets: int) -> str:
    """Say what is computed of so many datasets: what is "essential", or "standard"."""
    if detail == "auto":
        return "standard" if datasets <= MANY else "essential"
    return detail


def left_out(detail: str) -> tuple[str, ...]:
    """List the stages that a report of this detail leaves out."""
    quick = (*IN_ANNEX, "threshold_choice", "constructions", "comparisons", "duality")
    return {"full": (), "standard": (), "quick": quick}.get(detail, LEFT_OUT)
