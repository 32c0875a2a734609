"""Criteria that do not look at labels, in resamples: against slow exact sums, and rows repeated."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance import resampled_counts
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampled_curves import chosen_again_at, kept_at
from costcurves.chance.resampling import weights
from costcurves.choosing import rules
from costcurves.choosing.choice import Choice, Counts, the_same
from costcurves.choosing.hybrids import curve_of
from costcurves.choosing.rules import RULES, Rule, ScoreDriven, Setting
from costcurves.counts.operating_points import from_decisions, from_scores, union, union_order
from costcurves.curves.curves import Curve, average
from costcurves.settings import Selection
from tests.chance.test_resampled_curves import LABELS, as_it_was, split_at_random
from tests.strategies import EDGES

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Way = Callable[..., FloatArray]

REPEATS = np.array([0, 0, 0, 1, 1])  # three folds, then two
PLACES = np.unique(np.concatenate([[0, 1], np.linspace(0, 1, 38)[1:-1] + 1e-4 * np.pi]))
TRAINED = np.array([0.7, 0.2, 0.45])


def rows(rng: np.random.Generator) -> Predicted:
    """Probabilities with ties, some hardly not 0 or 1; a repeat of three folds and one of two."""
    instance, label = np.tile(np.arange(len(LABELS)), 2), np.tile(LABELS, 2)
    fold = np.concatenate([split_at_random(rng, LABELS, 3), 3 + split_at_random(rng, LABELS, 2)])
    score = np.clip((label + rng.normal(size=len(label))).round(1) / 3 + 0.3, 0, 1)
    score = np.where(rng.random(len(label)) < 0.2, rng.choice(EDGES, len(label)), score)
    return Predicted(instance, label, score, fold)


def family(rng: np.random.Generator) -> Predicted:
    """Three members that decide, in the order of `TRAINED`."""
    predicted = rows(rng)
    return Predicted(
        np.tile(predicted.instance, 3),
        np.tile(predicted.label, 3),
        np.concatenate([predicted.score >= 1 - pc for pc in TRAINED]).astype(int),
        np.tile(predicted.curve, 3),
        np.repeat(np.arange(3), len(predicted.label)),
    )


class Cautious(ScoreDriven):
    """A rule of nobody's: the square of the score is trusted."""

    def choose(
        self,
        counts: Counts,
        setting: Setting,  # noqa: ARG002
    ) -> Choice:
        starts = np.append(0.0, 1 - counts.threshold[1:] ** 2)
        wide = np.flatnonzero(np.diff(starts, append=1.0) > 0)
        return the_same(counts, starts[wide], wide)


SETTING = Setting(Selection(score_threshold=0.4, rate=0.3))


def mean(predicted: Predicted, rule: Rule) -> Curve:
    """The curve of a rule, fold by fold, as the table of hybrids has it."""
    points = from_scores(scores=predicted.score, labels=predicted.label, groups=predicted.curve)
    return average([curve_of(rule, fold, SETTING) for fold in points], REPEATS)


def way_of(rule: Rule, setting: Setting = SETTING) -> Way:
    if rule.again:
        return partial(chosen_again_at, partial(rule.heights, setting=setting))
    return partial(kept_at, partial(rule.choose, setting=setting))


RANKED = {
    name: RULES[name] for name in ("score-driven", "score-fixed", "rate-driven", "rate-fixed")
}
RANKED["any rule that looks at no counts"] = Cautious()
WAYS = {name: (way_of(rule), rule) for name, rule in RANKED.items()}
score_driven_at, rate_driven_at = WAYS["score-driven"][0], WAYS["rate-driven"][0]


def nearest_at(*given: Any) -> FloatArray:
    rule = RULES["nearest-train-pc"]
    *rows, trained = given
    return way_of(rule)(*rows, train_pc=trained)


@pytest.mark.parametrize("criterion", WAYS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_weights_of_one_give_the_estimate(criterion: str, seed: int) -> None:
    predicted, (way, rule) = rows(np.random.default_rng(seed)), WAYS[criterion]
    result = way(predicted, REPEATS, as_it_was(LABELS), PLACES)
    np.testing.assert_allclose(result[0], mean(predicted, rule)(PLACES), rtol=0, atol=1e-14)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_a_family_with_weights_of_one_gives_the_estimate(seed: int) -> None:
    predicted = family(np.random.default_rng(seed))
    result = nearest_at(predicted, REPEATS, as_it_was(LABELS), PLACES, TRAINED)
    np.testing.assert_allclose(result[0], nearest(predicted)(PLACES), rtol=0, atol=1e-14)


def nearest(predicted: Predicted) -> Curve:
    groups = 5 * predicted.member + predicted.curve  # type: ignore[operator]
    each = from_decisions(decisions=predicted.score, labels=predicted.label, groups=groups)
    fold = np.tile(np.arange(5), 3)
    trained = np.repeat(TRAINED, 5)[union_order(each, fold)].reshape(5, 3)
    families = zip(union(each, fold), trained, strict=True)
    rule = RULES["nearest-train-pc"]
    curves = [curve_of(rule, points, train_pc=train_pc) for points, train_pc in families]
    return average(curves, REPEATS)


@pytest.mark.parametrize("places", [[0.0, 0.5, 1.0], np.linspace(0, 1, 65)])
def test_breaks_on_the_grid_are_right_continuous(places: list[float]) -> None:
    """Scores at multiples of 1/4, odd numbers of instances, members' mid-points at 1/2."""
    labels, at = np.array([0, 1, 0, 1, 1]), np.array(places)
    predicted = Predicted(
        np.arange(5), labels, np.array([0, 0.25, 0.5, 0.75, 1]), np.zeros(5, np.int64)
    )
    points = from_scores(scores=predicted.score, labels=labels)
    for name in ("score-driven", "rate-driven"):
        way, rule = WAYS[name]
        result = way(predicted, np.array([0]), as_it_was(labels), at)
        expected = curve_of(rule, points)(at).tolist()
        assert result[0].tolist() == pytest.approx(expected, abs=1e-14)
    twice, member = np.tile(predicted.instance, 2), np.repeat([0, 1], 5)
    both = Predicted(twice, labels[twice], member, np.zeros(10, np.int64), member)
    result = nearest_at(both, [0], as_it_was(labels), at, np.array([0.25, 0.75]))
    assert result[0].tolist() == pytest.approx(np.where(at < 0.5, at, 1 - at).tolist(), abs=1e-14)


@pytest.mark.parametrize("criterion", ["rate-driven", "rate-fixed"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_rates_are_met_again_among_the_drawn_rows(criterion: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    predicted, draws, (way, rule) = rows(rng), weights(LABELS, 6, rng), WAYS[criterion]
    result = way(predicted, REPEATS, draws, PLACES)
    for times, heights in zip(draws.drawn, result, strict=True):
        expected = mean(drawn_again(predicted, times[draws.unit]), rule)
        np.testing.assert_allclose(heights, expected(PLACES), rtol=0, atol=1e-12)


def drawn_again(predicted: Predicted, times: NDArray[np.float32]) -> Predicted:
    """The rows, each as often as drawn; a class of which a fold drew none as it was."""
    often = times[predicted.instance].astype(int)
    group = 2 * predicted.curve + predicted.label
    often[np.bincount(group, often)[group] == 0] = 1
    return predicted.of(np.repeat(np.arange(len(often)), often))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_fixed_thresholds_are_weighted_sums(seed: int) -> None:
    """Every instance's errors, one by one, in fractions; classes count as much as in the data."""
    rng = np.random.default_rng(seed)
    predicted, draws = rows(rng), weights(LABELS, 3, rng)
    places = np.array([0.0, 0.25, 0.625, 1.0])
    result = score_driven_at(predicted, REPEATS, draws, places)
    for times, heights in zip(draws.drawn, result, strict=True):
        for place, height in zip(places, heights, strict=True):
            expected = slow_sum(predicted, times[draws.unit], float(place))
            assert height == pytest.approx(float(expected), abs=1e-13)


def slow_sum(predicted: Predicted, times: NDArray[np.float32], place: float) -> Fraction:
    total = Fraction(0)
    for row in range(len(predicted.label)):
        label, fold = int(predicted.label[row]), int(predicted.curve[row])
        score = float(predicted.score[row])
        called = place >= 1 - score and (place < 1 or 1 - score < 1)
        if called != label:
            same = (predicted.curve == fold) & (predicted.label == label)
            size = int(np.count_nonzero(same)) * int(np.bincount(REPEATS)[REPEATS[fold]]) * 2
            of_class = int(np.count_nonzero(label == LABELS))
            drawn = Fraction(int(times[predicted.instance[row]])) * of_class / (of_class - 1)
            total += drawn * (Fraction(place) if label else 1 - Fraction(place)) / size
    return total


@pytest.mark.parametrize("criterion", WAYS)
def test_order_of_rows_and_blocks_of_resamples_change_nothing(
    criterion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, way = np.random.default_rng(1), WAYS[criterion][0]
    predicted, draws = rows(rng), weights(LABELS, 20, rng)
    result = way(predicted, REPEATS, draws, PLACES)
    monkeypatch.setattr(resampled_counts, "AT_ONCE", 1)
    monkeypatch.setattr(rules, "AT_ONCE", 1)
    mixed = predicted.of(rng.permutation(len(predicted.label)))
    np.testing.assert_array_equal(way(mixed, REPEATS, draws, PLACES), result)


def test_instances_count_by_their_costs() -> None:
    """Whole costs: each instance as often as it costs, its copies drawn together."""
    rng = np.random.default_rng(5)
    predicted, costs = rows(rng), rng.integers(1, 4, len(LABELS))
    draws = weights(LABELS, 5, rng, costs=costs)
    result = score_driven_at(predicted, REPEATS, draws, PLACES)
    copies = np.repeat(np.arange(len(predicted.label)), costs[predicted.instance])
    once = replace(
        draws, drawn=np.ones_like(draws.drawn[:1]), share=np.ones((1, 2)), scale=np.ones(2)
    )
    estimate = score_driven_at(predicted, REPEATS, once, PLACES)[0]
    expected = mean(predicted.of(copies), RULES["score-driven"])
    np.testing.assert_allclose(estimate, expected(PLACES), rtol=0, atol=1e-13)
    assert np.abs(result - estimate).max() > 0
