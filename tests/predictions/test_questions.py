"""Files as people have them: what is read, what is asked at once, and that the answers work.

All tables hold the same 40 cases, of whom 14 are positive; two models rank them differently.
"""

import re
import shlex
from collections.abc import Callable
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


def missing(values: Any, code: str) -> list[str]:
    return [code if k % 9 == 3 else f"{value}" for k, value in enumerate(values)]


LABEL = "no column is known as the truth"
SAME = "which rows of each model, repeat or file are of the same case"
FIVE = "labels are 'a', 'b', 'c', 'd', 'e': which is positive ('positive:' or --positive)? To ta"
# A file, the questions about it, the options by which it is then read, and what is seen.
Case = tuple[Callable[[], pd.DataFrame], list[str], str, str]
CASES: dict[str, Case] = {
    "two models under a key, ids": (lambda: twice(case_id=IDS),
        ["column 'estimator' (2 values) tells rows of the same case"], "--column model=estimator",
        "each model and case: model 'estimator', label 'y_true', instance 'case_id', score 'p'\n"),
    "two models under a key, no ids": (lambda: twice("run"),
        ["column 'run' (2 values) has the same number of rows of each class", SAME],
        "--column model=run --column 'instance=#'", "by 2 models"),
    "a key beside another column of as many values": (
        lambda: twice(case_id=IDS).assign(colour=["red"] * SIZE + ["blue"] * SIZE),
        ["column 'estimator' (2 values) tells rows of the same case"],
        "--column model=estimator", "by 2 models"),
    "repeats that a column names": (
        lambda: pd.concat([table(seed=k, id=IDS, y=Y, p=P - k / 100) for k in range(3)]),
        ["column 'seed' (3 values) tells rows of the same case apart"],
        "--column repeat=seed", "3 repeats"),
    "repeats that no column names": (
        lambda: pd.concat([table(sample_idx=IDS, event=Y, risk=P - k / 100) for k in range(3)]),
        [LABEL, "column 'sample_idx' has 40 values in 120 rows"],
        "--column label=event --column instance=sample_idx --column 'repeat=#'", "3 repeats"),
    "rows of training": (lambda: table(id=IDS, y=Y, p=P, part=["Train", "Test"] * 20),
        ["column 'part' says that rows are of training ('Train'), whose scores say nothing of new"],
        "--where 'part != Train'", "20 instances"),
    "validation and test": (
        lambda: pd.concat([table(id=IDS, y=Y, p=P, split=part) for part in ("val", "test")]),
        ["column 'split' has rows of 'test', 'val': say which are judged"],
        "--where 'split == test'", "40 instances"),
    "a text for missing scores": (lambda: table(response=Y, pred_1=missing(P, "NA"), pred_2=Q),
        [LABEL, "column 'pred_1' has 'NA': does that mean no score?", "5 rows of 5 of 40 cases"],
        "--missing NA --abstain drop --column label=response", "35 instances"),
    "a number for missing scores": (lambda: table(y=Y, p=missing(P, "-1"), q=Q),
        ["column 'p' has '-1': does that mean no score?", "have none; say what such cases count"],
        "--missing -1 --abstain drop", "5 of 40 cases, left out for all models"),
    "decisions with a word for none": (
        lambda: table(y=YES[Y], a_pred=missing(YES[SURE], "NOANSWER"), b_pred=YES[1 - SURE]),
        ["column 'a_pred' has 'NOANSWER'", "labels are 'kept', 'left': which", "has no decision"],
        "--missing NOANSWER --abstain drop --positive left", "by 2 models"),
    "decisions of two classifiers": (
        lambda: table(references=Y, predictions1=SURE, predictions2=1 - SURE),
        [], "", "decision 'predictions2', models 'predictions1', 'predictions2'\n"),
    "decision words, correctness, an amount": (
        lambda: table(amount=Q * 900, is_fraud=Y, fraud_probability=P,
                      decision=np.where(SURE, "REVIEW", "ALLOW"), correct=(SURE == Y).astype(int)),
        [LABEL], "--column label=is_fraud", "'correct' (no decision of a model read here)"),
    "seven cases": (
        lambda: table(y_true=[0, 1, 1, 1, 0, 0, 0], y_prob=[0.6, 0.7, 0.4, 0.3, 0.2, 0.15, 0.1]),
        [], "", "look (few-cases): Fewer than ten cases of a class: 7 cases: 3 positive, 4 neg"),
    "probability of the predicted class": (
        lambda: table(Bought=Y, prediction_label=SURE, prediction_score=np.where(SURE, P, 1 - P)),
        [LABEL], "--column label=Bought",
        "a case decided positive outscores one decided negative in 30"),
    "clusters": (lambda: table(patient_id=SITE, malignant=Y, reader_a=P, reader_b=Q),
        [LABEL, "column 'patient_id' has 8 values in 40 rows"],
        "--column label=malignant --column cluster=patient_id", "8 clusters"),
    "weights under another name": (lambda: table(y=Y, p=P, sample_weight=Q + 1),
        ["what is column 'sample_weight'?"],
        "--column weight=sample_weight", "weighted: as goo"),
    "three classes with names of their own": (
        lambda: table(id=IDS, label=np.arange(SIZE) % 3, prob_LO=P / 2, mid=1 - P, prob_HI=P / 2),
        ["sum to 1 in each row"],
        "--column score_0=prob_LO --column score_1=mid --column score_2=prob_HI", "a: 2: fine"),
    "one class of five against the rest": (
        lambda: table(id=IDS, class_label=[*"abcde"] * 8, p=P, split=["test"] * 40), [LABEL, FIVE],
        "--column label=class_label --classes rest --positive a",
        "40 instances, 8 of them positive"),
    "labels that are not known yet": (lambda: table(id=IDS, label=missing(Y, ""), champion=P),
        ["5 of 40 cases have no label: are they"], "--missing-labels drop", "35 instances"),
    "logits of both classes": (lambda: table(y=Y, logit_0=5 - 9 * P, logit_1=9 * P - 5),
        [], "", "by 1 model"),
    "two columns that sum to one": (lambda: table(y=Y, q=1 - P, p=P),
        ["sum to 1 in each row"], "--column score_0=q --column score_1=p", "by 1 model"),
    "a score outside 0 to 1 beside one inside": (lambda: table(y=Y, rf=P, svm=9 * Q - 4),
        ["column 'svm': scores of models, or of no use?"], "--column score=rf", "by 1 model"),
    "properties of cases": (
        lambda: table(id=IDS, y=Y, p=P, site=SITE, sex=[*"fm"] * 20, age=np.arange(SIZE) % 31 + 20),
        [], "", "1 repeat"),
    "a fold that is written in two ways": (
        lambda: table(id=IDS, y=Y, p=P, fold=["1", "1.0", "2", "2.0"] * 10),
        [], "", "2 folds in all"),
}  # fmt: skip


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main.main([*arguments])
    return status, "".join(capsys.readouterr())


def answers(printed: str) -> list[tuple[str, list[str]]]:
    """The questions of a refusal, with the options of each answer."""
    *questions, _ = re.split(r"\n(?=a\.csv)", printed)
    return [(each.split("\n")[0], re.findall(r"\n  if .*: (--.*)", each)) for each in questions]


@pytest.mark.parametrize("name", CASES)
def test_all_that_is_open_is_asked_at_once(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that answers all of it works, and no answer leads to the same question again."""
    made, asked, options, seen = CASES[name]
    made().to_csv("a.csv", index=False)
    typed = ["check", "a.csv", "--strict"]
    status, printed = ran(capsys, *typed)
    if asked:
        proposed = f"with the first answer to each question: costcurves {shlex.join(typed)} "
        assert f"a.csv: {proposed}{options}\n" in printed
        questions = answers(printed)
        assert status == 3
        assert len(questions) == len(asked)
        before = ""
        for (question, choices), expected in zip(questions, asked, strict=True):
            assert expected in question
            for answer in choices:
                status, again = ran(capsys, *typed, *shlex.split(f"{before} {answer}"))
                assert (status in (0, 3), question in again) == (True, False), again
            before = f"{before} {choices[0]}"
        status, printed = ran(capsys, *typed, *shlex.split(options))
    assert (status, seen in printed) == (3 if "grave" in printed else 0, True), printed


MODELS = "--column model=which --column 'instance=#'"
TYPED = {
    "report a.csv --quick --study s": f"report a.csv --quick --study s {MODELS}",
    "init a.csv -o 'b 1.yaml'": f"init a.csv -o 'b 1.yaml' {MODELS}",
    "gate a.csv --old rf --new lr --at pc=.3 --margin .1 --prior .3":
        f"gate a.csv --old rf --new lr --at pc=.3 --margin .1 --prior .3 {MODELS}",
    "check a.csv --truth b.csv --on nr -q":
        "check a.csv --truth b.csv -q --column on=nr --column model=which",
    "check --positive=1 --column unused=x a.csv --where 'x == 1'":
        f"check a.csv --where 'x == 1' --column unused=x {MODELS} --positive 1",
}  # fmt: skip


@pytest.mark.parametrize("typed", TYPED)
def test_the_proposed_command_has_what_was_typed(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    proposed = TYPED[typed]
    case = {"nr": range(SIZE)} if "truth" in typed else {}
    twice("which", x=1, **case).to_csv("a.csv", index=False)
    table(nr=range(SIZE), label=Y).to_csv("b.csv", index=False)
    status, printed = ran(capsys, *shlex.split(typed))
    assert (status, f"each question: costcurves {proposed}\n" in printed) == (3, True), printed
    more = ["--dry-run"] if "report" in typed else []
    assert ran(capsys, *shlex.split(proposed), *more)[0] in (0, 4)


def test_vectors_are_refused_with_the_recipe(capsys: pytest.CaptureFixture[str]) -> None:
    vectors = [f"[{1 - p:.4f},{p}]" for p in P]
    table(label=Y, probability=vectors, prediction=SURE).to_csv("a.csv", index=False)
    status, printed = ran(capsys, "check", "a.csv")
    assert (status, "docs/recipes.md, 'Vectors of probabilities'" in printed) == (3, True)
    assert ran(capsys, "check", "a.csv", "--column", "unused=probability")[0] == 0


def test_what_python_asks_is_a_call_that_works() -> None:
    twice("run").to_csv("{a}.csv", index=False)
    with pytest.raises(InputError, match="has the same number of rows of each class") as caught:
        cc.read_predictions("{a}.csv")
    *_, unpaired, first = caught.value.findings
    assert unpaired == "  if models are judged on other cases: unpaired=True"
    frame = eval(re.sub(r".*?(read_predictions\(.*\))", r"cc.\1", first))
    assert frame.groupby("model").size().tolist() == [SIZE, SIZE]
    with pytest.raises(InputError, match="higher_is is 'xyz', expected one of 'positive', 'neg"):
        cc.read_predictions("{a}.csv", higher_is="xyz")


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
    for key, ids, message in (
        ("key", IDS[1:], "a.csv: 1 of its 40 rows are of cases that truth.csv do"),
        ("key", ["n00"] * 40, "truth.csv: has an id twice in 'key'"),
        ("id", IDS, "truth.csv: has no column 'key', by which the truth in truth.csv"),
    ):
        table(**{key: ids}, outcome=Y[: len(ids)]).to_csv("truth.csv", index=False)
        with pytest.raises(InputError, match=re.escape(message)):
            cc.read_predictions("a.csv", truth="truth.csv", on="key")


# Tables at random.

KEYS = ["model", "estimator", "algorithm", "run_id", "config", "variant", "tag", "xyz", "which"]
KEYS += ["my_column", "seed", "rep"]


def outcome(made: pd.DataFrame) -> pd.DataFrame | None:
    """What is read; None if something is asked."""
    made.to_csv("t.csv", index=False)
    try:
        return open_files(of_files(["t.csv"]))[0].frame
    except Question:
        return None


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.permutations(KEYS),
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
