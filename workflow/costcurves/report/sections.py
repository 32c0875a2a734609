"""The sections of one dataset, in order: each a function from its material to values for one part.

A figure's alternative text is said by the function of the same name in `alternatives`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from costcurves.report import alternatives
from costcurves.report.document import Facts, Figure, Model, Section, Table
from costcurves.report.material import Material
from costcurves.report.text import Name, Text, phrase

METHODS: Final = ("cost-space", "vertical", "horizontal", "threshold", "pooled")
LEVELS: Final = ("fold", "repeat", "pooled")
ROUNDING: Final = 1e-12  # the same integral in two ways


@dataclass(frozen=True)
class Judged:
    """One model by its headline curve."""

    model: Model
    area: float
    tec: float
    range_from: float
    range_to: float
    largest_nec: float
    largest_pc: float
    cheapest: tuple[tuple[float, float], ...]
    auc: float
    auch: float
    brier: float
    instances: int
    positives: int
    negatives: int
    repeats: int
    folds: int
    curves: int
    points: int


@dataclass(frozen=True)
class LevelRow:
    """One model's areas by level of pooling, each with how many curves it averages."""

    model: Model
    areas: tuple[tuple[float, int] | None, ...]


@dataclass(frozen=True)
class MethodRow:
    """One model's areas by method of averaging; NaN where there is none."""

    model: Model
    areas: tuple[float, ...]


@dataclass(frozen=True)
class Touching:
    """The operating point at which a model costs least under an operating condition."""

    model: Model
    holder: str
    threshold: float
    fp: float
    tp: float
    nec: float


@dataclass(frozen=True)
class Condition:
    """An operating condition and every model under it."""

    name: str
    pc: float
    ratio: float
    slope: float
    models: tuple[Touching, ...]


@dataclass(frozen=True)
class Stretch:
    """A range of PC(+) in which one of a pair is cheaper (None: equal), and by how much at most."""

    pc_from: float
    pc_to: float
    ratio_from: float
    ratio_to: float
    cheaper: Model | None
    difference: float
    at_pc: float


@dataclass(frozen=True)
class Pair:
    """Two models and their ranges."""

    a: Model
    b: Model
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True)
class Dataset:
    """A dataset's opening: what it is, and the answer."""

    facts: Facts
    answer: Text


@dataclass(frozen=True)
class Shown:
    """A figure and the table behind it."""

    facts: Facts
    figure: Figure
    table: Table


@dataclass(frozen=True)
class Measured(Shown):
    """The same, and whether the weight of PC(+) makes expected costs differ from areas."""

    weighted: bool


def dataset(material: Material) -> Section:
    """Make the section of one dataset."""
    facts = material.facts
    parts = tuple(part for make in SECTIONS if (part := make(material)) is not None)
    values = Dataset(facts, alternatives.verdict(material))
    return Section(facts.anchor, (Name(facts.title),), "dataset", values, parts)


def judged(material: Material) -> list[Judged]:
    """List every model as its headline curve judges it."""
    names = [name for name in Judged.__dataclass_fields__ if name not in {"model", "cheapest"}]
    return [
        Judged(
            model=material.model(row["model"]),
            cheapest=_cheapest(material, row["model"]),
            **{name: row[name] for name in names},
        )
        for row in material.headline
    ]


def _cheapest(material: Material, model: str) -> tuple[tuple[float, float], ...]:
    """Give the ranges in which no other model is cheaper, but some other is dearer."""
    everyone = len(material.facts.models)
    ranges: list[tuple[float, float]] = []
    for lead in material.leads:
        if model in lead.models and len(lead.models) < everyone:
            if ranges and ranges[-1][1] == lead.low:
                ranges[-1] = (ranges[-1][0], lead.high)
            else:
                ranges.append((lead.low, lead.high))
    return tuple(ranges)


def cost_curves(material: Material) -> Section:
    """Show all models together and everything measured on their curves."""
    figure = material.figure("cost_curves", alternatives.cost_curves(material))
    title = phrase("{}: measures of every model", Name(material.facts.title))
    rows = judged(material)
    table = material.table("measures", title, rows)
    weighted = any(abs(row.tec - row.area) > ROUNDING for row in rows)
    values = Measured(material.facts, figure, table, weighted)
    return _section(material, "cost-curves", "Cost curves", values)


def folds(material: Material) -> Section:
    """Show the curves behind the averages, and what the level of pooling does to the area."""
    figure = material.figure("folds", alternatives.folds(material))
    title = phrase("{}: area under the average by level of pooling", Name(material.facts.title))
    table = material.table("measures", title, _levels(material))
    title_of_section = "Folds behind the average"
    return _section(material, "folds", title_of_section, Shown(material.facts, figure, table))


def _levels(material: Material) -> list[LevelRow]:
    rows = {
        (row["model"], row["level"]): (row["area"], row["curves"])
        for row in material.rows("measures")
    }
    return [
        LevelRow(material.model(model), tuple(rows.get((model, level)) for level in LEVELS))
        for model in material.facts.models
    ]


def duality(material: Material) -> Section | None:
    """Show one operating condition in ROC and cost space; nothing where none is marked."""
    if material.tables["duality"].empty:
        return None
    figure = material.figure("duality", alternatives.duality(material))
    title = phrase("{}: cheapest operating points", Name(material.facts.title))
    table = material.table("duality", title, _conditions(material))
    return _section(material, "duality", "ROC and cost", Shown(material.facts, figure, table))


def _conditions(material: Material) -> list[Condition]:
    rows = material.rows("duality")
    return [
        Condition(*key, tuple(_touching(material, row) for row in group))
        for key, group in groupby(rows, key=lambda row: _key(row))
    ]


def _key(row: dict[Any, Any]) -> tuple[str, float, float, float]:
    return row["condition"], row["pc"], row["cost_ratio"], row["slope"]


def _touching(material: Material, row: dict[Any, Any]) -> Touching:
    values = {name: row[name] for name in ("holder", "threshold", "fp", "tp", "nec")}
    return Touching(model=material.model(row["model"]), **values)


def crossovers(material: Material) -> Section | None:
    """Show who is cheaper than whom, and where; nothing for a single model."""
    if material.tables["crossovers"].empty:
        return None
    figure = material.figure("crossovers", alternatives.crossovers(material))
    title = phrase("{}: who is cheaper, pair by pair", Name(material.facts.title))
    table = material.table("crossovers", title, _pairs(material))
    return _section(material, "crossovers", "Differences", Shown(material.facts, figure, table))


def _pairs(material: Material) -> list[Pair]:
    rows = material.rows("crossovers")
    return [
        Pair(material.model(a), material.model(b), _stretches(material, list(group)))
        for (a, b), group in groupby(rows, key=lambda row: (row["model_a"], row["model_b"]))
    ]


def _stretches(material: Material, rows: list[dict[str, Any]]) -> tuple[Stretch, ...]:
    """Give the ranges in which one is cheaper, or else the one in which both are equal."""
    unequal = [row for row in rows if row["largest_difference"]]
    return tuple(_stretch(material, row) for row in unequal or rows)


def _stretch(material: Material, row: dict[Any, Any]) -> Stretch:
    difference = row["largest_difference"]
    cheaper = row["model_a"] if difference < 0 else row["model_b"]
    return Stretch(
        **{name: row[name] for name in ("pc_from", "pc_to", "ratio_from", "ratio_to", "at_pc")},
        cheaper=material.model(cheaper) if difference else None,
        difference=difference,
    )


def averaging(material: Material) -> Section:
    """Show what each way of averaging does to the cost."""
    figure = material.figure("averaging", alternatives.averaging(material))
    title = phrase("{}: area under the average by method", Name(material.facts.title))
    rows = [
        MethodRow(
            material.model(model),
            tuple(material.areas.get((model, method), float("nan")) for method in METHODS),
        )
        for model in material.facts.models
    ]
    table = material.table("averages", title, rows)
    return _section(
        material, "averaging", "Ways of averaging", Shown(material.facts, figure, table)
    )


def _section(material: Material, part: str, title: str, values: Shown) -> Section:
    name = part.replace("-", "_")
    return Section(f"{material.facts.anchor}/{part}", (title,), name, values)


SECTIONS: Final[tuple[Callable[[Material], Section | None], ...]] = (
    cost_curves,
    folds,
    duality,
    crossovers,
    averaging,
)
