"""The headline: the curve by which each model is judged, honest where it can be, and measures."""

from typing import Final

import pandas as pd

from costcurves.curves.curves import Curve, average, line, trivial
from costcurves.curves.pieces import PIECE, curve_from, pieces_of
from costcurves.settings import BASELINES
from costcurves.tables.contract import Contract
from costcurves.tables.keys import (
    CROSS_FITTED,
    DATASET,
    ESTIMATE,
    FIXED,
    IN_SAMPLE,
    MODEL,
    in_order,
)

HEADLINE: Final = Contract("headline", DATASET, MODEL, ESTIMATE, *PIECE)


# What baselines cost, which stand in place of a model.
COST_OF: Final = dict(zip(BASELINES, (trivial(), line(0, 1), line(1, 0)), strict=True))


def headline(points: pd.DataFrame, hybrids: pd.DataFrame) -> pd.DataFrame:
    """Choose each model's headline curve, models in their order.

    Where nothing is chosen (one decision, no scores) it is the mean cost line. Otherwise it is the
    cross-fitted curve; if one model of the dataset can't be cross-fitted, all have the in-sample
    average instead, as estimates of different kinds can't be compared.
    """
    crisp, models = crisp_models(points), in_order(points["model"])
    fitted = headline_of(hybrids[hybrids["criterion"] == "cross-fitted"])
    honest = all(model in fitted for model in models if model not in crisp)
    in_sample = headline_of(hybrids[hybrids["criterion"] == "cost-minimizing"])
    curves = fitted if honest else in_sample
    kind = CROSS_FITTED if honest else IN_SAMPLE
    judged = [
        ({"model": model, "estimate": FIXED}, _line(points, model))
        if model in crisp
        else ({"model": model, "estimate": kind}, curves[model])
        for model in models
    ]
    return pieces_of(HEADLINE, judged, dataset=str(points["dataset"].iloc[0]))


def headline_of(headline: pd.DataFrame) -> dict[str, Curve]:
    """Read the headline curves back, by model."""
    return {str(model): curve_from(rows) for model, rows in headline.groupby("model", sort=False)}


def estimates_of(headline: pd.DataFrame) -> dict[str, str]:
    """Say of which kind each model's headline is."""
    first = headline.drop_duplicates("model")
    return dict(zip(first["model"], first["estimate"], strict=True))


def crisp_models(points: pd.DataFrame) -> list[str]:
    """List the models with one decision for each instance and nothing to choose from."""
    plain = points["threshold"].isna() & points["member"].eq("")
    whole = plain.groupby(points["model"], sort=False, observed=True).all()
    return [str(model) for model in whole.index[whole]]


def _line(points: pd.DataFrame, model: str) -> Curve:
    """Average the cost lines of a decision over folds, then over repeats."""
    folds = points[(points["model"] == model) & (points["level"] == "fold")]
    lines = [line(fp, fn) for fp, fn in zip(folds["fp"], folds["fn"], strict=True)]
    return average(lines, pd.factorize(folds["repeat"])[0])
