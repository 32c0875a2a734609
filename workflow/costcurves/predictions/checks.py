"""Checks of predictions: each finds the rows of which something is wrong, and says what to do.

Costs that a file gives are checked wherever they are; what only weighing by cost needs, where there
is `costs:`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import pandas as pd

from costcurves.maths.costs.decision_costs import NEARLY
from costcurves.names import (
    BLANK,
    DECEIVING,
    LONGEST_NAME,
    quoted,
    some,
    twins,
    unusable,
)
from costcurves.predictions.rows import COSTS, MOST_SEGMENTS, PREDICTOR, UNIT, UNKNOWN, Rows
from costcurves.predictions.sources import at_rows
from costcurves.settings import BASELINES, SEGMENT
from costcurves.tables.codes import first_rows

LARGEST_RATIO: Final = 1e9  # of two weights: beyond it the smaller one is lost
LARGEST: Final = 1e300  # the costs of any number of cases can still be added up and averaged
OURS: Final = "is the name of a no-model baseline: leave it out, as all have those, or rename it"
SIMILAR: Final = "they differ only in spaces, invisible characters or the Unicode form of a letter"
CLASSES: Final = ((0, "negatives"), (1, "positives"))
# How many of something a dataset may have, and what to do.
MOST: Final = (
    ("models", 1_000, ("model",), "name those to compare ('models:' in a configuration)"),
    ("members", 10_000, PREDICTOR, "leave some out, or name fewer models ('models:')"),
    ("folds", 50_000, ("repeat", "fold"), "pool them: leave the column 'fold' out"),
)


def check_sizes(rows: Rows) -> Iterator[str]:
    """Find more models, members or folds than can be looked at one by one."""
    for what, most, names, mend in MOST:
        number = int(rows.key(names).max()) + 1
        if number > most:
            yield f"{rows.title}: has {number:,} {what}, expected at most {most:,}; {mend}"


def check_rows(rows: Rows) -> Iterator[str]:
    """Find all that is wrong with the rows of a dataset."""
    for name in (*PREDICTOR, *UNIT, "cluster", "label"):
        yield from names_usable(rows, name)
    for name in ("model", "member", "repeat", "fold"):
        yield from names_different(rows, name)
    unknown = list(labels_known(rows))
    yield from unknown
    decisions = rows.given("decision")
    outside = decisions & (rows.decisions == UNKNOWN)
    if not unknown:
        labels = f"expected what labels are: {some(rows.values('label'))}"
        yield from rows.at_first(
            "decision",
            outside,
            lambda row: f"decision is {rows.text('decision', row)}; {labels}",
        )
    without = ~rows.in_some(rows.given("score") | decisions)
    yield from rows.at_first(
        "model", without, lambda row: f"{rows.model(row)} has neither scores nor decisions"
    )
    for name in ("score", "decision", "member"):
        yield from given_throughout(rows, name)
    yield from train_pc_of_members(rows)
    for name in COSTS:
        yield from in_range(rows, name)
        yield from one_number_each(rows, name)
    yield from weights_known(rows)
    if rows.dataset.costs is not None:
        yield from costs_known(rows)
    first = rows.first((*PREDICTOR, *UNIT))
    yield from rows.at(
        rows.again,
        lambda row: (
            f"{rows.model(row)} predicts {rows.unit(row)} again, first in {rows.place(first[row])}"
        ),
    )
    yield from one_each(rows, "fold", (*PREDICTOR, "repeat", "instance"))
    yield from one_each(rows, "label", ["instance"])
    clusters = rows.given("cluster")
    yield from (
        one_each(rows, "cluster", ["instance"]) if clusters.all() else lacking(rows, "cluster")
    )
    for name in rows.segments:
        yield from segments_known(rows, name)
    yield from probabilities_of_classes(rows)
    yield from few_are_cheaper(rows)
    yield from same_cases(rows)
    if not unknown:
        yield from both_classes(rows)


def names_usable(rows: Rows, name: str) -> Iterator[str]:
    """Find names that are blank, too long, a baseline's, or hold characters that deceive."""
    names = rows.frame[name].cat.categories
    if names.dtype.kind in "biu":
        return
    wrong = (names.str.len() > LONGEST_NAME) | names.str.contains(f"{BLANK}|{DECEIVING}")
    if name in ("member", "label", "cluster", *rows.segments):
        wrong &= names != ""
    wrong |= names.isin(BASELINES) & (name == "model")
    codes = rows.codes(name)
    yield from rows.at_first(
        name,
        np.asarray(wrong)[codes],
        lambda row: f"{name} {rows.text(name, row)} {unusable(names[codes[row]]) or OURS}",
    )


def names_different(rows: Rows, name: str) -> Iterator[str]:
    """Find names that are different and look the same."""
    values, places = rows.values(name), first_rows(rows.codes(name))
    for first, second in twins(values):
        here, there = (rows.place(places[values.index(value)]) for value in (second, first))
        yield f"{here}: {name} {quoted(second)} looks like {quoted(first)} in {there}; {SIMILAR}"


def labels_known(rows: Rows) -> Iterator[str]:
    """Find labels that are in neither class, and data with one class only."""
    given, dataset = [label for label in rows.values("label") if label], rows.dataset
    positive = dataset.positive
    if positive is not None and positive not in given:
        key = "positive:" if dataset.classes is None else "classes:"
        yield f"{rows.title}: no label is {positive!r} ({key!r}); labels are {some(given)}"
        return
    if len({rows.classes.get(label) for label in given}) == 1 and given[0] in rows.classes:
        which = CLASSES[rows.classes[given[0]]][1].removesuffix("s")
        yield f"{rows.title}: all labels are {which} ({some(given)}); costs need both classes"
    why = f"expected one of {some(given)}"
    if dataset.classes is not None:
        why = f"expected one of the classes {some(dataset.classes)} ('classes:')"
    elif len(given) > 2:
        why = f"labels are {some(given)}; {of_several(given)}"
    elif positive is None:
        mend = "say which is positive ('positive:' or --positive)"
        why = f"expected 0 or 1, true or false; found {some(given)}: {mend}"
    outside = (rows.labels == UNKNOWN) & rows.given("label")
    yield from rows.at_first(
        "label", outside, lambda row: f"label is {rows.text('label', row)}; {why}"
    )


def of_several(labels: Sequence[str]) -> str:
    """Say how to go on with labels of more than two classes."""
    rest = "--positive LABEL --classes rest takes one against the rest"
    columns = "each takes a column with its scores (--column score_LABEL=NAME, or 'classes:')"
    return f"these are {len(labels)} classes: {rest}; else {columns}"


def given_throughout(rows: Rows, name: str) -> list[str]:
    """Find the rows that lack what other rows of their model have."""
    given = rows.given(name)
    why = f"has no {name} here, but has one elsewhere; expected one in each of its rows, or in none"
    return rows.at(rows.in_some(given) & ~given, lambda row: f"{rows.model(row)} {why}")


def train_pc_of_members(rows: Rows) -> Iterator[str]:
    """Find members with two values of `train_pc` in a fold, with none in some, or beyond a PC(+).

    It may differ between folds, as the proportions of their training sets do.
    """
    values = rows.frame["train_pc"].to_numpy()
    yield from rows.at(
        (values < 0) | (values > 1),
        lambda row: f"train_pc is {values[row]}, expected 0 to 1 (a PC(+))",
    )
    if np.isnan(values).all():
        return
    lacks, member = np.isnan(values), rows.first(PREDICTOR)
    first = np.where(lacks != lacks[member], member, rows.first((*PREDICTOR, "repeat", "fold")))
    codes = pd.factorize(values)[0]
    yield from rows.at(
        codes != codes[first],
        lambda row: (
            f"train_pc is {number(values[row])}, but {number(values[first[row]])} in "
            f"{rows.place(first[row])} for the same {rows.model(row)}; give one in each fold, or "
            "leave the column out"
        ),
    )


def in_range(rows: Rows, name: str) -> list[str]:
    """Find costs or weights below 0, unless benefits say so, or too large to be added up."""
    costs, x = (rows.frame[it].to_numpy(np.float64) for it in (name, "amount"))
    least = -LARGEST if name in COSTS and rows.cheaper is not None else 0
    expected = {True: "at least 0", False: f"at most {LARGEST:g}"}
    return rows.at(
        (costs < least) | (costs > LARGEST),
        lambda row: (
            f"{name} is {costs[row]}{'' if np.isnan(x[row]) else f' (x is {x[row]})'} for "
            f"instance {rows.text('instance', row)}, expected {expected[costs[row] < 0]}"
        ),
    )


def one_number_each(rows: Rows, name: str) -> list[str]:
    """Find cases whose numbers differ between rows."""
    numbers = rows.frame[name].to_numpy(np.float64)
    if np.isnan(numbers).all():
        return []
    differ, first = rows.differing(pd.factorize(numbers)[0], ["instance"])
    return rows.at(
        differ,
        lambda row: (
            f"{name} of instance {rows.text('instance', row)} is {number(numbers[row])}, "
            f"but {number(numbers[first[row]])} in {rows.place(first[row])}; expected one for each "
            "instance"
        ),
    )


def number(value: float) -> str:
    """Write a number that may be missing."""
    return "missing" if np.isnan(value) else str(value)


def weights_known(rows: Rows) -> Iterator[str]:
    """Find weights of cases that are missing, negative, too unequal, or say the class alone."""
    weight = rows.frame["weight"].to_numpy(np.float64)
    if np.isnan(weight).any():
        yield from lacking(rows, "weight")
        return
    wrong = [*in_range(rows, "weight"), *one_number_each(rows, "weight")]
    each = [np.unique(weight[rows.labels == label]) for label, _ in CLASSES]
    for (_, word), own in zip(CLASSES, each, strict=True):
        if len(own) and not own.any():
            wrong.append(f"{rows.title}: the weights of all {word} are 0; expected one above 0")
    yield from wrong
    above = weight[weight > 0]
    if wrong:
        return
    if above.max() > LARGEST_RATIO * above.min():
        why = f"go from {above.min():g} to {above.max():g}, a factor of more than {LARGEST_RATIO:g}"
        yield f"{rows.title}: weights {why}: of so unequal cases one decides all; are they weights?"
    elif [len(own) for own in each] == [1, 1] and each[0] != each[1]:
        why = f"each negative weighs {each[0][0]:g} and each positive {each[1][0]:g}: a balance of"
        mend = "Leave them out, and say the share of positives in use ('prior:')"
        yield f"{rows.title}: {why} classes, not weights of cases. {mend}"


def lacking(rows: Rows, name: str) -> Iterator[str]:
    """Find rows without a value in a column that other rows have; nothing where none has one."""
    given = rows.given(name)
    if given.any():
        where = f"{rows.place(int(np.argmin(given)))}: {name} is empty"
        mend = "name one in each row, or leave the column out"
        yield f"{where}; {rows.cases(~given)} have none; {mend}"


def costs_known(rows: Rows) -> Iterator[str]:
    """Find cases without a cost of their own class, and folds of which a class costs nothing."""
    column = rows.dataset.costs.column if rows.dataset.costs else None
    first = np.zeros(len(rows.frame), np.bool_)
    first[first_rows(rows.key(["instance"]))] = True
    unknown, names = np.isnan(rows.costs), folds_of(rows)
    key = rows.key(names)
    folds = first_rows(key)
    for label, word in CLASSES:
        own = rows.labels == label
        what = f"which is {word.removesuffix('s')}; expected a number in each row"
        yield from rows.at(
            first & unknown & own,
            lambda row, name=column or COSTS[label], what=what: (
                f"{name} is missing for instance "  # type: ignore[misc]
                f"{rows.text('instance', row)}, {what}, as the dataset has 'costs:'"
            ),
        )
        known = own & ~unknown
        given = np.bincount(key[known], minlength=len(folds))
        paid = np.bincount(key[known], rows.costs[known] != 0, minlength=len(folds))
        yield from at_rows(
            folds[(given > 0) & (paid == 0)],
            lambda row, word=word: (
                f"{rows.title}: {rows.named(names, row)}: the costs of all "  # type: ignore[misc]
                f"{word} are 0 (first in {rows.place(row)}); expected a cost above 0 in each class"
            ),
        )


def one_each(rows: Rows, name: str, unit: Sequence[str]) -> list[str]:
    """Find cases in two folds, clusters or segments; what a row does not say, others may."""
    if len(rows.values(name)) == 1:
        return []
    label = name == "label"
    among, codes = rows.given(name), rows.labels if label else rows.codes(name)
    if label:
        among = among & (codes != UNKNOWN)
    differ, first = rows.differing(codes, unit, None if among.all() else among)
    verb = "is in" if name == "fold" else "has" if label else "is of"
    end = "; expected one fold in each repeat" if name == "fold" else ""
    case = rows.unit if end else rows.case
    return rows.at(
        differ,
        lambda row: (
            f"{case(row)} {verb} {name.replace('_', ' ', 1)} {rows.text(name, row)}, "
            f"but {rows.text(name, first[row])} in {rows.place(first[row])}{end}"
        ),
    )


def segments_known(rows: Rows, name: str) -> Iterator[str]:
    """Find cases of two segments, and columns that do not divide the cases into a few."""
    yield from names_usable(rows, name)
    yield from one_each(rows, name, ["instance"])
    size, own = rows.divided(name), name.removeprefix(SEGMENT)
    where = f"{rows.title}: segments by {quoted(own)}"
    if why := unusable(own):
        yield f"{where}: the name {why}"
    if not 2 <= size <= MOST_SEGMENTS:
        mend = "give ranges or groups in place of single values, or leave it out ('segments:')"
        yield f"{where} are {size:,}, expected 2 to {MOST_SEGMENTS}; {mend}"


def probabilities_of_classes(rows: Rows) -> Iterator[str]:
    """Find rows whose scores are no probabilities, where a matrix decides by those."""
    names = [*rows.dataset.matrix_scores]
    if names and rows.values("member") != [""]:
        yield f"{rows.title}: 'cost_matrix:' judges models; leave out families of members"
    elif names:
        p = rows.frame[names].to_numpy(np.float64)
        wrong = ~((p >= 0) & (p <= 1)).all(axis=1) | ~(np.abs(p.sum(axis=1) - 1) <= NEARLY)
        yield from rows.at(
            wrong,
            lambda row: (
                f"{rows.model(row)}: the scores of all classes are "
                f"{', '.join(f'{score:g}' for score in p[row])}; 'cost_matrix:' decides by "
                "probabilities that add up to 1, within 0.01"
            ),
        )


def few_are_cheaper(rows: Rows) -> Iterator[str]:
    """Find benefits by which a mistake on most cases of a class brings more than being right."""
    cheaper = rows.cheaper
    if cheaper is None or not cheaper.any():
        return
    for label, word in CLASSES:
        own = rows.labels == label
        if 2 * np.count_nonzero(cheaper & own) > np.count_nonzero(own):
            cases = f"{rows.cases(cheaper & own, own)} of the {word} a mistake brings more than"
            mend = "the right decision; a cost is a negative benefit: are the signs right?"
            yield f"{rows.title}: by 'costs: benefit:' for {cases} {mend}"
            return
    if rows.dataset.prior is not None:
        why = f"for {rows.cases(cheaper)} a mistake brings more than the right decision"
        mend = "so that classes by cost have other shares; leave out 'prior:'"
        yield f"{rows.title}: {why}, {mend}"


def same_cases(rows: Rows) -> list[str]:
    """Find models, and members of a family, not predicted on the cases that others are.

    Paired, all models are compared with each other; unpaired, only the members of each family.
    """
    paired = rows.dataset.pairing == "paired"
    group = np.zeros(len(rows.frame), dtype=np.int8) if paired else rows.codes("model")
    unit = rows.key(UNIT if paired else ("model", *UNIT))
    predictor = rows.key(PREDICTOR)
    unit_rows, predictor_rows = first_rows(unit), first_rows(predictor)
    expected = np.bincount(group[unit_rows])[group[predictor_rows]]
    size = np.bincount(predictor) - np.bincount(predictor[rows.again], minlength=len(expected))
    mend = "predict all on the same instances and folds"
    mend += ", or say 'pairing: unpaired' (--unpaired)" if paired else ""

    def message(which: int) -> str:
        row = predictor_rows[which]
        lacks = group[unit_rows] == group[row]
        lacks[unit[predictor == which]] = False
        example = unit_rows[np.flatnonzero(lacks)[0]]
        those = f"{int(lacks.sum()):,} of the {int(expected[which]):,} predictions that others have"
        such = f"such as {rows.unit(example)} ({rows.place(example)})"
        return f"{rows.title}: {rows.model(row)} lacks {those}, {such}; {mend}"

    return at_rows(np.flatnonzero(size < expected), message)


def both_classes(rows: Rows) -> Iterator[str]:
    """Find folds (or, where such folds are pooled, repeats) without positives or negatives."""
    names = folds_of(rows)
    if rows.dataset.pairing == "unpaired":
        names = ["model", *names]
    key = rows.key(names)
    counts = [np.bincount(key[rows.labels == it], minlength=int(key.max()) + 1) for it in (1, 0)]
    wrong, first = np.flatnonzero(np.min(counts, axis=0) == 0), first_rows(key)
    if not len(wrong):
        return
    row, size = first[wrong[0]], len(wrong)
    lacks = "positives" if counts[0][wrong[0]] == 0 else "negatives"
    what = f"{rows.named(names, row)} has no {lacks} (first in {rows.place(row)})"
    what += f", nor have {size - 1:,} more of {len(first):,} both classes" if size > 1 else ""
    unit = first_rows(rows.key((*names, "instance")))
    pool = "say 'folds_without_a_class: pool' in a configuration to pool the folds of such a repeat"
    clusters = rows.given("cluster").any()
    whole = "folds of whole clusters (StratifiedGroupKFold)" if clusters else "folds"
    mend = f"make stratified {whole}, or {pool}"
    if rows.dataset.folds_without_a_class == "pool":
        mend = "pooling its folds leaves it without that class; leave such repeats out"
    elif (np.bincount(key[unit]) == 1).all():
        mend = f"with one instance in each fold (leave-one-out) none can have both: {pool}"
    yield f"{rows.title}: {what}; {mend}"


def folds_of(rows: Rows) -> list[str]:
    """Return the columns that tell folds apart or, where they are pooled for a class, repeats."""
    return ["repeat"] if rows.dataset.folds_without_a_class == "pool" else ["repeat", "fold"]
