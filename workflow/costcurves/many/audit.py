"""The audit: a line for each claim of a study, and whether all came out as they should."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves import formats
from costcurves.formats import DASH, MINUS, NOTHING, THIN
from costcurves.many.claims import SUPPORTED
from costcurves.settings import BASELINES, CHEAPER, EQUIVALENT, NOT_WORSE

NONE = "The study makes no claims: there is nothing to audit"
ASCII = str.maketrans({MINUS: "-", DASH: " to ", NOTHING: "none", THIN: " ", "\u00b1": "+-"})
NUMBERS: Final = (
    *("value", "low", "high", "limit", "most", "at_pc", "pc_from", "pc_to", "p_value", "crossing"),
)
PAIRED = {CHEAPER: "cheaper than", NOT_WORSE: "not worse than", EQUIVALENT: "equivalent to"}


def audit(table: pd.DataFrame, fail_on: Sequence[str]) -> tuple[list[str], bool]:
    """Return a line a claim and one for all, and whether no verdict is in `fail_on`."""
    if table.empty:
        return [NONE], True
    rows = deciding(table)
    verdicts = [str(row["verdict"]) for row in rows]
    failed = any(verdict.lower() in fail_on for verdict in verdicts)
    supported = f"{verdicts.count(SUPPORTED)} of {len(rows)} claims are supported"
    return [*map(line, rows), supported], not failed


def deciding(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """List the row that decides each claim."""
    return table[table["decides"].astype(bool)].to_dict("records")


def line(row: Mapping[Any, Any]) -> str:
    """Write in a line what a claim came to, and of which numbers."""
    text = {name: value.translate(ASCII) for name, value in numbers(row).items()}
    value = f"{text['value']} ({text['interval']}), claimed {text['limit']} {text['where']}"
    notes = "".join(f"; {text[name]}" for name in ("kept", "crosses") if text[name])
    by_cost = ", instances by cost" if row["by_cost"] else ""
    where = f"dataset {row['dataset']!r}{by_cost}, table {row['stage']}: {row['key']}"
    p_value = formats.p_stated(row["p_value"])
    return (
        f"{row['verdict']:<12}  {row['number']}. {row['claim']}  "
        f"[tested: {tested(row)}; {value.strip()}; {p_value}{notes}; {where}]"
    )


def numbers(row: Mapping[Any, Any]) -> dict[str, str]:
    """Write what decides a claim, in its unit; `kept` where a part of its range is supported."""
    at, unit = row["at_pc"], row["unit"]
    written = formats.amount if unit else formats.cost
    of_case = f"{unit} a case" if unit else ""
    value, low, high, limit = (
        row[name] * row["most"] for name in ("value", "low", "high", "limit")
    )
    size = f"{formats.stated(limit, written(limit))} {of_case}".strip() if limit else "0"
    sign = "+" if row["kind"] in PAIRED and value >= formats.ROUNDING else ""
    interval = formats.interval(low, high)
    if unit and not math.isnan(low):
        interval = f"{written(low)} to {written(high)}"
    kept = crosses = ""
    if row["verdict"] != SUPPORTED and row["kept_share"] > 0:
        longest = formats.pc_range(row["kept_from"], row["kept_to"])
        share = formats.share(row["kept_share"])
        kept = f"supported on {share} of the range, the longest stretch PC(+) {longest}"
    if not math.isnan(row["crossing"]):
        crosses = (
            f"by estimate the curves cross at PC(+) = {formats.pc(row['crossing'])}: where they "
            "cross, no data could support the claim"
        )
    return {
        "value": f"{sign}{written(value)} {of_case}".strip(),
        "interval": interval,
        "limit": ("within \u00b1" if row["kind"] == EQUIVALENT else "below ") + size,
        "bound": size,
        "where": "" if math.isnan(at) else f"at {formats.stated_range(at, at)}",
        "kept": kept,
        "crosses": crosses,
        "over": over(row),
    }


def tested(row: Mapping[Any, Any]) -> str:
    """Write what was tested, which the author's words may say differently."""
    a, b = (_curve(row[f"model_{side}"], row[f"criterion_{side}"]) for side in ("a", "b"))
    what = f"{a} {PAIRED[row['kind']]} {b}" if b else f"{a}, {row['kind']}"
    in_sample = ", in-sample" if row["in_sample"] else ""
    return f"{what}{in_sample}, {over(row).translate(ASCII)}"


def over(row: Mapping[Any, Any]) -> str:
    """Write where something is claimed, or over what its mean is."""
    range_ = formats.stated_range(row["pc_from"], row["pc_to"])
    if row["condition"]:
        return f"{row['condition']} ({range_})"
    means = {
        "tec": "the mean over PC(+), weighted by the prior of the study",
        "range": f"the mean over {range_}",
        "cost ratio": f"the mean over {range_}, uniform in the logarithm of the cost ratio",
    }
    return means.get(row["mean"], range_)


def _curve(model: str, criterion: str) -> str:
    if model in BASELINES:
        return model
    return f"{model!r} ({criterion})" if criterion else repr(model) if model else ""


def as_json(
    study: str,
    version: str,
    rows: Sequence[Mapping[Any, Any]],
    fail_on: Sequence[str],
    *,
    passed: bool,
) -> str:
    """Write every claim with its numbers, costs normalized; the schema is in config/README.md."""
    result = "passed" if passed else "failed"
    document = {
        "schema": 2,
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
    return {
        "number": int(row["number"]),
        **{name: str(row[name]) for name in ("claim", "kind", "dataset", "condition", "unit")},
        "by_cost": bool(row["by_cost"]),
        "verdict": verdict,
        "failed": verdict in fail_on,
        "tested": tested(row),
        **{name: float(row[name]) if math.isfinite(row[name]) else None for name in NUMBERS},
        "source": {"table": str(row["stage"]), "rows": str(row["key"])},
    }
