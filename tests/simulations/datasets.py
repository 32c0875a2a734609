"""Simulated data sets with known truth: two learners on the same instances."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from costcurves.pairs.paired import Differences, differences

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FOLDS = 10


class Dataset(NamedTuple):
    """Labels of the instances, and (models, repeats, instances) scores of models on them.

    One repeat of scores stands for any number of repeats.
    """

    labels: IntArray
    scores: FloatArray


def binormal(
    rng: np.random.Generator, positives: int, negatives: int, distance_b: float = 1.0
) -> Dataset:
    """Draw one test set: normal scores, d' = 1 for A, correlated 1/2 with those of B."""
    labels = np.repeat([1, 0], [positives, negatives])
    common, *noises = rng.normal(size=(3, positives + negatives)) * np.sqrt(0.5)
    scores = common + np.array(noises) + np.outer([1, distance_b], labels)
    return Dataset(labels, scores[:, np.newaxis])


def cross_validated(rng: np.random.Generator, positives: int, negatives: int) -> Dataset:
    """Draw ten repeats of two exchangeable learners.

    Scores share the difficulty of the instance (variance .4); each learner has an opinion of its
    own on each instance (.6), which all its repeats share, and noise in every repeat (.25).
    """
    labels = np.repeat([1, 0], [positives, negatives])
    count = len(labels)
    common = labels + np.sqrt(0.4) * rng.normal(size=count)
    opinions = common + np.sqrt(0.6) * rng.normal(size=(2, count))
    return Dataset(labels, opinions[:, np.newaxis] + 0.5 * rng.normal(size=(2, 10, count)))


def stratified_folds(rng: np.random.Generator, labels: IntArray, count: int = FOLDS) -> IntArray:
    """(instances,) fold of each instance, each class spread evenly."""
    folds = np.empty(len(labels), dtype=np.int64)
    for value in (0, 1):
        rows = np.flatnonzero(labels == value)
        folds[rows] = rng.permutation(len(rows)) % count
    return folds


def of_tables(*tables: ArrayLike) -> tuple[Differences, Differences]:
    """Return how losses differ by 2 x 2 tables: both right, only A, only B, both wrong."""
    classes = []
    for right, only_a, only_b, wrong in map(np.asarray, tables):
        losses = np.repeat([1, -1, 0], [only_b, only_a, right + wrong])
        classes.append(differences(losses / len(losses)))
    return classes[0], classes[1]


def crisp_differences(
    rng: np.random.Generator, size: int, discordance: float, at0: float, at1: float
) -> tuple[Differences, Differences]:
    """Draw how two crisp classifiers with true difference lines (at0, at1) differ."""
    tables = []
    for difference in (at0, at1):
        only_b, only_a = (discordance + difference) / 2, (discordance - difference) / 2
        tables.append(rng.multinomial(size, [1 - discordance, only_a, only_b, 0]))
    return of_tables(*tables)


def best_cost(places: FloatArray, distance: float = 1.0) -> FloatArray:
    """(places,) cost of the best thresholds of binormal scores."""
    with np.errstate(divide="ignore"):
        threshold = distance / 2 + np.log((1 - places) / places) / distance
    cost: FloatArray = places * ndtr(threshold - distance) + (1 - places) * ndtr(-threshold)
    return cost
