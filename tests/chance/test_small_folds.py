"""What criteria cost and cost more: spreads that don't fall at the ends, and small folds."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from costcurves.chance.resampled_bands import Resampled, resampled
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampled_rules import FEW, OfFolds, on_small_folds, regret, stretched
from costcurves.chance.resampling import weights
from costcurves.choosing.rules import RULES, Setting
from costcurves.curves.bands import through
from costcurves.settings import Selection

GRID = np.array([0, 0.2, 0.7, 1])
LABELS = np.repeat([0, 1, 0, 1], [6, 3, 7, 5])
DRAWS = weights(LABELS, 80, np.random.default_rng(8))
RULE = partial(RULES["rate-fixed"].heights, setting=Setting(Selection(rate=0.3)))
PREDICTED = Predicted(
    np.arange(21),
    LABELS,
    np.random.default_rng(3).normal(size=21) + LABELS,
    np.repeat([0, 1], [9, 12]),
)


def of(seed: int, spread: list[float]) -> Resampled:
    values = 0.5 + 0.1 * np.random.default_rng(seed).normal(size=(80, 4)) * spread
    return resampled(through(GRID, values.mean(axis=0)), GRID, values, DRAWS, with_trivial=False)


def test_the_spread_of_a_regret_is_nowhere_below_the_largest_of_its_resamples() -> None:
    a, b = of(1, [3, 2, 1, 0.5]), of(2, [0, 1, 1, 0])
    result = regret(a, b)
    assert result.spread.argmax() == 0
    assert (result.wide == np.maximum(result.narrow, result.spread[0])).all()
    assert result.values.tolist() == (a.values - b.values).tolist()
    ends = result.pointwise(0.8)  # at each PC(+) by itself it is as certain as its resamples say
    assert ends.upper(1.0) - ends.lower(1.0) < 0.5 * (ends.upper(0.0) - ends.lower(0.0))


def test_folds_are_looked_at_where_one_has_few_of_a_class_and_its_repeat_others() -> None:
    labels, folds = np.repeat([0, 1, 0, 1], [FEW, FEW, FEW + 1, FEW]), np.repeat([0, 1], [10, 11])
    many = replace(PREDICTED, label=labels, curve=folds)
    for predicted, repeats, looked in (
        (PREDICTED, [0, 0], True),
        (PREDICTED, [0, 1], False),
        (many, [0, 0], False),
    ):
        result = on_small_folds(RULE, predicted, repeats, DRAWS, GRID)
        assert (result is not None) == looked


def test_resamples_are_stretched_to_what_folds_spread_and_never_drawn_together() -> None:
    result = of(5, [0.2, 1, 0, 2])
    apart = np.array([[0.9, 0.5, 0.6, 0.5], [0.1, 0.5, 0.2, 0.5], [0.5, 0.5, 0.1, 0.5]])
    after = stretched(result, OfFolds(apart, np.array([0, 0, 0])))
    error = [0.4 / 3**0.5, 0, 0.07**0.5 / 3**0.5, 0]
    assert after.spread == pytest.approx(np.maximum(result.spread, error))
    drawn = [0, 1, 3]
    np.testing.assert_allclose(np.std(after.values, axis=0, ddof=1)[drawn], after.spread[drawn])
    np.testing.assert_allclose(after.values.mean(axis=0), result.values.mean(axis=0))
    assert after.values[:, 1:].tolist() == result.values[:, 1:].tolist()
    assert stretched(result, None) is result
