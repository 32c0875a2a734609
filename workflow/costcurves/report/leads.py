"""Who is cheapest where: the pairwise intervals of one dataset, read together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

SLIVER = 1e-9  # narrower than any reader or figure resolves: roots that differ by rounding


@dataclass(frozen=True)
class Lead:
    """A range of PC(+), the same as cost ratios, and the models that nobody undercuts there."""

    low: float
    high: float
    ratio_low: float
    ratio_high: float
    models: tuple[str, ...]

    @property
    def width(self) -> float:
        """The share of PC(+) that it covers."""
        return self.high - self.low


def leads(crossovers: pd.DataFrame, models: Sequence[str]) -> tuple[Lead, ...]:
    """Divide PC(+) by which models are cheapest.

    A model is among the cheapest where no pair says that another costs less.

    Parameters
    ----------
    crossovers
        The intervals of all pairs of one dataset; empty for a single model.
    models
        All models, in order.

    Returns
    -------
    tuple of Lead
        From PC(+) = 0 to 1; neighbours differ in their models. Several models share a lead where
        they cost exactly the same.

    Examples
    --------
    >>> none = pd.DataFrame({"pc_from": [], "pc_to": []})
    >>> leads(none, ["A"])
    (Lead(low=0.0, high=1.0, ratio_low=0.0, ratio_high=inf, models=('A',)),)
    """
    if crossovers.empty:
        return (Lead(0.0, 1.0, 0.0, float("inf"), tuple(models)),)
    breaks = np.union1d(crossovers["pc_from"], crossovers["pc_to"])
    cheapest = ~_undercut(crossovers, models, breaks)
    ratios = _ratios(crossovers)
    pieces = [
        Lead(low, high, ratios[low], ratios[high], _chosen(models, column))
        for low, high, column in zip(breaks[:-1], breaks[1:], cheapest.T, strict=True)
    ]
    return _merged(pieces)


def _undercut(
    crossovers: pd.DataFrame, models: Sequence[str], breaks: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Mark (model, interval) where some other model costs less."""
    place = {model: row for row, model in enumerate(models)}
    undercut = np.zeros((len(models), len(breaks) - 1), dtype=bool)
    first = np.searchsorted(breaks, crossovers["pc_from"])
    last = np.searchsorted(breaks, crossovers["pc_to"])
    dearer = crossovers["model_a"].where(
        crossovers["largest_difference"] > 0, crossovers["model_b"]
    )
    decided = crossovers["largest_difference"] != 0
    for model, begin, end, unequal in zip(dearer, first, last, decided, strict=True):
        if unequal:
            undercut[place[model], begin:end] = True
    return undercut


def _ratios(crossovers: pd.DataFrame) -> dict[float, float]:
    starts = zip(crossovers["pc_from"], crossovers["ratio_from"], strict=True)
    return dict(starts) | dict(zip(crossovers["pc_to"], crossovers["ratio_to"], strict=True))


def _chosen(models: Sequence[str], mask: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(model for model, chosen in zip(models, mask, strict=True) if chosen)


def _merged(pieces: Iterable[Lead]) -> tuple[Lead, ...]:
    merged: list[Lead] = []
    for piece in pieces:
        kept = merged[-1] if merged else None
        if kept and (piece.models == kept.models or piece.width < SLIVER or not piece.models):
            merged[-1] = replace(kept, high=piece.high, ratio_high=piece.ratio_high)
        else:
            merged.append(piece)
    return tuple(merged)
