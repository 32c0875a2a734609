"""The gate: what it decides of which numbers, and how it ends."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.curves.cost_space import pc_from_ratio
from tests.command import ended
from tests.small_study import folds_of, scored

AT = ["--at", "cost-ratio=5", "--margin", "0.05", "--confidence", "0.8"]
TWO = "good.csv", "near.csv"


@pytest.fixture(autouse=True)
def files(folder: Path) -> dict[str, pd.DataFrame]:
    """Files of one model each: two are good, one is bad, and all are called the same.

    They have three repeats, one positive in five, and what mistakes cost.
    """
    whole = folds_of(240, repeats=3, folds=4, seed=3)
    positives = sorted(whole.loc[whole["label"] == 1, "instance"].unique())
    rows = whole[~whole["instance"].isin({*positives} - {*positives[3::4]})]
    rows = rows.assign(cost_fp=1.0, cost_fn=7.0)
    skills = {"good": (2.5, 1), "near": (2.4, 2), "bad": (0.4, 3)}
    made = {name: scored(rows, "forest", *skill) for name, skill in skills.items()}
    for name, frame in made.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    named = pd.concat([frame.assign(model=name) for name, frame in made.items()])
    named.to_csv(folder / "all.csv", index=False)
    return made


def gate(*words: str) -> tuple[int, dict[str, Any]]:
    status, out, _ = ended("gate", *words, "--json")
    return status, json.loads(out)


VERDICTS = [
    ("bad.csv good.csv", 0, "supported"),
    ("good.csv bad.csv --allow-undecided", 4, "contradicted"),
    ("good.csv near.csv --margin 0.001", 4, "undecided"),
    ("good.csv near.csv --margin 0.001 --allow-undecided", 0, "undecided"),
]


@pytest.mark.parametrize(("words", "status", "verdict"), VERDICTS)
def test_the_status_says_whether_it_is_not_worse(words: str, status: int, verdict: str) -> None:
    result, document = gate(*AT, *words.split())
    ending = "failed" if status else "passed"
    assert (result, document["verdict"], document["result"]) == (status, verdict, ending)
    assert [document["old"], document["new"]] == ["forest (old)", "forest (new)"]
    assert (document["p_value"] <= document["level"] == 0.1) == (verdict == "supported")
    assert document["p_value"] <= 1


def test_the_numbers_are_those_of_compared_models(files: dict[str, pd.DataFrame]) -> None:
    good, scores = files["good"], {name: files[name]["score"] for name in ("good", "near")}
    compared = cc.compare_models(
        good["label"], scores, folds=good["fold"], repeats=good["repeat"], instance=good["instance"]
    )
    difference = compared.differences["good", "near"]
    pc = float(pc_from_ratio(5, good["label"].mean()))
    # The lower end of the pointwise band at a higher level is further away.
    lower = -compared.band("pointwise")["good", "near"][1](pc)
    # Resamples go by the dataset's name.
    for words in (["all.csv", "--old", "good", "--new", "near"], TWO):
        status, plain = gate(*words, *AT)
        numbers = plain["at_pc"], plain["difference"], plain["margin"]
        assert numbers == pytest.approx((pc, -difference(pc), 0.05))
        assert lower < plain["low"] < plain["difference"] < plain["high"]
        assert status == (4 if plain["high"] > 0.05 else 0)
    # A prior moves the condition, and a range is harder.
    rare = gate(*TWO, *AT, "--prior", "0.02")[1]
    assert rare["at_pc"] == pytest.approx(float(pc_from_ratio(5, 0.02)))
    wide = gate(*TWO, *AT, "--at", "cost-ratio=[2, 9]")[1]
    assert wide["pc_from"] < plain["at_pc"] < wide["pc_to"]
    assert wide["p_value"] >= plain["p_value"]
    # A mean over ratios is the difference of two means.
    status, mean = gate(*TWO, *AT[2:], "--over", "1:2..6:1", "--prior", "0.1")
    assert (mean["at_pc"], mean["unit"]) == (None, "normalized expected cost")
    assert [mean["pc_from"], mean["pc_to"]] == pytest.approx([0.5 / 9.5, 0.4])
    along = np.exp(np.linspace(np.log(0.5), np.log(6), 20_001)) * 0.1 / 0.9
    odds = (along[1:] * along[:-1]) ** 0.5
    assert mean["difference"] == pytest.approx(-np.mean(difference(odds / (1 + odds))), abs=1e-5)
    assert mean["low"] < mean["difference"] < mean["high"]
    assert status == (0 if mean["high"] < 0.05 else 4)


def test_amounts_set_the_condition_and_the_unit_of_the_margin() -> None:
    """At a prior of .1 a case costs 10 + 18 = 28 if all are wrong; .05 of it is 1.4."""
    given = ["--confidence", "0.8", "--prior", "0.1"]
    status, amounts = gate(*TWO, *given, "--at", "cost-fn=100,cost-fp=20", "--margin", "1.4")
    same, ratio = gate(*TWO, *given, "--at", "cost-ratio=5", "--margin", "0.05")
    for number in ("difference", "low", "high", "margin"):
        assert amounts.pop(number) == pytest.approx(28 * ratio.pop(number))
    units = amounts.pop("unit"), ratio.pop("unit")
    assert units == ("amount per case", "normalized expected cost")
    assert (status, amounts) == (same, ratio)


def test_the_verdict_and_its_numbers_are_printed(files: dict[str, pd.DataFrame]) -> None:
    for name in ("good", "bad"):  # whose names are those of the models
        first = files[name][files[name]["repeat"] == 1]
        first[["instance", "label", "score"]].to_csv(f"{name}.csv", index=False)
    words = ["good.csv", "bad.csv", "--at", "cost-fn=50,cost-fp=10", "--margin", "1"]
    status, out, err = ended("gate", *words, "--confidence", "0.8")
    assert (status, "good.csv: " in err) == (4, True)  # how it was read
    verdict, difference, p_value, place = out.splitlines()
    claimed = "'bad' costs less than 1 more than 'good' at cost-fn=50,cost-fp=10"
    assert verdict == f"CONTRADICTED: {claimed}"
    assert re.fullmatch(r"difference: .* \(80 % interval .* to .*\), amount per case", difference)
    assert p_value == "p = 1, at a level of 0.1"
    assert place.startswith("PC(+): 0.56, at a prior of 0.2; resampled instances")


REFUSED = [
    ("good.csv --margin 1", 2, "1 files, expected two, the old model's and the new"),
    ("all.csv bad.csv", 3, "all.csv has 'good', 'near', 'bad'; bad.csv has 'forest'"),
    ("all.csv --old good", 2, "--old and --new name the two models: give both"),
    ("all.csv --old good --new gut", 3, "dataset 'all': has no model 'gut'"),
    ("all.csv --old bad --new bad", 2, "--old and --new are both 'bad'"),
    ("TWO --at pc=#", 2, "--at is 'pc=#', expected cost-ratio=5"),
    ("TWO --at pc=[.3,.2]", 2, "--at is 'pc=[.3,.2]', expected"),
    ("TWO --at cost-fn=0,cost-fp=2", 2, "--at is 'cost-fn=0,cost-fp=2', expected cost-ratio=5"),
    ("TWO --over 1:1..2:1", 2, "--at or --over says what is decided: give one of them"),
    ("TWO --at= --over 1..10", 2, "--over is '1..10', expected two cost ratios, "),
    ("TWO --at= --over 1:0..10:1", 2, "--over is '1:0..10:1', expected two"),
    ("TWO --margin 40 --at cost-fn=100,cost-fp=20 --prior .1", 2, "--margin is 40, expected at "
        "most 28, what a case costs where every decision is wrong"),
    ("TWO --margin nan", 2, "--margin is nan, expected a number"),
    ("TWO --prior 1", 2, "--prior is 1.0, expected"),
    ("TWO --confidence 0.9999", 2, "the number of resamples at this --confidence"),
    ("good.csv short.csv", 3, "lacks 3 of the 450 predictions"),
    ("sets.csv --old a --new b", 3, "the files hold 2 datasets or classes"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "status", "message"), REFUSED)
def test_what_can_not_be_gated_is_refused(
    files: dict[str, pd.DataFrame], words: str, status: int, message: str
) -> None:
    good = files["good"]
    good[good["instance"] != good["instance"].iloc[0]].to_csv("short.csv", index=False)
    pd.concat([good.assign(dataset=name) for name in "ab"]).to_csv("sets.csv", index=False)
    result, out, err = ended("gate", *AT, *words.replace("TWO", "good.csv bad.csv").split())
    assert (result, out, message in err) == (status, "", True), err
