"""Cost space and Reid's variant of it: exact fractions, there and back again, and every error."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costcurves.curves import cost_space as space
from costcurves.curves import reid
from costcurves.curves.cost_space import costs_from_matrix, nec, pc, pc_from_ratio, ratio_from_pc
from tests.strategies import rates

EPSILON = float(np.finfo(np.float64).eps)
INF, NAN = math.inf, math.nan

inside = st.floats(1e-6, 1 - 1e-6)
costs = st.fractions(0, 1000, max_denominator=100)
anything = st.floats(-1e6, 1e6)
two_rates = st.lists(rates, min_size=2, max_size=2, unique=True).map(sorted)


@given(rates, rates, rates, st.tuples(costs, costs, costs, costs))
def test_costs_are_shares_of_the_largest_cost(
    prior: Fraction, fp: Fraction, fn: Fraction, amounts: tuple[Fraction, ...]
) -> None:
    """Also where correct decisions cost something, and with the classes exchanged."""
    cost_fn, cost_fp, right_positive, right_negative = amounts
    of_positives, of_negatives = prior * cost_fn, (1 - prior) * cost_fp
    largest = of_positives + of_negatives
    assume(largest > 0)
    x = pc(float(prior), float(cost_fn), float(cost_fp))
    assert x == pytest.approx(float(of_positives / largest), rel=8 * EPSILON)
    mirrored = pc(float(1 - prior), float(cost_fp), float(cost_fn))
    assert mirrored == pytest.approx(1 - x, abs=4 * EPSILON)
    cost = (fn * of_positives + fp * of_negatives) / largest
    assert nec(x, float(fp), float(fn)) == pytest.approx(float(cost), abs=4 * EPSILON)
    if cost_fn > 0 and cost_fp > 0:
        positive = [right_positive, right_positive + cost_fn]
        negative = [right_negative + cost_fp, right_negative]
        mistakes = costs_from_matrix(np.array([positive, negative], dtype=float))
        assert pc(float(prior), *mistakes) == pytest.approx(x, abs=1e-10)


def test_extreme_conditions_are_legal() -> None:
    fn, fp = (
        [0, 1, 1e300, 1e-300, 1e308, 5e-324, 1e308],
        [1, 0, 1e-300, 1e300, 1e308, 5e-324, 5e-324],
    )
    assert pc([0.3, 0.3, 0, 1, 0.5, 0.5, 0.5], fn, fp).tolist() == [0, 1, 0, 1, 0.5, 0.5, 1]


@given(inside, inside)
def test_cost_ratios_there_and_back(x: float, prior: float) -> None:
    ratio = ratio_from_pc(x, prior)
    assert pc_from_ratio(ratio, prior) == pytest.approx(x, rel=1e-14)
    assert pc(prior, ratio) == pytest.approx(x, rel=1e-14)
    assert ratio_from_pc(1 - x, 1 - prior) == pytest.approx(1 / ratio, rel=1e-9)
    assert (pc_from_ratio(0, prior), pc_from_ratio(INF, prior)) == (0, 1)
    assert (ratio_from_pc(0, prior), ratio_from_pc(1, prior)) == (0, INF)
    assert ratio_from_pc(1 - EPSILON, 1e-320) == INF


@given(rates, rates, anything, anything)
def test_duality_there_and_back(fp: Fraction, tp: Fraction, slope: float, intercept: float) -> None:
    at0, at1 = space.point_to_line(float(fp), float(tp))
    assert (at0, at1) == (float(fp), pytest.approx(float(1 - tp), rel=4 * EPSILON))
    assert space.line_to_point(at0, at1) == pytest.approx((float(fp), float(tp)), abs=EPSILON)
    if abs(slope + 1) > 1e-3:
        x, y = space.roc_line_to_cost_point(slope, intercept)
        assert y == pytest.approx((1 - intercept) * x, rel=1e-12, abs=1e-300)
        scale = 1e-12 * (1 + abs(slope)) * (1 + abs(intercept))
        assert space.cost_point_to_roc_line(x, y) == pytest.approx((slope, intercept), abs=scale)


@given(two_rates, two_rates)
def test_two_classifiers_of_equal_cost_share_the_dual_of_where_their_lines_meet(
    fps: list[Fraction], tps: list[Fraction]
) -> None:
    """D&H 2006 eq. 1: the slope between two points says where their costs are equal."""
    slope = (tps[1] - tps[0]) / (fps[1] - fps[0])
    x, y = space.roc_line_to_cost_point(float(slope), float(tps[0] - slope * fps[0]))
    for fp, tp in zip(fps, tps, strict=True):
        assert y == pytest.approx(nec(x, float(fp), float(1 - tp)), abs=1e-13)


@given(rates, rates, rates, rates)
def test_reids_loss_is_the_normalized_cost_without_its_unit(
    fp: Fraction, tp: Fraction, c: Fraction, prior: Fraction
) -> None:
    """ERRATUM of the post: its inverse, with intercept ((1 - prior) c - loss) / w, is none."""
    weight, other = prior * (1 - c), (1 - prior) * c
    assume(weight + other > 0)
    expected = other * fp + weight * (1 - tp)
    loss = reid.point_to_loss(float(fp), float(tp), float(c), float(prior))
    assert loss == pytest.approx(float(expected), abs=2 * EPSILON)
    x = reid.pc(float(c), float(prior))
    assert x == pytest.approx(float(weight / (weight + other)), abs=4 * EPSILON)
    cost = nec(x, float(fp), float(1 - tp))
    assert reid.loss(cost, float(c), float(prior)) == pytest.approx(loss, abs=4 * EPSILON)
    if weight > 0:
        slope, intercept = reid.loss_to_roc_line(float(c), float(expected), float(prior))
        assert slope * float(fp) + intercept == pytest.approx(float(tp), abs=1e-13)
        printed = slope * float(fp) + float((other - expected) / weight)
        assert (printed == pytest.approx(float(tp), abs=1e-9)) == (other == weight)


BAD = {"must be in [0, 1]": [NAN, -0.1, 1.1], "must be finite": [NAN, INF]}
BAD["must be at least 0"] = [NAN, -1.0]
PRIOR, RATE = "the prior p(+) must be in [0, 1]", "{} must be in [0, 1]".format
REAL = "{} must be finite".format
RATIO = "the cost ratio C(-|+)/C(+|-) must be at least 0"


@pytest.mark.parametrize(
    ("call", "arguments", "refused"),
    [
        (pc, (0.25, 2.0, 3.0), [PRIOR, REAL("the cost C(-|+)"), REAL("the cost C(+|-)")]),
        (pc_from_ratio, (2.0, 0.25), [RATIO, PRIOR]),
        (ratio_from_pc, (0.5, 0.25), [RATE("PC(+)"), PRIOR]),
        (nec, (0.5, 0.25, 0.75), [RATE("PC(+)"), RATE("fp"), RATE("fn")]),
        (space.point_to_line, (0.25, 0.75), [RATE("fp"), RATE("tp")]),
        (space.line_to_point, (0.25, 0.75), [RATE("at0"), RATE("at1")]),
        (space.roc_line_to_cost_point, (2.0, 0.25), [REAL("the slope"), REAL("the intercept")]),
        (space.cost_point_to_roc_line, (0.25, 0.5), [REAL("PC(+)"), REAL("the cost")]),
        (reid.pc, (0.25, 0.5), [RATE("c"), PRIOR]),
        (reid.loss, (0.25, 0.5, 0.5), [RATE("nec"), RATE("c"), PRIOR]),
        (reid.point_to_loss, (0.25, 0.5, 0.5, 0.5), [RATE("fp"), RATE("tp"), RATE("c"), PRIOR]),
        (reid.loss_to_roc_line, (0.25, 0.5, 0.5), [RATE("c"), REAL("the loss"), PRIOR]),
    ],
)
def test_numbers_give_floats_and_arrays_arrays_and_each_argument_is_checked(
    call: Callable[..., Any], arguments: tuple[float, ...], refused: list[str]
) -> None:
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
    for place, message in enumerate(refused):
        for bad in BAD["must" + message.partition("must")[2]]:
            with pytest.raises(ValueError, match=re.escape(f"{message}, found {bad}")):
                call(*arguments[:place], bad, *arguments[place + 1 :])


def test_many_cost_matrices_at_once() -> None:
    matrices = np.array([[[0, 3], [1, 0]], [[-2, 1], [1, 0]], [[0, 1], [1, 0]]])
    assert np.array(costs_from_matrix(matrices)).tolist() == [[3, 3, 1], [1, 1, 1]]
    assert [type(cost) for cost in costs_from_matrix(matrices[0])] == [float, float]
