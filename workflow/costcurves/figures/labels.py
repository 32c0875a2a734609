"""Where names stand beside their curves, so that they touch neither a curve nor each other.

Plain geometry in inches from the lower left corner of the axes, curves sampled at even columns.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PAD = 0.04  # inches of air around a label, and between it and its curve
APART = 3 * PAD  # from the next curve: further off is no better
STEEP = 0.5  # inches that a curve may rise or fall along its name


class Box(NamedTuple):
    """A rectangle in inches."""

    left: float
    bottom: float
    width: float
    height: float

    def touches(self, other: "Box") -> bool:
        """Say whether two rectangles come nearer than `PAD`."""
        return (
            self.left < other.left + other.width + PAD
            and other.left < self.left + self.width + PAD
            and self.bottom < other.bottom + other.height + PAD
            and other.bottom < self.bottom + self.height + PAD
        )


def place_labels(
    heights: Floats, ceiling: Floats, width: float, sizes: Sequence[tuple[float, float]]
) -> list[Box | None]:
    """Find a place on top of each curve, or right beneath it, clear of all else; None: no room.

    Of these it is the one furthest from the next curve, then the one nearest to the middle.
    """
    placed: list[Box | None] = []
    lefts = np.linspace(0, width, heights.shape[1])
    for own, (wide, tall) in enumerate(sizes):
        span = int(np.ceil(wide / lefts[1])) + 1
        if span > len(lefts):
            placed.append(None)
            continue
        window = sliding_window_view(np.vstack([heights, ceiling]), span, axis=1)
        low, high = window.min(axis=2), window.max(axis=2)
        others = np.arange(len(low)) != own
        middle = window[:, :, span // 2]
        found: list[tuple[float, float, Box]] = []
        for bottom, edge in ((high[own] + PAD, 0.0), (low[own] - PAD - tall, tall)):
            off = np.abs(middle - bottom - edge)
            gaps = np.maximum(low - bottom - tall, bottom - high)
            gaps[-1] = low[-1] - bottom - tall  # beneath the ceiling
            clear = gaps[others].min(axis=0)
            either = np.minimum(np.abs(middle - bottom), np.abs(middle - bottom - tall))
            nearest = off[own] < either[others].min(axis=0)
            free = (clear > 2 * PAD) & (bottom > PAD) & nearest & (high[own] - low[own] < STEEP)
            for at in np.flatnonzero(free):
                box = Box(float(lefts[at]), float(bottom[at]), wide, tall)
                off_centre = abs(box.left + wide / 2 - width / 2)
                if not any(one.touches(box) for one in placed if one):
                    found.append((-min(float(clear[at]), APART), off_centre, box))
        placed.append(min(found, key=itemgetter(0, 1))[-1] if found else None)
    return placed
