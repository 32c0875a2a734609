"""A study made of its configuration, which is refused with every finding."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from costcurves.errors import InputError
from costcurves.names import slugs
from costcurves.settings import OF_CLASS, QUICK, Dataset, Place, Study, StudyKeys, built
from costcurves.study.claims import claim_of, conditions_of
from costcurves.study.findings import refuse_findings
from costcurves.study.meaning import meaning_findings


def read_study(path: str | Path, changes: Mapping[str, Any] | None = None) -> Study:
    """Read a study from its configuration file, with other values of some keys."""
    from costcurves.study.strict_yaml import read_document  # which needs ruamel.yaml

    document = read_document(path)
    if not isinstance(document.content, dict):
        raise InputError([f"{path}: holds no keys, expected 'study:', 'datasets:' and others"])
    content = {**document.content, **(changes or {})}
    return parse_study(content, source=str(path), lines=document.lines)


def parse_study(
    content: Mapping[str, Any],
    *,
    source: str = "configuration",
    lines: Mapping[Place, int] | None = None,
    files: bool = True,
) -> Study:
    """Return the study of a configuration, whose files must exist if `files`.

    What breaks types and bounds is refused first, then what means nothing. This needs no extra: the
    Python interface makes its study with it.
    """
    findings = list[tuple[Place, str]]()
    keys = built(StudyKeys, content, (), findings)
    refuse_findings(findings, source, lines)
    refuse_findings(meaning_findings(keys, files), source, lines)
    datasets = _datasets(keys)
    siblings = [dataset.sibling for dataset in datasets if dataset.costs is not None]
    claims = [claim_of(claim, keys) for claim in keys.claims]
    inference = keys.inference
    if keys.detail == "quick":  # claims take more resamples
        claims, inference = [], replace(inference, resamples=QUICK)
    values = vars(keys) | {
        "operating_conditions": conditions_of(keys),
        "claims": tuple(claims),
        "datasets": (*datasets, *siblings),
        "title": keys.title or keys.study,
        "inference": inference,
    }
    return Study(**values)


def _datasets(keys: StudyKeys) -> list[Dataset]:
    """Return the datasets, with what they have from the study; one for each of several classes."""
    datasets = []
    names = [dataset.name for dataset in keys.datasets]
    for dataset, slug in zip(keys.datasets, slugs(names), strict=True):
        title = dataset.title or dataset.name
        values = vars(dataset) | {
            "folds_without_a_class": keys.folds_without_a_class,
            "pairing": keys.pairing,
            "reference": keys.reference,
            "title": title,
            "slug": slug,
            "columns": dataset.all_columns,
            "classes": dataset.each_class or None,
        }
        if not dataset.each_class:
            datasets.append(Dataset(**values, rest=dataset.classes is not None))
            continue
        files = dataset.part_files(slug)
        for name, file, positive in zip(dataset.parts, files, dataset.each_class, strict=True):
            values |= {
                "name": name,
                "title": f"{title}: {positive}",
                "slug": file,
                "positive": positive,
            }
            datasets.append(Dataset(**values, of=dataset.name, score=f"{OF_CLASS}{positive}"))
    return datasets
