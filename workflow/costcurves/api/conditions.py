"""Operating conditions as callers give them, the same in every function and method."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.counts.elementwise import plain, rate
from costcurves.curves.cost_space import pc_from_ratio

Value = float | NDArray[np.float64]


class Costs(TypedDict, total=False):
    """What mistakes cost, and how common positives are; `CostCurve.cost_at` explains the keys."""

    cost_ratio: ArrayLike | None
    cost_fn: ArrayLike | None
    cost_fp: ArrayLike | None
    prior: float | None


class Condition(Costs, total=False):
    """The same, or a place on PC(+)."""

    pc: ArrayLike | None


class Place(NamedTuple):
    """Where conditions lie."""

    pc: Value
    most: Value  # cost of a case if every decision is wrong: 1, or an amount


def single(place: Place) -> tuple[float, float]:
    """Return PC(+) and the largest cost of one condition."""
    if np.ndim(place.pc) or np.ndim(place.most):
        raise ValueError("expected a single operating condition, not several")
    return float(place.pc), float(place.most)


def operating_condition(
    share: float,
    pc: ArrayLike | None = None,
    *,
    cost_ratio: ArrayLike | None = None,
    cost_fn: ArrayLike | None = None,
    cost_fp: ArrayLike | None = None,
    prior: float | None = None,
) -> Place:
    """Read conditions, which are given in one of three ways; `share` is the prior by default."""
    amounts = (cost_fn is None) + (cost_fp is None)
    if amounts == 1 or (pc is not None) + (cost_ratio is not None) + (amounts == 0) != 1:
        ways = "cost_ratio, or cost_fn and cost_fp together, or pc"
        raise ValueError(f"expected one operating condition: {ways}")
    if pc is not None:
        if prior is not None:
            raise ValueError("PC(+) has the prior in it: expected prior beside costs, not pc")
        return Place(plain(rate("PC(+)", pc)), 1.0)
    positives = share if prior is None else prior
    if cost_ratio is not None:
        return Place(pc_from_ratio(cost_ratio, positives), 1.0)
    fn, fp = np.asarray(cost_fn, float), np.asarray(cost_fp, float)
    if not ((fn > 0) & (fp > 0) & np.isfinite(fn + fp)).all():
        raise ValueError(f"cost_fn is {cost_fn!r} and cost_fp {cost_fp!r}, expected above 0")
    return Place(pc_from_ratio(fn / fp, positives), plain(positives * fn + (1 - positives) * fp))
