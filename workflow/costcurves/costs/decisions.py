"""Decisions among several classes by a matrix of costs: what they cost, and how that changes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.chance.means import mean_of
from costcurves.chance.resampling import FEWEST
from costcurves.costs import decision_costs
from costcurves.costs.decision_costs import recalibrated
from costcurves.counts.counted import dealing
from costcurves.pairs.comparisons import adjusted
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, group_codes, unit_of

CHEAPEST: Final = "cheapest"
RECALIBRATED: Final = "recalibrated"
LIKELY: Final = "most probable"
ALWAYS: Final = "always"
RULES: Final = (
    f"`{CHEAPEST}` under its probabilities; `{RECALIBRATED}`: under them as recalibrated on other "
    f"folds; `{LIKELY}`: for that class; `{ALWAYS}` for one class"
)
COST: Final = Column("cost", "float64", "cost", "mean cost of a case, in the unit of the matrix")
LOW: Final = Column("low", "float64", "cost", "lower end of its interval")
HIGH: Final = Column("high", "float64", "cost", "upper end of its interval")

DECISIONS: Final = Contract(
    "decisions",
    DATASET,
    Column("name", "str", "", "what decides: a model, or `always` a class"),
    Column("rule", "str", "", RULES),
    *(COST, LOW, HIGH),
    Column("possible", "int8", "", "1 could be the cheapest, 0 ruled out; -1: not compared"),
    CONFIDENCE,
)
DECISION_DIFFERENCES: Final = Contract(
    "decision_differences",
    DATASET,
    *(Column(f"{of}_{it}", "str", "", f"{of} of {it}") for it in "ab" for of in ("name", "rule")),
    Column("cost", "float64", "cost", "mean cost of a case: that of a less that of b"),
    *(LOW, HIGH),
    Column("p", "float64", "probability", "of no difference, adjusted over all (Holm)"),
    CONFIDENCE,
)
CONFUSIONS: Final = Contract(
    "confusions",
    DATASET,
    *DECISIONS.columns[1:3],
    Column("true", "str", "", "the class of cases"),
    Column("decided", "str", "", "for which class they are decided"),
    Column("cases", "float64", "cases", "of 1000"),
)
PER: Final = 1000

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Row = dict[str, Any]


class By(NamedTuple):
    """What decides: a model, or a constant decision, and the rule."""

    name: str
    rule: str


@dataclass(frozen=True, eq=False)
class Judged:
    """Predictions of the same cases by some models, and what a matrix makes of them.

    Attributes
    ----------
    trusted
        The probabilities that decide, (n, k) each.
    truth, unit, weight
        (n,) classes, from 0; what is drawn whole, from 0; and what each prediction counts.
    cost
        (k, k) costs of decisions (columns) by the true class (rows).
    labels
        The classes.
    cases
        How many were predicted.
    """

    trusted: Mapping[By, Floats]
    truth: Integers
    unit: Integers
    weight: Floats
    cost: Floats
    labels: Sequence[Any]
    confidence: float
    cases: int

    @cached_property
    def decided(self) -> dict[By, Integers]:
        """(n,) classes that each decides for."""
        found = {by: decision_costs.decisions(p, self.cost) for by, p in self.trusted.items()}
        likely = 1 - np.eye(len(self.cost))
        found |= {
            By(by.name, LIKELY): decision_costs.decisions(p, likely)
            for by, p in self.trusted.items()
            if by.rule == CHEAPEST
        }
        found |= {by: np.full(len(self.truth), place) for place, by in enumerate(self.constant)}
        return found

    @property
    def constant(self) -> list[By]:
        """The constant decisions."""
        return [By(f"always {label}", ALWAYS) for label in self.labels]

    @property
    def compared(self) -> list[By]:
        """What is compared."""
        return [*self.trusted, *self.constant]

    def mean(self, losses: Floats, possible: Floats, level: float) -> tuple[Row, float]:
        """Give the mean of what is (n,) lost, of values that are possible, and its p-value.

        The error is never less than what one case more would change, be its loss as far off as can
        be: a dear mistake may be too rare to be among the cases. A case is of as many as would say
        as much with equal weights. Of a few clusters nothing is said.
        """
        found = mean_of(losses, self.unit, self.weight)
        low, high = float(possible.min()), float(possible.max())
        farthest = max(high - found.value, found.value - low)
        cases = self.cases * found.size / len(losses)
        error = np.inf if found.dof + 1 < FEWEST else np.hypot(found.error, farthest / cases)
        mean = found._replace(error=float(error))
        ends = zip(("low", "high"), np.clip(mean.interval(level), low, high).tolist(), strict=True)
        return {"cost": mean.value, **dict(ends)}, mean.p_value

    @cached_property
    def losses(self) -> dict[By, Floats]:
        """(n,) what each decision costs."""
        return {by: self.cost[self.truth, chosen] for by, chosen in self.decided.items()}

    def costs(self) -> list[Row]:
        """Give the mean cost of each decision with a t interval."""
        columns = {by: self.cost[:, place] for place, by in enumerate(self.constant)}
        return [
            {**by._asdict(), **self.mean(loss, columns.get(by, self.cost), self.confidence)[0]}
            for by, loss in self.losses.items()
        ]

    @cached_property
    def differences(self) -> list[Row]:
        """Compare every two, all at once: t intervals by Bonferroni, p-values by Holm."""
        pairs = list(combinations(self.compared, 2))
        most = float(np.ptp(self.cost, axis=1).max())  # between two decisions for a case
        ends, level = np.array([-most, most]), 1 - (1 - self.confidence) / len(pairs)
        each = [self.mean(self.losses[a] - self.losses[b], ends, level) for a, b in pairs]
        p_values = adjusted([p for _, p in each])
        return [
            {"name_a": a.name, "rule_a": a.rule, "name_b": b.name, "rule_b": b.rule, **row, "p": p}
            for (a, b), (row, _), p in zip(pairs, each, p_values, strict=True)
        ]

    @cached_property
    def possible(self) -> list[By]:
        """List those that no other is shown to cost less than."""
        dearer = {
            By(row[f"name_{it}"], row[f"rule_{it}"])
            for row in self.differences
            if row["p"] <= 1 - self.confidence
            for it in ("a" if row["cost"] > 0 else "b")
        }
        return [by for by in self.compared if by not in dearer]

    def confusion(self, by: By, per: float = PER) -> Floats:
        """(k, k) of so many cases those of each class (row) that are decided for each (column)."""
        count: Floats = np.zeros_like(self.cost)
        np.add.at(count, (self.truth, self.decided[by]), self.weight)
        return np.asarray(count * (per / self.weight.sum()))


def judged(
    predictions: pd.DataFrame, matrix: Mapping[str, Mapping[str, float]], *, seed: int, level: float
) -> Judged:
    """Take the probabilities of all classes from predictions, and recalibrate them.

    A test set without folds is split at random as for the choice of thresholds. Cases that weigh
    nothing are left out.
    """
    deal = dealing(predictions, seed)
    rows = deal(predictions) if deal else predictions
    rows = rows[rows["case_weight"] > 0]
    rows = rows.iloc[np.lexsort([group_codes(rows, [it]) for it in ("instance", "fold", "repeat")])]
    known = {text: json.loads(text) for text in rows["among_classes"].unique()}
    each = {str(name): own for name, own in rows.groupby("model", sort=False, observed=True)}
    first = next(iter(each.values()))  # all have the same cases, folds and repeats
    truth = np.array([known[text][0] for text in first["among_classes"]])
    weight, unit = first["case_weight"].to_numpy(), group_codes(first, [unit_of(first)])
    fold, repeat = (group_codes(first, names) for names in (["repeat", "fold"], ["repeat"]))
    trusted: dict[By, Floats] = {}
    for name, own in each.items():
        p = np.array([known[text][1:] for text in own["among_classes"]])
        fitted = p.copy()
        for of in (repeat == one for one in np.unique(repeat)):
            if len(np.unique(fold[of])) > 1:
                fitted[of] = recalibrated(p[of], truth[of], weight[of], fold[of])
        trusted |= {By(name, CHEAPEST): p, By(name, RECALIBRATED): fitted}
    labels = list(matrix)
    cost = np.array([[matrix[true][decided] for decided in labels] for true in labels])
    of = first["instance"].nunique()
    return Judged(trusted, truth, unit.astype(np.int64), weight, cost, labels, level, of)


def decisions(judged: Judged | None, *, dataset: str) -> pd.DataFrame:
    """Give what each decision costs; no rows where no matrix decides."""
    if judged is None:
        return DECISIONS.empty()
    rows = judged.costs()
    for row in rows:
        by = By(row["name"], row["rule"])
        row["possible"] = int(by in judged.possible) if by in judged.compared else -1
    return DECISIONS.rows(rows, dataset=dataset, confidence=judged.confidence)


def decision_differences(judged: Judged | None, *, dataset: str) -> pd.DataFrame:
    """Give what every two decisions that are compared differ in cost."""
    own, confidence = (judged.differences, judged.confidence) if judged else ((), np.nan)
    return DECISION_DIFFERENCES.rows(own, dataset=dataset, confidence=confidence)


def confusions(judged: Judged | None, *, dataset: str) -> pd.DataFrame:
    """Give how many cases of each class each decides for each."""
    if judged is None:
        return CONFUSIONS.empty()
    rows = [
        {**by._asdict(), "true": true, "decided": decided, "cases": float(count)}
        for by in judged.decided
        for true, counts in zip(judged.labels, judged.confusion(by), strict=True)
        for decided, count in zip(judged.labels, counts, strict=True)
    ]
    return CONFUSIONS.rows(rows, dataset=dataset)
