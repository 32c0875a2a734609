"""A study: what its configuration says, checked as a whole and given as plain frozen values.

This module is imported before any job runs, so it needs neither pandas nor pyarrow.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from costcurves.errors import InputError
from costcurves.tables.configuration import located, schema, schema_findings, with_defaults
from costcurves.tables.names import is_slug, slug, slugs, twins, unusable
from costcurves.tables.strict_yaml import Document, Place, read_document

__all__ = [
    "Dataset",
    "OperatingCondition",
    "Study",
    "load_yaml",
    "parse_study",
    "read_study",
    "slug",
]


@dataclass(frozen=True)
class _Plain:
    """What goes through JSON and comes back equal."""

    def plain(self) -> dict[str, Any]:
        """Give plain JSON types only, as the parameters of a workflow's rule must be."""
        content: dict[str, Any] = json.loads(json.dumps(asdict(self), allow_nan=False))
        return content


@dataclass(frozen=True)
class OperatingCondition(_Plain):
    """A marked operating condition.

    Parameters
    ----------
    name
        What figures and tables call it.
    pc
        PC(+).
    prior
        The deployment proportion of positives it was given with, if any.
    cost_ratio
        C(-|+) / C(+|-), the cost ratio it was given with, if any.
    """

    name: str
    pc: float
    prior: float | None = None
    cost_ratio: float | None = None


@dataclass(frozen=True)
class Dataset(_Plain):
    """One dataset of a study.

    Parameters
    ----------
    name
        Its name, as in the column ``dataset`` of its files.
    title
        How the report calls it.
    slug
        What its files are called.
    predictions
        Its files, as the configuration gives them: relative to the working directory.
    positive
        Which label is positive; None: labels are 0 and 1 or true and false.
    prior
        The deployment proportion of positives; None: that of the data.
    models
        Which models, in which order; None: all in order of appearance.
    folds_without_a_class
        "refuse" or "pool", as in the study.
    pairing
        "paired" or "unpaired", as in the study.
    """

    name: str
    title: str
    slug: str
    predictions: tuple[str, ...]
    positive: str | None = None
    prior: float | None = None
    models: tuple[str, ...] | None = None
    folds_without_a_class: str = "refuse"
    pairing: str = "paired"

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Dataset":
        """Make a dataset of what `plain` gave."""
        models = plain["models"]
        return cls(
            **{
                **plain,
                "predictions": tuple(plain["predictions"]),
                "models": None if models is None else tuple(models),
            }
        )


@dataclass(frozen=True)
class Study(_Plain):
    """A study, with every default filled in.

    Parameters
    ----------
    name
        Its name, a slug: results go to ``results/<name>``.
    title
        The report's title.
    seed
        Where random numbers start.
    level
        Whose envelopes the headline averages: "fold", "repeat" or "pooled".
    folds_without_a_class
        "refuse", or "pool" (within their repeat).
    pairing
        "paired", or "unpaired".
    operating_conditions
        The marked operating conditions, with different names.
    prior
        The weight of PC(+) for total expected cost, as configured: ``{"kind": "uniform"}``.
    datasets
        The datasets, with different names and slugs.
    """

    name: str
    title: str
    seed: int
    level: str
    folds_without_a_class: str
    pairing: str
    operating_conditions: tuple[OperatingCondition, ...]
    prior: dict[str, Any]
    datasets: tuple[Dataset, ...]

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Study":
        """Make a study of what `plain` gave."""
        conditions = tuple(OperatingCondition(**one) for one in plain["operating_conditions"])
        datasets = tuple(Dataset.from_plain(one) for one in plain["datasets"])
        return cls(**{**plain, "operating_conditions": conditions, "datasets": datasets})


def load_yaml(path: str | Path) -> dict[str, Any]:
    """Read a configuration file strictly, without holding it to the schema.

    Parameters
    ----------
    path
        The file; it may be a part of a configuration.

    Returns
    -------
    dict
        Its content.

    Raises
    ------
    InputError
        With every finding of `strict_yaml.read_document`, or if it holds no keys.
    """
    return dict(_keys(path).content)


def _keys(path: str | Path) -> Document:
    document = read_document(path)
    if not isinstance(document.content, dict):
        raise InputError([f"{path}: holds no keys, expected 'study:', 'datasets:' and others"])
    return document


def read_study(path: str | Path) -> Study:
    """Read a study from its configuration file.

    Parameters
    ----------
    path
        A YAML file as ``config/README.md`` describes it.

    Returns
    -------
    Study
        The study.

    Raises
    ------
    InputError
        With every finding of `load_yaml`, or else every finding of `parse_study`; each names the
        file, the line and the key.
    """
    document = _keys(path)
    return parse_study(document.content, source=str(path), lines=document.lines)


def parse_study(
    content: Mapping[str, Any],
    *,
    source: str = "configuration",
    lines: Mapping[Place, int] | None = None,
    files: bool = True,
) -> Study:
    """Make a study of a configuration.

    Parameters
    ----------
    content
        The configuration, plain.
    source
        What messages call it: its path.
    lines
        The lines of its keys, where known.
    files
        Whether the files of predictions must exist.

    Returns
    -------
    Study
        The study.

    Raises
    ------
    InputError
        With every way in which it breaks the schema (unknown key, wrong type, out of range, NaN)
        or, where it breaks none, every finding about its meaning: a name that can't be used or
        occurs twice, a file that does not exist, a distribution that is none.

    Examples
    --------
    >>> study = parse_study(
    ...     {"study": "s", "datasets": [{"name": "Wine 1", "predictions": ["w.csv"]}]}, files=False
    ... )
    >>> study.level, study.operating_conditions[0].name, study.datasets[0].slug
    ('repeat', 'PC(+) = 0.5', 'Wine-1')
    >>> parse_study({"study": "s", "datasets": [], "sead": 1})
    Traceback (most recent call last):
    costcurves.errors.InputError: 2 findings:
      configuration: sead is not a known key; did you mean 'seed'?
      configuration: datasets is empty
    """
    findings = schema_findings(content, source, lines)
    if not findings:
        checks = [*MEANING, _missing_files] if files else MEANING
        found = [finding for check in checks for finding in check(content)]
        findings = [located(source, place, message, lines) for place, message in found]
    if findings:
        raise InputError(findings)
    return _study(with_defaults(content, schema()))


def _study(content: Mapping[str, Any]) -> Study:
    conditions = tuple(_condition(one) for one in content["operating_conditions"])
    common = {key: content[key] for key in ("folds_without_a_class", "pairing")}
    names = [one["name"] for one in content["datasets"]]
    datasets = tuple(
        _dataset(one, file_name, common)
        for one, file_name in zip(content["datasets"], slugs(names), strict=True)
    )
    return Study(
        name=content["study"],
        title=content["title"] or content["study"],
        seed=int(content["seed"]),
        level=content["level"],
        operating_conditions=conditions,
        prior=dict(content["prior"]),
        datasets=datasets,
        **common,
    )


def _dataset(content: Mapping[str, Any], file_name: str, common: Mapping[str, Any]) -> Dataset:
    filled = with_defaults(content, schema()["$defs"]["dataset"])
    title = filled["title"] or filled["name"]
    return Dataset.from_plain({**filled, **common, "title": title, "slug": file_name})


def _condition(content: Mapping[str, Any]) -> OperatingCondition:
    if "pc" in content:
        pc, prior, ratio = float(content["pc"]), None, None
    else:
        from costcurves.maths import cost_space  # imports numpy

        prior = float(content["prior"])
        ratio = float(content.get("cost_ratio") or content["cost_fn"] / content["cost_fp"])
        pc = float(cost_space.pc_from_ratio(ratio, prior))
    return OperatingCondition(content.get("name") or f"PC(+) = {pc:.4g}", pc, prior, ratio)


Findings = Iterator[tuple[Place, str]]


def _unusable_names(content: Mapping[str, Any]) -> Findings:
    """Find names that can't be used: for files, in tables, in a report."""
    if not is_slug(content["study"]):
        described = schema()["$defs"]["slug"]["description"]
        yield ("study",), f"is {content['study']!r}, expected {described}"
    for place, name in _names(content):
        if name is not None and (why := unusable(name)):
            yield place, why


def _names(content: Mapping[str, Any]) -> Iterator[tuple[Place, str | None]]:
    yield ("title",), content.get("title")
    for index, condition in enumerate(content.get("operating_conditions", [])):
        yield ("operating_conditions", index, "name"), condition.get("name")
    for index, dataset in enumerate(content["datasets"]):
        place = ("datasets", index)
        for key in ("name", "title", "positive"):
            yield (*place, key), dataset.get(key)
        for key in ("models", "predictions"):
            for number, name in enumerate(dataset.get(key) or []):
                yield (*place, key, number), name


def _repeated_names(content: Mapping[str, Any]) -> Findings:
    """Find datasets, and operating conditions, that are called the same or look the same."""
    conditions = [_condition(one).name for one in content.get("operating_conditions", [])]
    names = [dataset["name"] for dataset in content["datasets"]]
    for key, called in (("operating_conditions", conditions), ("datasets", names)):
        for index, name in enumerate(called):
            if name in called[:index]:
                yield (key, index), f"is called {name!r} like one before it, expected another name"
        for first, second in twins(called):
            yield (key, called.index(second)), f"is called {second!r}, which looks like {first!r}"


def _broken_prior(content: Mapping[str, Any]) -> Findings:
    """Find distributions of PC(+) that are none."""
    prior = content.get("prior", {})
    low, high, weight = prior.get("low", 0), prior.get("high", 1), prior.get("weight", [1])
    if low >= high:
        yield ("prior",), f"goes from {low} to {high}, expected low < high"
    if not any(weight):
        yield ("prior", "weight"), "is 0 everywhere, expected a weight above 0"
    edges, values = prior.get("edges", []), prior.get("pc", [])
    if values and len(values) != len(weight):
        yield ("prior", "weight"), f"has {len(weight)} items, expected {len(values)} as for pc"
    if edges and len(edges) != len(weight) + 1:
        expected = f"expected {len(edges) - 1}, one fewer than edges"
        yield ("prior", "weight"), f"has {len(weight)} items, {expected}"
    if any(left >= right for left, right in pairwise(edges)):
        yield ("prior", "edges"), f"is {edges}, expected ascending numbers"


def _missing_files(content: Mapping[str, Any]) -> Findings:
    """Find files of predictions that do not exist."""
    for index, dataset in enumerate(content["datasets"]):
        for number, path in enumerate(dataset["predictions"]):
            if "\0" not in path and not Path(path).exists():
                why = f"is {path!r}, which does not exist in the folder where the command runs"
                yield ("datasets", index, "predictions", number), why


MEANING: list[Callable[[Mapping[str, Any]], Findings]] = [
    _unusable_names,
    _repeated_names,
    _broken_prior,
]
