"""Claims: whether what a study claims of its models follows from its data, familywise."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import refuse
from costcurves.maths.chance.claims import Called, called
from costcurves.maths.chance.resampled_bands import student_quantile
from costcurves.names import quoted, some
from costcurves.settings import EQUIVALENT, PAIRS, Claim, unknown_models
from costcurves.tables.contract import Column, Contract
from costcurves.tables.evidence import Basis, Look, asked, ends, is_in_sample, kept, look_at
from costcurves.tables.keys import DATASET, METHOD

CLAIMS: Final = Contract(
    "claims",
    Column("number", "int64", "index", "place of the claim in the configuration, from 1"),
    Column("claim", "str", "", "its author's words"),
    Column("verdict", "str", "", "of the claim: SUPPORTED, CONTRADICTED or UNDECIDED"),
    Column("kind", "str", "", "what it asserts"),
    DATASET,
    Column("by_cost", "bool", "", "whether instances count by what mistakes on them cost"),
    Column("model_a", "str", "", "the model, or the first of two"),
    Column("criterion_a", "str", "", "the criterion of its curve; empty: its headline curve"),
    Column("model_b", "str", "", "the second of two; empty: there is one"),
    Column("criterion_b", "str", "", "the criterion of its curve, likewise"),
    Column("in_sample", "bool", "", "whether a curve was chosen on the data that judge it"),
    Column("mean", "str", "", "area, tec, range or cost ratio; empty: every PC(+) of the range"),
    Column("pc_from", "float64", "PC(+)", "where the range begins on which it is claimed"),
    Column("pc_to", "float64", "PC(+)", "where it ends"),
    Column("decides", "bool", "", "whether this dataset decides the claim"),
    Column("at_pc", "float64", "PC(+)", "where it is hardest to support; NaN: a mean"),
    Column(
        "value", "float64", "nec", "the cost there, or cost(A) - cost(B), or the mean of either"
    ),
    Column("low", "float64", "nec", "lower edge of the band there; NaN: there is none"),
    Column("high", "float64", "nec", "upper edge of the band there; NaN: there is none"),
    Column("limit", "float64", "nec", "what is to lie below it there (equivalent: its size)"),
    Column("kept_from", "float64", "PC(+)", "where the widest stretch begins that supports it"),
    Column("kept_to", "float64", "PC(+)", "where that ends; NaN: there is none"),
    Column("kept_share", "float64", "of the range", "all such stretches; NaN: not looked for"),
    Column("dataset_p_value", "float64", "probability", "of this claim on this dataset alone"),
    Column("p_value", "float64", "probability", "the smallest error over all claims for it"),
    Column("level", "float64", "probability", "of all claims of this level or a higher one"),
    Column("confidence", "float64", "probability", "the level at which this band is read"),
    METHOD,
    Column("stage", "str", "", "the table whose rows say the value, or make it"),
    Column("columns", "str", "", "in these columns"),
    Column("key", "str", "", "of these rows"),
)

Row = dict[str, Any]


def claims(
    results: Mapping[str, Basis], wanted: Sequence[Claim], prior: Mapping[str, Any]
) -> pd.DataFrame:
    """Decide what a study claims.

    The chance that any claim is called SUPPORTED or CONTRADICTED wrongly is at most 1 - level, see
    `maths.chance.claims`. Too few resamples for so many claims raise ValueError: a configuration
    that has passed `claim_keys.too_few` has enough.
    """
    _check(wanted, results)
    looks = [[look_at(one, results[it], prior) for it in one.judged] for one in wanted]
    found = called([[it.held for it in own] for own in looks], [one.level for one in wanted])
    rows = [
        row
        for number, (one, own, verdict) in enumerate(zip(wanted, looks, found, strict=True), 1)
        for row in _rows(number, one, own, verdict, results)
    ]
    return CLAIMS.rows(rows)


def _check(wanted: Sequence[Claim], results: Mapping[str, Basis]) -> None:
    for own in results.values():
        refuse(unknown_models(wanted, own.original, list(own.resampling.models)))
    findings = [
        f"claims[{number}].{finding}"
        for number, one in enumerate(wanted)
        for name in one.judged
        for model, criterion in dict.fromkeys(one.sides)
        for finding in _inapplicable(model, criterion, results[name])
    ]
    refuse(findings)


def _inapplicable(model: str, criterion: str, results: Basis) -> Iterator[str]:
    """Find a criterion that does not apply to the model."""
    if criterion:
        apply = [
            one.criterion for one in results.resampled_criteria.choices() if one.model == model
        ]
        if criterion not in apply:
            dataset = quoted(results.original)
            found = f"{quoted(criterion)} does not apply to {quoted(model)} of {dataset}"
            rows = results.criteria
            of_rule = rows["model"].eq(model) & rows["criterion"].eq(criterion)
            (why,) = rows.loc[of_rule, "reason"]
            yield f"criterion: {found}, expected one of {some(apply)}: {why}"


def _rows(
    number: int,
    whole: Claim,
    looks: Sequence[Look],
    verdict: Called,
    results: Mapping[str, Basis],
) -> Iterator[Row]:
    for place, (name, look) in enumerate(zip(whole.judged, looks, strict=True)):
        one = asked(whole, results[name])
        low, high = _band(one, look, verdict.confidence)
        if one.kind not in PAIRS:
            low, high = max(low, 0.0), min(high, 1.0)
        start, end, share = _kept(one, look, verdict.partly)
        yield {
            "number": number,
            "claim": one.sentence,
            "verdict": verdict.verdict,
            "kind": one.kind,
            "dataset": results[name].original,
            "by_cost": one.by_cost,
            **dict(zip(("model_a", "model_b"), (*one.models, ""), strict=False)),
            **dict(zip(("criterion_a", "criterion_b"), (*one.criteria, ""), strict=False)),
            "in_sample": is_in_sample(one, results),
            "mean": one.mean or "",
            "pc_from": one.low,
            "pc_to": one.high,
            "decides": place == verdict.decides,
            "at_pc": look.pc,
            "value": look.value,
            "low": low,
            "high": high,
            "limit": look.limit,
            "kept_from": start,
            "kept_to": end,
            "kept_share": share,
            "dataset_p_value": look.held.p_value,
            "p_value": verdict.p_value,
            "level": one.level,
            "confidence": verdict.confidence,
            "method": look.method,
            **_source(one, look, results[name]),
        }


def _band(one: Claim, look: Look, confidence: float) -> tuple[float, float]:
    """Give the ends of the band where the claim is hardest to support."""
    if look.single is not None:
        spread, dof = look.single
        error = (1 - confidence) / ends(one, look.held.height)
        half = student_quantile(1 - error, dof) * spread
        return look.value - half, look.value + half
    if look.evidence is None:
        return float("nan"), float("nan")
    band = look.evidence.band(confidence, one.kind == EQUIVALENT)
    return band.lower(look.pc, look.side), band.upper(look.pc, look.side)


def _kept(one: Claim, look: Look, level: float) -> tuple[float, float, float]:
    """Give the widest stretch of the range that supports a claim, and the share of all of them."""
    if look.evidence is None or one.low == one.high or len(one.datasets) > 1:
        return float("nan"), float("nan"), float("nan")
    found = kept(one, look.evidence, level)
    share = sum(high - low for low, high in found) / (one.high - one.low)
    start, end = max(found, key=lambda it: it[1] - it[0], default=(float("nan"),) * 2)
    return start, end, share


def _source(one: Claim, look: Look, results: Basis) -> Row:
    """Name the rows that say the value: of a mean its own, else each curve's piece.

    A mean over a range of the claim's own is in no table: it is made of all pieces.
    """
    named, chosen = [_named(*side) for side in one.sides], any(one.criteria)
    if one.mean in ("area", "tec"):
        stage, only = ("criteria", "") if chosen else ("measures", ", headline = true")
        key = "; ".join(f"{name}{only}" for name in named)
        return {"stage": stage, "columns": one.mean, "key": key}
    stage, table = ("hybrids", results.hybrids) if chosen else ("headline", results.headline)
    if one.mean is not None:
        return {"stage": stage, "columns": "pc_from, pc_to, at0, at1", "key": "; ".join(named)}
    pieces = [_piece(table, *side, look) for side in one.sides]
    key = "; ".join(f"{name}, piece = {piece}" for name, piece in zip(named, pieces, strict=True))
    return {"stage": stage, "columns": "at0, at1", "key": key}


def _named(model: str, criterion: str) -> str:
    return f"model = {model}, criterion = {criterion}" if criterion else f"model = {model}"


def _piece(table: pd.DataFrame, model: str, criterion: str, look: Look) -> int:
    """Give the number of the piece at a PC(+), on its side of a jump."""
    rows = table[table["model"] == model]
    rows = rows[rows["criterion"] == criterion] if criterion else rows
    ends = rows["pc_to"].to_numpy()
    return min(int(np.searchsorted(ends, look.pc, side=look.side)), len(ends) - 1)
