"""The section of a dataset on costs that differ between instances, beside unweighted instances."""

from bisect import bisect_left
from dataclasses import replace
from itertools import pairwise
from typing import Final

import pandas as pd

from costcurves.choosing.obstacles import OF_CASES
from costcurves.figures.context import rows_of
from costcurves.report import patterns
from costcurves.report.differences import differences
from costcurves.report.document import Estimate, Section, Table, Values
from costcurves.report.material import Material
from costcurves.report.measured import of_costs
from costcurves.report.thresholds import chooses
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.tables.keys import ALWAYS, IN_SAMPLE
from costcurves.text import Name, phrase

SLIVER: Final = 1e-9  # narrower than any reader resolves: roots that differ by rounding


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
        figure=own.figure("case_costs"),
        curves=own.figure("cost_curves"),
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
    unweighted, by_cost = (_cheapest(one.tables["in_the_running"]) for one in (material, own))
    return any(
        before != after and min(end, other_end) - max(start, other_start) >= SLIVER
        for start, end, before in unweighted
        for other_start, other_end, after in by_cost
    )


def _cheapest(running: pd.DataFrame) -> list[tuple[float, float, tuple[str, ...]]]:
    """Divide PC(+) by what is cheapest by estimate: models, equal ones too, or a baseline."""
    rows = rows_of(running[running["standing"] == CHEAPEST])
    ends = sorted({row[end] for row in rows for end in ("pc_from", "pc_to")})
    leading: list[list[str]] = [[] for _ in ends[1:]]
    for row in rows:
        for names in leading[bisect_left(ends, row["pc_from"]) : bisect_left(ends, row["pc_to"])]:
            names.append(row["decision"])
    parts: list[tuple[float, float, tuple[str, ...]]] = []
    for (low, high), names in zip(pairwise(ends), leading, strict=True):
        constant = [name for name in names if name in ALWAYS]
        who = (constant[0],) if constant else tuple(names)
        if parts and (who == parts[-1][2] or high - low < SLIVER):
            low, _, who = parts.pop()
        parts.append((low, high, who))
    return parts
