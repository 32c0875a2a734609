"""The section of thresholds: what each rule for choosing one costs, and which to use."""

from dataclasses import dataclass
from itertools import groupby
from math import inf, isnan, log10
from operator import itemgetter
from typing import Any, Final

from costcurves.choosing.rules import LIMITS
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.formats import share, threshold
from costcurves.report.document import VALUE, Content, Estimate, Section, Table
from costcurves.report.material import Material
from costcurves.tables.keys import CROSS_FITTED, FIXED

RATIOS: Final = (1 / 10, 1 / 5, 1 / 2, 1, 2, 5, 10)  # of a miss to a false alarm
RARE: Final = 0.05  # share of a class
DIGITS: Final = 3  # of a threshold
TOP: Final = ",\ntop "  # so many of all cases
AS_DECIDED: Final = "as decided"
NOTHING: Final = ("never", "always")  # is the positive class predicted
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Thresholds(Content):
    """Threshold rules, and the thresholds to use."""

    names: tuple[str, ...]  # of rules; the table is of what each costs each model
    dearest: Row | None  # the rule that is shown to cost most; None: none is
    compared: bool  # some rule was compared with thresholds from other folds
    columns: tuple[float, ...]  # cost ratios
    uses: Table
    digits: int = DIGITS


def thresholds(material: Material, *, drawn: bool = True) -> Section | None:
    """Show what threshold rules cost, and what to use; nothing where there is no choice."""
    if not chooses(material):
        return None
    costs, prior = _rule_costs(material), material.facts.prior
    names = tuple(dict.fromkeys(cost["criterion"] for cost in costs))
    rules = []
    for model, group in groupby(costs, itemgetter("model")):
        of_rule = {cost["criterion"]: cost for cost in group}
        rules.append({"model": model, "rules": [of_rule.get(name) for name in names]})
    shown = [cost for cost in costs if cost["more"].low > 0 and cost["criterion"] not in LIMITS]
    columns = ratios(prior)
    uses = []
    for model in dict.fromkeys(row["model"] for row in material.served):
        rows = [serving(material.served, model, pc_from_ratio(each, prior)) for each in columns]
        uses.append({"model": model, "words": [used(row, prior) for row in rows]})
    content = Thresholds(
        figure=material.figure("hybrids") if drawn else None,
        names=names,
        table=material.table("criteria", "what each threshold rule costs", rules),
        dearest=max(shown, key=lambda cost: cost["more"].value, default=None),
        compared=any(not isnan(cost["more"].low) for cost in costs),
        columns=columns,
        uses=material.table("deployment", "which threshold to use, by cost ratio", uses),
    )
    return material.section("thresholds", "Hybrids and thresholds", content)


def _rule_costs(material: Material) -> list[Row]:
    """List what each rule costs each model that it applies to, and more than cross-fitted ones."""
    more = {
        (row["model_a"], row["criterion_a"]): Estimate(*VALUE(row))
        for row in material.rows("choice_intervals")
        if row["quantity"] == "area"
        and (row["model_b"], row["criterion_b"]) == (row["model_a"], CROSS_FITTED)
    }
    costs = []
    for row in material.rows("criteria"):
        if row["applies"]:
            point = Estimate(row["regret"])
            costs.append(row | {"more": more.get((row["model"], row["criterion"]), point)})
    return costs


def ratios(prior: float) -> tuple[float, ...]:
    """Return the cost ratios of the columns: where a class is rare, those that matter to it.

    >>> ratios(0.01)
    (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
    """
    is_rare = not RARE < prior < 1 - RARE
    shift = 10.0 ** round(log10((1 - prior) / prior)) if is_rare else 1
    return tuple(ratio * shift for ratio in RATIOS)


def serving(served: list[Row], model: str, pc: float) -> Row:
    """Return the row for a PC(+); between two ranges, either costs the same."""
    return next(row for row in served if row["model"] == model and pc <= row["pc_to"])


def flagged(row: Row, prior: float) -> float:
    """Return the share of all cases at or above the threshold of a row."""
    return float((1 - prior) * row["fp"] + prior * row["tp"])


def copyable(threshold: float) -> bool:
    """Return whether a threshold, rounded, has few digits and is not taken for 0 or for 1.

    >>> [copyable(threshold) for threshold in (0, 0.0002, 0.97, 1, 0.00002, 0.9996, 1234)]
    [True, True, True, True, False, False, False]
    """
    size = abs(threshold)
    return size in {0, 1} or (0.0001 <= size < 999.5 and not 0.9985 <= size < 1.0005)


def used(row: Row, prior: float) -> str:
    """Write what decides on a range of PC(+): a score and a member, or a constant decision."""
    if abs(row["threshold"]) == inf:
        return NOTHING[row["threshold"] < 0]
    if isnan(row["threshold"]):
        return row["member"] or AS_DECIDED
    score = f"≥ {threshold(row['threshold'], DIGITS)}"
    if not copyable(row["threshold"]):
        score += f"{TOP}{share(flagged(row, prior))}"
    return f"{row['member']} {score}" if row["member"] else score


def chooses(material: Material) -> bool:
    """Return whether there is any threshold or member to choose."""
    return material.facts.estimate != FIXED and not material.tables["deployment"].empty
