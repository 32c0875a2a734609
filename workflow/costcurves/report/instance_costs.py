"""The section of a dataset on costs that differ between instances, beside unweighted instances."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from costcurves.figures.cost_figures import FEW
from costcurves.formats import amount, counted, pc, pc_range
from costcurves.report import alternatives
from costcurves.report.callouts import callouts
from costcurves.report.cheapest_ranges import SLIVER, Range, cheapest_ranges
from costcurves.report.document import Estimate, Facts, Section, Table, Values
from costcurves.report.material import Material
from costcurves.report.sentences import cheapest
from costcurves.report.text import Name, Number, Text, listed, phrase
from costcurves.tables.selection.criterion import OF_CASES

RANGES: Final = 3  # that are told, the widest
DECIDED: Final = 3  # pairs that are decided by cost and get a sentence each


def instance_costs(material: Material) -> Section | None:
    """Compare costs by instance with unweighted instances; None where no costs are given.

    `facts` is the dataset weighted by cost. `left_out` are the criteria that say how many cases to
    predict positive, whatever these cost, and so are judged unweighted. `curves` is there where
    the views side by side have not all of their bands.
    """
    own = material.by_cost
    if own is None:
        return None
    rows = own.rows("instance_costs")
    first, facts = rows[0], own.facts
    title = phrase("{}: expected cost per instance", Name(material.facts.title))
    shown = tuple(_row(own, row) for row in rows)
    criteria = own.rows("criteria")
    left_out = (row["criterion"] for row in criteria if row["reason"] == OF_CASES)
    beside = "cost_views" in own.figures and len(facts.models) <= FEW
    values = Values(
        facts=facts,
        unit=material.unit,
        pc=first["pc"],
        prior=first["prior"],
        confidence=first["confidence"],
        means=(first["mean_cost_fp"], first["mean_cost_fn"]),
        effective=(first["negatives_effective"], first["positives_effective"]),
        warning=first["warning"],
        cheapest=_cheapest(rows, facts, material.unit),
        changed=_changed(material, own),
        decided=callouts(own, DECIDED),
        left_out=tuple(dict.fromkeys(left_out)),
        table=Table(own.numbers.table(), title, facts.table("instance_costs"), shown),
        views=own.figure("cost_views", alternatives.cost_views),
        curves=None if beside else own.figure("cost_curves", alternatives.cost_curves),
    )
    anchor = f"{material.facts.anchor}/instance-costs"
    return Section(anchor, ("Costs that differ between instances",), "instance_costs", values)


def ranking_by_cost(material: Material) -> Section | None:
    """Show what the costs of instances do to ROC curves and rankings."""
    own = material.by_cost
    if own is None:
        return None
    figure = own.figure("instance_costs", alternatives.instance_costs)
    return material.section("ranking-by-cost", "Costs and rankings", figure=figure)


def _row(material: Material, row: dict[str, Any]) -> Values:
    """Show what a model, or a trivial decision (without a place), costs per instance."""
    model = None if row["trivial"] else material.model(row["model"])
    cost = Estimate(row["cost"], row["low"], row["high"])
    return Values(**{**row, "model": model, "name": row["model"], "cost": cost})


def _cheapest(rows: Sequence[dict[str, Any]], facts: Facts, unit: str) -> Text:
    """Say which decision is cheapest at the mean costs, and what it costs."""
    best = min(rows, key=lambda row: float(row["cost"]))
    others = [row for row in rows if row is not best]
    href = facts.table("instance_costs")
    second = min(others, key=lambda row: float(row["cost"]))
    pattern = "At these costs, PC(+) = {}, {} is cheapest with {} per instance, before {} with {}."
    return phrase(
        pattern,
        Number(pc(best["pc"]), href),
        _named(best),
        Number(f"{amount(best['cost'])} {unit}".strip(), href),
        _named(second),
        Number(amount(second["cost"]), href),
    )


def _named(row: dict[str, Any]) -> Text:
    return (f"deciding {row['model']}",) if row["trivial"] else (Name(row["model"]),)


def _changed(material: Material, own: Material) -> Text:
    """Say where another model is cheapest because instances cost differently."""
    models = material.facts.models
    known = own.tables["crossovers"]
    shared = known[known["model_a"].isin(models) & known["model_b"].isin(models)]
    curves = {model: own.curves[model] for model in models}
    by_cost = cheapest_ranges(shared, curves, own.facts.prior)
    found = list(_differing(material.cheapest_ranges, by_cost))
    if not found:
        return ("Who is cheapest is the same with the costs of the instances as without.",)
    widest = sorted(sorted(found, key=lambda one: one[0] - one[1])[:RANGES])
    said = [
        phrase(
            "{} instead of {} for PC(+) {}",
            weighted,
            unweighted,
            Number(pc_range(low, high), own.facts.table("crossovers")),
        )
        for low, high, unweighted, weighted in widest
    ]
    hidden = len(found) - len(widest)
    more = f", and others in {counted(hidden, 'narrower range')}" if hidden else ""
    return phrase("The costs of the instances change who is cheapest: {}{}.", listed(said), more)


def _differing(
    unweighted: Sequence[Range], by_cost: Sequence[Range]
) -> Iterator[tuple[float, float, Text, Text]]:
    """Give the ranges of PC(+) with other leaders: low, high, leaders unweighted and by cost."""
    for one in unweighted:
        for other in by_cost:
            low, high = max(one.low, other.low), min(one.high, other.high)
            texts = cheapest(one), cheapest(other)
            if high - low >= SLIVER and texts[0] != texts[1]:
                yield low, high, *texts
