"""The asymmetric study's tables, recomputed from its raw rows.

What the oracle of reports recomputes (`test_oracle`) is not compared again, nor what each report is
checked against (`invariants`). Of bands, verdicts and choices is recomputed what follows without
the study's draws: estimates, levels (of Holm's steps from the stated p-values) and cost ratios.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest

from tests.asymmetric_study import REFERENCE
from tests.oracle import recompute
from tests.oracle import slow_study as slow
from tests.oracle import slow_views as views
from tests.oracle.slow_study import Candidate, Curve, Line, Point, Rows
from tests.oracle.slow_views import CLOSE, Published, View, assert_curve, assert_row, each

ENDS: Final = (("lower", "low"), ("upper", "high"))
RESAMPLED: Final = "resampled instances"
SIGNS: Final = {"A cheaper": -1, "B cheaper": 1}
PAIR: Final = ("family", "model_a", "model_b")
Pieces = list[tuple[float, ...]]
Pair = tuple[str, str, str]


@pytest.mark.parametrize("module", [slow, recompute])
def test_a_second_implementation_shares_no_code_with_the_package(module: ModuleType) -> None:
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    assert not re.search(r"\b(import|from) (costcurves|tests|\.)|import_module|__import__", text)


def test_lower_envelopes_are_minima_over_all_thresholds_and_averages_their_means(
    published: Published, view: View
) -> None:
    envelopes = published("envelopes", view.name).fillna({"repeat": "", "fold": ""})
    curves = dict(each(envelopes, "model", "level", "repeat", "fold"))
    table = published("averages", view.name).query("method == 'cost-space'")
    averages = dict(each(table, "model", "level"))
    assert {*averages} == {*product(view.models, ("fold", "repeat", "pooled"))}
    for (model, level), rows in averages.items():
        parts = view.curves(model, level)
        assert_curve(rows, view.average(model, level), (model, level))
        assert {*rows["curves"]} == {len(parts)}
        assert {*rows["estimate"]} == {views.IN_SAMPLE}
        for part in parts:
            first = part.rows[0]
            names = {"fold": (first.repeat, first.fold), "repeat": (first.repeat, "")}
            key = (model, level, *names.get(level, ("", "")))
            assert_curve(curves.pop(key), part.envelope, key)
    assert not curves


def test_averages_of_roc_curves_and_what_they_cost(published: Published, view: View) -> None:
    """Of hulls at each FP and at each TP, of points by threshold, and of all counts together."""
    averages = dict(each(published("averages", view.name), "model", "method"))
    for (model, method), rows in each(published("roc", view.name), "model", "method"):
        curves = view.curves(model, "fold")
        vertices = [*zip(map(Fraction, rows["fp"]), map(Fraction, rows["tp"]), strict=True)]
        _assert_polyline(vertices, _roc(view.models[model], curves, method), (model, method))
        assert ({*rows["curves"]}, {*rows["level"]}) == ({len(curves)}, {"fold"})
        lines = [Line(fp, 1 - tp) for fp, tp in vertices]
        cost = slow.envelope([*lines, slow.NEGATIVE, slow.POSITIVE])
        assert_curve(averages[model, method], cost, (model, method))


def _roc(rows: Rows, curves: Sequence[Rows], method: str) -> list[Point]:
    hulls = [curve.hull for curve in curves]
    if method == "vertical":
        return [(slow.ZERO, slow.ZERO), *_mean_heights(hulls)]
    if method == "horizontal":
        turned = [[(1 - tp, 1 - fp) for fp, tp in reversed(hull)] for hull in hulls]
        by_tn = reversed(_mean_heights(turned))
        return [*((1 - other, 1 - tn) for tn, other in by_tn), (slow.ONE, slow.ONE)]
    averaged = curves if method == "threshold" else [rows]
    members = []
    for key, classifier in rows.classifiers.items():
        scores = sorted({row.value for row in classifier.rows}, reverse=True)
        points = []
        for at in [math.inf, *([1.0, 0.0] if key[1] else scores)]:
            fps, tps = zip(*(curve.point(Candidate(key, at)) for curve in averaged), strict=True)
            points.append((slow.mean(fps), slow.mean(tps)))
        members.append(points)
    return members[0] if len(members) == 1 else slow.hull(chain(*members))


def _mean_heights(hulls: Sequence[list[Point]]) -> list[Point]:
    places = sorted({x for hull in hulls for x, _ in hull})
    return [(x, slow.mean(slow.heights_of_hull(hull, x) for hull in hulls)) for x in places]


def _assert_polyline(vertices: list[Point], expected: list[Point], what: Any) -> None:
    """Compare at the same x + y, which grows along both from (0, 0) to (1, 1)."""
    lines = [np.array(points, float) for points in (vertices, expected)]
    sums = np.unique(np.concatenate(lines).sum(axis=1))
    places = [*sums, *(sums[1:] + sums[:-1]) / 2]
    given, other = (np.interp(places, line.sum(axis=1), line[:, 0]) for line in lines)
    np.testing.assert_allclose(given, other, rtol=0, atol=views.CLOSE, err_msg=str(what))


def test_every_selection_criterion(published: Published, view: View) -> None:
    hybrids = dict(each(published("hybrids", view.name), "model", "criterion"))
    every = product(view.models, views.CRITERIA)
    assert {*hybrids} == {key for key in every if view.applies(*key)}
    for (model, criterion), rows in hybrids.items():
        assert_curve(rows, view.hybrid(model, criterion), (model, criterion))
        assert {*rows["estimate"]} == {view.estimate(criterion)}
        assert {*rows["curves"]} == {len(view.curves(model, "fold"))}


def test_what_criteria_cost_and_regret(published: Published, view: View) -> None:
    models = dict(each(published("criteria", view.name), "model"))
    assert {*models} == {*view.models}
    for model, rows in models.items():
        assert rows["criterion"].tolist() == views.CRITERIA
        usable = {}
        for row in rows.to_dict("records"):
            criterion = row["criterion"]
            assert row["applies"] == view.applies(model, criterion)
            assert bool(views.text(row["reason"])) != row["applies"]
            assert row["estimate"] == view.estimate(criterion)
            if not row["applies"]:
                assert math.isnan(row["area"])
                continue
            curve = view.hybrid(model, criterion)
            cost, worse = views.expected_cost(curve), slow.ranges(curve, 1)
            assert_row(row, area=slow.area(curve), tec=cost)
            assert_row(
                row,
                worse_than_trivial_from=worse[0][0] if worse else None,
                worse_than_trivial_to=worse[-1][1] if worse else None,
                worse_than_trivial_share=sum((high - low for low, high in worse), slow.ZERO),
            )
            if row["estimate"] != views.IN_SAMPLE and criterion not in views.LIMITS:
                usable[criterion] = cost
            if view.can_choose:
                more = slow.minus(curve, view.hybrid(model, "cross-fitted"))
                assert_row(row, regret=slow.area(more), regret_tec=views.expected_cost(more))
                _assert_highest(more, row["largest_regret_pc"], row["largest_regret"])
            else:
                assert math.isnan(row["regret"])
        best = sorted(usable, key=usable.__getitem__)[:1]
        assert rows.loc[rows["best"], "criterion"].tolist() == best


def _assert_highest(curve: Curve, at: float, largest: float) -> None:
    heights = slow.heights(curve)
    assert views.is_close(largest, max(height for _, height in heights))
    assert any(views.is_close(at, pc) and views.is_close(largest, height) for pc, height in heights)


def test_what_is_to_serve_from_now_on(published: Published, view: View) -> None:
    for model, rows in each(published("deployment", view.name), "model"):
        serving = slow.deployed(view.models[model])
        lowest = min(candidate.threshold for candidate in view.models[model].candidates)
        for row, (piece, candidate) in zip(rows.to_dict("records"), serving, strict=True):
            assert_row(row, pc_from=piece.low, pc_to=piece.high)
            (member, decides), threshold = candidate
            if decides:
                holder = f"member {member}" if member else "decision"
            elif threshold == lowest:
                holder, threshold = "always positive", -math.inf
            else:
                holder = "always negative" if threshold == math.inf else _in_words(threshold)
            assert row["holder"] == holder
            assert views.text(row["member"]) == (member if decides else "")
            assert math.isnan(row["threshold"]) if decides else row["threshold"] == threshold


def _in_words(threshold: float) -> str:
    return f"threshold {threshold + 0:.4g}".replace("-", "\N{MINUS SIGN}")


def test_headline_curves(published: Published, view: View) -> None:
    headlines = dict(each(published("headline", view.name), "model"))
    assert {*headlines} == {*view.models}
    for model, rows in headlines.items():
        assert_curve(rows, view.headline(model), model)
        assert {*rows["estimate"]} == {view.headline_estimate(model)}


def test_measures_of_every_model(published: Published, view: View) -> None:
    """But those that the oracle of reports recomputes."""
    table = published("measures", view.name)
    assert sorted(table.loc[table["headline"], "model"]) == sorted(view.models)
    for row in table.to_dict("records"):
        model, level, estimate = row["model"], row["level"], row["estimate"]
        assert row["headline"] == (estimate == view.headline_estimate(model) and level == "fold")
        in_sample = estimate == views.IN_SAMPLE
        curve = view.average(model, level) if in_sample else view.headline(model)
        _assert_highest(curve, row["largest_pc"], row["largest_nec"])
        curves, rows = view.curves(model, level), view.models[model]
        ranks = rows.keys == [("", False)]
        probabilities = ranks and all(0 <= row.value <= 1 for row in rows.rows)
        assert row["curves"] == len(curves)
        assert row["points"] == sum(len(part.operating_points) for part in curves)
        assert row["repeats"] == len(rows.repeats) == 3
        assert row["folds"] == max(len(repeat.folds) for repeat in rows.repeats)
        auch = slow.mean(slow.trapezoids(part.hull) for part in curves)
        brier = slow.brier(rows) if probabilities else None
        assert_row(row, auch=auch, brier=brier, prior=view.prior)


def test_the_conditions_in_both_spaces(published: Published, view: View) -> None:
    table = published("duality", view.name)
    keys = [*table[["condition", "model"]].itertuples(index=False, name=None)]
    assert keys == [*product(views.CONDITIONS, dict.fromkeys(table["model"]))]
    assert {*table["model"]} == {*view.models}
    for row in table.to_dict("records"):
        pc, rows = views.CONDITIONS[row["condition"]], view.models[row["model"]]
        nec = slow.value(rows.envelope, pc)
        assert_row(row, pc=pc, cost_ratio=slow.ratio(pc, view.prior), nec=nec)
        assert_row(row, slope=(1 - pc) / pc, intercept=1 - nec / pc)
        assert views.is_close(row["fp"] * float(1 - pc) + (1 - row["tp"]) * float(pc), nec)
        served = [*rows.operating_points, slow.NOBODY, slow.EVERYBODY]
        if not math.isnan(row["threshold"]):
            served = [Candidate(("", False), row["threshold"])]
            assert row["holder"] == _in_words(row["threshold"])
        points = [rows.point(point) for point in served]
        assert any(
            views.is_close(row["fp"], fp) and views.is_close(row["tp"], tp) for fp, tp in points
        )


def test_crossovers_and_their_cost_ratios(published: Published, view: View) -> None:
    pairs = dict(each(published("crossovers", view.name), "model_a", "model_b"))
    assert {*map(frozenset, pairs)} == {*map(frozenset, combinations(view.models, 2))}
    for (a, b), rows in pairs.items():
        difference = slow.minus(view.headline(a), view.headline(b))
        expected = slow.signs(difference)
        for row, (low, high, sign) in zip(rows.to_dict("records"), expected, strict=True):
            assert row["cheaper"] == {-1: a, 0: "equal", 1: b}[sign]
            assert_row(row, pc_from=low, pc_to=high)
            views.assert_ratios(row, view.prior)
            views.assert_largest(row, difference)
            assert math.isnan(row["to_low"]) or row["to_low"] <= row["pc_to"] <= row["to_high"]


# Inference


def curves_of(rows: pd.DataFrame, *names: str) -> dict[Any, Pieces]:
    return {key: views.pieces_of(part) for key, part in each(rows, *names)}


def assert_nested(*curves: Pieces) -> None:
    """Each curve lies nowhere above the next one."""
    ends = sorted({end for curve in curves for piece in curve for end in piece[:2]})
    for low, high in pairwise(ends):
        if high - low > CLOSE:
            for part in (0.001, 0.999):
                heights = [views.height(curve, low + part * (high - low)) for curve in curves]
                assert np.diff(heights).min() >= -1e-3 * (high - low) - CLOSE


def test_bands_are_nested_and_at_a_condition_the_interval_of_the_cost_there(
    published: Published, view: View
) -> None:
    table, intervals = published("bands", view.name), published("intervals", view.name)
    assert table["confidence"].eq(views.LEVEL).all()
    assert table["method"].eq(RESAMPLED).all()
    bands = curves_of(table, "model", "extent", "edge")
    assert {model for model, *_ in bands} == {*view.models}
    for model in view.models:
        (low, lowest), (high, highest) = (
            [bands[model, extent, edge] for extent in ("pointwise", "simultaneous")]
            for edge in ("lower", "upper")
        )
        assert_nested(lowest, low, high, highest)
    for row in intervals[intervals["quantity"] == "cost"].to_dict("records"):
        for edge, end in ENDS:
            there = views.height(bands[row["model"], "pointwise", edge], row["pc"])
            assert views.is_close(there, row[end]), row


@pytest.fixture
def differences(view: View) -> dict[Pair, Curve]:
    """Of both families: of all pairs, and with the reference."""
    pairs = [("all pairs", *pair) for pair in combinations(view.models, 2)]
    others = [model for model in view.models if model != REFERENCE]
    pairs += [("reference", model, REFERENCE) for model in others]
    curves = {model: view.headline(model) for model in view.models}
    return {(family, a, b): slow.minus(curves[a], curves[b]) for family, a, b in pairs}


@pytest.fixture
def levels(published: Published, view: View) -> dict[Pair, float]:
    """The level at which each pair's band is read, by Holm's steps over its family."""
    levels: dict[Pair, float] = {}
    for _, rows in each(published("verdicts", view.name).drop_duplicates([*PAIR]), "family"):
        keys = rows[[*PAIR]].itertuples(index=False, name=None)
        by_holm = slow.holm(rows["p_value"].tolist(), views.OF_RANGES)
        levels |= dict(zip(keys, by_holm, strict=True))
    return levels


def test_differences_and_their_bands_at_holms_levels(
    published: Published, view: View, differences: dict[Pair, Curve], levels: dict[Pair, float]
) -> None:
    pairs = dict(each(published("comparisons", view.name), *PAIR))
    if view.can_choose:  # between in-sample curves there need not be verdicts
        assert {*pairs} == {*differences} == {*levels}
    for key, rows in pairs.items():
        lines = dict(each(rows, "line"))
        views.assert_curve(lines["difference"], differences[key], key)
        for name, line in lines.items():
            level = views.LEVEL if name.startswith("pointwise") else levels[key]
            np.testing.assert_allclose(line["confidence"], level, rtol=0, atol=CLOSE, err_msg=name)
        curves = curves_of(rows, "line")
        for extent in ("pointwise", "simultaneous") if view.can_choose else ():
            edges = (curves[f"{extent} {edge}"] for edge, _ in ENDS)
            lower, upper = edges
            assert_nested(lower, curves["difference"], upper)


def test_a_crossing_lies_where_the_band_holds_zero(published: Published, view: View) -> None:
    """Of two models, whose only band is at the level of the study."""
    if len(view.models) > 2 or not view.can_choose:
        return
    lines = curves_of(published("comparisons", view.name), "family", "line")
    lower, upper = (lines["all pairs", f"simultaneous {edge}"] for edge, _ in ENDS)
    crossings = published("crossovers", view.name).query("to_low < to_high")
    assert len(crossings)
    for row in crossings.to_dict("records"):
        assert row["to_low"] <= row["pc_to"] <= row["to_high"]
        for end, step in ((row["to_low"], 1e-7), (row["to_high"], -1e-7)):
            assert views.height(lower, end + step) <= CLOSE
            assert views.height(upper, end + step) >= -CLOSE
            if 0 < end - step < 1:
                assert (
                    max(views.height(lower, end - step), -views.height(upper, end - step)) > -CLOSE
                )


def test_verdicts_follow_from_the_published_bands(
    published: Published, view: View, differences: dict[Pair, Curve], levels: dict[Pair, float]
) -> None:
    bands = curves_of(published("comparisons", view.name), *PAIR, "line")
    instances = len(next(iter(view.models.values())).instances)
    for row in published("verdicts", view.name).to_dict("records"):
        key = row["family"], row["model_a"], row["model_b"]
        views.assert_largest(row, differences[key])
        if not view.can_choose:
            assert (row["finding"], row["reason"]) == ("undecided", views.IN_SAMPLE)
            assert pd.isna([row["p_value"], row["low"], row["high"]]).all()
            continue
        views.assert_ratios(row, view.prior)
        assert_row(row, confidence=levels[key])
        assert (row["familywise"], row["equivalence"]) == (views.OF_RANGES, 0.03)
        assert (row["instances"], row["repeats"], row["folds"]) == (instances, 3, 3)
        lower, upper = edges = [bands[(*key, f"simultaneous {edge}")] for edge, _ in ENDS]
        for (_, end), edge in zip(ENDS, edges, strict=True):
            sides = [views.height(edge, row["at_pc"] + step) for step in (-1e-12, 0, 1e-12)]
            assert any(abs(row[end] - side) < CLOSE for side in sides), (key, row["at_pc"])
        _assert_decided(row, lower, upper)
        assert row["finding"] not in SIGNS or row["projected"] <= instances


def _assert_decided(row: dict[Any, Any], lower: Pieces, upper: Pieces) -> None:
    """Where a model is cheaper the band excludes zero, and at the ends it begins to hold it."""
    low, high, margin = row["pc_from"], row["pc_to"], row["equivalence"]
    inside = [low + part * (high - low) for part in (1e-6, 0.1, 0.5, 0.9, 1 - 1e-6)]
    edges = np.array([[views.height(edge, pc) for pc in inside] for edge in (lower, upper)])
    if row["finding"] == "equivalent":
        assert np.abs(edges).max() <= margin + CLOSE
    if row["finding"] in SIGNS:
        assert (edges[1] < 0).all() if SIGNS[row["finding"]] < 0 else (edges[0] > 0).all()
        for end, beyond in ((low, low - 1e-7), (high, high + 1e-7)):
            if 0 < end < 1:
                below, above = views.height(lower, beyond), views.height(upper, beyond)
                within = max(abs(below), abs(above)) <= margin + 1e-6
                assert below <= CLOSE <= above + 2 * CLOSE or within


def test_who_is_not_ruled_out(published: Published, view: View) -> None:
    """Who is the cheapest follows from the headline curves; who is out costs more than another."""
    table = published("not_ruled_out", view.name)
    curves = {model: view.headline(model) for model in view.models}
    curves["always negative"] = slow.whole(slow.NEGATIVE)
    curves["always positive"] = slow.whole(slow.POSITIVE)
    assert table["decision"].unique().tolist() == [*curves]
    assert table["confidence"].eq(views.OF_RANGES).all()
    assert table["method"].eq(RESAMPLED if view.can_choose else views.IN_SAMPLE).all()
    for row in table.to_dict("records"):
        views.assert_ratios(row, view.prior)
    for low, high in pairwise(sorted({0.0, *table["pc_to"]})):
        pc = (Fraction(low) + Fraction(high)) / 2
        costs = {decision: slow.value(curve, pc) for decision, curve in curves.items()}
        here = table[(table["pc_from"] < pc) & (pc < table["pc_to"])]
        standing = here.groupby("standing", sort=False)["decision"].agg(list).to_dict()
        least = min(costs.values())
        assert standing["cheapest"] == [name for name, cost in costs.items() if cost == least]
        out = standing["ruled out"]
        assert ("always positive" if pc < Fraction(1, 2) else "always negative") in out
        assert view.can_choose or len(out) == 1


def test_what_choices_cost_and_differ_by(published: Published, view: View) -> None:
    keys = ["model_a", "criterion_a", "model_b", "criterion_b"]
    texts = dict.fromkeys([*keys, "condition"], "")
    table = published("choice_intervals", view.name)
    table = table.astype(dict.fromkeys(texts, object)).fillna(texts)
    single: list[tuple[str, str]] = []
    more: list[tuple[str, str]] = []
    for (model, criterion, other, by), rows in each(table, *keys):
        curve = view.hybrid(model, criterion)
        if other:
            assert (other, by) == (model, "cross-fitted")
            curve = slow.minus(curve, view.hybrid(other, by))
        (more if other else single).append((model, criterion))
        expected = {("area", ""): slow.area(curve), ("tec", ""): views.expected_cost(curve)}
        expected |= {("cost", at): slow.value(curve, pc) for at, pc in views.CONDITIONS.items()}
        for row, (kind, value) in zip(rows.to_dict("records"), expected.items(), strict=True):
            assert (row["quantity"], row["condition"]) == kind
            assert_row(row, value=value, pc=views.CONDITIONS.get(kind[1]))
            assert row["low"] <= row["value"] <= row["high"]
            assert (row["confidence"], row["method"]) == (views.LEVEL, RESAMPLED)
    every = product(view.models, views.CRITERIA)
    chosen = [key for key in every if view.applies(*key) and key[1] not in views.LIMITS]
    assert single == chosen
    fitted = [model for model, criterion in chosen if criterion == "cross-fitted"]
    assert more == [key for key in chosen if key[0] in fitted and key[1] != "cross-fitted"]
