"""What must be true of any results; a report can't be built from results that break it."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.errors import InputError
from costcurves.maths.curves import Curve
from costcurves.tables.checks.check_agreement import INVARIANTS as OF_AGREEMENT
from costcurves.tables.checks.check_inference import INVARIANTS as OF_CHANCE
from costcurves.tables.checks.check_selection import INVARIANTS as OF_CHOICES
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.operating_points import CURVE_NAMES
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.keys import DATASET, IN_SAMPLE

CHECK_RESULTS: Final = Contract(
    "check_results",
    (
        DATASET,
        Column("invariant", "str", "", "what must be true"),
        Column("checked", "int64", "values", "how many values were held to it"),
        Column("worst", "float64", "nec", "the largest violation; 0: none"),
    ),
)

# Costs are sums and products of a few rates in [0, 1]: their rounding stays far below this, and
# the smallest true difference of rates (one over the product of the class sizes) far above it.
ROUNDING: Final = 1e-12

Tables = Mapping[str, pd.DataFrame]
Values = NDArray[np.float64]
Invariants = Mapping[str, Callable[[Tables], Values]]


def check_results(tables: Tables) -> pd.DataFrame:
    """Hold the results of one dataset to every invariant, `predictions` among its tables."""
    return held(str(tables["operating_points"]["dataset"].iloc[0]), INVARIANTS, tables)


def held(dataset: str, invariants: Invariants, tables: Tables) -> pd.DataFrame:
    """Hold tables to invariants, or raise all that are broken and by how much."""
    excesses = [check(tables) for check in invariants.values()]
    # Which of 0.0 and -0.0 a maximum is depends on the processor: plus 0.0 it is the former.
    worst = [float(np.max(excess, initial=0.0)) + 0.0 for excess in excesses]
    broken = [
        f"{dataset}: {invariant}: broken by up to {most:.3g}; this is a fault of the software or "
        "of a table that was edited: remove the results folder and build again"
        for invariant, most in zip(invariants, worst, strict=True)
        if not most <= ROUNDING
    ]
    if broken:
        raise InputError(broken)
    return CHECK_RESULTS.frame(
        dataset=dataset,
        invariant=list(invariants),
        checked=[excess.size for excess in excesses],
        worst=worst,
    )


def _costs_are_shares(tables: Tables) -> Values:
    values = np.concatenate(
        [tables[stage][["nec_from", "nec_to"]].to_numpy().ravel() for stage in CURVES]
    )
    excess: Values = np.fmax(-values, values - 1)
    return excess


def _ends_are_rates(tables: Tables) -> Values:
    rows = pd.concat([tables[stage] for stage in CURVES])
    first, last = rows[rows["pc_from"] == 0], rows[rows["pc_to"] == 1]
    return np.concatenate(
        [
            np.abs((first["nec_from"] - first["at0"]).to_numpy(float)),
            np.abs((last["nec_to"] - last["at1"]).to_numpy(float)),
        ]
    )


def _envelopes_are_lowest(tables: Tables) -> Values:
    """Compare each envelope, at its break points, with the lowest of its curve's lines."""
    points = dict(list(tables["operating_points"].groupby(CURVE_NAMES, sort=False)))
    found = [np.zeros(0)]
    for names, curve in curves_of(tables["envelopes"], CURVE_NAMES):
        own = points[tuple(names.values())]
        found.append(_lowest(own["fp"].to_numpy(), own["fn"].to_numpy(), curve))
    return np.concatenate(found)


def _lowest(fp: Values, fn: Values, curve: Curve) -> Values:
    """Find by how much the envelope leaves the lowest line, trivial ones included, either way."""
    at = np.concatenate([curve.pc, (curve.pc[:-1] + curve.pc[1:]) / 2])
    lowest = np.minimum(at, 1 - at)
    for pc_block in np.array_split(np.arange(len(at)), 1 + len(at) * len(fp) // BLOCK):
        pc = at[pc_block, np.newaxis]
        lowest[pc_block] = np.minimum(lowest[pc_block], (fn * pc + fp * (1 - pc)).min(axis=1))
    return np.asarray(np.abs(curve(at) - lowest), dtype=float)


def _averages_lie_between(tables: Tables) -> Values:
    """Compare each cost-space average with the lowest and highest of the curves it averages."""
    keys = ["model", "level"]
    members: dict[tuple[str, ...], list[Curve]] = {}
    for names, curve in curves_of(tables["envelopes"], CURVE_NAMES):
        members.setdefault((names["model"], names["level"]), []).append(curve)
    rows = tables["averages"][tables["averages"]["method"] == COST_SPACE]
    found = [np.zeros(0)]
    for names, curve in curves_of(rows, keys):
        costs = np.array([member(curve.pc) for member in members[tuple(names.values())]])
        average = curve(curve.pc)
        found += [costs.min(axis=0) - average, average - costs.max(axis=0)]
    return np.concatenate(found)


def _areas_are_uniform_costs(tables: Tables) -> Values:
    """Compare each area with the trapezoids of its pieces: the cost at a uniform PC(+)."""
    averages, headline = tables["averages"], tables["headline"].assign(level="fold")
    judged = headline[headline["estimate"] != IN_SAMPLE]
    rows = pd.concat([averages[averages["method"] == COST_SPACE], judged])
    width, height = rows["pc_to"] - rows["pc_from"], (rows["nec_from"] + rows["nec_to"]) / 2
    names = ["model", "level", "estimate"]
    areas = (width * height).groupby([rows[name] for name in names]).sum()
    stated = tables["measures"].set_index(names)["area"]
    return np.asarray(np.abs(stated - areas.reindex(stated.index)), dtype=float)


def _rates_are_counts(tables: Tables) -> Values:
    points = tables["operating_points"]
    fp = points["fp"] - points["fp_weight"] / points["negatives_weight"]
    fn = points["fn"] - (1 - points["tp_weight"] / points["positives_weight"])
    return np.asarray(np.abs(np.concatenate([fp, fn])), dtype=float)


CURVES: Final = ("envelopes", "averages", "hybrids", "headline")
BLOCK: Final = 4_000_000  # costs compared at once: bounds the memory, not the result

INVARIANTS: Final[dict[str, Callable[[Tables], Values]]] = {
    "every rate is its count over its class": _rates_are_counts,
    "every normalized expected cost lies in [0, 1]": _costs_are_shares,
    "a curve's ends are the rates of its first and last line": _ends_are_rates,
    "an envelope is the lowest of its lines, never above any": _envelopes_are_lowest,
    "an average lies between the lowest and the highest of its curves": _averages_lie_between,
    "an area is the total expected cost under the uniform prior": _areas_are_uniform_costs,
    **OF_CHOICES,
    **OF_CHANCE,
    **OF_AGREEMENT,
}
