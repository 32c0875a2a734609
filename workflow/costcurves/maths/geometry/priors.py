"""How likely each operating condition is: distributions of PC(+), and the total expected cost.

The total expected cost of a curve is TEC = integral of nec(x) prob(x) dx ([DH00]_, eq. 11;
[DH06]_, s3.3). Here it is exact: a cost line is at0 (1 - x) + at1 x, so all a piece needs is the
integrals of (1 - x) prob(x) and of x prob(x) over it, and these have a closed form. Bounds, values
and weights that make no distribution are a ValueError that says what was found.

The distributions are of PC(+) itself. A distribution of p(+) or of the cost ratio is another one:
it has to be carried over to PC(+) first, with its Jacobian.
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
        of_negatives, of_positives = self._moments(np.clip(curve.pc, self.low, self.high))
        mass = np.sum(of_negatives) + np.sum(of_positives)
        return float(np.sum(curve.at0 * of_negatives + curve.at1 * of_positives) / mass)

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


Prior = Uniform | Beta | Discrete | Histogram


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
