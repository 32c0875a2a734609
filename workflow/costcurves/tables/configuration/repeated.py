"""Names that a study gives twice, or that a reader or a file system takes for the same.

Like `study`, this is imported before any job runs and needs neither pandas nor pyarrow.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from costcurves.tables.configuration.classes import part_files, parts
from costcurves.tables.configuration.names import look, slugs, twins
from costcurves.tables.configuration.strict_yaml import Findings


def repeated(key: str, names: Sequence[str]) -> Findings:
    """Find names in the list under a key that are the same or look the same.

    >>> list(repeated("datasets", ["a", "b", "a"]))
    [(('datasets', 2), "is called 'a' like one before it, expected another name")]
    """
    for index, name in enumerate(names):
        if name in names[:index]:
            yield (key, index), f"is called {name!r} like one before it, expected another name"
    for first, second in twins(names):
        yield (key, names.index(second)), f"is called {second!r}, which looks like {first!r}"


def repeated_datasets(content: Mapping[str, Any]) -> Findings:
    """Find datasets that are called the same, also with what classes and costs add to names."""
    datasets = content["datasets"]
    names = [one["name"] for one in datasets]
    yield from repeated("datasets", names)
    owners: dict[tuple[str, str], str] = {}
    for index, (one, file_name) in enumerate(zip(datasets, slugs(names), strict=True)):
        for what, called, key in _made(one, file_name):
            owner = owners.setdefault((what, key), one["name"])
            if look(owner) != look(one["name"]):
                both = f"it and {owner!r} both have {what} called {called!r}"
                why = "as classes and costs are added to names; expected another name"
                yield ("datasets", index), f"is called {one['name']!r}: {both}, {why}"


def _made(dataset: Mapping[str, Any], file_name: str) -> Iterator[tuple[str, str, str]]:
    """Say what a configured dataset makes, how that is called, and what must not be the same."""
    for name in dict.fromkeys((dataset["name"], *parts(dataset))):
        yield "a dataset", name, look(name)
    by_cost = [f"{file_name}--costs"] if dataset.get("costs") is not None else []
    for file in (*part_files(dataset, file_name), *by_cost):
        yield "files", file, file.casefold()
