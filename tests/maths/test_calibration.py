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
from costcurves.ranking import reliability as calibration
from costcurves.ranking.reliability import Forecasts
from costcurves.ranking.threshold_choice import COST, loss_curve

PEERS = json.loads((Path(__file__).parents[1] / "golden/peers/calibration.json").read_text("utf-8"))
PARTS = ("brier", "miscalibration", "discrimination", "uncertainty")


def forecasts(score: Any, label: Any, weight: Any = None, case: Any = None) -> Forecasts:
    count = len(score)
    return Forecasts(
        np.asarray(score, float),
        np.asarray(label, float),
        np.ones(count) if weight is None else np.asarray(weight, float),
        np.arange(count) if case is None else np.asarray(case),
    )


def means(own: Forecasts) -> dict[str, float]:
    return {
        name: float(np.average(values, weights=own.weight))
        for name, values in own.parts()._asdict().items()
    }


def slow_rates(score: list[float], label: list[int], weight: list[int]) -> list[Fraction]:
    """The rate of each score by the minimum over later ends of maxima over earlier starts."""
    places = sorted({*score})
    size = [sum(w for s, w in zip(score, weight, strict=True) if s == at) for at in places]
    hits = [
        sum(w * y for s, y, w in zip(score, label, weight, strict=True) if s == at) for at in places
    ]

    def mean(first: int, last: int) -> Fraction:
        return Fraction(sum(hits[first : last + 1]), sum(size[first : last + 1]))

    count = len(places)
    fitted = [
        min(max(mean(a, b) for a in range(at + 1)) for b in range(at, count)) for at in range(count)
    ]
    return [fitted[places.index(one)] for one in score]


SCORES = st.sampled_from([0.0, 5e-324, 0.1, 0.25, 0.3, 0.5, 0.75, 1 - 2**-53, 1.0])
CASES = st.lists(st.tuples(SCORES, st.integers(0, 1), st.integers(1, 3)), min_size=1, max_size=12)


@given(CASES)
def test_rates_are_those_of_a_slow_regression(cases: list[tuple[float, int, int]]) -> None:
    score, label, weight = map(list, zip(*cases, strict=True))
    own = forecasts(score, label, weight)
    slow = slow_rates(score, label, weight)
    assert own.fitted == pytest.approx([float(one) for one in slow], abs=1e-15)


@given(CASES)
def test_parts_are_those_of_slow_sums(cases: list[tuple[float, int, int]]) -> None:
    score, label, weight = map(list, zip(*cases, strict=True))
    whole = sum(weight)
    base = Fraction(sum(y * w for y, w in zip(label, weight, strict=True)), whole)

    def loss(of: list[Fraction]) -> Any:
        each = zip(of, label, weight, strict=True)
        return sum(((p - y) ** 2 * w for p, y, w in each), Fraction(0)) / whole

    brier, fit = loss([Fraction(one) for one in score]), loss(slow_rates(score, label, weight))
    none = loss([base] * len(score))
    found = means(forecasts(score, label, weight))
    expected = [brier, brier - fit, none - fit, none]
    assert [found[name] for name in PARTS] == pytest.approx([*map(float, expected)], abs=1e-14)


@given(CASES, st.randoms())
def test_order_does_not_matter(cases: list[tuple[float, int, int]], random: Any) -> None:
    mixed = list(cases)
    random.shuffle(mixed)
    one, other = (forecasts(*zip(*rows, strict=True)) for rows in (cases, mixed))
    for a, b in zip(one.blocks(), other.blocks(), strict=True):
        assert a == pytest.approx(b, abs=1e-14)


def test_curve_and_parts_are_those_of_peers() -> None:
    rows = PEERS["rows"]
    own = forecasts(*([row[name] for row in rows] for name in ("score", "label")))
    assert own.fitted == pytest.approx([row["fitted"] for row in rows], abs=1e-12)
    assert means(own) == pytest.approx({name: PEERS[name] for name in PARTS}, abs=1e-12)


def test_the_curve_is_the_hull_of_the_roc_curve() -> None:
    """Miscalibration is what Brier curves call calibration loss, over cost proportions."""
    rng = np.random.default_rng(11)
    score, label = np.round(rng.random(300), 2), rng.integers(0, 2, 300)
    points = from_scores(scores=score, labels=label)
    brier, hull = (loss_curve(it, points, COST).area() for it in ("score-driven", "optimal"))
    found = means(forecasts(score, label))
    assert found["brier"] == pytest.approx(brier, abs=1e-12)
    assert found["miscalibration"] == pytest.approx(brier - hull, abs=1e-12)
    refinement = found["uncertainty"] - found["discrimination"]
    assert refinement == pytest.approx(hull, abs=1e-12)


def test_blocks_hold_all_cases_once() -> None:
    own = forecasts([0.2, 0.1, 0.1, 0.7, 0.4], [1, 0, 1, 1, 0], [2, 1, 1, 1, 3])
    blocks = own.blocks()
    assert blocks.low.tolist() == [0.1, 0.7]
    assert blocks.high.tolist() == [0.4, 0.7]
    assert blocks.rate.tolist() == [3 / 7, 1]
    assert (blocks.cases.tolist(), blocks.positives.tolist()) == ([7, 1], [3, 1])


def test_drawn_labels_agree_with_probabilities() -> None:
    """The band lies about the scores, and what fits gain by chance is what they truly gain."""
    rng = np.random.default_rng(7)
    score = rng.choice([0.125, 0.25, 0.5, 0.875], 400, p=[0.4, 0.3, 0.2, 0.1])
    gains = []
    for _ in range(200):
        label = rng.random(400) < score
        own = forecasts(score, label)
        fitted = own.fitted
        gains.append(np.mean((score - label) ** 2 - (fitted - label) ** 2))
    drawn = own.redrawn(0.8, np.random.default_rng(8))
    assert drawn.score.tolist() == [0.125, 0.25, 0.5, 0.875]
    assert (drawn.low < drawn.score).all()
    assert (drawn.score < drawn.high).all()
    error = np.std(gains) / np.sqrt(200)
    assert abs(drawn.gain - np.mean(gains)) < 4 * error + 0.2 * drawn.gain


def test_predictions_of_a_case_share_what_is_drawn() -> None:
    """A case that is predicted three times with one score is one case, not three."""
    rng = np.random.default_rng(9)
    score = np.round(rng.random(150), 2)
    label = rng.random(150) < score
    once = forecasts(score, label)
    thrice = forecasts(
        np.tile(score, 3), np.tile(label, 3), np.full(450, 1 / 3), np.tile(np.arange(150), 3)
    )
    one, three = (own.redrawn(0.8, np.random.default_rng(3), 40) for own in (once, thrice))
    assert three.gain == pytest.approx(one.gain, abs=1e-12)
    assert three.p_value == one.p_value
    assert three.high == pytest.approx(one.high, abs=1e-12)


def test_scores_far_from_the_rates_are_told_by_the_p_value() -> None:
    rng = np.random.default_rng(10)
    true = rng.random(500)
    label = rng.random(500) < true
    own, off = forecasts(true, label), forecasts(true**3, label)
    found = [it.redrawn(0.8, np.random.default_rng(1), 99).p_value for it in (own, off)]
    assert found[0] > 0.05
    assert found[1] == 0.01


def test_of_very_many_scores_chance_is_measured_as_miscalibration_is() -> None:
    """A fit to cells of neighbours would gain less than one to all, and p would come out small."""
    rng = np.random.default_rng(13)
    found = []
    for _ in range(40):
        true = rng.beta(1, 3, 8000)
        own = forecasts(true, rng.random(8000) < true)
        found.append(own.redrawn(0.8, rng, 30).p_value)
    assert 0.4 < np.mean(found) < 0.6
    assert len(own.redrawn(0.8, rng, 2).score) == calibration.CELLS


def test_equal_labels_gain_the_same_whatever_is_rounded() -> None:
    """Of ten cases with a score of .3 any number of positives but three is as far or farther."""
    own = forecasts([0.3] * 10, [1] * 4 + [0] * 6)
    exact = 1 - float(binom.pmf(3, 10, 0.3))
    assert own.redrawn(0.8, np.random.default_rng(2), 4000).p_value == pytest.approx(
        exact, abs=0.03
    )
