"""A report that does not say where it was made: paths of files without their folders."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final

PARTS: Final = ("sources", "report_sources")  # of a manifest, that name files


def anonymous(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Replace every path of a file by a name without its folder, wherever the path is said.

    Versions of packages and of system libraries stay: many machines have them, and without them
    nobody could tell why a report comes out differently elsewhere.

    >>> anonymous({"sources": [{"path": "/home/jo/a.csv"}], "given": {"files": ["/home/jo/a.csv"]}})
    {'sources': [{'path': 'a.csv'}], 'given': {'files': ['a.csv']}}
    """
    files = [one["path"] for part in PARTS for one in facts.get(part, [])]
    folder = facts.get("given", {}).get("report", {}).get("templates")
    inside = [file for file in files if folder and PurePath(file).is_relative_to(folder)]
    names = base_names(
        [*(file for file in files if file not in inside), *([folder] * bool(folder))]
    )
    for file in inside:
        names[file] = str(PurePath(names[folder], PurePath(file).relative_to(folder)))
    return {key: _replaced(value, names) for key, value in facts.items()}


def base_names(paths: Sequence[str]) -> dict[str, str]:
    """Name files without their folders; where two names are the same their order tells which.

    Doing it twice changes nothing: a report that is built again from such names has the same.

    >>> base_names(["/home/jo/a.csv", "b/x.csv", "../c/x.csv"])
    {'/home/jo/a.csv': 'a.csv', 'b/x.csv': '2/x.csv', '../c/x.csv': '3/x.csv'}
    """
    different = list(dict.fromkeys(paths))
    names = [PurePath(path).name for path in different]
    uses = Counter(name.casefold() for name in names)
    return {
        path: name if uses[name.casefold()] == 1 else f"{number}/{name}"
        for number, (path, name) in enumerate(zip(different, names, strict=True), start=1)
    }


def _replaced(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: _replaced(one, names) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(one, names) for one in value]
    return value
