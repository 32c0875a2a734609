"""Expected cost as a loss: at an operating condition, or over a distribution of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from costcurves.api.conditions import Costs, Value, operating_condition
from costcurves.api.estimators import METHODS
from costcurves.api.inputs import Classes, column, expect_same_rows, predicted, weights
from costcurves.api.signatures import brief
from costcurves.api.study import OTHER_CLASS
from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import ScoreDriven
from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.elementwise import plain
from costcurves.counts.operating_points import from_decisions, from_scores
from costcurves.curves.curves import Curve, line
from costcurves.curves.envelopes import lower_envelopes
from costcurves.curves.priors import Prior, Uniform
from costcurves.predictions.findings import REVERSED
from costcurves.ranking.roc import above_chance

Choice = Literal["probability", "best"] | float


@brief
def cost_loss(
    y_true: Any,
    y_score: Any,
    *,
    pc: ArrayLike | None = None,
    over: Prior | None = None,
    threshold: Choice = "probability",
    pos_label: Any = None,
    sample_weight: Any = None,
    **costs: Unpack[Costs],
) -> Value:
    """Return the expected cost of predictions, normalized or in amounts: less is better.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for `cost_curve`: of scores or decisions.
    pc, cost_ratio, cost_fn, cost_fp, prior
        An operating condition, or several, as in `CostCurve.cost_at`; `prior` is that of the data
        by default. Without any: the mean over all PC(+).
    over : object, optional
        In place of a condition a distribution of PC(+), of `costcurves.curves.priors`.
    threshold : {"probability", "best"} or float
        How scores become decisions: as if they were probabilities, at 1 - PC(+) (over all PC(+)
        this is a Brier score); by the threshold that is best on these very data, whose cost is too
        low; or positive from this score on. Decisions need none.

    Returns
    -------
    float, or ndarray where several conditions are given

    Raises
    ------
    ValueError
        As of `cost_curve`; conditions given twice; scores outside [0, 1] taken for probabilities.

    Warns
    -----
    UserWarning
        Where scores rank worse than chance, as those of the other class do.

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
    >>> cost_loss([0, 0, 1, 1], [0.25, 0.5, 0.5, 1.0], cost_fn=60, cost_fp=20, threshold=0.6)
    15.0
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
    if pc is None and not costs:
        if not hasattr(over := over or Uniform(), "expected_cost"):
            raise TypeError(
                f"over is {over!r}, expected a distribution of costcurves.curves.priors"
            )
        return over.expected_cost(curve)
    if over is not None:
        raise ValueError("expected an operating condition or a distribution of them, not both")
    at, most = operating_condition(float(np.average(label, weights=weight)), pc, **costs)
    return plain(most * np.asarray(curve(at)))


def _curve(label: Any, score: Any, decision: Any, threshold: Choice, weight: Any) -> Curve:
    counted = None if weight is None else cost_weights(weight, label)
    if not isinstance(threshold, str):
        decision = (score >= threshold).astype(np.int8) if decision[0] < 0 else decision
    if (decision >= 0).all():
        points = from_decisions(decisions=decision, labels=label, weights=counted)
        return line(points.fp[0], points.fn[0])
    points = from_scores(scores=score, labels=label, weights=counted)
    counts = points if weight is None else from_scores(scores=score, labels=label)
    if above_chance(counts, [1]) < REVERSED:
        warnings.warn(f"y_score ranks worse than chance. {OTHER_CLASS}", stacklevel=3)
    if threshold == "best":
        return lower_envelopes(points)[0].curve
    if threshold != "probability":
        expected = "expected 'probability', 'best' or a number"
        raise ValueError(f"threshold is {threshold!r}, {expected}")
    return curve_of(ScoreDriven(), points)


def make_cost_scorer(*, response_method: Any = None, **options: Any) -> Callable[..., float]:
    """Return a scorer of scikit-learn's, which has to be there: minus `cost_loss`.

    It is for ``GridSearchCV(..., scoring=...)`` and the like, and for
    ``TunedThresholdClassifierCV``, which tunes the threshold of decisions to it.

    Parameters
    ----------
    response_method : str or sequence of str, optional
        Which method of a classifier predicts; of several the first that it has. "predict" judges
        its own decisions. Default: predict_proba, decision_function, predict.
    **options
        Of `cost_loss`: an operating condition, over, threshold, pos_label.

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

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import GridSearchCV
    >>> scorer = make_cost_scorer(cost_fn=500, cost_fp=20)
    >>> search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=scorer)
    """
    from sklearn.metrics import make_scorer

    # Other options are refused here, and not in each fold of a search.
    pos_label = options.get("pos_label")
    positive = True if pos_label is None else pos_label
    labels = np.array([positive == 0, positive], object)
    cost_loss(labels, [False, True], sample_weight=None, **options)
    method = response_method or METHODS
    options |= {"response_method": method, "greater_is_better": False}
    scorer: Callable[..., float] = make_scorer(cost_loss, **options)
    return scorer
