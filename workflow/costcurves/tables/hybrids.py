"""Hybrids: what each way of choosing a threshold, or a member of a family, costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths import selection as rules
from costcurves.maths.cross_fitting import cross_fitted
from costcurves.maths.curves import Curve
from costcurves.maths.hybrids import Hybrid, average
from costcurves.maths.operating_points import OperatingPoints, union, union_order
from costcurves.tables.averages import headline_curves
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CROSS_FITTED, DATASET, ESTIMATE, FIXED, IN_SAMPLE, MODEL
from costcurves.tables.limits import CHOOSE, choose, held_out, is_held_out
from costcurves.tables.obstacles import obstacle
from costcurves.tables.operating_points import from_table
from costcurves.tables.pieces import PIECE, curves_of, piece_columns
from costcurves.tables.settings import Selection
from costcurves.tables.strands import Strands, strands

CRITERION: Final = Column("criterion", "str", "", "who serves: the selection criterion")

HYBRIDS: Final = Contract(
    "hybrids",
    (
        DATASET,
        MODEL,
        CRITERION,
        ESTIMATE,
        Column("curves", "int64", "curves", "how many curves were averaged"),
        *PIECE,
    ),
)

KIND: Final = {
    "cross-fitted": CROSS_FITTED,
    "cost-minimizing": IN_SAMPLE,
}


@dataclass(frozen=True, eq=False)
class Model:
    """What criteria look at of one model.

    Attributes
    ----------
    strands
        Its strands at level "fold".
    curves
        Its operating points at the level of the study.
    headline
        The average of their lower envelopes.
    """

    strands: Strands
    curves: OperatingPoints
    headline: Curve

    @property
    def sizes(self) -> tuple[int, int]:
        """Negatives and positives of all folds of all repeats."""
        folds = self.strands.folds()
        return int(folds["negatives"].sum()), int(folds["positives"].sum())


class Averaged(NamedTuple):
    """A criterion's cost curve and how many curves it is the mean of."""

    curve: Curve
    curves: int


def hybrids(
    points: pd.DataFrame, averages: pd.DataFrame, level: str, selection: Mapping[str, Any]
) -> pd.DataFrame:
    """Give each criterion of each model its cost curve.

    Parameters
    ----------
    points, averages
        Tables of one dataset.
    level
        The level of the study: whose curves criteria that look at their own labels are applied to.
    selection
        The study's `Selection`, plain.

    Returns
    -------
    pandas.DataFrame
        A row a piece, as `HYBRIDS` says; jumps allowed. A criterion that does not apply to a model
        has no curve: the table `criteria` says why.

    Notes
    -----
    What is cross-fitted or fixed in advance is judged on each fold and averaged over the folds of a
    repeat, then over repeats. "cost-minimizing" is the headline of `averages`, chosen on the very
    curves that it is judged on; so are "neyman-pearson" and "workforce" where a model has no other
    folds to choose on. Neighbouring pieces of the very same line are one piece, and nothing is
    thinned beyond that.
    """
    chosen = Selection.from_plain(selection)
    found = [
        (model, criterion, AVERAGED[criterion](own, chosen), estimate_of(criterion, own.strands))
        for model, own in _models(points, averages, level).items()
        for criterion in chosen.considered()
        if not obstacle(criterion, own.strands)
    ]
    models, criteria, averaged, estimates = zip(*found, strict=True)
    curves = [one.curve.simplified() for one in averaged]
    owner, columns = piece_columns(curves)
    return HYBRIDS.frame(
        dataset=str(points["dataset"].iloc[0]),
        model=np.array(models)[owner],
        criterion=np.array(criteria)[owner],
        estimate=np.array(estimates)[owner],
        curves=np.array([one.curves for one in averaged])[owner],
        **columns,
    )


def estimate_of(criterion: str, strands: Strands) -> str:
    """Say what kind of estimate a criterion's curve is, for a model with these strands of folds.

    One that keeps a limit is cross-fitted where there are other folds to choose on.
    """
    if criterion in CHOOSE:
        return CROSS_FITTED if is_held_out(criterion, strands) else IN_SAMPLE
    return KIND.get(criterion, FIXED)


def curves_by_criterion(hybrids: pd.DataFrame) -> dict[tuple[str, str], Curve]:
    """Read the curves back, by model and criterion."""
    names = ["model", "criterion"]
    found = curves_of(hybrids, names)
    return {(name["model"], name["criterion"]): curve for name, curve in found}


def _models(points: pd.DataFrame, averages: pd.DataFrame, level: str) -> dict[str, Model]:
    rows = points[points["level"] == level]
    curves = {str(model): from_table(own)[0] for model, own in rows.groupby("model", sort=False)}
    headline = headline_curves(averages, level)
    return {
        model: Model(own, curves[model], headline[model]) for model, own in strands(points).items()
    }


def _over_folds(hybrids: list[Curve], repeats: NDArray[np.int64]) -> Averaged:
    return Averaged(average(hybrids, repeats), len(hybrids))


def _cross_fitted(model: Model, _: Selection) -> Averaged:
    found = cross_fitted(model.strands.points, *model.strands.layout())
    return Averaged(found.curve, len(found.folds))


def _cost_minimizing(model: Model, _: Selection) -> Averaged:
    return Averaged(model.headline, len(model.curves))


def _nearest_train_pc(model: Model, _: Selection) -> Averaged:
    members = model.strands.decisions
    fold = members.codes("repeat", "fold")
    families = union(members.points, fold)
    trained = members.names["train_pc"].to_numpy()[union_order(members.points, fold)]
    each = np.split(trained, families.offsets[1:-1])
    curves = [
        rules.nearest_train_pc(family, train_pc).curve
        for family, train_pc in zip(families, each, strict=True)
    ]
    repeats = members.names.drop_duplicates(["repeat", "fold"])["repeat"]
    return _over_folds(curves, pd.factorize(repeats)[0])


def _by_fold(rule: Callable[[OperatingPoints, Model, Selection], Hybrid]) -> "Criterion":
    """Apply a rule to the scores of each fold."""

    def averaged(model: Model, selection: Selection) -> Averaged:
        ranking = model.strands.ranking
        curves = [rule(fold, model, selection).curve for fold in ranking.points]
        return _over_folds(curves, ranking.codes("repeat"))

    return averaged


def _limited(criterion: str) -> "Criterion":
    """Choose under a limit on the other folds; where there are none, on each curve in-sample."""

    def averaged(model: Model, selection: Selection) -> Averaged:
        if is_held_out(criterion, model.strands):
            found = held_out(criterion, model.strands, selection)
            return _over_folds(found.curves(), found.repeats)
        one_pass = model.strands.one_pass
        curves = [choose(criterion, own, one_pass, selection).curve for own in model.curves]
        return Averaged(average(curves), len(curves))

    return averaged


def _score_driven(fold: OperatingPoints, _: Model, __: Selection) -> Hybrid:
    return rules.score_driven(fold)


def _score_fixed(fold: OperatingPoints, _: Model, selection: Selection) -> Hybrid:
    return rules.score_fixed(fold, selection.score_threshold)


def _rate_driven(fold: OperatingPoints, _: Model, __: Selection) -> Hybrid:
    return rules.rate_driven(fold)


def _rate_fixed(fold: OperatingPoints, model: Model, selection: Selection) -> Hybrid:
    negatives, positives = model.sizes
    rate = positives / (negatives + positives) if selection.rate is None else selection.rate
    return rules.rate_fixed(fold, rate)


Criterion = Callable[[Model, Selection], Averaged]

AVERAGED: Final[dict[str, Criterion]] = {
    "cross-fitted": _cross_fitted,
    "cost-minimizing": _cost_minimizing,
    "nearest-train-pc": _nearest_train_pc,
    "score-driven": _by_fold(_score_driven),
    "score-fixed": _by_fold(_score_fixed),
    "rate-driven": _by_fold(_rate_driven),
    "rate-fixed": _by_fold(_rate_fixed),
    "neyman-pearson": _limited("neyman-pearson"),
    "workforce": _limited("workforce"),
}
