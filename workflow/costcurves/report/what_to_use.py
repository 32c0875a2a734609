"""What to use on each dataset at each condition, as a table for programs: `answer` in rows."""

import json
from collections.abc import Iterable
from math import nan
from typing import Any, Final

import pandas as pd

from costcurves.report.answer import Choice, DatasetAnswer
from costcurves.report.document import Estimate
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, ESTIMATE, OF_CONDITION

BETWEEN: Final = "; "  # names in a column
Row = dict[str, Any]


def _estimate(name: str, unit: str, meaning: str) -> tuple[Column, ...]:
    ends = {"low": "lower end of its interval; NaN: it has none", "high": "upper end"}
    columns = (Column(f"{name}_{end}", "float64", unit, words) for end, words in ends.items())
    return (Column(name, "float64", unit, meaning), *columns)


WHAT_TO_USE: Final = Contract(
    "what_to_use",
    DATASET,
    Column("title", "str", "", "the dataset's title"),
    *OF_CONDITION,
    Column("cost_ratio", "float64", "", "cost of a miss / cost of a false alarm"),
    Column("lowest", "str", "", "decision with the lowest estimate: a model, or always one class"),
    Column("shown", "bool", "", "every other decision is ruled out"),
    Column("not_ruled_out", "str", "", "other decisions, with semicolons between them"),
    ESTIMATE,
    *_estimate("cost", "nec", "normalized expected cost; at a ratio with a sampled prior's error"),
    Column("unit", "str", "", "of amounts: as configured, or false alarms"),
    *_estimate("amount", "unit", "what its mistakes cost in 1000 cases"),
    Column("misses", "float64", "cases", "of 1000; NaN: not known"),
    Column("false_alarms", "float64", "cases", "of 1000; NaN: not known"),
    Column("than", "str", "", "the reference, or else the next best model; empty: no other"),
    *_estimate("less_amount", "unit", "than that, in 1000 cases; an interval where it is shown"),
    Column("baseline", "str", "", "the cheaper of always negative and always positive"),
    *_estimate("saved_amount", "unit", "against that, in the same way"),
    Column("member", "str", "", "of a family: the one to use"),
    Column("threshold", "float64", "score", "predict positive at or above; NaN: as decided"),
    Column("flagged", "float64", "rate", "share of all cases at or above the threshold"),
    CONFIDENCE,
)


def what_to_use(datasets: Iterable[DatasetAnswer]) -> list[Row]:
    """Write a row for each dataset and condition; the first is where a reader begins."""
    return [_row(dataset, choice) for dataset in datasets for choice in dataset.rows]


def as_frame(rows: Iterable[Row]) -> pd.DataFrame:
    """Make a table of the rows."""
    return WHAT_TO_USE.rows(
        [row | {"not_ruled_out": BETWEEN.join(row["not_ruled_out"] or ())} for row in rows]
    )


def as_json(rows: Iterable[Row]) -> str:
    """Write the rows for programs: a list, with null for what is no finite number."""
    finite = json.loads(json.dumps(list(rows)), parse_constant=lambda _: None)
    return json.dumps(finite, indent=1, allow_nan=False) + "\n"


def _row(dataset: DatasetAnswer, choice: Choice) -> Row:
    rival, baseline, mistakes = choice.of, choice.baseline, choice.mistakes
    estimates = {
        "cost": choice.cost,
        "amount": choice.amount,
        "less_amount": rival.amount if rival else Estimate(nan),
        "saved_amount": baseline.amount if baseline else Estimate(0),
    }
    row: Row = {
        "dataset": dataset.facts.dataset.name,
        "title": dataset.facts.title,
        "condition": choice.condition.title,
        "pc": choice.condition.pc,
        "cost_ratio": choice.condition.ratio,
        "lowest": choice.best,
        "shown": choice.shown,
        "not_ruled_out": choice.not_ruled_out,
        "estimate": choice.estimate,
        "unit": choice.unit,
        "misses": float(mistakes.misses) if mistakes else nan,
        "false_alarms": float(mistakes.alarms) if mistakes else nan,
        "than": rival.than if rival else "",
        "baseline": baseline.than if baseline else choice.best,
        "member": choice.serving.member,
        "threshold": choice.serving.threshold,
        "flagged": choice.serving.flagged,
        "confidence": dataset.facts.confidence,
    }
    for name, estimate in estimates.items():
        row[name], row[f"{name}_low"] = estimate.value, estimate.low
        row[f"{name}_high"] = estimate.high
    return row
