"""What must be true of the results about choosing; `check_results` holds them to it."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.curves import Curve
from costcurves.maths.hybrids import average
from costcurves.tables.curves.averages import COST_SPACE
from costcurves.tables.curves.operating_points import CURVE_NAMES
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.tables.selection import NEEDS
from costcurves.tables.selection.hybrids import curves_by_criterion
from costcurves.tables.selection.limited import limits

Tables = Mapping[str, pd.DataFrame]
Values = NDArray[np.float64]


def distance(found: object, expected: object) -> Values:
    """Give how far values are from what they should be: 0 if both are missing."""
    pair = [np.asarray(values, dtype=float) for values in (found, expected)]
    missing = [np.isnan(values) for values in pair]
    apart = np.abs(pair[0] - pair[1])
    return np.where(missing[0] & missing[1], 0.0, np.where(missing[0] ^ missing[1], np.inf, apart))


def _is_true(values: object) -> Values:
    """Give 0 where a condition holds, else 1."""
    return np.asarray(~np.asarray(values, dtype=bool), dtype=float)


def _pieces_run_through(tables: Tables) -> Values:
    """Look for gaps between neighbouring pieces, and at the ends of each curve."""
    found = []
    for stage, names in KEYS.items():
        rows = tables[stage]
        curve = rows.groupby(names, sort=False).ngroup()
        starts, ends = curve.ne(curve.shift()), curve.ne(curve.shift(-1))
        found += [
            distance(rows["pc_from"].mask(starts, 0), rows["pc_to"].shift().mask(starts, 0)),
            np.abs(rows.loc[starts, "pc_from"].to_numpy(float)),
            np.abs(1 - rows.loc[ends, "pc_to"].to_numpy(float)),
        ]
    return np.concatenate(found)


def _cost_minimizing_is_an_average(tables: Tables) -> Values:
    """Compare it with the averages of the envelopes, at that level where it is nearest to them."""
    rows = tables["averages"][tables["averages"]["method"] == COST_SPACE]
    curves = curves_by_criterion(tables["hybrids"])
    apart: dict[str, list[float]] = {}
    for names, curve in curves_of(rows, ["level", "model"]):
        difference = curve - curves[names["model"], "cost-minimizing"]
        furthest = np.abs([difference.starts, difference.ends]).max()
        apart.setdefault(names["level"], []).append(float(furthest))
    return np.array(min(apart.values(), key=max))


def _nothing_beats_the_folds(tables: Tables) -> Values:
    """Compare what is judged fold by fold with the average of the folds' own envelopes."""
    folds: dict[str, list[tuple[str, Curve]]] = {}
    rows = tables["envelopes"][tables["envelopes"]["level"] == "fold"]
    for names, curve in curves_of(rows, CURVE_NAMES):
        folds.setdefault(names["model"], []).append((names["repeat"], curve))
    lowest = {model: _average(own) for model, own in folds.items()}
    judged = tables["hybrids"][tables["hybrids"]["estimate"] != IN_SAMPLE]
    found = [np.zeros(0)]
    for (model, _), curve in curves_by_criterion(judged).items():
        more = curve - lowest[model]
        found += [-more.starts, -more.ends]
    return np.concatenate(found)


def _average(folds: list[tuple[str, Curve]]) -> Curve:
    repeats, curves = zip(*folds, strict=True)
    return average(curves, pd.factorize(np.array(repeats))[0])


def _a_curve_for_what_applies(tables: Tables) -> Values:
    rows = tables["criteria"]
    curves = curves_by_criterion(tables["hybrids"]) if len(rows) else {}
    pairs = zip(rows["model"], rows["criterion"], strict=True)
    has_curve = np.array([pair in curves for pair in pairs])
    return np.concatenate(
        [
            _is_true(has_curve == rows["applies"]),
            _is_true(rows["applies"] == rows["reason"].eq("")),
            _is_true([len(curves) == has_curve.sum()]),
        ]
    )


def _criteria_measure_their_curves(tables: Tables) -> Values:
    """Compare areas with the trapezoids of the pieces, and regrets with differences of areas."""
    rows = tables["criteria"].set_index(["model", "criterion"])
    area = _trapezoids(tables["hybrids"], ["model", "criterion"]).reindex(rows.index)
    models, criteria = (rows.index.get_level_values(name) for name in ("model", "criterion"))
    reference = pd.Series(models).map(area[criteria == CROSS_FITTED].droplevel("criterion"))
    regret = area.to_numpy() - reference.to_numpy(float)
    return np.concatenate([distance(rows["area"], area), distance(rows["regret"], regret)])


def _trapezoids(rows: pd.DataFrame, by: list[str]) -> pd.Series:
    width, height = rows["pc_to"] - rows["pc_from"], (rows["nec_from"] + rows["nec_to"]) / 2
    return (width * height).groupby([rows[name] for name in by], sort=False).sum()


def _the_best_costs_least(tables: Tables) -> Values:
    rows = tables["criteria"]
    usable = rows[rows["applies"] & rows["estimate"].ne(IN_SAMPLE) & ~rows["criterion"].isin(NEEDS)]
    least = usable.groupby("model", sort=False)["tec"].min()
    best = usable[usable["best"]].set_index("model")["tec"].reindex(least.index)
    one_each = [rows["best"].sum() == len(least), usable["tec"].notna().all()]
    return np.append(distance(best, least), _is_true(one_each))


def _optimism_adds_up(tables: Tables) -> Values:
    rows = tables["optimism"]
    averages = tables["averages"][tables["averages"]["method"] == COST_SPACE]
    names = ["model", "level"]
    area = _trapezoids(averages, names).reindex(pd.MultiIndex.from_frame(rows[names]))
    honest = tables["criteria"].query("criterion == 'cross-fitted'").set_index("model")["area"]
    return np.concatenate(
        [
            distance(rows["area"], area),
            distance(rows["cross_fitted"], rows["model"].map(honest)),
            distance(rows["area"] + rows["left_out"], rows["cross_fitted"]),
        ]
    )


def _losses_are_areas(tables: Tables) -> Values:
    rows, names = tables["threshold_choice"], ["model", "method", "axis"]
    area = _trapezoids(rows, names).to_numpy(float)
    return distance(rows["loss"], area[rows.groupby(names, sort=False).ngroup()])


def _identities_of_losses(tables: Tables) -> Values:
    """Hold the losses to the identities of Hernandez-Orallo, Flach and Ferri (2011)."""
    rows = tables["losses"]
    n = rows["positives"] + rows["negatives"]
    both = rows["positives"] * rows["negatives"] / n**2
    limit = 2 * both * (1 - rows["auc"]) + 1 / 3 - both
    return np.concatenate(
        [
            distance(rows["rate_driven_limit"], limit),
            distance(rows["rate_driven"], (n * limit + 1 / 6) / (n + 1)),
            distance(rows["brier"], rows["refinement"] + rows["calibration"]),
        ]
    )


def _losses_of_both_tables(tables: Tables) -> Values:
    """Compare what two stages say of one ranking: losses of its curves, AUC and Brier score."""
    rows = tables["losses"].set_index("model")
    curves = tables["threshold_choice"].query("axis == 'cost proportion'")
    losses = curves.groupby(["method", "model"], sort=False)["loss"].first()
    pooled = tables["measures"].query("level == 'pooled'").set_index("model").reindex(rows.index)
    same = {"brier": "score-driven", "refinement": "optimal", "rate_driven": "rate-driven"}
    return np.concatenate(
        [
            *(distance(rows[column], _of(losses, name, rows)) for column, name in same.items()),
            distance(rows["auc"], pooled["auc"]),
            distance(rows["brier"], pooled["brier"]),
        ]
    )


def _of(losses: pd.Series, method: str, rows: pd.DataFrame) -> Values:
    pairs = pd.MultiIndex.from_product([[method], rows.index])
    return losses.reindex(pairs).to_numpy(float)


def _constraints_are_kept(tables: Tables) -> Values:
    """Check that a constrained point mixes its two vertices and does not exceed its limit."""
    rows = tables["constructions"]
    names = ["fp", "tp", "limit", "negatives", "positives"]
    excess = [
        one.beyond(*rows.loc[rows["criterion"] == name, names].to_numpy(float).T)
        for name, one in limits().items()
    ]
    share = rows["share"]
    mixed = {
        rate: (1 - share) * rows[f"first_{rate}"] + share * rows[f"second_{rate}"]
        for rate in ("fp", "tp")
    }
    return np.concatenate([*excess, *(distance(rows[rate], mixed[rate]) for rate in mixed)])


def _held_out_rates_are_those_of_the_curves(tables: Tables) -> Values:
    """Compare what held-out folds made of a limit with its cost curve, a line."""
    names = ["model", "criterion"]
    rows = tables["constructions"].set_index(names)
    judged = tables["hybrids"][tables["hybrids"]["estimate"] == CROSS_FITTED]
    ends = judged.drop_duplicates(names).set_index(names).reindex(rows.index)
    rates = [name for name, one in limits().items() if not one.in_cases]
    fp_rate = rows.index.get_level_values("criterion").isin(rates)
    has_folds = rows["folds"] > 0
    return np.concatenate(
        [
            distance(rows["held_out_fp"], ends["at0"]),
            distance(rows["held_out_tp"], 1 - ends["at1"]),
            distance(rows["held_out"][fp_rate], rows["held_out_fp"][fp_rate]),
            _is_true(rows["exceeded"].between(0, rows["folds"])),
            _is_true(has_folds == rows["held_out"].notna()),
        ]
    )


KEYS: Final = {
    "hybrids": ["model", "criterion"],
    "deployment": ["model"],
    "threshold_choice": ["model", "method", "axis"],
}

INVARIANTS: Final[dict[str, Callable[[Tables], Values]]] = {
    "choices and their curves run from 0 to 1 without a gap": _pieces_run_through,
    "the cost-minimizing hybrid is an average of the envelopes": _cost_minimizing_is_an_average,
    "nothing judged fold by fold costs less than the folds' envelopes": _nothing_beats_the_folds,
    "a criterion has a curve just where it applies": _a_curve_for_what_applies,
    "areas and regrets of criteria are those of their curves": _criteria_measure_their_curves,
    "the best criterion is the usable one of least cost": _the_best_costs_least,
    "what an envelope leaves out makes up the cross-fitted area": _optimism_adds_up,
    "an expected loss is the area under its curve": _losses_are_areas,
    "AUC, Brier score and losses keep the identities between them": _identities_of_losses,
    "stages agree on losses, AUC and Brier scores": _losses_of_both_tables,
    "constrained points are mixtures within their limits": _constraints_are_kept,
    "held-out rates under a limit are those of its curve": _held_out_rates_are_those_of_the_curves,
}
