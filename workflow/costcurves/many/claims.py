"""Claims: whether what a study claims of its models follows from its data, familywise."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import refuse
from costcurves.many.evidence import Basis, Look, is_in_sample, look_at
from costcurves.many.statements import Called, called
from costcurves.names import quoted, some
from costcurves.settings import AT_MOST, BASELINES, CLAIM_NEEDS, Claim, unknown_models
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, METHOD

CLAIMS: Final = Contract(
    "claims",
    Column("number", "int64", "index", "place of the claim in the configuration, from 1"),
    Column("claim", "str", "", "its author's words"),
    Column("verdict", "str", "", "of the claim: SUPPORTED, CONTRADICTED or UNDECIDED"),
    Column("kind", "str", "", "what it asserts"),
    DATASET,
    Column("by_cost", "bool", "", "whether instances count by what mistakes on them cost"),
    Column("model_a", "str", "", "the model, or the first of two; or a no-model baseline"),
    Column("criterion_a", "str", "", "the criterion of its curve; empty: its headline curve"),
    Column("model_b", "str", "", "the second of two, or a baseline; empty: there is one"),
    Column("criterion_b", "str", "", "the criterion of its curve, likewise"),
    Column("in_sample", "bool", "", "whether a curve was chosen on the data that judge it"),
    Column("mean", "str", "", "tec, range or cost ratio; empty: every PC(+) of the range"),
    Column("condition", "str", "", "the named condition or cost ratio; empty: PC(+) are given"),
    Column("unit", "str", "", "of amounts for a case; empty: costs are normalized"),
    Column("most", "float64", "unit", "what a case costs where every decision is wrong; else 1"),
    Column("pc_from", "float64", "PC(+)", "where the range begins on which it is claimed"),
    Column("pc_to", "float64", "PC(+)", "where it ends"),
    Column("decides", "bool", "", "whether this dataset decides the claim"),
    Column("at_pc", "float64", "PC(+)", "where it is hardest to support; NaN: a mean"),
    Column(
        "value", "float64", "nec", "the cost there, or cost(A) - cost(B), or the mean of either"
    ),
    Column("low", "float64", "nec", "lower edge of the band there; NaN: there is none"),
    Column("high", "float64", "nec", "upper edge of the band there; NaN: there is none"),
    Column("limit", "float64", "nec", "what it is to lie below (equivalent: its size)"),
    Column("kept_from", "float64", "PC(+)", "where the widest stretch begins that supports it"),
    Column("kept_to", "float64", "PC(+)", "where that ends; NaN: there is none"),
    Column("kept_share", "float64", "of the range", "all such stretches; NaN: not looked for"),
    Column("crossing", "float64", "PC(+)", "where curves cross next to an end; NaN: nowhere"),
    Column("dataset_p_value", "float64", "probability", "of this claim on this dataset alone"),
    Column("p_value", "float64", "probability", "the smallest error over all claims for it"),
    Column("level", "float64", "probability", "of all claims of this level or a higher one"),
    Column("confidence", "float64", "probability", "the level at which this band is read"),
    METHOD,
    Column("stage", "str", "", "the table whose rows say the value, or make it"),
    Column("key", "str", "", "these rows"),
)

Row = dict[str, Any]


def claims(
    results: Mapping[str, Basis], wanted: Sequence[Claim], prior: Mapping[str, Any]
) -> pd.DataFrame:
    """Decide what a study claims.

    The chance that any claim is called SUPPORTED or CONTRADICTED wrongly is at most 1 - level, see
    `many.statements`. Too few resamples for so many claims raise ValueError: a configuration
    that has passed `study.claims.too_few` has enough.
    """
    for basis in results.values():
        refuse(unknown_models(wanted, basis.original, list(basis.resampling.models)))
    refuse(_inapplicable(results, wanted))
    looks = [[look_at(claim, results[it], prior) for it in claim.judged] for claim in wanted]
    refuse(_too_high(wanted, looks))
    held = [[look.held for look in each] for each in looks]
    verdicts = called(held, [claim.level for claim in wanted])
    rows: list[Row] = []
    for number, claim in enumerate(wanted, 1):
        each, verdict = looks[number - 1], verdicts[number - 1]
        in_sample = is_in_sample(claim, results)
        for place, name in enumerate(claim.judged):
            decides = place == verdict.decides
            names = {"number": number, "decides": decides, "in_sample": in_sample}
            rows.append(names | _row(claim, each[place], verdict, results[name]))
    return CLAIMS.rows(rows)


def _inapplicable(results: Mapping[str, Basis], wanted: Sequence[Claim]) -> Iterator[str]:
    """Find criteria that do not apply to their models."""
    for number, claim in enumerate(wanted):
        for basis in [results[name] for name in claim.judged] if any(claim.criteria) else ():
            choices = basis.resampled_criteria.choices()
            for model, criterion in dict.fromkeys(claim.sides):
                apply = [choice.criterion for choice in choices if choice.model == model]
                if criterion and criterion not in apply:
                    rows = basis.criteria
                    of_rule = rows["model"].eq(model) & rows["criterion"].eq(criterion)
                    (why,) = rows.loc[of_rule, "reason"]
                    of = f"{quoted(model)} of {quoted(basis.original)}"
                    expected = f"expected one of {some(apply)}: {why}"
                    where = f"claims[{number}].criterion"
                    yield f"{where}: {quoted(criterion)} does not apply to {of}, {expected}"


def _too_high(wanted: Sequence[Claim], looks: Sequence[Sequence[Look]]) -> Iterator[str]:
    """Find amounts that no decisions could cost."""
    for number, claim in enumerate(wanted):
        for look in looks[number]:
            if look.limit > 1:
                why = "what a case costs where every decision is wrong"
                key = f"claims[{number}].{CLAIM_NEEDS[claim.kind]}"
                yield f"{key} is {claim.limit:g}, expected {look.most:g} or less: {why}"


def _row(claim: Claim, look: Look, verdict: Called, results: Basis) -> Row:
    low, high = look.band(claim, verdict.confidence)
    if claim.kind == AT_MOST:
        low, high = max(low, 0.0), min(high, 1.0)
    start, end, share = _kept(claim, look, verdict.partly)
    (model_a, criterion_a), (model_b, criterion_b) = (*claim.sides, ("", ""))[:2]
    condition = claim.condition
    mean = ""
    if claim.average:
        mean = "tec" if claim.ends is None else "cost ratio" if claim.by_ratio else "range"
    return {
        "claim": claim.sentence,
        "verdict": verdict.verdict,
        "kind": claim.kind,
        "dataset": results.original,
        "by_cost": claim.by_cost,
        "model_a": model_a,
        "criterion_a": criterion_a,
        "model_b": model_b,
        "criterion_b": criterion_b,
        "mean": mean,
        "condition": condition.name if condition else "",
        "unit": condition.unit if condition else "",
        "most": look.most,
        "pc_from": look.low,
        "pc_to": look.high,
        "at_pc": look.pc,
        "value": look.value,
        "low": low,
        "high": high,
        "limit": look.limit,
        "kept_from": start,
        "kept_to": end,
        "kept_share": share,
        "crossing": look.crossing(claim),
        "dataset_p_value": look.held.p_value,
        "p_value": verdict.p_value,
        "level": claim.level,
        "confidence": verdict.confidence,
        "method": look.method,
        **_source(claim, look, mean, results),
    }


def _kept(claim: Claim, look: Look, level: float) -> tuple[float, float, float]:
    """Return the widest stretch of the range that supports a claim, and the share of all."""
    nothing = float("nan")
    if look.evidence is None or look.low == look.high or len(claim.datasets) > 1:
        return nothing, nothing, nothing
    parts = look.kept(claim, level)
    share = sum(high - low for low, high in parts) / (look.high - look.low)
    start, end = max(parts, key=lambda part: part[1] - part[0], default=(nothing, nothing))
    return start, end, share


def _source(claim: Claim, look: Look, mean: str, results: Basis) -> Row:
    """Name the rows that say the value: of a mean its own, else each curve's piece.

    A mean over a range of the claim's own is in no table: it is made of all pieces.
    """
    chosen = any(claim.criteria)
    stage, table = ("hybrids", results.hybrids) if chosen else ("headline", results.headline)
    keys = []
    for model, criterion in claim.sides:
        if model in BASELINES:
            continue
        key = f"model = {model}, criterion = {criterion}" if criterion else f"model = {model}"
        if mean == "tec":
            stage = "criteria" if chosen else "measures"
            key += "" if chosen else ", headline = true"
        elif not mean:
            rows = table[table["model"] == model]
            rows = rows[rows["criterion"] == criterion] if criterion else rows
            pieces = rows["pc_to"].to_numpy()
            piece = min(int(np.searchsorted(pieces, look.pc, side=look.side)), len(pieces) - 1)
            key += f", piece = {piece}"
        keys.append(key)
    return {"stage": stage, "key": "; ".join(keys)}
