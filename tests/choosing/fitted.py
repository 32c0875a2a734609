"""Choices on folds, of operating points and of counts, with their curves."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from costcurves.choosing.candidates import on_all, on_folds
from costcurves.choosing.choice import (
    Counts,
    judged,
    least,
    seen_on_all,
    seen_on_others,
    seen_there,
)
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.curves.curves import Curve, average
from tests.oracle import slow_study as slow

Scores = tuple[list[int], list[int]]  # of the negatives, of the positives of one fold

few = st.integers(1, 3)


@st.composite
def families(draw: st.DrawFn) -> list[list[Scores]]:
    """Scores of members on the same folds: fold by fold, member by member."""

    def scores(count: int) -> list[int]:
        return draw(st.lists(st.integers(0, 4), min_size=count, max_size=count))

    members, sizes = draw(few), draw(st.lists(st.tuples(few, few), min_size=2, max_size=4))
    return [[(scores(n), scores(p)) for _ in range(members)] for n, p in sizes]


def slow_rows(family: Sequence[Sequence[Scores]], decided: float | None = None) -> slow.Rows:
    """The rows of such scores, or of decisions from a score on; of several members by name."""
    rows = []
    for fold, member in product(range(len(family)), range(len(family[0]))):
        for label, part in enumerate(family[fold][member]):
            for place, score in enumerate(part):
                name = str(member) if len(family[0]) > 1 else ""
                where = "A", name, None, "1", str(fold), f"{label} {place}", bool(label)
                value = float(score if decided is None else score >= decided)
                rows.append(slow.Row(*where, value, decided is not None, slow.ONE))
    return slow.Rows(tuple(rows))


def points_of(folds: Sequence[Scores], decided: float | None = None) -> OperatingPoints:
    """Points of the scores of each fold, or of the decisions at such a score."""
    rows = slow_rows([[fold] for fold in folds], decided).rows
    values = np.array([row.value for row in rows])
    labels, groups = np.array([(row.positive, int(row.fold)) for row in rows]).T
    if decided is not None:
        return from_decisions(decisions=values, labels=labels, groups=groups)
    return from_scores(scores=values, labels=labels, groups=groups)


def codes_of(points: OperatingPoints, *codes: ArrayLike | None) -> Any:
    """The repeat, fold and member of each curve; without codes, folds of one repeat and member."""
    defaults = np.zeros(len(points), int), np.arange(len(points)), np.zeros(len(points), int)
    return tuple(
        default if code is None else np.asarray(code)
        for code, default in zip(codes, defaults, strict=True)
    )


class Fitted(NamedTuple):
    """A cross-fitted curve, those of its held-out folds, and the repeat of each."""

    curve: Curve
    folds: list[Curve]
    repeats: NDArray[np.int64]


def cross_fitted(
    points: OperatingPoints,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> Fitted:
    """Choose the cheapest on the other folds of the same repeat, judge on the held-out one."""

    def cheapest(counts: Counts) -> Any:
        return least(seen_on_others(counts))

    curves, numbers = on_folds(
        cheapest, seen_on_others, points, codes_of(points, repeats, folds, members)
    )
    return Fitted(average(curves, numbers), curves, numbers)


class Deployed(NamedTuple):
    """What all folds choose: its mean cost over them, and what decides on each piece."""

    curve: Curve
    member: NDArray[np.int64]
    threshold: NDArray[np.float64]


def deployed(
    points: OperatingPoints,
    repeats: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    members: ArrayLike | None = None,
) -> Deployed:
    """Choose the cheapest on all folds."""
    choice, counts, member = on_all(points, codes_of(points, repeats, folds, members))
    first, seen = choice.candidate[choice.starts], seen_on_all(counts)
    folds = counts.fp.shape[1]
    at0 = seen.fp[0, first] / (seen.negatives * folds)
    at1 = seen.fn[0, first] / (seen.positives * folds)
    curve = Curve(np.append(choice.pc, 1.0), at0, at1)
    return Deployed(curve, member[first], counts.threshold[first])


def envelope_heights(fp: Any, tp: Any, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """(curves, places) heights of lower envelopes of (curves, points) counts, all at the last."""
    none = np.full(fp.shape[1], np.nan)
    sizes = fp[:, [-1]], tp[:, [-1]]
    counts = Counts(fp[:, np.newaxis], (tp[:, [-1]] - tp)[:, np.newaxis], *sizes, none, none)
    return judged(least(seen_there(counts)), counts).heights(places)
