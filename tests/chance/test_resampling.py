"""Random numbers, units, weights, and the error of a share; places that are one in roundings."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import costcurves as cc
from costcurves.chance import resampling
from costcurves.chance.resampling import generator, units, weights
from costcurves.curves.curves import EQUAL_BREAKS


def test_numbers_depend_on_seed_and_names_and_are_these_on_every_machine() -> None:
    variants = [("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c"), ("2:ab",), ("ab", "c", "")]
    assert len({generator(1, *names).random() for names in variants}) == len(variants)
    for seed, same in ((20061, True), (20062, False)):
        numbers = generator(seed, "sonar", "weights").integers(0, 1000, 5)
        assert (numbers.tolist() == [508, 929, 471, 214, 635]) == same


@given(st.lists(st.integers(0, 1), min_size=2, max_size=50), st.integers(1, 60))
def test_units_part_the_classes_evenly(labels: list[int], most: int) -> None:
    label = np.array(labels)
    assume(len(set(labels)) == 2)
    unit = units(label, np.random.default_rng(0), most)
    for value in (0, 1):
        sizes = np.bincount(unit[label == value])
        sizes = sizes[sizes > 0]
        assert len(sizes) == min(most, np.count_nonzero(label == value))
        assert sizes.max() - sizes.min() <= 1
    assert set(unit[label == 0]).isdisjoint(unit[label == 1])
    assert sorted(set(unit.tolist())) == list(range(len(set(unit.tolist()))))


@pytest.mark.parametrize(("negatives", "positives"), [(20, 30), (3, 1)])
def test_each_class_keeps_its_size_less_one_or_one(negatives: int, positives: int) -> None:
    labels = np.repeat([1, 0], [positives, negatives])
    result = weights(labels, 200, np.random.default_rng(0))
    assert result.drawn.shape == (200, negatives + positives)
    assert (result.drawn[:, :negatives].sum(axis=1) == negatives - 1).all()
    assert (result.drawn[:, negatives:].sum(axis=1) == max(positives - 1, 1)).all()
    assert (result.negatives, result.positives, len(result)) == (negatives, positives, 200)
    assert (result.drawn == result.drawn.round()).all()


@pytest.mark.parametrize("most", [2000, 500])
def test_the_spread_between_resamples_is_that_of_a_mean(most: int) -> None:
    rng = np.random.default_rng(20061)
    losses = rng.gamma(0.5, size=3000)
    result = weights(np.repeat([0, 1], [3000, 1]), 4000, rng, most)
    drawn = result.drawn[:, :most].astype(float)
    sums, sizes = (np.bincount(result.unit[:3000], each) for each in (losses, np.ones(3000)))
    means = (drawn @ sums) / (drawn @ sizes)
    expected = losses.std(ddof=1) / math.sqrt(3000)
    close = 3 * math.hypot(0.011, 1 / math.sqrt(2 * most))  # resamples 1 %, and groups
    assert means.std() == pytest.approx(expected, rel=close)


def test_studentizers_have_a_mean_square_of_one() -> None:
    drawn = resampling.studentizers(15, 10**5, np.random.default_rng(0))
    assert (drawn**2).mean() == pytest.approx(1, abs=4 * math.sqrt(2 / 15 / 1e5))


def test_the_error_of_a_prior_is_that_of_log_odds() -> None:
    """Of cases, of cases that stand for several, and of clusters with both classes."""
    label, cases = np.repeat([0, 1], [60, 40]), np.arange(100) % 3 + 1.0
    shares = [cases * (label == value) / cases[label == value].sum() for value in (0, 1)]
    given: list[tuple[dict[str, Any], float]] = [
        ({}, (1 / 60 + 1 / 40) ** 0.5),
        ({"costs": cases, "cases": cases}, float(np.square(shares).sum() ** 0.5)),
        ({"clusters": np.arange(100) % 20}, 0),  # each has three of one and two of the other
    ]
    for keys, odds in given:
        assert weights(label, 2, np.random.default_rng(0), **keys).odds == pytest.approx(odds)


@pytest.mark.parametrize(("cases", "positives"), [(300, 100), (90, 30), (100, 50)])
def test_what_excludes_zero_is_not_undecided(cases: int, positives: int) -> None:
    """With one positive in three 1:5 is PC(+) = 1/11, where curves break in another rounding."""
    labels = (np.arange(cases) < positives).astype(int)
    folds = np.arange(cases) % 5
    for seed in range(4):
        rng = np.random.default_rng([seed, cases])
        models = {name: rng.normal(size=cases) + by * labels for name, by in (("a", 3), ("b", 1))}
        result = cc.compare_models(labels, models, folds=folds, n_resamples=200)
        grid = result._tables.resamples.grid
        assert (np.diff(grid) > EQUAL_BREAKS).all()
        rows = result.verdicts
        apart = rows["low"].gt(1e-9) | rows["high"].lt(-1e-9)  # a root is 0 but for rounding
        assert not (apart & rows["finding"].eq("undecided") & rows["reason"].eq("")).any()
