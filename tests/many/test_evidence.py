"""Maximum statistics on a range of PC(+), and Holm's steps over claims, against slow oracles."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.chance.resampled_bands import Resampled, resampled
from costcurves.chance.resampling import weights
from costcurves.curves.curves import line
from costcurves.many.on_range import flips_on_range, on_range
from costcurves.many.statements import Held, called
from costcurves.pairs.paired import Tables, differences


def some(seed: int = 0, resamples: int = 999) -> Resampled:
    """A wobbling curve on nine points."""
    rng = np.random.default_rng(seed)
    draws = weights([0, 1] * 60, resamples=resamples, rng=rng)
    grid = np.linspace(0, 1, 9)
    heights = 0.2 + 0.02 * rng.normal(size=(resamples, 9)).cumsum(axis=1) / 3
    return resampled(line(0.2, 0.2), grid, heights, draws, with_trivial=False)


def test_a_narrower_range_has_a_smaller_critical_value() -> None:
    found = some()
    ranges = [(0.5, 0.5), (0.4, 0.6), (0.2, 0.8), (0.0, 1.0)]
    critical = [on_range(found, *range_).chance.critical(0.9)[1] for range_ in ranges]
    assert critical == sorted(critical)
    assert critical[0] < 0.9 * critical[-1]


def test_a_single_condition_has_students_interval_at_least() -> None:
    found = some()
    part = on_range(found, 0.5, 0.5)
    assert part.places.tolist() == [0.5]
    assert part.wide[0] == pytest.approx(found.spread[4])
    half = found.scalar(lambda curve: curve(0.5)).high - 0.2
    band = part.band(0.9)
    assert min(band.upper(0.5) - 0.2, 0.2 - band.lower(0.5)) >= half - 1e-12


def test_all_conditions_are_as_wide_as_the_simultaneous_band() -> None:
    found = some()
    whole = on_range(found, 0, 1)
    assert whole.wide.tolist() == pytest.approx(found.wide.tolist())
    assert whole.chance.either.values.tolist() == pytest.approx(found.largest.values.tolist())


def test_bands_and_p_values_agree() -> None:
    part = on_range(some(), 0.3, 0.6)
    for level in (0.5, 0.8, 0.9, 0.95):
        down, up = part.chance.critical(level)
        for sign, critical in ((-1, down), (1, up)):
            for factor in (0.99, 1.01):
                p = part.chance.p_value(sign * critical * factor)
                assert (p <= 1 - level + 1e-9) == (factor > 1)


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.2), (-0.1, 0.5), (0.5, 1.1)])
def test_ranges_that_are_none_are_refused(low: float, high: float) -> None:
    with pytest.raises(ValueError, match=r"a range of PC\(\+\) is within \[0, 1\]"):
        on_range(some(resamples=9), low, high)


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.3), (0.2, 0.5), (0.0, 1.0), (0.6, 0.9)])
@pytest.mark.parametrize("sign", [1, -1])
def test_sign_changes_on_a_range_are_those_counted_one_by_one(
    low: float, high: float, sign: int
) -> None:
    negatives, positives = [1, 1, -1, 0, 0], [sign, sign, sign, -1, 0, 0]
    classes = (
        differences(np.array(negatives) * sign / 5),
        differences(np.array(positives) / 6),
    )
    found = flips_on_range(classes, low, high, 99, np.random.default_rng(0))
    places = np.linspace(low, high, 4001)
    assert found.spreads is not None
    widths = np.hypot((1 - places) * found.spreads[0], places * found.spreads[1])

    def highest(at0: float, at1: float) -> float:
        return max(float(((at0 * (1 - places) + at1 * places) / widths).max()), 0.0)

    outcomes = [
        highest(
            float(np.dot(signs[:5], np.abs(negatives))) / 5,
            float(np.dot(signs[5:], np.abs(positives))) / 6,
        )
        for signs in product((-1, 1), repeat=11)
    ]
    for height in np.unique(np.round(outcomes, 4)):
        slow = np.mean(np.array(outcomes) >= height - 5e-4)
        tail = found.chance.up.p_value(height - 5e-4)
        assert tail == pytest.approx(slow, abs=1e-9)
    observed = found.highest(found.estimate)
    assert observed.height == pytest.approx(
        float(((found.estimate(places)) / widths).max()), abs=1e-6
    )
    assert low <= observed.pc <= high


def test_agreeing_everywhere_keeps_the_least_width() -> None:
    tables = Tables(np.array([10, 0, 0, 0]), np.array([10, 0, 0, 0]))
    found = flips_on_range(tables.differences(), 0, 1, 9, np.random.default_rng(0))
    assert found.spreads == (1 / 10, 1 / 10)
    assert found.chance.p_value(-1.0) > 0.1


p_values = st.integers(1, 200).map(lambda n: n / 200)
held = st.lists(
    st.builds(Held, st.sampled_from([-2.0, 0.0, 2.0]), p_values), min_size=1, max_size=3
)


def slowly(claims: list[list[Held]], error: Fraction) -> list[str]:
    """Holm's steps for both directions, claim by claim, in fractions."""
    found = ["UNDECIDED"] * len(claims)
    for verdict in ("SUPPORTED", "CONTRADICTED"):
        p = []
        for one in claims:
            up = [Fraction(str(it.p_value)) for it in one if it.height > 0]
            if verdict == "CONTRADICTED":
                p.append(min([len(one) * it for it in up], default=Fraction(1)))
            elif all(it.height < 0 for it in one):
                p.append(max(Fraction(str(it.p_value)) for it in one))
            else:
                p.append(Fraction(1))
        left = list(range(len(claims)))
        while left:
            least = min(left, key=lambda i: p[i])
            if p[least] > error / len(left):
                break
            found[least] = verdict
            left.remove(least)
    return found


@given(st.lists(held, min_size=1, max_size=6), st.sampled_from([0.5, 0.8, 0.9, 0.99]))
def test_holm_over_claims_is_holm_step_by_step(claims: list[list[Held]], level: float) -> None:
    # A height of zero supports nothing, and has a p-value of 1 as all heights of zero have.
    claims = [[it if it.height else it._replace(p_value=1.0) for it in one] for one in claims]
    error = 1 - Fraction(str(level))
    found = called(claims, [level] * len(claims))
    assert [one.verdict for one in found] == slowly(claims, error)
    for one in found:
        assert (one.verdict != "UNDECIDED") == (one.p_value <= error + Fraction(1, 10**9))
    left = [one for one in found if one.verdict != "SUPPORTED"]
    for one in left:
        assert 1 - one.partly == pytest.approx(float(error / len(left)))


@given(st.lists(held, min_size=1, max_size=6))
def test_a_stricter_level_never_decides_more(claims: list[list[Held]]) -> None:
    claims = [[it if it.height else it._replace(p_value=1.0) for it in one] for one in claims]
    loose, strict = (called(claims, [level] * len(claims)) for level in (0.8, 0.95))
    for before, after in zip(loose, strict, strict=True):
        assert after.verdict in (before.verdict, "UNDECIDED")
        assert before.p_value == after.p_value
