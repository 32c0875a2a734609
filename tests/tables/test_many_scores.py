"""Models with very many scores: what is left out of the operating points changes nothing behind."""

import numpy as np
import pandas as pd
import pytest

from costcurves.counts import counted as stage
from tests.result_tables import points_of, staged, tables_of

# Of a chosen operating point only its place among the others depends on how many there are.
PLACES = {"envelopes": ["point"], "duality": ["point"]}
SEED = 3


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "MANY", 30)


def model(name: str, size: int, folds: int, repeats: int = 1, seed: int = 4) -> pd.DataFrame:
    """Scores of one model, a fifth positive."""
    rng = np.random.default_rng(seed)
    labels = (np.arange(size) % 5 == 0).astype(int)
    parts = [
        pd.DataFrame(
            {
                "model": name,
                "repeat": str(repeat),
                "fold": (np.arange(size) // 5 % folds + 1).astype(str),
                "instance": [f"i{number}" for number in range(size)],
                "label": labels,
                "score": rng.normal(size=size) + labels * 1.1,
            }
        )
        for repeat in range(repeats)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize(("folds", "repeats"), [(1, 1), (4, 1), (3, 3)])
def test_tables_behind_are_the_same(
    monkeypatch: pytest.MonkeyPatch, folds: int, repeats: int
) -> None:
    both = [model(name, 300, folds, repeats, seed) for seed, name in enumerate("AB")]
    rows = staged(pd.concat(both, ignore_index=True))
    thinned = tables_of(rows, "fold")
    monkeypatch.setattr(stage, "MANY", 10_000)
    whole = tables_of(rows, "fold")
    assert len(thinned.pop("operating_points")) < 0.9 * len(whole.pop("operating_points"))
    for name, table in whole.items():
        columns = table.columns.difference(PLACES.get(name, []))
        pd.testing.assert_frame_equal(table[columns], thinned[name][columns])


@pytest.mark.parametrize(("folds", "repeats"), [(1, 2), (3, 2)])
@pytest.mark.parametrize("neighbours", [True, False])
def test_models_are_counted_one_by_one_as_they_are_together(
    monkeypatch: pytest.MonkeyPatch, folds: int, repeats: int, neighbours: bool
) -> None:
    both = [model(name, 300, folds, repeats, seed) for seed, name in enumerate("BA")]
    decided = both[1].assign(model="C", decision=(both[1]["score"] > 1).astype(int), score=np.nan)
    rows = staged(pd.concat([*both, decided], ignore_index=True))
    if not neighbours:
        rows = rows.sort_values("instance", kind="stable", ignore_index=True)
    together = tables_of(rows, "fold")
    monkeypatch.setattr(stage, "AT_ONCE", 1)
    assert len(stage.models_of(rows, stage.AT_ONCE)) == 3
    for name, table in tables_of(rows, "fold").items():
        pd.testing.assert_frame_equal(table, together[name], check_categorical=False)


def test_what_has_repeats_of_folds_keeps_every_threshold_of_its_folds() -> None:
    """What is chosen in one repeat is no threshold of another."""
    rows = staged(model("A", 200, 4, 3))
    points = points_of(rows, SEED)
    size = points.groupby("level", sort=False, observed=True).size()
    assert size["fold"] == 3 * (200 + 4)
    assert size["repeat"] < 3 * 201


def test_families_decisions_and_weights_keep_every_point(monkeypatch: pytest.MonkeyPatch) -> None:
    one = model("A", 200, 1)
    family = pd.concat([one.assign(member="x"), one.assign(member="y", score=-one["score"])])
    decided = one.assign(model="B", decision=(one["score"] > 0).astype(int), score=np.nan)
    weighted = one.assign(weight=np.where(one["label"] == 1, 3.0, 0.5))
    both = staged(pd.concat([family, decided], ignore_index=True)), staged(weighted)
    kept = [points_of(rows, SEED) for rows in both]
    monkeypatch.setattr(stage, "MANY", 10_000)
    for rows, points in zip(both, kept, strict=True):
        pd.testing.assert_frame_equal(points, points_of(rows, SEED))


def test_levels_with_one_fold_are_the_same_curves_by_other_names() -> None:
    points = points_of(staged(model("A", 80, 1)), SEED)
    levels = dict(list(points.groupby("level", sort=False, observed=True)))
    assert list(levels) == ["fold", "repeat", "pooled", "dealt"]
    names = {"fold": ("0", "1"), "repeat": ("0", ""), "pooled": ("", "")}
    numbers = ["threshold", "fp_count", "tp_count", "fp", "fn"]
    for name, expected in names.items():
        own = levels[name]
        assert set(zip(own["repeat"], own["fold"], strict=True)) == {expected}
        assert own[numbers].to_numpy().tolist() == levels["fold"][numbers].to_numpy().tolist()
