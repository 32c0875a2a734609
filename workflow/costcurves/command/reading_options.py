"""How prediction files are to be read, as options of the commands that take bare files."""

import re
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, Final, get_args

from costcurves.command.ending import USAGE, CommandError
from costcurves.names import quoted
from costcurves.settings import A_SIGN, LISTS, REST, SIGN, ReadingKeys, keys_of

FILES: Final = {
    "nargs": "+",
    "metavar": "FILE",
    "help": "a prediction file, as config/README.md has",
}


def choice(key: str, words: str) -> dict[str, Any]:
    """Describe an option whose values are those of a key."""
    kind = keys_of(ReadingKeys)[key]
    return {"choices": get_args(kind), "default": getattr(ReadingKeys, key), "help": words}


READING: Final[dict[str, dict[str, Any]]] = {
    "--positive": {
        "metavar": "LABEL",
        "help": "the label of the positive class, where labels are not 0 and 1 or true and false",
    },
    "--unpaired": {"action": "store_true", "help": "models are judged on other cases"},
    "--classes": {"choices": [REST], "help": "rest: all labels but the positive one are negative"},
    "--format": {
        "metavar": "NAME",
        "help": "what the files are, where they could be several things",
    },
    "--column": {
        "metavar": "ROLE=NAME",
        "action": "append",
        "default": [],
        "help": "which column is what, such as label=outcome, or score_a=prob_a for the scores of "
        "class a; score and model take several, as NAME,NAME or given again",
    },
    "--where": {"metavar": "TEXT", "action": "append", "help": "rows to keep: 'split == test'"},
    "--delimiter": {"metavar": "SIGN", "help": "what separates columns"},
    "--decimal": choice("decimal", "the decimal sign"),
    "--missing": {
        "metavar": "TEXT",
        "action": "append",
        "help": "a text that means that there is no value, such as NA",
    },
    "--missing-labels": choice("missing_labels", "what to do with cases whose label is empty"),
    "--abstain": choice(
        "abstain", "what cases without a score or decision of a model count as; drop: left out"
    ),
    "--on": {"metavar": "ID", "help": "the id by which the truth is found in its file"},
    "--higher-is": choice(
        "higher_is", "the class that a higher score speaks for; predicted: that of the decision"
    ),
}


def reading(options: Namespace) -> ReadingKeys:
    """Return how files are to be read, as the options say."""
    columns: dict[str, Any] = {}
    for word in options.column:
        role, sign, name = word.partition("=")
        if not (role and sign and name):
            expected = "expected a role and a column, such as label=outcome"
            raise CommandError(USAGE, f"--column is {quoted(word)}, {expected}")
        each = [inside or plain for inside, plain in re.findall('"([^"]+)"|([^,]+)', name)]
        columns.setdefault(role, []).extend(each if role in LISTS and each else [name])
    if options.on is not None:
        columns["on"] = [options.on]
    if options.delimiter is not None and not re.fullmatch(SIGN, options.delimiter):
        raise CommandError(USAGE, f"--delimiter is {quoted(options.delimiter)}, expected {A_SIGN}")
    given = {role: names if len(names) > 1 else names[0] for role, names in columns.items()}
    keys = {key: getattr(options, key, None) for key in keys_of(ReadingKeys)}
    return ReadingKeys.from_plain(keys | {"columns": given or None})


def without_reading(words: Sequence[str]) -> str:
    """Return a typed command without the options of reading files."""
    options = ArgumentParser(add_help=False)
    for option, keywords in READING.items():
        options.add_argument(option, **keywords)
    return shlex.join(["costcurves", *options.parse_known_args(words)[1]])
