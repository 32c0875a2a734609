"""Files of kinds that people have: what is asked of each, what answers it, and what is then read.

All hold the same 43 cases, of whom 13 are positive. Eight are predicted wrongly, and no two numbers
are the same.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import costcurves as cc
from costcurves.command import main
from costcurves.study.reading import read_study
from costcurves.tables.input.predictions import stage_with_sources

SIZE, POSITIVE = 43, 13
WRONG = (3, 7, 11, 14, 17, 25, 31, 40)
LABEL = np.array([int(k < POSITIVE) for k in range(SIZE)])
SURE = LABEL ^ np.isin(range(SIZE), WRONG)  # the class that is predicted
P = np.round(np.where(SURE, 0.5213, 0.0137) + np.arange(SIZE) * 0.0109, 4)
Q = np.round(0.9871 - P[::-1] * 0.93, 4)  # another model
GAPS = np.arange(SIZE) % 9 == 2
IDS = [f"c{k * 7 % SIZE:02}" for k in range(SIZE)]
NAMES = np.array(["well", "ill"])
THIRDS = np.array(["low", "mid", "high"])[np.arange(SIZE) % 5 % 3]
THREE = np.stack([P * 0.6, 1 - P * 0.9, P * 0.3], axis=1).round(4)  # sums to 1


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"id": IDS, "label": LABEL, **columns})


def as_csv(made: pd.DataFrame, name: str = "a.csv") -> str:
    made.to_csv(name, index=False)
    return name


def as_lines(name: str, rows: list[dict[Any, Any]]) -> str:
    Path(name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return name


def as_parquet(**columns: Any) -> str:
    pq.write_table(pa.table({"id": IDS, "label": LABEL, **columns}), "a.parquet")
    return "a.parquet"


def vectors() -> list[list[float]]:
    return [[round(1 - one, 4), one] for one in P.tolist()]


def spark() -> pa.Array:
    kind = pa.struct(
        {"type": pa.int8(), "size": pa.int32(), "indices": pa.list_(pa.int32())}
        | {"values": pa.list_(pa.float64())}
    )
    rows = [{"type": 1, "size": None, "indices": None, "values": one} for one in vectors()]
    rows[5] = {"type": 0, "size": 2, "indices": [0, 1], "values": rows[5]["values"]}
    return pa.array(rows, kind)


def pairs(name: str, number: str, order: int = 1) -> list[list[dict[str, Any]]]:
    """Class and probability, in no fixed order of classes."""
    each = [
        [dict([(name, str(c)), (number, v)][::order]) for c, v in zip(NAMES, one, strict=True)]
        for one in vectors()
    ]
    return [one[:: 1 if k % 3 else -1] for k, one in enumerate(each)]


def predicted(**more: Any) -> pd.DataFrame:
    """Scores of the predicted class, as PyCaret writes them."""
    own = {"bought": LABEL, "prediction_label": SURE}
    return pd.DataFrame(own | {"prediction_score": np.where(SURE, P, 1 - P).round(4)} | more)


def with_gaps(column: Any, every: int) -> list[str]:
    return ["" if k % every == 2 else str(one) for k, one in enumerate(column)]


@dataclass(frozen=True)
class Kind:
    """A file; what is said without an answer (status and words); the answer; and what it gives."""

    write: Callable[[], str]
    answer: tuple[str, ...]
    asked: tuple[int, str] | None = None
    model: str = "a"
    scores: Any = None  # those of P
    seen: str = ""  # what check says
    needs: tuple[str, ...] = ()  # said in any case
    config: dict[str, Any] = field(default_factory=dict)  # what the configuration says


BOUGHT = ("--column", "label=bought", "--column", "score=prediction_score")
WHICH = "holds vectors of 2 numbers; nothing says of which classes; name the entry of the positive"
ENTRY = ("--column", "score=probability[1]")
ILL = ("--positive", "ill")
YES = {"label": NAMES[LABEL]}
MAPPED = ("score_0=prob_NEG", "score_1=prob_NEUTRAL", "score_2=prob_POS")
CLASSES = {"0": "prob_NEG", "1": "prob_NEUTRAL", "2": "prob_POS"}


def of_three(*names: str, labels: Any = THIRDS) -> str:
    return as_csv(frame(**dict(zip(names, THREE.T, strict=True))).assign(label=labels))


def three_as_numbers() -> str:
    codes = pd.Series(THIRDS).map({"low": 0, "mid": 1, "high": 2})
    return of_three(*CLASSES.values(), labels=codes)


KINDS = {
    "predicted class": Kind(
        lambda: as_csv(predicted()), ("--higher-is", "predicted"), needs=BOUGHT,
        asked=(0, "grave (contradiction): Its decisions contradict its scores: a (none is below"),
        config={"higher_is": "predicted"},
    ),
    "predicted class, decision named": Kind(
        lambda: as_csv(predicted().rename(columns={"prediction_label": "guess"})),
        ("--higher-is", "predicted"), needs=(*BOUGHT, "--column", "decision=guess"),
        asked=(0, "Say 'higher_is: predicted' (--higher-is predicted)"),
    ),
    "predicted class, long": Kind(
        lambda: as_csv(predicted(model="a", instance=IDS).rename(
            columns={"bought": "label", "prediction_label": "decision", "prediction_score": "score"}
        )), ("--higher-is", "predicted"), asked=(0, "can be read, but see below"),
    ),
    "a vector as text": Kind(
        lambda: as_csv(frame(probability=[json.dumps(one) for one in vectors()], prediction=SURE)),
        ENTRY, asked=(3, WHICH), config={"columns": {"score": "probability[1]"}},
    ),
    "a vector as NumPy prints it": Kind(
        lambda: as_csv(frame(probability=[f"[{one[0]} {one[1]}]" for one in vectors()])),
        ENTRY, asked=(3, WHICH),
    ),
    "a list in Parquet": Kind(
        lambda: as_parquet(probability=pa.array(vectors())), ENTRY, asked=(3, WHICH),
    ),
    "a vector of Spark": Kind(
        lambda: as_parquet(probability=spark(), prediction=SURE), ENTRY, asked=(3, WHICH),
    ),
    "a vector beside decisions, long": Kind(
        lambda: as_csv(frame(model="a", decision=SURE, probability=map(str, vectors())).rename(
            columns={"id": "instance"}
        )), ENTRY, asked=(3, WHICH),
    ),
    "classes and probabilities in lists": Kind(
        lambda: as_lines("a.jsonl", frame(
            predicted_label=NAMES[SURE], predicted_label_probs=pairs("label", "prob")
        ).assign(**YES).to_dict("records")), ILL, asked=(2, "say with --positive which is the pos"),
    ),
    "scores and classes in lists, long": Kind(
        lambda: as_lines("a.jsonl", frame(
            model="a", decision=NAMES[SURE], instance=IDS, p=pairs("label", "score", -1)
        ).drop(columns="id").assign(**YES).to_dict("records")), ILL,
        asked=(2, "say with --positive"),
    ),
    "classes beside their scores": Kind(
        lambda: as_lines("a.jsonl", frame(
            prediction=[{"classes": [*NAMES], "scores": one} for one in vectors()]
        ).assign(**YES).to_dict("records")), ILL, asked=(2, "say with --positive"),
    ),
    "an object of classes": Kind(
        lambda: as_lines("a.jsonl", frame(
            probs=[dict(zip(NAMES, one, strict=True)) for one in vectors()]
        ).assign(**YES).to_dict("records")), ILL, asked=(2, "say with --positive"),
    ),
    "columns that begin with score_": Kind(
        lambda: as_csv(frame(score_rf=P, score_lr=Q)), (), model="score_rf",
        seen="its models 'score_rf', 'score_lr'",
    ),
    "score_ of each of two classes": Kind(
        lambda: as_csv(frame(score_0=-P, score_1=P)), (),
        seen="scores of each class are in columns 'score_0', 'score_1'",
    ),
    "an amount beside scores": Kind(
        lambda: as_csv(frame(score_v1=Q, score_v2=P, amount=P * 1000)), (), model="score_v2",
        seen="note (amounts): A column that is not used may hold the cost of a miss: amount.",
    ),
    "classes of other names": Kind(
        three_as_numbers, tuple(it for one in MAPPED for it in ("--column", one)),
        asked=(2, "these are 3 classes: say which column has the scores of each (--column scor"),
        scores=THREE, seen="scores of each class are in columns 'score_0', 'score_1', 'score_2'",
    ),
    "classes without a model": Kind(
        lambda: of_three("score_low", "score_mid", "score_high"), (), scores=THREE,
        seen="scores of each class are in columns 'score_low', 'score_mid', 'score_high'",
    ),
    "a model that abstains": Kind(
        lambda: as_csv(frame(full=Q, shy=with_gaps(P, 9))), ("--abstain", "negative"), model="shy",
        asked=(3, "Does it abstain? Say what such cases count as: 'abstain: negative' or 'pos"),
        scores=np.where(GAPS, 0, P), config={"abstain": "negative"},
        seen="note (abstained): Abstains on some cases: shy (5 of 43 cases, taken as negative).",
    ),
    "one that abstains, of scores of any size": Kind(
        lambda: as_csv(frame(full=Q, shy=with_gaps(P * 10, 9))), ("--abstain", "positive"),
        needs=("--column", "score=full", "--column", "score=shy"),
        model="shy", scores=np.where(GAPS, (P * 10)[~GAPS].max() + 1, P * 10),
        seen="shy (5 of 43 cases, taken as positive)",
    ),
    "labels that come later": Kind(
        lambda: as_csv(frame(old=Q, new=P).assign(label=with_gaps(LABEL, 7))),
        ("--missing-labels", "drop"),
        asked=(3, "label is empty; 6 of 43 cases have no label; if they are not known yet, 'miss"),
        model="new", scores=P[np.arange(SIZE) % 7 != 2], config={"missing_labels": "drop"},
        seen="note (missing-labels): Cases without a label are left out ('missing_labels: drop'): "
        "6 of 43 cases have no label.",
    ),
    "low scores for positives": Kind(
        lambda: as_csv(frame(energy=-9 * P - 5 * LABEL)), ("--higher-is", "negative"),
        model="energy",
        asked=(0, "Does a low score mean positive, or is it of the other class? Say 'higher_is"),
        scores=9 * P + 5 * LABEL, config={"higher_is": "negative"},
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main.main(words)
    said = capsys.readouterr()
    return status, said.out + said.err


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_asked_answered_and_read(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    kind = KINDS[name]
    path = kind.write()
    if kind.asked:
        status, said = ran(capsys, "check", path, *kind.needs)
        assert (status, kind.asked[1] in said) == (kind.asked[0], True), said
    status, said = ran(capsys, "check", path, *kind.needs, *kind.answer)
    assert (status, kind.seen in said, "grave" in said) == (0, True, False), said

    assert ran(capsys, "init", path, *kind.needs, *kind.answer, "--output", "own.yaml")[0] == 0
    study = read_study("own.yaml")
    each = np.atleast_2d(np.transpose(P if kind.scores is None else kind.scores))
    assert len(study.datasets) == len(each)
    for dataset, scores in zip(study.datasets, each, strict=True):
        rows, _ = stage_with_sources(dataset)
        own = rows[rows["model"] == kind.model]
        assert own["score"].to_numpy() == pytest.approx(scores, abs=1e-12)
        if len(each) == 1 and len(scores) == SIZE:
            assert own["label"].tolist() == LABEL.tolist()
    for key, value in kind.config.items():
        plain = study.datasets[0].plain(key)[key]
        assert {**plain, **value} == plain if isinstance(value, dict) else plain == value
    assert ran(capsys, "check", "own.yaml")[0] == 0


def test_the_mapping_of_classes_is_taken_from_set_from_a_configuration_and_in_python(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = three_as_numbers()
    classes = json.dumps(CLASSES)
    status, said = ran(capsys, "check", path, "--set", f"classes={classes}")
    assert (status, said.count(": fine\n")) == (0, 3), said
    Path("own.yaml").write_text(
        f"study: s\ndatasets:\n  - name: t\n    predictions: [{path}]\n    classes: {classes}\n"
    )
    columns = dict(one.split("=") for one in MAPPED)
    read = cc.read_predictions(path, columns=columns)
    for place, dataset in enumerate(read_study("own.yaml").datasets):
        scores = stage_with_sources(dataset)[0]["score"]
        assert scores.tolist() == THREE[:, place].tolist() == read[f"score_{place}"].tolist()
    status, said = ran(capsys, "check", path, "--set", "classes={a: x, b: y, c: z}")
    assert (status, said) == (
        3,
        "a.csv: no column 'x', which is to have the scores of the class 'a'\n",
    ) or said.startswith(
        "3 findings:\n  a.csv: no column 'x', which is to have the scores of the cl"
    )


def test_classes_that_are_set_are_those_of_a_file_without_a_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = of_three("score_low", "score_mid", "score_high")
    status, said = ran(capsys, "check", path, "--set", "classes=[high, low, mid]")
    assert status == 0
    order = [said.index(f"a: {name}: fine") for name in ("high", "low", "mid")]
    assert order == sorted(order)


def test_an_amount_is_offered_and_taken_as_the_cost_of_a_miss(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = KINDS["an amount beside scores"].write()
    assert ran(capsys, "init", path)[0] == 0
    text = Path("a.yaml").read_text()
    offer = text.partition("    # costs:  # a miss costs the amount, a false alarm 1\n")[2]
    assert offer.startswith(
        "    #   column: amount\n    #   benefit: {tp: 0, tn: 0, fp: -1, fn: {coefficient: -1}}\n"
    )
    taken = text.replace("    # costs:", "    costs:").replace("    #   col", "      col")
    Path("a.yaml").write_text(taken.replace("    #   benefit", "      benefit"))
    (dataset,) = read_study("a.yaml").counted
    rows, _ = stage_with_sources(dataset)
    assert rows["cost_fn"].to_numpy() == pytest.approx(np.tile(P * 1000, 2))
    assert set(rows["cost_fp"]) == {1.0}
    assert "amounts" not in ran(capsys, "check", "a.yaml")[1]


PATIENTS = [f"w{k // 3}" for k in range(SIZE)]
CLUSTERED: list[tuple[str, list[str], str]] = [
    ("patient_id", PATIENTS, "15 values in 43 cases"),
    ("Subject", [PATIENTS[k * 5 % SIZE] for k in range(SIZE)], "15 values in 43 cases"),
    ("pt", PATIENTS, "15 values in 43 cases"),  # one after the other
    ("ward id", [f"{k % 6}" for k in range(SIZE)], "6 values in 43 cases"),
]
NO_CLUSTERS: list[tuple[str, list[str]]] = [
    ("patient_id", [f"w{k}" for k in range(SIZE)]),
    ("pt", [PATIENTS[k * 5 % SIZE] for k in range(SIZE)]),
    ("day", [f"2024-03-{k // 3 + 1:02}" for k in range(SIZE)]),
    ("fold_id", [f"{k % 6}" for k in range(SIZE)]),
    ("sex", ["m" if k % 3 else "f" for k in range(SIZE)]),
]


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize(("column", "values", "counts"), CLUSTERED)
def test_an_unused_column_that_repeats_as_an_id_is_grave(
    column: str, values: list[str], counts: str, long: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    made = frame(score=P, **{column: values})
    named = ["--column", "score=score"]
    if long:
        models = [made.assign(model=name, score=own) for name, own in (("a", P), ("b", Q))]
        made, named = pd.concat(models).rename(columns={"id": "instance"}), []
    status, said = ran(capsys, "check", as_csv(made), *named)
    words = "grave (clusters): Several cases share an id in a column that is not used: column "
    if long and column == "pt":  # in a file with our columns others are known by name alone
        assert "clusters" not in said
        return
    assert (status, f"{words}'{column}' has {counts}." in said) == (0, True), said
    assert "as independent, intervals come out too narrow and verdicts may be false." in said
    assert ran(capsys, "check", "a.csv", *named, "--strict")[0] == 3


@pytest.mark.parametrize(("column", "values"), NO_CLUSTERS)
def test_other_unused_columns_are_no_clusters(
    column: str, values: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = as_csv(frame(score=P, **{column: values}))
    status, said = ran(capsys, "check", path, "--column", "score=score", "--column", "instance=id")
    assert (status, "clusters" in said) == (0, False), said


def test_an_id_that_several_rows_share_is_no_instance(capsys: pytest.CaptureFixture[str]) -> None:
    made = pd.DataFrame({"patient_id": PATIENTS, "label": LABEL, "own": P})
    status, said = ran(capsys, "check", as_csv(made))
    assert (status, said) == (3, (
        "2 findings:\n  a.csv: column 'patient_id' has 15 values in 43 rows; if it says which cases"
        " belong together, name it as that (--column cluster=NAME, in a configuration 'columns:');"
        " else name the id of each row (--column instance=NAME)\n  a.csv: columns look like scores"
        " ('own'), clusters ('patient_id'); if so: costcurves check a.csv --column score=own"
        " --column cluster=patient_id; leave cluster out if cases with the same value in"
        " 'patient_id' do not belong together\n"
    ))  # fmt: skip
    together = ("--column", "cluster=patient_id", "--column", "score=own")
    status, said = ran(capsys, "check", "a.csv", *together)
    assert (status, "15 clusters" in said, "(clusters)" in said) == (0, True, False)
    status, said = ran(capsys, "check", "a.csv", "--column", "instance=#", "--column", "score=own")
    assert (status, "grave (clusters)" in said) == (0, True)


@pytest.mark.parametrize(
    ("name", "what"), [("weight", "weights of cases"), ("cluster", "clusters")]
)
def test_a_model_that_is_called_as_a_column_of_cases_is_asked_for(
    name: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = pd.DataFrame({"id": range(len(P)), "label": LABEL, name: P[::-1], "other": P})
    path = as_csv(made)
    status, said = ran(capsys, "check", path)
    assert (status, said) == (3, (
        f"a.csv: column '{name}' may hold {what} (--column {name}={name}) or scores of a model "
        f"(--column score={name}, and so the other models); say which\n"
    ))  # fmt: skip
    models = ("--column", f"score={name}", "--column", "score=other")
    status, said = ran(capsys, "check", path, *models)
    assert (status, f"models '{name}', 'other'" in said) == (0, True), said
    status, said = ran(capsys, "check", path, "--column", f"{name}={name}")
    assert (status, "models 'other'" in said, f"{what} column '{name}'" in said) == (0, False, True)


def test_an_attribute_that_is_nearly_called_weight_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kilograms = [50.0 + at for at in range(len(P))]
    made = pd.DataFrame({"id": range(len(P)), "label": LABEL, "Weight": kilograms, "own": P})
    status, said = ran(capsys, "check", as_csv(made))
    assert (status, "numbers in column 'Weight' that may be no scores" in said) == (3, True), said


DEEP = 100_000
NESTED = {
    "a.json": "[" * DEEP + "]" * DEEP,
    "b.json": '{"a":' * DEEP + "1" + "}" * DEEP,
    "c.jsonl": '{"y": 1, "p": 0.5}\n{"y": ' + "[" * DEEP + "]" * DEEP + "}\n",
    "d.csv": "id,y,p\n1,1," + "[" * 60_000 + "\n2,0,[\n",
    "e.csv": "id,y,p,x\n1,1,.5," + "[" * 60_000 + "]" * 60_000 + "\n2,0,.25,[\n",
}


@pytest.mark.parametrize("name", NESTED)
def test_what_is_nested_too_deeply_is_no_fault(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(NESTED[name])
    status, said = ran(capsys, "check", name)
    assert (status, "fault" in said) == (0 if name == "e.csv" else 3, False), said
    if "json" in name:
        assert (
            said == f"{name}: holds JSON nested too deeply; expected rows with one value a column\n"
        )


@pytest.mark.parametrize("levels", range(960, 1000, 3))
def test_json_of_nearly_too_many_levels_is_read_or_refused(
    levels: int, capsys: pytest.CaptureFixture[str]
) -> None:
    row = f'{{"id": "a", "y": 1, "p": 0.5, "x": {"[" * levels}{"]" * levels}}}\n'
    Path("a.jsonl").write_text(row + row.replace('"a", "y": 1', '"b", "y": 0'))
    status, said = ran(capsys, "check", "a.jsonl")
    assert status in (0, 3), said


HALF = "a\ud800b"
HOLDS = r"'a\ud800b' holds '\ud800', which is half a character"
TEXTS = ("instance", "model", "label", "score", "fold", "cluster", "decision", "segment_x", "other")


@pytest.mark.parametrize("column", [*TEXTS, HALF])
@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("command", ["check", "init", "report", "convert --output=b.csv"])
def test_half_a_character_of_json_is_said(
    capsys: pytest.CaptureFixture[str], column: str, lines: bool, command: str
) -> None:
    row = {**dict.fromkeys(TEXTS, "x"), "model": "m", "label": 1, "score": 0.5}
    rows = [{**row, "instance": f"i{place}", "label": place % 2} for place in range(6)]
    rows[3][column] = HALF
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    Path("a.json").write_text(f"{text}\n")
    assert ran(capsys, *command.split(), "a.json") == (3, f"a.json: {HOLDS}\n")
    assert [one.name for one in Path().iterdir()] == ["a.json"]


@pytest.mark.parametrize(
    "option", [f"--where=bought == {HALF}", f"--column={HALF}=bought", f"--missing={HALF}"]
)
@pytest.mark.parametrize("ours", [True, False])
def test_half_a_character_of_an_argument_is_said(
    capsys: pytest.CaptureFixture[str], option: str, ours: bool
) -> None:
    made = predicted()
    as_csv(made.assign(model="m", instance=range(len(made)), label=0, score=0.5) if ours else made)
    status, said = ran(capsys, "check", "a.csv", option)
    holds = HOLDS.replace("'a", "'bought == a") if option.startswith("--where") else HOLDS
    assert (status, said.removeprefix("a.csv: ")) == (3, f"{holds}\n")


def test_a_value_that_is_set_may_not_be_nested_deeply(capsys: pytest.CaptureFixture[str]) -> None:
    path = as_csv(frame(score=P))
    status, said = ran(capsys, "check", path, "--set", f"classes={'[' * DEEP}")
    assert (status, "is nested deeper than 20 levels" in said) == (2, True), said
    status, said = ran(
        capsys, "gate", path, path + "2", "--at", f"pc={'[' * DEEP}", "--margin", "0.1"
    )
    assert (status, "--at is" in said) == (2, True), said


def test_a_point_in_a_file_with_decimal_commas_is_no_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It could separate thousands, or be a slip: 1.234 is read as neither 1234 nor 1,234."""
    made = frame(model="a", score=[f"{one:.4f}".replace(".", ",") for one in P])
    made = made.rename(columns={"id": "instance"})
    made.loc[[6, 9], "score"] = ["1.234", "1.234,5"]
    made.to_csv("a.csv", index=False, sep=";")
    status, said = ran(capsys, "check", "a.csv", "--decimal", ",")
    assert (status, said) == (3, (
        "a.csv line 8: score is '1.234', expected a finite number such as 0.25 (first of 2 such, "
        "then a.csv line 11)\n"
    ))  # fmt: skip
