"""Who is cheapest where: the pairwise intervals of one dataset, read together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.cost_space import ratio_from_pc
from costcurves.maths.curves import Curve, Interval, better_than, trivial
from costcurves.tables.keys import ALWAYS

SLIVER = 1e-9  # narrower than any reader or figure resolves: roots that differ by rounding

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Range:
    """A range of PC(+), the same as cost ratios, and the models that nobody undercuts there.

    Where no model costs less than a constant decision, that is named instead of models.
    """

    low: float
    high: float
    ratio_low: float
    ratio_high: float
    models: tuple[str, ...]
    constant: str = ""

    @property
    def width(self) -> float:
        """The share of PC(+) that it covers."""
        return self.high - self.low


def cheapest_ranges(
    crossovers: pd.DataFrame, curves: Mapping[str, Curve], prior: float
) -> tuple[Range, ...]:
    """Divide PC(+), from 0 to 1, by what is cheapest.

    A model is among the cheapest where no pair says that another costs less, and where it or
    another model costs less than both constant decisions. Several share a range where they cost
    exactly the same.
    """
    useful = [span for curve in curves.values() for span in better_than(curve, trivial())]
    found = [end for low, high, _ in useful for end in (low, high)]
    breaks = np.unique([0.5, *found, *crossovers["pc_from"], *crossovers["pc_to"]])
    needed = _covered(breaks, [span for span in useful if span.sign < 0])
    cheapest = ~_undercut(crossovers, list(curves), breaks) & needed
    ends = list(zip(breaks.tolist(), ratio_from_pc(breaks, prior).tolist(), strict=True))
    pieces = [
        Range(
            low,
            high,
            ratio_low,
            ratio_high,
            tuple(model for model, first in zip(curves, column, strict=True) if first),
            "" if used else ALWAYS[int(low + high > 1)],
        )
        for ((low, ratio_low), (high, ratio_high)), column, used in zip(
            pairwise(ends), cheapest.T, needed, strict=True
        )
    ]
    return _merged(pieces)


def _covered(breaks: NDArray[np.float64], spans: Iterable[Interval]) -> Mask:
    """Mark what of PC(+) lies in any of these intervals."""
    middles = (breaks[:-1] + breaks[1:]) / 2
    covered = np.zeros(len(middles), dtype=bool)
    for span in spans:
        covered |= (span.low < middles) & (middles < span.high)
    return covered


def _undercut(crossovers: pd.DataFrame, models: Sequence[str], breaks: NDArray[np.float64]) -> Mask:
    """Mark (model, interval) where some other model costs less."""
    place = {model: row for row, model in enumerate(models)}
    undercut = np.zeros((len(models), len(breaks) - 1), dtype=bool)
    first = np.searchsorted(breaks, crossovers["pc_from"])
    last = np.searchsorted(breaks, crossovers["pc_to"])
    costlier = crossovers["model_a"].where(
        crossovers["largest_difference"] > 0, crossovers["model_b"]
    )
    decided = crossovers["largest_difference"] != 0
    for model, begin, end, unequal in zip(costlier, first, last, decided, strict=True):
        if unequal:
            undercut[place[model], begin:end] = True
    return undercut


def _merged(pieces: Iterable[Range]) -> tuple[Range, ...]:
    merged: list[Range] = []
    for piece in pieces:
        kept = merged[-1] if merged else None
        nobody = not (piece.models or piece.constant)
        if kept and (_who(piece) == _who(kept) or piece.width < SLIVER or nobody):
            merged[-1] = replace(kept, high=piece.high, ratio_high=piece.ratio_high)
        else:
            merged.append(piece)
    return tuple(merged)


def _who(one: Range) -> tuple[tuple[str, ...], str]:
    return one.models, one.constant
