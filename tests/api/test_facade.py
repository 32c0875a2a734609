"""What the facade offers; `test_as_reported` compares its numbers with the report's."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import costcurves as cc

Y = np.array([0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0])
GOOD = np.array([0.1, 0.4, 0.6, 0.3, 0.9, 0.35, 0.2, 0.5, 0.8, 0.15, 0.05, 0.7, 0.25, 0.95, 0.0])
POOR = np.round(np.sqrt(1 - GOOD[::-1]) / 2 + 0.1 * Y, 2)

pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


def test_conditions_are_pc_or_a_cost_ratio_at_a_prior() -> None:
    curve = cc.cost_curve(Y, GOOD, prior=0.2)
    assert curve.cost_at(cost_ratio=4) == curve.cost_at(0.5) == curve.curve(0.5)
    assert curve.cost_at(cost_ratio=1, prior=0.5) == curve.cost_at(0.5)
    at = curve.cost_at([0.1, 0.5])
    assert isinstance(at, np.ndarray)
    assert at.tolist() == [curve.cost_at(0.1), curve.cost_at(0.5)]
    assert curve.threshold_for(cost_ratio=[0, np.inf]).tolist() == [  # type: ignore[union-attr]
        curve.thresholds[0],
        curve.thresholds[-1],
    ]


def test_costs_in_amounts_are_those_of_a_case() -> None:
    """At a prior of .2 a case costs 60 / 5 + 5 * 4 / 5 = 16 if all are wrong; 60 : 5 is 12."""
    curve = cc.cost_curve(Y, GOOD, prior=0.2)
    amounts = {"cost_fn": 60, "cost_fp": 5}
    pc, normalized = curve.pc_at(cost_ratio=12), curve.cost_at(cost_ratio=12)
    assert curve.cost_at(**amounts) == pytest.approx(16 * normalized, rel=1e-14)
    assert curve.saved_at(cost_ratio=12) == pytest.approx(1 - pc - normalized, rel=1e-14)
    assert curve.saved_at(**amounts) == pytest.approx(16 * (1 - pc - normalized), rel=1e-14)
    several = curve.cost_at(cost_fn=[60, 10], cost_fp=5, prior=0.3)
    assert isinstance(several, np.ndarray)
    expected = [
        21.5 * curve.cost_at(cost_ratio=12, prior=0.3),
        6.5 * curve.cost_at(cost_ratio=2, prior=0.3),
    ]
    assert several == pytest.approx(expected, rel=1e-14)
    for wrong in ({"cost_fn": 60}, amounts | {"pc": 0.3}, amounts | {"cost_ratio": 2}):
        with pytest.raises(
            ValueError, match="expected one operating condition: cost_ratio, or cost_fn"
        ):
            curve.cost_at(**wrong)
    for wrong in ({"cost_fn": -60, "cost_fp": -5}, {"cost_fn": 0, "cost_fp": 5}):
        with pytest.raises(ValueError, match=r"cost_fn is .* expected above 0"):
            curve.saved_at(**wrong)


def test_the_summary_is_what_to_use_at_each_condition() -> None:
    conditions = [
        {"name": "campaign", "cost_fn": 60, "cost_fp": 5, "unit": "EUR"},
        {"pc": 0.05},
    ]
    settings = {"operating_conditions": conditions, "inference": {"resamples": 100}}
    found = cc.compare_models(Y, {"good": GOOD}, prior=0.2, settings=settings)
    summary = found.summary().set_index("condition")
    assert list(summary.index) == ["campaign", "PC(+) = 0.05"]
    curve = found["good"]
    one = summary.loc["campaign"]
    pc = float(summary["pc"].to_numpy()[0])
    assert pc == curve.pc_at(cost_ratio=12)
    assert one["lowest"] == found.cheapest_at(pc) == "good"
    assert one["cost"] == pytest.approx(curve.cost_at(cost_ratio=12))
    assert one["amount"] == pytest.approx(1000 * curve.cost_at(cost_fn=60, cost_fp=5))
    assert one["saved_amount"] == pytest.approx(1000 * curve.saved_at(cost_fn=60, cost_fp=5))
    assert one["threshold"] == curve.threshold_for(cost_ratio=12)
    labels, flagged = np.asarray(Y), np.asarray(GOOD) >= one["threshold"]
    rates = flagged[labels == 0].mean(), flagged[labels == 1].mean()
    assert one["flagged"] == pytest.approx(0.8 * rates[0] + 0.2 * rates[1])  # at the prior


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "expected one operating condition: cost_ratio, or cost_fn and cost_fp together"),
        ({"pc": 0.5, "cost_ratio": 1}, "expected one operating condition"),
        ({"pc": 0.5, "prior": 0.1}, "PC.* has the prior in it"),
        ({"pc": 1.5}, "PC"),
        ({"cost_ratio": -1}, "cost ratio .* must be at least 0"),
    ],
)
def test_conditions_that_are_refused(given: dict[str, Any], message: str) -> None:
    curve = cc.cost_curve(Y, GOOD)
    for ask in (curve.cost_at, curve.threshold_for):
        with pytest.raises(ValueError, match=message):
            ask(**given)


def test_thresholds_are_those_of_deployment() -> None:
    curve = cc.cost_curve(Y, GOOD)
    rows = curve.table("deployment")
    middle = (rows["pc_from"] + rows["pc_to"]) / 2
    assert np.array_equal(curve.threshold_for(middle), rows["threshold"])
    assert np.array_equal(curve.threshold_for(rows["pc_to"]), rows["threshold"])
    assert curve.threshold_for(0.0) == rows["threshold"].iloc[0]


def test_between_two_thresholds_all_give_the_same() -> None:
    """Each of the two has half of a class wrong, so that they meet at PC(+) = 0.5."""
    y, scores = [0, 0, 1, 1] * 20, [0.1, 0.6, 0.5, 0.9] * 20
    settings = {"operating_conditions": [{"pc": 0.5}], "inference": {"resamples": 40}}
    found = cc.compare_models(y, {"good": scores}, settings=settings)
    assert found["good"].table("deployment")["pc_to"].tolist() == [0.5, 1.0]
    assert found.summary()["threshold"].tolist() == [0.9] == [found["good"].threshold_for(0.5)]


@pytest.mark.parametrize("pc", [0, 1])
def test_there_is_an_answer_where_only_one_mistake_costs(pc: int) -> None:
    settings = {"operating_conditions": [{"pc": pc}], "inference": {"resamples": 40}}
    found = cc.compare_models([0, 1] * 20, {"sure": [0.1, 0.9] * 20}, settings=settings)
    assert found.summary()[["pc", "lowest", "cost"]].to_numpy().tolist() == [[pc, "sure", 0]]


def test_the_brier_curve_has_the_brier_score_as_its_area() -> None:
    curve = cc.cost_curve(Y, GOOD)
    balanced = (np.mean(GOOD[Y == 0] ** 2) + np.mean((1 - GOOD[Y == 1]) ** 2)) / 2
    assert curve.rule("score-driven").area() == pytest.approx(balanced, rel=1e-14)
    with pytest.raises(ValueError, match="method is 'brier', expected one of"):
        curve.rule("brier")


def test_net_benefit_is_of_trusted_scores_and_of_the_curve() -> None:
    curve = cc.cost_curve(Y, GOOD, settings={"inference": {"resamples": 50}})
    found = curve.net_benefit([0.2, 0.45]).set_index("threshold")
    share = Y.mean()
    for t, row in found.iterrows():
        treated, weight = t <= GOOD, t / (1 - t)  # type: ignore[operator]
        benefit = (treated & (Y == 1)).mean() - (treated & (Y == 0)).mean() * weight
        of_all = share - (1 - share) * weight
        assert row["net_benefit"] == pytest.approx(benefit, rel=1e-12)
        assert row["standardized"] == pytest.approx(benefit / share, rel=1e-12)
        assert row["treat_all"] == pytest.approx(of_all, rel=1e-12)
        assert row["interventions_avoided"] == pytest.approx((benefit - of_all) / weight, rel=1e-12)
        whole = share + (1 - share) * weight
        assert row["chosen"] == pytest.approx(share - curve.cost_at(row["pc"]) * whole, rel=1e-12)
        assert row["low"] <= row["net_benefit"] <= row["high"]
        assert row["chosen_low"] <= row["chosen"] <= row["chosen_high"]
    decided = cc.cost_curve(Y, GOOD >= 0.45, settings={"inference": {"resamples": 50}})
    row = decided.net_benefit(0.45).iloc[0]
    assert row["net_benefit"] == row["chosen"] == pytest.approx(found["net_benefit"][0.45])
    with pytest.raises(ValueError, match="need probabilities, found scores from 0 to"):
        cc.cost_curve(Y, 2 * GOOD).net_benefit()
    with pytest.raises(ValueError, match="must be above 0 and below 1"):
        curve.net_benefit(1)


def test_weights_scale_within_a_class() -> None:
    decisions = np.arange(15) % 2 == 0
    weight = np.where(Y == 1, np.arange(15), 7 * np.arange(15))
    found = cc.cost_curve(Y, decisions, sample_weight=weight)
    fp = weight[(Y == 0) & decisions].sum() / weight[Y == 0].sum()
    fn = weight[(Y == 1) & ~decisions].sum() / weight[Y == 1].sum()
    assert found.cost.tolist() == [fp, fn]
    with pytest.raises(ValueError, match="sample_weight has 3 values, expected 15, as y_true has"):
        cc.cost_curve(Y, decisions, sample_weight=weight[:3])


def test_bands_hold_the_curve() -> None:
    curve = cc.cost_curve(Y, GOOD, settings={"inference": {"resamples": 50}})
    wide, narrow = curve.band(), curve.band("pointwise")
    at = np.linspace(0, 1, 101)
    assert (wide[0](at) <= narrow[0](at)).all()
    assert (narrow[1](at) <= wide[1](at)).all()
    assert (narrow[1](at) < wide[1](at)).any()  # unasked it holds for all PC(+) at once
    with pytest.raises(ValueError, match="extent is 'all', expected 'pointwise' or"):
        curve.band("all")  # type: ignore[arg-type]


def test_the_cheapest_and_models_by_name() -> None:
    found = cc.compare_models(Y, {"good": GOOD, "never": np.zeros(15, dtype=bool)})
    assert found.cheapest_at(0.5) == "good"
    assert found["good"].name == "good"
    assert found.differences["good", "never"](0.7) < 0
    with pytest.raises(KeyError, match="no model 'bad'; there are"):
        found["bad"]
    with pytest.raises(KeyError, match="'curves': expected one of operating_points"):
        found.table("curves")
    with pytest.raises(ValueError, match=r"must be in .0, 1., found 2"):
        found.cheapest_at(2)


@pytest.mark.parametrize("prior", [None, 0.06])
def test_verdicts_need_no_measures(prior: float | None) -> None:
    found = cc.compare_models(Y, {"good": GOOD, "poor": POOR}, prior=prior)
    assert len(found.verdicts)
    assert not {"averages", "rankings", "measures"} & {*found._tables.made}
    facts, first = found._tables.sizes.iloc[0], found.table("measures").iloc[0]
    assert facts.to_dict() == first[facts.index].to_dict()


def test_bands_of_differences_are_for_all_pairs_whatever_the_reference() -> None:
    models, drawn = (
        {"good": GOOD, "poor": POOR, "never": np.zeros(15, dtype=bool)},
        {"resamples": 60},
    )
    one, other = (
        cc.compare_models(Y, models, settings={"inference": drawn, **own})
        for own in ({}, {"reference": "poor"})
    )
    assert other.table("comparisons")["family"].nunique() == 2
    for edge in ("simultaneous lower", "simultaneous upper"):
        pairs, again = one.band(edge), other.band(edge)
        assert [*pairs] == [*again]
        for pair, curve in pairs.items():
            assert curve.area() == again[pair].area()


def test_importing_the_package_imports_no_numpy() -> None:
    code = "import sys, costcurves; print({'numpy', 'pandas', 'matplotlib'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"


def test_every_public_name_is_there_and_has_a_docstring() -> None:
    assert all(getattr(cc, name).__doc__ for name in cc.__all__)
    assert {*cc.__all__, "__version__"} == set(dir(cc))
    with pytest.raises(AttributeError, match="has no attribute 'wrong'"):
        _ = cc.wrong
