"""YAML 1.2 without its traps: what other readers let pass in silence is a finding with its line.

Elsewhere the last of equal keys wins, readers of YAML 1.1 take `no` for false, 010 for 8 and 1:30
for 90, aliases can grow without bound, and tags can make any object.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent
from ruamel.yaml.nodes import Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.representer import SafeRepresenter

from costcurves.errors import InputError, encode, refuse
from costcurves.names import quoted
from costcurves.settings import Place
from costcurves.study.findings import located

DEEPEST: Final = 20
# Numbers that all readers of YAML take for the same, and text that some take for something else.
NUMBER: Final = re.compile(
    r"[-+]?(0|[1-9]\d*|(\d+\.\d*|\.\d+)(e[-+]\d+)?|\.inf)|\.nan", re.IGNORECASE
)
AMBIGUOUS: Final = re.compile(r"yes|no|on|off|[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?", re.IGNORECASE)
PLAIN: Final = re.compile(r"[^\W\d_][\w ()./+%-]*")  # text that needs no quotes
ALIKE: Final = (
    "which readers of YAML take differently; write true or false, digits such as 1000 or 1.0e-3, "
    "or text in quotes"
)


CONSTRUCTOR: Final[Any] = YAML(typ="safe", pure=True).constructor


@dataclass(frozen=True)
class Document:
    """What a YAML file says, and where it says it."""

    content: Any
    lines: Mapping[Place, int]  # from 1


def read_document(path: str | Path) -> Document:
    """Read a YAML file strictly: UTF-8, and one document."""
    file = Path(path)
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise InputError([f"{path}: is a device or pipe, expected a file"])
    try:
        data = file.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError([f"{path}: can't be read ({error.strerror})"]) from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8"
        raise InputError([f"{path} line {line}: {what}"]) from error
    document = read_text(text, str(path))
    if document.content is None:
        raise InputError([f"{path}: is empty, expected the keys of a configuration"])
    return document


def read_text(text: str, source: str) -> Document:
    """Read YAML strictly; messages name its `source`."""
    lines: dict[Place, int] = {}
    findings: list[tuple[Place, int, str]] = []
    try:
        refuse(_forbidden(text, source))
        root = YAML(typ="safe", pure=True).compose(text)
    except YAMLError as error:
        raise InputError([_not_yaml(error, source)]) from error
    content = None if root is None else _value(root, (), lines, findings)
    refuse(f"{source} line {line}: {located(place, why)}" for place, line, why in findings)
    return Document(content, lines)


def as_yaml(content: Any) -> str:
    """Return plain values as YAML that all its readers take for the same."""
    text = StringIO()
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.Representer = _Representer
    yaml.default_flow_style = False
    yaml.width = 1 << 20  # no line is folded
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    yaml.dump(content, text)
    ended, mark, _ = text.getvalue().rpartition("\n...\n")  # which stands behind text alone
    return f"{ended}\n" if mark else text.getvalue()


class _Representer(SafeRepresenter):
    """Writes text in quotes where a reader might take it for something else, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - a method of ruamel's
        return True

    def represent_str(self, data: str) -> ScalarNode:
        plain = PLAIN.fullmatch(data) and not AMBIGUOUS.fullmatch(data)
        style = None if plain else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    def represent_float(self, data: Any) -> ScalarNode:
        node = super().represent_float(data)
        if "." not in node.value:
            node.value = node.value.replace("e", ".0e")  # 1.0e-09, as 1e-09 is text to YAML 1.1
        return node


_Representer.add_representer(str, _Representer.represent_str)
_Representer.add_representer(float, _Representer.represent_float)


def _forbidden(text: str, source: str) -> Iterator[str]:
    """Find what must not even be resolved: aliases, tags, deep nesting."""
    depth = 0
    event: Any
    for event in YAML(typ="safe", pure=True).parse(text):
        where = f"{source} line {event.start_mark.line + 1}"
        if getattr(event, "anchor", None) is not None:
            sign = "*" if isinstance(event, AliasEvent) else "&"
            what = f"anchors and aliases ({sign}{event.anchor[:60]})"
            yield f"{where}: {what} are refused; write it out"
        if getattr(event, "tag", None) is not None:
            yield f"{where}: the tag {quoted(str(event.tag))} is refused; write plain values"
        depth += isinstance(event, CollectionStartEvent)
        depth -= isinstance(event, CollectionEndEvent)
        if depth > DEEPEST:
            yield f"{where}: is nested deeper than {DEEPEST} levels: not a configuration"
            return


def _not_yaml(error: YAMLError, source: str) -> str:
    mend = "indent with spaces, and quote text that begins with or holds a special character"
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        line = error.problem_mark.line + 1
        problem = " ".join(part for part in (error.context, error.problem) if part)
        return f"{source} line {line}: not YAML: {problem}; {mend}"
    if isinstance(error, ReaderError):
        return f"{source}: not YAML: the character {chr(int(error.character))!r} is not allowed"
    return f"{source}: not YAML: {error}"


def _value(
    node: Node, place: Place, lines: dict[Place, int], findings: list[tuple[Place, int, str]]
) -> Any:
    """Return the plain value of a node; lines and what is wrong are added on the way."""
    line = node.start_mark.line + 1
    lines.setdefault(place, line)
    if isinstance(node, SequenceNode):
        return [_value(item, (*place, at), lines, findings) for at, item in enumerate(node.value)]
    if isinstance(node, ScalarNode):
        value, why = _scalar(node)
        findings += [(place, line, why)] if why else []
        return value
    content: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key, line = str(key_node.value), key_node.start_mark.line + 1
        if not isinstance(key_node, ScalarNode):
            findings.append((place, line, "has a list or mapping as a key, expected text"))
        elif not isinstance(_scalar(key_node)[0], str) and key != "<<":
            findings.append((place, line, f"has the key {key[:60]}; write it in quotes"))
        elif key in content:
            why = f"occurs twice, first in line {lines[(*place, key)]}"
            findings.append(((*place, key), line, why))
        else:
            lines[(*place, key)] = line
            content[key] = _value(value_node, (*place, key), lines, findings)
    return content


def _scalar(node: Any) -> tuple[Any, str]:
    """Return a value and what is wrong with it."""
    text = node.value[:60]
    try:
        value = CONSTRUCTOR.construct_object(node)
        encode(value)
    except (YAMLError, ValueError, OverflowError):
        return None, f"is {quoted(text)}, which is not a value; write text in quotes"
    if isinstance(value, str) and node.style is not None:
        return value, ""
    alike = isinstance(value, int | float) and NUMBER.fullmatch(node.value) is not None
    if isinstance(value, str | bool | None):
        alike = not AMBIGUOUS.fullmatch(node.value)  # also in a document of YAML 1.1
    return (value, "") if alike else (None, f"is {text}, {ALIKE}")
