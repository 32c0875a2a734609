"""Curves and numbers of the asymmetric study's tables, recomputed from its raw rows.

What the oracle of reports recomputes (`test_oracle`) is not compared again.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.oracle import recompute
from tests.oracle import slow_study as slow
from tests.oracle import slow_views as views
from tests.oracle.slow_study import Candidate, Curve, Line, Point, Rows
from tests.oracle.slow_views import Published, View, assert_curve, assert_row, each, is_close


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
    assert is_close(largest, max(height for _, height in heights))
    assert any(is_close(at, pc) and is_close(largest, height) for pc, height in heights)


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
        assert is_close(row["fp"] * float(1 - pc) + (1 - row["tp"]) * float(pc), nec)
        served = [*rows.operating_points, slow.NOBODY, slow.EVERYBODY]
        if not math.isnan(row["threshold"]):
            served = [Candidate(("", False), row["threshold"])]
            assert row["holder"] == _in_words(row["threshold"])
        points = [rows.point(point) for point in served]
        assert any(is_close(row["fp"], fp) and is_close(row["tp"], tp) for fp, tp in points)


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
