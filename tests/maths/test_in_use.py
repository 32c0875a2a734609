"""What a threshold in use costs, against sums of fractions, case by case."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from costcurves.chance.intervals import Errors, height_at, in_use, wilson

Z = 1.6448536269514722
SCORES = [0.1, 0.4, 0.4, 0.9, 0.2, 0.7, 0.4, 0.8, 0.3, 0.6, 0.5, 0.1]
LABELS = [0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1]
WEIGHTS = [1, 2, 3, 1, 1, 2, 1, 1, 2, 1, 3, 1]
CLUSTERS = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def rate(value: int, threshold: float, weights: list[int]) -> Fraction:
    """Add up the mistakes on a class."""
    of = [at for at, label in enumerate(LABELS) if label == value]
    wrong = [weights[at] for at in of if (SCORES[at] >= threshold) != value]
    return Fraction(sum(wrong), sum(weights[at] for at in of))


@pytest.mark.parametrize("weights", [[1] * 12, WEIGHTS])
@pytest.mark.parametrize("threshold", [0.4, 0.45, -np.inf, np.inf])
@pytest.mark.parametrize("pc", [Fraction(0), Fraction(1, 8), Fraction(3, 4), Fraction(1)])
def test_rates_and_costs_are_sums(weights: list[int], threshold: float, pc: Fraction) -> None:
    given: dict[str, Any] = {"scores": SCORES, "labels": LABELS, "weights": weights}
    fp, fn = (rate(value, threshold, weights) for value in (0, 1))
    low, cost, high = height_at(in_use(**given, threshold=threshold), float(pc))
    assert cost == pytest.approx(float(pc * fn + (1 - pc) * fp), abs=1e-15)
    assert -1e-12 <= low <= cost + 1e-12
    assert cost - 1e-12 <= high <= 1 + 1e-12


@pytest.mark.parametrize("pc", [0.0, 0.3, 1.0])
def test_of_cases_that_count_the_same_it_is_the_band_of_decisions(pc: float) -> None:
    found = height_at(in_use(SCORES, LABELS, 0.4), pc)
    fp, fn = (int(6 * rate(value, 0.4, [1] * 12)) for value in (0, 1))
    band = wilson(Errors(fp, 6, fn, 6))
    assert found == pytest.approx((band.lower(pc), band.estimate(pc), band.upper(pc)))


def test_clusters_are_counted_whole_and_weights_by_what_they_say() -> None:
    """The ends of an interval are where its error, of so many cases, is z times the distance."""
    band = in_use(SCORES, LABELS, 0.45, weights=WEIGHTS, clusters=CLUSTERS)
    rates = [height_at(band, pc) for pc in (0.0, 1.0)]
    for value, (low, estimate, high) in enumerate(rates):
        p, sums = rate(value, 0.45, WEIGHTS), [Fraction(0)] * 6
        of = [at for at, label in enumerate(LABELS) if label == value]
        whole = sum(WEIGHTS[at] for at in of)
        for at in of:
            sums[CLUSTERS[at]] += WEIGHTS[at] * (((SCORES[at] >= 0.45) != value) - p)
        units = len({CLUSTERS[at] for at in of})
        error = sum(one**2 for one in sums) * Fraction(units, units - 1) / whole**2
        size = min(
            Fraction(whole**2, sum(WEIGHTS[at] ** 2 for at in of)),
            units * p * (1 - p) / error / (units - 1),
        )
        assert estimate == pytest.approx(float(p))
        for end in (low, high):
            assert (end - estimate) ** 2 == pytest.approx(Z**2 * end * (1 - end) / float(size))
    arms = np.hypot(*(np.diff(one) for one in rates)) / 2
    assert np.diff(height_at(band, 0.5)) == pytest.approx(arms)


def test_a_class_without_two_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="a rate of positives needs two or more"):
        in_use([1, 2, 3], [0, 0, 1], 2)
