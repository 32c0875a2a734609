"""The section on choosing a threshold: what each way of choosing costs, and which one to use."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Final

from costcurves.report import alternatives
from costcurves.report.constraints import constraints, kept
from costcurves.report.criteria_costs import advice, by_model, criteria, rivals
from costcurves.report.document import Facts, Figure, Model, Section, Table
from costcurves.report.material import Material
from costcurves.report.text import Name, Text, phrase

ROUNDING: Final = 1e-12  # the same integral in two ways
COST: Final = "cost proportion"
LISTED: Final = 120  # ranges of what to use, of all models; of more only the widest are listed
WIDEST: Final = 6  # of a model are listed at least


@dataclass(frozen=True)
class Obstacle:
    """Criteria that do not apply to some models, and why."""

    criteria: tuple[str, ...]
    models: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Serving:
    """Who is to serve a range of PC(+)."""

    pc_from: float
    pc_to: float
    holder: str


@dataclass(frozen=True)
class Deployed:
    """A model and who is to serve each PC(+); so many narrow ranges are not listed."""

    model: Model
    rows: tuple[Serving, ...]
    hidden: int


@dataclass(frozen=True)
class Losses:
    """How well a model ranks, and what trusting its scores costs."""

    model: Model
    auc: float
    auch: float
    brier: float
    refinement: float
    calibration: float


@dataclass(frozen=True)
class Choices:
    """A model's expected loss by threshold choice method; NaN where a method does not apply."""

    model: Model
    losses: tuple[float, ...]


@dataclass(frozen=True)
class Choosing:
    """What the section shows; tables and figures that do not apply are None.

    `fitted` says whether there is a cross-fitted choice to hold others against.
    """

    facts: Facts
    advice: tuple[Text, ...]
    figure: Figure | None
    table: Table
    weighted: bool
    confidence: float
    complete: bool
    fitted: bool
    regrets: Figure | None
    rivals: Table | None
    obstacles: tuple[Obstacle, ...]
    deployment: Table
    thresholds: Figure | None
    losses: Table | None
    methods: tuple[str, ...]
    choices: Table | None
    drawn: Figure | None
    kept: tuple[Text, ...]
    constraints: Table | None


def chooses(material: Material) -> bool:
    """Say whether there is anything to show about choosing a threshold."""
    facts = material.facts
    return set(facts.fixed) != set(facts.models) and not material.tables["deployment"].empty


def choosing(material: Material) -> Section | None:
    """Show what each way of choosing costs; nothing where there is none, or it was left out."""
    if not chooses(material):
        return None
    facts = material.facts
    each, ranked = criteria(material), _losses(material)
    limited = constraints(material)
    values = Choosing(
        facts=facts,
        advice=advice(material),
        figure=material.figure("hybrids", alternatives.hybrids),
        table=_table(material, "criteria", "what each way of choosing costs", each),
        weighted=any(
            abs(row.tec.value - row.area.value) > ROUNDING for one in each for row in one.rows
        ),
        confidence=material.confidence,
        complete=not any(isnan(row.area.low) for one in each for row in one.rows),
        fitted=any(not isnan(row.regret.value) for one in each for row in one.rows),
        regrets=material.figure("regrets", alternatives.regrets),
        rivals=_some(
            material, "choice_intervals", "models under the same criterion", rivals(material)
        ),
        obstacles=_obstacles(material),
        deployment=_table(material, "deployment", "what to use from now on", _deployed(material)),
        thresholds=material.figure("thresholds", alternatives.thresholds) if ranked else None,
        losses=_some(material, "losses", "ranking and calibration", ranked),
        methods=_methods(material),
        choices=_some(material, "threshold_choice", "expected loss by method", _choices(material)),
        drawn=material.figure("constructions", alternatives.constructions) if limited else None,
        kept=tuple(kept(one, facts.table("constructions")) for one in limited),
        constraints=_some(material, "constructions", "what the limits allow", limited),
    )
    return Section(f"{facts.anchor}/choosing", ("Choosing the threshold",), "choosing", values)


def _table(material: Material, stage: str, words: str, rows: Sequence[Any]) -> Table:
    return material.table(stage, phrase("{}: {}", Name(material.facts.title), words), rows)


def _some(material: Material, stage: str, words: str, rows: Sequence[Any]) -> Table | None:
    return _table(material, stage, words, rows) if rows else None


def _obstacles(material: Material) -> tuple[Obstacle, ...]:
    """Say each reason once: for all criteria that it keeps from the same models."""
    models: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in material.rows("criteria"):
        if not row["applies"]:
            models[row["criterion"], row["reason"]].append(row["model"])
    criteria: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (criterion, reason), found in models.items():
        criteria[reason, tuple(found)].append(criterion)
    return tuple(Obstacle(tuple(kept), *key[::-1]) for key, kept in criteria.items())


def _deployed(material: Material) -> list[Deployed]:
    rows = material.rows("deployment")
    models = len({row["model"] for row in rows})
    most = len(rows) if len(rows) <= LISTED else max(WIDEST, LISTED // models)
    return [_serving(material.model(model), own, most) for model, own in by_model(rows)]


def _serving(model: Model, own: Sequence[dict[str, Any]], most: int) -> Deployed:
    """List who serves the widest ranges of PC(+), in order."""
    ranges = [Serving(row["pc_from"], row["pc_to"], row["holder"]) for row in own]
    widest = sorted(ranges, key=lambda one: -round(one.pc_to - one.pc_from, 9))[:most]
    listed = tuple(one for one in ranges if one in widest)
    return Deployed(model, listed, len(ranges) - len(listed))


def _methods(material: Material) -> tuple[str, ...]:
    return tuple(dict.fromkeys(method for _, method in _expected(material)))


def _expected(material: Material) -> dict[tuple[str, str], float]:
    """Read expected losses over cost proportions, by model and method."""
    table = material.tables["threshold_choice"]
    first = table[table["axis"] == COST].drop_duplicates(["model", "method"])
    keys = zip(first["model"], first["method"], strict=True)
    return dict(zip(keys, first["loss"].tolist(), strict=True))


def _choices(material: Material) -> list[Choices]:
    losses, methods = _expected(material), _methods(material)
    return [
        Choices(
            material.model(model),
            tuple(losses.get((model, method), float("nan")) for method in methods),
        )
        for model in dict.fromkeys(model for model, _ in losses)
    ]


def _losses(material: Material) -> list[Losses]:
    names = set(Losses.__dataclass_fields__) - {"model"}
    return [
        Losses(material.model(row["model"]), **{name: row[name] for name in names})
        for row in material.rows("losses")
    ]
