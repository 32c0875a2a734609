"""Checks of predictions: each looks for one thing and names every row that has it.

Costs that a file gives are checked wherever they are; what only weighing by cost needs, where there
is `costs:`.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.costs.decision_costs import NEARLY
from costcurves.names import BLANK, DECEIVING, quoted, some, twins, unusable
from costcurves.settings import SEGMENT
from costcurves.tables.codes import first_rows
from costcurves.tables.input.headers import COSTS, several
from costcurves.tables.input.rows import MOST_SEGMENTS, PREDICTOR, UNIT, UNKNOWN, Rows
from costcurves.tables.input.sources import at_rows
from costcurves.tables.keys import ALWAYS
from costcurves.tables.reading_limits import LONGEST_NAME, crowd_findings

LARGEST_RATIO = 1e9  # of two weights: beyond it the smaller one is lost
OURS = "is the name of a no-model baseline: leave it out, as all have those anyway, or rename it"
LARGEST = 1e300  # the costs of any number of instances can still be added up and averaged


def too_many(rows: Rows) -> list[str]:
    """Find more models, members or folds than can be looked at one by one."""
    counts = {"models": ("model",), "members": PREDICTOR, "folds": ("repeat", "fold")}
    found = {what: int(rows.key(names).max()) + 1 for what, names in counts.items()}
    return [_of(rows, why) for why in crowd_findings(found)]


def names_usable(rows: Rows, name: str) -> list[str]:
    """Find names that are blank, too long, a baseline's, or hold characters that deceive."""
    names = rows.frame[name].cat.categories
    if names.dtype.kind in "biu":
        return []
    wrong = (names.str.len() > LONGEST_NAME) | names.str.contains(f"{BLANK}|{DECEIVING}")
    if name in ("member", "label", "cluster", *rows.segments):
        wrong &= names != ""
    wrong |= names.isin(ALWAYS) & (name == "model")
    if not wrong.any():
        return []
    return rows.at(
        first_rows(rows.codes(name))[np.flatnonzero(wrong)],
        lambda row: f"{name} {rows.text(name, row)} {unusable(rows.frame[name].iloc[row]) or OURS}",
    )


def names_different(rows: Rows) -> list[str]:
    """Find names that are different and look the same."""
    found = []
    for name in ("model", "member", "repeat", "fold"):
        values = rows.values(name)
        for one, other in twins(values):
            first = first_rows(rows.codes(name))
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
    blank = (rows.frame["label"] == "").to_numpy()
    outside = np.flatnonzero((rows.labels == UNKNOWN) & ~blank)
    found = _unlabelled(rows, blank)
    if not (len(outside) or found):
        if len({rows.classes[label] for label in given}) > 1:
            return []
        which = "positive" if rows.classes[given[0]] else "negative"
        return [_of(rows, f"all labels are {which} ({some(given)}); costs need both classes")]
    if positive is None and len(given) > 2:
        why = f"labels are {some(given)}; {several(given)}"
    elif positive is None:
        mend = f"for other labels say which is positive ('positive:'); found {some(given)}"
        why = f"expected 0 or 1, true or false; {mend}"
    elif rows.dataset.classes is not None:
        why = f"expected one of the classes {some(rows.dataset.classes)} ('classes:')"
    elif len(given) > 2:
        why = f"expected {positive!r} and one other, found {some(given)}; {several(given)}"
    else:
        why = f"expected one of {some(given)}"
    own = rows.at_first("label", outside, lambda row: f"label is {rows.text('label', row)}; {why}")
    return [*found, *own]


def _unlabelled(rows: Rows, blank: NDArray[np.bool_]) -> list[str]:
    """Find rows without a label, and say how to go on without them."""
    if not blank.any():
        return []
    where = f"{rows.place(int(blank.argmax()))}: label is empty"
    mend = "'missing_labels: drop' (--missing-labels drop) leaves them out"
    return [f"{where}; {rows.cases(blank)} have no label; if they are not known yet, {mend}"]


def decisions_known(rows: Rows) -> list[str]:
    """Find decisions that are none of the two classes."""
    if labels_known(rows):
        return []
    outside = np.flatnonzero(_given(rows, "decision") & (rows.decisions == UNKNOWN))
    why = f"expected what labels are: {some(rows.values('label'))}"
    return rows.at_first(
        "decision", outside, lambda row: f"decision is {rows.text('decision', row)}; {why}"
    )


def predicted(rows: Rows) -> list[str]:
    """Find models with neither scores nor decisions."""
    without = ~_in_some(rows, _given(rows, "score") | _given(rows, "decision"))
    why = "has neither scores nor decisions"
    return rows.at_first("model", np.flatnonzero(without), lambda row: f"{_model(rows, row)} {why}")


def given_throughout(rows: Rows, name: str) -> list[str]:
    """Find the rows that lack what other rows of their model have."""
    given = _given(rows, name)
    if given.all() or not given.any():
        return []
    why = f"has no {name} here, but has one elsewhere; expected one in each of its rows, or in none"
    if name != "member":
        why += ". Does it abstain? Say what such cases count as: 'abstain: negative' or 'positive' "
        why += "(--abstain negative)"
    return rows.at(
        np.flatnonzero(_in_some(rows, given) & ~given),
        lambda row: f"model {rows.text('model', row)} {why}",
    )


def abstentions(rows: Rows) -> NDArray[np.bool_]:
    """Say of each row whether it lacks the score or decision that other rows of its model have."""
    each = [_given(rows, name) for name in ("score", "decision")]
    lacking = [~given & _in_some(rows, given) for given in each]
    return np.asarray(lacking[0] | lacking[1], dtype=np.bool_)


def _given(rows: Rows, name: str) -> NDArray[np.bool_]:
    """Say of each row whether it has a value in a column."""
    values = rows.frame[name]
    return np.asarray(values.notna() if name == "score" else values != "", dtype=np.bool_)


def _in_some(rows: Rows, given: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say of each row whether some row of its model is given."""
    models, some = rows.codes("model"), np.zeros(len(rows.values("model")), dtype=np.bool_)
    some[models[given]] = True
    return some[models]


def train_pc_of_members(rows: Rows) -> list[str]:
    """Find members with two values of `train_pc` in a fold, with none in some, or beyond a PC(+).

    It may differ between folds, as the proportions of their training sets do.
    """
    values, lacks = rows.frame["train_pc"].to_numpy(), rows.frame["train_pc"].isna().to_numpy()
    if lacks.all():
        return []
    found = rows.at(
        np.flatnonzero((values < 0) | (values > 1)),
        lambda row: f"train_pc is {values[row]}, expected 0 to 1 (a PC(+))",
    )
    member, fold = rows.first(PREDICTOR), rows.first((*PREDICTOR, "repeat", "fold"))
    first = np.where(lacks != lacks[member], member, fold)

    def say(row: int) -> str:
        here, there = ("missing" if np.isnan(it) else f"{it}" for it in values[[row, first[row]]])
        where = f"train_pc is {here}, but {there} in {rows.place(first[row])}"
        mend = "give one in each fold, or leave the column out"
        return f"{where} for the same {_model(rows, row)}; {mend}"

    codes = pd.factorize(values)[0]
    return found + rows.at(np.flatnonzero(codes != codes[first]), say)


def costs_in_range(rows: Rows, name: str) -> list[str]:
    """Find costs of a mistake below 0, unless benefits say so, or too large to be added up."""
    costs, amounts = (rows.frame[it].to_numpy(np.float64) for it in (name, "amount"))

    def say(row: int) -> str:
        why = "" if np.isnan(amounts[row]) else f" (x is {amounts[row]})"
        expected = "at least 0" if costs[row] < 0 else f"at most {LARGEST:g}"
        of = f"for instance {rows.text('instance', row)}"
        return f"{name} is {costs[row]}{why} {of}, expected {expected}"

    least = -LARGEST if name in COSTS and rows.cheaper is not None else 0
    return rows.at(np.flatnonzero((costs < least) | (costs > LARGEST)), say)


def probabilities_of_classes(rows: Rows) -> list[str]:
    """Find rows whose scores are no probabilities, where a matrix decides by those."""
    names = [*rows.dataset.matrix_scores]
    if not names:
        return []
    if len(rows.values("member")) > 1 or rows.values("member") != [""]:
        return [_of(rows, "'cost_matrix:' judges models; leave out families of members")]
    p = rows.frame[names].to_numpy(np.float64)
    wrong = ~((p >= 0) & (p <= 1)).all(axis=1) | ~(np.abs(p.sum(axis=1) - 1) <= NEARLY)

    def say(row: int) -> str:
        found = ", ".join(f"{one:g}" for one in p[row])
        what = f"model {rows.text('model', row)}: the scores of all classes are {found}"
        return f"{what}; 'cost_matrix:' decides by probabilities that add up to 1, within 0.01"

    return rows.at(np.flatnonzero(wrong), say)


def few_are_cheaper(rows: Rows) -> list[str]:
    """Find benefits by which a mistake on most cases of a class brings more than being right."""
    if rows.cheaper is None or not rows.cheaper.any():
        return []
    for value, word in ((1, "positives"), (0, "negatives")):
        own = rows.labels == value
        if 2 * np.count_nonzero(rows.cheaper & own) > np.count_nonzero(own):
            of = f"{rows.cases(rows.cheaper & own, own)} of the {word} a mistake brings more than"
            mend = "the right decision; a cost is a negative benefit: are the signs right?"
            return [_of(rows, f"by 'costs: benefit:' for {of} {mend}")]
    if rows.dataset.prior is None:
        return []
    why = f"for {rows.cases(rows.cheaper)} a mistake brings more than the right decision"
    return [_of(rows, f"{why}, so that classes by cost have other shares; leave out 'prior:'")]


def costs_agree(rows: Rows, name: str) -> list[str]:
    """Find instances whose costs differ between rows."""
    costs = rows.frame[name].to_numpy(np.float64)
    if np.isnan(costs).all():
        return []
    found, first = rows.differing(pd.factorize(costs)[0], ["instance"])

    def say(row: int) -> str:
        ends = (costs[row], costs[first[row]])
        here, there = ("missing" if np.isnan(cost) else str(cost) for cost in ends)
        where = f"{name} of instance {rows.text('instance', row)} is {here}, but {there}"
        return f"{where} in {rows.place(first[row])}; expected one for each instance"

    return rows.at(found, say)


def weights_known(rows: Rows) -> list[str]:
    """Find weights of cases that are missing, negative, too unequal, or say the class alone."""
    weight = rows.frame["weight"].to_numpy(np.float64)
    if np.isnan(weight).any():
        return _lacking(rows, "weight", ~np.isnan(weight))
    if found := costs_in_range(rows, "weight") or costs_agree(rows, "weight"):
        return found
    above, each = weight[weight > 0], [np.unique(weight[rows.labels == it]) for it in (0, 1)]
    for own, word in zip(each, ("negatives", "positives"), strict=True):
        if len(own) and not own.any():
            return [_of(rows, f"the weights of all {word} are 0; expected one above 0")]
    if above.max() > LARGEST_RATIO * above.min():
        why = f"weights go from {above.min():g} to {above.max():g}, a factor of more than"
        mend = f"{LARGEST_RATIO:g}: of so unequal cases one decides all; are they weights?"
        return [_of(rows, f"{why} {mend}")]
    if [len(own) for own in each] == [1, 1] and each[0] != each[1]:
        why = f"each negative weighs {each[0][0]:g} and each positive {each[1][0]:g}: a balance of"
        mend = (
            "classes, not weights of cases. Leave them out, and say the share of positives in use"
        )
        return [_of(rows, f"{why} {mend} ('prior:')")]
    return []


def _lacking(rows: Rows, name: str, given: NDArray[np.bool_]) -> list[str]:
    """Find rows without a value in a column that other rows have; nothing where none has one."""
    if not given.any():
        return []
    where = f"{rows.place(int(np.argmin(given)))}: {name} is empty"
    mend = "name one in each row, or leave the column out"
    return [f"{where}; {rows.cases(~given)} have none; {mend}"]


def costs_given(rows: Rows) -> list[str]:
    """Find instances without a cost of their own class, where instances are to count by cost."""
    costs = rows.dataset.costs
    if costs is None:
        return []

    def say(row: int) -> str:
        name, word = COSTS[rows.labels[row]], ("negative", "positive")[rows.labels[row]]
        lacks = f"{costs.column or name} is missing for instance {rows.text('instance', row)}"
        why = "expected a number in each row, as the dataset has 'costs:'"
        return f"{lacks}, which is {word}; {why}"

    first = first_rows(rows.key(["instance"]))
    lacks = [first[(np.isnan(rows.costs) & (rows.labels == label))[first]] for label in (0, 1)]
    return [finding for these in lacks for finding in rows.at(these, say)]


def costs_not_all_zero(rows: Rows, label: int, word: str) -> list[str]:
    """Find folds (or, where such folds are pooled, repeats) of which a class costs nothing."""
    if rows.dataset.costs is None:
        return []
    names = _folds(rows)
    key = rows.key(names)
    first = first_rows(key)
    own = (rows.labels == label) & ~np.isnan(rows.costs)
    given = np.bincount(key[own], minlength=len(first))
    paid = np.bincount(key[own], rows.costs[own] != 0, minlength=len(first))

    def say(row: int) -> str:
        what = f"{_named(rows, names, row)}: the costs of all {word} are 0"
        where = f"{what} (first in {rows.place(row)})"
        return _of(rows, f"{where}; expected a cost above 0 in each class")

    return at_rows(first[(given > 0) & (paid == 0)], say)


def predicted_once(rows: Rows) -> list[str]:
    """Find rows that repeat a (model, member, repeat, fold, instance)."""
    if not rows.again.any():
        return []
    first = rows.first((*PREDICTOR, *UNIT))

    def say(row: int) -> str:
        again = f"{_model(rows, row)} predicts {_unit(rows, row)} again"
        return f"{again}, first in {rows.place(first[row])}"

    return rows.at(np.flatnonzero(rows.again), say)


def in_one_fold(rows: Rows) -> list[str]:
    """Find instances that a model predicts in two folds of one repeat."""
    if len(rows.values("fold")) == 1:
        return []
    found, first = rows.differing(rows.codes("fold"), (*PREDICTOR, "repeat", "instance"))

    def say(row: int) -> str:
        other = f"is in fold {rows.text('fold', first[row])} too, in {rows.place(first[row])}"
        return f"{_unit(rows, row)} {other}; expected one fold in each repeat"

    return rows.at(found, say)


def one_label_each(rows: Rows) -> list[str]:
    """Find instances whose label differs between rows."""
    labels = rows.labels
    found, first = rows.differing(labels, ["instance"])
    known = np.minimum(labels[found], labels[first[found]]) >= 0

    def say(row: int) -> str:
        own = f"instance {rows.text('instance', row)} has label {rows.text('label', row)}"
        return f"{own}, but {rows.text('label', first[row])} in {rows.place(first[row])}"

    return rows.at(found[known], say)


def clusters_known(rows: Rows) -> list[str]:
    """Find rows without a cluster where others have one, and cases of two clusters."""
    given = _given(rows, "cluster")
    return _one_each(rows, "cluster") if given.all() else _lacking(rows, "cluster", given)


def segments_known(rows: Rows) -> list[str]:
    """Find cases of two segments, and columns that do not divide the cases into a few."""
    found = []
    for name in rows.segments:
        found += [*names_usable(rows, name), *_one_each(rows, name)]
        count, own = rows.divided(name), name.removeprefix(SEGMENT)
        if unusable(own):
            found.append(_of(rows, f"segments by {quoted(own)}: the name {unusable(own)}"))
        if not 2 <= count <= MOST_SEGMENTS:
            mend = "give ranges or groups in place of single values, or leave it out ('segments:')"
            expected = f"expected 2 to {MOST_SEGMENTS}; {mend}"
            found.append(_of(rows, f"segments by {quoted(own)} are {count:,}, {expected}"))
    return found


def _one_each(rows: Rows, name: str) -> list[str]:
    """Find cases that are of two clusters, or segments; what a row does not say, others may."""
    said, codes = _given(rows, name), rows.codes(name)
    case = rows.key(["instance"])
    first = np.full(case.max() + 1, -1)
    first[case[said][::-1]] = np.flatnonzero(said)[::-1]
    found = np.flatnonzero(said & (codes != codes[first[case]]))

    def say(row: int) -> str:
        of = name.replace("_", " ", 1)
        own = f"instance {rows.text('instance', row)} is of {of} {rows.text(name, row)}"
        other = first[case[row]]
        return f"{own}, but of {rows.text(name, other)} in {rows.place(other)}"

    return rows.at(found, say)


def same_instances(rows: Rows) -> list[str]:
    """Find models, and members of a family, not predicted on the instances that others are.

    Paired, all models are held to each other; unpaired, only the members of each family.
    """
    paired = rows.dataset.pairing == "paired"
    group = np.zeros(len(rows.frame), dtype=np.int8) if paired else rows.codes("model")
    unit = rows.key(UNIT if paired else ("model", *UNIT))
    predictor = rows.key(PREDICTOR)
    unit_rows, predictor_rows = first_rows(unit), first_rows(predictor)
    expected = np.bincount(group[unit_rows])[group[predictor_rows]]
    found = np.bincount(predictor) - np.bincount(predictor[rows.again], minlength=len(expected))

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
    names = _folds(rows)
    if rows.dataset.pairing == "unpaired":
        names = ["model", *names]
    key = rows.key(names)
    both = [np.bincount(key[rows.labels == one], minlength=int(key.max()) + 1) for one in (1, 0)]
    lacking = np.flatnonzero(np.min(both, axis=0) == 0)
    if not len(lacking):
        return []
    first = first_rows(key)
    row, count = first[lacking[0]], len(lacking)
    lacks = "positives" if both[0][lacking[0]] == 0 else "negatives"
    found = f"{_named(rows, names, row)} has no {lacks} (first in {rows.place(row)})"
    if count > 1:
        found += f", nor have {count - 1:,} more of {len(first):,} both classes"
    unit, clusters = first_rows(rows.key((*names, "instance"))), _given(rows, "cluster").any()
    say = "say 'folds_without_a_class: pool' in a configuration to pool the folds of such a repeat"
    whole = "folds of whole clusters (StratifiedGroupKFold)" if clusters else "folds"
    mend = f"make stratified {whole}, or {say}"
    if rows.dataset.folds_without_a_class == "pool":
        mend = "pooling its folds leaves it without that class; leave such repeats out"
    elif (np.bincount(key[unit]) == 1).all():
        mend = f"with one instance in each fold (leave-one-out) none can have both: {say}"
    return [_of(rows, f"{found}; {mend}")]


def _folds(rows: Rows) -> list[str]:
    """Name the columns that tell folds apart or, where they are pooled for a class, repeats."""
    pool = rows.dataset.folds_without_a_class == "pool"
    return ["repeat"] if pool else ["repeat", "fold"]


def _named(rows: Rows, names: Sequence[str], row: int) -> str:
    return ", ".join(f"{name} {rows.text(name, row)}" for name in names)


def _of(rows: Rows, message: str) -> str:
    return f"dataset {quoted(rows.dataset.original)}: {message}"


def _model(rows: Rows, row: int) -> str:
    member = rows.frame["member"].iloc[row]
    return f"model {rows.text('model', row)}" + (f", member {quoted(member)}" if member else "")


def _unit(rows: Rows, row: int) -> str:
    return f"instance {rows.text('instance', row)} in {_named(rows, ('repeat', 'fold'), row)}"


CHECKS: tuple[Callable[[Rows], list[str]], ...] = (
    *(partial(names_usable, name=name) for name in (*PREDICTOR, *UNIT, "cluster", "label")),
    names_different,
    labels_known,
    decisions_known,
    partial(given_throughout, name="score"),
    partial(given_throughout, name="decision"),
    predicted,
    partial(given_throughout, name="member"),
    train_pc_of_members,
    *(partial(costs_in_range, name=name) for name in COSTS),
    *(partial(costs_agree, name=name) for name in COSTS),
    weights_known,
    costs_given,
    partial(costs_not_all_zero, label=0, word="negatives"),
    partial(costs_not_all_zero, label=1, word="positives"),
    predicted_once,
    in_one_fold,
    one_label_each,
    clusters_known,
    segments_known,
    probabilities_of_classes,
    few_are_cheaper,
    same_instances,
    both_classes_in_folds,
)
