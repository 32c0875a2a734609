"""A configuration validated by pydantic: every finding in words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from costcurves.errors import encode
from costcurves.settings import (
    Place,
    StudyKeys,
    alternatives,
    fits,
    keys_of,
    mismatch,
    unknown,
)


@cache
def _adapter() -> TypeAdapter[StudyKeys | None]:
    # For a dataclass alone pydantic takes no configuration.
    return TypeAdapter(StudyKeys | None, config=ConfigDict(extra="forbid", strict=True))


def validated(content: object) -> tuple[StudyKeys | None, list[tuple[Place, str]]]:
    """Return the keys of a configuration, or what breaks their types and bounds."""
    if content is None:
        return None, [((), mismatch(StudyKeys, content))]
    try:
        return _adapter().validate_json(json.dumps(content, default=str)), []
    except ValidationError as error:
        return None, _findings(error.errors(include_url=False), content)


def _findings(details: Sequence[ErrorDetails], content: Any) -> list[tuple[Place, str]]:
    """Return the errors of pydantic in words: one for all types that a value might have."""
    findings: list[tuple[Place, str]] = []
    mismatches: dict[Place, str] = {}
    for detail in details:
        place, value, kind = _walked(detail["loc"], content)
        if detail["type"] == "value_error":  # of `Bounds`
            findings.append((place, str(detail["ctx"]["error"])))
        elif detail["type"] == "missing":
            findings.append((place, f"lacks the key {detail['loc'][-1]!r}"))
        elif detail["type"] == "unexpected_keyword_argument":
            findings.append((place, unknown(str(place[-1]), kind)))
        elif detail["type"] == "json_invalid":  # half a character, or nested too deep
            unread = [(place, f"can't be read ({detail['msg']})")]
            findings += [*_halves(content)] or unread
        else:
            mismatches[place] = mismatch(kind, value)
    wrong = [place for place, _ in findings]
    for place, words in mismatches.items():
        others = [*wrong, *(other for other in mismatches if other != place)]
        if not any(other[: len(place)] == place for other in others):
            findings.append((place, words))  # else the value is of one of the types
    return findings


def _halves(content: Any) -> Iterator[tuple[Place, str]]:
    """Find the keys of a configuration whose text has half a character, which JSON cannot hold."""
    for key, value in content.items() if isinstance(content, Mapping) else ():
        try:
            encode(value)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            yield (key,), f"has the character {character!r}, expected plain text"


def _walked(location: Sequence[str | int], value: Any) -> tuple[Place, Any, Any]:
    """Return the place, the value and the annotation of an error; of an unknown key its group."""
    kind: Any = StudyKeys
    place: list[str | int] = []
    parts = [*location]
    while parts:
        choices = [choice for choice, _ in alternatives(kind) if choice is not NoneType]
        if len(choices) > 1:
            parts.pop(0)  # of several types pydantic names one
        if not parts or (isinstance(value, Mapping) and parts[0] not in value):
            break
        part = parts.pop(0)
        place.append(part)
        chosen: Any = next(choice for choice in choices if fits(choice, value))
        value = value[part]
        if get_origin(chosen) is tuple:
            kind = get_args(chosen)[0]
        elif get_origin(chosen) is dict:
            kind = get_args(chosen)[1]
        else:
            kind = keys_of(chosen).get(str(part), chosen)
    return tuple(place), value, kind
