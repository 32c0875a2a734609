"""Intervals: every number of the summary with its confidence interval."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves.maths.bands import Band, below
from costcurves.maths.curves import Curve, operating_range, trivial
from costcurves.maths.intervals import Rate
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.curves.measures import weight_of_pc
from costcurves.tables.inference.bands import CONFIDENCE, METHOD, model_bands
from costcurves.tables.inference.resampling import Resamples
from costcurves.tables.keys import DATASET, ESTIMATE, MODEL

INTERVALS: Final = Contract(
    "intervals",
    (
        DATASET,
        MODEL,
        ESTIMATE,
        Column("quantity", "str", "", "area, tec, range start, range end, or cost"),
        Column("condition", "str", "", "the operating condition of a cost; empty: none"),
        Column("pc", "float64", "PC(+)", "of that condition; NaN: none"),
        Column("value", "float64", "nec or PC(+)", "the estimate; NaN: an empty operating range"),
        Column("low", "float64", "nec or PC(+)", "lower end; NaN: not excluded that there is none"),
        Column(
            "high", "float64", "nec or PC(+)", "upper end; NaN: not excluded that there is none"
        ),
        METHOD,
        CONFIDENCE,
    ),
)

Row = dict[str, Any]


def intervals(
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    *,
    inference: Mapping[str, Any],
    prior: Mapping[str, Any],
    conditions: Sequence[Mapping[str, Any]],
) -> pd.DataFrame:
    """Give every number of each headline curve its interval, which has the confidence by itself.

    Where an operating range starts and ends is read off the simultaneous band, as it is a statement
    about all PC(+). `prior` is the weight of PC(+) for total expected cost.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    weight, confidence = weight_of_pc(prior), inference["confidence"]
    found: list[Row] = []
    bands = model_bands(points, headline, resamples, inference)
    for model, (pointwise, simultaneous) in bands.items():
        own = resamples.of(model, curves[model], estimates[model])
        numbers = {"area": own.scalar(Curve.area, confidence)}
        numbers["tec"] = own.scalar(weight.expected_cost, confidence)
        rows = [
            *(_row(quantity, rate, own.method) for quantity, rate in numbers.items()),
            *_range(curves[model], simultaneous),
            *(_cost(pointwise, condition) for condition in conditions),
        ]
        found += [{"model": model, "estimate": estimates[model], **row} for row in rows]
    names = [name for name in INTERVALS.names if name not in {"dataset", "confidence"}]
    frame = pd.DataFrame(found, columns=names).fillna({"condition": ""})
    return INTERVALS.frame(
        **{name: frame[name] for name in names},
        dataset=str(headline["dataset"].iloc[0]),
        confidence=confidence,
    )


def _row(quantity: str, rate: Rate, method: str) -> Row:
    low, value, high = rate
    return {"quantity": quantity, "value": value, "low": low, "high": high, "method": method}


def _cost(band: Band, condition: Mapping[str, Any]) -> Row:
    """Read a cost and its interval off the pointwise band."""
    pc = float(condition["pc"])
    rate = Rate(band.lower(pc), band.estimate(pc), band.upper(pc))
    return {**_row("cost", rate, band.method), "condition": condition["name"], "pc": pc}


def _range(curve: Curve, band: Band) -> Iterator[Row]:
    """Say between where the operating range starts, and ends."""
    estimated = operating_range(curve)
    start, end = (estimated[0][0], estimated[-1][1]) if estimated else (float("nan"),) * 2
    found = below(band, trivial())
    ends = {
        "range start": Rate(found.earliest_start, start, found.latest_start),
        "range end": Rate(found.earliest_end, end, found.latest_end),
    }
    for quantity, rate in ends.items():
        yield _row(quantity, rate, band.method)
