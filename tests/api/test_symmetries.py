"""Numbers of the interface say the same where the same is said otherwise."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.detail import STAGES

CASES = 96
RNG = np.random.default_rng(3)
Y = (RNG.random(CASES) < 0.4).astype(int)
SHIFTED = {name: by * Y + RNG.normal(size=CASES) for name, by in {"A": 1.2, "B": 0.6}.items()}
SCORES = {name: np.clip(0.4 + score / 5, 0.01, 0.99).round(2) for name, score in SHIFTED.items()}
WEIGHTS = RNG.integers(1, 4, CASES)
FOLDS = np.arange(CASES) % 3
SETTINGS: dict[str, Any] = {"inference": {"resamples": 40}, "appendix": True, "detail": "standard"}
CONDITIONS = [{"cost_ratio": ratio} for ratio in (5, 0.5)]
# Columns that are no estimates: of chance, of how much was seen, and of the order of rows.
CHANCE = r".*(low|high|_se|p_value|confidence|familywise|projected|by_chance)|adjusted|p"
COUNTS = "instances|positives|negatives|effective|point|.*_(count|weight)"
SAME_MODELS = ("headline", "measures", "averages", "duality", "deployment", "roc")
OTHER = np.where(Y == 1, 1, 8) * WEIGHTS  # so that sums of weights stay exact
PRIOR = float(np.average(Y, weights=OTHER))

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def compared(rows: Any, weight: Any = None, folds: Any = FOLDS, **keys: Any) -> cc.Comparison:
    decided = {"D": (SCORES["A"][rows] > 0.5)}
    return cc.compare_models(
        Y[rows],
        {name: score[rows] for name, score in SCORES.items()} | decided,
        folds=None if folds is None else folds[rows],
        sample_weight=weight,
        settings=SETTINGS | {"operating_conditions": CONDITIONS},
        **keys,
    )


def assert_same(a: pd.DataFrame, b: pd.DataFrame, without: str) -> None:
    kept = [name for name in a if not pd.Series([name]).str.fullmatch(without).any()]
    pd.testing.assert_frame_equal(a[kept], b[kept], rtol=1e-9, atol=1e-12)


@cache
def repeated() -> tuple[cc.Comparison, cc.Comparison]:
    every = np.arange(CASES)
    return compared(np.repeat(every, WEIGHTS)), compared(every, WEIGHTS)


@cache
def reweighed() -> tuple[cc.Comparison, cc.Comparison]:
    every = np.arange(CASES)
    return compared(every, WEIGHTS, prior=PRIOR), compared(every, OTHER)


@pytest.mark.parametrize("table", [*SAME_MODELS, "envelopes", "calibration", "summary"])
def test_a_weight_is_so_many_rows(table: str) -> None:
    of = [each.summary() if table == "summary" else each.table(table) for each in repeated()]
    if table == "calibration":  # less what is by chance, of which more cases have less
        of = [each.assign(value=each["value"] + each["by_chance"]) for each in of]
    assert_same(of[0], of[1], f"{CHANCE}|{COUNTS}")


@pytest.mark.parametrize("table", [*SAME_MODELS, "crossovers", "summary"])
def test_a_prior_is_another_weight_of_classes(table: str) -> None:
    of = [each.summary() if table == "summary" else each.table(table) for each in reweighed()]
    # Brier scores and shares are of the data; cases are counted as they are.
    assert_same(of[0], of[1], f"{CHANCE}|{COUNTS}|brier|share|cases")


def test_exchanged_classes_and_costs_mirror_costs() -> None:
    def of(y: Any, scores: dict[str, Any], ratios: list[float]) -> cc.Comparison:
        named = {"operating_conditions": [{"cost_ratio": ratio} for ratio in ratios]}
        known: dict[str, Any] = {"settings": SETTINGS | named, "sample_weight": WEIGHTS}
        return cc.compare_models(y, scores, folds=FOLDS, **known)

    exchanged = {name: 1 - score for name, score in SCORES.items()}
    given, other = of(Y, SCORES, [5, 0.5]), of(1 - Y, exchanged, [0.2, 2])
    usual, mirrored = given.summary(), other.summary()
    assert usual["cost"].tolist() == pytest.approx(mirrored["cost"].tolist())
    assert usual["flagged"].tolist() == pytest.approx((1 - mirrored["flagged"]).tolist())
    assert usual["misses"].tolist() == mirrored["false_alarms"].tolist()
    for name, curve in given.curves.items():
        assert curve.cost_at([0.1, 0.4, 0.7]) == pytest.approx(other[name].cost_at([0.9, 0.6, 0.3]))
    losses = [
        cc.cost_loss(y, score, cost_ratio=ratio, sample_weight=WEIGHTS)
        for y, score, ratio in ((Y, SCORES["A"], 3), (1 - Y, exchanged["A"], 1 / 3))
    ]
    assert losses[0] == pytest.approx(losses[1])


@pytest.mark.parametrize("ratio", [0.2, 1.0, 5.0])
def test_losses_know_weights_and_priors(ratio: float) -> None:
    rows, score = np.repeat(np.arange(CASES), WEIGHTS), SCORES["A"]
    weighted = cc.cost_loss(Y, score, cost_ratio=ratio, sample_weight=WEIGHTS)
    assert weighted == pytest.approx(cc.cost_loss(Y[rows], score[rows], cost_ratio=ratio))
    at_prior = cc.cost_loss(Y, score, cost_ratio=ratio, prior=PRIOR, sample_weight=WEIGHTS)
    other = cc.cost_loss(Y, score, cost_ratio=ratio, sample_weight=OTHER)
    assert at_prior == pytest.approx(other)


@pytest.mark.parametrize("folds", [FOLDS, None], ids=["folds", "one test set"])
def test_the_order_of_rows_changes_no_number(folds: Any) -> None:
    order = np.random.default_rng(5).permutation(CASES)
    given, other = (compared(rows, folds=folds) for rows in (np.arange(CASES), order))
    for name in STAGES:
        # Folds are listed as they appear; where pieces differ by rounding one may be two.
        if name not in ("operating_points", "envelopes", "choice_bands"):
            assert_same(given.table(name), other.table(name), "")
    assert_same(given.summary(), other.summary(), "")
