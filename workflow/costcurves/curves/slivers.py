"""Slivers: stretches of PC(+) that are too narrow to be of use, where a difference jumps.

Cross-fitted curves jump where the choice changes, so that a band may leave zero for a stretch that
no one can use. How wide a stretch is, is judged on the scale of cost ratios, which go with
PC(+) / (1 - PC(+)) at every prior: narrow is what spans less than a factor of `SLIVER` of them. A
stretch that reaches PC(+) = 0 or 1 is never narrow, and rare classes, for which everything that
matters lies near an end, are judged as others are. Where models are equally good, verdicts on such
stretches are about as frequent as where they differ, so they say nothing.

A difference without jumps, as that of two decisions, has no slivers. Of one with jumps every narrow
stretch is a sliver, also between continuous edges. So the higher the limit that it has to pass, the
less of it is in use, and there is one largest height at which a verdict appears (`largest_in_use`):
p-value, order of pairs and projection rest on that height, and agree with verdicts.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.counts.elementwise import FloatArray
from costcurves.curves.curves import Curve

SLIVER: Final = 1.15  # of a cost ratio, as a factor: .035 of PC(+) at .5
EXACT: Final = 1e-12  # how closely heights are bisected, relatively; smaller steps are no jumps


def jumps(curve: Curve) -> bool:
    """Return whether a curve jumps anywhere."""
    inner = curve.pc[1:-1]
    return bool((np.abs(curve(inner) - curve(inner, side="left")) > EXACT).any())


def is_sliver(curve: Curve, low: ArrayLike, high: ArrayLike) -> NDArray[np.bool_]:
    """Say which stretches of a difference are slivers, 0 <= low <= high <= 1.

    >>> step = Curve([0, 0.5, 1], [0, 1], [1, 1])
    >>> is_sliver(step, [0.499, 0, 0.0004], [0.501, 0.0004, 0.0005]).tolist()
    [True, False, False]
    """
    return is_narrow(low, high) & jumps(curve)


def is_narrow(low: ArrayLike, high: ArrayLike) -> NDArray[np.bool_]:
    """Say which stretches are too narrow to be of use, empty ones among them."""
    first, last = np.asarray(low), np.asarray(high)
    narrow: NDArray[np.bool_] = last * (1 - first) <= SLIVER * first * (1 - last)
    return narrow


def largest_in_use(curve: Curve, places: FloatArray, wide: FloatArray) -> float:
    """Find the largest absolute standardized height that a curve passes on more than a sliver.

    Where a band is narrower than that many `wide`, a verdict can be read off it, and nowhere else.
    `places` hold the break points of the curve and of `wide`, which is straight in between.
    """
    before, after = curve(places, side="left"), curve(places)
    height = np.maximum(np.abs(before), np.abs(after))
    high = float(np.divide(height, wide, out=np.zeros_like(height), where=wide > 0).max())
    if not jumps(curve):
        return high
    low, least = 0.0, EXACT * high
    while high - low > least:
        middle = (low + high) / 2
        limit = middle * wide
        stretches = (_above(places, sign * after, sign * before, limit) for sign in (1, -1))
        used = any(not is_narrow(*ends).all() for ends in stretches)
        low, high = (middle, high) if used else (low, middle)
    return low


def _above(
    places: FloatArray, starts: FloatArray, ends: FloatArray, limit: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return where the stretches begin, and end, on which heights between places pass a limit."""
    start, end = starts[:-1] - limit[:-1], ends[1:] - limit[1:]
    up, down = start > 0, end > 0
    share = np.divide(start, start - end, out=np.zeros_like(start), where=up != down)
    root = places[:-1] + share * np.diff(places)
    begins = np.where(up, ~np.append(False, down[:-1]), down)
    stops = np.where(down, ~np.append(up[1:], False), up)
    return np.where(up, places[:-1], root)[begins], np.where(down, places[1:], root)[stops]
