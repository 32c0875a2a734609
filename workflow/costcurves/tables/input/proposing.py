"""What columns of other names look like by what they hold, and the command that reads them so.

Nothing is read on these grounds: a refusal proposes it, and a person decides.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from costcurves.errors import InputError
from costcurves.names import some
from costcurves.settings import ReadingKeys
from costcurves.tables.codes import Floats
from costcurves.tables.input.headers import TRUTH, truths
from costcurves.tables.input.reader import ID, TIMES, distinct, numbers_of
from costcurves.tables.input.sheets import Sheet
from costcurves.tables.input.unused import AMOUNT, FEWEST, may_be_cluster
from costcurves.tables.input.wide import floats

# What this answers.
ASKING: Final = re.compile("of no kind|wide table with|the truth;|rename it|no column '|the id of")
# Words in names of columns.
RATED: Final = "readers?|raters?|experts?|doctors?|annotators?|judges?|radiologists?|reviewers?"
DECIDED: Final = "pred|predicted|predictions?|guess|decisions?|decided|flagged|alert|hat"
SCORED: Final = "scores?|prob(s|a|ability)?|p|pd|conf(idence)?|risk|logit|models?|clf"
TRUE: Final = "is|has|was|actual|true|truth|target|outcome|y|churn(ed)?|default(ed)?|fraud|died"
LOOKS: Final = {"label": "the truth", "score": "scores", "decision": "decisions",
                "instance": "the case", "model": "the model", "cluster": "clusters"}  # fmt: skip
LABEL: Final = "LABEL is the positive class, one of {}"
PAID: Final = "{} may be what a miss costs (in a configuration 'costs: column:')"
SHARED: Final = "leave cluster out if cases with the same value in {} do not belong together"
EACH: Final = "{} are read as a model each; repeats of one need rows with a column 'repeat'"


LISTED: Final = re.compile(r'"|^\s|\s$')  # what a list of names says in another way


class Seen(NamedTuple):
    """What a column holds."""

    name: str
    size: int
    values: list[str]  # each once, without missing ones
    numbers: Floats  # none, where it holds anything else
    fractions: bool  # whether some are not whole

    def called(self, *words: str) -> bool:
        """Say whether its name has one of some words, such as `is_fraud` or `isFraud`."""
        parts = re.sub("(?<=[a-z][a-z])(?=[A-Z])", "_", self.name)
        return re.fullmatch(f"(?i)(.*[^a-z])?({'|'.join(words)})([^a-z].*)?", parts) is not None


def proposals(
    paths: Sequence[str], sheets: Sequence[Sheet], said: ReadingKeys, read: Callable[..., object]
) -> Iterator[str]:
    """Say what columns look like, with a command by which files can be `read`, for each truth."""
    columns = [*{one.name: one for sheet in sheets for one in _seen(sheet, said)}.values()]
    amounts = [it.name for it in columns if AMOUNT.fullmatch(it.name) and len(it.numbers)]
    for truth in _truths(columns)[:3]:
        found = {"label": [truth.name], **_roles([it for it in columns if it is not truth], truth)}
        roles = {role: names for role, names in found.items() if names not in ([], [role])}
        new = {role: it[0] if len(it) == 1 else tuple(it) for role, it in roles.items()}
        more = replace(said, columns={**new, **(said.columns or {})})
        line = f"costcurves check {shlex.join(paths)} {more.options()}"
        raters = [it.name for it in columns if it.name in found["score"] and it.called(RATED)]
        hints = {PAID: amounts, SHARED: found.get("cluster"), EACH: raters * (len(raters) > 1)}
        if len(truth.values) == 2 and not {it.lower() for it in truth.values} <= {*TRUTH}:
            line, hints[LABEL] = f"{line} --positive LABEL", truth.values
        seen = ", ".join(f"{LOOKS[role]} ({some(names)})" for role, names in roles.items())
        also = "".join(f"; {hint.format(some(names))}" for hint, names in hints.items() if names)
        with suppress(InputError):
            plain = not any(LISTED.search(it) for names in roles.values() for it in names)
            if new and plain and line.isprintable() and read(paths, more):
                yield f"{', '.join(paths)}: columns look like {seen}; if so: {line}{also}"


def _seen(sheet: Sheet, said: ReadingKeys) -> Iterator[Seen]:
    """Look into the columns that are not known by their names to be anything else."""
    for name in (it for it in sheet.names if it not in ("", *TIMES, *sheet.conditions.values())):
        numbers = floats(numbers_of(sheet, said, name))
        values, size = distinct(sheet.table[name], said), sheet.table.num_rows
        yield Seen(name, size, values, numbers, bool((numbers > np.floor(numbers)).any()))


def _truths(columns: Sequence[Seen]) -> list[Seen]:
    """Give what may be the truth: by its name, or of two classes, or of those that others name."""
    ranks = []
    for it in columns:
        others = " ".join(other.name for other in columns if other is not it).lower()
        two = len(it.values) == 2 < it.size and not it.called(DECIDED, RATED)
        if two or all(one.lower() in others for one in it.values):
            unlike = not two, not it.called(TRUE), it.name.lower() not in others
            ranks.append((it, (not truths([it.name]), *unlike)))
    return [it for it, rank in ranks if rank == min(rank for _, rank in ranks)]


def _roles(columns: Sequence[Seen], truth: Seen) -> dict[str, list[str]]:
    """Say which columns look like what, beside a truth."""
    texts = [it for it in columns if not len(it.numbers) and {*it.values} - {*truth.values}]
    whole = [it for it in columns if not it.fractions]
    pairs = [(one, it) for one in texts for it in whole if 1 < len(one.values) < len(it.values)]
    crossed = [pair for pair in pairs if len(pair[0].values) * len(pair[1].values) == pair[1].size]
    model, ids = ([own.name] for own in crossed[0]) if crossed else ([], [])
    unique = [it.name for it in whole if len(it.values) == it.size]
    ids = ids or sorted(unique, key=lambda name: not re.fullmatch(ID, name))[:1]
    free = [it for it in columns if it.name not in (*model, *ids)]
    two = [it for it in free if len(it.values) == 2 and {*it.values} <= {*truth.values}]
    scores = _scores(free) or [it.name for it in two if len(two) > 1 and len(it.numbers)]
    decided = [it.name for it in two if it.called(DECIDED) and len(scores) < 2]
    shared = [it.name for it in free if may_be_cluster(it.name) and len(it.values) >= FEWEST]
    long = {"score": scores[:1], "model": model} if model else {"cluster": shared[:1]}
    return {"score": scores, "decision": decided[:1], "instance": ids, **long}


def _scores(columns: Sequence[Seen]) -> list[str]:
    """Find scores: probabilities, and numbers that are called so; else all that are not whole."""
    numbers = [it for it in columns if len(it.numbers) and len(it.values) > 2]
    numbers = [it for it in numbers if not (AMOUNT.fullmatch(it.name) or may_be_cluster(it.name))]
    shares = [it.name for it in numbers if 0 <= np.nanmin(it.numbers) <= np.nanmax(it.numbers) <= 1]
    likely = [it for it in numbers if it.name in shares or it.called(SCORED, DECIDED, RATED)]
    return [it.name for it in likely or numbers if likely or it.fractions]
