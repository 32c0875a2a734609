"""How sure an AUC is: DeLong's standard error, confidence interval, and test of a difference.

An AUC is a mean over pairs of a positive and a negative, so what an instance adds to it is known:
the share of the other class that it is ranked right against, ties 1/2. DeLong et al. call it a
structural component ([1]_). Components are had from ranks, without going through the pairs ([2]_);
here they are numbers of pairs, exact, that are divided at the very end.

The AUC of cross-validation is a mean over curves: within a fold all scores come from one model. A
fold's AUC is then one of two samples, and the variance of the mean is the sum over all pairs of
curves of their covariance, over the squared number of curves. Curves of different folds of a repeat
share no instances, and have none; those of one fold have DeLong's variance. In another repeat the
same instances are judged again, so a positive adds to the covariance of two folds what it deviates
in the one times what it deviates in the other, and so does a negative. Deviations are from the mean
of a fold's class, which costs degrees of freedom: in two folds of m1 and m2 instances of the class,
m of them shared, the sum of products is on average 1 - 1/m1 - 1/m2 + m / (m1 m2) of what it should
be, and is divided by that (for a fold with itself by 1 - 1/m1, as DeLong's is). So one test set
gives DeLong's own standard error, and folds of one repeat the root of the sum of their variances.

Instances of one cluster are not independent, so what they add is put together first ([3]_): sums
over clusters deviate then, of which there are m. A cluster with both classes adds to the covariance
of positives and negatives, too, where m counts all clusters of a curve.

What is assumed: instances, or clusters, are independent, and the models are given. How much other
training data would change the models is not in it, as it is in no formula for an AUC that was
cross-validated.

References
----------
.. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or more
   correlated receiver operating characteristic curves: a nonparametric approach", Biometrics 44,
   837-845, 1988. https://doi.org/10.2307/2531595
.. [2] X. Sun and W. Xu, "Fast implementation of DeLong's algorithm for comparing the areas under
   correlated receiver operating characteristic curves", IEEE Signal Processing Letters 21,
   1389-1393, 2014. https://doi.org/10.1109/LSP.2014.2337313
.. [3] N. A. Obuchowski, "Nonparametric analysis of clustered ROC curve data", Biometrics 53,
   567-578, 1997. https://doi.org/10.2307/2533958
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, combinations_with_replacement
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from costcurves.chance.resamples import paired_models
from costcurves.counts.counted import PASS
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.exact import expect_exact_products, quotient
from costcurves.counts.folds import pooled_away
from costcurves.counts.operating_points import OperatingPoints, from_scores
from costcurves.counts.ragged import order_by, steps
from costcurves.counts.rows import binary, doubles
from costcurves.counts.rows import curve_codes as checked_codes
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, LEVEL, OF_PAIR, curve_codes, group_codes, unit_of

AUC_DIFFERENCES: Final = Contract(
    "auc_differences",
    DATASET,
    LEVEL,
    *OF_PAIR[1:],
    Column("difference", "float64", "area", "AUC(A) - AUC(B), means over the level's curves"),
    Column("error", "float64", "area", "its standard error by DeLong; NaN: unknown"),
    Column("p_value", "float64", "probability", "if both AUCs were equal; NaN: no test"),
)

LARGEST_EXPONENT = 700.0  # of what a double holds


@dataclass(frozen=True, eq=False)
class Components:
    """What each row of predictions adds to the mean AUC of its model's curves.

    Attributes
    ----------
    auc
        The mean of the curves' AUC.
    deviation
        (n_rows,) how much the row makes that mean differ; of a curve's class they add up to 0.
    label, curve, instance
        (n_rows,) as they were given, codes from 0.
    repeat
        (n_curves,) as it was given.
    """

    auc: float
    deviation: FloatArray
    label: NDArray[np.uint8]
    curve: IntArray
    instance: IntArray
    repeat: IntArray


class Difference(NamedTuple):
    """By how much one AUC is above another, its standard error, and the p-value of equal ones."""

    value: float
    error: float
    p_value: float


def components(
    *,
    scores: ArrayLike,
    labels: ArrayLike,
    groups: ArrayLike | None = None,
    instances: ArrayLike | None = None,
    repeat: ArrayLike | None = None,
) -> Components:
    """Take apart the mean AUC of one model's curves, in O(n log n).

    Parameters
    ----------
    scores, labels, groups
        (n_rows,) as in `from_scores`, which refuses what is wrong with them; a group is a curve.
    instances
        (n_rows,) codes 0 to k - 1 of what was judged, or of its cluster: an instance has a row in
        each repeat. Within a curve rows of one are added up. None: each is another instance.
    repeat
        (n_curves,) codes 0 to r - 1 of the repeat that each curve belongs to; curves of one repeat
        share no instances. None: all belong to one.

    Raises
    ------
    ValueError
        What `from_scores` refuses, codes that are none, more than 2^62 pairs.

    Examples
    --------
    >>> parts = components(scores=[0.9, 0.5, 0.5, 0.1], labels=[1, 1, 0, 0])
    >>> parts.auc, parts.deviation.tolist()
    (0.875, [0.0625, -0.0625, -0.0625, 0.0625])
    """
    score, label = doubles(scores), binary("label", labels)
    points = from_scores(scores=score, labels=label, groups=groups)
    expect_exact_products(points.negatives, points.positives)
    count, rows = len(points), len(score)
    curve = np.zeros(rows, np.int64) if groups is None else checked_codes(groups, rows)[0]
    of_curve = np.zeros(count, np.int64) if repeat is None else checked_codes(repeat, count)[0]
    instance = np.arange(rows) if instances is None else checked_codes(instances, rows)[0]
    areas, off = _taken_apart(points)
    deviation = off[label, _points_of(score, curve, points)] / count
    return Components(float(np.mean(areas)), deviation, label, curve, instance, of_curve)


def variances(points: OperatingPoints) -> FloatArray:
    """Return DeLong's variance of the AUC of each curve, in O(n) from its counts.

    Parameters
    ----------
    points
        Counts at each distinct score, as `from_scores` makes them; each row is another instance.

    Returns
    -------
    (n_curves,) squared standard errors; NaN where a class has a single instance.

    Raises
    ------
    ValueError
        More than 2^62 pairs.

    Examples
    --------
    >>> from costcurves.counts.operating_points import from_scores
    >>> float(variances(from_scores(scores=[0.9, 0.5, 0.5, 0.1], labels=[1, 1, 0, 0]))[0])
    0.03125
    """
    expect_exact_products(points.negatives, points.positives)
    variance, first = np.zeros(len(points)), points.offsets[:-1]
    counts = (points.fp_count, points.negatives), (points.tp_count, points.positives)
    for (count, size), off in zip(counts, _taken_apart(points)[1], strict=True):
        squares = np.add.reduceat(steps(count, first) * (off * off), first)
        variance += np.where(size > 1, squares * size / np.maximum(size - 1, 1), np.nan)
    return variance


def standard_error(parts: Components) -> float:
    """Return DeLong's standard error of a mean AUC; see the module for several curves.

    0 where no pair is out of order, or all are: which says nothing. NaN where a curve has a single
    instance of a class, so that nothing is known of how that class varies, and where covariances of
    repeats come out negative together.

    >>> round(standard_error(components(scores=[0.9, 0.5, 0.5, 0.1], labels=[1, 1, 0, 0])), 6)
    0.176777
    """
    negatives, positives = (parts.label == value for value in (0, 1))
    variance = _covariance(parts, negatives, negatives) + _covariance(parts, positives, positives)
    if np.isin(parts.instance[negatives], parts.instance[positives]).any():
        variance += 2 * _covariance(parts, negatives, positives)
    return math.sqrt(variance) if variance >= 0 else math.nan


def interval(auc: float, error: float, level: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of an AUC with that standard error, on the scale of its logit.

    It stays within 0 and 1, and keeps its level where a symmetric one does not: of 20 positives and
    20 negatives with an AUC of .95, at 90 %, the one covers in 88 % of samples, the other in 80 %
    (`tests/ranking/test_delong.py`). NaN where the error is NaN, and where it is 0: no width is not
    certainty.

    >>> low, high = interval(0.9, 0.05)
    >>> round(low, 3), round(high, 3)
    (0.752, 0.964)
    """
    if not (error > 0 and 0 < auc < 1):
        return math.nan, math.nan
    wide = NormalDist().inv_cdf((1 + level) / 2) * error / (auc * (1 - auc))
    # In decimals, as the last digit of `math.exp` depends on the processor.
    factor = float(Decimal(min(wide, LARGEST_EXPONENT)).exp())
    odds = (1 - auc) / auc
    return 1 / (1 + odds * factor), 1 / (1 + odds / factor)


def difference(a: Components, b: Components) -> Difference:
    """Test that two models have the same AUC, given their rankings of the same instances ([1]_).

    Both have the same rows in the same order; else it is a ValueError. Models that rank alike
    differ by exactly 0, with a p-value of 1; where they differ without any spread, it is NaN.

    >>> labels = [1, 1, 1, 0, 0, 0]
    >>> a = components(scores=[0.9, 0.8, 0.3, 0.4, 0.2, 0.1], labels=labels)
    >>> b = components(scores=[0.7, 0.2, 0.6, 0.5, 0.3, 0.1], labels=labels)
    >>> difference(a, a)
    Difference(value=0.0, error=0.0, p_value=1.0)
    >>> round(difference(a, b).value, 4), round(difference(a, b).p_value, 4)
    (0.1111, 0.7237)
    """
    for name in ("label", "curve", "instance", "repeat"):
        if not np.array_equal(getattr(a, name), getattr(b, name)):
            raise ValueError(f"the two rankings have different rows: {name} differs")
    apart = replace(a, auc=a.auc - b.auc, deviation=a.deviation - b.deviation)
    error = standard_error(apart)
    if error > 0:
        p_value = math.erfc(abs(apart.auc) / error / math.sqrt(2))
    else:
        p_value = 1.0 if error == apart.auc == 0 else math.nan
    return Difference(apart.auc, error, p_value)


def _taken_apart(points: OperatingPoints) -> tuple[FloatArray, FloatArray]:
    """Return the AUC of each curve, and how much a negative and a positive at each point change it.

    (n_curves,) and (2, n_points).
    """
    # Twice the pairs that a row of each label wins at each point, as a tie is half.
    fp, tp, sizes = points.fp_count, points.tp_count, np.diff(points.offsets)
    won = np.stack((tp, 2 * np.repeat(points.negatives, sizes) - fp))
    won[0, 1:] += tp[:-1]
    won[1, 1:] -= fp[:-1]
    of_all = np.add.reduceat(steps(tp, points.offsets[:-1]) * won[1], points.offsets[:-1])
    rows = np.stack((points.negatives, points.positives))
    pairs = 2.0 * rows * rows * rows[::-1]
    won *= np.repeat(rows, sizes, axis=1)
    won -= np.repeat(of_all, sizes)
    areas = quotient(of_all, 2 * points.negatives * points.positives)
    return areas, won / np.repeat(pairs, sizes, axis=1)


def _points_of(score: FloatArray, curve: IntArray, points: OperatingPoints) -> IntArray:
    """Return the operating point at which each row becomes positive."""
    order = np.argsort(-score)  # ties have one point, in whatever order they come
    if curve.any():
        order = order[order_by(curve[order], len(points))]
    rows = steps(points.fp_count + points.tp_count, points.offsets[:-1])
    point = np.empty(len(order), dtype=np.int64)
    point[order] = np.repeat(np.arange(len(rows)), rows)
    return point


def _covariance(parts: Components, these: NDArray[np.bool_], those: NDArray[np.bool_]) -> float:
    """Return the covariance of what two classes of rows, or one and itself, add to a mean AUC."""
    rows = these | those
    curve = parts.curve[rows]
    instance = np.unique(parts.instance[rows], return_inverse=True)[1]
    shape = int(parts.repeat.max()) + 1, int(instance.max()) + 1
    place = parts.repeat[curve], instance
    a, b, at = np.zeros(shape), np.zeros(shape), np.full(shape, -1)
    for off, of in ((a, these), (b, those)):
        np.add.at(off, place, np.where(of, parts.deviation, 0)[rows])
    at[place] = curve
    size = np.bincount(at[at >= 0])
    terms = []
    for i, j in combinations_with_replacement(range(shape[0]), 2):
        both = (at[i] >= 0) & (at[j] >= 0)
        pairs, pair = np.unique(at[i][both] * len(size) + at[j][both], return_inverse=True)
        first, second = (size[curves] for curves in np.divmod(pairs, len(size)))
        shared = a[i] * b[j] if i == j else a[i] * b[j] + a[j] * b[i]
        products = np.bincount(pair, shared[both])
        left = first * second - first - second + np.bincount(pair)
        if not left.all():
            return math.nan
        terms.append(products * first * second / left)
    return math.fsum(np.concatenate(terms))


def components_of(rows: pd.DataFrame, pooled: Collection[str] = ()) -> Components:
    """Take apart the mean AUC of one model's curves, pooled over folds, or repeats as well.

    Curves that share clusters are as of different repeats, though they are folds of one.
    """
    codes, curves = curve_codes(rows, [name for name in PASS if name not in pooled])
    repeat = pd.factorize(curves["repeat"])[0] if "repeat" in curves else np.zeros(1, int)
    unit = group_codes(rows, [unit_of(rows)])
    places = pd.DataFrame({"unit": unit, "repeat": repeat[codes], "curve": codes}).drop_duplicates()
    if places.duplicated(["unit", "repeat"]).any():
        repeat = np.arange(len(curves))
    return components(
        scores=rows["score"], labels=rows["label"], groups=codes, instances=unit, repeat=repeat
    )


def auc_differences(predictions: pd.DataFrame, measures: pd.DataFrame) -> pd.DataFrame:
    """Test each two models that rank, at the level of their headlines; each pair by itself.

    None where instances count by their costs, or models were not judged on the same folds.
    """
    ranks = measures[measures["headline"] & measures["auc"].notna()]
    models = paired_models(predictions, ranks["model"].to_list())
    if not models or predictions["weight"].ne(1).any():
        return AUC_DIFFERENCES.empty()
    level = str(ranks["level"].iloc[0])
    rows = predictions.assign(**pooled_away(predictions, level))
    rows = rows.sort_values(["repeat", "fold", "instance"], kind="stable")
    parts = {model: components_of(rows[rows["model"] == model]) for model in models}
    tested = []
    for a, b in combinations(models, 2):
        value, error, p_value = difference(parts[a], parts[b])
        names = {"model_a": a, "model_b": b}
        tested.append({**names, "difference": value, "error": error, "p_value": p_value})
    dataset = str(predictions["dataset"].iloc[0])
    return AUC_DIFFERENCES.rows(tested, dataset=dataset, level=level)
