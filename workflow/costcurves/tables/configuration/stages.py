"""The stages that make a table of each dataset, and what an essential report leaves out."""

from typing import Final

MANY: Final = 24  # datasets; a study with more by default computes only what is essential

# Stages in order, and the module that makes each.
STAGES: Final = {
    "operating_points": "curves.operating_points",
    "envelopes": "curves.envelopes",
    "roc": "curves.averages",
    "averages": "curves.averages",
    "hybrids": "selection.criteria",
    "criteria": "selection.criteria",
    "deployment": "selection.deployment",
    "choice_bands": "selection.choices",
    "choice_intervals": "selection.choices",
    "optimism": "selection.choices",
    "threshold_choice": "curves.threshold_choice",
    "losses": "curves.threshold_choice",
    "constructions": "selection.deployment",
    "headline": "curves.headline",
    "measures": "curves.headline",
    "duality": "curves.envelopes",
    "bands": "inference.bands",
    "intervals": "inference.bands",
    "comparisons": "inference.comparisons",
    "verdicts": "inference.verdicts",
    "crossovers": "inference.verdicts",
    "in_the_running": "inference.verdicts",
    "instance_costs": "inference.instance_costs",
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
