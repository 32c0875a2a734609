"""Random numbers, units and weights."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costcurves.chance import resampling
from costcurves.chance.resampling import generator, units, weights

LABELS = np.repeat([1, 0], [30, 20])


@given(st.integers(0, 2**64), st.lists(st.text(max_size=5), max_size=3))
def test_numbers_depend_on_seed_and_names_alone(seed: int, names: list[str]) -> None:
    first = generator(seed, *names).random(3).tolist()
    generator(seed, "something else").random(100)
    assert generator(seed, *names).random(3).tolist() == first
    assert generator(seed + 1, *names).random(3).tolist() != first
    assert generator(seed, *names, "").random(3).tolist() != first


def test_names_are_not_run_together() -> None:
    variants = [("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c"), ("2:ab",), ("ab", "c", "")]
    drawn = {generator(1, *names).random() for names in variants}
    assert len(drawn) == len(variants)


def test_the_numbers_are_these_on_every_machine() -> None:
    assert generator(20061, "sonar", "weights").integers(0, 1000, 5).tolist() == FIRST_NUMBERS


FIRST_NUMBERS = [508, 929, 471, 214, 635]


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


def test_each_class_keeps_its_size_less_one() -> None:
    result = weights(LABELS, 200, np.random.default_rng(0))
    assert result.drawn.shape == (200, 50)
    assert (result.drawn[:, :20].sum(axis=1) == 19).all()
    assert (result.drawn[:, 20:].sum(axis=1) == 29).all()
    assert (result.negatives, result.positives, len(result)) == (20, 30, 200)
    assert (result.drawn == result.drawn.round()).all()


def test_a_class_of_one_is_always_drawn() -> None:
    result = weights([0, 0, 0, 1], 50, np.random.default_rng(0))
    assert (result.drawn[:, 3] == 1).all()


@pytest.mark.parametrize("most", [2000, 500])
def test_the_spread_between_resamples_is_that_of_a_mean(most: int) -> None:
    rng = np.random.default_rng(20061)
    losses = rng.gamma(0.5, size=3000)
    labels = np.repeat([0, 1], [3000, 1])
    result = weights(labels, 4000, rng, most)
    totals = np.bincount(result.unit[:3000], losses, minlength=result.drawn.shape[1] - 1)
    sizes = np.bincount(result.unit[:3000], minlength=result.drawn.shape[1] - 1)
    drawn = result.drawn[:, :-1].astype(float)
    means = (drawn @ totals[: drawn.shape[1]]) / (drawn @ sizes[: drawn.shape[1]])
    expected = losses.std(ddof=1) / math.sqrt(3000)
    # resamples 1 %, groups 1 / sqrt(2 * most)
    assert means.std() == pytest.approx(
        expected, rel=3 * math.hypot(0.011, 1 / math.sqrt(2 * most))
    )


def test_studentizers_have_a_mean_square_of_one() -> None:
    drawn = resampling.studentizers(15, 10**5, np.random.default_rng(0))
    assert (drawn**2).mean() == pytest.approx(1, abs=4 * math.sqrt(2 / 15 / 1e5))
