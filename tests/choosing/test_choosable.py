"""Thresholds that may be chosen: with them alone envelopes, choices and tables are the same."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.choosing import choosable
from costcurves.counts import counted
from costcurves.counts.operating_points import from_scores
from costcurves.curves.envelopes import lower_envelopes
from tests.choosing.fitted import cross_fitted, deployed
from tests.result_tables import all_tables_of, points_of, staged

# Of a chosen operating point only its place among the others depends on how many there are.
PLACES = {"envelopes": ["point"], "duality": ["point"]}
SEED = 3


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosable, "MANY", 30)


def model(name: str, size: int, folds: int, repeats: int = 1) -> pd.DataFrame:
    """Scores of one model, a fifth positive."""
    rng = np.random.default_rng(ord(name))
    labels = (np.arange(size) % 5 == 0).astype(int)
    columns = {"instance": [f"i{number}" for number in range(size)], "label": labels, "model": name}
    fold = (np.arange(size) // 5 % folds + 1).astype(str)
    frame = pd.DataFrame({**columns, "fold": fold})
    scores = rng.normal(size=(repeats, size)) + labels * 1.1
    parts = [frame.assign(repeat=str(place), score=each) for place, each in enumerate(scores)]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("folds", "repeats"), [(1, 1), (4, 1), (3, 3)])
def test_tables_behind_are_the_same_also_if_models_are_counted_alone(
    monkeypatch: pytest.MonkeyPatch, folds: int, repeats: int
) -> None:
    scored = [model(name, 200, folds, repeats) for name in "BA"]
    decision = (scored[1]["score"] > 1).astype(int)
    decided = scored[1].assign(model="C", decision=decision, score=np.nan)
    rows = staged(pd.concat([*scored, decided], ignore_index=True))
    if repeats == 3:  # rows of a model are apart
        rows = rows.sort_values("instance", kind="stable", ignore_index=True)
    thinned = all_tables_of(rows, "fold")
    monkeypatch.setattr(choosable, "MANY", 10_000)
    monkeypatch.setattr(counted, "AT_ONCE", 1)
    assert len(counted.models_of(rows, 1)) == 3
    whole = all_tables_of(rows, "fold")
    many = len(whole.pop("operating_points"))
    assert len(thinned.pop("operating_points")) < 0.9 * many
    for name, table in whole.items():
        columns = table.columns.difference(PLACES.get(name, []))
        other = thinned[name][columns]
        pd.testing.assert_frame_equal(table[columns], other, check_categorical=False)


@pytest.mark.usefixtures("few")
def test_what_has_repeats_of_folds_keeps_every_threshold_of_its_folds() -> None:
    """What is chosen in one repeat is no threshold of another."""
    points = points_of(staged(model("A", 200, 4, 3)), SEED)
    size = points.groupby("level", sort=False, observed=True).size()
    assert size["fold"] == 3 * (200 + 4)
    assert size["repeat"] < 3 * 201


@pytest.mark.usefixtures("few")
def test_families_decisions_and_weights_keep_every_point(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = model("A", 200, 1)
    family = pd.concat([rows.assign(member="x"), rows.assign(member="y", score=-rows["score"])])
    decided = rows.assign(model="B", decision=(rows["score"] > 0).astype(int), score=np.nan)
    weighted = rows.assign(weight=np.where(rows["label"] == 1, 3.0, 0.5))
    both = staged(pd.concat([family, decided], ignore_index=True)), staged(weighted)
    thinned = [points_of(frame, SEED) for frame in both]
    monkeypatch.setattr(choosable, "MANY", 10_000)
    for frame, points in zip(both, thinned, strict=True):
        pd.testing.assert_frame_equal(points, points_of(frame, SEED))


# Few scores


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
    kept = choosable.choosable(points)
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
    kept = choosable.choosable(from_scores(**rows_of(3, 10, instances, 15)))
    assert len(kept.threshold) / len(kept) < 60 * instances ** (1 / 3)
