"""What must be true of any map and of any claims; no report can be built from what breaks it."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.chance.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.settings import EQUIVALENT, WORSE_THAN_TRIVIAL, judged
from costcurves.tables.checks.invariants import (
    NEGLIGIBLE,
    Invariants,
    Tables,
    Values,
    Violations,
    excess,
    gaps,
    held,
)
from costcurves.tables.curves.headline import HEADLINE, MEASURES, weight_of_range
from costcurves.tables.curves.pieces import curve_from
from costcurves.tables.inference.map import COUNTS, FINDINGS, of_pair
from costcurves.tables.keys import PAIR
from costcurves.tables.selection.criteria import CRITERIA, HYBRIDS

SOURCES: Final = (HEADLINE, HYBRIDS, MEASURES, CRITERIA)
OF_CLAIMS: Final = Invariants()
OF_MAPS: Final = Invariants()


def check_claims(table: pd.DataFrame, sources: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Hold the claims to every invariant, or raise all that are broken and by how much."""
    return held("all claims", OF_CLAIMS, {"claims": table, **sources})


@OF_CLAIMS.add("a supported claim has its band within the limit")
def _supported_kept(tables: Tables) -> Violations:
    yield from map(excess, _beyond(_of(tables, SUPPORTED), "high", "low"))


@OF_CLAIMS.add("a contradicted claim has its band beyond the limit")
def _contradicted_broken(tables: Tables) -> Violations:
    rows = _of(tables, CONTRADICTED)
    yield excess(-np.maximum(*_beyond(rows[rows["decides"]], "low", "high")))


def _of(tables: Tables, verdict: str) -> pd.DataFrame:
    return tables["claims"][tables["claims"]["verdict"] == verdict]


def _beyond(rows: pd.DataFrame, upper: str, lower: str) -> tuple[Values, Values]:
    """Measure how far one edge is above the limit, and the other below that of the other side."""
    kinds, limit = rows["kind"], rows["limit"]
    above = (rows[upper] - limit).where(kinds != WORSE_THAN_TRIVIAL, -np.inf)
    least = limit.where(kinds != EQUIVALENT, -limit)
    below = (least - rows[lower]).where(kinds.isin([EQUIVALENT, WORSE_THAN_TRIVIAL]), -np.inf)
    return above.to_numpy(dtype=float), below.to_numpy(dtype=float)


OF_CLAIMS.add_intervals("a band of a claim holds its value", "claims")


@OF_CLAIMS.add("a claim is decided where its p-value allows it, and only there")
def _decided_significantly(tables: Tables) -> Violations:
    rows = tables["claims"]
    error, decided = 1 - rows["level"], rows["verdict"] != UNDECIDED
    beyond = np.where(decided, rows["p_value"] - error, error - rows["p_value"])
    yield excess(beyond - NEGLIGIBLE)


@OF_CLAIMS.add("a supported claim keeps its limit on its whole range")
def _kept_where_supported(tables: Tables) -> Violations:
    yield 1 - _of(tables, SUPPORTED)["kept_share"].fillna(1)


@OF_CLAIMS.add("no stretch that keeps the limit holds where it is not kept")
def _hardest_not_kept(tables: Tables) -> Violations:
    rows = tables["claims"]
    rows = rows[(rows["verdict"] != SUPPORTED) & rows["kept_from"].notna()]
    inside = np.minimum(rows["at_pc"] - rows["kept_from"], rows["kept_to"] - rows["at_pc"])
    yield excess(inside - NEGLIGIBLE)


@OF_CLAIMS.add("the value of a claim is in the rows that it names")
def _values_are_in_their_rows(tables: Tables) -> Violations:
    yield 0.0
    for row in tables["claims"].to_dict("records"):
        yield _apart(row, tables)


def _apart(row: Mapping[Any, Any], tables: Tables) -> float:
    own = tables[row["stage"]]
    own = own[own["dataset"] == judged(row)]
    each = [_side(own, row, side) for side in ("a", "b") if row[f"model_{side}"]]
    if row["mean"]:
        value, *other = (_mean(rows, row) for rows in each)
        return abs(value - sum(other) - float(row["value"]))
    heights = [*(_heights(rows, float(row["at_pc"])) for rows in each), np.zeros(1)]
    differences = np.subtract.outer(heights[0], heights[1])
    return float(np.abs(differences - float(row["value"])).min())


def _side(own: pd.DataFrame, row: Mapping[Any, Any], side: str) -> pd.DataFrame:
    """Give the rows of one of the curves that a claim is about."""
    criterion = row[f"criterion_{side}"]
    own = own[own["model"] == row[f"model_{side}"]]
    return own[own["criterion"] == criterion] if criterion else own


def _mean(rows: pd.DataFrame, row: Mapping[Any, Any]) -> float:
    if row["mean"] in ("area", "tec"):
        only = rows[rows["headline"]] if row["stage"] == "measures" else rows
        return float(only[row["columns"]].iloc[0])
    weight = weight_of_range(row["mean"], row["pc_from"], row["pc_to"])
    return weight.expected_cost(curve_from(rows))


def _heights(rows: pd.DataFrame, pc: float) -> Values:
    here = rows[(rows["pc_from"] <= pc) & (pc <= rows["pc_to"])]
    return np.asarray(here["at0"] * (1 - pc) + here["at1"] * pc, dtype=float)


def check_map(table: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Hold the map to every invariant, or raise all that are broken and by how much."""
    return held("all datasets", OF_MAPS, {"map": table, "verdicts": verdicts})


@OF_MAPS.add("the map divides PC(+) from 0 to 1 without a gap")
def _intervals_divide_all_conditions(tables: Tables) -> Violations:
    return gaps(tables["map"])


@OF_MAPS.add("the map counts the verdicts of the datasets")
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


@OF_MAPS.add("every dataset is counted at every PC(+)")
def _votes_stay_the_same_in_number(tables: Tables) -> Violations:
    table = tables["map"]
    votes = table[["a_lower", "equal", "b_lower"]].sum(axis=1)
    yield votes.groupby([table[name] for name in PAIR]).agg(np.ptp)


@OF_MAPS.add("a corrected p-value is never below the uncorrected one")
def _corrected_values_are_larger(tables: Tables) -> Violations:
    """Compare them where neither was drawn."""
    exact = tables["map"].query("method == 'all sign changes'")
    yield excess(exact["pointwise"] - exact["p_value"])


@OF_MAPS.add("a majority is called real only where its p-value allows it")
def _findings_are_significant(tables: Tables) -> Violations:
    found = tables["map"].query("finding != 'undecided'")
    yield excess(found["p_value"] - (1 - found["confidence"]) - NEGLIGIBLE)
    yield excess(found["adjusted"] - (1 - found["familywise"]) - NEGLIGIBLE)
