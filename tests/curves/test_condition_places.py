"""Where operating conditions lie on PC(+): given there, or by a cost ratio at a dataset's prior."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import costcurves as cc
from costcurves.chance.resampled_curves import evaluation_grid
from costcurves.chance.resampling import weights
from costcurves.curves.conditions import conditions, marked
from costcurves.settings import ConditionKeys, OperatingCondition

GIVEN: list[dict[str, Any]] = [
    {"cost_ratio": 0.2},
    {"cost_ratio": 1},
    {"name": "dear", "cost_fn": 5, "cost_fp": 1},
    {"pc": 0.5},
    {"name": "elsewhere", "prior": 0.5, "cost_ratio": 3},
]


def placed(prior: float) -> dict[str, float]:
    keys = [ConditionKeys.from_plain(condition) for condition in GIVEN]
    rows = conditions(prior, [OperatingCondition.configured(key) for key in keys])
    places = [row.pc for row in rows]
    assert marked(rows, prior)[: len(rows)] == places
    return dict(zip((row.name for row in rows), places, strict=True))


def at(ratio: Fraction, prior: Fraction) -> Fraction:
    return prior * ratio / (prior * ratio + 1 - prior)


@pytest.mark.parametrize("prior", [Fraction(1, 5), Fraction(3, 50), Fraction(1, 2)])
def test_a_cost_ratio_lies_where_the_prior_of_the_dataset_puts_it(prior: Fraction) -> None:
    expected = {
        "1:5": at(Fraction(1, 5), prior),
        "1:1": prior,
        "dear": at(Fraction(5), prior),
        "PC(+) = 0.5": Fraction(1, 2),
        "elsewhere": Fraction(3, 4),
    }
    places = placed(float(prior))
    assert [*places] == [*expected]
    assert [*places.values()] == pytest.approx([*map(float, expected.values())], abs=1e-15)


@pytest.mark.parametrize("prior", [Fraction(1, 500), Fraction(1, 40), Fraction(99, 100)])
def test_the_evaluation_grid_knows_the_cost_ratios_of_a_rare_class(prior: Fraction) -> None:
    """There is a point in each half octave on the side of the rare class, from about 1:1 on."""
    ratios = Fraction(1, 2), 100
    ends = [float(at(Fraction(ratio) ** (1 if prior < 0.5 else -1), prior)) for ratio in ratios]
    grid = evaluation_grid([], marked([], float(prior)))
    inside = grid[(grid > min(ends)) & (grid < max(ends))]
    assert np.diff(np.log2(inside / (1 - inside))).max() <= 0.5 + 1e-9
    assert marked([], 0.3) == marked([], 0.9) == []  # no class is rare


def test_a_condition_with_neither_has_no_place() -> None:
    with pytest.raises(ValueError, match="neither a PC"):
        OperatingCondition("nowhere", None).at(0.5)


def test_the_error_of_a_prior_is_that_of_log_odds() -> None:
    """Of cases, of cases that stand for several, and of clusters with both classes."""
    label = np.array([0] * 60 + [1] * 40)
    cases, clusters = np.arange(100) % 3 + 1.0, np.arange(100) % 20

    def odds(**given: Any) -> float:
        return weights(label, 2, np.random.default_rng(0), **given).odds

    assert odds() == pytest.approx((1 / 60 + 1 / 40) ** 0.5)
    shares = [cases * (label == value) / cases[label == value].sum() for value in (0, 1)]
    assert odds(costs=cases, cases=cases) == pytest.approx(sum((a**2).sum() for a in shares) ** 0.5)
    assert odds(clusters=clusters) == pytest.approx(0)  # each has three of one and two of the other


def test_only_a_ratio_at_the_prior_of_the_data_has_its_error() -> None:
    rng = np.random.default_rng(8)
    y = np.array([0, 0, 0, 1] * 30)
    models = {"a": y + rng.normal(size=120)}
    given = {"operating_conditions": [{"cost_ratio": 4}, {"pc": 4 / 7}]}
    sampled, known = (
        cc.compare_models(y, models, prior=prior, settings=given, n_resamples=60).table("intervals")
        for prior in (None, 0.25 + 1e-12)
    )
    at = [rows.query("quantity == 'cost'")[["low", "value", "high"]] for rows in (sampled, known)]
    (ratio, pc), (narrow, same) = (rows.to_numpy() for rows in at)
    assert pc == pytest.approx(same, abs=1e-9)
    assert narrow == pytest.approx(same, abs=1e-9)
    assert ratio[1] == pytest.approx(narrow[1], abs=1e-9)
    curve, error = cc.cost_curve(y, models["a"]).curve, 12 / 49 * (1 / 30 + 1 / 90) ** 0.5
    half = 1.6448536269514722 * (curve(4 / 7 + error) - curve(4 / 7 - error)) / 2
    arms = np.hypot(np.diff(narrow), half)
    assert np.diff(ratio) == pytest.approx(arms, abs=1e-9)
