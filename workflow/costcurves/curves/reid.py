"""Reid's variant of cost space, which keeps prior and cost apart and does not normalize.

It is of M. Reid's post "ROC curves and cost curves" in the blog "Inductio ex machina", 2009.
Its x axis is `c`, the cost of a false POSITIVE (the opposite of PC(+)), that of a false negative
being 1 - c; its y axis is the expected loss itself. Numbers give floats, arrays (which broadcast)
give arrays. Arguments are in [0, 1], but that a loss may be any finite number; others are a
ValueError that names them.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from costcurves.counts.elementwise import (
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
from costcurves.curves import cost_space


def pc(c: ArrayLike, prior: ArrayLike) -> Values:
    """Turn Reid's cost `c` and a prior into PC(+), which falls as c grows.

    It is prior (1 - c) / (prior (1 - c) + (1 - prior) c). Two weights of zero are refused: prior 0
    with c = 0, prior 1 with c = 1.

    >>> pc(0.25, prior=0.5), pc(0, prior=0.1)
    (0.75, 1.0)
    """
    cost_fp = rate("c", c)
    return cost_space.pc(prior, 1 - cost_fp, cost_fp)


def loss(nec: ArrayLike, c: ArrayLike, prior: ArrayLike) -> Values:
    """Turn a normalized expected cost into Reid's loss: nec (prior (1 - c) + (1 - prior) c)."""
    weight_fn, weight_fp = _weights(c, prior)
    return plain(rate("nec", nec) * (weight_fn + weight_fp))


def point_to_loss(fp: ArrayLike, tp: ArrayLike, c: ArrayLike, prior: ArrayLike) -> Values:
    """Compute Reid's loss of a ROC point: (1 - prior) c fp + prior (1 - c) (1 - tp)."""
    weight_fn, weight_fp = _weights(c, prior)
    return plain(weight_fp * rate("fp", fp) + weight_fn * (1 - rate("tp", tp)))


def loss_to_roc_line(c: ArrayLike, loss: ArrayLike, prior: ArrayLike) -> Pair:
    """Turn a point (c, loss) of Reid's cost space into its ROC line tp = slope fp + intercept.

    With w = prior (1 - c) they are (1 - prior) c / w and 1 - loss / w. The inverse that the post
    prints has the intercept ((1 - prior) c - loss) / w, which does not lead back to the point.
    Refused are w = 0 (the line is vertical) and w so small that floating-point numbers do not hold
    the line.
    """
    weight_fn, weight_fp = _weights(c, prior)
    refuse(weight_fn == 0, weight_fn, "prior (1 - c) must not be 0: the ROC line is vertical")
    return pair(
        quotient(weight_fp, weight_fn), quotient(weight_fn - finite("the loss", loss), weight_fn)
    )


def _weights(c: ArrayLike, prior: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the weights of FN and FP rate in the loss."""
    cost_fp, positive = rate("c", c), rate("the prior p(+)", prior)
    return positive * (1 - cost_fp), (1 - positive) * cost_fp
