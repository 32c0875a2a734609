"""The sections of one dataset, in order: each a function from its material to values for a part."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from costcurves.report import patterns
from costcurves.report.answer import LISTED, DatasetAnswer
from costcurves.report.callouts import callouts
from costcurves.report.decisions import decisions
from costcurves.report.differences import differences
from costcurves.report.document import Estimate, Section, Table, Values
from costcurves.report.explorer import explorer
from costcurves.report.instance_costs import instance_costs
from costcurves.report.material import Material
from costcurves.report.thresholds import chooses, thresholds
from costcurves.text import Name, phrase

UNFOLDED: Final = 6  # datasets whose sections are all open
ROUNDING: Final = 1e-12  # the same integral in two ways


def datasets(materials: Sequence[Material], answers: Sequence[DatasetAnswer]) -> list[Section]:
    """Make the section of each dataset, which opens with its answer if page 1 has it not.

    How a part is read is said once, by the first one of its kind. Of many datasets only the first
    is open.
    """
    first: dict[str, str] = {}
    several = len(materials) > LISTED
    folds = len(materials) > UNFOLDED
    found: list[Section] = []
    for place, (material, answer) in enumerate(zip(materials, answers, strict=True)):
        facts, parts = material.facts, []
        decided = decisions(material)
        use = to_use_on(material, answer)
        for part in (made for make in SECTIONS if (made := make(material)) is not None):
            if part.part == "thresholds":
                part.content.figure = material.figure("hybrids")
            like = first.get(part.part, part.anchor)
            if part.part != "differences" or any(it.table for it in part.content.families):
                first[part.part] = like  # of differences the first with a table
            parts.append(replace(part, like=like if like != part.anchor else ""))
        values = Values(
            facts=facts,
            decided=decided,
            callouts=callouts(material) if several else None,
            answer=answer if several and answer.rows else None,
            use=use,
            like=next((it.content.use.anchor for it in found if it.content.use), ""),
            confidence=material.confidence,
            findings=material.findings,
        )
        own = Section(facts.anchor, (Name(facts.title),), "dataset", values, tuple(parts))
        found.append(replace(own, closed=folds and place > 0))
    return found


def to_use_on(material: Material, answer: DatasetAnswer) -> Table | None:
    """List what to use at all conditions; None where there are none."""
    title = phrase(patterns.TO_USE_ON, dataset=Name(material.facts.title))
    return Table(material.numbers.table(), title, "", (answer,)) if answer.rows else None


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
        conditions=tuple(Name(name) for name in material.conditions),
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
        condition=Name(material.start),
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
