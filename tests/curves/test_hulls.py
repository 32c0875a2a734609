"""Hulls: against a scan in exact integers, and where a hull algorithm becomes slow."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.curves import hulls
from costcurves.curves.hulls import hull

Points = list[tuple[int, int]]
RNG = np.random.default_rng(20061)


def scanned(many: list[Points]) -> list[int]:
    """Andrew's scan: of what is as high as any before, and of equals the first; end to end."""
    result: list[int] = []
    first = 0
    for points in many:
        highest, seen = -math.inf, set()
        vertices: list[int] = []
        for i, (x, y) in enumerate(points):
            if y < highest or (x, y) in seen:
                continue
            highest = y
            seen.add((x, y))
            while len(vertices) > 1:
                (left_x, left_y), (mid_x, mid_y) = (points[j] for j in vertices[-2:])
                if (mid_x - left_x) * (y - left_y) < (mid_y - left_y) * (x - left_x):
                    break
                vertices.pop()
            vertices.append(i)
        result += [first + i for i in vertices]
        first += len(points)
    return result


@st.composite
def curves(draw: st.DrawFn) -> list[Points]:
    """Curves on small grids, so that much is equal or collinear; staircases and others."""
    size = draw(st.sampled_from([1, 3, 12, 2**30]))
    coordinate = st.integers(0, size)
    many = draw(st.lists(st.lists(st.tuples(coordinate, coordinate), max_size=40), max_size=4))
    if draw(st.booleans()):
        return [list(zip(*map(sorted, zip(*curve, strict=True)), strict=True)) for curve in many]
    return [sorted(curve, key=lambda point: point[0]) for curve in many]


def flat(many: list[Points]) -> tuple[NDArray[Any], NDArray[Any], list[int]]:
    together = np.array([point for curve in many for point in curve], dtype=np.int64).reshape(-1, 2)
    return together[:, 0], together[:, 1], [0, *np.cumsum([len(curve) for curve in many]).tolist()]


@pytest.mark.parametrize("small", [0, hulls.SMALL])
@given(many=curves())
def test_vertices_are_those_of_a_scan(small: int, many: list[Points]) -> None:
    x, y, offsets = flat(many)
    expected = scanned(many)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(hulls, "SMALL", small)
        assert hull(x, y, offsets).tolist() == expected
    if x.max(initial=0) < 2**20 and y.max(initial=0) < 2**20:
        assert hull(x / 2**21, y / 2**21, offsets).tolist() == expected


@pytest.mark.parametrize("sizes", [[40_000], [9, 30_000, 1, 0, 5_000, 63, 64, 65]])
@pytest.mark.parametrize("bend", [1.0, 0.3, 0.01])
def test_large_curves_with_and_without_blocks(sizes: list[int], bend: float) -> None:
    many = []
    for size in sizes:
        up = RNG.random(size) < np.linspace(1, 0, size) ** bend
        many.append(list(zip(np.cumsum(~up).tolist(), np.cumsum(up).tolist(), strict=True)))
    assert hull(*flat(many)).tolist() == scanned(many)


@given(
    st.integers(1, 5), st.integers(1, 40), st.integers(0, 3), st.integers(0, 10**6), st.booleans()
)
def test_curves_side_by_side(curves: int, width: int, most: int, seed: int, falls: bool) -> None:
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, most + 1, (2, curves, width))
    x, y = np.cumsum(steps, axis=2)
    if falls:
        y = y - np.arange(width)
    vertices = hulls.hulls(x, y)
    expected = hull(x.ravel(), y.ravel(), width * np.arange(curves + 1))
    if not falls:
        assert (np.diff(vertices) > 0).all()
    points = np.stack([np.arange(curves * width) // width, x.ravel(), y.ravel()])
    assert np.unique(points[:, vertices], axis=1).tolist() == points[:, expected].tolist()
    inner = vertices % width < width - 1
    assert set(vertices[inner].tolist()) <= set(expected.tolist())


# Where an algorithm that drops a few points in each pass would take as many passes as points

N = 30_000
CONVEX = [*((i, 2 * N * i - i * i) for i in range(N)), (N, 10 * N * N), (2 * N, 10 * N * N + 1)]
coordinates = st.integers(0, 2**30)


@settings(max_examples=50)
@example(CONVEX)  # a chain below one high point
@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=60))
def test_no_points_take_more_passes_than_their_box_allows(points: Points) -> None:
    x, y = (np.array(sorted(column)) for column in zip(*points, strict=True))
    looked: list[int] = []
    above = hulls.height_above

    def counted(*given: NDArray[Any]) -> NDArray[Any]:
        looked.append(1)
        return above(*given)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(hulls, "height_above", counted)
        vertices = hulls._quickhull(x, y, np.isin(np.arange(len(x)), [0, len(x) - 1]))
    if points is CONVEX:
        assert vertices.tolist() == hull(x, y, [0, len(x)]).tolist() == [0, N, N + 1]
        both = hulls.hulls(np.array([x, x]), np.array([y, y]))
        assert both.tolist() == [0, N, N + 1, N + 2, 2 * N + 2, 2 * N + 3]
    box = int(x[-1] - x[0]) * int(y[-1] - y[0])
    assert len(looked) <= min(math.log(max(box, 1), 4) + 3, len(vertices))


def test_the_largest_and_the_smallest_integers() -> None:
    side = 2**31
    assert hull([0, 5, side - 1], [0, side - 6, side - 1], [0, 3]).tolist() == [0, 1, 2]
    assert hull([0, 6, side - 1], [0, 6, side - 1], [0, 3]).tolist() == [0, 2]
    x, y = np.array([200, 250, 0, 100], dtype=np.uint8), np.array([0, 120, 0, 9], dtype=np.int8)
    assert hull(x, y, [0, 2, 4]).tolist() == [0, 1, 2, 3]  # x may fall from curve to curve
    assert hull([], [], [0, 0, 0]).tolist() == []
