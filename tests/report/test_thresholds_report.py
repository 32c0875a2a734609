"""The section of thresholds: a cell says at its cost ratio what the table of deployment has."""

from dataclasses import replace
from itertools import pairwise
from math import inf, nan
from typing import Any

import pandas as pd
import pytest

from costcurves.report import choosing
from costcurves.report.thresholds import RATIOS, ratios, use
from tests.fake_report import THREE, tables
from tests.report.test_measured import FACTS
from tests.report.test_summary import of_tables

MINUS = "\N{MINUS SIGN}"


def served(**changes: Any) -> list[dict[str, Any]]:
    """Three ranges of one model, of which the second is as changed, and a range of another."""
    second = {"model": "A", "pc_to": 0.5, "member": "", "threshold": 0.123456, **changes}
    return [
        {"model": "A", "pc_to": 0.2, "member": "", "threshold": inf},
        second,
        {"model": "A", "pc_to": 1.0, "member": "", "threshold": -inf},
        {"model": "B", "pc_to": 1.0, "member": "", "threshold": 7.0},
    ]


@pytest.mark.parametrize(
    ("pc", "words"),
    [(0.1, "never"), (0.2, "never"), (0.21, "≥ 0.123"), (0.5, "≥ 0.123"), (0.51, "always")],
)
def test_a_condition_is_served_by_the_range_that_holds_it(pc: float, words: str) -> None:
    assert use(served(), "A", pc) == words


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"threshold": -1234.5, "flagged": 0.3125}, f"≥ {MINUS}1.23e+03,\ntop 31\u202f%"),
        ({"threshold": 0.999996, "flagged": 0.014}, "≥ 0.999996,\ntop 1.4\u202f%"),
        ({"threshold": 0.998, "flagged": 0.25}, "≥ 0.998"),
        ({"member": "deep", "threshold": 0.25}, "deep ≥ 0.25"),
        ({"member": "deep", "threshold": nan}, "deep"),
        ({"threshold": nan}, "as decided"),
    ],
)
def test_a_threshold_is_rounded_and_a_member_is_named(row: dict[str, Any], words: str) -> None:
    assert use(served(**row), "A", 0.4) == words


def test_a_model_has_its_own_thresholds() -> None:
    assert use(served(), "B", 0.1) == "≥ 7"


def test_cases_at_or_above_a_threshold_are_counted_whatever_their_fold() -> None:
    """Of 12 cases, with scores in sixths that come twice."""
    scores = [place / 6 for place in range(6, 0, -1)]
    fp, tp = [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]
    pooled = {"model": "A", "level": "pooled", "threshold": [inf, *scores], "member": ""}
    counts = {"fp_count": fp, "tp_count": tp, "negatives": 6, "positives": 6}
    points = pd.DataFrame({**pooled, **counts})
    points = points.assign(fp=points["fp_count"] / 6, fn=1 - points["tp_count"] / 6)
    other = points.assign(level="fold", tp_count=0)
    rows = [{"model": "A", "member": "", "threshold": it} for it in (inf, 0.7, 0.5, -inf)]
    data = {"operating_points": pd.concat([other, points]), "deployment": pd.DataFrame(rows)}
    found = of_tables(THREE, {**tables(), **data}).served
    assert [row.get("flagged") for row in found] == [
        None,
        pytest.approx(1 / 3),
        pytest.approx(2 / 3),
        None,
    ]


def test_of_many_ranges_the_widest_of_each_model_are_listed_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = [0.0, 0.3, 0.31, 0.6, 0.62, 0.7, 1.0]
    rows = [
        {"model": model, "pc_from": low, "pc_to": high, "threshold": low}
        for model in "AB"
        for low, high in pairwise(ends)
    ]
    monkeypatch.setattr(choosing, "LISTED", 6)
    monkeypatch.setattr(choosing, "WIDEST", 2)
    table = tables()["deployment"].iloc[:0]
    made = of_tables(THREE, {**tables(), "deployment": pd.DataFrame(rows, columns=[*table])})
    found = choosing._deployed(made)
    assert [one.hidden for one in found] == [3, 3]
    assert [row.pc_from for row in found[0].rows] == [0.0, 0.31, 0.7]


@pytest.mark.parametrize(
    ("decades", "powers"),
    [((-1, 4), [-1, 0, 1, 2, 3, 4]), ((-2, 4), [*range(-2, 5)]), ((-6, 6), [*range(-6, 7, 2)])],
)
def test_where_a_class_is_rare_columns_are_powers_of_ten(
    decades: tuple[int, int], powers: list[int]
) -> None:
    assert ratios(FACTS) == RATIOS
    assert ratios(replace(FACTS, decades=decades)) == tuple(10.0**one for one in powers)
