"""Invariants: what no correct table breaks. No report is built from tables that break one.

Each function compares the columns of the tables that it names. It yields a table's name, its rows
(or what names a curve), and by how much each row breaks the invariant: 0 or less is not at all.
All broken invariants are named together, each with the first row that breaks it.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.choosing.headline import COST_OF, HEADLINE, headline_of
from costcurves.choosing.hybrids import CRITERIA, HYBRIDS
from costcurves.curves.averages import COST_SPACE
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import areas, curves_of
from costcurves.errors import refuse
from costcurves.many.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.many.map import COUNTS, FINDINGS, of_pair
from costcurves.pairs.not_ruled_out import OUT
from costcurves.ranking.measures import MEASURES
from costcurves.settings import EQUIVALENT, judged
from costcurves.stages import Tables
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CURVE_NAMES, DATASET, IN_SAMPLE, PAIR

CHECK_RESULTS: Final = Contract(
    "check_results",
    DATASET,
    Column("invariant", "str", "", "what must be true"),
    Column("checked", "int64", "values", "how many values were checked against it"),
    Column("worst", "float64", "nec", "the largest violation; 0: none"),
)
SOURCES: Final = (HEADLINE, HYBRIDS, MEASURES, CRITERIA)  # tables of the values of claims

# Costs are sums and products of a few rates in [0, 1]: their rounding stays far below this, and
# the smallest true difference of rates (one over the product of the class sizes) far above it.
ROUNDING: Final = 1e-12
NEGLIGIBLE: Final = 1e-9  # what a level of confidence is rounded by
MEND: Final = "a bug, or a table that was edited: remove the results folder and build again"
ROW_NAMES: Final = (
    *("number", "family", "model", "model_a", "model_b", "decision", "level", "repeat", "fold"),
    *("criterion", "method", "quantity", "extent", "edge", "line", "finding", "pc_from"),
)

Values = NDArray[np.float64]
Checks = Iterator[tuple[str, Any, object]]  # table, its rows or the names of a curve, excess

STRETCHES: Final = {  # tables whose rows, of those with the same names, have no gap between them
    "headline": ["model"],
    "hybrids": ["model", "criterion"],
    "deployment": ["model"],
    "verdicts": PAIR,
    "not_ruled_out": ["decision"],
}


def check_results(tables: Tables) -> pd.DataFrame:
    """Check the tables of one dataset, `predictions` among them, or refuse what is broken."""
    points, verdicts = tables["operating_points"], tables["verdicts"]
    intervals = {name: tables[name] for name in ("intervals", "choice_intervals", "pair_intervals")}
    intervals["instance_costs"] = tables["instance_costs"].rename(columns={"cost": "value"})
    aucs = {"auc": "value", "auc_low": "low", "auc_high": "high"}
    intervals["measures"] = tables["measures"].rename(columns=aucs)
    invariants = {
        "every rate is its count over its class": rates_are_counts(points),
        "a normalized expected cost is that of its line, from 0 to 1": costs_are_of_lines(tables),
        "an envelope is the lowest of its lines": envelopes_are_lowest(points, tables["envelopes"]),
        "curves, choices and verdicts run from PC(+) 0 to 1 without a gap": have_no_gap(tables),
        "an area is that below its curve": areas_are_of_curves(tables),
        "counts are those of the cases": counts_are_of_cases(tables),
        "a cost ratio is its PC(+) at the deployment prior": ratios_agree(tables),
        "a band contains its curve": bands_contain_curves(tables["bands"], tables["headline"]),
        "a difference lies in its bands": bands_contain_differences(tables["comparisons"]),
        "an interval contains its value": intervals_contain_values(intervals),
        "the value of an interval is that of the measures": values_agree(tables),
        "a model is cheaper only where its band excludes zero": bands_exclude_zero(verdicts),
        "a model is cheaper only where its p-value allows it": are_significant(verdicts),
        "a model shown to be more expensive is ruled out": losers_are_ruled_out(tables),
    }
    return _checked(str(points["dataset"].iloc[0]), invariants)


def check_map(table: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Check the map of all datasets, or refuse it."""
    invariants = {
        "the map counts the verdicts of the datasets": map_counts_verdicts(table, verdicts),
        "a model is cheaper only where its p-value allows it": are_significant(table),
    }
    return _checked("all datasets", invariants)


def check_claims(table: pd.DataFrame, sources: Tables) -> pd.DataFrame:
    """Check all claims, or refuse them; `sources` are the tables of their values."""
    invariants = {
        "an interval contains its value": intervals_contain_values({"claims": table}),
        "a claim is decided just where its band and p-value allow it": claims_follow(table),
        "the value of a claim is that of its rows": claims_are_of_rows(table, sources),
    }
    return _checked("all claims", invariants)


def _checked(dataset: str, invariants: Mapping[str, Checks]) -> pd.DataFrame:
    """Return how far each invariant holds, or refuse those that are broken."""
    results, broken = [], []
    for invariant, checks in invariants.items():
        checked, worst, first = 0, 0.0, ""
        for table, rows, excess in checks:
            values = np.atleast_1d(np.asarray(excess, dtype=float))
            values = np.where(np.isnan(values), np.inf, values)
            checked += values.size
            worst = max(worst, float(np.max(values, initial=0.0)))
            if worst > ROUNDING and not first:
                place = np.argwhere(values > ROUNDING)[0, 0]
                row = rows if isinstance(rows, dict) else rows.iloc[place]
                names = [f"{name} {row[name]}" for name in ROW_NAMES if row.get(name, "") != ""]
                first = f"first in {table} ({', '.join(names)})"
        results.append({"invariant": invariant, "checked": checked, "worst": worst})
        if first:
            broken.append(f"{dataset}: {invariant}: broken by up to {worst:.3g}, {first}; {MEND}")
    refuse(broken)
    return CHECK_RESULTS.rows(results, dataset=dataset)


def rates_are_counts(points: pd.DataFrame) -> Checks:
    """Compare rates with weighted counts, of cases or of their costs."""
    fp, tp = points["fp_weight"], points["tp_weight"]
    yield "operating_points", points, (points["fp"] - fp / points["negatives_weight"]).abs()
    yield "operating_points", points, (points["fn"] + tp / points["positives_weight"] - 1).abs()


def costs_are_of_lines(tables: Tables) -> Checks:
    """Compare the cost at both ends of each piece with its line's, and with 0 and 1."""
    for name, end in product(("envelopes", "averages", "hybrids", "headline"), ("from", "to")):
        rows = tables[name]
        cost, pc = rows[f"nec_{end}"], rows[f"pc_{end}"]
        line = rows["at0"] * (1 - pc) + rows["at1"] * pc
        yield name, rows, np.fmax((cost - line).abs(), (cost - 0.5).abs() - 0.5)


def envelopes_are_lowest(points: pd.DataFrame, envelopes: pd.DataFrame) -> Checks:
    """Compare each with the minimum over its lines and the no-model baselines."""
    rates = points[["fp", "fn"]].to_numpy()
    rows = points.groupby(CURVE_NAMES, sort=False).indices
    for names, curve in curves_of(envelopes, CURVE_NAMES):
        at0, at1 = rates[rows[tuple(names.values())]].T
        places = np.concatenate([curve.pc, (curve.pc[:-1] + curve.pc[1:]) / 2])
        lowest = [min(pc, 1 - pc, (at0 * (1 - pc) + at1 * pc).min()) for pc in places]
        yield "envelopes", names, np.abs(curve(places) - lowest)


def have_no_gap(tables: Tables) -> Checks:
    """Check that each row begins where the one before it ends, of those with the same names."""
    for name, names in STRETCHES.items():
        rows = tables[name]
        group = rows.groupby(names, sort=False).ngroup()
        previous = rows["pc_to"].shift().mask(group.ne(group.shift()), 0)
        yield name, rows, (rows["pc_from"] - previous).abs()
        yield name, rows, (1 - rows["pc_to"]).abs().where(group.ne(group.shift(-1)), 0)


def areas_are_of_curves(tables: Tables) -> Checks:
    """Compare them with the areas below the averages and the headline curves."""
    measures, averages, headline = (tables[name] for name in ("measures", "averages", "headline"))
    names = ["model", "level", "estimate"]
    cross_fitted = headline[headline["estimate"] != IN_SAMPLE].assign(level="fold")
    below = areas(pd.concat([averages[averages["method"] == COST_SPACE], cross_fitted]), names)
    expected = below.reindex(pd.MultiIndex.from_frame(measures[names])).to_numpy()
    yield "measures", measures, (measures["area"] - expected).abs()


def counts_are_of_cases(tables: Tables) -> Checks:
    """Count the cases of each model, and compare the counts of verdicts with those of measures."""
    measures, verdicts = tables["measures"], tables["verdicts"]
    cases = tables["predictions"].drop_duplicates(["model", "instance"])
    counts = cases.groupby("model", observed=True)["label"].agg(["sum", "size"])
    positives, instances = counts.reindex(measures["model"]).to_numpy().T
    yield "measures", measures, (measures["positives"] - positives).abs()
    yield "measures", measures, (measures["negatives"] + positives - instances).abs()
    yield "measures", measures, (measures["instances"] - instances).abs()
    names = ["instances", "repeats", "folds"]
    yield "verdicts", verdicts, (verdicts[names] - measures[names].iloc[0]).abs()


def ratios_agree(tables: Tables) -> Checks:
    """Compute PC(+) of each cost ratio, infinite ones too."""
    prior = tables["measures"]["prior"].iloc[0]
    for name, end in product(("verdicts", "crossovers", "not_ruled_out"), ("from", "to")):
        rows = tables[name]
        share = 1 / (1 + (1 - prior) / prior / rows[f"ratio_{end}"])
        yield name, rows, _distance(share, rows[f"pc_{end}"])


def bands_contain_curves(bands: pd.DataFrame, headline: pd.DataFrame) -> Checks:
    """Compare where the pieces of either end: the chords of an edge are exact."""
    curves = headline_of(headline)
    for names, edge in curves_of(bands, ["model", "extent", "edge"]):
        above = _at_ends(edge - curves[names["model"]])
        yield "bands", names, above if names["edge"] == "lower" else -above


def bands_contain_differences(comparisons: pd.DataFrame) -> Checks:
    """Compare each difference of two curves with the edges around it."""
    rows = comparisons[comparisons["line"] == "difference"]
    differences = {tuple(names.values()): curve for names, curve in curves_of(rows, PAIR)}
    for names, edge in curves_of(comparisons, [*PAIR, "line"]):
        above = _at_ends(edge - differences[tuple(names[key] for key in PAIR)])
        if names["line"] != "difference":
            yield "comparisons", names, above if names["line"].endswith("lower") else -above


def intervals_contain_values(tables: Mapping[str, pd.DataFrame]) -> Checks:
    """Check each value that has an interval; large costs of cases relative to their size."""
    for name, rows in tables.items():
        size = rows["value"].abs().clip(lower=1)
        yield name, rows, ((rows["low"] - rows["value"]) / size).fillna(0)
        yield name, rows, ((rows["value"] - rows["high"]) / size).fillna(0)


def values_agree(tables: Tables) -> Checks:
    """Compare the means and the operating range of each headline curve."""
    intervals, measures = tables["intervals"], tables["measures"]
    known = measures[measures["headline"]].set_index("model")
    columns = {"area": "area", "tec": "tec", "range start": "range_from", "range end": "range_to"}
    for quantity, column in columns.items():
        rows = intervals[intervals["quantity"] == quantity]
        yield "intervals", rows, _distance(rows["value"], rows["model"].map(known[column]))


def bands_exclude_zero(verdicts: pd.DataFrame) -> Checks:
    """Check the band of the difference where a model is called cheaper."""
    finding = verdicts["finding"]
    yield "verdicts", verdicts, verdicts["high"].where(finding == "A cheaper", 0)
    yield "verdicts", verdicts, -verdicts["low"].where(finding == "B cheaper", 0)


def are_significant(rows: pd.DataFrame) -> Checks:
    """Check both p-values where a model is called cheaper, on a dataset or on most."""
    rows = rows[rows["finding"].isin(["A cheaper", "B cheaper"])]
    yield "findings", rows, rows["p_value"] - (1 - rows["confidence"]) - NEGLIGIBLE
    yield "findings", rows, rows["adjusted"] - (1 - rows["familywise"]) - NEGLIGIBLE


def losers_are_ruled_out(tables: Tables) -> Checks:
    """Measure on how much of a verdict's stretch the more expensive model is not ruled out."""
    verdicts, standings = tables["verdicts"], tables["not_ruled_out"]
    standing = standings.loc[standings["standing"] != OUT, ["decision", "pc_from", "pc_to"]]
    for finding, loser in (("A cheaper", "model_b"), ("B cheaper", "model_a")):
        rows = verdicts[verdicts["finding"] == finding]
        both = rows.merge(standing, left_on=loser, right_on="decision", suffixes=("", "_too"))
        begin = both[["pc_from", "pc_from_too"]].max(axis=1)
        yield "not_ruled_out", both, both[["pc_to", "pc_to_too"]].min(axis=1) - begin - NEGLIGIBLE


def map_counts_verdicts(table: pd.DataFrame, verdicts: pd.DataFrame) -> Checks:
    """Compare how much of PC(+) each finding covers, summed over datasets."""
    for pair, rows in table.groupby(PAIR, sort=False):
        family, *models = map(str, pair)
        settled = of_pair(verdicts[verdicts["family"] == family], *models)
        covered = (settled["pc_to"] - settled["pc_from"]).groupby(settled["finding"]).sum()
        counted = (rows["pc_to"] - rows["pc_from"]) @ rows[list(COUNTS)]
        apart = counted.to_numpy() - covered.reindex(FINDINGS, fill_value=0.0).to_numpy()
        yield "map", rows, [np.abs(apart).max() / max(settled["dataset"].nunique(), 1)]


def claims_follow(claims: pd.DataFrame) -> Checks:
    """Check the p-value, and on which side of the limit the band lies."""
    limit, verdict = claims["limit"], claims["verdict"]
    least = -limit.where(claims["kind"] == EQUIVALENT)
    outside = np.fmax(claims["high"] - limit, least - claims["low"])
    inside = -np.fmax(claims["low"] - limit, least - claims["high"])
    contradicted = (verdict == CONTRADICTED) & claims["decides"]
    yield "claims", claims, np.where(verdict == SUPPORTED, outside, 0)
    yield "claims", claims, np.where(contradicted, inside, 0)
    above = claims["p_value"] - (1 - claims["level"])
    yield "claims", claims, above.mask(verdict == UNDECIDED, -above) - NEGLIGIBLE


def claims_are_of_rows(claims: pd.DataFrame, sources: Tables) -> Checks:
    """Compute each claimed cost at one PC(+), or difference of two, from the pieces there."""
    for row in claims[claims["at_pc"].notna()].to_dict("records"):
        rows, pc = sources[row["stage"]], row["at_pc"]
        rows = rows[
            (rows["dataset"] == judged(row)) & rows["pc_from"].le(pc) & rows["pc_to"].ge(pc)
        ]
        costs = rows["at0"] * (1 - pc) + rows["at1"] * pc
        criterion = rows.get("criterion", pd.Series("", rows.index))
        sides = []
        for side in "ab":
            model = row[f"model_{side}"]
            if model in COST_OF:
                sides.append([COST_OF[model](pc)])
            elif model:
                claimed = rows["model"].eq(model) & criterion.eq(row[f"criterion_{side}"])
                sides.append(costs[claimed].to_numpy())
        differences = np.subtract.outer(sides[0], sides[1] if sides[1:] else [0])
        # Two pieces meet at a break, or the curve jumps.
        yield "claims", row, np.abs(differences - row["value"]).min(initial=np.inf)


def _distance(values: object, expected: object) -> Values:
    """Return how far values are from the expected ones; 0 where both are missing."""
    first, second = np.asarray(values, dtype=float), np.asarray(expected, dtype=float)
    return np.where(np.isnan(first) & np.isnan(second), 0.0, np.abs(first - second))


def _at_ends(curve: Curve) -> Values:
    """Return the heights of a curve where its pieces begin and end."""
    return np.concatenate([curve.starts, curve.ends])
