"""Any wrong call on any claim of a study is as rare as its level says."""

import json

import pytest

from tests.coverage.claims import GOLDEN, row

TABLE = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "cell", TABLE["rows"], ids=lambda cell: f"{cell['kind']} {cell['positives']}"
)
def test_the_familywise_error_keeps_the_level(cell: dict[str, float]) -> None:
    error = 1 - TABLE["level"]
    chance = (error * (1 - error) / cell["datasets"]) ** 0.5
    assert cell["any"] <= error + 2 * chance


@pytest.mark.parametrize(
    ("kind", "size", "datasets"), [("curves", 30, 60), ("decisions", 50, 60), ("criteria", 30, 15)]
)
def test_the_table_can_be_simulated_again(kind: str, size: int, datasets: int) -> None:
    stored = next(one for one in TABLE["rows"] if (one["kind"], one["positives"]) == (kind, size))
    found = row(kind, size, datasets)
    chance = (stored["any"] * (1 - stored["any"]) / datasets) ** 0.5
    assert abs(found["any"] - stored["any"]) <= 4 * chance
