"""The stages that make a table of each dataset, and what an essential report leaves out."""

from typing import Final

MANY: Final = 24  # datasets; a study with more by default computes only what is essential

# Stages in order, and the package of the module that makes each.
STAGES: Final = {
    "operating_points": "curves",
    "envelopes": "curves",
    "roc": "curves",
    "averages": "curves",
    "hybrids": "selection",
    "criteria": "selection",
    "deployment": "selection",
    "choice_bands": "selection",
    "choice_intervals": "selection",
    "optimism": "selection",
    "threshold_choice": "curves",
    "losses": "curves",
    "constructions": "selection",
    "headline": "curves",
    "measures": "curves",
    "duality": "curves",
    "bands": "inference",
    "intervals": "inference",
    "comparisons": "inference",
    "verdicts": "inference",
    "crossovers": "inference",
    "in_the_running": "inference",
    "instance_costs": "inference",
}
LEFT_OUT: Final = (
    "roc",
    "deployment",
    "choice_bands",
    "choice_intervals",
    "optimism",
    "threshold_choice",
    "losses",
    "constructions",
    "duality",
    "comparisons",
)
SECTIONS_LEFT_OUT: Final = ("choosing", "optimism", "duality", "averaging")


def resolved(detail: str, datasets: int) -> str:
    """Say what is computed of so many datasets: "full", what is "essential", or that "quick"."""
    if detail == "auto":
        return "full" if datasets <= MANY else "essential"
    return detail
