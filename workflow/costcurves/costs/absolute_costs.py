"""Expected cost per instance in the unit of the costs, where each instance's costs are known.

Normalized expected cost is a share of what would be lost if every decision were wrong. Where costs
are known that is an amount: p(+) times the mean cost of a false negative, plus p(-) times that of a
false positive; and the two fix PC(+), by averages ([F06b]_, eqs 2-3 and the end of s4).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from costcurves.chance.intervals import Rate
from costcurves.counts.elementwise import FloatArray


@dataclass(frozen=True)
class Stake:
    """What is at stake in one instance, on average."""

    at0: float  # p(-) times the mean cost of a false positive: cost of always predicting positive
    at1: float  # p(+) times the mean cost of a false negative: cost of always predicting negative

    @property
    def whole(self) -> float:
        """What is lost per instance if every decision is wrong."""
        return self.at0 + self.at1

    @property
    def pc(self) -> float:
        """PC(+) at the mean costs and the prior."""
        return self.at1 / self.whole


def stake(
    costs: ArrayLike, labels: ArrayLike, prior: float, cases: ArrayLike | None = None
) -> Stake:
    """Average the costs of mistakes in each class; `prior` is the deployment p(+).

    `cases` are how many each stands for; None: one.
    """
    cost, label = np.asarray(costs, dtype=np.float64), np.asarray(labels)
    each = np.ones(len(cost)) if cases is None else np.asarray(cases, dtype=np.float64)
    at0, at1 = (_mean(cost[label == value], each[label == value]) for value in (0, 1))
    return Stake((1 - prior) * at0, prior * at1)


def resampled_costs(
    found: Stake, share: FloatArray, grid: FloatArray, heights: FloatArray
) -> FloatArray:
    """Give the expected cost per instance in resamples, whose mean costs differ.

    `share` is (resamples, 2): what one drawn negative and positive costs, over the average. The
    (resamples, pc) heights are read at each resample's own PC(+), by straight lines on the grid.
    """
    at0, at1 = found.at0 * share[:, 0], found.at1 * share[:, 1]
    pc = at1 / (at0 + at1)
    left = np.clip(np.searchsorted(grid, pc, side="right") - 1, 0, len(grid) - 2)
    part = (pc - grid[left]) / (grid[left + 1] - grid[left])
    row = np.arange(len(heights))
    height = heights[row, left] * (1 - part) + heights[row, left + 1] * part
    cost: FloatArray = (at0 + at1) * height
    return cost


def interval(estimate: float, values: FloatArray, dof: float, level: float) -> Rate:
    """Give the interval of a resampled number: t standard deviations, not below zero."""
    from scipy.special import stdtrit

    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    half = float(stdtrit(dof, (1 + level) / 2)) * spread
    return Rate(max(estimate - half, 0.0), estimate, estimate + half)


def _mean(cost: FloatArray, cases: FloatArray) -> float:
    """Average costs without overflow."""
    largest = float(cost.max())
    return largest * float(np.average(cost / largest, weights=cases))
