"""What reviewers ask of rankings by name: DeLong's interval of an AUC, and the H-measure."""

from collections.abc import Iterator
from typing import Any, Final

import pandas as pd

from costcurves.maths.delong import components, interval, standard_error
from costcurves.maths.h_measure import h_measure
from costcurves.tables.curves.averages import headline_curves
from costcurves.tables.curves.operating_points import pooled_away
from costcurves.tables.keys import LEVELS, curve_codes

KEYS: Final = ["model", "level"]
NUMBERS: Final = ["auc_se", "auc_low", "auc_high", "h"]


def ranked(predictions: pd.DataFrame, averages: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Give ``auc_se``, ``auc_low``, ``auc_high`` and ``h`` of each model that ranks, at each level.

    Where instances count by their costs there are none: neither is defined for weights.
    """
    weighted = predictions["weight"].ne(1).any()
    rows = [] if weighted else list(_of_levels(predictions, averages, confidence))
    found = pd.DataFrame(rows, columns=[*KEYS, *NUMBERS])
    return found.astype(dict.fromkeys(KEYS, "str") | dict.fromkeys(NUMBERS, "float64"))


def _of_levels(
    predictions: pd.DataFrame, averages: pd.DataFrame, confidence: float
) -> Iterator[dict[str, Any]]:
    ranks = predictions["score"].notna() & predictions["member"].eq("")
    share = float(predictions.drop_duplicates("instance")["label"].mean())
    for level in LEVELS:
        rows = predictions.assign(**pooled_away(predictions, level))[ranks]
        curves = headline_curves(averages, level)
        for model, own in rows.groupby("model", sort=False):
            h = h_measure(curves[str(model)], share)
            yield {"model": str(model), "level": level, **_of_auc(own, confidence), "h": h}


def _of_auc(rows: pd.DataFrame, confidence: float) -> dict[str, float]:
    codes, curves = curve_codes(rows, ["repeat", "fold"])
    found = components(
        scores=rows["score"],
        labels=rows["label"],
        groups=codes,
        instances=pd.factorize(rows["instance"])[0],
        repeat=pd.factorize(curves["repeat"])[0],
    )
    error = standard_error(found)
    low, high = interval(found.auc, error, confidence)
    return {"auc_se": error, "auc_low": low, "auc_high": high}
