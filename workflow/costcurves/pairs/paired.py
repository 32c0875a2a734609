"""Two crisp classifiers on the same instances: the difference of their cost lines ([DH06]_, s4.7).

Only instances on which the two differ decide. The difference of losses of each, averaged over
repeats, is all that a comparison needs, and few distinct values of it occur: what is drawn here
does not grow with the number of instances.

- `sign_flips`: verdicts and the simultaneous band. If the two classifiers are equally good, each
  instance's difference may as well have the other sign ([1]_). The standardized difference,

      t(pc) = (pc a + (1 - pc) b) / sqrt(pc^2 A + (1 - pc)^2 B),

  with a the sum of the differences of the positives, A the sum of their squares, b and B those of
  the negatives, has its largest absolute value over all PC(+) in closed form, and A and B stay the
  same when signs change. So all sign changes, each as likely, give its exact distribution: the
  chance of any false verdict on [0, 1] is at most nominal, whatever the number of instances
  ([RW05]_).

A and B are enlarged by the square of one more instance on which the two differ. That changes
neither validity nor, measurably, power, and a class where they never differ keeps a width, unless
they never differ at all: then the band is exactly [0, 0]. On N instances that add 1 or -1 the two
differ by N at most, and A is at least N + 1: no spread is less than k differences in one direction
allow, sqrt(k), nor, where repeats make each a part of one, less than one whole instance.

References
----------
.. [1] R. A. Fisher, "The design of experiments", s21, Oliver and Boyd, 1935.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.chance.largest import Largest
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.curves.bands import Band, Edge
from costcurves.curves.curves import Curve, line

MOST_OUTCOMES = 10**6
GRAIN = 2**24


class Differences(NamedTuple):
    """How the losses of A and B differ on the instances of one class.

    `values` are the (v,) distinct absolute differences, each as a share of the class: their signed
    sum is the difference of the rates. On (v,) `higher` instances A loses that much more than B, on
    `lower` that much less. `size` counts also those without a difference.
    """

    values: FloatArray
    higher: IntArray
    lower: IntArray
    size: int

    @property
    def total(self) -> float:
        """Difference of the rates, cost(A) - cost(B)."""
        return math.fsum(self.values * (self.higher - self.lower))

    @property
    def times(self) -> IntArray:
        """(v,) instances with each absolute difference."""
        return self.higher + self.lower


def differences(shares: ArrayLike) -> Differences:
    """Sort the differences of one class by size.

    The (instances,) `shares` are what each instance of the class adds to the difference of the
    rates: the mean over repeats of the loss of A minus that of B, divided by the size of the class.
    """
    share = np.asarray(shares, dtype=np.float64)
    values, of = np.unique(np.abs(share), return_inverse=True)
    higher, lower = (
        np.bincount(of[side], minlength=len(values)) for side in (share > 0, share < 0)
    )
    some = values > 0
    return Differences(values[some], higher[some], lower[some], len(share))


def shares(
    instances: ArrayLike, losses_a: ArrayLike, losses_b: ArrayLike, sizes: ArrayLike, count: int
) -> FloatArray:
    """Average losses over the predictions of each instance: of repeats, or of one test set.

    Parameters
    ----------
    instances
        (rows,) index of each row's instance within its class, 0 to `count` - 1.
    losses_a, losses_b
        (rows,) 1 where the classifier is wrong.
    sizes
        (rows,) what the row's loss is divided by: instances of the class in the row's curve (fold
        or repeat) times the number of curves whose mean is taken.
    count
        Instances of the class.

    Returns
    -------
    ndarray
        (count,) as `differences` takes them: the same losses give the very same share.
    """
    loss = np.asarray(losses_a, dtype=np.int64) - np.asarray(losses_b, dtype=np.int64)
    size, of = np.unique(np.asarray(sizes), return_inverse=True)
    each = np.zeros((len(size), count))
    np.add.at(each, (of, np.asarray(instances)), loss)
    total: FloatArray = (each / size[:, np.newaxis]).sum(axis=0)
    return total


class Totals(NamedTuple):
    """Differences of the two rates after sign changes."""

    # (sign changes,) each; or (k, 1) and (l,), all outcomes: every one of k with every one of l
    at0: FloatArray
    at1: FloatArray
    chances: FloatArray | None  # (k, l) of all outcomes; None: each is as likely
    spread0: float  # as in `SignFlips`
    spread1: float


@dataclass(frozen=True, eq=False)
class SignFlips:
    """A difference of two lines, cost(A) - cost(B), and what sign changes make of it.

    The spreads at PC(+) = 0 and 1 are roots of the enlarged sums of squares; `largest` is the
    distribution of the largest absolute standardized difference over PC(+).
    """

    estimate: Curve
    spread0: float
    spread1: float
    largest: Largest

    @cached_property
    def height(self) -> float:
        """Largest absolute standardized difference."""
        heights = np.array([self.estimate(0.0)]), np.array([self.estimate(1.0)])
        return float(_largest(*heights, self.spread0, self.spread1)[0])

    @property
    def p_value(self) -> float:
        """Chance of so large a difference anywhere on PC(+) if A and B are equally good."""
        return self.largest.p_value(self.height)

    def critical(self, level: float) -> float:
        """Return what a standardized difference must exceed; errors as `simultaneous`."""
        return self.largest.critical(level)

    def simultaneous(self, level: float = 0.9) -> Band:
        """Make the band that excludes zero where the sign changes do.

        A level for which the sign changes are too few is a ValueError.
        """
        c = self.critical(level)
        lower = Edge(self.estimate, -1, c * self.spread0, c * self.spread1)
        upper = Edge(self.estimate, 1, c * self.spread0, c * self.spread1)
        return Band(self.estimate, lower, upper, level, simultaneous=True, method="sign flips")


def sign_flips(
    negatives: Differences, positives: Differences, resamples: int, rng: np.random.Generator
) -> SignFlips:
    """Change signs of the instances' differences at random.

    Parameters
    ----------
    negatives, positives
        Differences of each class.
    resamples, rng
        Sign changes that are drawn, and random numbers, where there are more than a million
        different outcomes; otherwise all are taken with their chances, and nothing is random.

    Examples
    --------
    >>> n, p = (differences(np.repeat([1, 0], [k, 4 * k]) / (5 * k)) for k in (2, 4))
    >>> found = sign_flips(n, p, 2000, np.random.default_rng(0))
    >>> round(found.p_value, 5), found.simultaneous(0.9).upper(0.5) < 0
    (0.03125, False)
    """
    at0, at1, chances, spread0, spread1 = signed_totals(negatives, positives, resamples, rng)
    heights = _largest(at0, at1, spread0, spread1)
    largest = distribution(heights, chances)
    return SignFlips(line(negatives.total, positives.total), spread0, spread1, largest)


def signed_totals(
    negatives: Differences, positives: Differences, resamples: int, rng: np.random.Generator
) -> Totals:
    """Return what sign changes make of the two rates' differences; as `sign_flips`."""
    classes = negatives, positives
    spread0, spread1 = (math.sqrt(square) for square in _squares(classes))
    outcomes = [_outcomes(of_class) for of_class in classes]
    if math.prod(len(values) for values, _ in outcomes) <= MOST_OUTCOMES:
        (at0, chance0), (at1, chance1) = outcomes
        return Totals(at0[:, np.newaxis], at1, np.outer(chance0, chance1), spread0, spread1)
    at0, at1 = (_flipped(of_class, resamples, rng) for of_class in classes)
    return Totals(at0, at1, None, spread0, spread1)


def distribution(heights: FloatArray, chances: FloatArray | None) -> Largest:
    """Make the distribution of what was found in all outcomes, or in drawn ones (None)."""
    if chances is None:
        return Largest.simulated(heights.ravel())
    return Largest.exact(heights.ravel(), chances.ravel())


def _squares(classes: Sequence[Differences]) -> list[float]:
    """Sum of squares of each class, and one more: the mean square of all where the two differ."""
    scaled = [
        math.fsum((of_class.values * of_class.size) ** 2 * of_class.times) for of_class in classes
    ]
    more = sum(scaled) / max(sum(int(of_class.times.sum()) for of_class in classes), 1)
    least = 1.0 if more else 0.0
    sizes = [of_class.size for of_class in classes]
    return [max(square + more, least) / size**2 for square, size in zip(scaled, sizes, strict=True)]


def _largest(at0: FloatArray, at1: FloatArray, spread0: float, spread1: float) -> FloatArray:
    """Largest absolute standardized height over PC(+) of lines, 0 / 0 being 0.

    The standardized height is the projection of (at1 / spread1, at0 / spread0) on a direction of
    the first quadrant; each PC(+) is one.
    """
    u, v = np.abs(at0) / (spread0 or 1.0), np.abs(at1) / (spread1 or 1.0)
    return np.where(np.sign(at0) * np.sign(at1) > 0, np.hypot(u, v), np.maximum(u, v))


def _outcomes(of_class: Differences) -> tuple[FloatArray, FloatArray]:
    """All totals that sign changes can give, with their chances; cut short beyond the limit."""
    totals: FloatArray = np.zeros(1)
    chances: FloatArray = np.ones(1)
    for value, times in zip(of_class.values, of_class.times, strict=True):
        if len(totals) * (times + 1) > MOST_OUTCOMES:
            return np.zeros(MOST_OUTCOMES + 1), np.zeros(MOST_OUTCOMES + 1)
        steps = value * (2 * np.arange(times + 1) - times)
        grains = np.rint((totals[:, np.newaxis] + steps) * (of_class.size * GRAIN))
        distinct, of = np.unique(grains, return_inverse=True)
        totals = distinct / (of_class.size * GRAIN)
        both = np.outer(chances, _fair(int(times)))
        chances = np.bincount(of.ravel(), weights=both.ravel()).astype(np.float64)
    return totals, chances


def _fair(times: int) -> FloatArray:
    """Return the (times + 1,) chances of so many heads, from the middle on by products alone.

    Logarithms would have other last bits on other processors.
    """
    odd, fewer = np.arange(1, times + 1, 2), np.arange(times // 2, 0, -1)
    falls = np.concatenate([odd / (odd + 1), fewer / (times - fewer + 1)])
    falling = np.cumprod(np.append(1.0, falls))[len(odd) :]
    return np.concatenate([falling[::-1], falling[1 - times % 2 :]])


def _flipped(of_class: Differences, resamples: int, rng: np.random.Generator) -> FloatArray:
    """(resamples,) totals after random sign changes."""
    heads = rng.binomial(of_class.times, 0.5, (resamples, len(of_class.times)))
    totals: FloatArray = ((2 * heads - of_class.times) * of_class.values).sum(axis=1)
    return totals
