"""Choosing under a limit: what it allows each model, and what held-out folds made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from costcurves.formats import cases, cost
from costcurves.report.document import Model
from costcurves.report.material import Material
from costcurves.report.text import Name, Number, Text, phrase
from costcurves.tables.selection.limited import limits

ROUNDING: Final = 1e-9  # a limit that is met exactly is not exceeded


@dataclass(frozen=True)
class Construction:
    """A point that a limit allows on a model's ROC hull, and what held-out folds made of it.

    The point is a draw between two vertices. `held_out` is in the unit of the limit; what is of
    held-out folds is NaN where there are none.
    """

    model: Model
    fp: float
    tp: float
    share: float
    first: str
    second: str
    held_out_fp: float
    held_out_tp: float
    held_out: float
    folds: int
    exceeded: int


@dataclass(frozen=True)
class Constraint:
    """A limit and what it allows each model; its point in cost space may be virtual."""

    criterion: str
    limit: float
    dual_pc: float
    dual_nec: float
    rows: tuple[Construction, ...]

    @property
    def in_cases(self) -> bool:
        """Whether it is a number of cases."""
        return limits()[self.criterion].in_cases

    @property
    def heading(self) -> str:
        """What it is called, and what it allows."""
        kind = limits()[self.criterion]
        return f"{kind.title}: {kind.allows.format(cases(self.limit))}"


def constraints(material: Material) -> list[Constraint]:
    """Collect the models under each limit; its point in cost space is the same for all."""
    rows = sorted(material.rows("constructions"), key=lambda row: str(row["criterion"]))
    return [
        Constraint(*key, tuple(_construction(material, row) for row in own))
        for key, own in groupby(rows, key=_constraint)
    ]


def kept(limit: Constraint, href: str) -> Text:
    """Say what a limit that was kept on the other folds came to on the held-out ones."""
    words = limits()[limit.criterion].sentence.format(cases(limit.limit))
    rows = sorted((one for one in limit.rows if one.folds), key=lambda one: one.held_out)
    if not rows:
        return phrase(
            "{}: there are too few instances to choose on some and judge on the others, so whether "
            "new data keep it is not known.",
            words,
        )
    return phrase(
        "{}, kept on the folds that choose, came to {} on the folds held out: {}.",
        words,
        _range(limit, rows, href),
        _above(limit, rows),
    )


def _range(limit: Constraint, rows: Sequence[Construction], href: str) -> Text:
    ends = [rows[0], rows[-1]] if len(rows) > 1 else [rows[0]]
    written = cases if limit.in_cases else cost
    each = [
        phrase("{} ({})", Number(written(one.held_out), href), Name(one.model.name)) for one in ends
    ]
    return phrase(" to ".join(["{}"] * len(each)), *each)


def _above(limit: Constraint, rows: Sequence[Construction]) -> str:
    """Count the models whose mean exceeds the limit."""
    above = sum(one.held_out > limit.limit + ROUNDING for one in rows)
    if len(rows) == 1:
        return "above the limit on average" if above else "within the limit on average"
    if not above:
        return f"on average none of the {len(rows)} models exceeds the limit"
    if above == len(rows):
        return f"on average all {above} models exceed it"
    return f"on average {above} of {len(rows)} models {'exceeds' if above == 1 else 'exceed'} it"


def _constraint(row: dict[str, Any]) -> tuple[str, float, float, float]:
    return row["criterion"], row["limit"], row["dual_pc"], row["dual_nec"]


def _construction(material: Material, row: dict[str, Any]) -> Construction:
    names = set(Construction.__dataclass_fields__) - {"model"}
    return Construction(material.model(row["model"]), **{name: row[name] for name in names})
