"""Keys of a configuration, each declared once: a class for a group of keys, a field for a key.

A field's annotation says the type, and the bounds in JSON Schema's words; its value is the default;
the text below it is the meaning, for ``config/README.md`` and the comments of `init`.
"""

import ast
import inspect
import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from functools import reduce
from itertools import pairwise
from operator import or_
from types import UnionType
from typing import Annotated, Any, Final, Literal, Self, Union, get_args, get_origin, get_type_hints


class Must:
    """What a key's value must keep to, in JSON Schema's words."""

    def __init__(self, **words: Any) -> None:
        self.words: Final = words


Name = Annotated[str, Must(minLength=1)]
Names = Annotated[tuple[Name, ...], Must(minItems=1, uniqueItems=True)]
Share = Annotated[float, Must(minimum=0, maximum=1)]
Proportion = Annotated[float, Must(exclusiveMinimum=0, exclusiveMaximum=1)]
Positive = Annotated[float, Must(minimum=1e-12, maximum=1e12)]
TWO: Final = Must(minItems=2, maxItems=2)

TYPES: Final = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


@dataclass(frozen=True)
class Plain:
    """What goes through JSON and comes back equal."""

    def plain(self, *keys: str) -> dict[str, Any]:
        """Give plain JSON types only, as the parameters of a workflow's rule must be.

        All keys by default; a rule that gets only what it needs runs again only when that changes.
        """
        content: dict[str, Any] = json.loads(json.dumps(asdict(self), allow_nan=False))
        return {key: content[key] for key in keys or content}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Make it of what `plain` gave, or of a part of that: the rest are defaults."""
        kinds = get_type_hints(cls)
        return cls(**{key: _made(kinds[key], value) for key, value in plain.items()})


def _made(kind: Any, value: Any) -> Any:
    if isinstance(value, Mapping):
        groups = _groups(kind)
        if len(groups) > 1:  # which their kind tells apart
            groups = [it for it in groups if value["kind"] in get_args(get_type_hints(it)["kind"])]
        return groups[0].from_plain(value) if groups else value
    if isinstance(value, list | tuple):
        item = next(get_args(one)[0] for one in _either(kind) if get_origin(one) is tuple)
        return tuple(_made(item, one) for one in value)
    return int(value) if kind is int else value


def _either(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _groups(kind: Any) -> list[type[Plain]]:
    return [one for one in _either(kind) if isinstance(one, type) and issubclass(one, Plain)]


def schema_of(group: type[Plain], *, described: bool = False) -> dict[str, Any]:
    """Give the JSON Schema of a group of keys; if `described`, with what they mean."""
    kinds, told = get_type_hints(group, include_extras=True), meanings(group) if described else {}
    keys = {key: _schema(kinds[key], described) for key in kinds}
    for field in fields(group):
        if field.name in told:
            keys[field.name] = {"description": told[field.name], **keys[field.name]}
        if field.default not in (MISSING, None):
            keys[field.name]["default"] = _given(field.default)
    needed = [field.name for field in fields(group) if field.default is MISSING]
    closed = {"type": "object", "additionalProperties": False}
    return {**closed, **({"required": needed} if needed else {}), "properties": keys}


def _schema(kind: Any, described: bool) -> dict[str, Any]:
    origin, of = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return reduce(or_, (must.words for must in of[1:]), _schema(of[0], described))
    if origin in (Union, UnionType):
        groups = _groups(kind)
        return _by_kind(groups, described) if len(groups) > 1 else _together(of, described)
    if origin is Literal:
        return {"enum": [*of]}
    if origin is tuple:
        return {"type": "array", "items": _schema(of[0], described)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(of[1], described)}
    return {"type": TYPES[kind]} if kind in TYPES else schema_of(kind, described=described)


def _together(kinds: tuple[Any, ...], described: bool) -> dict[str, Any]:
    """Give one schema for several types, so that one message names them all."""
    each = [_schema(kind, described) for kind in kinds]
    whole = {word: value for one in each for word, value in one.items()}
    if "enum" in whole:  # or null
        return {"enum": [*whole["enum"], None]}
    return {**whole, "type": [one["type"] for one in each]}


def _by_kind(groups: list[type[Plain]], described: bool) -> dict[str, Any]:
    each = [schema_of(group, described=described) for group in groups]
    names = [name for one in each for name in one["properties"]["kind"]["enum"]]
    kinds: list[dict[str, Any]] = [{"properties": {"kind": {"const": name}}} for name in names]
    pairs = zip(kinds, each, strict=True)
    rules = [{"if": {"required": ["kind"], **kind}, "then": one} for kind, one in pairs]
    keys = {"kind": {"enum": names}}
    return {"type": "object", "required": ["kind"], "properties": keys, "allOf": rules}


def _given(value: Any) -> Any:
    """Write a default as a configuration would."""
    if isinstance(value, Plain):
        return {key: _given(one) for key, one in vars(value).items() if one is not None}
    return [_given(one) for one in value] if isinstance(value, tuple) else value


def meanings(group: type[Plain]) -> dict[str, str]:
    """Give what the keys of a group mean: the texts below its fields."""
    groups = [one for one in group.__mro__[::-1] if issubclass(one, Plain) and one is not Plain]
    trees = [ast.parse(inspect.getsource(one)).body[0] for one in groups]
    return {
        ast.unparse(key.target): " ".join(ast.literal_eval(text.value).split())
        for tree in trees
        for key, text in pairwise(ast.iter_child_nodes(tree))
        if isinstance(key, ast.AnnAssign) and isinstance(text, ast.Expr)
    }
