"""What must be true of the tables that the annex adds, and of those beside them."""

from typing import Final

import numpy as np

from costcurves.tables.checks.invariants import (
    Invariants,
    Tables,
    Violations,
    distance,
    excess,
    outside,
    untrue,
)
from costcurves.tables.curves.pieces import areas
from costcurves.tables.keys import CROSS_FITTED
from costcurves.tables.selection.choices import OF_HEADLINE
from costcurves.tables.selection.criteria import curves_by_criterion
from costcurves.tables.selection.limited import limits

CHOICE: Final = ["model", "criterion"]
CHOICES: Final = ["model_a", "criterion_a", "model_b", "criterion_b"]
HEADLINES: Final = {criterion: estimate for estimate, criterion in OF_HEADLINE.items()}
OF_CHOICES: Final = Invariants()
OF_CHANCE: Final = Invariants()


@OF_CHOICES.add("an expected loss is the area under its curve")
def _losses_are_areas(tables: Tables) -> Violations:
    rows, names = tables["threshold_choice"], ["model", "method", "axis"]
    area = areas(rows, names).to_numpy(float)
    yield distance(rows["loss"], area[rows.groupby(names, sort=False).ngroup()])


@OF_CHOICES.add("constrained points are mixtures within their limits")
def _constraints_are_kept(tables: Tables) -> Violations:
    rows = tables["constructions"]
    names = ["fp", "tp", "limit", "negatives", "positives"]
    for name, one in limits().items():
        yield one.beyond(*rows.loc[rows["criterion"] == name, names].to_numpy(float).T)
    share = rows["share"]
    for rate in ("fp", "tp"):
        mixed = (1 - share) * rows[f"first_{rate}"] + share * rows[f"second_{rate}"]
        yield distance(rows[rate], mixed)


@OF_CHOICES.add("held-out rates under a limit are those of its curve")
def _held_out_rates_are_those_of_the_curves(tables: Tables) -> Violations:
    """Compare what held-out folds made of a limit with its cost curve, a line."""
    rows = tables["constructions"].set_index(CHOICE)
    judged = tables["hybrids"][tables["hybrids"]["estimate"] == CROSS_FITTED]
    line = judged.drop_duplicates(CHOICE).set_index(CHOICE).reindex(rows.index)
    rates = [name for name, one in limits().items() if not one.in_cases]
    fp_rate = rows.index.get_level_values("criterion").isin(rates)
    yield distance(rows["held_out_fp"], line["at0"])
    yield distance(rows["held_out_tp"], 1 - line["at1"])
    yield distance(rows["held_out"][fp_rate], rows["held_out_fp"][fp_rate])
    yield untrue(rows["exceeded"].between(0, rows["folds"]))
    yield untrue((rows["folds"] > 0) == rows["held_out"].notna())


@OF_CHANCE.add("areas of choices, and their differences, are those of their curves")
def _choices_are_their_curves(tables: Tables) -> Violations:
    rows = tables["choice_intervals"].query("quantity == 'area'")
    curves = curves_by_criterion(tables["hybrids"])
    area = {choice: curve.area() for choice, curve in curves.items()}
    a, b = (
        np.array([area.get(choice, 0.0) for choice in rows[names].itertuples(False, None)])
        for names in (CHOICES[:2], CHOICES[2:])
    )
    yield np.abs(rows["value"].to_numpy() - (a - b))


@OF_CHANCE.add("an interval of a choice holds its value")
def _choices_hold_their_values(tables: Tables) -> Violations:
    return outside(tables["choice_intervals"], "value", "low", "high")


@OF_CHANCE.add("a headline curve has the same interval in both tables")
def _headlines_are_told_once(tables: Tables) -> Violations:
    rows = tables["choice_intervals"].query("quantity == 'area' and model_b == ''")
    rows = rows.assign(estimate=rows["criterion_a"].map(HEADLINES)).dropna(subset="estimate")
    known = tables["intervals"].query("quantity == 'area'")
    known = known.assign(model_a=known["model"])
    both = rows.merge(known, on=["model_a", "estimate"], suffixes=("", "_known"))
    yield np.abs(both[["low", "high"]].to_numpy() - both[["low_known", "high_known"]].to_numpy())


@OF_CHANCE.add("the interval of what is left out holds it")
def _optimism_holds_its_value(tables: Tables) -> Violations:
    rows = tables["optimism"]
    return map(excess, outside(rows, "left_out", "left_out_low", "left_out_high"))
