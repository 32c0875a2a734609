"""Selection criteria of each model: which apply, what they cost, which one to use."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.maths.curves import Curve, largest
from costcurves.maths.hybrids import regret, worse_than_trivial
from costcurves.tables.configuration.settings import Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.measures import Weight, weight_of_pc
from costcurves.tables.keys import DATASET, ESTIMATE, IN_SAMPLE, MODEL
from costcurves.tables.selection import NEEDS
from costcurves.tables.selection.classifiers import classifiers
from costcurves.tables.selection.criterion import criterion_of
from costcurves.tables.selection.hybrids import CRITERION, curves_by_criterion

CRITERIA: Final = Contract(
    "criteria",
    (
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
    ),
)


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
    usable = frame[
        frame["tec"].notna() & frame["estimate"].ne(IN_SAMPLE) & ~frame["criterion"].isin(NEEDS)
    ]
    best = usable.groupby("model", sort=False)["tec"].idxmin()
    return CRITERIA.frame(
        **frame.assign(
            dataset=str(points["dataset"].iloc[0]),
            applies=frame["reason"].eq(""),
            best=frame.index.isin(best),
        )
    )


def _costs(curve: Curve | None, reference: Curve | None, weight: Weight) -> dict[str, float]:
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
