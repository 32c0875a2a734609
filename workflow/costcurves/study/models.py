"""A configuration validated by pydantic."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache

from pydantic import ConfigDict, TypeAdapter, ValidationError

from costcurves.settings import Place, StudyKeys, built


@cache
def _adapter() -> TypeAdapter[StudyKeys | None]:
    # For a dataclass alone pydantic takes no configuration.
    return TypeAdapter(StudyKeys | None, config=ConfigDict(extra="forbid", strict=True))


def validated(content: object) -> tuple[StudyKeys | None, list[tuple[Place, str]]]:
    """Return the keys of a configuration, or what breaks their types and bounds.

    Pydantic says whether they are kept; the words are those of the Python interface, which checks
    the same declarations without it.
    """
    keys, why, findings = None, "", list[tuple[Place, str]]()
    try:
        keys = _adapter().validate_json(json.dumps(content, default=str))
    except ValidationError as error:
        why = f"can't be read ({error.errors(include_url=False)[0]['msg']})"
    if keys is None:
        built(StudyKeys, content, (), findings)
        findings = findings or [*_halves(content)] or [((), why)]
    return keys, findings


def _halves(content: object) -> Iterator[tuple[Place, str]]:
    """List the keys whose text has half a character, which JSON cannot hold."""
    for key, value in content.items() if isinstance(content, Mapping) else ():
        half = re.search("[\ud800-\udfff]", json.dumps(value, default=str, ensure_ascii=False))
        if half is not None:
            yield (key,), f"has the character {half.group()!r}, expected plain text"
