"""The gate: what it decides of which numbers, and how it ends."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.command.main import main
from costcurves.curves.cost_space import pc_from_ratio
from tests.small_study import folds_of, scored

AT = ["--at", "cost-ratio=5", "--margin", "0.05", "--level", "0.8"]


def rows() -> pd.DataFrame:
    """Three repeats, one positive in five, and what mistakes cost."""
    whole = folds_of(240, repeats=3, folds=4, seed=3)
    positives = sorted(whole.loc[whole["label"] == 1, "instance"].unique())
    kept = whole[~whole["instance"].isin(positives[::4] + positives[1::4] + positives[2::4])]
    return kept.assign(cost_fp=1.0, cost_fn=7.0)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, pd.DataFrame]:
    """Files of one model each: two are good, one is bad, and all are called the same."""
    monkeypatch.chdir(tmp_path)
    skills = {"good": (2.5, 1), "near": (2.4, 2), "bad": (0.4, 3)}
    made = {name: scored(rows(), "forest", *skill) for name, skill in skills.items()}
    for name, frame in made.items():
        frame.to_csv(f"{name}.csv", index=False)
    both = [frame.assign(model=name) for name, frame in made.items()]
    pd.concat(both).to_csv("all.csv", index=False)
    return made


def gate(capsys: pytest.CaptureFixture[str], *told: str) -> tuple[int, dict[str, Any]]:
    status = main(["gate", *told, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("old", "new", "more", "status", "verdict"),
    [
        ("good", "near", ["--margin", "0.3"], 0, "supported"),
        ("bad", "good", [], 0, "supported"),
        ("good", "bad", [], 4, "contradicted"),
        ("good", "bad", ["--allow-undecided"], 4, "contradicted"),
        ("good", "near", ["--margin", "0.001"], 4, "undecided"),
        ("good", "near", ["--margin", "0.001", "--allow-undecided"], 0, "undecided"),
    ],
)
def test_the_status_says_whether_it_is_not_worse(
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    more: list[str],
    status: int,
    verdict: str,
) -> None:
    found, said = gate(capsys, f"{old}.csv", f"{new}.csv", *AT, *more)
    result = "failed" if status else "passed"
    assert (found, said["verdict"], said["result"]) == (status, verdict, result)
    assert [said["old"], said["new"]] == ["forest (old)", "forest (new)"]
    assert (said["p_value"] <= said["level"] == 0.1) == (verdict == "supported")


def test_the_numbers_are_those_of_compared_models(
    capsys: pytest.CaptureFixture[str], files: dict[str, pd.DataFrame]
) -> None:
    first = files["good"]
    found = cc.compare_models(
        first["label"],
        {name: files[name]["score"] for name in ("good", "near")},
        folds=first["fold"],
        repeats=first["repeat"],
        instance=first["instance"],
    )
    pc = float(pc_from_ratio(5, first["label"].mean()))
    difference = -found.differences["good", "near"](pc)
    status, said = gate(capsys, "all.csv", "--old", "good", "--new", "near", *AT)
    assert status == (4 if said["high"] > 0.05 else 0)
    assert said["at_pc"] == pytest.approx(pc)
    assert said["difference"] == pytest.approx(difference)
    # The lower end of the pointwise band at a higher level is further away.
    lower = -found.band("pointwise upper")["good", "near"](pc)
    assert lower < said["low"] < said["difference"] < said["high"]
    _, again = gate(capsys, "good.csv", "near.csv", *AT)
    assert [again[it] for it in ("difference", "margin")] == [said["difference"], 0.05]


def test_the_prior_moves_the_condition_and_a_range_is_harder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, plain = gate(capsys, "good.csv", "near.csv", *AT)
    _, rare = gate(capsys, "good.csv", "near.csv", *AT, "--prior", "0.02")
    assert rare["at_pc"] == pytest.approx(float(pc_from_ratio(5, 0.02)))
    ranged = ["good.csv", "near.csv", *AT, "--at", "cost-ratio=[2, 9]"]
    _, wide = gate(capsys, *ranged)
    assert wide["pc_from"] < plain["at_pc"] < wide["pc_to"]
    assert wide["p_value"] >= plain["p_value"]


def test_amounts_set_the_condition_and_the_unit_of_the_margin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At a prior of .1 a case costs 10 + 18 = 28 if all are wrong; .05 of it is 1.4."""
    two = ["good.csv", "near.csv", "--level", "0.8", "--prior", "0.1"]
    given = ["--at", "cost-fn=100,cost-fp=20", "--margin", "1.4"]
    status, amounts = gate(capsys, *two, *given)
    same, ratio = gate(capsys, *two, "--at", "cost-ratio=5", "--margin", "0.05")
    for number in ("difference", "low", "high", "margin"):
        assert amounts.pop(number) == pytest.approx(28 * ratio.pop(number))
    assert amounts.pop("unit") == "amount per case"
    assert ratio.pop("unit") == "normalized expected cost"
    assert (status, amounts) == (same, ratio)


def test_the_verdict_and_its_numbers_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    told = ["gate", "good.csv", "bad.csv", "--at", "cost-fn=50,cost-fp=10", "--margin", "1"]
    assert main([*told, "--level", "0.8"]) == 4
    verdict, difference, p_value, place = capsys.readouterr().out.splitlines()
    compared = "'forest (new)' costs less than 1 more than 'forest (old)'"
    assert verdict == f"CONTRADICTED: {compared} at cost-fn=50,cost-fp=10"
    assert difference.endswith("), amount per case")
    assert "(80 % interval " in difference
    assert p_value == "p = 1, at a level of 0.1"
    assert place.startswith("PC(+): 0.56, at a prior of 0.2; resampled instances")
    main([*told, "--json", "--study", "fraud"])
    assert json.loads(capsys.readouterr().out)["study"] == "fraud"


def test_how_files_were_read_is_said_beside_the_verdict(
    capsys: pytest.CaptureFixture[str], files: dict[str, pd.DataFrame]
) -> None:
    for name in ("good", "bad"):
        first = files[name][files[name]["repeat"] == 1]
        first[["instance", "label", "score"]].to_csv(f"{name}.csv", index=False)
    assert main(["gate", "good.csv", "bad.csv", *AT, "--json"]) in (0, 4)
    said = capsys.readouterr()
    assert [json.loads(said.out)[it] for it in ("new", "old")] == ["bad", "good"]
    assert "good.csv: " in said.err


@pytest.mark.parametrize(
    ("told", "status", "message"),
    [
        (["good.csv", "--margin", "1"], 2, "1 files, expected two, the old model's and the new"),
        (["all.csv", "bad.csv"], 3, "all.csv has 'good', 'near', 'bad'; bad.csv has 'forest'"),
        (["all.csv", "--old", "good"], 2, "--old and --new name the two models: give both"),
        (["all.csv", "--old", "good", "--new", "gut"], 3, "dataset 'all': has no model 'gut'"),
        (["all.csv", "--old", "bad", "--new", "bad"], 2, "--old and --new are both 'bad'"),
        (["good.csv", "bad.csv", "--at", "ratio=5"], 2, "--at is 'ratio=5', expected cost-ratio"),
        (["good.csv", "bad.csv", "--at", "pc=much"], 2, "--at is 'pc=much', expected cost-ratio"),
        (["good.csv", "bad.csv", "--at", "pc=2"], 2, "--at is 'pc=2', expected"),
        (["good.csv", "bad.csv", "--at", "cost-ratio=0"], 2, "--at is 'cost-ratio=0', expected"),
        (["good.csv", "bad.csv", "--over", "1:1..2:1"], 2, "--at or --over says what is decided"),
        (
            ["good.csv", "bad.csv", "--margin", "1", "--at", "cost-fn=0,cost-fp=2"],
            2,
            "--at is 'cost-fn=0,cost-fp=2', expected cost-ratio=5",
        ),
        (
            [
                *("good.csv", "bad.csv", "--margin", "40", "--at", "cost-fn=100,cost-fp=20"),
                *("--prior", "0.1"),
            ],
            2,
            "--margin is 40, expected at most 28, what a case costs where every decision is wrong",
        ),
        (["good.csv", "bad.csv", "--format", "weka"], 3, "good.csv: "),
        (["good.csv", "bad.csv", "--margin", "nan"], 2, "--margin is nan, expected a number"),
        (["good.csv", "bad.csv", "--prior", "1"], 2, "--prior is 1.0, expected"),
        (["good.csv", "bad.csv", "--level", "0"], 2, "--level is 0.0, expected"),
        (
            ["good.csv", "bad.csv", "--level", "0.9999"],
            2,
            "the number of resamples at this --level",
        ),
        (["good.csv", "short.csv"], 3, "lacks 3 of the 450 predictions"),
        (["sets.csv", "--old", "a", "--new", "b"], 3, "the files hold 2 datasets or classes"),
    ],
)
def test_what_can_not_be_gated_is_refused(
    capsys: pytest.CaptureFixture[str],
    files: dict[str, pd.DataFrame],
    told: list[str],
    status: int,
    message: str,
) -> None:
    good = files["good"]
    few = good[good["instance"] != good["instance"].iloc[0]]
    few.to_csv("short.csv", index=False)
    pd.concat([good.assign(dataset=name) for name in "ab"]).to_csv("sets.csv", index=False)
    assert main(["gate", *AT, *told]) == status
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""


def test_a_mean_over_ratios_is_the_difference_of_two_means(
    capsys: pytest.CaptureFixture[str], files: dict[str, pd.DataFrame]
) -> None:
    over = ["--over", "1:2..6:1", "--margin", "0.05", "--level", "0.8", "--prior", "0.1"]
    status, said = gate(capsys, "good.csv", "near.csv", *over)
    assert (said["at_pc"], said["unit"]) == (None, "normalized expected cost")
    assert [said["pc_from"], said["pc_to"]] == pytest.approx([0.5 / 9.5, 0.4])
    first = files["good"]
    found = cc.compare_models(
        first["label"],
        {name: files[name]["score"] for name in ("good", "near")},
        folds=first["fold"],
        repeats=first["repeat"],
        instance=first["instance"],
    )
    difference = found.differences["good", "near"]
    along = np.exp(np.linspace(np.log(0.5), np.log(6), 20_001)) * 0.1 / 0.9
    slow = -np.mean([difference(odds / (1 + odds)) for odds in (along[1:] * along[:-1]) ** 0.5])
    assert said["difference"] == pytest.approx(slow, abs=1e-5)
    assert said["low"] < said["difference"] < said["high"]
    assert status == (0 if said["high"] < 0.05 else 4)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ([], "--at or --over says what is decided: give one of them"),
        (["--over", "1..10"], "--over is '1..10', expected two cost ratios, the lower one first"),
        (["--over", "1:0..10:1"], "--over is '1:0..10:1', expected two cost ratios"),
        (["--over", "10:1..1:1"], "--over is '10:1..1:1', expected two cost ratios"),
        (["--over", "0:1..1:1"], "--over is '0:1..1:1', expected two cost ratios"),
    ],
)
def test_what_is_decided_is_said_once_and_in_order(
    capsys: pytest.CaptureFixture[str], told: list[str], message: str
) -> None:
    assert main(["gate", "good.csv", "bad.csv", "--margin", "0.05", *told]) == 2
    assert message in capsys.readouterr().err


def test_a_gate_is_the_same_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate(capsys, "good.csv", "near.csv", *AT) == gate(capsys, "good.csv", "near.csv", *AT)
    assert np.isfinite(gate(capsys, "good.csv", "near.csv", *AT)[1]["low"])
