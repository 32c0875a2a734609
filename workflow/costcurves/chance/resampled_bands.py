"""Bands of curves that were resampled, and of differences of two on the same draws.

What a band covers. It is drawn around the estimate and claims to contain the EXPECTATION of such
estimates: their mean over data sets of the same size, folded in the same way. A mean of lower
envelopes that chose their thresholds on the data they are judged on is too low on average, and a
band around it does not contain what the best thresholds would cost on new data. In a difference of
two models that optimism does not cancel: the model with more distinct scores has more of it, so a
band of such a difference leaves zero out though the best thresholds cost the same
(`pairs.comparisons`).

Width. Half of it is c times a spread, at every PC(+).

- For each PC(+) by itself (`pointwise`): the spread is the standard deviation s of the resamples,
  c a quantile of Student's t. Percentiles of the resamples are not used: choosing thresholds again
  in a resample is more optimistic still, so they are too low by twice the optimism.
- For the whole curve (`simultaneous`): c is a quantile of the largest standardized deviation of a
  resample from their mean, divided by a random estimate of 1 (`resampling.studentizers`), as
  Student divided the normal. The spread is the larger of s and of max(s) 4 pc (1 - pc): an s
  that is estimated place by place is by chance too small at some place, most of all where few
  resamples differ near the ends; a floor in the shape that spreads of cost curves have gives up
  little there, and keeps the level.

A spread is never less than `least`: for a curve what one instance more or fewer would change; for a
difference D it is ``|D| / sqrt(n m / (n + m))``, the least that deviations from zero can have that
add up to D; and c is never less than the quantile of t. So nothing is significant through zero
variance: with no errors, with one positive, or where every resample is the same.

Single events. Near PC(+) = 0 and 1 a cost is made of few mistakes in one class, and resamples may
hardly differ: where tied thresholds are averaged, each of many instances counts a little, though a
decision makes a whole mistake or none. So a band of choices is nowhere narrower than `events` lets
it be: one mistake of each class more or fewer, or for a difference what k mistakes allow. Of the N
instances of a class each adds x = -1, 0 or 1 to N times the difference d of the rates. As x^2 is
``|x|``, its mean is at least ``|d|``, and the variance of x at least ``|d| (1 - |d|)``. With R
repeats x is a multiple of 1 / R and x^2 at least ``|x| / R``. So the variance of d is at least
``(|d| / R - d^2) / N``: with one repeat the binomial one, k (1 - k / N) / N^2 for ``k = N |d|``
mistakes, whose root is nearly
sqrt(k) mistakes. Where k is less than one, one is taken. Areas are no single events: they keep
`least`. Models that never differ keep a difference of exactly zero.

Clusters. N is their number, and R that of the predictions in each: its cases are as repeats are.
With fewer than `resampling.FEWEST` clusters of a class nothing is known of the spread, which may
then be the whole scale: no difference is decided, and bands go as far as curves can.

Measured levels and power are in tests/simulations/results/coverage.json.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.chance.intervals import Rate
from costcurves.chance.largest import Largest
from costcurves.chance.resampling import Weights
from costcurves.counts.elementwise import FloatArray
from costcurves.curves.bands import Band, around, through, within
from costcurves.curves.curves import Curve, Side, line, trivial
from costcurves.curves.slivers import largest_in_use

SIDES: tuple[Side, Side] = ("left", "right")


class Sizes(NamedTuple):
    """Clusters of each class, as many as say as much, predictions in each, and if too few."""

    negatives: float
    positives: float
    repeats: float = 1
    unknown: float = 0.0  # the spread at least: 1 where there are too few clusters


@dataclass(frozen=True, eq=False)
class Resampled:
    """An estimated curve, or difference of two, and what it was in resamples.

    A level for which the resamples are too few is a ValueError, where it is for the whole curve.

    Attributes
    ----------
    estimate
        The curve itself, exact.
    grid, values
        (pc,) evaluation grid: PC(+), rising from 0 to 1; (resamples, pc) heights there.
    spread, least, events
        (pc,) standard deviation of the estimate; what it is taken to be at least; what single
        events allow it in a band to be at least.
    sizes
        The instances and repeats behind it.
    dof, studentizer
        As in `resampling.Weights`.
    bounds
        Between which every curve must lie; None: anything.
    method
        How it was resampled.
    flat
        Whether its spread is at least the largest at every PC(+), not in a shape.
    """

    estimate: Curve
    grid: FloatArray
    values: FloatArray
    spread: FloatArray
    least: FloatArray
    events: FloatArray
    sizes: Sizes
    dof: float
    studentizer: FloatArray
    bounds: tuple[Curve, Curve] | None
    method: str
    flat: bool = False

    @cached_property
    def wide(self) -> FloatArray:
        """(pc,) spread of the simultaneous band, see the module's docstring."""
        shape = np.ones_like(self.grid) if self.flat else 4 * self.grid * (1 - self.grid)
        wide: FloatArray = np.maximum(self.narrow, self.spread.max() * shape)
        return wide

    @cached_property
    def narrow(self) -> FloatArray:
        """(pc,) spread of the band for each PC(+) by itself."""
        narrow: FloatArray = np.maximum.reduce([self.spread, self.least, self.events])
        return narrow

    @cached_property
    def deviations(self) -> FloatArray:
        """(resamples,) largest standardized deviation of each resample over all PC(+)."""
        return self._deviations(self.values, self.wide)

    @cached_property
    def largest(self) -> Largest:
        """Distribution of the largest standardized deviation."""
        return Largest.simulated(self.deviations)

    def settled(self) -> Resampled:
        """Forget the resamples once it is known how large deviations are by chance.

        Bands and p-values need no more, and of many pairs all resamples would fill the memory.
        """
        settled = replace(self, values=self.values[:0].copy())
        settled.__dict__["deviations"] = self.deviations
        return settled

    def stretched(self, error: FloatArray) -> Resampled:
        """Let resamples spread at least by a (pc,) standard error."""
        times = np.ones_like(error)
        np.divide(error, self.spread, out=times, where=(self.spread > 0) & (error > self.spread))
        mean = self.values.mean(axis=0)
        values = mean + (self.values - mean) * times
        return replace(self, values=values, spread=np.maximum(self.spread, error))

    @cached_property
    def height(self) -> float:
        """Largest standardized height of the estimate where a verdict may be: not on slivers."""
        places = np.union1d(self.estimate.pc, self.grid)
        return largest_in_use(self.estimate, places, np.interp(places, self.grid, self.wide))

    @property
    def p_value(self) -> float:
        """Chance of so large a deviation anywhere on PC(+) if the difference were zero."""
        return max(self.largest.p_value(self.height), student_p_value(self.height, self.dof))

    def critical(self, level: float) -> float:
        """Return what a standardized deviation must exceed: at least a quantile of Student's t."""
        return max(self.largest.critical(level), student_quantile(level, self.dof))

    def pointwise(self, level: float = 0.9) -> Band:
        """Make the band for each PC(+) by itself."""
        half = student_quantile(level, self.dof) * self.narrow
        return self._around(half, level, simultaneous=False)

    def simultaneous(self, level: float = 0.9) -> Band:
        """Make the band for the whole curve."""
        return self._around(self.critical(level) * self.wide, level, simultaneous=True)

    def deviations_at(self, pc: ArrayLike) -> FloatArray:
        """(resamples,) largest standardized deviation at some points of the grid: for families."""
        at = np.searchsorted(self.grid, pc)
        return self._deviations(self.values[:, at], self.narrow[at])

    def _deviations(self, values: FloatArray, spread: FloatArray) -> FloatArray:
        deviations = np.abs(values - values.mean(axis=0))
        deviations /= np.where(spread > 0, spread, np.inf)
        largest: FloatArray = deviations.max(axis=1, initial=0.0) / self.studentizer
        return largest

    def scalar(self, functional: Callable[[Curve], float], level: float = 0.9) -> Rate:
        """Make the interval of a mean of heights, such as the area or the expected cost.

        `functional` goes from a curve to the number and is linear, such as ``Curve.area``. Plus or
        minus t standard deviations of the resampled numbers, which are taken from the heights on
        the evaluation grid, joined by straight lines; within what the mean of such a curve can be.
        """
        half = student_quantile(level, self.dof) * self.spread_of(functional)
        estimate = functional(self.estimate)
        low, high = estimate - half, estimate + half
        if self.bounds is not None:
            least, most = map(functional, self.bounds)
            # The estimate lies between these, too, but for rounding.
            low, high = min(max(low, least), estimate), max(min(high, most), estimate)
        return Rate(low, estimate, high)

    def spread_of(self, functional: Callable[[Curve], float]) -> float:
        """Return the standard deviation of a number linear in the curve, as for `scalar`."""
        share = weights_of(functional, self.grid.tobytes())
        spread = _deviation((self.values * share).sum(axis=1, keepdims=True))
        return max(float(spread[0]), float((np.abs(share) * self.least).sum()))

    def _around(self, half: FloatArray, level: float, simultaneous: bool) -> Band:
        """Make a band, and cut its edges off at what no curve can pass."""
        width = through(self.grid, half)
        band = around(self.estimate, width, level, simultaneous, self.method)
        return band if self.bounds is None else within(band, *self.bounds)


def resampled(
    estimate: Curve,
    grid: FloatArray,
    values: FloatArray,
    weights: Weights,
    with_trivial: bool = True,
    repeats: float = 1,
) -> Resampled:
    """Join a curve and its resamples.

    Parameters
    ----------
    estimate
        The curve.
    grid, values
        The evaluation grid, and heights (resamples, pc) of the curve in the resamples there, from
        `resampled_curves`.
    weights
        The resamples.
    with_trivial
        Whether the curve chooses among classifiers with the trivial ones: then it is nowhere above
        them, and nothing is uncertain at PC(+) = 0 and 1.
    repeats
        Of cross-validation: predictions of each instance.

    Examples
    --------
    >>> from costcurves.chance.resampling import weights
    >>> draws = weights([0, 1] * 9, resamples=50, rng=np.random.default_rng(0))
    >>> perfect = resampled(line(0, 0), np.array([0, 0.5, 1]), np.zeros((50, 3)), draws)
    >>> band = perfect.pointwise()
    >>> band.lower(0.5), round(band.upper(0.5), 3), band.upper(0.0)
    (0.0, 0.162, 0.0)
    """
    inside, unknown = repeats * weights.per_cluster, float(weights.too_few)
    sizes = Sizes(weights.negatives, weights.positives, inside, unknown)
    least = one_event(grid, sizes)
    if with_trivial:
        least = 2 * grid * (1 - grid) * np.hypot(1 / sizes.negatives, 1 / sizes.positives)
    least = np.maximum(least, unknown)
    return Resampled(
        estimate,
        grid,
        values,
        _deviation(values),
        least,
        least,
        sizes,
        weights.dof,
        weights.studentizer,
        (line(0, 0), trivial() if with_trivial else line(1, 1)),
        "resampled instances",
    )


def difference(a: Resampled, b: Resampled) -> Resampled:
    """Subtract two curves, resample by resample: cost(A) - cost(B).

    Both are on one evaluation grid. Exactly zero, without width, if the two models are the same in
    every resample. Curves that were resampled with other draws are a ValueError.
    """
    if not np.array_equal(a.studentizer, b.studentizer):
        raise ValueError("unpaired: A and B were resampled with other draws")
    estimate, values = a.estimate - b.estimate, a.values - b.values
    around = largest_around(estimate, a.grid)
    differ = values.any() or around.any()
    return replace(
        a,
        estimate=estimate,
        values=values,
        spread=_deviation(values),
        least=np.maximum(around / np.sqrt(a.dof), a.sizes.unknown),
        events=differ * events_of(estimate, a.grid, a.sizes),
        bounds=None,
    )


def compared_with_known(resampled: Resampled, difference: Curve, known_first: bool) -> Resampled:
    """Subtract a cost that is known, or the other way round; their `difference` is the estimate."""
    sign = -1 if known_first else 1  # what is known takes no part in deviations
    return replace(resampled, estimate=difference, values=sign * resampled.values, bounds=None)


def one_event(grid: FloatArray, sizes: Sizes) -> FloatArray:
    """Return what one mistake of each class, more or fewer, changes on the evaluation grid.

    >>> one_event(np.array([0, 0.5, 1]), Sizes(8, 6)).round(3).tolist()
    [0.125, 0.104, 0.167]
    """
    change: FloatArray = np.hypot((1 - grid) / sizes.negatives, grid / sizes.positives)
    return change


def events_of(curve: Curve, grid: FloatArray, sizes: Sizes) -> FloatArray:
    """Return the (pc,) standard errors that single events allow a difference at the least.

    Of the pieces around a point of the grid the rates that differ most are taken.
    """
    ends = []
    for at, size in ((curve.at0, sizes.negatives), (curve.at1, sizes.positives)):
        rate = largest_around(Curve(curve.pc, at, at), grid)
        variance = np.maximum(rate / sizes.repeats - rate**2, 1 / size) / size
        ends.append(np.sqrt(variance))
    errors: FloatArray = np.hypot((1 - grid) * ends[0], grid * ends[1])
    return errors


def largest_around(curve: Curve, grid: FloatArray) -> FloatArray:
    """Return the largest absolute height of a curve between the neighbours of each grid point.

    Joined by straight lines it is nowhere below the curve's absolute height.
    """
    places = np.union1d(curve.pc, grid)
    height = np.maximum(*(np.abs(curve(places, side=side)) for side in SIDES))
    at = np.searchsorted(places, grid)
    between = np.maximum(np.maximum.reduceat(height, at[:-1]), height[at[1:]])
    largest: FloatArray = np.maximum(np.append(between, 0), np.append(0, between))
    return largest


@lru_cache(maxsize=64)  # the same functionals of hundreds of curves on the same grid
def weights_of(functional: Callable[[Curve], float], grid: bytes) -> FloatArray:
    """Return the weight that a linear functional has on the height at each point of the grid."""
    places = np.frombuffer(grid)
    return np.array([functional(through(places, tent)) for tent in np.eye(len(places))])


def _deviation(values: FloatArray) -> FloatArray:
    """(pc,) standard deviation of resamples; one alone has none."""
    if len(values) < 2:
        return np.zeros(values.shape[1])
    deviation: FloatArray = np.std(values, axis=0, ddof=1)
    return deviation


def student_p_value(height: float, dof: float) -> float:
    """Return the chance that Student's t is further from zero."""
    from scipy.special import stdtr

    return float(2 * stdtr(dof, -height))


def student_quantile(level: float, dof: float) -> float:
    """Return the quantile of Student's t for a two-sided interval."""
    from scipy.special import stdtrit

    return float(stdtrit(dof, (1 + level) / 2))
