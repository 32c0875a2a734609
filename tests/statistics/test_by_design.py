"""Errors of verdicts and coverage of bands by kind of design, and that they can be made again."""

import json
from dataclasses import replace
from math import sqrt
from typing import Any

import pytest

from tests.coverage import by_design
from tests.coverage.inference import AGAIN
from tests.statistics.test_simulated import assert_made_again

ROWS: list[dict[str, Any]] = json.loads(by_design.GOLDEN.read_text(encoding="utf-8"))["designs"]
NOMINAL, AT_MOST, BAND, ONE_SIDE = 0.10, 0.12, 0.86, 0.06


def error(share: float, row: dict[str, Any]) -> float:
    """The simulation's standard error."""
    return sqrt(share * (1 - share) / row["datasets"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["design"])
def test_verdicts_and_bands_keep_their_level(row: dict[str, Any]) -> None:
    """Cases taken as independent gave a false verdict in half of the data sets of the first."""
    for kind in ("any", "mean"):
        assert row[kind] - 2 * error(row[kind], row) <= NOMINAL
        assert row[kind] <= AT_MOST
    assert row["named"] - 2 * error(row["named"], row) <= NOMINAL / 2  # half of the error
    assert row["statement"] - 2 * error(row["statement"], row) <= 2 * NOMINAL - NOMINAL**2
    for kind in ("band", "each", "area"):
        assert row[kind] >= BAND
    assert min(row["cost"]) >= BAND - 2 * error(BAND, row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["design"])
def test_a_single_claim_keeps_its_level_on_one_side(row: dict[str, Any]) -> None:
    """A nominal .05, as at the gate; on curves with jumps .064 of 2,000 may be .06."""
    share = max(row["one side"])
    chance = error(2 * share, row) if "with jumps" in row["design"] else 0.0
    assert share - chance <= ONE_SIDE


@pytest.mark.parametrize("design", ["40 + 60", "150 + 150, one test set"])
def test_slivers_make_verdicts_on_curves_with_jumps_rarer(design: str) -> None:
    by_name = {row["design"]: row for row in ROWS}
    smooth, jumps = by_name[design], by_name[f"{design}, with jumps"]
    noise = error(smooth["any"], smooth) + error(jumps["any"], jumps)
    assert jumps["any"] + 2 * noise < smooth["any"]


def test_any_statement_is_false_more_often_than_each_kind() -> None:
    for row in ROWS:
        assert max(row["mean"], row["named"]) <= row["statement"]


@pytest.mark.parametrize("place", [0, 4, 14, 17])
def test_the_first_data_sets_are_the_same(place: int) -> None:
    design = replace(by_design.DESIGNS[place], datasets=AGAIN)
    assert_made_again([by_design.row(place, design)], [ROWS[place]])
