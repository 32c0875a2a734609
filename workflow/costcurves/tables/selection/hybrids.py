"""Hybrids: what each way of choosing a threshold, or a member of a family, costs."""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.tables.configuration.settings import Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import headline_curves
from costcurves.tables.curves.operating_points import from_table
from costcurves.tables.curves.pieces import PIECE, curves_of, pieces_of
from costcurves.tables.keys import DATASET, ESTIMATE, MODEL
from costcurves.tables.selection.classifiers import classifiers
from costcurves.tables.selection.criterion import Model, criterion_of

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


def hybrids(
    points: pd.DataFrame, averages: pd.DataFrame, level: str, selection: Mapping[str, Any]
) -> pd.DataFrame:
    """Give each criterion of each model its cost curve, jumps allowed.

    A criterion that does not apply to a model has no curve: the table `criteria` says why. Criteria
    that look at their own labels are applied to the curves of `level`.
    """
    chosen = Selection.from_plain(selection)
    rows = points[points["level"] == level]
    curves = {str(model): from_table(own)[0] for model, own in rows.groupby("model", sort=False)}
    headline, found = headline_curves(averages, level), []
    for model, own in classifiers(points).items():
        seen = Model(own, curves[model], headline[model], chosen)
        for name in chosen.considered():
            criterion = criterion_of(name)
            if not criterion.obstacle(own):
                curve, count = criterion.averaged(seen)
                names = {"model": model, "criterion": name, "estimate": criterion.estimate(own)}
                found.append(({**names, "curves": count}, curve.simplified()))
    return pieces_of(HYBRIDS, found, dataset=str(points["dataset"].iloc[0]))


def curves_by_criterion(hybrids: pd.DataFrame) -> dict[tuple[str, str], Curve]:
    """Read the curves back, by model and criterion."""
    names = ["model", "criterion"]
    return {(one["model"], one["criterion"]): curve for one, curve in curves_of(hybrids, names)}
