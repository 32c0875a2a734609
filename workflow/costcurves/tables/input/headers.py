"""The columns of a prediction file: which are known, and what is wrong with those of a file."""

import re
from collections import Counter
from collections.abc import Iterator

from costcurves.errors import InputError
from costcurves.tables.configuration.names import closest, quoted, some
from costcurves.tables.input.reading_limits import MOST_COLUMNS

TEXT = ("dataset", "model", "member", "repeat", "fold", "instance", "label", "decision")
COSTS = ("cost_fp", "cost_fn")  # of predicting a negative positive, and a positive negative
NUMBERS = ("train_pc", "score", *COSTS)
REQUIRED = ("model", "instance", "label")
KNOWN = (*TEXT, *NUMBERS)
AMOUNT = "amount"
LISTED = 4  # columns of models that advice spells out
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

# What others call a column.
SYNONYMS = {
    **dict.fromkeys(("y_true", "truth", "true", "target", "actual", "obs", "y"), "label"),
    **dict.fromkeys(("id", "row_id", "row_ids", "rowindex", ".row", "index"), "instance"),
}
COST = (
    "does not say which mistake it is of; rename it 'cost_fp' or 'cost_fn', name it in a "
    "configuration ('costs: column:'), or leave it out"
)
WEKA = (
    "holds predictions as Weka writes them, whose 'inst#' starts anew in each fold: it is no "
    "id; let Weka add an attribute that is one (option -p), and write the columns model, instance "
    "(that attribute), fold, label ('actual' without its number) and score (the probability of the "
    "positive class: 1 - 'prediction' where 'predicted' is the other one)"
)
DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


def header_findings(path: str, names: list[str], amount: str | None = None) -> Iterator[str]:
    """Find what is wrong with the columns' names of a file; that of `amount` may be any."""
    for sign, words in DELIMITERS.items():
        if len(names) == 1 and sign in names[0]:
            yield f"{path}: its columns are separated by {words}; separate them by commas"
            return
    if len(names) > MOST_COLUMNS:
        mend = "give a row for each model and instance, not a column"
        yield f"{path}: has {len(names):,} columns, expected at most {MOST_COLUMNS:,}; {mend}"
        return
    if layout := _other_layout(names):
        yield f"{path}: {layout}"
        return
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        yield f"{path}: columns occur twice: {some(twice)}"
    if "" in names:
        yield f"{path}: column {names.index('') + 1} has no name (an index? leave it out)"
    yield from _nearly_known(path, [name for name in names if name != amount])
    missing = [name for name in REQUIRED if name not in names]
    if len(missing) == len(REQUIRED) and any(map(NUMBER.fullmatch, names)):
        yield f"{path}: the first row must name the columns; found {some(names)}"
    elif missing:
        yield f"{path}: has no column {some(missing)}; found {some(names)}"
    if not {"score", "decision"} & set(names):
        yield f"{path}: has neither a column 'score' nor a column 'decision'"


def with_score(path: str, names: list[str], score: str) -> list[str]:
    """Call the column with the scores of a class ``score``, as if there were no other."""
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


def _nearly_known(path: str, names: list[str]) -> Iterator[str]:
    """Find unknown columns that look like a known one: it would be overlooked, or taken for it."""
    absent = [known for known in KNOWN if known not in names]
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


def _other_layout(names: list[str]) -> str | None:
    """Say which other layout has these columns, and how to make this one of it; or None."""
    look = {name.strip().casefold(): name for name in reversed(names)}
    if "inst#" in look and "instance" not in look:
        return WEKA
    if {"model", "score", "decision"} & {*look} or any(one.startswith("score_") for one in look):
        return None
    meant = {name: SYNONYMS.get(one, one) for one, name in look.items()}
    kept = [name for name in names if meant.get(name) in KNOWN]
    models = [name for name in names if name and name not in kept]
    has = [meant[name] for name in kept]
    if has.count("label") != 1 or has.count("instance") > 1 or not models:
        return None
    ids = "" if "instance" in has else ".reset_index(names='instance')"
    keys = [*([] if "instance" in has else ["instance"]), *kept]
    renamed = {name: meant[name] for name in kept if name != meant[name]}
    names_of = f"{models}" if len(models) <= LISTED else "[...]"
    melted = f"frame{ids}.melt({keys}, {names_of}, 'model', 'score')"
    code = f"{melted}.rename(columns={renamed})" if renamed else melted
    what = f"is a wide table, with a column a model ({some(models, LISTED)})"
    return f"{what}; make a row for each model and instance, in pandas with {code}"
