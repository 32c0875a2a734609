"""Where labels go so that they touch neither a curve nor each other.

Plain geometry in inches from the lower left corner of the axes, curves sampled at even columns.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEP = 0.04  # inches between the heights that are tried
PAD = 0.04  # inches of air around a label
NEAR = 0.14  # a label further from its curve than this gets a leader
APART = 0.1  # curves further apart than this are told apart without effort
TRIED = 1000  # how many of the best places of a label are tried against the other labels


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


class Label(NamedTuple):
    """A label's box, and its leader, if any: x, y at the label, y at the curve."""

    box: Box
    leader: tuple[float, float, float] | None

    def occupies(self) -> list[Box]:
        """Box and leader as rectangles."""
        if self.leader is None:
            return [self.box]
        x, start, end = self.leader
        return [self.box, Box(x, min(start, end), 0.0, abs(start - end))]


Choice = tuple[float, Label]  # what speaks against a place, and the place


class _Places(NamedTuple):
    """Every box of one size that a label could have, and the air between it and each curve."""

    lefts: Floats
    bottoms: Floats
    below: Floats  # (curve, column, row): air up to a curve from a box's upper edge
    above: Floats  # and down to it from its lower edge; both negative: it runs through the box
    middle: Floats  # (curve, column): each curve's height at the middle of the box
    free: NDArray[np.bool_]


def place_labels(
    heights: Floats,
    ceiling: Floats,
    width: float,
    sizes: Sequence[tuple[float, float]],
    uprights: Sequence[float] = (),
    *,
    obstacles: Floats | None = None,
    led: Collection[int] = (),
) -> list[Label] | None:
    """Find a place for the label of each curve, below the ceiling and clear of all; None: no room.

    `heights` (curves, columns) has the curves with a label first. No label touches `obstacles`;
    labels rather keep off `uprights`, and those in `led` have a leader in any case.
    """
    blocked = heights[:0] if obstacles is None else obstacles
    choices = []
    for own, size in enumerate(sizes):
        places = _places(heights, ceiling, width, size, blocked)
        choices.append(_choices(own, places, size, uprights, led=own in led))
    found = [_in_order(order, choices) for order in _orders(choices)]
    complete = [labels for labels in found if labels]
    if not complete:
        return None
    best = min(complete, key=lambda labels: sum(against for against, _ in labels.values()))
    return [best[own][1] for own in range(len(sizes))]


def _orders(choices: Sequence[Sequence[Choice]]) -> list[list[int]]:
    """List orders to give places in: each label first once, the others hardest first."""
    hardness = [own[0][0] if own else np.inf for own in choices]
    hardest = sorted(range(len(choices)), key=lambda own: -hardness[own])
    orders = [[first, *(own for own in hardest if own != first)] for first in hardest]
    return [*orders, hardest[::-1]]


def _in_order(
    order: Sequence[int], choices: Sequence[Sequence[Choice]]
) -> dict[int, Choice] | None:
    """Give each label in turn the best of its places that touches no earlier one."""
    placed: dict[int, Choice] = {}
    for own in order:
        earlier = [box for _, label in placed.values() for box in label.occupies()]
        for against, label in choices[own]:
            if not any(part.touches(box) for box in earlier for part in label.occupies()):
                placed[own] = against, label
                break
        else:
            return None
    return placed


def _places(
    heights: Floats, ceiling: Floats, width: float, size: tuple[float, float], obstacles: Floats
) -> _Places:
    count, spacing = len(heights), width / (heights.shape[1] - 1)
    span = min(int(np.ceil(size[0] / spacing)) + 1, heights.shape[1])
    window = sliding_window_view(np.vstack([heights, obstacles, ceiling]), span, axis=1)[:, ::4]
    lefts = np.arange(window.shape[1]) * 4 * spacing
    bottoms = np.arange(2 * PAD, max(float(ceiling.max()), 3 * PAD), STEP)
    below = window.min(axis=-1)[:, :, None] - (bottoms + size[1])
    above = bottoms - window.max(axis=-1)[:, :, None]
    clear = (np.maximum(below, above)[:-1] >= PAD).all(axis=0) & (below[-1] >= PAD)
    middle, fits = window[:count, :, span // 2], size[0] <= width
    return _Places(lefts, bottoms, below[:count], above[:count], middle, clear & fits)


def _choices(
    own: int,
    places: _Places,
    size: tuple[float, float],
    uprights: Sequence[float],
    *,
    led: bool,
) -> list[Choice]:
    """List the free places of a curve's label, the best first, with what speaks against each."""
    lefts, bottoms, below, above, middle, free = places
    others = np.arange(len(middle)) != own
    gap = np.maximum(below, above)
    nearest_other = gap[others].min(axis=0, initial=np.inf)
    same_side = (below[others] > 0) == (below[own] > 0)
    between = (same_side & (gap[others] < gap[own])).sum(axis=0)
    apart = np.abs(middle[others] - middle[own]).min(axis=0, initial=APART)[:, None]
    clarity = nearest_other - gap[own]  # how much nearer the box is to its own curve
    leader = (gap[own] > NEAR) | (clarity < PAD) | led
    off_centre = np.abs(lefts - lefts.mean())[:, None] / max(lefts.max(), 1.0)
    far = 0.2 + 5 * (APART - apart) + 2 * np.maximum(0, 2 * APART - nearest_other)
    unclear = np.where(leader, far, 2 * np.maximum(0, 2 * APART - clarity))
    x = np.reshape(uprights, (-1, 1))
    crossed = np.sum((lefts - PAD < x) & (x < lefts + size[0] + PAD), axis=0)[:, None] > 0
    against = gap[own] + 0.15 * between + 0.3 * off_centre + unclear + 0.15 * crossed
    against = np.where(free, against, np.inf)
    best = np.argsort(against, axis=None, kind="stable")[: min(TRIED, int(free.sum()))]
    choices = []
    for column, row in zip(*np.unravel_index(best, against.shape), strict=True):
        box = Box(float(lefts[column]), float(bottoms[row]), *size)
        y = float(middle[own, column])
        end = box.bottom if y < box.bottom else box.bottom + box.height
        lead = (box.left + box.width / 2, end, y) if leader[column, row] else None
        choices.append((float(against[column, row]), Label(box, lead)))
    return choices


def place_tags(
    heights: Floats, ceiling: Floats, width: float, sizes: Sequence[tuple[float, float]]
) -> list[Box]:
    """Find a place ON each curve for a small tag, where it is best told from the others."""
    curves = np.vstack([heights, ceiling])
    distance = np.abs(curves[:, None, :] - curves[None, :, :])
    distance[np.arange(len(curves)), np.arange(len(curves))] = APART
    apart = np.minimum(distance.min(axis=1), APART)[:-1]  # from the nearest other curve
    tags: dict[int, Box] = {}
    for own in np.argsort(apart.max(axis=1), kind="stable"):
        boxes = _on_curve(heights[own], apart[own], width, sizes[own])
        clear = (b for b in boxes if not any(b.touches(tag) for tag in tags.values()))
        tags[int(own)] = next(clear, boxes[0])
    return [tags[own] for own in range(len(heights))]


def _on_curve(heights: Floats, apart: Floats, width: float, size: tuple[float, float]) -> list[Box]:
    """List the boxes around a curve, those first where it is furthest from the others."""
    places = np.linspace(0, width, len(heights))
    off_centre = np.abs(places / width - 0.5)
    order = np.argsort(0.02 * off_centre - np.round(apart, 3), kind="stable")
    return [
        Box(float(places[i] - size[0] / 2), float(heights[i] - size[1] / 2), *size) for i in order
    ]
