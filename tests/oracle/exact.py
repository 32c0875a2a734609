"""Cost curves in exact arithmetic, as `slow_study` makes them, with ends and lines apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from costcurves.curves.curves import Curve
from tests.oracle import slow_study as slow
from tests.oracle.slow_study import Piece

Line = tuple[Fraction, Fraction]
ALWAYS_NEGATIVE: Line = slow.NEGATIVE
ALWAYS_POSITIVE: Line = slow.POSITIVE


def height(line: Line, pc: Fraction) -> Fraction:
    return slow.Line(*line)(pc)


def meeting(line: Line, other: Line) -> list[Fraction]:
    """The PC(+) inside (0, 1) where two different lines meet, if there is one."""
    pc = slow.crossing(slow.Line(*line), slow.Line(*other))
    return [] if pc is None else [pc]


@dataclass(frozen=True)
class ExactCurve:
    """Break points from 0 to 1, and the line between each two."""

    pc: tuple[Fraction, ...]
    lines: tuple[Line, ...]

    @property
    def pieces(self) -> slow.Curve:
        ends = zip(self.pc, self.pc[1:], self.lines, strict=False)
        return [Piece(low, high, slow.Line(*line)) for low, high, line in ends]

    def line(self, low: Fraction, high: Fraction) -> Line:
        """The line between two points that have no break point between them."""
        return slow.at(self.pieces, (low + high) / 2)

    def area(self) -> Fraction:
        return slow.area(self.pieces)

    def rounded(self) -> Curve:
        """The same curve in floats, each number rounded once."""
        at0, at1 = zip(*self.lines, strict=True)
        return Curve(*(list(map(float, numbers)) for numbers in (self.pc, at0, at1)))

    def mirrored(self) -> "ExactCurve":
        """The curve with the classes swapped."""
        lines = tuple((at1, at0) for at0, at1 in reversed(self.lines))
        return ExactCurve(tuple(1 - pc for pc in reversed(self.pc)), lines)


def of_pieces(pieces: slow.Curve) -> ExactCurve:
    ends = (*(piece.low for piece in pieces), Fraction(1))
    return ExactCurve(ends, tuple((line.at0, line.at1) for _, _, line in pieces))


def union(curves: Iterable[ExactCurve]) -> list[Fraction]:
    return sorted({pc for curve in curves for pc in curve.pc})


def lower_envelope(lines: Sequence[Line], trivial: bool = True) -> ExactCurve:
    """The lowest of some lines, and of those of the no-model baselines."""
    every = [*lines, *([ALWAYS_NEGATIVE, ALWAYS_POSITIVE] if trivial else [])]
    return of_pieces(slow.envelope(map(slow.Line._make, every)))


def mean(curves: Sequence[ExactCurve]) -> ExactCurve:
    return of_pieces(slow.average([curve.pieces for curve in curves]))


def better_than(a: ExactCurve, b: ExactCurve) -> list[tuple[Fraction, Fraction, int]]:
    """(low, high, sign of a - b) that partition [0, 1], neighbours of one sign merged."""
    return slow.signs(slow.minus(a.pieces, b.pieces))
