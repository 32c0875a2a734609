"""Predictions: their contract (for users: ``config/README.md``), and a staged copy of them."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.errors import InputError, refuse
from costcurves.maths.counts.cost_weights import Benefits, Cell, cost_weights, costs_of, whole_class
from costcurves.names import quoted, some
from costcurves.settings import OF_CLASS, SEGMENT, Dataset
from costcurves.tables.codes import Floats, Integers, first_rows
from costcurves.tables.contract import constant, stacked
from costcurves.tables.findings import Found
from costcurves.tables.input.checking import CHECKS, too_many
from costcurves.tables.input.gaps import answered, labelled, of_positive
from costcurves.tables.input.rows import PREDICTOR, Rows
from costcurves.tables.keys import group_codes
from costcurves.tables.predicted import PREDICTIONS

PRODUCT: Final = "{} \N{MULTIPLICATION SIGN} cost"
GRAIN: Final = 2.0**36  # so fine that sums over all folds are exact


def stage(dataset: Dataset) -> pd.DataFrame:
    """Read and check the predictions of one dataset."""
    return stage_with_sources(dataset)[0]


def stage_with_sources(
    dataset: Dataset, named: Callable[[Rows], Rows] = lambda rows: rows
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Read and check the predictions of one dataset, and say what was read.

    Models are in the configured order (else of appearance), within a model in the order of the
    files. Of each file there is the `sha256` of the very bytes that were parsed, how many of its
    `rows` are in the frame, and how it was `read` if it does not have our columns. What `named`
    gives has other names for models.
    """
    from costcurves.tables.input.opening import open_files  # not where arrays are given
    from costcurves.tables.input.reading import together

    amount = None if dataset.costs is None else dataset.costs.column
    opened = open_files(dataset.predictions, dataset, amount)
    sources = [
        {"path": file.source.path, "sha256": file.source.sha256, "rows": 0}
        | ({"read": "; ".join(file.notes)} if file.notes else {})
        for file in opened
    ]
    truths = {one.path: one.sha256 for file in opened for one in file.beside}
    seen = tuple(dict.fromkeys(one for file in opened for one in file.seen))
    rows = _selected(named(labelled(replace(together(opened, dataset, amount), seen=seen))))
    rows = _with_costs(of_positive(answered(rows)))
    staged = checked(rows)
    counts = np.bincount(rows.frame["source"], minlength=len(sources))
    sources = [one | {"rows": int(count)} for one, count in zip(sources, counts, strict=True)]
    why = "the truth of the other files"
    sources += [{"path": it, "sha256": truths[it], "rows": 0, "read": why} for it in truths]
    return staged, sources


def checked(rows: Rows) -> pd.DataFrame:
    """Check the rows of one dataset, and give the table of its predictions."""
    refuse(too_many(rows))
    refuse(finding for check in CHECKS for finding in check(rows))
    dataset, frame, size = rows.dataset, rows.frame, len(rows.frame)
    counts = frame["weight"].notna().any()  # then all have some, which is checked
    staged = PREDICTIONS.frame(
        **{name: frame[name] for name in PREDICTIONS.names if name in frame}
        | {"train_pc": mean_over_folds(rows), "dataset": constant(dataset.name, size)}
        | {"label": rows.labels, "decision": rows.decisions, "weight": constant(1.0, size)}
        | {"case_weight": frame["weight"] if counts else constant(1.0, size)}
        | {"segments": _segments(rows), "among_classes": _among_classes(rows)}
        | {"seen": constant(json.dumps(rows.seen), size)}
    )
    if not (dataset.weighted and dataset.costs):
        return of_cases(staged) if counts else staged
    costed = weighted(_by_cheaper_decision(staged))
    return _with_products(costed, dataset) if dataset.costs.score_times_cost else costed


def _segments(rows: Rows) -> Any:
    """Say of which segments the case of each row is, whichever of its rows say so."""
    names, case = rows.segments, rows.key(["instance"])
    if not names:
        return constant("", len(rows.frame))
    given = rows.frame[names].astype("str").replace("", pd.NA)
    each = given.groupby(case)[names].first().fillna("").to_dict("records")
    texts = [
        json.dumps({str(name).removeprefix(SEGMENT): it for name, it in one.items()})
        for one in each
    ]
    return pd.Categorical(texts).take(case)


def _among_classes(rows: Rows) -> Any:
    """Give the class of each row and the probability of each class, if a matrix decides."""
    names = rows.dataset.matrix_scores
    if not names:
        return constant("", len(rows.frame))
    places = {name.removeprefix(OF_CLASS): place for place, name in enumerate(names)}
    truth = (places[text] for text in rows.frame["label"])
    each = zip(truth, rows.frame[[*names]].to_numpy().tolist(), strict=True)
    return pd.Categorical([json.dumps([place, *p]) for place, p in each])


def _selected(rows: Rows) -> Rows:
    """Keep the configured models, in their order."""
    exist = rows.values("model")
    wanted = rows.dataset.models or exist
    lacks = f"dataset {quoted(rows.dataset.original)}: has no model"
    if unknown := [model for model in wanted if model not in exist]:
        raise InputError([f"{lacks} {some(unknown)}; those in its files are {some(exist)}"])
    if rows.dataset.baseline not in (None, *wanted):
        why = f"which 'inference: baseline:' names; its models are {some(wanted)}"
        raise InputError([f"{lacks} {rows.dataset.baseline!r}, {why}"])
    places = pd.Index(wanted).get_indexer(pd.Index(exist)).astype(np.int16)
    order = places[rows.codes("model")]
    if order[0] >= 0 and (order[1:] >= order[:-1]).all():
        return rows
    kept = np.argsort(order, kind="stable")[np.count_nonzero(order < 0) :]
    return rows.keeping(kept)


def mean_over_folds(rows: Rows) -> Floats:
    """Give each member one `train_pc`: where it differs, the mean over folds, on a grain."""
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
    found = Found("cheaper-mistakes", made.cases(made.cheaper))
    return replace(made, seen=(*rows.seen, found))


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
    """Let rows count by the costs of their instances, times how many these stand for."""
    paid = np.where(predictions["label"] == 1, predictions["cost_fn"], predictions["cost_fp"])
    return _counting(predictions, paid * predictions["case_weight"].to_numpy(), cost_weights)


def of_cases(predictions: pd.DataFrame) -> pd.DataFrame:
    """Let rows count as many cases as their instances stand for; sums are exact."""
    cases = predictions["case_weight"].to_numpy()
    return _counting(predictions, cases, lambda own, _, copies: whole_class(own, copies))


def _counting(
    predictions: pd.DataFrame, counts: Floats, weights: Callable[[Floats, Integers, int], Floats]
) -> pd.DataFrame:
    """Give each row the weight of its instance, of what instances count, labels, and copies."""
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
