"""The tables of simulations are of today's maths, and the tests notice where they are not.

Coverage itself takes many data sets to be seen: a share of 90 % among 60 has a standard error of
3.9 %. So the first data sets of each simulation are made again, the very same, and their bands must
be as wide as they were. That has no Monte Carlo error, and a band that covers 85 % instead of 90 %
is 12 % narrower.
"""

import ast
import json
from functools import partial
from math import nan
from pathlib import Path
from typing import Any

import pytest

from tests.coverage import by_design, choices, claims, inference, making, optimism, rare, verdicts
from tests.coverage.making import behind, maths, syntax

Row = dict[str, Any]

OF_COVERAGE = json.loads(inference.GOLDEN.read_text(encoding="utf-8")).get("maths", {})


def assert_made_again(found: list[Row], stored: list[Row]) -> None:
    """Hold the widths of the first data sets to those that are stored."""
    for own, row in zip(found, stored, strict=True):
        widths = {name: width for name, width in own.items() if name.endswith(inference.FIRST)}
        assert widths
        assert widths == pytest.approx({name: row.get(name, nan) for name in widths}, rel=0.01)


@pytest.mark.parametrize("simulation", [by_design, choices, claims, optimism, rare, verdicts])
def test_a_table_is_of_todays_maths(simulation: Any) -> None:
    name = simulation.__name__
    stored = json.loads(simulation.GOLDEN.read_text(encoding="utf-8")).get("maths")
    assert stored == maths(name), f"other maths made this table: run python -m {name}"


@pytest.mark.parametrize("table", inference.TABLES)
def test_a_table_of_coverage_is_of_todays_maths(table: str) -> None:
    again = f"run python -m tests.coverage.inference {table}"
    stored = OF_COVERAGE.get(table)
    assert stored == maths(inference.source(table)), f"other maths made this table: {again}"


CALLS: list[int] = []


def cell(number: int) -> Row:
    """A cell that counts how often it is made."""
    CALLS.append(number)
    return {"number": number, "share": 0.25 / number}


def test_a_cell_that_was_made_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "KEPT", tmp_path)
    first = making.called(partial(cell, 3))
    assert making.called(partial(cell, 3)) == first == [{"number": 3, "share": 0.25 / 3}]
    assert making.called(partial(cell, 7)) == [{"number": 7, "share": 0.25 / 7}]
    assert CALLS == [3, 7]
    monkeypatch.setattr(making, "maths", lambda module: f"another hash of {module}")
    making.called(partial(cell, 3))
    assert CALLS == [3, 7, 3]


def test_what_is_behind_a_table_is_followed_through_imports() -> None:
    of_claims, of_costs = behind("tests.coverage.claims"), behind("tests.coverage.costs")
    assert {
        f"costcurves.maths.{name}" for name in ("chance.evidence", "chance.largest", "counts.rows")
    } <= {*of_claims}
    assert "tests.coverage.choices" in of_claims
    # Of other layers only what is named.
    assert "costcurves.tables.inference.resampling:joined" in of_costs
    assert "costcurves.tables.inference.resampling" not in of_costs
    assert "costcurves.maths.chance.sign_test" not in {*of_claims, *of_costs}


CODE = "A = 2\n\n\ndef f(x: int) -> int:\n    return x + 1\n"


def test_words_and_layout_change_no_hash() -> None:
    told = '"""Module."""\n\nA = 2  # two\n\ndef f(\n    x: int,\n) -> int:\n    """Add."""\n'
    told += "    return (x + 1)\n"
    assert syntax(ast.parse(told)) == syntax(ast.parse(CODE))
    assert syntax(ast.parse(CODE), "f") == syntax(ast.parse(CODE.replace("2", "3")), "f")


@pytest.mark.parametrize(("old", "new"), [("+", "-"), ("1", "1.0"), ("= 2", "= 3"), ("x +", "A +")])
def test_another_number_or_operation_changes_the_hash(old: str, new: str) -> None:
    assert syntax(ast.parse(CODE.replace(old, new))) != syntax(ast.parse(CODE))
