"""Keys in the order of scores: exact and invertible, whatever the range of the scores."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from costcurves.counts.ordered_integers import ByRank, order_of
from costcurves.tables.codes import BLOCK
from tests.oracle.rankings import HARD_SCORES, hard_scores

some_scores = st.lists(hard_scores, min_size=1, max_size=12)


@given(some_scores)
@example(HARD_SCORES)
@example([0.0])
@example([-0.0, 0.0])
@example([math.ulp(0.0), -math.ulp(0.0)])
@example([1.7976931348623157e308, -1.7976931348623157e308, 0.0])
@example([1.7976931348623157e308, 2.0**-1022, 2.0**-1023])
def test_keys_have_the_order_and_the_ties_of_the_scores(drawn: list[float]) -> None:
    scores = -np.sort(-np.array(drawn))
    labels = np.arange(len(scores), dtype=np.uint8) % 2
    order, keys = order_of(scores), np.empty(len(scores), np.int64)
    order.keys(scores, labels, out=keys)
    for (s, t), (i, j) in zip(pairwise(scores), pairwise((keys >> 1).tolist()), strict=True):
        assert (s > t) == (i < j)
        assert (s == t) == (i == j)
    assert (keys & 1).tolist() == labels.tolist()
    back = order.scores(keys)
    assert np.shares_memory(back, keys)
    assert back.tolist() == (scores + 0.0).tolist()
    assert not np.signbit(back[back == 0]).any()


@pytest.mark.parametrize("place", [0, BLOCK, BLOCK + 1])
def test_what_underflows_or_is_not_finite_is_seen_in_any_block(place: int) -> None:
    for wrong in (math.nan, math.inf, -math.inf):
        scores = np.zeros(BLOCK + 2)
        scores[place] = wrong
        with pytest.raises(ValueError, match=rf"score at index {place} is {wrong}, .*\(1 of 32770"):
            order_of(scores)
    scores = np.full(BLOCK + 2, 4.0)
    scores[place] = 5e-324
    order = order_of(scores)
    assert isinstance(order, ByRank)
    assert order.distinct.tolist() == [5e-324, 4.0]
