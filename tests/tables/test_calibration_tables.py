"""The tables of calibration: whose scores they are of, values, intervals and bands."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import costcurves as cc
from costcurves.chance.resampling import generator
from costcurves.ranking.reliability import Forecasts, Redrawn

LEVEL, SEED, COUNT = 0.8, 7, 180
SETTINGS = {"seed": SEED, "inference": {"resamples": 40}}
PARTS = ["brier", "miscalibration", "discrimination", "uncertainty"]


RNG = np.random.default_rng(31)
TRUE = RNG.beta(0.8, 2.2, COUNT)
Y = (RNG.random(COUNT) < TRUE).astype(int)
NOISY = np.round(1 / (1 + np.exp(-RNG.normal(size=COUNT) - 3 * (TRUE - 0.3))), 2)
MODELS = {"true": TRUE, "steep": TRUE**2.5, "noisy": NOISY}


def compared(models: Any = MODELS, times: Any = 1, **more: Any) -> cc.Comparison:
    """What is measured of models on cases, each so many times."""
    rows = np.repeat(np.arange(COUNT), times)
    given = {name: scores[rows] for name, scores in models.items()}
    options: dict[str, Any] = {"settings": SETTINGS, "confidence": LEVEL}
    if np.max(times) == 1:
        options["instance"] = [f"{at:03}" for at in rows]
    return cc.compare_models(Y[rows], given, **options | more)


@pytest.fixture(scope="module")
def usual() -> cc.Comparison:
    return compared()


def forecasts(model: str) -> tuple[Forecasts, Redrawn]:
    made = Forecasts(MODELS[model], Y.astype(float), np.ones(COUNT), np.arange(COUNT))
    return made, made.redrawn(LEVEL, generator(SEED, "comparison", "calibration"))


def test_parts_and_differences_have_intervals_of_their_values(usual: cc.Comparison) -> None:
    """Those of differences hold together; no value below 0 is possible, but of differences."""
    rows = usual.calibration.to_dict("records")
    pairs = [("true", "steep"), ("true", "noisy"), ("steep", "noisy")]
    each = [*((model, "") for model in MODELS), *pairs]
    stated = [(row["model"], row["minus"], row["part"]) for row in rows]
    assert stated == [(*both, part) for both in each for part in PARTS]
    for row in rows:
        minus, part = str(row["minus"]), str(row["part"])
        values, chance, p_value = of_part(str(row["model"]), part)
        level = LEVEL
        if minus:
            others, chance_of_other, _ = of_part(minus, part)
            values, chance = values - others, chance - chance_of_other
            level = 1 - (1 - LEVEL) / 3
        value = values.mean() - chance
        half = stats.t.ppf((1 + level) / 2, COUNT - 1) * stats.sem(values)
        low, high = value - half, value + half
        if not minus:
            low, high = max(low, min(value, 0)), max(high, 0)
        numbers = [row[name] for name in ("by_chance", "low", "value", "high", "p_value")]
        p_value = np.nan if minus else p_value
        expected = [chance, low, value, high, p_value]
        assert numbers == pytest.approx(expected, abs=1e-13, nan_ok=True)
    missed = usual.calibration.query("part == 'miscalibration' and minus == ''").set_index("model")
    assert missed["p_value"]["steep"] < 0.01 < 0.05 < missed["p_value"]["true"]
    assert missed["low"]["steep"] > 0


def of_part(model: str, part: str) -> tuple[np.ndarray, float, float]:
    """What each case adds to a part of a model's score, what of it is chance, and its p-value."""
    made, drawn = forecasts(model)
    gain = drawn.gain if part in ("miscalibration", "discrimination") else 0.0
    p_value = drawn.p_value if part == "miscalibration" else np.nan
    return getattr(made.parts(), part), gain, p_value


def test_lines_are_the_curve_its_band_and_the_scores(usual: cc.Comparison) -> None:
    for model, rows in usual.reliability.groupby("model", sort=False):
        lines = dict(list(rows.groupby("line", sort=False)))
        assert [*lines] == ["curve", "consistent lower", "consistent upper", "scores"]
        scores = lines["scores"]
        assert lines["curve"]["rate"].is_monotonic_increasing
        for line in (lines["curve"], scores):
            assert (line["cases"].sum(), line["positives"].sum()) == (COUNT, Y.sum())
            rate = line["positives"] / line["cases"]
            assert line["rate"].to_numpy() == pytest.approx(rate.to_numpy(), nan_ok=True)
        counted, edges = np.histogram(MODELS[str(model)], np.arange(21) / 20)
        ends = np.column_stack([counted, edges[:-1], edges[1:]])
        assert scores[["cases", "score_from", "score_to"]].to_numpy().tolist() == ends.tolist()
        drawn = forecasts(str(model))[1]
        for edge, rates in (("lower", drawn.low), ("upper", drawn.high)):
            expected = np.column_stack([rates, drawn.score, drawn.score])
            band = lines[f"consistent {edge}"][["rate", "score_from", "score_to"]]
            assert band.to_numpy().tolist() == expected.tolist()


@pytest.mark.parametrize("apart", ["groups", "sample_weight"])
def test_cases_that_count_together_or_differently_have_no_bands(apart: str) -> None:
    values = np.arange(COUNT) // 2 if apart == "groups" else 1 + np.arange(COUNT) % 3
    other = compared(**{apart: values})
    assert {*other.reliability["line"]} == {"curve", "scores"}
    assert other.calibration["p_value"].isna().all()
    assert other.calibration["low"].notna().all()


def test_cases_that_weigh_nothing_change_nothing() -> None:
    """Their scores are as distinct as those of others, so that nothing is left of some."""
    weight = np.random.default_rng(2).choice([0.0, 1.0, 2.0], COUNT)
    some = weight > 0
    every = compared(sample_weight=weight)
    other = compared(times=some.astype(int), sample_weight=weight[some])
    pd.testing.assert_frame_equal(every.calibration, other.calibration)
    pd.testing.assert_frame_equal(every.reliability, other.reliability)
    assert every.calibration["value"].notna().all()


def test_clusters_widen_intervals_where_their_cases_are_alike() -> None:
    widths = []
    for clusters in (None, np.repeat(np.arange(COUNT), 2)):
        other = compared(times=2, groups=clusters)
        rows = other.calibration.query("part == 'brier' and minus == ''")
        widths.append((rows["high"] - rows["low"]).to_numpy())
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(2), rel=0.02)


TAKEN: list[tuple[Any, dict[str, Any], set[str]]] = [
    ({"wide": 3 * TRUE, "rule": TRUE > 0.4, "true": TRUE}, {}, {"true"}),
    ({"below": TRUE - 0.1}, {}, set()),
    ({"sure": np.where(np.arange(COUNT) % 3 == 0, 1.0 - Y, Y)}, {}, {"sure"}),
    (MODELS, {"costs": 1 + np.arange(COUNT) % 5}, set()),
]


@pytest.mark.parametrize(("models", "more", "taken"), TAKEN)
def test_only_scores_in_0_to_1_are_probabilities(models: Any, more: Any, taken: set[str]) -> None:
    """Nor are there any where cases count by their costs."""
    other = compared(models, **more)
    assert {*other.calibration["model"]} == {*other.reliability["model"]} == taken
