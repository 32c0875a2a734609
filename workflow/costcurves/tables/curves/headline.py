"""The headline: the curve by which each model is judged, honest wherever there can be one."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.curves import EQUAL_HEIGHTS, Curve, line
from costcurves.maths.hybrids import average
from costcurves.tables.contract import Contract
from costcurves.tables.curves.pieces import PIECE, curve_from, piece_columns
from costcurves.tables.keys import ALWAYS, CROSS_FITTED, DATASET, ESTIMATE, FIXED, IN_SAMPLE, MODEL
from costcurves.tables.selection.hybrids import CRITERION

HEADLINE: Final = Contract("headline", (DATASET, MODEL, ESTIMATE, *PIECE))


def headline(points: pd.DataFrame, hybrids: pd.DataFrame) -> pd.DataFrame:
    """Choose each model's headline curve, models in their order.

    Where nothing is chosen (one decision, no scores) it is the mean cost line. Otherwise it is the
    cross-fitted curve; if one model of the dataset can't be cross-fitted, all have the in-sample
    average instead, as estimates of different kinds can't be compared.
    """
    chosen = _chosen(points, hybrids)
    owner, columns = piece_columns([curve for _, curve in chosen.values()])
    models, estimates = np.array(list(chosen)), np.array([kind for kind, _ in chosen.values()])
    return HEADLINE.frame(
        dataset=str(points["dataset"].iloc[0]),
        model=models[owner],
        estimate=estimates[owner],
        **columns,
    )


def headline_of(headline: pd.DataFrame) -> dict[str, Curve]:
    """Read the headline curves back, by model."""
    return {str(model): curve_from(rows) for model, rows in headline.groupby("model", sort=False)}


def estimates_of(headline: pd.DataFrame) -> dict[str, str]:
    """Say of which kind each model's headline is."""
    first = headline.drop_duplicates("model")
    return dict(zip(first["model"], first["estimate"], strict=True))


def constant_decision(pc: float, least: float) -> str:
    """Name the constant decision at PC(+) that costs no more than `least`; empty: there is none.

    >>> constant_decision(0.1, 0.1), constant_decision(0.1, 0.09), constant_decision(0.9, 0.2)
    ('always negative', '', 'always positive')
    """
    return ALWAYS[pc > 0.5] if min(pc, 1 - pc) <= least + EQUAL_HEIGHTS else ""


def crisp_models(points: pd.DataFrame) -> list[str]:
    """List the models with one decision for each instance and nothing to choose from."""
    plain = points["threshold"].isna() & points["member"].eq("")
    whole = plain.groupby(points["model"], sort=False).all()
    return [str(model) for model in whole.index[whole]]


def _chosen(points: pd.DataFrame, hybrids: pd.DataFrame) -> dict[str, tuple[str, Curve]]:
    crisp = set(crisp_models(points))
    models = [str(model) for model in points["model"].unique()]
    fitted = _by_model(hybrids, "cross-fitted")
    honest = all(model in fitted for model in models if model not in crisp)
    curves = fitted if honest else _by_model(hybrids, "cost-minimizing")
    kind = CROSS_FITTED if honest else IN_SAMPLE
    return {
        model: (FIXED, _line(points, model)) if model in crisp else (kind, curves[model])
        for model in models
    }


def _by_model(hybrids: pd.DataFrame, criterion: str) -> Mapping[str, Curve]:
    return headline_of(hybrids[hybrids[CRITERION.name] == criterion])


def _line(points: pd.DataFrame, model: str) -> Curve:
    """Average the cost lines of a decision over folds, then over repeats."""
    folds = points[(points["model"] == model) & (points["level"] == "fold")]
    lines = [line(fp, fn) for fp, fn in zip(folds["fp"], folds["fn"], strict=True)]
    return average(lines, pd.factorize(folds["repeat"])[0])
