"""The section of a dataset on costs that differ between instances, beside unweighted instances."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, Final

from costcurves.figures.cost_figures import FEW, cost_curves
from costcurves.figures.lowest import SLIVER, cheapest
from costcurves.figures.view_figures import cost_views
from costcurves.formats import amount, counted, pc, pc_range
from costcurves.report.callouts import callouts
from costcurves.report.document import Estimate, Facts, Section, Table, Values
from costcurves.report.material import Material
from costcurves.report.measured import of_costs
from costcurves.report.thresholds import chooses
from costcurves.tables.keys import IN_SAMPLE
from costcurves.tables.selection.criterion import OF_CASES
from costcurves.text import Name, Number, Text, listed, phrase

RANGES: Final = 3  # that are told, the widest
DECIDED: Final = 3  # pairs that are decided by cost and get a sentence each

Stretch = tuple[float, float, Text]  # of PC(+), and what is cheapest there


def instance_costs(material: Material) -> Section | None:
    """Compare costs by instance with unweighted instances; None where no costs are given."""
    own = material.weighted
    if own is None:
        return None
    rows = own.rows("instance_costs")
    first, facts = rows[0], own.facts
    title = phrase("{}: expected cost of mistakes per instance", Name(material.facts.title))
    shown = tuple(
        Values(
            **{
                **row,
                "model": None if row["trivial"] else own.model(row["model"]),
                "name": row["model"],
                "cost": Estimate(row["cost"], row["low"], row["high"]),
            }
        )
        for row in rows
    )
    left_out = (row["criterion"] for row in own.rows("criteria") if row["reason"] == OF_CASES)
    beside = cost_views.name in own.figures and len(facts.models) <= FEW
    values = Values(
        facts=facts,
        unit=own.unit,
        **{name: first[name] for name in ("pc", "prior", "confidence", "warning")},
        means=(first["mean_cost_fp"], first["mean_cost_fn"]),
        effective=(first["negatives_effective"], first["positives_effective"]),
        measured=()
        if facts.estimate == IN_SAMPLE
        else of_costs(facts, first["negatives_effective"], first["positives_effective"]),
        cheapest=_cheapest(rows, facts, own.unit),
        changed=_changed(material, own),
        decided=callouts(own, DECIDED),
        left_out=tuple(dict.fromkeys(left_out)),
        unweighted=material.facts,
        chooses=chooses(material),
        table=Table(own.numbers.table(), title, facts.table("instance_costs"), shown),
        views=own.figure(cost_views),
        curves=None if beside else own.figure(cost_curves),
    )
    anchor = f"{material.facts.anchor}/instance-costs"
    return Section(anchor, ("Costs that differ between instances",), "instance_costs", values)


def _cheapest(rows: Sequence[dict[str, Any]], facts: Facts, unit: str) -> Text:
    """Say which decision is cheapest at the mean costs, and what it costs."""
    best, second, *_ = sorted(rows, key=itemgetter("cost"))
    href = facts.table("instance_costs")
    named = [
        f"deciding {row['model']}" if row["trivial"] else Name(row["model"])
        for row in (best, second)
    ]
    return phrase(
        "At these costs, PC(+) = {}, {} is cheapest: mistakes cost {} per instance, before {} "
        "with {}.",
        Number(pc(best["pc"]), href),
        named[0],
        Number(f"{amount(best['cost'])} {unit}".strip(), href),
        named[1],
        Number(amount(second["cost"]), href),
    )


def _changed(material: Material, own: Material) -> Text:
    """Say where another model is cheapest because instances cost differently, if it can be told."""
    if material.facts.estimate != own.facts.estimate:
        return (
            "Who is cheapest is not compared with unweighted instances: thresholds are chosen in "
            "another way there.",
        )
    both = (cheapest(one.tables["in_the_running"]) for one in (material, own))
    found = list(_differing(*both))
    if not found:
        return ("Who is cheapest is the same with the costs of the instances as without.",)
    widest = sorted(sorted(found, key=lambda one: one[0] - one[1])[:RANGES])
    href = own.facts.table("in_the_running")
    said = [
        phrase("{} instead of {} for PC(+) {}", after, before, Number(pc_range(low, high), href))
        for low, high, before, after in widest
    ]
    hidden = len(found) - len(widest)
    more = f", and others in {counted(hidden, 'narrower range')}" if hidden else ""
    return phrase("The costs of the instances change who is cheapest: {}{}.", listed(said), more)


def _differing(
    unweighted: Sequence[Stretch], by_cost: Sequence[Stretch]
) -> Iterator[tuple[float, float, Text, Text]]:
    """Give the ranges of PC(+) with other leaders: low, high, leaders unweighted and by cost."""
    for start, end, before in unweighted:
        for other_start, other_end, after in by_cost:
            low, high = max(start, other_start), min(end, other_end)
            if high - low >= SLIVER and before != after:
                yield low, high, before, after
