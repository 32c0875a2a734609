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
    return [Fraction(sum(least <= p for least in smallest), len(all_changes)) for p in observed]


@pytest.mark.parametrize("votes", [0, 1, 2, 5, 16, 100])
def test_a_p_value_counts_every_outcome_of_the_coins(votes: int) -> None:
    expected = [float(coin(lead, votes)) for lead in range(votes % 2, votes + 1, 2)]
    assert two_sided(votes)[votes % 2 :: 2].tolist() == expected


@given(SIGNS)
@settings(max_examples=60, deadline=None)
def test_all_sign_changes_are_counted_as_by_hand(signs: list[list[int]]) -> None:
    result = run(signs)
    assert result.exact
    assert result.familywise.tolist() == [float(share) for share in slow(signs)]
    assert np.all(result.familywise >= result.pointwise)


def test_datasets_without_a_vote_are_not_counted() -> None:
    signs = [[1, 0, -1]] * 4
    result, padded = run(signs), run(signs + [[0, 0, 0]] * 30)
    assert padded.exact
    assert padded.changes == result.changes == 16
    np.testing.assert_array_equal(padded.familywise, result.familywise)
    assert result.pointwise.tolist() == [0.125, 1.0, 0.125]


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
    result = run(np.ones((100, 3)), resamples=999)
    assert result.familywise.tolist() == [0.001] * 3
    assert result.pointwise.tolist() == [2 * 0.5**100] * 3


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
