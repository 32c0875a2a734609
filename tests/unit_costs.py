"""What each unit adds to a cross-fitted curve whose choices are kept."""

from dataclasses import replace

import numpy as np

from costcurves.chance.resampled_curves import Predicted, cross_fitted_at
from costcurves.chance.resampling import Weights
from costcurves.counts.elementwise import FloatArray, IntArray


def unit_costs(
    predicted: Predicted, repeats: IntArray, weights: Weights, grid: FloatArray
) -> FloatArray:
    """(units, pc) costs that add up to the curve: resamples that draw one unit each, once."""
    units = weights.drawn.shape[1]
    drawn = np.eye(units, dtype=np.float32)
    alone = replace(weights, drawn=drawn, scale=np.ones(2), share=np.ones((units, 2)))
    return cross_fitted_at(predicted, repeats, alone, grid, made_again=0)
