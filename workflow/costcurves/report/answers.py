"""What to use on each dataset at each condition, as a table: the numbers of the first page."""

import json
from collections.abc import Iterable, Iterator
from math import inf, isfinite, nan
from typing import Any, Final

import pandas as pd

from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report.decisions import decided
from costcurves.report.document import Estimate, Values
from costcurves.report.material import Material
from costcurves.report.thresholds import chooses, serving
from costcurves.report.to_use import everywhere
from costcurves.tables.contract import Column, Contract
from costcurves.tables.inference.decisions import PER, RECALIBRATED
from costcurves.tables.keys import ALWAYS, CONFIDENCE, DATASET, ESTIMATE, OF_CONDITION
from costcurves.text import plain

BETWEEN: Final = "; "  # names in a column
NOTHING: Final = Estimate(0, nan, nan)  # is saved
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
    Column("cheapest", "str", "", "by estimate: a model, always negative or always positive"),
    ESTIMATE,
    *_estimate("cost", "nec", "its normalized expected cost"),
    *_estimate("saved", "nec", "compared with the cheaper no-model baseline"),
    Column("unit", "str", "", "of amounts; empty: costs have none"),
    *_estimate("amount", "unit", "what mistakes cost in 1000 cases"),
    *_estimate("saved_amount", "unit", "what is saved in 1000 cases"),
    Column("member", "str", "", "of a family: the one to use"),
    Column("threshold", "float64", "score", "predict positive at or above; NaN: as decided"),
    Column("flagged", "float64", "rate", "share of all cases at or above the threshold"),
    Column("could_be_cheapest", "str", "", "other decisions, with semicolons between them"),
    CONFIDENCE,
)


def what_to_use(materials: Iterable[Material]) -> list[Row]:
    """Say what to use at each condition of each dataset; the first is where a reader begins."""
    return [row for one in materials for row in (*_by_matrix(one), *_rows(one))]


def as_frame(answers: Iterable[Row]) -> pd.DataFrame:
    """Make a table of it."""
    key = "could_be_cheapest"
    return WHAT_TO_USE.rows([row | {key: BETWEEN.join(row[key] or ())} for row in answers])


def as_json(answers: Iterable[Row]) -> str:
    """Write it for programs: a list of rows, with null for what is no finite number."""
    rows = [{name: _finite(value) for name, value in row.items()} for row in answers]
    return json.dumps(rows, indent=1, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


def _by_matrix(material: Material) -> Iterator[Row]:
    """Say which decision costs least among several classes, at most once for all of them."""
    found = decided(material)
    if found is not None:
        amount = Estimate(*(PER * end for end in vars(found.best.cost).values()))
        yield {
            **{column.name: nan for column in WHAT_TO_USE.columns if column.dtype == "float64"},
            "dataset": material.facts.of,
            "title": found.title,
            "condition": "by the matrix of costs",
            "cheapest": _name(found.best),
            **dict.fromkeys(("estimate", "unit", "member"), ""),
            "could_be_cheapest": tuple(map(_name, found.others)),
            "confidence": material.confidence,
            **dict(_ends("amount", amount)),
        }


def _name(of: Values) -> str:
    return f"{of.name} ({of.rule})" if of.rule == RECALIBRATED else str(of.name)


def _rows(material: Material) -> Iterator[Row]:
    for place, found in enumerate(everywhere(material)):
        own = material.weighted if place == 0 else None  # own costs come first, where there are any
        estimates = {
            "cost": found.cost,
            "saved": found.saved or NOTHING,
            "amount": found.amount,
            "saved_amount": found.amount and (found.saved_amount or NOTHING),
        }
        yield {
            "dataset": material.tables["headline"]["dataset"].iloc[0],
            "title": material.facts.title,
            "condition": plain(found.condition),
            "pc": found.pc,
            "cost_ratio": ratio_from_pc(found.pc, material.facts.prior),
            "cheapest": found.best,
            "estimate": found.estimate,
            "unit": found.unit if found.amount else "",
            "could_be_cheapest": found.running,
            "confidence": material.confidence,
            **_served(own or material, found),
            **{key: end for name, one in estimates.items() for key, end in _ends(name, one)},
        }


def _ends(name: str, one: Estimate | None) -> Iterator[tuple[str, float]]:
    ends = (nan, nan, nan) if one is None else (one.value, one.low, one.high)
    return zip((name, f"{name}_low", f"{name}_high"), ends, strict=True)


def _served(material: Material, found: Values) -> dict[str, Any]:
    """Say from which score on a decision predicts positive, and of how many cases."""
    if found.best in ALWAYS:
        always = found.best == ALWAYS[1]
        return {"member": "", "threshold": -inf if always else inf, "flagged": float(always)}
    if not chooses(material) or found.best in material.facts.fixed:
        return {"member": "", "threshold": nan, "flagged": nan}
    row = serving(material.served, found.best, found.pc)
    constant = {inf: 0.0, -inf: 1.0}.get(row["threshold"], nan)
    return {it: row.get(it, constant) for it in ("member", "threshold", "flagged")}
