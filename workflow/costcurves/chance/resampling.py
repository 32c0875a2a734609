"""Resampling of instances: random numbers, units, and how often each unit is drawn.

The unit is the instance, drawn within its class with the class sizes fixed ([DH06]_, s4.6:
conditioning on the row marginals), and all its predictions come along: those of every repeat of
cross-validation and of every model. So a repeat is never a new instance, models are compared on the
same draws, and folds stay as they were.

From a class of m units m - 1 are drawn, with replacement: the variance between resamples is then
that of the mean, m / (m - 1) times what m draws give ([1]_). A class beyond `MOST_UNITS` instances
is dealt at random into that many groups of nearly equal size, which are drawn instead: nothing
grows with resamples times instances, and the variance is kept. The price is that it is estimated
from 2,000 groups rather than from all instances: a standard error of 1.6 % of each spread.

Instances that belong together, such as the lesions of a patient, are not independent, so their
cluster is the unit and is drawn whole. Clusters are drawn within their class; where some have
instances of both classes, all are drawn together. What says how certain a spread is, is then the
number of clusters: of those with a class, as many of equal size as would say as much.

Instances whose mistakes cost differently are drawn together with their costs, and clusters may have
different sizes. So what a class weighs differs from resample to resample, and rates are shares of
what was drawn.

References
----------
.. [1] J. N. K. Rao and C. F. J. Wu, "Resampling inference with complex survey data", Journal of the
   American Statistical Association 83, 231-241, 1988 (m - 1 draws: s2.2).
   https://doi.org/10.1080/01621459.1988.10478591
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costcurves.counts.cost_weights import effective_size, whole_weights
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.threads import product

MOST_UNITS = 2000
FEWEST = 10  # clusters of a class


@dataclass(frozen=True, eq=False)
class Weights:
    """How often each unit is drawn in each resample, the same for every model of a data set.

    Attributes
    ----------
    unit
        (instances,) unit of each instance; units of negatives come first.
    holds
        (2, units) whether a unit holds negatives, and positives: both only where clusters do.
    weight
        (instances,) how much each instance counts, in whole numbers; None: 1 each.
    drawn
        (resamples, units) how often each unit is drawn; whole numbers, kept as float32 so that a
        matrix product counts with them.
    scale
        (2,) units over draws, of those among which negatives and positives are drawn.
    share
        (resamples, 2) what the drawn negatives and positives weigh, over what they weigh on
        average. Ones where each unit counts 1: always as many of a class are drawn.
    mean
        (resamples, 2) what one of the drawn negatives and positives weighs, over the same average:
        a cost, of as many cases as were drawn.
    negatives, positives
        Clusters with instances of each class, which may be instances themselves; where they weigh
        differently, how many of equal weight would say as much (`cost_weights.effective_size`).
    odds
        Standard error of the log odds of a positive, were both classes drawn together: what is not
        known of a prior that is read off these instances.
    per_cluster
        Instances of a class in a cluster, in the class with more: 1 without clusters.
    too_few
        Whether there are clusters, and fewer than `FEWEST` of a class: nothing is known then of how
        much estimates vary.
    dof, studentizer
        Degrees of freedom of the spread between resamples (`degrees_of_freedom`), and (resamples,)
        random estimates of a standard deviation of 1 with as many: what deviations are divided by
        because their spread is itself estimated.
    """

    unit: IntArray
    holds: NDArray[np.bool_]
    weight: IntArray | None
    drawn: NDArray[np.float32]
    scale: FloatArray
    share: FloatArray
    mean: FloatArray
    negatives: float
    positives: float
    odds: float
    per_cluster: float
    too_few: bool
    dof: float
    studentizer: FloatArray

    def __len__(self) -> int:
        """Count the resamples."""
        return len(self.drawn)

    def shared_out(self, parts: int) -> list[Weights]:
        """Deal the resamples in turn to so many parts."""
        return [
            replace(self, drawn=self.drawn[first::parts], share=self.share[first::parts])
            for first in range(parts)
        ]

    def of(self, instances: IntArray) -> IntArray | None:
        """Return how much some instances count; None: 1 each."""
        return None if self.weight is None else self.weight[instances]


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return the random numbers of one purpose, whatever else is drawn, and in which order.

    The same for the same seed and names, such as data set, pair of models and purpose, and
    independent for others: the names, each behind its length, are hashed into the spawn key of a
    `numpy.random.SeedSequence`.

    >>> first = generator(20061, "sonar", "weights").random()
    >>> first == generator(20061, "sonar", "weights").random()
    True
    >>> first == generator(20061, "sonarw", "eights").random()
    False
    """
    texts = [name.encode() for name in names]
    digest = hashlib.sha256(b"".join(b"%d:%s" % (len(text), text) for text in texts)).digest()
    key = tuple(np.frombuffer(digest, dtype="<u4").tolist())
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def error_share(level: float) -> Fraction:
    """Return 1 - level exactly, as the decimal number that was meant.

    >>> error_share(0.9), 1 - 0.9
    (Fraction(1, 10), 0.09999999999999998)
    """
    return 1 - Fraction(str(float(level)))


def units(
    labels: ArrayLike,
    rng: np.random.Generator,
    most: int = MOST_UNITS,
    clusters: ArrayLike | None = None,
) -> IntArray:
    """Return the unit of resampling that each instance belongs to.

    Codes are (instances,): the units of the negatives from 0, then those of the positives. Up to
    `most` clusters of a class are units of their own; more are dealt into `most` groups whose
    numbers of clusters differ by at most one. Where a cluster has both classes, all clusters are
    taken together. `labels` are 0 or 1, both occur, each instance once. `clusters` are
    (instances,) codes 0 to k - 1 that all occur; None: there are no clusters.

    >>> units([1, 0, 0, 1], np.random.default_rng(0)).tolist()
    [2, 0, 1, 3]
    >>> sorted(units([0] * 5 + [1], np.random.default_rng(0), most=2).tolist())
    [0, 0, 0, 1, 1, 2]
    >>> units([1, 1, 0, 0], np.random.default_rng(0), clusters=[0, 0, 1, 1]).tolist()
    [1, 1, 0, 0]
    >>> units([1, 0, 0, 0], np.random.default_rng(0), clusters=[0, 0, 1, 1]).tolist()
    [0, 0, 1, 1]
    """
    label = np.asarray(labels)
    cluster = np.arange(len(label)) if clusters is None else np.asarray(clusters)
    sizes, ones = np.bincount(cluster), np.bincount(cluster, label)
    drawn_with = ones if ((ones == 0) | (ones == sizes)).all() else np.zeros_like(ones)
    unit, first = np.empty(len(sizes), dtype=np.int64), 0
    for together in (drawn_with == 0, drawn_with > 0):
        rows = np.flatnonzero(together)
        codes = np.arange(len(rows))
        if len(rows) > most:
            codes = rng.permutation(len(rows)) % most
        unit[rows] = first + codes
        first += min(len(rows), most)
    codes_of_instances: IntArray = unit[cluster]
    return codes_of_instances


def weights(
    labels: ArrayLike,
    resamples: int,
    rng: np.random.Generator,
    most: int = MOST_UNITS,
    costs: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    cases: ArrayLike | None = None,
) -> Weights:
    """Draw the units of each class with replacement, one fewer than there are.

    Of a class with one unit that unit is drawn once: nothing is known of its spread.

    Parameters
    ----------
    labels
        (instances,) class of each instance, 0 or 1, each instance once, however many predictions
        there are of it.
    resamples, rng
        How many times to draw, with which random numbers.
    most, clusters
        As in `units`.
    costs
        (instances,) how much each instance counts, as `cost_weights.cost_weights` says; it is drawn
        together with its cost. None: all 1.
    cases
        (instances,) how many cases each stands for, whose costs are in `costs` together. None: one.

    Examples
    --------
    >>> found = weights([0, 0, 0, 1, 1], resamples=4, rng=np.random.default_rng(0))
    >>> found.drawn[:, :3].sum(axis=1).tolist(), found.drawn[:, 3:].sum(axis=1).tolist()
    ([2.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0])
    >>> of = [0, 0, 1, 1, 2, 3, 3, 4]  # clusters, the last two without positives
    >>> found = weights([1, 0, 1, 0, 1, 0, 0, 0], 4, np.random.default_rng(0), clusters=of)
    >>> found.holds.astype(int).tolist(), found.drawn.sum(axis=1).tolist(), found.negatives
    ([[1, 1, 0, 1, 1], [1, 1, 1, 0, 0]], [4.0, 4.0, 4.0, 4.0], 3.5714285714285716)
    """
    unit, label = units(labels, rng, most, clusters), np.asarray(labels)
    classes = [label == value for value in (0, 1)]
    count = int(unit.max()) + 1
    holds = np.stack([np.bincount(unit[of], minlength=count) > 0 for of in classes])
    together = bool(holds.all(axis=0).any())
    sizes = [count] if together else np.count_nonzero(holds, axis=1).tolist()
    drawn = np.concatenate([_draws(size, resamples, rng) for size in sizes], axis=1)
    drawn = np.asfortranarray(drawn)  # units are taken out of it
    among = np.array(sizes * (1 + together))  # units and draws, for each class
    draws = np.maximum(among - 1, 1)
    paid = None if costs is None or np.all(np.asarray(costs) == 1) else whole_weights(costs, label)
    counts = np.ones(len(label)) if paid is None else paid
    cluster = np.arange(len(label)) if clusters is None else np.asarray(clusters)
    inside = [_of_clusters(cluster[of], counts[of]) for of in classes]
    negatives, positives = map(effective_size, inside)
    stands = np.ones(len(label)) if cases is None else np.asarray(cases, dtype=np.float64)
    sizes_in = [float(of.sum()) / len(each) for of, each in zip(classes, inside, strict=True)]
    per_cluster = max(sizes_in)
    degrees = degrees_of_freedom(negatives, positives)
    studentizer = studentizers(degrees, resamples, rng)

    def share_of(each: NDArray[Any]) -> FloatArray:
        if clusters is None and (each == 1).all():
            return np.ones((resamples, 2))
        whole = np.stack([np.bincount(unit[of], each[of], count) for of in classes], axis=1)
        sums = product(drawn.astype(np.float64), whole)
        # Whole numbers over whole numbers: where units count the same exactly 1.
        share: FloatArray = sums * among / (whole.sum(axis=0) * draws)
        share[sums == 0] = 1.0  # there is nothing to divide
        return share

    share = share_of(counts)
    return Weights(
        unit=unit,
        holds=holds,
        weight=paid,
        drawn=drawn,
        scale=among / draws,
        share=share,
        mean=share
        / share_of(np.ones(len(label)) if cases is None else whole_weights(cases, label)),
        negatives=negatives,
        positives=positives,
        odds=share_error(label, cluster, stands),
        per_cluster=per_cluster,
        too_few=per_cluster > 1 and min(map(len, inside)) < FEWEST,
        dof=degrees,
        studentizer=studentizer,
    )


def share_error(label: NDArray[Any], cluster: NDArray[Any], cases: FloatArray) -> float:
    """Return the standard error of the log odds of a positive, were both classes drawn together."""
    shares = [np.bincount(cluster, cases * of) / cases[of].sum() for of in (label == 0, label == 1)]
    return float(np.sqrt(np.sum((shares[1] - shares[0]) ** 2)))


def _of_clusters(cluster: IntArray, weight: NDArray[Any]) -> NDArray[Any]:
    """Add up what the instances of a class weigh in each cluster that has some."""
    return np.bincount(cluster, weight)[np.bincount(cluster) > 0]


def degrees_of_freedom(negatives: float, positives: float) -> float:
    """Return the degrees of freedom of a spread that is estimated from two classes: n m / (n + m).

    These are the sizes of a difference of two means, about half of what normal deviations would
    have; errors are rarer and their spread is less certain. Chosen by simulation
    (tests/simulations): with it bands of curves that select their thresholds keep their level down
    to 20 + 10 instances.

    >>> degrees_of_freedom(30, 30)
    15.0
    """
    return negatives * positives / (negatives + positives)


def studentizers(degrees: float, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Draw (resamples,) estimates of a standard deviation of 1: root of a mean of squares.

    What is divided by them gets the heavier tails of Student's t.
    """
    drawn: FloatArray = np.sqrt(rng.chisquare(degrees, resamples) / degrees)
    return drawn


def _draws(size: int, resamples: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """(resamples, size) how often each of `size` units is drawn."""
    drawn = rng.multinomial(max(size - 1, 1), np.full(size, 1 / size), size=resamples)
    return drawn.astype(np.float32)
