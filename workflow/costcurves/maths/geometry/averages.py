"""The average of the cost curves of several folds or repeats.

Averages of ROC curves, to be held against it, are in `annex.maths.roc_averages`.
"""

from collections.abc import Sequence

from costcurves.maths.geometry.curves import Curve, mean


def cost_space(curves: Sequence[Curve]) -> Curve:
    """Average cost curves: at each PC(+) the mean cost, every curve counting the same.

    It is the average of, say, the folds' envelopes, not the envelope of averaged points.
    """
    return mean(curves)
