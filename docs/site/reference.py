"""What is said elsewhere of a configuration's keys and of commands, made of their declarations.

`make reference` writes the tables of ``config/README.md``, the published JSON Schema and
``docs/commands.md`` anew.
"""

import argparse
import ast
import inspect
import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Any, Final, Literal, get_args, get_origin

from costcurves.command import main
from costcurves.settings import Group, StudyKeys, alternatives, keys_of
from costcurves.study.strict_yaml import as_yaml

ROOT: Final = Path(__file__).parents[2]
README: Final = ROOT / "config" / "README.md"
COMMANDS: Final = ROOT / "docs" / "commands.md"
SCHEMA: Final = ROOT / "workflow" / "schemas" / "config.schema.yaml"
TABLE: Final = re.compile(r"(<!-- keys of (\w+) -->\n)\n(?:\|.*\n)*")


def groups_of(group: type) -> dict[str, type]:
    """List a group and those within it, by the names of their classes."""
    groups = {group.__name__: group}
    for kind in keys_of(group).values():
        for choice, _ in alternatives(kind):
            inner = get_args(choice)[0] if get_origin(choice) is tuple else choice
            if is_dataclass(inner) and isinstance(inner, type):
                groups |= groups_of(inner)
    return groups


GROUPS: Final = groups_of(StudyKeys)


WORDS: Final = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def _of_type(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type: of one of its alternatives, or of all."""
    each = [
        _of_choice(choice) | (bounds.words if bounds else {})
        for choice, bounds in alternatives(kind)
    ]
    return each[0] if len(each) == 1 else {"anyOf": each}


def _of_choice(kind: Any) -> dict[str, Any]:
    inner = get_args(kind)
    if get_origin(kind) is Literal:
        return {"type": "string", **({"enum": [*inner]} if inner[1:] else {"const": inner[0]})}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _of_type(inner[0])}
    if get_origin(kind) is dict:
        return {"type": "object", "additionalProperties": _of_type(inner[1])}
    return {"type": WORDS[kind]} if kind in WORDS else {"$ref": f"#/$defs/{kind.__name__}"}


def _texts(group: type) -> dict[str, str]:
    """Return the texts below the keys of a group, and of those that it extends."""
    texts = _texts(group.__mro__[1]) if is_dataclass(group.__mro__[1]) else {}
    (parsed,) = ast.parse(inspect.getsource(group)).body
    for key, text in pairwise(parsed.body):  # type: ignore[attr-defined]
        if isinstance(key, ast.AnnAssign) and isinstance(text, ast.Expr):
            texts[key.target.id] = inspect.cleandoc(ast.literal_eval(text.value))  # type: ignore[union-attr]
    return texts


def _described(group: Any) -> dict[str, Any]:
    """Return the JSON Schema of a group of keys."""
    texts, keys = _texts(group), {key.name: key.default for key in fields(group)}
    properties = {}
    for name, kind in keys_of(group).items():
        properties[name] = {**_of_type(kind), "description": texts[name]}
        if isinstance(keys[name], str | int | float):
            properties[name]["default"] = keys[name]
    needed = [name for name, default in keys.items() if default is MISSING]
    described = {"description": str(group.__doc__), "type": "object", "properties": properties}
    return {**described, **({"required": needed} if needed else {}), "additionalProperties": False}


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration, with the meaning of each key."""
    groups = {name: _described(group) for name, group in GROUPS.items()}
    return {"$ref": "#/$defs/StudyKeys", "$defs": groups}


def meanings(group: type) -> dict[str, str]:
    """Return what the keys of a group mean."""
    keys = schema()["$defs"][group.__name__]["properties"]
    return {key: " ".join(words["description"].split()) for key, words in keys.items()}


def table(group: Any) -> str:
    """Write the table of a group's keys."""
    lines = ["| key | default | meaning |", "|---|---|---|"]
    words = meanings(group)
    keys = sorted(fields(group), key=lambda key: key.kw_only is True)  # how files are read, last
    for key in keys:
        meaning, _, otherwise = words[key.name].replace("|", r"\|").partition(" Default: ")
        default = otherwise.removesuffix(".") or _shown(key.default)
        lines.append(f"| `{key.name}` | {default} | {meaning} |")
    return "".join(f"{line}\n" for line in lines)


def _shown(default: Any) -> str:
    if default is MISSING:
        return "needed"
    if default is None or default == ():
        return "none"
    if isinstance(default, Group):
        return "see below"
    return f"`{str(default).lower()}`" if isinstance(default, str | bool) else str(default)


def readme() -> str:
    """Give the reference with tables that say what is declared."""
    return TABLE.sub(lambda head: f"{head[1]}\n{table(GROUPS[head[2]])}", README.read_text("utf-8"))


def published() -> str:
    """Give the JSON Schema with the meaning of each key."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of a study",
        "description": "Written by `make reference` from what the package declares.",
    }
    return as_yaml(head | schema())


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command."""
    (choices,) = (action.choices for action in main.parser([name])._actions if action.choices)
    parser: argparse.ArgumentParser = dict(choices)[name]
    return parser


def commands() -> str:
    """Give the page of all commands and their options."""
    known = {name: parser_of(name) for name in main.COMMANDS}
    rows = {name: _arguments(known[name]) for name in main.COMMANDS}
    shared = _shared(rows)
    statuses = re.findall(r"^ +(\d[\d, ]*)  (.*)", main.STATUSES, flags=re.MULTILINE)
    parts = [
        "# Command line",
        "`costcurves COMMAND --help` prints all options of a command. An option may be shortened\n"
        "while that is unambiguous. Options of several commands are [at the end](#shared-options).",
        "A command ends with a status:",
        _table(("status", "meaning"), statuses),
    ]
    for name in main.COMMANDS:
        command = known[name]
        examples = "\n".join(line[2:] for line in str(command.epilog).splitlines()[1:])
        parts += [f"## costcurves {name}", str(command.description).strip().replace("<", "&lt;")]
        alone = [row for row in rows[name] if row not in shared]
        parts += [f"```bash\n{examples}\n```", _table(("argument", "meaning"), alone)]
    listed = [
        (option, "all" if len(names) == len(rows) else ", ".join(names), meaning)
        for (option, meaning), names in shared.items()
    ]
    parts += ["## Shared options", _table(("option", "commands", "meaning"), listed)]
    return "\n\n".join([*parts, "`make reference` in a clone writes this page."]) + "\n"


def _arguments(command: argparse.ArgumentParser) -> list[tuple[str, str]]:
    """List the arguments of a command, each with its meaning."""
    return [
        (_named(action), str(action.help))
        for action in command._actions
        if action.dest != "help" and action.help != argparse.SUPPRESS
    ]


def _shared(rows: dict[str, list[tuple[str, str]]]) -> dict[tuple[str, str], list[str]]:
    """Return the options that several commands have, with the names of these."""
    commands_of: dict[tuple[str, str], list[str]] = {}
    for name, arguments in rows.items():
        for row in arguments:
            if row[0].startswith("`-"):
                commands_of.setdefault(row, []).append(name)
    return {row: names for row, names in commands_of.items() if len(names) > 1}


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head)]
    lines += [[cell.replace("|", r"\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _named(action: argparse.Action) -> str:
    """Name an argument as it is typed, with its value."""
    value = action.metavar or action.dest.upper()
    if action.choices:
        value = "{" + ", ".join(action.choices) + "}"
    words = [*([", ".join(action.option_strings)] if action.option_strings else [])]
    words += [] if action.nargs == 0 else [str(value)]
    return " ".join(f"`{word}`" for word in words)


if __name__ == "__main__":
    COMMANDS.write_text(commands(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
    SCHEMA.write_text(published(), encoding="utf-8")
