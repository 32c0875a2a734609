"""Differences that were fixed beforehand: mean costs, and costs at named conditions."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from costcurves import Comparison, compare_models
from costcurves.pairs.comparisons import Pair, adjusted
from costcurves.stages import subtract

CONDITIONS = [{"name": "dear", "cost_ratio": 6}, {"pc": 0.15}]
LEVEL = 0.8


def compared(**settings: object) -> Comparison:
    """Three models of unlike quality, 1 in 5 positive, in three repeats of four folds."""
    rng = np.random.default_rng(40)
    labels, instance = np.tile((np.arange(130) % 5 == 0).astype(int), 3), np.tile(np.arange(130), 3)
    noise = 0.6 * rng.normal(size=130)[instance]
    skills = {"good": 1.7, "fair": 1.1, "poor": 0.3}
    return compare_models(
        labels,
        {name: by * labels + noise + rng.normal(size=390) for name, by in skills.items()},
        folds=np.concatenate([rng.permutation(130) % 4 for _ in range(3)]),
        repeats=np.repeat([1, 2, 3], 130),
        instance=instance,
        confidence=LEVEL,
        settings={"inference": {"resamples": 700}, **settings},
    )


@pytest.fixture(scope="module")
def named() -> Comparison:
    prior = {"kind": "uniform", "low": 0.1, "high": 0.4}
    return compared(operating_conditions=CONDITIONS, prior=prior)


@pytest.fixture(scope="module")
def pairs(named: Comparison) -> list[Pair]:
    tables = named._tables
    return subtract(tables.study, tables, tables.sizes, tables.resamples)


def of(result: Comparison, quantity: str) -> pd.DataFrame:
    return result.pair_intervals.query(f"quantity == '{quantity}'")


def test_named_costs_share_one_critical_value(named: Comparison, pairs: list[Pair]) -> None:
    """By hand: the largest of all standardized deviations, over pairs and conditions."""
    rows, drawn = of(named, "cost"), named._tables.resamples
    places = dict(zip(rows["condition"], rows["pc"], strict=True))
    assert places == {"dear": pytest.approx(6 / 10), "PC(+) = 0.15": 0.15}
    at = [int(np.flatnonzero(drawn.grid == pc)[0]) for pc in places.values()]
    heights = dict(zip(drawn.models, drawn.heights[:, :, at], strict=True))
    apart = [heights[pair.a] - heights[pair.b] for pair in pairs]
    wide = np.array([pair.resampled.narrow[at] for pair in pairs])
    each = [np.abs(gap - gap.mean(axis=0)) / by for gap, by in zip(apart, wide, strict=True)]
    largest = np.max(each, axis=(0, 2)) / drawn.weights.studentizer
    curves = [named[pair.a].curve - named[pair.b].curve for pair in pairs]
    values = np.array([curve(np.array([*places.values()])) for curve in curves])
    height = np.abs(values / wide).ravel()
    shares = [(1 + np.sum(largest >= name * (1 - 1e-9))) / 701 for name in height]
    alone = 2 * student.sf(height, drawn.weights.dof)
    critical = ((rows["high"] - rows["value"]) / wide.ravel()).to_numpy()
    assert rows["value"].to_numpy() == pytest.approx(values.ravel())
    assert rows["p_value"].to_numpy() == pytest.approx(alone)
    assert rows["adjusted"].to_numpy() == pytest.approx(np.maximum(shares, alone))
    assert critical == pytest.approx(critical[0])
    assert np.mean(largest > critical[0]) <= (1 - LEVEL) / 2
    assert np.mean(largest > critical[0] * 0.97) > (1 - LEVEL) / 2 - 0.02


def test_half_of_the_error_is_for_named_conditions(named: Comparison) -> None:
    """What the adjusted p-value says is decided, and nothing else."""
    unnamed, rows = compared(), named.pair_intervals
    assert set(named.verdicts["familywise"]) == set(named.not_ruled_out["confidence"]) == {0.9}
    assert set(unnamed.verdicts["familywise"]) == {LEVEL}
    assert set(unnamed.pair_intervals["quantity"]) == {"area", "tec"}
    assert rows.groupby("quantity")["familywise"].max().tolist() == [LEVEL, 0.9, LEVEL]
    decided = (rows["low"] > 0) | (rows["high"] < 0)
    assert decided.tolist() == (rows["adjusted"] <= 1 - rows["familywise"] + 1e-9).tolist()
    assert 0 < decided.sum() < len(rows)


RANGES = {"area": (0.0, 1.0), "tec": (0.1, 0.4)}


@pytest.mark.parametrize("quantity", RANGES)
def test_means_are_compared_by_t(named: Comparison, pairs: list[Pair], quantity: str) -> None:
    """By hand: means of the resampled heights, joined by straight lines."""
    rows, drawn, (low, high) = of(named, quantity), named._tables.resamples, RANGES[quantity]
    fine = np.union1d(np.linspace(low, high, 20001), drawn.grid)
    fine = fine[(low <= fine) & (fine <= high)]
    tents = [np.interp(fine, drawn.grid, tent) for tent in np.eye(len(drawn.grid))]
    share = np.trapezoid(tents, fine, axis=1) / (high - low)
    middles, widths = (fine[1:] + fine[:-1]) / 2, np.diff(fine) / (high - low)
    heights = dict(zip(drawn.models, drawn.heights, strict=True))
    p_values = []
    for pair, row in zip(pairs, rows.to_dict("records"), strict=True):
        assert (row["model_a"], row["model_b"]) == (pair.a, pair.b)
        means, value = (heights[pair.a] - heights[pair.b]) @ share, row["value"]
        spread = max(np.std(means, ddof=1), pair.resampled.least @ share)
        curve = named[pair.a].curve - named[pair.b].curve
        assert value == pytest.approx(curve(middles) @ widths, abs=1e-6)
        p_values.append(2 * student.sf(abs(value) / spread, drawn.weights.dof))
        half = student.ppf((1 + row["confidence"]) / 2, drawn.weights.dof) * spread
        ends = value - half, value + half
        assert (row["low"], row["high"]) == pytest.approx(ends, rel=1e-5)
    assert rows["p_value"].tolist() == pytest.approx(p_values, rel=1e-4)
    assert rows["adjusted"].tolist() == pytest.approx(adjusted(p_values), rel=1e-4)


def test_models_that_never_differ_have_a_difference_of_exactly_zero() -> None:
    labels = np.arange(60) % 3 == 0
    scores = np.random.default_rng(2).normal(size=60) + labels
    settings = {"operating_conditions": [{"pc": 0.35}], "inference": {"resamples": 200}}
    models = {"A": scores, "B": scores}
    with pytest.warns(UserWarning, match="the same score for every case"):
        result = compare_models(labels, models, folds=np.arange(60) % 7, settings=settings)
    rows = result.pair_intervals
    assert (rows[["value", "low", "high"]] == 0).all(axis=None)
    assert (rows[["p_value", "adjusted"]] == 1).all(axis=None)
