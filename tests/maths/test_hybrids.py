"""Hybrids: who serves which piece, regret, and where a curve is worse than the trivial ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.maths.choosing.hybrids import (
    average,
    one_curve,
    regret,
    served_by,
    worse_than_trivial,
)
from costcurves.maths.counts.operating_points import from_scores
from costcurves.maths.geometry import curves
from costcurves.maths.geometry.curves import line, trivial
from costcurves.maths.geometry.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, lower_envelopes
from tests.strategies import lines

POINTS = from_scores(
    scores=[0.9, 0.8, 0.4, 0.1], labels=[1, 0, 1, 0]
)  # (0, 0) (0, .5) (.5, .5) (.5, 1) (1, 1)


def test_each_piece_is_its_holders_cost_line() -> None:
    hybrid = served_by(POINTS, [0, 0.25, 0.5, 1], [2, ALWAYS_NEGATIVE, ALWAYS_POSITIVE])
    assert hybrid.curve.pc.tolist() == [0, 0.25, 0.5, 1]
    assert hybrid.curve.at0.tolist() == [0.5, 0, 1]
    assert hybrid.curve.at1.tolist() == [0.5, 1, 0]
    assert hybrid.alternates.tolist() == hybrid.holders.tolist() == [2, -1, -2]
    assert hybrid.shares.tolist() == [0, 0, 0]


def test_pieces_without_width_are_left_out() -> None:
    hybrid = served_by(POINTS, [0, 0, 0.5, 0.5, 1, 1], [0, 1, 2, 3, 4])
    assert hybrid.curve.pc.tolist() == [0, 0.5, 1]
    assert hybrid.holders.tolist() == [1, 3]


def test_a_draw_between_two_lies_between_their_lines() -> None:
    hybrid = served_by(POINTS, [0, 0.5, 1], [0, 1], [4, 3], [0.25, 0])
    assert hybrid.curve.at0.tolist() == [0.25, 0]
    assert hybrid.curve.at1.tolist() == [0.75, 0.5]
    assert hybrid.alternates.tolist() == [4, 1]  # no draw: the holder itself


def test_weights_scale_the_ends() -> None:
    hybrid = served_by(POINTS, [0, 1], [2], weights=(0.5, 2))
    assert (hybrid.curve.at0[0], hybrid.curve.at1[0]) == (0.25, 1)


def test_an_envelope_is_a_hybrid() -> None:
    envelope = lower_envelopes(POINTS)[0]
    again = served_by(POINTS, envelope.curve.pc, envelope.holders)
    assert [i.sign for i in curves.better_than(again.curve, envelope.curve)] == [0]


@given(st.lists(lines, min_size=1, max_size=4))
def test_regret_against_oneself_is_nothing(found: list[tuple[float, float]]) -> None:
    curve = curves.mean([line(float(at0), float(at1)) for at0, at1 in found])
    assert regret(curve, curve).area() == 0
    assert regret(curve, trivial()).area() == pytest.approx(curve.area() - 0.25, abs=1e-15)


def test_regret_is_positive_where_the_reference_is_cheaper() -> None:
    assert regret(line(0, 1), trivial())([0.25, 0.75]).tolist() == [0, 0.5]


@given(lines)
def test_worse_than_trivial_and_operating_range_never_meet(found: tuple[float, float]) -> None:
    curve = line(float(found[0]), float(found[1]))
    worse, better = worse_than_trivial(curve), curves.operating_range(curve)
    for low, high in worse:
        inside = low + 0.37 * (high - low)  # never 1/2, where a line may just touch
        assert curve(inside) > trivial()(inside)
        assert all(high <= start or end <= low for start, end in better)


def test_touching_a_trivial_classifier_is_not_worse() -> None:
    assert worse_than_trivial(line(0, 1)) == [(0.5, 1)]
    assert worse_than_trivial(line(0, 0)) == []
    assert worse_than_trivial(line(0.5, 0.5)) == [(0, 1)]  # a touch does not divide


def test_averages_are_over_folds_then_repeats() -> None:
    folds = [line(0, 1), line(1, 0), line(1, 1)]
    assert average(folds).at0.tolist() == [2 / 3]
    assert average(folds, [5, 5, 6]).at0.tolist() == [0.75]
    assert average(folds[:2], [3, 4]).at0.tolist() == [0.5]


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="one repeat a curve: expected 2, found 1"):
        average([line(0, 0), line(1, 1)], [1])
    with pytest.raises(ValueError, match="at least one curve"):
        average([])
    with pytest.raises(ValueError, match="one curve at a time, found 2: loop"):
        one_curve(from_scores(scores=[1, 2, 1, 2], labels=[0, 1, 0, 1], groups=[0, 0, 1, 1]))
    with pytest.raises(ValueError, match="must run from 0 to 1"):
        served_by(POINTS, np.array([0.5, 1]), [0])
