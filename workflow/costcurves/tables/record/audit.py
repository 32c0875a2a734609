"""The audit: a line for each claim of a study, and whether all came out as they should."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from costcurves.maths.claims import SUPPORTED
from costcurves.tables.configuration.claimed import (
    CHEAPER,
    EQUIVALENT,
    NOT_WORSE,
    WORSE_THAN_TRIVIAL,
)

NONE = "The study makes no claims: there is nothing to audit"
KEPT = {EQUIVALENT: "within +-", WORSE_THAN_TRIVIAL: "above "}
PAIRED = {CHEAPER: "cheaper than", NOT_WORSE: "not worse than", EQUIVALENT: "equivalent to"}


def audit(table: pd.DataFrame, fail_on: Sequence[str]) -> tuple[list[str], bool]:
    """Give a line a claim and one for all; and whether no verdict is in `fail_on` (lower case).

    >>> from costcurves.tables.inference.claims import CLAIMS
    >>> audit(CLAIMS.empty(), ["undecided"])
    (['The study makes no claims: there is nothing to audit'], True)
    """
    if table.empty:
        return [NONE], True
    rows = table[table["decides"].astype(bool)].to_dict("records")
    verdicts = [str(row["verdict"]) for row in rows]
    supported = f"{verdicts.count(SUPPORTED)} of {len(rows)} claims are supported"
    failed = any(verdict.lower() in fail_on for verdict in verdicts)
    return [*map(_line, rows), supported], not failed


def _line(row: Mapping[Any, Any]) -> str:
    at = "" if row["mean"] else f" at PC(+) = {row['at_pc']:.6g}"
    between = f"{row['low']:.3g} to {row['high']:.3g}"
    kept = KEPT.get(row["kind"], "below ")
    found = f"{row['value']:.3g} ({between}), claimed {kept}{row['limit']:.6g}{at}"
    where = f"dataset {row['dataset']!r}, table {row['stage']}: {row['key']}"
    partly = f"; supported {_partly(row)}" if kept_partly(row) else ""
    return (
        f"{row['verdict']:<12}  {row['number']}. {row['claim']}  "
        f"[tested: {_tested(row)}; {found}; p = {row['p_value']:.3g}{partly}; {where}]"
    )


def kept_partly(row: Mapping[Any, Any]) -> bool:
    """Say whether a claim is supported on a part of its range only.

    >>> kept_partly({"verdict": "UNDECIDED", "kept_share": 0.5})
    True
    >>> kept_partly({"verdict": "UNDECIDED", "kept_share": float("nan")})
    False
    """
    return row["verdict"] != SUPPORTED and bool(row["kept_share"] > 0)


def _partly(row: Mapping[Any, Any]) -> str:
    widest = f"PC(+) {row['kept_from']:.3g} to {row['kept_to']:.3g}"
    return f"on {100 * row['kept_share']:.0f} % of the range, the longest stretch {widest}"


def _tested(row: Mapping[Any, Any]) -> str:
    """Say what was tested, which the author's words may say differently."""
    a, b = (_curve(row[f"model_{side}"], row[f"criterion_{side}"]) for side in ("a", "b"))
    said = f"{a} {PAIRED[row['kind']]} {b}" if b else f"{a}, {row['kind']}"
    said += ", in-sample" if row["in_sample"] else ""
    if row["mean"]:
        return f"{said}, {row['mean']}"
    low, high = (f"{row[end]:.6g}" for end in ("pc_from", "pc_to"))
    return f"{said}, PC(+) {low} to {high}" if low != high else f"{said}, PC(+) = {low}"


def _curve(model: str, criterion: str) -> str:
    return f"{model!r} ({criterion})" if criterion else repr(model) if model else ""
