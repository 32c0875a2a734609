"""What must be true of bands, intervals and verdicts, and where tables say the same thing."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.chance.comparisons import adjusted, holm
from costcurves.settings import Inference
from costcurves.tables.checks.invariants import (
    NEGLIGIBLE,
    Invariants,
    Tables,
    Violations,
    distance,
    ends,
    excess,
    gaps,
    outside,
)
from costcurves.tables.codes import first_rows
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.curves.operating_points import models_of
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.inference.verdicts import CHEAPEST, OUT
from costcurves.tables.keys import IN_SAMPLE, PAIR, group_codes

STRETCHES: Final = ("verdicts", "crossovers", "in_the_running")
ENDS: Final = (("ratio_from", "pc_from"), ("ratio_to", "pc_to"))
RATIOS: Final = (
    *((stage, *names) for stage in STRETCHES for names in ENDS),
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
# Tables with levels of pairs, or of all decisions.
OWN_LEVELS: Final = ("comparisons", "verdicts", "pair_intervals", "in_the_running")
INVARIANTS: Final = Invariants()
AGREEMENTS: Final = Invariants()


@INVARIANTS.add("a band holds the curve that it is drawn around")
def _bands_hold_their_estimates(tables: Tables) -> Violations:
    """Compare at the break points: chords of an edge are exact."""
    curves = headline_of(tables["headline"])
    for names, edge in curves_of(tables["bands"], ["model", "extent", "edge"]):
        side = 1 if names["edge"] == "lower" else -1
        yield ends((edge - curves[names["model"]]) * side)


@INVARIANTS.add("a difference lies in its bands")
def _differences_lie_in_their_bands(tables: Tables) -> Violations:
    found = curves_of(tables["comparisons"], [*PAIR, "line"])
    lines = {tuple(names.values()): curve for names, curve in found}
    for (*pair, line), edge in lines.items():
        if line != "difference":
            side = 1 if line.endswith("lower") else -1
            yield ends((edge - lines[(*pair, "difference")]) * side)


@INVARIANTS.add("verdicts divide PC(+) from 0 to 1 without a gap")
def _verdicts_divide_all_conditions(tables: Tables) -> Violations:
    return gaps(tables["verdicts"])


@INVARIANTS.add("a model is cheaper only where the band excludes zero")
def _verdicts_follow_from_bands(tables: Tables) -> Violations:
    verdicts = tables["verdicts"]
    yield verdicts.loc[verdicts["finding"].eq("A cheaper"), "high"]
    yield -verdicts.loc[verdicts["finding"].eq("B cheaper"), "low"]


@INVARIANTS.add("a pair is decided only where its p-value allows it")
def _verdicts_are_significant(tables: Tables) -> Violations:
    rows = _of_pairs(tables["verdicts"], decided=True)
    yield excess(rows["p_value"] - (1 - rows["confidence"]) - NEGLIGIBLE)
    yield excess(rows["adjusted"] - (1 - rows["familywise"]) - NEGLIGIBLE)


@INVARIANTS.add("a difference fixed beforehand differs from zero just where its p-value says so")
def _intervals_of_pairs_are_significant(tables: Tables) -> Violations:
    rows = tables["pair_intervals"]
    beyond = np.maximum(rows["low"], -rows["high"])
    above = rows["adjusted"] - (1 - rows["familywise"])
    yield from outside(rows, "value", "low", "high")
    yield (beyond > NEGLIGIBLE) * excess(above - NEGLIGIBLE)
    yield (beyond < -NEGLIGIBLE) * excess(-above - NEGLIGIBLE)


@INVARIANTS.add("more instances would decide what is undecided, and only that")
def _projections_agree(tables: Tables) -> Violations:
    decided, open_ = (_of_pairs(tables["verdicts"], decided=it) for it in (True, False))
    yield excess(decided["projected"] - decided["instances"])
    yield excess(open_["instances"] + 1 - open_["projected"])


def _of_pairs(verdicts: pd.DataFrame, *, decided: bool) -> pd.DataFrame:
    """Take the rows of the pairs of which a model is cheaper somewhere, or nothing was found."""
    named = verdicts["finding"].isin(["A cheaper", "B cheaper"])
    found = named if decided else verdicts["finding"].ne("undecided")
    somewhere = found.groupby([verdicts[name] for name in PAIR]).transform("any")
    return verdicts[somewhere.astype(bool) == decided]


@INVARIANTS.add("there is no verdict about a curve that is in-sample")
def _untested_pairs_have_no_band(tables: Tables) -> Violations:
    """Count bands, p-values and verdicts of such pairs."""
    kinds = estimates_of(tables["headline"])
    in_sample = [name for name, kind in kinds.items() if kind == IN_SAMPLE]
    rows = tables["verdicts"]
    rows = rows[rows["model_a"].isin(in_sample) | rows["model_b"].isin(in_sample)]
    said = rows[["low", "high", "p_value"]].notna().sum(axis=1) + np.isfinite(rows["projected"])
    yield said + rows["finding"].ne("undecided")


@INVARIANTS.add(
    "each decision stands somehow at every PC(+), and nowhere are all out of the running"
)
def _someone_is_in_the_running(tables: Tables) -> Violations:
    """Look in the middle between any two ends of stretches, where somebody must be the cheapest."""
    rows = tables["in_the_running"]
    yield from gaps(rows, ["decision"])
    places = np.unique(np.append(0.0, rows["pc_to"]))
    cheapest = rows[rows["standing"] == CHEAPEST]
    for pc in (places[1:] + places[:-1]) / 2:
        yield 1 - ((cheapest["pc_from"] < pc) & (pc < cheapest["pc_to"])).any()


@INVARIANTS.add("where a verdict calls a model more expensive, it is out of the running")
def _verdicts_exclude(tables: Tables) -> Violations:
    """Give on how much of a verdict's stretch the model still stands."""
    rows, verdicts = tables["in_the_running"], tables["verdicts"]
    standing = rows.loc[rows["standing"] != OUT, ["decision", "pc_from", "pc_to"]]
    for finding, loser in (("A cheaper", "model_b"), ("B cheaper", "model_a")):
        named = verdicts.loc[verdicts["finding"] == finding, [loser, "pc_from", "pc_to"]]
        both = named.merge(standing, left_on=loser, right_on="decision", suffixes=("", "_too"))
        begin, end = both[["pc_from", "pc_from_too"]], both[["pc_to", "pc_to_too"]]
        yield excess(end.min(axis=1) - begin.max(axis=1) - NEGLIGIBLE)


INVARIANTS.add_intervals("an interval holds its value", "intervals")


@INVARIANTS.add("an interval holds its cost per instance")
def _instance_costs_hold_their_values(tables: Tables) -> Violations:
    """Measure what is outside relative to the cost."""
    rows = tables["instance_costs"]
    beyond = excess(np.fmax(rows["low"] - rows["cost"], rows["cost"] - rows["high"]))
    yield beyond / rows["cost"].where(rows["cost"] > 0, 1)


@INVARIANTS.add("a cost per instance is its share of what is at stake")
def _stakes_are_those_of_trivial_decisions(tables: Tables) -> Violations:
    """Compare it with the normalized cost times what both trivial decisions cost."""
    rows = tables["instance_costs"]
    whole = float(rows.loc[rows["trivial"], "cost"].sum())
    yield (rows["cost"] / (whole or 1) - rows["nec"]).abs()


@AGREEMENTS.add("a cost ratio is its PC(+) at the deployment prior")
def _ratios_are_conditions(tables: Tables) -> Violations:
    prior = float(tables["measures"]["prior"].iloc[0])
    for stage, ratio, pc in RATIOS:
        positive = prior * tables[stage][ratio]
        share = (positive / (positive + 1 - prior)).where(np.isfinite(positive), 1.0)
        yield distance(share, tables[stage][pc])


@AGREEMENTS.add("the value of an interval is that of the measures")
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


@AGREEMENTS.add("counts of instances are those of the predictions")
def _counts_are_of_instances(tables: Tables) -> Violations:
    measures = tables["measures"]
    first = {
        str(own["model"].iloc[0]): own["label"].iloc[first_rows(group_codes(own, ["instance"]))]
        for own in models_of(tables["predictions"])
    }
    positive = pd.DataFrame({model: it.agg(["sum", "size"]) for model, it in first.items()}).T
    yield distance(measures[["positives", "instances"]], positive.reindex(measures["model"]))
    yield distance(measures["positives"] + measures["negatives"], measures["instances"])
    for stage, names in COUNTED.items():
        yield distance(tables[stage][names], measures[names].iloc[0])


@AGREEMENTS.add("intervals have one level, and verdicts Holm's share of its error")
def _levels_are_one(tables: Tables) -> Violations:
    level = float(tables["intervals"]["confidence"].iloc[0])
    lines, verdicts = tables["comparisons"], tables["verdicts"]
    alone = lines["line"].str.startswith("pointwise")
    others = (rows for stage, rows in tables.items() if stage not in OWN_LEVELS)
    levels = [rows["confidence"] for rows in others if "confidence" in rows]
    for own in (*levels, lines.loc[alone, "confidence"]):
        yield np.abs(own - level)
    fixed = tables["pair_intervals"]
    named = fixed.loc[fixed["quantity"] == "cost", "familywise"]
    yield np.abs(fixed.loc[fixed["quantity"] != "cost", "familywise"] - level)
    # Of ranges: of all of the error, or of the half that conditions leave, named by tested pairs.
    halves = [Inference(confidence=level).of_ranges(it).confidence for it in (True, False)]
    apart = np.abs(np.subtract.outer(verdicts["familywise"].to_numpy(), halves))
    yield apart[:, 0] if len(named) else apart.min(axis=1)
    yield np.abs(named - halves[0])
    level = verdicts["familywise"].iloc[0] if len(verdicts) else level
    # Pairs that are not tested take no share of the error.
    pairs = verdicts[verdicts["p_value"].notna()].drop_duplicates(PAIR)
    tested = pairs.groupby("family", sort=False)
    steps = [own.assign(holm=holm(own["p_value"].tolist(), level)) for _, own in tested]
    for found in steps:
        yield distance(found["adjusted"], adjusted(found["p_value"].tolist()))
    for rows in (verdicts, lines[~alone]) if steps else ():
        both = rows.merge(pd.concat(steps)[[*PAIR, "holm"]], on=PAIR)
        yield np.abs(both["confidence"] - both["holm"])


@AGREEMENTS.add("the largest difference is that of the headline curves")
def _differences_are_of_headlines(tables: Tables) -> Violations:
    """Compare on that side of a jump where they are nearer."""
    curves = headline_of(tables["headline"])
    both = pd.concat([tables["verdicts"], tables["crossovers"]])
    for (a, b), rows in both.groupby(["model_a", "model_b"], sort=False):
        curve, pc = curves[str(a)] - curves[str(b)], rows["at_pc"].to_numpy()
        sides = np.stack([curve(pc, side="left"), curve(pc)])
        yield np.abs(sides - rows["largest_difference"].to_numpy()).min(axis=0)


@AGREEMENTS.add("a cost per instance is read at its mean costs and the prior")
def _costs_are_read_at_their_means(tables: Tables) -> Violations:
    rows = tables["instance_costs"]
    at0, at1 = (1 - rows["prior"]) * rows["mean_cost_fp"], rows["prior"] * rows["mean_cost_fn"]
    models = rows[~rows["trivial"].astype(bool)]
    yield distance(rows["prior"], tables["measures"]["prior"].iloc[0])
    yield distance(rows["pc"], at1 / (at0 + at1))
    yield distance(models["nec"], _heights(tables, models))
    yield distance(rows["cost"] / (at0 + at1), rows["nec"])
