"""Cases that belong together: read, checked, drawn whole; errors of AUCs by definition."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.chance.resampling import FEWEST, weights
from costcurves.counts.counted import counted
from costcurves.ranking.delong import components, difference
from costcurves.ranking.measures import rankings
from tests.result_tables import staged, tables_of


def lesions(patients: int = 30, seed: int = 3) -> pd.DataFrame:
    """Patients with 1 to 6 lesions, most of one class; two readers, the second one worse."""
    rng = np.random.default_rng(seed)
    sizes = 1 + np.arange(patients) % 6
    of = np.repeat(np.arange(patients), sizes)
    share = np.where(np.arange(patients) % 3 == 0, 0.8, 0.1)[of]
    label = (rng.random(len(of)) < share).astype(int)
    ill = rng.normal(size=patients)[of]
    rows = pd.DataFrame({"instance": [f"l{at}" for at in range(len(of))], "label": label})
    rows = rows.assign(cluster=[f"p{at}" for at in of])
    noise = rng.normal(size=(2, len(of)))
    parts = [
        rows.assign(model=name, score=np.round(skill * label + ill + part, 1))
        for name, skill, part in zip(("first", "second"), (1.7, 0.4), noise, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


# Drawn whole

PURE = np.repeat([1, 0, 1, 0, 0, 1, 0], [2, 3, 1, 4, 1, 3, 2])
OF_PURE = np.repeat(np.arange(7), [2, 3, 1, 4, 1, 3, 2])
MIXED = np.array([1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1])


@pytest.mark.parametrize("most", [2000, 4])
def test_clusters_of_one_are_cases(most: int) -> None:
    part = np.random.default_rng(1).permutation(len(MIXED))
    as_cases = weights(MIXED, 50, np.random.default_rng(0), most)
    alone = weights(MIXED[part], 50, np.random.default_rng(0), most, clusters=part)
    assert (alone.drawn == as_cases.drawn).all()
    assert (alone.unit == as_cases.unit[part]).all()
    assert alone.share == pytest.approx(1, abs=1e-12) or most == 4
    for name in ("negatives", "positives", "per_cluster", "too_few", "dof"):
        assert getattr(alone, name) == getattr(as_cases, name)
    assert (as_cases.per_cluster, as_cases.too_few) == (1, False)


def test_clusters_are_drawn_within_their_class_or_all_together() -> None:
    result = weights(PURE, 40, np.random.default_rng(3), clusters=OF_PURE)
    negatives, positives = result.holds
    assert not (negatives & positives).any()
    assert (result.drawn[:, negatives].sum(axis=1) == 3).all()  # of four
    assert (result.drawn[:, positives].sum(axis=1) == 2).all()  # of three
    assert result.scale.tolist() == [4 / 3, 3 / 2]
    # Sizes 3, 4, 1, 2 and 2, 1, 3: as many equal ones would say as much.
    assert (result.negatives, result.positives) == pytest.approx((100 / 30, 36 / 14))
    assert result.per_cluster == 2.5
    times = result.drawn[:, result.unit].astype(int)
    for value, scale, size in ((0, 4 / 3, 10), (1, 3 / 2, 6)):
        expected = scale * times[:, value == PURE].sum(axis=1) / size
        assert result.share[:, value] == pytest.approx(expected, abs=1e-12)
    together = weights(MIXED, 40, np.random.default_rng(3), clusters=np.arange(16) // 3)
    assert (together.drawn.sum(axis=1) == 5).all()


@pytest.mark.parametrize(("more", "too_few"), [([], True), ([1], False)])
def test_so_many_clusters_of_a_class_are_enough(more: list[int], too_few: bool) -> None:
    labels = np.append(np.repeat([1, 0], [3 * (FEWEST - 1), 60]), more).astype(int)
    of = np.arange(len(labels)) // 3
    drawn = weights(labels, 200, np.random.default_rng(6), clusters=of)
    assert drawn.too_few == too_few


def test_what_a_patient_has_is_not_independent() -> None:
    rows = lesions(60)
    as_cases, as_clusters = (
        tables_of(staged(each)) for each in (rows.drop(columns="cluster"), rows)
    )
    areas = [each["intervals"].query("quantity == 'area'") for each in (as_cases, as_clusters)]
    narrow, wide = ((each["high"] - each["low"]).to_numpy() for each in areas)
    assert (wide > 1.2 * narrow).all()
    ranked = as_clusters["measures"].merge(as_cases["measures"], on=["model", "level"])
    assert (ranked["auc_x"] == ranked["auc_y"]).all()
    assert (ranked["auc_se_x"] > 1.2 * ranked["auc_se_y"]).all()
    assert ranked["clusters_x"].eq(60).all()
    assert ranked["clusters_y"].eq(0).all()
    part = rows[rows["model"] == "first"]
    label, score, cluster = (part[name].to_numpy() for name in ("label", "score", "cluster"))
    intervals = [cc.cost_curve(label, score, groups=each).area_interval for each in (cluster, None)]
    widths = [high - low for low, high in intervals]
    assert widths[0] > 1.1 * widths[1]


def test_decisions_of_clusters_are_resampled() -> None:
    rows = lesions(36)
    decided = rows.assign(decision=(rows["score"] > 0.6).astype(int), score=np.nan)
    result, alone = (tables_of(staged(each)) for each in (decided, decided.drop(columns="cluster")))
    for table in ("bands", "comparisons"):
        assert result[table]["method"].unique().tolist() == ["resampled instances"]
    assert "sign flips" in alone["comparisons"]["method"].tolist()


def test_few_clusters_decide_nothing() -> None:
    rows = lesions(19)
    assert rows.loc[rows["label"] == 1, "cluster"].nunique() < 10
    tables = tables_of(staged(rows))
    assert tables["verdicts"]["finding"].eq("undecided").all()
    assert tables["verdicts"][["low", "high"]].iloc[0].tolist() == [-1, 1]
    costs = tables["intervals"].query("quantity == 'cost'")
    assert (costs["low"] == 0).all()
    assert (costs["high"] == 1).all()
    assert tables["measures"]["auc_se"].notna().all()


# AUCs: DeLong's error of a mean, and on one fold Obuchowski's (Biometrics 53, 567, 1997).


def slow_variance(folds: list[Any]) -> tuple[Fraction, Fraction]:
    """A mean AUC and its variance: the covariance of each two folds, cluster by cluster.

    Folds list (score, label, cluster) of their cases.
    """
    areas, parts = [], []
    for fold in folds:
        cases = [[case for case in fold if case[1] == label] for label in (0, 1)]
        won = [[Fraction(int(np.sign(x[0] - y[0])) + 1, 2) for y in cases[0]] for x in cases[1]]
        areas.append(sum(map(sum, won)) / Fraction(len(cases[0]) * len(cases[1])))
        part: dict[tuple[int, Any], Fraction] = {}
        for label, each in enumerate((zip(*won, strict=True), won)):
            for case, wins in zip(cases[label], each, strict=True):
                key, mean = (label, case[2]), sum(wins) / Fraction(len(wins))
                part[key] = part.get(key, 0) + (mean - areas[-1]) / len(cases[label])
        parts.append(part)
    total = Fraction(0)
    for former, other in product(parts, repeat=2):
        for labels in product((0, 1), repeat=2):
            first, second = (
                {cluster for label, cluster in part if label in labels} for part in (former, other)
            )
            both = first & second
            few = Fraction(len(first) + len(second) - len(both), len(first) * len(second))
            left = [former.get((labels[0], c), 0) * other.get((labels[1], c), 0) for c in both]
            total += sum(left) / (1 - few)
    return sum(areas, Fraction(0)) / len(folds), total / len(folds) ** 2


@pytest.mark.parametrize("by", ["dataset", "cluster", "instance"])
def test_the_error_of_an_auc_is_that_of_clusters_in_whatever_folds(by: str) -> None:
    """One fold and one repeat, folds of whole clusters, and any folds."""
    rows = lesions(60).assign(fold="1", repeat="1")
    if by != "dataset":
        place = rows[by].str[1:].astype(int)
        again = rows.assign(score=rows["score"] + place * 7 % 5, fold=(place // 2 % 4).astype(str))
        rows = rows.assign(fold=(place % 3).astype(str))
        rows = pd.concat([rows, again.assign(repeat="2")], ignore_index=True)
    expected = []
    for _, part in rows.groupby("model", sort=False):
        folds = part.groupby(["repeat", "fold"])[["score", "label", "cluster"]]
        area, variance = slow_variance([fold.to_numpy().tolist() for _, fold in folds])
        expected.append([float(area), math.sqrt(variance)])
    for order in (rows, rows.sample(frac=1, random_state=4)):
        predictions = staged(order.sort_values("model", kind="stable"))
        result = rankings(predictions, counted(predictions, seed=1)).query("level == 'fold'")
        np.testing.assert_allclose(result[["auc", "auc_se"]], expected, rtol=0, atol=1e-12)


def test_a_difference_of_aucs_knows_clusters() -> None:
    rng, of = np.random.default_rng(1), np.arange(16) // 2
    scores = MIXED + rng.normal(size=(2, 16))
    a, b = (components(scores=each, labels=MIXED) for each in scores)
    apart, whole = difference(a, b), difference(replace(a, instance=of), replace(b, instance=of))
    assert whole.value == apart.value
    assert whole.error != pytest.approx(apart.error, rel=0.01)
