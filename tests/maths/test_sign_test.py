"""The sign test over datasets, against enumeration in fractions and its symmetries."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.many.sign_test import MOST_EXACT, SignTest, sign_test, two_sided

SIGNS = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.sampled_from([-1, 0, 1]), min_size=columns, max_size=columns),
        min_size=1,
        max_size=6,
    )
)


def run(signs: object, resamples: int = 500, seed: int = 0) -> SignTest:
    return sign_test(np.array(signs), resamples, np.random.default_rng(seed))


def coin(lead: int, votes: int) -> Fraction:
    """Chance that a fair coin leads by at least so much, by counting every outcome."""
    ways = sum(comb(votes, k) for k in range(votes + 1) if abs(2 * k - votes) >= lead)
    return Fraction(ways, 2**votes)


def slow(signs: list[list[int]]) -> list[Fraction]:
    """Every sign change of every dataset, the smallest p-value of each, in fractions."""
    columns = list(zip(*signs, strict=True))

    def p_values(changes: tuple[int, ...]) -> list[Fraction]:
        leads = [abs(sum(c * s for c, s in zip(changes, col, strict=True))) for col in columns]
        votes = [sum(map(abs, column)) for column in columns]
        return [coin(lead, count) for lead, count in zip(leads, votes, strict=True)]

    all_changes = list(product((-1, 1), repeat=len(signs)))
    smallest = [min(p_values(changes)) for changes in all_changes]
    observed = p_values((1,) * len(signs))
    return [Fraction(sum(one <= p for one in smallest), len(all_changes)) for p in observed]


@pytest.mark.parametrize("votes", [0, 1, 2, 5, 16, 100])
def test_a_p_value_counts_every_outcome_of_the_coins(votes: int) -> None:
    expected = [float(coin(lead, votes)) for lead in range(votes % 2, votes + 1, 2)]
    assert two_sided(votes)[votes % 2 :: 2].tolist() == expected


@given(SIGNS)
@settings(max_examples=60, deadline=None)
def test_all_sign_changes_are_counted_as_by_hand(signs: list[list[int]]) -> None:
    found = run(signs)
    assert found.exact
    assert found.familywise.tolist() == [float(share) for share in slow(signs)]
    assert np.all(found.familywise >= found.pointwise)


@given(SIGNS)
@settings(max_examples=40, deadline=None)
def test_swapping_the_models_or_the_datasets_changes_nothing(signs: list[list[int]]) -> None:
    found = run(signs)
    for other in (run(np.negative(signs)), run(signs[::-1])):
        np.testing.assert_array_equal(other.pointwise, found.pointwise)
        np.testing.assert_array_equal(other.familywise, found.familywise)


@given(SIGNS)
@settings(max_examples=40, deadline=None)
def test_an_interval_that_is_cut_in_two_changes_nothing(signs: list[list[int]]) -> None:
    twice = run(np.repeat(signs, 2, axis=1))
    np.testing.assert_array_equal(twice.familywise[::2], run(signs).familywise)


def test_datasets_without_a_vote_are_not_counted() -> None:
    signs = [[1, 0, -1]] * 4
    found, padded = run(signs), run(signs + [[0, 0, 0]] * 30)
    assert padded.exact
    assert padded.changes == found.changes == 16
    np.testing.assert_array_equal(padded.familywise, found.familywise)
    assert found.pointwise.tolist() == [0.125, 1.0, 0.125]


@pytest.mark.parametrize("signs", [[[1]], [[0]], [[1, 0, -1]]])
def test_one_dataset_decides_nothing(signs: list[list[int]]) -> None:
    assert run(signs).pointwise.tolist() == run(signs).familywise.tolist() == [1.0] * len(signs[0])


def test_one_interval_needs_no_correction() -> None:
    signs = [[1]] * 9 + [[-1]] * 2
    assert run(signs).familywise.tolist() == run(signs).pointwise.tolist()


def test_drawn_sign_changes_are_near_the_exact_ones() -> None:
    rng = np.random.default_rng(3)
    signs = np.where(rng.random((MOST_EXACT, 20)) < 0.75, 1, -1)
    exact = run(signs)
    # One more dataset, with its own vote in a column of its own, makes it draw.
    more = np.pad(signs, ((0, 1), (0, 1)))
    more[-1, -1] = 1
    drawn = run(more, resamples=20_000)
    assert exact.exact
    assert not drawn.exact
    assert drawn.changes == 20_000
    np.testing.assert_allclose(drawn.familywise[:-1], exact.familywise, atol=0.012)
    assert drawn.familywise.min() >= 1 / 20_001


def test_a_hundred_datasets_agree_at_every_condition() -> None:
    found = run(np.ones((100, 3)), resamples=999)
    assert found.familywise.tolist() == [0.001] * 3
    assert found.pointwise.tolist() == [2 * 0.5**100] * 3


def test_false_alarms_are_at_most_nominal_over_all_conditions() -> None:
    """Curves that cross often: pointwise 10 % tests would be wrong far more often than in 10 %."""
    rng = np.random.default_rng(11)
    runs, wrong, naive = 300, 0, 0
    for _ in range(runs):
        walk = np.cumsum(rng.normal(size=(10, 30)), axis=1) + rng.normal(size=(10, 1))
        found = run(np.sign(walk))
        wrong += bool((found.familywise <= 0.1).any())
        naive += bool((found.pointwise <= 0.1).any())
    assert wrong / runs <= 0.1 + 3 * (0.1 * 0.9 / runs) ** 0.5
    assert naive / runs > 0.15


@pytest.mark.parametrize(
    ("signs", "message"),
    [
        ([1, 0], "signs must be datasets by columns, found 1 dimensions"),
        ([[1, 2]], "a sign must be -1, 0 or 1, found 2"),
        ([[0.5, 1]], "a sign must be -1, 0 or 1, found 0.5"),
    ],
)
def test_bad_signs_are_refused(signs: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(signs)


def test_no_resamples_are_refused() -> None:
    with pytest.raises(ValueError, match="whole number of at least 1, found 0"):
        run([[1]], resamples=0)
