"""The section of a dataset on costs that differ between instances, beside unweighted instances."""

from dataclasses import replace

from costcurves.figures.cost_figures import FEW, cost_curves
from costcurves.figures.lowest import SLIVER, cheapest
from costcurves.figures.view_figures import cost_views
from costcurves.report import patterns
from costcurves.report.differences import differences
from costcurves.report.document import Estimate, Section, Table, Values
from costcurves.report.material import Material
from costcurves.report.measured import of_costs
from costcurves.report.thresholds import chooses
from costcurves.tables.keys import IN_SAMPLE
from costcurves.tables.selection.criterion import OF_CASES
from costcurves.text import Name, phrase


def instance_costs(material: Material) -> Section | None:
    """Compare costs by instance with unweighted instances; None where no costs are given."""
    own = material.weighted
    if own is None:
        return None
    rows = own.rows("instance_costs")
    first, facts = rows[0], own.facts
    title = phrase(patterns.COST_PER_INSTANCE, dataset=Name(material.facts.title))
    shown = tuple(
        Values(
            **row
            | {"model": None if row["trivial"] else own.model(row["model"]), "name": row["model"]}
            | {"cost": Estimate(row["cost"], row["low"], row["high"])}
        )
        for row in rows
    )
    left_out = (row["criterion"] for row in own.rows("criteria") if row["reason"] == OF_CASES)
    effective = first["negatives_effective"], first["positives_effective"]
    beside = cost_views.name in own.figures and len(facts.models) <= FEW
    values = Values(
        facts=facts,
        unit=own.unit,
        **{name: first[name] for name in ("pc", "prior", "confidence", "warning")},
        means=(first["mean_cost_fp"], first["mean_cost_fn"]),
        effective=effective,
        measured=() if facts.estimate == IN_SAMPLE else of_costs(facts, *effective),
        changed=_changed(material, own),
        left_out=tuple(dict.fromkeys(left_out)),
        unweighted=material.facts,
        chooses=chooses(material),
        table=Table(own.numbers.table(), title, facts.table("instance_costs"), shown),
        views=own.figure(cost_views),
        curves=None if beside else own.figure(cost_curves),
    )
    anchor = f"{material.facts.anchor}/instance-costs"
    decided = differences(own)
    like, named = f"{material.facts.anchor}/differences", ("Differences weighted by cost",)
    inner = () if decided is None else (replace(decided, title=named, like=like),)
    return Section(anchor, ("Costs that differ between cases",), "instance_costs", values, inner)


def _changed(material: Material, own: Material) -> bool | None:
    """Say whether another decision is cheapest where cases cost differently; None: unknown."""
    if material.facts.estimate != own.facts.estimate:
        return None
    unweighted, by_cost = (cheapest(one.tables["in_the_running"]) for one in (material, own))
    return any(
        before != after and min(end, other_end) - max(start, other_start) >= SLIVER
        for start, end, before in unweighted
        for other_start, other_end, after in by_cost
    )
