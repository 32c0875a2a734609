"""Checks of predictions: each finds the rows of which something is wrong, and says what to do.

Costs that a file gives are checked wherever they are; what only weighing by cost needs, where there
is `costs:`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from costcurves.names import (
    BLANK,
    DECEIVING,
    LONGEST_NAME,
    quoted,
    some,
    twins,
    unusable,
)
from costcurves.predictions.rows import COSTS, NUMBERS, PREDICTOR, UNIT, UNKNOWN, Rows
from costcurves.settings import BASELINES
from costcurves.tables.codes import first_rows, follows

LARGEST: Final = 1e300  # the costs of any number of cases can still be added up and averaged
OURS: Final = "is the name of a no-model baseline: leave it out, as all have those, or rename it"
THROUGHOUT: Final = "but has one elsewhere; expected one in each of its rows, or in none"
CLASSES: Final = ((0, "negatives"), (1, "positives"))


def check_rows(rows: Rows) -> Iterator[str]:
    """Find all that is wrong with the rows of a dataset."""
    for name in (*PREDICTOR, *UNIT, "cluster", "label"):
        yield from names_usable(rows, name)
    for first, second in twins(rows.values("model")):
        yield f"{rows.title}: models {quoted(first)} and {quoted(second)} look alike; rename one"
    unknown = list(labels_known(rows))
    yield from unknown
    decided = rows.given("decision")
    if not unknown:
        text = "decision is {decision}; expected what labels are: {labels}"
        outside, labels = decided & (rows.decisions == UNKNOWN), some(rows.values("label"))
        yield from rows.at(outside, text, each="decision", labels=labels)
    without = ~rows.in_some(rows.given("score") | decided, ["model"])
    yield from rows.at(without, "{predictor} has neither scores nor decisions", each="model")
    for name in ("member", "train_pc"):
        given = rows.given(name)
        part = rows.in_some(given, PREDICTOR if name == "train_pc" else ["model"]) & ~given
        yield from rows.at(part, f"{{predictor}} has no {name} here, {THROUGHOUT}")
    train_pc = rows.frame["train_pc"].to_numpy()
    outside = (train_pc < 0) | (train_pc > 1)
    yield from rows.at(outside, "train_pc is {train_pc}, expected 0 to 1 (a PC(+))")
    unit = [*PREDICTOR, "repeat"]
    yield from one_each(rows, "train_pc", [*unit, "fold"], "{predictor}", "member and fold")
    for name in (*COSTS, "weight"):
        yield from in_range(rows, name)
        yield from one_each(rows, name, ["instance"])
    if rows.dataset.costs is not None:
        yield from costs_known(rows, rows.dataset.costs.column)
    key = rows.key((*PREDICTOR, *UNIT))
    text = "{predictor} predicts {unit} again, first in {earlier[place]}"
    yield from rows.at(rows.again, text, first_rows(key)[key])
    yield from one_each(rows, "fold", [*unit, "instance"], each="instance and repeat")
    for name in ("label", "cluster"):
        yield from one_each(rows, name, ["instance"])
    for name in ("cluster", "weight"):
        yield from lacking(rows, name)
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
    if name not in ("model", *UNIT):
        wrong &= names != ""
    wrong |= names.isin(BASELINES) & (name == "model")
    rows_of = np.asarray(wrong)[rows.codes(name)]
    why = unusable(str(rows.frame[name].iloc[int(rows_of.argmax())])) or OURS
    yield from rows.at(rows_of, f"{name} {{{name}}} {{why}}", each=name, why=why)


def labels_known(rows: Rows) -> Iterator[str]:
    """Find labels that are in no class, and data with one class only."""
    given, dataset = [label for label in rows.values("label") if label], rows.dataset
    positive = dataset.positive
    if positive is not None and positive not in given:
        key = "positive:" if dataset.classes is None else "classes:"
        yield f"{rows.title}: no label is {positive!r} ({key!r}); labels are {some(given)}"
        return
    if len({rows.classes.get(label) for label in given}) == 1:
        yield f"{rows.title}: all labels are of one class ({some(given)}); costs need both"
        return
    why = f"expected one of the classes {some(dataset.classes or given)} ('classes:')"
    outside = (rows.labels == UNKNOWN) & rows.given("label")
    yield from rows.at(outside, "label is {label}; {why}", each="label", why=why)


def one_each(
    rows: Rows, name: str, unit: Sequence[str], what: str = "{case}", each: str = "instance"
) -> list[str]:
    """Find units with two values of a column; what a row does not say, others may."""
    if not rows.given(name).any():
        return []
    values, among = rows.key([name]), rows.given(name) | (name in NUMBERS)
    if name == "label":
        values, among = rows.labels, rows.labels != UNKNOWN
    key = rows.key(unit)
    if among.all() and follows(values, key):  # which is quickly seen
        return []
    given = np.flatnonzero(among)[::-1]
    places = np.zeros(int(key.max()) + 1, np.int64)
    places[key[given]] = given
    first = places[key]
    text = f"{what} has {name} {{{name}}}, but {{earlier[{name}]}} in {{earlier[place]}}"
    text = f"{text}; expected one for each {each}"
    return rows.at((values != values[first]) & among, text, first)


def in_range(rows: Rows, name: str) -> Iterator[str]:
    """Find costs or weights below 0, unless benefits say so, or too large to be added up."""
    costs = rows.frame[name].to_numpy()
    low = costs < (-LARGEST if name in COSTS and rows.cheaper is not None else 0)
    text = f"{name} is {{{name}}} for {{case}}, expected"
    yield from rows.at(low, f"{text} at least 0")
    yield from rows.at(costs > LARGEST, f"{text} at most {LARGEST:g}")


def lacking(rows: Rows, name: str) -> list[str]:
    """Find rows without a value in a column that other rows have; nothing where none has one."""
    lacks = ~rows.given(name)
    if lacks.all():
        return []
    why = f"{rows.cases(lacks)} have none; name one in each row, or leave the column out"
    return rows.at(lacks, f"{name} is empty; {why}")


def costs_known(rows: Rows, column: str | None) -> Iterator[str]:
    """Find cases without a cost of their own class, and folds of which a class costs nothing."""
    known, names = ~np.isnan(rows.costs), folds_of(rows)
    first, first_of_fold = rows.firsts(["instance"]), rows.firsts(names)
    for label, word in CLASSES:
        of_class = rows.labels == label
        what = f"{column or COSTS[label]} is missing for {{case}}, which is {word[:-1]}"
        text = f"{what}; expected a number in each row, as the dataset has 'costs:'"
        yield from rows.at(first & ~known & of_class, text)
        given = of_class & known
        paid = rows.in_some(given & (rows.costs != 0), names)
        free = first_of_fold & rows.in_some(given, names) & ~paid
        text = f"{_where(names)}: the costs of all {word} are 0; expected a cost above 0 in each"
        yield from rows.at(free, f"{text} class")


def few_are_cheaper(rows: Rows) -> Iterator[str]:
    """Find benefits by which a mistake on most cases of a class brings more than being right."""
    cheaper = rows.cheaper
    if cheaper is None or not cheaper.any():
        return
    for label, word in CLASSES:
        of_class = rows.labels == label
        if 2 * np.count_nonzero(cheaper & of_class) > np.count_nonzero(of_class):
            cases = f"{rows.cases(cheaper & of_class, of_class)} of the {word} a mistake brings"
            mend = "the right decision; a cost is a negative benefit: are the signs right?"
            yield f"{rows.title}: by 'costs: benefit:' for {cases} more than {mend}"
            return
    if rows.dataset.prior is not None:
        why = f"for {rows.cases(cheaper)} a mistake brings more than the right decision"
        mend = "so that classes by cost have other shares; leave out 'prior:'"
        yield f"{rows.title}: {why}, {mend}"


def same_cases(rows: Rows) -> Iterator[str]:
    """Find models, and members of a family, not predicted on the cases that others are.

    Paired, all models are compared with each other; unpaired, only the members of each family.
    """
    paired = rows.dataset.pairing == "paired"
    within = [] if paired else ["model"]
    group, unit = rows.key(within), rows.key([*within, *UNIT])
    predictor = rows.key(PREDICTOR)
    unit_rows, predictor_rows = first_rows(unit), first_rows(predictor)
    expected = np.bincount(group[unit_rows])[group[predictor_rows]]
    size = np.bincount(predictor[~rows.again])
    mend = "predict all on the same instances and folds"
    mend += ", or say 'pairing: unpaired' (--unpaired)" if paired else ""
    short = np.flatnonzero(size < expected)
    for which in short[:1]:
        row = predictor_rows[which]
        lacks = np.setdiff1d(unit[group == group[row]], unit[predictor == which])
        example = rows.words(int(unit_rows[lacks[0]]))
        those = f"{len(lacks):,} of the {int(expected[which]):,} predictions that others have"
        such = f"such as {example['unit']} ({example['place']})"
        also = f" (first of {len(short):,} such)" if len(short) > 1 else ""
        model = rows.words(int(row))["predictor"]
        yield f"{rows.title}: {model} lacks {those}, {such}; {mend}{also}"


def both_classes(rows: Rows) -> Iterator[str]:
    """Find folds (or repeats, where folds are pooled) without a class, and classes of no weight."""
    names = folds_of(rows)
    if rows.dataset.pairing == "unpaired":
        names = ["model", *names]
    pool = "say 'folds_without_a_class: pool' in a configuration to pool the folds of such a repeat"
    mend = f"make stratified folds, or {pool}"
    if rows.dataset.folds_without_a_class == "pool":
        mend = "pooling its folds leaves it without that class; leave such repeats out"
    for label, word in CLASSES:
        without = rows.firsts(names) & ~rows.in_some(rows.labels == label, names)
        yield from rows.at(without, f"{_where(names)} has no {word}; {mend}")
        weight = rows.frame["weight"][rows.labels == label]
        if len(weight) and weight.eq(0).all():
            yield f"{rows.title}: the weights of all {word} are 0; expected one above 0"


def _where(names: Sequence[str]) -> str:
    """Return the words that say in messages which combination of columns is meant."""
    return ", ".join(f"{name} {{{name}}}" for name in names)


def folds_of(rows: Rows) -> list[str]:
    """Return the columns that tell folds apart or, where they are pooled for a class, repeats."""
    return ["repeat"] if rows.dataset.folds_without_a_class == "pool" else ["repeat", "fold"]
