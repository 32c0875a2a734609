"""Costs as losses: by hand, at conditions and over distributions of them."""

from typing import Any

import numpy as np
import pytest

import costcurves as cc
from costcurves.curves.priors import Uniform
from tests.api.test_facade import GOOD, Y

DECIDED = GOOD >= 0.5  # wrong: one of nine negatives, one of six positives


def by_hand(threshold: float, pc: float) -> float:
    flagged = threshold <= GOOD
    return float(np.mean(flagged[Y == 0]) * (1 - pc) + np.mean(~flagged[Y == 1]) * pc)


def test_decisions_cost_their_line() -> None:
    assert cc.cost_loss(Y, DECIDED, pc=[0, 1]).tolist() == [1 / 9, 1 / 6]  # type: ignore[union-attr]
    expected = (1 * 3 + 1 * 1) / (6 * 3 + 9 * 1)  # a mistake each, costs 3 and 1
    assert cc.cost_loss(Y, DECIDED, cost_ratio=3) == pytest.approx(expected, rel=1e-14)
    assert cc.cost_loss(Y, DECIDED, cost_fn=3, cost_fp=1) == pytest.approx(4 / 15, rel=1e-14)
    assert cc.cost_loss(Y, GOOD, threshold=0.5, pc=0.3) == cc.cost_loss(Y, DECIDED, pc=0.3)
    assert cc.cost_loss(Y, DECIDED, threshold=0.9, pc=0) == 1 / 9  # decisions need none
    assert cc.cost_loss(Y, DECIDED) == pytest.approx((1 / 9 + 1 / 6) / 2, rel=1e-14)
    over = Uniform(0.5, 1.0)  # as at its middle
    assert cc.cost_loss(Y, DECIDED, over=over) == pytest.approx((1 / 9 + 3 / 6) / 4, rel=1e-14)
    assert cc.cost_loss(Y, DECIDED, pc=0, sample_weight=np.where(GOOD == 0.5, 3, 1)) == 3 / 11


def test_scores_are_trusted_or_chosen_from() -> None:
    places = [0.23, 0.77]
    trusted = [by_hand(1 - pc, pc) for pc in places]
    assert cc.cost_loss(Y, GOOD, pc=places) == pytest.approx(trusted, rel=1e-14)
    best = [min(by_hand(threshold, pc) for threshold in (np.inf, *GOOD)) for pc in places]
    assert cc.cost_loss(Y, GOOD, pc=places, threshold="best") == pytest.approx(best, rel=1e-14)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pc": 0.5, "over": Uniform()}, "expected an operating condition or a distribution"),
        ({"threshold": "0.5"}, "threshold is '0.5', expected 'probability', 'best' or a number"),
        ({"y_score": GOOD - 1}, "probabilit"),
        ({"y_true": GOOD, "y_score": Y}, "are they and what was predicted exchanged"),
        ({"prior": 0.3}, "expected one operating condition"),
        ({"pc": np.nan}, r"PC\(\+\) must be in .0, 1., found nan"),
        ({"y_true": [], "y_score": []}, "y_true has no values"),
        ({"sample_weight": -Y}, "sample_weight at position 2 is -1.0, expected a number, at lea"),
        ({"sample_weight": ["a"] * 15}, "sample_weight holds 'a', expected numbers"),
        ({"over": "uniform"}, "over is 'uniform', expected a distribution of costcu"),
    ],
)
def test_losses_that_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        cc.cost_loss(**{"y_true": Y, "y_score": GOOD, **given})
