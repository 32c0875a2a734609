"""Expected cost as a loss: at an operating condition, or over a distribution of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from costcurves.api.curve import Value, pc_at
from costcurves.api.estimators import METHODS
from costcurves.api.inputs import (
    Classes,
    column,
    expect_same_rows,
    predicted,
    weights,
)
from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import ScoreDriven
from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.operating_points import from_decisions, from_scores
from costcurves.curves.curves import Curve, line
from costcurves.curves.envelopes import lower_envelopes
from costcurves.curves.priors import Prior, Uniform

Choice = Literal["probability", "best"]


def cost_loss(
    y_true: Any,
    y_score: Any,
    *,
    pc: ArrayLike | None = None,
    cost_ratio: ArrayLike | None = None,
    prior: float | None = None,
    over: Prior | None = None,
    threshold: Choice = "probability",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> Value:
    """Give the normalized expected cost of predictions: less is better.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for `cost_curve`: of scores or decisions.
    pc, cost_ratio, prior
        The operating condition, or several: PC(+), or ``C(-|+) / C(+|-)`` at a prior (default: the
        proportion of positives in the data). Default: the mean over all PC(+).
    over : object, optional
        In place of a condition a distribution of PC(+), of `costcurves.curves.priors`.
    threshold : {"probability", "best"}
        How scores become decisions: as if they were probabilities, at 1 - PC(+) (over all PC(+)
        this is a Brier score); or by the threshold that is best on these very data, which is
        too low. Decisions need none.

    Returns
    -------
    float, or ndarray where several conditions are given

    Raises
    ------
    ValueError
        As of `cost_curve`; conditions given twice; scores outside [0, 1] taken for probabilities.

    See Also
    --------
    make_cost_scorer : the same as a scorer.
    cost_curve : what thresholds that are chosen on other data cost.

    Examples
    --------
    >>> cost_loss([0, 0, 1, 1], [False, True, True, True], pc=0.25)
    0.375
    >>> cost_loss([0, 0, 1, 1], [0.25, 0.5, 0.5, 1.0])  # class-balanced Brier score
    0.140625
    """
    expect_same_rows(y_true, {"y_score": y_score, "sample_weight": sample_weight})
    labels = column("y_true", y_true)
    classes = Classes.of(labels, pos_label)
    label = classes.codes(labels)
    score, decision = predicted("y_score", y_score, classes, len(label))
    weight = None
    if sample_weight is not None:
        weight = weights("sample_weight", sample_weight, len(label))
    curve = _curve(label, score, decision, threshold, weight)
    if pc is None and cost_ratio is None and prior is None:
        if not hasattr(over := over or Uniform(), "expected_cost"):
            raise TypeError(
                f"over is {over!r}, expected a distribution of costcurves.curves.priors"
            )
        return over.expected_cost(curve)
    if over is not None:
        raise ValueError("expected an operating condition or a distribution of them, not both")
    if prior is None and pc is None:
        prior = float(np.average(label, weights=weight))
    return curve(pc_at(pc, cost_ratio, prior))


def _curve(label: Any, score: Any, decision: Any, threshold: str, weight: Any) -> Curve:
    counted = None if weight is None else cost_weights(weight, label)
    if (decision >= 0).all():
        points = from_decisions(decisions=decision, labels=label, weights=counted)
        return line(points.fp[0], points.fn[0])
    points = from_scores(scores=score, labels=label, weights=counted)
    if threshold == "best":
        return lower_envelopes(points)[0].curve
    if threshold != "probability":
        raise ValueError(f"threshold is {threshold!r}, expected 'probability' or 'best'")
    return curve_of(ScoreDriven(), points)


def make_cost_scorer(
    *, response_method: str | Sequence[str] = METHODS, **options: Any
) -> Callable[..., float]:
    """Make a scorer of scikit-learn's, which has to be there: minus `cost_loss`.

    It is for ``GridSearchCV(..., scoring=...)`` and the like, and for
    ``TunedThresholdClassifierCV``, which tunes the threshold of decisions to it.

    Parameters
    ----------
    response_method : str or sequence of str
        Which method of a classifier is asked; of several the first that it has. "predict" judges
        its own decisions.
    **options
        Of `cost_loss`: pc, cost_ratio, prior, over, threshold, pos_label.

    Returns
    -------
    callable
        Called with a fitted classifier, X and y.

    Raises
    ------
    TypeError
        For another option.

    See Also
    --------
    cost_loss : what it is minus of.
    """
    from sklearn.metrics import make_scorer

    # Other options are refused here, and not in each fold of a search.
    signature(cost_loss).bind((), (), sample_weight=None, **options)
    asked = {"response_method": response_method, "greater_is_better": False}
    scorer: Callable[..., float] = make_scorer(cost_loss, **asked, **options)
    return scorer
