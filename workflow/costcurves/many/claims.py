"""Claims: whether what a study claims of its models follows from its data, familywise.

A claim says that a curve stays below a limit everywhere on a range; one that it stays above is the
same claim with all signs changed. Its statistic is the largest standardized height above the limit
there, h: where h < -c the whole band lies below the limit, and the claim is supported; where h > c
the band lies above it somewhere, and the claim is contradicted. As the range was fixed before the
data were looked at, c needs to hold there only, and is smaller than over all PC(+).

What is controlled. Whatever the truth, only one of the two calls can be wrong. If the claim is
false, the curve's expectation reaches the limit at some PC(+), and "supported" needs a deviation
below -c there; if it is true, "contradicted" needs one above c somewhere. Each has a chance of at
most (1 - level) / 2; p-values are twice the one-sided ones, so that they compare with 1 - level.
tests/simulations/results/claims.json measures it.

Several claims. Falsely supported and falsely contradicted ones are two families, each with half of
the error and with Holm's steps of its own ([H79]_), in which a claim that points the other way
counts as one with p = 1. So the chance that ANY claim is called wrongly is at most 1 - level,
however the claims depend on each other. (Steps over both directions at once would be a little
stronger, but that they keep the error is proven for independent claims only.) With levels of their
own, it is at most 1 - level over all claims of that level or a higher one.

Parts of a range. Where a claim is not supported, the same band says on which stretches of the range
it keeps the limit all the same, without further error: a stretch on which the claim is false needs
the deviation that supporting it needs, and a claim that is true everywhere has no such stretch.

Several data sets. A claim about all of them is supported where it is on each, at no cost
(intersection-union: R. L. Berger, Technometrics 24, 295-300, 1982); it is contradicted where it is
on one, with the error divided by their number. Its parts are not looked at: that each data set
alone may not err is not controlled.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.chance.largest import EQUAL
from costcurves.curves.priors import Prior
from costcurves.errors import refuse
from costcurves.many.evidence import TEC, Basis, Evidence, Judgement, Outcome, judge, mean_of
from costcurves.names import quoted, some
from costcurves.pairs.comparisons import adjusted, holm
from costcurves.settings import AT_MOST, BASELINES, CLAIM_NEEDS, Claim, unknown_models
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, IN_SAMPLE, METHOD

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

SUPPORTED: Final = "SUPPORTED"
CONTRADICTED: Final = "CONTRADICTED"
UNDECIDED: Final = "UNDECIDED"


class Called(NamedTuple):
    """How a claim came out."""

    verdict: str
    p_value: float  # the smallest error, familywise over all claims, at which it is decided
    confidence: float  # the level of each of its bands, after Holm and the number of data sets
    decides: int  # which data set is nearest to another verdict, or contradicts it most
    partly: float  # the level of the band that says on which parts of the range it is supported


Row = dict[str, Any]


def called(claims: Sequence[Sequence[Outcome]], levels: Sequence[float]) -> list[Called]:
    """Decide claims with a familywise error of at most 1 - level, see the module's docstring.

    A claim has one or more data sets; a height is NaN where there is none.

    >>> results = called([[Outcome(-4, 0.002)], [Outcome(3, 0.04)], [Outcome(-1, 0.6)]], [0.9] * 3)
    >>> [(result.verdict, round(result.p_value, 3)) for result in results]
    [('SUPPORTED', 0.006), ('UNDECIDED', 0.12), ('UNDECIDED', 1.0)]
    >>> called([[Outcome(-1, 0.5), Outcome(3, 0.03)]], [0.8])
    [Called(verdict='CONTRADICTED', p_value=0.06, confidence=0.9, decides=1, partly=0.8)]
    """
    joint = [_joint(datasets) for datasets in claims]
    directions = [[p if sign == way else 1.0 for sign, p, _ in joint] for way in (-1, 1)]
    results = []
    for place, (sign, p_value, decides) in enumerate(joint):
        family = directions[sign > 0]
        confidence = holm(family, levels[place])[place]
        share = len(claims[place]) if sign > 0 else 1
        decided = sign != 0 and p_value <= 1 - confidence + EQUAL
        verdict = (SUPPORTED if sign < 0 else CONTRADICTED) if decided else UNDECIDED
        read = 1 - (1 - confidence) / share
        partly = holm(directions[0], levels[place])[place]
        results.append(Called(verdict, adjusted(family)[place], read, decides, partly))
    return results


def _joint(datasets: Sequence[Outcome]) -> tuple[int, float, int]:
    """Join data sets: the direction in which a claim can be decided, its p-value, and by which."""
    heights, p_values = np.array(datasets).T
    if (heights > 0).any():
        least = int(np.argmin(np.where(heights > 0, p_values, np.inf)))
        return 1, min(len(datasets) * float(p_values[least]), 1.0), least
    if np.isnan(heights).any():
        return 0, 1.0, int(np.argmax(np.isnan(heights)))
    most = int(np.argmax(p_values))
    return -1, float(p_values[most]), most


def claims(results: Mapping[str, Basis], wanted: Sequence[Claim], weight: Prior) -> pd.DataFrame:
    """Decide what a study claims.

    The chance that any claim is called SUPPORTED or CONTRADICTED wrongly is at most 1 - level. Too
    few resamples for so many claims raise ValueError: a configuration that has passed
    `study.claims.too_few` has enough.
    """
    for basis in results.values():
        refuse(unknown_models(wanted, basis.original, list(basis.resampling.models)))
    refuse(_inapplicable(results, wanted))
    judged = [[judge(claim, results[name], weight) for name in claim.judged] for claim in wanted]
    refuse(_too_high(judged))
    tested = [[judgement.tested for judgement in datasets] for datasets in judged]
    verdicts = called(tested, [claim.level for claim in wanted])
    rows: list[Row] = []
    for number, claim in enumerate(wanted, 1):
        datasets, verdict = judged[number - 1], verdicts[number - 1]
        in_sample = any(judgement.method == IN_SAMPLE for judgement in datasets)
        for place, name in enumerate(claim.judged):
            decides = place == verdict.decides
            names = {"number": number, "decides": decides, "in_sample": in_sample}
            rows.append(names | _row(datasets[place], verdict, results[name]))
    return CLAIMS.rows(rows)


def _inapplicable(results: Mapping[str, Basis], wanted: Sequence[Claim]) -> Iterator[str]:
    """Find criteria that do not apply to their models."""
    for number, claim in enumerate(wanted):
        for model, criterion in dict.fromkeys(claim.sides):
            for name in claim.judged if criterion else ():
                basis = results[name]
                choices = basis.resampled_criteria.choices()
                apply = [choice.criterion for choice in choices if choice.model == model]
                if criterion not in apply:
                    rows = basis.criteria
                    of_rule = rows["model"].eq(model) & rows["criterion"].eq(criterion)
                    (why,) = rows.loc[of_rule, "reason"]
                    of = f"{quoted(model)} of {quoted(basis.original)}"
                    expected = f"expected one of {some(apply)}: {why}"
                    where = f"claims[{number}].criterion"
                    yield f"{where}: {quoted(criterion)} does not apply to {of}, {expected}"


def _too_high(judged: Sequence[Sequence[Judgement]]) -> Iterator[str]:
    """Find amounts that no decisions could cost."""
    for number, datasets in enumerate(judged):
        for judgement in datasets:
            if judgement.limit > 1:
                claim, why = judgement.claim, "what a case costs where every decision is wrong"
                key = f"claims[{number}].{CLAIM_NEEDS[claim.kind]}"
                yield f"{key} is {claim.limit:g}, expected {judgement.most:g} or less: {why}"


def _row(judgement: Judgement, verdict: Called, results: Basis) -> Row:
    """Write one claim about one dataset as a row."""
    claim, (low, high) = judgement.claim, judgement.band(verdict.confidence)
    if claim.kind == AT_MOST:
        low, high = max(low, 0.0), min(high, 1.0)
    start, end, share = _kept(judgement, verdict.partly)
    (model_a, criterion_a), (model_b, criterion_b) = (*claim.sides, ("", ""))[:2]
    condition, mean = claim.condition, mean_of(claim)
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
        "most": judgement.most,
        "pc_from": judgement.low,
        "pc_to": judgement.high,
        "at_pc": judgement.pc,
        "value": judgement.value,
        "low": low,
        "high": high,
        "limit": judgement.limit,
        "kept_from": start,
        "kept_to": end,
        "kept_share": share,
        "crossing": judgement.crossing(),
        "dataset_p_value": judgement.tested.p_value,
        "p_value": verdict.p_value,
        "level": claim.level,
        "confidence": verdict.confidence,
        "method": judgement.method,
        **_source(judgement, mean, results),
    }


def _kept(judgement: Judgement, level: float) -> tuple[float, float, float]:
    """Return the widest stretch of the range that supports a claim, and the share of all."""
    nothing, of_range = float("nan"), isinstance(judgement.evidence, Evidence)
    several = len(judgement.claim.datasets) > 1
    if not of_range or judgement.low == judgement.high or several:
        return nothing, nothing, nothing
    parts = judgement.kept(level)
    share = sum(high - low for low, high in parts) / (judgement.high - judgement.low)
    start, end = max(parts, key=lambda part: part[1] - part[0], default=(nothing, nothing))
    return start, end, share


def _source(judgement: Judgement, mean: str, results: Basis) -> Row:
    """Name the rows that have the value: a mean's row, else each curve's piece.

    A mean over a range that the claim alone has is in no table: it is made of all pieces.
    """
    claim, chosen = judgement.claim, any(judgement.claim.criteria)
    stage, table = ("hybrids", results.hybrids) if chosen else ("headline", results.headline)
    keys = []
    for model, criterion in claim.sides:
        if model in BASELINES:
            continue
        key = f"model = {model}, criterion = {criterion}" if criterion else f"model = {model}"
        if mean == TEC:
            stage = "criteria" if chosen else "measures"
            key += "" if chosen else ", headline = true"
        elif not mean:
            rows = table[table["model"] == model]
            rows = rows[rows["criterion"] == criterion] if criterion else rows
            breaks = rows["pc_to"].to_numpy()[:-1]
            key += f", piece = {np.searchsorted(breaks, judgement.pc, side=judgement.side)}"
        keys.append(key)
    return {"stage": stage, "key": "; ".join(keys)}
