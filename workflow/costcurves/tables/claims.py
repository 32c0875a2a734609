"""Claims: whether what a study claims of its models follows from its data, familywise."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.maths.claims import (
    Called,
    Evidence,
    Held,
    called,
    flips_on_range,
    on_range,
)
from costcurves.maths.curves import Curve, Side, line, trivial
from costcurves.maths.resampled_bands import (
    SIDES,
    Resampled,
    student_p_value,
    student_quantile,
)
from costcurves.maths.resampling import error_share, generator
from costcurves.tables.bands import METHOD
from costcurves.tables.batches import of
from costcurves.tables.claimed import EQUIVALENT, OPERATING_RANGE, PAIRS, Claim
from costcurves.tables.contract import Column, Contract, read
from costcurves.tables.headline import HEADLINE, crisp_models, estimates_of, headline_of
from costcurves.tables.keys import DATASET
from costcurves.tables.measures import weight_of_pc
from costcurves.tables.names import nearest, quoted
from costcurves.tables.operating_points import OPERATING_POINTS, pooled_away
from costcurves.tables.pairs import crisp_differences, predicted_alike
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import Resamples, read_resamples

CLAIMS: Final = Contract(
    "claims",
    (
        Column("number", "int64", "index", "place of the claim in the configuration, from 1"),
        Column("claim", "str", "", "its author's words"),
        Column("verdict", "str", "", "of the claim: SUPPORTED, CONTRADICTED or UNDECIDED"),
        Column("kind", "str", "", "what it asserts"),
        DATASET,
        Column("model_a", "str", "", "the model, or the first of two"),
        Column("model_b", "str", "", "the second of two; empty: there is one"),
        Column("mean", "str", "", "area or tec; empty: it is about every PC(+) of the range"),
        Column("pc_from", "float64", "PC(+)", "where the range begins on which it is claimed"),
        Column("pc_to", "float64", "PC(+)", "where it ends"),
        Column("decides", "bool", "", "whether this dataset decides the claim"),
        Column("at_pc", "float64", "PC(+)", "where it is hardest to support; NaN: a mean"),
        Column("value", "float64", "nec", "the cost there, or cost(A) - cost(B), or the mean"),
        Column("low", "float64", "nec", "lower edge of the band there; NaN: there is none"),
        Column("high", "float64", "nec", "upper edge of the band there; NaN: there is none"),
        Column("limit", "float64", "nec", "what is to lie below it there (equivalent: its size)"),
        Column("dataset_p_value", "float64", "probability", "of this claim on this dataset alone"),
        Column("p_value", "float64", "probability", "the smallest error over all claims for it"),
        Column("level", "float64", "probability", "of all claims of this level or a higher one"),
        Column("confidence", "float64", "probability", "the level at which this band is read"),
        METHOD,
        Column("stage", "str", "", "the table whose row says the value"),
        Column("columns", "str", "", "in these columns"),
        Column("key", "str", "", "of these rows"),
    ),
)

SUPPORTED: Final = "SUPPORTED"
UNPAIRED: Final = "not predicted on the same instances and folds"

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Data:
    """The tables of one dataset that claims are decided by."""

    predictions: pd.DataFrame
    points: pd.DataFrame
    headline: pd.DataFrame
    resamples: Resamples


@dataclass(frozen=True, eq=False)
class Look:
    """What one dataset says to one claim.

    Attributes
    ----------
    held
        The standardized height above the limit, and its p-value.
    pc, side
        Where that is, and on which side of a jump; NaN: a mean.
    value
        What is claimed to be below the limit.
    limit
        The limit there.
    evidence
        Of the curve, for the band; None: there is none.
    single
        Of a mean: the estimate alone, with its spread and degrees of freedom.
    method
        How chance was measured.
    """

    held: Held
    pc: float
    side: Side
    value: float
    limit: float
    evidence: Evidence | None
    single: tuple[float, float] | None
    method: str


def claims(
    data: Mapping[str, Data], claimed: Sequence[Mapping[str, Any]], prior: Mapping[str, Any]
) -> pd.DataFrame:
    """Decide what a study claims.

    Parameters
    ----------
    data
        The tables of each dataset that a claim is about.
    claimed
        The study's claims, plain.
    prior
        The weight of PC(+) for total expected cost.

    Returns
    -------
    pandas.DataFrame
        A row a claim and dataset, as `CLAIMS` says. The chance that any claim is called SUPPORTED
        or CONTRADICTED wrongly is at most 1 - level, see `maths.claims`. Curves are the headline's.

    Raises
    ------
    InputError
        If a claim names a model that does not exist, or the resamples are too few for so many
        claims: all findings.
    """
    wanted = [Claim.from_plain(one) for one in claimed]
    _check(wanted, data)
    looks = [[_look(one, data[name], prior) for name in one.datasets] for one in wanted]
    found = called([[it.held for it in own] for own in looks], [one.level for one in wanted])
    rows = [
        row
        for number, (one, own, verdict) in enumerate(zip(wanted, looks, found, strict=True), 1)
        for row in _rows(number, one, own, verdict, data)
    ]
    frame = pd.DataFrame(rows, columns=CLAIMS.names)
    return CLAIMS.frame(**{name: frame[name] for name in CLAIMS.names})


def read_data(files: Mapping[str, Sequence[str]], names: Set[str]) -> dict[str, Data]:
    """Read the tables of the datasets that claims are about.

    Parameters
    ----------
    files
        The files of each stage, one for each batch.
    names
        The datasets.
    """
    found: dict[str, Data] = {}
    stages = (files[name] for name in ("predictions", "operating_points", "headline", "resampling"))
    for predictions, points, headline, resampling in zip(*stages, strict=True):
        rows = read(predictions, PREDICTIONS), read(points, OPERATING_POINTS)
        curves, resamples = read(headline, HEADLINE), read_resamples(resampling)
        for name in names & resamples.keys():
            own = [of(table, name) for table in (*rows, curves)]
            found[name] = Data(own[0], own[1], own[2], resamples[name])
    return found


def _check(wanted: Sequence[Claim], data: Mapping[str, Data]) -> None:
    findings = []
    for number, one in enumerate(wanted):
        for name in one.datasets:
            known = list(data[name].resamples.models)
            findings += [
                f"claims[{number}].models: dataset {quoted(name)} has no model {quoted(model)}; "
                f"{nearest(model, known)}"
                for model in one.models
                if model not in known
            ]
    strictest = max((one.level for one in wanted), default=0.5)
    needed = int(np.ceil(2 * len(wanted) / float(error_share(strictest)) - 1e-9)) - 1
    drawn = min((one.resamples.resamples for one in data.values()), default=needed)
    if drawn < needed:
        findings.append(
            f"inference.resamples is {drawn}, expected {needed} or more: {len(wanted)} claims "
            f"share the error of a level of {strictest:g}; raise inference.resamples, or claim less"
        )
    if findings:
        raise InputError(findings)


def _look(one: Claim, data: Data, prior: Mapping[str, Any]) -> Look:
    if one.mean is not None:
        return _of_mean(one, data, prior)
    if one.kind in PAIRS and not predicted_alike(data.predictions, one.models):
        return _unpaired(one, data)
    evidence = _evidence(one, data)
    both = one.kind == EQUIVALENT
    excesses = [(1, evidence.estimate - _limit(one))]
    if both:
        excesses.append((-1, evidence.estimate * -1 - _limit(one)))
    found = [(*evidence.highest(above), sign, above) for sign, above in excesses]
    pc, height, sign, above = max(found, key=lambda it: it[1])
    excess, side = _highest_side(above, pc, one)
    limit = float(_limit(one)(pc))
    held = Held(height, evidence.chance.p_value(height, both))
    return Look(held, pc, side, sign * (excess + limit), limit, evidence, None, evidence.method)


def _highest_side(above: Curve, pc: float, one: Claim) -> tuple[float, Side]:
    """Give the height at a place, at a jump the higher one of those within the range."""
    sides = [side for side, end in zip(SIDES, (one.low, one.high), strict=True) if pc != end]
    return max((above(pc, side=side), side) for side in (sides or SIDES))


def _limit(one: Claim) -> Curve:
    return trivial() if one.kind == OPERATING_RANGE else line(one.limit, one.limit)


def _of_mean(one: Claim, data: Data, prior: Mapping[str, Any]) -> Look:
    found = _curve(one.models[0], data)
    mean = Curve.area if one.mean == "area" else weight_of_pc(prior).expected_cost
    value, spread = float(mean(found.estimate)), found.spread_of(mean)
    height = (value - one.limit) / spread if spread else float(np.sign(value - one.limit) * np.inf)
    held = Held(height, student_p_value(abs(height), found.freedom))
    single = spread, found.freedom
    return Look(held, float("nan"), "left", value, one.limit, None, single, found.method)


def _unpaired(one: Claim, data: Data) -> Look:
    """Say what is observed where models have no paired difference: it decides nothing."""
    curves = headline_of(data.headline)
    a, b = (curves[model] for model in one.models)
    above = a - b - _limit(one)
    inner = above.pc[(one.low < above.pc) & (above.pc < one.high)]
    places = np.unique(np.concatenate([[one.low], inner, [one.high]]))
    heights = [_highest_side(above, float(pc), one) for pc in places]
    (height, side), pc = max(zip(heights, places.tolist(), strict=True))
    held = Held(float("nan"), 1.0)
    return Look(held, pc, side, height + one.limit, one.limit, None, None, UNPAIRED)


def _evidence(one: Claim, data: Data) -> Evidence:
    if one.kind not in PAIRS:
        return on_range(_curve(one.models[0], data), one.low, one.high)
    a, b = one.models
    drawn = data.resamples
    if {a, b} <= set(crisp_models(data.points)):
        folded = data.predictions.assign(**pooled_away(data.predictions, "fold"))
        rng = generator(drawn.seed, drawn.dataset, *sorted(one.models), "claims")
        classes = crisp_differences(folded, a, b)
        return flips_on_range(classes, one.low, one.high, drawn.resamples, rng)
    difference = drawn.difference(a, b, headline_of(data.headline))
    least = 1 / drawn.weights.negatives, 1 / drawn.weights.positives
    return on_range(difference, one.low, one.high, least)


def _curve(model: str, data: Data) -> Resampled:
    curves, estimates = headline_of(data.headline), estimates_of(data.headline)
    return data.resamples.of(model, curves[model], estimates[model])


def _rows(
    number: int, one: Claim, looks: Sequence[Look], verdict: Called, data: Mapping[str, Data]
) -> Iterator[Row]:
    for place, (name, look) in enumerate(zip(one.datasets, looks, strict=True)):
        low, high = _band(one, look, verdict.confidence)
        if one.kind not in PAIRS:
            low, high = max(low, 0.0), min(high, 1.0)
        yield {
            "number": number,
            "claim": one.sentence,
            "verdict": verdict.verdict,
            "kind": one.kind,
            "dataset": name,
            **dict(zip(("model_a", "model_b"), (*one.models, ""), strict=False)),
            "mean": one.mean or "",
            "pc_from": one.low,
            "pc_to": one.high,
            "decides": place == verdict.decides,
            "at_pc": look.pc,
            "value": look.value,
            "low": low,
            "high": high,
            "limit": look.limit,
            "dataset_p_value": look.held.p_value,
            "p_value": verdict.p_value,
            "level": one.level,
            "confidence": verdict.confidence,
            "method": look.method,
            **_source(one, look, data[name].headline),
        }


def _band(one: Claim, look: Look, confidence: float) -> tuple[float, float]:
    """Give the ends of the band where the claim is hardest to support."""
    if look.single is not None:
        spread, freedom = look.single
        half = student_quantile(confidence, freedom) * spread
        return look.value - half, look.value + half
    if look.evidence is None:
        return float("nan"), float("nan")
    width = look.evidence.width(look.pc)
    down, up = look.evidence.chance.critical(confidence, one.kind == EQUIVALENT)
    return look.value - up * width, look.value + down * width


def _source(one: Claim, look: Look, headline: pd.DataFrame) -> Row:
    """Name the row that says the value: of a mean a measure, else each model's piece."""
    if one.mean is not None:
        key = f"model = {one.models[0]}, headline = true"
        return {"stage": "measures", "columns": one.mean, "key": key}
    pieces = [f"model = {model}, piece = {_piece(headline, model, look)}" for model in one.models]
    return {"stage": "headline", "columns": "at0, at1", "key": "; ".join(pieces)}


def _piece(headline: pd.DataFrame, model: str, look: Look) -> int:
    """Give the number of the piece at a PC(+), on its side of a jump."""
    ends = headline.loc[headline["model"] == model, "pc_to"].to_numpy()
    return min(int(np.searchsorted(ends, look.pc, side=look.side)), len(ends) - 1)
