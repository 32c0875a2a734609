"""Confidence bands: two edges around a curve, compared with other curves by exact roots.

An edge is a curve plus or minus the root of a quadratic in PC(+): hypot of two widths, one at each
end. With widths zero it is an ordinary curve (k-levels, bands of resampled curves); around a line
it is the edge of a band of one classifier, or of a difference of two. Both meet any curve in the
roots of quadratics, so where a band excludes a value is exact, without a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.counts.elementwise import FloatArray, Values, plain
from costcurves.curves.curves import Curve, Interval, Side, better_than, lines_between, merged


@dataclass(frozen=True, eq=False)
class Edge:
    """One edge of a band: ``curve(pc) + side * hypot((1 - pc) * width0, pc * width1)``.

    `side` is +1 for an upper, -1 for a lower edge; widths are not negative.

    >>> from costcurves.curves.curves import line
    >>> edge = Edge(line(0.5, 0.5), 1, 0.3, 0.4)
    >>> edge(0.0), edge(1.0), edge(0.5)
    (0.8, 0.9, 0.75)
    """

    curve: Curve
    side: Literal[-1, 1] = 1
    width0: float = 0.0
    width1: float = 0.0

    def __call__(self, pc: ArrayLike, side: Side = "right") -> Values:
        """Evaluate the edge; `pc` and `side` as for a `curves.Curve`."""
        x = np.asarray(pc, dtype=np.float64)
        width = np.hypot((1 - x) * self.width0, x * self.width1)
        return plain(self.curve(x, side) + self.side * width)

    def against(self, other: Curve) -> list[Interval]:
        """Say where the edge is below (-1) and above (+1) a curve.

        A partition of [0, 1] as by `curves.better_than`: ends are roots, touching is not crossing.
        """
        if self.width0 == self.width1 == 0:
            return better_than(self.curve, other)
        difference = self.curve - other
        places = np.unique(np.concatenate([difference.pc, self._meets(difference)]))
        middle = (places[:-1] + places[1:]) / 2
        middle = np.minimum(middle, np.nextafter(places[1:], 0))  # it may round to the end
        signs = np.sign(Edge(difference, self.side, self.width0, self.width1)(middle))
        return merged(places, signs)

    def _meets(self, difference: Curve) -> FloatArray:
        """PC(+) inside a piece where the square of its line is the square of the width.

        With x = PC(+), a x^2 + 2 b x (1 - x) + c (1 - x)^2 = 0: a quadratic in x / (1 - x), solved
        without cancellation.
        """
        at0, at1 = difference.at0, difference.at1
        a = (at1 - self.width1) * (at1 + self.width1)
        b = at0 * at1
        c = (at0 - self.width0) * (at0 + self.width0)
        squared = (at0 * self.width1) ** 2 + (at1 * self.width0) ** 2
        squared = squared - (self.width0 * self.width1) ** 2
        q = -(b + np.where(b < 0, -1, 1) * np.sqrt(np.maximum(squared, 0)))
        above, below = np.concatenate([q, c]), np.concatenate([a + q, q + c])
        roots = np.divide(above, below, out=np.full(len(above), -1.0), where=below != 0)
        start, end = np.tile(difference.pc[:-1], 2), np.tile(difference.pc[1:], 2)
        inside: FloatArray = roots[np.tile(squared >= 0, 2) & (start < roots) & (roots < end)]
        return inside

    def drawn(self, points: int = 64) -> Curve:
        """Return a curve to draw: that many chords of the edge, exact where the edge is a curve.

        Each spans the same angle of the hypot. It is nowhere further from the edge than
        ``(pi / points)^2 / 32`` times the larger width: 8e-5 of it for 64.
        """
        if self.width0 == self.width1 == 0:
            return self.curve
        angle = np.linspace(0, np.pi / 2, points + 1)[1:-1]
        sine, cosine = self.width0 * np.sin(angle), self.width1 * np.cos(angle)
        places = np.unique(np.concatenate([self.curve.pc, sine / (sine + cosine)]))
        start, end = self(places[:-1]), self(places[1:], side="left")
        return through(places, start, end)


@dataclass(frozen=True, eq=False)
class Band:
    """A confidence band: two edges around the curve that it is about.

    `level` is nominal: for the whole curve at once (`simultaneous`), or for each PC(+) by itself.
    `method` says how the band was made: "wilson", "bootstrap", ....
    """

    estimate: Curve
    lower: Edge
    upper: Edge
    level: float
    simultaneous: bool
    method: str

    def against(self, other: Curve) -> list[Interval]:
        """Say where the whole band is below (-1) or above (+1) a curve, or reaches it (0).

        A partition of [0, 1], neighbours differ in sign. Ends are roots.

        >>> from costcurves.curves.curves import line
        >>> band = around(line(-0.2, 0.3), line(0.1, 0.1), 0.9, simultaneous=True, method="any")
        >>> [(round(low, 3), round(high, 3), sign) for low, high, sign in band.against(line(0, 0))]
        [(0.0, 0.2, -1), (0.2, 0.6, 0), (0.6, 1.0, 1)]
        """
        below, above = self.upper.against(other), self.lower.against(other)
        places = np.unique([0.0, *(part.high for part in below + above)])
        starts = places[:-1]
        signs = np.minimum(_sign_at(below, starts), 0) + np.maximum(_sign_at(above, starts), 0)
        return merged(places, signs)


class Range(NamedTuple):
    """Between which PC(+) a stretch starts, and between which it ends.

    NaN where the data do not exclude that there is no such stretch (`latest_start`,
    `earliest_end`), or exclude that there is one (all four).
    """

    earliest_start: float
    latest_start: float
    earliest_end: float
    latest_end: float


def around(
    estimate: Curve, halfwidth: Curve, level: float, simultaneous: bool, method: str
) -> Band:
    """Make the band of a curve from half its width."""
    lower, upper = Edge(estimate - halfwidth, -1), Edge(estimate + halfwidth, 1)
    return Band(estimate, lower, upper, level, simultaneous, method)


def through(pc: ArrayLike, starts: ArrayLike, ends: ArrayLike | None = None) -> Curve:
    """Make the curve with given heights at its break points.

    `starts` are (k,) where pieces start, `ends` (k,) where they end; or (k + 1,) `starts` alone: no
    jumps.
    """
    places, start = np.asarray(pc, dtype=np.float64), np.asarray(starts, dtype=np.float64)
    start, end = (start[:-1], start[1:]) if ends is None else (start, np.asarray(ends))
    slope = (end - start) / np.diff(places)
    return Curve(places, start - slope * places[:-1], end + slope * (1 - places[1:]))


def lowest(a: Curve, b: Curve) -> Curve:
    """Return the lower of two curves at every PC(+)."""
    ends = [part.high for part in better_than(a, b)]
    places = np.unique(np.concatenate([a.pc, b.pc, ends]))
    first, second = lines_between(a, places), lines_between(b, places)
    ends_added = places[:-1] + places[1:]  # a middle may round to an end
    heights = [at0 * (2 - ends_added) + at1 * ends_added for at0, at1 in (first, second)]
    return Curve(places, *np.where(heights[0] <= heights[1], first, second)).simplified()


def within(band: Band, least: Curve, most: Curve) -> Band:
    """Cut a band of curves off at `least` and `most`, between which every curve must lie."""
    lower = lowest(band.lower.curve * -1, least * -1) * -1
    upper = lowest(band.upper.curve, most)
    cut = (Edge(lower, -1), Edge(upper, 1))
    return Band(band.estimate, *cut, band.level, band.simultaneous, band.method)


def below(band: Band, other: Curve) -> Range:
    """Say between which PC(+) the stretch where a curve is below another starts, and ends.

    It reaches at most as far as the lower edge of the curve's `band` is below the other, and at
    least as far as the upper edge is. Below the no-model baselines it is the operating range:

    >>> from costcurves.curves.curves import line, trivial
    >>> band = around(line(0.3, 0.3), line(0.1, 0.1), 0.9, simultaneous=True, method="any")
    >>> [round(float(end), 3) for end in below(band, trivial())]
    [0.2, 0.4, 0.6, 0.8]
    """
    outer, inner = (
        [part for part in edge.against(other) if part.sign < 0] for edge in (band.lower, band.upper)
    )
    starts = [(parts[0].low if parts else np.nan) for parts in (outer, inner)]
    ends = [(parts[-1].high if parts else np.nan) for parts in (inner, outer)]
    return Range(*starts, *ends)


def in_common(lists: Sequence[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return what several lists of stretches of PC(+) have in common, without single points.

    >>> in_common([[(0, 0.5), (0.6, 1)], [(0.2, 0.7)]])
    [(0.2, 0.5), (0.6, 0.7)]
    """
    common = [(0.0, 1.0)]
    for stretches in lists:
        each = [(max(a[0], b[0]), min(a[1], b[1])) for a in common for b in stretches]
        common = [(low, high) for low, high in each if low < high]
    return common


def _sign_at(parts: list[Interval], places: FloatArray) -> FloatArray:
    """Look up the sign of a partition."""
    ends = np.array([part.high for part in parts[:-1]])
    signs = np.array([part.sign for part in parts], dtype=np.float64)
    looked_up: FloatArray = signs[np.searchsorted(ends, places, side="right")]
    return looked_up
