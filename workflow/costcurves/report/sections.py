"""The sections of one dataset, in order: each a function from its material to values for a part."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import isnan, nan
from operator import itemgetter
from typing import Final

from costcurves.report import alternatives
from costcurves.report.callouts import ANSWERED, callouts
from costcurves.report.choosing import choosing
from costcurves.report.differences import differences, pairs
from costcurves.report.document import ON_SCREEN, Section, Values
from costcurves.report.explorer import explorer
from costcurves.report.front import running_on
from costcurves.report.instance_costs import instance_costs, ranking_by_cost
from costcurves.report.material import Material
from costcurves.report.text import Name, condition_name
from costcurves.report.thresholds import thresholds
from costcurves.report.to_use import CONDITIONS, to_use_on
from costcurves.tables.curves.averages import are_several
from costcurves.tables.curves.headline import constant_decision
from costcurves.tables.keys import CROSS_FITTED, LEVELS

MOST: Final = 12  # decided pairs that a dataset's opening goes through one by one
ROUNDING: Final = 1e-12  # the same integral in two ways


def datasets(materials: Sequence[Material], page1: Values) -> list[Section]:
    """Make the section of each dataset, with answers that page 1 has not, or not all of.

    How a part is read is said once, by the first one of its kind; what needs a hand is open there.
    """
    first: dict[str, str] = {}
    found = []
    for place, material in enumerate(materials):
        facts, parts, later = material.facts, [], place >= ANSWERED
        more = later or len(material.conditions) > CONDITIONS
        use, running = to_use_on(material) if more else None, running_on(material, page1)
        for part in (made for make in SECTIONS if (made := make(material)) is not None):
            like = first.setdefault(part.part, part.anchor)
            again = like != part.anchor
            folded = again and part.part in ON_SCREEN
            parts.append(replace(part, like=like if again else "", folded=folded))
        values = Values(
            facts=facts,
            callouts=callouts(material, MOST) if later else (),
            use=use,
            running=running,
            confidence=material.confidence,
            findings=material.findings,
        )
        found.append(Section(facts.anchor, (Name(facts.title),), "dataset", values, tuple(parts)))
    return found


def annex(materials: Sequence[Material]) -> Section:
    """Make the annex: all else that was computed, dataset by dataset."""
    inner = tuple(map(_annexed, materials))
    return Section("annex", ("Annex",), "annex", None, inner, folded=True)


def _annexed(material: Material) -> Section:
    facts = material.facts
    parts = tuple(part for make in ANNEX if (part := make(material)) is not None)
    title = (Name(facts.title),)
    return Section(f"annex/{facts.slug}", title, "annexed", Values(facts=facts), parts)


def judged(material: Material) -> tuple[Values, ...]:
    """List every model as its headline curve judges it, its numbers with their intervals."""
    estimates = material.estimates
    quantities = {"area": "area", "tec": "tec", "start": "range start", "end": "range end"}
    return tuple(
        material.row(
            row,
            costs=tuple(estimates[row["model"], "cost", name] for name in material.conditions),
            in_sample=material.in_sample[row["model"], material.facts.level]["area"],
            in_sample_h=material.in_sample[row["model"], material.facts.level]["h"],
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
        figure=material.figure("cost_curves", alternatives.cost_curves),
        by_ratio=material.figure("cost_ratios", alternatives.cost_ratios),
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
    """Show once, of the study's first dataset, how a cost curve comes about and is read."""
    if material.facts.estimate != CROSS_FITTED or material.tables["duality"].empty:
        return None
    words = "How to read a cost curve"
    figure = material.figure("reading", alternatives.reading)
    return material.section("reading", words, figure=figure) if figure else None


def ranking(material: Material) -> Section:
    """Show what is known of models without regard to costs."""
    table = material.table("measures", "how each model ranks", judged(material))
    rows = [
        Values(a=material.model(row["model_a"]), b=material.model(row["model_b"]), **row)
        for row in material.rows("auc_differences")
    ]
    words = "differences of AUC, and DeLong\N{RIGHT SINGLE QUOTATION MARK}s test"
    return material.section(
        "ranking",
        "How models rank",
        table=table,
        confidence=material.confidence,
        pairs=material.table("auc_differences", words, rows) if rows else None,
    )


def optimism(material: Material) -> Section | None:
    """Show what in-sample selection promises at each level, and the curves behind it."""
    if material.tables["optimism"].empty:
        return None
    found = {(row["model"], row["level"]): row for row in material.rows("optimism")}
    rows = [
        Values(
            model=material.model(model),
            cross_fitted=found[model, material.facts.level]["cross_fitted"],
            promises=tuple(Values(**found[model, level]) for level in LEVELS),
        )
        for model in material.facts.models
    ]
    measured = not all(isnan(row.cross_fitted) for row in rows)
    words = "area, promised and delivered"
    return material.section(
        "optimism",
        "Judged on the data that chose",
        figure=material.figure("optimism", alternatives.optimism) if measured else None,
        table=material.table("optimism", words, rows) if measured else None,
        folds=material.figure("folds", alternatives.folds),
        confidence=material.confidence,
    )


def duality(material: Material) -> Section | None:
    """Let readers move the operating condition in ROC and cost space, on a screen."""
    if material.tables["duality"].empty:
        return None
    return material.section("duality", "ROC and cost", explorer=explorer(material))


def conditions(material: Material) -> Section | None:
    """Show one operating condition in ROC and cost space; nothing where none is marked."""
    if material.tables["duality"].empty:
        return None
    words = "costs and operating points"
    return material.section(
        "conditions",
        "One condition in both spaces",
        figure=material.figure("duality", alternatives.duality),
        table=material.table("duality", words, _conditions(material)),
    )


def _conditions(material: Material) -> Iterator[Values]:
    """List operating conditions, each with every model under it, the cheapest first."""
    condition = itemgetter("condition", "pc", "cost_ratio", "slope")
    for (name, pc, ratio, slope), rows in groupby(material.rows("duality"), condition):
        models = [
            material.row(row, cost=material.estimates[row["model"], "cost", name].value)
            for row in rows
        ]
        models.sort(key=lambda one: float(one.cost))
        yield Values(
            name=condition_name(name, pc, material.facts.prior),
            pc=pc,
            ratio=ratio,
            slope=slope,
            constant=constant_decision(pc, models[0].cost),
            rows=tuple(models),
        )


def averaging(material: Material) -> Section | None:
    """Show what each way of averaging does to the cost; nothing where there is but one."""
    if len({method for _, method in material.areas}) == 1:
        return None
    several = are_several(material.tables["averages"])
    rows = [
        Values(
            model=material.model(model),
            areas=tuple(
                Values(area=area, more=area - areas[0] if place else nan)
                for place, area in enumerate(areas)
            ),
        )
        for model in material.facts.models
        for areas in [[material.areas.get((model, way), nan) for way in alternatives.AVERAGES]]
    ]
    words = "area under the average by method"
    return material.section(
        "averaging",
        "Ways of averaging",
        figure=material.figure("averaging", alternatives.averaging) if several else None,
        table=material.table("averages", words, rows) if several else None,
    )


SECTIONS: Final[tuple[Callable[[Material], Section | None], ...]] = (
    reading,
    cost_curves,
    differences,
    thresholds,
    duality,
    instance_costs,
)
ANNEX: Final[tuple[Callable[[Material], Section | None], ...]] = (
    ranking,
    pairs,
    choosing,
    optimism,
    conditions,
    ranking_by_cost,
    averaging,
)
