"""Curves as vertices that lines go through: x and y in the last columns, `by` names a curve."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SAME = 1e-12  # nearer than this, two ends of pieces are one vertex
UNSEEN = 0.004  # inches, a tenth of a millimetre: curves that are so near look the same


def cost_vertices(pieces: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Turn the pieces of cost curves, in order, into vertices; a jump keeps both of its ends.

    >>> two = pd.DataFrame({"model": ["A", "A"], "pc_from": [0, .5], "pc_to": [.5, 1],
    ...                     "nec_from": [0, .5], "nec_to": [.5, 0]})
    >>> cost_vertices(two, ["model"]).to_numpy().tolist()
    [['A', 0.0, 0.0], ['A', 0.5, 0.5], ['A', 1.0, 0.0]]
    """
    vertices = pieces[list(by)].iloc[np.repeat(np.arange(len(pieces)), 2)].reset_index(drop=True)
    vertices["pc"] = pieces[["pc_from", "pc_to"]].to_numpy(float).ravel()
    vertices["nec"] = pieces[["nec_from", "nec_to"]].to_numpy(float).ravel()
    return _without_repeats(vertices)


def roc_vertices(pieces: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Turn cost lines into the ROC points dual to them; an envelope becomes its hull."""
    names = pieces[list(by)].drop_duplicates()
    inner = pieces[list(by)].assign(fp=pieces["at0"].astype(float), tp=1 - pieces["at1"])
    parts = [names.assign(fp=0.0, tp=0.0), inner, names.assign(fp=1.0, tp=1.0)]
    vertices = pd.concat(parts, ignore_index=True)
    order = vertices.groupby(list(by), sort=False).ngroup().argsort(kind="stable")
    return _without_repeats(vertices.iloc[order].reset_index(drop=True))


def cost_lines(points: pd.DataFrame) -> pd.DataFrame:
    """Both ends of the cost line of each ROC point, PC(+) = 0 first: `pc` and `nec`."""
    ends = [points.assign(pc=0.0, nec=points["fp"]), points.assign(pc=1.0, nec=1 - points["tp"])]
    return pd.concat(ends).sort_index(kind="stable")


def _without_repeats(vertices: pd.DataFrame) -> pd.DataFrame:
    """Drop vertices that repeat the one before; a curve begins far from where the last one ends."""
    moved = np.abs(np.diff(vertices.iloc[:, -2:].to_numpy(), axis=0)).max(axis=1) > SAME
    return vertices[np.append(True, moved)[: len(vertices)]].reset_index(drop=True)


def thinned(vertices: pd.DataFrame, by: Sequence[str], scale: tuple[float, float]) -> pd.DataFrame:
    """Leave out vertices within `UNSEEN` of the line through the rest; `scale`: inches of x and y.

    Douglas and Peucker (1973), doi:10.3138/FM57-6770-U75U-7727, all segments at once.
    """
    if vertices.empty:
        return vertices
    x, y = vertices.iloc[:, -2:].to_numpy(float).T * np.array([scale]).T
    starts = curve_starts(vertices, by)
    kept = np.zeros(len(vertices), bool)
    kept[[*starts, *(starts[1:] - 1), -1]] = True
    while True:
        ends = np.flatnonzero(kept)
        segment = np.minimum(np.cumsum(kept) - 1, max(len(ends) - 2, 0))
        away = _away(x, y, ends[segment], ends[np.minimum(segment + 1, len(ends) - 1)])
        farthest = np.maximum.reduceat(away, ends)[np.cumsum(kept) - 1]
        divides = (away == farthest) & (farthest > UNSEEN)
        if not divides.any():
            return vertices[kept].reset_index(drop=True)
        kept |= divides


def _away(x: Floats, y: Floats, start: NDArray[np.int64], end: NDArray[np.int64]) -> Floats:
    """Distance of each vertex from the straight piece between two others."""
    along, up = x[end] - x[start], y[end] - y[start]
    right, over = x - x[start], y - y[start]
    square = along**2 + up**2
    share = (right * along + over * up) / np.where(square > 0, square, 1.0)
    share = np.clip(share, 0, 1)
    return np.hypot(right - share * along, over - share * up)


def height_at(vertices: pd.DataFrame, x: Floats, side: Literal["left", "right"]) -> Floats:
    """Height of one curve at each x, at a jump the one on that side of it."""
    at, height = vertices.iloc[:, -2:].to_numpy(float).T
    after = np.clip(np.searchsorted(at, x, side), 1, len(at) - 1)
    width = at[after] - at[after - 1]
    share = np.where(width > 0, (x - at[after - 1]) / np.where(width > 0, width, 1.0), 1.0)
    found: Floats = height[after - 1] + share * (height[after] - height[after - 1])
    return found


def curve_starts(vertices: pd.DataFrame, by: Sequence[str]) -> NDArray[np.int64]:
    """Rows at which a new curve begins."""
    codes = vertices.groupby(list(by), sort=False, dropna=False).ngroup().to_numpy()
    return np.flatnonzero(np.diff(codes, prepend=-1))


def joined(vertices: pd.DataFrame, by: Sequence[str]) -> tuple[Floats, Floats]:
    """Join many curves into one line with gaps (NaN), so that they are drawn as one path."""
    gaps = curve_starts(vertices, by)[1:]
    x, y = vertices.iloc[:, -2:].to_numpy(float).T
    return np.insert(x, gaps, np.nan), np.insert(y, gaps, np.nan)


def by_model(vertices: pd.DataFrame, models: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Take the rows of each model in the given order, without the models that have none."""
    groups = dict(iter(vertices.groupby("model", sort=False)))
    return ((model, groups[model]) for model in models if model in groups)


def fill_between(axes: Axes, lower: pd.DataFrame, upper: pd.DataFrame, **look: Any) -> None:
    """Fill what is between two curves (x and y their last columns), jumps included."""
    x = np.concatenate([lower.iloc[:, -2], upper.iloc[::-1, -2]])
    y = np.concatenate([lower.iloc[:, -1], upper.iloc[::-1, -1]])
    axes.fill(x, y, **look)
