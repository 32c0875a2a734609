"""Benefits by which a mistake may bring more than the right decision: the cheaper one is right."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.errors import InputError
from costcurves.predictions.staged import stage
from costcurves.settings import Dataset
from costcurves.study.reading import parse_study
from tests.result_tables import made_of

REVIEW = 5  # what looking at a case costs, in the unit of amounts
BENEFIT = {"tp": -REVIEW, "fp": -REVIEW, "tn": 0, "fn": {"coefficient": -1}}


def rig() -> pd.DataFrame:
    rng = np.random.default_rng(21)
    z = rng.normal(size=160)
    label = (rng.random(160) < 1 / (1 + np.exp(0.8 - 2 * z))).astype(int)
    amount = np.round(4 * np.exp(1.3 * rng.normal(size=160)), 2) + 1.5
    score = 1 / (1 + np.exp(-z - 0.5 * rng.normal(size=160)))
    frame = {"model": "forest", "instance": np.arange(160), "label": label, "score": score}
    return pd.DataFrame(frame).assign(amount=amount)


def study(folder: Path, benefit: Any = None, **more: Any) -> Any:
    rig().to_csv(folder / "f.csv", index=False)
    costs = {"column": "amount", "benefit": benefit or BENEFIT}
    dataset = {"name": "fraud", "predictions": [str(folder / "f.csv")], "costs": costs, **more}
    content = {"study": "fraud", "datasets": [dataset], "inference": {"resamples": 50}}
    return parse_study(content, source="fraud.yaml", files=False)


def both(folder: Path, **more: Any) -> tuple[Dataset, Dataset]:
    plain, by_cost = study(folder, **more).datasets
    assert (plain.weighted, by_cost.weighted) == (False, True)
    return plain, by_cost


def paid(positive: int, amount: float, *, flag: bool) -> Fraction:
    """What a decision costs, as the matrix says."""
    if flag:
        return Fraction(REVIEW)
    return Fraction(amount) if positive else Fraction(0)


def test_a_case_is_by_cost_of_the_class_of_its_cheaper_decision(tmp_path: Path) -> None:
    frame, (plain, by_cost) = rig(), both(tmp_path)
    small = (frame["label"] == 1) & (frame["amount"] < REVIEW)
    assert 10 < small.sum() < (frame["label"] == 1).sum() / 2
    assert stage(plain)["label"].tolist() == frame["label"].tolist()
    found = stage(by_cost)
    assert found["label"].tolist() == (frame["label"] * ~small).tolist()
    assert found.loc[small, "cost_fp"].tolist() == (REVIEW - frame.loc[small, "amount"]).tolist()


def test_costs_are_what_decisions_cost_more_than_the_cheaper_ones(tmp_path: Path) -> None:
    frame, own = rig(), study(tmp_path)
    dataset = own.datasets[1]
    made = made_of(own, dataset, stage(dataset))
    table = made["instance_costs"].set_index("model")["cost"]
    cases = list(zip(frame["label"].tolist(), frame["amount"].tolist(), strict=True))
    least = sum(min(paid(*one, flag=flag) for flag in (True, False)) for one in cases)
    for name, flag in (("always negative", False), ("always positive", True)):
        more = sum(paid(*one, flag=flag) for one in cases) - least
        assert table[name] == pytest.approx(float(more / len(cases)), rel=1e-12)
    # And of every threshold: its false negatives and positives weigh what they cost.
    points = made["operating_points"]
    pooled = points[points["level"] == "pooled"]
    mean = made["instance_costs"].iloc[0]
    for row in pooled.to_dict("records"):
        flagged = (frame["score"] >= row["threshold"]).tolist()
        more = sum(paid(*one, flag=it) for one, it in zip(cases, flagged, strict=True)) - least
        at0 = row["fp"] * row["negatives"] * mean["mean_cost_fp"]
        at1 = row["fn"] * row["positives"] * mean["mean_cost_fn"]
        assert at0 + at1 == pytest.approx(float(more), rel=1e-9, abs=1e-9)


def test_how_many_there_are_is_said(tmp_path: Path) -> None:
    frame, (plain, _) = rig(), both(tmp_path)
    small = int(((frame["label"] == 1) & (frame["amount"] < REVIEW)).sum())
    assert f'["cheaper-mistakes", "{small} of 160 cases"' in stage(plain)["seen"].iloc[0]


def test_signs_that_turn_most_of_a_class_are_refused(tmp_path: Path) -> None:
    """A miss that brings the amount is a cost given as a benefit."""
    wrong = {**BENEFIT, "fn": {"coefficient": 1}}
    plain, _ = both(tmp_path, benefit=wrong)
    with pytest.raises(InputError) as error:
        stage(plain)
    assert "of the positives a mistake brings more than the right decision" in str(error.value)
    assert "are the signs right?" in str(error.value)


def test_a_prior_of_true_classes_is_refused_beside_classes_by_cost(tmp_path: Path) -> None:
    plain, _ = both(tmp_path, prior=0.2)
    with pytest.raises(InputError, match="leave out 'prior:'"):
        stage(plain)


def test_costs_of_files_stay_at_least_0(tmp_path: Path) -> None:
    frame = rig().assign(cost_fp=1.0, cost_fn=lambda it: it["amount"] - REVIEW)
    frame.to_csv(tmp_path / "f.csv", index=False)
    content = {"study": "s", "datasets": [{"name": "s", "predictions": [str(tmp_path / "f.csv")]}]}
    dataset = parse_study(content, source="s.yaml", files=False).datasets[0]
    with pytest.raises(InputError, match="expected at least 0"):
        stage(dataset)
