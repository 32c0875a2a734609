"""What is said of a configuration's keys elsewhere, made of their declarations.

`make reference` writes the tables of ``config/README.md`` and the published JSON Schema anew.
"""

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import yaml

from costcurves.tables.configuration.declared import Plain, meanings, schema_of
from costcurves.tables.configuration.study import StudyKeys

ROOT: Final = Path(__file__).parents[1]
README: Final = ROOT / "config" / "README.md"
SCHEMA: Final = ROOT / "workflow" / "schemas" / "config.schema.yaml"
TABLE: Final = re.compile(r"(<!-- keys of (\w+) -->\n)\n(?:\|.*\n)*")


def groups_of(kind: Any) -> dict[str, type[Plain]]:
    """List the groups of keys within a type, by the names of their classes."""
    if isinstance(kind, type) and issubclass(kind, Plain):
        inner = get_type_hints(kind).values()
        return {kind.__name__: kind} | {k: v for one in inner for k, v in groups_of(one).items()}
    return {k: v for one in get_args(kind) for k, v in groups_of(one).items()}


GROUPS: Final = groups_of(StudyKeys)


def table(group: type[Plain]) -> str:
    """Write the table of a group's keys."""
    lines = ["| key | default | meaning |", "|---|---|---|"]
    told = meanings(group)
    for field in sorted(
        fields(group), key=lambda one: one.kw_only is True
    ):  # how files are read, last
        meaning, _, otherwise = told[field.name].replace("|", r"\|").partition(" Default: ")
        default = otherwise.removesuffix(".") or _shown(field.default)
        lines.append(f"| `{field.name}` | {default} | {meaning} |")
    return "".join(f"{line}\n" for line in lines)


def _shown(default: Any) -> str:
    if default is MISSING:
        return "needed"
    if default is None or default == ():
        return "none"
    if isinstance(default, Plain):
        return "see below"
    return f"`{str(default).lower()}`" if isinstance(default, str | bool) else str(default)


def readme() -> str:
    """Give the reference with tables that say what is declared."""
    return TABLE.sub(
        lambda found: f"{found[1]}\n{table(GROUPS[found[2]])}", README.read_text("utf-8")
    )


def published() -> str:
    """Give the JSON Schema with the meaning of each key."""
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of a study",
        "description": "Written by `make reference` from what the package declares.",
        **schema_of(StudyKeys, described=True),
    }
    plain = json.loads(json.dumps(made))  # YAML would have an anchor where two are the same object
    return yaml.safe_dump(
        plain, default_flow_style=None, sort_keys=False, allow_unicode=True, width=120
    )


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
    SCHEMA.write_text(published(), encoding="utf-8")
