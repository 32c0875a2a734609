"""Where labels go so that they touch neither a curve nor each other.

Plain geometry in inches from the lower left corner of the axes; nothing here draws. Curves come
sampled at evenly spaced columns, for finding room only.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

STEP = 0.04  # inches between the heights that are tried
PAD = 0.04  # inches of air around a label
NEAR = 0.14  # a label further from its curve than this gets a leader
APART = 0.1  # curves further apart than this are told apart without effort
TRIED = 1000  # how many of the best places of a label are tried against the other labels


@dataclass(frozen=True)
class Box:
    """A rectangle in inches."""

    left: float
    bottom: float
    width: float
    height: float

    def touches(self, other: "Box") -> bool:
        """Whether two rectangles come nearer than `PAD`.

        >>> Box(0, 0, 1, 1).touches(Box(1.1, 0, 1, 1)), Box(0, 0, 1, 1).touches(Box(0.9, 0, 1, 1))
        (False, True)
        """
        return (
            self.left < other.left + other.width + PAD
            and other.left < self.left + self.width + PAD
            and self.bottom < other.bottom + other.height + PAD
            and other.bottom < self.bottom + self.height + PAD
        )


@dataclass(frozen=True)
class Label:
    """A label's place: its box, and the point of its curve that a leader goes to, if it has one."""

    box: Box
    target: tuple[float, float] | None = None

    @property
    def leader(self) -> tuple[float, float, float] | None:
        """The leader's x, and its y at the label and at the curve."""
        if self.target is None:
            return None
        x, y = self.target
        top = self.box.bottom + self.box.height
        return x, (self.box.bottom if y < self.box.bottom else top), y

    def occupies(self) -> list[Box]:
        """Box and leader as rectangles."""
        if self.leader is None:
            return [self.box]
        x, start, end = self.leader
        return [self.box, Box(x, min(start, end), 0.0, abs(start - end))]


@dataclass(frozen=True)
class _Places:
    """Every box of one size that a label could have, and the air between it and each curve.

    `below` and `above`, (curve, column, row), are the air up to a curve from the box's upper edge,
    and down to it from its lower edge; both are negative where the curve runs through the box.
    `middle`, (curve, column), is each curve's height at the middle of the box.
    """

    lefts: Floats
    bottoms: Floats
    size: tuple[float, float]
    below: Floats
    above: Floats
    middle: Floats
    free: Bools

    def crossed_by(self, uprights: Sequence[float]) -> Bools:
        """Say of each column whether an upright runs through its boxes."""
        right = self.lefts + self.size[0]
        crossed = [(self.lefts - PAD < x) & (x < right + PAD) for x in uprights]
        found: Bools = np.any([np.zeros(len(self.lefts), bool), *crossed], axis=0)
        return found

    def label(self, own: int, column: int, row: int, *, leader: bool) -> Label:
        box = Box(float(self.lefts[column]), float(self.bottoms[row]), *self.size)
        target = (box.left + box.width / 2, float(self.middle[own, column]))
        return Label(box, target if leader else None)


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

    A leader says which curve is meant where another one is nearer or lies between. `heights`
    (curves, columns) has the curves with a label first. No label touches `obstacles`; labels rather
    keep off `uprights`, and those in `led` have a leader in any case.

    >>> flat, high = np.full((1, 101), 1.0), np.full(101, 3.0)
    >>> place_labels(flat, high, 5.0, [(1.0, 0.1)])[0].leader is None
    True
    >>> place_labels(flat, flat[0], 5.0, [(1.0, 1.5)]) is None
    True
    """
    blocked = heights[:0] if obstacles is None else obstacles
    choices = [
        _choices(own, _places(heights, ceiling, width, size, blocked), uprights, led=own in led)
        for own, size in enumerate(sizes)
    ]
    found = [_in_order(order, choices) for order in _orders(choices)]
    complete = [labels for labels in found if labels]
    if not complete:
        return None
    best = min(complete, key=lambda labels: sum(against for against, _ in labels.values()))
    return [best[own][1] for own in range(len(sizes))]


Choice = tuple[float, Label]  # what speaks against a place, and the place


def _orders(choices: Sequence[Sequence[Choice]]) -> list[list[int]]:
    """List orders to give places in: each label first once, the others hardest first."""
    hardness = [own[0][0] if own else np.inf for own in choices]
    hardest_first = sorted(range(len(choices)), key=lambda own: -hardness[own])
    return [[first, *(own for own in hardest_first if own != first)] for first in hardest_first] + [
        hardest_first[::-1]
    ]


def _in_order(
    order: Sequence[int], choices: Sequence[Sequence[Choice]]
) -> dict[int, Choice] | None:
    """Give each label in turn the best of its places that touches no earlier one."""
    placed: dict[int, Choice] = {}
    for own in order:
        earlier = [box for _, label in placed.values() for box in label.occupies()]
        clear = (choice for choice in choices[own] if not _touches(choice[1], earlier))
        found = next(clear, None)
        if found is None:
            return None
        placed[own] = found
    return placed


def _touches(label: Label, boxes: Iterable[Box]) -> bool:
    return any(own.touches(box) for box in boxes for own in label.occupies())


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
    fits = size[0] <= width
    middle = window[:count, :, span // 2]
    return _Places(lefts, bottoms, size, below[:count], above[:count], middle, clear & fits)


def _choices(own: int, places: _Places, uprights: Sequence[float], *, led: bool) -> list[Choice]:
    """List the free places of a curve's label, the best first, with what speaks against each."""
    others = np.arange(len(places.middle)) != own
    gap = np.maximum(places.below, places.above)
    nearest_other = gap[others].min(axis=0, initial=np.inf)
    same_side = (places.below[others] > 0) == (places.below[own] > 0)
    between = (same_side & (gap[others] < gap[own])).sum(axis=0)
    apart = np.abs(places.middle[others] - places.middle[own]).min(axis=0, initial=APART)[:, None]
    clarity = nearest_other - gap[own]  # how much nearer the box is to its own curve
    leader = (gap[own] > NEAR) | (clarity < PAD) | led
    off_centre = np.abs(places.lefts - places.lefts.mean())[:, None] / max(places.lefts.max(), 1.0)
    far = 0.2 + 5 * (APART - apart) + 2 * np.maximum(0, 2 * APART - nearest_other)
    unclear = np.where(leader, far, 2 * np.maximum(0, 2 * APART - clarity))
    against = gap[own] + 0.15 * between + 0.3 * off_centre + unclear
    against = against + 0.15 * places.crossed_by(uprights)[:, None]
    against = np.where(places.free, against, np.inf)
    best = np.argsort(against, axis=None, kind="stable")[: min(TRIED, int(places.free.sum()))]
    cells = np.column_stack(np.unravel_index(best, against.shape))
    return [
        (float(against[c, r]), places.label(own, int(c), int(r), leader=bool(leader[c, r])))
        for c, r in cells
    ]


def place_tags(
    heights: Floats, ceiling: Floats, width: float, sizes: Sequence[tuple[float, float]]
) -> list[Box]:
    """Find a place for a small tag ON each curve, where the curve is best told from the others.

    Tags touch each other only where there is no room at all.

    >>> two = np.array([np.linspace(0, 1, 101), np.linspace(1, 0, 101)])
    >>> first, second = place_tags(two, np.full(101, 3.0), 5.0, [(0.2, 0.1)] * 2)
    >>> first.touches(second)
    False
    """
    apart = _apart(np.vstack([heights, ceiling]))[:-1]
    tags: dict[int, Box] = {}
    for own in np.argsort(apart.max(axis=1), kind="stable"):
        boxes = _on_curve(heights[own], apart[own], width, sizes[own])
        clear = (b for b in boxes if not any(b.touches(tag) for tag in tags.values()))
        tags[int(own)] = next(clear, boxes[0])
    return [tags[own] for own in range(len(heights))]


def _apart(heights: Floats) -> Floats:
    """Distance of each curve from the nearest other one at each column, no more than `APART`."""
    distance = np.abs(heights[:, None, :] - heights[None, :, :])
    distance[np.arange(len(heights)), np.arange(len(heights))] = APART
    apart: Floats = np.minimum(distance.min(axis=1), APART)
    return apart


def _on_curve(heights: Floats, apart: Floats, width: float, size: tuple[float, float]) -> list[Box]:
    places = np.linspace(0, width, len(heights))
    off_centre = np.abs(places / width - 0.5)
    order = np.argsort(0.02 * off_centre - np.round(apart, 3), kind="stable")
    return [
        Box(float(places[i] - size[0] / 2), float(heights[i] - size[1] / 2), *size) for i in order
    ]
