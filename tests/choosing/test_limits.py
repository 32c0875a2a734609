"""Limits kept on the other folds, against hulls and draws made slowly, in fractions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.choosing import candidates
from costcurves.choosing.candidates import on_folds
from costcurves.choosing.rules import LIMITS, Setting
from costcurves.counts.operating_points import OperatingPoints, from_decisions
from costcurves.settings import Selection
from tests.choosing.fitted import Scores, codes_of, points_of

FloatArray = NDArray[np.float64]
Counts = tuple[Fraction, Fraction]  # false positives, true positives
NOTHING: Counts = (Fraction(0), Fraction(0))

few = st.lists(st.integers(0, 3), min_size=1, max_size=3)
some_folds = st.lists(st.tuples(few, few), min_size=2, max_size=4)
tenths = st.integers(0, 10).map(lambda tenth: Fraction(tenth, 10))


def counts_at(threshold: float, fold: Scores) -> Counts:
    fp, tp = (sum(score >= threshold for score in part) for part in fold)
    return Fraction(fp), Fraction(tp)


def total(counts: Sequence[Counts]) -> Counts:
    return sum((fp for fp, _ in counts), Fraction(0)), sum((tp for _, tp in counts), Fraction(0))


def size_of(fold: Scores) -> Counts:
    return Fraction(len(fold[0])), Fraction(len(fold[1]))


def on_or_below(point: Counts, first: Counts, other: Counts) -> bool:
    """Whether the chord between two other points is as good as this one."""
    (low, left), (high, right) = sorted([first, other])
    if not low <= point[0] <= high:
        return False
    if low == high:
        return max(left, right) >= point[1]
    return left + (right - left) * (point[0] - low) / (high - low) >= point[1]


def vertices(known: set[Counts], sizes: Counts) -> list[Counts]:
    """The ROC hull's vertices, from nothing to everything."""
    everyone = known | {NOTHING, sizes}
    inner = [
        point
        for point in everyone - {NOTHING, sizes}
        if not any(on_or_below(point, *pair) for pair in combinations(everyone - {point}, 2))
    ]
    return sorted({NOTHING, sizes, *inner})


def slow(
    part: list[Counts],
    known: list[Counts],
    sizes: tuple[Counts, Counts],
    used: Callable[[Counts], Fraction],
    limit: Fraction,
) -> Counts:
    """Serve a fold with what is chosen on the others: counts of each candidate on both."""

    def serve(choice: Counts) -> Counts:
        if choice in (NOTHING, sizes[1]):
            return NOTHING if choice == NOTHING else sizes[0]
        tied = [part[place] for place, counts in enumerate(known) if counts == choice]
        fp, tp = total(tied)
        return fp / len(tied), tp / len(tied)

    hull = vertices(set(known), sizes[1])
    last = max(place for place, vertex in enumerate(hull) if used(vertex) <= limit)
    if last == len(hull) - 1:
        return serve(hull[last])
    first, other = hull[last : last + 2]
    share = (limit - used(first)) / (used(other) - used(first))
    (fp, tp), (more_fp, more_tp) = serve(first), serve(other)
    return fp + share * (more_fp - fp), tp + share * (more_tp - tp)


def expected(
    counts: list[list[Counts]], sizes: list[Counts], limit: Fraction, by_cases: bool
) -> list[Counts]:
    """What is chosen on the other folds does on each; the limit is a share."""
    result = []
    for fold, part in enumerate(counts):
        others = [place for place in range(len(counts)) if place != fold]
        known = [total([counts[place][c] for place in others]) for c in range(len(part))]
        theirs = total([sizes[place] for place in others])
        bound = limit * (theirs[0] + theirs[1] if by_cases else theirs[0])
        used = (lambda each: each[0] + each[1]) if by_cases else (lambda each: each[0])
        result.append(slow(part, known, (sizes[fold], theirs), used, bound))
    return result


class HeldOut(NamedTuple):
    """What was chosen on the other folds does on each fold, by repeat and fold."""

    fp_count: FloatArray
    tp_count: FloatArray
    repeats: NDArray[np.int64]


def held_out(
    points: OperatingPoints, limit: Fraction, by_cases: bool, *codes: Sequence[int] | None
) -> HeldOut:
    """Choose within a limit, a share of the negatives or of the cases, on the other folds."""
    rule = LIMITS["workforce" if by_cases else "neyman-pearson"]
    # A capacity of so many of 10 cases in one pass.
    selection = Selection(max_fp_rate=float(limit), capacity=float(10 * limit))
    choose = partial(rule.choose, setting=Setting(selection, one_pass=10))
    repeat, fold, member = codes or (None, None, None)
    curves, repeats = on_folds(choose, rule.seen, points, codes_of(points, repeat, fold, member))
    fold_of = np.unique(fold, return_index=True)[1] if fold else np.lexsort((repeats,))
    order = np.argsort(repeat, kind="stable") if repeat else fold_of
    fp = np.array([curve.at0[0] for curve in curves]) * points.negatives[order]
    tp = np.array([1 - curve.at1[0] for curve in curves]) * points.positives[order]
    return HeldOut(fp, tp, repeats)


def assert_counts(result: HeldOut, exact: list[Counts]) -> None:
    assert result.fp_count == pytest.approx([float(fp) for fp, _ in exact], abs=1e-13)
    assert result.tp_count == pytest.approx([float(tp) for _, tp in exact], abs=1e-13)


@given(some_folds, tenths, st.booleans())
def test_scores_equal_the_slow_oracle(folds: list[Scores], limit: Fraction, by_cases: bool) -> None:
    """Also with the folds in another order, and on another scale of scores."""
    thresholds = [np.inf, *{score for fold in folds for part in fold for score in part}]
    counts = [[counts_at(t, fold) for t in thresholds] for fold in folds]
    sizes = [size_of(fold) for fold in folds]
    result = held_out(points_of(folds), limit, by_cases)
    assert_counts(result, expected(counts, sizes, limit, by_cases))
    moved = [([7 * s - 3 for s in n], [7 * s - 3 for s in p]) for n, p in folds[::-1]]
    other = held_out(points_of(moved), limit, by_cases)
    assert result.fp_count[::-1].tolist() == other.fp_count.tolist()
    assert result.tp_count[::-1].tolist() == other.tp_count.tolist()


@given(st.lists(st.tuples(few, few), min_size=2, max_size=3), tenths, st.booleans())
def test_families_of_decisions_equal_the_slow_oracle(
    folds: list[Scores], limit: Fraction, by_cases: bool
) -> None:
    """Members decide at a score of 1, of 2 and of 3."""
    members = [(fold, member) for fold in range(len(folds)) for member in (1, 2, 3)]
    rows = [
        (score >= member, label, group)
        for group, (fold, member) in enumerate(members)
        for label, part in enumerate(folds[fold])
        for score in part
    ]
    decisions, labels, groups = zip(*rows, strict=True)
    result = held_out(
        from_decisions(decisions=decisions, labels=labels, groups=groups),
        limit,
        by_cases,
        None,
        [fold for fold, _ in members],
        [member for _, member in members],
    )
    sizes = [size_of(fold) for fold in folds]
    counts = [
        [NOTHING, *(counts_at(t, fold) for t in (1, 2, 3)), size]
        for fold, size in zip(folds, sizes, strict=True)
    ]
    assert_counts(result, expected(counts, sizes, limit, by_cases))


def test_repeats_are_apart() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 1]), ([1, 1], [0, 2]), ([0, 0], [2, 1])]
    half = Fraction(1, 2), False
    both = held_out(points_of(folds), *half, [0, 1, 0, 1], None, None)
    first = held_out(points_of([folds[0], folds[2]]), *half)
    assert both.repeats.tolist() == [0, 0, 1, 1]
    assert both.tp_count[:2].tolist() == first.tp_count.tolist()


@pytest.mark.parametrize("by_cases", [False, True])
def test_leaving_candidates_out_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, by_cases: bool
) -> None:
    rng = np.random.default_rng(5)
    sizes = [(40, 25), (31, 44), (57, 18)]  # folds that would weigh differently as rates
    drawn = [(rng.normal(0, 900, n), rng.normal(900, 900, p)) for n, p in sizes]
    folds = [(n.astype(int).tolist(), p.astype(int).tolist()) for n, p in drawn]
    everything = held_out(points_of(folds), Fraction(1, 10), by_cases)
    monkeypatch.setattr(candidates, "MANY", 1)
    monkeypatch.setattr(candidates, "BLOCK", 3)
    thinned = held_out(points_of(folds), Fraction(1, 10), by_cases)
    assert everything.fp_count.tolist() == thinned.fp_count.tolist()
    assert everything.tp_count.tolist() == thinned.tp_count.tolist()
