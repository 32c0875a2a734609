"""A study: what its configuration says, checked as a whole and given as plain frozen values.

This module is imported before any job runs, so it needs neither pandas nor pyarrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from costcurves.errors import InputError
from costcurves.tables.claimed import Claim
from costcurves.tables.classes import against_all
from costcurves.tables.configuration import located, schema, schema_findings, with_defaults
from costcurves.tables.dataset import Dataset
from costcurves.tables.meaning import meaning_findings
from costcurves.tables.names import slugs
from costcurves.tables.operating_conditions import OperatingCondition
from costcurves.tables.settings import Inference, Plain, Selection, Statement
from costcurves.tables.stages import STAGES, essential, resolved
from costcurves.tables.strict_yaml import Document, Place, read_document
from costcurves.tables.wording import Wording


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
        found = meaning_findings(content, files=files)
        findings = [located(source, place, message, lines) for place, message in found]
    if findings:
        raise InputError(findings)
    return _study(with_defaults(content, schema()))


def _study(content: Mapping[str, Any]) -> Study:
    conditions = tuple(
        OperatingCondition.configured(one) for one in content["operating_conditions"]
    )
    inference = Inference(**_filled(content["inference"], "inference"))
    datasets = _datasets(content, inference.baseline)
    statements = (_filled(one, "statement") for one in content["statements"])
    map_models = _filled(content["map"], "map")["models"]
    return Study(
        name=content["study"],
        title=content["title"] or content["study"],
        seed=int(content["seed"]),
        level=content["level"],
        folds_without_a_class=content["folds_without_a_class"],
        pairing=content["pairing"],
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
    )


def _filled(content: Mapping[str, Any], part: str) -> dict[str, Any]:
    return with_defaults(content, schema()["$defs"][part])


def _datasets(content: Mapping[str, Any], baseline: str | None) -> tuple[Dataset, ...]:
    """Make the datasets with what they have from the study."""
    common = {key: content[key] for key in ("folds_without_a_class", "pairing")}
    names = [one["name"] for one in content["datasets"]]
    return tuple(
        dataset
        for one, file_name in zip(content["datasets"], slugs(names), strict=True)
        for dataset in _classes(one, file_name, {**common, "baseline": baseline})
    )


def _classes(
    content: Mapping[str, Any], file_name: str, common: Mapping[str, Any]
) -> list[Dataset]:
    """Make a dataset, or one for each of its classes."""
    filled = _filled(content, "dataset")
    classes = filled.pop("classes")
    costs = filled["costs"]
    filled["costs"] = None if costs is None else _filled(costs, "costs")
    title = filled["title"] or filled["name"]
    whole = {**filled, **common, "title": title, "slug": file_name}
    each = [whole] if classes is None else against_all(whole, classes)
    return [Dataset.from_plain(one) for one in each]
