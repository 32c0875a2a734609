"""A configuration against its schema: every finding in words, with the nearest key that exists."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from costcurves.tables.configuration.names import items, nearest, quoted, some
from costcurves.tables.configuration.strict_yaml import Place

WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "keys with values",
    "null": "null",
    "boolean": "true or false",
}
BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}

REMOVED = {  # keys of former versions, and what to do without them
    "templates": "was removed: a report has no templates of its own. Put your words into 'texts', "
    "with 'before' or 'after', and remove this key",
}


def schema_findings(
    content: object,
    schema: Mapping[str, Any],
    source: str,
    lines: Mapping[Place, int] | None = None,
) -> list[str]:
    """Hold a configuration to the schema: every finding once, in order of lines if known."""
    from jsonschema import Draft202012Validator  # 60 ms to import

    found: list[tuple[Place, str]] = list(_not_finite(content, ()))
    for error in Draft202012Validator(schema).iter_errors(content):
        place = tuple(error.absolute_path)
        found += [((*place, *key), message) for key, message in _messages(error)]
    found.sort(key=lambda finding: _line(finding[0], lines))
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


def _not_finite(content: object, place: Place) -> Iterator[tuple[Place, str]]:
    """Find NaN and infinity, which pass every range of a schema."""
    if isinstance(content, float) and not math.isfinite(content):
        yield place, f"is {content}, expected a finite number"
    if isinstance(content, Mapping | list | tuple):
        each = content.items() if isinstance(content, Mapping) else enumerate(content)
        for key, value in each:
            yield from _not_finite(value, (*place, key))


def _messages(error: Any) -> list[tuple[Place, str]]:
    """Say what one violation of the schema means, of which key below its place."""
    rule, limit, value = error.validator, error.validator_value, error.instance
    if rule == "additionalProperties":
        known = list(error.schema["properties"])
        unknown = [key for key in value if key not in known]
        return [((key,), REMOVED.get(key) or _unknown(key, known)) for key in unknown]
    if rule == "required":
        return [((), f"lacks the key {key!r}") for key in limit if key not in value]
    if rule == "oneOf" and not isinstance(value, Mapping):
        return []  # its type is wrong, which is said elsewhere
    return [((), _message(error, rule, limit, value))]


def _unknown(key: object, known: Sequence[str]) -> str:
    return f"is not a known key; {nearest(str(key), known)}"


def _message(error: Any, rule: str, limit: Any, value: Any) -> str:
    if rule == "type":
        types = " or ".join(WORDS[name] for name in ([limit] if isinstance(limit, str) else limit))
        return f"is {_shown(value)}, expected {types}{_type_hint(limit, value)}"
    if rule == "enum":
        return f"is {_shown(value)}, expected one of {some(limit)}"
    if rule in BOUNDS:
        return f"is {_shown(value)}, expected a number that is {BOUNDS[rule]} {limit}"
    if rule in ("minItems", "minLength"):
        return "is empty" if not value else f"has {items(len(value))}, expected at least {limit}"
    if rule == "maxItems":
        return f"has {items(len(value))}, expected at most {limit}"
    if rule == "uniqueItems":
        twice = dict.fromkeys(str(one) for one in value if value.count(one) > 1)
        return f"names the same twice: {some([*twice])}"
    if rule in ("pattern", "oneOf"):
        found = _shown(value) if rule == "pattern" else f"given with {some(list(value))}"
        return f"is {found}, expected {error.schema['title']}"
    return str(error.message)


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
