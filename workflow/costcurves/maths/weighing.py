"""Adding up what each threshold decides, where instances weigh differently.

The weighted sister of `counting`: same keys, same ties. Weights have to follow the scores into
their order, so here an `argsort` is needed; but not where there are few distinct scores, which are
added up one by one.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.maths.ordered_integers import ByBits, ByRank
from costcurves.maths.rows import expect_length

SAMPLE = 2**10  # rows that show whether there are many ties
PLACES = 2**16  # that sums of single scores may take up
WHOLE = 2**53  # below it doubles add up whole numbers exactly

Sums = tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]


def weigh(
    score: NDArray[np.float64],
    label: NDArray[np.uint8],
    weight: NDArray[Any],
    rows: NDArray[np.int64],
    order: ByBits | ByRank,
) -> tuple[Sums, NDArray[np.int64]]:
    """Add up the weights of the false and true positives of each curve at each distinct score.

    Sums have the type of the weights and run from the highest score down: they never fall. They
    stand end to end, each curve from (0, 0) at ``+inf``; `rows` are offsets of curves, none empty.

    >>> from costcurves.maths.ordered_integers import order_of
    >>> score, label = np.array([0.5, 0.5, 0.7]), np.array([0, 1, 0], dtype=np.uint8)
    >>> sums, sizes = weigh(score, label, np.array([3, 5, 2]), np.array([0, 3]), order_of(score))
    >>> [one.tolist() for one in sums], sizes.tolist()
    ([[0, 2, 5], [0, 0, 5], [inf, 0.7, 0.5]], [3])
    """
    keys = np.empty(len(score), dtype=np.int64)
    order.keys(score, label, out=keys)
    room = len(score) + len(rows) - 1
    fp, tp = np.empty(room, weight.dtype), np.empty(room, weight.dtype)
    last = np.empty(room, dtype=np.int64)
    sizes, end = np.empty(len(rows) - 1, dtype=np.int64), 0
    for i, (a, b) in enumerate(pairwise(rows.tolist())):
        rest = fp[end:], tp[end:], last[end:]
        sizes[i] = _weigh_curve(rest, keys[a:b], weight[a:b])
        end += sizes[i]
    threshold = order.scores(last[:end])
    threshold[np.cumsum(sizes) - sizes] = np.inf
    return (fp[:end], tp[:end], threshold), sizes


def expect_weights(weights: ArrayLike, length: int) -> NDArray[Any]:
    """Check weights: numbers, finite, none negative."""
    array = np.asarray(weights)
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        raise ValueError(f"weights of shape {array.shape} and type {array.dtype}, expected numbers")
    expect_length("weights", array, length)
    for i in np.flatnonzero(~((array >= 0) & np.isfinite(array)))[:1]:
        raise ValueError(f"weight at index {i} is {array[i]}, expected a finite number, at least 0")
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64, copy=False)


def expect_weighty(negatives: NDArray[Any], positives: NDArray[Any]) -> None:
    """Refuse curves of which a class weighs nothing, or more than a double holds."""
    for name, total in (("negatives", negatives), ("positives", positives)):
        for i in np.flatnonzero(~((total > 0) & np.isfinite(total)))[:1]:
            raise ValueError(
                f"the {name} of curve {i} weigh {total[i]}, expected a finite weight above 0"
            )


def _weigh_curve(
    room: tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]],
    keys: NDArray[np.int64],
    weight: NDArray[Any],
) -> int:
    """Write the running sums of one curve behind each distinct score, and the keys there.

    The first point, before all scores, has the first score's key for want of another.
    """
    if (tied := _sums_of_scores(keys, weight)) is not None:
        for found, values in zip(room, tied, strict=True):
            found[: len(values)] = values
        return len(tied[0])
    falling = np.argsort(keys)
    keys, weight = keys.take(falling), weight.take(falling)
    is_last = np.append((keys[1:] ^ keys[:-1]).view(np.uint64) > 1, True)
    last = np.flatnonzero(is_last)
    points = slice(1, len(last) + 1)
    np.take(keys, last, out=room[2][points], mode="clip")
    room[2][0] = keys[0]
    of_positives = weight * (keys & 1)
    weight -= of_positives
    for sums, own in zip(room[:2], (weight, of_positives), strict=True):
        np.take(np.cumsum(own, out=own), last, out=sums[points], mode="clip")
        sums[0] = 0
    return len(last) + 1


def _sums_of_scores(
    keys: NDArray[np.int64], weight: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]] | None:
    """Give what `_weigh_curve` writes for a curve with many ties; None where there are few.

    Scores are measured in steps of the smallest between any two, rounded down to a power of two: so
    each has a place of its own where sums can be found without an order of the rows.
    """
    score = keys >> 1
    if not _has_ties(score) or (weight.dtype.kind == "i" and weight.sum() >= WHOLE):
        return None
    in_order = np.sort(score)
    distinct = in_order[np.append(True, in_order[1:] != in_order[:-1])]
    shift = int(np.diff(distinct).min(initial=1 << 62)).bit_length() - 1
    places = (distinct - distinct[0]) >> shift
    if places[-1] >= PLACES:
        return None
    score -= distinct[0]
    score >>= shift
    sums = np.bincount(2 * score + (keys & 1), weight, 2 * places[-1] + 2).reshape(-1, 2)
    fp, tp = np.cumsum(np.vstack([[0, 0], sums[places]]), axis=0).astype(weight.dtype).T
    return fp, tp, np.append(distinct[0], distinct) << 1


def _has_ties(score: NDArray[np.int64]) -> bool:
    """Guess whether most scores occur often; of a small curve that doesn't matter."""
    sample = score[:: max(len(score) // SAMPLE, 1)]
    return len(score) >= SAMPLE and len(np.unique(sample)) < len(sample) * 15 / 16
