"""Differences that were fixed beforehand: mean costs, and costs at named conditions."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

import costcurves
from costcurves.pairs.comparisons import Pair, adjusted
from costcurves.stages import subtract

CONDITIONS = [{"name": "dear", "cost_ratio": 6}, {"pc": 0.15}]
LEVEL = 0.8


def compared(**settings: object) -> costcurves.Comparison:
    """Three models of unlike quality, 1 in 5 positive, in three repeats of four folds."""
    rng = np.random.default_rng(40)
    once = (np.arange(130) % 5 == 0).astype(int)
    labels, repeats = np.tile(once, 3), np.repeat([1, 2, 3], 130)
    case = np.tile(rng.normal(size=130), 3)
    scores = {
        name: distance * labels + 0.6 * case + rng.normal(size=390)
        for name, distance in (("good", 1.7), ("fair", 1.1), ("poor", 0.3))
    }
    return costcurves.compare_models(
        labels,
        scores,
        folds=np.concatenate([rng.permutation(130) % 4 for _ in range(3)]),
        repeats=repeats,
        instance=np.tile(np.arange(130), 3),
        confidence=LEVEL,
        settings={"inference": {"resamples": 700}, **settings},
    )


@pytest.fixture(scope="module")
def named() -> costcurves.Comparison:
    return compared(operating_conditions=CONDITIONS)


def pairs_of(each: costcurves.Comparison) -> list[Pair]:
    tables = each._tables
    return subtract(tables.study, tables, tables.sizes, tables.resamples)


def of(table: pd.DataFrame, quantity: str, a: str, b: str) -> dict[str, float]:
    """Give the one row of a quantity and pair."""
    part = table[(table["quantity"] == quantity) & (table["model_a"] == a)]
    (row,) = part[part["model_b"] == b].to_dict("records")
    return {str(name): value for name, value in row.items()}


def test_costs_at_named_conditions_share_one_critical_value(
    named: costcurves.Comparison,
) -> None:
    """By hand: the largest of all standardized deviations, over pairs and conditions."""
    result = named
    rows = result.pair_intervals
    rows = rows[rows["quantity"] == "cost"]
    drawn = result._tables.resamples
    places = dict(zip(rows["condition"], rows["pc"], strict=True))
    assert places == {"dear": pytest.approx(6 / 10), "PC(+) = 0.15": 0.15}
    at = [int(np.flatnonzero(drawn.grid == pc)[0]) for pc in places.values()]
    heights = dict(zip(drawn.models, drawn.heights[:, :, at], strict=True))
    pairs = list(combinations(drawn.models, 2))
    wide = {(pair.a, pair.b): pair.resampled.narrow[at] for pair in pairs_of(result)}
    each = []
    for a, b in pairs:
        apart = heights[a] - heights[b]
        each.append(np.abs(apart - apart.mean(axis=0)) / wide[a, b])
    largest = np.max(each, axis=(0, 2)) / drawn.weights.studentizer
    for a, b in pairs:
        part = rows[(rows["model_a"] == a) & (rows["model_b"] == b)]
        values = (result[a].curve - result[b].curve)(np.array([*places.values()]))
        assert part["value"].to_numpy() == pytest.approx(values)
        height = np.abs(values) / wide[a, b]
        expected = [(1 + np.sum(largest >= name * (1 - 1e-9))) / 701 for name in height]
        least = 2 * student.sf(height, drawn.weights.dof)
        assert part["p_value"].to_numpy() == pytest.approx(least)
        assert part["adjusted"].to_numpy() == pytest.approx(np.maximum(expected, least))
        half = part["high"] - part["value"]
        critical = (half / wide[a, b]).to_numpy()
        assert critical == pytest.approx(critical[0])
        assert np.mean(largest > critical[0]) <= (1 - LEVEL) / 2
        assert np.mean(largest > critical[0] * 0.97) > (1 - LEVEL) / 2 - 0.02
    assert set(rows["familywise"]) == {0.9}


def test_half_of_the_error_is_for_named_conditions(named: costcurves.Comparison) -> None:
    unnamed = compared()
    assert set(named.verdicts["familywise"]) == {0.9}
    assert set(unnamed.verdicts["familywise"]) == {LEVEL}
    assert set(named.not_ruled_out["confidence"]) == {0.9}
    assert set(unnamed.pair_intervals["quantity"]) == {"area", "tec"}


def test_mean_costs_are_compared_by_students_t() -> None:
    """By hand: means of the resampled heights, joined by straight lines."""
    result = compared(prior={"kind": "uniform", "low": 0.1, "high": 0.4})
    table = result.pair_intervals
    drawn = result._tables.resamples
    leasts = {(pair.a, pair.b): pair.resampled.least for pair in pairs_of(result)}
    for quantity, low, high in (("area", 0.0, 1.0), ("tec", 0.1, 0.4)):
        fine = np.union1d(np.linspace(low, high, 20001), drawn.grid)
        fine = fine[(low <= fine) & (fine <= high)]
        p_values = []
        pairs = list(combinations(drawn.models, 2))
        for a, b in pairs:
            row = of(table, quantity, a, b)
            first, other = (drawn.heights[drawn.models.index(name)] for name in (a, b))
            means = [
                np.trapezoid(np.interp(fine, drawn.grid, name), fine) / (high - low)
                for name in first - other
            ]
            least = np.interp(fine, drawn.grid, leasts[a, b])
            floor = np.trapezoid(least, fine) / (high - low)
            spread, value = max(np.std(means, ddof=1), floor), row["value"]
            curve = result[a].curve - result[b].curve
            middles = (fine[1:] + fine[:-1]) / 2
            assert value == pytest.approx(
                np.sum(curve(middles) * np.diff(fine)) / (high - low), abs=1e-6
            )
            p_values.append(2 * student.sf(abs(value) / spread, drawn.weights.dof))
            assert row["p_value"] == pytest.approx(p_values[-1], rel=1e-4)
            half = student.ppf((1 + row["confidence"]) / 2, drawn.weights.dof) * spread
            assert (row["low"], row["high"]) == pytest.approx(
                (value - half, value + half), rel=1e-5
            )
        got = [of(table, quantity, a, b)["adjusted"] for a, b in pairs]
        assert got == pytest.approx(adjusted(p_values), rel=1e-4)
    area, tec = (
        table.loc[table["quantity"] == name, "value"].to_numpy() for name in ("area", "tec")
    )
    assert not np.allclose(area, tec)


def test_a_difference_is_decided_just_where_its_adjusted_p_value_says_so(
    named: costcurves.Comparison,
) -> None:
    rows = named.pair_intervals
    decided = (rows["low"] > 0) | (rows["high"] < 0)
    assert decided.tolist() == (rows["adjusted"] <= 1 - rows["familywise"] + 1e-9).tolist()
    assert 0 < decided.sum() < len(rows)


def test_models_that_never_differ_have_a_difference_of_exactly_zero() -> None:
    labels = np.arange(60) % 3 == 0
    scores = np.random.default_rng(2).normal(size=60) + labels
    with pytest.warns(UserWarning, match="the same score for every case"):
        result = costcurves.compare_models(
            labels,
            {"A": scores, "B": scores},
            folds=np.arange(60) % 7,
            settings={"operating_conditions": [{"pc": 0.35}], "inference": {"resamples": 200}},
        ).pair_intervals
    assert isinstance(result, pd.DataFrame)
    assert (result[["value", "low", "high"]] == 0).all(axis=None)
    assert (result[["p_value", "adjusted"]] == 1).all(axis=None)
