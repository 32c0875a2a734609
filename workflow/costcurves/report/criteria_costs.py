"""Selection criteria with their intervals: what each costs, what more than another, and the least.

A difference of two is paired: both chose in the same resamples. Where a criterion was not
resampled, its numbers are given without an interval.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from math import isnan, nan
from typing import Any, Final

from costcurves.report.document import Estimate, Values
from costcurves.report.findings import best_criterion
from costcurves.report.material import Material
from costcurves.report.text import Text
from costcurves.tables.keys import IN_SAMPLE
from costcurves.tables.selection import NEEDS

Row = dict[str, Any]
Choice = tuple[str, str]  # a model and a criterion

ALONE: Final = ("", "")


class ChoiceIntervals:
    """The intervals of one dataset's choices, of areas ("area") or total expected costs ("tec")."""

    def __init__(self, material: Material, quantity: str) -> None:
        self._numbers = {
            (
                (row["model_a"], row["criterion_a"]),
                (row["model_b"], row["criterion_b"]),
            ): Estimate(row["value"], row["low"], row["high"])
            for row in material.rows("choice_intervals")
            if row["quantity"] == quantity
        }

    def cost(self, choice: Choice, value: float) -> Estimate:
        """Give the interval of what a choice costs."""
        return self._numbers.get((choice, ALONE), Estimate(value, nan, nan))

    def more(self, a: Choice, b: Choice, value: float) -> Estimate:
        """Give the interval of what a choice costs more than another."""
        if (b, a) in self._numbers:
            found = self._numbers[b, a]
            return Estimate(0.0 - found.value, 0.0 - found.high, 0.0 - found.low)
        return self._numbers.get((a, b), Estimate(value, nan, nan))


def criteria(material: Material) -> list[Values]:
    """List the criteria of each model, with what each costs."""
    area, tec = ChoiceIntervals(material, "area"), ChoiceIntervals(material, "tec")

    def one(row: Row) -> Values:
        choice = _choice(row)
        return material.row(
            row,
            in_sample=row["estimate"] == IN_SAMPLE,
            area=area.cost(choice, row["area"]),
            tec=tec.cost(choice, row["tec"]),
            regret=area.more(choice, (row["model"], "cross-fitted"), row["regret"]),
        )

    return [
        Values(model=material.model(model), rows=tuple(map(one, own)))
        for model, own in by_model(_applied(material))
    ]


def advice(material: Material) -> tuple[Text, ...]:
    """Say for each model which criterion to use, and what another one would cost more.

    One that keeps a limit serves another end than least cost, and is left out.
    """
    href, tec = material.facts.table("choice_intervals"), ChoiceIntervals(material, "tec")

    def one(model: str, rows: list[Row]) -> Text:
        usable = [
            row for row in rows if row["estimate"] != IN_SAMPLE and row["criterion"] not in NEEDS
        ]
        best = next((row for row in usable if row["best"]), None)
        if best is None:
            return best_criterion(model, None, {}, href)
        others = {
            row["criterion"]: tec.more(_choice(row), _choice(best), row["tec"] - best["tec"])
            for row in usable
            if row is not best
        }
        least = best["criterion"], tec.cost(_choice(best), best["tec"])
        return best_criterion(model, least, others, href)

    return tuple(one(model, rows) for model, rows in by_model(_applied(material)))


def rivals(material: Material) -> list[Values]:
    """Compare the models under each criterion that two or more can use.

    Each has its cost, and how much more that is than the least of all.
    """
    area = ChoiceIntervals(material, "area")
    usable = [row for row in _applied(material) if row["estimate"] != IN_SAMPLE]
    found = []
    for criterion in dict.fromkeys(row["criterion"] for row in usable):
        rows = [row for row in usable if row["criterion"] == criterion]
        least = min(rows, key=lambda row: float(row["area"]))
        each = tuple(
            material.row(
                row,
                cost=area.cost(_choice(row), row["area"]),
                more=area.more(_choice(row), _choice(least), nan),
                least=row is least,
            )
            for row in rows
        )
        if len(rows) > 1 and not any(isnan(one.more.value) for one in each if not one.least):
            found.append(Values(criterion=criterion, rows=each))
    return found


def _choice(row: Row) -> Choice:
    return row["model"], row["criterion"]


def _applied(material: Material) -> list[Row]:
    """List the criteria that apply to each model."""
    return [row for row in material.rows("criteria") if row["applies"]]


def by_model(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Go through the models and their rows, which stand together."""
    return ((model, list(own)) for model, own in groupby(rows, key=lambda row: str(row["model"])))
