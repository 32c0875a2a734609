"""What prediction files become: values as they are written, rows in order, and their defaults."""

import hashlib
from csv import QUOTE_NONNUMERIC
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.names import unusable
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.predictions.staged import PRODUCT, read_two, stage, stage_with_sources
from costcurves.study.reading import read_study
from costcurves.tables import files
from tests.predictions.wine import COLUMNS, NAMED, csv, one_of, paid, staged, wine
from tests.small_study import ROOT

TWO = "NB,1,0,0.25|NB,2,1,0.75"


def parquet(name: str = "a.parquet", **columns: Any) -> str:
    pq.write_table(pa.table(columns), name)
    return name


def test_the_least_file_and_its_defaults() -> None:
    names = {"dataset": "wine", "model": "NB", "repeat": "1", "fold": "1", "seen": "[]"}
    names |= {"member": "", "cluster": ""}
    numbers = dict.fromkeys(("train_pc", "cost_fp", "cost_fn"), np.nan)
    each = {"instance": ["1", "2"], "label": [0, 1], "score": [0.25, 0.75], "decision": -1}
    expected = PREDICTIONS.frame(**names, **numbers, **each, weight=1.0, case_weight=1.0)
    pd.testing.assert_frame_equal(staged(TWO), expected)


EXACT = ["007", "7", "NA", "nan", "null", "9007199254740993", "-0", "1.0", "é", "אב\u200f"]
EXACT += [' "a", b ', str(10**30), str(10**30 + 1), "1e5"]
SIGNS = st.characters(codec="utf-8", exclude_categories=["Cc"])
IDS = st.text(SIGNS, min_size=1, max_size=20).filter(lambda name: unusable(name) is None)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.dictionaries(IDS | st.sampled_from(EXACT), SCORES, min_size=2, max_size=20)


@settings(max_examples=25)
@given(ROWS, IDS | st.sampled_from(EXACT))
def test_any_names_and_scores_stay_as_they_are(rows: dict[str, float], model: str) -> None:
    ids, scores, labels = [*rows], [*rows.values()], np.arange(len(rows)) % 2
    made = pd.DataFrame({"model": model, "instance": ids, "label": labels, "score": scores})
    made.to_parquet("a.parquet")
    made.to_csv("a.csv", index=False, quoting=QUOTE_NONNUMERIC)
    for frame in (stage(wine("a.csv")), stage(wine("a.parquet"))):
        assert frame["instance"].to_list() == ids
        assert {*frame["model"]} == {model}
        assert frame["score"].to_numpy().tobytes() == np.array(scores).tobytes()
        files.write(frame, "staged.parquet", PREDICTIONS)
        again = files.read("staged.parquet", PREDICTIONS)
        # Texts are numbered by appearance in what is read.
        pd.testing.assert_frame_equal(again, frame, check_categorical=False)


def test_parquet_columns_of_many_types() -> None:
    words = pa.array(["NB", "NB"])
    parquet(
        model=words.dictionary_encode(),
        member=pa.array([None, None], pa.string()),
        fold=pa.array([1, 1], pa.int8()),
        repeat=words.cast(pa.large_string()),
        instance=pa.array([2**53 + 1, 2**64 - 1], pa.uint64()),
        label=pa.array([True, False]),
        score=pa.array([0.1, -1], pa.float32()),
        decision=pa.array([1.0, None]),
        cost_fp=pa.array([3, 2]).cast(pa.decimal128(30, 2)),
        cost_fn=pa.array(["0.1", "1e-3"]),
        train_pc=pa.array([None, None], pa.float64()),
    )
    first = stage(wine("a.parquet", abstain="negative")).iloc[0]
    names = ["model", "member", "repeat", "fold", "instance"]
    numbers = ["train_pc", "label", "score", "decision", "cost_fp", "cost_fn"]
    assert first[names].to_list() == ["NB", "", "NB", "1", "9007199254740993"]
    assert [*first[numbers].fillna(-1)] == [-1, 1, np.float32(0.1), 1, 3.0, 0.1]


LABELS: list[tuple[str, str | None, list[int]]] = [
    ("0 1", None, [0, 1]), ("FALSE True", None, [0, 1]), ("0 true", None, [0, 1]),
    ("0 1.0", None, [0, 1]), ("0 1", "0", [1, 0]), ("rock mine", "mine", [0, 1]),
    ("1.0 0.0", "1.0", [1, 0]), ("no NA", "NA", [0, 1]), ("True true", "true", [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("labels", "positive", "expected"), LABELS)
def test_labels(labels: str, positive: str | None, expected: list[int]) -> None:
    rows = [f"NB,{place},{label},{label}" for place, label in enumerate(labels.split())]
    frame = staged("|".join(rows), "model,instance,label,decision", positive=positive)
    assert frame["label"].to_list() == frame["decision"].to_list() == expected


def read(rows: str, expected: dict[str, Any], of: str = COLUMNS, **options: Any) -> tuple[Any, ...]:
    return rows, of, options, expected


EVERY = "dataset,model,member,train_pc,repeat,fold,instance,cluster,label,decision,cost_fp,cost_fn"
DECIDED, COSTS, SITED = (f"{COLUMNS},{more}" for more in ("decision", "cost_fp,cost_fn", "site"))
ABSTAINED = "NB,1,0,{}|NB,2,1,{}|NB,3,0,{}|NB,9,1,"
ABSTAINING: list[tuple[str, list[float], float]] = [
    ("negative", [0, 0.5, 1], 0), ("positive", [0, 0.5, 1], 1), ("positive", [0.2, 0.3, 0.4], 1),
    ("negative", [-1, 0, 3], -2), ("positive", [-1, 0, 3], 4), ("positive", [0, 1, 2], 3),
    ("positive", [0, 1, 1e17], np.nextafter(1e17, np.inf)),
]  # fmt: skip
SITES = "NB,1,0,.1,a|NB,2,1,.2,a|NB,3,0,.3,b|NB,4,1,.4,b|NB,5,0,.5,c|NB,6,1,.6,c"
CREDIT = {"tp": {"coefficient": 0.05}, "fp": {"coefficient": -1}, "fn": -20, "tn": 20}
CONSTANT = {"tp": 1, "fp": -2, "fn": {"constant": -1}, "tn": 0}
REVIEW = {"tp": -5, "fp": -5, "tn": 0, "fn": {"coefficient": -1}}
UNEQUAL = "A,1,0,0.1,30,7|A,2,0,0.2,20,7|A,3,1,0.3,5,8|A,4,1,0.3,5,4|"
UNEQUAL += "B,3,1,0.9,5,8|B,1,0,0,30,7|B,2,0,0,20,7|B,4,1,0,5,4"
SIZED = "model,instance,label,score,x"
BOTH = {"tp": -3, "fp": {"coefficient": -1}, "fn": {"coefficient": -1}, "tn": -3}
# Rows, some columns that come of them, and how they are read.
READ = [
    read("wine,T,p,0.1,r,f,i1,c,1,0,2,3,8,?|wine,T,p,0.1,r,f,i2,d,0,1,0,1e2,8,?", {
        "model": ["T", "T"], "member": ["p", "p"], "train_pc": [0.1, 0.1], "repeat": ["r", "r"],
        "fold": ["f", "f"], "instance": ["i1", "i2"], "cluster": ["c", "d"], "label": [1, 0],
        "decision": [0, 1], "cost_fp": [2, 0], "cost_fn": [3, 100], "case_weight": [8, 8],
        "weight": [1, 1]}, f"{EVERY},weight,x"),
    # which rows
    read("beer,NB,1,x,3|wine,NB,1,0,1|wine,NB,2,1,2|beer,NB,1,x,3", {"score": [1, 2]},
        f"dataset,{COLUMNS}"),
    read(f"{TWO}|bad,1,1,0.5|bad,1,maybe,", {"model": ["NB", "NB"]}, models=("NB",)),
    read(f"{TWO}|C,3,0,1|C,4,1,1", {"score": [0.25, 0.75, 1, 1]}, pairing="unpaired"),
    read("NB,a,1,0,1|NB,b,2,1,1", {"fold": ["a", "b"]}, "model,fold,instance,label,score",
        folds_without_a_class="pool"),
    read(f"{TWO}|NB,3,,1", {"seen": ['[["missing-labels", "1 of 3 cases have no label", "", ""]]'] *
        2}, missing_labels="drop"),
    read("NB,1,a,1|NB,2,b,2|NB,3,c,3", {"label": [0, 1, 0]}, positive="b", rest=True),
    read("beer,A,1,no,9,9|wine,A,1,no,.1,.2|wine,A,2,b,.3,.4|wine,A,3,c,.5,.6", {"label": [1, 0, 0],
        "score": [0.1, 0.3, 0.5]}, f"dataset,{NAMED},score_no,score_b", **one_of("no", "b", "c")),
    read("A,1,no,b|A,2,b,no|A,3,c,no", {"label": [1, 0, 0], "decision": [0, 1, 1]},
        f"{NAMED},decision", **one_of("no", "b", "c")),
    read(SITES, {"score": [0.1, 0.2, 0.5, 0.6]}, SITED, where=("site in a, c",)),
    read(SITES, {"instance": ["3", "4"]}, SITED, where=("site == 'b'", "model == NB")),
    read("a,0,.1|a,0,.2|b,1,.3|b,1,.4", {"repeat": ["1", "2", "1", "2"]}, "id,label,p",
        columns={"instance": "id", "repeat": "#"}),
    # Of members, the mean over folds; that of a single model is not kept.
    read("T,a,1,1,0,0,.1|T,a,1,2,1,0,.1|T,a,2,3,0,0,.6|T,a,2,4,1,0,.6|T,b,1,1,0,0,|T,b,1,2,1,0,|"
        "T,b,2,3,0,0,|T,b,2,4,1,0,",
        {"train_pc": pytest.approx([0.35] * 4 + [np.nan] * 4, nan_ok=True)},
        "model,member,fold,instance,label,decision,train_pc"),
    read("NB,1,0,.5,.7|NB,2,1,.5,.9", {"train_pc": pytest.approx([np.nan] * 2, nan_ok=True)},
        f"{COLUMNS},train_pc"),
    # scores and decisions
    *(read(f"NB,1,0,{value}|NB,2,1,{after}", {"score": [0.5, 0.25]})
        for value in (" .5", "5e-1\t") for after in ("0.25", " 0.25")),
    read("NB;1;0;0,5|NB;2;1;0,25", {"score": [0.5, 0.25]}, "model;instance;label;score",
        decimal=","),
    read("NB,1,0,NA|NB,2,1,-|NB,3,1,1|NB,4,0,0", {"instance": ["3", "4"]}, missing=("NA", "-"),
        abstain="drop"),
    read(TWO, {"score": [-0.25, -0.75]}, higher_is="negative"),
    read("A,1,0,.8,0|A,2,1,1,1|B,1,0,7,0|B,2,1,2,1", {"score": [pytest.approx(0.2), 1, -7, 2]},
        DECIDED, higher_is="predicted"),
    *(read(ABSTAINED.format(*scores), {"score": [*scores, beyond]}, abstain=abstain)
        for abstain, scores, beyond in ABSTAINING),
    read("A,1,0,|A,2,1,1|A,3,1,0|A,4,0,0", {"decision": [1, 1, 0, 0], "seen": ['[["abstained", '
        '"1 of 4 cases, taken as positive", "A", ""]]'] * 4}, "model,instance,label,decision",
        abstain="positive"),
    # weights and costs
    read("A,1,0,.1,3|A,2,1,.2,1|A,3,1,.2,0", {"weight": [3, 1, 0], "case_weight": [3, 1, 0]},
        f"{COLUMNS},weight"),
    read("A,1,0,.1,2.5|A,2,1,.2,10", {"weight": [0.25, 1]}, f"{COLUMNS},weight"),
    read(UNEQUAL, {"weight": [3, 2, 2, 1, 2, 3, 2, 1]}, COSTS, **paid()),
    read(UNEQUAL, {"weight": [1] * 8}, COSTS, **paid() | {"weighted": False}),
    read("A,1,0,.1,100|A,2,1,.2,100", {"cost_fp": [120, 120], "cost_fn": [25, 25]}, SIZED,
        **paid(column="x", benefit=CREDIT)),  # the paper's credit data
    read("A,1,0,.1,,|A,2,1,.2,0,0", {"cost_fp": [2, 2], "cost_fn": [2, 2], "weight": [1, 1]}, COSTS,
        **paid(benefit=CONSTANT)),
    read("A,1,0,0.1,30,7|A,2,1,0.25,20,8", {"model": ["A", "A", *[PRODUCT.format("A")] * 2],
        "score": pytest.approx([0.1, 0.25, 0.7, 2]), "decision": [-1] * 4, "weight": [1] * 4},
        COSTS, **paid(score_times_cost=True)),
    # A case is of the class of its cheaper decision: 4 is less than a review costs, 5 is as much.
    read("A,1,0,.1,4|A,2,1,.2,4|A,3,1,.3,5|A,4,1,.4,9|A,5,1,.5,8", {"label": [0, 0, 1, 1, 1],
        "cost_fp": [5, 1, 5, 5, 5], "cost_fn": [-1, -1, 0, 4, 3]}, SIZED,
        **paid(column="x", benefit=REVIEW)),
    # Half of a class, but not more, may be so.
    read("A,1,0,.1,9|A,2,0,.2,1|A,3,1,.3,9|A,4,1,.4,1", {"label": [0, 1, 1, 0], "seen":
        ['[["cheaper-mistakes", "2 of 4 cases", "", ""]]'] * 4}, SIZED,
        **paid(column="x", benefit=BOTH)),
]  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_what_rows_become(case: tuple[Any, ...]) -> None:
    rows, of, options, expected = case
    frame = staged(rows, of, **options)
    for name, values in expected.items():
        assert frame[name].tolist() == values, name


def test_files_are_put_together_and_models_come_in_order() -> None:
    Path("a.csv").write_text(csv("B,1,0,1|A,1,0,2|A,2,1,3|B,2,1,4"))
    parquet("b.parquet", model=["A", "B"], instance=["3", "3"], label=[1, 1], score=[5, 6])
    parquet("c.parquet", model=["C"], instance=["1"], label=[1], score=[0])
    frame, read_of = stage_with_sources(wine("a.csv", "b.parquet"))
    assert frame["model"].to_list() == ["B"] * 3 + ["A"] * 3
    assert frame["score"].to_list() == [1, 4, 6, 2, 3, 5]
    assert read_of == [  # nothing is noted of files that have costcurves' own columns
        {"path": path, "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest(), "rows": size}
        for path, size in (("a.csv", 4), ("b.parquet", 2))
    ]
    frame, read_of = stage_with_sources(wine("a.csv", "b.parquet", "c.parquet", models=("A", "B")))
    assert frame["model"].to_list() == ["A"] * 3 + ["B"] * 3
    assert [file["rows"] for file in read_of] == [4, 2, 0]


def test_notes_name_columns_and_models() -> None:
    """A column without a name is called by its place, and files of the same name by their path."""
    Path("b").mkdir()
    for path in ("a.csv", "b/a.csv"):
        Path(path).write_text(csv("n1,0,.5,x|n2,1,.7,x|n3,1,.8,x|n4,0,.9,x", ",y,p,"))
    frame, read_of = stage_with_sources(wine("a.csv", "b/a.csv", pairing="unpaired"))
    assert frame["model"].unique().tolist() == ["a.csv", "b/a.csv"]
    assert "; ".join(read_of[1]["read"].split("; ")[:2]) == (
        "a row for each case: label 'y', score 'p', models 'b/a.csv'; "
        "not used: '' (4 values, no key), 'column 4' (one value)"
    )


def test_two_files_have_a_model_each() -> None:
    """What is refused, and that equal names are told apart, is tested with `costcurves gate`."""
    for path, rows in (("a.csv", TWO), ("c.csv", TWO.replace("NB", "C"))):
        Path(path).write_text(csv(rows))
    assert read_two(wine("c.csv", "a.csv"), None)[1] == ("C", "NB")
    assert read_two(wine("a.csv", "c.csv"), ("C", "NB"))[1] == ("C", "NB")


@pytest.mark.parametrize("place", range(3))
def test_the_default_study_stages(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    frame, read_of = stage_with_sources(read_study("config/config.yaml").datasets[place])
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert len(frame) == sum(file["rows"] for file in read_of) == [85_280, 20_700, 3_000][place]
    assert all(f"{file['sha256']}  {Path(file['path']).name}" in readme for file in read_of)
