"""Files with a column of scores for each class: each kind is a declaration of its columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.settings import OF_CLASS, ReadingKeys
from costcurves.tables.input.headers import truths
from costcurves.tables.input.reader import (
    ID,
    TIMES,
    Reading,
    distinct,
    named,
    numbers_of,
    one_of,
    with_rows,
)
from costcurves.tables.input.sheets import Sheet
from costcurves.tables.input.weka import MARGIN

ROLES: Final = ("label", "decision", "instance", "model", "score", *TIMES)


@dataclass(frozen=True)
class Layout:
    """Which column is what, by patterns that have to match the whole of its name."""

    name: str
    what: str
    signs: tuple[str, ...]  # a file is of this kind if each matches some column
    roles: Mapping[str, str] = field(default_factory=dict)  # what is not called as we call it
    score: str = ""  # of a class, which is its group; empty: called as the class, or p + that
    resample: str = ""  # says repeat and fold at once
    models: str = ""  # columns in which models differ that were tuned
    needs: tuple[str, str] = ("", "")  # a column, and what is wrong where it is missing

    def claims(self, names: Sequence[str]) -> bool:
        """Say whether columns have all signs."""
        return all(any(re.fullmatch(sign, name) for name in names) for sign in self.signs)

    def read(self, sheet: Sheet, said: ReadingKeys, model: str) -> Reading:
        """Read columns by what they are called."""
        if self.needs[0] and self.needs[0] not in sheet.names:
            raise InputError([f"{sheet.source.path}: {self.needs[1]}"])
        taken = self._taken(sheet, said)
        scores = self._scores(sheet, taken, said)
        if not scores and "score" not in taken and _fractions(sheet, taken.get("decision"), said):
            taken["score"] = taken.pop("decision")
        left = [one for one in sheet.names if one not in (*taken.values(), *scores.values(), "")]
        if "label" not in taken:
            taken["label"] = _truth(sheet, left, scores, said)
            left.remove(taken["label"])
        if "instance" not in taken and len(ids := _unique(sheet, left, said)) == 1:
            taken["instance"] = ids[0]
            left.remove(ids[0])
        tuned = [one for one in left if self.models and re.fullmatch(self.models, one)]
        resample = next((one for one in left if re.fullmatch(self.resample or "$.", one)), "")
        unused = tuple(one for one in left if one != resample)
        if resample and "fold" in taken:
            taken["repeat"], resample = resample, ""
        columns: dict[str, Any] = {role: sheet.table[name] for role, name in taken.items()}
        columns |= {f"{OF_CLASS}{one}": sheet.table[name] for one, name in scores.items()}
        if "model" not in columns:
            columns["model"] = _models(sheet, tuned, said, model)
        whole = with_rows(sheet, said, columns, resample, self._understood(taken, scores))
        return replace(whole, unused=unused)

    def _taken(self, sheet: Sheet, said: ReadingKeys) -> dict[str, str]:
        """Find the column of each role: what was said, what is called as here, or as we do."""
        found = {}
        chosen = (said.columns or {}).get("score")
        for role in ROLES:
            patterns = [self.roles.get(role, "$."), role]
            patterns = patterns[::-1] if role in (said.columns or {}) else patterns
            own = [name for one in patterns for name in sheet.names if re.fullmatch(one, name)]
            if own and (role != "score" or "score" in self.roles):
                found[role] = own[0]
        return found | ({"score": chosen} if chosen in sheet.names else {})

    def _scores(self, sheet: Sheet, taken: dict[str, str], said: ReadingKeys) -> dict[str, str]:
        """Find the column of each class's scores."""
        names = [name for name in sheet.names if name not in taken.values()]
        if self.score:
            found = ((re.fullmatch(self.score, name), name) for name in names)
            return {match[1]: name for match, name in found if match}
        known = [sheet.table[taken[role]] for role in ("label", "decision") if role in taken]
        classes = dict.fromkeys(one for values in known for one in distinct(values, said))
        scores = {one: name for one in classes for name in (f"p{one}", one) if name in names}
        if scores and len(scores) < len(classes):
            lacks = some([one for one in classes if one not in scores])
            raise InputError([f"{sheet.source.path}: has no column of scores of the class {lacks}"])
        return scores

    def _understood(self, taken: dict[str, str], scores: dict[str, str]) -> str:
        truth = f"{self.what}: the truth is {named([taken['label']])}"
        truth += f", instances {named([taken['instance']])}" if "instance" in taken else ""
        if scores:
            return f"{truth}, scores of each class are in {named([*scores.values()])}"
        what = "score" if "score" in taken else "decision"
        return f"{truth}, each {what} is in {named([taken[what]])}" if what in taken else truth


def _fractions(sheet: Sheet, name: str | None, said: ReadingKeys) -> bool:
    """Say whether what would be decisions are scores, as numbers between whole ones are."""
    numbers = None if name is None else numbers_of(sheet, said, name)
    return numbers is not None and bool(pc.any(pc.not_equal(numbers, pc.round(numbers))).as_py())


def _truth(sheet: Sheet, left: list[str], scores: dict[str, str], said: ReadingKeys) -> str:
    """Find the only column that holds nothing but classes, or is called as a truth."""
    found = [
        one
        for one in left
        if scores and {*distinct(sheet.table[one], said)} <= {*scores} and sheet.table[one].length()
    ]
    return one_of(sheet, "the truth", "label", found or truths(left))


def _unique(sheet: Sheet, left: list[str], said: ReadingKeys) -> list[str]:
    """Find the columns that look like an id: each value of it occurs once."""
    ids = [name for name in left if re.fullmatch(ID, name)]
    return [one for one in ids if len(distinct(sheet.table[one], said)) == sheet.table.num_rows]


def _models(sheet: Sheet, tuned: list[str], said: ReadingKeys, model: str) -> Any:
    """Name the model of each row, of which there is one: ask where columns say that of several."""
    each = {name: distinct(sheet.table[name], said) for name in tuned}
    if many := [name for name, values in each.items() if len(values) > 1]:
        found = f"holds models of several settings, with several values in {named(many)}"
        one = quoted(f"{many[0]} == {each[many[0]][0]}")
        mend = f"keep one ('where:', such as --where {one}), or read each as a model of its own"
        mend += f" ('columns: model: {many}', --column {quoted('model=' + ','.join(many))})"
        raise InputError([f"{sheet.source.path}: {found}; {mend}"])
    return pa.repeat(model, sheet.table.num_rows)


WEKA: Final = Layout(
    "weka",
    "predictions as Weka writes them",
    ("inst#", "actual", "predicted"),
    {"label": "actual", "decision": "predicted"},
    score=f"{OF_CLASS}(.+)",
)
LAYOUTS: Final = (
    WEKA,
    Layout(
        "weka-filter",
        "an ARFF file of Weka's filter AddClassification",
        ("classification", "distribution_.+"),
        {"decision": "classification"},
        score="distribution_(.+)",
    ),
    Layout(
        "weka-explorer",
        "predictions that Weka's explorer saved",
        (MARGIN, "predicted .+"),
        {"decision": "predicted .+"},
        score=f"{OF_CLASS}(.+)",
    ),
    Layout(
        "openml",
        "the predictions of a run of OpenML",
        ("row_id", "correct", "prediction"),
        {"label": "correct", "decision": "prediction", "instance": "row_id"},
        score=r"confidence\.(.+)",
    ),
    Layout(
        "caret",
        "predictions that caret saved",
        ("pred", "obs", "rowIndex"),
        {"label": "obs", "decision": "pred", "instance": "rowIndex"},
        resample="Resample",
        models="(?!weights$|Resample$).+",
    ),
    Layout(
        "tidymodels",
        "predictions that tidymodels collected",
        (r"\.pred_.+", r"\.row"),
        {"decision": r"\.pred_class", "instance": r"\.row", "model": "wflow_id",
         "fold": "id2"},
        score=r"\.pred_(?!class$)(.+)",
        resample="id",
        models=r"\.config",
        needs=("id", "was summarized, which averages repeats and forgets folds; collect the "
               "predictions with summarize = FALSE"),
    ),
    Layout(
        "mlr3",
        "predictions of mlr3",
        ("row_ids", "truth", "response"),
        {"label": "truth", "decision": "response", "instance": "row_ids", "model": "learner_id",
         "dataset": "task_id"},
        score=r"prob\.(.+)",
        resample="iteration",
    ),
    Layout(
        "automlbenchmark",
        "predictions as the AutoML Benchmark writes them",
        ("predictions", "truth"),
        {"label": "truth", "decision": "predictions"},
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
        score=r"P \(.+?=(.+)\)",
    ),
    Layout(
        "mlflow",
        "a table as MLflow's evaluation writes it",
        ("target", "outputs|predictions?"),
        {"label": "target", "decision": "outputs|predictions?", "score": "prediction_proba"},
        score="$.",
    ),
    Layout(
        "evaluate",
        "predictions with references",
        ("references", "predictions"),
        {"label": "references", "decision": "predictions"},
        score="$.",
    ),
)  # fmt: skip
