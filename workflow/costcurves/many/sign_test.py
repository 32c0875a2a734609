"""Which of two models wins on more datasets, at every PC(+) at once: the sign test, exactly.

Costs of different datasets can't be averaged: a dataset is one vote, for the model that costs less
on it (J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
Machine Learning Research 7, 2006, s3.1.4, https://jmlr.org/papers/v7/demsar06a.html). At one PC(+)
the sign test asks how likely so uneven a vote would be if a coin decided. Along PC(+) the votes
change wherever the two curves of a dataset cross, and nowhere else: there are finitely many votes,
so all of them are looked at, not a grid.

If the two models are equally good, each dataset might as well have all its signs the other way
round. So the smallest p-value anywhere is held against what it is after changing the signs of whole
datasets: the chance of calling any PC(+) significant, by chance alone, is at most nominal, however
many votes there are and however they depend on each other (P. H. Westfall and S. S. Young,
"Resampling-based multiple testing", Wiley, 1993, s2.3; [RW05]_).
"""

from itertools import accumulate
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.threads import product

FloatArray = NDArray[np.float64]
SignArray = NDArray[np.float32]  # whole numbers, so that a matrix product counts with them

MOST_EXACT = 16  # datasets: all their 65,536 sign changes are taken
BLOCK = 4_000_000  # votes counted at once: bounds the memory, not the result


class SignTest(NamedTuple):
    """What the votes of the datasets say."""

    pointwise: FloatArray  # (columns,) two-sided p-value of each vote; 1 where nobody votes
    familywise: FloatArray  # (columns,) chance of a p-value as small as that anywhere
    changes: int  # sign changes that this chance rests on
    exact: bool  # whether they are all that there are


def sign_test(signs: ArrayLike, resamples: int, rng: np.random.Generator) -> SignTest:
    """Test at every PC(+) whether one of two models is cheaper on more datasets than chance allows.

    `signs` are (datasets, columns), of cost(A) - cost(B) between neighbouring crossings; 0 is no
    vote. All sign changes are taken up to 16 voting datasets, and nothing is random; beyond,
    `resamples` are drawn.

    >>> test = sign_test([[1, 1]] * 5 + [[1, -1]], 100, np.random.default_rng(0))
    >>> test.pointwise.tolist(), test.familywise.tolist(), test.exact
    ([0.03125, 0.21875], [0.0625, 0.375], True)
    """
    votes = np.asarray(signs, np.float32)
    pointwise = _p_values(votes.sum(axis=0), votes)
    voters = np.unique(votes[votes.any(axis=1)], axis=1)
    exact = len(voters) <= MOST_EXACT
    if exact:
        bits = np.arange(2 ** len(voters))[:, np.newaxis] >> np.arange(len(voters)) & 1
    else:
        bits = rng.integers(0, 2, (resamples, len(voters)))
    changes = (2 * bits - 1).astype(np.float32)
    smallest = np.sort(_smallest(changes, voters))
    at_most = np.searchsorted(smallest, pointwise, side="right")
    # What is observed counts as one more draw, which makes the test valid.
    familywise = at_most / len(smallest) if exact else (at_most + 1) / (len(smallest) + 1)
    return SignTest(pointwise, familywise, len(changes), exact)


def two_sided(votes: int) -> FloatArray:
    """Return the p-values of the majorities that so many voters can have, by the size of the lead.

    The chance that a fair coin leads by at least that much to either side. A lead has the parity
    of `votes`; where it has not, the next larger one is taken.
    """
    tails = list(accumulate(comb(votes, winners) for winners in range(votes, -1, -1)))
    losers = ((votes - lead) // 2 for lead in range(votes + 1))
    return np.array([min(2 * tails[few] / 2**votes, 1.0) for few in losers])


def _p_values(leads: NDArray[np.floating], votes: SignArray) -> FloatArray:
    """Look up the p-value of each lead, (..., columns), given who votes in the column."""
    counts = np.abs(votes).sum(axis=0).astype(np.int64)
    table = np.ones((len(votes) + 1, len(votes) + 1))
    for count in np.unique(counts).tolist():
        table[count, : count + 1] = two_sided(count)
    p_values: FloatArray = table[counts, np.abs(leads).astype(np.int64)]
    return p_values


def _smallest(changes: SignArray, votes: SignArray) -> FloatArray:
    """Find the (changes,) smallest p-value of any column after each sign change."""
    if votes.size == 0:
        return np.ones(len(changes))
    blocks = np.array_split(changes, 1 + len(changes) * votes.shape[1] // BLOCK)
    return np.concatenate([_p_values(product(block, votes), votes).min(axis=1) for block in blocks])
