"""Nadeau and Bengio's corrected variance over folds, for averages of cross-validated curves.

The alternative to resampling instances. The curves of the folds are the data; their training sets
overlap, so the variance of their mean is not s^2 / J but about (1 / J + n_test / n_train) s^2, with
Student's t of J - 1 degrees of freedom (C. Nadeau and Y. Bengio, "Inference for the generalization
error", Machine Learning 52, 2003, s3.3, https://doi.org/10.1023/A:1024068626366). It judges the
procedure that learns, training included, where resampled instances judge what was learned.

For the largest deviation on a range of PC(+), curves with the folds' own variances and correlations
are drawn (normal multiples of the folds' deviations), and go the way of resampled curves
(`resampled_bands`): same bands, p-value and verdicts.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.chance.resampled_bands import Resampled, Sizes, events_of, largest_around
from costcurves.maths.chance.resampling import check_resamples, studentizers
from costcurves.maths.geometry.curves import Curve, mean

FloatArray = NDArray[np.float64]


def nadeau_bengio(
    curves: Sequence[Curve],
    folds: int,
    sizes: tuple[float, float],
    grid: FloatArray,
    resamples: int,
    rng: np.random.Generator,
) -> Resampled:
    """Make the bands of the mean of fold curves, or of fold differences cost(A) - cost(B).

    `folds` are those of a repeat: a test part is 1 / (folds - 1) of its training part. `sizes` are
    the negatives and positives of a repeat: what single events allow holds here as well.

    >>> from costcurves.maths.geometry.curves import line
    >>> curves = [line(0.1, 0.2), line(0.2, 0.3), line(0.0, 0.1)]
    >>> rng = np.random.default_rng(0)
    >>> found = nadeau_bengio(curves, 3, (30, 30), np.array([0, 0.5, 1]), 100, rng)
    >>> found.spread.round(4).tolist(), found.dof
    ([0.0913, 0.0913, 0.0913], 2)
    """
    check_resamples(resamples)
    if len(curves) < 2:
        raise ValueError(f"a variance needs two fold curves or more, found {len(curves)}")
    if folds < 2:
        raise ValueError(f"cross-validation has at least 2 folds, found {folds}")
    estimate, dof = mean(curves), len(curves) - 1
    heights = np.stack([curve(grid) for curve in curves])
    corrected = np.sqrt((1 / len(curves) + 1 / (folds - 1)) / dof)
    deviations = corrected * (heights - heights.mean(axis=0))
    multiples = rng.normal(size=(resamples, len(curves)))
    # A matrix product would have other last bits on other processors.
    drawn = np.zeros((resamples, len(grid)))
    for multiple, deviation in zip(multiples.T, deviations, strict=True):
        drawn += np.outer(multiple, deviation)
    counts = Sizes(*sizes, repeats=max(len(curves) / folds, 1))
    differ = heights.any() or largest_around(estimate, grid).any()
    return Resampled(
        estimate,
        grid,
        estimate(grid) + drawn,
        np.sqrt((deviations**2).sum(axis=0)),
        largest_around(estimate, grid) / np.sqrt(len(curves)),
        differ * events_of(estimate, grid, counts),
        counts,
        dof,
        studentizers(dof, resamples, rng),
        None,
        "nadeau-bengio",
    )
