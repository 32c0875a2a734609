"""What must be true of any claims' verdicts; a report can't be built from claims that break it."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.tables.check_results import Invariants, Tables, held
from costcurves.tables.claimed import EQUIVALENT

Values = NDArray[np.float64]
EVERY: Final = "all claims"


def check_claims(
    table: pd.DataFrame, headline: pd.DataFrame, measures: pd.DataFrame
) -> pd.DataFrame:
    """Hold the claims to every invariant.

    Parameters
    ----------
    table
        The claims.
    headline, measures
        Tables of all datasets, whose rows say the values.

    Returns
    -------
    pandas.DataFrame
        A row an invariant, as `check_results.CHECK_RESULTS` says, under the name "all claims".

    Raises
    ------
    InputError
        If one does not hold: every invariant that is broken, and by how much.
    """
    tables = {"claims": table, "headline": headline, "measures": measures}
    return held(EVERY, INVARIANTS, tables)


def _supported_below(tables: Tables) -> Values:
    """Measure by how much a band reaches beyond the limit of a claim that is supported."""
    rows = _of(tables, "SUPPORTED")
    beyond = rows["high"] - rows["limit"]
    other = np.where(rows["kind"] == EQUIVALENT, -rows["limit"] - rows["low"], -np.inf)
    return _positive(np.concatenate([beyond, other]))


def _contradicted_above(tables: Tables) -> Values:
    """Measure by how much the band that contradicts a claim reaches its limit."""
    rows = _of(tables, "CONTRADICTED")
    rows = rows[rows["decides"]]
    above, below = rows["low"] - rows["limit"], -rows["limit"] - rows["high"]
    either = np.where(rows["kind"] == EQUIVALENT, np.maximum(above, below), above)
    return _positive(-either.astype(float))


def _bands_hold_values(tables: Tables) -> Values:
    rows = tables["claims"]
    return _positive(np.concatenate([rows["low"] - rows["value"], rows["value"] - rows["high"]]))


def _decided_significantly(tables: Tables) -> Values:
    """Measure by how much the p-value of a decided claim exceeds its error; none if undecided."""
    rows = tables["claims"]
    error, decided = 1 - rows["level"], rows["verdict"] != "UNDECIDED"
    excess = np.where(decided, rows["p_value"] - error, error - rows["p_value"])
    return _positive(excess - NEGLIGIBLE)


def _values_are_in_their_rows(tables: Tables) -> Values:
    """Compare each value with what the rows that it names say."""
    rows = tables["claims"].to_dict("records")
    return np.array([0.0, *(_apart(row, tables) for row in rows)])


def _apart(row: Mapping[Any, Any], tables: Tables) -> float:
    own = tables[row["stage"]]
    own = own[own["dataset"] == row["dataset"]]
    value = float(row["value"])
    if row["stage"] == "measures":
        mean = own[own["headline"] & own["model"].eq(row["model_a"])][row["columns"]]
        return abs(float(mean.iloc[0]) - value)
    pc = float(row["at_pc"])
    heights = [_heights(own[own["model"] == row[name]], pc) for name in ("model_a", "model_b")]
    differences = np.subtract.outer(heights[0], heights[1] if row["model_b"] else np.zeros(1))
    return float(np.abs(differences - value).min())


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
    "a supported claim has its band below the limit": _supported_below,
    "a contradicted claim has its band above the limit": _contradicted_above,
    "a band of a claim holds its value": _bands_hold_values,
    "a claim is decided where its p-value allows it, and only there": _decided_significantly,
    "the value of a claim is in the rows that it names": _values_are_in_their_rows,
}
