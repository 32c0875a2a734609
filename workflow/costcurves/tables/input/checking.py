"""Checks of predictions: each looks for one thing and names every row that has it.

A check takes the rows of one dataset and gives its findings: where, what, what was expected and how
to mend it. Names are compared as integer codes: a check is a few passes over arrays.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from costcurves.tables.configuration.names import BLANK, DECEIVING, quoted, some, twins, unusable
from costcurves.tables.input.checking_costs import COST_CHECKS
from costcurves.tables.input.reading import at_rows
from costcurves.tables.input.reading_limits import LONGEST_NAME, crowd_findings
from costcurves.tables.input.rows import UNKNOWN, Rows, first_rows, numbered

PREDICTOR = ("model", "member")
UNIT = ("repeat", "fold", "instance")


def too_many(rows: Rows) -> list[str]:
    """Find more models, members or folds than can be looked at one by one."""
    counts = {"models": ("model",), "members": PREDICTOR, "folds": ("repeat", "fold")}
    found = {what: int(rows.key(names).max()) + 1 for what, names in counts.items()}
    return [_of(rows, why) for why in crowd_findings(found)]


def names_usable(rows: Rows) -> list[str]:
    """Find names that are blank, too long, or hold control or text-reordering characters."""
    found = []
    for name in (*PREDICTOR, *UNIT):
        values = pa.array(rows.frame[name].cat.categories).cast(pa.string())
        none = pc.equal(values, "") if name == "member" else False
        wrong = np.flatnonzero(pc.and_not(_suspect(values), none))
        found += at_rows(first_rows(rows.codes(name))[wrong], partial(_unusable, rows, name))
    return found


def _suspect(names: pa.Array) -> pa.Array:
    """Say which names `unusable` has something to say about, in one pass over all."""
    blank = pc.match_substring_regex(names, BLANK)
    long = pc.greater(pc.utf8_length(names), LONGEST_NAME)
    return pc.or_(pc.or_(blank, long), pc.match_substring_regex(names, DECEIVING))


def _unusable(rows: Rows, name: str, row: int) -> str:
    why = unusable(str(rows.frame[name].iloc[row]))
    return f"{rows.place(row)}: {name} {rows.text(name, row)} {why}"


def names_different(rows: Rows) -> list[str]:
    """Find names that are different and look the same."""
    found = []
    for name in ("model", "member", "repeat", "fold"):
        values, first = rows.values(name), first_rows(rows.codes(name))
        for one, other in twins(values):
            here, there = (rows.place(first[values.index(value)]) for value in (other, one))
            similar = f"{name} {quoted(other)} looks like {quoted(one)} in {there}"
            why = "they differ only in spaces, invisible characters or the Unicode form of a letter"
            found.append(f"{here}: {similar}; {why}")
    return found


def labels_known(rows: Rows) -> list[str]:
    """Find labels that are in neither class, and data with one class only."""
    given, positive = [label for label in rows.values("label") if label], rows.dataset.positive
    if positive is not None and positive not in given:
        key = "positive:" if rows.dataset.classes is None else "classes:"
        return [_of(rows, f"no label is {positive!r} ({key!r}); labels are {some(given)}")]
    outside = np.flatnonzero(rows.labels == UNKNOWN)
    if not len(outside):
        return list(_one_class(rows, given))
    first = outside[first_rows(numbered(rows.codes("label")[outside]))]
    if positive is None:
        mend = f"for other labels say which is positive ('positive:'); found {some(given)}"
        why = f"expected 0 or 1, true or false; {mend}"
    elif rows.dataset.classes is not None:
        why = f"expected one of the classes {some(rows.dataset.classes)} ('classes:')"
    elif len(given) > 2:
        why = f"expected {positive!r} and one other, found {some(given)}"
    else:
        why = f"expected one of {some(given)}"
    return at_rows(
        first, lambda row: f"{rows.place(row)}: label is {rows.text('label', row)}; {why}"
    )


def _one_class(rows: Rows, given: list[str]) -> Iterator[str]:
    if len({rows.classes[label] for label in given}) == 1:
        which = "positive" if rows.classes[given[0]] else "negative"
        yield _of(rows, f"all labels are {which} ({some(given)}); costs need both classes")


def decisions_known(rows: Rows) -> list[str]:
    """Find decisions that are none of the two classes."""
    if labels_known(rows):
        return []
    outside = np.flatnonzero(_given(rows, "decision") & (rows.decisions == UNKNOWN))
    first = outside[first_rows(numbered(rows.codes("decision")[outside]))]
    return at_rows(
        first,
        lambda row: (
            f"{rows.place(row)}: decision is {rows.text('decision', row)}; expected what "
            f"labels are: {some(rows.values('label'))}"
        ),
    )


def _given(rows: Rows, name: str) -> NDArray[np.bool_]:
    """Say of each row whether it has a value in a column."""
    if name == "score":
        return np.asarray(rows.frame[name].notna(), dtype=np.bool_)
    values = np.array([value != "" for value in rows.values(name)])
    return np.asarray(values[rows.codes(name)], dtype=np.bool_)


def scores_or_decisions(rows: Rows) -> list[str]:
    """Find models with a score, or a decision, on some of their rows only, or with neither."""
    scored, decided = _given(rows, "score"), _given(rows, "decision")
    without = ~_in_some(rows, scored | decided)
    first = np.flatnonzero(without)[first_rows(numbered(rows.codes("model")[without]))]
    what = "has neither scores nor decisions"
    neither = at_rows(first, lambda row: f"{rows.place(row)}: {_model(rows, row)} {what}")
    return [*_mixed(rows, "score", scored), *_mixed(rows, "decision", decided), *neither]


def members_whole(rows: Rows) -> list[str]:
    """Find models of which some rows name a member and some don't."""
    return _mixed(rows, "member", _given(rows, "member"))


def _in_some(rows: Rows, given: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say of each row whether some row of its model is given."""
    models = rows.codes("model")
    return np.asarray((np.bincount(models, weights=given) > 0)[models], dtype=np.bool_)


def _mixed(rows: Rows, name: str, given: NDArray[np.bool_]) -> list[str]:
    """Find the rows that lack what other rows of their model have."""
    return at_rows(
        np.flatnonzero(_in_some(rows, given) & ~given),
        lambda row: (
            f"{rows.place(row)}: model {rows.text('model', row)} has no {name} here, but "
            f"has one elsewhere; expected one in each of its rows, or in none"
        ),
    )


def train_pc_of_members(rows: Rows) -> list[str]:
    """Find members with more than one `train_pc`, or one outside [0, 1]."""
    values, members = rows.frame["train_pc"].to_numpy(), rows.key(PREDICTOR)
    outside = np.flatnonzero((values < 0) | (values > 1))
    found = at_rows(
        outside,
        lambda row: f"{rows.place(row)}: train_pc is {values[row]}, expected 0 to 1 (a PC(+))",
    )
    first = first_rows(members)[members]
    same = (values == values[first]) | (np.isnan(values) & np.isnan(values[first]))
    differing = np.flatnonzero(~same)
    for row in differing[:1]:
        where = f"{rows.place(row)}: train_pc is {values[row]}, but {values[first[row]]} in"
        of = f"{rows.place(first[row])} for the same {_model(rows, row)}"
        count = f"{len(np.unique(members[differing])):,} of {members.max() + 1:,} members"
        mend = "give each the mean over its folds, or leave the column out"
        found.append(f"{where} {of}; so in {len(differing):,} rows of {count}: {mend}")
    return found


def predicted_once(rows: Rows) -> list[str]:
    """Find rows that repeat a (model, member, repeat, fold, instance)."""
    key = rows.key((*PREDICTOR, *UNIT))
    first = first_rows(key)[key]
    return at_rows(
        np.flatnonzero(first != np.arange(len(key))),
        lambda row: (
            f"{rows.place(row)}: {_model(rows, row)} predicts {_unit(rows, row)} again, "
            f"first in {rows.place(first[row])}"
        ),
    )


def in_one_fold(rows: Rows) -> list[str]:
    """Find instances that a model predicts in two folds of one repeat."""
    key, folds = rows.key((*PREDICTOR, "repeat", "instance")), rows.codes("fold")
    first = first_rows(key)[key]
    return at_rows(
        np.flatnonzero(folds != folds[first]),
        lambda row: (
            f"{rows.place(row)}: {_unit(rows, row)} is in fold "
            f"{rows.text('fold', first[row])} too, in {rows.place(first[row])}; expected one fold "
            "in each repeat"
        ),
    )


def one_label_each(rows: Rows) -> list[str]:
    """Find instances whose label differs between rows."""
    key, labels = rows.key(("instance",)), rows.labels
    first = first_rows(key)[key]
    return at_rows(
        np.flatnonzero((labels != labels[first]) & (labels >= 0) & (labels[first] >= 0)),
        lambda row: (
            f"{rows.place(row)}: instance {rows.text('instance', row)} has label "
            f"{rows.text('label', row)}, but {rows.text('label', first[row])} in "
            f"{rows.place(first[row])}"
        ),
    )


def same_instances(rows: Rows) -> list[str]:
    """Find models, and members of a family, not predicted on the instances that others are.

    Paired, all models are held to each other; unpaired, only the members of each family.
    """
    paired = rows.dataset.pairing == "paired"
    group = np.zeros(len(rows.frame), dtype=np.int64) if paired else rows.codes("model")
    unit = rows.key(UNIT if paired else ("model", *UNIT))
    predictor = rows.key(PREDICTOR)
    unit_rows, predictor_rows = first_rows(unit), first_rows(predictor)
    expected = np.bincount(group[unit_rows])[group[predictor_rows]]
    once = ~pd.Series(predictor * len(unit_rows) + unit).duplicated().to_numpy()
    found = np.bincount(predictor[once], minlength=len(predictor_rows))

    def say(which: int) -> str:
        row = predictor_rows[which]
        lacks = group[unit_rows] == group[row]
        lacks[unit[predictor == which]] = False
        example = unit_rows[np.flatnonzero(lacks)[0]]
        count = f"{int(lacks.sum()):,} of the {int(expected[which]):,} predictions that others have"
        such = f"such as {_unit(rows, example)} ({rows.place(example)})"
        mend = "predict all on the same instances and folds"
        mend += ", or say 'pairing: unpaired'" if paired else ""
        return _of(rows, f"{_model(rows, row)} lacks {count}, {such}; {mend}")

    return at_rows(np.flatnonzero(found < expected), say)


def both_classes_in_folds(rows: Rows) -> list[str]:
    """Find folds (or, where such folds are pooled, repeats) without positives or negatives."""
    if labels_known(rows):
        return []
    pool = rows.dataset.folds_without_a_class == "pool"
    names = ["repeat"] if pool else ["repeat", "fold"]
    if rows.dataset.pairing == "unpaired":
        names = ["model", *names]
    key = rows.key(names)
    positives, negatives = np.bincount(key, rows.labels), np.bincount(key, 1 - rows.labels)
    lacking, first = np.flatnonzero((positives == 0) | (negatives == 0)), first_rows(key)
    if not len(lacking):
        return []
    row, count = first[lacking[0]], len(lacking)
    fold = ", ".join(f"{name} {rows.text(name, row)}" for name in names)
    lacks = "positives" if positives[lacking[0]] == 0 else "negatives"
    found = f"{fold} has no {lacks} (first in {rows.place(row)})"
    if count > 1:
        found += f", nor have {count - 1:,} more of {len(first):,} both classes"
    unit = first_rows(rows.key((*names, "instance")))
    alone = bool((np.bincount(key[unit]) == 1).all())
    return [_of(rows, f"{found}; {_with_both_classes(pool=pool, alone=alone)}")]


def _with_both_classes(*, pool: bool, alone: bool) -> str:
    """Say what helps where folds, or repeats, lack a class; `alone`: each has one instance."""
    if pool:
        return "pooling its folds leaves it without that class; leave such repeats out"
    say = "say 'folds_without_a_class: pool' in a configuration to pool the folds of such a repeat"
    if alone:
        return f"with one instance in each fold (leave-one-out) none can have both: {say}"
    return f"make stratified folds, or {say}"


def _of(rows: Rows, message: str) -> str:
    return f"dataset {quoted(rows.dataset.name)}: {message}"


def _model(rows: Rows, row: int) -> str:
    member = rows.frame["member"].iloc[row]
    return f"model {rows.text('model', row)}" + (f", member {quoted(member)}" if member else "")


def _unit(rows: Rows, row: int) -> str:
    repeat, fold, instance = (rows.text(name, row) for name in UNIT)
    return f"instance {instance} in repeat {repeat}, fold {fold}"


CHECKS: tuple[Callable[[Rows], list[str]], ...] = (
    names_usable,
    names_different,
    labels_known,
    decisions_known,
    scores_or_decisions,
    members_whole,
    train_pc_of_members,
    *COST_CHECKS,
    predicted_once,
    in_one_fold,
    one_label_each,
    same_instances,
    both_classes_in_folds,
)
