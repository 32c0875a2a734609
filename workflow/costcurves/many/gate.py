"""The gate: whether a new model is not worse than an old one by a margin, at costs fixed before."""

from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from costcurves import stages
from costcurves.curves.priors import weight_of_pc
from costcurves.many.claims import claims
from costcurves.settings import NOT_WORSE, Claim, OperatingCondition, Study


class At(NamedTuple):
    """The costs at which two models are compared: one condition, or a range of them."""

    condition: OperatingCondition | None = None
    ends: tuple[float, ...] | None = None  # of PC(+), or of what a miss costs in false alarms
    by_ratio: bool = False
    average: bool = False  # over the range of ratios, even in their logarithm


@dataclass(frozen=True)
class Gate:
    """What the data say, in the unit of the question."""

    verdict: str  # supported, contradicted or undecided
    old: str
    new: str
    difference: float  # cost of the new model minus that of the old one; of a range at `at_pc`
    low: float  # its confidence interval
    high: float
    margin: float
    unit: str
    p_value: float  # of the test that the new model is worse by the margin or more
    level: float  # of the test: half of what the interval leaves out
    pc_from: float
    pc_to: float
    at_pc: float  # where it is hardest to support; NaN: a mean
    prior: float
    method: str


class MarginError(ValueError):
    """A margin is more than models can differ by."""


def gate(
    study: Study, predictions: pd.DataFrame, old: str, new: str, at: At, margin: float
) -> Gate:
    """Compare two models, with thresholds chosen on other folds, on the same cases.

    It is the claim that the new one is not worse by `margin` or more, at the level of the study's
    intervals: supported where the interval of the difference lies below the margin, contradicted
    where it lies above.
    """
    dataset = study.datasets[0]
    tables = stages.Computed(study, dataset, {"predictions": predictions})
    prior = stages.prior_of(tables.sizes)
    unit = at.condition.unit if at.condition else ""
    most = at.condition.most(prior) if at.condition and unit else 1.0
    if margin > most:
        why = "what a case costs where every decision is wrong"
        raise MarginError(f"expected at most {most:g}, {why}")
    claim = Claim(
        sentence="",
        kind=NOT_WORSE,
        models=(new, old),
        criteria=("", ""),
        datasets=(dataset.name,),
        limit=margin,
        level=study.inference.confidence,
        **at._asdict(),
    )
    row = claims({dataset.name: tables.basis}, [claim], weight_of_pc(study.prior)).iloc[0]
    # Claims double the p-value of either direction, as they are called in both.
    one_sided = row["dataset_p_value"] / 2
    return Gate(
        verdict=row["verdict"].lower(),
        old=old,
        new=new,
        difference=row["value"] * most,
        low=row["low"] * most,
        high=row["high"] * most,
        margin=margin,
        unit=unit or "normalized expected cost",
        p_value=one_sided if row["value"] < row["limit"] else 1 - one_sided,
        level=round((1 - claim.level) / 2, 12),
        pc_from=row["pc_from"],
        pc_to=row["pc_to"],
        at_pc=row["at_pc"],
        prior=prior,
        method=row["method"],
    )
