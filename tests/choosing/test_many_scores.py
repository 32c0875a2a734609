"""Models with very many scores: what is left out of the operating points changes nothing behind."""

import numpy as np
import pandas as pd
import pytest

from costcurves.choosing import choosable
from costcurves.counts import counted
from tests.result_tables import all_tables_of, points_of, staged

# Of a chosen operating point only its place among the others depends on how many there are.
PLACES = {"envelopes": ["point"], "duality": ["point"]}
SEED = 3


@pytest.fixture(autouse=True)
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


def test_what_has_repeats_of_folds_keeps_every_threshold_of_its_folds() -> None:
    """What is chosen in one repeat is no threshold of another."""
    points = points_of(staged(model("A", 200, 4, 3)), SEED)
    size = points.groupby("level", sort=False, observed=True).size()
    assert size["fold"] == 3 * (200 + 4)
    assert size["repeat"] < 3 * 201


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
    # With one fold all levels are the same curves by other names.
    levels = dict(list(points.groupby("level", sort=False, observed=True)))
    assert list(levels) == ["fold", "repeat", "pooled", "split"]
    numbers = ["threshold", "fp_count", "tp_count", "fp", "fn"]
    for name, expected in (("fold", ("0", "1")), ("repeat", ("0", "")), ("pooled", ("", ""))):
        part = levels[name].reset_index(drop=True)
        assert {*zip(part["repeat"], part["fold"], strict=True)} == {expected}
        pd.testing.assert_frame_equal(part[numbers], levels["fold"][numbers].reset_index(drop=True))
