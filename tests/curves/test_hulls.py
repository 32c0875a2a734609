"""Hulls: against a scan in exact integers, and where a hull algorithm becomes slow."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.curves import hulls
from costcurves.curves.hulls import hull

Points = list[tuple[int, int]]
RNG = np.random.default_rng(20061)


def scanned(points: Points) -> list[int]:
    """Andrew's scan, one curve: of what is as high as any before, and of equals the first."""
    highest = -math.inf
    kept = []
    for i, (_, y) in enumerate(points):
        if y >= highest and points[i] not in points[:i]:
            kept.append(i)
            highest = y
    return [kept[i] for i in scanned_staircase([points[i] for i in kept])]


def scanned_staircase(points: Points) -> list[int]:
    """As `scanned`, where neither coordinate falls and no points are equal."""
    vertices: list[int] = []
    for i, (x, y) in enumerate(points):
        while len(vertices) > 1:
            (left_x, left_y), (mid_x, mid_y) = (points[j] for j in vertices[-2:])
            if (mid_x - left_x) * (y - left_y) < (mid_y - left_y) * (x - left_x):
                break
            vertices.pop()
        vertices.append(i)
    return vertices


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


def scanned_all(many: list[Points], scan: Callable[[Points], list[int]]) -> list[int]:
    """The vertices of curves that lie end to end."""
    starts = np.cumsum([0, *map(len, many)]).tolist()
    return [start + i for start, curve in zip(starts, many, strict=False) for i in scan(curve)]


@pytest.mark.parametrize("small", [0, hulls.SMALL])
@given(many=curves())
def test_vertices_are_those_of_a_scan(small: int, many: list[Points]) -> None:
    x, y, offsets = flat(many)
    expected = scanned_all(many, scanned)
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
    assert hull(*flat(many)).tolist() == scanned_all(many, scanned_staircase)


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


def passes(monkeypatch: pytest.MonkeyPatch, x: Any, y: Any) -> tuple[list[int], int]:
    """Vertices of one curve, all points looked at at once, and the passes that took."""
    height = hulls.height_above
    taken = 0

    def counted(*given: NDArray[Any]) -> NDArray[Any]:
        nonlocal taken
        taken += 1
        return height(*given)

    monkeypatch.setattr(hulls, "height_above", counted)
    x, y = np.array(x), np.array(y)
    is_end = np.isin(np.arange(len(x)), [0, len(x) - 1])
    vertices = hulls._quickhull(x, y, is_end)
    return vertices.tolist(), taken


@pytest.mark.parametrize("n", [300, 30_000])
def test_a_convex_chain_below_one_high_point(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    x, y = range(n + 1), [*(2 * n * i - i * i for i in range(n)), 10 * n * n]
    assert hulls.hulls(np.array([x, x]), np.array([y, y])).tolist() == [0, n, n + 1, 2 * n + 1]
    vertices, count = passes(monkeypatch, [*x, 2 * n], [*y, 10 * n * n + 1])
    assert vertices == [0, n, n + 1]
    assert count <= 3
    assert hull([*x, 2 * n], [*y, 10 * n * n + 1], [0, n + 2]).tolist() == vertices


@given(st.lists(st.tuples(st.integers(0, 2**30), st.integers(0, 2**30)), min_size=2, max_size=60))
def test_no_points_take_more_passes_than_their_box_allows(points: Points) -> None:
    x, y = (sorted(column) for column in zip(*points, strict=True))
    with pytest.MonkeyPatch.context() as monkeypatch:
        vertices, count = passes(monkeypatch, x, y)
    box = (x[-1] - x[0]) * (y[-1] - y[0])
    assert count <= math.log(max(box, 1), 4) + 3
    assert count <= len(vertices)


def test_the_largest_and_the_smallest_integers() -> None:
    side = 2**31
    assert hull([0, 5, side - 1], [0, side - 6, side - 1], [0, 3]).tolist() == [0, 1, 2]
    assert hull([0, 6, side - 1], [0, 6, side - 1], [0, 3]).tolist() == [0, 2]
    x, y = np.array([200, 250, 0, 100], dtype=np.uint8), np.array([0, 120, 0, 9], dtype=np.int8)
    assert hull(x, y, [0, 2, 4]).tolist() == [0, 1, 2, 3]  # x may fall from curve to curve
    assert hull([], [], [0, 0, 0]).tolist() == []
    with pytest.raises(ValueError, match="x falls from 1 to 0 within a curve"):
        hull([0, 1, 0], [0, 1, 2], [0, 3])
