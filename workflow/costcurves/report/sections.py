"""The sections of one dataset, in order: each a function from its material to what a part shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Final

from costcurves.figures.context import confidence_of
from costcurves.figures.polylines import filtered
from costcurves.report.answer import LISTED, DatasetAnswer
from costcurves.report.differences import differences
from costcurves.report.document import Content, Estimate, Facts, Figure, Section
from costcurves.report.explorer import explorer
from costcurves.report.material import Material
from costcurves.report.plausibility import Problem
from costcurves.report.thresholds import thresholds
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.text import Name

ROUNDING: Final = 1e-12  # the same integral in two ways
OF_CURVES: Final = ("area", "tec", "range start", "range end")
TO_USE: Final = "which decision at each cost ratio"


@dataclass(frozen=True, kw_only=True)
class DatasetHead(Content):
    """What stands before a dataset's sections; the table is of what to use."""

    facts: Facts
    answer: DatasetAnswer | None  # None: page 1 has it
    like: str  # anchor of an earlier table that is read as this one
    findings: tuple[Problem, ...]


@dataclass(frozen=True, kw_only=True)
class CostLines(Content):
    """How a cost curve comes about."""

    hidden: tuple[float, ...]  # shares of each model's cost that thresholds in hindsight leave out


@dataclass(frozen=True)
class ModelCosts:
    """What is measured on the curve of a model."""

    model: str
    estimate: str
    area: Estimate
    tec: Estimate
    start: Estimate  # of the range in which it is of use
    end: Estimate
    costs: tuple[Estimate, ...]  # at the conditions
    auc: Estimate


@dataclass(frozen=True, kw_only=True)
class CostCurves(Content):
    """All models together."""

    lowest: ModelCosts  # by area
    conditions: tuple[str, ...]
    weighted: bool  # the weight of PC(+) makes expected costs differ from areas


@dataclass(frozen=True, kw_only=True)
class RocAndCost(Content):
    """Both spaces side by side."""

    explorer: str | None  # for a screen; None: there is no condition to move
    by_auc: ModelCosts
    by_area: ModelCosts


@dataclass(frozen=True, kw_only=True)
class Calibration(Content):
    """Whether scores are probabilities."""

    failed: tuple[str, ...]  # models whose scores are not
    tested: bool
    confidence: float


@dataclass(frozen=True, kw_only=True)
class CaseCosts(Content):
    """What models cost where each case has its own costs."""

    facts: Facts  # of cases weighted by cost
    curves: Figure | None
    rows: tuple[dict[str, Any], ...]  # the lowest cost first


def datasets(materials: Sequence[Material], answers: Sequence[DatasetAnswer]) -> list[Section]:
    """Make the section of each dataset, which opens with its answer if page 1 has it not.

    Some parts are of the first dataset alone; an appendix has those of the others.
    """
    few, like = len(materials) <= LISTED, ""
    seen: set[str] = set()
    sections = []
    for place, (material, answer) in enumerate(zip(materials, answers, strict=True)):
        facts, first = material.facts, place == 0
        use = material.table("", TO_USE, [answer]) if answer.rows else None
        head = DatasetHead(
            facts=facts,
            answer=None if few else answer,
            table=use,
            like=like,
            findings=material.findings,
        )
        like = like or (use.anchor if use else "")
        parts = [
            cost_lines(material) if first else None,
            cost_curves(material, drawn=few or first),
            thresholds(material, drawn=few or first),
            roc_and_cost(material) if first else None,
            differences(material) if first else None,
            calibration(material) if first else None,
            case_costs(material),
        ]
        inner = tuple(replace(part, first=part.part not in seen) for part in parts if part)
        seen |= {part.part for part in inner}
        sections.append(Section(facts.anchor, (Name(facts.title),), "dataset", head, inner))
    return sections


def cost_lines(material: Material) -> Section | None:
    """Show how a cost curve comes about, where it is drawn."""
    figure = material.figure("cost_lines")
    if figure is None:
        return None
    measures = material.tables["measures"]
    measures = filtered(measures, estimate=IN_SAMPLE, level=material.facts.level)
    areas = measures.set_index("model")["area"]
    hidden = tuple(
        1 - areas[row["model"]] / row["area"]
        for row in material.headline
        if row["estimate"] == CROSS_FITTED and row["area"] > 0
    )
    content = CostLines(figure=figure, hidden=hidden)
    return material.section("cost-lines", "From thresholds to a cost curve", content)


def model_costs(material: Material) -> list[ModelCosts]:
    """List what is measured on the curve of every model, with intervals."""
    estimates, costs = material.estimates, []
    for row in material.headline:
        model = row["model"]
        area, tec, start, end = (estimates[model, quantity, ""] for quantity in OF_CURVES)
        at = tuple(estimates[model, "cost", name] for name in material.conditions)
        auc = Estimate(row["auc"], row["auc_low"], row["auc_high"])
        costs.append(ModelCosts(model, row["estimate"], area, tec, start, end, at, auc))
    return costs


def cost_curves(material: Material, *, drawn: bool = True) -> Section:
    """Show all models together, and everything measured on their curves."""
    rows = model_costs(material)
    content = CostCurves(
        figure=material.figure("cost_curves") if drawn else None,
        table=material.table("intervals", "costs, areas and AUC", rows),
        lowest=min(rows, key=lambda row: row.area.value),
        conditions=tuple(material.conditions),
        weighted=any(abs(row.tec.value - row.area.value) > ROUNDING for row in rows),
    )
    return material.section("cost-curves", "Cost curves", content)


def roc_and_cost(material: Material) -> Section | None:
    """Show ROC beside cost space, and let readers move the operating condition on a screen."""
    figure, explored = material.figure("roc_and_cost"), not material.tables["duality"].empty
    if figure is None and not explored:
        return None
    rows = model_costs(material)
    content = RocAndCost(
        figure=figure,
        explorer=explorer(material) if explored else None,
        by_auc=max(rows, key=lambda row: row.auc.value),
        by_area=min(rows, key=lambda row: row.area.value),
    )
    return material.section("roc-and-cost", "ROC beside cost", content)


def calibration(material: Material) -> Section | None:
    """Show whose scores may be taken for probabilities, where that is drawn."""
    figure, table = material.figure("calibration"), material.tables["calibration"]
    if figure is None or table.empty:
        return None
    parts: dict[str, dict[str, Any]] = {}  # of Brier scores, by model
    for row in material.rows("calibration"):
        if not row["minus"]:
            parts.setdefault(row["model"], {"model": row["model"]})[row["part"]] = row
    p_values = {model: each["miscalibration"]["p_value"] for model, each in parts.items()}
    confidence = confidence_of(table)
    content = Calibration(
        figure=figure,
        table=material.table("calibration", "Brier scores and their parts", parts.values()),
        failed=tuple(model for model, p_value in p_values.items() if p_value < 1 - confidence),
        tested=not all(map(isnan, p_values.values())),
        confidence=confidence,
    )
    return material.section("calibration", "Scores as probabilities", content)


def case_costs(material: Material) -> Section | None:
    """Show what models cost where each case has its own costs; None where none are given."""
    weighted = material.weighted
    if weighted is None:
        return None
    rows = weighted.rows("instance_costs")
    table = material.table("instance_costs", "cost of mistakes per case", rows)
    content = CaseCosts(
        facts=weighted.facts,
        figure=weighted.figure("case_costs"),
        curves=weighted.figure("cost_curves"),
        table=replace(table, href=weighted.address("instance_costs")),
        rows=tuple(sorted(rows, key=lambda row: float(row["cost"]))),
    )
    return material.section("case-costs", "Costs of cases", content)
