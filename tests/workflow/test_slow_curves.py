"""Curves and numbers of the asymmetric study's tables, recomputed from its raw rows.

What the oracle of reports recomputes (`test_oracle`) is not looked at again.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from tests.oracle import slow_study as slow
from tests.oracle.slow_study import Candidate, Curve, Line, Rows
from tests.oracle.slow_views import (
    CONDITIONS,
    CRITERIA,
    IN_SAMPLE,
    LIMITS,
    Published,
    View,
    assert_close,
    assert_curve,
    assert_largest,
    assert_ratios,
    each,
    expected_cost,
    is_close,
    text,
)


def test_the_second_implementation_shares_no_code_with_the_package() -> None:
    assert "costcurves" not in Path(slow.__file__).read_text(encoding="utf-8")


def test_lower_envelopes_are_minima_over_all_thresholds(published: Published, view: View) -> None:
    table = published("envelopes", view.name)
    count = 0
    for (model, level), of_level in each(table, "model", "level"):
        curves = dict(list(each(of_level.fillna({"repeat": "", "fold": ""}), "repeat", "fold")))
        for rows in view.curves(model, level):
            first = rows.rows[0]
            names = {"fold": (first.repeat, first.fold), "repeat": (first.repeat, "")}
            key = names.get(level, ("", ""))
            assert_curve(curves[key], rows.envelope, (model, level, key))
            count += len(curves[key])
    assert count == len(table)


def test_averages_in_cost_space(published: Published, view: View) -> None:
    table = published("averages", view.name)
    table = table[table["method"] == "cost-space"]
    keys = [key for key, _ in each(table, "model", "level")]
    assert len(keys) == 3 * len(view.models)
    for (model, level), rows in each(table, "model", "level"):
        assert_curve(rows, view.average(model, level), (model, level))
        assert set(rows["curves"]) == {len(view.curves(model, level))}
        assert set(rows["estimate"]) == {IN_SAMPLE}


def test_averages_of_roc_curves_and_what_they_cost(published: Published, view: View) -> None:
    """Of hulls at each FP and at each TP, of points by threshold, and of all counts together."""
    table, averages = published("roc", view.name), published("averages", view.name)
    for (model, method), rows in each(table, "model", "method"):
        curves = view.curves(model, "fold")
        points = zip(map(Fraction, rows["fp"]), map(Fraction, rows["tp"]), strict=True)
        vertices = [*points]
        _assert_polyline(vertices, _roc(view.models[model], curves, method), (model, method))
        assert set(rows["curves"]) == {len(curves)}
        assert set(rows["level"]) == {"fold"}
        lines = [Line(fp, 1 - tp) for fp, tp in vertices]
        cost = slow.envelope([*lines, slow.NEGATIVE, slow.POSITIVE])
        average = averages[(averages["model"] == model) & (averages["method"] == method)]
        assert_curve(average, cost, (model, method))


Vertices = list[tuple[Fraction, Fraction]]


def _roc(rows: Rows, curves: Sequence[Rows], method: str) -> Vertices:
    hulls = [curve.hull for curve in curves]
    if method == "vertical":
        return [(slow.ZERO, slow.ZERO), *_mean_heights(hulls)]
    if method == "horizontal":
        turned = [[(1 - tp, 1 - fp) for fp, tp in reversed(hull)] for hull in hulls]
        by_tn = reversed(_mean_heights(turned))
        return [*((1 - other, 1 - tn) for tn, other in by_tn), (slow.ONE, slow.ONE)]
    members: list[Vertices] = []
    for key, classifier in rows.classifiers.items():
        values = sorted({row.value for row in classifier.rows}, reverse=True)
        thresholds = [math.inf, 1.0, 0.0] if key[1] else [math.inf, *values]
        averaged = curves if method == "threshold" else [rows]
        points = []
        for at in thresholds:
            fps, tps = zip(*(curve.point(Candidate(key, at)) for curve in averaged), strict=True)
            points.append((slow.mean(fps), slow.mean(tps)))
        members.append(points)
    if len(members) == 1:
        return members[0]
    return slow.hull(point for member in members for point in member)


def _mean_heights(hulls: Sequence[Vertices]) -> Vertices:
    places = sorted({x for hull in hulls for x, _ in hull})
    return [(x, slow.mean(slow.heights_of_hull(hull, x) for hull in hulls)) for x in places]


def _assert_polyline(given: Vertices, expected: Vertices, what: Any) -> None:
    """Compare by the lengths along which x + y grows: both run from (0, 0) to (1, 1)."""
    line, other = ([(float(x), float(y)) for x, y in vertices] for vertices in (given, expected))
    sums = sorted({x + y for x, y in [*line, *other]})
    for place in [*sums, *((low + high) / 2 for low, high in pairwise(sums))]:
        assert_close(_along(line, place), _along(other, place), (what, place))


def _along(vertices: list[tuple[float, float]], place: float) -> float:
    """The abscissa of a rising polyline where x + y is at a place."""
    for (x0, y0), (x1, y1) in pairwise(vertices):
        if x0 + y0 <= place <= x1 + y1 and x0 + y0 < x1 + y1:
            return x0 + (x1 - x0) * (place - x0 - y0) / (x1 + y1 - x0 - y0)
    return vertices[0][0] if place <= sum(vertices[0]) else vertices[-1][0]


def test_every_selection_criterion(published: Published, view: View) -> None:
    table = published("hybrids", view.name)
    expected = [
        (model, criterion)
        for model in view.models
        for criterion in CRITERIA
        if view.applies(model, criterion)
    ]
    hybrids = dict(list(each(table, "model", "criterion")))
    assert sorted(hybrids) == sorted(expected)
    for (model, criterion), rows in hybrids.items():
        assert_curve(rows, view.hybrid(model, criterion), (model, criterion))
        assert set(rows["estimate"]) == {view.estimate(criterion)}
        assert set(rows["curves"]) == {len(view.curves(model, "fold"))}


def test_what_criteria_cost_and_regret(published: Published, view: View) -> None:
    table = published("criteria", view.name)
    assert len(table) == len(view.models) * len(CRITERIA)
    for model, rows in each(table, "model"):
        assert rows["criterion"].tolist() == CRITERIA
        usable = {}
        for row in rows.to_dict("records"):
            criterion = row["criterion"]
            assert row["applies"] == view.applies(model, criterion)
            assert bool(text(row["reason"])) != row["applies"]
            assert row["estimate"] == view.estimate(criterion)
            if not row["applies"]:
                assert math.isnan(row["area"])
                continue
            curve = view.hybrid(model, criterion)
            assert_close(row["area"], slow.area(curve))
            assert_close(row["tec"], expected_cost(curve))
            if row["estimate"] != IN_SAMPLE and criterion not in LIMITS:
                usable[criterion] = expected_cost(curve)
            _assert_regret(row, curve, view, model)
            worse = slow.ranges(curve, 1)
            assert_close(row["worse_than_trivial_from"], worse[0][0] if worse else None)
            assert_close(row["worse_than_trivial_to"], worse[-1][1] if worse else None)
            share = sum((high - low for low, high in worse), slow.ZERO)
            assert_close(row["worse_than_trivial_share"], share)
        best = [min(usable, key=lambda name: usable[name])] if usable else []
        assert rows.loc[rows["best"], "criterion"].tolist() == best


def _assert_regret(row: dict[Any, Any], curve: Curve, view: View, model: str) -> None:
    if not view.can_choose:
        assert math.isnan(row["regret"])
        return
    more = slow.minus(curve, view.hybrid(model, "cross-fitted"))
    assert_close(row["regret"], slow.area(more))
    assert_close(row["regret_tec"], expected_cost(more))
    _assert_highest(more, row["largest_regret_pc"], row["largest_regret"])


def _assert_highest(curve: Curve, at: float, largest: float) -> None:
    heights = slow.heights(curve)
    assert_close(largest, max(height for _, height in heights))
    assert any(is_close(at, pc) and is_close(largest, height) for pc, height in heights)


def test_what_is_to_serve_from_now_on(published: Published, view: View) -> None:
    for model, rows in each(published("deployment", view.name), "model"):
        serving = slow.deployed(view.models[model])
        assert len(rows) == len(serving)
        lowest = min(candidate.threshold for candidate in view.models[model].candidates)
        for row, (piece, candidate) in zip(rows.to_dict("records"), serving, strict=True):
            assert_close(row["pc_from"], piece.low)
            assert_close(row["pc_to"], piece.high)
            member, decides = candidate.key
            everybody = candidate.threshold == lowest and not decides
            assert text(row["member"]) == (member if decides else "")
            if decides:
                assert math.isnan(row["threshold"])
            else:
                assert row["threshold"] == (-math.inf if everybody else candidate.threshold)
            assert row["holder"] == _words(candidate, everybody=everybody)


def _words(candidate: Candidate, *, everybody: bool) -> str:
    member, decides = candidate.key
    if candidate.threshold == math.inf or everybody:
        return "always positive" if everybody else "always negative"
    if decides:
        return f"member {member}" if member else "decision"
    return _threshold_in_words(candidate.threshold)


def _threshold_in_words(threshold: float) -> str:
    return f"threshold {threshold + 0:.4g}".replace("-", "\N{MINUS SIGN}")


def test_headline_curves(published: Published, view: View) -> None:
    table = published("headline", view.name)
    assert {model for model, _ in each(table, "model")} == set(view.models)
    for model, rows in each(table, "model"):
        assert_curve(rows, view.headline(model), model)
        assert set(rows["estimate"]) == {view.headline_estimate(model)}


def test_measures_of_every_model(published: Published, view: View) -> None:
    """But those that the oracle of reports recomputes."""
    table = published("measures", view.name)
    headline = table[table["headline"]]
    assert sorted(headline["model"]) == sorted(view.models)
    for row in table.to_dict("records"):
        model, level = row["model"], row["level"]
        in_sample = row["estimate"] == IN_SAMPLE
        curve = view.average(model, level) if in_sample else view.headline(model)
        assert row["headline"] == (
            row["estimate"] == view.headline_estimate(model) and level == "fold"
        )
        _assert_highest(curve, row["largest_pc"], row["largest_nec"])
        curves, rows = view.curves(model, level), view.models[model]
        ranks = rows.keys == [("", False)]
        assert row["curves"] == len(curves)
        assert row["points"] == sum(len(part.operating_points) for part in curves)
        assert_close(row["auch"], slow.mean(slow.trapezoids(part.hull) for part in curves))
        probabilities = ranks and all(0 <= row.value <= 1 for row in rows.rows)
        assert_close(row["brier"], slow.brier(rows) if probabilities else None)
        assert row["repeats"] == len(rows.repeats) == 3
        assert row["folds"] == max(len(repeat.folds) for repeat in rows.repeats)
        assert_close(row["prior"], view.prior)


def test_the_conditions_in_both_spaces(published: Published, view: View) -> None:
    table = published("duality", view.name)
    assert list(dict.fromkeys(table["condition"])) == list(CONDITIONS)
    assert len(table) == len(CONDITIONS) * len(view.models)
    for row in table.to_dict("records"):
        pc, rows = CONDITIONS[row["condition"]], view.models[row["model"]]
        nec = slow.value(rows.envelope, pc)
        assert_close(row["pc"], pc)
        assert_close(row["cost_ratio"], slow.ratio(pc, view.prior))
        assert_close(row["nec"], nec)
        assert_close(row["slope"], (1 - pc) / pc)
        assert_close(row["intercept"], 1 - nec / pc)
        assert_close(row["fp"] * float(1 - pc) + (1 - row["tp"]) * float(pc), nec)
        served = [*rows.operating_points, slow.NOBODY, slow.EVERYBODY]
        if not math.isnan(row["threshold"]):
            served = [Candidate(("", False), row["threshold"])]
            assert row["holder"] == _threshold_in_words(row["threshold"])
        points = [rows.point(point) for point in served]
        assert any(is_close(row["fp"], fp) and is_close(row["tp"], tp) for fp, tp in points)


def test_crossovers_and_their_cost_ratios(published: Published, view: View) -> None:
    table = published("crossovers", view.name)
    pairs = dict(list(each(table, "model_a", "model_b")))
    models = [*map(frozenset, pairs)]
    assert {*models} == {*map(frozenset, combinations(view.models, 2))}
    for (a, b), rows in pairs.items():
        difference = slow.minus(view.headline(a), view.headline(b))
        expected = slow.signs(difference)
        assert len(rows) == len(expected)
        for row, (low, high, sign) in zip(rows.to_dict("records"), expected, strict=True):
            assert row["cheaper"] == {-1: a, 0: "equal", 1: b}[sign]
            assert_close(row["pc_from"], low)
            assert_close(row["pc_to"], high)
            assert_ratios(row, view.prior)
            assert_largest(row, difference)
            assert math.isnan(row["to_low"]) or row["to_low"] <= row["pc_to"] <= row["to_high"]
