"""The appendix: further figures and tables of each dataset."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import comb
from operator import itemgetter
from typing import Any, Final

from costcurves.choosing.rules import LIMITS
from costcurves.figures.context import rows_of
from costcurves.formats import cases
from costcurves.report.answer import LISTED
from costcurves.report.differences import PAIRS, differences
from costcurves.report.document import Content, Section
from costcurves.report.material import Material
from costcurves.report.sections import calibration, cost_curves, cost_lines, roc_and_cost
from costcurves.text import Name

EXCEEDED: Final = 1e-9  # a limit that is met exactly is not
SHORT: Final = 0.05  # shorter ranges are not listed, unless a pair has no longer one


@dataclass(frozen=True)
class Limit:
    """The models under a limit; its point in cost space is the same for all."""

    heading: str
    words: str
    in_cases: bool
    rows: tuple[dict[str, Any], ...]
    held_out: tuple[dict[str, Any], ...]  # rows that were chosen on other folds, the least first
    above: int  # of these


@dataclass(frozen=True)
class Pair:
    """The ranges on which one of a pair has the lower estimate."""

    a: str
    b: str
    rows: tuple[dict[str, Any], ...]


@dataclass(frozen=True, kw_only=True)
class Pairs(Content):
    """Where the curves of each pair of models cross."""

    crossing: int
    pairs: int
    most: int = PAIRS


def appendix(materials: Sequence[Material]) -> Section:
    """Make the appendix: of later datasets also what the body has of the first alone."""
    inner = []
    for place, material in enumerate(materials):
        parts = [
            cost_lines(material) if place else None,
            cost_curves(material) if place and len(materials) > LISTED else None,
            roc_and_cost(material) if place else None,
            differences(material) if place else None,
            calibration(material) if place else None,
            drawn(material, "averages", "Averages in ROC space"),
            drawn(material, "loss_curves", "Loss curves"),
            limits(material),
            pairs(material),
            drawn(material, "decision_curves", "Decision curves"),
        ]
        anchor = f"appendix/{material.facts.slug}"
        shown = tuple(
            replace(part, anchor=f"{anchor}/{part.anchor.rpartition('/')[2]}", first=place < 2)
            for part in parts
            if part
        )
        inner.append(Section(anchor, (Name(material.facts.title),), "appended", None, shown))
    return Section("appendix", ("Appendix",), "appendix", None, tuple(inner))


def drawn(material: Material, name: str, title: str) -> Section | None:
    """Show a figure, where it is drawn."""
    if name not in material.figures:
        return None
    return material.section(name, title, Content(figure=material.figure(name)))


def limits(material: Material) -> Section | None:
    """Show what limits allow; nothing where the study sets none."""
    groups = material.tables["constructions"].groupby(["criterion", "limit"])
    each = [limit_of(rows_of(rows)) for _, rows in groups]
    if not each:
        return None
    table = material.table("constructions", "what the limits allow", each)
    return material.section("limits", "Under a limit", Content(table=table))


def limit_of(rows: list[dict[str, Any]]) -> Limit:
    """Return what a limit that was kept on the other folds came to on the held-out ones."""
    kind, limit = LIMITS[rows[0]["criterion"]], rows[0]["limit"]
    held_out = sorted((row for row in rows if row["folds"]), key=itemgetter("held_out"))
    return Limit(
        heading=f"{kind.title}: {kind.allows.format(cases(limit))}",
        words=kind.sentence.format(cases(limit)),
        in_cases=kind.in_cases,
        rows=tuple(rows),
        held_out=tuple(held_out),
        above=sum(row["held_out"] > limit + EXCEEDED for row in held_out),
    )


def pairs(material: Material) -> Section | None:
    """Show where one of each pair has the lower estimate; of many those first that differ most."""
    models = len(material.facts.models)
    if models == 1:
        return None
    groups = groupby(material.rows("crossovers"), key=itemgetter("model_a", "model_b"))
    listed = [_pair(a, b, list(rows)) for (a, b), rows in groups]
    if len(listed) > PAIRS:
        listed.sort(key=_apart, reverse=True)
    content = Pairs(
        table=material.table(
            "crossovers", "which model has the lower estimate, pair by pair", listed
        ),
        crossing=sum(len({row["cheaper"] for row in pair.rows}) > 1 for pair in listed),
        pairs=comb(models, 2),
    )
    return material.section("pairs", "All pairs", content)


def _apart(pair: Pair) -> float:
    """Return how far apart two models are, in steps that hide rounding."""
    return max(round(abs(float(row["largest_difference"])), 9) for row in pair.rows)


def _pair(a: str, b: str, rows: list[dict[str, Any]]) -> Pair:
    """Show the ranges on which one of a pair is lower, without the short ones."""
    unequal = [row for row in rows if row["largest_difference"]] or rows
    long = [row for row in unequal if row["pc_to"] - row["pc_from"] >= SHORT]
    shown = long or [max(unequal, key=lambda row: row["pc_to"] - row["pc_from"])]
    return Pair(a, b, tuple(shown))
