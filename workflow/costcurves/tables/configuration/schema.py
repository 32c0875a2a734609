"""A configuration against its schema: every finding in words, with the nearest key that exists."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from operator import ge, gt, le, lt
from typing import Any, Final

from costcurves.tables.configuration.names import items, nearest, quoted, some

Place = tuple[str | int, ...]
Findings = Iterator[tuple[Place, str]]  # what is wrong, and where

KINDS: Final[Mapping[str, tuple[Any, str]]] = {
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "number": (int | float, "a number"),
    "array": (list, "a list"),
    "object": (Mapping, "keys with values"),
    "null": (type(None), "null"),
    "boolean": (bool, "true or false"),
}
BOUNDS: Final[Mapping[str, tuple[Any, str]]] = {
    "minimum": (lt, "at least"),
    "maximum": (gt, "at most"),
    "exclusiveMinimum": (le, "more than"),
    "exclusiveMaximum": (ge, "less than"),
}
LARGE: Final = 1e100  # whose square can still be added up
SIZED: Final = {"Items": list, "Length": str, "Properties": Mapping}

REMOVED = {  # keys of former versions, and what to do without them
    "report": "was removed: say what the study is about in 'description:', which is plain text",
    "unit": "was removed: cases, or clusters, are what is resampled",
    "map": "was removed: the map shows the pair about which most is decided",
}


def schema_findings(
    content: object,
    schema: Mapping[str, Any],
    source: str,
    lines: Mapping[Place, int] | None = None,
) -> list[str]:
    """Hold a configuration to the schema: every finding once, in order of lines if known."""
    found = sorted(_broken(content, schema, ()), key=lambda finding: _line(finding[0], lines))
    return list(dict.fromkeys(located(source, place, text, lines) for place, text in found))


def located(
    source: str, place: Place, message: str, lines: Mapping[Place, int] | None = None
) -> str:
    """Put file, line and key in front of a message: c.yaml line 7: datasets[0].name is blank."""
    number = _line(place, lines)
    where = f"{source} line {number}" if number else source
    key = ""
    for part in place:
        plain = isinstance(part, str) and part.isidentifier() and len(part) < 60
        key += f".{part}" if plain else f"[{quoted(part)}]"
    return f"{where}: {key.removeprefix('.')} {message}" if place else f"{where}: {message}"


def _line(place: Place, lines: Mapping[Place, int] | None) -> int:
    """Find the line of a key, or else of what it is in; 0 if lines are not known."""
    known = lines or {}
    ends = range(len(place), 0, -1)
    return next((known[place[:end]] for end in ends if place[:end] in known), 0)


def _broken(value: Any, schema: Mapping[str, Any], place: Place) -> Findings:
    """Find what breaks a schema of `declared`, at any depth."""
    yield from ((place, why) for why in _wrong(value, schema))
    if isinstance(value, Mapping):
        known, other = schema.get("properties", {}), schema.get("additionalProperties", {})
        lacks = (it for it in schema.get("required", ()) if it not in value)
        yield from ((place, f"lacks the key {it!r}") for it in lacks)
        for key, one in value.items():
            yield from _broken(key, schema.get("propertyNames", {}), place)
            if key in known or other is not False:
                yield from _broken(one, known.get(key, other), (*place, key))
            else:
                unknown = f"is not a known key; {nearest(str(key), [*known])}"
                yield (*place, key), REMOVED.get(key, unknown)
    for at, one in enumerate(value) if isinstance(value, list) else ():
        yield from _broken(one, schema.get("items", {}), (*place, at))
    for one in schema.get("allOf", ()):
        if not any(_broken(value, one["if"], ())):
            yield from _broken(value, one["then"], place)


def _wrong(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """Say which of the rules a value breaks that look at nothing within it."""
    if "type" in schema and not any(_is(value, one) for one in _listed(schema["type"])):
        types = " or ".join(KINDS[name][1] for name in _listed(schema["type"]))
        yield f"is {_shown(value)}, expected {types}{_type_hint(schema['type'], value)}"
    known = schema.get("enum", [schema["const"]] if "const" in schema else [value])
    if value not in known:
        yield f"is {_shown(value)}, expected one of {some(known)}"
    for rule, (beyond, words) in BOUNDS.items():
        if rule in schema and _is(value, "number") and beyond(value, schema[rule]):
            yield f"is {_shown(value)}, expected a number that is {words} {schema[rule]}"
            break
    else:  # NaN passes all bounds, and a whole number may be one that no double is
        if "number" in schema.get("type", "") and _is(value, "number") and not abs(value) <= LARGE:
            yield f"is {_shown(value)}, expected a finite number, at most {LARGE:g} in size"
    for size, kind in SIZED.items():
        least, most = schema.get(f"min{size}", 0), schema.get(f"max{size}", math.inf)
        if isinstance(value, kind) and not least <= len(value) <= most:
            bound = f"at least {least}" if len(value) < least else f"at most {most}"
            yield f"has {items(len(value))}, expected {bound}" if value else "is empty"
    once = value if "uniqueItems" in schema and isinstance(value, list) else []
    if twice := dict.fromkeys(str(one) for one in once if once.count(one) > 1):
        yield f"names the same twice: {some([*twice])}"
    if isinstance(value, str) and not re.fullmatch(schema.get("pattern", "(?s).*"), value):
        yield f"is {_shown(value)}, expected {schema['title']}"
    if "oneOf" in schema and isinstance(value, Mapping):
        fitting = [one for one in schema["oneOf"] if not any(_broken(value, one, ()))]
        if len(fitting) != 1:
            yield f"is given with {some([*value])}, expected {schema['title']}"


def _listed(kinds: str | list[str]) -> list[str]:
    return [kinds] if isinstance(kinds, str) else kinds


def _is(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, KINDS[kind][0]) and isinstance(value, bool) == (kind == "boolean")


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return f"keys {some([str(key) for key in value])}"
    return "a list" if isinstance(value, list) else quoted(value)


def _type_hint(limit: str | list[str], value: object) -> str:
    """Name the trap of YAML that a wrong type usually comes from."""
    if "string" in limit and not isinstance(value, list | Mapping | None):
        return " (YAML reads no, off, 007, 1.0, 2006-01-31 as something else: put text in quotes)"
    if isinstance(value, str) and ("number" in limit or "integer" in limit):
        return " (no quotes; a decimal point; 1.0e-3, not 1e-3)"
    return " (- before each item)" if "array" in limit else ""
