"""Any wrong call on any claim of a study is as rare as its level says."""

import json

import pytest

from tests.coverage.claims import GOLDEN, row
from tests.coverage.inference import AGAIN
from tests.statistics.test_simulated import assert_made_again

TABLE = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "cell", TABLE["rows"], ids=lambda cell: f"{cell['kind']} {cell['positives']}"
)
def test_the_familywise_error_keeps_the_level(cell: dict[str, float]) -> None:
    error = 1 - TABLE["level"]
    chance = (error * (1 - error) / cell["datasets"]) ** 0.5
    assert max(cell["any"], cell["alone"]) <= error + 2 * chance


@pytest.mark.parametrize(("kind", "size"), [("curves", 30), ("decisions", 50), ("criteria", 30)])
def test_the_first_data_sets_give_the_widths_that_were_measured(kind: str, size: int) -> None:
    stored = next(one for one in TABLE["rows"] if (one["kind"], one["positives"]) == (kind, size))
    assert_made_again([row(kind, size, AGAIN)], [stored])
