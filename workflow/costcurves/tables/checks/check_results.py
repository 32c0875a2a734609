"""What must be true of any results; a report can't be built from results that break it."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.choosing.hybrids import average
from costcurves.maths.geometry.curves import Curve
from costcurves.maths.geometry.envelopes import lower_envelopes
from costcurves.settings import NEEDS
from costcurves.tables.checks.check_inference import AGREEMENTS
from costcurves.tables.checks.check_inference import INVARIANTS as OF_CHANCE
from costcurves.tables.checks.invariants import (
    CHECK_RESULTS,
    Invariants,
    Tables,
    Values,
    Violations,
    distance,
    ends,
    excess,
    held,
    outside,
    untrue,
)
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.operating_points import DEALT, from_table
from costcurves.tables.curves.pieces import areas, curves_of
from costcurves.tables.keys import CROSS_FITTED, CURVE_NAMES, IN_SAMPLE
from costcurves.tables.selection.criteria import curves_by_criterion
from costcurves.tables.selection.limited import limits

__all__ = ["CHECK_RESULTS", "INVARIANTS", "check_results"]

CURVES: Final = ("envelopes", "averages", "hybrids", "headline")
BLOCK: Final = 100_000  # heights at a time, which a cache holds
CHOICE: Final = ["model", "criterion"]
KEYS: Final = {
    "hybrids": CHOICE,
    "deployment": ["model"],
    "threshold_choice": ["model", "method", "axis"],
}
INVARIANTS: Final = Invariants()
OF_CHOICES: Final = Invariants()


def check_results(tables: Tables) -> pd.DataFrame:
    """Hold the results of one dataset to every invariant, `predictions` among its tables."""
    return held(str(tables["operating_points"]["dataset"].iloc[0]), INVARIANTS, tables)


@INVARIANTS.add("every rate is its count over its class")
def _rates_are_counts(tables: Tables) -> Violations:
    points = tables["operating_points"]
    yield np.abs(points["fp"] - points["fp_weight"] / points["negatives_weight"])
    yield np.abs(points["fn"] - (1 - points["tp_weight"] / points["positives_weight"]))


@INVARIANTS.add("every normalized expected cost lies in [0, 1]")
def _costs_are_shares(tables: Tables) -> Violations:
    for stage in CURVES:
        values = tables[stage][["nec_from", "nec_to"]].to_numpy()
        yield np.fmax(-values, values - 1)


@INVARIANTS.add("a curve's ends are the rates of its first and last line")
def _ends_are_rates(tables: Tables) -> Violations:
    for stage in CURVES:
        rows = tables[stage]
        yield np.abs(rows["nec_from"] - rows["at0"])[rows["pc_from"] == 0]
        yield np.abs(rows["nec_to"] - rows["at1"])[rows["pc_to"] == 1]


@INVARIANTS.add("an envelope is the lowest of its lines, never above any")
def _envelopes_are_lowest(tables: Tables) -> Violations:
    points = dict(list(tables["operating_points"].groupby(CURVE_NAMES, sort=False)))
    for names, curve in curves_of(tables["envelopes"], CURVE_NAMES):
        own = points[tuple(names.values())]
        yield _lowest(own["fp"].to_numpy(), own["fn"].to_numpy(), curve)


def _lowest(fp: Values, fn: Values, curve: Curve) -> Values:
    """Find by how much the envelope leaves the lowest line, trivial ones included, either way."""
    at = np.concatenate([curve.pc, (curve.pc[:-1] + curve.pc[1:]) / 2])
    lowest = np.minimum(at, 1 - at)
    for lines in np.array_split(np.stack([fp, fn]), 1 + len(at) * len(fp) // BLOCK, axis=1):
        at0, at1 = lines[:, :, np.newaxis]
        lowest = np.minimum(lowest, (at1 * at + at0 * (1 - at)).min(axis=0, initial=1.0))
    return np.asarray(np.abs(curve(at) - lowest), dtype=float)


@INVARIANTS.add("an average lies between the lowest and the highest of its curves")
def _averages_lie_between(tables: Tables) -> Violations:
    members: dict[tuple[str, str], list[Curve]] = {}
    for names, curve in curves_of(tables["envelopes"], CURVE_NAMES):
        members.setdefault((names["model"], names["level"]), []).append(curve)
    rows = tables["averages"][tables["averages"]["method"] == COST_SPACE]
    for names, curve in curves_of(rows, ["model", "level"]):
        own = members[names["model"], names["level"]]
        costs, average = np.array([member(curve.pc) for member in own]), curve(curve.pc)
        yield costs.min(axis=0) - average
        yield average - costs.max(axis=0)


@INVARIANTS.add("an area is the total expected cost under the uniform prior")
def _areas_are_uniform_costs(tables: Tables) -> Violations:
    averages, headline = tables["averages"], tables["headline"].assign(level="fold")
    judged = headline[headline["estimate"] != IN_SAMPLE]
    names = ["model", "level", "estimate"]
    rows = pd.concat([averages[averages["method"] == COST_SPACE], judged])
    stated = tables["measures"].set_index(names)["area"]
    yield np.abs(stated - areas(rows, names, sort=True).reindex(stated.index))


@INVARIANTS.add("an AUC lies in its interval, and an H-measure in [0, 1]")
def _rankings_are_shares(tables: Tables) -> Violations:
    rows = tables["measures"]
    yield from map(excess, outside(rows, "auc", "auc_low", "auc_high"))
    for name in ("auc", "auc_low", "auc_high", "h"):
        yield excess(np.abs(rows[name] - 0.5) - 0.5)
    yield excess(-rows["auc_se"])
    has_width = (rows["auc_se"] > 0) & rows["auc"].between(0, 1, inclusive="neither")
    for name in ("auc_low", "auc_high"):
        yield untrue(rows[name].notna() == has_width)


@OF_CHOICES.add("choices and their curves run from 0 to 1 without a gap")
def _pieces_run_through(tables: Tables) -> Violations:
    for stage, names in KEYS.items():
        rows = tables[stage]
        curve = rows.groupby(names, sort=False).ngroup()
        first, last = curve.ne(curve.shift()), curve.ne(curve.shift(-1))
        yield distance(rows["pc_from"].mask(first, 0), rows["pc_to"].shift().mask(first, 0))
        yield np.abs(rows.loc[first, "pc_from"])
        yield np.abs(1 - rows.loc[last, "pc_to"])


@OF_CHOICES.add("the cost-minimizing hybrid is an average of the envelopes")
def _cost_minimizing_is_an_average(tables: Tables) -> Violations:
    """Compare it with their averages at that level where it is nearest to them."""
    rows = tables["averages"][tables["averages"]["method"] == COST_SPACE]
    curves = curves_by_criterion(tables["hybrids"])
    apart: dict[str, list[float]] = {}
    for names, curve in curves_of(rows, ["level", "model"]):
        furthest = np.abs(ends(curve - curves[names["model"], "cost-minimizing"])).max()
        apart.setdefault(names["level"], []).append(float(furthest))
    yield min(apart.values(), key=max)


@OF_CHOICES.add("nothing judged fold by fold costs less than the folds' envelopes")
def _nothing_beats_the_folds(tables: Tables) -> Violations:
    """Compare it with the average of the folds' own envelopes, as dealt if that chose it."""
    points, envelopes = tables["operating_points"], tables["envelopes"]
    folds, dealt = {}, {}
    for model, own in envelopes[envelopes["level"] == "fold"].groupby("model", sort=False):
        names, curves = zip(*curves_of(own, ["repeat", "fold"]), strict=True)
        folds[model] = average(curves, pd.factorize(np.array([it["repeat"] for it in names]))[0])
    for model, own in points[points["level"] == DEALT].groupby("model", sort=False):
        found, of = from_table(own)
        each = [one.curve for one in lower_envelopes(found)]
        dealt[model] = average(each, pd.factorize(of["repeat"])[0])
    judged = tables["hybrids"][tables["hybrids"]["estimate"] != IN_SAMPLE]
    kinds = judged.drop_duplicates(CHOICE).set_index(CHOICE)["estimate"]
    for (model, criterion), curve in curves_by_criterion(judged).items():
        chosen = kinds[model, criterion] == CROSS_FITTED and model in dealt
        yield -ends(curve - (dealt if chosen else folds)[model])


@OF_CHOICES.add("a criterion has a curve just where it applies")
def _a_curve_for_what_applies(tables: Tables) -> Violations:
    rows = tables["criteria"]
    curves = curves_by_criterion(tables["hybrids"]) if len(rows) else {}
    has_curve = np.array([pair in curves for pair in rows[CHOICE].itertuples(False, None)])
    yield untrue(has_curve == rows["applies"])
    yield untrue(rows["applies"] == rows["reason"].eq(""))
    yield untrue(len(curves) == has_curve.sum())


@OF_CHOICES.add("areas and regrets of criteria are those of their curves")
def _criteria_measure_their_curves(tables: Tables) -> Violations:
    rows = tables["criteria"].set_index(CHOICE)
    area = areas(tables["hybrids"], CHOICE).reindex(rows.index)
    models, criteria = (rows.index.get_level_values(name) for name in CHOICE)
    reference = pd.Series(models).map(area[criteria == CROSS_FITTED].droplevel("criterion"))
    yield distance(rows["area"], area)
    yield distance(rows["regret"], area.to_numpy() - reference.to_numpy(float))


@OF_CHOICES.add("the best criterion is the usable one of least cost")
def _the_best_costs_least(tables: Tables) -> Violations:
    rows = tables["criteria"]
    usable = rows[rows["applies"] & rows["estimate"].ne(IN_SAMPLE) & ~rows["criterion"].isin(NEEDS)]
    least = usable.groupby("model", sort=False)["tec"].min()
    yield distance(usable[usable["best"]].set_index("model")["tec"].reindex(least.index), least)
    yield untrue([rows["best"].sum() == len(least), usable["tec"].notna().all()])


@OF_CHOICES.add("an expected loss is the area under its curve")
def _losses_are_areas(tables: Tables) -> Violations:
    rows, names = tables["threshold_choice"], ["model", "method", "axis"]
    area = areas(rows, names).to_numpy(float)
    yield distance(rows["loss"], area[rows.groupby(names, sort=False).ngroup()])


@OF_CHOICES.add("constrained points are mixtures within their limits")
def _constraints_are_kept(tables: Tables) -> Violations:
    rows = tables["constructions"]
    names = ["fp", "tp", "limit", "negatives", "positives"]
    for name, one in limits().items():
        yield one.beyond(*rows.loc[rows["criterion"] == name, names].to_numpy(float).T)
    share = rows["share"]
    for rate in ("fp", "tp"):
        mixed = (1 - share) * rows[f"first_{rate}"] + share * rows[f"second_{rate}"]
        yield distance(rows[rate], mixed)


OF_CHANCE.add_intervals("an interval of a choice holds its value", "choice_intervals")
OF_CHANCE.add_intervals("the interval of what is left out holds it", "optimism", "left_out")


INVARIANTS.update(OF_CHOICES | OF_CHANCE | AGREEMENTS)
