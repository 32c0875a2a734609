"""Labels touch neither curves nor each other, whatever the curves are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.figures.labels import Box, Floats, Label, place_labels, place_tags

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
@given(st.lists(st.tuples(CURVES, SIZES), min_size=1, max_size=5), st.floats(0, 1))
def test_labels_are_clear_of_curves_and_each_other(
    drawn: list[tuple[Floats, tuple[float, float]]], upright: float
) -> None:
    heights = np.array([curve for curve, _ in drawn])
    sizes = [size for _, size in drawn]
    labels = place_labels(heights, CEILING, WIDTH, sizes, [upright * WIDTH])
    if labels is None:
        return
    for number, label in enumerate(labels):
        box = label.box
        assert (box.width, box.height) == sizes[number]
        assert box.left >= 0
        assert box.left + box.width <= WIDTH + 1e-9
        assert box.bottom >= 0
        assert not any(crosses(box, curve) for curve in [*heights, CEILING])
        others = [piece for other in labels[:number] for piece in other.occupies()]
        assert not any(overlap(box, other) for other in others)


def test_a_label_is_nearest_to_its_own_curve_or_has_a_leader_that_ends_on_it() -> None:
    curves = [1 + 0.3 * np.sin(3 * COLUMNS + turn) for turn in (0, 0.2, 0.4)]
    labels = place_labels(np.array(curves), np.full(201, HEIGHT), WIDTH, [(0.8, 0.12)] * 3)
    assert labels is not None
    for own, label in enumerate(labels):
        x = np.linspace(label.box.left, label.box.left + label.box.width, 50)
        middle = label.box.bottom + label.box.height / 2
        gaps = [np.abs(np.interp(x, COLUMNS * WIDTH, c) - middle).min() for c in curves]
        if label.leader is None:
            assert np.argmin(gaps) == own
        else:
            at, _, end = label.leader
            assert end == pytest.approx(np.interp(at, COLUMNS * WIDTH, curves[own]), abs=0.01)


def test_a_label_keeps_off_an_upright_where_it_can() -> None:
    flat = np.array([np.full(201, 1.0)])
    found = place_labels(flat, np.full(201, HEIGHT), WIDTH, [(1.0, 0.12)], [WIDTH / 2])
    assert found is not None
    assert not found[0].box.left < WIDTH / 2 < found[0].box.left + 1


def test_equal_curves_both_get_a_label() -> None:
    heights = np.array([np.full(201, 1.0)] * 2)
    labels = place_labels(heights, np.full(201, HEIGHT), WIDTH, [(0.8, 0.12)] * 2)
    assert labels is not None
    assert not overlap(labels[0].box, labels[1].box)


def test_no_room_is_said() -> None:
    heights = np.array([np.full(201, 1.0)])
    assert place_labels(heights, np.full(201, 1.1), WIDTH, [(1.0, 1.5)]) is None
    assert place_labels(heights, CEILING, WIDTH, [(WIDTH + 0.1, 0.1)]) is None


def test_places_do_not_depend_on_chance() -> None:
    heights = np.array([1 + 0.2 * np.cos(COLUMNS * turn) for turn in range(6)])
    runs = [place_labels(heights, CEILING, WIDTH, [(0.7, 0.12)] * 6) for _ in range(2)]
    assert runs[0] == runs[1]


@settings(max_examples=40)
@given(st.lists(CURVES, min_size=1, max_size=20))
def test_tags_sit_on_their_curves_and_are_apart(curves: list[Floats]) -> None:
    tags = place_tags(np.array(curves), CEILING, WIDTH, [(0.12, 0.1)] * len(curves))
    for tag, curve in zip(tags, curves, strict=True):
        middle = tag.left + tag.width / 2
        assert np.interp(middle, COLUMNS * WIDTH, curve) == pytest.approx(tag.bottom + 0.05)
        assert 0 <= middle <= WIDTH
    pairs = [(a, b) for n, a in enumerate(tags) for b in tags[:n]]
    assert not any(overlap(a, b) for a, b in pairs)


def test_a_leader_occupies_room() -> None:
    label = Label(Box(1, 2, 1, 0.1), (1.5, 2.0, 1.0))
    assert label.occupies()[1].touches(Box(1.4, 1.5, 0.2, 0.1))


@pytest.mark.parametrize("height", [0.2, HEIGHT - 0.2])
def test_a_leader_begins_at_the_edge_of_its_label_that_is_nearer_to_the_curve(
    height: float,
) -> None:
    curve = np.full(201, height)
    found = place_labels(
        curve[None], np.full(201, HEIGHT), WIDTH, [(1.0, 0.12)], obstacles=curve[None], led=[0]
    )
    assert found is not None
    box, leader = found[0]
    edge = box.bottom if height < box.bottom else box.bottom + box.height
    assert leader == (box.left + box.width / 2, edge, height)
