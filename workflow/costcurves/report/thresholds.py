"""The section of thresholds: which to use from now on, by what a mistake costs."""

from collections.abc import Mapping
from math import inf, isnan
from typing import Any, Final

from costcurves.formats import ratio, threshold
from costcurves.maths.cost_space import pc_from_ratio
from costcurves.report.choosing import chooses
from costcurves.report.document import Section, Values
from costcurves.report.material import Material

RATIOS: Final = (1 / 10, 1 / 5, 1 / 2, 1, 2, 5, 10)  # of a missed positive to a false alarm
DIGITS: Final = 3  # of a threshold


def thresholds(material: Material) -> Section | None:
    """Show what each model is to do at common cost ratios; nothing where there is no choice."""
    if not chooses(material):
        return None
    prior = material.facts.prior
    columns = {ratio(one): pc_from_ratio(one, prior) for one in RATIOS}
    served = material.rows("deployment")
    rows = [
        Values(
            model=material.model(model),
            uses=tuple(use(served, model, pc) for pc in columns.values()),
        )
        for model in dict.fromkeys(row["model"] for row in served)
    ]
    words = "which threshold to use, by cost ratio"
    table = material.table("deployment", words, rows)
    return material.section(
        "thresholds",
        "Thresholds",
        columns=tuple(columns.items()),
        table=table,
        members=any(row["member"] for row in served),
        digits=DIGITS,
    )


def use(served: list[dict[str, Any]], model: str, pc: float) -> str:
    """Say who serves a PC(+); between two ranges, either costs the same."""
    return used(next(row for row in served if row["model"] == model and pc <= row["pc_to"]))


def used(row: Mapping[str, Any]) -> str:
    """Say who serves a range of PC(+): a score and a member, or a constant decision."""
    if abs(row["threshold"]) == inf:
        return "never" if row["threshold"] > 0 else "always"
    if isnan(row["threshold"]):
        return row["member"] or "as decided"
    score = f"≥ {threshold(row['threshold'], DIGITS)}"
    return f"{row['member']} {score}" if row["member"] else score
