"""Rare classes are decided where they live: standard errors and verdicts, by cost ratio."""

import json
from typing import Any

import pytest

from tests.coverage.rare import GOLDEN

TABLES = json.loads(GOLDEN.read_text(encoding="utf-8"))
VERDICTS = {(row["design"], row["grid"]): row for row in TABLES["verdicts"]}


@pytest.mark.parametrize("row", TABLES["errors"], ids=lambda row: f"ratio {row['ratio']}")
def test_standard_errors_are_nearly_the_true_ones(row: dict[str, Any]) -> None:
    """Where the true one is less than two false positives, no spread is less than one allows."""
    mean, _, error = row["steps"]
    assert mean - 2 * error <= (1.1 if row["false positives"] > 1.5 else 1.2)
    assert mean <= row["regular"][0] + 1e-9


def test_verdicts_on_rare_classes_are_false_as_seldom_as_they_say() -> None:
    row = VERDICTS["equal", "steps"]
    assert row["any"] - 2 * row["error of any"] <= 0.1


def test_steps_cost_no_power() -> None:
    steps, regular = (VERDICTS["different", grid] for grid in ("steps", "regular"))
    assert steps["any"] >= regular["any"] - steps["error of any"]
