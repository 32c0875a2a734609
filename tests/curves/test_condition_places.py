"""Where operating conditions lie on PC(+): given there, or by a cost ratio at a dataset's prior."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import costcurves as cc
from costcurves.chance.resampled_curves import evaluation_grid
from costcurves.curves.conditions import conditions, marked
from costcurves.settings import ConditionKeys, OperatingCondition


def at(ratio: Fraction, prior: Fraction) -> Fraction:
    return prior * ratio / (prior * ratio + 1 - prior)


@pytest.mark.parametrize("prior", [Fraction(1, 5), Fraction(3, 50), Fraction(1, 2)])
def test_a_cost_ratio_lies_where_the_prior_of_the_dataset_puts_it(prior: Fraction) -> None:
    given: list[tuple[dict[str, Any], str, Fraction]] = [
        ({"cost_ratio": 0.2}, "1:5", at(Fraction(1, 5), prior)),
        ({"cost_ratio": 1}, "1:1", prior),
        ({"name": "dear", "cost_fn": 5, "cost_fp": 1}, "dear", at(Fraction(5), prior)),
        ({"pc": 0.5}, "PC(+) = 0.5", Fraction(1, 2)),
        ({"name": "elsewhere", "prior": 0.5, "cost_ratio": 3}, "elsewhere", Fraction(3, 4)),
    ]
    keys = [ConditionKeys.from_plain(condition) for condition, _, _ in given]
    rows = conditions(float(prior), [OperatingCondition.configured(key) for key in keys])
    assert [row.name for row in rows] == [name for _, name, _ in given]
    places = [row.pc for row in rows]
    assert places == pytest.approx([float(place) for *_, place in given], abs=1e-15)
    assert marked(rows, float(prior))[: len(rows)] == places
    with pytest.raises(ValueError, match="neither a PC"):
        OperatingCondition("nowhere", None).at(0.5)


@pytest.mark.parametrize("prior", [Fraction(1, 500), Fraction(1, 40), Fraction(99, 100)])
def test_the_evaluation_grid_knows_the_cost_ratios_of_a_rare_class(prior: Fraction) -> None:
    """There is a point in each half octave on the side of the rare class, from about 1:1 on."""
    ratios = Fraction(1, 2), 100
    ends = [float(at(Fraction(ratio) ** (1 if prior < 0.5 else -1), prior)) for ratio in ratios]
    grid = evaluation_grid([], marked([], float(prior)))
    inside = grid[(grid > min(ends)) & (grid < max(ends))]
    assert np.diff(np.log2(inside / (1 - inside))).max() <= 0.5 + 1e-9
    assert marked([], 0.3) == marked([], 0.9) == []  # no class is rare


def test_only_a_ratio_at_the_prior_of_the_data_has_its_error() -> None:
    y = np.array([0, 0, 0, 1] * 30)
    models = {"a": y + np.random.default_rng(8).normal(size=120)}
    given = {"operating_conditions": [{"cost_ratio": 4}, {"pc": 4 / 7}]}
    rows = []
    for prior in (None, 0.25 + 1e-12):
        result = cc.compare_models(y, models, prior=prior, settings=given, n_resamples=60)
        rows.append(result.table("intervals").query("quantity == 'cost'"))
    (ratio, pc), (narrow, same) = (part[["low", "value", "high"]].to_numpy() for part in rows)
    assert [pc, narrow] == [pytest.approx(same, abs=1e-9)] * 2
    assert ratio[1] == pytest.approx(narrow[1], abs=1e-9)
    curve, error = cc.cost_curve(y, models["a"]).curve, 12 / 49 * (1 / 30 + 1 / 90) ** 0.5
    half = 1.6448536269514722 * (curve(4 / 7 + error) - curve(4 / 7 - error)) / 2
    arms = np.hypot(np.diff(narrow), half)
    assert np.diff(ratio) == pytest.approx(arms, abs=1e-9)
