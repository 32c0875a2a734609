"""Edges with a root in them, bands, and where they meet other curves."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costcurves.chance.resampled_bands import SIDES
from costcurves.curves import bands
from costcurves.curves.bands import Band, Edge
from costcurves.curves.curves import Curve, better_than, line, trivial
from tests import strategies

heights = st.floats(-1, 1) | strategies.edges
widths = st.floats(1e-6, 1) | strategies.edges.filter(lambda width: not 0 < width < 1e-300)
sides = st.sampled_from([-1, 1])


def edge_of(at0: float, at1: float, side: int, width0: float, width1: float) -> Edge:
    return Edge(line(at0, at1), 1 if side > 0 else -1, width0, width1)


@given(heights, heights, sides, widths, widths)
def test_the_sign_against_a_curve_is_right_between_the_ends(
    at0: float, at1: float, side: int, width0: float, width1: float
) -> None:
    edge, other = edge_of(at0, at1, side, width0, width1), trivial()
    parts = edge.against(other)
    assert parts[0].low == 0
    assert parts[-1].high == 1
    for before, after in pairwise(parts):
        assert before.high == after.low
        assert before.sign != after.sign
    for part in parts:
        for share in (0.25, 0.5, 0.75):
            pc = part.low + share * (part.high - part.low)
            gap = edge(pc) - other(pc)
            assert abs(gap) < 1e-12 or math.copysign(1, gap) == part.sign


@given(heights, heights, sides, widths, widths)
def test_ends_inside_are_roots(
    at0: float, at1: float, side: int, width0: float, width1: float
) -> None:
    edge = edge_of(at0, at1, side, width0, width1)
    for part in edge.against(line(0, 0))[1:]:
        assert abs(edge(part.low)) < 1e-12


def test_an_edge_that_only_touches_has_one_sign() -> None:
    touches = Edge(line(-3, -4), 1, 3, 4)  # zero at both ends, below between
    assert [part.sign for part in touches.against(line(0, 0))] == [-1]


def test_without_widths_it_is_the_curve() -> None:
    curve = Curve([0, 0.3, 1], [0.1, 0.4], [0.5, 0.2])
    edge = Edge(curve, 1)
    assert edge.against(trivial()) == better_than(curve, trivial())
    assert edge.drawn() is curve
    assert edge(0.3, side="left") == curve(0.3, side="left")


@given(heights, heights, sides, widths, widths)
def test_drawn_edges_are_as_near_as_promised(
    at0: float, at1: float, side: int, width0: float, width1: float
) -> None:
    edge = edge_of(at0, at1, side, width0, width1)
    places = np.linspace(0, 1, 997)
    bound = (math.pi / 64) ** 2 / 32 * max(width0, width1)
    assert np.abs(edge(places) - edge.drawn()(places)).max() <= bound * (1 + 1e-9) + 1e-14


@given(strategies.jumping_curves(), strategies.jumping_curves())
def test_lowest_is_the_lower_of_two(first: object, other: object) -> None:
    a, b = first.rounded(), other.rounded()  # type: ignore[attr-defined]
    for side in SIDES:
        places = np.unique([*np.linspace(0, 1, 203), *a.pc, *b.pc])
        lower = np.minimum(a(places, side), b(places, side))
        np.testing.assert_allclose(bands.lowest(a, b)(places, side), lower, atol=1e-13)


def band_of(low: float, high: float, half: float) -> Band:
    return bands.around(line(low, high), line(half, half), 0.9, simultaneous=True, method="any")


@given(heights, heights, st.floats(0.01, 0.5))
def test_a_band_against_zero_is_its_edges_against_zero(
    low: float, high: float, half: float
) -> None:
    assume(abs(high - low) > 1e-6)
    band = band_of(low, high, half)
    for part in band.against(line(0, 0)):
        middle = (part.low + part.high) / 2
        sides = np.sign(band.lower(middle)), np.sign(band.upper(middle))
        expected = sides[0] if sides[0] == sides[1] else 0
        assert part.sign == expected or min(abs(band.lower(middle)), abs(band.upper(middle))) < 1e-9


def test_a_band_of_no_width_around_zero_reaches_zero() -> None:
    assert [part.sign for part in band_of(0, 0, 0).against(line(0, 0))] == [0]


def test_an_operating_range_has_four_ends() -> None:
    ends = bands.below(band_of(0.3, 0.3, 0.1), trivial())
    assert ends == pytest.approx((0.2, 0.4, 0.6, 0.8))


def test_an_operating_range_that_may_be_empty_or_is() -> None:
    may = bands.below(band_of(0.45, 0.45, 0.1), trivial())
    assert (may.earliest_start, may.latest_end) == pytest.approx((0.35, 0.65))
    assert math.isnan(may.latest_start)
    assert math.isnan(may.earliest_end)
    assert all(math.isnan(end) for end in bands.below(band_of(0.7, 0.7, 0.1), trivial()))


def test_bands_are_cut_off_where_no_curve_can_be() -> None:
    cut = bands.within(band_of(0.1, 0.3, 0.2), line(0, 0), trivial())
    places = np.linspace(0, 1, 51)
    lower, upper = -0.1 + 0.2 * places, 0.3 + 0.2 * places
    np.testing.assert_allclose(cut.lower(places), np.maximum(lower, 0), atol=1e-15)
    np.testing.assert_allclose(cut.upper(places), np.minimum(upper, trivial()(places)), atol=1e-15)
