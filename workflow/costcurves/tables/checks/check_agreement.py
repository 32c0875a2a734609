"""Where tables say the same thing they must agree; `check_results` holds them to it."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.comparisons import holm
from costcurves.tables.checks.invariants import Invariants, Tables, Violations, distance
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.keys import PAIR

RATIOS: Final = (
    ("verdicts", "ratio_from", "pc_from"),
    ("verdicts", "ratio_to", "pc_to"),
    ("crossovers", "ratio_from", "pc_from"),
    ("crossovers", "ratio_to", "pc_to"),
    ("in_the_running", "ratio_from", "pc_from"),
    ("in_the_running", "ratio_to", "pc_to"),
    ("duality", "cost_ratio", "pc"),
)
MEASURED: Final = {
    "area": "area",
    "tec": "tec",
    "range start": "range_from",
    "range end": "range_to",
}
COUNTED: Final = {
    "verdicts": ["instances", "repeats", "folds"],
    "instance_costs": ["negatives", "positives"],
}
OF_ONE_LEVEL: Final = ("bands", "intervals", "choice_bands", "choice_intervals", "instance_costs")
INVARIANTS: Final = Invariants()


@INVARIANTS.add("a cost ratio is its PC(+) at the deployment prior")
def _ratios_are_conditions(tables: Tables) -> Violations:
    prior = float(tables["measures"]["prior"].iloc[0])
    for stage, ratio, pc in RATIOS:
        positive = prior * tables[stage][ratio]
        share = (positive / (positive + 1 - prior)).where(np.isfinite(positive), 1.0)
        yield distance(share, tables[stage][pc])


@INVARIANTS.add("the value of an interval is that of the measures")
def _intervals_are_of_the_measures(tables: Tables) -> Violations:
    rows, measures = tables["intervals"], tables["measures"]
    known = measures[measures["headline"]].set_index("model")
    for quantity, column in MEASURED.items():
        own = rows[rows["quantity"] == quantity]
        yield distance(own["value"], own["model"].map(known[column]))
    costs = rows[rows["quantity"] == "cost"]
    yield distance(costs["value"], _heights(tables, costs))


def _heights(tables: Tables, rows: pd.DataFrame) -> list[float]:
    """Read the headline curve of each row's model at the row's PC(+)."""
    curves = headline_of(tables["headline"])
    return [float(curves[model](pc)) for model, pc in zip(rows["model"], rows["pc"], strict=True)]


@INVARIANTS.add("counts of instances are those of the predictions")
def _counts_are_of_instances(tables: Tables) -> Violations:
    measures = tables["measures"]
    first = tables["predictions"].drop_duplicates(["model", "instance"])
    positive = first.groupby("model", sort=False)["label"].agg(["sum", "size"])
    yield distance(measures[["positives", "instances"]], positive.reindex(measures["model"]))
    yield distance(measures["positives"] + measures["negatives"], measures["instances"])
    for stage, names in COUNTED.items():
        yield distance(tables[stage][names], measures[names].iloc[0])


@INVARIANTS.add("intervals have one level, and verdicts Holm's share of its error")
def _levels_are_one(tables: Tables) -> Violations:
    level = float(tables["intervals"]["confidence"].iloc[0])
    lines, verdicts = tables["comparisons"], tables["verdicts"]
    alone = lines["line"].str.startswith("pointwise")
    levels = [tables[stage]["confidence"] for stage in OF_ONE_LEVEL]
    for own in (*levels, verdicts["familywise"], lines.loc[alone, "confidence"]):
        yield np.abs(own - level)
    # Pairs that are not tested take no share of the error.
    pairs = verdicts[verdicts["p_value"].notna()].drop_duplicates(PAIR)
    tested = pairs.groupby("family", sort=False)
    steps = [own.assign(holm=holm(own["p_value"].tolist(), level)) for _, own in tested]
    for rows in (verdicts, lines[~alone]) if steps else ():
        both = rows.merge(pd.concat(steps)[[*PAIR, "holm"]], on=PAIR)
        yield np.abs(both["confidence"] - both["holm"])


@INVARIANTS.add("the largest difference is that of the headline curves")
def _differences_are_of_headlines(tables: Tables) -> Violations:
    """Compare on that side of a jump where they are nearer."""
    curves = headline_of(tables["headline"])
    both = pd.concat([tables["verdicts"], tables["crossovers"]])
    for (a, b), rows in both.groupby(["model_a", "model_b"], sort=False):
        curve, pc = curves[str(a)] - curves[str(b)], rows["at_pc"].to_numpy()
        sides = np.stack([curve(pc, side="left"), curve(pc)])
        yield np.abs(sides - rows["largest_difference"].to_numpy()).min(axis=0)


@INVARIANTS.add("a cost per instance is read at its mean costs and the prior")
def _costs_are_read_at_their_means(tables: Tables) -> Violations:
    rows = tables["instance_costs"]
    at0, at1 = (1 - rows["prior"]) * rows["mean_cost_fp"], rows["prior"] * rows["mean_cost_fn"]
    models = rows[~rows["trivial"].astype(bool)]
    yield distance(rows["prior"], tables["measures"]["prior"].iloc[0])
    yield distance(rows["pc"], at1 / (at0 + at1))
    yield distance(models["nec"], _heights(tables, models))
    yield distance(rows["cost"] / (at0 + at1), rows["nec"])
