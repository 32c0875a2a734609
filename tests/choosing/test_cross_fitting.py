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
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.curves.curves import Curve, better_than, trivial
from tests import exact
from tests.choosing.fitted import cross_fitted, deployed, judged_on_held_out

Scores = tuple[list[int], list[int]]  # of the negatives, of the positives of one fold

few = st.lists(st.integers(0, 4), min_size=1, max_size=3)
folds_of_scores = st.lists(st.tuples(few, few), min_size=2, max_size=4)


@st.composite
def families(draw: st.DrawFn) -> list[list[Scores]]:
    """Members' scores on the same folds: fold by fold, member by member."""
    members = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=2, max_size=4))
    each = st.integers(0, 2)
    return [
        [
            (
                draw(st.lists(each, min_size=n, max_size=n)),
                draw(st.lists(each, min_size=p, max_size=p)),
            )
            for _ in range(members)
        ]
        for n, p in sizes
    ]


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


def points_of(folds: Sequence[Scores]) -> OperatingPoints:
    scores = [score for negatives, positives in folds for score in (*negatives, *positives)]
    labels = [label for fold in folds for label, part in enumerate(fold) for _ in part]
    groups = [f for f, fold in enumerate(folds) for part in fold for _ in part]
    return from_scores(scores=scores, labels=labels, groups=groups)


def decisions_of(folds: Sequence[Scores]) -> OperatingPoints:
    decisions = [score >= 1 for fold in folds for part in fold for score in part]
    labels = [label for fold in folds for label, part in enumerate(fold) for _ in part]
    groups = [f for f, fold in enumerate(folds) for part in fold for _ in part]
    return from_decisions(decisions=decisions, labels=labels, groups=groups)


def assert_same(result: Curve, expected: exact.ExactCurve) -> None:
    """Equal to the last bit."""
    first, other = result.simplified(), simplified(expected).rounded()
    assert first.pc.tolist() == other.pc.tolist()
    assert first.at0.tolist() == other.at0.tolist()
    assert first.at1.tolist() == other.at1.tolist()


def lines_of_scores(folds: Sequence[Scores]) -> list[list[exact.Line]]:
    thresholds = [np.inf, *{score for fold in folds for part in fold for score in part}]
    return [[line_at(t, fold) for t in thresholds] for fold in folds]


@given(folds_of_scores)
def test_scores_equal_the_slow_oracle(folds: list[Scores]) -> None:
    lines = lines_of_scores(folds)
    result = cross_fitted(points_of(folds))
    for fold, curve in enumerate(result.folds):
        assert_same(curve, held_out(lines, fold))
    exact_mean = exact.mean([held_out(lines, fold) for fold in range(len(folds))])
    assert result.curve.area() == pytest.approx(float(exact_mean.area()), abs=1e-14)
    assert [i.sign for i in better_than(result.curve, exact_mean.rounded())] == [0]


@given(families())
def test_families_of_decisions_equal_the_slow_oracle(family: list[list[Scores]]) -> None:
    curves = [member for fold in family for member in fold]
    width = len(family[0])
    result = cross_fitted(
        decisions_of(curves),
        folds=np.repeat(np.arange(len(family)), width),
        members=np.tile(np.arange(width), len(family)),
    )
    ways_out = [exact.ALWAYS_NEGATIVE, exact.ALWAYS_POSITIVE]
    lines = [[*(line_at(1, member) for member in fold), *ways_out] for fold in family]
    for fold, curve in enumerate(result.folds):
        assert_same(curve, held_out(lines, fold))


@given(families())
def test_families_of_scores_equal_the_slow_oracle(family: list[list[Scores]]) -> None:
    width = len(family[0])
    curves = [fold[m] for m in range(width) for fold in family]
    result = cross_fitted(
        points_of(curves),
        folds=np.tile(np.arange(len(family)), width),
        members=np.repeat(np.arange(width), len(family)),
    )
    scores = [{s for fold in family for part in fold[m] for s in part} for m in range(width)]
    lines = [
        [exact.ALWAYS_NEGATIVE]
        + [line_at(t, member) for member, result in zip(fold, scores, strict=True) for t in result]
        for fold in family
    ]
    for fold, curve in enumerate(result.folds):
        assert_same(curve, held_out(lines, fold))


def scores_of_folds(negatives: Sequence[int], positives: Sequence[int]) -> list[Scores]:
    rng = np.random.default_rng(14)
    return [
        (rng.integers(0, 4, n).tolist(), rng.integers(1, 6, p).tolist())
        for n, p in zip(negatives, positives, strict=True)
    ]


UNLIKE = 41, 43, 47, 53, 59, 61  # with a least common multiple beyond what is exact


@pytest.mark.parametrize(
    ("negatives", "positives"), [([7] * 6, UNLIKE), (UNLIKE, [7] * 6), (UNLIKE, UNLIKE[::-1])]
)
def test_class_sizes_that_have_no_common_scale_are_chosen_among_as_well(
    negatives: Sequence[int], positives: Sequence[int]
) -> None:
    folds = scores_of_folds(negatives, positives)
    result, lines = cross_fitted(points_of(folds)), lines_of_scores(folds)
    for fold, curve in enumerate(result.folds):
        expected = simplified(held_out(lines, fold)).rounded()
        assert curve.pc.tolist() == pytest.approx(expected.pc.tolist(), abs=1e-14)
        assert curve.at0.tolist() == pytest.approx(expected.at0.tolist(), abs=1e-15)
        assert curve.at1.tolist() == pytest.approx(expected.at1.tolist(), abs=1e-15)
    everyone = deployed(points_of(folds)).curve
    envelope = exact.lower_envelope([mean_line(each) for each in zip(*lines, strict=True)])
    assert everyone.pc.tolist() == pytest.approx(
        simplified(envelope).rounded().pc.tolist(), abs=1e-14
    )


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
        table = np.arange(folds)[:, np.newaxis]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choice, "EXACT", exact_products)
            everything = (
                align(points, table, seen_on_others)[0],
                cross_fitted(points),
                deployed(points),
            )
            patch.setattr(candidates, "BLOCK", 4)
            patch.setattr(candidates, "MANY", 1)
            thinned = (
                align(points, table, seen_on_others)[0],
                cross_fitted(points),
                deployed(points),
            )
        assert len(thinned[0].threshold) < 0.7 * len(everything[0].threshold)
        for first, other in zip(everything[1].folds, thinned[1].folds, strict=True):
            assert first.pc.tolist() == other.pc.tolist()
            assert first.at0.tolist() == other.at0.tolist()
            assert first.at1.tolist() == other.at1.tolist()
        assert everything[2].threshold.tolist() == thinned[2].threshold.tolist()


def test_repeats_count_the_same_whatever_their_folds() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([1], [0]), ([0], [1]), ([2], [1])]
    result = cross_fitted(points_of(folds), repeats=[7, 7, 3, 3, 3])
    areas = [cross_fitted(points_of(part)).curve.area() for part in (folds[2:], folds[:2])]
    assert result.curve.area() == pytest.approx(np.mean(areas), abs=1e-14)
    assert result.repeats.tolist() == [0, 0, 0, 1, 1]


@given(folds_of_scores)
def test_scores_at_the_extremes_of_double_precision(folds: list[Scores]) -> None:
    extreme = [-1.7e308, -5e-324, 0.0, 5e-324, 1.7e308]
    scores = [[extreme[s] for part in fold for s in part] for fold in folds]
    labels = [[label for label, part in enumerate(fold) for _ in part] for fold in folds]
    groups = np.repeat(np.arange(len(folds)), [len(part) for part in scores])
    result = cross_fitted(
        from_scores(scores=np.concatenate(scores), labels=np.concatenate(labels), groups=groups)
    )
    expected = cross_fitted(points_of(folds))
    for first, other in zip(result.folds, expected.folds, strict=True):
        assert first.pc.tolist() == other.pc.tolist()
        assert first.at0.tolist() == other.at0.tolist()


@given(folds_of_scores)
def test_what_is_deployed_is_the_envelope_of_the_mean_lines(folds: list[Scores]) -> None:
    thresholds = [np.inf, *{score for fold in folds for part in fold for score in part}]
    means = [mean_line([line_at(t, fold) for fold in folds]) for t in thresholds]
    result = deployed(points_of(folds))
    assert_same(result.curve, exact.lower_envelope(means))
    serving = [mean_line([line_at(t, fold) for fold in folds]) for t in result.threshold]
    assert [float(fp) for fp, _ in serving] == result.curve.at0.tolist()
    assert [float(fn) for _, fn in serving] == result.curve.at1.tolist()


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
            each = alone[fold]
            assert together[3 * i + fold].pc.tolist() == each.pc.tolist()
            assert together[3 * i + fold].at1.tolist() == each.at1.tolist()


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
    result = cross_fitted(useless)
    assert result.curve.area() == trivial().area()
    assert deployed(useless).member.tolist() == [-1, -1]
    assert deployed(useless).threshold.tolist() == [np.inf, -np.inf]


def test_what_is_deployed_may_rest_on_several_repeats() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([1], [0]), ([0], [1])]
    together = deployed(points_of(folds))
    numbered = deployed(points_of(folds), repeats=[0, 0, 1, 1])
    assert numbered.threshold.tolist() == together.threshold.tolist()
    perfect = from_decisions(decisions=[1, 0, 1, 0], labels=[1, 0, 1, 0], groups=[0, 0, 1, 1])
    result = deployed(perfect, repeats=[0, 1], folds=[1, 1], members=[0, 0])
    assert result.member.tolist() == [0]


def test_members_are_named_by_what_is_deployed() -> None:
    decisions, labels = [1, 0, 1, 1], [1, 0, 1, 0]
    points = from_decisions(
        decisions=[*decisions, *decisions, 0, 0, 0, 0],
        labels=[*labels, *labels, *labels],
        groups=np.repeat(np.arange(3), 4),
    )
    result = deployed(points, folds=[0, 0, 0], members=[9, 8, 4])
    assert result.member.tolist() == [-1, 1]
    assert result.threshold[0] == np.inf
    assert np.isnan(result.threshold[1])
