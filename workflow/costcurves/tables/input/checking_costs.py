"""Checks of the costs of instances: each looks for one thing and names every row that has it.

Costs that a file gives are checked wherever they are; what only weighing by cost needs is asked for
where the configuration says ``costs:``.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from costcurves.tables.configuration.names import quoted
from costcurves.tables.input.reading import at_rows
from costcurves.tables.input.rows import Rows, first_rows

COSTS = ("cost_fp", "cost_fn")
WORDS = ("negatives", "positives")
LARGEST = 1e300  # the costs of any number of instances can still be added up and averaged


def costs_in_range(rows: Rows) -> list[str]:
    """Find costs of a mistake below 0 or too large to be added up."""
    found = []
    for name in COSTS:
        costs = rows.frame[name].to_numpy()
        outside = np.flatnonzero((costs < 0) | (costs > LARGEST))
        found += at_rows(outside, partial(_outside, rows, name))
    return found


def _outside(rows: Rows, name: str, row: int) -> str:
    amount = rows.frame["amount"].iloc[row]
    why = "" if np.isnan(amount) else f" (x is {amount})"
    where = f"{rows.place(row)}: {name} is {rows.frame[name].iloc[row]}{why}"
    expected = "at least 0" if rows.frame[name].iloc[row] < 0 else f"at most {LARGEST:g}"
    return f"{where} for instance {rows.text('instance', row)}, expected {expected}"


def costs_agree(rows: Rows) -> list[str]:
    """Find instances whose costs differ between rows."""
    key = rows.key(("instance",))
    first = first_rows(key)[key]
    found = []
    for name in COSTS:
        cost = rows.frame[name].to_numpy(np.float64)
        same = (cost == cost[first]) | (np.isnan(cost) & np.isnan(cost[first]))
        found += at_rows(np.flatnonzero(~same), partial(_differing, rows, name, first))
    return found


def _differing(rows: Rows, name: str, first: np.ndarray, row: int) -> str:
    here, there = (_shown(rows.frame[name].iloc[one]) for one in (row, first[row]))
    where = f"{rows.place(row)}: {name} of instance {rows.text('instance', row)} is {here}"
    return f"{where}, but {there} in {rows.place(first[row])}; expected one for each instance"


def _shown(cost: float) -> str:
    return "missing" if np.isnan(cost) else str(cost)


def costs_given(rows: Rows) -> list[str]:
    """Find instances without a cost of their own class, where instances are to count by cost."""
    if rows.dataset.costs is None:
        return []
    lacking = np.isnan(rows.costs) & (rows.labels >= 0)
    first = first_rows(rows.key(("instance",)))
    return at_rows(first[lacking[first]], partial(_missing, rows))


def _missing(rows: Rows, row: int) -> str:
    name, word = COSTS[rows.labels[row]], ("negative", "positive")[rows.labels[row]]
    costs = rows.dataset.costs
    column = name if costs is None or costs.column is None else costs.column
    where = f"{rows.place(row)}: {column} is missing for instance {rows.text('instance', row)}"
    return f"{where}, which is {word}; expected a number in each row, as the dataset has 'costs:'"


def costs_not_all_zero(rows: Rows) -> list[str]:
    """Find folds (or, where such folds are pooled, repeats) of which a class costs nothing."""
    if rows.dataset.costs is None:
        return []
    pool = rows.dataset.folds_without_a_class == "pool"
    names = ["repeat"] if pool else ["repeat", "fold"]
    key = rows.key(names)
    first = first_rows(key)
    found = []
    for value, word in enumerate(WORDS):
        own = (rows.labels == value) & ~np.isnan(rows.costs)
        some = np.bincount(key[own], minlength=len(first))
        paid = np.bincount(key[own], rows.costs[own] != 0, minlength=len(first))
        nothing = np.flatnonzero((some > 0) & (paid == 0))
        found += at_rows(nothing, partial(_nothing, rows, first, names, word))
    return found


def _nothing(rows: Rows, first: np.ndarray, names: list[str], word: str, which: int) -> str:
    row = first[which]
    fold = ", ".join(f"{name} {rows.text(name, row)}" for name in names)
    where = f"dataset {quoted(rows.dataset.name)}: {fold}: the costs of all {word} are 0"
    return f"{where} (first in {rows.place(row)}); expected a cost above 0 in each class"


COST_CHECKS: tuple[Callable[[Rows], list[str]], ...] = (
    costs_in_range,
    costs_agree,
    costs_given,
    costs_not_all_zero,
)
