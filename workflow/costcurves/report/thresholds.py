"""The section of thresholds: which to use from now on, by what a mistake costs."""

from collections.abc import Mapping
from math import inf, isnan
from typing import Any, Final

from costcurves.formats import ratio, share, threshold
from costcurves.maths.geometry.cost_space import pc_from_ratio
from costcurves.report.document import Facts, Section, Values
from costcurves.report.material import Material

RATIOS: Final = (1 / 10, 1 / 5, 1 / 2, 1, 2, 5, 10)  # of a missed positive to a false alarm
COLUMNS: Final = 7  # at most, where a class is rare
DIGITS: Final = 3  # of a threshold
UNUSABLE: Final = ("e", "0.999", "1.000")  # in a threshold that is too long to copy from a page
TOP: Final = ",\ntop "  # so many of all cases
AS_DECIDED: Final = "as decided"
NOTHING: Final = ("never", "always")  # is the positive class predicted


def thresholds(material: Material) -> Section | None:
    """Show what each model is to do at common cost ratios; nothing where there is no choice."""
    if not chooses(material):
        return None
    facts = material.facts
    columns = {ratio(one): pc_from_ratio(one, facts.prior) for one in ratios(facts)}
    rows = [
        Values(
            model=material.model(model),
            uses=tuple(use(material.served, model, pc) for pc in columns.values()),
        )
        for model in dict.fromkeys(row["model"] for row in material.served)
    ]
    words = "which threshold to use, by cost ratio"
    table = material.table("deployment", words, rows)
    return material.section(
        "thresholds",
        "Thresholds",
        columns=tuple(columns.items()),
        table=table,
        members=any(row["member"] for row in material.served),
        constant=any(one in NOTHING for row in rows for one in row.uses),
        digits=DIGITS,
    )


def ratios(facts: Facts) -> tuple[float, ...]:
    """Choose the cost ratios: where a class is rare, powers of ten among those of its strips."""
    if facts.decades is None:
        return RATIOS
    low, high = facts.decades
    return tuple(10.0**power for power in range(low, high + 1, -(-(high - low + 1) // COLUMNS)))


def use(served: list[dict[str, Any]], model: str, pc: float) -> str:
    """Say who serves a PC(+)."""
    return used(serving(served, model, pc))


def serving(served: list[dict[str, Any]], model: str, pc: float) -> dict[str, Any]:
    """Give who serves a PC(+); between two ranges, either costs the same."""
    return next(row for row in served if row["model"] == model and pc <= row["pc_to"])


def used(row: Mapping[str, Any]) -> str:
    """Say who serves a range of PC(+): a score and a member, or a constant decision."""
    if abs(row["threshold"]) == inf:
        return NOTHING[row["threshold"] < 0]
    if isnan(row["threshold"]):
        return row["member"] or AS_DECIDED
    score = f"≥ {threshold(row['threshold'], DIGITS)}"
    if any(part in score for part in UNUSABLE):
        score += f"{TOP}{share(row['flagged'])}"
    return f"{row['member']} {score}" if row["member"] else score


def chooses(material: Material) -> bool:
    """Say whether there is anything to show about choosing a threshold."""
    facts = material.facts
    return set(facts.fixed) != set(facts.models) and not material.tables["deployment"].empty
