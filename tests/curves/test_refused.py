"""What is no curve, envelope, prior or place on PC(+), and has no mean, height or dual."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from costcurves.curves import cost_space as space
from costcurves.curves import reid
from costcurves.curves.cost_space import costs_from_matrix, pc, pc_from_ratio, ratio_from_pc
from costcurves.curves.curves import Curve, average, mean, trivial
from costcurves.curves.envelopes import lower_envelope, lower_envelopes
from costcurves.curves.hulls import hull
from costcurves.curves.levels import k_level
from costcurves.curves.priors import Beta, LogRatio, Uniform
from tests.curves.test_envelopes import of_counts

EPSILON = float(np.finfo(np.float64).eps)
INF, NAN = math.inf, math.nan
TWO = [trivial()] * 2
UNDEFINED, BEYOND = r"PC\(\+\) is undefined", "beyond the floating-point numbers"


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (Curve, ([0, 1], [0.1, 0.2], [0.1, 0.2]), r"found 2 break points, 2 at0 and 2 at1"),
        (Curve, ([0, 1], [0.1], [0.1, 0.2]), r"k \+ 1 break.*found 2 break points, 1 at0 and 2"),
        (Curve, ([0], [], []), r"k >= 1 pieces.*found 1 break points, 0 at0 and 0 at1"),
        (Curve, ([0, 0.5, 0.5, 1], [0, 0, 0], [0, 0, 0]), r"must increase strictly"),
        (Curve, ([0.1, 1], [0], [0]), r"must run from 0 to 1, found 0.1 to 1.0"),
        (Curve, ([0, 0.9], [0], [0]), r"must run from 0 to 1, found 0.0 to 0.9"),
        (Curve, ([0, NAN, 1], [0, 0], [0, 0]), r"pc must be finite, found nan"),
        (Curve, ([0, 1], [INF], [0]), r"at0 must be finite, found inf"),
        (Curve, ([0, 1], [0], [-INF]), r"at1 must be finite, found -inf"),
        (Curve, ([[0, 1]], [0], [0]), r"pc must be one-dimensional, found shape \(1, 2\)"),
        (mean, ([],), "at least one curve, found none"),
        (mean, (TWO, [1.0]), "one weight a curve: 2, found 1"),
        (mean, (TWO, [1, -1]), "must not be negative and not all zero"),
        (mean, (TWO, [0, 0]), "must not be negative and not all zero"),
        (mean, (TWO, [1, NAN]), "weights must be finite, found nan"),
        (average, (TWO, [1]), "one repeat a curve: expected 2, found 1"),
        *((trivial(), (bad,), r"PC\(\+\) must be in \[0, 1\], found ") for bad in (-0.1, 1.1, NAN)),
        (lower_envelopes, (of_counts(3, 3), False), r"curve 0 has no operating point"),
        (lower_envelopes, (of_counts(3, 3, (2, 1), (1, 2)),), r"x falls from 2 to 1 within a cur"),
        (lower_envelopes, (of_counts(2**40, 2**30, (1, 1)),), r"1099511627776 neg.*2\^62 pairs"),
        (lower_envelope, ([1.5], [0.5]), r"fp must be in \[0, 1\], found 1.5"),
        (lower_envelope, ([0.5], [NAN]), r"fn must be in \[0, 1\], found nan"),
        (lower_envelope, ([0.5], [0.5, 0.6]), r"shapes \(1,\) and \(2,\), expected one length"),
        (lower_envelope, (0.5, 0.5), r"fp and fn of shapes \(\) and \(\), expected one length"),
        (k_level, ([1, 2], [1, 2], 0, 4, 4), "k must be from 1 to 2, the number of lines, found 0"),
        (k_level, ([1, 2], [1, 2], 3, 4, 4), "k must be from 1 to 2, the number of lines, found 3"),
        (k_level, (*np.zeros((2, 0), int), 1, 4, 4), "k must be from 1 to 0"),
        (k_level, ([0.5], [1], 1, 4, 4), "counts must be a row of whole numbers, found float64"),
        (k_level, ([[1]], [[1]], 1, 4, 4), r"found int64 of shape \(1, 1\)"),
        (k_level, ([1, 2], [1], 1, 4, 4), "fp_count of length 2 and fn_count of length 1"),
        (k_level, ([0, 2**26], [0, 1], 1, 4, 4), r"counts differ by 2\^26 or more"),
        (Uniform, (0.5, 0.5), r"Uniform: .* 0 <= low < high <= 1, found 0.5 and 0.5"),
        (Uniform, (-0.1, 0.5), r"Uniform: .*found -0.1 and 0.5"),
        (Uniform, (0.5, NAN), r"Uniform: .*found 0.5 and nan"),
        (Beta, (0, 1), r"Beta: a must be positive and finite, found 0"),
        (Beta, (1, -2), r"Beta: b must be positive and finite, found -2"),
        (Beta, (1, INF), r"Beta: b must be positive and finite, found inf"),
        (Beta, (2, 2, 0.7, 0.3), r"Beta: the bounds.*found 0.7 and 0.3"),
        (Beta, (1e5, 1e5, 0.9, 1), r"Beta\(100000.0, 100000.0\) has no mass between 0.9 and"),
        (LogRatio, (0, 1, 0.5), r"LogRatio: bounds must be .*, found 0 and 1"),
        (LogRatio, (2, 2, 0.5), r"LogRatio: bounds must be .*, found 2 and 2"),
        (LogRatio, (1, INF, 0.5), r"LogRatio: bounds must be .*, found 1 and inf"),
        (LogRatio, (1, 2, 0), r"LogRatio: prior must be between 0 and 1, found 0"),
        (LogRatio, (1, 2, 1), r"LogRatio: prior must be between 0 and 1, found 1"),
        (LogRatio, (1, 1 + EPSILON, 0.5), r"LogRatio\(.*\) has no mass between its bounds"),
        (LogRatio, (1e-9, 1, 5e-324), r"LogRatio\(.*\) has no mass between its bounds"),
        (LogRatio, (1, 1e308, 1 - EPSILON), r"LogRatio\(.*\) has no mass between its"),
        (hull, ([0, 1, 0], [0, 1, 2], [0, 3]), "x falls from 1 to 0 within a curve"),
        (pc, (0.5, -1, 1), r"the cost C\(-\|\+\) must not be negative, found -1.0"),
        (pc, (0.5, 1, -2), r"the cost C\(\+\|-\) must not be negative, found -2.0"),
        (pc, (0, 1, 0), r"PC\(\+\) is undefined: both p\(\+\) C\(-\|\+\) and p\(-\) C\(\+\|-\)"),
        (pc, ([0.5, 0.5], [1, 0], [1, 0]), UNDEFINED),
        (pc_from_ratio, (0, 1), UNDEFINED),
        (pc_from_ratio, (INF, 0), UNDEFINED),
        (ratio_from_pc, (0.5, 0), r"prior p\(\+\) strictly between 0 and 1, found 0.0"),
        (ratio_from_pc, (0.5, 1), r"prior p\(\+\) strictly between 0 and 1, found 1.0"),
        (costs_from_matrix, ([[1, 1], [1, 0]],), r"negative must cost more than a .*, found 0.0"),
        (costs_from_matrix, ([[0, 1], [0, 2]],), r"positive must cost more than a .*, found -2.0"),
        (costs_from_matrix, ([[0, 1, 2]],), r"shape \(..., 2, 2\), found \(1, 3\)"),
        (costs_from_matrix, ([[0, NAN], [1, 0]],), r"the costs must be finite, found nan"),
        (space.roc_line_to_cost_point, ([1, -1], 0), "slope -1 has no image .*, found -1.0"),
        (space.roc_line_to_cost_point, (-1 + EPSILON, 1e300), BEYOND),
        (space.cost_point_to_roc_line, ([0.5, 0], 0.5), "vertical ROC line, at fp = nec, found 0"),
        (space.cost_point_to_roc_line, (5e-324, 0.5), BEYOND),
        (reid.pc, (0, 0), UNDEFINED),
        (reid.loss_to_roc_line, (0.5, 0.1, 0), r"the ROC line is vertical, found 0.0"),
        (reid.loss_to_roc_line, (0.25, 0.1, 5e-324), BEYOND),
    ],
)
def test_what_has_no_meaning_is_refused(
    call: Callable[..., Any], arguments: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call(*arguments)
