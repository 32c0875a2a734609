"""Hybrids: what each way of choosing a threshold, or a member of a family, costs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.tables.configuration.settings import Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.averages import headline_curves
from costcurves.tables.curves.operating_points import from_table
from costcurves.tables.curves.pieces import PIECE, curves_of, piece_columns
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
    found = [
        (model, name, *one.averaged(own), one.estimate(own.classifiers))
        for model, own in _models(points, averages, level, chosen)
        for name in chosen.considered()
        if not (one := criterion_of(name)).obstacle(own.classifiers)
    ]
    models, criteria, curves, averaged, estimates = zip(*found, strict=True)
    owner, columns = piece_columns([one.simplified() for one in curves])
    return HYBRIDS.frame(
        dataset=str(points["dataset"].iloc[0]),
        model=np.array(models)[owner],
        criterion=np.array(criteria)[owner],
        estimate=np.array(estimates)[owner],
        curves=np.array(averaged)[owner],
        **columns,
    )


def curves_by_criterion(hybrids: pd.DataFrame) -> dict[tuple[str, str], Curve]:
    """Read the curves back, by model and criterion."""
    names = ["model", "criterion"]
    found = curves_of(hybrids, names)
    return {(name["model"], name["criterion"]): curve for name, curve in found}


def _models(
    points: pd.DataFrame, averages: pd.DataFrame, level: str, chosen: Selection
) -> Iterator[tuple[str, Model]]:
    rows = points[points["level"] == level]
    curves = {str(model): from_table(own)[0] for model, own in rows.groupby("model", sort=False)}
    headline = headline_curves(averages, level)
    for model, own in classifiers(points).items():
        yield model, Model(own, curves[model], headline[model], chosen)
