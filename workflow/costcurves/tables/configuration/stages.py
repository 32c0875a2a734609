"""The stages that make a table of each dataset, and what is left out of a shorter report."""

from typing import Final, Literal

Edition = Literal["brief", "report", "annex"]

EDITIONS: Final[tuple[Edition, ...]] = ("brief", "report", "annex")
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
# What only an annex shows, made with "detail: full".
IN_ANNEX: Final = (
    "roc",
    "choice_bands",
    "choice_intervals",
    "optimism",
    "threshold_choice",
    "losses",
    "constructions",
    "comparisons",
)
LEFT_OUT: Final = (*IN_ANNEX, "deployment", "duality")  # of an essential report
ANNEXED: Final = (
    "annex",
    "annexed",
    "ranking",
    "pairs",
    "choosing",
    "optimism",
    "conditions",
    "ranking_by_cost",
    "averaging",
)
SECTIONS_LEFT_OUT: Final = (*ANNEXED, "thresholds", "duality")


def resolved(detail: str, datasets: int) -> str:
    """Say what is computed of so many datasets: what is "essential", or "standard"."""
    if detail == "auto":
        return "standard" if datasets <= MANY else "essential"
    return detail


def left_out(detail: str) -> tuple[str, ...]:
    """List the stages that a report of this detail leaves out."""
    return {"full": (), "standard": IN_ANNEX}.get(detail, LEFT_OUT)
