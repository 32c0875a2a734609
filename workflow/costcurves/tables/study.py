"""A study: what its configuration says, checked as a whole and given as plain frozen values.

This module is imported before any job runs, so it needs neither pandas nor pyarrow.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from costcurves.errors import InputError
from costcurves.tables.claimed import Claim, broken_claims
from costcurves.tables.classes import against_all, broken_classes
from costcurves.tables.configuration import located, schema, schema_findings, with_defaults
from costcurves.tables.names import is_slug, nearest, quoted, slug, slugs, unusable
from costcurves.tables.repeated import repeated, repeated_datasets
from costcurves.tables.settings import (
    NEEDS,
    QUANTITIES,
    Costs,
    Inference,
    Plain,
    Selection,
    Statement,
)
from costcurves.tables.stages import STAGES, essential, resolved
from costcurves.tables.strict_yaml import Document, Place, read_document
from costcurves.tables.wording import Wording, broken_wording, missing_wording

__all__ = [
    "Dataset",
    "OperatingCondition",
    "Study",
    "parse_study",
    "read_study",
    "slug",
]


@dataclass(frozen=True)
class OperatingCondition(Plain):
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
class Dataset(Plain):
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
    baseline
        The model that all others are compared with, as in the study; None: none.
    costs
        What mistakes on its instances cost; None: that is not said, or all cost the same.
    weighted
        Whether instances count by their costs here: see `Study.views`.
    of
        The dataset that has several classes, of which this is one against all others; None: it has
        two classes.
    classes
        All classes of that dataset.
    score
        The column of its scores.
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
    baseline: str | None = None
    costs: Costs | None = None
    weighted: bool = False
    of: str | None = None
    classes: tuple[str, ...] | None = None
    score: str = "score"

    @property
    def in_files(self) -> str:
        """Its name in the column ``dataset`` of its files."""
        return self.of or self.name

    @property
    def by_cost(self) -> "Dataset":
        """The same dataset with instances that count by their costs."""
        title = f"{self.title}, instances by cost"
        return replace(self, slug=f"{self.slug}--costs", title=title, weighted=True)

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Dataset":
        """Make a dataset of what `plain` gave."""
        models, costs, classes = plain["models"], plain["costs"], plain.get("classes")
        return cls(
            **{
                **plain,
                "predictions": tuple(plain["predictions"]),
                "models": None if models is None else tuple(models),
                "costs": None if costs is None else Costs.from_plain(costs),
                "classes": None if classes is None else tuple(classes),
            }
        )


@dataclass(frozen=True)
class Study(Plain):
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
    inference
        How uncertainty is measured.
    selection
        Which ways of choosing a threshold are looked at.
    statements
        What papers say of such data.
    claims
        What is claimed of the models.
    fail_on
        Which claims make an audit fail: "contradicted", "undecided".
    map_models
        The two models of the large map of all datasets; None: those about which most is decided.
    report
        What the study adds to its report.
    anonymous
        Whether the report must not say whose files it was made of.
    detail
        What is computed and shown of each dataset: "full", or only what is "essential".
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
    inference: Inference
    selection: Selection
    statements: tuple[Statement, ...]
    claims: tuple[Claim, ...]
    fail_on: tuple[str, ...]
    map_models: tuple[str, ...] | None
    report: Wording
    anonymous: bool
    detail: str
    datasets: tuple[Dataset, ...]

    @property
    def views(self) -> tuple[Dataset, ...]:
        """All datasets with instances that count alike, then those with costs, by their costs.

        Both go through the same stages; only the weights of the instances differ.
        """
        return (*self.datasets, *(one.by_cost for one in self.datasets if one.costs is not None))

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages whose tables are made of each dataset."""
        if self.detail == "full":
            return STAGES
        return essential(
            states=bool(self.statements),
            chooses=any(any(one.criteria) for one in self.claims),
            costs=any(one.costs is not None for one in self.datasets),
        )

    @property
    def applied(self) -> Selection:
        """The ways of choosing that are applied: in an essential report those that are needed."""
        if self.detail == "full":
            return self.selection
        stated = (one.criterion for one in self.statements)
        claimed = (name for one in self.claims for name in one.criteria)
        needed = dict.fromkeys(name for name in (*stated, *claimed) if name)
        return replace(self.selection, criteria=tuple(needed))

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Study":
        """Make a study of what `plain` gave."""
        parts = {
            "operating_conditions": tuple(
                OperatingCondition(**one) for one in plain["operating_conditions"]
            ),
            "inference": Inference(**plain["inference"]),
            "selection": Selection.from_plain(plain["selection"]),
            "statements": tuple(Statement.from_plain(one) for one in plain["statements"]),
            "claims": tuple(Claim.from_plain(one) for one in plain["claims"]),
            "fail_on": tuple(plain["fail_on"]),
            "map_models": tuple(plain["map_models"]) if plain["map_models"] else None,
            "report": Wording.from_plain(plain["report"]),
            "datasets": tuple(Dataset.from_plain(one) for one in plain["datasets"]),
        }
        return cls(**{**plain, **parts})


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
        With every finding of `strict_yaml.read_document`, if the file holds no keys, or else with
        every finding of `parse_study`; each names the file, the line and the key.
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
        Whether the files that it names must exist.

    Returns
    -------
    Study
        The study.

    Raises
    ------
    InputError
        With every way in which it breaks the schema (unknown key, wrong type, out of range, NaN)
        or, where it breaks none, every finding about its meaning: a name that can't be used or
        occurs twice, a file that does not exist, a distribution that is none, a selection criterion
        without what it needs, a statement that can't be read off the results, a claim that can't
        be decided.

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
        checks = [*MEANING, _missing_files, missing_wording] if files else MEANING
        found = [finding for check in checks for finding in check(content)]
        findings = [located(source, place, message, lines) for place, message in found]
    if findings:
        raise InputError(findings)
    return _study(with_defaults(content, schema()))


def _study(content: Mapping[str, Any]) -> Study:
    conditions = tuple(_condition(one) for one in content["operating_conditions"])
    common = {key: content[key] for key in ("folds_without_a_class", "pairing")}
    inference = Inference(**_filled(content["inference"], "inference"))
    names = [one["name"] for one in content["datasets"]]
    datasets = tuple(
        dataset
        for one, file_name in zip(content["datasets"], slugs(names), strict=True)
        for dataset in _datasets(one, file_name, {**common, "baseline": inference.baseline})
    )
    statements = (_filled(one, "statement") for one in content["statements"])
    map_models = _filled(content["map"], "map")["models"]
    return Study(
        name=content["study"],
        title=content["title"] or content["study"],
        seed=int(content["seed"]),
        level=content["level"],
        operating_conditions=conditions,
        prior=dict(content["prior"]),
        inference=inference,
        selection=Selection.from_plain(_filled(content["selection"], "selection")),
        statements=tuple(Statement.from_plain(one) for one in statements),
        claims=tuple(
            Claim.configured(one, content["datasets"], inference.confidence)
            for one in content["claims"]
        ),
        fail_on=tuple(_filled(content["audit"], "audit")["fail_on"]),
        map_models=None if map_models is None else tuple(map_models),
        report=Wording.from_plain(content["report"]),
        anonymous=content["anonymous"],
        detail=resolved(content["detail"], len(datasets)),
        datasets=datasets,
        **common,
    )


def _filled(content: Mapping[str, Any], part: str) -> dict[str, Any]:
    return with_defaults(content, schema()["$defs"][part])


def _datasets(
    content: Mapping[str, Any], file_name: str, common: Mapping[str, Any]
) -> list[Dataset]:
    """Make the dataset, or one for each of its classes."""
    filled = _filled(content, "dataset")
    classes = filled.pop("classes")
    costs = filled["costs"]
    filled["costs"] = None if costs is None else _filled(costs, "costs")
    title = filled["title"] or filled["name"]
    whole = {**filled, **common, "title": title, "slug": file_name}
    each = [whole] if classes is None else against_all(whole, classes)
    return [Dataset.from_plain(one) for one in each]


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

MOST_CAPACITY = 10**12  # as of every other number
NAMES = ("dataset", "model", "member", "repeat", "fold", "instance", "label", "decision")


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
    yield ("inference", "baseline"), content.get("inference", {}).get("baseline")
    for index, name in enumerate(content.get("map", {}).get("models") or []):
        yield ("map", "models", index), name
    for index, statement in enumerate(content.get("statements", [])):
        for key in ("paper", "figure", "statement"):
            yield ("statements", index, key), statement[key]
    for index, claim in enumerate(content.get("claims", [])):
        yield ("claims", index, "claim"), claim["claim"]
    for index, condition in enumerate(content.get("operating_conditions", [])):
        yield ("operating_conditions", index, "name"), condition.get("name")
    for index, dataset in enumerate(content["datasets"]):
        place = ("datasets", index)
        for key in ("name", "title", "positive"):
            yield (*place, key), dataset.get(key)
        for key in ("unit", "column"):
            name = (dataset.get("costs") or {}).get(key)
            yield (*place, "costs", key), name or None
        for key in ("models", "predictions"):
            for number, name in enumerate(dataset.get(key) or []):
                yield (*place, key, number), name
        for name in dataset.get("classes") or []:
            yield (*place, "classes"), name


def _repeated_conditions(content: Mapping[str, Any]) -> Findings:
    """Find operating conditions that are called the same or look the same."""
    names = [_condition(one).name for one in content.get("operating_conditions", [])]
    yield from repeated("operating_conditions", names)


def _broken_costs(content: Mapping[str, Any]) -> Findings:
    """Find benefits that grow with a number that no column gives, and columns without benefits."""
    for index, dataset in enumerate(content["datasets"]):
        costs, place = dataset.get("costs") or {}, ("datasets", index, "costs")
        cells = Costs.from_plain(costs).benefit or {}
        column = costs.get("column")
        grow = [name for name, (_, coefficient) in cells.items() if coefficient]
        if column is None and grow:
            yield place, f"lacks the key 'column': benefit.{grow[0]} grows with its number"
        if column is not None and not grow:
            yield (*place, "column"), "is given, but no cell of 'benefit:' has a coefficient"
        if column in NAMES:
            yield (*place, "column"), f"is {column!r}, which holds names, expected one of numbers"


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


def _broken_selection(content: Mapping[str, Any]) -> Findings:
    """Find a capacity that is no number of cases, and criteria without what they need."""
    selection = content.get("selection", {})
    capacity = selection.get("capacity")
    if isinstance(capacity, str) and float(capacity.removesuffix("%")) > MOST_CAPACITY:
        yield ("selection", "capacity"), f"is {quoted(capacity)}, expected at most {MOST_CAPACITY}%"
    if isinstance(capacity, float) and not capacity.is_integer():
        expected = "expected a whole number of cases, or a share of them such as '10%'"
        yield ("selection", "capacity"), f"is {capacity}, {expected}"
    for index, name in enumerate(selection.get("criteria") or []):
        if name in NEEDS and selection.get(NEEDS[name]) is None:
            why = f"is {name!r}, which needs selection.{NEEDS[name]}: give it, or leave this out"
            yield ("selection", "criteria", index), why


def _broken_statements(content: Mapping[str, Any]) -> Findings:
    """Find statements that can't be read off the results."""
    names = [dataset["name"] for dataset in content["datasets"]]
    considered = Selection.from_plain(content.get("selection", {})).considered()
    for index, one in enumerate(content.get("statements", [])):
        place, quantity = ("statements", index), one["quantity"]
        needs, stated = QUANTITIES[quantity], one.get("stated", [])
        criterion = one.get("criterion")
        if one["dataset"] not in names:
            hint = nearest(one["dataset"], names)
            yield (*place, "dataset"), f"is {one['dataset']!r}, which the study has not; {hint}"
        if len(one["models"]) != needs.models:
            expected = f"expected {needs.models} for {quantity!r}"
            yield (*place, "models"), f"has {len(one['models'])} items, {expected}"
        if len(stated) not in (0, needs.numbers):
            expected = f"expected {needs.numbers} for {quantity!r}, or none"
            yield (*place, "stated"), f"has {len(stated)} items, {expected}"
        if needs.criterion and criterion is None:
            yield place, f"lacks the key 'criterion', which {quantity!r} needs"
        if criterion is not None and criterion not in considered:
            why = f"is {criterion!r}, which 'selection:' leaves out"
            yield (*place, "criterion"), why


def _broken_map(content: Mapping[str, Any]) -> Findings:
    """Find models of the map that no dataset has, where each says which it has."""
    listed = [dataset.get("models") for dataset in content["datasets"]]
    known = list(dict.fromkeys(model for models in listed for model in models or []))
    for index, model in enumerate(content.get("map", {}).get("models") or []):
        if all(listed) and model not in known:
            why = f"is {quoted(model)}, which no dataset has; {nearest(model, known)}"
            yield ("map", "models", index), why


def _missing_files(content: Mapping[str, Any]) -> Findings:
    """Find files of predictions that do not exist."""
    for index, dataset in enumerate(content["datasets"]):
        for number, path in enumerate(dataset["predictions"]):
            if "\0" not in path and not os.path.exists(path):  # noqa: PTH110 - never raises
                why = f"is {path!r}, which does not exist in the folder where the command runs"
                yield ("datasets", index, "predictions", number), why


MEANING: list[Callable[[Mapping[str, Any]], Findings]] = [
    _unusable_names,
    _repeated_conditions,
    repeated_datasets,
    _broken_prior,
    _broken_selection,
    _broken_statements,
    _broken_map,
    broken_claims,
    _broken_costs,
    broken_wording,
    broken_classes,
]
