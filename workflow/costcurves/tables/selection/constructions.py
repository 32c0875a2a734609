"""Constructions: the threshold or member to use from now on, within a limit."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.geometry.curves import Extreme
from costcurves.maths.geometry.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE
from costcurves.settings import Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.classifiers import classifiers
from costcurves.tables.curves.envelopes import holder_in_words
from costcurves.tables.curves.operating_points import from_table, is_weighted
from costcurves.tables.keys import CRITERION, DATASET, MODEL
from costcurves.tables.selection.limited import Limited, limits

CONSTRUCTIONS: Final = Contract(
    "constructions",
    DATASET,
    MODEL,
    CRITERION,
    Column("limit", "float64", "rate or cases", "highest FP rate, or cases that are handled"),
    Column("fp", "float64", "rate", "false positive rate reached"),
    Column("tp", "float64", "rate", "true positive rate reached"),
    Column("share", "float64", "probability", "of the second vertex: a draw decides"),
    Column("first", "str", "", "hull vertex at or before the point, in words"),
    Column("first_fp", "float64", "rate", "its false positive rate"),
    Column("first_tp", "float64", "rate", "its true positive rate"),
    Column("second", "str", "", "hull vertex behind the point; the first if it serves alone"),
    Column("second_fp", "float64", "rate", "its false positive rate"),
    Column("second_tp", "float64", "rate", "its true positive rate"),
    Column("positives", "float64", "cases", "P: positives in one pass over the data"),
    Column("negatives", "float64", "cases", "N: negatives in one pass over the data"),
    Column("dual_pc", "float64", "PC(+)", "the constraint's point in cost space; NaN: N = P"),
    Column("dual_nec", "float64", "nec", "its height; outside PC(+) in [0, 1] it is virtual"),
    Column("held_out_fp", "float64", "rate", "chosen on the other folds; NaN: there are none"),
    Column("held_out_tp", "float64", "rate", "the same of the true positive rate"),
    Column("held_out", "float64", "rate or cases", "what the limit came to on held-out folds"),
    Column("folds", "int64", "folds", "how many were held out"),
    Column("exceeded", "int64", "folds", "on how many of them the limit was exceeded"),
)


def constructions(points: pd.DataFrame, selection: Mapping[str, Any]) -> pd.DataFrame:
    """Find where each model's pooled ROC hull meets the limits of Neyman-Pearson and a workforce.

    A workforce's is tp P + fp N <= limit, a line whose dual point lies outside [0, 1] (D&H 2006,
    s5.1.4); that of Neyman-Pearson is vertical, at PC(+) = 0. What is chosen in the same way on the
    other folds of a repeat may break the limit on the held-out one: both are told.
    """
    chosen, folded = Selection.from_plain(selection), classifiers(points)
    considered = () if is_weighted(points) else chosen.considered()  # weights are no cases
    pooled = points[points["level"] == "pooled"].groupby("model", sort=False, observed=True)
    rows = [
        {"model": model, "criterion": name}
        | _construction(one, own, folded[str(model)].passes, chosen)
        | one.held_out(folded[str(model)], chosen)
        for model, own in pooled
        for name, one in limits().items()
        if name in considered
    ]
    return CONSTRUCTIONS.rows(rows, dataset=str(points["dataset"].iloc[0]))


def _construction(
    one: Limited, rows: pd.DataFrame, passes: int, selection: Selection
) -> dict[str, object]:
    negatives, positives = (int(rows[name].iloc[0]) for name in ("negatives", "positives"))
    limit = one.allowed(selection, negatives + positives, passes)
    hybrid = one.serving(from_table(rows)[0], limit)
    dual = one.dual(limit, negatives, positives) or Extreme(np.nan, np.nan)
    return {
        "limit": limit / passes if one.in_cases else limit,
        "fp": float(hybrid.curve.at0[0]),
        "tp": 1 - float(hybrid.curve.at1[0]),
        "share": float(hybrid.shares[0]),
        **_vertex("first", int(hybrid.holders[0]), rows),
        **_vertex("second", int(hybrid.alternates[0]), rows),
        "positives": positives / passes,
        "negatives": negatives / passes,
        "dual_pc": dual.pc,
        "dual_nec": dual.nec,
    }


def _vertex(name: str, point: int, rows: pd.DataFrame) -> dict[str, object]:
    row = rows.iloc[max(point, 0)]
    trivial = {ALWAYS_NEGATIVE: 0.0, ALWAYS_POSITIVE: 1.0}
    return {
        name: holder_in_words(point, row["member"], row["threshold"]),
        f"{name}_fp": trivial.get(point, row["fp"]),
        f"{name}_tp": trivial.get(point, 1 - row["fn"]),
    }
