"""Where tables say the same thing they must agree; `check_results` holds them to it."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.comparisons import holm
from costcurves.tables.checks.check_selection import distance
from costcurves.tables.curves.headline import headline_of

Tables = Mapping[str, pd.DataFrame]
Values = NDArray[np.float64]

PAIR: Final = ["family", "model_a", "model_b"]
RATIOS: Final = {
    "verdicts": {"ratio_from": "pc_from", "ratio_to": "pc_to"},
    "crossovers": {"ratio_from": "pc_from", "ratio_to": "pc_to"},
    "in_the_running": {"ratio_from": "pc_from", "ratio_to": "pc_to"},
    "duality": {"cost_ratio": "pc"},
}
MEASURED: Final = {
    "area": "area",
    "tec": "tec",
    "range start": "range_from",
    "range end": "range_to",
}
OF_ONE_LEVEL: Final = ("bands", "intervals", "choice_bands", "choice_intervals", "instance_costs")


def _ratios_are_conditions(tables: Tables) -> Values:
    """Compare every cost ratio with its PC(+) at the deployment prior."""
    prior = float(tables["measures"]["prior"].iloc[0])
    found = []
    for stage, columns in RATIOS.items():
        for ratio, pc in columns.items():
            positive = prior * tables[stage][ratio]
            share = (positive / (positive + 1 - prior)).where(np.isfinite(positive), 1.0)
            found.append(distance(share, tables[stage][pc]))
    return np.concatenate(found)


def _intervals_are_of_the_measures(tables: Tables) -> Values:
    """Compare the value of each interval with the measures, and each cost with the headline."""
    rows, measures = tables["intervals"], tables["measures"]
    known = measures[measures["headline"]].set_index("model")
    found = []
    for quantity, column in MEASURED.items():
        own = rows[rows["quantity"] == quantity]
        found.append(distance(own["value"], own["model"].map(known[column])))
    costs = rows[rows["quantity"] == "cost"]
    return np.concatenate([*found, distance(costs["value"], _heights(tables, costs))])


def _heights(tables: Tables, rows: pd.DataFrame) -> list[float]:
    """Read the headline curve of each row's model at the row's PC(+)."""
    curves = headline_of(tables["headline"])
    return [float(curves[model](pc)) for model, pc in zip(rows["model"], rows["pc"], strict=True)]


def _counts_are_of_instances(tables: Tables) -> Values:
    """Compare what is counted with the distinct instances that were predicted."""
    measures = tables["measures"]
    first = tables["predictions"].drop_duplicates(["model", "instance"])
    positive = first.groupby("model", sort=False)["label"].agg(["sum", "size"])
    of_model = positive.reindex(measures["model"])
    counts = measures[["positives", "instances"]].to_numpy(), of_model.to_numpy()
    sums = measures["positives"] + measures["negatives"], measures["instances"]
    one = measures.iloc[0]
    told = [
        distance(tables[stage][name], np.full(len(tables[stage]), one[name]))
        for stage, names in {
            "verdicts": ["instances", "repeats", "folds"],
            "instance_costs": ["negatives", "positives"],
        }.items()
        for name in names
    ]
    return np.concatenate([distance(*counts).ravel(), distance(*sums), *told])


def _levels_are_one(tables: Tables) -> Values:
    """Compare levels with that of the intervals, and those of pairs with Holm's steps below it."""
    level = float(tables["intervals"]["confidence"].iloc[0])
    lines, verdicts = tables["comparisons"], tables["verdicts"]
    alone = lines["line"].str.startswith("pointwise")
    levels = [*(tables[stage]["confidence"] for stage in OF_ONE_LEVEL), verdicts["familywise"]]
    found = [np.abs(own - level) for own in (*levels, lines.loc[alone, "confidence"])]
    # Pairs that are not tested take no share of the error.
    pairs = verdicts[verdicts["p_value"].notna()].drop_duplicates(PAIR)
    tested = pairs.groupby("family", sort=False)
    steps = [own.assign(holm=holm(own["p_value"].tolist(), level)) for _, own in tested]
    for rows in (verdicts, lines[~alone]) if steps else ():
        both = rows.merge(pd.concat(steps)[[*PAIR, "holm"]], on=PAIR)
        found.append(np.abs(both["confidence"] - both["holm"]))
    return np.concatenate(found).astype(float)


def _differences_are_of_headlines(tables: Tables) -> Values:
    """Compare the largest differences with those of the headline curves, on one side of a jump."""
    curves = headline_of(tables["headline"])
    found = [np.zeros(0)]
    both = pd.concat([tables["verdicts"], tables["crossovers"]])
    for (a, b), rows in both.groupby(["model_a", "model_b"], sort=False):
        curve, pc = curves[str(a)] - curves[str(b)], rows["at_pc"].to_numpy()
        sides = np.stack([curve(pc, side="left"), curve(pc)])
        found.append(np.abs(sides - rows["largest_difference"].to_numpy()).min(axis=0))
    return np.concatenate(found)


def _costs_are_read_at_their_means(tables: Tables) -> Values:
    """Compare PC(+) and costs of instances with what follows from mean costs and the prior."""
    rows = tables["instance_costs"]
    at0, at1 = (1 - rows["prior"]) * rows["mean_cost_fp"], rows["prior"] * rows["mean_cost_fn"]
    models = rows[~rows["trivial"].astype(bool)]
    prior = np.full(len(rows), tables["measures"]["prior"].iloc[0])
    return np.concatenate(
        [
            distance(rows["prior"], prior),
            distance(rows["pc"], at1 / (at0 + at1)),
            distance(models["nec"], _heights(tables, models)),
            distance(rows["cost"] / (at0 + at1), rows["nec"]),
        ]
    )


INVARIANTS: Final[dict[str, Callable[[Tables], Values]]] = {
    "a cost ratio is its PC(+) at the deployment prior": _ratios_are_conditions,
    "the value of an interval is that of the measures": _intervals_are_of_the_measures,
    "counts of instances are those of the predictions": _counts_are_of_instances,
    "intervals have one level, and verdicts Holm's share of its error": _levels_are_one,
    "the largest difference is that of the headline curves": _differences_are_of_headlines,
    "a cost per instance is read at its mean costs and the prior": _costs_are_read_at_their_means,
}
