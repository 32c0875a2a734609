"""Curves: against exact fractions, by symmetry, and at the places where rounding could mislead."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.curves import (
    Curve,
    Extreme,
    Interval,
    Side,
    average,
    better_than,
    crossings,
    largest,
    line,
    mean,
    operating_range,
    trivial,
)
from costcurves.curves.stretches import furthest
from tests.oracle import exact
from tests.strategies import jumping_curves, lines, paired_averages, rates, wide_breaks

EPSILON = float(np.finfo(np.float64).eps)
sides = st.sampled_from(["left", "right"])
JUMP = Curve(pc=[0, 0.25, 1], at0=[0.5, 0], at1=[0.5, 1])


# What a curve is


def test_a_curve_is_read_only_and_has_a_value_everywhere() -> None:
    at0 = np.array([0.25])
    curve = Curve([0, 1], at0, [0.5])
    at0[0] = 9
    assert repr(curve) == "Curve(pc=[0.0, 1.0], at0=[0.25], at1=[0.5])"
    with pytest.raises(ValueError, match="read-only"):
        curve.at0[0] = 9
    pc = np.array([0, 0.25, 0.5, 1])
    np.testing.assert_array_equal(JUMP(pc), [0.5, 0.25, 0.5, 1])
    np.testing.assert_array_equal(JUMP(pc, side="left"), [0.5, 0.5, 0.5, 1])
    np.testing.assert_array_equal((JUMP.starts, JUMP.ends), ([0.5, 0.25], [0.5, 1]))
    assert type(JUMP(np.float64(0.5))) is float
    assert (JUMP([]).shape, JUMP(np.full((2, 3), 0.5)).shape) == ((0,), (2, 3))


# Arithmetic


@given(jumping_curves(), jumping_curves(), rates, sides)
def test_arithmetic_and_areas_are_those_of_the_values(
    first: exact.ExactCurve, other: exact.ExactCurve, pc: Fraction, side: Side
) -> None:
    a, b, x = first.rounded(), other.rounded(), float(pc)
    at_a, at_b = a(x, side), b(x, side)
    assert (a + b)(x, side) == pytest.approx(at_a + at_b, abs=4 * EPSILON)
    assert (a - b)(x, side) == pytest.approx(at_a - at_b, abs=4 * EPSILON)
    assert (a * 3)(x, side) == pytest.approx(3 * at_a, abs=4 * EPSILON)
    simple = a.simplified()
    assert (simple(x, side), set(simple.pc) <= set(a.pc)) == (at_a, True)
    assert (np.diff([simple.at0, simple.at1]) != 0).any(axis=0).all()
    assert a.area() == pytest.approx(float(first.area()), abs=4 * EPSILON)
    assert (a - b).area() == pytest.approx(float(first.area() - other.area()), abs=8 * EPSILON)
    assert a.area() == pytest.approx(first.mirrored().rounded().area(), abs=4 * EPSILON)


@given(st.lists(jumping_curves(), min_size=1, max_size=6))
def test_means_are_exact_to_rounding(drawn: list[exact.ExactCurve]) -> None:
    result, expected = mean([curve.rounded() for curve in drawn]), exact.mean(drawn)
    np.testing.assert_array_equal(result.pc, [float(pc) for pc in expected.pc])
    for *rates_there, exact_line in zip(result.at0, result.at1, expected.lines, strict=True):
        for rate, exactly in zip(rates_there, exact_line, strict=True):
            assert abs(Fraction(float(rate)) - exactly) <= Fraction(1.5 * EPSILON) * exactly


def test_means_of_many_are_compensated_and_weighted_and_averages_are_over_repeats() -> None:
    sizes = np.arange(3, 2003)
    exactly = sum((Fraction(1, int(n)) for n in sizes), Fraction(0)) / len(sizes)
    result = mean([line(1 / n, (n - 1) / n) for n in sizes])
    assert abs(Fraction(float(result.at0[0])) - exactly) <= Fraction(EPSILON) * exactly
    assert abs(Fraction(float(result.at1[0])) - (1 - exactly)) <= Fraction(EPSILON)
    weighted = mean([line(0, 1), line(1, 0), line(0.5, 0.5)], weights=[3, 1, 0])
    assert (weighted.at0.tolist(), weighted.at1.tolist()) == ([0.25], [0.75])
    folds = [line(0, 1), line(1, 0), line(1, 1)]
    for count, repeats, expected in ((3, None, 2 / 3), (3, [5, 5, 6], 0.75), (2, [3, 4], 0.5)):
        assert average(folds[:count], repeats).at0.tolist() == [expected]


# Which of two is cheaper


def assert_partition(
    result: list[Interval], expected: list[tuple[Fraction, Fraction, int]]
) -> None:
    assert [interval.sign for interval in result] == [sign for *_, sign in expected]
    assert (result[0].low, result[-1].high) == (0, 1)
    for interval, (low, high, _) in zip(result, expected, strict=True):
        assert interval.low == pytest.approx(float(low), abs=1e-12)
        assert interval.high == pytest.approx(float(high), abs=1e-12)
    for left, right in pairwise(result):
        assert left.low < left.high == right.low < right.high


@given(*[jumping_curves(wide_breaks)] * 2, *[jumping_curves()] * 2)
def test_better_than_agrees_with_fractions(
    first: exact.ExactCurve, other: exact.ExactCurve, a: exact.ExactCurve, b: exact.ExactCurve
) -> None:
    """Pieces as narrow as a rounding change no other."""
    expected = exact.better_than(first, other)
    assert_partition(better_than(first.rounded(), other.rounded()), expected)
    result = better_than(a.rounded(), b.rounded())
    for low, high, sign in exact.better_than(a, b):
        if high - low > 1e-12:
            middle = float(low + high) / 2
            assert [part.sign for part in result if part.low < middle < part.high] == [sign]


@given(paired_averages())
def test_averages_of_folds_agree_with_fractions(
    pair: tuple[list[exact.ExactCurve], list[exact.ExactCurve]],
) -> None:
    """Means over folds of unequal class sizes: rounding invents no crossover and hides none."""
    a, b = (mean([curve.rounded() for curve in folds]) for folds in pair)
    first, other = (exact.mean(folds) for folds in pair)
    assert_partition(better_than(a, b), exact.better_than(first, other))
    below = exact.better_than(first, exact.lower_envelope([]))
    expected = [(float(low), float(high)) for low, high, sign in below if sign < 0]
    assert operating_range(a) == [pytest.approx(ends, abs=1e-13) for ends in expected]
    # The bound in the module's docstring, on which "equal" rests.
    difference = a - b
    ends = zip(difference.starts, difference.ends, strict=True)
    for heights, places in zip(ends, pairwise(exact.union([first, other])), strict=True):
        piece, against = first.line(*places), other.line(*places)
        for height, pc in zip(heights, places, strict=True):
            gap = exact.height(piece, pc) - exact.height(against, pc)
            assert abs(Fraction(float(height)) - gap) <= 6 * Fraction(EPSILON)


def test_the_smallest_difference_of_a_million_instances_a_fold_is_seen_on_any_scale() -> None:
    """A errs once among n, B once among n + 1, and the other way round in the other class."""
    n, others = 10**6, [line(0.5, 0.5)] * 8
    a = mean([line(1 / n, 0), line(0, 1 / (n + 1)), *others])
    b = mean([line(0, 1 / n), line(1 / (n + 1), 0), *others])
    for scale in (1e-290, 1e-20, 1, 1e20, 1e300):
        assert [sign for *_, sign in better_than(a * scale, b * scale)] == [1, -1]
        np.testing.assert_allclose(crossings(a * scale, b * scale), [0.5], atol=1e-3)
        few, many = line(1, 3) * scale, line(3, 2) * scale
        np.testing.assert_allclose(crossings(few, many), [2 / 3], rtol=1e-15)


FLAT, X = line(0.25, 0.25), 0.1 + 0.2  # 0.30000000000000004
BROKEN = Curve([0, 0.3, 1], [0.2, 0.1], [0.2, 0.5])
TWICE = Curve([0, 0.3, 0.3 + 1e-13, 1], [0.203, 0.1997, 0.197], [0.193, 0.2007, 0.207])
THIRDS = (1 / 6, 1 / 10, 1 / 15), (2 / 6, 0, 0)
RISING = Curve([0, 0.25, 0.75, 1], [0, 0.25, -0.5], [1, 0.25, 0.5])


@pytest.mark.parametrize(
    ("a", "b", "signs", "crosses"),
    [
        # Touching is not crossing, neither in a point nor along a stretch
        (Curve([0, 0.25, 0.75, 1], [0, 0.25, 1], [1, 0.25, 0]), FLAT, [-1, 0, -1], []),
        (trivial(), line(1, 0), [-1, 0], []),
        # By way of an equal stretch: at both its ends. At a jump.
        (RISING, FLAT, [-1, 0, 1], [0.25, 0.75]),
        (JUMP, line(0.4, 0.4), [1, -1, 1], [0.25, 0.4]),
        # 1/6 + 1/10 + 1/15 = 1/3 = 2/6, and no float sum of the first three is exactly that
        (*(mean([line(rate, 0.3) for rate in each]) for each in THIRDS), [0], []),
        # Break points that differ by rounding, and two lines that meet near two break points
        (BROKEN, Curve([0, X, 1], [0.2, 0.1], [0.2, 0.5]), [0], []),
        (BROKEN, Curve([0, X, 1], [0.1, 0.0], [0.1, 0.4]), [1], []),
        (TWICE, line(0.2, 0.2), [1], []),
    ],
)
def test_signs_and_crossings_by_hand(
    a: Curve, b: Curve, signs: list[int], crosses: list[float]
) -> None:
    assert [sign for *_, sign in better_than(a, b)] == signs
    assert [sign for *_, sign in better_than(b, a)] == [-sign for sign in signs]
    assert crossings(a, b).tolist() == crossings(b, a).tolist() == crosses


# Extremes


@given(jumping_curves(), st.lists(rates))
def test_the_furthest_place_on_each_stretch(curve: exact.ExactCurve, inner: list[Fraction]) -> None:
    ends = sorted({Fraction(0), *inner, Fraction(1)})
    rounded, every = curve.rounded(), []
    result = zip(*furthest(rounded, [float(end) for end in ends]), strict=True)
    for (low, high), (pc, nec) in zip(pairwise(ends), result, strict=True):
        places = [low, *(x for x in curve.pc if low < x < high), high]
        lines = [(piece, curve.line(*piece)) for piece in pairwise(places)]
        pieces = [(x, exact.height(line, x)) for piece, line in lines for x in piece]
        every += pieces
        most = max(abs(height) for _, height in pieces)
        assert abs(nec) == pytest.approx(float(most), abs=4 * EPSILON)
        first = min(float(x) for x, height in pieces if abs(height) >= most - 8 * EPSILON)
        assert first <= pc <= float(high)
    peak, top = largest(rounded), max(height for _, height in every)
    assert peak.nec == pytest.approx(float(top), abs=2 * EPSILON)
    assert peak.pc in {float(x) for x, height in every if height >= top - 8 * EPSILON}


def test_the_leftmost_of_several_places_and_its_sign() -> None:
    assert largest(line(0.3, 0.3)) == Extreme(0, 0.3)
    assert (largest(JUMP), largest(JUMP * -1)) == (Extreme(1, 1), Extreme(0.25, -0.25))
    costly, cheap = line(0.5, 0.5), line(0.5, 0.1)
    places, heights = furthest(costly - cheap, [0, 0.5, 1])
    assert (places.tolist(), heights.tolist()) == ([0.5, 1], [0.2, 0.4])
    assert furthest(cheap - costly, [0, 1])[1].tolist() == [-0.4]
    assert furthest(line(0.3, 0.3), [0, 0.25, 1])[0].tolist() == [0, 0.25]


# Operating range


@given(lines)
def test_the_operating_range_of_one_line_has_a_formula(drawn: exact.Line) -> None:
    fp, fn = drawn
    tp = 1 - fn
    result = operating_range(line(float(fp), float(fn)))
    if tp > fp:
        (low, high) = (fp / (fp + tp), (1 - fp) / ((1 - fp) + (1 - tp)))
        np.testing.assert_allclose(result, [(float(low), float(high))], rtol=4 * EPSILON)
    else:
        assert result == []
