"""Cases that belong together: read, checked, resampled whole, and said."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.chance.resamples import resampled_instances
from costcurves.counts.counted import counted
from costcurves.errors import InputError
from costcurves.predictions.findings import plausibility
from costcurves.predictions.staged import stage
from costcurves.ranking.measures import rankings
from costcurves.settings import Dataset
from tests.result_tables import staged, tables_of

HEAD = "model,instance,cluster,label,score\n"


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


def checked(tmp_path: Path, text: str) -> pd.DataFrame:
    (tmp_path / "d.csv").write_text(HEAD + text)
    return stage(Dataset("d", (str(tmp_path / "d.csv"),), title="d", slug="d"))


def test_a_file_names_the_cluster_of_each_case(tmp_path: Path) -> None:
    result = checked(tmp_path, "A,i1,p1,0,0.1\nA,i2,p1,1,0.7\nA,i3,p2,0,0.2\nA,i4,p3,1,0.9\n")
    assert result["cluster"].astype(str).tolist() == ["p1", "p1", "p2", "p3"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "A,i1,p1,0,0.1\nA,i2,,1,0.7\nA,i3,,0,0.2\n",
            r"d.csv line 3: cluster is empty; 2 of 3 cases have none; name one in each row, or "
            "leave the column out",
        ),
        (
            "A,i1,p1,0,0.1\nA,i2,p2,1,0.7\nB,i1,p9,0,0.2\nB,i2,p2,1,0.6\n",
            "d.csv line 4: instance 'i1' has cluster 'p9', but 'p1' in .*d.csv line 2",
        ),
    ],
)
def test_clusters_that_can_not_be_used(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked(tmp_path, text)


def test_clusters_are_the_units_of_resampling_whatever_the_order_of_rows() -> None:
    rows = staged(lesions())
    result = resampled_instances(rows, 50, 7, "d").weights
    again = resampled_instances(rows.sample(frac=1, random_state=1), 50, 7, "d").weights
    assert result.drawn.shape == (50, 30)
    assert (result.unit == again.unit).all()
    assert (result.drawn == again.drawn).all()
    assert result.per_cluster > 2


def test_what_a_patient_has_is_not_independent() -> None:
    rows = lesions(60)
    as_cases, as_clusters = (
        tables_of(staged(name)) for name in (rows.drop(columns="cluster"), rows)
    )
    for tables in (as_cases, as_clusters):
        assert tables["headline"]["estimate"].eq("cross-fitted").all()
    wide, narrow = (
        (each["intervals"]["high"] - each["intervals"]["low"])[
            each["intervals"]["quantity"] == "area"
        ]
        for each in (as_clusters, as_cases)
    )
    assert (wide.to_numpy() > 1.2 * narrow.to_numpy()).all()
    ranked = as_clusters["measures"].merge(as_cases["measures"], on=["model", "level"])
    assert (ranked["auc_x"] == ranked["auc_y"]).all()
    assert (ranked["auc_se_x"] > 1.2 * ranked["auc_se_y"]).all()
    assert as_clusters["measures"]["clusters"].eq(60).all()
    assert as_cases["measures"]["clusters"].eq(0).all()


def test_decisions_of_clusters_are_resampled() -> None:
    rows = lesions(36)
    decided = rows.assign(decision=(rows["score"] > 0.6).astype(int), score=np.nan)
    result, alone = (tables_of(staged(name)) for name in (decided, decided.drop(columns="cluster")))
    for table in ("bands", "comparisons"):
        assert result[table]["method"].unique().tolist() == ["resampled instances"]
    assert "sign flips" in alone["comparisons"]["method"].tolist()


def seen(rows: pd.DataFrame) -> dict[str, str]:
    made = staged(rows)
    result = plausibility(made, counted(made, 7))
    return dict(zip(result["finding"], result["seen"], strict=True))


def test_clusters_in_several_folds_are_grave() -> None:
    rows = lesions()
    whole = rows.assign(fold=rows["cluster"].str[1:].astype(int) % 3)
    assert "split-clusters" not in seen(whole)
    moved = whole["instance"].isin(["l4", "l12"])
    split = whole.assign(fold=whole["fold"].mask(moved, (whole["fold"] + 1) % 3))
    assert seen(split)["split-clusters"] == "2 of 30 clusters"


def slow_error(rows: pd.DataFrame) -> float:
    """DeLong's error of a mean AUC: the covariance of each two folds, cluster by cluster."""
    parts: list[dict[tuple[int, str], float]] = []
    for _, fold in rows.groupby(["repeat", "fold"]):
        part: dict[tuple[int, str], float] = {}
        wins = {former: fold[fold["label"] == former] for former in (0, 1)}
        half = np.sign(np.subtract.outer(wins[1]["score"].to_numpy(), wins[0]["score"].to_numpy()))
        won = (half + 1) / 2
        for label, each in ((1, won.mean(axis=1)), (0, won.mean(axis=0))):
            for cluster, share in zip(wins[label]["cluster"], each - won.mean(), strict=True):
                part[label, cluster] = part.get((label, cluster), 0.0) + share / len(each)
        parts.append(part)
    total = 0.0
    for former in parts:
        for other in parts:
            for a, b in ((0, 0), (1, 1), (0, 1), (1, 0)):
                first, second = (
                    {cluster for label, cluster in name if label in (a, b)}
                    for name in (former, other)
                )
                both = first & second
                few = 1 / len(first) + 1 / len(second) - len(both) / len(first) / len(second)
                left = sum(former.get((a, name), 0) * other.get((b, name), 0) for name in both)
                total += left / (1 - few)
    return float(np.sqrt(total)) / len(parts)


@pytest.mark.parametrize("whole", [True, False])
def test_the_error_of_an_auc_is_that_of_clusters_in_whatever_folds(whole: bool) -> None:
    rows = lesions(60)
    place = rows["cluster" if whole else "instance"].str[1:].astype(int)
    again = rows.assign(score=rows["score"] + place * 7 % 5, fold=(1 + place // 2 % 4).astype(str))
    rows = rows.assign(fold=(1 + place % 3).astype(str), repeat="1")
    rows = pd.concat([rows, again.assign(repeat="2")], ignore_index=True)
    expected = [slow_error(part) for _, part in rows.groupby("model", sort=False)]
    for order in (rows, rows.sample(frac=1, random_state=4)):
        predictions = staged(order.sort_values("model", kind="stable"))
        result = rankings(predictions, counted(predictions, seed=1))
        part = result[result["level"] == "fold"]
        assert part["auc_se"].tolist() == pytest.approx(expected, abs=1e-12)


def test_few_clusters_decide_nothing_and_say_why() -> None:
    rows = lesions(19)
    ill = rows.loc[rows["label"] == 1, "cluster"].nunique()
    well = rows.loc[rows["label"] == 0, "cluster"].nunique()
    assert ill < 10 < well
    assert seen(rows)["few-clusters"] == (
        f"19 clusters: {ill} with positives, {well} with negatives"
    )
    tables = tables_of(staged(rows))
    assert tables["verdicts"]["finding"].eq("undecided").all()
    assert tables["verdicts"][["low", "high"]].iloc[0].tolist() == [-1, 1]
    costs = tables["intervals"].query("quantity == 'cost'")
    assert (costs["low"] == 0).all()
    assert (costs["high"] == 1).all()
    assert tables["measures"]["auc_se"].notna().all()


def test_the_interface_takes_clusters_as_groups() -> None:
    rows = lesions(40)
    rows = rows[rows["model"] == "first"]
    label, score, cluster = (rows[name].to_numpy() for name in ("label", "score", "cluster"))
    intervals = [
        cc.cost_curve(label, score, groups=groups).area_interval for groups in (cluster, None)
    ]
    widths = [high - low for low, high in intervals]
    assert widths[0] > 1.1 * widths[1]


def test_whole_clusters_may_make_folds_unequal() -> None:
    rows = lesions(60)
    whole = rows.assign(fold=rows["cluster"].str[1:].astype(int) // 15)
    assert "prevalence" not in seen(whole)
