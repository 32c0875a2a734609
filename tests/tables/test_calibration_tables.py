"""The tables of calibration: whose scores they are of, values, intervals, bands, and the figure."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import costcurves as cc
from costcurves.chance.resampling import generator
from costcurves.ranking.reliability import Forecasts

LEVEL, SEED = 0.8, 7
SETTINGS = {"seed": SEED, "inference": {"resamples": 40}}
PARTS = ["brier", "miscalibration", "discrimination", "uncertainty"]
BANDS = ["consistent lower", "consistent upper"]


def rig(count: int = 180) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(31)
    true = rng.beta(0.8, 2.2, count)
    y = (rng.random(count) < true).astype(int)
    noisy = 1 / (1 + np.exp(-rng.normal(size=count) - 3 * (true - 0.3)))
    return y, {"true": true, "steep": true**2.5, "noisy": np.round(noisy, 2)}


def compared(**more: Any) -> cc.Comparison:
    y, models = rig()
    names = [f"case {at:03}" for at in range(len(y))]
    known = {"settings": SETTINGS, "confidence": LEVEL, "instance": names}
    return cc.compare_models(y, models, **{**known, **more})


def by_curve(found: cc.Comparison) -> dict[tuple[str, str, str], dict[Any, Any]]:
    """The rows by model, the one that is subtracted, and part."""
    rows = found.calibration.to_dict("records")
    return {(row["model"], row["minus"], row["part"]): row for row in rows}


@pytest.fixture(scope="module")
def found() -> cc.Comparison:
    return compared()


def test_parts_add_up_and_are_those_of_all_predictions(found: cc.Comparison) -> None:
    y, models = rig()
    alone = found.calibration[found.calibration["minus"] == ""]
    assert [*alone["model"].unique()] == [*models]
    for model, rows in alone.groupby("model"):
        value = dict(zip(rows["part"], rows["value"], strict=True))
        own = Forecasts(models[str(model)], y.astype(float), np.ones(len(y)), np.arange(len(y)))
        expected = {part: float(np.mean(each)) for part, each in own.parts()._asdict().items()}
        for part in ("miscalibration", "discrimination"):
            (chance,) = rows.loc[rows["part"] == part, "by_chance"]
            expected[part] -= chance
        assert value == pytest.approx(expected, abs=1e-14)
        sum_of_parts = value["miscalibration"] - value["discrimination"] + value["uncertainty"]
        assert value["brier"] == pytest.approx(sum_of_parts)


def test_intervals_are_of_their_values(found: cc.Comparison) -> None:
    y, models = rig()
    rows = by_curve(found)
    cases = np.arange(len(y))
    for model, score in models.items():
        own = Forecasts(score, y.astype(float), np.ones(len(y)), cases)
        drawn = own.redrawn(LEVEL, generator(SEED, "comparison", "calibration"))
        for part, values in own.parts()._asdict().items():
            row = rows[model, "", part]
            gain = drawn.gain if part in ("miscalibration", "discrimination") else 0.0
            assert row["by_chance"] == pytest.approx(gain)
            low, high = stats.t.interval(LEVEL, len(y) - 1, values.mean() - gain, stats.sem(values))
            value = values.mean() - gain
            said, ends = (row["low"], row["value"], row["high"]), (max(low, min(value, 0)), value)
            assert said == pytest.approx((*ends, max(high, 0)), abs=1e-13)
        assert rows[model, "", "miscalibration"]["p_value"] == drawn.p_value
    others = [row["p_value"] for (*_, part), row in rows.items() if part != "miscalibration"]
    assert np.isnan(others).all()


def test_differences_are_paired_and_hold_together(found: cc.Comparison) -> None:
    y, models = rig()
    rows = by_curve(found)
    both = [("true", "steep"), ("true", "noisy"), ("steep", "noisy")]
    assert [*dict.fromkeys((a, b) for a, b, _ in rows if b)] == both
    parts = {
        name: Forecasts(score, y.astype(float), np.ones(len(y)), np.arange(len(y))).parts()
        for name, score in models.items()
    }
    for a, b in both:
        for part in PARTS:
            row = rows[a, b, part]
            apart = getattr(parts[a], part) - getattr(parts[b], part)
            of_a, of_b = (rows[name, "", part]["by_chance"] for name in (a, b))
            chance = of_a - of_b
            half = stats.t.ppf(1 - (1 - LEVEL) / 6, len(y) - 1) * stats.sem(apart)
            value = apart.mean() - chance
            assert row["value"] == pytest.approx(value, abs=1e-14)
            assert (row["low"], row["high"]) == pytest.approx((value - half, value + half))


def test_scores_far_from_rates_are_told_from_probabilities(found: cc.Comparison) -> None:
    rows = by_curve(found)
    true, steep = (rows[name, "", "miscalibration"] for name in ("true", "steep"))
    assert true["p_value"] > 0.05
    assert steep["p_value"] < 0.01
    assert steep["low"] > 0


def test_lines_are_the_curve_its_band_and_the_scores(found: cc.Comparison) -> None:
    y, models = rig()
    for model, rows in found.reliability.groupby("model", sort=False):
        assert [*rows["line"].unique()] == ["curve", *BANDS, "scores"]
        curve, scores = (rows[rows["line"] == line] for line in ("curve", "scores"))
        assert curve["rate"].is_monotonic_increasing
        assert (curve["cases"].sum(), curve["positives"].sum()) == (len(y), y.sum())
        assert (scores["cases"].sum(), scores["positives"].sum()) == (len(y), y.sum())
        counted, edges = np.histogram(models[str(model)], np.arange(21) / 20)
        assert scores["cases"].tolist() == counted.tolist()
        assert scores["score_from"].tolist() == edges[:-1].tolist()


@pytest.mark.parametrize("apart", ["groups", "sample_weight"])
def test_cases_that_count_together_or_differently_have_no_bands(apart: str) -> None:
    values = np.arange(180) // 2 if apart == "groups" else 1 + np.arange(180) % 3
    other = compared(**{apart: values})
    assert {*other.reliability["line"]} == {"curve", "scores"}
    assert other.calibration["p_value"].isna().all()
    assert other.calibration["low"].notna().all()


def test_cases_that_weigh_nothing_change_nothing() -> None:
    """Their scores are as distinct as those of others, so that nothing is left of some."""
    y, models = rig()
    weight = np.random.default_rng(2).choice([0.0, 1.0, 2.0], len(y))
    every, some = (
        cc.compare_models(
            y[of],
            {name: own[of] for name, own in models.items()},
            sample_weight=weight[of],
            instance=np.arange(len(y))[of],
            settings=SETTINGS,
        )
        for of in (weight >= 0, weight > 0)
    )
    pd.testing.assert_frame_equal(every.calibration, some.calibration)
    pd.testing.assert_frame_equal(every.reliability, some.reliability)
    assert every.calibration["value"].notna().all()


def test_clusters_widen_intervals_where_their_cases_are_alike() -> None:
    y, models = rig()
    twice = {name: np.repeat(score, 2) for name, score in models.items()}
    unit = np.repeat(np.arange(len(y)), 2)
    both = (
        cc.compare_models(np.repeat(y, 2), twice, settings=SETTINGS, groups=clusters).calibration
        for clusters in (None, unit)
    )
    one, other = (it[(it["part"] == "brier") & (it["minus"] == "")] for it in both)
    ratio = (other["high"] - other["low"]).to_numpy() / (one["high"] - one["low"]).to_numpy()
    assert ratio == pytest.approx(np.sqrt(2), rel=0.02)


def test_only_scores_in_0_to_1_are_probabilities() -> None:
    y, models = rig()
    mixed = {"wide": 3 * models["true"], "rule": models["true"] > 0.4, "true": models["true"]}
    other = cc.compare_models(y, mixed, settings=SETTINGS)
    assert {*other.calibration["model"]} == {*other.reliability["model"]} == {"true"}
    none = cc.compare_models(y, {"rule": mixed["rule"]}, settings=SETTINGS)
    assert none.calibration.empty
    assert none.reliability.empty


def test_scores_of_0_and_1_alone_are_taken() -> None:
    y, _ = rig()
    score = np.where(np.arange(len(y)) % 3 == 0, 1 - y, y).astype(float)
    other = cc.compare_models(y, {"sure": score}, settings=SETTINGS)
    curve = other.reliability[other.reliability["line"] == "curve"]
    assert curve["score_from"].tolist() == [0, 1]
    assert curve["rate"].tolist() == [np.mean(y[score == 0]), np.mean(y[score == 1])]


def test_costs_of_cases_leave_no_probabilities() -> None:
    other = compared(costs=1 + np.arange(180) % 5)
    assert other.calibration.empty
    assert other.reliability.empty
