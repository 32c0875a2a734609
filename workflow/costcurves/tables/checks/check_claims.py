"""What must be true of any claims' verdicts; a report can't be built from claims that break it."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.tables.checks.invariants import (
    NEGLIGIBLE,
    Invariants,
    Tables,
    Values,
    Violations,
    excess,
    held,
    outside,
)
from costcurves.tables.configuration.claim_keys import EQUIVALENT, WORSE_THAN_TRIVIAL
from costcurves.tables.curves.headline import HEADLINE
from costcurves.tables.curves.measures import MEASURES
from costcurves.tables.selection.criteria import CRITERIA, HYBRIDS

SOURCES: Final = (HEADLINE, HYBRIDS, MEASURES, CRITERIA)
INVARIANTS: Final = Invariants()


def check_claims(table: pd.DataFrame, sources: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Hold the claims to every invariant, or raise all that are broken and by how much."""
    return held("all claims", INVARIANTS, {"claims": table, **sources})


@INVARIANTS.add("a supported claim has its band within the limit")
def _supported_kept(tables: Tables) -> Violations:
    yield from map(excess, _beyond(_of(tables, SUPPORTED), "high", "low"))


@INVARIANTS.add("a contradicted claim has its band beyond the limit")
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


@INVARIANTS.add("a band of a claim holds its value")
def _bands_hold_values(tables: Tables) -> Violations:
    return map(excess, outside(tables["claims"], "value", "low", "high"))


@INVARIANTS.add("a claim is decided where its p-value allows it, and only there")
def _decided_significantly(tables: Tables) -> Violations:
    rows = tables["claims"]
    error, decided = 1 - rows["level"], rows["verdict"] != UNDECIDED
    beyond = np.where(decided, rows["p_value"] - error, error - rows["p_value"])
    yield excess(beyond - NEGLIGIBLE)


@INVARIANTS.add("a supported claim keeps its limit on its whole range")
def _kept_where_supported(tables: Tables) -> Violations:
    yield 1 - _of(tables, SUPPORTED)["kept_share"].fillna(1)


@INVARIANTS.add("no stretch that keeps the limit holds where it is not kept")
def _hardest_not_kept(tables: Tables) -> Violations:
    rows = tables["claims"]
    rows = rows[(rows["verdict"] != SUPPORTED) & rows["kept_from"].notna()]
    inside = np.minimum(rows["at_pc"] - rows["kept_from"], rows["kept_to"] - rows["at_pc"])
    yield excess(inside - NEGLIGIBLE)


@INVARIANTS.add("the value of a claim is in the rows that it names")
def _values_are_in_their_rows(tables: Tables) -> Violations:
    yield 0.0
    for row in tables["claims"].to_dict("records"):
        yield _apart(row, tables)


def _apart(row: Mapping[Any, Any], tables: Tables) -> float:
    own = tables[row["stage"]]
    own = own[own["dataset"] == row["dataset"]]
    each = [_side(own, row, side) for side in ("a", "b") if row[f"model_{side}"]]
    if row["mean"]:
        only = each[0][each[0]["headline"]] if row["stage"] == "measures" else each[0]
        return abs(float(only[row["columns"]].iloc[0]) - float(row["value"]))
    heights = [*(_heights(rows, float(row["at_pc"])) for rows in each), np.zeros(1)]
    differences = np.subtract.outer(heights[0], heights[1])
    return float(np.abs(differences - float(row["value"])).min())


def _side(own: pd.DataFrame, row: Mapping[Any, Any], side: str) -> pd.DataFrame:
    """Give the rows of one of the curves that a claim is about."""
    criterion = row[f"criterion_{side}"]
    own = own[own["model"] == row[f"model_{side}"]]
    return own[own["criterion"] == criterion] if criterion else own


def _heights(rows: pd.DataFrame, pc: float) -> Values:
    here = rows[(rows["pc_from"] <= pc) & (pc <= rows["pc_to"])]
    return np.asarray(here["at0"] * (1 - pc) + here["at1"] * pc, dtype=float)
