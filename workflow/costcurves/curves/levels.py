"""The k-level of an arrangement of lines: at every PC(+) the k-th lowest of many cost lines.

Confidence limits from resampled lines are the k-th lowest and k-th highest VALUE at each PC(+)
([DH06]_, s4.6), a curve whose pieces are pieces of many lines. It is walked from vertex to vertex
(K. Miller et al., "Fast implementation of depth contours using topological sweep", SODA 2001), on
integers and without a grid: lines that come from counts are few, equal ones are merged.

Where two lines (f, g) and (f', g') cross depends on (f - f') / (g' - g) alone. Quotients of
integers below 2^26 that differ are further apart than the spacing of doubles, so comparing them as
floats is exact, and lines that meet in one point are known to.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import IntArray
from costcurves.curves.curves import Curve

LARGEST_DIFFERENCE = 2**26


class _Lines(NamedTuple):
    """Distinct lines, the lowest just right of PC(+) = 0 first, and how many there are of each."""

    at0: IntArray
    at1: IntArray
    times: IntArray


def k_level(
    fp_count: ArrayLike, fn_count: ArrayLike, k: int, negatives: int, positives: int
) -> Curve:
    """Find the k-th lowest of many cost lines at every PC(+), exactly; k = 1 is the lowest.

    Line i runs from fp_count[i] / negatives at PC(+) = 0 to fn_count[i] / positives at PC(+) = 1;
    counts are whole and may be negative (differences). Break points are rounded once.
    """
    lines = _distinct(_whole(fp_count), _whole(fn_count))
    if not 1 <= k <= lines.times.sum():
        total = lines.times.sum()
        raise ValueError(f"k must be from 1 to {total}, the number of lines, found {k}")
    path = _walk(lines, k)
    at0, at1 = lines.at0[path], lines.at1[path]
    steps = zip(np.abs(np.diff(at0)).tolist(), np.abs(np.diff(at1)).tolist(), strict=True)
    breaks = [fp * positives / (fp * positives + fn * negatives) for fp, fn in steps]
    pc = np.array([0.0, *breaks, 1.0])
    kept = np.diff(pc) > 0  # two break points may round to one
    rates = at0[kept] / negatives, at1[kept] / positives
    return Curve(np.append(pc[:-1][kept], 1.0), *rates)


def _whole(counts: ArrayLike) -> IntArray:
    array = np.asarray(counts)
    if array.ndim != 1 or array.dtype.kind not in "bui":
        raise ValueError(
            f"counts must be a row of whole numbers, found {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.int64)


def _distinct(fp: IntArray, fn: IntArray) -> _Lines:
    """Merge equal lines, and order the rest as they lie just right of PC(+) = 0."""
    if len(fp) != len(fn):
        raise ValueError(f"fp_count of length {len(fp)} and fn_count of length {len(fn)}")
    if len(fp) > 0 and max(np.ptp(fp), np.ptp(fn)) >= LARGEST_DIFFERENCE:
        raise ValueError("counts differ by 2^26 or more, which is beyond exact comparison")
    lines, times = np.unique(np.column_stack([fp, fn]), axis=0, return_counts=True)
    return _Lines(lines[:, 0], lines[:, 1], times)


def _walk(lines: _Lines, k: int) -> list[int]:
    """Follow the level from line to line."""
    line = int(np.searchsorted(np.cumsum(lines.times), k))
    below = int(lines.times[:line].sum())
    path = [line]
    at, meeting = _next_vertex(lines, line, 0.0)
    while len(meeting):
        # Left of where they meet the steepest is the lowest, right of it the highest.
        start = below - int(lines.times[meeting[lines.at1[meeting] > lines.at1[line]]].sum())
        upwards = start + np.cumsum(lines.times[meeting])
        place = int(np.searchsorted(upwards, k))
        below = int(upwards[place] - lines.times[meeting[place]])
        if meeting[place] != line:
            path.append(line := int(meeting[place]))
        at, meeting = _next_vertex(lines, line, at)
    return path


def _next_vertex(lines: _Lines, line: int, after: float) -> tuple[float, IntArray]:
    """Where a line next meets others, as more fp / less fn, and who meets there, flattest first."""
    more_fp, less_fn = lines.at0 - lines.at0[line], lines.at1[line] - lines.at1
    at = np.divide(more_fp, less_fn, out=np.zeros(len(more_fp)), where=less_fn != 0)
    at[at <= after] = np.inf
    nearest = float(at.min())
    if nearest == np.inf:
        return nearest, np.empty(0, dtype=np.int64)
    meeting = np.append(np.flatnonzero(at == nearest), line)
    return nearest, meeting[np.argsort(lines.at1[meeting])]
