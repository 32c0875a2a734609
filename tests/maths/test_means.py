"""Means of cases and of clusters, and how certain they are."""

import numpy as np
import pytest
from scipy import stats

from costcurves.chance.means import Mean, mean_of, wilson

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
    assert tuple(once)[:3] == pytest.approx(tuple(twice)[:3])
    assert (once.size, twice.size) == (16 / 6, 4)
    weight = np.array([3, 1, 2, 1])  # no value of weight above 1 is the mean
    weighed = mean_of(VALUES[:4], np.arange(4), weight.astype(float))
    repeated = mean_of(np.repeat(VALUES[:4], weight), np.repeat(np.arange(4), weight))
    assert tuple(weighed)[:3] == pytest.approx(tuple(repeated)[:3])


@pytest.mark.parametrize(("hits", "size"), [(0, 14), (14, 14), (3, 14), (9, 20)])
def test_a_rate_of_cases_has_wilsons_interval(hits: int, size: int) -> None:
    found = mean_of(np.repeat([1.0, 0.0], [hits, size - hits]), np.arange(size))
    known = stats.binomtest(hits, size).proportion_ci(0.8, "wilson")
    assert wilson(found, 0.8) == pytest.approx((known.low, known.high))


def test_nothing_that_varies_is_certain_of_its_value() -> None:
    assert Mean(0.0, 0.0, 5).p_value == 1
    assert Mean(0.2, 0.0, 5).p_value == 0


def test_a_rate_of_few_heavy_cases_is_of_no_more_than_they_are() -> None:
    """One light case that is flagged, of 90, and ten that weigh 30 each, of which none is."""
    weight = np.repeat([1.0, 30.0], [90, 10])
    found = mean_of(np.eye(100)[0], np.arange(100), weight)
    assert found.size == pytest.approx(390**2 / (90 + 9000))
    assert wilson(found, 0.8) == wilson(found._replace(error=1e-9), 0.8)
    assert wilson(found, 0.8)[1] > 0.08


def test_a_single_unit_says_nothing_of_how_much_means_vary() -> None:
    found = mean_of(VALUES, np.zeros(7, dtype=int))
    assert (found.value, found.error, found.dof) == (VALUES.mean(), np.inf, 0)
    assert np.isnan(found.interval(0.8)).all()
