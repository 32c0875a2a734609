"""Files of other tools: which reader claims each, and that what it reads is what the file says.

`files/README.md` says how each file was made. What is expected is read off the wide table, or the
tool's own CSV, with the standard library's reader.
"""

import csv
import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from costcurves.command import main
from costcurves.errors import InputError
from costcurves.settings import Dataset, ReadingKeys
from costcurves.study.reading import parse_study
from costcurves.tables.input.opening import open_files, reader_of, readers
from costcurves.tables.input.predictions import stage_with_sources
from costcurves.tables.input.sheets import sheet_of
from costcurves.tables.input.sources import read_source

FILES = Path(__file__).parent / "files"
Found = dict[tuple[str, ...], tuple[int, float]]


def rows(name: str) -> list[dict[str, str]]:
    with (FILES / name).open(newline="") as file:
        return list(csv.DictReader(file))


WIDE = rows("wide.csv")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def staged(*paths: str | Path, positive: str | None = "ill", **said: Any) -> tuple[Found, str]:
    """What is read of each (model, repeat, fold, instance), and what is said of how."""
    given = {"positive": positive, "folds_without_a_class": "pool", "pairing": "unpaired"} | said
    frame, sources = stage_with_sources(
        Dataset("d", tuple(map(str, paths)), title="d", slug="d", **given)
    )
    names = frame[["model", "repeat", "fold", "instance"]].itertuples(index=False, name=None)
    values = zip(frame["label"].to_list(), frame["score"].to_list(), strict=True)
    found = dict(zip(names, values, strict=True))
    assert len(found) == len(frame)
    return found, " | ".join(one.get("read", "") for one in sources)


def expected(
    models: dict[str, str], key: Callable[[int, dict[str, str]], str] | None = None, fold: str = ""
) -> Found:
    """What the wide table says, of models under the names that they get."""
    return {
        (name, "1", fold or row["fold"], key(at, row) if key else row["id"]): (
            int(row["y_true"] == "ill"),
            float(row[model]),
        )
        for name, model in models.items()
        for at, row in enumerate(WIDE)
    }


BOTH = {"logistic": "logistic", "bayes": "bayes"}


def by_place(at: int, _: dict[str, str]) -> str:
    return str(at)


# Written by the tools themselves.


@pytest.mark.parametrize("name", ["wide.csv", "wide.feather"])
def test_wide_tables(name: str) -> None:
    found, said = staged(FILES / name)
    assert found == expected(BOTH)
    assert said == (
        "a wide table, a column a model: the truth is column 'y_true', instances column 'id', its "
        "models 'logistic', 'bayes'"
    )


def test_arrays_of_scikit_learn() -> None:
    found, said = staged(FILES / "sklearn.npz")
    assert found == expected(BOTH, by_place)
    assert "no column says which instance a row is, so rows are numbered" in said
    found, _ = staged(FILES / "sklearn-validate.json")
    assert found == expected({"sklearn-validate": "bayes"}, by_place)


def test_predictions_of_a_report_of_skore() -> None:
    """One array a split, of the class that the report was told is positive."""
    held = json.loads((FILES / "skore.json").read_text())
    found, _ = staged(FILES / "skore.json")
    assert found == {
        ("skore", "1", str(fold), str(row)): (int(held["y_true"][row] == "ill"), score)
        for fold, rows in enumerate(held["indices"]["test"])
        for row, score in zip(rows, held["predictions"][fold], strict=True)
    }


def test_results_of_scikit_learn_in_the_order_of_instances() -> None:
    held = json.loads((FILES / "sklearn-validate.json").read_text())
    whole = np.empty((30, 2))
    for test, part in zip(held["indices"]["test"], held["predictions"], strict=True):
        whole[test] = part
    Path("sklearn-validate.json").write_text(json.dumps(held | {"predictions": whole.tolist()}))
    assert staged("sklearn-validate.json") == staged(FILES / "sklearn-validate.json")


def test_several_classes_are_each_against_all_others() -> None:
    with np.load(FILES / "sklearn-iris.npz") as held:
        truth, scores = held["y_true"], held["tree"]
    for place, name in enumerate(np.unique(truth)):
        classes = {"classes": tuple(np.unique(truth)), "score": f"score_{name}", "of": "d"}
        found, _ = staged(FILES / "sklearn-iris.npz", positive=str(name), **classes)
        assert [one[1] for one in found.values()] == scores[:, place].tolist()
        assert [one[0] for one in found.values()] == (truth == name).astype(int).tolist()


def test_all_that_weka_writes_of_the_same_predictions_is_the_same() -> None:
    said = {"positive": "very ill"}
    truth = {row["id"]: row for row in rows("weka-distribution.csv")}
    own, how = staged(FILES / "weka-distribution.csv", **said)
    folds = ["p03", "p15", "p00"], ["p12", "p06", "p09"], ["p18", "p21", "p07"]
    assert [
        own[("weka-distribution", "1", str(k + 1), one)][0] for k in range(3) for one in folds[k]
    ] == [int("ill" in truth[one]["actual"]) for k in range(3) for one in folds[k]]
    assert own[("weka-distribution", "1", "1", "p03")] == (0, 0.697)
    assert own[("weka-distribution", "1", "2", "p04")] == (1, 0.353)
    assert "instances column 'id'" in how
    names = [
        "weka-console-distribution.csv",
        "weka-text.txt",
        "weka-text-distribution.txt",
        "weka36-text.txt",
    ]
    for name in names:
        found, _ = staged(FILES / name, **said)
        assert {key[1:]: one for key, one in found.items()} == {k[1:]: v for k, v in own.items()}, (
            name
        )
    found, how = staged(FILES / "weka-plain.csv", **said)
    assert [*found.values()] == [*own.values()]
    assert [key[2:] for key in found][::8] == [("1", "0"), ("2", "8"), ("3", "16")]
    assert "no column says which instance a row is" in how


def test_what_weka_saves_as_arff() -> None:
    found, _ = staged(FILES / "weka-added.arff", positive="very ill")
    assert found[("weka-added", "1", "1", "p03")] == (0, 0.812945)
    assert found[("weka-added", "1", "1", "p04")] == (1, 0.272845)
    assert len(found) == 24
    found, _ = staged(FILES / "weka-errors.arff", positive="very ill")
    assert found[("weka-errors", "1", "1", "0")] == (0, (1 + 0.394472) / 2)
    assert found[("weka-errors", "1", "1", "3")] == (0, 1 - (1 + 0.995353) / 2)


def test_caret() -> None:
    found, said = staged(FILES / "caret.csv")
    assert found == {
        ("caret", row["Resample"][-4:], row["Resample"][:5], row["rowIndex"]): (
            int(row["obs"] == "ill"),
            float(row["ill"]),
        )
        for row in rows("caret.csv")
    }
    assert "the truth is column 'obs', instances column 'rowIndex', scores of each class" in said
    found, said = staged(FILES / "caret-boot.csv")
    assert {key[1:3] for key in found} == {(f"Resample{k}", "1") for k in (1, 2, 3)}
    assert "its 3 resamples overlap, so each is read as a repeat" in said
    found, _ = staged(FILES / "caret-all.csv", columns={"model": ["k"]})
    assert {key[0] for key in found} == {"k=3", "k=5"}
    assert len(found) == len(rows("caret-all.csv"))


def test_h2o() -> None:
    found, said = staged(FILES / "h2o.csv")
    assert found == {
        ("h2o", "1", row["fold_assignment"], row["id"]): (
            int(row["health"] == "ill"),
            float(row["ill"]),
        )
        for row in rows("h2o.csv")
    }
    assert "the truth is column 'health', instances column 'id', scores of each class" in said


def test_mlflow() -> None:
    """What a model was given stands beside, here an id, and what a metric says of each row."""
    held = json.loads((FILES / "mlflow.json").read_text())
    made = [dict(zip(held["columns"], row, strict=True)) for row in held["data"]]
    found, _ = staged(FILES / "mlflow.json", positive=None)
    assert found == {
        ("mlflow", "1", "1", str(row["id"])): (row["target"], row["prediction_proba"])
        for row in made
    }


def test_a_run_of_openml() -> None:
    """Two repeats of three folds, with OpenML's column of samples, of which there is one."""
    found, said = staged(FILES / "openml.arff")
    lines = (FILES / "openml.arff").read_text().partition("@DATA\n")[2].split()
    assert found == {
        ("openml", repeat, fold, row): (int(correct == "ill"), float(ill))
        for repeat, fold, _, row, _, correct, _, ill in (line.split(",") for line in lines[:48])
    }
    assert "the truth is column 'correct', instances column 'row_id', scores of each class" in said


def test_folds_of_the_automl_benchmark() -> None:
    paths = [FILES / "automlbenchmark" / str(fold) / "predictions.csv" for fold in range(3)]
    found, _ = staged(*paths, columns={"instance": "#", "fold": "#"})
    assert [*found.values()] == [
        (int(row["truth"] == "ill"), float(row["ill"])) for path in paths for row in rows(str(path))
    ]
    assert {key[1:] for key in found} == {
        ("1", str(fold), f"{fold} {row}") for fold in range(3) for row in range(8)
    }


@pytest.mark.parametrize("columns", [None, {"label": "health"}])
def test_scores_of_autogluon_beside_what_it_was_trained_on(columns: dict[str, str] | None) -> None:
    """The training table's only column of the classes that scores are of is the truth."""
    paths = [FILES / f"autogluon-{name}.csv" for name in ("train", "linear", "forest")]
    found, said = staged(*paths, columns=columns)
    classes = {row[""]: row["health"] for row in rows(paths[0].name)}
    assert found == {
        (path.stem, "1", "1", row[""]): (int(classes[row[""]] == "ill"), float(row["ill"]))
        for path in paths[1:]
        for row in rows(path.name)
    }
    label = "label" if columns else "health"
    assert f"its truth is column '{label}' of {paths[0]}, by ''" in said


# Written here, with the columns that the tools document.


def frame(**columns: str) -> pd.DataFrame:
    """The wide table's logistic model with other columns' names."""
    wide = pd.DataFrame(WIDE)
    made = {
        "id": wide["id"],
        "place": range(30),
        "truth": wide["y_true"],
        "fold": wide["fold"],
        "guess": np.where(wide["logistic"].astype(float) > 0.5, "ill", "well"),
        "ill": wide["logistic"],
        "well": 1 - wide["logistic"].astype(float),
        "bayes": wide["bayes"],
        "0": "0",
    }
    return pd.DataFrame({name: made[of] for name, of in columns.items()})


def table(**columns: str) -> Callable[[], str]:
    return lambda: frame(**columns).to_csv(index=False)


CLASSES = {"ill": "ill", "well": "well"}
WRITTEN: dict[str, tuple[str, Callable[[], str], Found]] = {
    "tidymodels": (
        "a.csv",
        table(**{".pred_class": "guess", ".pred_ill": "ill", ".pred_well": "well", "id": "fold"},
              **{".row": "id", "outcome": "truth", ".config": "0"}),
        expected({"a": "logistic"}),
    ),
    "mlr3": (
        "a.csv",
        table(row_ids="id", truth="truth", response="guess", iteration="fold",
              **{"prob.ill": "ill", "prob.well": "well"}),
        expected({"a": "logistic"}),
    ),
    "h2o": (
        "a.csv",
        table(predict="guess", **CLASSES, y="truth"),
        expected({"a": "logistic"}, by_place, "1"),
    ),
    "knime": (
        "a.csv",
        table(**{"Row ID": "id", "health": "truth", "P (health=ill)": "ill", "fold #": "fold"},
              **{"P (health=well)": "well", "Prediction (health)": "guess"}),
        expected({"a": "logistic"}),
    ),
}  # fmt: skip


FRACTIONS = [("target", "prediction"), ("truth", "predictions"), ("references", "predictions"),
             ("y", "predict")]  # fmt: skip
ONE_MODEL: list[dict[str, str]] = [
    *({"id": "id", truth: "truth", own: "ill"} for truth, own in FRACTIONS),
    {"id": "id", "y_true": "truth", "prob_ill": "ill", "prob_well": "well"},
    {
        ".pred_well": "well",
        ".pred_ill": "ill",
        ".pred_class": "guess",
        "truth": "truth",
        "id": "id",
    },
    {"id": "id", "y_true": "truth", "y_pred": "guess", "y_prob": "ill"},
    {"patientid": "id", "actual": "truth", "well probability": "well", "ill probability": "ill"},
]


@pytest.mark.parametrize("columns", ONE_MODEL, ids=[", ".join(one) for one in ONE_MODEL])
def test_tables_of_one_model(columns: dict[str, str]) -> None:
    """Fractions are no decisions, whatever they are called; no class is a model of its own."""
    frame(**columns).to_csv("a.csv", index=False)
    assert staged("a.csv")[0] == expected({"a": "logistic"}, fold="1")


def test_models_with_a_column_for_each_class() -> None:
    made = frame(id="id", y="truth", NB_ill="ill", NB_well="well", RF_ill="bayes")
    made["RF_well"] = 1 - made["RF_ill"].astype(float)
    made.to_csv("a.csv", index=False)
    assert staged("a.csv")[0] == expected({"NB": "logistic", "RF": "bayes"}, fold="1")
    made["RF_well"] = 0.3
    made.to_csv("a.csv", index=False)
    with pytest.raises(InputError, match="others have one: read them one by one; columns 'RF_ill'"):
        staged("a.csv")


@pytest.mark.parametrize(("truth", "own"), [("y_true", "y_pred"), ("references", "predictions")])
def test_decisions_alone(truth: str, own: str) -> None:
    frame(**{truth: "truth", own: "guess"}).to_csv("a.csv", index=False)
    (file,) = open_files(["a.csv"], ReadingKeys())
    assert file.table is not None
    assert file.table["decision"].to_pylist() == [*frame(guess="guess")["guess"]]
    assert not any(name.startswith("score") for name in file.names)


def test_a_table_as_dcurves_has_it() -> None:
    """With attributes beside the probability, of which one is named; truth values as R writes."""
    made = frame(patientid="id", cancer="truth", age="place", cancerpredmarker="ill")
    made["cancer"] = np.where(made["cancer"] == "ill", "TRUE", "FALSE")
    made.to_csv("a.csv", index=False)
    columns = {"label": "cancer", "score": "cancerpredmarker"}
    found, _ = staged("a.csv", positive=None, columns=columns)
    assert found == expected({"cancerpredmarker": "logistic"}, fold="1")


def test_folds_that_are_files_of_their_own() -> None:
    """As the AutoML Benchmark writes them: no row has an id, and each framework the same rows."""
    for model, score in (("rf", "ill"), ("nb", "bayes")):
        whole = frame(fold="fold", ill=score, predictions="guess", truth="truth")
        whole["well"] = 1 - whole["ill"].astype(float)
        for fold, own in whole.groupby("fold"):
            Path(model, str(fold)).mkdir(parents=True)
            own.drop(columns="fold").to_csv(f"{model}/{fold}/predictions.csv", index=False)
    paths = [f"{model}/{fold}/predictions.csv" for model in ("rf", "nb") for fold in "012"]
    found, _ = staged(*paths, columns={"instance": "#", "fold": "#"}, pairing="paired")
    models = {"rf/predictions.csv": "logistic", "nb/predictions.csv": "bayes"}
    assert {(key[0], key[2], *one) for key, one in found.items()} == {
        (key[0], key[2], *one) for key, one in expected(models).items()
    }
    assert len(found) == 60
    assert {key[3] for key in found if key[2] == "1"} == {f"1 {row}" for row in range(10)}
    assert {key[0] for key in staged(*paths[:3], columns={"instance": "#", "fold": "#"})[0]} == {
        "predictions"
    }


@pytest.mark.parametrize("name", WRITTEN)
def test_other_tools(name: str) -> None:
    path, write, right = WRITTEN[name]
    Path(path).write_text(write())
    assert staged(path)[0] == right


def test_folds_of_repeats_that_are_numbered_through() -> None:
    one = frame(
        row_ids="id", truth="truth", response="guess", iteration="fold", **{"prob.ill": "ill"}
    )
    one["iteration"] = one["iteration"].astype(int)
    two = one.assign(iteration=one["iteration"] + 3)
    whole = pd.concat([one, two]).sort_values("iteration", kind="stable")
    whole.to_csv("a.csv", index=False)
    found, said = staged("a.csv")
    assert {key[1:3] for key in found} == {*zip("111222", "012345", strict=True)}
    assert "its 6 resamples are read as the folds of 2 repeats" in said


def test_repeats_and_folds_of_tidymodels() -> None:
    made = frame(
        id="0",
        id2="fold",
        outcome="truth",
        **{".pred_ill": "ill", ".pred_well": "well", ".row": "id"},
    )
    made.assign(id="Repeat1").to_csv("a.csv", index=False)
    rows, said = staged("a.csv")
    assert {key[1:3] for key in rows} == {("Repeat1", fold) for fold in "012"}
    assert "scores of each class are in columns '.pred_ill', '.pred_well'" in said


def test_a_truth_and_submissions() -> None:
    frame(id="id", target="truth").to_csv("truth.csv", index=False)
    frame(id="id", target="ill").iloc[::-1].to_csv("a.csv", index=False)
    frame(id="id", y="bayes").iloc[3:].to_csv("b.csv", index=False)
    found, said = staged("a.csv", "truth.csv", "b.csv")
    right = expected({"a": "logistic", "b": "bayes"}, fold="1")
    assert found == {
        key: one for key, one in right.items() if key[0] == "a" or key[3] not in ("p0", "p1", "p2")
    }
    assert "the truth is column 'target', instances column 'id', its model 'a'" in said
    assert "its truth is column 'target' of truth.csv, by 'id'" in said
    assert "3 of 30 instances of the truth are not predicted" in said
    assert said.endswith("the truth of the other files")


def test_labels_that_a_program_made_floats_of() -> None:
    made = frame(id="id", y="truth", p="ill")
    made["y"] = (made["y"] == "ill").astype(float)
    made[["id", "y"]].to_csv("truth.csv", index=False)
    made[["id", "p"]].to_csv("a.csv", index=False)
    right = expected({"a": "logistic"}, fold="1")
    assert staged("truth.csv", "a.csv", positive="1.0")[0] == right


def test_scores_of_each_class_without_a_truth_are_joined_with_it() -> None:
    """As AutoGluon gives out-of-fold probabilities, whose index is the training row."""
    made = frame(id="id", **CLASSES).set_index("id")
    made.to_csv("oof.csv", index_label="")
    frame(**{"": "id", "class": "truth"}).to_csv("train.csv", index=False)
    assert staged("train.csv", "oof.csv")[0] == expected({"oof": "logistic"}, fold="1")
    frame(**{"": "id", "class": "truth", "fold": "fold"}).to_csv("train.csv", index=False)
    made.assign(fold=frame(fold="fold")["fold"].to_numpy()).to_csv("oof.csv", index_label="")
    assert staged("train.csv", "oof.csv")[0] == expected({"oof": "logistic"})


def test_rows_at_the_same_place_are_the_same_instance_if_it_is_said() -> None:
    for name in ("a", "b"):
        frame(**CLASSES, predictions="guess", truth="truth").to_csv(f"{name}.csv", index=False)
    found, _ = staged("a.csv", "b.csv", columns={"instance": "#"})
    assert found == expected({"a": "logistic", "b": "logistic"}, by_place, "1")


@pytest.mark.parametrize("beside", [[1.0, 2.0], {"a": 1}, b"\xff", None])
def test_what_a_model_was_given_is_passed_over(beside: object) -> None:
    made = frame(id="id", y="truth", p="ill").astype({"p": float})
    made["given"] = pd.Series([beside] * 30, dtype=object)
    made.to_parquet("a.parquet")
    assert staged("a.parquet")[0] == expected({"a": "logistic"}, fold="1")


def test_text_in_other_dresses() -> None:
    made = frame(patient="id", outcome="truth", fold="fold", forest="ill", note="guess")
    made["forest"] = made["forest"].str.replace(".", ",")
    made["age"] = range(30)
    made.to_csv("a.tsv", index=False, sep="\t")
    columns = {"instance": "patient", "score": ["forest"]}
    found, _ = staged("a.tsv", columns=columns, decimal=",", higher_is="negative")
    right = {
        key: (label, -score) for key, (label, score) in expected({"forest": "logistic"}).items()
    }
    assert found == right


@pytest.mark.parametrize("kind", ["lines", "records"])
def test_json(kind: str) -> None:
    made = frame(id="id", fold="fold", y="truth", logistic="ill").astype({"logistic": float})
    made.to_json("a.json", orient="records", lines=kind == "lines", double_precision=15)
    found, _ = staged("a.json")
    right = expected({"logistic": "logistic"})
    each = (np.array([it[key] for key in right]) for it in (found, right))
    assert np.abs(np.subtract(*each)).max() < 1e-14


def test_a_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read by openpyxl, of which here is what is used."""
    made = frame(id="id", fold="fold", y="truth", logistic="ill").astype({"logistic": float})
    grid = [tuple(made), *made.itertuples(index=False, name=None)]
    sheet = SimpleNamespace(iter_rows=lambda values_only: grid if values_only else [])
    book = SimpleNamespace(worksheets=[sheet])
    with zipfile.ZipFile("a.xlsx", "w") as file:
        file.writestr("xl/workbook.xml", "")
    opens = SimpleNamespace(load_workbook=lambda *_, **__: book)
    monkeypatch.setitem(sys.modules, "openpyxl", opens)
    assert staged("a.xlsx")[0] == expected({"logistic": "logistic"})
    for change, message in (
        (grid.clear, "a.xlsx: has a header and no rows"),
        (lambda: book.worksheets.append(sheet), "a.xlsx: has 2 sheets, expected one; keep that"),
        (
            lambda: monkeypatch.setitem(sys.modules, "openpyxl", None),
            "pip install 'costcurves\\[ex",
        ),
    ):
        change()
        with pytest.raises(InputError, match=message):
            staged("a.xlsx")


# Which reader it is.


def written() -> Iterator[tuple[str, str]]:
    for name, (path, write, _) in WRITTEN.items():
        Path(name).mkdir()
        Path(name, path).write_text(write())
        yield name, f"{name}/{path}"
    yield "automlbenchmark", str(FILES / "automlbenchmark" / "0" / "predictions.csv")
    kinds = {"sklearn": "wide", "skore": "wide"}
    for start in ("weka", "caret", "wide", "sklearn", "skore", "h2o", "mlflow", "openml"):
        for file in FILES.glob(f"{start}*"):
            kind = kinds.get(start, start)
            special = {"weka-added": "weka-filter", "weka-errors": "weka-explorer"}
            yield special.get(file.stem, kind), str(file)


def test_exactly_one_reader_claims_each_file() -> None:
    seen = set()
    for name, path in written():
        names = sheet_of(read_source(path), ReadingKeys()).names
        found = reader_of(path, names, ReadingKeys())
        assert found is not None
        assert found.name == name
        claim = [one.name for one in readers().values() if one.claims(names) and one.name != "wide"]
        assert claim == ([] if name == "wide" else [name])
        seen.add(name)
    assert seen == {*readers()} - {"evaluate"}


def test_a_reader_of_others_is_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def load(self) -> Any:
            return type("Twin", (), {"name": "twin", "claims": lambda _, names: "obs" in names})()

    monkeypatch.setattr("costcurves.tables.input.opening.entry_points", lambda **_: [Point()])
    readers.cache_clear()
    try:
        with pytest.raises(InputError, match="could be each of 'twin', 'caret'; say which"):
            open_files([str(FILES / "caret.csv")], ReadingKeys())
        assert open_files([str(FILES / "caret.csv")], ReadingKeys(format="caret"))
    finally:
        readers.cache_clear()


def examples() -> Iterator[tuple[str, list[Path], dict[str, Any]]]:
    folds = sorted(FILES.glob("automlbenchmark/*/predictions.csv"))
    yield "automlbenchmark", folds, {"instance": "#", "fold": "#"}
    for path in sorted(FILES.glob("*.*")):
        columns = {"model": ["k"]} if path.stem == "caret-all" else {}
        beside = [FILES / "autogluon-train.csv"] if path.stem.startswith("autogluon") else []
        if path.suffix != ".md" and path not in beside:
            yield path.name, [*beside, path], columns


def mistakes(rows: pd.DataFrame) -> pd.Series:
    """How often each class is predicted as each other one."""
    scores, label = rows.filter(regex="^score_"), rows["label"].astype(str)
    if "decision" in rows:
        decided = rows["decision"].astype(str).to_numpy()
    elif len(scores.columns):
        names = np.array([str(name).removeprefix("score_") for name in scores])
        decided = names[scores.to_numpy().argmax(axis=1)]
    else:
        decided = np.where(rows["score"] >= 0.5, "ill", "well")
    return (label + " as " + decided)[label != decided].value_counts()


@pytest.mark.parametrize(("name", "files", "columns"), [*examples()])
def test_no_example_agrees_by_chance(name: str, files: list[Path], columns: dict[str, Any]) -> None:
    """What is read of the wrong class, or of the actual one, would be seen."""
    read = cc.read_predictions([*map(str, files)], columns=columns or None)
    models = [rows for _, rows in read.groupby("model", observed=True)]
    for rows in models:
        sizes = rows["label"].astype(str).value_counts()
        assert sizes.is_unique, name
        assert len(mistakes(rows)), name
    assert any(mistakes(rows).is_unique for rows in models), name


@pytest.mark.parametrize("name", WRITTEN)
def test_nor_does_an_example_that_is_written_here(name: str) -> None:
    path, write, _ = WRITTEN[name]
    Path(path).write_text(write())
    rows = cc.read_predictions(path)
    assert mistakes(rows).to_dict() == {"well as ill": 3, "ill as well": 1}
    assert rows["label"].value_counts().to_dict() == {"ill": 18, "well": 12}


# What is asked or refused.

W = "inst#,actual,predicted,error,"
ARFF = (
    "@relation a\n@attribute row_id string\n@attribute correct {a,b}\n@attribute prediction {a,b}\n"
)
MARGINS = (
    "@relation a\n@attribute 'prediction margin' numeric\n@attribute 'predicted c' {b,c}\n"
    "@attribute c {b,c}\n@data\n"
)
COLUMNS = "'columns: {label: NAME}' or --column label=NAME"
COLUMNS_OF_SCORES = "'columns: {score: NAME}' or --column score=NAME"
NAME_THEM = "name those that hold scores ('columns: {score: [...]}', --column score=NAME ...)"
SPLITS = {"y_true": [0, 1], "indices": {"test": [[0], [1]]}, "predictions": [[0.5], [0.5]]}
NO_PLACES = (
    "a.json: holds results of cross_validate whose 'indices' are no lists of whole numbers, "
    "or 'predictions' none of numbers"
)
ASKED: list[tuple[dict[str, str | bytes], dict[str, Any], str]] = [
    ({"a.csv": "id,y,target,NB\n1,0,1,.5\n"}, {}, "a.csv: columns 'y', 'target' could each be the "
     f"truth; say which it is ({COLUMNS}); its columns are 'id', 'y', 'target', 'NB'"),
    ({"a.csv": "predict,x\n0,.5\n"}, {}, "a.csv: no column is known as the truth; say which it is "
     f"({COLUMNS}); its columns are 'predict', 'x'"),
    ({"a.csv": "id,y,NB,age\n1,0,.5,7\n2,1,.5,8\n3,0,.5,9\n"}, {}, "a.csv: is a wide table with "
     f"numbers in column 'age' that may be no scores; {NAME_THEM}"),
    ({"a.csv": "id,y,NB,age,sex\n1,0,.5,7.5,0\n2,1,.5,8,1\n"}, {}, "a.csv: is a wide table with "
     f"numbers in columns 'age', 'sex' that may be no scores; {NAME_THEM}"),
    ({"a.csv": "id,y,beds,rooms\n1,0,2,3\n2,1,1,1\n3,0,3,2\n"}, {}, "a.csv: is a wide table with "
     f"numbers in columns 'beds', 'rooms' that may be no scores; {NAME_THEM}"),
    ({"a.csv": "id,y\n1,0\n"}, {}, "a.csv: is a wide table with no scores in columns 'id', 'y'; if "
     f"the truth is in another file, give that as well; else {NAME_THEM}"),
    ({"a.csv": "id,y,p,q\n1,0,.25,.75\n2,1,.5,.5\n"}, {}, "a.csv: columns 'p', 'q' sum to 1 in "
     f"each row, as scores of two classes do; name that of the positive one ({COLUMNS_OF_SCORES})"),
    ({"a.csv": "id,y,part,NB\n1,0,test,.5\n2,1,Train,.5\n"}, {}, "a.csv: column 'part' says that "
     "rows are of training, whose scores say nothing of new instances; leave these out "
     "('where:' or --where 'part != Train')"),
    ({"a.csv": "id,y,NB\n1,0,.5\n"}, {"columns": {"score": ["NB", "T"]}},
     "a.csv: no "
     "column 'T', which 'columns: score:' names"),
    ({"a.csv": "y,repeat,NB\n0,1,.5\n1,2,.5\n"}, {}, "a.csv: has repeats, but no column that says "
     "which rows are the same instance; name it ('columns: instance:')"),
    ({"a.csv": "y,NB\n0,.5\n", "b.csv": "y,T\n0,.5\n"}, {}, "a.csv: has no column that says which "
     "instance a row is, and there are other files; name it ('columns: instance:' or --column "
     "instance=NAME), or say that rows at the same place of each file are the same ('#' as its "
     "name)"),
    ({"a.csv": "id,y\n1,0\n2,1\n3,1\n4,0\n", "b.csv": "id,p\n1,.5\n7,.5\n"}, {}, "b.csv: 1 of its "
     "2 rows are of instances that a.csv does not have, such as '7'; leave them out, or add their "
     "truth"),
    ({"a.csv": "id,y\n1,0\n1,1\n3,1\n4,0\n", "b.csv": "id,p\n1,.5\n"}, {},
     "a.csv: has an instance twice in 'id'"),
    ({"a.csv": "id,y\n1,0\n2,1\n3,1\n4,0\n", "b.csv": "id,y\n1,0\n2,1\n3,1\n4,0\n"}, {}, "'a.csv', "
     "'b.csv': each could be the truth of the others; give one of them"),
    ({"a.csv": ".row,.pred_a,y,.pred_b\n1,.5,a,.5\n"}, {}, "a.csv: was summarized, which averages "
     "repeats and forgets folds; collect the predictions with summarize = FALSE"),
    ({"a.csv": "pred,obs,rowIndex,k\na,a,1,3\nb,a,1,5\n"}, {}, "a.csv: holds models of several "
     "settings, with several values in column 'k'; keep one ('where:', such as --where "
     "'k == 3'), or read each as a model of its own ('columns: model: ['k']', --column 'model=k')"),
    ({"a.csv": "pred,obs,rowIndex\na,b,1\n"}, {"columns": {"model": ["k"]}},
     "a.csv: "
     "no column 'k', which 'columns: model:' names"),
    ({"a.csv": "y,NB\n0,.5\n"}, {"format": "carret"}, "format: 'carret': did you mean 'caret'?"),
    ({"a.csv": "predictions,truth,a\na,b,.5\n"}, {},
     "a.csv: has no column of scores of the class 'b'"),
    ({"a.csv": f"{W}prediction\n1,1:a,3:c,+,0.5\n"}, {}, "a.csv: has only the probability of the "
     "predicted class, one of several; let Weka write all (-distribution)"),
    ({"a.csv": f"{W}prediction,id\n1,1:a,2:b,+,0.5,'c,d'\n"}, {},
     "a.csv line 2: is no prediction as Weka writes them"),
    ({"a.csv": f"{W}prediction\n1,1,2,+,0.5\n"}, {},
     "a.csv line 2: is no prediction as Weka writes them"),
    ({"a.csv": f"{W}prediction\nx\n"}, {}, "a.csv line 2: is no prediction as Weka writes them"),
    ({"a.csv": f"{W}prediction\n"}, {}, "a.csv: has a header and no rows"),
    ({"a.txt": " inst# actual predicted error prediction\n 1 1:very 2:very + 0.5\n"}, {}, "a.txt: "
     "two classes have the same name, as Weka cuts long ones in text; let it write CSV"),
    ({"a.arff": ARFF}, {}, "a.arff: is ARFF without '@data'; is it truncated?"),
    ({"a.arff": f"{ARFF}@attribute x relational\n@data\n"}, {}, "a.arff line 5: '@attribute x "
     "relational' is no attribute with a name and a type"),
    ({"a.arff": f"{ARFF}@data\n1,a,'b\n"}, {},
     "a.arff line 6: has 2 values, expected 3 values, one for each attribute"),
    ({"a.arff": f"{ARFF}@data\n{{0 1}}\n"}, {},
     "a.arff line 6: is sparse, expected 3 values, one for each attribute"),
    ({"a.arff": f"{ARFF}@data\n1,a,b\n\n2,a,b\n"}, {},
     "a.arff line 7: is no row, expected rows without blank lines and comments among them"),
    ({"a.arff": MARGINS + "1,b,b\n"}, {}, "a.arff: a margin says a score of each of two classes "
     "only; it has 'b'; let Weka write CSV (-distribution)"),
    ({"a.arff": MARGINS + "1,b,b\nx,c,c\n"}, {}, "a.arff: column 'prediction margin' has a value "
     "that is no number; let Weka save it again"),
    ({"a.json": "[1]"}, {}, "a.json: holds JSON that is no table; expected an object for each row"),
    ({"a.jsonl": '{"y": 1}\n{"y": \n'}, {},
     """a.jsonl line 2: is no JSON: '{"y": '; expected an object a line"""),
    ({"a.json": json.dumps(SPLITS | {"y_true": [0]})}, {},
     "a.json: expected 'y_true' with the label of each instance that 'indices: test' names"),
    ({"a.json": json.dumps(SPLITS | {"predictions": [[0.5]]})}, {},
     "a.json: expected 'predictions' with one array for each of 'indices: test', as long as it"),
    ({"a.json": json.dumps(SPLITS).replace("[[0], [1]]", "1")}, {}, NO_PLACES),
    ({"a.json": json.dumps(SPLITS).replace("[[0], [1]]", "[[0], [1.5]]")}, {}, NO_PLACES),
    ({"a.json": json.dumps(SPLITS).replace("[[0], [1]]", "[[0], [1e999]]")}, {}, NO_PLACES),
    ({"a.feather": b"ARROW1" + bytes(9)}, {},
     "a.feather: can't be read as Arrow or Feather; is it truncated? Make or copy it again"),
    ({"a.npz": b"PK\x03\x04" + bytes(9)}, {},
     "a.npz: is a zip archive that can't be read; copy or make it again"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "said", "message"), ASKED)
def test_what_is_asked(files: dict[str, str | bytes], said: dict[str, Any], message: str) -> None:
    for name, content in files.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        open_files([*files], ReadingKeys(**said))
    assert caught.value.findings[0] == message


class Unpickled:
    """What would run if it was unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("ran"),)


ARRAYS: list[tuple[dict[str, Any], str]] = [
    ({"p": [0.5]},
     "a.npz: has no array 'y_true' with the labels; give it to numpy.savez as well; found 'p'"),
    ({"y": [0, 1], "p": [0.5]}, "a.npz: array 'p' has the shape (1,), expected 2 rows, as 'y' has"),
    ({"y": [0, 1], "p": np.ones((2, 3))},
     "a.npz: array 'p' has 3 columns, expected one for each of the classes '0', '1'"),
    ({"y": [0, 1], "p": np.array([1j, 2])},
     "a.npz: array 'p' is of complex128, expected numbers or text"),
    ({"y": np.array([Unpickled(), 1])},
     "a.npz: an array of 'y.npy' is damaged, or holds Python objects, which are never loaded; "
     "expected arrays of numbers or text"),
]  # fmt: skip


@pytest.mark.parametrize(("arrays", "message"), ARRAYS)
def test_arrays_that_cannot_be_read(arrays: dict[str, Any], message: str) -> None:
    np.savez("a.npz", allow_pickle=True, **arrays)
    with pytest.raises(InputError) as caught:
        open_files(["a.npz"], ReadingKeys())
    assert caught.value.findings == (message,)
    assert not Path("ran").exists()


def test_which_class_is_positive_is_asked_and_what_is_negative_cannot_be_said_of_classes() -> None:
    with pytest.raises(
        InputError, match=r"has scores of the classes 'ill', 'well'; say which is p"
    ):
        staged(FILES / "caret.csv", positive=None)
    with pytest.raises(InputError, match="'higher_is: negative' can't be said of scores of each"):
        staged(FILES / "caret.csv", higher_is="negative")


# The commands, and the public function.


def test_the_commands_say_how_files_were_read(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(FILES / "caret.csv")
    assert main.main(["convert", file, "-o", "long.parquet"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{file}: predictions that caret saved: the truth is column 'obs'")
    assert said.endswith("Wrote long.parquet: 48 predictions by 1 models\n")
    assert staged("long.parquet") == (staged(file)[0], "")
    assert main.main(["convert", file, "-o", "long.parquet"]) == 2
    assert main.main(["convert", file, "-o", "long.xyz"]) == 2
    assert "long.parquet: exists and is left as it is; name another" in (
        told := capsys.readouterr().err
    )
    assert "long.xyz: does not end in .parquet or .csv; name another file with --output" in told


def test_what_was_said_of_reading_stands_in_the_configuration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    frame(who="id", y="truth", NB="ill", age="place").to_csv("a.csv", index=False)
    told = ["--column", "instance=who", "--column", "score=NB", "--positive", "ill"]
    assert main.main(["init", "a.csv", *told]) == 0
    assert '    columns: {"instance": "who", "score": "NB"}\n' in Path("a.yaml").read_text()
    assert main.main(["check", "a.csv", *told]) == 0
    assert (
        "a.csv: a wide table, a column a model: the truth is column 'y'" in capsys.readouterr().out
    )
    assert main.main(["check", "a.csv", "--column", "label"]) == 2
    assert "--column is 'label', expected a role and a column" in capsys.readouterr().err


@pytest.mark.parametrize("sign", [";;", "é", '"', "\n", ";\n", "\r", "\0", ""])
def test_what_cannot_separate_columns_is_refused_in_the_same_words(
    capsys: pytest.CaptureFixture[str], sign: str
) -> None:
    frame(id="id", y="truth", NB="bayes").to_csv("a.csv", index=False)
    said = "one character of ASCII, no quotation mark or line break"
    expected = f"is {sign!r}, expected {said}"
    assert main.main(["check", "a.csv", "--delimiter", sign]) == 2
    assert capsys.readouterr().err == f"--delimiter {expected}\n"
    dataset = {"name": "d", "predictions": ["a.csv"], "delimiter": sign}
    with pytest.raises(InputError) as found:
        parse_study({"study": "s", "datasets": [dataset]})
    expected = expected.replace("is '',", "is empty,")
    assert found.value.findings == (f"configuration: datasets[0].delimiter {expected}",)


@pytest.mark.parametrize("sign", [";", "\t", "|", " ", "~", "\x01", "\x1f"])
def test_any_other_sign_separates_columns(sign: str) -> None:
    wide = frame(id="id", y="truth", NB="bayes")
    wide.to_csv("a.csv", index=False, sep=sign)
    found = cc.read_predictions("a.csv", delimiter=sign)
    assert found["score"].to_list() == wide["NB"].astype(float).to_list()


def test_predictions_are_read_by_a_public_function() -> None:
    found = cc.read_predictions([str(FILES / "wide.csv")])
    assert [*found["model"].cat.categories] == ["logistic", "bayes"]  # and no empty one
    assert found["score"].to_list() == [float(row[name]) for name in BOTH for row in WIDE]
    assert found["label"].to_list() == [row["y_true"] for row in WIDE] * 2
    assert found.attrs["read"][0].startswith(f"{FILES / 'wide.csv'}: a wide table")
    classes = cc.read_predictions(str(FILES / "sklearn.npz"))
    assert classes["score_ill"].to_list() == found["score"].to_list()
