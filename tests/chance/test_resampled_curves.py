"""Curves of resamples, against the exact curves of rows that are really drawn again."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance import resampled_counts
from costcurves.chance import resampled_curves as rc
from costcurves.chance.resampling import Weights, weights
from costcurves.counts.operating_points import from_decisions, from_scores, union
from costcurves.curves.cells import cells
from costcurves.curves.curves import Curve, line, mean
from costcurves.curves.envelopes import lower_envelopes
from tests.choosing.fitted import cross_fitted

IntArray = NDArray[np.int64]

LABELS = np.repeat([1, 0, 0], [9, 7, 6])
PLACES = np.unique(np.append(np.linspace(0, 1, 41), [1 / 3, 0.123]))


def as_it_was(labels: IntArray) -> Weights:
    """Weights of one."""
    result = weights(labels, 1, np.random.default_rng(0))
    result.drawn[:], result.scale[:] = 1, 1
    return result


def rows(rng: np.random.Generator, repeats: int = 3, folds: int = 1) -> rc.Predicted:
    """Scores with ties, in `repeats` repeats of `folds` folds; curves are folds."""
    count = len(LABELS)
    instance, label = np.tile(np.arange(count), repeats), np.tile(LABELS, repeats)
    fold = np.concatenate(
        [folds * repeat + split_at_random(rng, LABELS, folds) for repeat in range(repeats)]
    )
    return rc.Predicted(instance, label, (label + rng.normal(size=len(label))).round(1), fold)


def split_at_random(rng: np.random.Generator, labels: IntArray, folds: int) -> IntArray:
    fold = np.empty(len(labels), dtype=np.int64)
    for value in (0, 1):
        of = np.flatnonzero(labels == value)
        fold[of] = rng.permutation(len(of)) % folds
    return fold


def envelope(predicted: rc.Predicted) -> Curve:
    return mean(
        [
            result.curve
            for result in lower_envelopes(
                from_scores(scores=predicted.score, labels=predicted.label, groups=predicted.curve)
            )
        ]
    )


def drawn_again(predicted: rc.Predicted, times: NDArray[Any]) -> rc.Predicted:
    """The rows, each as often as its instance was drawn."""
    return predicted.of(
        np.repeat(np.arange(len(predicted.label)), times[predicted.instance].astype(int))
    )


@given(st.integers(0, 10**6), st.sampled_from([1, 3]))
def test_weights_of_one_give_the_estimate(seed: int, folds: int) -> None:
    predicted = rows(np.random.default_rng(seed), folds=folds)
    result = rc.envelopes_at(predicted, as_it_was(LABELS), PLACES)
    np.testing.assert_allclose(result[0], envelope(predicted)(PLACES), rtol=0, atol=1e-15)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_a_resample_is_the_estimate_of_its_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    predicted, draws = rows(rng), weights(LABELS, 8, rng)
    result = rc.envelopes_at(predicted, draws, PLACES)
    for times, heights in zip(draws.drawn, result, strict=True):
        expected = envelope(drawn_again(predicted, times[draws.unit]))
        np.testing.assert_allclose(heights, expected(PLACES), rtol=0, atol=1e-15)


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=20)
def test_families_choose_their_member_again(seed: int, members: int) -> None:
    rng = np.random.default_rng(seed)
    predicted, draws = rows(rng, repeats=2), weights(LABELS, 4, rng)
    decisions = [predicted.score.astype(float) >= cut for cut in rng.normal(0.5, size=members)]
    member = np.repeat(np.arange(members), len(predicted.label))
    family = rc.Predicted(
        np.tile(predicted.instance, members),
        np.tile(predicted.label, members),
        np.concatenate(decisions).astype(int),
        np.tile(predicted.curve, members),
        member,
    )
    result = rc.envelopes_at(family, draws, PLACES)
    for times, heights in zip(draws.drawn, result, strict=True):
        again = drawn_again(family, times[draws.unit])
        groups = 2 * again.member + again.curve  # type: ignore[operator]
        points = from_decisions(decisions=again.score, labels=again.label, groups=groups)
        curves = lower_envelopes(union(points, np.tile([0, 1], members)))
        expected = mean([result.curve for result in curves])
        np.testing.assert_allclose(heights, expected(PLACES), rtol=0, atol=1e-15)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_lines_of_a_crisp_classifier(seed: int) -> None:
    rng = np.random.default_rng(seed)
    predicted, draws = rows(rng), weights(LABELS, 4, rng)
    crisp = rc.Predicted(
        predicted.instance,
        predicted.label,
        (predicted.score.astype(float) >= rng.normal()).astype(int),
        predicted.curve,
    )
    result = rc.lines_at(crisp, np.zeros(crisp.curve.max() + 1, int), draws, PLACES)
    for times, heights in zip(draws.drawn, result, strict=True):
        again = drawn_again(crisp, times[draws.unit])
        points = from_decisions(decisions=again.score, labels=again.label, groups=again.curve)
        expected = line(float(points.fp.mean()), float(points.fn.mean()))
        np.testing.assert_allclose(heights, expected(PLACES), rtol=0, atol=1e-15)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_cross_fitting_with_weights_of_one_gives_the_estimate(seed: int) -> None:
    predicted = rows(np.random.default_rng(seed), repeats=2, folds=3)
    repeat = np.array([0, 0, 0, 1, 1, 1])
    expected = cross_fitted(
        from_scores(scores=predicted.score, labels=predicted.label, groups=predicted.curve), repeat
    ).curve
    for made_again in (0, 0.5, 1):
        result = rc.cross_fitted_at(
            predicted, repeat, as_it_was(LABELS), PLACES, made_again=made_again
        )
        np.testing.assert_allclose(result[0], expected(PLACES), rtol=0, atol=1e-14)


def test_resamples_shared_out_choose_again_in_one_split_each() -> None:
    rng = np.random.default_rng(5)
    predicted, draws = rows(rng, repeats=3, folds=3), weights(LABELS, 70, rng)
    result = rc.cross_fitted_at(predicted, np.repeat([0, 1, 2], 3), draws, PLACES, shared=3)
    kept = rc.cross_fitted_at(predicted, np.repeat([0, 1, 2], 3), draws, PLACES, made_again=0)
    again = np.empty_like(result)
    for split, part in enumerate(draws.shared_out(3)):
        of = np.flatnonzero(predicted.curve // 3 == split)
        alone = replace(predicted.of(of), curve=predicted.curve[of] % 3)
        again[split::3] = rc.cross_fitted_at(alone, [0, 0, 0], part, PLACES, made_again=1)
    means = [again[split::3].mean(axis=0) for split in range(3)]
    for split, mean_there in enumerate(means):
        again[split::3] += np.mean(means, axis=0) - mean_there
    expected = kept + 0.6 * (0.85 + 0.15 / 3) * (again - kept)
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-14)


def test_a_fold_that_lost_a_class_keeps_it_as_it_was() -> None:
    labels = np.array([1, 1, 0, 0])
    predicted = rc.Predicted(
        np.arange(4), labels, np.array([0.9, 0.1, 0.5, 0.4]), np.array([0, 1, 0, 1])
    )
    draws = weights(labels, 50, np.random.default_rng(0))  # one of two of each class
    result = rc.envelopes_at(predicted, draws, np.array([0, 0.5, 1]))
    np.testing.assert_allclose(result[:, 1], 0.25)  # fold 0 is faultless, fold 1 as bad as can be


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    predicted, draws = rows(rng, folds=3), weights(LABELS, 50, rng)
    repeat = np.repeat([0, 1, 2], 3)
    whole = (
        rc.envelopes_at(predicted, draws, PLACES),
        rc.cross_fitted_at(predicted, repeat, draws, PLACES),
    )
    monkeypatch.setattr(resampled_counts, "AT_ONCE", 1)
    parts = (
        rc.envelopes_at(predicted, draws, PLACES),
        rc.cross_fitted_at(predicted, repeat, draws, PLACES),
    )
    np.testing.assert_array_equal(whole, parts)


def test_cells_keep_the_spread() -> None:
    rng = np.random.default_rng(20061)
    labels = np.repeat([1, 0], [1500, 3500])
    predicted = rc.Predicted(
        np.arange(5000), labels, rng.normal(size=5000) + 1.5 * labels, np.zeros(5000, int)
    )
    draws = weights(labels, 200, rng)
    exact = rc.envelopes_at(predicted, draws, PLACES, most_cells=5000)
    rough = rc.envelopes_at(predicted, draws, PLACES)
    width = 3.3 * exact.std(axis=0).mean()
    assert (rough >= exact - 1e-12).all()  # fewer thresholds to choose from
    assert (rough - exact).mean() < 0.015 * width
    centred = (rough - rough.mean(axis=0)) - (exact - exact.mean(axis=0))
    assert np.abs(centred).mean() < 0.01 * width
    np.testing.assert_allclose(rough.std(axis=0)[3:-3], exact.std(axis=0)[3:-3], rtol=0.03)


@given(st.integers(0, 10**6), st.integers(2, 40), st.integers(5, 200))
def test_cells_are_bounded_by_few_points_of_the_curve(seed: int, most: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.append([0, 1], rng.integers(0, 2, count))
    points = from_scores(scores=rng.normal(size=count + 2).round(2) + labels, labels=labels)
    bounds = cells(points, most)
    assert (bounds[0], bounds[-1]) == (0, len(points.fp_count) - 1)
    assert (np.diff(bounds) > 0).all()
    assert len(bounds) <= most + 1
    if len(points.fp_count) <= most + 1:
        assert len(bounds) == len(points.fp_count)


def test_the_evaluation_grid_holds_what_matters() -> None:
    curve = Curve([0, 0.1, 0.2, 1], [0, 0.1, 0.3], [1, 0.6, 0.3])
    result = rc.evaluation_grid([curve], marked=[0.37], spacing=2)
    assert result.tolist() == [0, 0.1, 0.2, 0.37, 0.5, 1]
