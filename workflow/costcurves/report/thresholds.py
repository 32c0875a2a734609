"""The section of thresholds: what each rule for choosing one costs, and which to use."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import Any, Final

from costcurves.choosing.rules import LIMITS
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.formats import ratio, share, threshold
from costcurves.report.document import (
    VALUE,
    Content,
    Estimate,
    Facts,
    Figure,
    Model,
    Section,
    Table,
)
from costcurves.report.material import Material
from costcurves.tables.keys import CROSS_FITTED

RATIOS: Final = (1 / 10, 1 / 5, 1 / 2, 1, 2, 5, 10)  # of a miss to a false alarm
COLUMNS: Final = 7  # at most, where a class is rare
DIGITS: Final = 3  # of a threshold
UNUSABLE: Final = ("e", "0.999", "1.000")  # in a threshold that is too long to copy from a page
TOP: Final = ",\ntop "  # so many of all cases
AS_DECIDED: Final = "as decided"
NOTHING: Final = ("never", "always")  # is the positive class predicted


@dataclass(frozen=True)
class RuleCost:
    """What a threshold rule costs a model, and how much more than thresholds from other folds."""

    model: str
    rule: str
    area: float
    more: Estimate


@dataclass(frozen=True)
class RuleCosts:
    """What each rule costs a model, in the order of the columns; None: it does not apply."""

    model: Model
    rules: tuple[RuleCost | None, ...]


@dataclass(frozen=True)
class Uses:
    """Which threshold a model is to use in each column."""

    model: Model
    words: tuple[str, ...]


@dataclass(frozen=True)
class Thresholds(Content):
    """Threshold rules, and the thresholds to use."""

    figure: Figure | None
    names: tuple[str, ...]  # of rules
    rules: Table | None
    dearest: RuleCost | None  # the rule that is shown to cost most; None: none is
    compared: bool  # some rule was compared with thresholds from other folds
    columns: tuple[tuple[str, float], ...]  # cost ratios to use thresholds at
    uses: Table
    confidence: float
    digits: int = DIGITS


def thresholds(material: Material, *, drawn: bool = True) -> Section | None:
    """Show what threshold rules cost, and what to use; nothing where there is no choice."""
    if not chooses(material):
        return None
    facts = material.facts
    figure = material.figure("hybrids") if drawn else None
    costs = _rule_costs(material)
    names = tuple(dict.fromkeys(cost.rule for cost in costs))
    of_rules = {(cost.model, cost.rule): cost for cost in costs}
    models = dict.fromkeys(cost.model for cost in costs)
    by_model = [
        RuleCosts(material.model(model), tuple(of_rules.get((model, name)) for name in names))
        for model in models
    ]
    table = material.table("criteria", "what each threshold rule costs", by_model)
    shown = [cost for cost in costs if cost.more.low > 0 and cost.rule not in LIMITS]
    columns = {ratio(one): pc_from_ratio(one, facts.prior) for one in ratios(facts)}
    uses = [
        Uses(
            material.model(model), tuple(use(material.served, model, pc) for pc in columns.values())
        )
        for model in dict.fromkeys(row["model"] for row in material.served)
    ]
    words = "which threshold to use, by cost ratio"
    content = Thresholds(
        facts,
        figure,
        names,
        rules=table,
        dearest=max(shown, key=lambda cost: cost.more.value, default=None),
        compared=any(not isnan(cost.more.low) for cost in costs),
        columns=tuple(columns.items()),
        uses=material.table("deployment", words, uses),
        confidence=material.confidence,
    )
    return material.section("thresholds", "Hybrids and thresholds", content)


def _rule_costs(material: Material) -> list[RuleCost]:
    """List what each rule costs each model that it applies to."""
    more = {
        (row["model_a"], row["criterion_a"]): Estimate(*VALUE(row))
        for row in material.rows("choice_intervals")
        if row["quantity"] == "area"
        and (row["model_b"], row["criterion_b"]) == (row["model_a"], CROSS_FITTED)
    }
    return [
        RuleCost(
            row["model"],
            row["criterion"],
            row["area"],
            more.get((row["model"], row["criterion"]), Estimate(row["regret"], nan, nan)),
        )
        for row in material.rows("criteria")
        if row["applies"]
    ]


def ratios(facts: Facts) -> tuple[float, ...]:
    """Choose the cost ratios: where a class is rare, powers of ten among those that matter."""
    if facts.decades is None:
        return RATIOS
    low, high = facts.decades
    return tuple(10.0**power for power in range(low, high + 1, -(-(high - low + 1) // COLUMNS)))


def use(served: list[dict[str, Any]], model: str, pc: float) -> str:
    """Write what a model is to use at a PC(+)."""
    return used(serving(served, model, pc))


def serving(served: list[dict[str, Any]], model: str, pc: float) -> dict[str, Any]:
    """Return the row for a PC(+); between two ranges, either costs the same."""
    return next(row for row in served if row["model"] == model and pc <= row["pc_to"])


def used(row: Mapping[str, Any]) -> str:
    """Write what decides on a range of PC(+): a score and a member, or a constant decision."""
    if abs(row["threshold"]) == inf:
        return NOTHING[row["threshold"] < 0]
    if isnan(row["threshold"]):
        return row["member"] or AS_DECIDED
    score = f"≥ {threshold(row['threshold'], DIGITS)}"
    if any(part in score for part in UNUSABLE):
        score += f"{TOP}{share(row['flagged'])}"
    return f"{row['member']} {score}" if row["member"] else score


def chooses(material: Material) -> bool:
    """Return whether there is any threshold or member to choose."""
    facts = material.facts
    return set(facts.fixed) != set(facts.models) and not material.tables["deployment"].empty
