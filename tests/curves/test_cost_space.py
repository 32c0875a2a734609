"""Cost space: against exact fractions, there and back again, and every error."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costcurves.curves import cost_space
from costcurves.curves.cost_space import (
    cost_point_to_roc_line,
    costs_from_matrix,
    line_to_point,
    nec,
    pc,
    pc_from_ratio,
    point_to_line,
    ratio_from_pc,
    roc_line_to_cost_point,
)
from tests.strategies import rates

EPSILON = float(np.finfo(np.float64).eps)
INF, NAN = math.inf, math.nan

unit = st.floats(0, 1)
inside = st.floats(1e-6, 1 - 1e-6)
costs = st.fractions(0, 1000, max_denominator=100)
anything = st.floats(-1e6, 1e6)


def near(value: Fraction | float) -> Any:
    return pytest.approx(float(value), rel=4 * EPSILON, abs=1e-300)


# PC(+)


@given(rates, costs, costs)
def test_pc_is_the_positives_share_of_the_largest_cost(
    prior: Fraction, cost_fn: Fraction, cost_fp: Fraction
) -> None:
    largest = prior * cost_fn + (1 - prior) * cost_fp
    assume(largest > 0)
    result = pc(float(prior), float(cost_fn), float(cost_fp))
    assert result == pytest.approx(float(prior * cost_fn / largest), rel=8 * EPSILON)
    assert pc(float(1 - prior), float(cost_fp), float(cost_fn)) == pytest.approx(
        1 - result, abs=4 * EPSILON
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, 1, 1), 0),
        ((1, 1, 1), 1),
        ((0.3, 0, 1), 0),
        ((0.3, 1, 0), 1),
        ((0, 1e300, 1e-300), 0),
        ((1, 1e-300, 1e300), 1),
        ((0.5, 1e308, 1e308), 0.5),
        ((0.5, 5e-324, 5e-324), 0.5),
        ((0.5, 1e308, 5e-324), 1),
    ],
)
def test_extreme_conditions_are_legal(
    arguments: tuple[float, float, float], expected: float
) -> None:
    assert pc(*arguments) == expected


@given(inside, inside)
def test_cost_ratios_there_and_back(x: float, prior: float) -> None:
    ratio = ratio_from_pc(x, prior)
    assert pc_from_ratio(ratio, prior) == pytest.approx(x, rel=1e-14)
    assert pc(prior, ratio) == pytest.approx(x, rel=1e-14)
    assert ratio_from_pc(1 - x, 1 - prior) == pytest.approx(1 / ratio, rel=1e-9)


def test_the_ends_of_the_cost_ratio() -> None:
    assert (pc_from_ratio(0, 0.3), pc_from_ratio(INF, 0.3)) == (0, 1)
    assert (ratio_from_pc(0, 0.3), ratio_from_pc(1, 0.3)) == (0, INF)
    assert pc_from_ratio(1, 0.3) == 0.3
    assert ratio_from_pc(1 - EPSILON, 1e-320) == INF


# Cost matrices


@given(costs, costs, costs, costs, rates)
def test_a_cost_matrix_counts_by_what_mistakes_cost_beyond_correct_decisions(
    right_positive: Fraction,
    extra_fn: Fraction,
    right_negative: Fraction,
    extra_fp: Fraction,
    prior: Fraction,
) -> None:
    assume(extra_fn > 0)
    assume(extra_fp > 0)
    matrix = [
        [float(right_positive), float(right_positive + extra_fn)],
        [float(right_negative + extra_fp), float(right_negative)],
    ]
    expected = prior * extra_fn / (prior * extra_fn + (1 - prior) * extra_fp)
    assert pc(float(prior), *costs_from_matrix(matrix)) == pytest.approx(float(expected), abs=1e-10)


def test_many_cost_matrices_at_once() -> None:
    matrices = np.array([[[0, 3], [1, 0]], [[-2, 1], [1, 0]], [[0, 1], [1, 0]]])
    np.testing.assert_array_equal(pc(0.5, *costs_from_matrix(matrices)), [0.75, 0.75, 0.5])
    fn, fp = costs_from_matrix(matrices)
    np.testing.assert_array_equal(fn, [3, 3, 1])
    np.testing.assert_array_equal(fp, [1, 1, 1])
    assert type(pc(0.5, *costs_from_matrix(matrices[0]))) is float


# Normalized expected cost


@given(rates, rates, rates, costs, costs)
def test_nec_is_the_cost_over_the_largest_possible_cost(
    prior: Fraction, fp: Fraction, fn: Fraction, cost_fn: Fraction, cost_fp: Fraction
) -> None:
    largest = prior * cost_fn + (1 - prior) * cost_fp
    assume(largest > 0)
    cost = fn * prior * cost_fn + fp * (1 - prior) * cost_fp
    result = nec(pc(float(prior), float(cost_fn), float(cost_fp)), float(fp), float(fn))
    assert result == pytest.approx(float(cost / largest), abs=4 * EPSILON)


# Duality


@given(rates, rates)
def test_points_and_lines_there_and_back(fp: Fraction, tp: Fraction) -> None:
    at0, at1 = point_to_line(float(fp), float(tp))
    assert (at0, at1) == (float(fp), near(1 - tp))
    assert line_to_point(at0, at1) == pytest.approx((float(fp), float(tp)), abs=EPSILON)


@given(anything, anything)
def test_roc_lines_and_cost_points_there_and_back(slope: float, intercept: float) -> None:
    assume(abs(slope + 1) > 1e-3)
    x, y = roc_line_to_cost_point(slope, intercept)
    assert y == pytest.approx((1 - intercept) * x, rel=1e-12, abs=1e-300)
    back, start = cost_point_to_roc_line(x, y)
    scale = 1e-12 * (1 + abs(slope)) * (1 + abs(intercept))
    assert back == pytest.approx(slope, abs=scale)
    assert start == pytest.approx(intercept, abs=scale)


@given(
    st.lists(rates, min_size=2, max_size=2, unique=True).map(sorted),
    st.lists(rates, min_size=2, max_size=2, unique=True).map(sorted),
)
def test_two_classifiers_of_equal_cost_share_the_dual_of_where_their_lines_meet(
    fps: list[Fraction], tps: list[Fraction]
) -> None:
    """D&H 2006 eq. 1: the slope between two points says where their costs are equal."""
    (fp, other_fp), (tp, other_tp) = fps, tps
    slope = (other_tp - tp) / (other_fp - fp)
    x, y = roc_line_to_cost_point(float(slope), float(tp - slope * fp))
    assert y == pytest.approx(nec(x, float(fp), float(1 - tp)), abs=1e-13)
    assert y == pytest.approx(nec(x, float(other_fp), float(1 - other_tp)), abs=1e-13)


def test_falling_lines_have_virtual_points() -> None:
    """D&H 2006 s5.1.4: a workforce of W on P positives and N negatives is at PC(+) = P/(P - N)."""
    positives, negatives, work = 100, 300, 150
    x, y = roc_line_to_cost_point(-negatives / positives, work / positives)
    assert x == positives / (positives - negatives) == -0.5
    assert y == (1 - work / positives) * x


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (pc, (-0.1, 1, 1), r"the prior p\(\+\) must be in \[0, 1\], found -0.1"),
        (pc, (NAN, 1, 1), r"the prior p\(\+\) must be in \[0, 1\], found nan"),
        (pc, (0.5, -1, 1), r"the cost C\(-\|\+\) must not be negative, found -1.0"),
        (pc, (0.5, 1, -2), r"the cost C\(\+\|-\) must not be negative, found -2.0"),
        (pc, (0.5, INF, 1), r"the cost C\(-\|\+\) must be finite, found inf"),
        (pc, (0.5, 1, NAN), r"the cost C\(\+\|-\) must be finite, found nan"),
        (pc, (0.5, 0, 0), r"PC\(\+\) is undefined: both p\(\+\) C\(-\|\+\) and p\(-\) C\(\+\|-\)"),
        (pc, (0, 1, 0), r"PC\(\+\) is undefined"),
        (pc, (1, 0, 1), r"PC\(\+\) is undefined"),
        (pc, ([0.5, 0.5], [1, 0], [1, 0]), r"PC\(\+\) is undefined"),
        (pc_from_ratio, (-1, 0.5), r"cost ratio C\(-\|\+\)/C\(\+\|-\) must be at least 0"),
        (pc_from_ratio, (NAN, 0.5), r"must be at least 0, found nan"),
        (pc_from_ratio, (1, 2), r"the prior p\(\+\) must be in \[0, 1\]"),
        (pc_from_ratio, (0, 1), r"PC\(\+\) is undefined"),
        (pc_from_ratio, (INF, 0), r"PC\(\+\) is undefined"),
        (ratio_from_pc, (1.1, 0.5), r"PC\(\+\) must be in \[0, 1\], found 1.1"),
        (ratio_from_pc, (0.5, 0), r"prior p\(\+\) strictly between 0 and 1, found 0.0"),
        (ratio_from_pc, (0.5, 1), r"prior p\(\+\) strictly between 0 and 1, found 1.0"),
        (ratio_from_pc, (0.5, NAN), r"the prior p\(\+\) must be in \[0, 1\], found nan"),
        (costs_from_matrix, ([[1, 1], [1, 0]],), r"negative must cost more than a .*, found 0.0"),
        (costs_from_matrix, ([[0, 1], [0, 2]],), r"positive must cost more than a .*, found -2.0"),
        (costs_from_matrix, ([[0, 1, 2]],), r"shape \(..., 2, 2\), found \(1, 3\)"),
        (costs_from_matrix, (3,), r"shape \(..., 2, 2\), found \(\)"),
        (costs_from_matrix, ([[0, NAN], [1, 0]],), r"the costs must be finite, found nan"),
        (nec, (1.1, 0, 0), r"PC\(\+\) must be in \[0, 1\], found 1.1"),
        (nec, (0.5, -0.1, 0), r"fp must be in \[0, 1\], found "),
        (nec, (0.5, 0, NAN), r"fn must be in \[0, 1\], found "),
        (point_to_line, (1.2, 0.5), r"fp must be in \[0, 1\], found 1.2"),
        (point_to_line, (0.2, -0.5), r"tp must be in \[0, 1\], found -0.5"),
        (line_to_point, (NAN, 0), r"at0 must be in \[0, 1\], found nan"),
        (line_to_point, (0, 2), r"at1 must be in \[0, 1\], found 2.0"),
        (roc_line_to_cost_point, (-1, 0.5), r"slope -1 has no image in cost space, found -1.0"),
        (roc_line_to_cost_point, ([1, -1], 0), r"slope -1 has no image"),
        (roc_line_to_cost_point, (INF, 0.5), r"the slope must be finite, found inf"),
        (roc_line_to_cost_point, (1, NAN), r"the intercept must be finite, found nan"),
        (roc_line_to_cost_point, (-1 + EPSILON, 1e300), r"beyond the floating-point numbers"),
        (cost_point_to_roc_line, (0, 0.5), r"vertical ROC line, at fp = nec, found 0.0"),
        (cost_point_to_roc_line, ([0.5, 0], 0.5), r"vertical ROC line, at fp = nec"),
        (cost_point_to_roc_line, (5e-324, 0.5), r"beyond the floating-point numbers"),
        (cost_point_to_roc_line, (NAN, 0.5), r"PC\(\+\) must be finite, found nan"),
        (cost_point_to_roc_line, (0.5, INF), r"the cost must be finite, found inf"),
    ],
)
def test_what_has_no_meaning_is_refused(
    call: Callable[..., Any], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call(*arguments)


# Numbers and arrays


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("pc", (0.25, 2.0, 3.0)),
        ("pc_from_ratio", (2.0, 0.25)),
        ("ratio_from_pc", (0.5, 0.25)),
        ("nec", (0.5, 0.25, 0.75)),
        ("point_to_line", (0.25, 0.75)),
        ("line_to_point", (0.25, 0.75)),
        ("roc_line_to_cost_point", (2.0, 0.25)),
        ("cost_point_to_roc_line", (0.25, 0.5)),
    ],
)
def test_numbers_give_floats_and_arrays_give_arrays(
    name: str, arguments: tuple[float, ...]
) -> None:
    call = getattr(cost_space, name)
    number, array = call(*arguments), call(*(np.full((2, 3), value) for value in arguments))
    mixed = call(np.full(4, arguments[0]), *arguments[1:])
    numbers, many, some = (
        result if isinstance(result, tuple) else (result,) for result in (number, array, mixed)
    )
    for single, repeated, broadcast in zip(numbers, many, some, strict=True):
        assert type(single) is float
        np.testing.assert_array_equal(repeated, np.full((2, 3), single))
        np.testing.assert_array_equal(broadcast, np.full(4, single))
        broadcast[0] = 9  # results are the caller's own
