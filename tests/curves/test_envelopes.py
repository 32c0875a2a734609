"""Lower envelopes: against the lowest of all lines between all meeting points, in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.counts.operating_points import OperatingPoints, from_scores
from costcurves.curves.envelopes import ALWAYS_NEGATIVE as NEVER
from costcurves.curves.envelopes import ALWAYS_POSITIVE as ALWAYS
from costcurves.curves.envelopes import Envelope, lower_envelope, lower_envelopes
from tests.oracle import exact, rankings
from tests.strategies import fold_lines, folds

EPSILON = float(np.finfo(np.float64).eps)


def of_counts(negatives: int, positives: int, *counts: tuple[int, int]) -> OperatingPoints:
    """One curve of points (fp_count, tp_count), given by rising fp_count."""
    fp, tp = np.array(counts, dtype=np.int64).reshape(-1, 2).T
    sizes = np.array([negatives]), np.array([positives])
    return OperatingPoints(fp, tp, np.full(len(fp), np.nan), np.array([0, len(fp)]), *sizes)


@st.composite
def families(draw: st.DrawFn) -> OperatingPoints:
    """The decisions of some members for the same cases."""
    negatives, positives = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    counts = st.tuples(st.integers(0, negatives), st.integers(0, positives))
    drawn = draw(st.lists(counts, min_size=1, max_size=6))
    return of_counts(negatives, positives, *sorted(drawn, key=lambda at: (at[0], -at[1])))


def lines_of(points: OperatingPoints) -> list[exact.Line]:
    negatives, positives = int(points.negatives[0]), int(points.positives[0])
    return [
        (Fraction(fp, negatives), Fraction(positives - tp, positives))
        for fp, tp in zip(points.fp_count.tolist(), points.tp_count.tolist(), strict=True)
    ]


def expected_holder(lines: list[exact.Line], line: exact.Line, with_trivial: bool) -> int:
    """The trivial classifier that has the line, else the first point that has it."""
    if with_trivial and line in (exact.ALWAYS_NEGATIVE, exact.ALWAYS_POSITIVE):
        return NEVER if line == exact.ALWAYS_NEGATIVE else ALWAYS
    return lines.index(line)


def check(envelope: Envelope, lines: list[exact.Line], with_trivial: bool = True) -> None:
    """Compare with the exact envelope: breaks and lines rounded once, and the holders."""
    expected = exact.lower_envelope(lines, with_trivial)
    assert repr(envelope.curve) == repr(expected.rounded())
    holders = [expected_holder(lines, line, with_trivial) for line in expected.lines]
    assert envelope.holders.tolist() == holders


# Against the oracle


@given(rankings.grouped_rows(), st.booleans(), st.integers(2, 4))
def test_envelopes_of_scores_and_of_more_instances_of_the_same_kind(
    drawn: tuple[list[rankings.Rows], list[float], list[int], list[int]],
    with_trivial: bool,
    times: int,
) -> None:
    curves, scores, labels, groups = drawn
    for many in (1, times):
        points = from_scores(scores=scores * many, labels=labels * many, groups=groups * many)
        for envelope, rows in zip(lower_envelopes(points, with_trivial), curves, strict=True):
            check(envelope, rankings.lines(*rows), with_trivial)


@given(families(), st.booleans())
def test_envelopes_of_families(family: OperatingPoints, with_trivial: bool) -> None:
    check(lower_envelopes(family, with_trivial)[0], lines_of(family), with_trivial)


@given(folds.flatmap(lambda sizes: fold_lines(sizes[0], most=9)), st.booleans())
def test_envelopes_of_rates_are_as_low_as_any_line(
    lines: list[exact.Line], with_trivial: bool
) -> None:
    if lines or with_trivial:
        fp, fn = (np.array([float(line[end]) for line in lines]) for end in (0, 1))
        curve = lower_envelope(fp, fn, with_trivial).curve
        fp, fn = (
            np.append(rates, [end, 1 - end] * with_trivial) for rates, end in ((fp, 0), (fn, 1))
        )
        places = np.union1d(curve.pc, (curve.pc[1:] + curve.pc[:-1]) / 2)
        heights = np.outer(fp, 1 - places) + np.outer(fn, places)
        assert curve(places) == pytest.approx(heights.min(axis=0), abs=2 * EPSILON, rel=0)


def test_rates_in_any_order_with_equals_and_none() -> None:
    envelope = lower_envelope([0.5, 0.1, 0.5, 0.1, 1.0, 0.0], [0.1, 0.5, 0.1, 0.5, 0.0, 1.0])
    assert envelope.holders.tolist() == [NEVER, 1, 0, ALWAYS]
    bad = lower_envelope([0.6, 0.2], [0.5, 0.9], trivial=False)
    assert (bad.curve(0.0), bad.curve(1.0), bad.holders.tolist()) == (0.2, 0.5, [1, 0])
    for nothing in (lower_envelope([], []), lower_envelopes(of_counts(3, 3))[0]):
        assert nothing.holders.tolist() == [NEVER, ALWAYS]


# Large counts


def test_break_points_of_huge_counts_are_rounded_once() -> None:
    negatives, positives = 2**31 + 11, 2**30 - 35
    counts = [(12_345, 301_234_567), (98_765_432, 701_234_567), (2**31, positives - 7)]
    points = of_counts(negatives, positives, *counts)
    check(lower_envelopes(points)[0], lines_of(points))


def test_a_piece_narrower_than_doubles_can_tell_is_left_out() -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < 44:
        fibonacci.append(sum(fibonacci[-2:]))
    a, b, c = fibonacci[39:42]  # the slopes b / a > c / b differ by one part in a * b
    points = of_counts(2**30, 2**30, (a, b), (a + b, b + c))
    first, second = Fraction(a, a + b), Fraction(b, b + c)
    assert first < second
    assert float(first) == float(second)
    envelope = lower_envelopes(points)[0]
    assert envelope.holders.tolist() == [NEVER, 1, ALWAYS]
    assert envelope.curve.pc[1] == float(first)
