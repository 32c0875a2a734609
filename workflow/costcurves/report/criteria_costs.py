"""Selection criteria with their intervals: what each costs, what more than another, and the least.

A difference of two is paired: both chose in the same resamples. Where a criterion was not
resampled, its numbers are given without an interval.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from costcurves.report.document import Estimate, Model
from costcurves.report.findings import best_criterion
from costcurves.report.material import Material
from costcurves.report.text import Text
from costcurves.tables.keys import IN_SAMPLE
from costcurves.tables.selection import NEEDS

Row = dict[str, Any]
Choice = tuple[str, str]  # a model and a criterion

ALONE: Final = ("", "")
NAN: Final = float("nan")


@dataclass(frozen=True)
class Criterion:
    """What one criterion costs a model; a regret is against cross-fitted choice."""

    criterion: str
    in_sample: bool
    best: bool
    area: Estimate
    tec: Estimate
    regret: Estimate
    largest_regret: float
    largest_regret_pc: float
    worse_than_trivial_from: float
    worse_than_trivial_to: float
    worse_than_trivial_share: float


@dataclass(frozen=True)
class Criteria:
    """A model and the criteria that apply to it."""

    model: Model
    rows: tuple[Criterion, ...]


@dataclass(frozen=True)
class Rival:
    """A model under a criterion: its cost, and how much more that is than the least of all."""

    model: Model
    cost: Estimate
    more: Estimate
    least: bool


@dataclass(frozen=True)
class Rivals:
    """The models under one criterion."""

    criterion: str
    rows: tuple[Rival, ...]


@dataclass(frozen=True)
class ChoiceIntervals:
    """The intervals of one dataset's choices, of one quantity."""

    numbers: Mapping[tuple[Choice, Choice], Estimate]

    def cost(self, choice: Choice, value: float) -> Estimate:
        """Give the interval of what a choice costs."""
        return self.numbers.get((choice, ALONE), Estimate(value, NAN, NAN))

    def more(self, a: Choice, b: Choice, value: float) -> Estimate:
        """Give the interval of what a choice costs more than another."""
        if (b, a) in self.numbers:
            found = self.numbers[b, a]
            return Estimate(0.0 - found.value, 0.0 - found.high, 0.0 - found.low)
        return self.numbers.get((a, b), Estimate(value, NAN, NAN))

    def compares(self, a: Choice, b: Choice) -> bool:
        """Say whether the difference of two was resampled."""
        return (a, b) in self.numbers or (b, a) in self.numbers


def choice_intervals(material: Material, quantity: str) -> ChoiceIntervals:
    """Read the intervals of an area ("area") or a total expected cost ("tec")."""
    return ChoiceIntervals(
        {
            (
                (row["model_a"], row["criterion_a"]),
                (row["model_b"], row["criterion_b"]),
            ): Estimate(row["value"], row["low"], row["high"])
            for row in material.rows("choice_intervals")
            if row["quantity"] == quantity
        }
    )


def criteria(material: Material) -> list[Criteria]:
    """List the criteria of each model, with what each costs."""
    area, tec = choice_intervals(material, "area"), choice_intervals(material, "tec")
    return [
        Criteria(material.model(model), tuple(_criterion(model, row, area, tec) for row in own))
        for model, own in by_model(applied(material))
    ]


def _criterion(model: str, row: Row, area: ChoiceIntervals, tec: ChoiceIntervals) -> Criterion:
    choice = model, row["criterion"]
    same = set(Criterion.__dataclass_fields__) - {"in_sample", "area", "tec", "regret"}
    return Criterion(
        in_sample=row["estimate"] == IN_SAMPLE,
        area=area.cost(choice, row["area"]),
        tec=tec.cost(choice, row["tec"]),
        regret=area.more(choice, (model, "cross-fitted"), row["regret"]),
        **{name: row[name] for name in same},
    )


def advice(material: Material) -> tuple[Text, ...]:
    """Say for each model which criterion to use, and what another one would cost more.

    One that keeps a limit serves another end than least cost, and is left out.
    """
    href, tec = material.facts.table("choice_intervals"), choice_intervals(material, "tec")

    def one(model: str, rows: list[Row]) -> Text:
        usable = [
            row for row in rows if row["estimate"] != IN_SAMPLE and row["criterion"] not in NEEDS
        ]
        best = next((row for row in usable if row["best"]), None)
        if best is None:
            return best_criterion(model, None, {}, href)
        choice = model, best["criterion"]
        others = {
            row["criterion"]: tec.more((model, row["criterion"]), choice, row["tec"] - best["tec"])
            for row in usable
            if row is not best
        }
        return best_criterion(model, (choice[1], tec.cost(choice, best["tec"])), others, href)

    return tuple(one(model, rows) for model, rows in by_model(applied(material)))


def rivals(material: Material) -> list[Rivals]:
    """Compare the models under each criterion that two or more can use."""
    area = choice_intervals(material, "area")
    usable = [row for row in applied(material) if row["estimate"] != IN_SAMPLE]
    found = []
    for criterion in dict.fromkeys(row["criterion"] for row in usable):
        rows = [row for row in usable if row["criterion"] == criterion]
        least = min(rows, key=lambda row: float(row["area"]))
        known = [row is least or area.compares(_choice(row), _choice(least)) for row in rows]
        if len(rows) > 1 and all(known):
            each = tuple(_rival(material, row, least, area) for row in rows)
            found.append(Rivals(criterion, each))
    return found


def _rival(material: Material, row: Row, least: Row, area: ChoiceIntervals) -> Rival:
    cost = area.cost(_choice(row), row["area"])
    more = Estimate(0.0, NAN, NAN)
    if row is not least:
        more = area.more(_choice(row), _choice(least), row["area"] - least["area"])
    return Rival(material.model(row["model"]), cost, more, row is least)


def _choice(row: Row) -> Choice:
    return row["model"], row["criterion"]


def applied(material: Material) -> list[Row]:
    """List the criteria that apply to each model."""
    return [row for row in material.rows("criteria") if row["applies"]]


def by_model(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Go through the models and their rows, which stand together."""
    return ((model, list(own)) for model, own in groupby(rows, key=lambda row: str(row["model"])))
