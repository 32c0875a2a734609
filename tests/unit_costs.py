"""What each unit adds to a cross-fitted curve whose choices are kept."""

import numpy as np

from costcurves.chance.resampled_curves import (
    MOST_CELLS,
    Predicted,
    _add_kept,
    _folds_of_repeats,
)
from costcurves.chance.resampling import Weights
from costcurves.counts.elementwise import FloatArray, IntArray


def unit_costs(
    predicted: Predicted, repeats: IntArray, weights: Weights, grid: FloatArray
) -> FloatArray:
    """(2, units, pc) costs that add up to the curve: of each class."""
    cost = np.zeros((2, weights.drawn.shape[1], len(grid)))
    for folds in _folds_of_repeats(predicted, repeats, weights, MOST_CELLS):
        _add_kept(cost, folds, grid)
    return cost / len(np.unique(repeats))
