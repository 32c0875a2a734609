"""Costs of cases: what each decision costs per instance, in the unit of the costs.

Normalized expected cost is a share of what would be lost if every decision were wrong. Where costs
are known that is an amount: p(+) times the mean cost of a false negative, plus p(-) times that of a
false positive; and the two fix PC(+), by averages ([F06b]_, eqs 2-3 and the end of s4).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from costcurves.chance.intervals import Rate
from costcurves.chance.means import Mean
from costcurves.chance.resamples import Resamples
from costcurves.choosing.headline import estimates_of, headline_of
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
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stake:
    """What is at stake in one instance, on average, at a deployment prior p(+)."""

    prior: float
    cost_fp: float  # mean costs of a false positive and of a false negative
    cost_fn: float

    @property
    def at0(self) -> float:
        """What always predicting positive costs."""
        return (1 - self.prior) * self.cost_fp

    @property
    def at1(self) -> float:
        """What always predicting negative costs."""
        return self.prior * self.cost_fn

    @property
    def whole(self) -> float:
        """What is lost per instance if every decision is wrong."""
        return self.at0 + self.at1

    @property
    def pc(self) -> float:
        """PC(+) at the mean costs and the prior."""
        return self.at1 / self.whole


def stake(
    costs: ArrayLike, labels: ArrayLike, prior: float, cases: ArrayLike | None = None
) -> Stake:
    """Average the costs of mistakes in each class.

    `cases` are how many each instance stands for; None: one.
    """
    cost, label = np.asarray(costs, dtype=np.float64), np.asarray(labels)
    each = np.ones(len(cost)) if cases is None else np.asarray(cases, dtype=np.float64)
    of_each = (label == 0, label == 1)
    return Stake(prior, *(float(np.average(cost[of], weights=each[of])) for of in of_each))


def stake_of(predictions: pd.DataFrame, prior: float) -> Stake:
    """Average the costs of mistakes on each instance of predictions."""
    first = predictions.drop_duplicates("instance")
    labels = first["label"].to_numpy()
    costs = np.where(labels == 1, first["cost_fn"], first["cost_fp"])
    return stake(costs, labels, prior, first["case_weight"].to_numpy())


def resampled_costs(at_stake: Stake, share: Floats, grid: Floats, heights: Floats) -> Floats:
    """Compute the expected cost per instance in resamples, whose mean costs differ.

    `share` is (resamples, 2): what one drawn negative and positive costs, over the average. The
    (resamples, pc) heights are read at each resample's own PC(+), by straight lines on the grid.
    """
    at0, at1 = at_stake.at0 * share[:, 0], at_stake.at1 * share[:, 1]
    pc = at1 / (at0 + at1)
    left = np.clip(np.searchsorted(grid, pc, side="right") - 1, 0, len(grid) - 2)
    part = (pc - grid[left]) / (grid[left + 1] - grid[left])
    row = np.arange(len(heights))
    height = heights[row, left] * (1 - part) + heights[row, left + 1] * part
    cost: Floats = (at0 + at1) * height
    return cost


def interval(estimate: float, values: Floats, dof: float, level: float) -> Rate:
    """Compute the interval of a resampled number: t standard deviations, not below zero."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    low, high = Mean(estimate, spread, dof).interval(level)
    return Rate(max(low, 0.0), estimate, high)


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
    """Compute what each model and constant decision costs; empty unless `weighted`.

    A model decides by what its headline curve says at PC(+). Each interval has the confidence by
    itself, and knows that the mean costs vary too; if folds are resampled it takes them as known.
    """
    rows: list[Row] = []
    if weighted:
        at_stake = stake_of(predictions, float(measures["prior"].iloc[0]))
        common = _common(predictions, at_stake, resamples)
        each = [*_models(points, headline, resamples, at_stake), *_trivial(resamples, at_stake)]
        best = min(each, key=lambda decision: decision.cost)
        for name, estimate, cost, values, dof, areas in each:
            low, _, high = interval(cost, values, dof, confidence)
            more, apart = cost - best.cost, values - best.drawn
            half = interval(0.0, apart, resamples.weights.dof, confidence).high
            names = {"model": name, "trivial": not estimate, "estimate": estimate}
            amounts = {"nec": cost / at_stake.whole, "cost": cost, "low": low, "high": high}
            ends = {"more": more, "more_low": more - half, "more_high": more + half}
            auc, auciv = areas
            rows.append({**names, **common, **amounts, **ends, "auc": auc, "auciv": auciv})
    dataset = str(headline["dataset"].iloc[0])
    return INSTANCE_COSTS.rows(rows, dataset=dataset, confidence=confidence)


def _common(predictions: pd.DataFrame, at_stake: Stake, resamples: Resamples) -> Row:
    """Return what is the same for all decisions: mean costs, and sizes of the classes."""
    counts = predictions.drop_duplicates("instance")["label"].value_counts()
    sizes = {
        "negatives": int(counts[0]),
        "positives": int(counts[1]),
        "negatives_effective": resamples.weights.negatives,
        "positives_effective": resamples.weights.positives,
    }
    return {
        "prior": at_stake.prior,
        "mean_cost_fp": at_stake.cost_fp,
        "mean_cost_fn": at_stake.cost_fn,
        "pc": at_stake.pc,
        **sizes,
        "warning": warning(sizes, resamples.weights.per_cluster),
    }


def warning(sizes: Mapping[str, float], per_cluster: float = 1) -> str:
    """Return where few expensive instances decide what a class costs.

    Not where it says as much as `FEW` instances of equal cost, or where it is its size rather than
    its costs that makes it say less, or that several belong to a cluster.

    >>> warning({"negatives": 200, "negatives_effective": 17.3, "positives": 200,
    ...          "positives_effective": 180.0})
    'the costs of the 200 negatives say as much as 17 equal ones: few expensive instances decide, \
and the intervals of the cost per instance are too narrow'
    """
    warnings = [
        f"the costs of the {sizes[name]:,} {name} say as much as "
        f"{sizes[f'{name}_effective']:.0f} equal ones: few expensive instances decide, and the "
        "intervals of the cost per instance are too narrow"
        for name in ("negatives", "positives")
        if sizes[f"{name}_effective"] < min(FEW, 0.9 * sizes[name] / per_cluster)
    ]
    return "; ".join(warnings)


class Decision(NamedTuple):
    """What a model or, without an estimate, a constant decision costs per instance."""

    name: str
    estimate: str
    cost: float
    drawn: Floats  # in resamples
    dof: float
    areas: tuple[float, float]  # under the ROC curve, of cases and of costs


def _models(
    points: pd.DataFrame, headline: pd.DataFrame, resamples: Resamples, at_stake: Stake
) -> Iterator[Decision]:
    """Compute what each model costs, by its headline curve."""
    estimates, areas = estimates_of(headline), _areas(points)
    for model, curve in headline_of(headline).items():
        drawn = resamples.of(model, curve, estimates[model])
        values = resampled_costs(at_stake, resamples.weights.mean, drawn.grid, drawn.values)
        cost, of_model = at_stake.whole * curve(at_stake.pc), areas.get(model, (np.nan, np.nan))
        yield Decision(model, estimates[model], cost, values, drawn.dof, of_model)


def _trivial(resamples: Resamples, at_stake: Stake) -> Iterator[Decision]:
    drawn = resamples.weights
    for name, cost, column in zip(ALWAYS, (at_stake.at1, at_stake.at0), (1, 0), strict=True):
        yield Decision(name, "", cost, cost * drawn.mean[:, column], drawn.dof, (0.5, 0.5))


def _areas(points: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Compute the area under the pooled ROC curve of each model: of cases, and of costs."""
    ranked = points[
        (points["level"] == "pooled") & points["threshold"].notna() & points["member"].eq("")
    ]
    weighed, curves = from_table(ranked)
    counts = {weight: ranked[count] for weight, count in COUNTS.items()}
    counted, _ = from_table(ranked.assign(**counts))
    areas = zip(roc.auc(counted), roc.auc(weighed), strict=True)
    return dict(zip(curves["model"], areas, strict=True))
