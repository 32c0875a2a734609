"""Cross-fitting against all candidates at all break points, in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.choosing import candidates, choice
from costcurves.choosing.candidates import align
from costcurves.choosing.choice import Seen, least, seen_on_others
from costcurves.counts.operating_points import from_decisions, from_scores
from costcurves.curves.curves import Curve, better_than, trivial
from tests import exact
from tests.choosing.fitted import (
    Scores,
    cross_fitted,
    deployed,
    judged_on_held_out,
    points_of,
)

few = st.lists(st.integers(0, 4), min_size=1, max_size=3)
folds_of_scores = st.lists(st.tuples(few, few), min_size=2, max_size=4)


@st.composite
def families(draw: st.DrawFn) -> list[list[Scores]]:
    """Members' scores on the same folds: fold by fold, member by member."""
    members = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=2, max_size=4))
    each = [[st.lists(st.integers(0, 2), min_size=n, max_size=n) for n in fold] for fold in sizes]
    return [[(draw(n), draw(p)) for _ in range(members)] for n, p in each]


def line_at(threshold: float, fold: Scores) -> exact.Line:
    negatives, positives = fold
    return (
        Fraction(sum(score >= threshold for score in negatives), len(negatives)),
        Fraction(sum(score < threshold for score in positives), len(positives)),
    )


def mean_line(lines: Sequence[exact.Line]) -> exact.Line:
    return (
        sum((line[0] for line in lines), Fraction(0)) / len(lines),
        sum((line[1] for line in lines), Fraction(0)) / len(lines),
    )


def held_out(lines: list[list[exact.Line]], fold: int) -> exact.ExactCurve:
    """What choosing on the other folds costs on this one; lines by fold and candidate."""
    others = [
        mean_line([on[c] for f, on in enumerate(lines) if f != fold])
        for c in range(len(lines[fold]))
    ]
    meetings = {
        x for first, other in combinations(set(others), 2) for x in exact.meeting(first, other)
    }
    breaks = sorted({Fraction(0), Fraction(1), *meetings})
    serving = []
    for low, high in pairwise(breaks):
        costs = [exact.height(line, (low + high) / 2) for line in others]
        tied = [c for c, cost in enumerate(costs) if cost == min(costs)]
        serving.append(mean_line([lines[fold][c] for c in tied]))
    return exact.ExactCurve(tuple(breaks), tuple(serving))


def simplified(curve: exact.ExactCurve) -> exact.ExactCurve:
    starts = [i for i, line in enumerate(curve.lines) if i == 0 or line != curve.lines[i - 1]]
    return exact.ExactCurve(
        (*(curve.pc[i] for i in starts), Fraction(1)), tuple(curve.lines[i] for i in starts)
    )


def assert_same(result: Curve, expected: exact.ExactCurve) -> None:
    """Equal to the last bit."""
    assert repr(result.simplified()) == repr(simplified(expected).rounded())


def lines_of_scores(folds: Sequence[Scores]) -> list[list[exact.Line]]:
    thresholds = [np.inf, *{score for fold in folds for part in fold for score in part}]
    return [[line_at(t, fold) for t in thresholds] for fold in folds]


@given(folds_of_scores)
def test_scores_equal_the_slow_oracle(folds: list[Scores]) -> None:
    lines, points = lines_of_scores(folds), points_of(folds)
    result, everyone = cross_fitted(points), deployed(points)
    slow = [held_out(lines, fold) for fold in range(len(folds))]
    for curve, expected in zip(result.folds, slow, strict=True):
        assert_same(curve, expected)
    mean = exact.mean(slow)
    assert result.curve.area() == pytest.approx(float(mean.area()), abs=1e-14)
    assert [i.sign for i in better_than(result.curve, mean.rounded())] == [0]
    means = [mean_line(each) for each in zip(*lines, strict=True)]
    assert_same(everyone.curve, exact.lower_envelope(means))
    serving = [mean_line([line_at(t, fold) for fold in folds]) for t in everyone.threshold]
    assert [float(fp) for fp, _ in serving] == everyone.curve.at0.tolist()
    extreme = np.array([-1.7e308, -5e-324, 0.0, 5e-324, 1.7e308])
    moved = [tuple(extreme[part].tolist() for part in fold) for fold in folds]
    assert [*map(repr, cross_fitted(points_of(moved)).folds)] == [*map(repr, result.folds)]


@given(families(), st.booleans())
def test_families_equal_the_slow_oracle(family: list[list[Scores]], decided: bool) -> None:
    width = len(family[0])
    result = cross_fitted(
        points_of([member for fold in family for member in fold], 1 if decided else None),
        folds=np.repeat(np.arange(len(family)), width),
        members=np.tile(np.arange(width), len(family)),
    )
    if decided:
        serving: list[set[float]] = [{1}] * width
    else:
        serving = [{s for fold in family for part in fold[m] for s in part} for m in range(width)]
    lines = [[exact.ALWAYS_NEGATIVE] for _ in family]
    for line, fold in zip(lines, family, strict=True):
        for member, thresholds in zip(fold, serving, strict=True):
            line += [line_at(threshold, member) for threshold in thresholds]
        line += [exact.ALWAYS_POSITIVE] * decided
    for number, curve in enumerate(result.folds):
        assert_same(curve, held_out(lines, number))


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
    result, lines = cross_fitted(points_of(folds)), lines_of_scores(folds)
    for fold, curve in enumerate(result.folds):
        expected = simplified(held_out(lines, fold)).rounded()
        assert curve.pc == pytest.approx(expected.pc, abs=1e-14)
        assert curve.at0 == pytest.approx(expected.at0, abs=1e-15)
        assert curve.at1 == pytest.approx(expected.at1, abs=1e-15)
    everyone = deployed(points_of(folds)).curve
    envelope = exact.lower_envelope([mean_line(each) for each in zip(*lines, strict=True)])
    assert everyone.pc == pytest.approx(simplified(envelope).rounded().pc, abs=1e-14)


def test_candidates_that_differ_by_a_rounding_alone_have_one_piece() -> None:
    seen = Seen(np.array([[0, 0, 3]]), np.array([[0.1 + 0.2, 0.3, 0.0]]), 54719280, 1)
    chosen = least(seen)
    assert chosen.pc.tolist() == pytest.approx([0, 3 / (3 + 0.3 * 54719280)], rel=1e-12)
    assert chosen.candidate.tolist() == [1, 2]


@pytest.mark.parametrize("exact_products", [0, choice.EXACT])
def test_candidates_that_are_left_out_change_nothing(exact_products: int) -> None:
    rng = np.random.default_rng(20)
    for folds in (2, 5):
        rows = 2000 * folds
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
                made.append((len(counts.threshold), repr(chosen)))
        (everything, expected), (thinned, result) = made
        assert thinned < 0.7 * everything
        assert result == expected


def test_repeats_count_the_same_whatever_their_folds() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([1], [0]), ([0], [1]), ([2], [1])]
    result = cross_fitted(points_of(folds), repeats=[7, 7, 3, 3, 3])
    areas = [cross_fitted(points_of(part)).curve.area() for part in (folds[2:], folds[:2])]
    assert result.curve.area() == pytest.approx(np.mean(areas), abs=1e-14)
    assert result.repeats.tolist() == [0, 0, 0, 1, 1]


def test_many_data_sets_at_once_are_the_same_as_one_by_one() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(30, np.full(24, 1 / 24), size=(2, 7)).reshape(2, 7, 3, 8)
    fp_count = np.cumsum(counts[0], axis=-1)
    fn_count = np.cumsum(counts[1], axis=-1)[..., ::-1]
    sizes = np.array([10, 10, 10]), np.array([9, 10, 11])
    together = judged_on_held_out(fp_count, fn_count, *sizes)
    for i in range(7):
        alone = judged_on_held_out(fp_count[i : i + 1], fn_count[i : i + 1], *sizes)
        for fold in range(3):
            assert repr(together[3 * i + fold]) == repr(alone[fold])


def test_counts_may_be_weights() -> None:
    folds: list[Scores] = [([0, 1, 1], [1, 2]), ([0, 2], [1, 3, 3]), ([1, 0], [0, 3])]
    result, _ = align(points_of(folds), np.arange(3)[:, np.newaxis], seen_on_others)
    whole = judged_on_held_out(result.fp, result.fn, result.negatives, result.positives)
    weighed = judged_on_held_out(
        result.fp * 0.5,
        result.fn * 0.25,
        result.negatives * 0.5,
        result.positives * 0.25,
    )
    for fold in range(3):
        assert weighed[fold].area() == pytest.approx(whole[fold].area(), abs=1e-14)


def test_a_single_crisp_classifier_has_the_trivial_ones_as_ways_out() -> None:
    useless = from_decisions(decisions=[1, 0, 1, 0], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1])
    assert cross_fitted(useless).curve.area() == trivial().area()
    assert deployed(useless).member.tolist() == [-1, -1]
    assert deployed(useless).threshold.tolist() == [np.inf, -np.inf]


def test_what_is_deployed_may_rest_on_several_repeats_and_names_its_members() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([1], [0]), ([0], [1])]
    together = deployed(points_of(folds))
    numbered = deployed(points_of(folds), repeats=[0, 0, 1, 1])
    assert numbered.threshold.tolist() == together.threshold.tolist()
    decided, labels = [1, 0, 1, 1], [1, 0, 1, 0]
    groups = np.repeat(np.arange(3), 4)
    decisions = [*decided, *decided, *[0] * 4]
    points = from_decisions(decisions=decisions, labels=labels * 3, groups=groups)
    result = deployed(points, folds=[0, 0, 0], members=[9, 8, 4])
    assert result.member.tolist() == [-1, 1]
    assert result.threshold == pytest.approx([np.inf, np.nan], nan_ok=True)
