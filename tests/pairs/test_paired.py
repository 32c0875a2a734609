"""Paired crisp classifiers: tables, sign flips against enumeration, the paper's band."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from costcurves.pairs import paired
from costcurves.pairs.paired import SignFlips, Tables
from costcurves.pairs.verdicts import divided

PLACES = np.linspace(0, 1, 201)

counts = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(lambda table: sum(table) > 0)
signs = st.lists(st.sampled_from([-2, -1, 0, 0, 1, 2]), min_size=1, max_size=7)


def flips(tables: Tables, resamples: int = 2000) -> SignFlips:
    return paired.sign_flips(*tables.differences(), resamples, np.random.default_rng(0))


def tables(negatives: list[int], positives: list[int]) -> Tables:
    return Tables(np.array(negatives), np.array(positives))


def exact_tail(negatives: list[int], positives: list[int]) -> Fraction:
    """Chance of at least the observed largest statistic, by flipping every instance.

    Differences are halves of an instance; no spread is less than a whole one.
    """

    def statistic(sign0: tuple[int, ...], sign1: tuple[int, ...]) -> float:
        b = sum(s * abs(d) for s, d in zip(sign0, negatives, strict=True))
        a = sum(s * abs(d) for s, d in zip(sign1, positives, strict=True))
        u, v = abs(a) / math.sqrt(spread1), abs(b) / math.sqrt(spread0)
        return math.hypot(u, v) if a * b > 0 else max(u, v)

    square0, square1 = sum(d * d for d in negatives), sum(d * d for d in positives)
    discordant = sum(d != 0 for d in negatives + positives)
    more = (square0 + square1) / discordant
    spread0, spread1 = (max(square + more, 2**2) for square in (square0, square1))
    signs = [tuple(int(math.copysign(1, d)) for d in each) for each in (negatives, positives)]
    observed = statistic(signs[0], signs[1])
    every = itertools.product(
        itertools.product([-1, 1], repeat=len(negatives)),
        itertools.product([-1, 1], repeat=len(positives)),
    )
    result = [statistic(*each) >= observed * (1 - 1e-9) for each in every]
    return Fraction(sum(result), len(result))


@given(signs, signs)
@example([-1, -1], [-1, -1, 1, 2])  # where the spread of the negatives is below one instance
@settings(max_examples=40, deadline=None)
def test_the_p_value_is_that_of_flipping_every_instance(
    negatives: list[int], positives: list[int]
) -> None:
    classes = [
        paired.differences(np.array(each) / len(each) / 2) for each in (negatives, positives)
    ]
    result = paired.sign_flips(*classes, 10, np.random.default_rng(0))  # type: ignore[arg-type, call-arg]
    if not any(negatives + positives):
        assert result.p_value == 1
    else:
        assert result.p_value == pytest.approx(float(exact_tail(negatives, positives)), abs=1e-12)


@pytest.mark.parametrize("only_b", [1, 3, 5, 8])
def test_where_one_class_is_identical_it_is_mcnemars_test(only_b: int) -> None:
    result = flips(tables([20, 1, only_b, 0], [10, 0, 0, 2]))
    assert result.p_value == pytest.approx(binomtest(1, 1 + only_b).pvalue)


def test_three_against_none_is_not_significant() -> None:
    # MATHS s6: the percentile band calls it so, McNemar's p-value is .25.
    three = tables([10, 0, 3, 0], [20, 0, 0, 0])
    assert flips(three).p_value == pytest.approx(0.25)
    assert [v.finding for v in divided(flips(three).simultaneous())] == ["undecided"]
    percentile = paired.bootstrap(*three.differences(), 2000, np.random.default_rng(0))
    assert percentile.lower(0.0) >= 0


def test_simulated_flips_agree_with_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    both = tables([80, 6, 14, 0], [70, 8, 19, 3])
    exact = flips(both)
    monkeypatch.setattr(paired, "MOST_OUTCOMES", 10)
    simulated = flips(both, 40000)
    error = 4 * math.sqrt(exact.p_value / 40000)
    assert simulated.p_value == pytest.approx(exact.p_value, abs=error)
    assert simulated.critical(0.9) == pytest.approx(exact.critical(0.9), rel=0.02)


@given(counts, counts)
def test_swapping_the_classifiers_turns_everything_over(
    negatives: list[int], positives: list[int]
) -> None:
    first = flips(tables(negatives, positives))
    swapped = [[table[0], table[2], table[1], table[3]] for table in (negatives, positives)]
    other = flips(tables(*swapped))
    assert first.p_value == pytest.approx(other.p_value)
    np.testing.assert_allclose(
        first.simultaneous().upper(PLACES), -other.simultaneous().lower(PLACES), atol=1e-12
    )


@given(counts, counts, st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_verdicts_appear_where_the_p_value_says(
    negatives: list[int], positives: list[int], level: float
) -> None:
    result = flips(tables(negatives, positives))
    cheaper = [v for v in divided(result.simultaneous(level)) if v.finding != "undecided"]
    assert bool(cheaper) == (result.p_value <= 1 - level + 1e-9)


def test_identical_predictions_have_the_band_zero() -> None:
    same = tables([5, 0, 0, 5], [7, 0, 0, 3])
    bands = [
        flips(same).simultaneous(0.99),
        paired.bootstrap(*same.differences(), 100, np.random.default_rng(0)),
    ]
    for band in bands:
        assert not band.lower(PLACES).any()
        assert not band.upper(PLACES).any()
    assert flips(same).p_value == 1


def test_a_class_without_differences_keeps_a_width_if_the_other_has_some() -> None:
    band = flips(tables([10, 0, 0, 0], [20, 4, 1, 0])).simultaneous()
    assert band.upper(0.0) > 0 > band.lower(0.0)


def test_shares_of_repeats_average_losses() -> None:
    wrong_a = np.array([[1, 0, 1], [1, 0, 0]])
    wrong_b = np.array([[0, 0, 1], [0, 1, 0]])
    result = paired.shares(np.tile(np.arange(3), 2), wrong_a.ravel(), wrong_b.ravel(), [6] * 6, 3)
    assert result.tolist() == [1 / 3, -1 / 6, 0]
    assert paired.differences(result).total == pytest.approx(1 / 6)


def test_equal_instances_have_equal_shares_whatever_the_order_of_rows() -> None:
    rng = np.random.default_rng(0)
    instances, sizes = np.tile(np.arange(50), 10), rng.integers(28, 31, 500)
    wrong_a, wrong_b = rng.integers(0, 2, (2, 500))
    first = paired.shares(instances, wrong_a, wrong_b, sizes, 50)
    order = rng.permutation(500)
    other = paired.shares(instances[order], wrong_a[order], wrong_b[order], sizes[order], 50)
    np.testing.assert_array_equal(first, other)


@given(counts, counts)
@settings(max_examples=20)
def test_the_papers_band_is_that_of_its_multinomials(
    negatives: list[int], positives: list[int]
) -> None:
    both = tables(negatives, positives)
    band = paired.bootstrap(*both.differences(), 200, np.random.default_rng(5))
    rng, ends = np.random.default_rng(5), []
    for table in both:
        only_b, only_a, rest = table[2], table[1], table[0] + table[3]
        kinds = np.array([only_b, only_a, rest] if only_a + only_b else [rest])
        drawn = rng.multinomial(table.sum(), kinds / table.sum(), 200)
        ends.append(
            (drawn[:, 0] - drawn[:, 1]) / table.sum() if len(kinds) > 1 else drawn[:, 0] * 0
        )
    for pc in (0.0, 0.3, 1.0):
        heights = np.sort((1 - pc) * ends[0] + pc * ends[1])
        assert band.lower(pc) == pytest.approx(heights[9], abs=1e-14)
        assert band.upper(pc) == pytest.approx(heights[-10], abs=1e-14)


def test_the_papers_band_of_averaged_losses() -> None:
    rng = np.random.default_rng(0)
    classes = [paired.differences(rng.normal(size=30) / 30) for _ in range(2)]
    band = paired.bootstrap(classes[0], classes[1], 2000, rng)
    estimate = band.estimate(PLACES)
    spread = np.sqrt(
        sum(
            weight**2 * (each.values**2 @ each.times - each.total**2 / 30)
            for weight, each in ((1 - PLACES, classes[0]), (PLACES, classes[1]))
        )
    )
    np.testing.assert_allclose(band.upper(PLACES) - estimate, 1.645 * spread, rtol=0.12)
