"""Cross-fitting against all candidates at all break points, in fractions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.choosing import candidates, choice
from costcurves.choosing.candidates import align, layout
from costcurves.choosing.choice import Seen, least, of_all, seen_on_others
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
    one = st.integers(0, 2)
    return [
        [
            (
                draw(st.lists(one, min_size=n, max_size=n)),
                draw(st.lists(one, min_size=p, max_size=p)),
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
    meetings = {x for one, other in combinations(set(others), 2) for x in exact.meeting(one, other)}
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


def assert_same(found: Curve, expected: exact.ExactCurve) -> None:
    """Equal to the last bit."""
    one, other = found.simplified(), simplified(expected).rounded()
    assert one.pc.tolist() == other.pc.tolist()
    assert one.at0.tolist() == other.at0.tolist()
    assert one.at1.tolist() == other.at1.tolist()


def lines_of_scores(folds: Sequence[Scores]) -> list[list[exact.Line]]:
    thresholds = [np.inf, *{score for fold in folds for part in fold for score in part}]
    return [[line_at(t, fold) for t in thresholds] for fold in folds]


@given(folds_of_scores)
def test_scores_equal_the_slow_oracle(folds: list[Scores]) -> None:
    lines = lines_of_scores(folds)
    found = cross_fitted(points_of(folds))
    for fold, curve in enumerate(found.folds):
        assert_same(curve, held_out(lines, fold))
    exact_mean = exact.mean([held_out(lines, fold) for fold in range(len(folds))])
    assert found.curve.area() == pytest.approx(float(exact_mean.area()), abs=1e-14)
    assert [i.sign for i in better_than(found.curve, exact_mean.rounded())] == [0]


@given(families())
def test_families_of_decisions_equal_the_slow_oracle(family: list[list[Scores]]) -> None:
    curves = [member for fold in family for member in fold]
    width = len(family[0])
    found = cross_fitted(
        decisions_of(curves),
        folds=np.repeat(np.arange(len(family)), width),
        members=np.tile(np.arange(width), len(family)),
    )
    ways_out = [exact.ALWAYS_NEGATIVE, exact.ALWAYS_POSITIVE]
    lines = [[*(line_at(1, member) for member in fold), *ways_out] for fold in family]
    for fold, curve in enumerate(found.folds):
        assert_same(curve, held_out(lines, fold))


@given(families())
def test_families_of_scores_equal_the_slow_oracle(family: list[list[Scores]]) -> None:
    width = len(family[0])
    curves = [fold[m] for m in range(width) for fold in family]
    found = cross_fitted(
        points_of(curves),
        folds=np.tile(np.arange(len(family)), width),
        members=np.repeat(np.arange(width), len(family)),
    )
    scores = [{s for fold in family for part in fold[m] for s in part} for m in range(width)]
    lines = [
        [exact.ALWAYS_NEGATIVE]
        + [line_at(t, member) for member, found in zip(fold, scores, strict=True) for t in found]
        for fold in family
    ]
    for fold, curve in enumerate(found.folds):
        assert_same(curve, held_out(lines, fold))


@given(folds_of_scores)
def test_double_precision_chooses_as_well(folds: list[Scores]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "EXACT", 0)
        found = cross_fitted(points_of(folds))
    assert found.curve.area() == pytest.approx(
        cross_fitted(points_of(folds)).curve.area(), abs=1e-12
    )


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
    found, lines = cross_fitted(points_of(folds)), lines_of_scores(folds)
    for fold, curve in enumerate(found.folds):
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
        for one, other in zip(everything[1].folds, thinned[1].folds, strict=True):
            assert one.pc.tolist() == other.pc.tolist()
            assert one.at0.tolist() == other.at0.tolist()
            assert one.at1.tolist() == other.at1.tolist()
        assert everything[2].threshold.tolist() == thinned[2].threshold.tolist()


@given(st.lists(folds_of_scores.filter(lambda folds: len(folds) == 3), min_size=2, max_size=3))
def test_repeats_are_averaged_after_folds(repeats: list[list[Scores]]) -> None:
    points = points_of([fold for folds in repeats for fold in folds])
    found = cross_fitted(points, repeats=np.repeat(np.arange(len(repeats)), 3))
    areas = [cross_fitted(points_of(folds)).curve.area() for folds in repeats]
    assert found.curve.area() == pytest.approx(np.mean(areas), abs=1e-14)
    assert found.repeats.tolist() == [number for number in range(len(repeats)) for _ in range(3)]


def test_repeats_count_the_same_whatever_their_folds() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([1], [0]), ([0], [1]), ([2], [1])]
    found = cross_fitted(points_of(folds), repeats=[7, 7, 3, 3, 3])
    areas = [cross_fitted(points_of(part)).curve.area() for part in (folds[2:], folds[:2])]
    assert found.curve.area() == pytest.approx(np.mean(areas), abs=1e-14)


@given(folds_of_scores)
def test_swapped_classes_mirror_the_curve(folds: list[Scores]) -> None:
    swapped = [([4 - s for s in p], [4 - s for s in n]) for n, p in folds]
    # After the swap "positive iff score >= t" becomes "> t": the candidates are the same cuts.
    one, other = cross_fitted(points_of(folds)), cross_fitted(points_of(swapped))
    for curve, mirrored in zip(one.folds, other.folds, strict=True):
        assert curve.area() == pytest.approx(mirrored.area(), abs=1e-14)


@given(folds_of_scores)
def test_only_the_order_of_scores_matters(folds: list[Scores]) -> None:
    points = points_of(folds)
    rescored = points_of([([s**3 + 7 for s in n], [s**3 + 7 for s in p]) for n, p in folds])
    one, other = cross_fitted(points).curve, cross_fitted(rescored).curve
    assert one.pc.tolist() == other.pc.tolist()
    assert one.at0.tolist() == other.at0.tolist()


@given(folds_of_scores)
def test_scores_at_the_extremes_of_double_precision(folds: list[Scores]) -> None:
    extreme = [-1.7e308, -5e-324, 0.0, 5e-324, 1.7e308]
    scores = [[extreme[s] for part in fold for s in part] for fold in folds]
    labels = [[label for label, part in enumerate(fold) for _ in part] for fold in folds]
    groups = np.repeat(np.arange(len(folds)), [len(part) for part in scores])
    found = cross_fitted(
        from_scores(scores=np.concatenate(scores), labels=np.concatenate(labels), groups=groups)
    )
    expected = cross_fitted(points_of(folds))
    for one, other in zip(found.folds, expected.folds, strict=True):
        assert one.pc.tolist() == other.pc.tolist()
        assert one.at0.tolist() == other.at0.tolist()


@given(folds_of_scores)
def test_what_is_deployed_is_the_envelope_of_the_mean_lines(folds: list[Scores]) -> None:
    thresholds = [np.inf, *{score for fold in folds for part in fold for score in part}]
    means = [mean_line([line_at(t, fold) for fold in folds]) for t in thresholds]
    found = deployed(points_of(folds))
    assert_same(found.curve, exact.lower_envelope(means))
    serving = [mean_line([line_at(t, fold) for fold in folds]) for t in found.threshold]
    assert [float(fp) for fp, _ in serving] == found.curve.at0.tolist()
    assert [float(fn) for _, fn in serving] == found.curve.at1.tolist()


@given(folds_of_scores)
def test_a_fold_never_beats_its_own_envelope(folds: list[Scores]) -> None:
    found = cross_fitted(points_of(folds))
    for fold, curve in zip(folds, found.folds, strict=True):
        own = exact.lower_envelope(lines_of_scores([fold])[0]).rounded()
        assert not [i for i in better_than(curve, own) if i.sign < 0]


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
            one = alone[fold]
            assert together[3 * i + fold].pc.tolist() == one.pc.tolist()
            assert together[3 * i + fold].at1.tolist() == one.at1.tolist()


def test_counts_may_be_weights() -> None:
    folds: list[Scores] = [([0, 1, 1], [1, 2]), ([0, 2], [1, 3, 3]), ([1, 0], [0, 3])]
    found, _ = align(points_of(folds), np.arange(3)[:, np.newaxis], seen_on_others)
    whole = judged_on_held_out(found.fp, found.fn, found.negatives, found.positives)
    weighed = judged_on_held_out(
        found.fp * 0.5,
        found.fn * 0.25,
        found.negatives * 0.5,
        found.positives * 0.25,
    )
    for fold in range(3):
        assert weighed[fold].area() == pytest.approx(whole[fold].area(), abs=1e-14)


def test_a_single_crisp_classifier_has_the_trivial_ones_as_ways_out() -> None:
    useless = from_decisions(decisions=[1, 0, 1, 0], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1])
    found = cross_fitted(useless)
    assert found.curve.area() == trivial().area()
    assert deployed(useless).member.tolist() == [-1, -1]
    assert deployed(useless).threshold.tolist() == [np.inf, -np.inf]


def test_what_is_deployed_may_rest_on_several_repeats() -> None:
    folds: list[Scores] = [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([1], [0]), ([0], [1])]
    together = deployed(points_of(folds))
    numbered = deployed(points_of(folds), repeats=[0, 0, 1, 1])
    assert numbered.threshold.tolist() == together.threshold.tolist()
    perfect = from_decisions(decisions=[1, 0, 1, 0], labels=[1, 0, 1, 0], groups=[0, 0, 1, 1])
    found = deployed(perfect, repeats=[0, 1], folds=[1, 1], members=[0, 0])
    assert found.member.tolist() == [0]


def test_members_are_named_by_what_is_deployed() -> None:
    decisions, labels = [1, 0, 1, 1], [1, 0, 1, 0]
    points = from_decisions(
        decisions=[*decisions, *decisions, 0, 0, 0, 0],
        labels=[*labels, *labels, *labels],
        groups=np.repeat(np.arange(3), 4),
    )
    found = deployed(points, folds=[0, 0, 0], members=[9, 8, 4])
    assert found.member.tolist() == [-1, 1]
    assert found.threshold[0] == np.inf
    assert np.isnan(found.threshold[1])


def test_one_fold_says_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"one fold only.*two folds or more, or split"):
        cross_fitted(points_of([([0], [1])]))
    with pytest.raises(ValueError, match="repeat number 1 has one fold only"):
        cross_fitted(points_of([([0], [1])] * 3), repeats=[0, 0, 5])


def test_a_fold_without_a_class_is_named() -> None:
    points = points_of([([0], [1])] * 2)
    empty = OperatingPoints(
        points.fp_count,
        points.tp_count,
        points.threshold,
        points.offsets,
        np.array([1, 0]),
        points.positives,
    )
    with pytest.raises(ValueError, match="fold 1 lacks a class"):
        cross_fitted(empty)


def test_members_must_be_complete_and_comparable() -> None:
    points = from_decisions(decisions=[1, 0] * 3, labels=[1, 0] * 3, groups=[0, 0, 1, 1, 2, 2])
    with pytest.raises(ValueError, match="each fold of repeat 0 must have each of the 2 members"):
        cross_fitted(points, folds=[0, 0, 1], members=[0, 1, 0])
    with pytest.raises(ValueError, match="one fold a curve: expected 3, found 2"):
        layout(3, folds=[0, 1])
    sizes = from_decisions(
        decisions=[1, 0, 1, 1, 0], labels=[1, 0, 1, 1, 0], groups=[0, 0, 1, 1, 1]
    )
    with pytest.raises(ValueError, match=r"members of fold 0 have \[1, 1\] negatives and \[1, 2\]"):
        deployed(sizes, folds=[0, 0], members=[0, 1])


def test_members_must_be_one_classifier_each() -> None:
    points = from_decisions(decisions=[1, 0] * 2, labels=[1, 0] * 2, groups=[0, 0, 1, 1])
    doubled = OperatingPoints(
        np.repeat(points.fp_count, 2),
        np.repeat(points.tp_count, 2),
        np.full(4, np.nan),
        np.array([0, 2, 4]),
        points.negatives,
        points.positives,
    )
    with pytest.raises(ValueError, match="member 0 has several decisions on a fold"):
        cross_fitted(doubled)
    mixed = OperatingPoints(
        np.array([0, 0, 1]),
        np.array([1, 0, 1]),
        np.array([np.nan, np.inf, 0.5]),
        np.array([0, 1, 3]),
        points.negatives,
        points.positives,
    )
    with pytest.raises(ValueError, match="member 0 has neither the scores of one classifier"):
        cross_fitted(mixed)


def test_sums_over_all_folds_keep_their_axis() -> None:
    assert of_all(np.ones((2, 3, 4))).shape == (2, 1, 4)
