"""What must be true of any map of datasets; a report can't be built from one that breaks it."""

from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.tables.checks.check_results import Invariants, Tables, held
from costcurves.tables.inference.map import FINDINGS, of_pair
from costcurves.tables.inference.map_pairs import COUNTS, PAIR

Values = NDArray[np.float64]
EVERY: Final = "all datasets"
NEGLIGIBLE: Final = 1e-9  # what a level of confidence is rounded by


def check_map(table: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Hold the map to every invariant, or raise all that are broken and by how much."""
    return held(EVERY, INVARIANTS, {"map": table, "verdicts": verdicts})


def _intervals_divide_all_conditions(tables: Tables) -> Values:
    """Look for gaps between neighbouring intervals, and at both ends."""
    found = [np.zeros(0)]
    for _, rows in tables["map"].groupby(PAIR, sort=False):
        starts, ends = rows["pc_from"].to_numpy(float), rows["pc_to"].to_numpy(float)
        found.append(np.abs(np.append(starts, 1) - np.insert(ends, 0, 0)))
    return np.concatenate(found)


def _counts_are_those_of_verdicts(tables: Tables) -> Values:
    """Compare what each finding covers of PC(+), summed over datasets, both ways."""
    table, found = tables["map"], []
    width = table["pc_to"] - table["pc_from"]
    for (family, a, b), rows in table.groupby(PAIR, sort=False):
        verdicts = tables["verdicts"]
        own = verdicts[verdicts["family"] == family]
        judged = of_pair(own, str(a), str(b))
        covered = (judged["pc_to"] - judged["pc_from"]).groupby(judged["finding"]).sum()
        counted = rows[list(COUNTS)].mul(width.loc[rows.index], axis=0).sum().to_numpy(float)
        expected = covered.reindex(FINDINGS, fill_value=0.0).to_numpy(float)
        found.append(np.abs(counted - expected) / max(judged["dataset"].nunique(), 1))
    return np.concatenate([np.zeros(0), *found])


def _votes_stay_the_same_in_number(tables: Tables) -> Values:
    """Measure how far the number of voters changes along PC(+)."""
    table = tables["map"]
    votes = table[["a_lower", "equal", "b_lower"]].sum(axis=1)
    spread = votes.groupby([table[name] for name in PAIR]).agg(np.ptp)
    return np.asarray(spread, dtype=float)


def _corrected_values_are_larger(tables: Tables) -> Values:
    """Measure by how much a p-value exceeds its familywise one, where neither was drawn."""
    table = tables["map"]
    exact = table[table["method"] == "all sign changes"]
    excess = (exact["pointwise"] - exact["p_value"]).to_numpy(float)
    return _positive(excess)


def _findings_are_significant(tables: Tables) -> Values:
    """Measure by how much the p-value of a finding exceeds its pair's share of the error."""
    table = tables["map"]
    found = table[table["finding"] != "undecided"]
    excess = found["p_value"] - (1 - found["confidence"]) - NEGLIGIBLE
    return _positive(excess.to_numpy(float))


def _positive(excess: Values) -> Values:
    found: Values = np.fmax(excess, 0.0)
    return found


INVARIANTS: Final[Invariants] = {
    "the map divides PC(+) from 0 to 1 without a gap": _intervals_divide_all_conditions,
    "the map counts the verdicts of the datasets": _counts_are_those_of_verdicts,
    "every dataset votes at every PC(+)": _votes_stay_the_same_in_number,
    "a corrected p-value is never below the uncorrected one": _corrected_values_are_larger,
    "a majority is called real only where its p-value allows it": _findings_are_significant,
}
