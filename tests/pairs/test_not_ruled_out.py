"""What is not ruled out as the cheapest: against a grid that looks at every band."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, difference, resampled, student_quantile
from costcurves.chance.resampling import weights
from costcurves.curves.bands import through
from costcurves.curves.curves import Curve, line
from costcurves.pairs.not_ruled_out import OUT, Stretch, critical, standings
from costcurves.pairs.verdicts import Verdict, divided

LEVEL = 0.8
GRID = np.array([0, 0.1, 0.25, 0.4, 0.5, 0.7, 0.85, 1])
PLACES = np.linspace(0.0013, 0.9987, 211)
Stretches = list[list[Stretch]]
Named = dict[tuple[int, int], list[Verdict]]
Models = dict[int, Resampled]
Shapes = list[tuple[float, float]]


def height(top: float, tilt: float) -> list[float]:
    """A concave curve from 0 to 0, at most `top`, leaning to one side."""
    raised = 4 * top * GRID * (1 - GRID) * (1 + tilt * (GRID - 0.3))
    return list(np.minimum.reduce([raised, GRID, 1 - GRID]))


def scattered(heights: Sequence[Sequence[float]], noise: float, seed: int = 3) -> Models:
    """Models with these heights on the grid, and resamples that scatter together around them."""
    rng = np.random.default_rng(seed)
    draws = weights([0] * 80 + [1] * 30, resamples=150, rng=rng)
    shared, models = rng.normal(size=(150, len(GRID))), {}
    for number, at in enumerate(heights):
        scatter = noise * (shared + rng.normal(size=shared.shape)) * GRID * (1 - GRID)
        models[number] = resampled(through(GRID, at), GRID, np.array(at) + scatter, draws)
    return models


def subtracted(models: Models) -> dict[tuple[int, int], Resampled]:
    return {(a, b): difference(models[a], models[b]) for a, b in combinations(models, 2)}


def decided(models: Models) -> Named:
    """The verdicts on all pairs, each at half of the error."""
    level = (1 + LEVEL) / 2
    return {pair: divided(curve.simultaneous(level)) for pair, curve in subtracted(models).items()}


def stand(models: Models, verdicts: Named, level: float = LEVEL) -> Stretches:
    curves, differences = [curve.estimate for curve in models.values()], subtracted(models)
    return standings(curves, models, [*differences.values()], verdicts, level)


def stood(stretches: Stretches, pc: float) -> list[str]:
    """The standing of each decision at a PC(+)."""
    return [
        next(standing for low, high, standing in parts if low <= pc <= high) for parts in stretches
    ]


def by_hand(models: Models, named: Named, places: NDArray[np.float64]) -> list[list[str]]:
    """The same at each place, from the heights there and one critical value alone."""
    each, count, standing = [], len(models), []
    for curve in (*models.values(), *subtracted(models).values()):
        apart = np.abs(curve.values - curve.values.mean(axis=0))
        ratio = apart / np.where(curve.wide > 0, curve.wide, np.inf)
        each.append(ratio.max(axis=1) / curve.studentizer)
    limit = Largest.simulated(np.max(each, axis=0)).critical(LEVEL)
    limit = max(limit, student_quantile(LEVEL, models[0].dof))
    for pc in places:
        costs = [*(float(curve.estimate(pc)) for curve in models.values()), pc, 1 - pc]
        out = {count + 1} if pc < 0.5 else {count}
        for (a, b), parts in named.items():
            for part in parts:
                if part.low < pc < part.high and part.finding in ("A cheaper", "B cheaper"):
                    out.add(b if part.finding == "A cheaper" else a)
        for a, b in product(models, (count, count + 1)):
            wide = np.interp(pc, GRID, models[a].wide)
            if abs(costs[a] - costs[b]) > limit * wide:
                out.add(a if costs[a] > costs[b] else b)
        names = [OUT if place in out else "not ruled out" for place in range(count + 2)]
        cheapest = [cost <= min(costs) + 1e-15 for cost in costs]
        standing.append(np.where(cheapest, "cheapest", names).tolist())
    return standing


def assert_partitions(stretches: Stretches) -> None:
    """Each decision stands somehow everywhere, neighbours differ, and there is a cheapest one."""
    for parts in stretches:
        assert (parts[0].low, parts[-1].high) == (0, 1)
        for part, after in pairwise(parts):
            assert part.high == after.low
            assert part.standing != after.standing
    assert all("cheapest" in stood(stretches, pc) for pc in PLACES)


tilts = st.floats(-0.6, 0.6).map(lambda tilt: round(tilt, 9))
JUMPS = [
    Curve([0, 0.2, 0.6, 1], [0, 0.3, 0.1], [1, 0.1, 0.2]),
    Curve([0, 0.2, 0.4, 0.6, 1], [0.05, 0.1, 0.3, 0.6], [0.5, 0.4, 0.1, 0]),
    Curve([0, 1], [0.25], [0.125]),
]


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(0.05, 0.4), tilts), min_size=1, max_size=4),
    st.just(0.0) | st.floats(0.01, 0.4),
    st.integers(0, 9),
    st.booleans(),
)
def test_standings_are_of_the_bands(heights: Shapes, noise: float, seed: int, jump: bool) -> None:
    models = scattered([height(*shape) for shape in heights], noise, seed)
    if jump:  # by hand there would be slivers
        each = zip(models.items(), JUMPS, strict=False)
        models = {at: replace(model, estimate=curve) for (at, model), curve in each}
        assert_partitions(stand(models, decided(models)))
        return
    named, count = decided(models), len(models)
    stretches = stand(models, named)
    assert_partitions(stretches)
    ends = np.array([part.high for parts in stretches for part in parts])
    places = PLACES[np.abs(PLACES[:, np.newaxis] - ends).min(axis=1) > 1e-6]
    assert [stood(stretches, pc) for pc in places] == by_hand(models, named, places)
    turned = {place: models[count - 1 - place] for place in models}  # their order changes nothing
    again = stand(turned, decided(turned))
    assert [*again[:count][::-1], *again[count:]] == stretches


def test_without_comparisons_only_a_constant_decision_is_ruled_out() -> None:
    halves = [Stretch(0.0, 0.5, "cheapest"), Stretch(0.5, 1.0, OUT)]
    turned = [Stretch(0.0, 0.5, OUT), Stretch(0.5, 1.0, "cheapest")]
    assert standings([], {}, [], {}, LEVEL) == [halves, turned]
    first, negative, positive = standings([line(0.25, 0.125)], {}, [], {}, LEVEL)
    assert [part.standing for part in first] == ["not ruled out", "cheapest", "not ruled out"]
    assert first[1][:2] == pytest.approx((2 / 9, 6 / 7))
    assert (negative[-1], positive[0]) == (halves[1], turned[0])
    assert OUT not in [part.standing for part in (*negative[:-1], *positive[1:])]


def test_one_critical_value_is_larger_than_each_alone() -> None:
    models = scattered([height(0.3, 0.2), height(0.12, -0.4), height(0.2, 0)], 0.1)
    curves = [*models.values(), *subtracted(models).values()]
    together = critical(curves, LEVEL)
    assert together > max(curve.critical(LEVEL) for curve in curves)
    assert critical([curve.settled() for curve in curves], LEVEL) == together
    with pytest.raises(ValueError, match="150 resamples are too few"):
        stand(models, {}, 0.999)


def test_a_stretch_that_is_a_sliver_rules_nothing_out() -> None:
    step = Curve([0, 0.5, 0.502, 1], [0.45, 0.05, 0.45], [0.45, 0.05, 0.45])
    rng = np.random.default_rng(0)
    draws = weights([0] * 80 + [1] * 30, resamples=150, rng=rng)
    values = np.tile(0.45 + 0.1 * rng.normal(size=(150, 1)), len(GRID))
    models = {
        at: resampled(by, GRID, values, draws) for at, by in enumerate((step, line(0.45, 0.45)))
    }
    stretches = stand(models, decided(models))
    assert stood(stretches, 0.501) == ["cheapest", "not ruled out", OUT, "not ruled out"]
