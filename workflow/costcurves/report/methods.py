"""How the report was made: definitions and decisions from the configuration, and provenance."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from costcurves.chance import resampling
from costcurves.choosing.rules import RULES
from costcurves.counts.folds import ENOUGH, FOLDS, SPLITS
from costcurves.formats import cases, level, threshold
from costcurves.report.document import Facts, Section
from costcurves.report.material import Material
from costcurves.report.measured import WORDS, Measured, of_costs, of_dataset, quantities_of
from costcurves.settings import Study

WRITTEN: Final = {"score_threshold": threshold, "rate": level, "max_fp_rate": cases}


@dataclass(frozen=True)
class Simulated:
    """How often intervals or verdicts of a kind held in simulations."""

    words: str
    design: Measured
    titles: tuple[str, ...]  # of the datasets that it is nearest to


@dataclass(frozen=True)
class Methods:
    """What was done, of which the methods speak."""

    study: Study
    datasets: tuple[Facts, ...]
    estimates: frozenset[str]  # kinds of headline curves
    resamples: tuple[int, ...]
    chance: frozenset[str]  # methods of inference
    families: bool
    criteria: tuple[tuple[str, str], ...]
    simulated: tuple[Simulated, ...]
    explored: bool
    # Constants of the code; docs/derivations.md says why.
    folds: int = FOLDS
    splits: int = SPLITS
    enough: int = ENOUGH
    clusters: int = resampling.FEWEST


def methods(study: Study, materials: Sequence[Material]) -> Section:
    """Make the section of definitions."""
    datasets = tuple(material.facts for material in materials)
    rules = {name for material in materials for name in material.tables["hybrids"]["criterion"]}
    by_cost = [material.weighted for material in materials if material.weighted]
    members = [material.tables["operating_points"]["member"] for material in materials]
    drawn = [study.of_ranges.drawn(len(facts.models)) for facts in datasets]
    content = Methods(
        study,
        datasets,
        estimates=frozenset(each.facts.estimate for each in (*materials, *by_cost)),
        resamples=tuple(sorted({min(drawn), max(drawn)})),
        chance=frozenset(
            method
            for material in materials
            for stage in ("intervals", "verdicts")
            for method in material.tables[stage]["method"]
        ),
        families=any(names.ne("").any() for names in members),
        criteria=tuple(_criteria(study, rules)),
        simulated=tuple(_simulated(study, materials)),
        explored=not materials[0].tables["duality"].empty,
    )
    return Section("methods", ("Methods",), "methods", content)


def _criteria(study: Study, rules: Collection[str]) -> Iterable[tuple[str, str]]:
    """Describe each threshold rule with the values that the study gives it."""
    words = {"rate": "the data\N{RIGHT SINGLE QUOTATION MARK}s class proportion"}
    for key, value in asdict(study.selection).items():
        if value is not None:
            words[key] = WRITTEN.get(key, str)(value)
    for name in study.selection.considered():
        if name in rules:
            yield name, RULES[name].description.format(**words)


def _simulated(study: Study, materials: Sequence[Material]) -> Iterable[Simulated]:
    """Take of each quantity the worst of the simulated designs nearest to the datasets."""
    named = study.of_ranges != study.inference
    titles: dict[Measured, list[str]] = {}
    for material in materials:
        facts = material.facts
        quantities = [*quantities_of(facts, named), *["claims"] * bool(study.claims)]
        designs = of_dataset(facts, quantities)
        if material.weighted is not None:
            row = material.weighted.rows("instance_costs")[0]
            sizes = row["negatives_effective"], row["positives_effective"]
            designs += of_costs(material.weighted.facts, *sizes)
        for design in designs:
            titles.setdefault(design, []).append(facts.title)
    for quantity, words in WORDS.items():
        designs = [design for design in titles if design.quantity == quantity]
        if designs:
            worst = max(designs, key=lambda design: design.missing)
            yield Simulated(words, worst, tuple(titles[worst]))


@dataclass(frozen=True)
class Provenance:
    """What the report was made of and with."""

    record: Mapping[str, Any]  # the manifest
    configuration: str
    files: tuple[tuple[str, str, str], ...]  # of numbers: what, of which dataset, address


def provenance(record: Mapping[str, Any]) -> Section:
    """Make the section that says what the report was made of and with."""
    from costcurves.study.strict_yaml import as_yaml  # which needs ruamel.yaml

    content = Provenance(record, as_yaml(record["configuration"]), tuple(_files(record["files"])))
    return Section("provenance", ("Provenance",), "provenance", content)


def _files(paths: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """List every table, and the data of every figure."""
    for path in sorted(paths):
        folder, *places = PurePosixPath(path).with_suffix("").parts
        if path.endswith((".csv", ".parquet")):
            name = f"{places.pop()} (figure)" if folder == "figures" else places.pop(0)
            yield name, places[0] if places else "all datasets", path
