"""The columns of a prediction file: which are known, and what is wrong with those of a file."""

from collections import Counter
from collections.abc import Iterator

from costcurves.errors import InputError
from costcurves.tables.names import closest, quoted, some
from costcurves.tables.reading_limits import MOST_COLUMNS

TEXT = ("dataset", "model", "member", "repeat", "fold", "instance", "label", "decision")
NUMBERS = ("train_pc", "score", "cost_fp", "cost_fn")
REQUIRED = ("model", "instance", "label")
KNOWN = (*TEXT, *NUMBERS)
AMOUNT = "amount"

DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


def header_findings(path: str, names: list[str]) -> Iterator[str]:
    """Find what is wrong with the columns' names of a prediction file.

    Parameters
    ----------
    path
        The file.
    names
        Its columns.

    Yields
    ------
    str
        Another delimiter; too many columns; a column that is twice there, has no name, is missing,
        or is nearly a known one.
    """
    if len(names) == 1 and (hint := _other_delimiter(names[0])):
        yield f"{path}: its columns are separated by {hint}; separate them by commas"
        return
    if len(names) > MOST_COLUMNS:
        mend = "give a row for each model and instance, not a column"
        yield f"{path}: has {len(names):,} columns, expected at most {MOST_COLUMNS:,}; {mend}"
        return
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        yield f"{path}: columns occur twice: {some(twice)}"
    if "" in names:
        yield f"{path}: column {names.index('') + 1} has no name (an index? leave it out)"
    yield from _nearly_known(path, names)
    missing = [name for name in REQUIRED if name not in names]
    if len(missing) == len(REQUIRED):
        yield f"{path}: the first row must name the columns; found {some(names)}"
    elif missing:
        yield f"{path}: has no column {some(missing)}; found {some(names)}"
    if not {"score", "decision"} & set(names):
        yield f"{path}: has neither a column 'score' nor a column 'decision'"


def with_score(path: str, names: list[str], score: str) -> list[str]:
    """Call the column with the scores of a class ``score``, as if there were no other.

    Parameters
    ----------
    path
        The file.
    names
        Its columns.
    score
        The column with the scores of the class.

    Raises
    ------
    InputError
        If there is no such column, although there are no decisions or other classes have scores;
        or if there is one called ``score`` besides.
    """
    if score == "score":
        return names
    if score in names and "score" not in names:
        return ["score" if name == score else name for name in names]
    if score in names:
        why = "which of several classes is it of? Name it after one, or leave it out"
        raise InputError([f"{path}: has a column 'score'; {why}"])
    if "decision" in names and not any(name.startswith("score") for name in names):
        return names
    needs = "which 'classes:' needs; its columns are"
    raise InputError([f"{path}: has no column {quoted(score)}, {needs} {some(names)}"])


def _other_delimiter(name: str) -> str | None:
    return next((words for sign, words in DELIMITERS.items() if sign in name), None)


def _nearly_known(path: str, names: list[str]) -> Iterator[str]:
    """Find unknown columns that look like a known one: it would be overlooked, or taken for it."""
    absent = [known for known in KNOWN if known not in names]
    for name in names:
        look = name.strip("\ufeff \t").casefold()
        if name in KNOWN:
            continue
        if look in KNOWN and look in names:
            yield f"{path}: column {quoted(name)} looks like {look!r}, which is there; keep one"
        elif meant := look if look in absent else closest(name, absent):
            yield f"{path}: column {quoted(name)} is not known; rename it {meant!r} or leave it out"
