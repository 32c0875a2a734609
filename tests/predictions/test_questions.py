"""Files as people have them: what is read, what is asked at once, and that the answers work.

All tables hold the same 40 cases, of whom 14 are positive; two models rank them differently.
"""

import re
import shlex
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import costcurves as cc
from costcurves.command import main
from costcurves.errors import InputError
from costcurves.predictions.asking import Question, of_files
from costcurves.predictions.opening import open_files
from costcurves.predictions.staged import stage
from tests.predictions.wine import wine

SIZE = 40
PLACE = np.arange(SIZE)
Y = np.array([int(k * k % 41 in range(1, 15)) for k in range(SIZE)])
P = np.round(0.03 + 0.0187 * ((PLACE * 11 + 5 * Y) % 40) + 0.1 * Y, 4)
Q = np.round(0.95 - 0.0171 * ((PLACE * 17 + 29 * Y) % 53) % 0.9, 4)
IDS = [f"n{k * 21 % SIZE:02}" for k in range(SIZE)]
SURE = (P > 0.5).astype(int)
YES = np.array(["kept", "left"])
SITE = [f"s{k * 5 % 8}" for k in range(SIZE)]
table = pd.DataFrame


def below(key: str, *values: Any, **columns: Any) -> pd.DataFrame:
    """The cases once for each value of a key, scored differently each time."""
    each = [table({key: value, "y_true": Y, **columns}) for value in values]
    return pd.concat([part.assign(p=(P, Q, P - 0.01)[k]) for k, part in enumerate(each)])


def twice(key: str = "estimator", **columns: Any) -> pd.DataFrame:
    """Two models below each other, under a key of any name."""
    return below(key, "rf", "lr", **columns)


def missing(values: Any, code: str) -> list[str]:
    return [code if k % 9 == 3 else f"{value}" for k, value in enumerate(values)]


LABEL = "no column is known as the truth"
SAME = "which rows of each model, repeat or file are of the same case"
KEY = "column 'estimator' (2 values) tells rows of the same case"
FIVE = "labels are 'a', 'b', 'c', 'd', 'e': which is positive ('positive:' or --positive)? To ta"
COLOURS = ["red"] * SIZE + ["blue"] * SIZE
DRAW = np.random.default_rng(20061)
DAYS = pd.date_range("2024-01-01", periods=90).strftime("%Y-%m-%d")
APPARENT = {".pred_1": P, ".pred_0": 1 - P, ".row": PLACE}
# A file, the questions about it, the options by which it is then read, and what is seen.
CASES: list[tuple[dict[str, Any] | pd.DataFrame, list[str], str, str]] = [
    # models and repeats
    (twice(case_id=IDS).assign(colour=COLOURS), [KEY], "--column model=estimator",
        "model 'estimator', label 'y_true', instance 'case_id', score 'p'; not used: 'colour' (2 "),
    (twice("run"), ["column 'run' (2 values) has the same number of rows of each class", SAME],
        "--column model=run --column 'instance=#'", "by 2 models"),
    (below("seed", 0, 1, 2, id=IDS), ["column 'seed' (3 values) tells rows of the same case ap"],
        "--column repeat=seed", "3 repeats"),
    (below("x", 1, 1, 1, event=Y, sample_idx=IDS).drop(columns=["x", "y_true"]),
        [LABEL, "column 'sample_idx' has 40 values in 120 rows"],
        "--column label=event --column instance=sample_idx --column 'repeat=#'", "3 repeats"),
    (twice("run", number=PLACE), ["column 'run' (2 values) has", SAME],
        "--column model=run --column instance=number", "by 2 models"),
    (pd.concat([twice("model", id=IDS, config=k) for k in (1, 2)]),
        ["column 'config' (2 values) tells rows of the same case apart"],
        "--column model=model,config", "by 4 models"),
    ({"patient_id": PLACE // 2, "lesion": [*"ab"] * 20, "y": Y, "p": P},
        ["column 'lesion' (2 values) tells rows of the same case apart"],
        "--column cluster=patient_id --column unused=lesion", "20 clusters"),
    # parts
    ({"id": IDS, "y": Y, "p": P, "part": ["Train", "Test"] * 20},
        ["column 'part' says that rows are of training ('Train'), whose scores say nothing of new"],
        "--where 'part != Train'", "20 instances"),
    ({"id": IDS, "y": Y, "p": P, "part": ["Train", "Val", "Test", "Test"] * 10},
        ["column 'part' says that rows are of training"], "--where 'part == Test'", "20 instances"),
    (below("split", "val", "test", id=IDS),
        ["column 'split' has rows of 'test', 'val': say which are judged"],
        "--where 'split == test'", "40 instances"),
    (below("id", "Bootstrap1", "Apparent", **APPARENT).drop(columns="p"),
        ["column 'id' says that rows are of training ('Apparent')"],
        "--where 'id != Apparent'", "40 instances"),
    # what is missing
    ({"response": Y, "pred_1": missing(P, "NA"), "pred_2": Q},
        [LABEL, "column 'pred_1' has 'NA': does that mean no score?", "5 rows of 5 of 40 cases"],
        "--missing NA --abstain drop --column label=response", "35 instances"),
    ({"y": Y, "p": missing(P, "-1"), "q": Q},
        ["column 'p' has '-1': does that mean no score?", "have none; say what such cases count"],
        "--missing -1 --abstain drop", "5 of 40 cases, left out for all models"),
    ({"y": YES[Y], "a_pred": missing(YES[SURE], "NOANSWER"), "b_pred": YES[1 - SURE]},
        ["column 'a_pred' has 'NOANSWER'", "labels are 'kept', 'left': which", "has no decision"],
        "--missing NOANSWER --abstain drop --positive left", "by 2 models"),
    ({"y": missing(Y, "NA"), "p": P},
        ["column 'y' has 'NA': does that mean no label?", "5 of 40 cases have no label: are they"],
        "--missing NA --missing-labels drop", "35 instances"),
    # decisions
    ({"references": Y, "predictions1": SURE, "predictions2": 1 - SURE}, [], "",
        "decision 'predictions2', models 'predictions1', 'predictions2'\n"),
    ({"amount": Q * 900, "is_fraud": Y, "fraud_probability": P, "correct": (SURE == Y).astype(int),
        "decision": np.where(SURE, "REVIEW", "ALLOW")}, [LABEL], "--column label=is_fraud",
        "'amount' (may be what a miss costs, 'costs:'), 'correct' (no decision of a model read "),
    ({"Bought": Y, "prediction_label": SURE, "prediction_score": np.where(SURE, P, 1 - P)}, [LABEL],
        "--column label=Bought", "a case decided positive outscores one decided negative in 30"),
    ({"y": Y, "a": SURE, "b": 1 - SURE}, ["no column is known as scores; name those of models"],
        "--column decision=a,b", "by 2 models"),
    # scores
    ({"y": Y, "score": PLACE % 3, "age": PLACE + 20}, [], "", "'age' (40 values, no key)"),
    ({"y": Y, "p0": 1 - P, "p1": P}, [], "", "by 1 model"),
    ({"y": Y, "logit_0": 5 - 9 * P, "logit_1": 9 * P - 5}, [], "", "by 1 model"),
    ({"y": Y, "q": 1 - P, "p": P}, ["sum to 1 in each row"],
        "--column score_0=q --column score_1=p", "by 1 model"),
    ({"y": Y, "rf": P, "svm": 9 * Q - 4}, ["column 'svm': scores of models, or of no use?"],
        "--column score=rf", "'svm' (numbers)"),
    ({"id": IDS, "label": PLACE % 3, "prob_LO": P / 2, "mid": 1 - P, "prob_HI": P / 2},
        ["sum to 1 in each row"],
        "--column score_0=prob_LO --column score_1=mid --column score_2=prob_HI", "a: 2: fine"),
    ({"id": IDS, "class_label": [*"abcde"] * 8, "p": P, "split": ["test"] * 40}, [LABEL, FIVE],
        "--column label=class_label --classes rest --positive a",
        "40 instances, 8 of them positive"),
    ({"y": Y, "outcome": Y, "p": P}, ["columns 'y', 'outcome' could each be the truth"],
        "--column label=y", "by 1 model"),
    # properties of cases
    ({"patient_id": SITE, "malignant": Y, "reader_a": P, "reader_b": Q},
        [LABEL, "column 'patient_id' has 8 values in 40 rows"],
        "--column label=malignant --column cluster=patient_id", "8 clusters"),
    ({"y": Y, "p": P, "sample_weight": Q}, ["what is column 'sample_weight'?"],
        "--column weight=sample_weight", "weighted: as goo"),
    ({"case_id": IDS, "row_id": PLACE, "y": Y, "p": P},
        ["columns 'case_id', 'row_id' could each be the case's id"],
        "--column instance=case_id", "'row_id' (40 values, no key)"),
    *(({"id": IDS, "y": Y, "proba": P, "site": SITE, "sex": DRAW.choice([*"fm"], SIZE),
        "age": PLACE % 31 + 20, "date": DRAW.choice(DAYS, SIZE), "amount": DRAW.gamma(2, 50, SIZE)},
        [], "", "1 repeat") for _ in range(3)),
    ({"id": IDS, "y": Y, "p": P, "fold": ["1", "1.0", "2", "2.0"] * 10}, [], "", "2 folds in all"),
]  # fmt: skip


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main.main([*arguments])
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("case", CASES)
def test_all_that_is_open_is_asked_at_once(case: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that answers all of it works, and no answer leads to the same question again."""
    made, asked, options, seen = case
    table(made).to_csv("a.csv", index=False)
    typed = ["check", "a.csv", "--strict"]
    status, printed = ran(capsys, *typed)
    if asked:
        proposed = f"with the first answer to each question: costcurves {shlex.join(typed)} "
        assert f"a.csv: {proposed}{options}\n" in printed
        *questions, _ = re.split(r"\n(?=a\.csv)", printed)
        assert (status, len(questions)) == (3, len(asked))
        before = ""
        for question, expected in zip(questions, asked, strict=True):
            first, *choices = question.split("\n  if ")
            assert expected in first
            assert len(choices) <= 4
            answers = [choice.partition(": --")[2].split("\n")[0] for choice in choices]
            for answer in answers:
                status, again = ran(capsys, *typed, *shlex.split(f"{before} --{answer}"))
                assert (status in (0, 3), first in again) == (True, False), again
            before = f"{before} --{answers[0]}"
        status, printed = ran(capsys, *typed, *shlex.split(options))
    assert (status, seen in printed) == (3 if "grave" in printed else 0, True), printed


MODELS = "--column model=which --column 'instance=#'"
TYPED = {
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
    case = {"nr": PLACE} if "truth" in typed else {}
    twice("which", x=1, **case).to_csv("a.csv", index=False)
    table({"nr": PLACE, "label": Y}).to_csv("b.csv", index=False)
    status, printed = ran(capsys, *shlex.split(typed))
    proposed = f"each question: costcurves {TYPED[typed]}\n"
    assert (status, proposed in printed) == (3, True), printed
    assert ran(capsys, *shlex.split(TYPED[typed]))[0] in (0, 4)


def test_what_python_asks_is_a_call_that_works() -> None:
    twice("run").to_csv("{a}.csv", index=False)
    with pytest.raises(InputError, match="has the same number of rows of each class") as caught:
        cc.read_predictions("{a}.csv")
    *_, unpaired, first = caught.value.findings
    assert unpaired == "  if models are judged on other cases: unpaired=True"
    frame = eval(re.sub(r".*?(read_predictions\(.*\))", r"cc.\1", first))
    assert frame.groupby("model").size().tolist() == [SIZE, SIZE]
    with pytest.raises(InputError) as caught:
        stage(wine("{a}.csv"))
    keys = '  if the values of \'run\' are models: columns: {"model": "run"}'
    unpaired = "  if models are judged on other cases: for the study 'pairing: unpaired'"
    assert {keys, unpaired} <= {*caught.value.findings}
    with pytest.raises(InputError, match="higher_is is 'xyz', expected one of 'positive', 'neg"):
        cc.read_predictions("{a}.csv", higher_is="xyz")
    with pytest.warns(UserWarning, match="Ranks worse than chance"):
        cc.cost_curve(np.arange(360) < 120, np.arange(360))


def test_a_truth_in_another_file(capsys: pytest.CaptureFixture[str]) -> None:
    table({"key": IDS, "outcome": Y, "fold": SITE, "more": 1}).to_csv("truth.csv", index=False)
    table({"key": IDS[::-1], "p": P[::-1]})[1:].to_csv("a.csv", index=False)
    assert "of another file: --truth FILE --on ID" in ran(capsys, "check", "a.csv")[1]
    assert ran(capsys, "check", "a.csv", "--truth", "truth.csv", "--on", "key")[0] == 0
    frame = cc.read_predictions("a.csv", truth="truth.csv", on="key")
    assert [*frame["instance"]] == IDS[-2::-1]
    assert [*frame["label"].astype(int)] == Y[-2::-1].tolist()
    (read, *_) = frame.attrs["read"]
    assert (frame["fold"].nunique(), "more" in read) == (8, False)
    assert "1 of 40 cases of the truth are not predicted" in "".join(frame.attrs["read"])
    for key, ids, message in (
        ("key", IDS[1:], "a.csv: 1 of its 39 rows are of cases that truth.csv do"),
        ("key", ["n00"] * 40, "truth.csv: has an id twice in 'key'"),
        ("id", IDS, "truth.csv: has no column 'key', by which the truth in truth.csv"),
    ):
        table({key: ids, "outcome": Y[: len(ids)]}).to_csv("truth.csv", index=False)
        with pytest.raises(InputError, match=re.escape(message)):
            cc.read_predictions("a.csv", truth="truth.csv", on="key")


# Tables at random.

KEYS = ["model", "estimator", "algorithm", "run_id", "config", "variant", "tag", "xyz", "which"]
KEYS += ["my_column", "seed", "rep"]


@settings(max_examples=40)
@given(st.permutations(KEYS), st.integers(1, 3), st.sampled_from([1, 1, 2, 5]), st.integers(0))
def test_the_models_that_are_read_are_those_that_are_there(
    names: list[str], models: int, repeats: int, seed: int
) -> None:
    """Or something is asked."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(24, 90))
    label = rng.permutation(np.arange(size) % 4 == 0).astype(int)
    ids = {"case": np.arange(size) + 500} if seed % 2 else {}
    parts = []
    for place in range(models * repeats):
        keys: dict[str, Any] = {names[0]: f"m{place // repeats}"} if models > 1 else {}
        keys |= {names[1]: place % repeats} if repeats > 1 else {}
        score = (rng.random(size) / 2 + label / 3).round(6)
        parts.append(table({**keys, **ids, "target": label, "score": score}))
    whole = pd.concat(parts).sample(frac=1, random_state=seed % 1000)
    whole[rng.permutation([*whole])].to_csv("t.csv", index=False)
    with suppress(Question):
        read = open_files(of_files(["t.csv"]))[0].frame
        assert read["model"].nunique() == models
        assert (read["repeat"].nunique() if "repeat" in read else 1) == repeats
