"""Bands of resampled curves and differences: what they contain, and the degenerate cases."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance import resampled_bands as rb
from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import Resampled, difference, resampled
from costcurves.chance.resampled_curves import Predicted, envelopes_at, evaluation_grid
from costcurves.chance.resampling import Weights, weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, line, mean, trivial
from costcurves.curves.envelopes import lower_envelopes
from costcurves.pairs.verdicts import divided, projected_instances

LABELS = np.repeat([1, 0], [40, 60])
PLACES = np.linspace(0, 1, 401)
END = np.array([0, 0.25, 0.5, 0.75, 1])

FloatArray = NDArray[np.float64]
Two = tuple[float, float]  # of the negatives, of the positives


def draws(labels: NDArray[np.int64] = LABELS, resamples: int = 400, seed: int = 1) -> Weights:
    return weights(labels, resamples, np.random.default_rng(seed))


def model(scores: FloatArray, drawn: Weights, labels: NDArray[np.int64] = LABELS) -> Resampled:
    rows = Predicted(np.arange(len(labels)), labels, scores, np.zeros_like(labels))
    points = from_scores(scores=scores, labels=labels)
    estimate, grid = mean([each.curve for each in lower_envelopes(points)]), evaluation_grid([])
    return resampled(estimate, grid, envelopes_at(rows, drawn, grid), drawn)


def two_models(shift: float = 1.0) -> tuple[Resampled, Resampled]:
    a, b = np.random.default_rng(7).normal(size=(2, 100)) + np.outer([1.0, shift], LABELS)
    return model(a, draws()), model(b, draws())


def against_none(estimate: Curve, values: FloatArray, drawn: Weights) -> Resampled:
    """A difference with such heights at `END` in resamples."""
    none = resampled(line(0, 0), END, 0 * values, drawn)
    return difference(resampled(estimate, END, values, drawn), none)


def findings(curve: Resampled, level: float = 0.9) -> list[str]:
    return [part.finding for part in divided(curve.simultaneous(level))]


def test_bands_contain_the_estimate_and_each_other_and_stay_where_curves_can_be() -> None:
    a, b = two_models()
    for curve in (a, difference(a, b)):
        point, whole = curve.pointwise(), curve.simultaneous()
        for band in (point, whole):
            assert (band.lower(PLACES) <= curve.estimate(PLACES) + 1e-15).all()
            assert (band.upper(PLACES) >= curve.estimate(PLACES) - 1e-15).all()
        assert (whole.lower(PLACES) <= point.lower(PLACES) + 1e-12).all()
        assert (whole.upper(PLACES) >= point.upper(PLACES) - 1e-12).all()
    for band in (a.pointwise(), a.simultaneous()):
        assert (band.lower(PLACES) >= 0).all()
        assert (band.upper(PLACES) <= trivial()(PLACES) + 1e-15).all()


@pytest.mark.parametrize("sizes", [(1, 1), (1, 30), (30, 1), (2, 2), (40, 60)])
def test_one_case_decides_nothing_and_no_errors_leave_a_width(sizes: tuple[int, int]) -> None:
    labels, inside = np.repeat([1, 0], sizes), PLACES[1:-1]
    perfect, worst = (model(sign * labels, draws(labels), labels) for sign in (1.0, -1.0))
    pair = difference(perfect, worst)
    assert (pair.p_value > 0.1) == (sizes != (40, 60))
    assert (findings(pair) == ["undecided"]) == (sizes != (40, 60))
    for band in (pair.pointwise(), pair.simultaneous(), perfect.simultaneous(), worst.pointwise()):
        assert np.isfinite([band.lower(PLACES), band.upper(PLACES)]).all()
    assert not perfect.values.any()
    assert (perfect.pointwise().upper(inside) > 0).all()
    assert not perfect.pointwise().lower(inside).any()
    assert perfect.scalar(Curve.area).high > 0


def test_nothing_is_significant_through_zero_variance() -> None:
    pair = against_none(line(-0.3, -0.2), np.full((400, 5), -0.25), draws(np.array([0, 0, 1, 1])))
    assert not pair.spread.any()
    assert pair.height <= np.sqrt(pair.dof) + 1e-12
    assert findings(pair) == ["undecided"]


@pytest.mark.parametrize("mistakes", [0.5, 1.0, -0.25])
def test_a_mistake_or_less_at_an_end_decides_nothing(mistakes: float) -> None:
    """Half a false positive in 8,930 had a band of 15 % of it, p < .001 and 210 instances."""
    negatives, count = 8930, 8930 + 449
    drawn = draws((np.arange(count) >= negatives).astype(int), 200, seed=5)
    noise = np.random.default_rng(6).normal(0, 0.02, (200, 5)) * END * (1 - END)
    a, b = line(0.001 + mistakes / negatives, 0.4), line(0.001, 0.4)
    pair = difference(
        resampled(a, END, a(END) + noise, drawn), resampled(b, END, b(END) + 0 * noise, drawn)
    )
    for band in (pair.pointwise(), pair.simultaneous()):
        assert band.lower(0.0) < (mistakes - 1.6) / negatives
        assert band.upper(0.0) > (mistakes + 1.6) / negatives
    assert pair.p_value > 0.1
    assert projected_instances(pair, count) > count
    assert findings(pair) == ["undecided"]


mistakes = st.floats(-60, 60)
instances = st.integers(61, 5000)


@given(st.tuples(mistakes, mistakes), st.tuples(instances, instances), st.integers(1, 10))
def test_k_mistakes_have_the_error_of_their_root(ks: Two, sizes: Two, repeats: int) -> None:
    curve = line(ks[0] / sizes[0], ks[1] / sizes[1])
    floor = rb.events_of(curve, END, rb.Sizes(*sizes, repeats))
    for end, k, size in zip((0, -1), ks, sizes, strict=True):
        assert floor[end] * size == pytest.approx(np.sqrt(max(abs(k) / repeats - k**2 / size, 1)))
    assert floor == pytest.approx(np.hypot((1 - END) * floor[0], END * floor[-1]))


@pytest.mark.parametrize("k", [1, 2, 5, 11])
def test_no_data_with_so_many_mistakes_have_a_smaller_variance(k: int) -> None:
    """Of all ways in which two models can differ by k of 20, in exact numbers."""
    errors = []
    for more in range(k, (20 + k) // 2 + 1):
        x = np.repeat([1, -1, 0], [more, more - k, 20 + k - 2 * more])
        errors.append(np.sqrt(x.var() / 20))
    floor = rb.events_of(line(k / 20, 0), END[[0, -1]], rb.Sizes(20, 1000))[0]
    assert floor == pytest.approx(max(min(errors), 1 / 20))


def test_verdict_p_value_and_projection_agree_on_generated_data() -> None:
    """Differences that jump, with slivers, spikes and ends of few mistakes."""
    rng, drawn = np.random.default_rng(11), draws(np.repeat([0, 1], [300, 60]), 99, seed=3)
    seen = set()
    for _ in range(60):
        spike = rng.uniform(0.1, 0.9)
        places = np.unique([0, 1, spike, spike + 0.0005, *rng.beta(0.5, 0.5, 30)])
        heights = rng.normal(0, 0.05, (2, len(places) - 1)) * rng.choice([0.1, 0.4, 1])
        heights[:, places[:-1] == spike] = rng.choice([0, 0.2])
        curve = Curve(places, *heights)
        values = rng.normal(0, 0.03, (99, 1)) * np.sqrt(END * (1 - END))
        pair = against_none(curve, curve(END) + values, drawn)
        parts = divided(pair.simultaneous(0.8))
        decided = any(part.finding != "undecided" for part in parts)
        assert decided == (pair.p_value <= 0.2 + 1e-9)
        assert decided == (projected_instances(pair, 360, 0.8) <= 360)
        seen.add((decided, any(part.sliver for part in parts)))
    assert len(seen) == 4


def test_numbers_that_are_linear_in_the_curve_and_its_largest_height() -> None:
    pair = difference(*two_models(1.4))
    area, height = pair.scalar(Curve.area), pair.scalar(lambda curve: curve(0.5))
    assert area.estimate == pair.estimate.area()
    assert area.high - area.estimate == pytest.approx(area.estimate - area.low)
    band = pair.pointwise()
    ends = band.lower(0.5), pair.estimate(0.5), band.upper(0.5)
    assert height == pytest.approx(ends, abs=1e-12)
    grid = np.array([0, 0.2, 0.5, 1])
    assert rb.weights_of(Curve.area, grid.tobytes()) == pytest.approx([0.1, 0.25, 0.4, 0.25])
    assert rb.weights_of(lambda curve: curve(0.35), grid.tobytes()) == pytest.approx(
        [0, 0.5, 0.5, 0]
    )
    places = np.linspace(0, 1, 20001)
    wide = np.interp(places, pair.grid, pair.wide)
    ratio = np.abs(pair.estimate(places)) / np.where(wide > 0, wide, 1)
    assert ratio.max() <= pair.height == pytest.approx(ratio.max(), rel=1e-3)


@pytest.mark.parametrize("with_trivial", [True, False])
def test_a_mean_of_costs_has_an_interval_of_what_a_mean_can_be(with_trivial: bool) -> None:
    """Of a model without mistakes, and of one that could not do worse."""
    most = trivial() if with_trivial else line(1, 1)
    for curve in (line(0, 0), most):
        heights, drawn = np.tile(curve(END), (50, 1)), draws(np.array([0, 0, 0, 1, 1]), 50)
        part = resampled(curve, END, heights, drawn, with_trivial)
        low, estimate, high = replace(part, bounds=None).scalar(Curve.area, 0.8)
        assert low < 0 or high > most.area()
        assert part.scalar(Curve.area, 0.8) == (max(low, 0), estimate, min(high, most.area()))


def test_the_height_around_points_is_nowhere_too_low() -> None:
    curve = Curve([0, 0.11, 0.12, 0.6, 1], [0, 5, 0, -2], [0, 5, 1, 0])
    around = np.interp(PLACES, END, rb.largest_around(curve, END))
    assert (around >= np.abs(curve(PLACES)) - 1e-12).all()


def test_other_draws_are_unpaired_and_too_few_have_no_band() -> None:
    scores = np.arange(100.0)
    for other in (draws(seed=2), draws(resamples=10)):
        with pytest.raises(ValueError, match="unpaired: A and B were resampled with other draws"):
            difference(model(scores, draws()), model(scores, other))
    alone = model(scores, draws(resamples=1))
    assert not alone.spread.any()
    with pytest.raises(ValueError, match=r"1 resamples are too few for a level of 0\.9: 9 are"):
        alone.simultaneous()
    assert model(scores, draws(resamples=9)).simultaneous(0.9).level == 0.9


def test_critical_values_and_p_values_agree_with_counting() -> None:
    values = np.random.default_rng(0).integers(0, 30, 199).astype(float)
    largest = Largest.simulated(values)
    for height in (*np.unique(values), 17.5, -1, 40):
        p = (1 + np.count_nonzero(values >= height)) / 200
        assert largest.p_value(height) == pytest.approx(p)
        assert (height > largest.critical(0.9)) == (p <= 0.1 + 1e-12)
    # Exact chances with ties.
    largest = Largest.exact(np.array([2, 1, 2 * (1 + 1e-12), 0.0]), np.array([0.1, 0.5, 0.1, 0.3]))
    assert largest.values.tolist() == [0, 1, 2]
    assert largest.tail == pytest.approx([1, 0.7, 0.2])
    assert [largest.p_value(height) for height in (2, 3)] == pytest.approx([0.2, 0])
    critical = [largest.critical(level) for level in (0.8, 0.81)]
    assert critical == pytest.approx([1, 2], rel=1e-8)
