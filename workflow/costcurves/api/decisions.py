"""Decisions among several classes, by the cost of each decision for each class."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from costcurves.api.inputs import column
from costcurves.maths.chance.comparisons import adjusted
from costcurves.maths.chance.means import Mean, mean_of
from costcurves.maths.costs.decision_costs import (
    along_entry,
    cheapest_along,
    constant_along,
    decisions,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SUM = 1e-6  # by which the sum of a case's probabilities may differ from 1


class Decisions:
    """What models cost whose probabilities decide by a matrix; `compare_decisions` makes it.

    Attributes
    ----------
    costs : pandas.DataFrame
        Mean cost of a case with a t interval, in the unit of the matrix: of each model by the
        decision that is cheapest under its probabilities (rule "cheapest") and by its most probable
        class ("most probable"), and of always deciding for one class ("always").
    differences : pandas.DataFrame
        cost(a) - cost(b) of each two of the cheapest decisions and the constant ones, on the same
        cases: simultaneous t intervals (Bonferroni), p-values adjusted over all (Holm).
    could_be_cheapest : list of str
        Those that no other is shown to cost less than, by the adjusted p-values.
    labels : list
        The classes in the order of the matrix.
    """

    def __init__(
        self,
        truth: Integers,
        probabilities: Mapping[str, Floats],
        cost: Floats,
        labels: Sequence[Any],
        clusters: Integers,
        confidence: float,
    ) -> None:
        self.labels = list(labels)
        self._truth, self._probabilities, self._cost = truth, probabilities, cost
        self._decided = {
            (name, rule): decided
            for name, p in probabilities.items()
            for rule, decided in (
                ("cheapest", decisions(p, cost)),
                ("most probable", decisions(p, 1 - np.eye(len(cost)))),
            )
        }
        for place, label in enumerate(self.labels):
            self._decided[f"always {label}", "always"] = np.full(len(truth), place)
        losses = {key: cost[truth, decided] for key, decided in self._decided.items()}
        self.costs = pd.DataFrame(
            {"name": name, "rule": rule, **_costs_of(mean_of(loss, clusters), confidence)}
            for (name, rule), loss in losses.items()
        )
        own = {name: loss for (name, rule), loss in losses.items() if rule != "most probable"}
        self.differences = _differences(own, clusters, confidence)
        dearer = {
            row["a"] if row["cost"] > 0 else row["b"]
            for row in self.differences.to_dict("records")
            if row["p"] <= 1 - confidence
        }
        self.could_be_cheapest = [name for name in own if name not in dearer]

    def confusion(self, name: str, rule: str = "cheapest", per: float = 1000) -> pd.DataFrame:
        """Count of so many cases how each true class (rows) is decided (columns)."""
        count = np.zeros_like(self._cost)
        np.add.at(count, (self._truth, self._decided[name, rule]), per / len(self._truth))
        return pd.DataFrame(count, pd.Index(self.labels, name="true"), self.labels)

    def sensitivity(self, true: Any, decided: Any, low: float, high: float) -> pd.DataFrame:
        """Say where a model, or a constant decision, is the cheapest while one cost changes.

        Exact: all stretches between two values of the cost of deciding for `decided` where `true`
        is true; a model may lead on several, as its decisions change with the cost.
        """
        if not low < high:
            raise ValueError(f"low is {low} and high {high}, expected low below high")
        i, j = self.labels.index(true), self.labels.index(decided)
        entry = self._truth, self._cost, i, j
        models = [along_entry(p, *entry) for p in self._probabilities.values()]
        constant = [constant_along(*entry, place) for place in range(len(self.labels))]
        names = [*self._probabilities, *(f"always {label}" for label in self.labels)]
        found = cheapest_along([*models, *constant], low, high)
        return pd.DataFrame(
            {"from": one.low, "to": one.high, "cheapest": names[one.cheapest]} for one in found
        )


def compare_decisions(
    models: Mapping[str, ArrayLike],
    y_true: ArrayLike,
    *,
    cost_matrix: ArrayLike,
    labels: Sequence[Any] | None = None,
    clusters: ArrayLike | None = None,
    confidence: float = 0.9,
) -> Decisions:
    """Compare models by what the decisions cost that their probabilities lead to.

    Parameters
    ----------
    models : mapping of str to array-like of shape (n_cases, n_classes)
        Held-out probabilities of each model, a column a class.
    y_true : array-like of shape (n_cases,)
        The true classes.
    cost_matrix : array-like of shape (n_classes, n_classes)
        What deciding for a class (column) costs where another is true (row), in any unit. A correct
        decision may cost, or earn, but not cost more than another one for the same class. A data
        frame with the classes as index and columns may have them in any order.
    labels : sequence, optional
        The classes in the order of the columns. Default: as they sort.
    clusters : array-like of shape (n_cases,), optional
        Which cases belong together.
    confidence : float, optional
        Level of each interval of a cost, and of all differences together.

    Returns
    -------
    Decisions

    Raises
    ------
    ValueError
        For probabilities that are none or do not sum to 1, a class without cases, a matrix of
        another shape, and a correct decision that costs more than another one.

    Examples
    --------
    >>> sure = np.array([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.1, 0.9]])
    >>> found = compare_decisions({"sure": sure}, [0, 1, 1, 1], cost_matrix=[[0, 1], [5, 0]])
    >>> found.costs["cost"].tolist()
    [0.25, 1.25, 3.75, 0.25]
    """
    true = column("y_true", y_true)
    present = sorted(pd.unique(true).tolist())
    own = present if labels is None else list(labels)
    if sorted(own) != present:
        raise ValueError(f"labels are {own}, expected the classes of y_true, {present}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, expected a level between 0 and 1")
    truth = np.array([own.index(one) for one in true.tolist()])
    cluster = (
        np.arange(len(true))
        if clusters is None
        else pd.factorize(column("clusters", clusters, len(true)))[0]
    )
    if len(np.unique(cluster)) < 2:
        raise ValueError("all cases are of one cluster, expected two or more")
    each = {str(name): _probabilities(str(name), p, truth, own) for name, p in models.items()}
    return Decisions(truth, each, _costs(cost_matrix, own), own, cluster, confidence)


def _probabilities(name: str, values: ArrayLike, truth: Integers, labels: list[Any]) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    expected = len(truth), len(labels)
    if found.shape != expected:
        raise ValueError(
            f"{name} has the shape {found.shape}, expected {expected}, a column a class"
        )
    wrong = ~((found >= 0) & (found <= 1)).all(axis=1) | ~(np.abs(found.sum(axis=1) - 1) <= SUM)
    for i in np.flatnonzero(wrong)[:1]:
        count, row = np.count_nonzero(wrong), found[i].tolist()
        raise ValueError(
            f"{name} at position {i} is {row}, expected probabilities that sum to 1 ({count} such)"
        )
    return found


def _costs(matrix: ArrayLike, labels: list[Any]) -> Floats:
    if isinstance(matrix, pd.DataFrame):
        matrix = matrix.loc[labels, labels]
    cost = np.asarray(matrix, dtype=np.float64)
    if cost.shape != (len(labels), len(labels)) or not np.isfinite(cost).all():
        expected = f"{len(labels)} rows and columns of numbers, for {labels}"
        raise ValueError(f"cost_matrix has the shape {cost.shape}, expected {expected}")
    for i in np.flatnonzero(np.diag(cost) > cost.min(axis=1))[:1]:
        less = labels[int(cost[i].argmin())]
        why = f"more than deciding for {less!r} there, {cost[i].min():g}"
        raise ValueError(f"cost_matrix: a correct {labels[i]!r} costs {cost[i, i]:g}, {why}")
    return cost


def _differences(
    losses: Mapping[str, Floats], clusters: Integers, confidence: float
) -> pd.DataFrame:
    pairs = [*combinations(losses, 2)]
    means = [mean_of(losses[a] - losses[b], clusters) for a, b in pairs]
    level = 1 - (1 - confidence) / len(pairs)
    rows = [
        {"a": a, "b": b, **_costs_of(mean, level)}
        for (a, b), mean in zip(pairs, means, strict=True)
    ]
    return pd.DataFrame(rows).assign(p=adjusted([one.p_value for one in means]))


def _costs_of(mean: Mean, level: float) -> dict[str, float]:
    return {"cost": mean.value, **dict(zip(("low", "high"), mean.interval(level), strict=True))}
