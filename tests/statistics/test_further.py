"""Intervals of calibration, segments and matrices of costs hold what they say, as simulated."""

import json
from math import sqrt
from typing import Any

import pytest

from tests.coverage.further import (
    CALIBRATION,
    DECISIONS,
    GOLDEN,
    LEVEL,
    SEGMENTS,
)
from tests.coverage.making import maths

TABLES = json.loads(GOLDEN.read_text(encoding="utf-8"))
ROWS = [row for name in ("calibration", "segments", "matrix") for row in TABLES[name]]
EACH = {  # how far below its level an interval may truly be: of a threshold that its cases chose
    "brier": 0.0,
    "miscalibration": 0.0,
    "discrimination": 0.0,
    "difference": 0.0,
    "simultaneous band": 0.0,
    "cost": 0.02,
    "recalibrated": 0.0,
    "hits": 0.02,
    "alarms": 0.02,
    "differences": 0.0,
}


def error(row: dict[str, Any]) -> float:
    return sqrt(LEVEL * (1 - LEVEL) / row["datasets"])


def test_the_tables_are_those_of_this_code() -> None:
    assert TABLES["maths"] == maths("tests.coverage.further"), (
        "run python -m tests.coverage.further"
    )
    assert [row["design"] for row in TABLES["calibration"]] == [it.name for it in CALIBRATION]
    assert [row["design"] for row in TABLES["segments"]] == [it.name for it in SEGMENTS]
    designs = [(it.cases, it.per_cluster, max(map(max, it.cost))) for it in DECISIONS]
    names = "cases", "per cluster", "dearest"
    assert [tuple(row[name] for name in names) for row in TABLES["matrix"]] == designs


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.get("design") or f"{row['cases']} cases")
def test_intervals_hold_as_often_as_they_say(row: dict[str, Any]) -> None:
    """Two standard errors and a half: the least of three segments is among many that are tested."""
    for name, less in EACH.items():
        if name in row:
            assert row[name] >= LEVEL - less - 2.5 * error(row), name


def test_scores_that_are_calibrated_are_seldom_called_otherwise() -> None:
    (fair,) = (row for row in TABLES["calibration"] if "consistency band" in row)
    assert fair["rejected"] <= 1 - LEVEL + 2 * error(fair)
    assert abs(fair["consistency band"] - LEVEL) < 2 * error(fair)


def test_scores_that_are_not_are_told_from_them() -> None:
    others = [row for row in TABLES["calibration"] if row.get("rejected", 0) > 0.2]
    assert len(others) == 6
    assert min(row["rejected"] for row in others) > 0.8


def test_equal_segments_are_seldom_told_apart() -> None:
    (equal,) = (row for row in TABLES["segments"] if row["design"].startswith("equal"))
    assert equal["rejected"] <= 1 - LEVEL + 2 * error(equal)
