"""Threshold rules on one curve, against the papers and against slow oracles in fractions."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.choosing.candidates import mistakes_of
from costcurves.choosing.choice import seen_there
from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import LIMITS, RULES, Limited, Setting
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores, union
from costcurves.curves.cost_space import nec
from costcurves.curves.curves import Curve
from costcurves.settings import NEEDS, Criterion, Selection

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


def test_every_rule_of_the_configuration_is_there_in_its_order() -> None:
    assert tuple(RULES) == get_args(Criterion)
    assert set(LIMITS) == set(NEEDS)


# Nearest train_pc


def nearest(points: OperatingPoints, trained: list[float]) -> Curve:
    return curve_of(RULES["nearest-train-pc"], points, train_pc=np.array(trained))


def test_the_switch_is_at_the_mid_point_of_pc_values_not_of_ratios() -> None:
    # D&H 2000 s2.3, Figs 17-18: ratios 11 (A) and 5.1 (B), PCF(+) = 1 / (1 + R)
    curve = nearest(family([(1, 2), (2, 3)]), [1 / 12, 1 / 6.1])
    assert curve.pc[1] == pytest.approx(0.12363, abs=5e-6)
    assert curve.pc[1] == (1 / 12 + 1 / 6.1) / 2
    assert curve.at0.tolist() == [1 / 5, 2 / 5]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=5, unique=True), st.integers(0, 200))
def test_the_nearest_member_serves(twentieths: list[int], place: int) -> None:
    points = family([(i, i % 5) for i in range(len(twentieths))])
    trained = [Fraction(k, 20) for k in twentieths]
    curve = nearest(points, [float(t) for t in trained])
    pc = Fraction(place, 200) + Fraction(1, 1000)  # never a mid-point
    if pc < 1:
        member = min(range(len(trained)), key=lambda i: abs(trained[i] - pc))
        cost = nec(float(pc), points.fp[member], points.fn[member])
        assert curve(float(pc)) == pytest.approx(cost, abs=1e-15)


def test_at_a_mid_point_the_member_of_the_higher_pc_takes_over() -> None:
    curve = nearest(family([(0, 1), (5, 4)]), [0.25, 0.75])
    assert curve(0.5) == 0.5 * (1 + 0)
    assert curve(0.5, side="left") == 0.5 * 0.75


# Probabilities, scores and rates


def test_positive_iff_p_is_at_least_one_minus_pc() -> None:
    curve = curve_of(RULES["score-driven"], from_scores(scores=[0.75, 0.5, 0.25], labels=[1, 0, 1]))
    assert curve.pc.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert curve.at0.tolist() == [0, 0, 1, 1]
    assert curve.at1.tolist() == [1, 0.5, 0.5, 0]


def test_certain_probabilities_serve_from_end_to_end() -> None:
    curve = curve_of(RULES["score-driven"], from_scores(scores=[1, 0], labels=[1, 0]))
    assert (curve.pc.tolist(), curve.area()) == ([0, 1], 0)


def test_margins_are_refused() -> None:
    with pytest.raises(ValueError, match=r"in \[0, 1\]; found 1\.5"):
        curve_of(RULES["score-driven"], from_scores(scores=[1.5, 0.5], labels=[1, 0]))


@pytest.mark.parametrize(
    ("threshold", "rates"),
    [(0.4, (0.5, 0)), (0.400001, (0.5, 0.5)), (0.95, (0, 1)), (-5, (1, 0))],
)
def test_a_fixed_score_is_at_or_above_it(threshold: float, rates: tuple[float, float]) -> None:
    points = from_scores(scores=[0.1, 0.6, 0.4, 0.9], labels=[0, 0, 1, 1])
    curve = curve_of(RULES["score-fixed"], points, Setting(Selection(score_threshold=threshold)))
    assert (curve.at0[0], curve.at1[0]) == rates


@pytest.mark.parametrize(
    ("rate", "rates"), [(0.3, (0.125, 0)), (0.2, (0, 0)), (0, (0, 1)), (1, (1, 0)), (0.1, (0, 0.5))]
)
def test_a_rate_is_of_all_cases(rate: float, rates: tuple[float, float]) -> None:
    points = from_scores(scores=[0.9, 0.8, 0.7, 0.6, 0.5], labels=[1, 0, 0, 0, 0])
    curve = curve_of(RULES["rate-fixed"], points, Setting(Selection(rate=rate)))
    assert (curve.at0[0], curve.at1[0]) == pytest.approx(rates)


def test_without_a_rate_the_share_of_positives_is_taken() -> None:
    points = from_scores(scores=[0.9, 0.8, 0.7, 0.6], labels=[1, 0, 0, 0])
    curve = curve_of(RULES["rate-fixed"], points, Setting(positives=0.25))
    assert (curve.at0[0], curve.at1[0]) == (0, 0)


# Limits


def within(name: str, points: OperatingPoints, limit: float) -> Curve:
    """The curve of a rule with a limit: an FP rate, or a number of cases."""
    selection = Selection(max_fp_rate=limit, capacity=limit)
    cases = float(points.negatives[0] + points.positives[0])
    return curve_of(RULES[name], points, Setting(selection, one_pass=cases))


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
    curve = within("neyman-pearson", family(points), twentieths / 20)
    assert len(curve) == 1
    assert 1 - curve.at1[0] == pytest.approx(float(best / SIZES[1]), abs=1e-14)
    assert curve.at0[0] == pytest.approx(twentieths / 20, abs=1e-14)


@pytest.mark.parametrize(
    ("point", "limit", "rates"),
    [((1, 3), 0.2, (0.2, 0.25)), ((0, 3), 0, (0, 0.25)), ((0, 3), 1, (1, 0)), ((1, 3), 0, (0, 1))],
)
def test_neyman_pearson_at_a_vertex_needs_no_draw(
    point: tuple[int, int], limit: float, rates: tuple[float, float]
) -> None:
    rule, points = RULES["neyman-pearson"], family([point])
    assert isinstance(rule, Limited)
    setting = Setting(Selection(max_fp_rate=limit))
    assert rule.between(seen_there(mistakes_of(points)), setting).share.tolist() == [0]
    curve = curve_of(rule, points, setting)
    assert (curve.at0[0], curve.at1[0]) == rates


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
    curve = within("workforce", family(points), float(capacity))
    assert 1 - curve.at1[0] == pytest.approx(float(best / SIZES[1]), abs=1e-14)
    used = curve.at0[0] * SIZES[0] + (1 - curve.at1[0]) * SIZES[1]
    assert used == pytest.approx(min(float(capacity), 9), abs=1e-13)  # eq. 11, kept busy


@given(counts, st.integers(0, 9))
def test_the_workforces_line_goes_through_the_virtual_point(
    points: list[tuple[int, int]], capacity: int
) -> None:
    # D&H 2000 eq. 14: NE[C] = (1 - C/P + (N/P - 1) FP) PCF(+) + FP
    curve = within("workforce", family(points), capacity)
    n, p = SIZES
    slope = 1 - capacity / p + (n / p - 1) * curve.at0[0]
    assert curve.at1[0] - curve.at0[0] == pytest.approx(slope, abs=1e-14)


@pytest.mark.parametrize("name", [name for name in RULES if name != "cross-fitted"])
def test_rules_look_at_one_curve_at_a_time(name: str) -> None:
    two = from_scores(scores=[0.1, 0.4, 0.1, 0.4], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1])
    with pytest.raises(ValueError, match="one curve at a time, found 2"):
        curve_of(RULES[name], two)
