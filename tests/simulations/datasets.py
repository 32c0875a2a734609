"""Simulated data sets with known truth: two learners on the same instances."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from costcurves.pairs.paired import Tables

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FOLDS = 10


class Dataset(NamedTuple):
    """Labels of the instances, and scores of two learners, (repeats, instances) each."""

    labels: IntArray
    a: FloatArray
    b: FloatArray


def binormal(
    rng: np.random.Generator, positives: int, negatives: int, distance_b: float = 1.0
) -> Dataset:
    """Draw one test set: normal scores, d' = 1 for A, correlated 1/2 with those of B."""
    labels = np.repeat([1, 0], [positives, negatives])
    common, *own = rng.normal(size=(3, positives + negatives)) * np.sqrt(0.5)
    a, b = (common + one for one in own)
    return Dataset(labels, (a + labels)[np.newaxis], (b + distance_b * labels)[np.newaxis])


def cross_validated(rng: np.random.Generator, positives: int, negatives: int) -> Dataset:
    """Draw ten repeats of two exchangeable learners.

    Scores share the difficulty of the instance (variance .4); each learner has an opinion of its
    own on each instance (.6), which all its repeats share, and noise in every repeat (.25).
    """
    labels = np.repeat([1, 0], [positives, negatives])
    count = len(labels)
    common = labels + np.sqrt(0.4) * rng.normal(size=count)
    own = common + np.sqrt(0.6) * rng.normal(size=(2, count))
    a, b = own[:, np.newaxis] + 0.5 * rng.normal(size=(2, 10, count))
    return Dataset(labels, a, b)


def stratified_folds(rng: np.random.Generator, labels: IntArray, count: int = FOLDS) -> IntArray:
    """(instances,) fold of each instance, classes dealt evenly."""
    folds = np.empty(len(labels), dtype=np.int64)
    for value in (0, 1):
        rows = np.flatnonzero(labels == value)
        folds[rows] = rng.permutation(len(rows)) % count
    return folds


def crisp_tables(
    rng: np.random.Generator, size: int, discordance: float, at0: float, at1: float
) -> Tables:
    """Draw the 2 x 2 tables of two crisp classifiers with true difference lines (at0, at1)."""
    tables = []
    for difference in (at0, at1):
        only_b, only_a = (discordance + difference) / 2, (discordance - difference) / 2
        tables.append(rng.multinomial(size, [1 - discordance, only_a, only_b, 0]))
    return Tables(*tables)


def best_cost(places: FloatArray, distance: float = 1.0) -> FloatArray:
    """(places,) cost of the best thresholds of binormal scores."""
    with np.errstate(divide="ignore"):
        threshold = distance / 2 + np.log((1 - places) / places) / distance
    cost: FloatArray = places * ndtr(threshold - distance) + (1 - places) * ndtr(-threshold)
    return cost
