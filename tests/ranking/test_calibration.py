"""Reliability curves and the parts of Brier scores: against peers, and slow ones in fractions."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from costcurves.counts.operating_points import from_scores
from costcurves.ranking.reliability import CELLS, Forecasts
from costcurves.ranking.threshold_choice import COST, loss_curve

PEERS = json.loads((Path(__file__).parents[1] / "golden/peers/calibration.json").read_text("utf-8"))
PARTS = ("brier", "miscalibration", "discrimination", "uncertainty")
SCORES = st.sampled_from([0.0, 5e-324, 0.1, 0.25, 0.3, 0.5, 0.75, 1 - 2**-53, 1.0])
CASES = st.lists(st.tuples(SCORES, st.integers(0, 1), st.integers(1, 3)), min_size=1, max_size=12)


def forecasts(score: Any, label: Any, weight: Any = 1.0, repeats: int = 1) -> Forecasts:
    """Forecasts of cases, each predicted so often with the same score."""
    count = len(score)
    columns = (np.broadcast_to(np.asarray(values, float), count) for values in (score, label))
    weight = np.broadcast_to(np.asarray(weight, float) / repeats, count)
    case = np.arange(count)
    return Forecasts(*(np.tile(values, repeats) for values in (*columns, weight, case)))


def means(computed: Forecasts) -> dict[str, float]:
    parts = computed.parts()._asdict().items()
    return {name: float(np.average(values, weights=computed.weight)) for name, values in parts}


def slow_rates(cases: list[tuple[float, int, int]]) -> list[Fraction]:
    """The rate of each score by the minimum over later ends of maxima over earlier starts."""

    def share(low: float, high: float) -> Fraction:
        inside = [(y, w) for s, y, w in cases if low <= s <= high]
        return Fraction(sum(y * w for y, w in inside), sum(w for _, w in inside))

    rates, scores = [], [score for score, *_ in cases]
    for at in scores:
        starts, ends = [low for low in scores if low <= at], [high for high in scores if high >= at]
        rates.append(min(max(share(low, high) for low in starts) for high in ends))
    return rates


@given(CASES, st.randoms())
def test_rates_parts_and_blocks_are_those_of_slow_sums(
    cases: list[tuple[float, int, int]], random: Any
) -> None:
    """In whatever order cases come."""
    score, label, weight = map(list, zip(*cases, strict=True))
    slow, whole = slow_rates(cases), sum(weight)

    def loss(rates: list[Fraction]) -> Any:
        return sum((p - y) ** 2 * w for p, (_, y, w) in zip(rates, cases, strict=True)) / whole

    base = Fraction(sum(y * w for _, y, w in cases), whole)
    brier, fit, none = (loss(of) for of in ([Fraction(s) for s in score], slow, [base] * len(slow)))
    computed = forecasts(score, label, weight)
    assert computed.fitted == pytest.approx([float(rate) for rate in slow], abs=1e-15)
    expected = [brier, brier - fit, none - fit, none]
    averages = means(computed)
    assert [averages[name] for name in PARTS] == pytest.approx([*map(float, expected)], abs=1e-14)
    blocks = computed.blocks()
    assert (np.diff(blocks.rate) >= 0).all()
    for low, high, rate, size, hits in zip(*blocks, strict=True):
        inside = [place for place, s in enumerate(score) if low <= s <= high]
        assert {score[place] for place in inside} >= {low, high}
        assert [float(slow[place]) for place in inside] == pytest.approx([rate] * len(inside))
        assert size == sum(weight[place] for place in inside)
        assert hits == sum(weight[place] * label[place] for place in inside)
    score, label, weight = map(list, zip(*random.sample(cases, len(cases)), strict=True))
    again = forecasts(score, label, weight).blocks()
    assert np.concatenate(again) == pytest.approx(np.concatenate(blocks), abs=1e-14)


def test_curve_and_parts_are_those_of_peers_and_of_the_hull_of_the_roc_curve() -> None:
    """Miscalibration is what Brier curves call calibration loss, over cost proportions."""
    rows = PEERS["rows"]
    score, label = ([row[name] for row in rows] for name in ("score", "label"))
    computed = forecasts(score, label)
    assert computed.fitted == pytest.approx([row["fitted"] for row in rows], abs=1e-12)
    averages = means(computed)
    assert averages == pytest.approx({name: PEERS[name] for name in PARTS}, abs=1e-12)
    points = from_scores(scores=score, labels=label)
    brier, hull = (loss_curve(rule, points, COST).area() for rule in ("score-driven", "optimal"))
    refinement = averages["uncertainty"] - averages["discrimination"]
    known = [averages["brier"], averages["miscalibration"], refinement]
    assert known == pytest.approx([brier, brier - hull, hull], abs=1e-12)


def test_drawn_labels_agree_with_probabilities() -> None:
    """The band lies about the scores, and what fits gain by chance is what they truly gain."""
    rng = np.random.default_rng(7)
    score = rng.choice([0.125, 0.25, 0.5, 0.875], 400, p=[0.4, 0.3, 0.2, 0.1])
    gains = []
    for _ in range(200):
        label = rng.random(400) < score
        sample = forecasts(score, label)
        gains.append(np.mean((score - label) ** 2 - (sample.fitted - label) ** 2))
    drawn = sample.redrawn(0.8, np.random.default_rng(8))
    assert drawn.score.tolist() == [0.125, 0.25, 0.5, 0.875]
    assert ((drawn.low < drawn.score) & (drawn.score < drawn.high)).all()
    error = np.std(gains) / np.sqrt(200)
    assert abs(drawn.gain - np.mean(gains)) < 4 * error + 0.2 * drawn.gain


def test_predictions_of_a_case_share_what_is_drawn() -> None:
    """A case that is predicted three times with one score is one case, not three."""
    rng = np.random.default_rng(9)
    score = np.round(rng.random(150), 2)
    label = rng.random(150) < score
    once, thrice = (
        forecasts(score, label, repeats=repeats).redrawn(0.8, np.random.default_rng(3), 40)
        for repeats in (1, 3)
    )
    assert (thrice.gain, thrice.p_value) == pytest.approx((once.gain, once.p_value), abs=1e-12)
    assert thrice.high == pytest.approx(once.high, abs=1e-12)


def test_of_very_many_scores_chance_is_measured_as_miscalibration_is() -> None:
    """A fit to cells of neighbours would gain less than one to all, and p would come out small."""
    rng, p_values = np.random.default_rng(13), []
    for _ in range(40):
        true = rng.beta(1, 3, 8000)
        drawn = forecasts(true, rng.random(8000) < true).redrawn(0.8, rng, 30)
        p_values.append(drawn.p_value)
    assert 0.4 < np.mean(p_values) < 0.6
    assert len(drawn.score) == CELLS


def test_equal_labels_gain_the_same_whatever_is_rounded() -> None:
    """Of ten cases with a score of .3 any number of positives but three is as far or farther."""
    drawn = forecasts([0.3] * 10, [1] * 4 + [0] * 6).redrawn(0.8, np.random.default_rng(2), 4000)
    assert drawn.p_value == pytest.approx(1 - float(binom.pmf(3, 10, 0.3)), abs=0.03)
