"""The papers' figures, redrawn: what papers state of such data, and our numbers beside theirs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from costcurves.formats import NOTHING, cost, pc, pc_range, share, stated
from costcurves.report.document import Facts, Model, Section, Table
from costcurves.report.material import Material


@dataclass(frozen=True)
class Stated:
    """A statement, the numbers as they are printed, and whose curve was read."""

    facts: Facts
    paper: str
    figure: str
    statement: str
    models: tuple[Model, ...]
    curve: str
    quantity: str
    stated: str
    ours: str


@dataclass(frozen=True)
class Papers:
    """What the section shows."""

    table: Table


def papers(materials: Sequence[Material]) -> Section | None:
    """Make the section of papers' statements; nothing where the study has none."""
    rows = [_stated(it, row) for it in materials for row in it.rows("statements")]
    if not rows:
        return None
    number = materials[0].numbers.table()
    table = Table(number, ("What the papers state, and what we find",), "", tuple(rows))
    return Section("papers", ("The papers\u2019 figures, redrawn",), "papers", Papers(table))


def _stated(material: Material, row: dict[str, Any]) -> Stated:
    names = [name for name in (row["model_a"], row["model_b"]) if name]
    quantity = row["quantity"]
    return Stated(
        facts=material.facts,
        paper=row["paper"],
        figure=row["figure"],
        statement=row["statement"],
        models=tuple(map(material.model, names)),
        curve=row["criterion"] or "lower envelope, all pooled",
        quantity=quantity,
        stated=said(quantity, row["stated"], row["stated_to"]),
        ours=said(quantity, row["ours"], row["ours_to"]),
    )


def said(quantity: str, value: float, to: float) -> str:
    r"""Write the number or range of a quantity.

    Examples
    --------
    >>> said("largest cost", 0.25, math.nan), said("operating range", 0.17, 0.84)
    ('0.250', '0.17–0.84')
    >>> said("dearer than the envelope", 0.94, math.nan), said("crossing", math.nan, math.nan)
    ('94\u202f% of PC(+)', '—')
    >>> said("crossing", 0.445, math.nan), said("crossing", 0.4 + 1 / 30, math.nan)
    ('PC(+) = 0.445', 'PC(+) = 0.43')
    """
    if math.isnan(value):
        return NOTHING
    if not math.isnan(to):
        return pc_range(value, to)
    if quantity == "largest cost":
        return cost(value)
    dearer = quantity == "dearer than the envelope"
    return f"{share(value)} of PC(+)" if dearer else f"PC(+) = {stated(value, pc(value))}"
