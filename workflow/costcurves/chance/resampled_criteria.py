"""Bands of what selection criteria cost, and of how much more one costs than another.

As in `resampled_bands`, but for two things; what they cover is in
tests/simulations/results/choices.json.

Regrets. A threshold or a rate that is set in advance makes mistakes at PC(+) = 0 and 1, too. So
what it costs more than choice is not surer towards the ends, as a difference of two cost curves is:
the floor below its spread does not fall there.

Small folds. A rate of positive predictions is met by ranks within a fold. Where a fold has fewer
than `FEW` instances of a class, more than one in a hundred resamples lack that class there and
leave it as it was, so that they spread too little. They are then stretched until they spread, at
every PC(+), at least by the standard error over folds.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampling import Weights

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Rule = Callable[[Predicted, IntArray, Weights], FloatArray]

FEW = 5


class OfFolds(NamedTuple):
    """The curve of a rule on each fold."""

    heights: FloatArray  # (folds, pc) on the evaluation grid
    repeat: IntArray  # (folds,) codes: the repeat of each


def regret(a: Resampled, b: Resampled) -> Resampled:
    """Subtract what one criterion costs from another of the same model, as `difference` does.

    The spread of its simultaneous band is nowhere less than the largest of resamples.
    """
    return replace(difference(a, b), flat=True)


def on_small_folds(
    rule: Rule, predicted: Predicted, repeats: ArrayLike, weights: Weights
) -> OfFolds | None:
    """Give the curve of a rule on each fold, if a fold has few instances of a class.

    `rule` gives heights of a mean over folds, (resamples, pc), of predictions, the repeats of their
    folds, and weights. A repeat of one fold alone has no standard error over folds.
    """
    repeat = np.asarray(repeats)
    smallest = np.bincount(2 * predicted.curve + predicted.label, minlength=2 * len(repeat)).min()
    if smallest >= FEW or np.bincount(repeat).min() < 2:
        return None
    once = replace(weights, drawn=np.ones_like(weights.drawn[:1]), share=np.ones((1, 2)))
    folds = predicted.parted(predicted.curve)
    alone = (replace(one, curve=np.zeros_like(one.curve)) for one in folds)
    each = [rule(one, np.zeros(1, dtype=np.int64), once) for one in alone]
    return OfFolds(np.concatenate(each), repeat)


def stretched(found: Resampled, of_folds: OfFolds | None) -> Resampled:
    """Let resamples spread at least by the standard error over folds, at every PC(+)."""
    if of_folds is None:
        return found
    error = standard_error(of_folds)
    mean, wide = found.values.mean(axis=0), found.spread > 0
    times = np.ones_like(error)
    np.divide(error, found.spread, out=times, where=wide & (error > found.spread))
    values = mean + (found.values - mean) * times
    return replace(found, values=values, spread=np.maximum(found.spread, error))


def standard_error(of_folds: OfFolds) -> FloatArray:
    """Give the (pc,) standard error over the folds of a repeat, its mean square over repeats.

    >>> heights = np.array([[0.1], [0.3], [0.2], [0.2]])
    >>> standard_error(OfFolds(heights, np.array([0, 0, 1, 1]))).round(4).tolist()
    [0.0707]
    """
    parts = [of_folds.heights[of_folds.repeat == one] for one in np.unique(of_folds.repeat)]
    squares = [part.var(axis=0, ddof=1) / len(part) for part in parts]
    found: FloatArray = np.sqrt(np.mean(squares, axis=0))
    return found
