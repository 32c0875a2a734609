"""What is drawn as a table: curves as vertices (x and y), ranges as two rows without y."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Vertices = tuple[Floats, Floats]
Ranges = list[tuple[float, float]]

COLUMNS: Final = ["series", "model", "other", "x", "y"]
SAME: Final = 1e-12  # nearer than this, two ends of pieces are one vertex
UNSEEN: Final = 0.11  # points, a ninth: curves that are so near look the same
AXES: Final = (206.0, 128.0)  # points: width and height of the axes of a panel


def part(series: Any, model: Any, x: ArrayLike, y: ArrayLike, other: Any = "") -> pd.DataFrame:
    """Return the vertices of a curve, or single points, as rows."""
    columns = {"series": series, "model": model, "other": other, "x": x, "y": y}
    return pd.DataFrame(columns).reset_index(drop=True)


def range_part(series: str, model: str, ranges: Ranges, other: str = "") -> pd.DataFrame:
    """Return ranges as rows: the two ends one after the other, without y."""
    return part(series, model, np.ravel(ranges), np.full(2 * len(ranges), np.nan), other)


def curve_part(
    series: Any, model: Any, x: ArrayLike, y: ArrayLike, other: Any = "", *, top: float = 0.5
) -> pd.DataFrame:
    """Return the vertices of curves that can be seen where the axes are `top` high."""
    vertices = part(series, model, x, y, other)
    return thinned(vertices, ["series", "model", "other"], (AXES[0], AXES[1] / top))


def cost_part(
    series: Any, pieces: pd.DataFrame, models: Sequence[str], *, top: float = 0.5
) -> pd.DataFrame:
    """Return the vertices of the cost curves of models, in this order, that can be seen."""
    rows = pd.concat(filtered(pieces.assign(series=series), model=model) for model in models)
    vertices = cost_vertices(rows, ["series", "model"])
    return curve_part(*(vertices[name] for name in vertices), top=top)


def roc_part(points: pd.DataFrame) -> pd.DataFrame:
    """Return the ROC curve of operating points, or where they are classifiers the points."""
    rows = points.sort_values(["fp", "fn"], ascending=[True, False])
    x, y = rows["fp"], 1 - rows["fn"]
    if rows["threshold"].isna().all():
        return part("classifier", rows["model"], x, y)
    return curve_part("roc", rows["model"], x, y, top=1)


def hull_part(series: str, pieces: pd.DataFrame, model: str) -> pd.DataFrame:
    """Return the ROC hull whose points hold the pieces of an envelope."""
    corners = pieces[["at0", "at1"]].drop_duplicates().sort_values("at0", kind="stable")
    return part(series, model, np.r_[0, corners["at0"], 1], np.r_[0, 1 - corners["at1"], 1])


def together(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return all parts of a figure's data as one table."""
    filled = [rows for rows in parts if len(rows)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame(columns=COLUMNS)


def filtered(table: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Return the rows of a table that have these values in columns."""
    kept = np.ones(len(table), dtype=bool)
    for column, value in values.items():
        kept &= table[column].eq(value).to_numpy(bool)
    return table[kept]


def curve(data: pd.DataFrame, series: str, model: str = "", other: str = "") -> Vertices:
    """Read a curve of a figure's data."""
    rows = filtered(data, series=series, model=model, other=other)
    return rows["x"].to_numpy(float), rows["y"].to_numpy(float)


def ranges(data: pd.DataFrame, series: str, model: str = "", other: str = "") -> Ranges:
    """Read the ranges of a figure's data."""
    ends, _ = curve(data, series, model, other)
    return [(low, high) for low, high in ends.reshape(-1, 2).tolist()]


def spans_of(rows: pd.DataFrame) -> Ranges:
    """Read where the rows of a table hold."""
    return list(zip(rows["pc_from"], rows["pc_to"], strict=True))


def models_of(data: pd.DataFrame, series: str) -> list[str]:
    """List the models of which a figure's data have such curves, in order."""
    return filtered(data, series=series)["model"].unique().tolist()


def union(ranges: Ranges) -> Ranges:
    """Join ranges that meet."""
    joined: Ranges = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1]:
            low, end = joined.pop()
            high = max(high, end)
        joined.append((low, high))
    return joined


def covered(ranges: Ranges) -> float:
    """Add up the widths of ranges."""
    return sum(high - low for low, high in ranges)


def widest(ranges: Ranges) -> tuple[float, float]:
    """Return the widest of ranges."""
    return max(ranges, key=lambda span: span[1] - span[0])


def cut(x: Floats, y: Floats, low: float, high: float) -> Vertices:
    """Return the part of a curve between two abscissas, its ends interpolated."""
    inside = (x > low) & (x < high)
    ends = np.interp([low, high], x, y)
    return np.r_[low, x[inside], high], np.r_[ends[0], y[inside], ends[1]]


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
    moved = np.abs(np.diff(vertices.iloc[:, -2:].to_numpy(), axis=0)).max(axis=1) > SAME
    return vertices[np.append(True, moved)[: len(vertices)]].reset_index(drop=True)


def thinned(vertices: pd.DataFrame, by: Sequence[str], scale: tuple[float, float]) -> pd.DataFrame:
    """Leave out vertices within `UNSEEN` of the line through the rest; `scale`: points of x and y.

    Douglas and Peucker (1973), doi:10.3138/FM57-6770-U75U-7727, all segments at once.
    """
    if vertices.empty:
        return vertices
    x, y = vertices.iloc[:, -2:].to_numpy(float).T * np.array([scale]).T
    codes = vertices.groupby(list(by), sort=False, dropna=False).ngroup().to_numpy()
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
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
    """Compute the distance of each vertex from the straight piece between two others."""
    along, up = x[end] - x[start], y[end] - y[start]
    right, over = x - x[start], y - y[start]
    square = along**2 + up**2
    share = (right * along + over * up) / np.where(square > 0, square, 1.0)
    share = np.clip(share, 0, 1)
    return np.hypot(right - share * along, over - share * up)
