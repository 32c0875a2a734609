"""Averages: against exact fractions, by their costs against each other, and every error."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.curves import mean
from costcurves.ranking import roc_averages
from tests import exact
from tests.strategies import paired_averages

INF, NAN = math.inf, math.nan
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


def floats(vertices: Vertices) -> tuple[list[float], list[float]]:
    return [float(fp) for fp, _ in vertices], [float(tp) for _, tp in vertices]


def counts(scores: Scores) -> tuple[list[int], list[int], list[float]]:
    """Operating points of one fold: fp_count, tp_count, threshold."""
    thresholds = [INF, *sorted({float(score) for score, _ in scores}, reverse=True)]
    return (
        [sum(s >= t and y == 0 for s, y in scores) for t in thresholds],
        [sum(s >= t and y == 1 for s, y in scores) for t in thresholds],
        thresholds,
    )


def rates(scores: Scores) -> tuple[list[float], list[float], list[float]]:
    fp, tp, thresholds = counts(scores)
    return [n / fp[-1] for n in fp], [n / tp[-1] for n in tp], thresholds


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
        found = [ends(curve, x) for curve in curves]
        lower = sum((low for low, _ in found), Fraction(0)) / len(curves)
        upper = sum((high for _, high in found), Fraction(0)) / len(curves)
        vertices += [(x, lower)] if lower == upper else [(x, lower), (x, upper)]
    return vertices


def exact_by_threshold(folds: Sequence[Scores], pool: bool) -> Vertices:
    vertices: Vertices = []
    for t in [INF, *sorted({float(s) for fold in folds for s, _ in fold}, reverse=True)]:
        hits = [
            (sum(s >= t and y == 0 for s, y in fold), sum(s >= t and y for s, y in fold))
            for fold in folds
        ]
        sizes = [(sum(y == 0 for _, y in fold), sum(y for _, y in fold)) for fold in folds]
        if pool:
            fp = Fraction(sum(n for n, _ in hits), sum(n for n, _ in sizes))
            tp = Fraction(sum(n for _, n in hits), sum(n for _, n in sizes))
        else:
            both = list(zip(hits, sizes, strict=True))
            fp = sum((Fraction(n, of) for (n, _), (of, _) in both), Fraction(0)) / len(folds)
            tp = sum((Fraction(n, of) for (_, n), (_, of) in both), Fraction(0)) / len(folds)
        if not vertices or vertices[-1] != (fp, tp):
            vertices.append((fp, tp))
    return vertices


def assert_vertices(found: tuple[Any, Any], expected: Vertices) -> None:
    fp, tp = found
    assert len(fp) == len(tp) == len(expected)
    np.testing.assert_allclose(fp, floats(expected)[0], rtol=0, atol=4 * EPSILON)
    np.testing.assert_allclose(tp, floats(expected)[1], rtol=0, atol=4 * EPSILON)
    assert (fp[0], tp[0], fp[-1], tp[-1]) == (0, 0, 1, 1)


def envelope_of(vertices: Vertices) -> exact.ExactCurve:
    return exact.lower_envelope([(fp, 1 - tp) for fp, tp in vertices])


def assert_never_cheaper(one: exact.ExactCurve, other: exact.ExactCurve) -> None:
    assert all(sign >= 0 for *_, sign in exact.better_than(one, other))


# Cost space


@given(paired_averages())
def test_the_cost_space_average_is_the_mean_at_every_pc(
    pair: tuple[list[exact.ExactCurve], list[exact.ExactCurve]],
) -> None:
    folds = [curve.rounded() for curve in pair[0]]
    average = mean(folds)
    assert set(average.pc) == {x for fold in folds for x in fold.pc}
    np.testing.assert_allclose(
        average(average.pc), np.mean([fold(average.pc) for fold in folds], axis=0), atol=1e-15
    )


def test_it_is_the_average_of_the_envelopes_not_the_envelope_of_the_average() -> None:
    """Each fold changes its mind at its own PC(+): the envelope of the mean point costs more."""
    points = [(Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))]
    average = exact.mean([envelope_of([point]) for point in points])
    of_middle = envelope_of([(Fraction(1, 4), Fraction(3, 4))])
    found = mean([envelope_of([point]).rounded() for point in points])
    assert found.area() == pytest.approx(1 / 6, abs=EPSILON)
    assert (average.area(), of_middle.area()) == (Fraction(1, 6), Fraction(3, 16))
    assert_never_cheaper(of_middle, average)


# Vertical and horizontal


@given(st.lists(roc_curves(), min_size=1, max_size=4))
def test_vertical_keeps_both_ends_of_every_step(drawn: list[Vertices]) -> None:
    assert_vertices(
        roc_averages.vertical([floats(curve) for curve in drawn]), exact_vertical(drawn)
    )


@given(st.lists(roc_curves(), min_size=1, max_size=4))
def test_horizontal_is_vertical_with_the_axes_swapped(drawn: list[Vertices]) -> None:
    swapped = [[(tp, fp) for fp, tp in curve] for curve in drawn]
    expected = [(fp, tp) for tp, fp in exact_vertical(swapped)]
    assert_vertices(roc_averages.horizontal([floats(curve) for curve in drawn]), expected)


def test_np_interp_would_lose_a_step() -> None:
    steps = [0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0]
    fp, tp = roc_averages.vertical([steps, ([0, 1], [0, 1])])
    np.testing.assert_array_equal(fp, [0, 0, 0.5, 0.5, 1])
    np.testing.assert_array_equal(tp, [0, 0.25, 0.5, 0.75, 1])
    assert np.interp(0.0, steps[0], steps[1]) == 0.5  # and the lower end of the step is gone


@given(roc_curves())
def test_the_average_of_one_curve_or_of_equal_curves_is_that_curve(curve: Vertices) -> None:
    once, thrice = (
        roc_averages.vertical([floats(curve)]),
        roc_averages.vertical([floats(curve)] * 3),
    )
    assert_vertices(once, exact_vertical([curve]))
    np.testing.assert_allclose(thrice, once, atol=EPSILON)


def test_a_perfect_curve_and_its_opposite() -> None:
    perfect, inverted = ([0, 0, 1], [0, 1, 1]), ([0, 1, 1], [0, 0, 1])
    fp, tp = roc_averages.vertical([perfect, inverted])
    assert (fp.tolist(), tp.tolist()) == ([0, 0, 1, 1], [0, 0.5, 0.5, 1])
    fp, tp = roc_averages.horizontal([perfect, inverted])
    assert (fp.tolist(), tp.tolist()) == ([0, 0.5, 0.5, 1], [0, 0, 1, 1])


# Threshold and pooled


@given(scored_folds())
def test_threshold_averages_the_rates_at_every_threshold(folds: list[Scores]) -> None:
    found = roc_averages.threshold([rates(fold) for fold in folds])
    assert_vertices(found, exact_by_threshold(folds, pool=False))


@given(scored_folds())
def test_pooled_is_the_curve_of_all_instances_together(folds: list[Scores]) -> None:
    found = roc_averages.pooled([counts(fold) for fold in folds])
    assert_vertices(found, exact_by_threshold(folds, pool=True))
    together = [instance for fold in folds for instance in fold]
    assert_vertices(found, exact_by_threshold([together], pool=False))


@given(scored_folds(), st.randoms(use_true_random=False))
def test_the_order_of_the_folds_does_not_matter(folds: list[Scores], random: Any) -> None:
    shuffled = random.sample(folds, len(folds))
    for average, of in ((roc_averages.threshold, rates), (roc_averages.pooled, counts)):
        one = average([of(fold) for fold in folds])
        np.testing.assert_allclose(average([of(fold) for fold in shuffled]), one, atol=EPSILON)


def test_a_crisp_classifier_is_one_of_two_scores() -> None:
    one, other = ([0, 0.2, 1], [0, 0.6, 1], [INF, 1, 0]), ([0, 0.4, 1], [0, 0.8, 1], [INF, 1, 0])
    fp, tp = roc_averages.threshold([one, other])
    np.testing.assert_allclose(fp, [0, 0.3, 1])
    np.testing.assert_allclose(tp, [0, 0.7, 1])


# What the averages cost


@given(scored_folds())
def test_no_roc_average_but_the_pooled_costs_less_than_the_cost_space_average(
    folds: list[Scores],
) -> None:
    """D&H 2000 s2.2.3: such an average mixes in suboptimal classifiers. In exact arithmetic."""
    curves = [exact_by_threshold([fold], pool=False) for fold in folds]
    average = exact.mean([envelope_of(curve) for curve in curves])
    swapped = exact_vertical([[(tp, fp) for fp, tp in curve] for curve in curves])
    for roc in (
        exact_vertical(curves),
        [(fp, tp) for tp, fp in swapped],
        exact_by_threshold(folds, pool=False),
    ):
        assert_never_cheaper(envelope_of(roc), average)


def test_pooling_can_cost_less_where_the_class_ratios_differ() -> None:
    """ERRATUM to D&H 2000 s2.2.3, "all give higher normalised expected costs".

    Fold A: 8 positives, 1 missed; 2 negatives, 1 false alarm. Fold B is its mirror image. Each
    costs 5/16 at PC(+) = 1/2, and so does their average; pooled, 2 of 10 of each class are wrong.
    """
    fold_a = [0, 1, 2], [0, 7, 8], [INF, 1, 0]
    fold_b = [0, 1, 8], [0, 1, 2], [INF, 1, 0]
    fp, tp = roc_averages.pooled([fold_a, fold_b])
    np.testing.assert_array_equal((fp, tp), ([0, 0.2, 1], [0, 0.8, 1]))
    points = [(Fraction(1, 2), Fraction(7, 8)), (Fraction(1, 8), Fraction(1, 2))]
    average = mean([envelope_of([point]).rounded() for point in points])
    assert average(0.5) == 5 / 16
    assert fp[1] * 0.5 + (1 - tp[1]) * 0.5 == pytest.approx(0.2)


def test_pooling_can_cost_less_where_only_the_sizes_differ() -> None:
    """The erratum goes further: equal class ratios do not save the claim, equal sizes would."""
    small = [0, 1, 1], [0, 0, 1], [INF, 1, 0]  # 1 + 1 instances, both wrong
    large = [0, 0, 9], [0, 9, 9], [INF, 1, 0]  # 9 + 9 instances, all right
    fp, tp = roc_averages.pooled([small, large])
    np.testing.assert_array_equal((fp, tp), ([0, 0.1, 1], [0, 0.9, 1]))
    average = mean(
        [exact.lower_envelope([]).rounded(), envelope_of([(Fraction(0), Fraction(1))]).rounded()]
    )
    assert average(0.5) == 0.25 > fp[1] * 0.5 + (1 - tp[1]) * 0.5


@given(scored_folds())
def test_pooling_folds_of_one_size_is_averaging_by_threshold(folds: list[Scores]) -> None:
    same = [folds[0], [(4 - score, label) for score, label in folds[0]]]
    np.testing.assert_allclose(
        roc_averages.pooled([counts(fold) for fold in same]),
        roc_averages.threshold([rates(fold) for fold in same]),
        atol=2 * EPSILON,
    )
