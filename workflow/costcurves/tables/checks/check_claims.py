"""What must be true of any claims' verdicts; a report can't be built from claims that break it."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.tables.checks.check_results import Invariants, Tables, held
from costcurves.tables.configuration.claim_keys import EQUIVALENT, WORSE_THAN_TRIVIAL
from costcurves.tables.curves.headline import HEADLINE
from costcurves.tables.curves.measures import MEASURES
from costcurves.tables.selection.criteria import CRITERIA
from costcurves.tables.selection.hybrids import HYBRIDS

Values = NDArray[np.float64]
EVERY: Final = "all claims"
SOURCES: Final = (HEADLINE, HYBRIDS, MEASURES, CRITERIA)


def check_claims(table: pd.DataFrame, sources: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Hold the claims to every invariant, or raise all that are broken and by how much."""
    return held(EVERY, INVARIANTS, {"claims": table, **sources})


def _supported_kept(tables: Tables) -> Values:
    """Measure by how much a band reaches beyond the limit of a claim that is supported."""
    return _positive(np.concatenate(_beyond(_of(tables, SUPPORTED), "high", "low")))


def _contradicted_broken(tables: Tables) -> Values:
    """Measure by how much the band that contradicts a claim reaches its limit."""
    rows = _of(tables, CONTRADICTED)
    return _positive(-np.maximum(*_beyond(rows[rows["decides"]], "low", "high")))


def _beyond(rows: pd.DataFrame, upper: str, lower: str) -> tuple[Values, Values]:
    """Measure how far one edge is above the limit, and the other below that of the other side."""
    kinds, limit = rows["kind"], rows["limit"]
    above = (rows[upper] - limit).where(kinds != WORSE_THAN_TRIVIAL, -np.inf)
    least = limit.where(kinds != EQUIVALENT, -limit)
    below = (least - rows[lower]).where(kinds.isin([EQUIVALENT, WORSE_THAN_TRIVIAL]), -np.inf)
    return above.to_numpy(dtype=float), below.to_numpy(dtype=float)


def _bands_hold_values(tables: Tables) -> Values:
    rows = tables["claims"]
    return _positive(np.concatenate([rows["low"] - rows["value"], rows["value"] - rows["high"]]))


def _decided_significantly(tables: Tables) -> Values:
    """Measure by how much the p-value of a decided claim exceeds its error; none if undecided."""
    rows = tables["claims"]
    error, decided = 1 - rows["level"], rows["verdict"] != UNDECIDED
    excess = np.where(decided, rows["p_value"] - error, error - rows["p_value"])
    return _positive(excess - NEGLIGIBLE)


def _kept_where_supported(tables: Tables) -> Values:
    """Measure what is missing of the range of a claim that is supported."""
    return np.asarray(1 - _of(tables, SUPPORTED)["kept_share"].fillna(1), dtype=float)


def _hardest_not_kept(tables: Tables) -> Values:
    """Measure how far a claim that is not supported is kept around where it is hardest to."""
    rows = tables["claims"]
    rows = rows[(rows["verdict"] != SUPPORTED) & rows["kept_from"].notna()]
    inside = np.minimum(rows["at_pc"] - rows["kept_from"], rows["kept_to"] - rows["at_pc"])
    return _positive(inside - NEGLIGIBLE)


def _values_are_in_their_rows(tables: Tables) -> Values:
    """Compare each value with what the rows that it names say."""
    rows = tables["claims"].to_dict("records")
    return np.array([0.0, *(_apart(row, tables) for row in rows)])


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


def _of(tables: Tables, verdict: str) -> pd.DataFrame:
    rows = tables["claims"]
    return rows[rows["verdict"] == verdict]


def _positive(excess: Values) -> Values:
    found: Values = np.fmax(np.asarray(excess, dtype=float), 0.0)
    return found


NEGLIGIBLE: Final = 1e-9  # what a level of confidence is rounded by

INVARIANTS: Final[Invariants] = {
    "a supported claim has its band within the limit": _supported_kept,
    "a contradicted claim has its band beyond the limit": _contradicted_broken,
    "a band of a claim holds its value": _bands_hold_values,
    "a claim is decided where its p-value allows it, and only there": _decided_significantly,
    "a supported claim keeps its limit on its whole range": _kept_where_supported,
    "no stretch that keeps the limit holds where it is not kept": _hardest_not_kept,
    "the value of a claim is in the rows that it names": _values_are_in_their_rows,
}
