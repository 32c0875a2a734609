"""Averages of ROC curves: against exact fractions, and by their costs against each other."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.counted import counted
from costcurves.ranking.roc_averages import horizontal, roc, threshold, vertical
from tests.oracle import exact
from tests.result_tables import staged

INF = math.inf
EPSILON = float(np.finfo(np.float64).eps)

Vertices = list[tuple[Fraction, Fraction]]
Scores = list[tuple[int, int]]  # (score, label)


@st.composite
def roc_curves(draw: st.DrawFn) -> Vertices:
    """Vertices from (0, 0) to (1, 1): steps up, level runs, diagonals, repeated and collinear."""
    negatives, positives = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    fps = sorted(draw(st.lists(st.integers(0, negatives), max_size=6)))
    tps = sorted(draw(st.lists(st.integers(0, positives), min_size=len(fps), max_size=len(fps))))
    inside = zip(fps, tps, strict=True)
    rates = [(Fraction(fp, negatives), Fraction(tp, positives)) for fp, tp in inside]
    return [(Fraction(0), Fraction(0)), *rates, (Fraction(1), Fraction(1))]


@st.composite
def scored_folds(draw: st.DrawFn) -> list[Scores]:
    """Folds of a few scored instances of both classes, with many ties within and between folds."""
    scored = st.tuples(st.integers(0, 4), st.integers(0, 1))
    fold = st.lists(scored, min_size=2, max_size=8).filter(lambda f: len({y for _, y in f}) == 2)
    return draw(st.lists(fold, min_size=1, max_size=4))


def arrays(*columns: Sequence[Any]) -> Any:
    return tuple(np.array(column, dtype=np.float64) for column in columns)


def counts(scores: Scores) -> Any:
    """Operating points of one fold: fp_count, tp_count, threshold."""
    thresholds = [INF, *sorted({float(score) for score, _ in scores}, reverse=True)]
    negative, positive = ([s for s, label in scores if label == y] for y in (0, 1))
    return arrays(
        [sum(score >= t for score in negative) for t in thresholds],
        [sum(score >= t for score in positive) for t in thresholds],
        thresholds,
    )


def rates(scores: Scores) -> Any:
    fp, tp, thresholds = counts(scores)
    return fp / fp[-1], tp / tp[-1], thresholds


def ends(vertices: Vertices, x: Fraction) -> tuple[Fraction, Fraction]:
    """Lowest and highest tp of the polyline at fp = x."""
    on = [tp for fp, tp in vertices if fp == x]
    if on:
        return min(on), max(on)
    (x0, y0), (x1, y1) = next(
        (left, right) for left, right in pairwise(vertices) if left[0] < x < right[0]
    )
    between = y0 + (x - x0) / (x1 - x0) * (y1 - y0)
    return between, between


def exact_vertical(curves: Sequence[Vertices]) -> Vertices:
    vertices: Vertices = []
    for x in sorted({fp for curve in curves for fp, _ in curve}):
        lows, highs = zip(*(ends(curve, x) for curve in curves), strict=True)
        lower, upper = (sum(each, Fraction(0)) / len(curves) for each in (lows, highs))
        vertices += [(x, lower)] if lower == upper else [(x, lower), (x, upper)]
    return vertices


def exact_by_threshold(folds: Sequence[Scores], pool: bool) -> Vertices:
    folds = [[case for fold in folds for case in fold]] if pool else folds
    vertices: Vertices = []
    for t in [INF, *sorted({float(s) for fold in folds for s, _ in fold}, reverse=True)]:
        shares = []
        for label in (0, 1):
            scores = [[score for score, y in fold if y == label] for fold in folds]
            above = [Fraction(sum(s >= t for s in fold), len(fold)) for fold in scores]
            shares.append(sum(above, Fraction(0)) / len(folds))
        if not vertices or vertices[-1] != tuple(shares):
            vertices.append((shares[0], shares[1]))
    return vertices


def swapped(curve: Vertices) -> Vertices:
    return [(tp, fp) for fp, tp in curve]


def floats(curve: Vertices) -> Any:
    return arrays(*zip(*curve, strict=True))


def assert_vertices(average: tuple[Any, Any], expected: Vertices) -> None:
    assert len(average[0]) == len(average[1]) == len(expected)
    np.testing.assert_allclose(average, floats(expected), rtol=0, atol=4 * EPSILON)
    assert [rate[i] for i in (0, -1) for rate in average] == [0, 0, 1, 1]


@given(st.lists(roc_curves(), min_size=1, max_size=4))
def test_vertical_and_horizontal_keep_both_ends_of_every_step(curves: list[Vertices]) -> None:
    drawn = [floats(curve) for curve in curves]
    assert_vertices(vertical(drawn), exact_vertical(curves))
    level = exact_vertical([swapped(curve) for curve in curves])
    assert_vertices(horizontal(drawn), swapped(level))


@given(scored_folds(), st.randoms(use_true_random=False))
def test_threshold_averages_rates_and_pooled_adds_counts(folds: list[Scores], random: Any) -> None:
    shuffled = random.sample(folds, len(folds))
    assert_vertices(threshold([*map(rates, shuffled)]), exact_by_threshold(folds, pool=False))
    assert_vertices(threshold([*map(counts, shuffled)]), exact_by_threshold(folds, pool=True))


@given(scored_folds())
def test_no_average_but_the_pooled_costs_less_than_that_in_cost_space(folds: list[Scores]) -> None:
    """D&H 2000 s2.2.3: such an average mixes in suboptimal classifiers."""
    curves = [exact_by_threshold([fold], pool=False) for fold in folds]
    envelopes = [exact.lower_envelope([(fp, 1 - tp) for fp, tp in curve]) for curve in curves]
    mean = exact.mean(envelopes).rounded()
    places = np.linspace(0, 1, 41)
    drawn = [floats(curve) for curve in curves]
    for fp, tp in (vertical(drawn), horizontal(drawn), threshold([*map(rates, folds)])):
        costs = np.outer(fp, 1 - places) + np.outer(1 - tp, places)
        assert (costs.min(axis=0) >= mean(places) - 8 * EPSILON).all()


def test_pooled_folds_may_cost_less_than_in_cost_space() -> None:
    """ERRATUM to D&H 2000 s2.2.3, "all give higher normalised expected costs".

    At PC(+) = 1/2 both folds cost 5/16, and pooled 1/5.
    """
    many, few = ([0, 1, 2], [0, 7, 8], [INF, 1, 0]), ([0, 1, 8], [0, 1, 2], [INF, 1, 0])
    mean = threshold([arrays(*many), arrays(*few)])
    np.testing.assert_allclose(mean, ([0, 0.2, 1], [0, 0.8, 1]), rtol=0, atol=EPSILON)


def test_tables_average_rates_by_threshold_and_pool_counts() -> None:
    """Of decisions that are wrong on 1 + 1 cases, and right on 9 + 9."""
    labels = [0, 1] * 10
    rows = pd.DataFrame({"label": labels, "decision": [1, 0, *labels[2:]], "model": "A"})
    folds = rows.assign(fold=["1"] * 2 + ["2"] * 18, instance=[f"{place}" for place in range(20)])
    table = roc(counted(staged(folds), 1), "fold").groupby("method")[["fp", "tp"]]
    means = {str(method): average.to_numpy()[1].tolist() for method, average in table}
    assert (means["threshold"], means["pooled"]) == ([0.5, 0.5], [0.1, 0.9])
