"""Deployment: which threshold or member to use from now on, at each PC(+)."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.choosing.cross_fitting import deployed
from costcurves.maths.geometry.envelopes import ALWAYS_POSITIVE
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.classifiers import Classifiers, classifiers
from costcurves.tables.curves.envelopes import holder_in_words
from costcurves.tables.keys import DATASET, MODEL, STRETCH

DEPLOYMENT: Final = Contract(
    "deployment",
    DATASET,
    MODEL,
    Column("piece", "int64", "index", "place along PC(+), from 0"),
    *STRETCH,
    Column("member", "str", "", "member classifier of a family; empty: none"),
    Column("threshold", "float64", "score", "predict positive from here up; NaN: a decision"),
    Column("holder", "str", "", "the same in words"),
)


def deployment(points: pd.DataFrame) -> pd.DataFrame:
    """Choose with all folds of all repeats who is to serve each PC(+).

    Always-negative has the threshold inf, always-positive -inf. What the choice will cost is the
    cross-fitted curve of `hybrids`: the cost on the data that made it would be too low.
    """
    parts = [_of_model(model, own) for model, own in classifiers(points).items()]
    frame = pd.concat(parts, ignore_index=True)
    return DEPLOYMENT.frame(**frame.assign(dataset=str(points["dataset"].iloc[0])))


def _of_model(model: str, own: Classifiers) -> pd.DataFrame:
    repeats, folds, members = own.layout()
    found = deployed(own.points, repeats, folds, members)
    names = own.names.drop_duplicates(["member", "crisp"])["member"].to_numpy()
    # The lowest score is always-positive, as it is on all data that there are.
    everything = (found.curve.at0 == 1) & (found.curve.at1 == 0)
    holder = np.where(everything, ALWAYS_POSITIVE, found.member)
    member = np.where(holder < 0, "", names[np.maximum(holder, 0)])
    threshold = np.where(holder == ALWAYS_POSITIVE, -np.inf, found.threshold)
    described = zip(holder.tolist(), member, threshold, strict=True)
    return pd.DataFrame(
        {
            "model": model,
            "piece": np.arange(len(holder)),
            "pc_from": found.curve.pc[:-1],
            "pc_to": found.curve.pc[1:],
            "member": member,
            "threshold": threshold,
            "holder": [holder_in_words(*one) for one in described],
        }
    )
