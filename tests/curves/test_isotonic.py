"""Isotonic regression by hulls, against scipy's by pooling adjacent violators."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import isotonic_regression

from costcurves.curves.isotonic import isotonic


@given(
    st.tuples(st.integers(1, 4), st.integers(1, 12)).flatmap(
        lambda shape: st.tuples(
            arrays(float, shape[1], elements=st.sampled_from([0.25, 1 / 3, 1.0, 7.0])),
            arrays(float, shape, elements=st.sampled_from([0.0, 0.2, 0.5, 1.0])),
        )
    )
)
def test_rates_are_those_of_pooling(given: tuple[np.ndarray, np.ndarray]) -> None:
    cases, rates = given
    for fitted, rate in zip(isotonic(cases, rates * cases), rates, strict=True):
        expected = isotonic_regression(rate, weights=cases).x
        np.testing.assert_allclose(fitted, expected, rtol=0, atol=1e-13)


def test_many_scores_are_fitted_in_the_same_way() -> None:
    label = np.random.default_rng(2).random((2, 9_000)) < np.linspace(0.2, 0.7, 9_000)
    cases = np.ones(9_000)
    expected = [isotonic_regression(each.astype(float)).x for each in label]
    np.testing.assert_allclose(isotonic(cases, label.astype(float)), expected, atol=1e-13)
