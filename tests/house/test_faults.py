"""The committed table of faults: every kind was tried, and each ended as promised."""

import json
from typing import Any

import pytest

from tests.faults.__main__ import KEPT, OUT, kills, kind, others, verdict

FAULTS = [*kills(10), *others(10)]
ROWS: list[dict[str, Any]] = json.loads(OUT.read_text())


def test_every_fault_was_tried_and_ended_as_promised() -> None:
    listed = [(kind(row["fault"]), row["before"], row["promised"]) for row in ROWS]
    assert listed == [
        (kind(one.name), "a report" if one.built else "nothing", one.promised) for one in FAULTS
    ]
    for row, fault in zip(ROWS, FAULTS, strict=True):
        assert (row["verdict"], verdict(row, fault.statuses)) == (KEPT, KEPT), row["fault"]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"status": 1}, "status"),
        ({"said": ""}, "no message"),
        ({"said": "Traceback (most recent call last): MemoryError"}, "traceback"),
        ({"report then": "a part"}, "report"),
        ({"status": 0}, "report"),
        ({"same bytes again": False}, "next run"),
    ],
)
def test_a_broken_promise_is_told(broken: dict[str, Any], said: str) -> None:
    row = {"status": 5, "said": "why", "report then": "as before", "same bytes again": True}
    assert (verdict(row, (5, 0)), verdict(row | broken, (5, 0))) == (KEPT, said)
