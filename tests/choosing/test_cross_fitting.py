"""Choices on the other folds, the cheapest or within a limit, against slow ones in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.choosing import candidates, choice
from costcurves.choosing.candidates import align, on_folds
from costcurves.choosing.choice import Seen, least, seen_on_others
from costcurves.choosing.rules import LIMITS, Setting
from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, average, better_than
from costcurves.settings import Selection
from tests.choosing.fitted import (
    Scores,
    codes_of,
    cross_fitted,
    deployed,
    families,
    points_of,
    slow_rows,
)
from tests.oracle import exact
from tests.oracle import slow_study as slow


def rounded(curve: slow.Curve) -> Curve:
    return exact.of_pieces(curve).rounded().simplified()


@given(families(), st.booleans())
def test_choices_equal_the_slow_study_to_the_last_bit(
    family: list[list[Scores]], decided: bool
) -> None:
    """Of scores and of decisions, with members of a family and without."""
    width = len(family[0])
    codes = {
        "folds": np.repeat(np.arange(len(family)), width),
        "members": np.tile(np.arange(width), len(family)),
    }
    points = points_of([part for fold in family for part in fold], 1 if decided else None)
    rows = slow_rows(family, 1 if decided else None)
    fitted, everyone = cross_fitted(points, **codes), deployed(points, **codes)
    expected = slow.held_out(rows)
    assert [*map(repr, (curve.simplified() for curve in fitted.folds))] == [
        *map(repr, map(rounded, expected))
    ]
    mean = rounded(slow.average(expected))
    assert fitted.curve.area() == pytest.approx(mean.area(), abs=1e-14)
    assert [part.sign for part in better_than(fitted.curve, mean)] == [0]
    serving = slow.deployed(rows)
    assert repr(everyone.curve) == repr(exact.of_pieces([piece for piece, _ in serving]).rounded())
    thresholds = [np.nan if of.key[1] else of.threshold for _, of in serving]
    assert everyone.threshold.tolist() == pytest.approx(thresholds, nan_ok=True)
    names = ["-1" if abs(of.threshold) == np.inf else of.key[0] or "0" for _, of in serving]
    assert [*map(str, everyone.member)] == names
    extreme = np.array([-1.7e308, -5e-324, 0.0, 5e-324, 1.7e308])
    moved = [tuple(extreme[part].tolist() for part in each) for fold in family for each in fold]
    if not decided:
        result = cross_fitted(points_of(moved), **codes)
        assert [*map(repr, result.folds)] == [*map(repr, fitted.folds)]


UNLIKE = 41, 43, 47, 53, 59, 61  # with a least common multiple beyond what is exact


@pytest.mark.parametrize(
    ("negatives", "positives"), [([7] * 6, UNLIKE), (UNLIKE, [7] * 6), (UNLIKE, UNLIKE[::-1])]
)
def test_class_sizes_that_have_no_common_scale_are_chosen_among_as_well(
    negatives: Sequence[int], positives: Sequence[int]
) -> None:
    rng = np.random.default_rng(14)
    folds = [
        (rng.integers(0, 4, n).tolist(), rng.integers(1, 6, p).tolist())
        for n, p in zip(negatives, positives, strict=True)
    ]
    rows, points = slow_rows([[fold] for fold in folds]), points_of(folds)
    everyone = [piece for piece, _ in slow.deployed(rows)]
    curves = [*cross_fitted(points).folds, deployed(points).curve]
    for curve, of in zip(curves, [*slow.held_out(rows), everyone], strict=True):
        expected = rounded(of)
        assert curve.pc == pytest.approx(expected.pc, abs=1e-14)
        assert curve.at0 == pytest.approx(expected.at0, abs=1e-15)
        assert curve.at1 == pytest.approx(expected.at1, abs=1e-15)


def test_folds_without_a_mistake_may_have_sizes_of_no_common_scale() -> None:
    primes = np.array([1009, 1013, 1019, 1021, 1031, 1033, 1039])  # their product needs 71 bits
    assert not choice.on_one_scale(np.zeros((7, 2), dtype=int), primes)[0].any()


def test_candidates_that_differ_by_a_rounding_alone_have_one_piece() -> None:
    seen = Seen(np.array([[0, 0, 3]]), np.array([[0.1 + 0.2, 0.3, 0.0]]), 54719280, 1)
    chosen = least(seen)
    assert chosen.pc.tolist() == pytest.approx([0, 3 / (3 + 0.3 * 54719280)], rel=1e-12)
    assert chosen.candidate.tolist() == [1, 2]


@pytest.mark.parametrize("exact_products", [0, choice.EXACT])
@pytest.mark.parametrize("folds", [2, 5])
def test_candidates_that_are_left_out_change_nothing(exact_products: int, folds: int) -> None:
    rng, rows = np.random.default_rng(20), 2000 * folds
    labels = rng.integers(0, 2, rows)
    scores = np.round(rng.normal(5, size=rows) + labels, 3)
    points = from_scores(scores=scores, labels=labels, groups=np.arange(rows) % folds)
    made = []
    for block, many in ((candidates.BLOCK, candidates.MANY), (4, 1)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choice, "EXACT", exact_products)
            patch.setattr(candidates, "BLOCK", block)
            patch.setattr(candidates, "MANY", many)
            counts, _ = align(points, np.arange(folds)[:, np.newaxis], seen_on_others)
            chosen = [*cross_fitted(points).folds, deployed(points).threshold.tolist()]
            for rule in LIMITS.values():
                kept = partial(rule.choose, setting=Setting(Selection(max_fp_rate=0.1, capacity=9)))
                chosen += on_folds(kept, rule.seen, points, codes_of(points, None, None, None))[0]
            made.append((len(counts.threshold), repr(chosen)))
    (everything, expected), (thinned, result) = made
    assert thinned < 0.7 * everything
    assert result == expected


FOLDS: list[Scores] = [([0, 1, 1], [1, 2]), ([0, 2], [1, 3, 3]), ([1], [0]), ([0], [1]), ([2], [1])]


def test_repeats_count_the_same_whatever_their_folds_and_all_of_them_serve() -> None:
    result = cross_fitted(points_of(FOLDS), repeats=[7, 7, 3, 3, 3])
    parts = [cross_fitted(points_of(part)) for part in (FOLDS[2:], FOLDS[:2])]
    assert repr(result.folds) == repr([fold for part in parts for fold in part.folds])
    assert result.curve.area() == average([part.curve for part in parts]).area()
    assert result.repeats.tolist() == [0, 0, 0, 1, 1]
    numbered = deployed(points_of(FOLDS), repeats=[0, 0, 1, 1, 1])
    assert numbered.threshold.tolist() == deployed(points_of(FOLDS)).threshold.tolist()


# Limits


def held_out(
    family: Sequence[Sequence[Scores]],
    limit: Fraction,
    by_cases: bool,
    decided: float | None = None,
) -> list[Curve]:
    """Choose within a limit, a share of the negatives or of the cases, on the other folds."""
    rule = LIMITS["workforce" if by_cases else "neyman-pearson"]
    # A capacity of so many of 10 cases in one pass.
    selection = Selection(max_fp_rate=float(limit), capacity=float(10 * limit))
    choose = partial(rule.choose, setting=Setting(selection, one_pass=10))
    points = points_of([member for fold in family for member in fold], decided)
    folds, members = np.indices((len(family), len(family[0]))).reshape(2, -1)
    curves, _ = on_folds(choose, rule.seen, points, codes_of(points, None, folds, members))
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
