"""Selection criteria against the papers and against slow oracles in fractions."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.maths.choosing import threshold_choice
from costcurves.maths.choosing.selection import (
    nearest_train_pc,
    neyman_pearson,
    rate_driven,
    rate_fixed,
    score_driven,
    score_fixed,
    workforce,
    workforce_point,
)
from costcurves.maths.counts.operating_points import (
    OperatingPoints,
    from_decisions,
    from_scores,
    union,
)
from costcurves.maths.geometry.cost_space import nec, roc_line_to_cost_point
from costcurves.maths.geometry.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE

SIZES = (5, 4)  # negatives, positives
counts = st.lists(
    st.tuples(st.integers(0, SIZES[0]), st.integers(0, SIZES[1])), min_size=1, max_size=5
)


def family(points: list[tuple[int, int]]) -> OperatingPoints:
    """Members with these (fp_count, tp_count), on 5 negatives and 4 positives."""
    labels = [0] * SIZES[0] + [1] * SIZES[1]
    decisions = [
        decision
        for fp, tp in points
        for decision in [1] * fp + [0] * (SIZES[0] - fp) + [1] * tp + [0] * (SIZES[1] - tp)
    ]
    members = from_decisions(
        decisions=decisions,
        labels=labels * len(points),
        groups=np.repeat(np.arange(len(points)), 9),
    )
    return union(members, [0] * len(points))


def mixtures(points: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """All pairs of operating points between which a draw may decide."""
    everyone = [*points, (0, 0), SIZES]
    return product(everyone, everyone)


# Nearest train_pc


def test_the_switch_is_at_the_mid_point_of_pc_values_not_of_ratios() -> None:
    # D&H 2000 s2.3, Figs 17-18: ratios 11 (A) and 5.1 (B), PCF(+) = 1 / (1 + R)
    hybrid = nearest_train_pc(family([(1, 2), (2, 3)]), [1 / 12, 1 / 6.1])
    assert hybrid.curve.pc[1] == pytest.approx(0.12363, abs=5e-6)
    assert hybrid.curve.pc[1] == (1 / 12 + 1 / 6.1) / 2
    assert hybrid.holders.tolist() == [0, 1]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=5, unique=True), st.integers(0, 200))
def test_the_nearest_member_serves(twentieths: list[int], place: int) -> None:
    points = family([(i, i % 5) for i in range(len(twentieths))])
    trained = [Fraction(k, 20) for k in twentieths]
    hybrid = nearest_train_pc(points, [float(t) for t in trained])
    pc = Fraction(place, 200) + Fraction(1, 1000)  # never a mid-point
    if pc < 1:
        nearest = min(range(len(trained)), key=lambda i: abs(trained[i] - pc))
        piece = np.searchsorted(hybrid.curve.pc, float(pc), side="right") - 1
        assert hybrid.holders[piece] == nearest
        cost = nec(float(pc), points.fp[nearest], points.fn[nearest])
        assert hybrid.curve(float(pc)) == pytest.approx(cost, abs=1e-15)


def test_at_a_mid_point_the_member_of_the_higher_pc_takes_over() -> None:
    hybrid = nearest_train_pc(family([(0, 1), (5, 4)]), [0.25, 0.75])
    assert hybrid.curve(0.5) == 0.5 * (1 + 0)
    assert hybrid.curve(0.5, side="left") == 0.5 * 0.75


def test_trivial_classifiers_are_not_added() -> None:
    hybrid = nearest_train_pc(family([(5, 0)]), [0.5])
    assert hybrid.curve.area() == 1


def test_members_need_one_train_pc_each() -> None:
    points = family([(1, 2), (2, 3)])
    with pytest.raises(ValueError, match=r"member 1 has no train_pc: choosing the nearest"):
        nearest_train_pc(points, [0.5, np.nan])
    with pytest.raises(ValueError, match="one train_pc a member: expected 2, found 3"):
        nearest_train_pc(points, [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r"train_pc must be in \[0, 1\], found 11"):
        nearest_train_pc(points, [0.5, 11])
    with pytest.raises(ValueError, match=r"2 operating points have train_pc 0\.5"):
        nearest_train_pc(points, [0.5, 0.5])


# Probabilities, scores and rates


def test_positive_iff_p_is_at_least_one_minus_pc() -> None:
    points = from_scores(scores=[0.75, 0.5, 0.25], labels=[1, 0, 1])
    hybrid = score_driven(points)
    assert hybrid.curve.pc.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert hybrid.holders.tolist() == [0, 1, 2, 3]


def test_certain_probabilities_serve_from_end_to_end() -> None:
    hybrid = score_driven(from_scores(scores=[1, 0], labels=[1, 0]))
    assert hybrid.curve.pc.tolist() == [0, 1]
    assert hybrid.holders.tolist() == [1]


def test_margins_are_refused() -> None:
    with pytest.raises(ValueError, match=r"in \[0, 1\]; found 1\.5"):
        score_driven(from_scores(scores=[1.5, 0.5], labels=[1, 0]))


def test_a_rate_is_of_all_cases() -> None:
    points = from_scores(scores=[0.9, 0.8, 0.7, 0.6, 0.5], labels=[1, 0, 0, 0, 0])
    hybrid = rate_fixed(points, 0.3)
    assert (hybrid.holders[0], hybrid.alternates[0]) == (1, 2)
    assert hybrid.shares[0] == pytest.approx(0.5)
    assert hybrid.curve.at0[0] == pytest.approx(0.125)


def test_criteria_over_pc_are_threshold_choice_over_skews() -> None:
    points = from_scores(scores=[0.9, 0.6, 0.6, 0.2], labels=[1, 1, 0, 0])
    for one, other in (
        (rate_driven(points), threshold_choice.rate_driven(points, "skew")),
        (score_driven(points), threshold_choice.score_driven(points, "skew")),
        (score_fixed(points, 0.6), threshold_choice.score_fixed(points, 0.6, "skew")),
    ):
        assert one.curve.at0.tolist() == other.curve.at0.tolist()
        assert one.holders.tolist() == other.holders.tolist()


# Neyman-Pearson


@given(counts, st.integers(0, 20))
def test_neyman_pearson_is_the_best_draw_between_two(
    points: list[tuple[int, int]], twentieths: int
) -> None:
    limit = Fraction(twentieths, 20) * SIZES[0]
    best = Fraction(0)
    for (fp, tp), (other_fp, other_tp) in mixtures(points):
        if fp <= limit:
            best = max(best, Fraction(tp))
        if fp < limit <= other_fp:
            best = max(best, tp + (limit - fp) / (other_fp - fp) * (other_tp - tp))
    curve = neyman_pearson(family(points), twentieths / 20).curve
    assert len(curve) == 1
    assert 1 - curve.at1[0] == pytest.approx(float(best / SIZES[1]), abs=1e-14)
    assert curve.at0[0] == pytest.approx(twentieths / 20, abs=1e-14)


def test_neyman_pearson_at_a_vertex_needs_no_draw() -> None:
    hybrid = neyman_pearson(family([(1, 3)]), 0.2)
    assert (hybrid.holders.tolist(), hybrid.shares.tolist()) == ([0], [0])
    assert neyman_pearson(family([(0, 3)]), 0).holders.tolist() == [0]
    assert neyman_pearson(family([(0, 3)]), 1).holders.tolist() == [ALWAYS_POSITIVE]
    assert neyman_pearson(family([(1, 3)]), 0).holders.tolist() == [ALWAYS_NEGATIVE]


def test_neyman_pearson_uses_the_hull_not_the_raw_curve() -> None:
    points = from_scores(
        scores=[0.9, 0.8, 0.7, 0.6], labels=[1, 0, 1, 0]
    )  # hull: (0, 0) (0, .5) (.5, 1) (1, 1)
    assert neyman_pearson(points, 0.25).curve.at1[0] == pytest.approx(0.25)


@pytest.mark.parametrize("rate", [-0.1, 1.1, np.nan])
def test_the_highest_fp_rate_must_be_a_rate(rate: float) -> None:
    with pytest.raises(ValueError, match=rf"FP rate allowed must be in \[0, 1\], found {rate}"):
        neyman_pearson(family([(1, 3)]), rate)


# Workforce


@given(counts, st.integers(0, 20))
def test_workforce_is_the_best_draw_between_two(points: list[tuple[int, int]], halves: int) -> None:
    capacity = Fraction(halves, 2)
    best = Fraction(0)
    for (fp, tp), (other_fp, other_tp) in mixtures(points):
        if fp + tp <= capacity:
            best = max(best, Fraction(tp))
        if fp + tp < capacity <= other_fp + other_tp:
            share = (capacity - fp - tp) / (other_fp + other_tp - fp - tp)
            best = max(best, tp + share * (other_tp - tp))
    curve = workforce(family(points), float(capacity)).curve
    assert 1 - curve.at1[0] == pytest.approx(float(best / SIZES[1]), abs=1e-14)
    used = curve.at0[0] * SIZES[0] + (1 - curve.at1[0]) * SIZES[1]
    assert used == pytest.approx(min(float(capacity), 9), abs=1e-13)  # eq. 11, kept busy


@given(counts, st.integers(0, 9))
def test_the_workforces_line_goes_through_the_virtual_point(
    points: list[tuple[int, int]], capacity: int
) -> None:
    curve = workforce(family(points), capacity).curve
    point = workforce_point(*SIZES, capacity)
    assert point is not None
    at = curve.at0[0] + point.pc * (curve.at1[0] - curve.at0[0])
    assert at == pytest.approx(point.nec, abs=1e-13)
    # D&H 2000 eq. 14: NE[C] = (1 - C/P + (N/P - 1) FP) PCF(+) + FP
    n, p = SIZES
    slope = 1 - capacity / p + (n / p - 1) * curve.at0[0]
    assert curve.at1[0] - curve.at0[0] == pytest.approx(slope, abs=1e-14)


def test_no_workforce_and_more_than_enough() -> None:
    assert workforce(family([(1, 3)]), 0).holders.tolist() == [ALWAYS_NEGATIVE]
    assert workforce(family([(1, 3)]), 9).holders.tolist() == [ALWAYS_POSITIVE]
    assert workforce(family([(1, 3)]), np.inf).holders.tolist() == [ALWAYS_POSITIVE]
    assert workforce(family([(0, 4)]), 9).curve.at0.tolist() == [1]


def test_the_virtual_point_lies_left_or_right_or_nowhere() -> None:
    left, right = workforce_point(30, 10, 5), workforce_point(10, 30, 5)
    assert left is not None
    assert left.pc == -0.5
    assert right is not None
    assert right.pc == 1.5  # the paper says "negative"
    assert workforce_point(10, 10, 5) is None
    dual = roc_line_to_cost_point(-30 / 10, 5 / 10)  # eq. 12 through the duality
    assert (left.pc, left.nec) == pytest.approx(dual)


@pytest.mark.parametrize("capacity", [-1, np.nan])
def test_a_capacity_is_not_negative(capacity: float) -> None:
    with pytest.raises(ValueError, match=f"0 cases or more, found {capacity}"):
        workforce(family([(1, 3)]), capacity)
    with pytest.raises(ValueError, match=f"0 cases or more, found {capacity}"):
        workforce_point(10, 10, capacity)
    with pytest.raises(ValueError, match="class sizes must be positive, found 0 and 3"):
        workforce_point(0, 3, 1)


@pytest.mark.parametrize(
    "criterion",
    [
        score_driven,
        rate_driven,
        lambda points: score_fixed(points, 0.5),
        lambda points: rate_fixed(points, 0.5),
        lambda points: neyman_pearson(points, 0.5),
        lambda points: workforce(points, 1),
        lambda points: nearest_train_pc(points, [0.5, 0.6]),
    ],
)
def test_criteria_look_at_one_curve_at_a_time(criterion: object) -> None:
    two = from_scores(scores=[0.1, 0.4, 0.1, 0.4], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1])
    assert callable(criterion)
    with pytest.raises(ValueError, match="one curve at a time, found 2"):
        criterion(two)
