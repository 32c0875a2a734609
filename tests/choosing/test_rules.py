"""Threshold rules on one curve, against the papers and against slow oracles in fractions."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import LIMITS, RULES, Setting
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores, union
from costcurves.settings import NEEDS, Criterion, Selection

SIZES = (5, 4)  # negatives, positives
counts = st.lists(
    st.tuples(st.integers(0, SIZES[0]), st.integers(0, SIZES[1])), min_size=1, max_size=5
)


def family(points: list[tuple[int, int]]) -> OperatingPoints:
    """Members with these (fp_count, tp_count), on 5 negatives and 4 positives."""
    n, p = SIZES
    each = [[1] * fp + [0] * (n - fp) + [1] * tp + [0] * (p - tp) for fp, tp in points]
    members = from_decisions(
        decisions=np.concatenate(each),
        labels=([0] * n + [1] * p) * len(points),
        groups=np.repeat(np.arange(len(points)), n + p),
    )
    return union(members, [0] * len(points))


def test_every_rule_of_the_configuration_is_there_in_its_order() -> None:
    assert tuple(RULES) == get_args(Criterion)
    assert set(LIMITS) == set(NEEDS)


# Nearest train_pc


def test_the_switch_is_at_the_mid_point_of_pc_values_not_of_ratios() -> None:
    # D&H 2000 s2.3, Figs 17-18: ratios 11 (A) and 5.1 (B), PCF(+) = 1 / (1 + R)
    rule, trained = RULES["nearest-train-pc"], np.array([1 / 12, 1 / 6.1])
    curve = curve_of(rule, family([(1, 2), (2, 3)]), train_pc=trained)
    assert curve.pc[1] == pytest.approx(0.12363, abs=5e-6)
    assert curve.pc[1] == (1 / 12 + 1 / 6.1) / 2
    assert curve.at0.tolist() == [1 / 5, 2 / 5]
    # The member of the higher takes over.
    halved = curve_of(rule, family([(0, 1), (5, 4)]), train_pc=np.array([0.25, 0.75]))
    assert (halved(0.5), halved(0.5, side="left")) == (0.5, 0.5 * 0.75)


# Scores and rates

SCORES = [0.1, 0.6, 0.4, 0.9], [0, 0, 1, 1]
FIVE = [0.9, 0.8, 0.7, 0.6, 0.5], [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("rows", "selection", "rates"),
    [
        # At or above a score
        (SCORES, Selection(score_threshold=0.4), (0.5, 0)),
        (SCORES, Selection(score_threshold=0.400001), (0.5, 0.5)),
        (SCORES, Selection(score_threshold=-5), (1, 0)),
        # A rate of all cases; without one the share of positives is taken
        (FIVE, Selection(rate=0.3), (0.125, 0)),
        (FIVE, Selection(), (0, 0)),
        (FIVE, Selection(rate=0), (0, 1)),
        (FIVE, Selection(rate=1), (1, 0)),
    ],
)
def test_a_fixed_score_and_a_fixed_rate(
    rows: tuple[list[float], list[int]], selection: Selection, rates: tuple[float, float]
) -> None:
    rule = RULES["score-fixed" if rows is SCORES else "rate-fixed"]
    points = from_scores(scores=rows[0], labels=rows[1])
    curve = curve_of(rule, points, Setting(selection, positives=0.2))
    assert (curve.at0[0], curve.at1[0]) == pytest.approx(rates)


# Limits


@given(counts, st.integers(0, 20), st.sampled_from([*LIMITS]))
def test_a_limit_is_kept_to_the_full(points: list[tuple[int, int]], place: int, name: str) -> None:
    """What is the best within it, tests/choosing/test_cross_fitting.py compares."""
    n, p = SIZES
    weight = int(name == "workforce")  # of a true positive in what is limited
    limit = place / 20 * (n + weight * p)
    selection = Selection(max_fp_rate=place / 20, capacity=limit)
    curve = curve_of(RULES[name], family(points), Setting(selection, one_pass=n + p))
    ((fp_rate, fn_rate),) = zip(curve.at0, curve.at1, strict=True)
    busy = fp_rate * n + weight * (1 - fn_rate) * p
    assert busy == pytest.approx(limit, abs=1e-13)  # D&H 2000 eq. 11: kept busy
    if weight:  # eq. 14: NE[C] = (1 - C/P + (N/P - 1) FP) PCF(+) + FP, through a virtual point
        slope = 1 - limit / p + (n / p - 1) * fp_rate
        assert fn_rate - fp_rate == pytest.approx(slope, abs=1e-14)
