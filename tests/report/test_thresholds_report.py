"""The section of thresholds: a cell says at its cost ratio what the table of deployment has."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import pandas as pd
import pytest

from costcurves.report.thresholds import RATIOS, Thresholds, ratios, thresholds, use
from tests.fake_report import THREE, tables
from tests.report.test_measured import FACTS
from tests.report.test_summary import of_tables
from tests.said import part, words

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


@pytest.mark.parametrize(
    ("decades", "powers"),
    [((-1, 4), [-1, 0, 1, 2, 3, 4]), ((-2, 4), [*range(-2, 5)]), ((-6, 6), [*range(-6, 7, 2)])],
)
def test_where_a_class_is_rare_columns_are_powers_of_ten(
    decades: tuple[int, int], powers: list[int]
) -> None:
    assert ratios(FACTS) == RATIOS
    assert ratios(replace(FACTS, decades=decades)) == tuple(10.0**one for one in powers)


def test_rules_are_compared_with_thresholds_from_other_folds() -> None:
    section = thresholds(of_tables(THREE, tables()))
    assert section is not None
    content: Thresholds = section.content
    assert content.names == ("cross-fitted", "cost-minimizing", "score-fixed")
    assert content.rules is not None
    (fitted, hindsight, fixed) = content.rules.rows[0].rules
    assert fixed.area - fitted.area == pytest.approx(0.1)
    assert (fixed.more.value, fixed.more.low, fixed.more.high) == pytest.approx((0.1, 0.08, 0.12))
    assert hindsight.more.value == 0
    assert content.dearest is not None
    assert content.dearest.rule == "score-fixed"
    shown = words(part(section))
    assert "Score-fixed choice costs A 0.100 more than thresholds from other folds (90" in shown


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"low": -0.1}, "No threshold rule is shown to cost more than thresholds from other"),
        (None, "By estimate, the thresholds below have the lowest cost at each ratio."),
    ],
)
def test_a_rule_costs_more_only_where_that_is_shown(
    changes: dict[str, float] | None, said: str
) -> None:
    data = tables()
    rows = data["choice_intervals"]
    data["choice_intervals"] = rows.iloc[:0] if changes is None else rows.assign(**changes)
    section = thresholds(of_tables(THREE, data))
    assert section is not None
    assert said in words(part(section))
