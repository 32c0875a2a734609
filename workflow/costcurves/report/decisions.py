"""Decisions among several classes by a matrix of costs: what they cost, err, and depend on."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from costcurves.report.document import Estimate, Table, Values
from costcurves.report.material import Material
from costcurves.tables.inference.decisions import ALWAYS, PER, RECALIBRATED
from costcurves.text import Name, phrase


def decided(material: Material) -> Values | None:
    """Give what costs least by the matrix, which the first of the classes has; None: there is none.

    `model` is the cheapest that is not constant, `constant` the cheapest that is.
    """
    rows = material.rows("decisions") if "decisions" in material.tables else []
    each = sorted((_decider(material, row) for row in rows), key=lambda it: float(it.cost.value))
    compared = [it for it in each if it.possible >= 0]
    if not compared:
        return None
    return Values(
        facts=material.facts,
        title=material.facts.title.removesuffix(f": {material.facts.positive}"),
        rows=(*compared, *(it for it in each if it.possible < 0)),
        best=compared[0],
        model=next(it for it in compared if it.rule != ALWAYS),
        constant=next(it for it in compared if it.rule == ALWAYS),
        others=tuple(it for it in compared[1:] if it.possible),
        confidence=float(rows[0]["confidence"]),
    )


def decisions(material: Material) -> Values | None:
    """Give the same with its tables: costs, how cases are decided, how far all of it holds."""
    found = decided(material)
    if found is None:
        return None

    def table(stage: str, words: str, rows: tuple[Values, ...]) -> Table:
        title = phrase("{}: {}", Name(found.title), words.format(PER))
        return Table(material.numbers.table(), title, material.facts.table(stage), rows)

    rows = material.rows("confusions")
    own = [row for row in rows if (row["name"], row["rule"]) == _by(found.model)]
    confused = tuple(
        Values(true=true, counts=tuple(round(row["cases"]) for row in counts))
        for true, counts in groupby(own, itemgetter("true"))
    )
    found.costs = table("decisions", "what a case costs by the matrix of costs", found.rows)
    found.confused = table("confusions", "how {} cases are decided", confused)
    return found


def _by(of: Values) -> tuple[str, str]:
    return of.name, of.rule


def _decider(material: Material, row: dict[str, Any]) -> Values:
    """Give a row with what decides; `decider` is a model with its place, none where it is constant.

    A row of costs has its cost as an estimate.
    """
    decider = None if row["rule"] == ALWAYS else material.model(row["name"])
    cost = Estimate(row["cost"], row["low"], row["high"]) if "cost" in row else None
    label = f"{row['name']} ({row['rule']})" if row["rule"] == RECALIBRATED else row["name"]
    return Values(**row | {"decider": decider, "cost": cost, "label": label})
