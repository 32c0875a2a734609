"""The committed table of faults: every kind was tried, and none left harm."""

import json
from typing import Any

import pytest

from tests.faults.__main__ import KILLS, OUT, harmed, kills, others
from tests.faults.study import TRACEBACK

ROWS: list[dict[str, Any]] = json.loads(OUT.read_text())


def kind(fault: str) -> str:
    """A fault without its moment, which depends on how long a build takes."""
    return fault.split(" at ")[0]


def test_every_kind_of_fault_was_tried() -> None:
    listed = [*kills(10, KILLS), *others(10)]
    assert KILLS >= 20
    assert [kind(row["fault"]) for row in ROWS] == [kind(fault.name) for fault in listed]
    assert {(row["before"], row["bookkeeping"]) for row in ROWS[:KILLS]} == {
        ("a report", "kept"),
        ("a report", "lost"),
        ("nothing", "kept"),
        ("nothing", "lost"),
    }


@pytest.mark.parametrize("row", ROWS, ids=[row["fault"] for row in ROWS])
def test_no_fault_left_harm_and_each_has_a_message(row: dict[str, Any]) -> None:
    assert not harmed(row)
    assert row["status"] == 0 or row["report then"] in ("none", "as before", "the new one")
    assert row["said"] or row["status"] == -9 or "kill" in row["fault"]
    # With a memory that holds not even what is imported, Python speaks for itself.
    assert TRACEBACK not in row["said"] or row["fault"].startswith("memory of 200 MB")
