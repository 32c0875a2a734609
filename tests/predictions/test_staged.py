"""What prediction files become: values as they are written, rows in order, and their defaults."""

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

from costcurves.names import unusable
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.predictions.staged import stage, stage_with_sources
from costcurves.settings import Costs, Dataset
from costcurves.study.reading import read_study
from costcurves.tables import files

ROOT = Path(__file__).parents[2]
HEADER = "model,instance,label,score\n"
GOOD = HEADER + "NB,1,0,0.25\nNB,2,1,0.75\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def dataset(*paths: str, **options: Any) -> Dataset:
    return Dataset("wine", paths or ("a.csv",), title="wine", slug="wine", **options)


def read(rows: Sequence[str], header: str = HEADER, **options: Any) -> pd.DataFrame:
    """What is staged of rows of CSV."""
    Path("a.csv").write_text(header + "".join(f"{row}\n" for row in rows))
    return stage(dataset(**options))


def parquet(name: str = "a.parquet", **columns: Any) -> str:
    pq.write_table(pa.table(columns), name)
    return name


def test_the_least_file_and_its_defaults() -> None:
    names = {"dataset": "wine", "model": "NB", "repeat": "1", "fold": "1", "seen": "[]"}
    names |= {"member": "", "cluster": ""}
    numbers = dict.fromkeys(("train_pc", "cost_fp", "cost_fn"), np.nan)
    each = {"instance": ["1", "2"], "label": [0, 1], "score": [0.25, 0.75], "decision": -1}
    expected = PREDICTIONS.frame(**names, **numbers, **each, weight=1.0, case_weight=1.0)
    pd.testing.assert_frame_equal(read(GOOD.splitlines()[1:]), expected)


def test_every_column_is_carried_through() -> None:
    header = "dataset,model,member,train_pc,repeat,fold,instance,cluster,label,decision,"
    header += "cost_fp,cost_fn,weight,x\n"
    rows = ["wine,T,p=0.1,0.1,r,f,i1,c,1,0,2,3,8,?", "wine,T,p=0.1,0.1,r,f,i2,d,0,1,0,1e2,8,?"]
    frame = read(rows, header)
    first = ["wine", "T", "p=0.1", 0.1, "r", "f", "i1", "c", 1, 0, 2.0, 3.0, 8.0, 1.0, "[]"]
    assert frame.iloc[0].drop("score").to_list() == first
    assert frame["decision"].to_list() == [0, 1]
    assert frame["score"].isna().all()


def quotes(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


EXACT = ["007", "7", "NA", "nan", "null", "9007199254740993", "-0", "1.0", "é", "אב\u200f"]
EXACT += [' "a", b ', str(10**30), str(10**30 + 1), "1e5"]
IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20
).filter(lambda name: unusable(name) is None)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.dictionaries(IDS | st.sampled_from(EXACT), SCORES, min_size=2, max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(ROWS, IDS | st.sampled_from(EXACT))
def test_any_names_and_scores_stay_as_they_are(rows: dict[str, float], model: str) -> None:
    ids, scores = [*rows], [*rows.values()]
    labels = [place % 2 for place in range(len(rows))]
    written = zip(ids, labels, scores, strict=True)
    lines = [f"{quotes(model)},{quotes(name)},{y},{score!r}" for name, y, score in written]
    parquet(model=[model] * len(ids), instance=ids, label=labels, score=scores)
    for frame in (read(lines), stage(dataset("a.parquet"))):
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


WIDE = {pa.int64(): [7, 3, -(2**63)], pa.uint64(): [2**63 + 1, 0], pa.int8(): [127, -128]}


@pytest.mark.parametrize("kind", WIDE)
def test_whole_numbers_as_ids(kind: pa.DataType) -> None:
    ids = pa.array(WIDE[kind] * 2, kind)
    size = len(ids)
    labels = [place % (size // 2) % 2 for place in range(size)]
    nulls = pa.nulls(size, pa.int64())
    model = ["NB"] * (size // 2) + ["T"] * (size // 2)
    parquet(model=model, instance=ids, label=labels, score=[0.5] * size, member=nulls)
    names = stage(dataset("a.parquet"))["instance"]
    assert [*names.cat.categories] * 2 == names.to_list() == [*map(str, WIDE[kind])] * 2


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.decimal128(5, 1)])
def test_labels_and_decisions_that_are_whole_floats(kind: pa.DataType) -> None:
    parquet(
        model=["T"] * 2 + ["NB"] * 2,
        instance=["1", "2"] * 2,
        label=pa.array([0.0, 1.0] * 2).cast(kind),
        score=[None, None, 0.5, 0.5],
        decision=pa.array([1, 0, None, None], pa.float64()).cast(kind),
    )
    frame = stage(dataset("a.parquet"))
    assert frame["label"].to_list() == [0, 1, 0, 1]
    assert frame["decision"].to_list() == [1, 0, -1, -1]


LABELS: list[tuple[str, str | None, list[int]]] = [
    ("0 1", None, [0, 1]), ("FALSE True", None, [0, 1]), ("0 true", None, [0, 1]),
    ("0 1.0", None, [0, 1]), ("0 1", "0", [1, 0]), ("rock mine", "mine", [0, 1]),
    ("1.0 0.0", "1.0", [1, 0]), ("no NA", "NA", [0, 1]), ("True true", "true", [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("labels", "positive", "expected"), LABELS)
def test_labels(labels: str, positive: str | None, expected: list[int]) -> None:
    rows = [f"NB,{place},{label},{label}" for place, label in enumerate(labels.split())]
    frame = read(rows, "model,instance,label,decision\n", positive=positive)
    assert frame["label"].to_list() == frame["decision"].to_list() == expected


def test_rows_of_other_datasets_and_models_are_passed_over() -> None:
    rows = ["beer,NB,1,x,3", "wine,NB,1,0,1", "wine,NB,2,1,2", "beer,NB,1,x,3"]
    assert read(rows, "dataset," + HEADER)["score"].to_list() == [1.0, 2.0]
    assert stage_with_sources(dataset())[1][0]["rows"] == 2
    rows = [*GOOD.splitlines()[1:], "bad,1,1,0.5", "bad,1,maybe,"]
    assert {*read(rows, models=("NB",))["model"]} == {"NB"}


def test_files_are_put_together_and_models_come_in_order() -> None:
    read(["B,1,0,1", "A,1,0,2", "A,2,1,3", "B,2,1,4"])
    parquet("b.parquet", model=["A", "B"], instance=["3", "3"], label=[1, 1], score=[5, 6])
    frame, read_of = stage_with_sources(dataset("a.csv", "b.parquet"))
    assert frame["model"].to_list() == ["B"] * 3 + ["A"] * 3
    assert frame["score"].to_list() == [1, 4, 6, 2, 3, 5]
    hashes = {path: hashlib.sha256(Path(path).read_bytes()) for path in ("a.csv", "b.parquet")}
    assert [(file["path"], file["sha256"], file["rows"]) for file in read_of] == [
        ("a.csv", hashes["a.csv"].hexdigest(), 4),
        ("b.parquet", hashes["b.parquet"].hexdigest(), 2),
    ]
    ordered = stage(dataset("a.csv", "b.parquet", models=("A", "B")))
    assert ordered["model"].to_list() == ["A"] * 3 + ["B"] * 3


def test_training_proportions_are_those_of_members_and_the_mean_of_their_folds() -> None:
    """That of a single model may differ by fold, and lie where it likes: it is not kept."""
    rows = [f"NB,{i % 5},{i},{i // 5 % 2},0.5,{0.5 + i % 5}" for i in range(100)]
    frame = read(rows, "model,fold,instance,label,score,train_pc\n")
    assert frame["train_pc"].isna().all()
    rows = [
        f"T,{member},{fold},{fold}{label},{label},{label},{train_pc}"
        for member, each in (("a", (0.1, 0.2, 0.6)), ("b", (0.7, 0.7, 0.7)), ("c", ("", "", "")))
        for fold, train_pc in enumerate(each)
        for label in (0, 1)
    ]
    frame = read(rows, "model,member,fold,instance,label,decision,train_pc\n")
    means = frame.groupby("member")["train_pc"].unique()
    assert means["a"] == pytest.approx([0.3], abs=1e-10)
    assert means["b"].tolist() == [0.7]
    assert np.isnan(means["c"]).all()


@pytest.mark.parametrize(
    ("scores", "expected"),
    [((0, 0.5, 1), (0, 1)), ((0.2, 0.3, 0.4), (0, 1)), ((-1, 0, 3), (-2, 4)), ((0, 1, 2), (-1, 3))],
)
def test_abstaining_is_beyond_all_scores(
    scores: tuple[float, ...], expected: tuple[float, float]
) -> None:
    """Of probabilities, which include 0 and 1, it is one of these."""
    rows = [*(f"NB,{place},{place % 2},{score}" for place, score in enumerate(scores)), "NB,9,1,"]
    for abstain, score in zip(("negative", "positive"), expected, strict=True):
        assert read(rows, abstain=abstain)["score"].to_list() == [*scores, score]


def test_what_a_study_allows() -> None:
    other_cases = [*GOOD.splitlines()[1:], "C,3,0,1", "C,4,1,1"]
    assert len(read(other_cases, pairing="unpaired")) == 4
    rows, header = ["NB,a,1,0,1", "NB,b,2,1,1"], "model,fold,instance,label,score\n"
    assert len(read(rows, header, folds_without_a_class="pool")) == 2


def test_the_column_of_the_amount_may_be_called_as_one_likes() -> None:
    benefit = {"tp": 0, "fp": {"coefficient": -1}, "fn": -20, "tn": 0}
    costs = Costs.from_plain({"column": "cost", "benefit": benefit})
    rows = ["NB,1,0,0.2,5", "NB,2,1,0.3,9"]
    frame = read(rows, HEADER.strip() + ",cost\n", costs=costs)
    assert frame["cost_fp"].to_list() == [5, 9]


@pytest.mark.parametrize("place", range(3))
def test_the_default_study_stages(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    frame, read_of = stage_with_sources(read_study("config/config.yaml").datasets[place])
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert len(frame) == sum(file["rows"] for file in read_of) == [85_280, 20_700, 3_000][place]
    assert all(f"{file['sha256']}  {Path(file['path']).name}" in readme for file in read_of)
    assert frame.drop_duplicates("instance")["label"].sum() == [111, 307, 700][place]
    assert frame["model"].nunique() == [5, 3, 3][place]


def test_order_of_rows_changes_nothing_but_order() -> None:
    rows = [f"{model},{i},{i % 2},{i / 7}" for i in range(20) for model in ("NB", "C")]
    first, second = (
        read(each, models=("NB", "C"))
        .astype({"model": "str", "instance": "str"})
        .sort_values(["model", "instance"], ignore_index=True)
        for each in (rows, rows[::-1])
    )
    pd.testing.assert_frame_equal(first, second)
