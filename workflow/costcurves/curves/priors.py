"""How likely each operating condition is: distributions of PC(+), and the total expected cost.

The total expected cost of a curve is TEC = integral of nec(x) prob(x) dx ([DH00]_, eq. 11;
[DH06]_, s3.3). Here it is exact: a cost line is at0 (1 - x) + at1 x, so all a piece needs is the
integrals of (1 - x) prob(x) and of x prob(x) over it, and these have a closed form. Bounds and
shapes that make no distribution are a ValueError that says what was found.

The distributions are of PC(+) itself. A distribution of p(+) or of the cost ratio is another one:
it has to be carried over to PC(+) first, with its Jacobian, as `LogRatio` is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np

from costcurves import settings
from costcurves.counts.elementwise import FloatArray
from costcurves.curves.curves import Curve


@dataclass(frozen=True)
class Uniform:
    """Every PC(+) between two bounds is equally likely, 0 <= low < high <= 1.

    >>> from costcurves.curves.curves import trivial
    >>> Uniform().expected_cost(trivial()), Uniform(0.25, 0.75).expected_cost(trivial())
    (0.25, 0.375)
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        """Refuse bounds that do not hold a range."""
        _check_bounds("Uniform", self.low, self.high)

    def expected_cost(self, curve: Curve) -> float:
        """Return the total expected cost of a curve; over [0, 1] it is the area under it."""
        bounds = np.array([self.low, self.high])
        cells = np.union1d(bounds, np.clip(curve.pc, self.low, self.high))
        middles = (cells[:-1] + cells[1:]) / 2
        shares = np.diff(cells) / np.diff(bounds)
        return float(np.sum(shares * curve(middles)))


@dataclass(frozen=True)
class Beta:
    """A beta distribution of PC(+), cut off at two bounds and renormalized.

    The density is proportional to x^(a-1) (1-x)^(b-1), with a and b positive and finite, for x
    between 0 <= low < high <= 1. Also refused are bounds between which it has no mass that
    floating-point numbers can tell from zero.

    Masses are differences of regularized incomplete beta functions, of the lower tail or of the
    upper one, whichever is smaller; so far tails are as good as the middle, and only bounds that
    lie very close together cost digits.
    """

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        """Refuse shapes and bounds without a distribution."""
        for name, shape in (("a", self.a), ("b", self.b)):
            if not 0 < shape < np.inf:
                raise ValueError(f"Beta: {name} must be positive and finite, found {shape!r}")
        _check_bounds("Beta", self.low, self.high)
        of_negatives, of_positives = self._moments(np.array([self.low, self.high]))
        if not of_negatives[0] + of_positives[0] > 0:
            raise ValueError(
                f"Beta({self.a}, {self.b}) has no mass between {self.low} and {self.high}"
            )

    def expected_cost(self, curve: Curve) -> float:
        """Return the total expected cost of a curve."""
        return _mean(curve, *self._moments(np.clip(curve.pc, self.low, self.high)))

    def _moments(self, pc: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Integrate (1 - x) prob(x) and x prob(x) between consecutive PC(+).

        They are Beta(a, b + 1) times b / (a + b), and Beta(a + 1, b) times a / (a + b).
        """
        positives = 1 / (1 + self.b / self.a)
        of_negatives = (1 - positives) * _beta_mass(self.a, self.b + 1, pc)
        return of_negatives, positives * _beta_mass(self.a + 1, self.b, pc)


@dataclass(frozen=True)
class LogRatio:
    """A cost ratio ``C(-|+) / C(+|-)`` that is uniform in its logarithm, at one p(+).

    The ratio lies between 0 < low < high, which are finite; `prior` is p(+), between 0 and 1. Also
    refused are bounds whose PC(+) floating-point numbers cannot tell from each other, or from 0
    and 1.

    At x = PC(+) the ratio is x / (1 - x) times a constant, (1 - p(+)) / p(+). So its logarithm has
    the derivative 1 / (x (1 - x)): that is the Jacobian, and but for a factor the density at x,
    which depends on p(+) through the bounds of x alone. Between x0 and x1 the density times 1 - x
    integrates to log(x1 / x0), and times x to log((1 - x0) / (1 - x1)).

    >>> from costcurves.curves.curves import line, trivial
    >>> round(LogRatio(1 / 4, 4, 0.5).expected_cost(trivial()), 6)  # log 1.6 / log 4
    0.339036
    >>> round(LogRatio(1, 36, 0.2).expected_cost(line(0, 1)), 6)  # log 8 / log 36
    0.580279
    """

    low: float
    high: float
    prior: float

    def __post_init__(self) -> None:
        """Refuse bounds and priors without a distribution."""
        if not 0 < self.low < self.high < np.inf:
            bounds = f"found {self.low!r} and {self.high!r}"
            raise ValueError(f"LogRatio: bounds must be 0 < low < high, and finite, {bounds}")
        if not 0 < self.prior < 1:
            raise ValueError(f"LogRatio: prior must be between 0 and 1, found {self.prior!r}")
        odds = self._odds()
        if not 0 < odds[0] <= odds[1] < np.inf or not self._widths(np.array([0.0, 1.0]))[2] > 0:
            raise ValueError(f"{self} has no mass between its bounds")

    def expected_cost(self, curve: Curve) -> float:
        """Return the total expected cost of a curve."""
        from scipy.special import log1p  # as for Beta; numpy's depends on the processor

        pc, rest, widths = self._widths(curve.pc)
        return _mean(curve, log1p(widths / pc[:-1]), log1p(widths / rest[1:]))

    def _odds(self) -> FloatArray:
        of_prior = self.prior / (1 - self.prior)
        return np.array([self.low * of_prior, self.high * of_prior])

    def _widths(self, pc: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Cut PC(+) and 1 - PC(+) off at the bounds, and give how far apart neighbours are."""
        odds = self._odds()
        places = np.clip(pc, *(odds / (1 + odds)))
        rest = np.clip(1 - pc, *(1 / (1 + odds))[::-1])
        return places, rest, np.where(places[:-1] < 0.5, np.diff(places), -np.diff(rest))


Prior = Uniform | Beta | LogRatio


def _mean(curve: Curve, of_negatives: FloatArray, of_positives: FloatArray) -> float:
    """Weigh a curve by the integrals of (1 - x) prob(x) and of x prob(x) over its pieces."""
    mass = np.sum(of_negatives) + np.sum(of_positives)
    return float(np.sum(curve.at0 * of_negatives + curve.at1 * of_positives) / mass)


def _check_bounds(name: str, low: float, high: float) -> None:
    """Refuse bounds unless 0 <= low < high <= 1."""
    if not 0 <= low < high <= 1:
        raise ValueError(
            f"{name}: the bounds of PC(+) must be 0 <= low < high <= 1, found {low!r} and {high!r}"
        )


def _beta_mass(a: float, b: float, pc: FloatArray) -> FloatArray:
    """Mass of Beta(a, b) between consecutive PC(+)."""
    from scipy.special import betainc, betaincc  # 0.1 s: imported where it is needed

    below, above = betainc(a, b, pc), betaincc(a, b, pc)
    return np.asarray(np.where(below[1:] < above[1:], np.diff(below), -np.diff(above)))


KINDS: Final = ("uniform", "beta", "cost ratio")
WEIGHTS: Final = dict(zip(KINDS, get_args(Prior), strict=True))


def weight_of_pc(prior: settings.Prior) -> Prior:
    """Make the distribution of PC(+) that a configuration describes.

    >>> weight_of_pc(settings.Prior("uniform", low=0.2, high=0.4))
    Uniform(low=0.2, high=0.4)
    """
    given = {key: value for key, value in vars(prior).items() if value is not None}
    weight: Prior = WEIGHTS[given.pop("kind")](**given)
    return weight


def means_of(weight: Prior) -> dict[str, Callable[[Curve], float]]:
    """Return the means of a curve that are measured: over all PC(+), and weighted."""
    return {"area": Curve.area, "tec": weight.expected_cost}


def weight_of_range(mean: str, low: float, high: float) -> Prior:
    """Make the distribution of a claim's mean over a range of PC(+).

    It is even in PC(+), or for "cost ratio" in the ratio's logarithm, whatever the proportion of
    positives that made PC(+) of ratios.
    """
    if mean == "range":
        return Uniform(low, high)
    odds = [pc / max(1 - pc, 2**-53) for pc in (low, high)]
    return LogRatio(odds[0], odds[1], 0.5)
