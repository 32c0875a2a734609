"""Limits kept on the other folds, against hulls and draws made slowly, in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.choosing.candidates import on_folds
from costcurves.choosing.rules import LIMITS, Setting
from costcurves.curves.curves import Curve
from costcurves.settings import Selection
from tests.choosing.fitted import Scores, codes_of, families, points_of, slow_rows
from tests.oracle import slow_study as slow


def held_out(
    family: Sequence[Sequence[Scores]],
    limit: Fraction,
    by_cases: bool,
    decided: float | None = None,
    repeats: Sequence[int] | None = None,
) -> list[Curve]:
    """Choose within a limit, a share of the negatives or of the cases, on the other folds."""
    rule = LIMITS["workforce" if by_cases else "neyman-pearson"]
    # A capacity of so many of 10 cases in one pass.
    selection = Selection(max_fp_rate=float(limit), capacity=float(10 * limit))
    choose = partial(rule.choose, setting=Setting(selection, one_pass=10))
    points = points_of([member for fold in family for member in fold], decided)
    folds, members = np.indices((len(family), len(family[0]))).reshape(2, -1)
    curves, _ = on_folds(choose, rule.seen, points, codes_of(points, repeats, folds, members))
    return curves


@given(families(), st.fractions(0, 1, max_denominator=10), st.booleans(), st.booleans())
def test_what_keeps_a_limit_on_other_folds_equals_the_slow_study(
    family: list[list[Scores]], limit: Fraction, by_cases: bool, decided: bool
) -> None:
    """Also with the folds in another order, and on another scale of scores."""

    def mix(rows: slow.Rows) -> slow.Mix:
        share = slow.share_of_positives(rows)
        weights = (1 - share, share) if by_cases else (1, 0)
        points = map(rows.point, rows.candidates)
        return slow.on_hull(points, lambda at: weights[0] * at[0] + weights[1] * at[1], limit)

    threshold = 1 if decided else None
    curves = held_out(family, limit, by_cases, threshold)
    expected = slow.limited(slow_rows(family, threshold), mix)
    for curve, (_, fp, tp) in zip(curves, expected, strict=True):
        assert len(curve) == 1
        assert curve.at0[0] == pytest.approx(float(fp), abs=1e-13)
        assert 1 - curve.at1[0] == pytest.approx(float(tp), abs=1e-13)
    if not decided:
        moved = [
            [([7 * s - 3 for s in n], [7 * s - 3 for s in p]) for n, p in fold] for fold in family
        ]
        other = held_out(moved[::-1], limit, by_cases)
        assert [*map(repr, other[::-1])] == [*map(repr, curves)]


def test_repeats_are_apart() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 1]), ([1, 1], [0, 2]), ([0, 0], [2, 1])]
    family, half = [[fold] for fold in folds], Fraction(1, 2)
    parts = [held_out(family[start::2], half, False) for start in (0, 1)]
    assert repr(held_out(family, half, False, repeats=[0, 1, 0, 1])) == repr([*parts[0], *parts[1]])
