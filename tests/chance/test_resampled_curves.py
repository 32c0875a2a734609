"""Curves of resamples: against the exact curves of rows that are really drawn again, or weighed."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance import resampled_counts
from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampling import Weights, weights
from costcurves.choosing import rules
from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import RULES, Rule, Setting
from costcurves.counts.operating_points import from_decisions, from_scores, union, union_order
from costcurves.curves.cells import cells
from costcurves.curves.curves import Curve, average, line
from costcurves.curves.envelopes import lower_envelopes
from costcurves.settings import Selection
from tests.choosing.fitted import cross_fitted
from tests.strategies import EDGES

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

LABELS = np.repeat([1, 0, 0], [9, 7, 6])
CLUSTERS = None, np.arange(22) // 3, np.arange(22) % 6  # cases; clusters within a class, or not
REPEATS = np.array([0, 0, 0, 1, 1])  # three folds, then two
ALIKE = np.zeros(5, dtype=np.int64)
BREAKS = [0, 0.25, 1 / 3, 0.375, 0.5, 9 / 16, 0.625, 0.75, 1]
PLACES = np.unique(np.append(np.linspace(0, 1, 38)[1:-1] + 1e-4 * np.pi, BREAKS))
TRAINED = np.array([0.75, 0.25, 0.5])  # breaks at 0.375 and 0.625
SETTING = Setting(Selection(score_threshold=0.4, rate=0.3))


def as_it_was(labels: IntArray = LABELS) -> Weights:
    """Weights of one."""
    result = weights(labels, 1, np.random.default_rng(0))
    result.drawn[:], result.scale[:] = 1, 1
    return result


def scores(rng: np.random.Generator) -> Predicted:
    """Probabilities with ties, some hardly not 0 or 1, in two repeats of stratified folds."""
    instance, label = np.tile(np.arange(len(LABELS)), 2), np.tile(LABELS, 2)
    fold = np.concatenate([split_at_random(rng, 3), 3 + split_at_random(rng, 2)])
    score = np.clip((label + rng.normal(size=len(label))).round(1) / 3 + 0.3, 0, 1)
    score = np.where(rng.random(len(label)) < 0.2, rng.choice(EDGES + BREAKS, len(label)), score)
    return Predicted(instance, label, score, fold)


def split_at_random(rng: np.random.Generator, folds: int) -> IntArray:
    return np.concatenate([rng.permutation(size) % folds for size in (9, 13)])


def decisions(rng: np.random.Generator) -> Predicted:
    predicted = scores(rng)
    return replace(predicted, score=(predicted.score.astype(float) >= rng.random()).astype(int))


def family(rng: np.random.Generator) -> Predicted:
    """Three members that decide, in the order of `TRAINED`."""
    predicted = scores(rng)
    decided = np.concatenate([predicted.score >= 1 - pc for pc in TRAINED]).astype(int)
    rows, member = np.tile(np.arange(44), 3), np.repeat([0, 1, 2], 44)
    return replace(predicted.of(rows), score=decided, member=member)


def points_of(predicted: Predicted) -> Any:
    return from_scores(scores=predicted.score, labels=predicted.label, groups=predicted.curve)


def members_of(predicted: Predicted) -> tuple[Any, IntArray]:
    """The operating points of each fold, and the place of each in `TRAINED`."""
    groups = 5 * predicted.member + predicted.curve  # type: ignore[operator]
    each = from_decisions(decisions=predicted.score, labels=predicted.label, groups=groups)
    fold = np.tile(np.arange(5), 3)
    return union(each, fold), np.repeat(np.arange(3), 5)[union_order(each, fold)].reshape(5, 3)


def enveloped(predicted: Predicted) -> Curve:
    points = points_of(predicted) if predicted.member is None else members_of(predicted)[0]
    return average([result.curve for result in lower_envelopes(points)], ALIKE)


def lined(predicted: Predicted) -> Curve:
    points = from_decisions(
        decisions=predicted.score, labels=predicted.label, groups=predicted.curve
    )
    return average([line(*rates) for rates in zip(points.fp, points.fn, strict=True)], REPEATS)


def nearest(predicted: Predicted) -> Curve:
    rule, folds = RULES["nearest-train-pc"], zip(*members_of(predicted), strict=True)
    curves = [curve_of(rule, points, train_pc=TRAINED[member]) for points, member in folds]
    return average(curves, REPEATS)


def ruled(rule: Rule, predicted: Predicted) -> Curve:
    return average([curve_of(rule, fold, SETTING) for fold in points_of(predicted)], REPEATS)


class Way(NamedTuple):
    """A way of resampling, of what rows, and the estimate that it makes of them."""

    heights: Callable[[Predicted, Weights, FloatArray], FloatArray]
    rows: Callable[[np.random.Generator], Predicted]
    estimate: Callable[[Predicted], Curve]
    again: bool  # whether it is the same estimate of the rows of a resample
    close: float


def way_of(rule: Rule) -> Way:
    def heights(predicted: Predicted, draws: Weights, places: FloatArray) -> FloatArray:
        if rule.again:
            choose = partial(rule.heights, setting=SETTING)
            (again,) = rc.chosen_again_at([choose], predicted, REPEATS, draws, places)
            return np.asarray(again)
        choices = partial(rule.choose, setting=SETTING)
        trained = None if predicted.member is None else TRAINED
        return rc.kept_at(choices, predicted, REPEATS, draws, places, trained)

    if rule.judged == "members":
        return Way(heights, family, nearest, False, 1e-14)
    return Way(heights, scores, partial(ruled, rule), rule.again, 1e-12 if rule.again else 1e-14)


def fitted_way(made_again: float) -> Way:
    def heights(predicted: Predicted, draws: Weights, places: FloatArray) -> FloatArray:
        return rc.cross_fitted_at(predicted, REPEATS, draws, places, made_again=made_again)

    return Way(heights, scores, lambda p: cross_fitted(points_of(p), REPEATS).curve, False, 1e-14)


BY_RULE = "score-driven", "score-fixed", "rate-driven", "rate-fixed", "nearest-train-pc"
WAYS = {name: way_of(RULES[name]) for name in BY_RULE} | {
    "cross-fitted, kept": fitted_way(0),
    "cross-fitted": fitted_way(0.6),
    "cross-fitted, made again": fitted_way(1),
    "envelopes": Way(rc.envelopes_at, scores, enveloped, True, 1e-15),
    "envelopes of a family": Way(rc.envelopes_at, family, enveloped, True, 1e-15),
    "lines": Way(lambda p, *rest: rc.lines_at(p, REPEATS, *rest), decisions, lined, True, 1e-15),
}


def drawn_again(predicted: Predicted, times: NDArray[np.float32]) -> Predicted:
    """The rows, each as often as drawn; a class of which a fold drew none as it was."""
    often = times[predicted.instance].astype(int)
    group = 2 * predicted.curve + predicted.label
    often[np.bincount(group, often)[group] == 0] = 1
    return predicted.of(np.repeat(np.arange(len(often)), often))


@pytest.mark.parametrize("name", WAYS)
@given(seed=st.integers(0, 10**6), clusters=st.sampled_from(CLUSTERS))
@settings(max_examples=20)
def test_a_resample_is_that_of_its_rows(name: str, seed: int, clusters: IntArray | None) -> None:
    """Where choices are kept, of weights of one alone."""
    rng, way = np.random.default_rng(seed), WAYS[name]
    predicted, draws = way.rows(rng), as_it_was()
    if way.again:
        draws = weights(LABELS, 5, rng, clusters=clusters)
        draws.drawn[0] = 1
    result = way.heights(predicted, draws, PLACES)
    for times, heights in zip(draws.drawn, result, strict=True):
        expected = way.estimate(drawn_again(predicted, times[draws.unit]))
        # Breaks by ranks may be a rounding away where cases recur.
        far = np.abs(np.subtract.outer(PLACES, expected.pc)).min(axis=1) > 1e-12
        at = far | (times == 1).all()
        np.testing.assert_allclose(heights[at], expected(PLACES[at]), rtol=0, atol=way.close)


@pytest.mark.parametrize("name", WAYS)
def test_order_and_blocks_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, way = np.random.default_rng(1), WAYS[name]
    predicted, draws = way.rows(rng), weights(LABELS, 20, rng)
    result = way.heights(predicted, draws, PLACES)
    monkeypatch.setattr(resampled_counts, "AT_ONCE", 1)
    monkeypatch.setattr(rules, "AT_ONCE", 1)
    mixed = predicted.of(rng.permutation(len(predicted.label)))
    np.testing.assert_array_equal(way.heights(mixed, draws, PLACES), result)


@pytest.mark.parametrize("clusters", CLUSTERS)
def test_kept_choices_are_weighted_sums(clusters: IntArray | None) -> None:
    """Every case's errors, one by one, in fractions; rates are shares of what was drawn."""
    rng = np.random.default_rng(8)
    predicted, draws = scores(rng), weights(LABELS, 6, rng, clusters=clusters)
    places = np.array([0.0, 0.25, 0.625, 1.0])
    result = WAYS["score-driven"].heights(predicted, draws, places)
    for times, heights in zip(draws.drawn[:, draws.unit], result, strict=True):
        for place, height in zip(places, heights, strict=True):
            expected = slow_sum(predicted, times, float(place))
            assert height == pytest.approx(float(expected), abs=1e-13)
    # Of cross-fitted choices: as if each case had been drawn so often by itself.
    once, often = as_it_was(), draws.drawn[:, draws.unit]
    share = np.stack([often[:, value == LABELS].mean(axis=1, dtype=float) for value in (0, 1)])
    alone = replace(once, drawn=often[:, np.argsort(once.unit)], share=np.where(share, share, 1).T)
    first, other = (
        WAYS["cross-fitted, kept"].heights(predicted, w, PLACES) for w in (draws, alone)
    )
    np.testing.assert_allclose(first, other, rtol=0, atol=1e-12)


def slow_sum(predicted: Predicted, times: NDArray[np.float32], place: float) -> Fraction:
    total = Fraction(0)
    drawn_of = [times[value == LABELS] for value in (0, 1)]
    shares = [Fraction(int(of.sum()), len(of)) or Fraction(1) for of in drawn_of]
    for row in range(len(predicted.label)):
        label, fold = int(predicted.label[row]), int(predicted.curve[row])
        score = float(predicted.score[row])
        called = place >= 1 - score and (place < 1 or 1 - score < 1)
        if called != label:
            same = (predicted.curve == fold) & (predicted.label == label)
            size = int(np.count_nonzero(same)) * int(np.bincount(REPEATS)[REPEATS[fold]]) * 2
            drawn = int(times[predicted.instance[row]]) / shares[label]
            total += drawn * (Fraction(place) if label else 1 - Fraction(place)) / size
    return total


def test_cases_count_by_their_costs() -> None:
    """Whole costs: each case as often as it costs, its copies drawn together."""
    rng, way = np.random.default_rng(5), WAYS["score-driven"]
    predicted, costs = scores(rng), rng.integers(1, 4, len(LABELS))
    draws = weights(LABELS, 5, rng, costs=costs)
    once = replace(
        draws, drawn=np.ones_like(draws.drawn[:1]), share=np.ones((1, 2)), scale=np.ones(2)
    )
    estimate = way.heights(predicted, once, PLACES)[0]
    copies = predicted.of(np.repeat(np.arange(44), costs[predicted.instance]))
    np.testing.assert_allclose(estimate, way.estimate(copies)(PLACES), rtol=0, atol=1e-13)
    assert np.abs(way.heights(predicted, draws, PLACES) - estimate).max() > 0


def test_resamples_shared_out_choose_again_in_one_split_each() -> None:
    rng = np.random.default_rng(5)
    predicted, draws = scores(rng), weights(LABELS, 70, rng)
    splits = np.concatenate([3 * split + split_at_random(rng, 3) for split in (0, 1)])
    predicted, repeat = replace(predicted, curve=splits), np.repeat([0, 1], 3)
    result = rc.cross_fitted_at(predicted, repeat, draws, PLACES, shared=2)
    kept = rc.cross_fitted_at(predicted, repeat, draws, PLACES, made_again=0)
    again = np.empty_like(result)
    for split, part in enumerate(draws.shared_out(2)):
        of = np.flatnonzero(predicted.curve // 3 == split)
        alone = replace(predicted.of(of), curve=predicted.curve[of] % 3)
        again[split::2] = rc.cross_fitted_at(alone, [0, 0, 0], part, PLACES, made_again=1)
    means = [again[split::2].mean(axis=0) for split in range(2)]
    for split, mean_there in enumerate(means):
        again[split::2] += np.mean(means, axis=0) - mean_there
    expected = kept + 0.6 * (0.85 + 0.15 / 2) * (again - kept)
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-14)


@given(st.integers(0, 10**6), st.integers(2, 40), st.integers(5, 200))
def test_cells_are_bounded_by_few_points_of_the_curve(seed: int, most: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.append([0, 1], rng.integers(0, 2, count))
    points = from_scores(scores=rng.normal(size=count + 2).round(2) + labels, labels=labels)
    bounds, last = cells(points, most), len(points.fp_count) - 1
    assert (bounds[0], bounds[-1]) == (0, last)
    assert (np.diff(bounds) > 0).all()
    assert len(bounds) <= most + 1
    assert len(bounds) == last + 1 or last > most


def test_the_evaluation_grid_holds_what_matters() -> None:
    curve = Curve([0, 0.1, 0.2, 1], [0, 0.1, 0.3], [1, 0.6, 0.3])
    result = rc.evaluation_grid([curve], marked=[0.37], spacing=2)
    assert result.tolist() == [0, 0.1, 0.2, 0.37, 0.5, 1]
