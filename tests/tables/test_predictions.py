"""The input contract: what stages stages exactly, and what each mistake is answered with."""

import gzip
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.names import unusable
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.predictions.staged import stage, stage_with_sources
from costcurves.settings import Costs, Dataset
from costcurves.study.reading import read_study
from costcurves.tables import files

ROOT = Path(__file__).parents[2]

HEADER = "model,instance,label,score\n"
GOOD = HEADER + "NB,1,0,0.25\nNB,2,1,0.75\n"
PACKED = gzip.compress(GOOD.encode(), mtime=0)


def dataset(*predictions: str, name: str = "wine", **said: Any) -> Dataset:
    return Dataset(name, predictions or ("a.csv",), title=name, slug=name, **said)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, content: str | bytes) -> str:
    data = content if isinstance(content, bytes) else content.encode()
    Path(name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    return name


def parquet(name: str, **columns: Any) -> str:
    pq.write_table(pa.table(columns), name)
    return name


def csv(rows: Sequence[str], header: str = HEADER) -> str:
    return header + "".join(f"{row}\n" for row in rows)


def findings(*predictions: str, **said: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        stage(dataset(*predictions, **said))
    return [one for one in caught.value.findings if "a.csv: if " not in one]


# What stages.


def test_the_least_file_and_its_defaults() -> None:
    put("a.csv", GOOD)
    expected = PREDICTIONS.frame(
        dataset="wine",
        model="NB",
        member="",
        train_pc=np.nan,
        repeat="1",
        fold="1",
        instance=["1", "2"],
        cluster="",
        label=[0, 1],
        score=[0.25, 0.75],
        decision=-1,
        cost_fp=np.nan,
        cost_fn=np.nan,
        case_weight=1.0,
        weight=1.0,
        seen="[]",
    )
    pd.testing.assert_frame_equal(stage(dataset()), expected)


def test_every_column_is_carried_through() -> None:
    header = "dataset,model,member,train_pc,repeat,fold,instance,cluster,label,decision,"
    header += "cost_fp,cost_fn,weight,x\n"
    rows = ["wine,T,p=0.1,0.1,r,f,i1,c,1,0,2,3,8,?", "wine,T,p=0.1,0.1,r,f,i2,d,0,1,0,1e2,8,?"]
    put("a.csv", csv(rows, header))
    frame = stage(dataset())
    assert frame.iloc[0].drop("score").to_list() == [
        "wine", "T", "p=0.1", 0.1, "r", "f", "i1", "c", 1, 0, 2.0, 3.0, 8.0, 1.0, "[]",
    ]  # fmt: skip
    assert frame["decision"].to_list() == [0, 1]
    assert frame["score"].isna().all()


@pytest.mark.parametrize("name", ["a.csv", "A.CSV", "a.csv.gz"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_same_rows_in_any_wrapping(name: str, mark: str, end: str) -> None:
    put("plain.csv", GOOD)
    put(name, mark + GOOD.replace("\n", end))
    pd.testing.assert_frame_equal(stage(dataset(name)), stage(dataset("plain.csv")))


EXACT = [
    "007",
    "7",
    "NA",
    "nan",
    "null",
    "9007199254740993",
    "-0",
    "1.0",
    "é",
    "אב\u200f",
    ' "a", b ',
]


def in_quotes(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def test_ids_stay_as_they_are() -> None:
    put("a.csv", csv([f"NB,{in_quotes(name)},{i % 2},1" for i, name in enumerate(EXACT)]))
    assert stage(dataset())["instance"].to_list() == EXACT


def test_names_of_models_stay_as_they_are() -> None:
    put("a.csv", csv([f"{in_quotes(name)},{i},{i},1" for name in EXACT for i in (0, 1)]))
    assert stage(dataset())["model"].to_list() == [name for name in EXACT for _ in (0, 1)]


IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20
).filter(lambda name: unusable(name) is None)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.lists(st.tuples(IDS, SCORES), min_size=2, max_size=20, unique_by=lambda row: row[0]),
    IDS,
)
def test_any_ids_and_scores_stay_as_they_are(rows: list[tuple[str, float]], model: str) -> None:
    ids, scores = [row[0] for row in rows], [row[1] for row in rows]
    labels = [place % 2 for place in range(len(rows))]
    written = [
        f"{in_quotes(model)},{in_quotes(name)},{label},{score!r}"
        for name, label, score in zip(ids, labels, scores, strict=True)
    ]
    put("a.csv", csv(written))
    parquet("a.parquet", model=[model] * len(ids), instance=ids, label=labels, score=scores)
    for path in ("a.csv", "a.parquet"):
        frame = stage(dataset(path))
        assert frame["instance"].to_list() == ids
        assert set(frame["model"]) == {model}
        assert frame["score"].to_numpy().tobytes() == np.array(scores).tobytes()
        files.write(frame, "staged.parquet", PREDICTIONS)
        again = files.read("staged.parquet", PREDICTIONS)
        # Texts are numbered by appearance in what is read.
        pd.testing.assert_frame_equal(again, frame, check_categorical=False)


def test_parquet_columns_of_many_types() -> None:
    words = pa.array(["NB", "NB"])
    parquet(
        "a.parquet",
        model=words.dictionary_encode(),
        member=pa.array([None, None], pa.string()),
        fold=pa.array([1, 1], pa.int8()),
        repeat=words.cast(pa.large_string()),
        instance=pa.array([2**53 + 1, 2**64 - 1], pa.uint64()),
        label=pa.array([True, False]),
        score=pa.array([0.1, -1], pa.float32()),
        decision=pa.array([1, 0]),
        cost_fp=pa.array([3, 2]).cast(pa.decimal128(30, 2)),
        cost_fn=pa.array(["0.1", "1e-3"]),
        train_pc=pa.array([None, None], pa.float64()),
    )
    first = stage(dataset("a.parquet")).iloc[0]
    assert first["instance"] == "9007199254740993"
    assert (first["fold"], first["repeat"], first["label"], first["decision"]) == ("1", "NB", 1, 1)
    assert first["score"] == np.float32(0.1)
    assert (first["cost_fn"], first["cost_fp"], first["member"]) == (0.1, 3.0, "")
    assert np.isnan(first["train_pc"])


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        ([7, 3, 4, 8], pa.int64()),
        ([2**63 - 1, 2**63 - 2], pa.int64()),
        ([2**63, 2**63 + 1], pa.uint64()),
        ([-(2**63), 1 - 2**63], pa.int64()),
        ([2**63 - 1, -(2**63)], pa.int64()),
        ([127, -128], pa.int8()),
        ([2**32 - 1, 2**32 - 3], pa.uint32()),
        ([5, 10**12], pa.int64()),
    ],
)
def test_whole_numbers_as_ids(ids: list[int], kind: pa.DataType) -> None:
    count = 2 * len(ids)
    parquet(
        "a.parquet",
        model=["NB"] * len(ids) + ["T"] * len(ids),
        instance=pa.array(ids * 2, kind),
        label=[0, 1] * len(ids),
        score=[0.5] * count,
        member=pa.nulls(count, pa.int64()),
    )
    names = stage(dataset("a.parquet"))["instance"]
    assert names.to_list() == list(map(str, ids)) * 2
    assert list(names.cat.categories) == list(map(str, ids))


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.decimal128(5, 1)])
def test_labels_and_decisions_that_are_whole_floats(kind: pa.DataType) -> None:
    parquet(
        "a.parquet",
        model=["T"] * 2 + ["NB"] * 2,
        instance=["1", "2"] * 2,
        label=pa.array([0.0, 1.0] * 2).cast(kind),
        score=[None, None, 0.5, 0.5],
        decision=pa.array([1, 0, None, None], pa.float64()).cast(kind),
    )
    frame = stage(dataset("a.parquet"))
    assert frame["label"].to_list() == [0, 1, 0, 1]
    assert frame["decision"].to_list() == [1, 0, -1, -1]


@pytest.mark.parametrize(
    ("labels", "positive", "expected"),
    [
        (["0", "1"], None, [0, 1]),
        (["false", "true"], None, [0, 1]),
        (["FALSE", "True"], None, [0, 1]),
        (["0", "true"], None, [0, 1]),
        (["0", "1.0"], None, [0, 1]),
        (["0", "1"], "0", [1, 0]),
        (["rock", "mine"], "mine", [0, 1]),
        (["2", "1"], "2", [1, 0]),
        (["1.0", "0.0"], "1.0", [1, 0]),
        (["no", "NA"], "NA", [0, 1]),
        (["True", "true"], "true", [0, 1]),
    ],
)
def test_labels(labels: list[str], positive: str | None, expected: list[int]) -> None:
    rows = [f"NB,{place},{label},{label}" for place, label in enumerate(labels)]
    put("a.csv", csv(rows, "model,instance,label,decision\n"))
    frame = stage(dataset(positive=positive))
    assert frame["label"].to_list() == expected
    assert frame["decision"].to_list() == expected


def test_decisions_beside_none_are_written_as_floats() -> None:
    rows = ["T,1,0,0.0,", "T,2,1,1.0,", "S,1,0,,0.25", "S,2,1,,0.5"]
    put("a.csv", csv(rows, "model,instance,label,decision,score\n"))
    assert stage(dataset())["decision"].to_list() == [0, 1, -1, -1]


def test_rows_of_other_datasets_are_passed_over() -> None:
    rows = ["beer,NB,1,x,?", "wine,NB,1,0,1", "wine,NB,2,1,2", "beer,NB,1,x,?"]
    put("a.csv", csv([row.replace("?", "3") for row in rows], "dataset," + HEADER))
    frame, files = stage_with_sources(dataset())
    assert frame["score"].to_list() == [1.0, 2.0]
    assert [file["rows"] for file in files] == [2]


def test_files_are_put_together_and_models_come_in_order() -> None:
    put("a.csv", csv(["B,1,0,1", "A,1,0,2"]))
    parquet("b.parquet", model=["A", "B"], instance=["2", "2"], label=[1, 1], score=[3, 4])
    frame, files = stage_with_sources(dataset("a.csv", "b.parquet"))
    assert list(zip(frame["model"], frame["score"], strict=True)) == [
        ("B", 1.0), ("B", 4.0), ("A", 2.0), ("A", 3.0),
    ]  # fmt: skip
    assert files == [
        {"path": path, "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest(), "rows": 2}
        for path in ("a.csv", "b.parquet")
    ]
    ordered = stage(dataset("a.csv", "b.parquet", models=("A", "B")))
    assert ordered["model"].to_list() == ["A", "A", "B", "B"]


def test_a_training_proportion_says_something_of_members_only() -> None:
    """That of a single model may differ by fold, and lie where it likes: it is not kept."""
    rows = [f"NB,{i % 5},{i},{i // 5 % 2},0.5,{0.5 + i % 5}" for i in range(1000)]
    put("a.csv", csv(rows, "model,fold,instance,label,score,train_pc\n"))
    assert stage(dataset())["train_pc"].isna().all()


def test_training_proportions_may_differ_by_fold_and_members_have_their_mean() -> None:
    rows = [
        f"T,{member},{fold},{fold}{label},{label},{label},{train_pc}"
        for member, each in (("a", (0.1, 0.2, 0.6)), ("b", (0.7, 0.7, 0.7)), ("c", ("", "", "")))
        for fold, train_pc in enumerate(each)
        for label in (0, 1)
    ]
    put("a.csv", csv(rows, "model,member,fold,instance,label,decision,train_pc\n"))
    found = stage(dataset()).groupby("member")["train_pc"].unique()
    assert found["a"] == pytest.approx([0.3], abs=1e-10)
    assert found["b"].tolist() == [0.7]
    assert np.isnan(found["c"]).all()


def test_a_model_that_is_not_wanted_is_not_held_to_anything() -> None:
    put("a.csv", GOOD + "bad,1,1,0.5\nbad,1,maybe,\n")
    assert set(stage(dataset(models=("NB",)))["model"]) == {"NB"}


def test_unpaired_models_may_be_predicted_on_different_instances() -> None:
    put("a.csv", GOOD + "C,3,0,1\nC,4,1,1\n")
    assert len(stage(dataset(pairing="unpaired"))) == 4


def test_folds_without_a_class_may_be_pooled() -> None:
    rows = ["NB,1,a,1,0,1", "NB,1,b,2,1,1"]
    put("a.csv", csv(rows, "model,repeat,fold,instance,label,score\n"))
    assert len(stage(dataset(folds_without_a_class="pool"))) == 2


@pytest.mark.parametrize("place", range(3))
def test_the_default_study_stages(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    of = read_study("config/config.yaml").datasets[place]
    frame, files = stage_with_sources(of)
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert len(frame) == sum(file["rows"] for file in files) == [85_280, 20_700, 3_000][place]
    assert all(f"{file['sha256']}  {Path(file['path']).name}" in readme for file in files)
    assert frame.drop_duplicates("instance")["label"].sum() == [111, 307, 700][place]
    assert frame["model"].nunique() == [5, 3, 3][place]


# What a file is, before its columns are read; most of it is in `test_hostile_input`.

UNREADABLE: list[tuple[str, str | bytes, str]] = [
    ("a.csv.gz", "", "a.csv.gz: the file is empty, expected a header and rows"),
    ("a.csv", b"\xd0\xcf\x11\xe0", "holds an old Excel workbook, expected CSV, Parquet"),
    ("a.csv", b"PAR1....PAR1", "a.csv: can't be read as Parquet ("),
    ("a.csv", "version https://git-lfs.github.com/spec/v1\n", "fetch it with 'git lfs pull'"),
    ("a.csv", b"BZh9", "holds bzip2 data, expected CSV, Parquet or Feather; unpack it"),
    ("a.parquet", b"ARROW1", "can't be read as Arrow (File is too small: 6); is it truncated"),
    ("a.csv", GOOD + "\n", "a.csv line 4: is blank; remove blank lines"),
    ("a.csv", GOOD.replace("\n", "\r\n\r\n"), "a.csv line 2: is blank; remove blank lines"),
    ("a.csv", "\n" + GOOD, "a.csv line 1: is blank; remove blank lines"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), UNREADABLE)
def test_a_file_that_cannot_be_read(name: str, content: str | bytes, message: str) -> None:
    found = findings(put(name, content))
    assert len(found) == 1
    assert message in found[0]
    assert name in found[0]


def test_a_name_that_no_file_can_have() -> None:
    assert findings("a\0.csv") == [r"'a\x00.csv': can't be read (embedded null byte)"]


# Columns that are not ours.

NO_TRUTH = "no column is known as the truth; say which it is (--column label=NAME"
LAYOUTS = [
    ("model,id,nr,points", NO_TRUTH),
    ("a,b,c", NO_TRUTH),
    ("t,fraud,amount,score_v1,score_v2", NO_TRUTH),
    ("NB,1,0,0.5", "the first row must name the columns; it has 'NB', '1', '0', '0.5'"),
    ("model,instance,label,scoer", "what is column 'scoer'? Say --column score=scoer"),
    ("model,instance,label", "no column is known as scores; name those of models"),
]


@pytest.mark.parametrize(("header", "message"), LAYOUTS)
def test_columns_of_other_names(header: str, message: str) -> None:
    (found,) = findings(put("a.csv", f"{header}\n{'1,' * header.count(',')}1\n"))
    assert message in found


def test_a_cost_that_does_not_say_of_which_mistake() -> None:
    (found,) = findings(
        put("a.csv", csv(["NB,1,0,0.2,5", "NB,2,1,0.3,9"], HEADER.strip() + ",cost\n"))
    )
    assert "what is column 'cost'? Say --column cost_fn=cost or --column cost_fp=cost" in found


def test_other_columns_are_passed_over_where_the_known_ones_are_there() -> None:
    put("a.csv", csv(["NB,1,0,0.2,0,x", "NB,2,1,0.3,1,y"], HEADER.strip() + ",target,id\n"))
    assert len(stage(dataset())) == 2


def test_the_column_of_the_amount_may_be_called_as_one_likes() -> None:
    put("a.csv", csv(["NB,1,0,0.2,5", "NB,2,1,0.3,9"], HEADER.strip() + ",cost\n"))
    costs = Costs.from_plain(
        {"unit": "", "column": "cost", "score_times_cost": False}
        | {"benefit": {"tp": 0, "fp": {"coefficient": -1}, "fn": -20, "tn": 0}}
    )
    assert stage(dataset(costs=costs))["cost_fp"].to_list() == [5, 9]


# What is in a CSV.

CSV: list[tuple[str, list[str]]] = [
    (csv(["NB,1,1"], "model,instance,score\n"), [NO_TRUTH]),
    (
        csv(["NB,1,1,1,1"], "model,instance,label,score,Repaet\n"),
        ["a.csv: what is column 'Repaet'? Say --column repeat=Repaet "],
    ),
    ('"model,instance\n', ["a.csv line 1: the header can't be read (unexpected end of data)"]),
    (
        csv(["NB,1,1", "NB,2,0,1,1", "NB,3,1,0,5"]),
        [
            "a.csv line 2: has 3 values, expected 4 (first of 3 such, then a.csv line 3)",
        ],
    ),
    (
        csv(["NB,1,1,1", "NB,1", 'NB,"2\n3",1,1', "NB,4"]),
        ["line 4: a quoted value goes on in the next line (is a quotation mark never closed?)"],
    ),
    (
        csv(["NB,1,1,x", "NB,2,1,nan", "NB,3,1,1e400", "NB,4,1,-inf", "NB,5,1,+1", 'NB,6,1,"0,5"']),
        [
            "a.csv line 2: score is 'x', expected a finite number such as 0.25 (first of 6 such, "
            "then a.csv line 3)",
        ],
    ),
    (
        csv(["NB,1,1,1,a,b,?"], "model,instance,label,score,train_pc,cost_fp,cost_fn\n"),
        ["train_pc is 'a', expected a finite"],
    ),
]


@pytest.mark.parametrize(("content", "messages"), CSV)
def test_what_cannot_be_read_in_a_csv(content: str, messages: list[str]) -> None:
    found = findings(put("a.csv", content))
    assert len(found) == len(messages), found
    assert [message in finding for message, finding in zip(messages, found, strict=True)], found
    assert all(message in finding for message, finding in zip(messages, found, strict=True)), found


@pytest.mark.parametrize("long", ["NB," + "x" * 3_000_000, 'NB,"' + "a,b\n" * 600_000 + "a,b"])
def test_a_line_that_never_ends(long: str) -> None:
    put("a.csv", csv([long, "NB,2,1,1"]))
    why = "a line is longer than a megabyte, or a quotation mark is never closed"
    assert findings() == [f"a.csv: can't be read as CSV ({why})"]


PARQUET: list[tuple[dict[str, Any], str]] = [
    ({"instance": pa.array([], pa.string())}, "a.parquet: has a header and no rows"),
    ({"model": pa.array([True])}, "column 'model' is bool, expected text"),
    (
        {"instance": pa.array([1.5, 2.5])},
        "column 'instance' holds numbers that are not whole, expected names",
    ),
    ({"label": pa.array([1.5])}, "column 'label' holds numbers that are not whole, expected names"),
    ({"label": pa.array([0.0, 1.0, None])}, "row 3: label is empty; 1 of 1 cases"),
    ({"score": pa.array([float("nan")])}, "row 1: score is 'nan', expected a finite number"),
    ({"score": pa.array(["x"])}, "row 1: score is 'x', expected a finite number"),
    ({"Scoer": pa.array([1.0])}, "what is column 'Scoer'? Say --column score=Scoer"),
]


@pytest.mark.parametrize(("changes", "message"), PARQUET)
def test_what_cannot_be_read_in_a_parquet(changes: dict[str, Any], message: str) -> None:
    size = len(next(iter(changes.values())))
    columns = {"model": ["NB"], "instance": ["1"], "label": ["1"]} | (
        {} if "Scoer" in changes else {"score": [0.5]}
    )
    parquet("a.parquet", **({name: of * size for name, of in columns.items()} | changes))
    assert any(message in finding for finding in findings("a.parquet"))


def test_all_files_are_read_before_anything_is_said() -> None:
    put("a.csv", "")
    put("b.csv", GOOD)
    assert findings("a.csv", "b.csv", "c.csv") == [
        "a.csv: the file is empty, expected a header and rows",
        "c.csv: there is no such file",
    ]


# What the rows say.

SEVERAL = (
    "these are 3 classes: --positive LABEL --classes rest takes one against the rest; "
    "else each takes a column with its scores (--column score_LABEL=NAME, or 'classes:')"
)
FOLDS = "model,repeat,fold,instance,label,score\n"
MEMBERS = "model,member,train_pc,instance,label,decision\n"
UNPAIRED = "predict all on the same instances and folds, or say 'pairing: unpaired' (--unpaired)"
POOL = "say 'folds_without_a_class: pool' in a configuration to pool the folds of such a repeat"
STRATIFY = f"make stratified folds, or {POOL}"

ROWS: list[tuple[str, dict[str, Any], list[str]]] = [
    # datasets and models
    (
        csv(["beer,NB,1,0,1", "ale,NB,2,1,1"], "dataset," + HEADER),
        {},
        ["a.csv: has no rows of dataset 'wine'; those in its column 'dataset' are 'beer', 'ale'"],
    ),
    (
        csv([",NB,1,0,1", "wine,NB,2,1,1", "wine ,NB,2,1,1"], "dataset," + HEADER),
        {},
        ["a.csv: dataset is blank in 1 rows", "the datasets 'wine' and 'wine ' look the same"],
    ),
    (
        GOOD,
        {"models": ("C4.5", "NB")},
        ["dataset 'wine': has no model 'C4.5'; those in its files are 'NB'"],
    ),
    (
        GOOD,
        {"reference": "C4.5"},
        ["has no model 'C4.5', which 'reference:' names; its models are 'NB'"],
    ),
    # names
    (
        csv(["NB,1,0,1", " ,2,1,1"]),
        {"pairing": "unpaired", "folds_without_a_class": "pool"},
        [
            "a.csv line 3: model ' ' is blank",
            "dataset 'wine': model 'NB', repeat '1' has no positives (first in a.csv line 2), nor "
            "have 1 more of 2 both classes",
        ],
    ),
    (
        csv(["always positive,1,0,1", "always positive,2,1,1"]),
        {},
        [
            "a.csv line 2: model 'always positive' is the name of a no-model baseline: leave it "
            "out, as all have those, or rename it"
        ],
    ),
    (csv(["NB,1,0,1", "NB,,1,1"]), {}, ["a.csv line 3: instance '' is blank"]),
    (
        csv(["T, ,,1,0,0", "T, ,,2,1,0"], "model,member,train_pc,instance,label,decision\n"),
        {},
        ["a.csv line 2: member ' ' is blank"],
    ),
    (
        csv(["NB,1,,1,0,1", "NB,1,,2,1,1"], FOLDS),
        {},
        ["a.csv line 2: fold '' is blank"],
    ),
    # labels and decisions
    (
        csv(["NB,1,0,1", "NB,2,1,1", "NB,3,2,1", "NB,4,2,1", "NB,5,,1"]),
        {},
        [
            "a.csv line 6: label is empty; 1 of 5 cases have no label; if they are not known yet, "
            "'missing_labels: drop' (--missing-labels drop) leaves them out",
        ],
    ),
    (
        csv(["NB,1,rock,1", "NB,2,mine,1"]),
        {},
        ["a.csv line 2: label is 'rock'; expected 0 or 1"],
    ),
    (csv(["NB,1,1.5,1", "NB,2,0.0,1"]), {}, ["line 2: label is '1.5';"]),
    (
        csv(["NB,1,rock,1", "NB,2,mine,1"]),
        {"positive": "Mine"},
        ["dataset 'wine': no label is 'Mine' ('positive:'); labels are 'rock', 'mine'"],
    ),
    (
        csv(["NB,1,rock,1", "NB,2,mine,1", "NB,3,sand,1"]),
        {"positive": "mine"},
        [
            f"a.csv line 2: label is 'rock'; labels are 'rock', 'mine', 'sand'; {SEVERAL} (first "
            "of 2 such, then a.csv line 4)",
        ],
    ),
    (
        csv(["NB,1,rock,1", "NB,2,mine,1", "NB,3,\x01mine,1"]),
        {"positive": "mine"},
        [
            "a.csv line 4: label '\\x01mine' has the control or text-reordering character '\\x01'",
            "a.csv line 2: label is 'rock'; labels are 'rock', 'mine', '\\x01mine'; these are 3",
        ],
    ),
    (
        csv(["NB,1,rock,1", "NB,2,mine,1", "NB,3,,1"]),
        {"positive": "mine"},
        [
            "a.csv line 4: label is empty; 1 of 3 cases have no label; if they are not known yet, "
            "'missing_labels: drop' (--missing-labels drop) leaves them out",
        ],
    ),
    (
        csv(["NB,1,1,1", "NB,2,TRUE,1"]),
        {},
        ["dataset 'wine': all labels are positive ('1', 'TRUE'); costs need both classes"],
    ),
    (
        csv(["NB,1,mine,1"]),
        {"positive": "mine"},
        ["dataset 'wine': all labels are positive ('mine'); costs need both classes"],
    ),
    (
        csv(["NB,1,0,0", "NB,2,1,yes"], "model,instance,label,decision\n"),
        {},
        ["a.csv line 3: decision is 'yes'; expected what labels are: '0', '1'"],
    ),
    (
        csv(["NB,1,rock,0", "NB,2,mine,mine"], "model,instance,label,decision\n"),
        {"positive": "mine"},
        ["a.csv line 2: decision is '0'; expected what labels are: 'rock', 'mine'"],
    ),
    # scores and decisions
    (
        csv(["NB,1,0,", "NB,2,1,1", "NB,3,1,"]),
        {},
        [
            "a.csv line 2: model 'NB' has no score here, but has one elsewhere; 2 rows of 2 of 3 "
            "cases have none; say what such cases count as: 'abstain: negative' (--abstain "
            "negative), 'positive', or 'drop' for complete cases",
        ],
    ),
    (
        csv(["NB,1,0,0", "NB,2,1,"], "model,instance,label,decision\n"),
        {},
        ["a.csv line 3: model 'NB' has no decision here, but has one elsewhere"],
    ),
    (
        GOOD + "C,1,0,\nC,2,1,\n",
        {},
        ["a.csv line 4: model 'C' has neither scores nor decisions"],
    ),
    # families
    (
        csv(["T,a,0.1,1,0,0", "T,a,0.1,2,1,0", "T,,,1,0,0", "T,,,2,1,1"], MEMBERS),
        {},
        ["line 4: model 'T' has no member here, but has one elsewhere; expected one in each of its "
         "rows, or in none (first of 2 such, then a.csv line 5)"],
    ),
    (
        csv(["T,a,0.1,1,0,0", "T,a,0.2,2,1,0", "T,a,,3,1,0"], MEMBERS),
        {},
        [
            "a.csv line 4: model 'T', member 'a' has no train_pc here, but has one elsewhere",
            "a.csv line 3: model 'T', member 'a' has train_pc 0.2, but 0.1 in a.csv line 2; "
            "expected one for each member and fold (first of 2 such, then a.csv line 4)",
        ],
    ),
    (
        csv(["T,a,1.5,1,0,0", "T,a,1.5,2,1,0"], MEMBERS),
        {},
        ["a.csv line 2: train_pc is 1.5, expected 0 to 1 (a PC(+)) (first of 2 such"],
    ),
    (
        csv(["T,a,,1,0,0", "T,a,,2,1,0", "T,b,,1,0,0"], MEMBERS),
        {"pairing": "unpaired"},
        [
            "dataset 'wine': model 'T', member 'b' lacks 1 of the 2 predictions that others have, "
            "such as instance '2' in repeat '1', fold '1' (a.csv line 3); predict all on the same "
            "instances and folds",
        ],
    ),
    # costs
    (
        csv(["NB,1,0,1,-1,0", "NB,2,1,1,0,-0.5"], "model,instance,label,score,cost_fp,cost_fn\n"),
        {},
        [
            "a.csv line 2: cost_fp is -1.0 for instance '1', expected at least 0",
            "a.csv line 3: cost_fn is -0.5 for instance '2', expected at least 0",
        ],
    ),
    # instances, folds and repeats
    (
        GOOD + "NB,1,0,0.3\n",
        {},
        ["a.csv line 4: model 'NB' predicts instance '1' in repeat '1', fold '1' again, first in "
         "a.csv line 2"],
    ),
    (
        csv(["NB,1,a,1,0,1", "NB,1,a,2,1,1", "NB,1,b,1,0,1", "NB,1,b,3,1,1", "NB,2,b,1,0,1",
             "NB,2,b,2,1,1"], FOLDS),
        {},
        [
            "a.csv line 4: instance '1' has fold 'b', but 'a' in a.csv line 2; expected one for "
            "each instance and repeat"
        ],
    ),
    (
        GOOD + "C,1,1,1\nC,2,0,1\n",
        {},
        [
            "a.csv line 4: instance '1' has label '1', but '0' in a.csv line 2; expected one for "
            "each instance (first of 2 such",
        ],
    ),
    # pairing
    (
        GOOD + "NB,3,1,1\nC,1,0,1\nC,2,1,1\nC,4,1,1\n",
        {},
        [
            "dataset 'wine': model 'NB' lacks 1 of the 4 predictions that others have, such as "
            f"instance '4' in repeat '1', fold '1' (a.csv line 7); {UNPAIRED} (first of 2 such)",
        ],
    ),
    (
        csv(["NB,1,a,1,0,1", "NB,1,a,2,1,1", "C,1,b,1,0,1", "C,1,b,2,1,1"], FOLDS),
        {},
        ["model 'NB' lacks 2 of the 4 predictions"],
    ),
    # folds without a class
    (
        csv(["NB,1,a,1,0,1", "NB,1,a,2,1,1", "NB,1,b,3,0,1", "NB,1,c,4,1,1"], FOLDS),
        {},
        [
            "repeat '1', fold 'b' has no positives (first in a.csv line 4), nor have 1 more of 3 "
            f"both classes; {STRATIFY}",
        ],
    ),
    (
        csv(["NB,1,a,1,0,1", "NB,1,a,2,1,1", "NB,1,b,3,0,1"], FOLDS),
        {},
        [f"repeat '1', fold 'b' has no positives (first in a.csv line 4); {STRATIFY}"],
    ),
    (
        csv([f"{model},1,{i},{i},{i % 2},1" for model in "AB" for i in range(208)], FOLDS),
        {},
        [
            "dataset 'wine': repeat '1', fold '0' has no positives (first in a.csv line 2), nor "
            "have 207 more of 208 both classes; with one instance in each fold (leave-one-out) "
            f"none can have both: {POOL}"
        ],
    ),
    (
        csv(["NB,1,a,1,0,1", "NB,2,a,2,1,1"], FOLDS),
        {"folds_without_a_class": "pool"},
        [
            "repeat '1' has no positives (first in a.csv line 2), nor have 1 more of 2 both "
            "classes; pooling its folds leaves it without that class; leave such repeats out",
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said", "messages"), ROWS)
def test_what_is_wrong_with_the_rows(
    content: str, said: dict[str, Any], messages: list[str]
) -> None:
    found = findings(put("a.csv", content), **said)
    assert len(found) == len(messages), found
    assert all(message in finding for message, finding in zip(messages, found, strict=True)), found


def test_rows_of_parquet_and_of_a_second_file_are_named() -> None:
    put("a.csv", GOOD)
    parquet("b.parquet", model=["NB", "NB"], instance=["3", "1"], label=[0, 0], score=[1, 1])
    assert findings("a.csv", "b.parquet") == [
        "b.parquet row 2: model 'NB' predicts instance '1' in repeat '1', fold '1' again, first in "
        "a.csv line 2"
    ]


def test_lines_are_right_among_rows_of_other_datasets_and_other_models() -> None:
    rows = ["beer,NB,1,0,1", "wine,C,1,0,1", "wine,NB,1,0,1", "wine,NB,2,1,1", "wine,NB,2,1,1"]
    put("a.csv", csv(rows, "dataset," + HEADER))
    assert findings(models=("NB",))[0].startswith("a.csv line 6: model 'NB' predicts instance '2'")


def test_all_findings_about_the_rows_at_once() -> None:
    put("a.csv", GOOD + "NB,2,1,1\nC,1,x,1\n")
    found = findings()
    assert len(found) == 3
    assert ["label is 'x'" in found[0], "again" in found[1], "lacks 1" in found[2]] == [True] * 3


def test_many_findings_are_counted() -> None:
    put("a.csv", csv([f"NB,{place},{place % 2},x" for place in range(5000)]))
    with pytest.raises(InputError) as caught:
        stage(dataset())
    message = str(caught.value)
    assert message.endswith("such as 0.25 (first of 5,000 such, then a.csv line 3)")
    assert caught.value.findings == (message,)


def test_order_of_rows_changes_nothing_but_order() -> None:
    rows = [f"{model},{i},{i % 2},{i / 7}" for i in range(20) for model in ("NB", "C")]
    put("a.csv", csv(rows))
    put("b.csv", csv(rows[::-1]))
    one, other = (
        stage(dataset(path, models=("NB", "C")))
        .astype({"model": "str", "instance": "str"})
        .sort_values(["model", "instance"], ignore_index=True)
        for path in ("a.csv", "b.csv")
    )
    pd.testing.assert_frame_equal(one, other)
