"""Maximum statistics on a range of PC(+), and Holm's steps over claims, against slow oracles."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.chance.resampled_bands import Resampled, resampled
from costcurves.chance.resampling import weights
from costcurves.curves.curves import line
from costcurves.many.claims import called
from costcurves.many.evidence import Outcome, flips_on_range, on_range
from costcurves.pairs.paired import differences
from tests.oracle import slow_study as slow


@pytest.fixture(scope="module")
def wobbling() -> Resampled:
    """A curve on nine points."""
    rng = np.random.default_rng(0)
    draws = weights([0, 1] * 60, resamples=999, rng=rng)
    heights = 0.2 + 0.02 * rng.normal(size=(999, 9)).cumsum(axis=1) / 3
    return resampled(line(0.2, 0.2), np.linspace(0, 1, 9), heights, draws, with_trivial=False)


def test_a_narrower_range_has_a_smaller_critical_value(wobbling: Resampled) -> None:
    """At a single condition it is Student's at least."""
    ranges = [(0.5, 0.5), (0.4, 0.6), (0.2, 0.8), (0.0, 1.0)]
    critical = [on_range(wobbling, *range_).critical(0.9)[1] for range_ in ranges]
    assert critical == sorted(critical)
    assert critical[0] < 0.9 * critical[-1]
    part = on_range(wobbling, 0.5, 0.5)
    assert part.places.tolist() == [0.5]
    assert part.wide[0] == pytest.approx(wobbling.spread[4])
    half = wobbling.scalar(lambda curve: curve(0.5)).high - 0.2
    band = part.band(0.9)
    assert min(band.upper(0.5) - 0.2, 0.2 - band.lower(0.5)) >= half - 1e-12


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_bands_and_p_values_agree(wobbling: Resampled, level: float) -> None:
    part = on_range(wobbling, 0.3, 0.6)
    down, up = part.critical(level)
    for critical in (-down, up):
        for factor in (0.99, 1.01):
            assert (part.p_value(critical * factor) <= 1 - level + 1e-9) == (factor > 1)


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.3), (0.2, 0.5), (0.0, 1.0), (0.6, 0.9)])
@pytest.mark.parametrize("sign", [1, -1])
def test_sign_changes_on_a_range_are_those_counted_singly(
    low: float, high: float, sign: int
) -> None:
    negatives = np.array([1, 1, -1, 0, 0]) * sign / 5
    positives = np.array([sign, sign, sign, -1, 0, 0]) / 6
    classes = differences(negatives), differences(positives)
    result = flips_on_range(classes, low, high, 99, np.random.default_rng(0))
    places = np.linspace(low, high, 4001)
    widths = np.hypot((1 - places) * result.spreads[0], places * result.spreads[1])
    signs = np.array([*product((-1, 1), repeat=11)])
    at0, at1 = signs[:, :5] @ np.abs(negatives), signs[:, 5:] @ np.abs(positives)
    heights = (np.outer(at0, 1 - places) + np.outer(at1, places)) / widths
    outcomes = heights.max(axis=1, initial=0)
    for height in np.unique(np.round(outcomes, 4)):
        tail = result.up.p_value(height - 5e-4)
        assert tail == pytest.approx(np.mean(outcomes >= height - 5e-4), abs=1e-9)
    observed = result.highest(result.estimate)
    assert observed.height == pytest.approx((result.estimate(places) / widths).max(), abs=1e-6)
    assert low <= observed.pc <= high


def test_agreeing_everywhere_keeps_the_least_width() -> None:
    same = differences(np.zeros(10))
    result = flips_on_range((same, same), 0, 1, 9, np.random.default_rng(0))
    assert result.spreads == (1 / 10, 1 / 10)
    assert result.p_value(-1.0) > 0.1


# A height of zero supports nothing, and has a p-value of 1 as all heights of zero have.
P_VALUES = st.integers(1, 200).map(lambda n: n / 200)
OUTCOMES = st.builds(Outcome, st.sampled_from([-2.0, 2.0]), P_VALUES) | st.just(Outcome(0.0, 1.0))
CLAIMS = st.lists(st.lists(OUTCOMES, min_size=1, max_size=3), min_size=1, max_size=6)


def slowly(claims: list[list[Outcome]], level: Any) -> list[str]:
    """Holm's steps for both directions, claim by claim, in fractions."""
    result = ["UNDECIDED"] * len(claims)
    for verdict in ("SUPPORTED", "CONTRADICTED"):
        p: list[Any] = [Fraction(1)] * len(claims)
        for place, datasets in enumerate(claims):
            up = [Fraction(str(outcome.p_value)) for outcome in datasets if outcome.height > 0]
            if verdict == "CONTRADICTED" and up:
                p[place] = min(len(datasets) * value for value in up)
            elif verdict == "SUPPORTED" and all(outcome.height < 0 for outcome in datasets):
                p[place] = max(Fraction(str(outcome.p_value)) for outcome in datasets)
        for place, step in enumerate(slow.holm(p, level)):
            if p[place] <= 1 - step:
                result[place] = verdict
    return result


@given(CLAIMS, st.sampled_from([0.5, 0.8, 0.9, 0.99]))
def test_holm_over_claims_is_holm_step_by_step(claims: list[list[Outcome]], level: float) -> None:
    results, error = called(claims, [level] * len(claims)), 1 - Fraction(str(level))
    assert [result.verdict for result in results] == slowly(claims, 1 - error)
    for result in results:
        assert (result.verdict != "UNDECIDED") == (result.p_value <= error + Fraction(1, 10**9))
    left = [result for result in results if result.verdict != "SUPPORTED"]
    for result in left:
        assert 1 - result.partly == pytest.approx(float(error / len(left)))
