"""A configuration validated by pydantic."""

import json
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
        findings = findings or [((), why)]
    return keys, findings
