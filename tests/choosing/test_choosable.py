"""Thresholds that may be chosen: with them alone every envelope and choice stay as they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.choosing.choosable import choosable
from costcurves.counts.operating_points import from_scores
from costcurves.curves.envelopes import lower_envelopes
from tests.choosing.fitted import cross_fitted, deployed


def rows_of(seed: int, folds: int, instances: int, levels: int) -> dict[str, np.ndarray]:
    """Folds of different sizes; few positives, ties within folds and between them."""
    rng = np.random.default_rng(seed)
    fold = np.concatenate([np.repeat(np.arange(folds), 4), rng.integers(0, folds, instances)])
    labels = np.concatenate([np.tile([0, 1, 0, 0], folds), rng.random(instances) < 0.2])
    scores = np.round(rng.normal(size=len(fold)) + 1.2 * labels, levels)
    return {"scores": scores, "labels": labels.astype(int), "groups": fold}


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 120), st.integers(0, 3))
def test_nothing_that_is_chosen_changes(seed: int, folds: int, instances: int, levels: int) -> None:
    rows = rows_of(seed, folds, instances, levels)
    points = from_scores(**rows)
    kept = choosable(points)
    made = []
    for parts in (points, kept):
        staying = [
            (envelope.curve, curve.threshold[envelope.holders[envelope.holders >= 0]].tolist())
            for curve, envelope in zip(parts, lower_envelopes(parts), strict=True)
        ]
        serving, fitted = deployed(parts), cross_fitted(parts) if folds > 1 else None
        made.append(repr((staying, serving.curve, serving.threshold.tolist(), fitted)))
    assert made[0] == made[1]
    # A fold's counts at each threshold, the same for all, are those of its scores from there up.
    assert set(kept.threshold) <= set(points.threshold)
    above = rows["scores"] >= kept[0].threshold[:, np.newaxis]
    for number, curve in enumerate(kept):
        part = above & (rows["groups"] == number)
        assert curve.threshold.tolist() == kept[0].threshold.tolist()
        assert curve.fp_count.tolist() == (part & (rows["labels"] == 0)).sum(axis=1).tolist()
        assert curve.tp_count.tolist() == (part & (rows["labels"] == 1)).sum(axis=1).tolist()


@pytest.mark.parametrize("instances", [10**4, 10**5])
def test_few_of_many_are_kept(instances: int) -> None:
    """The vertices of a hull of n points are some n^(1/3), of each of eleven sums and ten folds."""
    kept = choosable(from_scores(**rows_of(3, 10, instances, 15)))
    assert len(kept.threshold) / len(kept) < 60 * instances ** (1 / 3)
