"""Files of other tools: each is read as its layout says; and the recipes for other formats."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from costcurves.errors import InputError
from costcurves.predictions.asking import of_files
from costcurves.predictions.layouts import NAMES
from costcurves.predictions.opening import open_files
from costcurves.predictions.staged import stage_with_sources
from tests.predictions.test_questions import PLACE, SIZE, P, Y, table
from tests.predictions.wine import wine
from tests.small_study import ROOT

FILES = ROOT / "tests" / "readers" / "files"
ILL = np.where(Y, "ill", "well")
SURE = np.where(P > 0.5, "ill", "well")
FOLD = PLACE % 4


def staged(*paths: Any, positive: str | None = "ill", **options: Any) -> tuple[pd.DataFrame, str]:
    given = {"positive": positive, "folds_without_a_class": "pool"} | options
    frame, sources = stage_with_sources(wine(*map(str, paths), **given))
    return frame, sources[0].get("read", "")


def scores(before: str = "") -> dict[str, Any]:
    """The columns of both classes, called so."""
    return {f"{before}ill": P, f"{before}well": 1 - P}


MLR3 = {"row_ids": PLACE, "truth": ILL, "response": SURE, "iteration": FOLD, **scores("prob.")}
LAYOUTS: dict[str, dict[str, Any]] = {
    "tidymodels": {**scores(".pred_"), ".pred_class": SURE, ".row": PLACE, "health": ILL,
                   "id": [f"Fold{k}" for k in FOLD], ".config": "pre0"},
    "mlr3": MLR3,
    "caret": {"pred": SURE, "obs": ILL, **scores(), "rowIndex": PLACE, "cp": 0.01,
              "Resample": [f"Fold{k}.Rep1" for k in FOLD]},
    "h2o": {"predict": SURE, **scores(), "health": ILL, "fold_assignment": FOLD, "id": PLACE},
    "knime": {"RowID": PLACE, "health": ILL, "P (health=ill)": P, "P (health=well)": 1 - P,
              "Prediction (health)": SURE, "fold #": FOLD},
    "openml": {"repeat": 0, "fold": FOLD, "sample": 0, "row_id": PLACE, "prediction": SURE,
               "correct": ILL, **scores("confidence.")},
    "automlbenchmark": {**scores(), "predictions": SURE, "truth": ILL},
    "pycaret": {"health": ILL, "prediction_label": SURE, **scores("prediction_score_")},
    "mlflow": {"target": ILL, "outputs": SURE, "prediction_proba": P},
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout(name: str) -> None:
    table(LAYOUTS[name]).to_csv("a.csv", index=False)
    frame, read = staged("a.csv")
    assert read.startswith(NAMES[name].what)
    assert frame["label"].to_list() == Y.tolist()
    assert frame["score"].to_numpy() == pytest.approx(P)
    assert frame["decision"].to_list() == (P > 0.5).astype(int).tolist()
    if name not in ("automlbenchmark", "pycaret", "mlflow"):
        assert frame["instance"].to_list() == [*map(str, PLACE)]
        assert frame["fold"].nunique() == 4
    assert "read as the folds" not in read
    assert staged("a.csv", format=name)[0].equals(frame)
    if name == "caret":  # where truth and scores are named, nothing else counts
        named = {"label": "obs", "score": "ill"}
        assert staged("a.csv", columns=named)[1].startswith(NAMES["wide"].what)


def test_files_that_the_tools_have_written() -> None:
    frame, _ = staged(FILES / "weka-distribution.csv", positive="very ill")
    by_id = frame.set_index("instance")
    assert (by_id.loc["p03", "label"], by_id.loc["p03", "score"]) == (0, 0.697)
    assert frame["fold"].nunique() == 3
    with pytest.raises(InputError, match="let Weka write all of them"):
        staged(FILES / "weka-plain.csv", positive="very ill")
    caret, _ = staged(FILES / "caret.csv")
    assert (caret["repeat"].nunique(), caret["fold"].nunique()) == (2, 3)
    boot, read = staged(FILES / "caret-boot.csv", pairing="unpaired")
    assert "its 3 resamples overlap, so each is read as a repeat" in read
    assert boot["repeat"].nunique() == 3
    tuned, _ = staged(FILES / "caret-all.csv", columns={"model": ("k",)})
    assert [*tuned["model"].unique()] == ["k=3", "k=5"]
    paths = [FILES / "automlbenchmark" / str(fold) / "predictions.csv" for fold in range(3)]
    folds, _ = staged(*paths, columns={"instance": "#", "fold": "#"})
    assert folds["instance"].iloc[0] == "0 0"
    assert folds["fold"].unique().tolist() == ["0", "1", "2"]


def test_resamples_are_numbered_folds_of_repeats() -> None:
    """In the order of their numbers, of which 10 comes after 9."""
    each = [table(MLR3).assign(iteration=FOLD + first) for first in (9, 5)]
    pd.concat(each).to_csv("a.csv", index=False)
    repeated, read = staged("a.csv")
    assert "its 8 resamples are read as the folds of 2 repeats" in read
    sizes = repeated.groupby(["repeat", "fold"])["instance"].nunique()
    two = table(LAYOUTS["tidymodels"]).assign(id="Repeat1", id2=FOLD)
    pd.concat([two, two.assign(id="Repeat2")]).to_csv("b.csv", index=False)
    named = staged("b.csv")[0].groupby(["repeat", "fold"])["instance"].nunique()
    assert named.to_dict() == {(f"Repeat{k}", f"{fold}"): 10 for k in (1, 2) for fold in range(4)}
    assert sizes.to_dict() == {(f"{k // 4 + 1}", f"{k + 5}"): 10 for k in range(8)}


@pytest.mark.parametrize("name", ["A.TSV", "a.csv.gz", "a.csv.zst", "a.parquet", "a.feather"])
def test_a_file_is_the_same_however_it_is_written(name: str) -> None:
    """As text with a mark at its start, other line ends and tabs, packed, or as a table."""
    made = table({"id": PLACE, "y": Y, "p": P})
    made.to_csv("plain.csv", index=False)
    tabs: dict[str, Any] = {"sep": "\t", "lineterminator": "\r\n", "encoding": "utf-8-sig"}
    if name.endswith(".zst"):
        with pa.CompressedOutputStream(name, "zstd") as file:
            file.write(Path("plain.csv").read_bytes())
    elif name.endswith(("parquet", "feather")):
        (made.to_parquet if name.endswith("parquet") else made.to_feather)(name)
    else:
        made.to_csv(name, index=False, **(tabs if name == "A.TSV" else {}))
    expected, read = (open_files(of_files([path]))[0].frame for path in ("plain.csv", name))
    pd.testing.assert_frame_equal(read.drop(columns="model"), expected.drop(columns="model"))


def test_the_recipes_write_files_that_are_read() -> None:
    recipes = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    blocks = re.findall(r"```py\n(.*?)```", recipes, re.DOTALL)
    made = table({"id": PLACE, "y_true": Y, "p": P})
    made.to_json("predictions.jsonl", orient="records", lines=True)
    kinds = "@attribute id numeric\n@attribute y_true {0,1}\n@attribute p numeric"
    rows = made.to_csv(index=False, header=False)
    Path("predictions.arff").write_text(f"@relation r\n{kinds}\n@data\n{rows}")
    np.savez("predictions.npz", y_true=Y, rf=P)
    vectors = [json.dumps([1 - p, p]) for p in P]
    both = {"label": Y, "rawPrediction": vectors, "probability": vectors, "prediction": 0}
    table(both).to_csv("vectors.csv", index=False)
    pairs = [[{"label": "a", "prob": p}, {"label": "b", "prob": 1 - p}] for p in P]
    lists = table({"label": np.where(Y, "a", "b"), "predicted_label_probs": pairs})
    lists.to_json("lists.jsonl", orient="records", lines=True)
    read = [block for block in blocks if not re.search("xlsx|sas7bdat|pyspark", block)]
    assert len(read) == 5
    for block in read:
        exec(compile(block, "recipe", "exec"), {})
        assert len(open_files(of_files(["predictions.csv"]))[0].frame) == SIZE
