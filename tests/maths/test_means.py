"""Means of cases and of clusters, and how certain they are."""

import numpy as np
import pytest
from scipy import stats

from costcurves.maths.chance.means import Mean, difference_of, mean_of, wilson

VALUES = np.array([0.5, 2.0, 3.5, 1.0, 4.0, 7.0, 2.5])


def test_a_mean_of_cases_has_the_t_interval() -> None:
    found = mean_of(VALUES, np.arange(7))
    low, high = stats.t.interval(0.8, 6, VALUES.mean(), stats.sem(VALUES))
    assert found.interval(0.8) == pytest.approx((low, high))
    assert found.p_value == pytest.approx(stats.ttest_1samp(VALUES, 0).pvalue)


def test_clusters_of_equal_size_are_as_certain_as_their_means() -> None:
    values, unit = np.append(VALUES, 3.0), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    found = mean_of(values, unit)
    of_units = values.reshape(4, 2).mean(axis=1)
    assert (found.value, found.dof) == (values.mean(), 3)
    assert found.error == pytest.approx(stats.sem(of_units))


def test_a_case_of_weight_two_is_two_cases_of_one_cluster() -> None:
    once = mean_of(VALUES[:3], np.arange(3), np.array([1.0, 2.0, 1.0]))
    twice = mean_of(VALUES[[0, 1, 1, 2]], np.array([0, 1, 1, 2]))
    assert once == pytest.approx(twice)


def test_a_difference_of_two_groups_is_that_of_two_means() -> None:
    inside = np.array([True, False, True, True, False, False, True])
    found = difference_of(VALUES, inside, np.arange(7), np.ones(7))
    one, other = VALUES[inside], VALUES[~inside]
    assert found.value == pytest.approx(one.mean() - other.mean())
    assert found.error == pytest.approx(np.hypot(stats.sem(one), stats.sem(other)))
    assert found.dof == 2


def test_a_cluster_with_cases_on_both_sides_makes_their_difference_more_certain() -> None:
    """What a cluster adds to both sides is gone from their difference."""
    rng = np.random.default_rng(4)
    of_cluster = np.repeat(5 * rng.normal(size=30), 2)
    values, inside = of_cluster + rng.normal(size=60), np.tile([True, False], 30)
    paired = difference_of(values, inside, np.repeat(np.arange(30), 2), np.ones(60))
    apart = values[inside] - values[~inside]
    assert paired.error == pytest.approx(stats.sem(apart))
    assert paired.error < 0.5 * difference_of(values, inside, np.arange(60), np.ones(60)).error


def test_turned_round_a_difference_changes_its_sign_alone() -> None:
    inside = np.array([True, True, False, False, False, True, False])
    one, other = (difference_of(VALUES, of, np.arange(7), np.ones(7)) for of in (inside, ~inside))
    assert other == one._replace(value=-one.value)


@pytest.mark.parametrize(("hits", "size"), [(0, 14), (14, 14), (3, 14), (9, 20)])
def test_a_rate_of_cases_has_wilsons_interval(hits: int, size: int) -> None:
    found = mean_of(np.repeat([1.0, 0.0], [hits, size - hits]), np.arange(size))
    known = stats.binomtest(hits, size).proportion_ci(0.8, "wilson")
    assert wilson(found, 0.8) == pytest.approx((known.low, known.high))


def test_nothing_that_varies_is_certain_of_its_value() -> None:
    assert Mean(0.0, 0.0, 5).p_value == 1
    assert Mean(0.2, 0.0, 5).p_value == 0
