"""Decisions among several classes, by the cost of each decision for each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from costcurves.api.inputs import (
    column,
    columns,
    doubles,
    expect_order,
    expect_same_rows,
    folds_of,
    refuse_at,
    weights,
)
from costcurves.api.signatures import brief
from costcurves.costs.decision_costs import (
    CHEAPEST,
    PREDICTED,
    RECALIBRATED,
    By,
    Judged,
    recalibrated,
)
from costcurves.names import some

Floats = NDArray[np.float64]
NEARLY = 0.01 + 1e-9  # from 1: the sum of probabilities that were rounded to two digits


class Decisions:
    """What models cost that decide among classes; `compare_decisions` makes it.

    Attributes
    ----------
    costs : pandas.DataFrame
        Mean cost of a case with a t interval, in the unit of the matrix: of each model by the
        decision that is cheapest under its probabilities (rule "cheapest"), where folds are given
        under them as recalibrated on the other folds ("recalibrated"), and by its most probable
        class ("most probable"); of a model that predicts classes ("predicted"); and of always
        deciding for one class ("always").
    differences : pandas.DataFrame
        Costs of a less those of b, of each two of the cheapest decisions and the constant ones, on
        the same cases: simultaneous t intervals (Bonferroni), p-values adjusted over all (Holm).
    not_ruled_out : list of tuple of str
        Name and rule of those that no other is shown to cost less than, by the adjusted p-values.
    labels : list
        The classes in the order of the matrix.
    """

    def __init__(self, judged: Judged) -> None:
        self._judged, self.labels = judged, list(judged.labels)
        self.costs = pd.DataFrame(judged.costs())
        self.differences = pd.DataFrame(judged.differences)
        self.not_ruled_out = [(by.name, by.rule) for by in judged.possible]

    def confusion(self, name: str, rule: str = CHEAPEST, per: float = 1000) -> pd.DataFrame:
        """Return of so many cases how each true class (rows) is decided (columns)."""
        count = self._judged.confusion(By(name, rule), per)
        return pd.DataFrame(count, pd.Index(self.labels, name="true"), self.labels)

    def __repr__(self) -> str:
        """Describe the decisions: the classes, and what may cost least."""
        return f"Decisions among {self.labels} (not ruled out: {self.not_ruled_out})"


@brief
def compare_decisions(
    y_true: ArrayLike,
    models: Any,
    *,
    cost_matrix: ArrayLike,
    labels: Sequence[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    confidence: float = 0.9,
) -> Decisions:
    """Compare models by what their decisions cost, among two classes or more.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true classes.
    models : mapping of str to array-like of shape (n_cases, n_classes) or (n_cases,)
        Held-out probabilities of each model, a column a class, as `predict_proba` returns them;
        those of a data frame whose columns are the classes may be in any order. Or the classes that
        it decides for, as `predict` returns them.
    cost_matrix : array-like of shape (n_classes, n_classes)
        What deciding for a class (column) costs where another is true (row), in any unit. A correct
        decision may cost, or earn, but not cost more than another one for the same class. A data
        frame with the classes as index and columns may have them in any order.
    labels : sequence, optional
        The classes in the order of the columns. Default: as they sort.
    sample_weight : array-like of shape (n_cases,), optional
        What each case counts; those that count 0 are left out.
    groups : array-like of shape (n_cases,), optional
        Which cases belong together.
    folds : array-like of shape (n_cases,), or splitter, optional
        In which fold each case was held out; or what ``cross_val_predict`` had as `cv`. Where
        given, each model also decides by recalibrated probabilities: of each class the rate at
        which it is true at such a probability, by isotonic regression on the other folds, scaled to
        add up to 1 (Zadrozny and Elkan, 2002). Without cross-validation, any division of the cases.
    confidence : float, optional
        Level of each interval of a cost, and of all differences together.

    Returns
    -------
    Decisions

    Raises
    ------
    TypeError
        For models in place of labels.
    ValueError
        For probabilities that are none or do not sum to 1, a class without cases, a matrix of
        another shape, and a correct decision that costs more than another one.

    Examples
    --------
    >>> sure = np.array([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4], [0.1, 0.9]])
    >>> models = {"sure": sure, "rule": [0, 1, 0, 1]}
    >>> decisions = compare_decisions([0, 1, 1, 1], models, cost_matrix=[[0, 1], [5, 0]])
    >>> decisions.costs["cost"].tolist()
    [0.25, 1.25, 1.25, 3.75, 0.25]
    >>> decisions.costs["rule"].tolist()
    ['cheapest', 'predicted', 'most probable', 'always', 'always']
    """
    expect_order("compare_decisions", y_true, models)
    models = columns(models)
    of_cases = {"sample_weight": sample_weight, "groups": groups, "folds": folds}
    expect_same_rows(y_true, {**of_cases, **models})
    true = column("y_true", y_true)
    present = sorted(pd.unique(true).tolist())
    classes = present if labels is None else np.asarray(labels).tolist()
    if sorted(classes) != present:
        raise ValueError(f"labels are {classes}, expected the classes of y_true, {present}")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence level must be between 0 and 1, found {confidence!r}")
    size = len(true)
    counts = np.ones(size) if sample_weight is None else sample_weight
    weight = weights("sample_weight", counts, size)
    counting = np.flatnonzero(weight)
    truth, weight = pd.Index(classes).get_indexer(true)[counting], weight[counting]

    def codes(name: str, values: Any) -> Any:
        part = pd.factorize(column(name, values, size)[counting])[0]
        if not part.any():
            raise ValueError(f"{name}: all cases that count are of one, expected two or more")
        return part

    cluster = codes("groups", np.arange(size) if groups is None else groups)
    fold = None if folds is None else codes("folds", folds_of(folds, true, groups))
    trusted = {}
    for name, values in models.items():
        if np.ndim(values) == 1:
            trusted[By(name, PREDICTED)] = _decided(name, values, size, classes)[counting]
            continue
        p = _probabilities(name, values, size, classes)[counting]
        trusted[By(name, CHEAPEST)] = p
        if fold is not None:
            trusted[By(name, RECALIBRATED)] = recalibrated(p, truth, weight, fold)
    cost = _costs(cost_matrix, classes)
    return Decisions(Judged(trusted, truth, cluster, weight, cost, classes, confidence))


def _decided(name: str, values: ArrayLike, size: int, labels: list[Any]) -> Floats:
    """Return 1 for the class that each case is decided for, as if it were certain."""
    classes = column(name, values, size)
    place = pd.Index(labels).get_indexer(classes)
    expected = f"{some([str(label) for label in labels])}, or probabilities, a column a class"
    refuse_at(place < 0, name, classes, expected)
    certain: Floats = np.eye(len(labels))[place]
    return certain


def _probabilities(name: str, values: ArrayLike, size: int, labels: list[Any]) -> Floats:
    if isinstance(values, pd.DataFrame) and {*values.columns} == {*labels}:
        values = values[labels]
    p = doubles(values)
    if p.shape != (shape := (size, len(labels))):
        raise ValueError(f"{name} has the shape {p.shape}, expected {shape}, a column a class")
    wrong = ~((p >= 0) & (p <= 1)).all(axis=1) | ~(np.abs(p.sum(axis=1) - 1) <= NEARLY)
    refuse_at(wrong, name, p, f"probabilities that sum to 1 ({wrong.sum()} such)")
    return p


def _costs(matrix: ArrayLike, labels: list[Any]) -> Floats:
    if isinstance(matrix, pd.DataFrame):
        matrix = matrix.loc[labels, labels]
    cost = doubles(matrix)
    if cost.shape != (len(labels), len(labels)) or not np.isfinite(cost).all():
        expected = f"{len(labels)} rows and columns of finite numbers, for {labels}"
        raise ValueError(f"cost_matrix has the shape {cost.shape}, expected {expected}")
    for i in np.flatnonzero(np.diag(cost) > cost.min(axis=1))[:1]:
        less = labels[int(cost[i].argmin())]
        why = f"more than deciding for {less!r} there, {cost[i].min():g}"
        raise ValueError(f"cost_matrix: a correct {labels[i]!r} costs {cost[i, i]:g}, {why}")
    return cost
