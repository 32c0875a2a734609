"""The appendix of a report: all else that was computed, dataset by dataset."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import isnan, nan
from operator import itemgetter
from typing import Any, Final

import pandas as pd

from costcurves.figures.averages import METHODS
from costcurves.report.choosing import choosing
from costcurves.report.differences import PAIRS
from costcurves.report.document import Section, Values
from costcurves.report.material import Material
from costcurves.report.sections import judged
from costcurves.tables.curves.headline import constant_decision
from costcurves.tables.curves.pieces import areas
from costcurves.tables.curves.roc import are_several
from costcurves.tables.keys import LEVELS
from costcurves.text import Name

SHORT: Final = 0.05  # shorter stretches are counted, unless a pair has no longer one


def appendix(materials: Sequence[Material]) -> Section:
    """Make the appendix: all else that was computed, dataset by dataset."""
    inner = tuple(map(_appended, materials))
    return Section("appendix", ("Appendix",), "appendix", None, inner, closed=True)


def _appended(material: Material) -> Section:
    facts = material.facts
    parts = tuple(part for make in APPENDIX if (part := make(material)) is not None)
    title = (Name(facts.title),)
    return Section(f"appendix/{facts.slug}", title, "appended", Values(facts=facts), parts)


def ranking(material: Material) -> Section:
    """Show what is known of models without regard to costs."""
    table = material.table("measures", "how each model ranks", judged(material))
    rows = [
        Values(a=material.model(row["model_a"]), b=material.model(row["model_b"]), **row)
        for row in material.rows("auc_differences")
    ]
    words = "differences of AUC, and DeLong\N{RIGHT SINGLE QUOTATION MARK}s test"
    return material.section(
        "ranking",
        "How models rank",
        table=table,
        confidence=material.confidence,
        pairs=material.table("auc_differences", words, rows) if rows else None,
    )


def optimism(material: Material) -> Section | None:
    """Show what in-sample selection promises at each level, and the curves behind it."""
    if material.tables["optimism"].empty:
        return None
    found = {(row["model"], row["level"]): row for row in material.rows("optimism")}
    rows = [
        Values(
            model=material.model(model),
            cross_fitted=found[model, material.facts.level]["cross_fitted"],
            promises=tuple(Values(**found[model, level]) for level in LEVELS),
        )
        for model in material.facts.models
    ]
    measured = not all(isnan(row.cross_fitted) for row in rows)
    words = "area, in hindsight and cross-fitted"
    return material.section(
        "optimism",
        "Thresholds chosen in hindsight",
        table=material.table("optimism", words, rows) if measured else None,
        confidence=material.confidence,
    )


def conditions(material: Material) -> Section | None:
    """Show one operating condition in ROC and cost space; nothing where none is marked."""
    if material.tables["duality"].empty:
        return None
    words = "costs and operating points"
    return material.section(
        "conditions",
        "One condition in both spaces",
        table=material.table("duality", words, _conditions(material)),
    )


def _conditions(material: Material) -> Iterator[Values]:
    """List operating conditions, each with every model under it, the cheapest first."""
    condition = itemgetter("condition", "pc", "cost_ratio", "slope")
    for (name, pc, ratio, slope), rows in groupby(material.rows("duality"), condition):
        models = [
            material.row(row, cost=material.estimates[row["model"], "cost", name].value)
            for row in rows
        ]
        models.sort(key=lambda one: float(one.cost))
        yield Values(
            name=Name(name),
            pc=pc,
            ratio=ratio,
            slope=slope,
            constant=constant_decision(pc, models[0].cost),
            rows=tuple(models),
        )


def averaging(material: Material) -> Section | None:
    """Show what each way of averaging does to the cost; nothing where there is but one."""
    found = _areas_by_method(material.tables["averages"], material.facts.level)
    if len({method for _, method in found}) == 1:
        return None
    several = are_several(material.tables["averages"])
    rows = [
        Values(
            model=material.model(model),
            areas=tuple(
                Values(area=area, more=area - areas[0] if place else nan)
                for place, area in enumerate(areas)
            ),
        )
        for model in material.facts.models
        for areas in [[found.get((model, way), nan) for way in METHODS]]
    ]
    words = "area under the average by method"
    return material.section(
        "averaging",
        "Methods of averaging",
        figure=material.figure("averages") if several else None,
        table=material.table("averages", words, rows) if several else None,
    )


def _areas_by_method(averages: pd.DataFrame, level: str) -> dict[tuple[str, str], float]:
    """Return the area under each model's average by method, at a level if it is there."""
    each: dict[Any, float] = areas(averages, ["model", "method", "level"]).to_dict()
    return {(who, how): each.get((who, how, level), area) for (who, how, _), area in each.items()}


def pairs(material: Material) -> Section | None:
    """Draw the difference of every two models, and show where one costs less as observed."""
    facts = material.facts
    if len(facts.models) == 1:
        return None
    words = "which model costs less as observed, pair by pair"
    return material.section(
        "pairs",
        "Pair by pair",
        most=PAIRS,
        table=material.table("crossovers", words, _pairs(material)),
    )


def _pairs(material: Material) -> list[Values]:
    """Show where one of each pair costs less as observed; of many those first that differ most."""
    rows = groupby(material.rows("crossovers"), key=itemgetter("model_a", "model_b"))
    pairs = [_pair(material, a, b, list(found)) for (a, b), found in rows]
    if len(pairs) <= PAIRS:
        return pairs

    def apart(pair: Values) -> float:
        return max(round(abs(float(row.difference)), 9) for row in pair.rows)  # hides rounding

    return sorted(pairs, key=apart, reverse=True)


def _pair(material: Material, a: str, b: str, rows: list[dict[str, Any]]) -> Values:
    """Show the stretches on which one of a pair costs less, and count the short ones."""
    unequal = [row for row in rows if row["largest_difference"]] or rows
    long = [row for row in unequal if row["pc_to"] - row["pc_from"] >= SHORT]
    listed = long or [max(unequal, key=lambda row: row["pc_to"] - row["pc_from"])]
    shown = []
    for row in listed:
        difference = row["largest_difference"]
        cheaper = row["model_a"] if difference < 0 else row["model_b"]
        model = material.model(cheaper) if difference else None
        shown.append(Values(**{**row, "cheaper": model, "difference": difference}))
    return Values(
        a=material.model(a),
        b=material.model(b),
        rows=tuple(shown),
        short=len(unequal) - len(listed),
    )


APPENDIX: Final[tuple[Callable[[Material], Section | None], ...]] = (
    ranking,
    pairs,
    choosing,
    optimism,
    conditions,
    averaging,
)
