"""Verdicts on pairs: sign flips of decisions, what bands exclude, Holm's steps, projections."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from costcurves.curves.bands import Band, around
from costcurves.curves.curves import Curve, line
from costcurves.pairs import paired
from costcurves.pairs.comparisons import holm
from costcurves.pairs.paired import SignFlips
from costcurves.pairs.verdicts import divided, projected_instances
from tests import strategies
from tests.oracle import slow_study as slow
from tests.simulations.datasets import of_tables
from tests.simulations.lines import DISCORDANCES, familywise_error

# Two decisions: sign flips against enumeration, McNemar's test and symmetries

PLACES = np.linspace(0, 1, 201)

Counts = list[int]  # both right, only A, only B, both wrong
counts = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)
signs = st.lists(st.sampled_from([-2, -1, 0, 0, 1, 2]), min_size=1, max_size=7)


def flips(negatives: Counts, positives: Counts, draws: int = 2000, times: int = 1) -> SignFlips:
    """Flip signs of the same shares of discordant instances, in samples of growing size."""
    both = of_tables(*(np.array(table) * times for table in (negatives, positives)))
    return paired.sign_flips(*both, draws, np.random.default_rng(0))


def exact_tail(negatives: Counts, positives: Counts) -> Fraction:
    """Chance of at least the observed largest statistic, by flipping every instance.

    Differences are halves of an instance; no spread is less than a whole one.
    """
    classes = negatives, positives
    squares = [sum(d * d for d in each) for each in classes]
    more = sum(squares) / sum(d != 0 for d in negatives + positives)
    spread0, spread1 = (math.sqrt(max(square + more, 2**2)) for square in squares)

    def statistic(b: int, a: int) -> float:
        u, v = abs(a) / spread1, abs(b) / spread0
        return math.hypot(u, v) if a * b > 0 else max(u, v)

    observed = statistic(sum(negatives), sum(positives))
    totals = [
        [sum(each) for each in itertools.product(*((-d, d) for d in of_class))]
        for of_class in classes
    ]
    beyond = [statistic(*both) >= observed * (1 - 1e-9) for both in itertools.product(*totals)]
    return Fraction(sum(beyond), len(beyond))


@given(signs, signs)
@example([-1, -1], [-1, -1, 1, 2])  # where the spread of the negatives is below one instance
@settings(max_examples=40)
def test_p_values_are_of_flipping_every_instance(negatives: Counts, positives: Counts) -> None:
    first, other = (paired.differences(np.array(d) / len(d) / 2) for d in (negatives, positives))
    result = paired.sign_flips(first, other, 10, np.random.default_rng(0))
    expected = exact_tail(negatives, positives) if any(negatives + positives) else 1
    assert result.p_value == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(("only_a", "only_b"), [(1, 1), (1, 3), (1, 5), (1, 8), (0, 3)])
def test_where_one_class_is_identical_it_is_mcnemars_test(only_a: int, only_b: int) -> None:
    """MATHS s6: three against none has p = .25, though the papers' percentiles leave zero out."""
    result = flips([20, only_a, only_b, 0], [10, 0, 0, 2])
    assert result.p_value == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


def test_simulated_flips_agree_with_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [80, 6, 14, 0], [70, 8, 19, 3]
    exact = flips(*both)
    monkeypatch.setattr(paired, "MOST_OUTCOMES", 10)
    simulated = flips(*both, 40000)
    error = 4 * math.sqrt(exact.p_value / 40000)
    assert simulated.p_value == pytest.approx(exact.p_value, abs=error)
    assert simulated.critical(0.9) == pytest.approx(exact.critical(0.9), rel=0.02)


@given(counts, counts, st.sampled_from([0.5, 0.8, 0.9, 0.95]))
@example([5, 0, 0, 5], [7, 0, 0, 3], 0.9)
@example([10, 0, 0, 0], [20, 4, 1, 0], 0.9)
def test_bands_turn_over_agree_with_p_values_and_have_a_width_where_models_differ(
    negatives: Counts, positives: Counts, level: float
) -> None:
    """Models that never differ have the band zero; else each class keeps a width."""
    first = flips(negatives, positives)
    swapped = [[right, b, a, wrong] for right, a, b, wrong in (negatives, positives)]
    other = flips(swapped[0], swapped[1])
    band, turned = first.simultaneous(level), other.simultaneous(level)
    np.testing.assert_allclose(band.upper(PLACES), -turned.lower(PLACES), atol=1e-12)
    decided = any(part.finding != "undecided" for part in divided(band))
    assert decided == (first.p_value <= 1 - level + 1e-9)
    assert first.p_value == pytest.approx(other.p_value)
    if any(negatives[1:3] + positives[1:3]):
        assert (band.upper(PLACES) > band.lower(PLACES)).all()
    else:
        assert not np.append(band.upper(PLACES), band.lower(PLACES)).any()
        assert first.p_value == 1


def test_shares_average_losses_over_repeats_whatever_the_order_of_rows() -> None:
    wrong_a, wrong_b = np.array([1, 0, 1, 1, 0, 0]), np.array([0, 0, 1, 0, 1, 0])
    result = paired.shares(np.tile(np.arange(3), 2), wrong_a, wrong_b, [6] * 6, 3)
    assert result.tolist() == [1 / 3, -1 / 6, 0]
    assert paired.differences(result).total == pytest.approx(1 / 6)
    rng = np.random.default_rng(0)
    instances, sizes = np.tile(np.arange(50), 10), rng.integers(28, 31, 500)
    (a, b), order = rng.integers(0, 2, (2, 500)), rng.permutation(500)
    turned = paired.shares(instances[order], a[order], b[order], sizes[order], 50)
    np.testing.assert_array_equal(turned, paired.shares(instances, a, b, sizes, 50))


# Verdicts on bands

heights = st.floats(-1, 1) | strategies.edges
SWAPPED = {"A cheaper": "B cheaper", "B cheaper": "A cheaper"}


def band_of(curve: Curve, half: float) -> Band:
    return around(curve, line(half, half), 0.9, simultaneous=True, method="any")


@given(heights, heights, st.floats(0, 0.5), st.one_of(st.none(), st.floats(0, 1)))
def test_verdicts_part_the_axis_by_what_the_band_excludes(
    at0: float, at1: float, half: float, delta: float | None
) -> None:
    band = band_of(line(at0, at1), half)
    parts, turned = divided(band, delta), divided(band_of(line(-at0, -at1), half), delta)
    assert (parts[0].low, parts[-1].high) == (0, 1)
    for part, after in itertools.pairwise(parts):
        assert part.high == after.low
        assert part.finding != after.finding
    for low, high, finding, _ in parts:
        middle = (low + high) / 2
        lower, upper = band.lower(middle), band.upper(middle)
        expected = "A cheaper" if upper < 0 else "B cheaper" if lower > 0 else "undecided"
        if delta is not None and -delta <= lower and upper <= delta:
            expected = "equivalent"
        bounds = (0, delta or 0, -(delta or 0))
        margin = min(abs(end - bound) for end in (lower, upper) for bound in bounds)
        assert finding == expected or margin < 1e-12
    findings = [SWAPPED.get(part.finding, part.finding) for part in parts]
    assert findings == [part.finding for part in turned]
    assert [part.low for part in parts] == pytest.approx([part.low for part in turned], abs=1e-12)


def steps(*breaks: float, heights: tuple[float, float] = (0.0, 0.2)) -> Curve:
    """A difference that has two heights by turns."""
    each = [heights[place % 2] for place in range(len(breaks) + 1)]
    return Curve([0, *breaks, 1], each, each)


A, B, NONE, SAME, SLIVER = "A cheaper", "B cheaper", "undecided", "equivalent", "sliver"
HALVES = Curve([0, 0.5, 1], [-0.5, 0.5], [0.5, 0.5])
PEAK = Curve([0, 0.5, 1], [0.0, 0.4], [0.4, 0.0])
DOWN = steps(0.3, 0.303, heights=(0.2, 0.0))


@pytest.mark.parametrize(
    ("curve", "half", "delta", "findings", "starts"),
    [
        (line(0, 0), 0.0, None, [NONE], []),
        (line(0, 0), 0.0, 0.0, [SAME], []),
        (HALVES, 0.1, 0.15, [A, NONE, SAME, B], [0.4, 0.45, 0.5]),
        # A gap is not claimed, and a sliver is withdrawn; one that reaches an end is none.
        (steps(0.1, 0.3, 0.303), 0.1, None, [NONE, B, NONE, B], [0.1, 0.3, 0.303]),
        (steps(0.3, 0.303), 0.1, None, [NONE, SLIVER, NONE], [0.3, 0.303]),
        (steps(0.9999), 0.1, None, [NONE, B], [0.9999]),
        (DOWN, 0.1, 0.15, [B, SLIVER, B], [0.3, 0.303]),
        (PEAK, 0.199, None, [NONE, B, NONE], [0.4975, 0.5025]),
        # How narrow goes by cost ratios: a factor of 1.15, and a hair.
        (steps(0.48, 0.515), 0.1, None, [NONE, B, NONE], [0.48, 0.515]),
        (steps(0.48, 0.5149), 0.1, None, [NONE, SLIVER, NONE], [0.48, 0.5149]),
        (steps(0.002, 0.0023), 0.1, None, [NONE, B, NONE], [0.002, 0.0023]),
        (steps(0.9977, 0.998), 0.1, None, [NONE, B, NONE], [0.9977, 0.998]),
        (steps(0.002, 0.00229), 0.1, None, [NONE, SLIVER, NONE], [0.002, 0.00229]),
        (steps(0.9, 0.9117), 0.1, None, [NONE, SLIVER, NONE], [0.9, 0.9117]),
    ],
)
def test_findings_with_their_ends(
    curve: Curve, half: float, delta: float | None, findings: list[str], starts: list[float]
) -> None:
    parts = divided(band_of(curve, half), delta)
    assert [SLIVER if part.sliver else part.finding for part in parts] == findings
    assert all(part.finding == NONE for part in parts if part.sliver)
    assert [part.low for part in parts] == pytest.approx([0, *starts])


@given(st.lists(st.fractions(0, Fraction(1, 5), max_denominator=80), max_size=8))
def test_holms_levels_are_the_slow_ones(p_values: list[Fraction]) -> None:
    expected = slow.holm(p_values, Fraction(9, 10))  # type: ignore[arg-type]
    assert holm([float(p) for p in p_values], 0.9) == pytest.approx([float(p) for p in expected])


def test_two_decisions_about_a_rare_class_stay_decided() -> None:
    """100 positives of 100,000; at their prior PC(+) = .005 is a cost ratio of 5."""
    rare = flips([99_854, 1, 45, 0], [60, 13, 15, 12])
    first, second = divided(rare.simultaneous())
    assert (first.finding, second.finding) == (B, NONE)
    assert 0.003 < first.high < 0.005
    assert rare.p_value < 1e-9


def test_a_projection_comes_true_with_the_same_spread() -> None:
    both = [180, 9, 11, 0], [160, 14, 22, 4]
    times = projected_instances(flips(*both, 20000), 400) / 400
    assert times > 1
    for factor, decided in ((0.8, False), (1.25, True)):
        band = flips(*both, 20000, max(1, round(times * factor))).simultaneous()
        assert bool((band.lower(np.linspace(0, 1, 1001)) > 0).any()) == decided
    assert projected_instances(flips([90, 5, 5, 0], [80, 5, 5, 10]), 200) == math.inf
    assert projected_instances(flips(*both, 20000, 20), 8000) <= 8000


@pytest.mark.parametrize("sizes", [(20, 10), (50, 50)])
@pytest.mark.parametrize("discordance", DISCORDANCES)
def test_equals_are_rarely_told_apart(sizes: tuple[int, int], discordance: float) -> None:
    assert familywise_error(*sizes, discordance)["any"] <= 0.1
