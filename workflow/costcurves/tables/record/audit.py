"""The audit: a line for each claim of a study, and whether all came out as they should."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves import formats
from costcurves.formats import DASH, MINUS, NOTHING, THIN
from costcurves.maths.chance.claims import SUPPORTED
from costcurves.settings import CHEAPER, EQUIVALENT, NOT_WORSE, PAIRS, WORSE_THAN_TRIVIAL

NONE = "The study makes no claims: there is nothing to audit"
BY_COST = ", instances by cost"
KEPT = {EQUIVALENT: "within \u00b1", WORSE_THAN_TRIVIAL: "above "}
ASCII = str.maketrans({MINUS: "-", DASH: " to ", NOTHING: "none", THIN: " ", "\u00b1": "+-"})
NUMBERS: Final = ("value", "low", "high", "limit", "at_pc", "pc_from", "pc_to", "p_value")
PAIRED = {CHEAPER: "cheaper than", NOT_WORSE: "not worse than", EQUIVALENT: "equivalent to"}


def audit(table: pd.DataFrame, fail_on: Sequence[str]) -> tuple[list[str], bool]:
    """Give a line a claim and one for all; and whether no verdict is in `fail_on` (lower case)."""
    if table.empty:
        return [NONE], True
    rows = deciding(table)
    verdicts = [str(row["verdict"]) for row in rows]
    failed = any(verdict.lower() in fail_on for verdict in verdicts)
    return [*map(line, rows), supported(rows)], not failed


def deciding(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """Give the row that decides each claim."""
    return table[table["decides"].astype(bool)].to_dict("records")


def supported(rows: Sequence[Mapping[Any, Any]]) -> str:
    """Say how many claims are supported."""
    found = [row["verdict"] for row in rows].count(SUPPORTED)
    return f"{found} of {len(rows)} claims are supported"


def line(row: Mapping[Any, Any]) -> str:
    """Say in a line what a claim came to, and of which numbers."""
    said = {name: text.translate(ASCII) for name, text in numbers(row).items()}
    found = f"{said['value']} ({said['interval']}), claimed {said['limit']} {said['where']}".strip()
    by_cost = BY_COST if row["by_cost"] else ""
    where = f"dataset {row['dataset']!r}{by_cost}, table {row['stage']}: {row['key']}"
    partly = f"; {said['kept']}" if said["kept"] else ""
    return (
        f"{row['verdict']:<12}  {row['number']}. {row['claim']}  "
        f"[tested: {tested(row)}; {found}; {formats.p_stated(row['p_value'])}{partly}; {where}]"
    )


def numbers(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Write what decides a claim; `kept` where it is supported on a part of its range only."""
    written, at = formats.signed if row["kind"] in PAIRS else formats.cost, row["at_pc"]
    limit = formats.stated(row["limit"], formats.cost(row["limit"])) if row["limit"] else "0"
    partly = row["verdict"] != SUPPORTED and row["kept_share"] > 0
    widest = f"the longest stretch PC(+) {formats.pc_range(row['kept_from'], row['kept_to'])}"
    kept = f"supported on {formats.share(row['kept_share'])} of the range, {widest}"
    return {
        "value": written(row["value"]),
        "interval": formats.interval(row["low"], row["high"]),
        "limit": f"{KEPT.get(row['kind'], 'below ')}{limit}",
        "where": "" if math.isnan(at) else f"at {formats.stated_range(at, at)}",
        "kept": kept if partly else "",
        "over": over(row),
    }


def tested(row: Mapping[Any, Any]) -> str:
    """Say what was tested, which the author's words may say differently."""
    a, b = (_curve(row[f"model_{side}"], row[f"criterion_{side}"]) for side in ("a", "b"))
    said = f"{a} {PAIRED[row['kind']]} {b}" if b else f"{a}, {row['kind']}"
    said += ", in-sample" if row["in_sample"] else ""
    return f"{said}, {over(row).translate(ASCII)}"


def over(row: Mapping[Any, Any]) -> str:
    """Say where something is claimed, or over what its mean is."""
    range_ = formats.stated_range(row["pc_from"], row["pc_to"])
    means = {
        "area": "the mean over all PC(+)",
        "tec": "the mean over PC(+), weighted by the prior of the study",
        "range": f"the mean over {range_}",
        "cost ratio": f"the mean over {range_}, uniform in the logarithm of the cost ratio",
    }
    return means.get(row["mean"], range_)


def _curve(model: str, criterion: str) -> str:
    return f"{model!r} ({criterion})" if criterion else repr(model) if model else ""


def as_json(
    study: str,
    version: str,
    rows: Sequence[Mapping[Any, Any]],
    fail_on: Sequence[str],
    *,
    passed: bool,
) -> str:
    """Write every claim with its numbers; the schema is in config/README.md."""
    result = "passed" if passed else "failed"
    document = {
        "schema": 1,
        "costcurves": version,
        "study": study,
        "result": result if rows else "nothing to audit",
        "passed": passed,
        "fail_on": list(fail_on),
        "claims": [_claim(row, fail_on) for row in rows],
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _claim(row: Mapping[Any, Any], fail_on: Sequence[str]) -> dict[str, Any]:
    verdict = str(row["verdict"]).lower()
    values = {name: float(row[name]) for name in NUMBERS}
    return {
        "number": int(row["number"]),
        "claim": str(row["claim"]),
        "kind": str(row["kind"]),
        "dataset": str(row["dataset"]),
        "by_cost": bool(row["by_cost"]),
        "verdict": verdict,
        "failed": verdict in fail_on,
        "tested": tested(row),
        **{name: value if math.isfinite(value) else None for name, value in values.items()},
        "source": {"table": str(row["stage"]), "rows": str(row["key"])},
    }
