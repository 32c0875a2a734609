"""Scores with labels: what hypothesis draws of them, and points counted one by one. An oracle."""

import math
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from tests.oracle import exact
from tests.strategies import EDGES

Rows = tuple[list[float], list[int]]  # scores, labels
Point = tuple[float, int, int]  # threshold, fp_count, tp_count

HARD_SCORES = [*EDGES, -0.0, -5e-324, 1e308, -1e308, -1.0]
HARD_SCORES += [0.5, math.nextafter(0.5, 1), 2.0, math.nextafter(2, 0), -2.0, 3.0, 0.1 + 0.2, 0.3]

few_scores = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
hard_scores = st.sampled_from(HARD_SCORES) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def rows(
    draw: st.DrawFn, scores: st.SearchStrategy[float] = few_scores | hard_scores, most: int = 12
) -> Rows:
    """Predictions for some instances, both classes among them, in any order."""
    labels = draw(st.permutations([0, 1, *draw(st.lists(st.integers(0, 1), max_size=most))]))
    drawn = draw(st.lists(scores, min_size=len(labels), max_size=len(labels)))
    return drawn, labels


@st.composite
def grouped_rows(draw: st.DrawFn) -> tuple[list[Rows], list[float], list[int], list[int]]:
    """Some curves, and their rows all in one, shuffled: scores, labels, groups."""
    curves = draw(st.lists(rows(), min_size=1, max_size=4))
    flat = [
        (score, label, group)
        for group, (scores, labels) in enumerate(curves)
        for score, label in zip(scores, labels, strict=True)
    ]
    shuffled = draw(st.permutations(flat))
    scores, labels, groups = (list(column) for column in zip(*shuffled, strict=True))
    return curves, scores, labels, groups


def points(
    scores: Sequence[float], labels: Sequence[int], weights: Sequence[int] | None = None
) -> list[Point]:
    """Count at each distinct score, from the definition: positive is predicted where score >= t."""
    thresholds = [math.inf, *sorted({score + 0.0 for score in scores}, reverse=True)]
    rows = list(zip(scores, labels, weights or [1] * len(labels), strict=True))
    return [
        (
            t,
            sum(weight for score, label, weight in rows if label == 0 and score >= t),
            sum(weight for score, label, weight in rows if label == 1 and score >= t),
        )
        for t in thresholds
    ]


def lines(scores: Sequence[float], labels: Sequence[int]) -> list[exact.Line]:
    """The cost lines of the operating points."""
    positives = sum(labels)
    negatives = len(labels) - positives
    return [
        (Fraction(fp, negatives), Fraction(positives - tp, positives))
        for _, fp, tp in points(scores, labels)
    ]


def auc(
    scores: Sequence[float], labels: Sequence[int], weights: Sequence[float] | None = None
) -> Fraction:
    """The share of pairs in the right order, ties 1/2, pair by pair; of what they weigh."""
    rows = list(zip(scores, labels, map(Fraction, weights or [1] * len(labels)), strict=True))
    right = total = Fraction(0)
    for up, label, weight in rows:
        for down, other, by in rows:
            if label > other:
                total += weight * by
                right += weight * by * ((up > down) + Fraction(up == down, 2))
    return right / total
