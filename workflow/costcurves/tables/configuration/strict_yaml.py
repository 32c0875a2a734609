"""YAML without its traps: what other readers let pass in silence is a finding here, with its line.

Elsewhere the last of equal keys wins, 010 is 8 and 1:30 is 90, aliases can grow without bound, and
tags can make any object.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from costcurves.errors import InputError, refuse
from costcurves.tables.configuration.names import quoted
from costcurves.tables.configuration.schema import Place

LARGEST_FILE = 1 << 18
DEEPEST = 20


@dataclass(frozen=True)
class Document:
    """What a YAML file says, and where it says it."""

    content: Any
    lines: Mapping[Place, int]  # from 1; a place is like ("datasets", 0, "name")


def read_document(path: str | Path) -> Document:
    """Read a YAML file strictly: UTF-8, one document, no larger than `LARGEST_FILE`."""
    document = read_text(_text(Path(path)), str(path))
    if document.content is None:
        raise InputError([f"{path}: is empty, expected the keys of a configuration"])
    return document


def read_text(text: str, source: str) -> Document:
    """Read YAML strictly; messages name its `source`."""
    try:
        refuse(_forbidden(text, source))
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise InputError([_not_yaml(error, source)]) from error
    build = _Build(source)
    content = None if root is None else build.value(root, ())
    refuse(build.findings)
    return Document(content, build.lines)


def _text(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError([f"{path}: is a device or pipe, expected a file"])
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError([f"{path}: can't be read ({error.strerror})"]) from error
    if len(data) > LARGEST_FILE:
        raise InputError([f"{path}: is larger than {LARGEST_FILE} bytes: not a configuration"])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{path} line {line}: byte 0x{data[error.start]:02X} is not UTF-8"
        raise InputError([f"{message}; save the file as UTF-8"]) from error


def _forbidden(text: str, source: str) -> Iterator[str]:
    """Find what must not even be resolved: aliases, tags, deep nesting."""
    depth = 0
    event: Any
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        where = f"{source} line {event.start_mark.line + 1}"
        if getattr(event, "anchor", None) is not None:
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            what = f"anchors and aliases ({sign}{event.anchor[:60]})"
            yield f"{where}: {what} are refused; write it out"
        if getattr(event, "tag", None) is not None:
            yield f"{where}: the tag {quoted(event.tag)} is refused; write plain values"
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            yield f"{where}: is nested deeper than {DEEPEST} levels: not a configuration"
            return


def _not_yaml(error: yaml.YAMLError, source: str) -> str:
    mend = "indent with spaces, and quote text that begins with or holds a special character"
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        line = error.problem_mark.line + 1
        problem = " ".join(part for part in (error.context, error.problem) if part)
        return f"{source} line {line}: not YAML: {problem}; {mend}"
    if isinstance(error, yaml.reader.ReaderError):
        return f"{source}: not YAML: the character {chr(int(error.character))!r} is not allowed"
    return f"{source}: not YAML: {error}"


@dataclass
class _Build:
    """Plain values from nodes, collecting findings and lines on the way."""

    source: str
    findings: list[str] = field(default_factory=list)
    lines: dict[Place, int] = field(default_factory=dict)
    scalars: yaml.SafeLoader = field(default_factory=lambda: yaml.SafeLoader(""))

    def value(self, node: yaml.Node, place: Place) -> Any:
        self.lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*place, index)) for index, item in enumerate(node.value)]
        return self.scalar(node)

    def mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node)
            if key in content:
                first = self.lines[(*place, key)]
                self.found(key_node, f"the key {quoted(key)} occurs twice, first in line {first}")
                continue
            self.lines[(*place, key)] = key_node.start_mark.line + 1
            content[key] = self.value(value_node, (*place, key))
        return content

    def key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            self.found(node, "a list or mapping can't be a key")
            return ""
        if node.tag != "tag:yaml.org,2002:str" and node.value != "<<":
            value = self.scalar(node)
            read = f"the key {node.value[:60]} is read as {quoted(value)}"
            self.found(node, f"{read}; write it in quotes")
        return str(node.value)

    def scalar(self, node: yaml.Node) -> Any:
        try:
            value = self.scalars.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError):
            self.found(node, f"{node.value[:60]!r} is not a value; write text in quotes")
            return None
        # No octal, no base 60, no underscores: what a person would read.
        if (type(value) is int and not re.fullmatch(r"[-+]?(0|[1-9][0-9]*)", node.value)) or (
            type(value) is float and set(node.value) & set("_:")
        ):
            read = f"{node.value[:60]} is read as {quoted(value)}"
            self.found(node, f"{read}; write it in plain digits, or in quotes if it is text")
        if isinstance(value, str) and (half := re.search("[\ud800-\udfff]", value)):
            self.found(node, f"holds {half.group()!r}, which is half a character; write it whole")
        return value

    def found(self, node: yaml.Node, message: str) -> None:
        self.findings.append(f"{self.source} line {node.start_mark.line + 1}: {message}")
