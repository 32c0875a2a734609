"""Lower envelopes: against the lowest of all lines between all meeting points, in fractions."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores, union
from costcurves.curves.curves import operating_range, trivial
from costcurves.curves.envelopes import (
    ALWAYS_NEGATIVE,
    ALWAYS_POSITIVE,
    Envelope,
    lower_envelope,
    lower_envelopes,
)
from tests import exact, rankings
from tests.strategies import fold_lines, folds

EPSILON = float(np.finfo(np.float64).eps)


def of_counts(negatives: int, positives: int, *counts: tuple[int, int]) -> OperatingPoints:
    """One curve of points (fp_count, tp_count), given by rising fp_count."""
    fp, tp = np.array(counts, dtype=np.int64).reshape(-1, 2).T
    sizes = np.array([negatives]), np.array([positives])
    return OperatingPoints(fp, tp, np.full(len(fp), np.nan), np.array([0, len(fp)]), *sizes)


def lines_of(points: OperatingPoints) -> list[exact.Line]:
    negatives, positives = int(points.negatives[0]), int(points.positives[0])
    return [
        (Fraction(fp, negatives), Fraction(positives - tp, positives))
        for fp, tp in zip(points.fp_count.tolist(), points.tp_count.tolist(), strict=True)
    ]


def expected_holder(lines: list[exact.Line], held: exact.Line, with_trivial: bool) -> int:
    """The trivial classifier that has the line, else the first point that has it."""
    if with_trivial and held in (exact.ALWAYS_NEGATIVE, exact.ALWAYS_POSITIVE):
        return ALWAYS_NEGATIVE if held == exact.ALWAYS_NEGATIVE else ALWAYS_POSITIVE
    return lines.index(held)


def check(envelope: Envelope, lines: list[exact.Line], with_trivial: bool = True) -> None:
    """Compare with the exact envelope: breaks and lines rounded once, and the holders."""
    expected = exact.lower_envelope(lines, with_trivial)
    assert repr(envelope.curve) == repr(expected.rounded())
    holders = [expected_holder(lines, held, with_trivial) for held in expected.lines]
    assert envelope.holders.tolist() == holders


# Against the oracle


@given(rankings.rows(), st.booleans())
def test_envelopes_of_scores(rows: rankings.Rows, with_trivial: bool) -> None:
    points = from_scores(scores=rows[0], labels=rows[1])
    envelope = lower_envelopes(points, with_trivial)[0]
    check(envelope, rankings.lines(*rows), with_trivial)


@given(rankings.grouped_rows())
def test_many_curves_at_once(
    drawn: tuple[list[rankings.Rows], list[float], list[int], list[int]],
) -> None:
    curves, scores, labels, groups = drawn
    envelopes = lower_envelopes(from_scores(scores=scores, labels=labels, groups=groups))
    assert len(envelopes) == len(curves)
    for envelope, one in zip(envelopes, curves, strict=True):
        check(envelope, rankings.lines(*one))


@given(rankings.rows(), st.integers(1, 6), st.booleans(), st.randoms(use_true_random=False))
def test_envelopes_of_families(
    rows: rankings.Rows, members: int, with_trivial: bool, random: Any
) -> None:
    labels = rows[1] * members
    decisions = [random.randint(0, 1) for _ in labels]
    points = from_decisions(
        decisions=decisions, labels=labels, groups=np.repeat(range(members), len(rows[1]))
    )
    family = union(points, [0] * members)
    check(lower_envelopes(family, with_trivial)[0], lines_of(family), with_trivial)


@given(folds.flatmap(lambda sizes: fold_lines(sizes[0], most=9)), st.booleans())
def test_envelopes_of_rates_are_as_low_as_any_line(
    lines: list[exact.Line], with_trivial: bool
) -> None:
    if not lines and not with_trivial:
        return
    fp, fn = ([float(line[end]) for line in lines] for end in (0, 1))
    envelope = lower_envelope(fp, fn, with_trivial)
    lowest = exact.lower_envelope(
        [(Fraction(a), Fraction(b)) for a, b in zip(fp, fn, strict=True)], with_trivial
    )
    breaks = sorted({*lowest.pc, *(Fraction(pc) for pc in envelope.curve.pc.tolist())})
    for low, high in pairwise(breaks):
        for pc in (low, (low + high) / 2):
            height = exact.height(lowest.line(low, high), pc)
            assert abs(envelope.curve(float(pc)) - height) <= 2 * EPSILON


@given(rankings.rows())
def test_no_line_is_below_an_envelope_and_it_is_on_one_everywhere(rows: rankings.Rows) -> None:
    points = from_scores(scores=rows[0], labels=rows[1])
    curve = lower_envelopes(points)[0].curve
    places = np.union1d(curve.pc, (curve.pc[1:] + curve.pc[:-1]) / 2)
    heights = np.outer(points.fp, 1 - places) + np.outer(points.fn, places)
    assert curve(places) == pytest.approx(heights.min(axis=0), abs=2 * EPSILON, rel=0)


# Symmetry


@given(rankings.rows())
def test_swapping_the_classes_mirrors_the_envelope(rows: rankings.Rows) -> None:
    scores, labels = rows
    points = from_scores(scores=scores, labels=labels)
    one = lower_envelopes(points)[0]
    mirror = from_scores(
        scores=[-score for score in scores], labels=[1 - label for label in labels]
    )
    other = lower_envelopes(mirror)[0]
    assert other.curve.pc == pytest.approx(1 - one.curve.pc[::-1], abs=EPSILON, rel=0)
    assert other.curve.at0.tolist() == one.curve.at1[::-1].tolist()
    assert other.curve.at1.tolist() == one.curve.at0[::-1].tolist()
    swapped = {-1: -2, -2: -1} | {i: len(points.fp_count) - 1 - i for i in range(99)}
    assert other.holders.tolist() == [swapped[int(holder)] for holder in one.holders[::-1]]


@given(rankings.rows(), st.integers(2, 5))
def test_more_instances_of_the_same_kind_change_nothing(rows: rankings.Rows, times: int) -> None:
    once = lower_envelopes(from_scores(scores=rows[0], labels=rows[1]))[0]
    often = lower_envelopes(from_scores(scores=rows[0] * times, labels=rows[1] * times))[0]
    assert repr(often.curve) == repr(once.curve)
    assert often.holders.tolist() == once.holders.tolist()


# Who holds what


def test_a_faultless_classifier_is_alone() -> None:
    points = from_scores(scores=[0.9, 0.8, 0.2, 0.1], labels=[1, 1, 0, 0])
    envelope = lower_envelopes(points)[0]
    assert envelope.holders.tolist() == [2]
    assert envelope.curve.area() == 0


def test_the_ends_of_vertical_and_horizontal_edges_hold_nothing() -> None:
    points = from_scores(scores=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4], labels=[1, 1, 0, 1, 0, 0])
    envelope = lower_envelopes(points)[0]
    assert envelope.holders.tolist() == [2, 4]
    assert [points.threshold[holder] for holder in envelope.holders] == [0.8, 0.6]


def test_what_is_worse_than_trivial_holds_nothing() -> None:
    points = from_scores(scores=[0.1, 0.2, 0.3, 0.4], labels=[1, 1, 0, 0])
    envelope = lower_envelopes(points)[0]
    assert envelope.holders.tolist() == [ALWAYS_NEGATIVE, ALWAYS_POSITIVE]
    assert repr(envelope.curve) == repr(trivial())


def test_a_point_on_the_diagonal_holds_nothing() -> None:
    points = of_counts(4, 2, (2, 1))
    assert lower_envelopes(points)[0].holders.tolist() == [ALWAYS_NEGATIVE, ALWAYS_POSITIVE]
    assert lower_envelopes(points, trivial=False)[0].holders.tolist() == [0]


def test_trivial_classifiers_stand_for_points_that_equal_them() -> None:
    points = of_counts(10, 10, (0, 0), (0, 0), (1, 5), (10, 10), (10, 10))
    with_trivial, without = lower_envelopes(points)[0], lower_envelopes(points, trivial=False)[0]
    assert with_trivial.holders.tolist() == [ALWAYS_NEGATIVE, 2, ALWAYS_POSITIVE]
    assert without.holders.tolist() == [0, 2, 3]
    assert repr(with_trivial.curve) == repr(without.curve)


def test_equal_and_collinear_points_do_not_matter() -> None:
    points = of_counts(8, 8, (1, 4), (1, 4), (2, 5), (3, 6), (3, 6), (3, 6), (4, 6))
    envelope = lower_envelopes(points)[0]
    assert envelope.holders.tolist() == [ALWAYS_NEGATIVE, 0, 3, ALWAYS_POSITIVE]
    plain = lower_envelopes(of_counts(8, 8, (1, 4), (3, 6)))[0]
    assert repr(envelope.curve) == repr(plain.curve)


def test_without_trivial_classifiers_the_curve_may_be_bad() -> None:
    envelope = lower_envelope([0.6, 0.2], [0.5, 0.9], trivial=False)
    assert envelope.curve(0.0) == 0.2
    assert envelope.curve(1.0) == 0.5
    assert envelope.holders.tolist() == [1, 0]


def test_rates_in_any_order_with_equals() -> None:
    envelope = lower_envelope([0.5, 0.1, 0.5, 0.1, 1.0, 0.0], [0.1, 0.5, 0.1, 0.5, 0.0, 1.0])
    assert envelope.holders.tolist() == [ALWAYS_NEGATIVE, 1, 0, ALWAYS_POSITIVE]
    without = lower_envelope([1.0, 0.5, 0.0], [0.0, 0.1, 1.0], trivial=False)
    assert without.holders.tolist() == [2, 1, 0]


def test_nothing_but_trivial_classifiers() -> None:
    empty = of_counts(3, 3)
    assert repr(lower_envelopes(empty)[0].curve) == repr(trivial())
    assert lower_envelope([], []).holders.tolist() == [ALWAYS_NEGATIVE, ALWAYS_POSITIVE]


# Large counts


def test_break_points_of_huge_counts_are_rounded_once() -> None:
    negatives, positives = 2**31 + 11, 2**30 - 35
    counts = [(12_345, 301_234_567), (98_765_432, 701_234_567), (2**31, positives - 7)]
    points = of_counts(negatives, positives, *counts)
    check(lower_envelopes(points)[0], lines_of(points))


def test_a_piece_narrower_than_doubles_can_tell_is_left_out() -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < 44:
        fibonacci.append(sum(fibonacci[-2:]))
    a, b, c = fibonacci[39:42]  # the slopes b / a > c / b differ by one part in a * b
    points = of_counts(2**30, 2**30, (a, b), (a + b, b + c))
    first, second = Fraction(a, a + b), Fraction(b, b + c)
    assert first < second
    assert float(first) == float(second)
    envelope = lower_envelopes(points)[0]
    assert envelope.holders.tolist() == [ALWAYS_NEGATIVE, 1, ALWAYS_POSITIVE]
    assert envelope.curve.pc[1] == float(first)


# Values of the papers


def test_the_classifier_of_figure_8() -> None:
    """Drummond and Holte 2000, s2.2.1, Fig. 8: FP = 0.09, TP = 0.36."""
    envelope = lower_envelopes(of_counts(100, 100, (9, 36)))[0]
    assert envelope.holders.tolist() == [ALWAYS_NEGATIVE, 0, ALWAYS_POSITIVE]
    assert (envelope.curve.at0[1], envelope.curve.at1[1]) == (0.09, 0.64)
    assert operating_range(envelope.curve) == [(9 / 45, 91 / 155)]


def test_the_classifier_b_of_figure_2() -> None:
    """Drummond and Holte 2006, s2, Fig. 2: B with FP = 0.35, TP = 0.7."""
    envelope = lower_envelopes(of_counts(20, 10, (7, 7)))[0]
    assert envelope.curve.pc.tolist() == [0, 1 / 3, 13 / 19, 1]


def test_the_two_classifiers_of_the_averaging_example() -> None:
    """Drummond and Holte 2000, s2.2.3: (0.04, 0.4) and (0.3, 0.8)."""
    one, other = (lower_envelopes(of_counts(50, 5, p))[0] for p in ((2, 2), (15, 4)))
    assert one.curve.pc.tolist() == [0, 1 / 11, 8 / 13, 1]
    assert other.curve.pc.tolist() == [0, 3 / 11, 7 / 9, 1]
    both = lower_envelopes(of_counts(50, 5, (2, 2), (15, 4)))[0]
    assert both.curve.pc.tolist() == [0, 1 / 11, 13 / 33, 7 / 9, 1]


# What is refused


@pytest.mark.parametrize(
    ("points", "with_trivial", "message"),
    [
        (of_counts(3, 3), False, r"curve 0 has no operating point"),
        (of_counts(3, 3, (2, 1), (1, 2)), True, r"x falls from 2 to 1 at point 1"),
        (of_counts(2**40, 2**30, (1, 1)), True, r"curve 0 has 1099511627776 neg.*2\^62 pairs"),
        (of_counts(2**40, 2**30, (1, 1)), False, r"curve 0 has 1099511627776 neg.*2\^62 pairs"),
    ],
)
def test_points_that_are_refused(points: OperatingPoints, with_trivial: bool, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lower_envelopes(points, with_trivial)


@pytest.mark.parametrize(
    ("fp", "fn", "message"),
    [
        ([1.5], [0.5], r"fp must be in \[0, 1\], found 1.5"),
        ([0.5], [-0.1], r"fn must be in \[0, 1\], found -0.1"),
        ([0.5], [np.nan], r"fn must be in \[0, 1\], found nan"),
        ([0.5], [0.5, 0.6], r"fp and fn of shapes \(1,\) and \(2,\), expected one length"),
        (0.5, 0.5, r"fp and fn of shapes \(\) and \(\), expected one length"),
    ],
)
def test_rates_that_are_refused(fp: Any, fn: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lower_envelope(fp, fn)
    with pytest.raises(ValueError, match=r"curve 0 has no operating point"):
        lower_envelope([], [], trivial=False)
