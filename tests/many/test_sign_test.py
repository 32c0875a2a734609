"""The sign test over datasets, against enumeration in fractions and its symmetries."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.many.sign_test import MOST_EXACT, SignTest, sign_test, two_sided

SIGN = st.sampled_from([-1, 0, 1])
SIGNS = st.integers(1, 5).flatmap(
    lambda columns: st.lists(st.tuples(*[SIGN] * columns), min_size=1, max_size=6)
)


def run(signs: object, resamples: int = 500) -> SignTest:
    return sign_test(np.array(signs), resamples, np.random.default_rng(0))


def coin(lead: int, votes: int) -> Fraction:
    """Chance that a fair coin leads by at least so much, by counting every outcome."""
    ways = sum(comb(votes, k) for k in range(votes + 1) if abs(2 * k - votes) >= lead)
    return Fraction(ways, 2**votes)


def slow(signs: list[tuple[int, ...]]) -> list[Fraction]:
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
def test_all_sign_changes_are_counted_as_by_hand(signs: list[tuple[int, ...]]) -> None:
    """A dataset without a vote is not counted."""
    result, padded = run(signs), run(signs + [(0,) * len(signs[0])] * 30)
    assert result.exact
    assert padded.exact
    assert result.familywise.tolist() == [float(share) for share in slow(signs)]
    assert padded.familywise.tolist() == result.familywise.tolist()
    assert padded.changes == result.changes == 2 ** np.any(signs, axis=1).sum()
    assert np.all(result.familywise >= result.pointwise)


def test_drawn_sign_changes_are_near_the_exact_ones() -> None:
    rng = np.random.default_rng(3)
    signs = np.where(rng.random((MOST_EXACT, 20)) < 0.75, 1, -1)
    exact = run(signs)
    # Another dataset, with a vote in a column of its own, makes it draw.
    more = np.pad(signs, ((0, 1), (0, 1)))
    more[-1, -1] = 1
    drawn = run(more, resamples=20_000)
    assert (exact.exact, drawn.exact, drawn.changes) == (True, False, 20_000)
    np.testing.assert_allclose(drawn.familywise[:-1], exact.familywise, atol=0.012)
    assert drawn.familywise.min() >= 1 / 20_001
    agreed = run(np.ones((100, 3)), resamples=999)
    assert agreed.familywise.tolist() == [0.001] * 3
    assert agreed.pointwise.tolist() == [2 * 0.5**100] * 3
