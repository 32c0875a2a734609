"""The predictions of a dataset, from its files: read, checked, and as the table of all stages."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError, refuse
from costcurves.maths.counts.cost_weights import Benefits, Cell, cost_weights, costs_of, whole_class
from costcurves.names import quoted, some, twins
from costcurves.predictions.asking import Choice, Options, Question, Reading, proposals
from costcurves.predictions.checks import check_rows, check_sizes, of_several
from costcurves.predictions.findings import Finding
from costcurves.predictions.rows import (
    DEFAULTS,
    PREDICTOR,
    TRUTH,
    UNKNOWN,
    Rows,
    completed,
    taken,
)
from costcurves.settings import OF_CLASS, SEGMENT, Dataset, ReadingKeys
from costcurves.tables.codes import Floats, Integers, by_appearance, first_rows
from costcurves.tables.contract import constant, stacked
from costcurves.tables.keys import group_codes
from costcurves.tables.predicted import PREDICTIONS

PRODUCT: Final = "{} \N{MULTIPLICATION SIGN} cost"
GRAIN: Final = 2.0**36  # so fine that sums over all folds are exact


def stage(
    dataset: Dataset, written: Callable[[Options, Sequence[str]], str] = Options.in_configuration
) -> pd.DataFrame:
    """Read and check the predictions of one dataset; answers to questions are `written` so."""
    return stage_with_sources(dataset, written=written)[0]


def stage_with_sources(
    dataset: Dataset,
    named: Callable[[Rows], Rows] = lambda rows: rows,
    *,
    written: Callable[[Options, Sequence[str]], str] = Options.in_configuration,
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Read and check the predictions of one dataset, and say what was read.

    Models are in the configured order (else of appearance), within a model in the order of the
    files. Of each file there is the `sha256` of the very bytes that were parsed, how many of its
    `rows` are in the frame, and how it was `read`. What `named` gives has other names for models.
    """
    try:
        return _staged(dataset, named)
    except Question as question:
        paths, options = dataset.predictions, _options(dataset)
        lines = proposals(paths, question, options, trial(paths), written)
        raise InputError([*question.findings, *lines]) from question


def _options(dataset: Dataset) -> Options:
    return Options(dataset, dataset.positive, dataset.pairing, dataset.rest)


def _staged(
    dataset: Dataset, named: Callable[[Rows], Rows] = lambda rows: rows
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    from costcurves.predictions.opening import open_files  # not where arrays are given

    amount = None if dataset.costs is None else dataset.costs.column
    files = open_files(dataset.predictions, _options(dataset), amount)
    sources, parts, truths = list[dict[str, Any]](), list[pd.DataFrame](), dict[str, str]()
    for place, file in enumerate(files):
        path, frame = file.source.path, file.frame
        sources.append({"path": path, "sha256": file.source.sha256})
        if file.notes:
            sources[-1]["read"] = "; ".join(file.notes)
        truths |= {source.path: source.sha256 for source in file.beside}
        if "dataset" in frame:
            refuse(_dataset_findings(path, frame, dataset.in_files))
            own = frame.pop("dataset") == dataset.in_files
            frame = frame if own.all() else frame[own].reset_index(drop=True)
        parts.append(frame.assign(source=constant(place, len(frame), np.int32)))
    findings = tuple(dict.fromkeys(it for file in files for it in file.findings))
    origins = tuple(file.source for file in files)
    del files, frame, file
    rows = Rows(_together(parts, dataset), dataset, origins, findings)
    rows = _selected(named(_labelled(rows)))
    staged = checked(_with_costs(_of_positive(_answered(rows))))
    counts = np.bincount(rows.frame["source"], minlength=len(sources))
    for source, size in zip(sources, counts, strict=True):
        source["rows"] = int(size)
    why = "the truth of the other files"
    sources += [{"path": it, "sha256": truths[it], "rows": 0, "read": why} for it in truths]
    return staged, sources


def trial(paths: Sequence[str]) -> Callable[[Options], Reading]:
    """Return what tries to read files by options, as if one label were positive."""

    def read(options: Options) -> Reading:
        from costcurves.predictions.opening import open_files

        files = open_files(paths, options)
        frame, keys = files[0].frame, options.keys
        labels = [str(label) for label in frame["label"].cat.categories if label]
        unclear = options.positive is None and not {it.lower() for it in labels} <= {*TRUTH}
        of_class = f"{OF_CLASS}{labels[0]}" if len(labels) > 2 and "score" not in frame else "score"
        plain = len(labels) > 2 and of_class == "score" and not options.rest
        if plain and "score" in frame:
            rest = Choice({"rest": True}, "one class is taken against the rest")
            message = f"labels are {some(labels)}; {of_several(labels)}"
            raise Question(f"{', '.join(paths)}: {message}", [rest])
        dataset = Dataset(
            **{name: getattr(keys, name) for name in ReadingKeys.__dataclass_fields__},
            name=frame["dataset"].iloc[0] if "dataset" in frame else "files",
            predictions=tuple(paths),
            title="",
            slug="",
            positive=labels[0] if unclear else options.positive,
            pairing=options.pairing,
            rest=options.rest,
            folds_without_a_class="pool",
            classes=None if of_class == "score" else tuple(labels),
            score=of_class,
        )
        _staged(dataset)
        notes = [note for it in files for note in it.notes]
        return Reading(labels if unclear and of_class == "score" else (), notes)

    return read


def _dataset_findings(path: str, frame: pd.DataFrame, name: str) -> Iterator[str]:
    """Find what would make rows of a dataset be passed over."""
    exist = [str(value) for value in frame["dataset"].cat.categories]
    if "" in exist:
        yield f"{path}: dataset is blank in {int((frame['dataset'] == '').sum()):,} rows"
    exist = [value for value in exist if value]
    if name not in exist:
        message = f"{path}: has no rows of dataset {name!r}"
        yield f"{message}; those in its column 'dataset' are {some(exist)}"
    for first, second in twins([name, *exist]):
        yield f"{path}: the datasets {first!r} and {second!r} look the same"


def _together(parts: Sequence[pd.DataFrame], dataset: Dataset) -> pd.DataFrame:
    """Put the rows of all files into one frame; the scores are those of the positive class."""
    names = list(dict.fromkeys(str(name) for part in parts for name in part))
    whole = list[pd.DataFrame]()
    for part in parts:
        columns = {str(name): part[name].array for name in part}
        for name in (it for it in names if it not in columns):
            value = DEFAULTS.get(name, "" if name.startswith(SEGMENT) else np.nan)
            columns[name] = constant(value, len(part))
        whole.append(pd.DataFrame({name: columns[name] for name in names}, copy=False))
    frame = stacked(whole)
    for name in map(str, frame.select_dtypes("category")):
        values = frame[name].array
        numbers = values.codes
        codes = by_appearance(numbers, len(values.categories))
        if codes is not numbers or int(codes.max()) + 1 < len(values.categories):
            frame[name] = taken(values)
    frame = _scored(frame, dataset)
    made = completed({str(name): frame[name].array for name in frame}, len(frame))
    if "train_pc" in names:  # of what is no member it says nothing
        made["train_pc"] = made["train_pc"].where(made["member"] != "", np.nan)
    return made


def _scored(frame: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """Call the scores of the positive class ``score``."""
    classes = [str(name) for name in frame if str(name).startswith(OF_CLASS)]
    names, wanted = ", ".join(dataset.predictions), dataset.score
    if wanted == "score" and "score" in frame:
        return frame.drop(columns=classes)
    if "score" in frame:
        why = "has a column 'score'; which of several classes is it of? Name it after one"
        raise InputError([f"{names}: {why}, or leave it out"])
    if not classes:
        return frame
    if wanted == "score":
        own = [it for it in classes if TRUTH.get(it.removeprefix(OF_CLASS).lower()) == 1]
        wanted = own[0] if own and dataset.positive is None else f"{OF_CLASS}{dataset.positive}"
    lacks = [name for name in (wanted, *dataset.matrix_scores) if name not in classes]
    if lacks:
        given = some([name.removeprefix(OF_CLASS) for name in classes])
        mend = f"say which is positive ('positive:' or --positive), or add {some(lacks)}"
        raise InputError([f"{names}: has scores of the classes {given}; {mend}"])
    if dataset.higher_is == "negative":
        why = "can't be said of scores of each class, of which a higher one speaks for its own"
        raise InputError([f"{names}: 'higher_is: negative' {why}"])
    left = [name for name in classes if name not in dataset.matrix_scores]
    return frame.assign(score=frame[wanted]).drop(columns=left)


def _labelled(rows: Rows) -> Rows:
    """Drop cases without a label, if that is said."""
    lacks = ~rows.given("label")
    if not lacks.any() or lacks.all():
        return rows
    size = rows.cases(lacks)
    if rows.dataset.missing_labels != "drop":
        where = f"{rows.place(int(lacks.argmax()))}: label is empty; {size} have no label"
        mend = "if they are not known yet, 'missing_labels: drop' (--missing-labels drop) leaves"
        choice = Choice({"missing_labels": "drop"}, f"{size} without a label are left out")
        raise Question(f"{where}; {mend} them out", [choice])
    return rows.keeping(~lacks, Finding("missing-labels", f"{size} have no label"))


def _answered(rows: Rows) -> Rows:
    """Let cases on which a model abstains count as predicted of one class, or drop them."""
    given = {name: rows.given(name) for name in ("score", "decision")}
    gaps = {name: rows.in_some(has) & ~has for name, has in given.items()}
    wanted, lacks = rows.dataset.abstain, gaps["score"] | gaps["decision"]
    if not lacks.any():
        return rows
    codes, cases = rows.codes("model"), rows.codes("instance")
    complete = ~np.isin(cases, cases[lacks])
    if wanted == "refuse":
        row, size = int(lacks.argmax()), rows.cases(lacks)
        what = "score" if gaps["score"][row] else "decision"
        where = f"{rows.place(row)}: {rows.model(row)} has no {what} here, but has one elsewhere"
        choices = [
            Choice({"abstain": "negative"}, "these count as predicted negative"),
            Choice({"abstain": "drop"}, f"{size} are left out for all models"),
            Choice({"abstain": "positive"}, "these count as predicted positive"),
        ]
        mend = "'abstain: negative' (--abstain negative), 'positive', or 'drop' for complete cases"
        more = f"{int(lacks.sum()):,} rows of {size} have none; say what such cases count as"
        raise Question(f"{where}; {more}: {mend}", choices if complete.any() else choices[::2])
    if wanted == "drop":
        size = f"{rows.cases(~complete)}, left out for all models"
        return rows.keeping(complete, Finding("abstained", size))
    positive, findings = wanted == "positive", [*rows.findings]
    score, decision = (rows.frame[name].to_numpy(copy=True) for name in gaps)
    classes = [text for text, label in rows.classes.items() if label == positive]
    for code in np.unique(codes[lacks]):
        own = codes == code
        seen = f"{rows.cases(lacks & own, own)}, taken as {wanted}"
        findings.append(Finding("abstained", seen, rows.values("model")[code]))
        if given["score"][own].any():
            score[own & gaps["score"]] = _beyond(score[own], above=positive)
    decision[gaps["decision"]] = classes[0]
    frame = rows.frame.assign(score=score, decision=pd.Categorical(decision, pd.unique(decision)))
    return replace(rows, frame=frame, findings=tuple(findings))


def _beyond(scores: Floats, *, above: bool) -> float:
    """Return a score beyond all others; of probabilities 0 or 1, so that they stay such."""
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    if low >= 0 and high <= 1:
        return float(above)
    if above:
        return max(high + 1, float(np.nextafter(high, np.inf)))
    return min(low - 1, float(np.nextafter(low, -np.inf)))


def _of_positive(rows: Rows) -> Rows:
    """Make scores of the predicted class scores of the positive one, if that is said."""
    if rows.dataset.higher_is != "predicted":
        return rows
    score, decisions = rows.frame["score"].to_numpy(), rows.decisions
    why = "has a score and no decision: 'higher_is: predicted' needs the decision of each score"
    mend = "name its column ('columns: {decision: NAME}' or --column decision=NAME)"
    undecided = ~np.isnan(score) & (decisions == UNKNOWN)
    refuse(rows.at(undecided, lambda row: f"{rows.model(row)} {why}; {mend}"))
    codes = rows.codes("model")
    highest = np.zeros(len(rows.values("model")))
    np.fmax.at(highest, codes, np.abs(score))
    other = np.where(highest[codes] <= 1, 1 - score, -score)
    return replace(rows, frame=rows.frame.assign(score=np.where(decisions == 1, score, other)))


def _selected(rows: Rows) -> Rows:
    """Keep the configured models, in their order."""
    exist = rows.values("model")
    wanted = rows.dataset.models or exist
    lacks = f"dataset {quoted(rows.dataset.original)}: has no model"
    if unknown := [model for model in wanted if model not in exist]:
        raise InputError([f"{lacks} {some(unknown)}; those in its files are {some(exist)}"])
    if rows.dataset.reference not in (None, *wanted):
        why = f"which 'reference:' names; its models are {some(wanted)}"
        raise InputError([f"{lacks} {rows.dataset.reference!r}, {why}"])
    places = pd.Index(wanted).get_indexer(pd.Index(exist)).astype(np.int16)
    order = places[rows.codes("model")]
    if order[0] >= 0 and (order[1:] >= order[:-1]).all():
        return rows
    kept = np.argsort(order, kind="stable")[np.count_nonzero(order < 0) :]
    return rows.at_places(kept)


def checked(rows: Rows) -> pd.DataFrame:
    """Check the rows of one dataset, and return the table of its predictions."""
    refuse(check_sizes(rows))
    refuse(check_rows(rows))
    dataset, frame, size = rows.dataset, rows.frame, len(rows.frame)
    counts = frame["weight"].notna().any()  # then all have some, which is checked
    columns: dict[str, Any] = {name: frame[name] for name in PREDICTIONS.names if name in frame}
    columns |= {
        "train_pc": mean_over_folds(rows),
        "dataset": constant(dataset.name, size),
        "label": rows.labels,
        "decision": rows.decisions,
        "weight": constant(1.0, size),
        "case_weight": frame["weight"] if counts else constant(1.0, size),
        "segments": _segments(rows),
        "among_classes": _among_classes(rows),
        "seen": constant(json.dumps(rows.findings), size),
    }
    staged = PREDICTIONS.frame(**columns)
    if not (dataset.weighted and dataset.costs):
        return of_cases(staged) if counts else staged
    costed = weighted(_by_cheaper_decision(staged))
    return _with_products(costed, dataset) if dataset.costs.score_times_cost else costed


def _segments(rows: Rows) -> Any:
    """Return of which segments the case of each row is, whichever of its rows say so."""
    names, case = rows.segments, rows.key(["instance"])
    if not names:
        return constant("", len(rows.frame))
    given = rows.frame[names].astype("str").replace("", pd.NA)
    texts = list[str]()
    for each in given.groupby(case)[names].first().fillna("").to_dict("records"):
        segments = {str(name).removeprefix(SEGMENT): value for name, value in each.items()}
        texts.append(json.dumps(segments))
    return pd.Categorical(texts).take(case)


def _among_classes(rows: Rows) -> Any:
    """Return the class of each row and the probability of each class, if a matrix decides."""
    names = rows.dataset.matrix_scores
    if not names:
        return constant("", len(rows.frame))
    places = {name.removeprefix(OF_CLASS): place for place, name in enumerate(names)}
    truth = [places[text] for text in rows.frame["label"]]
    each = zip(truth, rows.frame[[*names]].to_numpy().tolist(), strict=True)
    return pd.Categorical([json.dumps([place, *p]) for place, p in each])


def mean_over_folds(rows: Rows) -> Floats:
    """Return one `train_pc` for each member: where it differs, the mean over folds, on a grain."""
    values = rows.frame["train_pc"].to_numpy()
    if np.isnan(values).all():
        return values
    member = rows.key(PREDICTOR)
    folds = first_rows(rows.key((*PREDICTOR, "repeat", "fold")))
    of, grains = member[folds], np.rint(values[folds] * GRAIN)
    means = np.bincount(of, grains) / np.bincount(of) / GRAIN
    first = values[first_rows(member)]
    varies = np.bincount(of, values[folds] != first[of]) > 0
    return np.asarray(np.where(varies, means, first)[member], dtype=np.float64)


def _with_costs(rows: Rows) -> Rows:
    """Put the costs that the configured benefits make in place of those of the files."""
    costs = rows.dataset.costs
    if costs is None or costs.benefit is None:
        return rows
    benefits = Benefits(**{key: Cell(**vars(it)) for key, it in costs.benefit.cells.items()})
    amount = rows.frame["amount"].to_numpy(np.float64)
    x = amount if costs.column is not None else np.zeros(len(amount))
    cost_fp, cost_fn = costs_of(benefits, x)
    made = replace(rows, frame=rows.frame.assign(cost_fp=cost_fp, cost_fn=cost_fn))
    if made.cheaper is None or not made.cheaper.any():
        return made
    finding = Finding("cheaper-mistakes", made.cases(made.cheaper))
    return replace(made, findings=(*rows.findings, finding))


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
    return _counting(predictions, paid * predictions["case_weight"].to_numpy(), cost_weights)


def of_cases(predictions: pd.DataFrame) -> pd.DataFrame:
    """Let rows count as many cases as their case stands for; sums are exact."""
    cases = predictions["case_weight"].to_numpy()
    return _counting(predictions, cases, lambda own, _, copies: whole_class(own, copies))


def _counting(
    predictions: pd.DataFrame, counts: Floats, weights: Callable[[Floats, Integers, int], Floats]
) -> pd.DataFrame:
    """Give each row the weight of its case, of what cases count, labels, and copies."""
    codes = group_codes(predictions, ["instance"])
    first, copies = first_rows(codes), predictions["repeat"].nunique()
    own = weights(counts[first], predictions["label"].to_numpy()[first], copies)
    return predictions.assign(weight=own[codes])


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
    own = rows[rows["model"].isin(names)]
    products = own.assign(
        model=own["model"].map(PRODUCT.format),
        score=own["score"] * own["cost_fn"],
        decision=np.int8(-1),
    )
    return stacked([rows, products])
