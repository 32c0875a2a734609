"""The sections of one dataset, in order: each a function from its material to values for a part."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from costcurves.report.callouts import ANSWERED, callouts
from costcurves.report.decisions import decisions
from costcurves.report.differences import differences
from costcurves.report.document import ON_SCREEN, Estimate, Section, Values
from costcurves.report.explorer import explorer
from costcurves.report.front import running_on
from costcurves.report.instance_costs import instance_costs
from costcurves.report.material import Material
from costcurves.report.thresholds import chooses
from costcurves.report.thresholds import thresholds as in_use
from costcurves.report.to_use import happens, to_use_on
from costcurves.text import Name, condition_name

FOLLOWED: Final = 100  # datasets whose answers follow the reader's condition without a figure
ROUNDING: Final = 1e-12  # the same integral in two ways


def datasets(materials: Sequence[Material], page1: Values) -> list[Section]:
    """Make the section of each dataset, with answers that page 1 has not, or not all of.

    How a part is read is said once, by the first one of its kind; what needs a hand is open there.
    Of more datasets than page 1 answers one by one only the first is not folded.
    """
    first: dict[str, str] = {}
    several = len(materials) > ANSWERED
    found: list[Section] = []
    for place, material in enumerate(materials):
        facts, parts, later = material.facts, [], place >= ANSWERED
        decided = decisions(material)
        still = material.tables["duality"].empty and len(materials) <= FOLLOWED
        more = several or len(material.conditions) + (material.weighted is not None) > 1
        use, running = to_use_on(material) if more else None, running_on(material, page1)
        for part in (made for make in SECTIONS if (made := make(material)) is not None):
            like = first.get(part.part, part.anchor)
            if part.part != "differences" or any(it.table for it in part.content.families):
                first[part.part] = like  # of differences the first with a table
            again = like != part.anchor
            folded = again and part.part in ON_SCREEN
            parts.append(replace(part, like=like if again else "", folded=folded))
        values = Values(
            facts=facts,
            decided=decided,
            callouts=callouts(material) if later else None,
            use=use,
            data=explorer(material) if material.conditions and still else None,
            running=running,
            like=next((it.content.use.anchor for it in found if it.content.use), ""),
            confidence=material.confidence,
            standing=material.standing,
            findings=material.findings,
        )
        own = Section(facts.anchor, (Name(facts.title),), "dataset", values, tuple(parts))
        found.append(replace(own, folded=several and place > 0))
    return found


def judged(material: Material) -> tuple[Values, ...]:
    """List every model as its headline curve judges it, its numbers with their intervals."""
    estimates = material.estimates
    quantities = {"area": "area", "tec": "tec", "start": "range start", "end": "range end"}
    return tuple(
        material.row(
            row,
            costs=tuple(estimates[row["model"], "cost", name] for name in material.conditions),
            in_sample=material.in_sample[row["model"], material.facts.level]["area"],
            **{name: estimates[row["model"], of, ""] for name, of in quantities.items()},
        )
        for row in material.headline
    )


def cost_curves(material: Material) -> Section:
    """Show all models together, and everything measured on their curves."""
    rows = judged(material)
    return material.section(
        "cost-curves",
        "Cost curves",
        figure=material.figure("cost_curves"),
        table=material.table("intervals", "what each model costs", rows),
        conditions=tuple(
            condition_name(name, pc, material.facts.prior)
            for name, pc in material.conditions.items()
        ),
        confidence=material.confidence,
        measured=tuple(one for one in material.measured if not one.false),
        # Whether the weight of PC(+) makes expected costs differ from areas.
        weighted=any(abs(row.tec.value - row.area.value) > ROUNDING for row in rows),
    )


def reading(material: Material) -> Section | None:
    """Show how a cost curve comes about."""
    figure = material.figure("cost_lines")
    if figure is None:
        return None
    words = "How a cost curve comes about"
    return material.section("reading", words, figure=figure)


def duality(material: Material) -> Section | None:
    """Let readers move the operating condition in ROC and cost space, on a screen."""
    if material.tables["duality"].empty:
        return None
    figure = material.figure("roc_and_cost")
    return material.section("duality", "ROC and cost", explorer=explorer(material), figure=figure)


def calibration(material: Material) -> Section | None:
    """Show which scores may be taken for probabilities; nothing where it is not drawn."""
    if material.tables["calibration"].empty or "calibration" not in material.figures:
        return None
    parts: dict[tuple[str, str], dict[str, Values]] = defaultdict(dict)
    for row in material.rows("calibration"):
        parts[row["model"], row["minus"]][row["part"]] = Values(**row)
    single, pairs = [], []
    for (a, b), values in parts.items():
        if b:
            pairs.append(Values(a=material.model(a), b=material.model(b), **values))
        else:
            single.append(Values(model=material.model(a), **values))
    words = "differences of Brier scores, and of their parts"
    return material.section(
        "calibration",
        "Scores as probabilities",
        figure=material.figure("calibration"),
        table=material.table("calibration", "Brier scores and their parts", single),
        pairs=material.table("calibration", words, pairs) if pairs else None,
        chooses=chooses(material),
        confidence=material.confidence,
    )


def thresholds(material: Material) -> Section | None:
    """Show what each model is to do, and what then happens."""
    section = in_use(material)
    if section is not None:
        section.content.happens = happens(material)
        section.content.figure = material.figure("hybrids")
    return section


def segments(material: Material) -> Section | None:
    """Show what the cheapest model costs for whom, and where any differs beyond chance."""
    found = material.rows("segments") if "segments" in material.tables else []
    here = [row for row in found if row["condition"] == material.start]
    if not here:
        return None
    costs = {row["model"]: material.estimates[row["model"], "cost", material.start] for row in here}
    best = min(costs, key=lambda model: costs[model].value)
    rows = [
        Values(**row | {"cost": Estimate(row["cost"], row["cost_low"], row["cost_high"])})
        for row in here
        if row["model"] == best
    ]
    return material.section(
        "segments",
        "For whom",
        figure=material.figure("segments"),
        table=material.table("segments", "what the cheapest model costs for whom", rows),
        condition=condition_name(material.start, rows[0].pc, material.facts.prior),
        best=material.model(best),
        apart=tuple(
            material.row(row) for row in found if row["more_low"] > 0 or row["more_high"] < 0
        ),
        confidence=material.confidence,
    )


SECTIONS: Final[tuple[Callable[[Material], Section | None], ...]] = (
    reading,
    cost_curves,
    duality,
    differences,
    thresholds,
    calibration,
    segments,
    instance_costs,
)
