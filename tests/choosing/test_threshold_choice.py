"""Threshold choice methods: the note's figures and identities, and slow oracles in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.curves import curves
from costcurves.curves.curves import better_than
from costcurves.ranking import roc
from costcurves.ranking.threshold_choice import METHODS, Axis, loss_curve
from costcurves.settings import Selection
from tests.strategies import probabilities

COST: Axis = "cost proportion"
AXES: list[Axis] = ["skew", COST]

one_class = st.lists(probabilities, min_size=1, max_size=6)
axes = st.sampled_from(AXES)


def of(negatives: Sequence[float], positives: Sequence[float]) -> OperatingPoints:
    return from_scores(
        scores=[*negatives, *positives], labels=[0] * len(negatives) + [1] * len(positives)
    )


def of_note(percent: Sequence[Fraction | int], classes: str) -> OperatingPoints:
    """From the note's conventions to ours: class 0 is positive, scores estimate p(class 1)."""
    mirrored = [float(1 - Fraction(score, 100)) for score in percent]
    return from_scores(scores=mirrored, labels=[1 - int(label) for label in classes])


def ranked(classes: str) -> OperatingPoints:
    """A ranking in the note's order, from its highest score down, without ties."""
    n = len(classes)
    return of_note([Fraction(100 * (n - 1 - i), n - 1) for i in range(n)], classes)


FIG_1_SCORES = [95, 90, 90, 85, 70, 70, 70, 55, 45, 20, 20, 18, 16, 15, 5]
FIG_1 = ["101000100000010", "101001000000100"]  # 14 of 15 classes are printed: two ways to complete
FIG_2 = of_note([95, 90, 80, 30, 20, 10, 5], "1011000")
FIG_3, FIG_4, FIG_5 = ranked("1" * 20 + "0" * 20), ranked("0" * 20 + "1" * 20), ranked("10" * 20)
FIG_6 = ranked("111101110111101100010" + "100")  # 21 of 24 printed; 9 positives, AUC 0.7777
CRISP = from_decisions(decisions=[1, 0], labels=[1, 0])
FIG_7 = of_note([100, *[Fraction(500, 6)] * 6, *[25] * 4], "11111100001")


def class_weights(points: OperatingPoints, axis: Axis) -> tuple[float, float]:
    """Weights of the negatives and of the positives."""
    negatives, positives = int(points.negatives[0]), int(points.positives[0])
    cases = negatives + positives
    return (0.5, 0.5) if axis == "skew" else (negatives / cases, positives / cases)


def limit(points: OperatingPoints) -> float:
    """Prop. 3: the area under the ROC cost curve of infinitely many instances."""
    negative, positive = class_weights(points, COST)
    both = negative * positive
    return 2 * both * (1 - float(roc.auc(points)[0])) + 1 / 3 - both


# The note's figures


@pytest.mark.parametrize("classes", FIG_1)
def test_fig_1_hull_and_optimal_curve(classes: str) -> None:
    points = of_note(FIG_1_SCORES, classes)
    assert (points.negatives[0], points.positives[0]) == (4, 11)
    assert len(points.fp_count) == 12  # "the 12 cost lines (one more than distinct scores)", p. 6
    fp, tp = np.diff(points.fp_count), np.diff(points.tp_count)
    assert 1 + np.count_nonzero(fp[1:] * tp[:-1] != tp[1:] * fp[:-1]) == 7  # "7 segments", p. 6
    curve = loss_curve("optimal", points)
    assert len(curve) == 4  # 5 hull segments, of which the two trivial ends serve no condition
    assert curve(0.8) == pytest.approx(0.15)  # p. 6: F_0 = 11/11, F_1 = 3/4 is optimal at skew 0.8
    piece = np.searchsorted(curve.pc, 0.8) - 1
    assert (curve.at1[piece], curve.at0[piece]) == (0, 0.75)


def test_fig_2_roc_cost_curve() -> None:
    curve = loss_curve("rate-driven", FIG_2, COST)
    assert curve.pc.tolist() == [k / 8 for k in range(9)]  # s4.1: each exactly 1/8 wide
    assert curve.at0 == pytest.approx(2 * FIG_2.fp_count / 7)  # the cuts, in their order
    assert roc.auc(FIG_2)[0] == pytest.approx(5 / 6)
    assert curve.area() == pytest.approx(19 / 112, abs=1e-15)  # printed 0.1695, s5
    assert limit(FIG_2) == pytest.approx(0.1701, abs=5e-5)  # s5
    assert limit(FIG_2) == pytest.approx(0.25 + 1 / 3 - 2 * 5 / 6 * 12 / 49 - (0.25 - 12 / 49))
    difference = curve - loss_curve("optimal", FIG_2, COST)  # only the fourth and the seventh are
    touching = [i for i in better_than(difference, curves.line(0, 0)) if i.sign == 0]
    assert [(i.low, i.high) for i in touching] == [(3 / 8, 4 / 8), (6 / 8, 7 / 8)]


@pytest.mark.parametrize(
    ("points", "area", "least"),
    [
        (FIG_3, Fraction(1, 12), 0),  # "1/12 for a perfect classifier", s5 and Fig. 3
        (FIG_4, Fraction(7, 12), Fraction(1, 4)),  # "7/12 for the worst", "loss of 1/4", Fig. 4
        # AUC 21/40, "approximates 1/3", "the optimal choice is the same as in the previous case":
        # not quite, in the printed order.
        (FIG_5, Fraction(7, 12) - Fraction(21, 80), Fraction(19, 80)),
        (ranked("01" * 20), Fraction(7, 12) - Fraction(19, 80), Fraction(1, 4)),
    ],
)
def test_figs_3_to_5(points: OperatingPoints, area: Fraction, least: Fraction) -> None:
    exact_area = float((40 * area + Fraction(1, 6)) / 41)
    curve = loss_curve("rate-driven", points, COST)
    assert curve.area() == pytest.approx(exact_area, abs=1e-15)
    assert limit(points) == pytest.approx(float(area))
    assert loss_curve("optimal", points, COST).area() == pytest.approx(float(least))
    if points is FIG_3:  # optimal at both ends and in the middle
        assert (curve(0), curve(0.5), curve(1)) == (0, 0, 0)


def test_fig_6_evenly_spaced_scores() -> None:
    assert (FIG_6.negatives[0], FIG_6.positives[0]) == (15, 9)
    assert roc.auc(FIG_6)[0] == pytest.approx(7 / 9)
    assert limit(FIG_6) == pytest.approx(0.203125)
    brier = loss_curve("score-driven", FIG_6, COST).area()
    assert brier == pytest.approx(0.2047101, abs=5e-8)  # printed .2006
    assert brier == pytest.approx((24 * 0.203125 - 1 / 6) / 23, abs=1e-15)


def test_fig_7_a_calibrated_classifier_has_no_calibration_loss() -> None:
    assert (FIG_7.negatives[0], FIG_7.positives[0]) == (7, 4)
    brier, best = loss_curve("score-driven", FIG_7, COST), loss_curve("optimal", FIG_7, COST)
    assert np.abs((brier - best).starts).max() < 1e-15
    assert brier.area() == pytest.approx(best.area(), abs=1e-16)
    assert brier.pc.tolist() == pytest.approx([0, 0.25, 5 / 6, 1])  # optimal "from c = 0.25"
    # The second ROC point predicts 4 of 11 positive: served from 4/12 (printed: 4/11) on.
    curve = loss_curve("rate-driven", FIG_7, COST)
    piece = np.flatnonzero(np.isclose(curve.at0, 2 * FIG_7.fp_count[1] / 11))
    assert curve.pc[piece].tolist() == [4 / 12]


def test_a_random_ranking_draws_the_gini_index() -> None:
    points = of([0.5] * 50, [0.5] * 50)  # s5: y = 2 c (1 - c) in the limit
    curve = loss_curve("rate-driven", points, COST)
    c = np.arange(100) / 100
    assert curve(c) == pytest.approx(2 * c * (1 - c))


# Slow oracles


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=3), min_size=1, max_size=4).filter(
        lambda blocks: len({label for block in blocks for label in block}) == 2
    )
)
def test_roc_cost_curve_is_the_mean_over_all_orders_of_ties(blocks: list[list[int]]) -> None:
    """The n + 1 cuts of a ranking, from most to least positive, serve a width of 1 / (n + 1)."""
    orders: list[list[int]] = [[]]
    for block in blocks:
        orders = [order + list(part) for order in orders for part in permutations(block)]
    n = len(orders[0])
    cuts = [[(order[:k].count(0), order[k:].count(1)) for order in orders] for k in range(n + 1)]
    at0, at1 = 2 * np.mean(cuts, axis=1).T / n
    scores = [-float(i) + 10 for i, block in enumerate(blocks) for _ in block]
    curve = loss_curve("rate-driven", from_scores(scores=scores, labels=orders[0]), COST)
    assert curve.pc == pytest.approx(np.arange(n + 2) / (n + 1), abs=1e-15)
    assert [*curve.at0, *curve.at1] == pytest.approx([*at0, *at1], abs=1e-15)


@given(one_class, one_class, axes)
def test_brier_curve_decides_by_probability_and_the_optimal_one_by_cost(
    negatives: list[float], positives: list[float], axis: Axis
) -> None:
    points = of(negatives, positives)
    curve, best = (loss_curve(method, points, axis) for method in ("score-driven", "optimal"))
    negative, positive = class_weights(points, axis)
    scores = [*negatives, *positives]
    for x in [*(1 - np.array(scores)), 0.1, 0.37, 0.62, 0.99]:
        least = 2 * (x * positive * points.fn + (1 - x) * negative * points.fp).min()
        assert best(x) == pytest.approx(least, abs=1e-13)
        fp = np.mean([score >= 1 - x for score in negatives])
        fn = np.mean([score < 1 - x for score in positives])
        loss = 2 * (x * positive * fn + (1 - x) * negative * fp)
        near = [s for s in scores if 0 < abs(1 - x - s) < 1e-15]
        if not near and 0 < x < 1:  # scores closer than the spacing of doubles share a break point
            assert curve(x) == pytest.approx(loss, abs=1e-14)


# Identities at finite n


@given(one_class, one_class, st.floats(0, 1), axes)
def test_areas_that_are_known_and_curves_that_none_beats(
    negatives: list[float], positives: list[float], rate: float, axis: Axis
) -> None:
    points, n = of(negatives, positives), len(negatives) + len(positives)
    score = roc.brier([*negatives, *positives], [0] * len(negatives) + [1] * len(positives))
    assert loss_curve("score-driven", points, COST).area() == pytest.approx(score, abs=1e-14)
    closed = (n * limit(points) + 1 / 6) / (n + 1)  # the open problem of the note
    assert loss_curve("rate-driven", points, COST).area() == pytest.approx(closed, abs=1e-13)
    fixed = loss_curve("rate-fixed", points, axis, Selection(rate=rate))
    met = class_weights(points, axis)[1] + (fixed.at0[0] - fixed.at1[0]) / 2
    assert met == pytest.approx(rate, abs=1e-14)
    best = loss_curve("optimal", points, axis) + curves.line(-1e-14, -1e-14)
    for method in METHODS:
        other = loss_curve(method, points, axis)
        assert not [part for part in better_than(best, other) if part.sign > 0]


@given(st.lists(st.integers(0, 1), min_size=2, max_size=30).filter(lambda c: len(set(c)) == 2))
def test_evenly_spaced_scores_turn_the_brier_score_into_auc(classes: list[int]) -> None:
    points = ranked("".join(map(str, classes)))  # Corollary 6, which is asymptotic, at finite n
    n = len(classes)
    closed = (n * limit(points) - 1 / 6) / (n - 1)
    assert loss_curve("score-driven", points, COST).area() == pytest.approx(closed, abs=1e-14)


@pytest.mark.parametrize(
    ("method", "points", "message"),
    [
        ("score-driven", of([0.5, 2.0], [3.5, 0.25]), r"in \[0, 1\]; found 3\.5 \(2 distinct"),
        ("score-driven", CRISP, "this needs the scores of one classifier"),
        ("prior", FIG_2, "method is 'prior', expected one of score-fixed,"),
    ],
)
def test_what_is_refused(method: str, points: OperatingPoints, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loss_curve(method, points)
