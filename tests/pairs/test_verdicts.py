"""Verdicts, Holm's steps, and projections."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.bands import Band, Edge, around
from costcurves.curves.curves import Curve, line
from costcurves.pairs import paired
from costcurves.pairs.comparisons import holm
from costcurves.pairs.verdicts import divided, projected_instances
from tests import strategies
from tests.oracle import slow_study as slow
from tests.simulations.datasets import of_tables
from tests.simulations.lines import DISCORDANCES, familywise_error

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
    for part, after in pairwise(parts):
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


def test_ends_are_roots_of_quadratics() -> None:
    curve = line(-0.3, 0.3)
    edges = Edge(curve, -1, 0.1, 0.2), Edge(curve, 1, 0.1, 0.2)
    band = Band(curve, *edges, 0.9, simultaneous=True, method="any")
    first, second = (part.high for part in divided(band)[:2])
    assert band.upper(first) == pytest.approx(0, abs=1e-16)
    assert band.lower(second) == pytest.approx(0, abs=1e-16)


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


def flips_of(times: int, *tables: list[int]) -> paired.SignFlips:
    """Flip signs of the same shares of discordant instances, in samples of growing size."""
    both = of_tables(*(np.array(table) * times for table in tables))
    return paired.sign_flips(*both, 20000, np.random.default_rng(0))


def test_two_decisions_about_a_rare_class_stay_decided() -> None:
    """100 positives of 100,000; at their prior PC(+) = .005 is a cost ratio of 5."""
    flips = flips_of(1, [99_854, 1, 45, 0], [60, 13, 15, 12])
    first, second = divided(flips.simultaneous())
    assert (first.finding, second.finding) == (B, NONE)
    assert 0.003 < first.high < 0.005
    assert flips.p_value < 1e-9


def test_a_projection_comes_true_with_the_same_spread() -> None:
    both = [180, 9, 11, 0], [160, 14, 22, 4]
    times = projected_instances(flips_of(1, *both), 400) / 400
    assert times > 1
    for factor, decided in ((0.8, False), (1.25, True)):
        band = flips_of(max(1, round(times * factor)), *both).simultaneous()
        assert bool((band.lower(np.linspace(0, 1, 1001)) > 0).any()) == decided
    assert projected_instances(flips_of(1, [90, 5, 5, 0], [80, 5, 5, 10]), 200) == math.inf
    assert projected_instances(flips_of(20, *both), 8000) <= 8000


@pytest.mark.parametrize("sizes", [(20, 10), (50, 50)])
@pytest.mark.parametrize("discordance", DISCORDANCES)
def test_equal_crisp_classifiers_are_rarely_told_apart(
    sizes: tuple[int, int], discordance: float
) -> None:
    assert familywise_error(*sizes, discordance) <= 0.1
