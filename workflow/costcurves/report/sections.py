"""The sections of one dataset, in order: each a function from its material to values for one part.

A figure's alternative text is said by the function of the same name in `alternatives`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import Any, Final

from costcurves.report import alternatives
from costcurves.report.callouts import Callout, callouts
from costcurves.report.choosing import choosing
from costcurves.report.differences import differences
from costcurves.report.document import Estimate, Facts, Figure, Model, Section, Table
from costcurves.report.explorer import explorer
from costcurves.report.instance_costs import instance_costs
from costcurves.report.material import Material, headline_rows
from costcurves.report.sentences import worse_than_chance
from costcurves.report.text import Name, Text, phrase
from costcurves.tables.curves.averages import are_several
from costcurves.tables.curves.headline import constant_decision
from costcurves.tables.curves.measures import reversed_models

METHODS: Final = ("cost-space", "vertical", "horizontal", "threshold", "pooled")
LEVELS: Final = ("fold", "repeat", "pooled")
MOST: Final = 12  # decided pairs that a dataset's opening goes through one by one
ROUNDING: Final = 1e-12  # the same integral in two ways


@dataclass(frozen=True)
class Judged:
    """One model by its headline curve; `in_sample` is the area of the average of envelopes."""

    model: Model
    estimate: str
    area: Estimate
    tec: Estimate
    start: Estimate
    end: Estimate
    costs: tuple[Estimate, ...]
    largest_nec: float
    largest_pc: float
    in_sample: float
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
class Promise:
    """The area that in-sample selection promises at one level, and what it leaves out."""

    area: float
    curves: int
    left_out: Estimate
    share: float


@dataclass(frozen=True)
class PromisedRow:
    """What one model costs where thresholds are chosen on other data, and what is promised."""

    model: Model
    cross_fitted: float
    promises: tuple[Promise, ...]


@dataclass(frozen=True)
class MethodRow:
    """One model's areas by method of averaging; NaN where there is none."""

    model: Model
    areas: tuple[float, ...]


@dataclass(frozen=True)
class Touching:
    """What a model costs under an operating condition, and the point that promises least there.

    `cost` is its headline's, `nec` that of the cheapest point of its pooled hull, in-sample.
    """

    model: Model
    cost: float
    holder: str
    threshold: float
    fp: float
    tp: float
    nec: float


@dataclass(frozen=True)
class Condition:
    """An operating condition and every model under it, the cheapest first.

    `constant` names the constant decision where no model is cheaper; empty: one is.
    """

    name: str
    pc: float
    ratio: float
    slope: float
    constant: str
    models: tuple[Touching, ...]


@dataclass(frozen=True)
class Dataset:
    """A dataset's opening: what it is, what the data decide, and what may be wrong with them."""

    facts: Facts
    callouts: tuple[Callout, ...]
    cautions: tuple[Text, ...]


@dataclass(frozen=True)
class Shown:
    """A figure and the table behind it, where there is anything to show."""

    facts: Facts
    figure: Figure | None
    table: Table | None


@dataclass(frozen=True)
class Measured(Shown):
    """What each model costs, and how it ranks.

    `ranking` is None where only what is essential is shown. `weighted` says whether the weight of
    PC(+) makes expected costs differ from areas.
    """

    ranking: Table | None
    conditions: tuple[str, ...]
    confidence: float
    weighted: bool


@dataclass(frozen=True)
class Promised(Shown):
    """What in-sample selection promises, and the curves behind it."""

    confidence: float
    folds: Figure | None


@dataclass(frozen=True)
class Dual(Shown):
    """One operating condition in both spaces; `explorer` is what scripts draw from, as JSON."""

    explorer: str


def dataset(material: Material) -> Section:
    """Make the section of one dataset."""
    facts = material.facts
    parts = tuple(part for make in SECTIONS if (part := make(material)) is not None)
    doubtful = reversed_models(headline_rows(material.tables["measures"]))
    cautions = tuple(map(worse_than_chance, doubtful["model"], doubtful["auc"]))
    values = Dataset(facts, callouts(material, MOST), cautions)
    return Section(facts.anchor, (Name(facts.title),), "dataset", values, parts)


def judged(material: Material) -> list[Judged]:
    """List every model as its headline curve judges it."""
    return [_judged(material, row) for row in material.headline]


def _judged(material: Material, row: dict[str, Any]) -> Judged:
    model, estimates = row["model"], material.estimates
    own = set(Judged.__dataclass_fields__) & set(row) - {"model", "area", "tec"}
    return Judged(
        model=material.model(model),
        area=estimates[model, "area", ""],
        tec=estimates[model, "tec", ""],
        start=estimates[model, "range start", ""],
        end=estimates[model, "range end", ""],
        costs=tuple(estimates[model, "cost", name] for name in material.conditions),
        in_sample=material.in_sample[model, material.facts.level]["area"],
        **{name: row[name] for name in own},
    )


def cost_curves(material: Material) -> Section:
    """Show all models together and everything measured on their curves."""
    facts, rows = material.facts, judged(material)
    title, ranking = (
        phrase(words, Name(facts.title))
        for words in ("{}: what each model costs", "{}: how each model ranks")
    )
    values = Measured(
        facts=facts,
        figure=material.figure("cost_curves", alternatives.cost_curves),
        table=material.table("intervals", title, rows),
        ranking=material.table("measures", ranking, rows) if material.full else None,
        conditions=material.conditions,
        confidence=material.confidence,
        weighted=any(abs(row.tec.value - row.area.value) > ROUNDING for row in rows),
    )
    return _section(material, "cost-curves", "Cost curves", values)


def optimism(material: Material) -> Section | None:
    """Show what in-sample selection promises at each level, and the curves behind it.

    Where nothing was cross-fitted, no promise can be held against what it delivers.
    """
    facts = material.facts
    if material.tables["optimism"].empty:
        return None
    title = phrase("{}: area, promised and delivered", Name(facts.title))
    rows = _promised(material)
    measured = not all(isnan(row.cross_fitted) for row in rows)
    values = Promised(
        facts=facts,
        figure=material.figure("optimism", alternatives.optimism) if measured else None,
        table=material.table("optimism", title, rows) if measured else None,
        folds=material.figure("folds", alternatives.folds),
        confidence=material.confidence,
    )
    return _section(material, "optimism", "Judged on the data that chose", values)


def _promised(material: Material) -> list[PromisedRow]:
    rows = {(row["model"], row["level"]): row for row in material.rows("optimism")}
    return [
        PromisedRow(
            material.model(model),
            rows[model, material.facts.level]["cross_fitted"],
            tuple(
                _promise(rows[model, level], material.in_sample[model, level]["curves"])
                for level in LEVELS
            ),
        )
        for model in material.facts.models
    ]


def _promise(row: dict[str, Any], curves: int) -> Promise:
    left_out = Estimate(row["left_out"], row["left_out_low"], row["left_out_high"])
    return Promise(row["area"], curves, left_out, row["left_out_share"])


def duality(material: Material) -> Section | None:
    """Show one operating condition in ROC and cost space; nothing where none is marked."""
    if material.tables["duality"].empty:
        return None
    figure = material.figure("duality", alternatives.duality)
    title = phrase("{}: costs and operating points", Name(material.facts.title))
    table = material.table("duality", title, _conditions(material))
    values = Dual(material.facts, figure, table, explorer(material))
    return _section(material, "duality", "ROC and cost", values)


def _conditions(material: Material) -> list[Condition]:
    rows = material.rows("duality")
    return [
        _condition(key, [_touching(material, row) for row in group])
        for key, group in groupby(rows, key=lambda row: _key(row))
    ]


def _condition(key: tuple[str, float, float, float], models: Sequence[Touching]) -> Condition:
    ranked = sorted(models, key=lambda one: one.cost)
    return Condition(*key, constant_decision(key[1], ranked[0].cost), tuple(ranked))


def _key(row: dict[Any, Any]) -> tuple[str, float, float, float]:
    return row["condition"], row["pc"], row["cost_ratio"], row["slope"]


def _touching(material: Material, row: dict[Any, Any]) -> Touching:
    values = {name: row[name] for name in ("holder", "threshold", "fp", "tp", "nec")}
    cost = material.estimates[row["model"], "cost", row["condition"]].value
    return Touching(model=material.model(row["model"]), cost=cost, **values)


def averaging(material: Material) -> Section | None:
    """Show what each way of averaging does to the cost; nothing where there is but one.

    Of a single curve all averages are that curve, and there is neither a figure nor a table.
    """
    if len({method for _, method in material.areas}) == 1:
        return None
    several = are_several(material.tables["averages"])
    figure = material.figure("averaging", alternatives.averaging) if several else None
    values = Shown(material.facts, figure, _averages(material) if several else None)
    return _section(material, "averaging", "Ways of averaging", values)


def _averages(material: Material) -> Table:
    title = phrase("{}: area under the average by method", Name(material.facts.title))
    rows = [
        MethodRow(
            material.model(model),
            tuple(material.areas.get((model, method), float("nan")) for method in METHODS),
        )
        for model in material.facts.models
    ]
    return material.table("averages", title, rows)


def _section(material: Material, part: str, title: str, values: Shown) -> Section:
    name = part.replace("-", "_")
    return Section(f"{material.facts.anchor}/{part}", (title,), name, values)


SECTIONS: Final[tuple[Callable[[Material], Section | None], ...]] = (
    cost_curves,
    differences,
    choosing,
    optimism,
    duality,
    instance_costs,
    averaging,
)
