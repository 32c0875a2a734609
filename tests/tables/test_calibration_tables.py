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


def rig() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(31)
    true = rng.beta(0.8, 2.2, COUNT)
    y = (rng.random(COUNT) < true).astype(int)
    noisy = 1 / (1 + np.exp(-rng.normal(size=COUNT) - 3 * (true - 0.3)))
    return y, {"true": true, "steep": true**2.5, "noisy": np.round(noisy, 2)}


Y, MODELS = rig()


def compared(models: Any = MODELS, **more: Any) -> cc.Comparison:
    names = [f"case {at:03}" for at in range(COUNT)]
    options: dict[str, Any] = {"settings": SETTINGS, "confidence": LEVEL, "instance": names}
    return cc.compare_models(Y, models, **{**options, **more})


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
    alone = [(model, "") for model in MODELS]
    assert [(row["model"], row["minus"], row["part"]) for row in rows] == [
        (*both, part) for both in alone + pairs for part in PARTS
    ]
    for row in rows:
        model, minus, part = str(row["model"]), str(row["minus"]), str(row["part"])
        (model_forecasts, drawn), level = forecasts(model), LEVEL
        values, chance = getattr(model_forecasts.parts(), part), drawn.gain
        if minus:
            (other, drawn_other), level = forecasts(minus), 1 - (1 - LEVEL) / 3
            values, chance = values - getattr(other.parts(), part), chance - drawn_other.gain
        chance *= part in ("miscalibration", "discrimination")
        value = values.mean() - chance
        half = stats.t.ppf((1 + level) / 2, COUNT - 1) * stats.sem(values)
        low, high = value - half, value + half
        if not minus:
            low, high = max(low, min(value, 0)), max(high, 0)
        stated = [row[name] for name in ("by_chance", "low", "value", "high")]
        assert stated == pytest.approx([chance, low, value, high], abs=1e-13)
        if part == "miscalibration" and not minus:
            assert row["p_value"] == drawn.p_value
        else:
            assert np.isnan(row["p_value"])


def test_scores_far_from_rates_are_told_from_probabilities(usual: cc.Comparison) -> None:
    rows = usual.calibration.query("part == 'miscalibration' and minus == ''").set_index("model")
    assert rows["p_value"]["true"] > 0.05
    assert rows["p_value"]["steep"] < 0.01
    assert rows["low"]["steep"] > 0


def test_lines_are_the_curve_its_band_and_the_scores(usual: cc.Comparison) -> None:
    for model, rows in usual.reliability.groupby("model", sort=False):
        assert [*rows["line"].unique()] == [
            *("curve", "consistent lower", "consistent upper", "scores")
        ]
        curve, scores = (rows[rows["line"] == line] for line in ("curve", "scores"))
        assert curve["rate"].is_monotonic_increasing
        for line in (curve, scores):
            assert (line["cases"].sum(), line["positives"].sum()) == (COUNT, Y.sum())
            rate = line["positives"] / line["cases"]
            assert line["rate"].to_numpy() == pytest.approx(rate.to_numpy(), nan_ok=True)
        counted, edges = np.histogram(MODELS[str(model)], np.arange(21) / 20)
        assert scores["cases"].tolist() == counted.tolist()
        assert scores["score_from"].tolist() == edges[:-1].tolist()
        assert scores["score_to"].tolist() == edges[1:].tolist()
        drawn = forecasts(str(model))[1]
        for edge, ends in (("lower", drawn.low), ("upper", drawn.high)):
            band = rows[rows["line"] == f"consistent {edge}"]
            assert band["rate"].tolist() == ends.tolist()
            assert band["score_from"].tolist() == band["score_to"].tolist() == drawn.score.tolist()


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
    every, some = (
        cc.compare_models(
            Y[rows],
            {name: scores[rows] for name, scores in MODELS.items()},
            sample_weight=weight[rows],
            instance=np.arange(COUNT)[rows],
            settings=SETTINGS,
        )
        for rows in (weight >= 0, weight > 0)
    )
    pd.testing.assert_frame_equal(every.calibration, some.calibration)
    pd.testing.assert_frame_equal(every.reliability, some.reliability)
    assert every.calibration["value"].notna().all()


def test_clusters_widen_intervals_where_their_cases_are_alike() -> None:
    twice = {name: np.repeat(scores, 2) for name, scores in MODELS.items()}
    widths = []
    for clusters in (None, np.repeat(np.arange(COUNT), 2)):
        other = cc.compare_models(np.repeat(Y, 2), twice, settings=SETTINGS, groups=clusters)
        rows = other.calibration.query("part == 'brier' and minus == ''")
        widths.append((rows["high"] - rows["low"]).to_numpy())
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(2), rel=0.02)


@pytest.mark.parametrize(
    ("models", "more", "taken"),
    [
        (
            {"wide": 3 * MODELS["true"], "rule": MODELS["true"] > 0.4, "true": MODELS["true"]},
            {},
            {"true"},
        ),
        ({"below": MODELS["true"] - 0.1}, {}, set()),
        ({"rule": MODELS["true"] > 0.4}, {}, set()),
        ({"sure": np.where(np.arange(COUNT) % 3 == 0, 1.0 - Y, Y)}, {}, {"sure"}),
        (MODELS, {"costs": 1 + np.arange(COUNT) % 5}, set()),
    ],
)
def test_only_scores_in_0_to_1_are_probabilities(models: Any, more: Any, taken: set[str]) -> None:
    """Nor are there any where cases count by their costs."""
    other = compared(models, **more)
    assert {*other.calibration["model"]} == {*other.reliability["model"]} == taken
