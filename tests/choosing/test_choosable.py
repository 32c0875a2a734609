"""Thresholds that may be chosen: with them alone every envelope and choice stay as they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.choosing.choosable import choosable
from costcurves.counts.operating_points import OperatingPoints, from_scores
from costcurves.curves.envelopes import lower_envelopes
from tests.choosing.fitted import cross_fitted, deployed


def points_of(seed: int, folds: int, instances: int, levels: int) -> OperatingPoints:
    """Folds of different sizes; few positives, ties within folds and between them."""
    rng = np.random.default_rng(seed)
    fold = np.concatenate([np.repeat(np.arange(folds), 4), rng.integers(0, folds, instances)])
    labels = np.concatenate([np.tile([0, 1, 0, 0], folds), rng.random(instances) < 0.2])
    scores = np.round(rng.normal(size=len(fold)) + 1.2 * labels, levels)
    return from_scores(scores=scores, labels=labels.astype(int), groups=fold)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 120), st.integers(0, 3))
def test_nothing_that_is_chosen_changes(seed: int, folds: int, instances: int, levels: int) -> None:
    points = points_of(seed, folds, instances, levels)
    kept = choosable(points)
    assert set(kept.threshold) <= set(points.threshold)
    made = []
    for parts in (points, kept):
        staying = [
            (envelope.curve, curve.threshold[envelope.holders[envelope.holders >= 0]].tolist())
            for curve, envelope in zip(parts, lower_envelopes(parts), strict=True)
        ]
        serving, fitted = deployed(parts), cross_fitted(parts) if folds > 1 else None
        made.append(repr((staying, serving.curve, serving.threshold.tolist(), fitted)))
    assert made[0] == made[1]


def test_every_curve_has_every_threshold_that_is_kept() -> None:
    """A fold's counts at a threshold are those of all its scores from there up, by definition."""
    rng = np.random.default_rng(8)
    scores, labels = rng.normal(size=600), (rng.random(600) < 0.2).astype(int)
    fold = np.arange(600) % 3
    kept = choosable(from_scores(scores=scores + labels, labels=labels, groups=fold))
    for number, curve in enumerate(kept):
        assert curve.threshold.tolist() == kept[0].threshold.tolist()
        part = fold == number
        for threshold, fp, tp in zip(curve.threshold, curve.fp_count, curve.tp_count, strict=True):
            above = part & (scores + labels >= threshold)
            assert (fp, tp) == (np.sum(above & (labels == 0)), np.sum(above & (labels == 1)))


@pytest.mark.parametrize("instances", [10**4, 10**5])
def test_few_of_many_are_kept(instances: int) -> None:
    """The vertices of a hull of n points are some n^(1/3), of each of eleven sums and ten folds."""
    kept = choosable(points_of(3, 10, instances, 15))
    assert len(kept.threshold) / len(kept) < 60 * instances ** (1 / 3)
