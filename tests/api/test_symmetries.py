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
EVERY = np.arange(CASES)
FOLDS = EVERY % 3
SETTINGS: dict[str, Any] = {"inference": {"resamples": 40}, "appendix": True, "detail": "standard"}
SETTINGS["operating_conditions"] = [{"cost_ratio": 5}, {"cost_ratio": 0.5}]
# Columns that are no estimates: of chance, of how much was seen, and of the order of rows.
CHANCE = r".*(low|high|_se|p_value|confidence|familywise|projected|by_chance)|adjusted|p"
COUNTS = "instances|positives|negatives|effective|point|.*_(count|weight)"
SAME_MODELS = ("headline", "measures", "averages", "duality", "deployment", "roc", "summary")
OTHER = np.where(Y == 1, 1, 8) * WEIGHTS  # so that sums of weights stay exact
PRIOR = float(np.average(Y, weights=OTHER))
RATIOS = (0.2, 1.0, 5.0)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def compared(rows: Any = EVERY, weight: Any = None, **keys: Any) -> Any:
    """Compare three models of these rows."""
    models = {name: score[rows] for name, score in SCORES.items()} | {"D": SCORES["A"][rows] > 0.5}
    keys |= {"folds": FOLDS[rows], "sample_weight": weight}
    return cc.compare_models(Y[rows], models, settings=SETTINGS, **keys)


def assert_same(a: pd.DataFrame, b: pd.DataFrame, without: str) -> None:
    kept = [name for name in a if not pd.Series([name]).str.fullmatch(without).any()]
    pd.testing.assert_frame_equal(a[kept], b[kept], rtol=1e-9, atol=1e-12)


@cache
def pairs(kind: str) -> tuple[cc.Comparison, cc.Comparison]:
    if kind == "rows":
        return compared(np.repeat(EVERY, WEIGHTS)), compared(weight=WEIGHTS)
    return compared(weight=WEIGHTS, prior=PRIOR), compared(weight=OTHER)


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        *(("rows", table) for table in (*SAME_MODELS, "envelopes", "calibration")),
        *(("prior", table) for table in (*SAME_MODELS, "crossovers")),
    ],
)
def test_a_weight_is_so_many_rows_and_a_prior_another_weight_of_classes(
    kind: str, table: str
) -> None:
    of = [each.summary() if table == "summary" else each.table(table) for each in pairs(kind)]
    if table == "calibration":  # less what is by chance, of which more cases have less
        of = [each.assign(value=each["value"] + each["by_chance"]) for each in of]
    # Brier scores and shares are of the data; cases are counted as they are.
    of_data = "|brier|share|cases" if kind == "prior" else ""
    assert_same(of[0], of[1], f"{CHANCE}|{COUNTS}{of_data}")


def readings(comparison: cc.Comparison, ratio: float) -> list[Any]:
    """Read what each function says of one cost ratio."""
    read: list[Any] = [comparison.cheapest_at(cost_ratio=ratio)]
    for curve in comparison.values():
        at: dict[str, Any] = {"cost_fn": 3 * ratio, "cost_fp": 3}
        read += [curve.pc_at(**at), curve.cost_at(**at), curve.saved_at(**at)]
        read += [curve.threshold_for(**at), curve.area]
    for name in SCORES:
        used = comparison[name].cost_at(cost_ratio=ratio, threshold=0.41)
        read += [used.cost, used.misses, used.false_alarms]
        read += comparison[name].net_benefit([0.2, 0.4], extent=None).to_numpy().ravel().tolist()
    return read


def losses(ratio: float, rows: Any = EVERY, **given: Any) -> list[Any]:
    y, score = Y[rows], SCORES["A"][rows]
    choices: list[Any] = ["probability", "best", 0.41]
    return [
        cc.cost_loss(y, score, cost_ratio=ratio, threshold=choice, **given) for choice in choices
    ]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("kind", ["rows", "prior"])
def test_each_function_knows_weights_and_priors(kind: str, ratio: float) -> None:
    first, second = (readings(each, ratio) for each in pairs(kind))
    assert first[0] == second[0]
    assert first[1:] == pytest.approx(second[1:], nan_ok=True)
    weighted = losses(ratio, sample_weight=WEIGHTS)
    assert weighted == pytest.approx(losses(ratio, np.repeat(EVERY, WEIGHTS)))
    at_prior = losses(ratio, prior=PRIOR, sample_weight=WEIGHTS)
    assert at_prior == pytest.approx(losses(ratio, sample_weight=OTHER))


def test_the_order_of_rows_changes_no_number() -> None:
    order = np.random.default_rng(5).permutation(CASES)
    given, other = (compared(rows) for rows in (EVERY, order))
    for name in STAGES:
        # Folds are listed as they appear; where pieces differ by rounding one may be two.
        if name not in ("operating_points", "envelopes"):
            assert_same(given.table(name), other.table(name), "")
    assert_same(given.summary(), other.summary(), "")
