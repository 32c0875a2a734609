"""Reid's variant: its relation to PC(+) and nec, the way back, and every error."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from costcurves.curves import cost_space, reid
from tests.strategies import rates

EPSILON = float(np.finfo(np.float64).eps)


@given(rates, rates, rates, rates)
def test_the_loss_is_the_normalized_cost_without_its_unit(
    fp: Fraction, tp: Fraction, c: Fraction, prior: Fraction
) -> None:
    unit = prior * (1 - c) + (1 - prior) * c
    assume(unit > 0)
    expected = (1 - prior) * c * fp + prior * (1 - c) * (1 - tp)
    loss = reid.point_to_loss(float(fp), float(tp), float(c), float(prior))
    assert loss == pytest.approx(float(expected), abs=2 * EPSILON)
    x = reid.pc(float(c), float(prior))
    assert x == pytest.approx(float(prior * (1 - c) / unit), abs=4 * EPSILON)
    cost = cost_space.nec(x, float(fp), float(1 - tp))
    assert reid.loss(cost, float(c), float(prior)) == pytest.approx(loss, abs=4 * EPSILON)


@given(rates, rates, rates, rates)
def test_the_dual_line_goes_through_the_point(
    fp: Fraction, tp: Fraction, c: Fraction, prior: Fraction
) -> None:
    """ERRATUM of the post: its inverse, with intercept ((1 - prior) c - loss) / w, does not."""
    assume(prior * (1 - c) > 0)
    loss = (1 - prior) * c * fp + prior * (1 - c) * (1 - tp)
    slope, intercept = reid.loss_to_roc_line(float(c), float(loss), float(prior))
    assert slope * float(fp) + intercept == pytest.approx(float(tp), abs=1e-13)
    weight = prior * (1 - c)
    printed = ((1 - prior) * c - loss) / weight
    if (1 - prior) * c != weight:
        assert float(slope * float(fp) + float(printed)) != pytest.approx(float(tp), abs=1e-9)


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (reid.pc, (1.1, 0.5), r"c must be in \[0, 1\], found 1.1"),
        (reid.pc, (0.5, -1), r"the prior p\(\+\) must be in \[0, 1\], found -1.0"),
        (reid.pc, (0, 0), r"PC\(\+\) is undefined"),
        (reid.pc, (1, 1), r"PC\(\+\) is undefined"),
        (reid.loss, (2, 0.5, 0.5), r"nec must be in \[0, 1\], found 2.0"),
        (reid.loss, (0.5, 2, 0.5), r"c must be in \[0, 1\], found 2.0"),
        (reid.point_to_loss, (2, 0.5, 0.5, 0.5), r"fp must be in \[0, 1\], found 2.0"),
        (reid.point_to_loss, (0.5, math.nan, 0.5, 0.5), r"tp must be in \[0, 1\], found nan"),
        (reid.loss_to_roc_line, (1, 0.1, 0.5), r"the ROC line is vertical, found 0.0"),
        (reid.loss_to_roc_line, (0.5, 0.1, 0), r"the ROC line is vertical, found 0.0"),
        (reid.loss_to_roc_line, (0.5, math.inf, 0.5), r"the loss must be finite, found inf"),
        (reid.loss_to_roc_line, (0.25, 0.1, 5e-324), r"beyond the floating-point numbers"),
    ],
)
def test_what_has_no_meaning_is_refused(
    call: Callable[..., Any], arguments: tuple[float, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call(*arguments)


def test_numbers_give_floats_and_arrays_give_arrays() -> None:
    assert type(reid.pc(0.25, 0.5)) is float
    assert type(reid.loss(0.25, 0.5, 0.5)) is float
    assert type(reid.point_to_loss(0.25, 0.5, 0.5, 0.5)) is float
    assert [type(value) for value in reid.loss_to_roc_line(0.25, 0.5, 0.5)] == [float, float]
    slope, intercept = reid.loss_to_roc_line([0.25, 0.5], 0.1, 0.5)
    assert slope.shape == intercept.shape == (2,)
