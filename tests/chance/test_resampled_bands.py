"""Bands of resampled curves and differences: what they contain, and the degenerate cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.chance import resampled_curves as rc
from costcurves.chance.largest import Largest
from costcurves.chance.resampled_bands import (
    Resampled,
    Sizes,
    difference,
    events_of,
    largest_around,
    resampled,
    weights_of,
)
from costcurves.chance.resampling import Weights, weights
from costcurves.counts.operating_points import from_scores
from costcurves.curves.curves import Curve, line, mean, trivial
from costcurves.curves.envelopes import lower_envelopes
from costcurves.pairs.verdicts import divided, projected_instances

LABELS = np.repeat([1, 0], [40, 60])
PLACES = np.linspace(0, 1, 401)

FloatArray = NDArray[np.float64]


def draws(labels: NDArray[np.int64] = LABELS, resamples: int = 400) -> Weights:
    return weights(labels, resamples, np.random.default_rng(20061))


def model(
    scores: FloatArray, drawn: Weights, labels: NDArray[np.int64] = LABELS, repeats: int = 1
) -> Resampled:
    instances, curve = np.arange(len(labels)), np.repeat(np.arange(repeats), len(labels))
    rows = rc.Predicted(np.tile(instances, repeats), np.tile(labels, repeats), scores, curve)
    points = from_scores(scores=rows.score, labels=rows.label, groups=rows.curve)
    estimate = mean([envelope.curve for envelope in lower_envelopes(points)])
    grid = rc.evaluation_grid([])
    return resampled(estimate, grid, rc.envelopes_at(rows, drawn, grid), drawn)


def two_models(shift: float = 1.0) -> tuple[Resampled, Resampled]:
    rng = np.random.default_rng(7)
    drawn = draws()
    a, b = rng.normal(size=(2, 100)) + np.array([[1.0], [shift]]) * LABELS
    return model(a, drawn), model(b, drawn)


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


def test_the_p_value_is_where_verdicts_begin_and_of_the_largest_height() -> None:
    pair = difference(*two_models(1.4))
    assert 0.01 < pair.p_value < 0.3
    assert "B cheaper" in findings(pair, 1 - pair.p_value - 1e-4)
    assert "B cheaper" not in findings(pair, 1 - pair.p_value + 1e-4)
    places = np.linspace(0, 1, 20001)
    wide = np.interp(places, pair.grid, pair.wide)
    ratio = np.abs(pair.estimate(places)) / np.where(wide > 0, wide, 1)
    assert pair.height == pytest.approx(ratio.max(), rel=1e-3)
    assert pair.height >= ratio.max()


@pytest.mark.parametrize("sizes", [(1, 1), (1, 30), (30, 1), (2, 2), (40, 60)])
def test_one_positive_or_negative_decides_nothing_and_no_errors_leave_a_width(
    sizes: tuple[int, int],
) -> None:
    labels, inside = np.repeat([1, 0], sizes), PLACES[1:-1]
    drawn = draws(labels)
    perfect, worst = model(labels * 1.0, drawn, labels), model(-labels * 1.0, drawn, labels)
    pair = difference(perfect, worst)
    assert (pair.p_value > 0.1) == (sizes != (40, 60))
    assert (findings(pair) == ["undecided"]) == (sizes != (40, 60))
    for band in (pair.pointwise(), pair.simultaneous(), perfect.simultaneous(), worst.pointwise()):
        assert np.isfinite(band.lower(PLACES)).all()
        assert np.isfinite(band.upper(PLACES)).all()
    assert not perfect.values.any()
    assert (perfect.pointwise().upper(inside) > 0).all()
    assert not perfect.pointwise().lower(inside).any()
    assert perfect.scalar(Curve.area).high > 0


def test_nothing_is_significant_through_zero_variance() -> None:
    drawn = draws(np.array([0, 0, 1, 1]))
    grid = np.array([0, 0.5, 1])
    constant = resampled(line(0.1, 0.2), grid, np.full((400, 3), 0.15), drawn, with_trivial=False)
    pair = difference(constant, resampled(line(0.4, 0.4), grid, np.full((400, 3), 0.4), drawn))
    assert not pair.spread.any()
    assert pair.height <= np.sqrt(pair.dof) + 1e-12
    assert findings(pair) == ["undecided"]


NEGATIVES, POSITIVES = 8930, 449
END = np.array([0, 0.25, 0.5, 0.75, 1])


@pytest.mark.parametrize("mistakes", [0.5, 1.0, -0.25])
def test_a_mistake_or_less_at_an_end_decides_nothing(mistakes: float) -> None:
    """Half a false positive in 8,930 had a band of 15 % of it, p < .001 and 210 instances."""
    labels = np.repeat([0, 1], [NEGATIVES, POSITIVES])
    drawn = weights(labels, 200, np.random.default_rng(5))
    noise = np.random.default_rng(6).normal(0, 0.02, (200, 5)) * END * (1 - END)
    a, b = line(0.001 + mistakes / NEGATIVES, 0.4), line(0.001, 0.4)
    pair = difference(
        resampled(a, END, a(END) + noise, drawn), resampled(b, END, b(END) + 0 * noise, drawn)
    )
    for band in (pair.pointwise(), pair.simultaneous()):
        assert band.lower(0.0) < (mistakes - 1.6) / NEGATIVES
        assert band.upper(0.0) > (mistakes + 1.6) / NEGATIVES
    count = NEGATIVES + POSITIVES
    assert pair.p_value > 0.1
    assert projected_instances(pair, count) > count
    assert findings(pair) == ["undecided"]


mistakes = st.floats(-60, 60)


@given(mistakes, mistakes, st.integers(61, 5000), st.integers(61, 500), st.integers(1, 10))
def test_k_mistakes_have_a_standard_error_of_their_root(
    false_positives: float, false_negatives: float, negatives: int, positives: int, repeats: int
) -> None:
    curve = line(false_positives / negatives, false_negatives / positives)
    floor = events_of(curve, END, Sizes(negatives, positives, repeats))
    for end, k, size in ((0, false_positives, negatives), (-1, false_negatives, positives)):
        assert floor[end] * size == pytest.approx(np.sqrt(max(abs(k) / repeats - k**2 / size, 1)))
    assert floor == pytest.approx(np.hypot((1 - END) * floor[0], END * floor[-1]))


@pytest.mark.parametrize("k", [1, 2, 5, 11])
def test_no_data_with_so_many_mistakes_have_a_smaller_variance(k: int) -> None:
    """Of all ways in which two models can differ by k of 20, in exact numbers."""
    size, errors = 20, []
    for more in range(k, (size + k) // 2 + 1):
        fewer = more - k
        x = np.repeat([1, -1, 0], [more, fewer, size - more - fewer])
        errors.append(np.sqrt(x.var() / size))
    floor = events_of(line(k / size, 0), END[[0, -1]], Sizes(size, 1000))[0]
    assert floor == pytest.approx(max(min(errors), 1 / size))


def test_verdict_p_value_and_projection_agree_on_generated_data() -> None:
    """Differences that jump, with slivers, spikes and ends of few mistakes."""
    rng = np.random.default_rng(11)
    labels, seen = np.repeat([0, 1], [300, 60]), set()
    drawn = weights(labels, 99, np.random.default_rng(3))
    for _ in range(60):
        spike = rng.uniform(0.1, 0.9)
        places = np.unique([0, 1, spike, spike + 0.0005, *rng.beta(0.5, 0.5, 30)])
        heights = rng.normal(0, 0.05, (2, len(places) - 1)) * rng.choice([0.1, 0.4, 1])
        heights[:, places[:-1] == spike] = rng.choice([0, 0.2])
        curve = Curve(places, *heights)
        values = rng.normal(0, 0.03, (99, 1)) * np.sqrt(END * (1 - END))
        pair = difference(
            resampled(curve, END, curve(END) + values, drawn),
            resampled(line(0, 0), END, 0 * values, drawn),
        )
        parts = divided(pair.simultaneous(0.8))
        decided = any(part.finding != "undecided" for part in parts)
        assert decided == (pair.p_value <= 0.2 + 1e-9)
        assert decided == (projected_instances(pair, 360, 0.8) <= 360)
        seen.add((decided, any(part.sliver for part in parts)))
    assert len(seen) == 4


def test_numbers_that_are_linear_in_the_curve() -> None:
    pair = difference(*two_models())
    area, height = pair.scalar(Curve.area), pair.scalar(lambda curve: curve(0.5))
    assert area.estimate == pair.estimate.area()
    assert area.high - area.estimate == pytest.approx(area.estimate - area.low)
    band = pair.pointwise()
    ends = band.lower(0.5), pair.estimate(0.5), band.upper(0.5)
    assert height == pytest.approx(ends, abs=1e-12)
    grid = np.array([0, 0.2, 0.5, 1])
    assert weights_of(Curve.area, grid.tobytes()) == pytest.approx([0.1, 0.25, 0.4, 0.25])
    assert weights_of(lambda curve: curve(0.35), grid.tobytes()) == pytest.approx([0, 0.5, 0.5, 0])


def test_the_height_around_points_is_nowhere_too_low() -> None:
    curve = Curve([0, 0.11, 0.12, 0.6, 1], [0, 5, 0, -2], [0, 5, 1, 0])
    around = np.interp(PLACES, END, largest_around(curve, END))
    assert (around >= np.abs(curve(PLACES)) - 1e-12).all()


THREE = np.array([0, 0.5, 1])


def test_other_draws_are_unpaired() -> None:
    a, _ = two_models()
    other = model(np.arange(100.0), weights(LABELS, 400, np.random.default_rng(1)))
    for b in (other, model(np.arange(100.0), draws(resamples=10))):
        with pytest.raises(ValueError, match="unpaired: A and B were resampled with other draws"):
            difference(a, b)


def test_one_resample_has_no_spread_and_too_few_are_refused() -> None:
    alone = model(np.arange(100.0), draws(resamples=1))
    assert not alone.spread.any()
    with pytest.raises(ValueError, match=r"1 resamples are too few for a level of 0\.9: 9 are"):
        alone.simultaneous()
    assert model(np.arange(100.0), draws(resamples=9)).simultaneous(0.9).level == 0.9


def test_critical_values_and_p_values_agree_with_counting() -> None:
    values = np.random.default_rng(0).integers(0, 30, 199).astype(float)
    largest = Largest.simulated(values)
    for height in (*np.unique(values), 17.5, -1, 40):
        p = (1 + np.count_nonzero(values >= height)) / 200
        assert largest.p_value(height) == pytest.approx(p)
        assert (height > largest.critical(0.9)) == (p <= 0.1 + 1e-12)


def test_exact_chances_with_ties() -> None:
    largest = Largest.exact(np.array([2, 1, 2 * (1 + 1e-12), 0.0]), np.array([0.1, 0.5, 0.1, 0.3]))
    assert largest.values.tolist() == [0, 1, 2]
    assert largest.tail == pytest.approx([1, 0.7, 0.2])
    assert [largest.p_value(height) for height in (2, 3)] == pytest.approx([0.2, 0])
    critical = [largest.critical(level) for level in (0.8, 0.81)]
    assert critical == pytest.approx([1, 2], rel=1e-8)
