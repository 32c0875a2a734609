"""What must be true of bands, intervals and verdicts; `check_results` holds them to it."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.curves import Curve
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.curves.pieces import curves_of
from costcurves.tables.keys import IN_SAMPLE
from costcurves.tables.selection.hybrids import curves_by_criterion
from costcurves.tables.selection.resampled_criteria import OF_HEADLINE

Tables = Mapping[str, pd.DataFrame]
Values = NDArray[np.float64]
PAIR: Final = ["family", "model_a", "model_b"]
CHOICES: Final = ["model_a", "criterion_a", "model_b", "criterion_b"]
NEGLIGIBLE: Final = 1e-9  # what a level of confidence is rounded by
HEADLINES: Final = {criterion: estimate for estimate, criterion in OF_HEADLINE.items()}


def _bands_hold_their_estimates(tables: Tables) -> Values:
    """Measure by how much a band's edge passes its headline curve; chords of an edge are exact."""
    curves = headline_of(tables["headline"])
    found = [np.zeros(0)]
    for names, edge in curves_of(tables["bands"], ["model", "extent", "edge"]):
        side = 1 if names["edge"] == "lower" else -1
        found.append(_heights((edge - curves[names["model"]]) * side))
    return np.concatenate(found)


def _differences_lie_in_their_bands(tables: Tables) -> Values:
    found = [np.zeros(0)]
    for lines in _lines(tables):
        if len(lines) == 1:  # a pair that was not tested has no bands
            continue
        for extent in ("pointwise", "simultaneous"):
            found.append(_heights(lines[f"{extent} lower"] - lines["difference"]))
            found.append(_heights(lines["difference"] - lines[f"{extent} upper"]))
    return np.concatenate(found)


def _verdicts_divide_all_conditions(tables: Tables) -> Values:
    """Look for gaps between neighbouring intervals, and at both ends."""
    found = [np.zeros(0)]
    for _, rows in tables["verdicts"].groupby(PAIR, sort=False):
        starts, ends = rows["pc_from"].to_numpy(float), rows["pc_to"].to_numpy(float)
        found.append(np.abs(np.append(starts, 1) - np.insert(ends, 0, 0)))
    return np.concatenate(found)


def _verdicts_follow_from_bands(tables: Tables) -> Values:
    """Measure by how much the band reaches zero where a model is said to be cheaper."""
    verdicts = tables["verdicts"]
    a, b = verdicts["finding"].eq("A cheaper"), verdicts["finding"].eq("B cheaper")
    wrong = [verdicts.loc[a, "high"], -verdicts.loc[b, "low"]]
    reached: Values = np.maximum(np.concatenate(wrong).astype(float), 0)
    return reached


def _verdicts_are_significant(tables: Tables) -> Values:
    """Measure by how much the p-value of a decided pair exceeds its share of the error."""
    rows = _of_pairs(tables["verdicts"], decided=True)
    return _positive(rows["p_value"] - (1 - rows["confidence"]) - NEGLIGIBLE)


def _projections_agree(tables: Tables) -> Values:
    """Count instances by which a projection is too small where undecided, else too large."""
    decided, open_ = (_of_pairs(tables["verdicts"], decided=it) for it in (True, False))
    enough = _positive(decided["projected"] - decided["instances"])
    return np.append(enough, _positive(open_["instances"] + 1 - open_["projected"]))


def _untested_pairs_have_no_band(tables: Tables) -> Values:
    """Count bands, p-values and verdicts where a curve is in-sample."""
    kinds = estimates_of(tables["headline"])
    in_sample = [name for name, kind in kinds.items() if kind == IN_SAMPLE]
    rows = tables["verdicts"]
    rows = rows[rows["model_a"].isin(in_sample) | rows["model_b"].isin(in_sample)]
    said = rows[["low", "high", "p_value"]].notna().sum(axis=1) + np.isfinite(rows["projected"])
    count: Values = (said + rows["finding"].ne("undecided")).to_numpy(float)
    return count


def _of_pairs(verdicts: pd.DataFrame, *, decided: bool) -> pd.DataFrame:
    """Take the rows of the pairs of which a model is cheaper somewhere, or nothing was found."""
    named = verdicts["finding"].isin(["A cheaper", "B cheaper"])
    found = named if decided else verdicts["finding"].ne("undecided")
    somewhere = found.groupby([verdicts[name] for name in PAIR]).transform("any")
    return verdicts[somewhere.astype(bool) == decided]


def _positive(excess: "pd.Series[float]") -> Values:
    found: Values = np.fmax(excess.to_numpy(float), 0.0)
    return found


def _intervals_hold_their_values(tables: Tables) -> Values:
    """Measure by how much a value lies outside of its interval; an open end is none."""
    rows = tables["intervals"]
    below, above = rows["low"] - rows["value"], rows["value"] - rows["high"]
    outside: Values = np.fmax(np.concatenate([below, above]).astype(float), 0)
    return outside


def _instance_costs_hold_their_values(tables: Tables) -> Values:
    """Measure by how much a cost per instance lies outside of its interval, relative to it."""
    rows = tables["instance_costs"]
    outside = np.fmax(rows["low"] - rows["cost"], rows["cost"] - rows["high"])
    excess: Values = (np.fmax(outside, 0) / rows["cost"].where(rows["cost"] > 0, 1)).to_numpy(float)
    return excess


def _stakes_are_those_of_trivial_decisions(tables: Tables) -> Values:
    """Compare costs per instance with normalized costs times what both trivial decisions cost."""
    rows = tables["instance_costs"]
    whole = float(rows.loc[rows["trivial"], "cost"].sum())
    off: Values = (rows["cost"] / (whole or 1) - rows["nec"]).abs().to_numpy(float)
    return off


def _choices_are_their_curves(tables: Tables) -> Values:
    """Compare areas, and differences of them, with the areas of the criteria's curves."""
    rows = tables["choice_intervals"]
    rows = rows[rows["quantity"] == "area"]
    area = {
        choice: curve.area() for choice, curve in curves_by_criterion(tables["hybrids"]).items()
    }
    a, b = (
        np.array([area.get(choice, 0.0) for choice in _choices(rows, side)]) for side in ("a", "b")
    )
    found: Values = np.abs(rows["value"].to_numpy(float) - (a - b))
    return found


def _choices_hold_their_values(tables: Tables) -> Values:
    rows = tables["choice_intervals"]
    below, above = rows["low"] - rows["value"], rows["value"] - rows["high"]
    return np.concatenate([below, above]).astype(float)


def _headlines_are_told_once(tables: Tables) -> Values:
    """Compare the interval of each headline curve's area in both tables that have it."""
    rows = tables["choice_intervals"]
    rows = rows[rows["quantity"].eq("area") & rows["model_b"].eq("")]
    rows = rows.assign(estimate=rows["criterion_a"].map(HEADLINES)).dropna(subset="estimate")
    known = tables["intervals"]
    known = known[known["quantity"] == "area"].assign(model_a=known["model"])
    both = rows.merge(known, on=["model_a", "estimate"], suffixes=("", "_known"))
    found: Values = np.abs(both[["low", "high"]].to_numpy() - both[["low_known", "high_known"]])
    return np.asarray(found, dtype=float).ravel()


def _criteria_bands_are_wide(tables: Tables) -> Values:
    """Measure by how much half of a band's width is below zero, or below that at one PC(+)."""
    half = {
        tuple(names.values()): curve
        for names, curve in curves_of(tables["choice_bands"], [*CHOICES, "extent"])
    }
    found = [np.zeros(0)]
    for key, curve in half.items():
        narrower = half[(*key[:-1], "pointwise")] - curve
        found.append(np.concatenate([-_heights(curve), _heights(narrower)]))
    return np.concatenate(found)


def _optimism_holds_its_value(tables: Tables) -> Values:
    rows = tables["optimism"]
    below, above = rows["left_out_low"] - rows["left_out"], rows["left_out"] - rows["left_out_high"]
    outside: Values = np.fmax(np.concatenate([below, above]).astype(float), 0)
    return outside


def _choices(rows: pd.DataFrame, side: str) -> list[tuple[str, str]]:
    return list(zip(rows[f"model_{side}"], rows[f"criterion_{side}"], strict=True))


def _lines(tables: Tables) -> list[dict[str, Curve]]:
    """Give the difference and the edges of each pair."""
    found: dict[tuple[str, ...], dict[str, Curve]] = {}
    for names, curve in curves_of(tables["comparisons"], [*PAIR, "line"]):
        found.setdefault(tuple(names[name] for name in PAIR), {})[names["line"]] = curve
    return list(found.values())


def _heights(curve: Curve) -> Values:
    return np.concatenate([curve.starts, curve.ends])


INVARIANTS: Final[dict[str, Callable[[Tables], Values]]] = {
    "a band holds the curve that it is drawn around": _bands_hold_their_estimates,
    "a difference lies in its bands": _differences_lie_in_their_bands,
    "verdicts divide PC(+) from 0 to 1 without a gap": _verdicts_divide_all_conditions,
    "a model is cheaper only where the band excludes zero": _verdicts_follow_from_bands,
    "a pair is decided only where its p-value allows it": _verdicts_are_significant,
    "more instances would decide what is undecided, and only that": _projections_agree,
    "there is no verdict about a curve that is in-sample": _untested_pairs_have_no_band,
    "an interval holds its value": _intervals_hold_their_values,
    "an interval holds its cost per instance": _instance_costs_hold_their_values,
    "a cost per instance is its share of what is at stake": _stakes_are_those_of_trivial_decisions,
    "areas of choices, and their differences, are those of their curves": _choices_are_their_curves,
    "an interval of a choice holds its value": _choices_hold_their_values,
    "a headline curve has the same interval in both tables": _headlines_are_told_once,
    "a band of a choice is no narrower over all PC(+) than at one": _criteria_bands_are_wide,
    "the interval of what is left out holds it": _optimism_holds_its_value,
}
