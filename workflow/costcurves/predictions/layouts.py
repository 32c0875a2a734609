"""The table of layouts: how the tools that people use name columns, labels and scores.

A file is of a layout if each of its signs is the name of a column. Patterns match whole names. What
is not called as a layout says may be called as we call it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.predictions.reading import numbers_in

OF_CLASS: Final = "score_"  # before the name of a class: the column of its scores


@dataclass(frozen=True)
class Layout:
    """Which column is what."""

    name: str
    what: str
    signs: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)  # patterns of columns
    scores: str = ""  # of a class, whose name is the pattern's group; empty: called as the class
    resample: str = ""  # the column that says repeat and fold at once

    def claims(self, names: Sequence[str]) -> bool:
        """Return whether a file with these columns is of this layout."""
        each = (any(re.fullmatch(sign, name) for name in names) for sign in self.signs)
        return bool(self.signs) and all(each)


LONG: Final = Layout("long", "a row for each model and case")
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
        scores="$.",
    ),
)
NAMES: Final = {layout.name: layout for layout in (LONG, WIDE, *LAYOUTS)}


def from_weka(path: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return Weka's columns with plain labels, a column of scores for each class, and folds.

    Labels are written ``1:name``, the probability of the predicted class as ``*0.7``; without a
    distribution there is only that one. `inst#` starts anew in each fold.
    """
    texts = {name: frame[name].astype("str") for name in frame}
    classes = dict[int, str]()
    for name in ("actual", "predicted"):
        parts = texts[name].str.extract(r"^(\d+):'?(.*?)'?$").dropna().drop_duplicates()
        classes |= {int(number): label for number, label in parts.itertuples(index=False)}
    names = [*frame.columns]
    first = names.index("error") + 1
    width = names.index("distribution") + len(classes) - first if "distribution" in names else 1
    made = frame.drop(columns=names[first : first + width]).drop(columns="error")
    labels = sorted(classes)
    for name in ("actual", "predicted"):
        plain = texts[name].str.replace(r"^\d+:'?(.*?)'?$", r"\1", regex=True)
        made[name] = pd.Categorical(plain.replace("?", ""))
    scores = [
        numbers_in(pd.Series(pd.Categorical(texts[name].str.lstrip("*"))))
        for name in names[first : first + width]
    ]
    if width == 1 and len(labels) == 2 and scores[0] is not None:
        ahead = texts["predicted"].str.startswith(f"{labels[0]}:").to_numpy()
        other = np.round(1 - scores[0], 12)
        scores = [np.where(ahead, scores[0], other), np.where(ahead, other, scores[0])]
    if len(scores) != len(labels) or any(one is None for one in scores):
        why = "has no probability of each class; let Weka write all of them (-distribution)"
        raise InputError([f"{path}: {why}"])
    for number, score in zip(labels, scores, strict=True):
        made[f"{OF_CLASS}{classes[number]}"] = score
    starts = texts["inst#"].eq("1").cumsum().astype("str")
    made["fold"] = pd.Categorical(starts, pd.unique(starts))
    return made.drop(columns="inst#")
