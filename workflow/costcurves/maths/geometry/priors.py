"""How likely each operating condition is: distributions of PC(+), and the total expected cost.

The total expected cost of a curve is TEC = integral of nec(x) prob(x) dx ([DH00]_, eq. 11;
[DH06]_, s3.3). Here it is exact: a cost line is at0 (1 - x) + at1 x, so all a piece needs is the
integrals of (1 - x) prob(x) and of x prob(x) over it, and these have a closed form. Bounds, values
and weights that make no distribution are a ValueError that says what was found.

The distributions are of PC(+) itself. A distribution of p(+) or of the cost ratio is another one:
it has to be carried over to PC(+) first, with its Jacobian, as `LogRatio` is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from costcurves.maths.counts.elementwise import FloatArray, finite, rate, refuse
from costcurves.maths.geometry.curves import Curve


@dataclass(frozen=True)
class Uniform:
    """Every PC(+) between two bounds is equally likely, 0 <= low < high <= 1.

    >>> from costcurves.maths.geometry.curves import trivial
    >>> Uniform().expected_cost(trivial()), Uniform(0.25, 0.75).expected_cost(trivial())
    (0.25, 0.375)
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        """Refuse bounds that do not hold a range."""
        _check_bounds("Uniform", self.low, self.high)

    def expected_cost(self, curve: Curve) -> float:
        """Give the total expected cost of a curve; over [0, 1] it is the area under it."""
        return Histogram((self.low, self.high), (1.0,)).expected_cost(curve)


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
        """Give the total expected cost of a curve."""
        return _mean(curve, *self._moments(np.clip(curve.pc, self.low, self.high)))

    def _moments(self, pc: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Integrate (1 - x) prob(x) and x prob(x) between consecutive PC(+).

        They are Beta(a, b + 1) times b / (a + b), and Beta(a + 1, b) times a / (a + b).
        """
        positives = 1 / (1 + self.b / self.a)
        of_negatives = (1 - positives) * _beta_mass(self.a, self.b + 1, pc)
        return of_negatives, positives * _beta_mass(self.a + 1, self.b, pc)


@dataclass(frozen=True)
class Discrete:
    """A few values of PC(+) in [0, 1], in any order, each with its weight.

    Weights are relative: finite, not negative, not all zero. Where a curve jumps at one of the
    values, the piece that starts there counts, as in ``curve(pc)``.

    >>> from costcurves.maths.geometry.curves import trivial
    >>> Discrete([0.25, 0.5], [1, 3]).expected_cost(trivial())
    0.4375
    """

    pc: Sequence[float]
    weight: Sequence[float]

    def __post_init__(self) -> None:
        """Refuse what is not a distribution, and keep plain tuples."""
        object.__setattr__(self, "pc", tuple(map(float, self.pc)))
        object.__setattr__(self, "weight", tuple(map(float, self.weight)))
        if not len(self.pc) == len(self.weight) > 0:
            raise ValueError(
                "Discrete needs one weight for each PC(+), and at least one, "
                f"found {len(self.pc)} values and {len(self.weight)} weights"
            )
        rate("Discrete: PC(+)", self.pc)
        _check_weights("Discrete", self.weight)

    def expected_cost(self, curve: Curve) -> float:
        """Give the total expected cost of a curve."""
        return float(np.sum(_shares(self.weight) * curve(np.array(self.pc))))


@dataclass(frozen=True)
class Histogram:
    """Bins of PC(+), each with its weight (mass, not height), spread evenly within the bin.

    The n + 1 edges increase strictly, in [0, 1]; PC(+) outside them never occurs. The n weights are
    as in `Discrete`.

    >>> from costcurves.maths.geometry.curves import trivial
    >>> Histogram([0, 0.5, 0.75], [1, 3]).expected_cost(trivial())
    0.34375
    """

    edges: Sequence[float]
    weight: Sequence[float]

    def __post_init__(self) -> None:
        """Refuse what is not a distribution, and keep plain tuples."""
        object.__setattr__(self, "edges", tuple(map(float, self.edges)))
        object.__setattr__(self, "weight", tuple(map(float, self.weight)))
        if not len(self.edges) == len(self.weight) + 1 > 1:
            raise ValueError(
                "Histogram needs at least one weight and one edge more than weights, "
                f"found {len(self.edges)} edges and {len(self.weight)} weights"
            )
        if not np.all(np.diff(rate("Histogram: edges", self.edges)) > 0):
            raise ValueError(f"Histogram: edges must increase strictly, found {self.edges}")
        _check_weights("Histogram", self.weight)

    def expected_cost(self, curve: Curve) -> float:
        """Give the total expected cost of a curve."""
        edges = np.array(self.edges)
        cells = np.union1d(edges, np.clip(curve.pc, edges[0], edges[-1]))
        widths, middles = np.diff(cells), (cells[:-1] + cells[1:]) / 2
        within = np.searchsorted(edges, cells[:-1], side="right") - 1
        shares = _shares(self.weight)[within] * (widths / np.diff(edges)[within])
        return float(np.sum(shares * curve(middles)))


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

    >>> from costcurves.maths.geometry.curves import line, trivial
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
        """Give the total expected cost of a curve."""
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


Prior = Uniform | Beta | Discrete | Histogram | LogRatio


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


def _check_weights(name: str, weight: Sequence[float]) -> None:
    """Refuse weights unless they are finite, not negative, and not all zero."""
    weights = finite(f"{name}: weights", weight)
    refuse(weights < 0, weights, f"{name}: weights must not be negative")
    if not np.any(weights > 0):
        raise ValueError(f"{name}: weights must not all be zero")


def _shares(weight: Sequence[float]) -> FloatArray:
    """Weights whose sum is 1."""
    relative = np.array(weight) / np.max(weight)
    return np.asarray(relative / np.sum(relative))


def _beta_mass(a: float, b: float, pc: FloatArray) -> FloatArray:
    """Mass of Beta(a, b) between consecutive PC(+)."""
    from scipy.special import betainc, betaincc  # 0.1 s: imported where it is needed

    below, above = betainc(a, b, pc), betaincc(a, b, pc)
    return np.asarray(np.where(below[1:] < above[1:], np.diff(below), -np.diff(above)))
