"""What must be true of any map of datasets; a report can't be built from one that breaks it."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.tables.checks.invariants import (
    NEGLIGIBLE,
    Invariants,
    Tables,
    Violations,
    excess,
    gaps,
    held,
)
from costcurves.tables.inference.map import COUNTS, FINDINGS, of_pair
from costcurves.tables.keys import PAIR

INVARIANTS: Final = Invariants()


def check_map(table: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Hold the map to every invariant, or raise all that are broken and by how much."""
    return held("all datasets", INVARIANTS, {"map": table, "verdicts": verdicts})


@INVARIANTS.add("the map divides PC(+) from 0 to 1 without a gap")
def _intervals_divide_all_conditions(tables: Tables) -> Violations:
    return gaps(tables["map"])


@INVARIANTS.add("the map counts the verdicts of the datasets")
def _counts_are_those_of_verdicts(tables: Tables) -> Violations:
    """Compare what each finding covers of PC(+), summed over datasets, both ways."""
    table, verdicts = tables["map"], tables["verdicts"]
    width = table["pc_to"] - table["pc_from"]
    for (family, a, b), rows in table.groupby(PAIR, sort=False):
        judged = of_pair(verdicts[verdicts["family"] == family], str(a), str(b))
        covered = (judged["pc_to"] - judged["pc_from"]).groupby(judged["finding"]).sum()
        counted = rows[list(COUNTS)].mul(width.loc[rows.index], axis=0).sum().to_numpy(float)
        expected = covered.reindex(FINDINGS, fill_value=0.0).to_numpy(float)
        yield np.abs(counted - expected) / max(judged["dataset"].nunique(), 1)


@INVARIANTS.add("every dataset votes at every PC(+)")
def _votes_stay_the_same_in_number(tables: Tables) -> Violations:
    table = tables["map"]
    votes = table[["a_lower", "equal", "b_lower"]].sum(axis=1)
    yield votes.groupby([table[name] for name in PAIR]).agg(np.ptp)


@INVARIANTS.add("a corrected p-value is never below the uncorrected one")
def _corrected_values_are_larger(tables: Tables) -> Violations:
    """Compare them where neither was drawn."""
    exact = tables["map"].query("method == 'all sign changes'")
    yield excess(exact["pointwise"] - exact["p_value"])


@INVARIANTS.add("a majority is called real only where its p-value allows it")
def _findings_are_significant(tables: Tables) -> Violations:
    found = tables["map"].query("finding != 'undecided'")
    yield excess(found["p_value"] - (1 - found["confidence"]) - NEGLIGIBLE)
