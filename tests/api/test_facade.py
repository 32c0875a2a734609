"""What the interface offers; `test_as_reported` compares its numbers with the report's."""

import subprocess
import sys

import numpy as np
import pytest

import costcurves as cc

Y = np.array([0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0])
GOOD = np.array([0.1, 0.4, 0.6, 0.3, 0.9, 0.35, 0.2, 0.5, 0.8, 0.15, 0.05, 0.7, 0.25, 0.95, 0.0])
POOR = np.round(np.sqrt(1 - GOOD[::-1]) / 2 + 0.1 * Y, 2)
FEW = {"inference": {"resamples": 50}}

pytestmark = pytest.mark.filterwarnings("ignore:in-sample estimate:UserWarning")


def test_the_summary_is_what_to_use_at_each_condition() -> None:
    conditions = [
        {"name": "campaign", "cost_fn": 60, "cost_fp": 5, "unit": "EUR"},
        *({"pc": pc} for pc in (0.05, 0, 1)),
    ]
    settings = {"operating_conditions": conditions, **FEW}
    comparison = cc.compare_models(Y, {"good": GOOD}, prior=0.2, settings=settings)
    summary, curve = comparison.summary().set_index("condition"), comparison["good"]
    assert list(summary["pc"]) == [curve.pc_at(cost_ratio=12), 0.05, 0, 1]
    row = summary.loc["campaign"]
    assert row["lowest"] == comparison.cheapest_at(cost_ratio=12) == "good"
    assert row["cost"] == pytest.approx(curve.cost_at(cost_ratio=12))
    assert row["amount"] == pytest.approx(1000 * curve.cost_at(cost_fn=60, cost_fp=5))
    assert row["saved_amount"] == pytest.approx(1000 * curve.saved_at(cost_fn=60, cost_fp=5))
    assert row["threshold"] == curve.threshold_for(cost_ratio=12)
    flagged = row["threshold"] <= GOOD
    rates = flagged[Y == 0].mean(), flagged[Y == 1].mean()
    assert row["flagged"] == pytest.approx(0.8 * rates[0] + 0.2 * rates[1])  # at the prior


def test_thresholds_are_those_of_deployment() -> None:
    """Just between two the first is given, also where a condition is named."""
    curve = cc.cost_curve(Y, GOOD)
    rows = curve.table("deployment")
    for place in (rows["pc_to"], (rows["pc_from"] + rows["pc_to"]) / 2):
        assert np.array_equal(curve.threshold_for(place), rows["threshold"])
    assert curve.threshold_for(0.0) == rows["threshold"].iloc[0]
    y, scores = [0, 0, 1, 1] * 20, [0.1, 0.6, 0.5, 0.9] * 20
    settings = {"operating_conditions": [{"pc": 0.5}], **FEW}
    both = cc.compare_models(y, {"good": scores}, settings=settings)
    assert both["good"].table("deployment")["pc_to"].tolist() == [0.5, 1.0]
    assert both.summary()["threshold"].tolist() == [0.9] == [both["good"].threshold_for(0.5)]


def test_net_benefit_is_of_trusted_scores_and_of_the_curve() -> None:
    curve, share = cc.cost_curve(Y, GOOD, settings=FEW), Y.mean()
    table = curve.net_benefit([0.2, 0.45]).set_index("threshold")
    for t, row in table.iterrows():
        treated, weight = t <= GOOD, t / (1 - t)  # type: ignore[operator]
        benefit = (treated & (Y == 1)).mean() - (treated & (Y == 0)).mean() * weight
        chosen = share - curve.cost_at(row["pc"]) * (share + (1 - share) * weight)
        expected = [benefit, benefit / share, share - (1 - share) * weight, chosen]
        names = ["net_benefit", "standardized", "treat_all", "chosen"]
        assert row[names].tolist() == pytest.approx(expected, rel=1e-12)
        assert row["low"] <= row["net_benefit"] <= row["high"]
        assert row["chosen_low"] <= row["chosen"] <= row["chosen_high"]
    alone = curve.net_benefit([0.2, 0.45], extent=None).set_index("threshold")
    bands = ["low", "high", "chosen_low", "chosen_high"]
    assert table.drop(columns=bands).equals(alone)
    decided = cc.cost_curve(Y, GOOD >= 0.45, settings=FEW).net_benefit(0.45).iloc[0]
    assert decided["net_benefit"] == decided["chosen"] == pytest.approx(table["net_benefit"][0.45])


def test_a_comparison_is_a_mapping_of_curves() -> None:
    comparison = cc.compare_models(Y, {"good": GOOD, "never": np.zeros(15, dtype=bool)})
    assert [*comparison] == [curve.name for curve in comparison.values()] == ["good", "never"]
    assert comparison.cheapest_at(0.5) == "good"
    assert comparison.differences["good", "never"](0.7) < 0


def test_importing_the_package_imports_no_numpy() -> None:
    code = "import sys, costcurves; print({'numpy', 'pandas', 'matplotlib'} & {*sys.modules})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"


def test_every_public_name_is_there_and_has_a_docstring() -> None:
    assert all(getattr(cc, name).__doc__ for name in cc.__all__)
    assert {*cc.__all__, "__version__"} == set(dir(cc))
