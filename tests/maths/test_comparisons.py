"""Verdicts, Holm's steps, and projections."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.bands import Band, Edge, around
from costcurves.curves.curves import Curve, line
from costcurves.pairs import comparisons, paired
from costcurves.pairs.comparisons import Finding, holm, projected_instances, verdicts
from tests import strategies
from tests.simulations.lines import DISCORDANCES, familywise_error

heights = st.floats(-1, 1) | strategies.edges


def band_of(at0: float, at1: float, half: float) -> Band:
    return around(line(at0, at1), line(half, half), 0.9, simultaneous=True, method="any")


@given(heights, heights, st.floats(0, 0.5), st.one_of(st.none(), st.floats(0, 1)))
def test_verdicts_part_the_axis_and_say_what_the_band_says(
    at0: float, at1: float, half: float, delta: float | None
) -> None:
    band = band_of(at0, at1, half)
    found = verdicts(band, delta)
    assert (found[0].low, found[-1].high) == (0, 1)
    for one, other in pairwise(found):
        assert one.high == other.low
        assert one.finding != other.finding
    for low, high, finding, _ in found:
        middle = (low + high) / 2
        lower, upper = band.lower(middle), band.upper(middle)
        expected = "A cheaper" if upper < 0 else "B cheaper" if lower > 0 else "undecided"
        if delta is not None and -delta <= lower and upper <= delta:
            expected = "equivalent"
        margin = min(
            abs(end - bound) for end in (lower, upper) for bound in (0, delta or 0, -(delta or 0))
        )
        assert finding == expected or margin < 1e-12


@given(heights, heights, st.floats(0, 0.5), st.floats(0, 1))
def test_swapping_the_models_swaps_the_verdicts(
    at0: float, at1: float, half: float, delta: float
) -> None:
    swapped = {"A cheaper": "B cheaper", "B cheaper": "A cheaper"}
    one, other = (
        verdicts(band_of(at0, at1, half), delta),
        verdicts(band_of(-at0, -at1, half), delta),
    )
    assert [swapped.get(v.finding, v.finding) for v in one] == [v.finding for v in other]
    assert [v.low for v in one] == pytest.approx([v.low for v in other], abs=1e-12)


def test_all_four_findings_with_exact_ends() -> None:
    band = around(Curve([0, 0.5, 1], [-0.5, 0.5], [0.5, 0.5]), line(0.1, 0.1), 0.9, True, "any")
    found = verdicts(band, 0.15)
    expected: list[Finding] = ["A cheaper", "undecided", "equivalent", "B cheaper"]
    assert [v.finding for v in found] == expected
    assert [v.low for v in found] == pytest.approx([0, 0.4, 0.45, 0.5])


def test_ends_are_roots_of_quadratics() -> None:
    edges = Edge(line(-0.3, 0.3), -1, 0.1, 0.2), Edge(line(-0.3, 0.3), 1, 0.1, 0.2)
    band = Band(line(-0.3, 0.3), *edges, 0.9, simultaneous=True, method="any")
    first, second = (verdict.high for verdict in verdicts(band)[:2])
    assert band.upper(first) == pytest.approx(0, abs=1e-16)
    assert band.lower(second) == pytest.approx(0, abs=1e-16)


def test_identical_models_are_undecided_or_equivalent() -> None:
    assert [v.finding for v in verdicts(band_of(0, 0, 0))] == ["undecided"]
    assert [v.finding for v in verdicts(band_of(0, 0, 0), 0)] == ["equivalent"]


@pytest.mark.parametrize("delta", [-0.01, math.nan])
def test_bad_delta(delta: float) -> None:
    with pytest.raises(ValueError, match="delta must be at least 0, found"):
        verdicts(band_of(0, 0, 0.1), delta)


def steps(*breaks: float) -> Band:
    """The band of a difference that is .2 and 0 by turns."""
    heights = [0.2 * (place % 2) for place in range(len(breaks) + 1)]
    curve = Curve([0, *breaks, 1], heights, heights)
    return around(curve, line(0.1, 0.1), 0.9, simultaneous=True, method="any")


def test_slivers_are_withdrawn_and_named_never_claimed() -> None:
    gap = verdicts(steps(0.1, 0.3, 0.303))  # a gap is not claimed
    assert [v.finding for v in gap] == ["undecided", "B cheaper", "undecided", "B cheaper"]
    assert not any(v.sliver for v in gap)
    found = verdicts(steps(0.3, 0.303))
    assert [v.finding for v in found] == ["undecided"] * 3
    assert [v.sliver for v in found] == [False, True, False]
    assert (found[1].low, found[1].high) == (0.3, 0.303)


@pytest.mark.parametrize(
    ("low", "high", "sliver"),
    [
        (0.48, 0.515, False),  # a factor of 1.15 of the cost ratio, and a hair
        (0.48, 0.5149, True),
        (0.002, 0.0023, False),
        (0.9977, 0.998, False),
        (0.002, 0.00229, True),
        (0.9, 0.9117, True),
    ],
)
def test_how_wide_a_stretch_is_goes_by_cost_ratios(low: float, high: float, sliver: bool) -> None:
    assert [v.sliver for v in verdicts(steps(low, high))] == [False, sliver, False]


def test_a_stretch_that_reaches_an_end_is_no_sliver() -> None:
    assert [v.finding for v in verdicts(steps(0.9999))] == ["undecided", "B cheaper"]


def test_nothing_is_withdrawn_where_edges_are_continuous() -> None:
    peak = around(
        Curve([0, 0.5, 1], [0.0, 0.4], [0.4, 0.0]), line(0.199, 0.199), 0.9, True, method="any"
    )
    assert [v.finding for v in verdicts(peak)] == ["undecided", "B cheaper", "undecided"]


def test_equivalence_on_a_sliver_is_withdrawn_too() -> None:
    band = around(
        Curve([0, 0.3, 0.303, 1], [0.2, 0, 0.2], [0.2, 0, 0.2]), line(0.1, 0.1), 0.9, True, "any"
    )
    found = verdicts(band, 0.15)
    assert [v.finding for v in found] == ["B cheaper", "undecided", "B cheaper"]
    assert [v.sliver for v in found] == [False, True, False]


def test_two_decisions_about_a_rare_class_stay_decided() -> None:
    """100 positives of 100,000; at their prior PC(+) = .005 is a cost ratio of 5."""
    tables = paired.Tables(np.array([99_854, 1, 45, 0]), np.array([60, 13, 15, 12]))
    found = paired.sign_flips(*tables.differences(), 2000, np.random.default_rng(0))
    first, *rest = verdicts(found.simultaneous())
    assert (first.finding, first.low) == ("B cheaper", 0)
    assert 0.003 < first.high < 0.005
    assert found.p_value < 1e-9
    assert [v.finding for v in rest] == ["undecided"]


def stepwise(p_values: list[float], share: float) -> set[int]:
    """Who is rejected, straight from Holm's description."""
    rejected: set[int] = set()
    for step, pair in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[pair] > share / (len(p_values) - step) + 1e-9:
            break
        rejected.add(pair)
    return rejected


@given(st.lists(st.floats(0, 0.2), max_size=8))
def test_holm_rejects_whom_it_should(p_values: list[float]) -> None:
    levels = holm(p_values, 0.9)
    rejected = {i for i, p in enumerate(p_values) if p <= 1 - levels[i] + 1e-9}
    assert rejected == stepwise(p_values, 0.1)
    assert all(0.9 <= level <= 1 - 0.1 / max(len(p_values), 1) + 1e-12 for level in levels)


def test_bad_p_values() -> None:
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match=r"a p-value must be in \[0, 1\], found"):
            holm([0.5, wrong])
    with pytest.raises(ValueError, match="a confidence level must be between 0 and 1"):
        holm([0.5], 1)


def test_verdicts_at_holms_levels_are_holms_rejections() -> None:
    rng = np.random.default_rng(0)
    found = []
    for only_b in (4, 9, 12, 14, 22):
        both = paired.Tables(np.array([90, 4, only_b, 0]), np.array([80, 5, only_b, 3]))
        found.append(paired.sign_flips(*both.differences(), 2000, rng))
    p_values = [one.p_value for one in found]
    rejected = stepwise(p_values, 0.1)
    assert 0 < len(rejected) < 5
    for i, (one, level) in enumerate(zip(found, holm(p_values), strict=True)):
        cheaper = [v for v in verdicts(one.simultaneous(level)) if v.finding != "undecided"]
        assert bool(cheaper) == (i in rejected)


def flips_of(times: int) -> paired.SignFlips:
    """The same shares of discordant instances, in samples of growing size."""
    both = paired.Tables(np.array([180, 9, 11, 0]) * times, np.array([160, 14, 22, 4]) * times)
    return paired.sign_flips(*both.differences(), 20000, np.random.default_rng(0))


@pytest.mark.parametrize("pc", [None, 0.2, 1.0])
def test_a_projection_comes_true_with_the_same_spread(pc: float | None) -> None:
    one = flips_of(1)
    times = projected_instances(one, 400, pc=pc) / 400
    assert times > 1
    for factor, decided in ((0.8, False), (1.25, True)):
        band = flips_of(max(1, round(times * factor))).simultaneous()
        places = np.linspace(0, 1, 1001) if pc is None else np.array([pc])
        assert bool((band.lower(places) > 0).any()) == decided


def test_projections_without_a_difference_and_beyond_need() -> None:
    none = paired.Tables(np.array([90, 5, 5, 0]), np.array([80, 5, 5, 10]))
    found = paired.sign_flips(*none.differences(), 10, np.random.default_rng(0))
    assert projected_instances(found, 200) == math.inf
    assert projected_instances(found, 200, pc=0.5) == math.inf
    assert projected_instances(flips_of(20), 8000) <= 8000


@pytest.mark.parametrize("sizes", [(20, 10), (50, 50)])
@pytest.mark.parametrize("discordance", DISCORDANCES)
def test_equal_crisp_classifiers_are_rarely_told_apart(
    sizes: tuple[int, int], discordance: float
) -> None:
    assert familywise_error(*sizes, discordance) <= 0.1


def test_any_comparison_has_the_same_interface() -> None:
    one: comparisons.Comparison = flips_of(1)
    assert 0 <= one.p_value <= 1
    assert one.simultaneous(0.8).level == 0.8
