"""The table of layouts: how the tools that people use name columns, labels and scores.

A file is of a layout if each of its signs is the name of a column. Patterns match whole names. What
is not called as a layout says may be called as we call it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.predictions.reading import spelled

OF_CLASS: Final = "score_"  # before the name of a class: the column of its scores


class Layout(NamedTuple):
    """Which column is what."""

    name: str
    what: str
    signs: tuple[str, ...] = ()
    roles: Mapping[str, str] = {}  # patterns of columns
    scores: str = "$."  # of a class, whose name is the pattern's group; else called as the class
    resample: str = ""  # the column that says repeat and fold at once

    def claims(self, names: Sequence[str]) -> bool:
        """Return whether a file with these columns is of this layout."""
        each = [any(re.fullmatch(sign, name) for name in names) for sign in self.signs]
        return all(each) and bool(each)


LONG: Final = Layout(
    "long", "a row for each model and case", roles={"score": r"(?i)[ \t]*score[ \t]*"}
)
WIDE: Final = Layout("wide", "a row for each case", resample="split")
LAYOUTS: Final = (
    Layout(
        "weka",
        "predictions as Weka writes them",
        ("inst#", "actual", "predicted", "error"),
        {"label": "actual", "decision": "predicted"},
        scores=f"{OF_CLASS}(.+)",
    ),
    Layout(
        "caret",
        "predictions that caret saved",
        ("pred", "obs", "rowIndex"),
        {"label": "obs", "decision": "pred", "instance": "rowIndex"},
        resample="Resample",
    ),
    Layout(
        "tidymodels",
        "predictions that tidymodels collected",
        (r"\.pred_.+", r"\.row"),
        {"decision": r"\.pred_class", "instance": r"\.row", "model": "wflow_id", "fold": "id2"},
        scores=r"\.pred_(?!class$)(.+)",
        resample="id",
    ),
    Layout(
        "mlr3",
        "predictions of mlr3",
        ("row_ids", "truth", "response"),
        {
            "label": "truth",
            "decision": "response",
            "instance": "row_ids",
            "model": "learner_id",
            "dataset": "task_id",
        },
        scores=r"prob\.(.+)",
        resample="iteration",
    ),
    Layout(
        "h2o",
        "predictions as H2O writes them",
        ("predict",),
        {"decision": "predict", "fold": "fold_assignment"},
    ),
    Layout(
        "knime",
        "predictions of KNIME",
        (r"P \(.+=.+\)",),
        {"decision": r"Prediction \(.+\)", "instance": "(?i:row ?id)", "fold": "fold #"},
        scores=r"P \(.+?=(.+)\)",
    ),
    Layout(
        "openml",
        "the predictions of a run of OpenML",
        ("row_id", "correct", "prediction"),
        {"label": "correct", "decision": "prediction", "instance": "row_id"},
        scores=r"confidence\.(.+)",
    ),
    Layout(
        "automlbenchmark",
        "predictions as the AutoML Benchmark writes them",
        ("predictions", "truth"),
        {"label": "truth", "decision": "predictions"},
    ),
    Layout(
        "pycaret",
        "predictions of PyCaret",
        ("prediction_label",),
        {"decision": "prediction_label", "score": "prediction_score"},
        scores="prediction_score_(.+)",
    ),
    Layout(
        "mlflow",
        "a table as MLflow's evaluation writes it",
        ("target", "outputs|predictions?"),
        {"label": "target", "decision": "outputs|predictions?", "score": "prediction_proba"},
    ),
)
NAMES: Final = {layout.name: layout for layout in (LONG, WIDE, *LAYOUTS)}


def from_weka(path: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return Weka's columns with plain labels, a column of scores for each class, and folds.

    Labels are written ``1:name``, the probability of the predicted class as ``*0.7``. `inst#`
    starts anew in each fold.
    """
    texts, names = frame.astype("str"), [*frame]
    labels = pd.concat([texts["actual"], texts["predicted"]])
    parts = labels.str.extract(r"^(\d+):'?(.*?)'?$").dropna().drop_duplicates()
    classes = parts.astype({0: float}).sort_values(0)[1].to_list()
    first = names.index("error") + 1
    last = first + len(classes)
    scores = [spelled(pd.Index(texts[name].str.lstrip("*")), ".")[0] for name in names[first:last]]
    if "distribution" not in names or len(scores) != len(classes) or np.isnan(scores).any():
        why = "has no probability of each class; let Weka write all of them (-distribution)"
        raise InputError([f"{path}: {why}"])
    made = frame.drop(columns=["inst#", *names[first - 1 : last]])
    for name in ("actual", "predicted"):
        plain = texts[name].str.replace(r"^\d+:'?(.*?)'?$", r"\1", regex=True)
        made[name] = pd.Categorical(plain.replace("?", ""))
    for label, score in zip(classes, scores, strict=True):
        made[f"{OF_CLASS}{label}"] = score
    folds = texts["inst#"].eq("1").cumsum().astype("str")
    return made.assign(fold=pd.Categorical(folds, pd.unique(folds)))
