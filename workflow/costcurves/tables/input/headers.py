"""The columns of a prediction file: which are known, and what is wrong with those of a file."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from costcurves.errors import InputError
from costcurves.names import closest, quoted, some
from costcurves.settings import OF_CLASS, SEGMENT, TEXT
from costcurves.tables.reading_limits import MOST_COLUMNS

COSTS = ("cost_fp", "cost_fn")  # of predicting a negative positive, and a positive negative
NUMBERS = ("train_pc", "score", "weight", *COSTS)
REQUIRED = ("model", "instance", "label")
KNOWN = (*TEXT, *NUMBERS)
AMOUNT = "amount"
ROW = "row of its file"  # from 0, in what readers make
# Labels that say which class they are; whole numbers beside missing ones were written as floats.
TRUTH = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
SAY_POSITIVE = "say which is positive ('positive:' or --positive)"
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

# What others call a column.
SYNONYMS = {
    **dict.fromkeys(("y_true", "truth", "true", "target", "actual", "obs", "y"), "label"),
    **dict.fromkeys(("id", "row_id", "row_ids", "rowindex", ".row", "index"), "instance"),
}
LABELS = frozenset({"label", "class", "outcome", *(k for k, v in SYNONYMS.items() if v == "label")})
COST = (
    "does not say which mistake it is of; rename it 'cost_fp' or 'cost_fn', name it in a "
    "configuration ('costs: column:'), or leave it out"
)
DELIMITERS = (";", "\t", "|")  # where a header has no comma


def is_text(name: str) -> bool:
    """Say whether a column holds names: one of ours, or one of segments."""
    return name in TEXT or name.startswith(SEGMENT)


def header_findings(path: str, names: list[str], amount: str | None = None) -> Iterator[str]:
    """Find what is wrong with the columns' names of a file; that of `amount` may be any."""
    if len(names) > MOST_COLUMNS:
        mend = "give a row for each model and instance, not a column"
        yield f"{path}: has {len(names):,} columns, expected at most {MOST_COLUMNS:,}; {mend}"
        return
    twice = [name for name, times in Counter(names).items() if times > 1 and name]
    if twice:
        yield f"{path}: columns occur twice: {some(twice)}"
    missing = [name for name in REQUIRED if name not in names]
    scored = {"score", "decision"} & {*names}
    unknown, numbers = len(missing) == len(REQUIRED), any(map(NUMBER.fullmatch, names))
    if unknown and not (scored or numbers):
        say = "--column label=NAME --column score=NAME ..., in a configuration 'columns:'"
        why = f"is of no kind that is known; say which columns are the truth and scores ({say})"
        yield f"{path}: {why}; found {some(names)}"
        return
    yield from _nearly_known(path, [name for name in names if name != amount])
    if unknown and numbers:
        yield f"{path}: the first row must name the columns; found {some(names)}"
    elif missing:
        yield f"{path}: has no column {some(missing)}; found {some(names)}"
    if not scored:
        yield f"{path}: has neither a column 'score' nor a column 'decision'"


def several(labels: Sequence[str]) -> str:
    """Say how to go on with labels of more than two classes."""
    # A command can be pasted: what a terminal would not show, or would break, is left to '...'.
    typed = [one for one in sorted(labels) if one.isprintable() and len(one) <= 60][:3]
    each = [f"--column {shlex.quote(f'{OF_CLASS}{one}=NAME')}" for one in typed]
    options = " ".join([*each, *(["..."] if len(labels) > len(each) else [])])
    why = f"these are {len(labels)} classes: say which column has the scores of each"
    mend = f"({options}, or in a configuration 'classes: {{LABEL: NAME, ...}}')"
    none = "a text that means that there is no label is named by 'missing:' (--missing)"
    return f"{why} {mend}, or keep the rows of two classes; {none}"


def truths(names: Iterable[str]) -> list[str]:
    """Give the columns that are called as a truth is."""
    return [name for name in names if name.strip("\ufeff \t").casefold() in LABELS]


def with_score(path: str, names: list[str], score: str, positive: str | None = None) -> list[str]:
    """Call the column with the scores of a class ``score``, as if there were no other.

    Where none is named, it is that of the positive class; for labels that say it, of 1 or true.
    """
    of_classes = [name for name in names if name.startswith(OF_CLASS)]
    if score == "score" and ("score" in names or len(of_classes) < 2):
        return names
    if score == "score":
        known = [f"{OF_CLASS}{positive}"] if positive is not None else []
        known = known or [name for name in of_classes if TRUTH.get(_class(name).lower()) == 1]
        if len(known) != 1:
            classes = some([_class(name) for name in of_classes])
            raise InputError([f"{path}: has scores of the classes {classes}; {SAY_POSITIVE}"])
        score = known[0]
    if score in names and "score" not in names:
        return ["score" if name == score else name for name in names]
    if score in names:
        why = "which of several classes is it of? Name it after one, or leave it out"
        raise InputError([f"{path}: has a column 'score'; {why}"])
    if "decision" in names and not any(name.startswith("score") for name in names):
        return names
    needs = "which 'classes:' or 'positive:' needs; its columns are"
    raise InputError([f"{path}: has no column {quoted(score)}, {needs} {some(names)}"])


def _class(column: str) -> str:
    return column.removeprefix(OF_CLASS)


def _nearly_known(path: str, names: list[str]) -> Iterator[str]:
    """Find unknown columns that look like a known one: it would be overlooked, or taken for it."""
    absent = [it for it in KNOWN if it not in names and it not in ("cluster", "weight")]
    for name in names:
        look = name.strip("\ufeff \t").casefold()
        if name in KNOWN:
            continue
        if look in KNOWN and look in names:
            yield f"{path}: column {quoted(name)} looks like {look!r}, which is there; keep one"
        elif name == "cost" and {*COSTS} <= {*absent}:
            yield f"{path}: column 'cost' {COST}"
        elif look in SYNONYMS and SYNONYMS[look] not in absent:
            continue
        elif meant := SYNONYMS.get(look) or (look if look in absent else closest(name, absent)):
            yield f"{path}: column {quoted(name)} is not known; rename it {meant!r} or leave it out"
