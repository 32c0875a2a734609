"""Integers in the order of scores, so that scores can be sorted together with a label.

`numpy.sort` is several times faster than `numpy.argsort`. Operating points need no more than the
scores in order, each with its label: with the score as an integer and the label as its lowest bit,
a plain sort of integers gives that, exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 2**15
LARGEST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class ByBits:
    """The integers that the bits of doubles are.

    The bits of doubles that are not negative are integers of the same order; those of negative ones
    run the other way and are flipped. Below 2 in size, they stay within 2^62 of zero; larger scores
    are brought there by a power of two.

    Attributes
    ----------
    scale
        Power of two that all scores are divided by.
    signed
        Whether any score is negative.
    """

    scale: float
    signed: bool

    def integers(self, scores: NDArray[np.float64], out: NDArray[np.int64]) -> None:
        """Write integers within 2^62 of zero, equal and ordered as the scores are."""
        scaled = out.view(np.float64)
        for block in _blocks(len(scores)):
            np.multiply(scores[block], 1 / self.scale, out=scaled[block])
            scaled[block] += 0.0  # -0.0 becomes 0.0
            self._flip_negatives(out[block])

    def scores(self, integers: NDArray[np.int64], out: NDArray[np.float64]) -> None:
        """Write the scores of these integers; `out` may be their own memory."""
        bits = out.view(np.int64)
        for block in _blocks(len(integers)):
            bits[block] = integers[block]
            self._flip_negatives(bits[block])
            out[block] *= self.scale

    def _flip_negatives(self, bits: NDArray[np.int64]) -> None:
        if self.signed:
            flip = bits >> 63
            flip &= LARGEST
            bits ^= flip


@dataclass(frozen=True, eq=False)
class ByRank:
    """The ranks of the scores among the distinct ones: where their range is too wide for `ByBits`.

    Attributes
    ----------
    distinct
        All scores that occur, rising, none twice.
    """

    distinct: NDArray[np.float64]

    def integers(self, scores: NDArray[np.float64], out: NDArray[np.int64]) -> None:
        """Write the ranks, from 0, equal and ordered as the scores are."""
        out[:] = np.searchsorted(self.distinct, scores)

    def scores(self, integers: NDArray[np.int64], out: NDArray[np.float64]) -> None:
        """Write the scores of these ranks; `out` may be their own memory."""
        out[:] = self.distinct.take(integers)


def order_of(scores: NDArray[np.float64]) -> ByBits | ByRank:
    """Choose integers for scores: by bits, or by rank where a power of two would not be exact.

    Parameters
    ----------
    scores
        Finite, at least one, shape (n,).

    Returns
    -------
    What turns scores into integers and back, exactly, but that ``-0.0`` comes back as ``0.0``.

    Examples
    --------
    >>> order = order_of(np.array([-3.0, 0.5, -0.0, 0.0, 7.0]))
    >>> order
    ByBits(scale=4.0, signed=True)
    >>> numbers = np.empty(4, dtype=np.int64)
    >>> order.integers(np.array([-3.0, -0.0, 0.0, 7.0]), out=numbers)
    >>> (numbers[1:] > numbers[:-1]).tolist()
    [True, False, True]
    >>> order.scores(numbers, out=numbers.view(np.float64))
    >>> numbers.view(np.float64).tolist()
    [-3.0, 0.0, 0.0, 7.0]
    >>> order_of(np.array([1e308, 5e-324]))
    ByRank(distinct=array([5.e-324, 1.e+308]))
    """
    low, high = float(scores.min()), float(scores.max())
    scale = 2.0 ** max(0, int(np.frexp(max(high, -low))[1]) - 1)
    if _scales_exactly(scores, scale):
        return ByBits(scale, low < 0)
    return ByRank(np.unique(scores + 0.0))


def _scales_exactly(scores: NDArray[np.float64], scale: float) -> bool:
    """Tell whether no score underflows when divided by `scale`; block by block, in the cache."""
    if scale == 1:
        return True
    blocks = (scores[rows] for rows in _blocks(len(scores)))
    return all(np.array_equal(block * (1 / scale) * scale, block) for block in blocks)


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(first, first + BLOCK) for first in range(0, rows, BLOCK))
