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

AT = ["--at", "cost-ratio=5", "--margin", "0.05", "--confidence", "0.8"]


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


def gate(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["gate", *words, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("old", "new", "more", "status", "verdict"),
    [
        ("bad", "good", [], 0, "supported"),
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
    result, document = gate(capsys, f"{old}.csv", f"{new}.csv", *AT, *more)
    ending = "failed" if status else "passed"
    assert (result, document["verdict"], document["result"]) == (status, verdict, ending)
    assert [document["old"], document["new"]] == ["forest (old)", "forest (new)"]
    assert (document["p_value"] <= document["level"] == 0.1) == (verdict == "supported")


@pytest.fixture
def compared(files: dict[str, pd.DataFrame]) -> Any:
    """The same two models, compared in Python."""
    first = files["good"]
    return cc.compare_models(
        first["label"],
        {name: files[name]["score"] for name in ("good", "near")},
        folds=first["fold"],
        repeats=first["repeat"],
        instance=first["instance"],
    )


def test_the_numbers_are_those_of_compared_models(
    capsys: pytest.CaptureFixture[str], files: dict[str, pd.DataFrame], compared: Any
) -> None:
    difference = compared.differences["good", "near"]
    status, named = gate(capsys, "all.csv", "--old", "good", "--new", "near", *AT)
    assert status == (4 if named["high"] > 0.05 else 0)
    pc = float(pc_from_ratio(5, files["good"]["label"].mean()))
    assert named["at_pc"] == pytest.approx(pc)
    assert named["difference"] == pytest.approx(-difference(pc))
    # The lower end of the pointwise band at a higher level is further away.
    lower = -compared.band("pointwise")["good", "near"][1](pc)
    assert lower < named["low"] < named["difference"] < named["high"]
    plain = gate(capsys, "good.csv", "near.csv", *AT)[1]
    # Resamples go by the dataset's name.
    assert [plain[key] for key in ("difference", "margin")] == [named["difference"], 0.05]
    # A prior moves the condition, and a range is harder.
    rare = gate(capsys, "good.csv", "near.csv", *AT, "--prior", "0.02")[1]
    assert rare["at_pc"] == pytest.approx(float(pc_from_ratio(5, 0.02)))
    wide = gate(capsys, "good.csv", "near.csv", *AT, "--at", "cost-ratio=[2, 9]")[1]
    assert wide["pc_from"] < plain["at_pc"] < wide["pc_to"]
    assert wide["p_value"] >= plain["p_value"]
    # A mean over ratios is the difference of two means.
    over = ["--over", "1:2..6:1", "--margin", "0.05", "--confidence", "0.8", "--prior", "0.1"]
    status, mean = gate(capsys, "good.csv", "near.csv", *over)
    assert (mean["at_pc"], mean["unit"]) == (None, "normalized expected cost")
    assert [mean["pc_from"], mean["pc_to"]] == pytest.approx([0.5 / 9.5, 0.4])
    along = np.exp(np.linspace(np.log(0.5), np.log(6), 20_001)) * 0.1 / 0.9
    odds = (along[1:] * along[:-1]) ** 0.5
    slow = -np.mean(difference(odds / (1 + odds)))
    assert mean["difference"] == pytest.approx(slow, abs=1e-5)
    assert mean["low"] < mean["difference"] < mean["high"]
    assert status == (0 if mean["high"] < 0.05 else 4)


def test_amounts_set_the_condition_and_the_unit_of_the_margin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At a prior of .1 a case costs 10 + 18 = 28 if all are wrong; .05 of it is 1.4."""
    two = ["good.csv", "near.csv", "--confidence", "0.8", "--prior", "0.1"]
    given = ["--at", "cost-fn=100,cost-fp=20", "--margin", "1.4"]
    status, amounts = gate(capsys, *two, *given)
    same, ratio = gate(capsys, *two, "--at", "cost-ratio=5", "--margin", "0.05")
    for number in ("difference", "low", "high", "margin"):
        assert amounts.pop(number) == pytest.approx(28 * ratio.pop(number))
    assert amounts.pop("unit") == "amount per case"
    assert ratio.pop("unit") == "normalized expected cost"
    assert (status, amounts) == (same, ratio)


def test_the_verdict_and_its_numbers_are_printed(
    capsys: pytest.CaptureFixture[str], files: dict[str, pd.DataFrame]
) -> None:
    for name in ("good", "bad"):  # whose names are those of the models
        first = files[name][files[name]["repeat"] == 1]
        first[["instance", "label", "score"]].to_csv(f"{name}.csv", index=False)
    words = ["gate", "good.csv", "bad.csv", "--at", "cost-fn=50,cost-fp=10", "--margin", "1"]
    assert main([*words, "--confidence", "0.8"]) == 4
    out, err = capsys.readouterr()
    assert "good.csv: " in err  # how it was read
    verdict, difference, p_value, place = out.splitlines()
    assert verdict == (
        "CONTRADICTED: 'bad' costs less than 1 more than 'good' at cost-fn=50,cost-fp=10"
    )
    assert difference.endswith("), amount per case")
    assert "(80 % interval " in difference
    assert p_value == "p = 1, at a level of 0.1"
    assert place.startswith("PC(+): 0.56, at a prior of 0.2; resampled instances")


ONCE = "--at or --over says what is decided: give one of them"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("good.csv --margin 1", 2, "1 files, expected two, the old model's and the new"),
        ("all.csv bad.csv", 3, "all.csv has 'good', 'near', 'bad'; bad.csv has 'forest'"),
        ("all.csv --old good", 2, "--old and --new name the two models: give both"),
        ("all.csv --old good --new gut", 3, "dataset 'all': has no model 'gut'"),
        ("all.csv --old bad --new bad", 2, "--old and --new are both 'bad'"),
        ("TWO --at ratio=5", 2, "--at is 'ratio=5', expected cost-ratio"),
        ("TWO --at pc=much", 2, "--at is 'pc=much', expected cost-ratio"),
        ("TWO --at pc=#", 2, "--at is 'pc=#', expected cost-ratio"),
        ("TWO --at pc=2", 2, "--at is 'pc=2', expected"),
        ("TWO --at pc=[.3,.2]", 2, "--at is 'pc=[.3,.2]', expected"),
        ("TWO --at cost-ratio=0", 2, "--at is 'cost-ratio=0', expected"),
        ("TWO --at cost-fn=0,cost-fp=2", 2, "--at is 'cost-fn=0,cost-fp=2', expected cost-ratio=5"),
        ("TWO --over 1:1..2:1", 2, ONCE),
        ("TWO --at=", 2, ONCE),
        ("TWO --at= --over 1..10", 2, "--over is '1..10', expected two cost ratios, "),
        ("TWO --at= --over 1:0..10:1", 2, "--over is '1:0..10:1', expected two"),
        ("TWO --at= --over 10:1..1:1", 2, "--over is '10:1..1:1', expected two"),
        ("TWO --margin 40 --at cost-fn=100,cost-fp=20 --prior .1", 2,
            "--margin is 40, expected at most 28, what a case costs where every decision is wrong"),
        ("TWO --margin nan", 2, "--margin is nan, expected a number"),
        ("TWO --prior 1", 2, "--prior is 1.0, expected"),
        ("TWO --confidence 0", 2, "--confidence is 0.0, expected"),
        ("TWO --confidence 0.9999", 2, "the number of resamples at this --confidence"),
        ("good.csv short.csv", 3, "lacks 3 of the 450 predictions"),
        ("sets.csv --old a --new b", 3, "the files hold 2 datasets or classes"),
    ],
)  # fmt: skip
def test_what_can_not_be_gated_is_refused(
    capsys: pytest.CaptureFixture[str],
    files: dict[str, pd.DataFrame],
    words: str,
    status: int,
    message: str,
) -> None:
    good = files["good"]
    good[good["instance"] != good["instance"].iloc[0]].to_csv("short.csv", index=False)
    pd.concat([good.assign(dataset=name) for name in "ab"]).to_csv("sets.csv", index=False)
    given = words.replace("TWO", "good.csv bad.csv").split()
    assert main(["gate", *AT, *given]) == status
    out, err = capsys.readouterr()
    assert (out, message in err) == ("", True), err
