"""Confidence bands of one crisp classifier, or of one fixed operating point: a single cost line.

The two error counts are binomial and independent, the class sizes fixed ([DH06]_, s4.6). Four ways
to a band:

- `wilson`, the default: Wilson's intervals ([1]_) of the two rates, joined at every PC(+) by the
  square root of the sum of squares of their arms (MOVER, [2]_). For each PC(+) by itself.
- `simultaneous`: for the whole line at once. The largest standardized error over PC(+) is that of a
  direction in the quadrant of two rates, and has a quantile in closed form (`largest_deviation`);
  with it Agresti-Coull intervals ([3]_), which contain Wilson's, are joined in the same way. A box
  of two Wilson intervals at the root of the level is wider between the ends, and covers less.
- `bootstrap`: the paper's, which undercovers and has no width where no errors were seen.
- `normal`: the paper's equation 8, as a check.

What they cover is in tests/simulations/results/coverage.json.

References
----------
.. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal
   of the American Statistical Association 22, 209-212, 1927.
   https://doi.org/10.1080/01621459.1927.10502953
.. [2] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27, 1693-1702, 2008. https://doi.org/10.1002/sim.3095
.. [3] A. Agresti and B. A. Coull, "Approximate is better than 'exact' for interval estimation of
   binomial proportions", The American Statistician 52, 119-126, 1998.
   https://doi.org/10.1080/00031305.1998.10480550
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costcurves.chance import means
from costcurves.chance.resampling import error_share
from costcurves.curves.bands import Band, Edge
from costcurves.curves.curves import Curve, line
from costcurves.curves.levels import k_level


class Errors(NamedTuple):
    """What one operating point got wrong, and out of how many instances of each class."""

    fp_count: int
    negatives: int
    fn_count: int
    positives: int


class Rate(NamedTuple):
    """An interval of a rate, low <= estimate <= high."""

    low: float
    estimate: float
    high: float


def wilson(errors: Errors, level: float = 0.9) -> Band:
    """Make the band for each PC(+) by itself from Wilson intervals of fp and fn.

    Its edges are the line plus or minus the root of a quadratic; they lie in [0, 1]. No errors in
    any number of instances still leave a width.

    >>> band = wilson(Errors(0, 10, 4, 20))
    >>> round(band.lower(1.0), 3), band.estimate(1.0), round(band.upper(1.0), 3)
    (0.093, 0.2, 0.378)
    >>> band.lower(0.0), round(band.upper(0.0), 3)
    (0.0, 0.213)
    """
    return _of_errors(_wilson, errors, _normal_quantile(level), level, method="wilson")


def simultaneous(errors: Errors, level: float = 0.9) -> Band:
    """Make the band for the whole line from Agresti-Coull intervals of fp and fn.

    Its edges are of the same kind as those of `wilson`, whose band at the same level lies inside.

    >>> band = simultaneous(Errors(0, 10, 4, 20))
    >>> round(band.lower(1.0), 3), round(band.upper(1.0), 3)
    (0.071, 0.433)
    """
    c = largest_deviation(level)
    return _of_errors(_agresti_coull, errors, c, level, simultaneous=True, method="wilson")


def normal(errors: Errors, level: float = 0.9) -> Band:
    """Make the band of equation 8 of [DH06]_ (s4.6): plus or minus z standard errors.

    The edges may leave [0, 1], and no errors have no width.

    >>> band = normal(Errors(4, 10, 4, 20))
    >>> round(float(band.upper(0.5) - band.estimate(0.5)), 4)
    0.1471
    """
    return _of_errors(_normal, errors, _normal_quantile(level), level, method="normal")


def bootstrap(errors: Errors, resamples: int, rng: np.random.Generator, level: float = 0.9) -> Band:
    """Make the paper's band ([DH06]_, s4.6, Fig. 16) of that many resampled lines.

    For each PC(+) by itself: the k-th lowest and highest, see `percentiles`, which says how many
    are needed. Without errors in a class it has no width at that class's end.

    >>> band = bootstrap(Errors(4, 10, 4, 20), 100, np.random.default_rng(0))
    >>> band.lower(0.0), band.upper(1.0)
    (0.1, 0.35)
    """
    fp, fn = _rates(errors)
    fp_count = rng.binomial(errors.negatives, fp, resamples)
    fn_count = rng.binomial(errors.positives, fn, resamples)
    low, high = percentiles(fp_count, fn_count, errors.negatives, errors.positives, level)
    edges = Edge(low, -1), Edge(high, 1)
    return Band(line(fp, fn), *edges, level, simultaneous=False, method="bootstrap")


def in_use(
    scores: ArrayLike,
    labels: ArrayLike,
    threshold: float,
    level: float = 0.9,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> Band:
    """Make the band of a threshold that was fixed beforehand, for each PC(+) by itself.

    `height_at` reads its FP rate off at PC(+) 0, its FN rate at 1, and its cost at any other; the
    curve of a model says what the cheapest threshold costs there. `labels` are 0 or 1, `weights`
    what cases count, `clusters` codes of those that belong together: one with cases of both classes
    counts in each, which widens the band. Rates have Wilson intervals of as many cases as have
    their errors: those of `wilson` where cases are alone and count the same. Fewer than two cases
    or clusters of a class are a ValueError.

    >>> scores, labels = np.arange(40), np.arange(40) % 20 > 11
    >>> [round(end, 3) for end in height_at(in_use(scores, labels, threshold=16), 0.25)]
    [0.314, 0.438, 0.567]
    """
    label, rates = np.asarray(labels), []
    wrong = (np.asarray(scores) >= threshold) != label
    unit = np.arange(len(label)) if clusters is None else np.asarray(clusters)
    weight = np.ones(len(label)) if weights is None else np.asarray(weights)
    for value, name in enumerate(("negatives", "positives")):
        of = label == value
        if len(np.unique(unit[of])) < 2:
            raise ValueError(f"a rate of {name} needs two or more, or two clusters of them")
        mean = means.mean_of(wrong[of], unit[of], weight[of])
        rates.append(_wilson(mean.value, mean.cases, _normal_quantile(level)))
    return _mover(rates[0], rates[1], level, method="wilson")


def height_at(band: Band, pc: float, odds: float = 0.0) -> Rate:
    """Read a height and its interval off a band, at a PC(+) that has an error itself.

    `odds` is the standard error of the log odds of the prior by which a cost ratio came to `pc`:
    as log odds of `pc` are those of the prior plus the logarithm of the ratio, that of `pc` is
    ``pc (1 - pc) odds``. It is independent of the rates, given the classes, so what it moves the
    height by is added in quadrature.

    >>> from costcurves.curves.bands import around
    >>> sure = around(line(0.2, 0.6), line(0.1, 0.1), 0.9, simultaneous=False, method="any")
    >>> [[round(end, 3) for end in height_at(sure, 0.5, odds)] for odds in (0.0, 0.5)]
    [[0.3, 0.4, 0.5], [0.271, 0.4, 0.529]]
    """
    low, estimate, high = band.lower(pc), band.estimate(pc), band.upper(pc)
    if not odds:
        return Rate(low, estimate, high)
    error = pc * (1 - pc) * odds
    before, after = band.estimate(np.clip([pc - error, pc + error], 0, 1))
    half = _normal_quantile(band.level) * (after - before) / 2
    low, high = (
        estimate - np.hypot(estimate - low, half),
        estimate + np.hypot(high - estimate, half),
    )
    return Rate(float(low), estimate, float(high))


def percentiles(
    fp_count: np.ndarray, fn_count: np.ndarray, negatives: int, positives: int, level: float
) -> tuple[Curve, Curve]:
    """Find the k-th lowest and k-th highest of resampled lines at every PC(+).

    k = floor(lines (1 - level) / 2), in exact arithmetic: 5 of 100 at 0.9. ValueError where that is
    0, "19 resamples are too few for a level of 0.9: 20 are needed".
    """
    lines, share = len(fp_count), error_share(level)
    k = math.floor(lines * share / 2)
    if k == 0:
        needed = math.ceil(2 / share)
        raise ValueError(
            f"{lines} resamples are too few for a level of {level}: {needed} are needed"
        )
    low, high = (
        k_level(fp_count, fn_count, rank, negatives, positives) for rank in (k, lines + 1 - k)
    )
    return low, high


def largest_deviation(level: float) -> float:
    """Return the quantile of the largest standardized error of a line over all PC(+).

    With two independent standard normal errors (u, v) the standardized error at a PC(+) is their
    projection on a direction of the first quadrant. The largest one is hypot(u, v) where both have
    the same sign, else the larger of the two: P(largest > c) is half of exp(-c^2 / 2) and half of
    1 - (2 Phi(c) - 1)^2.

    >>> round(largest_deviation(0.9), 4)
    2.0532
    """
    low, high = 0.0, 40.0
    while (middle := (low + high) / 2) not in (low, high):
        inside = math.erf(middle / math.sqrt(2))
        beyond = math.exp(-(middle**2) / 2) / 2 + (1 - inside**2) / 2
        low, high = (middle, high) if beyond > 1 - level else (low, middle)
    return middle


def _of_errors(
    interval: Callable[[float, int, float], Rate],
    errors: Errors,
    z: float,
    level: float,
    *,
    method: str,
    simultaneous: bool = False,
) -> Band:
    """Make the band of two counts by the interval of a rate of so many, z errors wide."""
    fp, fn = _rates(errors)
    arms = interval(fp, errors.negatives, z), interval(fn, errors.positives, z)
    return _mover(*arms, level, method=method, simultaneous=simultaneous)


def _mover(fp: Rate, fn: Rate, level: float, *, method: str, simultaneous: bool = False) -> Band:
    """Join the arms of two intervals at every PC(+) ([2]_, eq. 4)."""
    estimate = line(fp.estimate, fn.estimate)
    lower = Edge(estimate, -1, fp.estimate - fp.low, fn.estimate - fn.low)
    upper = Edge(estimate, 1, fp.high - fp.estimate, fn.high - fn.estimate)
    return Band(estimate, lower, upper, level, simultaneous, method)


def _wilson(rate: float, size: float, z: float) -> Rate:
    shrunk = 1 + z**2 / size
    centre = (rate + z**2 / (2 * size)) / shrunk
    half = z * math.sqrt(rate * (1 - rate) / size + (z / (2 * size)) ** 2) / shrunk
    return _around(rate, centre, half)


def _agresti_coull(rate: float, size: int, z: float) -> Rate:
    more = size + z**2
    centre = (rate * size + z**2 / 2) / more
    return _around(rate, centre, z * math.sqrt(centre * (1 - centre) / more))


def _normal(rate: float, size: int, z: float) -> Rate:
    half = z * math.sqrt(rate * (1 - rate) / size)
    return Rate(rate - half, rate, rate + half)


def _around(rate: float, centre: float, half: float) -> Rate:
    """Cut an interval off at 0 and 1, and let it contain the rate whatever the rounding."""
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Rate(min(low, rate) if rate > 0 else 0.0, rate, max(high, rate) if rate < 1 else 1.0)


def _rates(errors: Errors) -> tuple[float, float]:
    """Return (fp, fn)."""
    return errors.fp_count / errors.negatives, errors.fn_count / errors.positives


def _normal_quantile(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
