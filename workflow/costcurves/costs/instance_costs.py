"""Costs of instances: AUCIV beside AUC, and what each model costs per instance in their unit."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.chance.intervals import Rate
from costcurves.chance.resamples import Resamples
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.costs.absolute_costs import Stake, interval, resampled_costs, stake
from costcurves.counts.counted import COUNTS, from_table
from costcurves.ranking import roc
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import ALWAYS, CONFIDENCE, DATASET, ESTIMATE, MODEL

INSTANCE_COSTS: Final = Contract(
    "instance_costs",
    DATASET,
    MODEL,
    Column("trivial", "bool", "", "always negative or always positive, which is no model"),
    ESTIMATE,
    Column("pc", "float64", "PC(+)", "at the mean costs and the deployment prior"),
    Column("nec", "float64", "nec", "normalized expected cost there, weighted by cost"),
    Column("cost", "float64", "cost", "expected cost per instance, in the unit of the costs"),
    Column("low", "float64", "cost", "lower end of its interval"),
    Column("high", "float64", "cost", "upper end of its interval"),
    Column("more", "float64", "cost", "what it costs more than the cheapest decision"),
    Column("more_low", "float64", "cost", "lower end of its paired interval; NaN: there is none"),
    Column("more_high", "float64", "cost", "upper end of its paired interval; NaN: there is none"),
    CONFIDENCE,
    Column("auc", "float64", "area", "of all predictions pooled, each counted once; NaN: none"),
    Column("auciv", "float64", "area", "the same weighted by cost; NaN: no ranking"),
    Column("prior", "float64", "p(+)", "deployment prior"),
    Column("mean_cost_fp", "float64", "cost", "mean cost of a false positive"),
    Column("mean_cost_fn", "float64", "cost", "mean cost of a false negative"),
    Column("negatives", "int64", "instances", "negatives judged"),
    Column("positives", "int64", "instances", "positives judged"),
    Column("negatives_effective", "float64", "instances", "of equal cost that say as much"),
    Column("positives_effective", "float64", "instances", "of equal cost that say as much"),
    Column("warning", "str", "", "what makes intervals too narrow; empty: nothing known"),
)

# With so many instances of equal cost in a class, or more, the interval of the cost per instance
# covers nearly what it says: 85 % of nominal 90 % at 83 (a standard error of 3 %), but 77 % at 36
# and 73 % at 18. Bands keep their level (coverage.json in tests/simulations, `instance_costs`).
FEW: Final = 60

Row = dict[str, Any]
Costs = NDArray[np.float64]
Values = NDArray[np.float64] | None  # in resamples; none where folds are resampled


def instance_costs(
    predictions: pd.DataFrame,
    points: pd.DataFrame,
    headline: pd.DataFrame,
    measures: pd.DataFrame,
    resamples: Resamples,
    *,
    weighted: bool,
    confidence: float,
) -> pd.DataFrame:
    """Say what each model and constant decision costs per instance; empty unless `weighted`.

    A model decides by what its headline curve says at PC(+). Each interval has the confidence by
    itself, and knows that the mean costs vary too; if folds are resampled it takes them as known.
    """
    rows: list[Row] = []
    if weighted:
        common = _common(predictions, measures, resamples)
        found = Stake(
            (1 - common["prior"]) * common["mean_cost_fp"], common["prior"] * common["mean_cost_fn"]
        )
        own = [*_models(points, headline, resamples, found, confidence)]
        own += _trivial(resamples, found, confidence)
        more = _more([row for row, _ in own], [it for _, it in own], resamples, confidence)
        common |= {"pc": found.pc}
        rows = [{**row, **common, **it} for (row, _), it in zip(own, more, strict=True)]
    dataset = str(headline["dataset"].iloc[0])
    return INSTANCE_COSTS.rows(rows, dataset=dataset, confidence=confidence)


def _common(predictions: pd.DataFrame, measures: pd.DataFrame, resamples: Resamples) -> Row:
    """Give what is the same for all models: mean costs and sizes of the classes."""
    costs, labels, cases = costs_of(predictions)
    means = stake(costs, labels, 0.5, cases)
    sizes = {
        "negatives": int((labels == 0).sum()),
        "positives": int((labels == 1).sum()),
        "negatives_effective": resamples.weights.negatives,
        "positives_effective": resamples.weights.positives,
    }
    return {
        "prior": float(measures["prior"].iloc[0]),
        "mean_cost_fp": 2 * means.at0,
        "mean_cost_fn": 2 * means.at1,
        **sizes,
        "warning": warning(sizes, resamples.weights.per_cluster),
    }


def costs_of(predictions: pd.DataFrame) -> tuple[Costs, NDArray[np.integer[Any]], Costs]:
    """Give what a mistake on each instance costs, the labels, and how many cases each is."""
    first = predictions.drop_duplicates("instance")
    labels = first["label"].to_numpy()
    costs = np.where(labels == 1, first["cost_fn"], first["cost_fp"])
    return costs, labels, first["case_weight"].to_numpy()


def warning(sizes: Mapping[str, float], per_cluster: float = 1) -> str:
    """Say where few expensive instances decide what a class costs.

    Not where it says as much as `FEW` instances of equal cost, or where it is its size rather than
    its costs that makes it say less, or that several belong to a cluster.

    >>> warning({"negatives": 200, "negatives_effective": 17.3, "positives": 200,
    ...          "positives_effective": 180.0})
    'the costs of the 200 negatives say as much as 17 equal ones: few expensive instances decide, \
and the intervals of the cost per instance are too narrow'
    """
    found = [
        f"the costs of the {sizes[name]:,} {name} say as much as "
        f"{sizes[f'{name}_effective']:.0f} equal ones: few expensive instances decide, and the "
        "intervals of the cost per instance are too narrow"
        for name in ("negatives", "positives")
        if sizes[f"{name}_effective"] < min(FEW, 0.9 * sizes[name] / per_cluster)
    ]
    return "; ".join(found)


def _models(
    points: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    found: Stake,
    confidence: float,
) -> Iterator[tuple[Row, Values]]:
    """Give the row of each model, and its costs in resamples of instances."""
    estimates = estimates_of(headline)
    auc, auciv = _areas(points, counted=True), _areas(points, counted=False)
    for model, curve in headline_of(headline).items():
        own = resamples.of(model, curve, estimates[model])
        nec = float(curve(found.pc))
        values = resampled_costs(found, resamples.weights.mean, own.grid, own.values)
        ends = interval(found.whole * nec, values, own.dof, confidence)
        areas = [known.get(model, np.nan) for known in (auc, auciv)]
        yield _row(model, estimates[model], nec, ends, *areas), values


def _trivial(resamples: Resamples, found: Stake, confidence: float) -> Iterator[tuple[Row, Values]]:
    mean, dof = resamples.weights.mean, resamples.weights.dof
    for name, cost, column in zip(ALWAYS, (found.at1, found.at0), (1, 0), strict=True):
        values = cost * mean[:, column]
        ends = interval(cost, values, dof, confidence)
        yield _row(name, "", cost / found.whole, ends, 0.5, 0.5), values


def _more(
    rows: Sequence[Row], values: Sequence[Values], resamples: Resamples, confidence: float
) -> Iterator[Row]:
    """Say what each decision costs more than the cheapest, in the same resamples."""
    best = min(range(len(rows)), key=lambda place: rows[place]["cost"])
    for row, own in zip(rows, values, strict=True):
        more, half = row["cost"] - rows[best]["cost"], np.nan
        if own is not None and (least := values[best]) is not None:
            half = interval(0.0, own - least, resamples.weights.dof, confidence).high
        yield {"more": more, "more_low": more - half, "more_high": more + half}


def _row(name: str, estimate: str, nec: float, rate: Rate, auc: float, auciv: float) -> Row:
    """Give the row of a model or, where there is no estimate, of a constant decision."""
    own = {"model": name, "trivial": not estimate, "estimate": estimate, "nec": nec}
    costs = dict(zip(("low", "cost", "high"), rate, strict=True))
    return {**own, **costs, "auc": auc, "auciv": auciv}


def _areas(points: pd.DataFrame, *, counted: bool) -> dict[str, float]:
    """Give the area under each ranking's pooled ROC curve: of cases if `counted`, or of costs."""
    ranked = points[
        (points["level"] == "pooled") & points["threshold"].notna() & points["member"].eq("")
    ]
    if counted:
        ranked = ranked.assign(**{own: ranked[name].astype(float) for own, name in COUNTS.items()})
    ragged, curves = from_table(ranked)
    return dict(zip(curves["model"], roc.auc(ragged), strict=True)) if len(curves) else {}
