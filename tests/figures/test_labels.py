"""Labels touch neither curves nor each other, whatever the curves are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.figures.labels import Box, Floats, place_labels

COLUMNS = np.linspace(0, 1, 201)
WIDTH, HEIGHT = 5.0, 3.0
CEILING = np.minimum(COLUMNS, 1 - COLUMNS) * 2 * HEIGHT
SIZES = st.tuples(st.floats(0.1, 1.5), st.just(0.12))

# The lower envelope of a few lines, as heights in inches.
CURVES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=4).map(
    lambda lines: (
        np.min([fp * (1 - COLUMNS) + fn * COLUMNS for fp, fn in [*lines, (0, 1), (1, 0)]], axis=0)
        * 2
        * HEIGHT
    )
)


def crosses(box: Box, heights: Floats) -> bool:
    """Whether a curve runs through a box; curves are looked at between columns too."""
    x = np.linspace(box.left, box.left + box.width, 101)
    y = np.interp(x, COLUMNS * WIDTH, heights)
    return bool(((y > box.bottom) & (y < box.bottom + box.height)).any())


def overlap(a: Box, b: Box) -> bool:
    return (
        a.left < b.left + b.width
        and b.left < a.left + a.width
        and a.bottom < b.bottom + b.height
        and b.bottom < a.bottom + a.height
    )


@settings(max_examples=60)
@given(st.lists(st.tuples(CURVES, SIZES), min_size=1, max_size=5))
def test_labels_are_clear_of_curves_and_each_other_and_nearest_to_their_own(
    drawn: list[tuple[Floats, tuple[float, float]]],
) -> None:
    heights = np.array([curve for curve, _ in drawn])
    sizes = [size for _, size in drawn]
    found = place_labels(heights, CEILING, WIDTH, sizes)
    placed = [(own, box) for own, box in enumerate(found) if box]
    for number, (own, box) in enumerate(placed):
        assert (box.width, box.height) == sizes[own]
        assert 0 <= box.left <= box.left + box.width <= WIDTH + 0.05
        assert box.bottom >= 0
        assert not any(crosses(box, curve) for curve in [*heights, CEILING])
        assert not any(overlap(box, other) for _, other in placed[:number])
        middle = [np.interp(box.left + box.width / 2, COLUMNS * WIDTH, it) for it in heights]
        gaps = [min(abs(box.bottom - y), abs(box.bottom + box.height - y)) for y in middle]
        assert gaps[own] <= min(gaps) + 0.06  # its middle lies between two columns


def test_a_label_stands_on_its_curve_in_the_middle_or_else_beneath_it() -> None:
    flat, high = np.full((1, 201), 1.0), np.full(201, HEIGHT)
    (above,) = place_labels(flat, high, WIDTH, [(1.0, 0.12)])
    assert above is not None
    assert above.bottom == pytest.approx(1.0, abs=0.1)
    assert above.bottom > 1
    assert above.left == pytest.approx((WIDTH - 1) / 2, abs=0.03)
    (below,) = place_labels(flat, np.full(201, 1.1), WIDTH, [(1.0, 0.12)])
    assert below is not None
    assert below.bottom + below.height < 1


def test_of_two_curves_the_lower_one_is_named_beneath_and_the_higher_one_above() -> None:
    heights = np.array([np.full(201, 1.0), np.full(201, 1.15)])
    low, high = place_labels(heights, np.full(201, HEIGHT), WIDTH, [(0.8, 0.12)] * 2)
    assert low is not None
    assert high is not None
    assert low.bottom + low.height < 1 < 1.15 < high.bottom


def test_equal_curves_get_no_label_that_could_be_the_others() -> None:
    heights = np.array([np.full(201, 1.0)] * 2)
    assert place_labels(heights, np.full(201, HEIGHT), WIDTH, [(0.8, 0.12)] * 2) == [None, None]


def test_no_room_is_said() -> None:
    heights = np.array([np.full(201, 1.0)])
    assert place_labels(heights, np.full(201, 1.1), WIDTH, [(1.0, 1.5)]) == [None]
    assert place_labels(heights, CEILING, WIDTH, [(WIDTH + 0.1, 0.1)]) == [None]


def test_a_steep_curve_has_no_label() -> None:
    steep = np.array([4 * COLUMNS])
    assert place_labels(steep, np.full(201, 9.0), WIDTH, [(0.8, 0.12)]) == [None]
    assert place_labels(steep, np.full(201, 9.0), WIDTH, [(0.3, 0.12)]) != [None]


def test_places_do_not_depend_on_chance() -> None:
    heights = np.array([1 + 0.2 * np.cos(COLUMNS * turn) for turn in range(6)])
    runs = [place_labels(heights, CEILING, WIDTH, [(0.7, 0.12)] * 6) for _ in range(2)]
    assert runs[0] == runs[1]
