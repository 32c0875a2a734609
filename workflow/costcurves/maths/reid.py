"""Reid's variant of cost space, which keeps prior and cost apart and does not normalize.

Its x axis is `c`, the cost of a false POSITIVE (the opposite of PC(+)), that of a false negative
being 1 - c; its y axis is the expected loss itself. Numbers give floats, arrays (which broadcast)
give arrays.

References
----------
.. [1] M. Reid, "ROC curves and cost curves", blog post in "Inductio ex machina", 2009.
"""

from typing import overload

from numpy.typing import ArrayLike

from costcurves.maths import cost_space
from costcurves.maths.elementwise import (
    FloatArray,
    Pair,
    Values,
    finite,
    pair,
    plain,
    quotient,
    rate,
    refuse,
)


@overload
def pc(c: float, prior: float) -> float: ...
@overload
def pc(c: ArrayLike, prior: ArrayLike) -> FloatArray: ...
def pc(c: ArrayLike, prior: ArrayLike) -> Values:
    """Turn Reid's cost `c` and a prior into PC(+) ([1]_).

    Parameters
    ----------
    c
        Cost of a false POSITIVE in [0, 1]; that of a false negative is 1 - c.
    prior
        p(+) in [0, 1].

    Returns
    -------
    float or ndarray
        prior (1 - c) / (prior (1 - c) + (1 - prior) c): it falls as c grows.

    Raises
    ------
    ValueError
        If an argument is outside [0, 1], or both weights are zero: prior 0 with c = 0, prior 1 with
        c = 1.

    Examples
    --------
    >>> pc(0.25, prior=0.5), pc(0, prior=0.1)
    (0.75, 1.0)
    """
    cost_fp = rate("c", c)
    return cost_space.pc(prior, 1 - cost_fp, cost_fp)


@overload
def loss(nec: float, c: float, prior: float) -> float: ...
@overload
def loss(nec: ArrayLike, c: ArrayLike, prior: ArrayLike) -> FloatArray: ...
def loss(nec: ArrayLike, c: ArrayLike, prior: ArrayLike) -> Values:
    """Turn a normalized expected cost into Reid's loss, which is not normalized ([1]_).

    Parameters
    ----------
    nec
        Normalized expected cost in [0, 1].
    c, prior
        Cost of a false positive and p(+), each in [0, 1].

    Returns
    -------
    float or ndarray
        nec (prior (1 - c) + (1 - prior) c).

    Raises
    ------
    ValueError
        If an argument is outside [0, 1].

    Examples
    --------
    >>> loss(0.5, c=0.25, prior=0.5)
    0.25
    """
    weight_fn, weight_fp = _weights(c, prior)
    return plain(rate("nec", nec) * (weight_fn + weight_fp))


@overload
def point_to_loss(fp: float, tp: float, c: float, prior: float) -> float: ...
@overload
def point_to_loss(fp: ArrayLike, tp: ArrayLike, c: ArrayLike, prior: ArrayLike) -> FloatArray: ...
def point_to_loss(fp: ArrayLike, tp: ArrayLike, c: ArrayLike, prior: ArrayLike) -> Values:
    """Compute Reid's loss of a ROC point ([1]_).

    Parameters
    ----------
    fp, tp
        FP rate and TP rate in [0, 1].
    c, prior
        Cost of a false positive and p(+), each in [0, 1].

    Returns
    -------
    float or ndarray
        (1 - prior) c fp + prior (1 - c) (1 - tp).

    Raises
    ------
    ValueError
        If an argument is outside [0, 1].

    Examples
    --------
    >>> point_to_loss(0.5, 0.75, c=0.5, prior=0.5)
    0.1875
    """
    weight_fn, weight_fp = _weights(c, prior)
    return plain(weight_fp * rate("fp", fp) + weight_fn * (1 - rate("tp", tp)))


@overload
def loss_to_roc_line(c: float, loss: float, prior: float) -> tuple[float, float]: ...
@overload
def loss_to_roc_line(
    c: ArrayLike, loss: ArrayLike, prior: ArrayLike
) -> tuple[FloatArray, FloatArray]: ...
def loss_to_roc_line(c: ArrayLike, loss: ArrayLike, prior: ArrayLike) -> Pair:
    """Turn a point (c, loss) of Reid's cost space into its ROC line.

    Parameters
    ----------
    c, prior
        Cost of a false positive and p(+), each in [0, 1].
    loss
        Reid's loss, finite.

    Returns
    -------
    slope, intercept
        Of tp = slope fp + intercept: (1 - prior) c / w and 1 - loss / w, where w = prior (1 - c).

    Raises
    ------
    ValueError
        If c or a prior is outside [0, 1], a loss is not finite, or prior (1 - c) is 0 (the line is
        vertical) or so small that the line is beyond the floating-point numbers.

    Notes
    -----
    The inverse that [1]_ prints has the intercept ((1 - prior) c - loss) / w. It does not lead back
    to the point: solving the definition of the loss for tp gives (w - loss) / w.

    Examples
    --------
    >>> loss_to_roc_line(c=0.5, loss=0.1875, prior=0.5)
    (1.0, 0.25)
    """
    weight_fn, weight_fp = _weights(c, prior)
    refuse(weight_fn == 0, weight_fn, "prior (1 - c) must not be 0: the ROC line is vertical")
    return pair(
        quotient(weight_fp, weight_fn),
        quotient(weight_fn - finite("the loss", loss), weight_fn),
    )


def _weights(c: ArrayLike, prior: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Weights of FN and FP rate in the loss."""
    cost_fp, positive = rate("c", c), rate("the prior p(+)", prior)
    return positive * (1 - cost_fp), (1 - positive) * cost_fp
