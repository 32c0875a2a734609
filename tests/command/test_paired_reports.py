"""Costs of two reports on the same cases: differences by hand, and why there are none."""

import hashlib
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import variance
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from costcurves.archive.paired import paired

PC = Fraction(3, 5)
CASES, POSITIVES = 150, 60
Row = dict[str, Any]


def decisions(seed: int, missed: float, alarmed: float) -> list[int]:
    """What a model decides for each case; the first are positive."""
    wrong = np.random.default_rng(seed).random(CASES)
    said = [draw >= missed for draw in wrong[:POSITIVES]]
    return [*map(int, said), *(int(draw < alarmed) for draw in wrong[POSITIVES:])]


BEFORE = {"NB": decisions(1, 0.2, 0.3), "1R": decisions(2, 0.3, 0.1)}
# In the second report some of the decisions of NB are others: more hits, and more false alarms.
CHANGED = [1 if one == 0 and place % 4 == 1 else one for place, one in enumerate(BEFORE["NB"])]
AFTER = {"1R": BEFORE["1R"], "NB": CHANGED}


def side(folder: Path, models: dict[str, list[int]], **changes: Any) -> dict[str, Any]:
    """Write the predictions of a report into a folder; give what its manifest says of them."""
    folder.mkdir(exist_ok=True)
    label = [1] * POSITIVES + [0] * (CASES - POSITIVES)
    frames = [
        pd.DataFrame({"model": name, "instance": range(CASES), "label": label, "decision": said})
        for name, said in models.items()
    ]
    rows = pd.concat(frames).assign(**changes.get("columns", {}))
    rows = rows[rows["instance"] >= changes.get("first", 0)]
    rows[:: changes.get("step", 1)].to_csv(folder / "a.csv", index=False)
    digest = hashlib.sha256((folder / "a.csv").read_bytes()).hexdigest()
    inference = {"resamples": 4000, "confidence": 0.8}
    dataset = {"name": "loans", "title": "Loans", "predictions": ["a.csv"]}
    return {
        "sources": [{"path": "a.csv", "sha256": digest, "rows": len(rows)}],
        "report_sources": [],
        "given": {"study": "s", "inference": inference, "datasets": [dataset]},
    }


def use(cheapest: str) -> dict[tuple[str, str], Row]:
    return {("loans", "5:1"): {"cheapest": cheapest, "pc": float(PC)}}


def compared(
    folder: Path, *sides: dict[str, Any], best: tuple[str, str] = ("NB", "NB")
) -> tuple[Any, list[str]]:
    folders = [folder / "before", folder / "after"]
    return paired(sides, [use(one) for one in best], folders)


def by_hand(before: list[int], after: list[int]) -> tuple[Fraction, float, float]:
    """Weighted mean of the differences of all cases, and half an interval as pairs, and apart."""

    def losses(said: list[int]) -> list[list[int]]:
        return [[1 - one for one in said[:POSITIVES]], said[POSITIVES:]]

    value, spread, apart = Fraction(0), 0.0, 0.0
    for share, was, now in zip((PC, 1 - PC), losses(before), losses(after), strict=True):
        each = [b - a for a, b in zip(was, now, strict=True)]
        value += share * Fraction(sum(each), len(each))
        spread += float(share) ** 2 * variance(each) / len(each)
        apart += float(share) ** 2 * (variance(was) + variance(now)) / len(each)
    dof = POSITIVES * (CASES - POSITIVES) / CASES
    quantile = float(student.ppf(0.9, dof))  # of 80 %
    return value, quantile * sqrt(spread), quantile * sqrt(apart)


@pytest.mark.parametrize("best", [("NB", "NB"), ("1R", "NB")])
def test_differences_are_those_of_the_same_cases(tmp_path: Path, best: tuple[str, str]) -> None:
    sides = side(tmp_path / "before", BEFORE), side(tmp_path / "after", AFTER)
    found, notes = compared(tmp_path, *sides, best=best)
    assert {*found["loans"]} == {("NB", "NB"), best}  # 1R is the same, and not compared
    (low, value, high), beyond = found["loans"][best]["cost", "5:1"]
    assert not (beyond and low <= 0 <= high)
    exactly, half, apart = by_hand(BEFORE[best[0]], AFTER[best[1]])
    assert value == pytest.approx(float(exactly), abs=1e-12)
    assert (high - low) / 2 == pytest.approx(half, rel=0.05)
    if best == ("NB", "NB"):  # much alike, so less is left to chance than apart
        assert high - low < 0.8 * 2 * apart
    assert notes == [
        "Loans: the same 150 cases. Differences are cost after less cost before, case by case, "
        "with 80\u202f% intervals, each by itself. A cost changed beyond chance if it did so at "
        "this confidence over all 3 costs together (Bonferroni)."
    ]


def test_the_mean_over_pc_is_compared_too(tmp_path: Path) -> None:
    sides = side(tmp_path / "before", BEFORE), side(tmp_path / "after", AFTER)
    found, _ = compared(tmp_path, *sides)
    area = found["loans"]["NB", "NB"]["area", ""].rate.estimate
    rates = [
        (Fraction(POSITIVES - sum(it[:POSITIVES]), POSITIVES))
        + Fraction(sum(it[POSITIVES:]), CASES - POSITIVES)
        for it in (BEFORE["NB"], CHANGED)
    ]
    assert area == pytest.approx(float(rates[1] - rates[0]) / 2, abs=1e-12)


def test_other_orders_and_equal_predictions_are_no_change(tmp_path: Path) -> None:
    first = side(tmp_path / "before", BEFORE)
    backwards = side(tmp_path / "after", BEFORE, step=-1)
    assert first["sources"] != backwards["sources"]
    assert compared(tmp_path, first, backwards) == ({"loans": {}}, [])
    assert compared(tmp_path, first, first) == ({}, [])  # without reading anything


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"first": 1}, "cases or folds"),
        ({"columns": {"label": ([0] + [1] * (POSITIVES - 1) + [0] * 89 + [1]) * 2}}, "labels"),
        ({"columns": {"instance": [*range(1, CASES + 1)] * 2}}, "cases or folds"),
        ({"columns": {"fold": [place % 3 for place in range(CASES)] * 2}}, "cases or folds"),
        ({"columns": {"weight": [1 + place % 2 for place in range(CASES)] * 2}}, "weights"),
        ({"columns": {"cluster": [f"c{place // 2}" for place in range(CASES)] * 2}}, "clusters"),
        (
            {"columns": {"cost_fn": [2 + place % 3 for place in range(CASES)] * 2}},
            "costs of misses",
        ),
    ],
)
def test_other_cases_are_said_and_not_paired(
    tmp_path: Path, changes: dict[str, Any], what: str
) -> None:
    sides = side(tmp_path / "before", BEFORE), side(tmp_path / "after", AFTER, **changes)
    found, [note] = compared(tmp_path, *sides)
    assert found == {"loans": {}}
    assert note == f"Loans: not compared case by case, as {what} differ."


def test_costs_at_another_place_are_not_paired(tmp_path: Path) -> None:
    sides = side(tmp_path / "before", BEFORE), side(tmp_path / "after", AFTER)
    sides[1]["given"]["datasets"][0]["prior"] = 0.3
    uses = use("NB"), {("loans", "5:1"): {"cheapest": "NB", "pc": 0.7}}
    found, notes = paired(sides, uses, [tmp_path / "before", tmp_path / "after"])
    assert {*found["loans"]["NB", "NB"]} == {("area", "")}
    moved = "Loans, 5:1: not compared case by case, as it is another PC(+) before and after."
    assert notes[1:] == [moved]
    assert "over all 1 costs together" in notes[0]


def test_a_change_is_beyond_chance_over_all_costs_together(tmp_path: Path) -> None:
    # One more false alarm in 17: an interval of 80 % excludes zero, one of 93 % does not.
    said = BEFORE["NB"]
    after = [*said[:POSITIVES], *said[POSITIVES:]]
    for place in [it for it in range(POSITIVES, CASES) if not said[it]][:2]:
        after[place] = 1
    sides = side(tmp_path / "before", BEFORE), side(tmp_path / "after", BEFORE | {"NB": after})
    found, _ = compared(tmp_path, *sides)
    rate, beyond = found["loans"]["NB", "NB"]["area", ""]
    assert rate.low > 0
    assert not beyond


def test_predictions_that_are_away_or_changed_are_said(tmp_path: Path) -> None:
    sides = side(tmp_path / "before", BEFORE), side(tmp_path / "after", AFTER)
    away = "Loans: not compared case by case, as predictions are not here; see --sources."
    with (tmp_path / "after" / "a.csv").open("a") as file:
        file.write("NB,999,1,1\n")
    changed = "Loans: not compared case by case, as predictions have changed since a report."
    assert compared(tmp_path, *sides) == ({"loans": {}}, [changed])
    (tmp_path / "after" / "a.csv").unlink()
    assert compared(tmp_path, *sides) == ({"loans": {}}, [away])
