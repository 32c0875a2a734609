"""Weights of cases: as so many cases, in the prior, rates, ranking and net benefit."""

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from tests.result_tables import staged, tables_of
from tests.small_study import folds_of, scored


def survey() -> pd.DataFrame:
    """Three folds; positives are asked more often, so they stand for fewer."""
    rows = folds_of(120, 1, 3, seed=2)
    number = rows["instance"].astype(int)
    weight = np.where(rows["label"] == 1, 1 + number % 3, 2 + number % 6)
    rows = rows.assign(case_weight=weight.astype(float))
    return pd.concat([scored(rows, "A", 1.9, 2), scored(rows, "B", 0.8, 3)], ignore_index=True)


def test_cases_that_weigh_unequally_say_less_than_so_many_cases() -> None:
    """That a weight of three is three cases in all else, tests/api/test_symmetries.py shows."""
    rows = survey()
    again = rows.loc[rows.index.repeat(rows["case_weight"].astype(int))]
    copy = again.groupby(["model", "instance"]).cumcount().astype(str)
    copied = again.assign(instance=again["instance"] + "-" + copy, case_weight=1.0)
    weighted, repeated = (
        tables_of(staged(each)) for each in (rows.assign(weight=rows["case_weight"]), copied)
    )
    assert weighted["measures"]["effective"].between(60, 115).all()
    ends = [tables["intervals"][["low", "high"]].to_numpy()[:2] for tables in (weighted, repeated)]
    wide, narrow = np.diff(ends, axis=2)
    assert (wide > 1.3 * narrow).all()


def test_the_scale_of_weights_says_nothing() -> None:
    rows = survey()
    label, weight = rows["label"][:120], rows["case_weight"][:120]
    scores = dict(zip("AB", np.split(rows["score"].to_numpy(), 2), strict=True))
    once, other = (
        cc.compare_models(label, scores, sample_weight=factor * weight).verdicts
        for factor in (1, 0.37)
    )
    # Weights that are not whole are rounded for resamples to shares of 2^26, which moves the end of
    # a verdict where a band hardly leaves zero.
    kept = ["finding", "p_value", "adjusted", "confidence"]
    pd.testing.assert_frame_equal(once[kept], other[kept], rtol=1e-6)


def test_costs_and_weights_of_a_case_go_together() -> None:
    rows = survey()
    paid = np.random.default_rng(8).integers(1, 9, 120).astype(float)
    rows = rows.assign(**dict.fromkeys(("cost_fp", "cost_fn"), np.tile(paid, 2)))
    by_cost = rows.assign(weight=rows["case_weight"] * rows["cost_fp"])
    table = tables_of(staged(by_cost), weighted=True)["instance_costs"]
    row, cases = table.iloc[0], rows.iloc[:120].groupby("label")
    means = [np.average(part["cost_fp"], weights=part["case_weight"]) for _, part in cases]
    assert row[["mean_cost_fp", "mean_cost_fn"]].tolist() == pytest.approx(means)
    weights = cases["case_weight"].sum()
    assert row["prior"] == pytest.approx(weights[1] / weights.sum())
    never = table[table["model"] == "always negative"].iloc[0]
    assert never["low"] < never["cost"] < never["high"]
