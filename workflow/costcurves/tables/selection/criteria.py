"""Selection criteria of each model: the curve of each, which apply and which one to use."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.choosing.hybrids import regret, worse_than_trivial
from costcurves.maths.geometry.curves import Curve, largest
from costcurves.maths.geometry.priors import Prior
from costcurves.settings import NEEDS, Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.classifiers import classifiers
from costcurves.tables.curves.headline import weight_of_pc
from costcurves.tables.curves.operating_points import from_table
from costcurves.tables.curves.pieces import PIECE, curves_of, pieces_of
from costcurves.tables.keys import CRITERION, CURVES, DATASET, ESTIMATE, IN_SAMPLE, MODEL
from costcurves.tables.selection.criterion import Model, criterion_of

HYBRIDS: Final = Contract("hybrids", DATASET, MODEL, CRITERION, ESTIMATE, CURVES, *PIECE)
CRITERIA: Final = Contract(
    "criteria",
    DATASET,
    MODEL,
    CRITERION,
    Column("applies", "bool", "", "whether it can be applied to the model"),
    Column("reason", "str", "", "why it can't, and what to do; empty: it can"),
    ESTIMATE,
    Column("best", "bool", "", "the least expected cost; not in-sample, without a limit"),
    Column("area", "float64", "nec", "area under its cost curve; NaN: there is none"),
    Column("tec", "float64", "nec", "total expected cost under the study's prior on PC(+)"),
    Column("regret", "float64", "nec", "its area minus that of cross-fitted choice"),
    Column("regret_tec", "float64", "nec", "the same of total expected costs"),
    Column("largest_regret", "float64", "nec", "the most that it costs more than that choice"),
    Column("largest_regret_pc", "float64", "PC(+)", "where that is"),
    Column("worse_than_trivial_from", "float64", "PC(+)", "first there; NaN: nowhere"),
    Column("worse_than_trivial_to", "float64", "PC(+)", "last there; NaN: nowhere"),
    Column("worse_than_trivial_share", "float64", "PC(+)", "how much of PC(+) between them"),
)


def hybrids(points: pd.DataFrame, level: str, selection: Mapping[str, Any]) -> pd.DataFrame:
    """Give each criterion of each model its cost curve, jumps allowed.

    A criterion that does not apply to a model has no curve: the table `criteria` says why. Criteria
    that look at their own labels are applied to the curves of `level`.
    """
    chosen = Selection.from_plain(selection)
    rows = points[points["level"] == level].groupby("model", sort=False, observed=True)
    curves = {str(model): from_table(own)[0] for model, own in rows}
    found = []
    for model, own in classifiers(points).items():
        seen = Model(own, curves[model], chosen)
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


def criteria(
    points: pd.DataFrame,
    hybrids: pd.DataFrame,
    selection: Mapping[str, Any],
    prior: Mapping[str, Any],
) -> pd.DataFrame:
    """Compare the selection criteria that the study considers, for each model.

    A regret is NaN for a model that can't be cross-fitted. Of equally good criteria the first is
    best; one that keeps a limit has another end than least cost, and is not among them.
    """
    curves, weight = curves_by_criterion(hybrids), weight_of_pc(prior)
    considered = Selection.from_plain(selection).considered()
    rows = [
        {
            "model": model,
            "criterion": criterion,
            "reason": criterion_of(criterion).obstacle(own),
            "estimate": criterion_of(criterion).estimate(own),
        }
        | _costs(curves.get((model, criterion)), curves.get((model, "cross-fitted")), weight)
        for model, own in classifiers(points).items()
        for criterion in considered
    ]
    frame = pd.DataFrame(rows, columns=CRITERIA.names)
    honest = frame["tec"].notna() & frame["estimate"].ne(IN_SAMPLE)
    usable = frame[honest & ~frame["criterion"].isin(NEEDS)]
    best = usable.groupby("model", sort=False)["tec"].idxmin()
    frame["applies"], frame["best"] = frame["reason"].eq(""), frame.index.isin(best)
    return CRITERIA.frame(**frame.assign(dataset=str(points["dataset"].iloc[0])))


def _costs(curve: Curve | None, reference: Curve | None, weight: Prior) -> dict[str, float]:
    """Measure a curve, and its regret against cross-fitted choice, where there are both."""
    if curve is None:
        return {}
    ranges = worse_than_trivial(curve)
    found = {
        "area": curve.area(),
        "tec": weight.expected_cost(curve),
        "worse_than_trivial_from": ranges[0][0] if ranges else np.nan,
        "worse_than_trivial_to": ranges[-1][1] if ranges else np.nan,
        "worse_than_trivial_share": sum(high - low for low, high in ranges),
    }
    if reference is not None:
        more = regret(curve, reference)
        most = largest(more)
        found |= {"regret": more.area(), "regret_tec": weight.expected_cost(more)}
        found |= {"largest_regret": most.nec, "largest_regret_pc": most.pc}
    return found
