"""Curves that are sums of what each instance adds: a resample is then a weighted sum.

So are the curves of thresholds that stay as they are in every resample: chosen in advance, or kept.
Counts are divided by the sizes that the folds had, so that a fold may lack a class in a resample.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from costcurves.maths.chance.resampled_counts import Predicted
from costcurves.maths.chance.resampling import Weights
from costcurves.maths.counts.elementwise import FloatArray, IntArray
from costcurves.threads import product

GRAIN = 2.0**-50
AT_ONCE = 256  # resamples in a product, whose weights a cache then holds


def weighted_sums(cost: FloatArray, weights: Weights) -> FloatArray:
    """Add up, in each resample, the (2, units, pc) costs that units add to a curve, by class.

    A class counts as much as it does in the data, though one unit fewer is drawn than there are;
    rates are shares of what the drawn instances weigh.
    """
    found = np.zeros((len(weights), cost.shape[2]))
    for value, of in enumerate(weights.holds):
        # On this grain every product and sum is exact, so that they have the same bytes in whatever
        # order a machine's matrix product takes them.
        exact = np.rint(weights.scale[value] * cost[value, of] / GRAIN) * GRAIN
        for first in range(0, len(weights), AT_ONCE):
            rows = slice(first, first + AT_ONCE)
            drawn: FloatArray = product(weights.drawn[rows, of].astype(np.float64), exact)
            found[rows] += drawn / weights.share[rows, [value]]
    return found


def shares_of_folds(repeats: ArrayLike) -> FloatArray:
    """Give the weight of each fold: each repeat counts the same, and each of its folds."""
    repeat = np.asarray(repeats)
    folds = np.bincount(repeat)
    share: FloatArray = 1 / (len(folds) * folds[repeat])
    return share


def fixed_at(
    predicted: Predicted,
    wrong_from: IntArray,
    wrong_to: IntArray,
    repeats: ArrayLike,
    weights: Weights,
    places: FloatArray,
) -> FloatArray:
    """Resample the curve of decisions that are fixed in advance, whatever the data.

    Each row is an error from `wrong_from` up to, not with, `wrong_to`, indices of the grid
    `places`. Curves of `predicted` are folds, of these `repeats`; scores are not looked at.
    """
    share = _shares_of_rows(predicted, repeats, weights)
    shape = 2, weights.drawn.shape[1], len(places) + 1
    first = (predicted.label * np.int64(shape[1]) + weights.unit[predicted.instance]) * shape[2]
    begins, ends = (
        np.bincount(first + place, share, math.prod(shape)) for place in (wrong_from, wrong_to)
    )
    wrong = np.cumsum((begins - ends).reshape(shape), axis=2)[:, :, :-1]
    return weighted_sums(wrong * np.stack([1 - places, places])[:, np.newaxis], weights)


def _shares_of_rows(predicted: Predicted, repeats: ArrayLike, weights: Weights) -> FloatArray:
    """Give (rows,) what an error of each row adds to the rate of its class."""
    members = 1 if predicted.member is None else len(np.unique(predicted.member))
    group = 2 * predicted.curve + predicted.label
    counts = weights.of(predicted.instance)
    counts = np.ones_like(group) if counts is None else counts
    size = np.bincount(group, counts)[group] / members
    share: FloatArray = shares_of_folds(repeats)[predicted.curve] * counts / size
    return share
