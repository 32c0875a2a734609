"""Statements: what papers say of such data, with our numbers beside theirs."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.maths.curves import Curve, better_than, crossings, largest, operating_range
from costcurves.maths.hybrids import regret, worse_than_trivial
from costcurves.tables.averages import headline_curves
from costcurves.tables.contract import Column, Contract
from costcurves.tables.hybrids import CRITERION, curves_by_criterion
from costcurves.tables.keys import DATASET
from costcurves.tables.names import nearest, quoted
from costcurves.tables.settings import Statement

STATEMENTS: Final = Contract(
    "statements",
    (
        DATASET,
        Column("paper", "str", "", "the paper"),
        Column("figure", "str", "", "where in it"),
        Column("statement", "str", "", "what it says"),
        Column("model_a", "str", "", "the model, or the first of two"),
        Column("model_b", "str", "", "the second of two; empty: there is one"),
        CRITERION,
        Column("quantity", "str", "", "what is read off the curve"),
        Column("stated", "float64", "nec or PC(+)", "the paper's number; NaN: it gives none"),
        Column("stated_to", "float64", "PC(+)", "the upper end, of a range; else NaN"),
        Column("ours", "float64", "nec or PC(+)", "ours; NaN: there is none"),
        Column("ours_to", "float64", "PC(+)", "the upper end, of a range; else NaN"),
    ),
)

Numbers = Sequence[float]


def statements(
    averages: pd.DataFrame, hybrids: pd.DataFrame, stated: Sequence[Mapping[str, Any]]
) -> pd.DataFrame:
    """Read off the results what papers have read off theirs.

    Parameters
    ----------
    averages, hybrids
        Tables of one dataset.
    stated
        The study's statements about any dataset, plain.

    Returns
    -------
    pandas.DataFrame
        A row a statement, as `STATEMENTS` says. Its curve is the criterion's, or without one the
        lower envelope of the pooled data.

    Raises
    ------
    InputError
        If a statement names a model that does not exist: all of them.
    """
    pooled = headline_curves(averages, "pooled")
    dataset = averages["dataset"].iloc[0]
    wanted = [Statement.from_plain(one) for one in stated if one["dataset"] == dataset]
    _check_models(wanted, list(pooled))
    curves = curves_by_criterion(hybrids)
    rows = [_row(one, pooled, curves) for one in wanted]
    frame = pd.DataFrame(rows, columns=STATEMENTS.names)
    return STATEMENTS.frame(**{name: frame[name] for name in STATEMENTS.names})


def _check_models(stated: Sequence[Statement], known: list[str]) -> None:
    findings = [
        f"statements, {one.figure}: dataset {quoted(one.dataset)} has no model {quoted(model)}; "
        f"{nearest(model, known)}"
        for one in stated
        for model in one.models
        if model not in known
    ]
    if findings:
        raise InputError(findings)


def _row(
    one: Statement, pooled: Mapping[str, Curve], curves: Mapping[tuple[str, str], Curve]
) -> dict[str, object]:
    own = [
        pooled[model] if one.criterion is None else curves.get((model, one.criterion))
        for model in one.models
    ]
    envelope = pooled[one.models[0]]
    found = [curve for curve in own if curve is not None]
    whole = len(found) == len(own)  # a criterion need not apply to the model
    ours = READINGS[one.quantity](found, envelope, one.stated) if whole else ()
    return {
        **{name: getattr(one, name) for name in ("dataset", "paper", "figure", "statement")},
        **dict(zip(("model_a", "model_b"), (*one.models, ""), strict=False)),
        "criterion": one.criterion or "",
        "quantity": one.quantity,
        **_pair("stated", one.stated),
        **_pair("ours", ours),
    }


def _pair(name: str, numbers: Numbers) -> dict[str, float]:
    low, high = [*numbers, np.nan, np.nan][:2]
    return {name: low, f"{name}_to": high}


def _operating_range(curves: Sequence[Curve], _: Curve, __: Numbers) -> Numbers:
    ranges = operating_range(curves[0])
    return (ranges[0][0], ranges[-1][1]) if ranges else ()


def _largest_cost(curves: Sequence[Curve], _: Curve, __: Numbers) -> Numbers:
    return (largest(curves[0]).nec,)


def _crossing(curves: Sequence[Curve], _: Curve, stated: Numbers) -> Numbers:
    """Find a crossing; of several the one nearest to what is stated, or else the first."""
    found = crossings(*curves).tolist()
    target = stated[0] if stated else 0.0
    return (min(found, key=lambda pc: abs(pc - target)),) if found else ()


def _worse_outside(curves: Sequence[Curve], _: Curve, __: Numbers) -> Numbers:
    """Find the longest stretch on which a curve is not worse than a trivial classifier."""
    worse = [(0.0, 0.0), *worse_than_trivial(curves[0]), (1.0, 1.0)]
    stretches = [(before[1], after[0]) for before, after in pairwise(worse)]
    low, high = max(stretches, key=lambda ends: ends[1] - ends[0])
    return (low, high) if low < high else ()


def _nearest(curves: Sequence[Curve], envelope: Curve, _: Numbers) -> Numbers:
    """Find where on that stretch the curve is nearest to the envelope."""
    inside = _worse_outside(curves, envelope, ())
    if not inside:
        return ()
    more = regret(curves[0], envelope)
    at = np.concatenate([inside, more.pc[(more.pc > inside[0]) & (more.pc < inside[1])]])
    least = np.minimum(more(at), more(at, side="left"))
    return (float(at[np.argmin(least)]),)


def _dearer(curves: Sequence[Curve], envelope: Curve, _: Numbers) -> Numbers:
    found = better_than(curves[0], envelope)
    return (sum(interval.high - interval.low for interval in found if interval.sign > 0),)


READINGS: Final[dict[str, Callable[[Sequence[Curve], Curve, Numbers], Numbers]]] = {
    "operating range": _operating_range,
    "largest cost": _largest_cost,
    "crossing": _crossing,
    "worse than trivial outside": _worse_outside,
    "nearest to the envelope": _nearest,
    "dearer than the envelope": _dearer,
}
