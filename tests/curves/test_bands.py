"""Edges with a root in them, bands, and where they meet other curves."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.chance.resampled_bands import SIDES
from costcurves.curves import bands
from costcurves.curves.bands import Band, Edge
from costcurves.curves.curves import Curve, better_than, line, trivial
from tests import strategies
from tests.oracle import exact

PLACES = np.linspace(0, 1, 997)
heights = st.floats(-1, 1) | strategies.edges
widths = st.floats(1e-6, 1) | strategies.edges.filter(lambda width: not 0 < width < 1e-300)
ends_of_edges = st.builds(
    Edge, st.builds(line, heights, heights), st.sampled_from([-1, 1]), widths, widths
)


def band_of(low: float, high: float, half: float) -> Band:
    return bands.around(line(low, high), line(half, half), 0.9, simultaneous=True, method="any")


@given(ends_of_edges, st.sampled_from([trivial(), line(0, 0)]))
def test_signs_against_a_curve_change_at_roots_alone(edge: Edge, other: Curve) -> None:
    parts = edge.against(other)
    assert (parts[0].low, parts[-1].high) == (0, 1)
    for before, after in pairwise(parts):
        assert before.high == after.low
        assert before.sign != after.sign
        assert abs(edge(after.low) - other(after.low)) < 1e-12
    for part in parts:
        for share in (0.25, 0.5, 0.75):
            pc = part.low + share * (part.high - part.low)
            gap = edge(pc) - other(pc)
            assert abs(gap) < 1e-12 or math.copysign(1, gap) == part.sign
    bound = (math.pi / 64) ** 2 / 32 * max(edge.width0, edge.width1)
    drawn = edge.drawn()(PLACES)
    assert np.abs(edge(PLACES) - drawn).max() <= bound * (1 + 1e-9) + 1e-14


def test_edges_that_only_touch_or_have_no_width() -> None:
    touches = Edge(line(-3, -4), 1, 3, 4)  # zero at both ends, below between
    assert [part.sign for part in touches.against(line(0, 0))] == [-1]
    curve = Curve([0, 0.3, 1], [0.1, 0.4], [0.5, 0.2])
    edge = Edge(curve, 1)
    assert edge.against(trivial()) == better_than(curve, trivial())
    assert edge.drawn() is curve
    assert edge(0.3, side="left") == curve(0.3, side="left")


@given(strategies.jumping_curves(), strategies.jumping_curves())
def test_lowest_is_the_lower_of_two(first: exact.ExactCurve, other: exact.ExactCurve) -> None:
    a, b = first.rounded(), other.rounded()
    places = np.unique([*PLACES[::5], *a.pc, *b.pc])
    for side in SIDES:
        lower = np.minimum(a(places, side), b(places, side))
        np.testing.assert_allclose(bands.lowest(a, b)(places, side), lower, atol=1e-13)


def test_an_operating_range_has_four_ends_and_bands_are_cut_off_where_no_curve_can_be() -> None:
    maybe_empty = [0.35, math.nan, math.nan, 0.65]
    for height, ends in ((0.3, [0.2, 0.4, 0.6, 0.8]), (0.45, maybe_empty), (0.7, [math.nan] * 4)):
        result = bands.below(band_of(height, height, 0.1), trivial())
        assert [*result] == pytest.approx(ends, nan_ok=True)
    cut = bands.within(band_of(0.1, 0.3, 0.2), line(0, 0), trivial())
    lower, upper = -0.1 + 0.2 * PLACES, 0.3 + 0.2 * PLACES
    np.testing.assert_allclose(cut.lower(PLACES), np.maximum(lower, 0), atol=1e-15)
    np.testing.assert_allclose(cut.upper(PLACES), np.minimum(upper, trivial()(PLACES)), atol=1e-15)
