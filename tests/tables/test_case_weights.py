"""Weights of cases: as so many cases, in the prior, rates, ranking and net benefit."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.errors import InputError
from costcurves.predictions.staged import stage
from costcurves.settings import Costs, Dataset
from tests.result_tables import all_tables_of, staged

HEAD = "model,instance,label,score,weight\n"


def survey(cases: int = 120, seed: int = 2) -> pd.DataFrame:
    """Three folds; positives are asked more often, so they stand for fewer."""
    rng = np.random.default_rng(seed)
    label = (rng.random(cases) < 0.35).astype(int)
    weight = np.where(label == 1, 1 + rng.integers(0, 3, cases), 2 + rng.integers(0, 6, cases))
    rows = pd.DataFrame({"instance": [f"r{at}" for at in range(cases)], "label": label})
    rows = rows.assign(fold=1 + np.arange(cases) % 3, case_weight=weight.astype(float))
    noise = rng.normal(size=(2, cases))
    parts = [
        rows.assign(model=name, score=np.round(1 / (1 + np.exp(1.5 - skill * label - own)), 2))
        for name, skill, own in zip(("A", "B"), (1.9, 0.8), noise, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def made(folder: Path, text: str, costs: Costs | None = None) -> pd.DataFrame:
    (folder / "d.csv").write_text(text)
    own = {"title": "d", "slug": "d", "costs": costs}
    return stage(Dataset("d", (str(folder / "d.csv"),), **own))  # type: ignore[arg-type]


def counting(rows: pd.DataFrame) -> pd.DataFrame:
    """As staging does."""
    return staged(rows.assign(weight=rows["case_weight"]))


def test_a_weight_of_three_is_three_cases() -> None:
    rows = survey()
    again = rows.loc[rows.index.repeat(rows["case_weight"].astype(int))]
    copy = again.groupby(["model", "instance"]).cumcount().astype(str)
    copied = again.assign(instance=again["instance"] + "-" + copy, case_weight=1.0)
    found, expected = all_tables_of(counting(rows)), all_tables_of(staged(copied))
    for name in ("area", "auc", "auch", "brier", "prior", "range_from", "range_to"):
        np.testing.assert_allclose(
            found["measures"][name], expected["measures"][name], rtol=1e-12, err_msg=name
        )
    ours, theirs = (
        one["headline"][["pc_from", "pc_to", "at0", "at1"]] for one in (found, expected)
    )
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert (found["measures"]["instances"] == 120).all()
    # But they are no independent cases: 120 that weigh unequally say less than 120.
    assert found["measures"]["effective"].between(60, 115).all()
    wide, narrow = (
        (one["intervals"]["high"] - one["intervals"]["low"]).to_numpy() for one in (found, expected)
    )
    assert (wide[:2] > 1.3 * narrow[:2]).all()


def test_rankings_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rows = survey()
    measures = all_tables_of(counting(rows), level="pooled")["measures"].query("level == 'pooled'")
    for model, own in rows.groupby("model"):
        row = measures[measures["model"] == model].iloc[0]
        given = {"sample_weight": own["case_weight"]}
        auc = metrics.roc_auc_score(own["label"], own["score"], **given)
        assert row["auc"] == pytest.approx(auc, abs=1e-12)
        brier = metrics.brier_score_loss(own["label"], own["score"], **given)
        assert row["brier"] == pytest.approx(brier, abs=1e-12)


def test_net_benefit_counts_by_weight() -> None:
    own = survey().query("model == 'A'")
    weight = own["case_weight"].to_numpy()
    curve = cc.cost_curve(own["label"], own["score"], sample_weight=weight)
    found = curve.net_benefit([0.1, 0.3])
    for at, benefit in zip((0.1, 0.3), found["net_benefit"], strict=True):
        flagged = (own["score"] >= at).to_numpy()
        hit, alarm = (weight[flagged & (own["label"] == value)].sum() for value in (1, 0))
        assert benefit == pytest.approx((hit - alarm * at / (1 - at)) / weight.sum(), abs=1e-12)
    plain = cc.cost_curve(own["label"], own["score"]).net_benefit([0.1])
    assert plain["net_benefit"].iloc[0] > 1.5 * found["net_benefit"].iloc[0]


def test_the_scale_of_weights_says_nothing() -> None:
    rows = survey()
    one, twice, other = (
        cc.compare_models(
            own["label"][:120],
            {"A": own["score"][:120], "B": own["score"][120:].to_numpy()},
            sample_weight=factor * own["case_weight"][:120],
        ).verdicts
        for own, factor in ((rows, 1), (rows, 2), (rows, 0.37))
    )
    pd.testing.assert_frame_equal(one, twice)
    # Weights that are not whole are rounded for resamples to shares of 2^26, which moves the end of
    # a verdict where a band hardly leaves zero.
    kept = ["finding", "p_value", "adjusted", "confidence"]
    pd.testing.assert_frame_equal(one[kept], other[kept], rtol=1e-6)


def test_costs_and_weights_of_a_case_go_together() -> None:
    rows = survey()
    rng = np.random.default_rng(8)
    paid = rng.integers(1, 9, 120).astype(float)
    rows = rows.assign(**dict.fromkeys(("cost_fp", "cost_fn"), np.tile(paid, 2)))
    by_cost = rows.assign(weight=rows["case_weight"] * rows["cost_fp"])
    table = all_tables_of(staged(by_cost), weighted=True)["instance_costs"]
    row, own = table.iloc[0], rows.iloc[:120]
    for value, name in ((0, "mean_cost_fp"), (1, "mean_cost_fn")):
        of = own["label"] == value
        mean = np.average(own.loc[of, "cost_fp"], weights=own.loc[of, "case_weight"])
        assert row[name] == pytest.approx(mean)
    share = own.loc[own["label"] == 1, "case_weight"].sum() / own["case_weight"].sum()
    assert row["prior"] == pytest.approx(share)
    never = table[table["model"] == "always negative"].iloc[0]
    assert never["low"] < never["cost"] < never["high"]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("1 -2 1 1", r"d.csv line 3: weight is -2.0 for instance 'i2', expected at least 0"),
        ("1 inf 1 1", r"d.csv line 3: weight is 'inf', expected a finite number"),
        ("1  2 1", "d.csv line 3: weight is empty; 1 of 4 cases have none; name one in each row"),
        ("1 0 2 0", "the weights of all positives are 0; expected one above 0"),
    ],
)
def test_weights_that_can_not_be_used(tmp_path: Path, weights: str, said: str) -> None:
    rows = [
        f"A,i{at},{(at + 1) % 2},0.{at},{weight}"
        for at, weight in enumerate(weights.split(" "), start=1)
    ]
    with pytest.raises(InputError, match=said):
        made(tmp_path, HEAD + "\n".join(rows) + "\n")


def test_a_case_has_one_weight(tmp_path: Path) -> None:
    text = "A,i1,0,0.1,2\nA,i2,1,0.4,1\nB,i1,0,0.1,3\nB,i2,1,0.4,1\n"
    with pytest.raises(InputError, match=r"instance 'i1' has weight 3\.0, but 2\.0 in"):
        made(tmp_path, HEAD + text)


def test_a_file_gives_weights_and_equal_ones_are_none(tmp_path: Path) -> None:
    text = "A,i1,0,0.1,2.5\nA,i2,1,0.4,5\nA,i3,0,0.4,10\nA,i4,1,0.4,10\n"
    found = made(tmp_path, HEAD + text)
    assert found["case_weight"].tolist() == [2.5, 5, 10, 10]
    assert found["weight"].tolist() == [0.25, 0.5, 1, 1]
    equal = made(tmp_path, HEAD + text.replace(",2.5", ",5").replace(",10", ",5"))
    assert equal["weight"].tolist() == [1, 1, 1, 1]


def test_the_share_that_is_flagged_counts_by_weight_and_at_the_prior() -> None:
    """Weights are so many rows, and a prior is the share of positives among the cases in use."""
    own = survey(300).query("model == 'A'")
    label, score = own["label"].to_numpy(), own["score"].to_numpy()
    times = np.random.default_rng(3).integers(1, 4, len(label))
    seen = 0
    for weight, prior in ((times, None), (np.ones_like(times), 0.1), (times, 0.1)):
        found = cc.compare_models(
            label, {"A": score}, sample_weight=weight, prior=prior, n_resamples=50
        )
        rows = found.summary()
        positives = np.average(label, weights=weight) if prior is None else prior
        for row in rows[np.isfinite(rows["threshold"])].to_dict("records"):
            above = score >= row["threshold"]
            fp, tp = (
                np.average(above[label == one], weights=weight[label == one]) for one in (0, 1)
            )
            expected = (1 - positives) * fp + positives * tp
            assert row["flagged"] == pytest.approx(expected, abs=1e-12)
            seen += 1
    assert seen >= 3
