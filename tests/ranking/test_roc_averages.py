"""Averages of ROC curves of any steps, in fractions; those of tables are in `test_slow_curves`."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from costcurves.ranking.roc_averages import horizontal, threshold, vertical
from tests.oracle import slow_study as slow

EPSILON = float(np.finfo(np.float64).eps)

Vertices = list[slow.Point]


@st.composite
def roc_curves(draw: st.DrawFn) -> Vertices:
    """Vertices from (0, 0) to (1, 1): steps up, level runs, diagonals, repeated and collinear."""
    negatives, positives = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    fps = sorted(draw(st.lists(st.integers(0, negatives), max_size=6)))
    tps = sorted(draw(st.lists(st.integers(0, positives), min_size=len(fps), max_size=len(fps))))
    inside = zip(fps, tps, strict=True)
    rates = [(Fraction(fp, negatives), Fraction(tp, positives)) for fp, tp in inside]
    return [(slow.ZERO, slow.ZERO), *rates, (slow.ONE, slow.ONE)]


def mean_heights(curves: list[Vertices]) -> Vertices:
    """At each place the lower ends, which are the upper ones of turned curves, and the upper."""
    turned = [[(1 - x, 1 - y) for x, y in reversed(curve)] for curve in curves]
    vertices = []
    for x in sorted({x for curve in curves for x, _ in curve}):
        lower = 1 - slow.mean(slow.heights_of_hull(curve, 1 - x) for curve in turned)
        vertices += [(x, lower), (x, slow.mean(slow.heights_of_hull(curve, x) for curve in curves))]
    return [*dict.fromkeys(vertices)]


def floats(vertices: Vertices) -> Any:
    return np.array(vertices, dtype=np.float64).T


@given(st.lists(roc_curves(), min_size=1, max_size=4))
def test_vertical_and_horizontal_keep_both_ends_of_every_step(curves: list[Vertices]) -> None:
    swapped = [[(tp, fp) for fp, tp in curve] for curve in curves]
    level = [(fp, tp) for tp, fp in mean_heights(swapped)]
    for average, expected in ((vertical, mean_heights(curves)), (horizontal, level)):
        made = np.array(average([floats(curve) for curve in curves]))
        np.testing.assert_allclose(made, floats(expected), rtol=0, atol=4 * EPSILON)
        assert made[:, [0, -1]].tolist() == [[0, 1], [0, 1]]


def test_pooled_folds_may_cost_less_than_in_cost_space() -> None:
    """ERRATUM to D&H 2000 s2.2.3, "all give higher normalised expected costs".

    At PC(+) = 1/2 both folds cost 5/16, and pooled 1/5.
    """
    many, few = [[0, 1, 2], [0, 7, 8]], [[0, 1, 8], [0, 1, 2]]
    folds: Any = np.array([[*many, [math.inf, 1, 0]], [*few, [math.inf, 1, 0]]])
    np.testing.assert_allclose(threshold(folds), ([0, 0.2, 1], [0, 0.8, 1]), rtol=0, atol=EPSILON)
