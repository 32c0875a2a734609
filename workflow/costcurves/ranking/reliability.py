"""Calibration: how far scores that are taken for probabilities are from the rates behind them.

The reliability curve is the isotonic regression of labels on scores ([1]_: CORP), exact and without
bins. It is the convex hull of the ROC curve by another name: a block is an edge, its rate follows
from the edge's slope. The Brier score is miscalibration - discrimination + uncertainty.

A fit follows its data, so that miscalibration and discrimination are too high by what it gains on
labels by chance. That is measured where the truth is known: labels are drawn anew from the fitted
rates, and fitted again. Cases are not resampled: that is not consistent for isotonic regression
([2]_). Intervals are t intervals of what each case adds to a part, around the value less that gain:
a minimum changes by what it is the minimum of, to first order, not by the fit.

References
----------
.. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan, "Stable reliability diagrams for probabilistic
   classifiers", PNAS 118, e2016191118, 2021. https://doi.org/10.1073/pnas.2016191118
.. [2] T. Dimitriadis, L. Duembgen, A. Henzi, M. Puke and J. Ziegel, "Honest calibration assessment
   for binary outcome predictions", Biometrika 110, 663-680, 2023.
   https://doi.org/10.1093/biomet/asac068
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DRAWS: Final = 400
CELLS: Final = 1000  # scores at which the consistency band is given, of more
ROUNDING: Final = 1e-12  # by which the same labels may differ


class Blocks(NamedTuple):
    """Stretches of scores from `low` to `high` that stand for the same rate; all are (blocks,)."""

    low: Floats
    high: Floats
    rate: Floats
    cases: Floats
    positives: Floats


class Parts(NamedTuple):
    """A Brier score and its parts, or what each prediction adds to them."""

    brier: Floats
    miscalibration: Floats
    discrimination: Floats
    uncertainty: Floats


class Redrawn(NamedTuple):
    """What fits make of labels that were drawn.

    Attributes
    ----------
    gain
        By how much miscalibration and discrimination are too high on average.
    p_value
        Chance of so much miscalibration, did the scores tell the probabilities.
    score, low, high
        (scores,) the consistency band: where the curve of such scores lies, at each by itself.
    """

    gain: float
    p_value: float
    score: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class Forecasts:
    """Scores in [0, 1] of some predictions, and what came true.

    Attributes
    ----------
    score, label, weight
        (n,) the score, 0 or 1, and what the prediction counts: of a case that was predicted several
        times its share.
    case
        (n,) numbers from 0: which predictions are of one case.
    """

    score: Floats
    label: Floats
    weight: Floats
    case: Integers

    @cached_property
    def _places(self) -> tuple[Floats, Integers]:
        """The distinct scores, rising, and which one each prediction has."""
        return np.unique(self.score, return_inverse=True)

    @cached_property
    def _cases(self) -> tuple[Floats, Floats]:
        """Cases, and positives, at each distinct score."""
        return self.sums(self._places[1])

    @cached_property
    def _fit(self) -> Any:
        """The isotonic regression of the rates at the distinct scores."""
        from scipy.optimize import isotonic_regression  # 0.6 s: imported where it is needed

        cases, positives = self._cases
        return isotonic_regression(positives / cases, weights=cases)

    @property
    def fitted(self) -> Floats:
        """(n,) the rate that each prediction's score stands for."""
        fitted: Floats = self._fit.x[self._places[1]]
        return fitted

    def blocks(self) -> Blocks:
        """Return the reliability curve.

        >>> from numpy import array
        >>> label, case = array([0., 0, 1, 1]), np.arange(4)
        >>> blocks = Forecasts(array([.1, .4, .3, .9]), label, np.ones(4), case).blocks()
        >>> blocks.rate.tolist(), blocks.low.tolist()
        ([0.0, 0.5, 1.0], [0.1, 0.3, 0.9])
        """
        score, ends = self._places[0], self._fit.blocks
        cases, positives = (np.add.reduceat(each, ends[:-1]) for each in self._cases)
        return Blocks(score[ends[:-1]], score[ends[1:] - 1], positives / cases, cases, positives)

    def parts(self) -> Parts:
        """Compute what each prediction adds to the Brier score and its parts, which are means."""
        fitted, base = self.fitted, np.average(self.label, weights=self.weight)
        brier, fit, none = ((p - self.label) ** 2 for p in (self.score, fitted, base))
        return Parts(brier, brier - fit, none - fit, none)

    def redrawn(self, level: float, rng: np.random.Generator, draws: int = DRAWS) -> Redrawn:
        """Draw labels from fitted rates, and from the scores, and fit them again.

        All predictions of a case share a random number, so that their labels agree as far as their
        probabilities do.
        """
        from scipy.optimize import isotonic_regression

        (distinct, place), (cases, _) = self._places, self._cases
        shown = np.unique(np.linspace(0, len(distinct) - 1, CELLS).astype(np.int64))

        def gained(drawn: Floats, rate: Floats) -> tuple[float, Floats]:
            label = (drawn[self.case] < rate).astype(np.float64)
            share = np.bincount(place, self.weight * label) / cases
            fit = isotonic_regression(share, weights=cases).x
            more = (rate - label) ** 2 - (fit[place] - label) ** 2
            return float(np.average(more, weights=self.weight)), fit[shown]

        count, fitted = int(self.case.max()) + 1, self.fitted
        gains, by_chance, curves = [], [], []
        for _ in range(draws):
            drawn = rng.random(count)
            gains.append(gained(drawn, fitted)[0])
            more, curve = gained(drawn, self.score)
            by_chance.append(more)
            curves.append(curve)
        miscalibration = np.average(self.parts().miscalibration, weights=self.weight)
        as_large = np.count_nonzero(np.array(by_chance) >= miscalibration - ROUNDING)
        low, high = np.quantile(curves, [(1 - level) / 2, (1 + level) / 2], axis=0)
        p_value = (1 + as_large) / (1 + draws)
        return Redrawn(float(np.mean(gains)), p_value, distinct[shown], low, high)

    def sums(self, cell: Integers, cells: int = 0) -> tuple[Floats, Floats]:
        """Sum up cases, and positives, by cell, of which there are at least so many."""
        cases = np.bincount(cell, self.weight, cells).astype(np.float64)
        positives = np.bincount(cell, self.weight * self.label, cells).astype(np.float64)
        return cases, positives
