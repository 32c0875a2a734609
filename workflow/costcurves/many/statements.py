"""What is claimed of a cost curve, or of a difference of two, on a range of PC(+) fixed in advance.

A claim says that a curve stays below a limit everywhere on a range; one that it stays above is the
same claim with all signs changed. Its statistic is the largest standardized height above the limit
there, h: where h < -c the whole band lies below the limit, and the claim is supported; where h > c
the band lies above it somewhere, and the claim is contradicted. As the range was fixed before the
data were looked at, c needs to hold there only, and is smaller than over all PC(+).

What is controlled. Whatever the truth, only one of the two calls can be wrong. If the claim is
false, the curve's expectation reaches the limit at some PC(+), and "supported" needs a deviation
below -c there; if it is true, "contradicted" needs one above c somewhere. Each has a chance of at
most (1 - level) / 2; p-values are twice the one-sided ones, so that they compare with 1 - level.
tests/simulations/results/claims.json measures it.

Several claims. Falsely supported and falsely contradicted ones are two families, each with half of
the error and with Holm's steps of its own ([H79]_), in which a claim that points the other way
counts as one with p = 1. So the chance that ANY claim is called wrongly is at most 1 - level,
however the claims depend on each other. (Steps over both directions at once would be a little
stronger, but that they keep the error is proven for independent claims only.) With levels of their
own, it is at most 1 - level over all claims of that level or a higher one.

Parts of a range. Where a claim is not supported, the same band says on which stretches of the range
it keeps the limit all the same, without further error: a stretch on which the claim is false needs
the deviation that supporting it needs, and a claim that is true everywhere has no such stretch.

Several data sets. A claim about all of them is supported where it is on each, at no cost
(intersection-union: R. L. Berger, Technometrics 24, 295-300, 1982); it is contradicted where it is
on one, with the error divided by their number. Its parts are not looked at: that each data set
alone may not err is not controlled.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from costcurves.chance.largest import EQUAL
from costcurves.pairs.comparisons import adjusted, holm

SUPPORTED: Final = "SUPPORTED"
CONTRADICTED: Final = "CONTRADICTED"
UNDECIDED: Final = "UNDECIDED"


class Called(NamedTuple):
    """How a claim came out."""

    verdict: str
    p_value: float  # the smallest error, familywise over all claims, at which it is decided
    confidence: float  # the level of each of its bands, after Holm and the number of data sets
    decides: int  # which data set is nearest to another verdict, or contradicts it most
    partly: float  # the level of the band that says on which parts of the range it is supported


class Held(NamedTuple):
    """What one data set says to a claim: a standardized height above the limit, and its p-value."""

    height: float
    p_value: float


def called(claims: Sequence[Sequence[Held]], levels: Sequence[float]) -> list[Called]:
    """Decide claims with a familywise error of at most 1 - level, see the module's docstring.

    A claim has one or more data sets; a height is NaN where there is none.

    >>> found = called([[Held(-4, 0.002)], [Held(3, 0.04)], [Held(-1, 0.6)]], [0.9, 0.9, 0.9])
    >>> [(one.verdict, round(one.p_value, 3)) for one in found]
    [('SUPPORTED', 0.006), ('UNDECIDED', 0.12), ('UNDECIDED', 1.0)]
    >>> called([[Held(-1, 0.5), Held(3, 0.03)]], [0.8])
    [Called(verdict='CONTRADICTED', p_value=0.06, confidence=0.9, decides=1, partly=0.8)]
    """
    joint = [_joint(held) for held in claims]
    directions = [[p if sign == way else 1.0 for sign, p, _ in joint] for way in (-1, 1)]
    found = []
    for place, (sign, p_value, decides) in enumerate(joint):
        family = directions[sign > 0]
        confidence = holm(family, levels[place])[place]
        share = len(claims[place]) if sign > 0 else 1
        decided = sign != 0 and p_value <= 1 - confidence + EQUAL
        verdict = (SUPPORTED if sign < 0 else CONTRADICTED) if decided else UNDECIDED
        read = 1 - (1 - confidence) / share
        partly = holm(directions[0], levels[place])[place]
        found.append(Called(verdict, adjusted(family)[place], read, decides, partly))
    return found


def _joint(held: Sequence[Held]) -> tuple[int, float, int]:
    """Join data sets: the direction in which a claim can be decided, its p-value, and by which."""
    heights = np.array([one.height for one in held])
    p_values = np.array([one.p_value for one in held])
    if (heights > 0).any():
        least = int(np.argmin(np.where(heights > 0, p_values, np.inf)))
        return 1, min(len(held) * float(p_values[least]), 1.0), least
    if np.isnan(heights).any():
        return 0, 1.0, int(np.argmax(np.isnan(heights)))
    most = int(np.argmax(p_values))
    return -1, float(p_values[most]), most
