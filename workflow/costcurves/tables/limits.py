"""Limits: choosing under a highest FP rate or a workforce's capacity, and what keeps of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from costcurves.maths import limits, selection
from costcurves.maths.hybrids import Hybrid, average
from costcurves.maths.operating_points import OperatingPoints
from costcurves.tables.obstacles import obstacle
from costcurves.tables.settings import Selection
from costcurves.tables.strands import Strands

ROUNDING: Final = 1e-9  # of cases: a limit that is met exactly is not broken


@dataclass(frozen=True, eq=False)
class Kept:
    """What a limit came to on held-out folds.

    Attributes
    ----------
    fp, tp
        Mean rates over the folds of a repeat, then over repeats.
    reached
        In the unit of the limit: the FP rate, or the cases of one pass over the data.
    folds, exceeded
        How many folds were held out, and on how many of them the limit was exceeded.
    """

    fp: float
    tp: float
    reached: float
    folds: int
    exceeded: int


def choose(criterion: str, points: OperatingPoints, one_pass: float, chosen: Selection) -> Hybrid:
    """Apply a criterion that has a limit to the operating points of one curve.

    Parameters
    ----------
    criterion
        One of `settings.NEEDS`.
    points
        Of any part of the data.
    one_pass
        How many cases one pass over the data has: `strands.Strands.one_pass`.
    chosen
        The study's selection, with the criterion's limit.
    """
    return CHOOSE[criterion](points, one_pass, chosen)


def is_held_out(criterion: str, strands: Strands) -> bool:
    """Say whether a criterion has a limit and a model has other folds to keep it on."""
    return criterion in CHOOSE and not obstacle("cross-fitted", strands)


def held_out(criterion: str, strands: Strands, chosen: Selection) -> limits.HeldOut:
    """Choose under the limit on the other folds of a repeat, and serve the held-out fold."""
    one_pass = strands.one_pass

    def rule(others: OperatingPoints) -> Hybrid:
        return choose(criterion, others, one_pass, chosen)

    return limits.held_out(strands.points, rule, *strands.layout())


def kept(criterion: str, strands: Strands, chosen: Selection) -> Kept | None:
    """Compare the held-out folds with the limit; None where there are no folds to choose on."""
    if not is_held_out(criterion, strands):
        return None
    found = held_out(criterion, strands, chosen)
    mean = average(found.curves(), found.repeats)
    fp, tp = float(mean.at0[0]), 1 - float(mean.at1[0])
    handled = found.fp_count + found.tp_count
    if criterion == "workforce":
        cases = found.negatives + found.positives
        one_pass = strands.one_pass
        allowed = np.array([_capacity(float(own), one_pass, chosen) for own in cases])
        reached, exceeded = float(handled.sum()) / strands.passes, handled - allowed
    else:
        reached, exceeded = fp, found.fp_count - chosen.allowed_fp() * found.negatives
    return Kept(fp, tp, reached, len(found.repeats), int((exceeded > ROUNDING).sum()))


def _neyman_pearson(points: OperatingPoints, _: float, chosen: Selection) -> Hybrid:
    return selection.neyman_pearson(points, chosen.allowed_fp())


def _workforce(points: OperatingPoints, one_pass: float, chosen: Selection) -> Hybrid:
    cases = float(points.negatives[0] + points.positives[0])
    return selection.workforce(points, _capacity(cases, one_pass, chosen))


def _capacity(cases: float, one_pass: float, chosen: Selection) -> float:
    """Give how many of some cases can be handled: as many of each hundred as in a pass."""
    return chosen.handled(cases, cases / one_pass)


CHOOSE: Final[dict[str, Callable[[OperatingPoints, float, Selection], Hybrid]]] = {
    "neyman-pearson": _neyman_pearson,
    "workforce": _workforce,
}
