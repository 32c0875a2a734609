"""Files as people have them: what is read, what is asked, and that each proposal then works.

All tables hold the same 40 cases, of whom 14 are positive; two models rank them differently.
"""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import costcurves as cc
from costcurves.command import main
from costcurves.errors import InputError
from costcurves.predictions.asking import Question, of_files
from costcurves.predictions.opening import open_files

SIZE = 40
Y = np.array([int(k * k % 41 in range(1, 15)) for k in range(SIZE)])
P = np.round(0.03 + 0.0187 * ((np.arange(SIZE) * 11 + 5 * Y) % 40) + 0.1 * Y, 4)
Q = np.round(0.95 - 0.0171 * ((np.arange(SIZE) * 17 + 29 * Y) % 53) % 0.9, 4)
IDS = [f"n{k * 21 % SIZE:02}" for k in range(SIZE)]
SURE = (P > 0.5).astype(int)
YES = np.array(["kept", "left"])
SITE = [f"s{k * 5 % 8}" for k in range(SIZE)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


def twice(key: str = "estimator", **others: Any) -> pd.DataFrame:
    """Two models below each other, under a key of any name."""
    each = {"y_true": Y, **others}
    return pd.concat([table(**{key: "rf"}, **each, p=P), table(**{key: "lr"}, **each, p=Q)])


def missing(values: Any, code: str, every: int = 9) -> list[str]:
    return [code if k % every == 3 else f"{value}" for k, value in enumerate(values)]


@dataclass(frozen=True)
class Case:
    """A file, each question that is asked with the answer that is given, and what is then said."""

    made: Callable[[], pd.DataFrame]
    asked: tuple[tuple[str, str], ...] = ()  # in a question, and in the command that is chosen
    models: int = 1
    seen: str = ""


SAME = ("which rows of each model and repeat are of the same case", "--column 'instance=#'")
KNOWN = "no column is known as the truth"
SPLIT = "column 'split' has rows of 'val', 'test': say which are judged"
PART = "column 'part' says that rows are of training ('Train'), whose scores say nothing of new"
CASES = {
    "two models under a key, ids": Case(
        lambda: twice(case_id=IDS),
        (
            (
                "column 'estimator' (2 values) tells rows of the same case",
                "--column model=estimator",
            ),
        ),
        2,
    ),
    "two models under a key, no ids": Case(
        lambda: twice("run"),
        (("column 'run' (2 values) has the same number of rows of ea", "--column model=run"), SAME),
        2,
    ),
    "a key beside another column of as many values": Case(
        lambda: twice(case_id=IDS).assign(colour=["red"] * SIZE + ["blue"] * SIZE)[
            ["colour", "estimator", "case_id", "y_true", "p"]
        ],
        (
            (
                "column 'estimator' (2 values) tells rows of the same case",
                "--column model=estimator",
            ),
        ),
        2,
    ),
    "repeats that no column names": Case(
        lambda: pd.concat([table(sample_idx=IDS, event=Y, risk=P - k / 100) for k in range(3)]),
        (
            (KNOWN, "--column label=event"),
            ("column 'sample_idx' has 40 values in 120 rows", "--column 'repeat=#'"),
        ),
        seen="3 repeats",
    ),
    "rows of training": Case(
        lambda: table(id=IDS, y=Y, p=P, part=["Train", "Test"] * 20),
        ((PART, "--where 'part != Train'"),),
        seen="20 instances",
    ),
    "validation and test": Case(
        lambda: pd.concat([table(id=IDS, y=Y, p=P, split=part) for part in ("val", "test")]),
        ((SPLIT, "--where 'split == test'"),),
    ),
    "a text for missing scores": Case(
        lambda: table(response=Y, pred_1=missing(P, "NA"), pred_2=Q),
        (
            (KNOWN, "--column label=response"),
            ("column 'pred_1' has 'NA': does that mean no score?", "--missing NA"),
            ("5 rows of 5 of 40 cases have none", "--abstain drop"),
        ),
        2,
        "35 instances",
    ),
    "a number for missing scores": Case(
        lambda: table(y=Y, p=missing(P, "-1"), q=Q),
        (
            ("column 'p' has '-1': does that mean no score?", "--missing -1"),
            ("have none; say what such cases count as", "--abstain negative"),
        ),
        2,
        "taken as negative",
    ),
    "decisions with a word for none": Case(
        lambda: table(y=YES[Y], a_pred=missing(YES[SURE], "NOANSWER"), b_pred=YES[1 - SURE]),
        (
            ("column 'a_pred' has 'NOANSWER'", "--missing NOANSWER"),
            ("", "--positive left"),
            ("has no decision here", "--abstain positive --positive left"),
        ),
        2,
        "taken as positive",
    ),
    "decisions of two classifiers": Case(
        lambda: table(references=Y, predictions1=SURE, predictions2=1 - SURE),
        models=2,
        seen="decisions",
    ),
    "decision words, correctness, an amount": Case(
        lambda: table(
            amount=Q * 900,
            is_fraud=Y,
            fraud_probability=P,
            decision=np.where(SURE, "REVIEW", "ALLOW"),
            correct=(SURE == Y).astype(int),
        ),
        ((KNOWN, "--column label=is_fraud"),),
        seen="'correct' (no decision of a model read here)",
    ),
    "seven cases": Case(
        lambda: table(y_true=[0, 1, 1, 1, 0, 0, 0], y_prob=[0.6, 0.7, 0.4, 0.3, 0.2, 0.15, 0.1]),
        seen="look (few-cases): Fewer than ten cases of a class: 7 cases: 3 positive, 4 negative",
    ),
    "probability of the predicted class": Case(
        lambda: table(Bought=Y, prediction_label=SURE, prediction_score=np.where(SURE, P, 1 - P)),
        ((KNOWN, "--column label=Bought"),),
        seen="a case decided positive outscores one decided negative in 30",
    ),
    "clusters": Case(
        lambda: table(patient_id=SITE, malignant=Y, reader_a=P, reader_b=Q),
        (
            (KNOWN, "--column label=malignant"),
            ("column 'patient_id' has 8 values in 40 rows", "--column cluster=patient_id"),
        ),
        2,
        "8 clusters",
    ),
    "weights under another name": Case(
        lambda: table(y=Y, p=P, sample_weight=Q + 1),
        (("what is column 'sample_weight'?", "--column weight=sample_weight"),),
        seen="weighted: as goo",
    ),
    "three classes with names of their own": Case(
        lambda: table(
            id=IDS, label=np.arange(SIZE) % 3, prob_LOW=P / 2, prob_MID=1 - P, prob_HIGH=P / 2
        ),
        (("sum to 1 in each row", "--column score_0=prob_LOW --column score_1=prob_MID"),),
    ),
    "one class of five against the rest": Case(
        lambda: table(id=IDS, class_label=[*"abcde"] * 8, p=P, split=["test"] * 40),
        (
            (KNOWN, "--column label=class_label"),
            ("these are 5 classes: --positive LABEL --cla", "--positive b --classes rest"),
        ),
    ),
    "labels that are not known yet": Case(
        lambda: table(id=IDS, label=missing(Y, ""), champion=P),
        (("5 of 40 cases have no label: are they", "--missing-labels drop"),),
        seen="35 instances",
    ),
    "logits of both classes": Case(lambda: table(y=Y, logit_0=5 - 9 * P, logit_1=9 * P - 5)),
    "two columns that sum to one": Case(
        lambda: table(y=Y, p=P, q=1 - P), (("sum to the same in each row", "--column score=p"),)
    ),
    "a score outside 0 to 1 beside one inside": Case(
        lambda: table(y=Y, rf=P, svm=9 * Q - 4),
        (("column 'svm': scores of models, or of no use?", "--column score=rf,svm"),),
        2,
    ),
    "properties of cases": Case(
        lambda: table(id=IDS, y=Y, p=P, site=SITE, sex=[*"fm"] * 20, age=np.arange(SIZE) % 31 + 20),
        seen="1 repeat",
    ),
    "a fold that is written in two ways": Case(
        lambda: table(id=IDS, y=Y, p=P, fold=["1", "1.0", "2", "2.0"] * 10), seen="2 folds in all"
    ),
}


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main.main([*arguments])
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_read_or_asked_about_until_it_is(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command that is proposed is taken: none ends in an error, or in the same question."""
    case, command = CASES[name], "costcurves check a.csv"
    case.made().to_csv("a.csv", index=False)
    for asked, answer in case.asked:
        status, printed = ran(capsys, *shlex.split(command)[1:])
        assert (status in (2, 3), asked in printed) == (True, True), printed
        lines = re.findall(r"a\.csv: if .*?: (costcurves check .*)$", printed, re.MULTILINE)
        assert asked != KNOWN or len(lines) == 1, printed
        for line in lines:
            assert asked not in ran(capsys, *shlex.split(line)[1:])[1], line
        chosen = [line for line in lines if answer in line]
        command = chosen[0] if lines else f"{command} {answer}"
        assert answer in command, printed
    status, printed = ran(capsys, *shlex.split(command)[1:])
    assert (status, case.seen in printed) == (0, True), printed
    assert case.models == 1 or f"by {case.models} models" in printed


def test_vectors_are_refused_with_the_recipe(capsys: pytest.CaptureFixture[str]) -> None:
    vectors = [f"[{1 - p:.4f},{p}]" for p in P]
    table(label=Y, probability=vectors, prediction=SURE).to_csv("a.csv", index=False)
    status, printed = ran(capsys, "check", "a.csv")
    assert (status, "docs/recipes.md, 'Vectors of probabilities'" in printed) == (3, True)
    assert ran(capsys, "check", "a.csv", "--column", "unused=probability")[0] == 0


def test_what_python_asks_is_a_call_that_works() -> None:
    twice(case_id=IDS).to_csv("a.csv", index=False)
    with pytest.raises(InputError, match="tells rows of the same case apart") as caught:
        cc.read_predictions("a.csv")
    (line, *_) = [text for text in caught.value.findings if "are models: " in text]
    frame = eval(re.sub(r".*?(read_predictions\(.*\))", r"cc.\1", line))
    assert frame.groupby("model").size().tolist() == [SIZE, SIZE]
    twice("run").to_csv("a.csv", index=False)
    with pytest.raises(InputError) as caught:
        cc.read_predictions("a.csv", columns={"model": "run"})
    *_, numbered, unpaired = caught.value.findings
    assert ("unpaired" in numbered, unpaired.endswith(", unpaired=True)")) == (False, True)
    with pytest.raises(InputError, match="higher_is is 'xyz', expected one of 'positive', 'neg"):
        cc.read_predictions("a.csv", higher_is="xyz")


def test_python_warns_of_what_is_grave() -> None:
    labels = np.arange(9 * SIZE) % 37 % 3 == 0
    with pytest.warns(UserWarning, match="Ranks worse than chance"):
        cc.cost_curve(labels, np.arange(9 * SIZE) / 999 - 0.7 * labels)


def test_a_truth_in_another_file(capsys: pytest.CaptureFixture[str]) -> None:
    table(key=IDS, outcome=Y, fold=SITE, more=1).to_csv("truth.csv", index=False)
    table(key=IDS[::-1], p=P[::-1]).to_csv("a.csv", index=False)
    status, printed = ran(capsys, "check", "a.csv")
    assert (status, "of another file: --truth FILE --on ID" in printed) == (3, True), printed
    assert ran(capsys, "check", "a.csv", "--truth", "truth.csv", "--on", "key")[0] == 0
    frame = cc.read_predictions("a.csv", truth="truth.csv", on="key")
    assert dict(zip(frame["instance"], frame["label"].astype(int), strict=True)) == dict(
        zip(IDS, Y, strict=True)
    )
    assert (frame["fold"].nunique(), "more" in frame.attrs["read"][0]) == (8, False)
    for changed, message in (
        (
            table(key=IDS[1:], outcome=Y[1:]),
            "a.csv: 1 of its 40 rows are of cases that truth.csv do",
        ),
        (table(key=["n00"] * 40, outcome=Y), "truth.csv: has an id twice in 'key'"),
        (
            table(id=IDS, outcome=Y),
            "truth.csv: has no column 'key', by which the truth in truth.csv",
        ),
    ):
        changed.to_csv("truth.csv", index=False)
        with pytest.raises(InputError, match=re.escape(message)):
            cc.read_predictions("a.csv", truth="truth.csv", on="key")


def test_gate_says_that_files_may_be_unpaired(capsys: pytest.CaptureFixture[str]) -> None:
    for name, scores in (("a.csv", P), ("b.csv", Q)):
        table(y=Y, p=scores).to_csv(name, index=False)
    typed = ["gate", "a.csv", "b.csv", "--at", "cost_ratio=2", "--margin", "0.1"]
    status, printed = ran(capsys, *typed)
    assert (status, "--unpaired" in printed, "'instance=#'" in printed) == (3, True, True), printed
    assert ran(capsys, *typed, "--unpaired")[0] in (0, 4)


# Tables at random.

KEYS = ["model", "estimator", "algorithm", "run_id", "config", "variant", "tag", "xyz", "which"]
KEYS += ["my_column", "seed", "rep"]
NAMES = st.permutations(KEYS)


def outcome(made: pd.DataFrame) -> pd.DataFrame | None:
    """What is read; None if something is asked."""
    made.to_csv("t.csv", index=False)
    try:
        return open_files(of_files(["t.csv"]))[0].frame
    except Question:
        return None


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=NAMES,
    models=st.integers(1, 3),
    repeats=st.sampled_from([1, 1, 2, 5]),
    ids=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_models_that_are_read_are_those_that_are_there(
    names: list[str], models: int, repeats: int, ids: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(24, 90))
    label = rng.permutation(np.arange(size) % 4 == 0).astype(int)
    parts = []
    for model in range(models):
        for repeat in range(repeats):
            score = rng.random(size) / 2 + label / 3
            keys: dict[str, Any] = {names[0]: f"m{model}"} if models > 1 else {}
            keys |= {names[1]: repeat} if repeats > 1 else {}
            keys |= {"case": np.arange(size) + 500} if ids else {}
            parts.append(table(**keys, target=label, score=score.round(6)))
    whole = pd.concat(parts).sample(frac=1, random_state=int(seed % 1000))
    read = outcome(whole[sorted(map(str, whole), key=lambda _: rng.random())])
    if read is not None:
        assert read["model"].nunique() == models
        assert (read["repeat"].nunique() if "repeat" in read else 1) == repeats


def test_properties_of_the_cases_of_one_model_are_hardly_asked_about() -> None:
    rng, asked = np.random.default_rng(20061), 0
    for _ in range(75):
        size = int(rng.integers(40, 300))
        days = pd.date_range("2024-01-01", periods=90).strftime("%Y-%m-%d")
        made = table(
            site=rng.choice([*"ABCD"], size),
            sex=rng.choice([*"fm"], size),
            device=rng.choice(["X", "Y"], size),
            date=rng.choice(days, size),
            amount=rng.gamma(2, 50, size).round(2),
            y_true=(np.arange(size) % 5 == 0).astype(int),
            proba=rng.random(size).round(6),
        )
        if rng.random() < 0.5:
            made.insert(0, "id", rng.permutation(size) + 100)
        asked += outcome(made) is None
    assert asked <= 0.02 * 75
