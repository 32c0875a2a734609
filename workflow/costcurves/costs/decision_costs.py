"""Decisions among several classes by a matrix of costs: what they cost, and what may be chance.

`cost[i, j]` is the cost of deciding for class j where class i is true, in any unit. Probabilities
are trusted: the decision is the one of least expected cost. Of equal ones the later class counts,
as a score at a threshold is positive, so that for two classes it is the score-driven rule.

Recalibrated probabilities are those of Zadrozny and Elkan [1]_: of each class the rate at which it
is true at such a probability, by isotonic regression on other folds, scaled to add up to 1.

References
----------
.. [1] B. Zadrozny and C. Elkan, "Transforming classifier scores into accurate multiclass
   probability estimates", KDD 2002, 694-699. https://doi.org/10.1145/775047.775151
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from costcurves.chance.means import mean_of
from costcurves.chance.resampling import FEWEST
from costcurves.pairs.comparisons import adjusted

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Row = dict[str, Any]

SAME_COST = 1e-12  # by which expected costs that are equal may differ by rounding, relatively
CHEAPEST: Final = "cheapest"
RECALIBRATED: Final = "recalibrated"
LIKELY: Final = "most probable"
PREDICTED: Final = "predicted"
ALWAYS: Final = "always"


def decisions(probabilities: FloatArray, cost: FloatArray) -> IntArray:
    """Decide for the class of least expected cost; of equal ones for the later.

    >>> decisions(np.array([[0.75, 0.25], [0.9, 0.1]]), np.array([[0.0, 1.0], [3.0, 0.0]])).tolist()
    [1, 0]
    """
    expected = np.zeros_like(probabilities)  # no matrix product: BLAS is by processor
    for of_class, costs in zip(probabilities.T, cost, strict=True):
        expected += of_class[:, None] * costs
    least = expected.min(axis=1, keepdims=True) + SAME_COST * np.abs(cost).max()
    last: IntArray = len(cost) - 1 - np.argmax((expected <= least)[:, ::-1], axis=1)
    return last


def recalibrated(
    probabilities: FloatArray, truth: IntArray, weight: FloatArray, fold: IntArray
) -> FloatArray:
    """(n, k) the rates that probabilities stood for on all other folds, scaled to add up to 1.

    Between the probabilities of others it is interpolated. Where no class is left, a case keeps its
    own. `probabilities` are (n, k); `truth` (classes), `weight` and `fold` (n,).
    """
    from scipy.optimize import isotonic_regression  # 0.6 s: imported where it is needed

    fitted = np.empty_like(probabilities)
    for inside in (fold == code for code in np.unique(fold)):
        counts = weight[~inside]
        for place, of_class in enumerate(probabilities.T):
            distinct, at = np.unique(of_class[~inside], return_inverse=True)
            cases = np.bincount(at, counts)
            events = np.bincount(at, counts * (truth[~inside] == place))
            rates = isotonic_regression(events / cases, weights=cases).x
            fitted[inside, place] = np.interp(of_class[inside], distinct, rates)
    total = fitted.sum(axis=1, keepdims=True)
    scaled: FloatArray = np.divide(fitted, total, out=probabilities.copy(), where=total > 0)
    return scaled


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
        (n,) classes, from 0; what is drawn whole, from 0; and what each case counts.
    cost
        (k, k) costs of decisions (columns) by the true class (rows).
    labels
        The classes.
    """

    trusted: Mapping[By, FloatArray]
    truth: IntArray
    unit: IntArray
    weight: FloatArray
    cost: FloatArray
    labels: Sequence[Any]
    confidence: float

    @property
    def constant(self) -> list[By]:
        """The constant decisions."""
        return [By(f"always {label}", ALWAYS) for label in self.labels]

    @property
    def compared(self) -> list[By]:
        """The decisions that are compared."""
        return [*self.trusted, *self.constant]

    @cached_property
    def decided(self) -> dict[By, IntArray]:
        """(n,) classes that each decides for."""
        likely = 1 - np.eye(len(self.cost))
        each = {
            by: decisions(p, likely if by.rule == PREDICTED else self.cost)
            for by, p in self.trusted.items()
        }
        for by, p in self.trusted.items():
            if by.rule == CHEAPEST:
                each[By(by.name, LIKELY)] = decisions(p, likely)
        for place, by in enumerate(self.constant):
            each[by] = np.full(len(self.truth), place)
        return each

    @cached_property
    def losses(self) -> dict[By, FloatArray]:
        """(n,) what each decision costs."""
        return {by: self.cost[self.truth, chosen] for by, chosen in self.decided.items()}

    def mean(self, losses: FloatArray, possible: FloatArray, level: float) -> tuple[Row, float]:
        """Return the mean of (n,) losses, of values that are possible, and its p-value.

        The error is never less than what one case more would change, be its loss as far off as can
        be: a dear mistake may be too rare to be among the cases. A case is of as many as would say
        as much with equal weights. Of a few clusters nothing is said.
        """
        mean = mean_of(losses, self.unit, self.weight)
        low, high = float(possible.min()), float(possible.max())
        farthest = max(high - mean.value, mean.value - low)
        error = np.inf if mean.dof + 1 < FEWEST else np.hypot(mean.error, farthest / mean.size)
        mean = mean._replace(error=float(error))
        ends = np.clip(mean.interval(level), low, high).tolist()
        return {"cost": mean.value, "low": ends[0], "high": ends[1]}, mean.p_value

    def costs(self) -> list[Row]:
        """Return the mean cost of each decision with a t interval."""
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

    @property
    def possible(self) -> list[By]:
        """The decisions that no other is shown to cost less than."""
        dearer = set()
        for row in self.differences:
            if row["p"] <= 1 - self.confidence:
                side = "a" if row["cost"] > 0 else "b"
                dearer.add(By(row[f"name_{side}"], row[f"rule_{side}"]))
        return [by for by in self.compared if by not in dearer]

    def confusion(self, by: By, per: float) -> FloatArray:
        """(k, k) of so many cases those of each class (row) that are decided for each (column)."""
        count: FloatArray = np.zeros_like(self.cost)
        np.add.at(count, (self.truth, self.decided[by]), self.weight)
        return np.asarray(count * (per / self.weight.sum()))
