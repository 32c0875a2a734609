"""Cost curves in exact arithmetic: slow, short, and independent of the package. An oracle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from costcurves.curves.curves import Curve

Line = tuple[Fraction, Fraction]
ALWAYS_NEGATIVE: Line = (Fraction(0), Fraction(1))
ALWAYS_POSITIVE: Line = (Fraction(1), Fraction(0))


def height(line: Line, pc: Fraction) -> Fraction:
    return line[0] * (1 - pc) + line[1] * pc


def meeting(one: Line, other: Line) -> list[Fraction]:
    """The PC(+) inside (0, 1) where two different lines meet, if there is one."""
    at0, at1 = one[0] - other[0], one[1] - other[1]
    return [at0 / (at0 - at1)] if at0 * at1 < 0 else []


@dataclass(frozen=True)
class ExactCurve:
    """Break points from 0 to 1, and the line between each two."""

    pc: tuple[Fraction, ...]
    lines: tuple[Line, ...]

    def line(self, low: Fraction, high: Fraction) -> Line:
        """The line between two points that have no break point between them."""
        pieces = zip(pairwise(self.pc), self.lines, strict=True)
        return next(line for (start, end), line in pieces if start <= low and high <= end)

    def area(self) -> Fraction:
        pieces = zip(pairwise(self.pc), self.lines, strict=True)
        return sum(
            ((end - start) * height(line, (start + end) / 2) for (start, end), line in pieces),
            Fraction(0),
        )

    def rounded(self) -> Curve:
        """The same curve in floats, each number rounded once."""
        return Curve(
            [float(pc) for pc in self.pc],
            [float(at0) for at0, _ in self.lines],
            [float(at1) for _, at1 in self.lines],
        )

    def mirrored(self) -> "ExactCurve":
        """The curve with the classes swapped."""
        return ExactCurve(
            tuple(1 - pc for pc in reversed(self.pc)),
            tuple((at1, at0) for at0, at1 in reversed(self.lines)),
        )


def union(curves: Iterable[ExactCurve]) -> list[Fraction]:
    return sorted({pc for curve in curves for pc in curve.pc})


def lower_envelope(lines: Sequence[Line], trivial: bool = True) -> ExactCurve:
    """Take the lowest line between any two neighbouring meeting points of any two lines."""
    everything = {*lines, *([ALWAYS_NEGATIVE, ALWAYS_POSITIVE] if trivial else [])}
    meetings = {x for one, other in combinations(everything, 2) for x in meeting(one, other)}
    breaks = sorted({Fraction(0), Fraction(1), *meetings})
    lowest = [
        min(everything, key=lambda line: height(line, (low + high) / 2))
        for low, high in pairwise(breaks)
    ]
    starts = [i for i in range(len(lowest)) if i == 0 or lowest[i] != lowest[i - 1]]
    return ExactCurve((*(breaks[i] for i in starts), Fraction(1)), tuple(lowest[i] for i in starts))


def mean(curves: Sequence[ExactCurve]) -> ExactCurve:
    breaks = union(curves)
    lines = [[curve.line(*ends) for curve in curves] for ends in pairwise(breaks)]
    return ExactCurve(
        tuple(breaks),
        tuple(
            (
                sum((at0 for at0, _ in between), Fraction(0)) / len(curves),
                sum((at1 for _, at1 in between), Fraction(0)) / len(curves),
            )
            for between in lines
        ),
    )


def better_than(a: ExactCurve, b: ExactCurve) -> list[tuple[Fraction, Fraction, int]]:
    """(low, high, sign of a - b) that partition [0, 1], neighbours of one sign merged."""
    found: list[tuple[Fraction, Fraction, int]] = []
    for low, high in pairwise(union([a, b])):
        one, other = a.line(low, high), b.line(low, high)
        inside = [x for x in meeting(one, other) if low < x < high]
        for start, end in pairwise([low, *inside, high]):
            middle = (start + end) / 2
            difference = height(one, middle) - height(other, middle)
            sign = (difference > 0) - (difference < 0)
            if found and found[-1][2] == sign:
                found[-1] = (found[-1][0], end, sign)
            else:
                found.append((start, end, sign))
    return found
