"""The predictions of a dataset, from its files: read, checked, and as the table of all stages."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from costcurves.counts.cost_weights import cost_weights, whole_class
from costcurves.errors import InputError, refuse
from costcurves.names import quoted, some
from costcurves.predictions.asking import Choice, Question, answered
from costcurves.predictions.checks import check_rows
from costcurves.predictions.findings import Finding
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.predictions.rows import (
    PREDICTOR,
    TRUTH,
    UNKNOWN,
    Rows,
    completed,
    taken,
    together,
)
from costcurves.settings import OF_CLASS, Dataset
from costcurves.tables.codes import Booleans, Floats, first_rows
from costcurves.tables.contract import constant, stacked
from costcurves.tables.keys import group_codes

if TYPE_CHECKING:
    from costcurves.predictions.opening import PredictionFile

PRODUCT: Final = "{} \N{MULTIPLICATION SIGN} cost"
IN_TURN: Final = (
    " To take each class in turn, name a column with the scores of each"
    " ('classes:', or --column score_LABEL=NAME)"
)
MOST_CLASSES: Final = 4  # that are offered as the positive one
GRAIN: Final = 1e12  # of a proportion: sums of so many parts over all folds are exact


def stage(dataset: Dataset) -> pd.DataFrame:
    """Read and check the predictions of one dataset."""
    return stage_with_sources(dataset)[0]


def stage_with_sources(
    dataset: Dataset, *, by_file: bool = False
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Read and check the predictions of one dataset, and say what was read.

    Models are in the configured order (else of appearance), within a model in the order of the
    files. Of each file there is the `sha256` of the very bytes that were parsed, how many of its
    `rows` are in the frame, and how it was `read`. `by_file`, two files have a model each.
    """
    from costcurves.predictions.opening import open_files  # not where arrays are given

    def staged(dataset: Dataset) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
        files = open_files(dataset)
        rows = rows_of(dataset, files, by_file=by_file)
        sizes = rows.frame["source"].value_counts()
        sources: list[dict[str, Any]] = []
        for place, file in enumerate(files):
            path, sha256 = file.source.path, file.source.sha256
            sources.append({"path": path, "sha256": sha256, "rows": int(sizes.get(place, 0))})
            if file.notes:
                sources[-1]["read"] = "; ".join(file.notes)
        for truth in files[0].beside:
            why = "the truth of the other files"
            sources.append({"path": truth.path, "sha256": truth.sha256, "rows": 0, "read": why})
        del files  # whose rows would take as much memory again
        return checked(rows), sources

    return answered(staged, dataset)


def read_two(
    dataset: Dataset, named: tuple[str, str] | None
) -> tuple[pd.DataFrame, tuple[str, str]]:
    """Read the predictions of the old and the new model, and return the names of these.

    They are those that are `named`, else the only one of each of two files.
    """
    predictions, _ = stage_with_sources(replace(dataset, models=named), by_file=named is None)
    old, new = predictions["model"].unique()
    return predictions, (old, new)


def _of_files(rows: Rows) -> Rows:
    """Check that two files have a model each; where both have the same name, add its age."""
    sources, models = rows.frame["source"].to_numpy(), rows.values("model")
    names = [
        [*rows.frame["model"][sources == place].unique()] for place in range(len(rows.sources))
    ]
    if [len(each) for each in names] != [1, 1]:
        files = zip(rows.sources, names, strict=True)
        seen = "; ".join(f"{source.path} has {some(each)}" for source, each in files)
        expected = "expected the predictions of one model in each of two files"
        raise InputError([f"models: {seen}; {expected}, or --old and --new to name the two"])
    if len(models) == 2:
        return rows
    called = pd.Index([f"{models[0]} ({age})" for age in ("old", "new")], dtype="str")
    model = pd.Categorical.from_codes(sources, called)
    return replace(rows, frame=rows.frame.assign(model=model))


def rows_of(dataset: Dataset, files: "Sequence[PredictionFile]", *, by_file: bool = False) -> Rows:
    """Put the rows of a dataset from all files together; ask what they leave open."""
    parts = []
    for place, file in enumerate(files):
        frame = file.frame
        if "dataset" in frame:
            refuse(_dataset_findings(file.source.path, frame, dataset.in_files))
            frame = frame[frame["dataset"] == dataset.in_files].drop(columns="dataset")
        parts.append(frame.assign(source=constant(place, len(frame), np.int32)))
    findings = tuple(dict.fromkeys(finding for file in files for finding in file.findings))
    sources = tuple(file.source for file in files)
    frame = completed(together(parts)).reset_index(drop=True)
    for name in frame.select_dtypes("category"):
        frame[name] = taken(frame[name].array)
    frame["train_pc"] = frame["train_pc"].where(frame["member"] != "")  # of members only
    rows = _labelled(Rows(frame, dataset, sources, findings))
    rows = _classified(_selected(_of_files(rows) if by_file else rows))
    return _with_costs(_of_positive(_answered(_scored(rows))))


def _dataset_findings(path: str, frame: pd.DataFrame, name: str) -> Iterator[str]:
    """Find what would make rows of a dataset be passed over."""
    exist = [str(value) for value in frame["dataset"].cat.categories if value]
    if blank := int((frame["dataset"] == "").sum()):
        yield f"{path}: dataset is blank in {blank:,} rows"
    if name not in exist:
        why = f"those in its column 'dataset' are {some(exist)}"
        yield f"{path}: has no rows of dataset {name!r}; {why}"


def _labelled(rows: Rows) -> Rows:
    """Drop cases without a label, if the keys say so."""
    lacks = ~rows.given("label")
    if not lacks.any() or lacks.all():
        return rows
    size = rows.cases(lacks)
    if rows.dataset.missing_labels != "drop":
        why = f"label is empty; {size} have no label: are they not known yet?"
        choice = Choice({"missing_labels": "drop"}, f"{size} without a label are left out")
        raise Question(f"{rows.place(int(lacks.argmax()))}: {why}", [choice])
    return rows.kept(np.flatnonzero(~lacks)).also(
        Finding("missing-labels", f"{size} have no label")
    )


def _classified(rows: Rows) -> Rows:
    """Ask which class is positive, or whether all others are negative, where nothing says it."""
    positive, labels = rows.dataset.positive, rows.values("label")
    unclear = (rows.labels == UNKNOWN) & rows.given("label")
    unknown = positive is not None and positive not in labels
    if rows.dataset.classes is not None or unknown or len(labels) < 2 or not unclear.any():
        return rows
    rest = len(labels) > 2
    rarest = rows.frame["label"].value_counts(ascending=True).index[:MOST_CLASSES]
    choices = [
        Choice(
            {"positive": label, "rest": rest},
            f"{quoted(label)} is positive{', all others negative' if rest else ''}",
        )
        for label in ([positive] if positive else rarest)
    ]
    row = int(unclear.argmax())
    seen = f"{rows.place(row)}: label is {rows.words(row)['label']}; labels are {some(labels)}"
    ask = "which is positive ('positive:' or --positive)?"
    if positive:
        ask = f"are all but {quoted(positive)} negative ('classes: rest' or --classes rest)?"
    raise Question(f"{seen}: {ask}{IN_TURN if rest else ''}", choices)


def _scored(rows: Rows) -> Rows:
    """Call the scores of the positive class ``score``."""
    frame, dataset = rows.frame, rows.dataset
    classes = [str(name) for name in frame if str(name).startswith(OF_CLASS)]
    names, wanted = ", ".join(dataset.predictions), dataset.score
    plain = frame["score"].notna().any()
    if plain and wanted != "score":
        why = "has a column 'score'; which of several classes is it of? Name it after one"
        raise InputError([f"{names}: {why}, or leave it out"])
    if plain or not classes:
        return replace(rows, frame=frame.drop(columns=classes))
    if wanted == "score":
        true = [name for name in classes if TRUTH.get(name.removeprefix(OF_CLASS).lower()) == 1]
        wanted = true[0] if true and dataset.positive is None else f"{OF_CLASS}{dataset.positive}"
    if wanted not in classes:
        given = some([name.removeprefix(OF_CLASS) for name in classes])
        mend = f"say which is positive ('positive:' or --positive), or add {quoted(wanted)}"
        raise InputError([f"{names}: has scores of the classes {given}; {mend}"])
    if dataset.higher_is == "negative":
        why = "can't be said of scores of each class, of which a higher one speaks for its own"
        raise InputError([f"{names}: 'higher_is: negative' {why}"])
    return replace(rows, frame=frame.assign(score=frame[wanted]).drop(columns=classes))


def _answered(rows: Rows) -> Rows:
    """Let cases on which a model abstains count as predicted of one class, or drop them."""
    wanted, models = rows.dataset.abstain, rows.codes("model")
    lacks = {}
    for name in ("score", "decision"):
        given = rows.given(name)
        lacks[name] = rows.in_some(given, ["model"]) & ~given
    abstains = lacks["score"] | lacks["decision"]
    if not abstains.any():
        return rows
    cases = rows.codes("instance")
    complete = ~np.isin(cases, cases[abstains])
    if wanted == "refuse":
        what = "score" if lacks["score"][abstains.argmax()] else "decision"
        raise _abstained(rows, what, abstains, complete=bool(complete.any()))
    if wanted == "drop":
        size = f"{rows.cases(~complete)}, left out for all models"
        return rows.kept(np.flatnonzero(complete)).also(Finding("abstained", size))
    positive, findings = wanted == "positive", list[Finding]()
    score, decision = (rows.frame[name].to_numpy(copy=True) for name in lacks)
    for code in np.unique(models[abstains]):
        of_model = models == code
        seen = f"{rows.cases(abstains & of_model, of_model)}, taken as {wanted}"
        findings.append(Finding("abstained", seen, rows.values("model")[code]))
        unscored = of_model & lacks["score"]
        if unscored.any():
            score[unscored] = _beyond(score[of_model], above=positive)
    named = (text for text, label in rows.classes.items() if label == positive)
    decision[lacks["decision"]] = next(named, "")
    frame = rows.frame.assign(score=score, decision=pd.Categorical(decision, pd.unique(decision)))
    return replace(rows, frame=frame).also(*findings)


def _abstained(rows: Rows, what: str, abstains: Booleans, *, complete: bool) -> Question:
    """Return the question as what cases count on which a model abstains."""
    row, size = int(abstains.argmax()), rows.cases(abstains)
    dropped = Choice({"abstain": "drop"}, f"{size} are left out for all models")
    choices = [
        Choice({"abstain": label}, f"these count as predicted {label}")
        for label in ("negative", "positive")
    ]
    why = f"{rows.words(row)['predictor']} has no {what} here, but has one elsewhere"
    more = f"{int(abstains.sum()):,} rows of {size} have none; say what such cases count as"
    message = f"{rows.place(row)}: {why}; {more} ('abstain:')"
    return Question(message, [dropped, *choices] if complete else choices)


def _beyond(scores: Floats, *, above: bool) -> float:
    """Return a score beyond all others; of probabilities 0 or 1, so that they stay such."""
    if np.nanmin(scores) >= 0 and np.nanmax(scores) <= 1:
        return float(above)
    sign = 1 if above else -1
    last = float(np.nanmax(sign * scores))
    return sign * max(last + 1, float(np.nextafter(last, np.inf)))


def _of_positive(rows: Rows) -> Rows:
    """Make scores of the predicted class scores of the positive one, if the keys say so."""
    if rows.dataset.higher_is != "predicted":
        return rows
    score, decisions = rows.frame["score"].to_numpy(), rows.decisions
    why = "has a score and no decision: 'higher_is: predicted' needs the decision of each score"
    mend = "name its column ('columns: {{decision: NAME}}' or --column decision=NAME)"
    undecided = ~np.isnan(score) & (decisions == UNKNOWN)
    refuse(rows.at(undecided, f"{{predictor}} {why}; {mend}"))
    highest = rows.frame["score"].abs().groupby(rows.codes("model")).transform("max")
    other = np.where(highest <= 1, 1 - score, -score)
    return replace(rows, frame=rows.frame.assign(score=np.where(decisions == 1, score, other)))


def _selected(rows: Rows) -> Rows:
    """Keep the configured models, in their order."""
    exist = rows.values("model")
    wanted, reference = rows.dataset.models or exist, rows.dataset.reference
    if unknown := [model for model in wanted if model not in exist]:
        why = f"{some(unknown)}; those in its files are {some(exist)}"
        raise InputError([f"{rows.title}: has no model {why}"])
    if reference not in (None, *wanted):
        why = f"which 'reference:' names; its models are {some(wanted)}"
        raise InputError([f"{rows.title}: has no model {reference!r}, {why}"])
    places = pd.Index(wanted).get_indexer(pd.Index(exist)).astype(np.int16)
    order = places[rows.codes("model")]
    if order[0] >= 0 and (order[1:] >= order[:-1]).all():
        return rows
    return rows.kept(np.argsort(order, kind="stable")[np.count_nonzero(order < 0) :])


def checked(rows: Rows) -> pd.DataFrame:
    """Check the rows of one dataset, and return the table of its predictions."""
    refuse(check_rows(rows))
    dataset, frame, size = rows.dataset, rows.frame, len(rows.frame)
    counts = frame["weight"].notna().any()  # then all have some, which is checked
    given: dict[str, Any] = {name: frame[name] for name in PREDICTIONS.names if name in frame}
    made = {
        "train_pc": mean_over_folds(rows),
        "dataset": constant(dataset.name, size),
        "label": rows.labels,
        "decision": rows.decisions,
        "weight": constant(1.0, size),
        "case_weight": frame["weight"] if counts else constant(1.0, size),
        "seen": constant(json.dumps(rows.findings), size),
    }
    staged = PREDICTIONS.frame(**given | made)
    if not (dataset.weighted and dataset.costs):
        cases = staged["case_weight"].to_numpy()
        return _counting(staged, cases, by_class=False) if counts else staged
    costed = weighted(_by_cheaper_decision(staged))
    return _with_products(costed, dataset) if dataset.costs.score_times_cost else costed


def mean_over_folds(rows: Rows) -> Floats:
    """Return one `train_pc` for each member, the mean over folds; sums are exact."""
    values = rows.frame["train_pc"].to_numpy()
    if np.isnan(values).all():
        return values
    member = rows.key(PREDICTOR)
    folds = first_rows(rows.key((*PREDICTOR, "repeat", "fold")))
    sums = np.bincount(member[folds], np.rint(values[folds] * GRAIN))
    means = sums / np.bincount(member[folds]) / GRAIN
    return np.asarray(means[member], dtype=np.float64)


def _with_costs(rows: Rows) -> Rows:
    """Put the costs that the configured benefits make in place of those of the files."""
    costs = rows.dataset.costs
    if costs is None or costs.benefit is None:
        return rows
    x = rows.frame["amount"] if costs.column else 0.0
    cost_fp, cost_fn = (cell.constant + cell.coefficient * x for cell in costs.benefit.mistakes)
    rows = replace(rows, frame=rows.frame.assign(cost_fp=cost_fp, cost_fn=cost_fn))
    if rows.cheaper is None or not rows.cheaper.any():
        return rows
    return rows.also(Finding("cheaper-mistakes", rows.cases(rows.cheaper)))


def _by_cheaper_decision(rows: pd.DataFrame) -> pd.DataFrame:
    """Give cases for which a mistake brings more than being right the other class, and its cost."""
    positive = rows["label"] == 1
    missed, alarmed = positive & (rows["cost_fn"] < 0), ~positive & (rows["cost_fp"] < 0)
    return rows.assign(
        label=rows["label"].where(~(missed | alarmed), 1 - rows["label"]),
        cost_fp=rows["cost_fp"].where(~missed, -rows["cost_fn"]),
        cost_fn=rows["cost_fn"].where(~alarmed, -rows["cost_fp"]),
    )


def weighted(predictions: pd.DataFrame) -> pd.DataFrame:
    """Let rows count by the costs of their cases, times how many these stand for."""
    paid = np.where(predictions["label"] == 1, predictions["cost_fn"], predictions["cost_fp"])
    return _counting(predictions, paid * predictions["case_weight"].to_numpy(), by_class=True)


def _counting(predictions: pd.DataFrame, counts: Floats, *, by_class: bool) -> pd.DataFrame:
    """Return rows with the weight of their case, as exact sums need it, within its class or all."""
    codes = group_codes(predictions, ["instance"])
    first, copies = first_rows(codes), predictions["repeat"].nunique()
    labels = predictions["label"].to_numpy()[first]
    cases = counts[first]
    weights = cost_weights(cases, labels, copies) if by_class else whole_class(cases, copies)
    return predictions.assign(weight=weights[codes])


def _with_products(rows: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """Add to each model with probabilities one that ranks by score times cost (Fawcett, s4)."""
    is_single = rows["member"].eq("") & rows["score"].between(0, 1) & rows["cost_fn"].notna()
    models = is_single.groupby(rows["model"], sort=False, observed=True).all()
    names = models.index[models]
    if not len(names):
        where = f"dataset {quoted(dataset.original)}: 'costs: score_times_cost'"
        needs = "needs a model whose scores are probabilities, from 0 to 1, and cost_fn in each of"
        mend = "its rows, also of negatives; there is none: calibrate the scores, or leave it out"
        raise InputError([f"{where} {needs} {mend}"])
    products = rows[rows["model"].isin(names)]
    products = products.assign(
        model=products["model"].map(PRODUCT.format),
        score=products["score"] * products["cost_fn"],
        decision=np.int8(-1),
    )
    return stacked([rows, products])
