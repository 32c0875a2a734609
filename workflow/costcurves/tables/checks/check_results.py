"""What must be true of any results; a report can't be built from results that break it."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.tables.checks.check_inference import AGREEMENTS
from costcurves.tables.checks.check_inference import INVARIANTS as OF_CHANCE
from costcurves.tables.checks.check_selection import INVARIANTS as OF_CHOICES
from costcurves.tables.checks.invariants import (
    CHECK_RESULTS,
    Invariants,
    Tables,
    Values,
    Violations,
    held,
    trapezoids,
)
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.keys import CURVE_NAMES, IN_SAMPLE

__all__ = ["CHECK_RESULTS", "INVARIANTS", "check_results"]

CURVES: Final = ("envelopes", "averages", "hybrids", "headline")
BLOCK: Final = 4_000_000  # costs compared at once: bounds the memory, not the result
INVARIANTS: Final = Invariants()


def check_results(tables: Tables) -> pd.DataFrame:
    """Hold the results of one dataset to every invariant, `predictions` among its tables."""
    return held(str(tables["operating_points"]["dataset"].iloc[0]), INVARIANTS, tables)


@INVARIANTS.add("every rate is its count over its class")
def _rates_are_counts(tables: Tables) -> Violations:
    points = tables["operating_points"]
    yield np.abs(points["fp"] - points["fp_weight"] / points["negatives_weight"])
    yield np.abs(points["fn"] - (1 - points["tp_weight"] / points["positives_weight"]))


@INVARIANTS.add("every normalized expected cost lies in [0, 1]")
def _costs_are_shares(tables: Tables) -> Violations:
    for stage in CURVES:
        values = tables[stage][["nec_from", "nec_to"]].to_numpy()
        yield np.fmax(-values, values - 1)


@INVARIANTS.add("a curve's ends are the rates of its first and last line")
def _ends_are_rates(tables: Tables) -> Violations:
    for stage in CURVES:
        rows = tables[stage]
        yield np.abs(rows["nec_from"] - rows["at0"])[rows["pc_from"] == 0]
        yield np.abs(rows["nec_to"] - rows["at1"])[rows["pc_to"] == 1]


@INVARIANTS.add("an envelope is the lowest of its lines, never above any")
def _envelopes_are_lowest(tables: Tables) -> Violations:
    points = dict(list(tables["operating_points"].groupby(CURVE_NAMES, sort=False)))
    for names, curve in curves_of(tables["envelopes"], CURVE_NAMES):
        own = points[tuple(names.values())]
        yield _lowest(own["fp"].to_numpy(), own["fn"].to_numpy(), curve)


def _lowest(fp: Values, fn: Values, curve: Curve) -> Values:
    """Find by how much the envelope leaves the lowest line, trivial ones included, either way."""
    at = np.concatenate([curve.pc, (curve.pc[:-1] + curve.pc[1:]) / 2])
    lowest = np.minimum(at, 1 - at)
    for pc_block in np.array_split(np.arange(len(at)), 1 + len(at) * len(fp) // BLOCK):
        pc = at[pc_block, np.newaxis]
        lowest[pc_block] = np.minimum(lowest[pc_block], (fn * pc + fp * (1 - pc)).min(axis=1))
    return np.asarray(np.abs(curve(at) - lowest), dtype=float)


@INVARIANTS.add("an average lies between the lowest and the highest of its curves")
def _averages_lie_between(tables: Tables) -> Violations:
    members: dict[tuple[str, str], list[Curve]] = {}
    for names, curve in curves_of(tables["envelopes"], CURVE_NAMES):
        members.setdefault((names["model"], names["level"]), []).append(curve)
    rows = tables["averages"][tables["averages"]["method"] == COST_SPACE]
    for names, curve in curves_of(rows, ["model", "level"]):
        own = members[names["model"], names["level"]]
        costs, average = np.array([member(curve.pc) for member in own]), curve(curve.pc)
        yield costs.min(axis=0) - average
        yield average - costs.max(axis=0)


@INVARIANTS.add("an area is the total expected cost under the uniform prior")
def _areas_are_uniform_costs(tables: Tables) -> Violations:
    averages, headline = tables["averages"], tables["headline"].assign(level="fold")
    judged = headline[headline["estimate"] != IN_SAMPLE]
    names = ["model", "level", "estimate"]
    rows = pd.concat([averages[averages["method"] == COST_SPACE], judged])
    stated = tables["measures"].set_index(names)["area"]
    yield np.abs(stated - trapezoids(rows, names, sort=True).reindex(stated.index))


INVARIANTS.update(OF_CHOICES | OF_CHANCE | AGREEMENTS)
