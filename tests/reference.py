"""What is said elsewhere of a configuration's keys and of commands, made of their declarations.

`make reference` writes the tables of ``config/README.md``, the published JSON Schema and
``docs/commands.md`` anew.
"""

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from costcurves.command import main
from costcurves.settings import Group, ReadingKeys, StudyKeys, alternatives, keys_of
from costcurves.study.strict_yaml import as_yaml

ROOT: Final = Path(__file__).parents[1]
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


def _described(group: Any) -> dict[str, Any]:
    """Return the JSON Schema of a group and of those within it, by their names."""
    config = ConfigDict(extra="forbid", use_attribute_docstrings=True)  # which takes .2 s
    model: TypeAdapter[Any] = TypeAdapter(group | None, config=config)
    groups: dict[str, Any] = model.json_schema(schema_generator=_Untitled)["$defs"]
    return groups


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration, with the meaning of each key."""
    groups = _described(StudyKeys)
    inherited = _described(ReadingKeys)["ReadingKeys"]  # pydantic reads no texts of a base
    groups["DatasetKeys"]["properties"] |= inherited["properties"]
    return {"$ref": "#/$defs/StudyKeys", "$defs": groups}


class _Untitled(GenerateJsonSchema):
    """Gives keys no titles, which would be their names again."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - a method of theirs
        return False


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
    return TABLE.sub(
        lambda found: f"{found[1]}\n{table(GROUPS[found[2]])}", README.read_text("utf-8")
    )


def published() -> str:
    """Give the JSON Schema with the meaning of each key."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of a study",
        "description": "Written by `make reference` from what the package declares.",
    }
    return as_yaml(head | schema())


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of a command."""
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
        own = [row for row in rows[name] if row not in shared]
        parts += [f"```bash\n{examples}\n```", _table(("argument", "meaning"), own)]
    listed = [
        (option, "all" if len(names) == len(rows) else ", ".join(names), meaning)
        for (option, meaning), names in shared.items()
    ]
    parts += ["## Shared options", _table(("option", "commands", "meaning"), listed)]
    return "\n\n".join([*parts, "`make reference` in a clone writes this page."]) + "\n"


def _arguments(command: argparse.ArgumentParser) -> list[tuple[str, str]]:
    """List the arguments of a command, each with its meaning."""
    return [(_named(it), str(it.help)) for it in command._actions if it.dest != "help"]


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
