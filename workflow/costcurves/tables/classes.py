"""Several classes: a dataset becomes one for each class, that class against all others.

After Drummond and Holte (2006), section 6, https://doi.org/10.1007/s10994-006-8199-5.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from costcurves.tables.names import slugs
from costcurves.tables.strict_yaml import Findings

ALONE = {
    "positive": "each class is the positive one in turn",
    "prior": "each class has its own",
    "costs": "what a mistake costs depends on which class is the positive one",
}


def score_columns(classes: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    """Give the column of scores of each class.

    >>> score_columns(["red", "blue"]), score_columns({"red": "p1", "blue": "p2"})
    ({'red': 'score_red', 'blue': 'score_blue'}, {'red': 'p1', 'blue': 'p2'})
    """
    if isinstance(classes, Mapping):
        return dict(classes)
    return {one: f"score_{one}" for one in classes}


def parts(dataset: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the datasets that a configured one becomes: itself, or one for each of its classes.

    >>> parts({"name": "wine"}), parts({"name": "tea", "classes": ["red", "green"]})
    (('wine',), ('tea: red', 'tea: green'))
    """
    name, classes = str(dataset["name"]), dataset.get("classes")
    return (name,) if classes is None else tuple(f"{name}: {one}" for one in score_columns(classes))


def part_files(dataset: Mapping[str, Any], file_name: str) -> tuple[str, ...]:
    """Name the files of the datasets that a configured one becomes, as `parts` names them.

    >>> part_files({"classes": ["red", "dark green"]}, "tea"), part_files({}, "wine")
    (('tea--red', 'tea--dark-green'), ('wine',))
    """
    classes = dataset.get("classes")
    if classes is None:
        return (file_name,)
    return tuple(f"{file_name}--{one}" for one in slugs(list(score_columns(classes))))


def against_all(
    dataset: Mapping[str, Any], classes: Sequence[str] | Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Make the fields of a dataset for each class, in order; `of` names the whole one."""
    columns = score_columns(classes)
    whole = {"name": dataset["name"], "classes": classes}
    names, files = parts(whole), part_files(whole, dataset["slug"])
    for name, (one, column), file_name in zip(names, columns.items(), files, strict=True):
        yield {
            **dataset,
            "name": name,
            "title": f"{dataset['title']}: {one}",
            "slug": file_name,
            "positive": one,
            "of": dataset["name"],
            "classes": tuple(columns),
            "score": column,
        }


def broken_classes(content: Mapping[str, Any]) -> Findings:
    """Find what can't be said of a dataset with several classes."""
    for index, dataset in enumerate(content["datasets"]):
        classes = dataset.get("classes")
        if classes is None:
            continue
        for key, why in ALONE.items():
            if dataset.get(key) is not None:
                yield ("datasets", index, key), f"can't be given with 'classes:': {why}"
        columns = list(score_columns(classes).values())
        for column in dict.fromkeys(one for one in columns if columns.count(one) > 1):
            yield ("datasets", index, "classes"), f"has the column {column!r} twice"
