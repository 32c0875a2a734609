"""What may still be the cheapest: against a grid that looks at every band, place by place."""

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, difference, resampled, student_quantile
from costcurves.chance.resampling import weights
from costcurves.curves.bands import through
from costcurves.curves.curves import Curve, line
from costcurves.pairs.comparisons import Verdict, verdicts
from costcurves.pairs.not_ruled_out import Stretch, critical, not_ruled_out

LEVEL = 0.8
GRID = np.array([0, 0.1, 0.25, 0.4, 0.5, 0.7, 0.85, 1])
PLACES = np.linspace(0.0013, 0.9987, 211)
Found = list[list[Stretch]]
Named = dict[tuple[int, int], list[Verdict]]
Comparison = tuple[dict[int, Resampled], dict[tuple[int, int], Resampled]]


def compared(heights: list[list[float]], noise: float, seed: int = 3) -> Comparison:
    """Models with these heights on the grid, and resamples that scatter together around them."""
    rng = np.random.default_rng(seed)
    draws = weights([0] * 80 + [1] * 30, resamples=150, rng=rng)
    shared = rng.normal(size=(150, len(GRID)))
    own = {}
    for number, height in enumerate(heights):
        scatter = noise * (shared + rng.normal(size=shared.shape)) * GRID * (1 - GRID)
        estimate = through(GRID, height)
        own[number] = resampled(estimate, GRID, np.array(height) + scatter, draws)
    pairs = combinations(own, 2)
    return own, {(a, b): difference(own[a], own[b]) for a, b in pairs}


def stood(found: Found, pc: float) -> list[str]:
    """The standing of each decision at a PC(+)."""
    return [
        next(standing for low, high, standing in stretches if low <= pc <= high)
        for stretches in found
    ]


def limit_of(comparison: Comparison, level: float) -> float:
    """The critical value of costs against constant decisions."""
    own, differences = comparison
    deviations = [
        np.max(
            np.abs(one.values - one.values.mean(axis=0)) / np.where(one.wide > 0, one.wide, np.inf),
            axis=1,
        )
        / one.studentizer
        for one in (*own.values(), *differences.values())
    ]
    limit = Largest.simulated(np.max(deviations, axis=0)).critical(level)
    return max(limit, student_quantile(level, next(iter(own.values())).dof))


def by_hand(own: dict[int, Resampled], pc: float, named: Named, limit: float) -> list[str]:
    """The same at one place, from the heights there and one critical value alone."""
    costs = [*(float(one.estimate(pc)) for one in own.values()), pc, 1 - pc]
    count = len(own)
    out = {count + 1} if pc < 0.5 else {count}
    for (a, b), parts in named.items():
        for part in parts:
            if part.low < pc < part.high and part.finding in ("A cheaper", "B cheaper"):
                out.add(b if part.finding == "A cheaper" else a)
    for a, one in own.items():
        for b in (count, count + 1):
            if abs(costs[a] - costs[b]) > limit * np.interp(pc, one.grid, one.wide):
                out.add(a if costs[a] > costs[b] else b)
    best = min(costs)
    return [
        "cheapest" if cost <= best + 1e-15 else "ruled out" if place in out else "not ruled out"
        for place, cost in enumerate(costs)
    ]


def decided(differences: dict[tuple[int, int], Resampled]) -> Named:
    """The verdicts on all pairs, each at half of the error."""
    found = {pair: one.simultaneous((1 + LEVEL) / 2) for pair, one in differences.items()}
    return {pair: verdicts(band) for pair, band in found.items()}


def height(top: float, tilt: float) -> list[float]:
    """A concave curve from 0 to 0, at most `top`, leaning to one side."""
    raised = 4 * top * GRID * (1 - GRID) * (1 + tilt * (GRID - 0.3))
    return list(np.minimum.reduce([raised, GRID, 1 - GRID]))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.05, 0.4), st.floats(-0.6, 0.6)), min_size=1, max_size=4),
    st.floats(0.01, 0.4),
    st.integers(0, 9),
)
def test_standings_are_those_of_the_bands_at_every_place(
    models: list[tuple[float, float]], noise: float, seed: int
) -> None:
    comparison = compared([height(*one) for one in models], noise, seed)
    own, differences = comparison
    named, limit = decided(differences), limit_of(comparison, LEVEL)
    found = not_ruled_out(
        [one.estimate for one in own.values()], own, [*differences.values()], named, LEVEL
    )
    ends = np.array([part.high for stretches in found for part in stretches])
    for pc in PLACES[np.abs(PLACES[:, np.newaxis] - ends).min(axis=1) > 1e-6]:
        assert stood(found, pc) == by_hand(own, pc, named, limit), pc


def assert_partitions(found: Found) -> None:
    """Each decision stands somehow everywhere, neighbours differ, and there is a cheapest one."""
    for stretches in found:
        assert (stretches[0].low, stretches[-1].high) == (0, 1)
        for one, other in pairwise(stretches):
            assert one.high == other.low
            assert one.standing != other.standing
    for pc in PLACES:
        assert "cheapest" in stood(found, pc)


JUMPS = [
    Curve([0, 0.2, 0.6, 1], [0, 0.3, 0.1], [1, 0.1, 0.2]),
    Curve([0, 0.2, 0.4, 0.6, 1], [0.05, 0.1, 0.3, 0.6], [0.5, 0.4, 0.1, 0]),
    Curve([0, 1], [0.25], [0.125]),
]


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.3])
def test_someone_is_not_ruled_out_everywhere_also_where_curves_jump(noise: float) -> None:
    own, _ = compared([curve(GRID).tolist() for curve in JUMPS], noise)
    own = {place: replace(one, estimate=JUMPS[place]) for place, one in own.items()}
    pairs = {(a, b): difference(own[a], own[b]) for a, b in combinations(own, 2)}
    assert_partitions(not_ruled_out(JUMPS, own, [*pairs.values()], decided(pairs), LEVEL))


def test_whom_a_verdict_calls_more_expensive_is_out_there_and_only_there() -> None:
    own, pairs = compared([height(0.15, 0.2), height(0.17, 0.1), height(0.1, -0.3)], 0.5)
    curves = [one.estimate for one in own.values()]
    before = not_ruled_out(curves, own, [*pairs.values()], {}, LEVEL)
    named = {
        (0, 1): [Verdict(0.0, 0.3, "undecided"), Verdict(0.3, 0.6, "A cheaper")],
        (1, 2): [Verdict(0.2, 0.45, "B cheaper"), Verdict(0.45, 0.8, "equivalent")],
    }
    after = not_ruled_out(curves, own, [*pairs.values()], named, LEVEL)
    assert_partitions(after)
    for pc in PLACES:
        expected = stood(before, pc)
        assert expected[:3] == ["not ruled out", "not ruled out", "cheapest"]
        if 0.2 < pc < 0.6:
            expected[1] = "ruled out"
        assert stood(after, pc) == expected, pc


def test_without_comparisons_only_a_constant_decision_is_out() -> None:
    model = line(0.25, 0.125)
    first, negative, positive = not_ruled_out([model], {}, [], {}, LEVEL)
    assert [part.standing for part in first] == ["not ruled out", "cheapest", "not ruled out"]
    assert [(part.low, part.high) for part in first][1] == pytest.approx((2 / 9, 6 / 7))
    assert [part for part in negative if part.standing == "ruled out"] == [
        Stretch(0.5, 1.0, "ruled out")
    ]
    assert [part for part in positive if part.standing == "ruled out"] == [
        Stretch(0.0, 0.5, "ruled out")
    ]


def test_no_models_leave_the_constant_decisions() -> None:
    halves = Stretch(0.0, 0.5, "cheapest"), Stretch(0.5, 1.0, "ruled out")
    negative, positive = not_ruled_out([], {}, [], {}, LEVEL)
    assert negative == list(halves)
    assert positive == [Stretch(0.0, 0.5, "ruled out"), Stretch(0.5, 1.0, "cheapest")]


def test_equal_models_stand_alike_and_both_are_the_cheapest() -> None:
    own, pairs = compared([height(0.15, 0.2)] * 2, 0.05)
    one = own[0]
    found = not_ruled_out([one.estimate] * 2, own, [*pairs.values()], decided(pairs), LEVEL)
    assert found[0] == found[1]
    assert any(part.standing == "cheapest" for part in found[0])


def test_the_order_of_models_changes_nothing() -> None:
    heights = [height(0.3, 0.2), height(0.12, -0.4), height(0.13, 0.5)]
    own, pairs = compared(heights, 0.06)
    every = [*pairs.values()]
    found = not_ruled_out([own[it].estimate for it in own], own, every, decided(pairs), LEVEL)
    turned = {place: own[2 - place] for place in range(3)}
    others = {(2 - b, 2 - a): difference(own[b], own[a]) for a, b in pairs}
    again = not_ruled_out(
        [turned[it].estimate for it in turned], turned, every, decided(others), LEVEL
    )
    assert [*again[2::-1], *again[3:]] == found


def test_more_confidence_keeps_more_not_ruled_out() -> None:
    own, pairs = compared([height(0.3, 0.2), height(0.12, -0.4)], 0.4)
    models = [one.estimate for one in own.values()]
    every = [*pairs.values()]
    less, more = (not_ruled_out(models, own, every, {}, level) for level in (0.5, 0.95))
    shares = [_share_out(found) for found in (less, more)]
    assert shares[0] > shares[1] > 0


def _share_out(found: Found) -> float:
    parts = [part for stretches in found for part in stretches if part.standing == "ruled out"]
    return sum(part.high - part.low for part in parts)


def test_one_critical_value_is_larger_than_each_alone() -> None:
    own, pairs = compared([height(0.3, 0.2), height(0.12, -0.4), height(0.2, 0)], 0.1)
    everything = [*own.values(), *pairs.values()]
    together = critical(everything, LEVEL)
    assert together > max(one.critical(LEVEL) for one in everything)
    settled = [one.settled() for one in everything]
    assert critical(settled, LEVEL) == together


def test_a_stretch_that_is_a_sliver_puts_nobody_out() -> None:
    step = Curve([0, 0.5, 0.502, 1], [0.45, 0.05, 0.45], [0.45, 0.05, 0.45])
    rng = np.random.default_rng(0)
    draws = weights([0] * 80 + [1] * 30, resamples=150, rng=rng)
    values = np.broadcast_to(0.45 + 0.1 * rng.normal(size=(150, 1)), (150, len(GRID)))
    still: dict[str, Any] = {"grid": GRID, "values": values}
    flat = through(GRID, np.full(len(GRID), 0.45))
    own = {it: resampled(curve, **still, weights=draws) for it, curve in enumerate((step, flat))}
    pairs = {(0, 1): difference(own[0], own[1])}
    found = not_ruled_out([step, flat], own, [*pairs.values()], decided(pairs), LEVEL)
    assert stood(found, 0.501) == ["cheapest", "not ruled out", "ruled out", "not ruled out"]


def test_too_few_resamples_are_refused() -> None:
    own, pairs = compared([height(0.3, 0.2)], 0.1)
    with pytest.raises(ValueError, match="150 resamples are too few"):
        not_ruled_out([own[0].estimate], own, [*pairs.values()], {}, 0.999)
