"""What invariants are: sentences about tables, each with the function that holds tables to it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.errors import refuse
from costcurves.maths.geometry.curves import Curve
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, PAIR

CHECK_RESULTS: Final = Contract(
    "check_results",
    DATASET,
    Column("invariant", "str", "", "what must be true"),
    Column("checked", "int64", "values", "how many values were checked against it"),
    Column("worst", "float64", "nec", "the largest violation; 0: none"),
)

# Costs are sums and products of a few rates in [0, 1]: their rounding stays far below this, and
# the smallest true difference of rates (one over the product of the class sizes) far above it.
ROUNDING: Final = 1e-12
NEGLIGIBLE: Final = 1e-9  # what a level of confidence is rounded by

Tables = Mapping[str, pd.DataFrame]
Values = NDArray[np.float64]
Violations = Iterable[object]  # arrays: by how much each value is off; 0 or below: not at all
Check = Callable[[Tables], Violations]


class Invariants(dict[str, Callable[[Tables], Values]]):
    """What must be true of tables, and by how much it is not."""

    def add(self, invariant: str) -> Callable[[Check], Check]:
        """Register the function that measures by how much tables violate an invariant."""

        def added(check: Check) -> Check:
            self[invariant] = lambda tables: np.concatenate(
                [np.zeros(0), *(np.asarray(one, dtype=float).ravel() for one in check(tables))]
            )
            return check

        return added

    def add_intervals(self, invariant: str, stage: str, value: str = "value") -> None:
        """Register that a table has each value within its interval, if it has one."""
        low, high = ("low", "high") if value == "value" else (f"{value}_low", f"{value}_high")
        self.add(invariant)(lambda it: map(excess, outside(it[stage], value, low, high)))


def held(
    dataset: str, invariants: Mapping[str, Callable[[Tables], Values]], tables: Tables
) -> pd.DataFrame:
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
    refuse(broken)
    return CHECK_RESULTS.frame(
        dataset=dataset,
        invariant=list(invariants),
        checked=[excess.size for excess in excesses],
        worst=worst,
    )


def distance(found: object, expected: object) -> Values:
    """Give how far values are from what they should be: 0 if both are missing."""
    one, other = (np.asarray(values, dtype=float) for values in (found, expected))
    apart = np.where(np.isnan(one) ^ np.isnan(other), np.inf, np.abs(one - other))
    return np.where(np.isnan(one) & np.isnan(other), 0.0, apart)


def excess(values: object) -> Values:
    """Give by how much values are above 0; what is missing is not."""
    return np.asarray(np.fmax(np.asarray(values, dtype=float), 0.0))


def untrue(values: object) -> Values:
    """Give 0 where a condition holds, else 1."""
    return np.asarray(~np.asarray(values, dtype=bool), dtype=float)


def outside(rows: pd.DataFrame, value: str, low: str, high: str) -> list[pd.Series]:
    """Give how far values are below the lower end of their interval, and above the upper one."""
    return [rows[low] - rows[value], rows[value] - rows[high]]


def gaps(rows: pd.DataFrame, by: Sequence[str] = PAIR) -> Iterator[Values]:
    """Measure the gaps between the neighbouring intervals of each pair, and at both ends."""
    for _, own in rows.groupby(list(by), sort=False):
        starts, ends = own["pc_from"].to_numpy(float), own["pc_to"].to_numpy(float)
        yield np.abs(np.append(starts, 1) - np.insert(ends, 0, 0))


def ends(curve: Curve) -> Values:
    """Give the heights of a curve where its pieces begin and end."""
    return np.concatenate([curve.starts, curve.ends])
