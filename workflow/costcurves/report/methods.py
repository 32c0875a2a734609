"""How the report was made: definitions and decisions from the configuration, and provenance."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from costcurves.chance import resampling
from costcurves.choosing.rules import RULES
from costcurves.counts.folds import ENOUGH, FOLDS, SPLITS
from costcurves.formats import cases, level, threshold
from costcurves.report.document import WHOLE, Facts, Section
from costcurves.report.material import Material
from costcurves.report.measured import WORDS, Measured, of_costs, of_dataset, quantities_of

if TYPE_CHECKING:
    from costcurves.settings import OperatingCondition, Study

WRITTEN: Final = {"score_threshold": threshold, "rate": level, "max_fp_rate": cases}


@dataclass(frozen=True)
class Held:
    """How often intervals or verdicts of a kind held in simulations."""

    words: str
    design: Measured
    titles: tuple[str, ...]  # of the datasets that it is nearest to


@dataclass(frozen=True)
class Constants:
    """What methods rest on, as the code has it; docs/derivations.md says why."""

    folds: int
    splits: int
    enough: int
    clusters: int


@dataclass(frozen=True)
class Methods:
    """What was done, of which the methods speak."""

    level: str
    estimates: tuple[str, ...]  # kinds of headline curves
    paired: bool
    pools_folds: bool
    weight: Mapping[str, Any]  # of PC(+)
    conditions: "tuple[OperatingCondition, ...]"
    datasets: tuple[Facts, ...]
    weighs: bool  # cases by cost
    compares: bool
    confidence: float
    familywise: float
    resamples: tuple[int, ...]
    equivalence: float | None
    reference: str | None
    claims: bool
    claimed_means: bool
    chance: tuple[str, ...]
    families: bool
    criteria: tuple[tuple[str, str], ...]
    measured: tuple[Held, ...]
    split: bool  # some test set had no folds
    mapped: bool
    explored: bool
    appendix: bool
    constants: Constants


def methods(study: "Study", materials: Sequence[Material], estimates: Collection[str]) -> Section:
    """Make the section of definitions; `estimates` are kinds of headline curves, also by cost."""
    datasets = tuple(material.facts for material in materials)
    rules = {name for material in materials for name in material.tables["hybrids"]["criterion"]}
    chance = {method for material in materials for method in material.chance}
    members = [material.tables["operating_points"]["member"] for material in materials]
    drawn = [study.of_ranges.drawn(len(facts.models)) for facts in datasets]
    content = Methods(
        level=study.level,
        estimates=tuple(dict.fromkeys(estimates)),
        paired=study.pairing == "paired",
        pools_folds=study.folds_without_a_class == "pool",
        weight=study.prior.plain(),
        conditions=study.operating_conditions,
        datasets=datasets,
        weighs=len(study.datasets) > len(study.counted),
        compares=any(len(facts.models) > 1 for facts in datasets),
        confidence=study.inference.confidence,
        familywise=study.of_ranges.confidence,
        resamples=tuple(sorted({min(drawn), max(drawn)})),
        equivalence=study.inference.equivalence,
        reference=study.reference,
        claims=bool(study.claims),
        claimed_means=any(claim.average for claim in study.claims),
        chance=tuple(sorted(chance)),
        families=any(names.ne("").any() for names in members),
        criteria=tuple(_criteria(study, rules)),
        measured=tuple(_measured(study, materials)),
        split=any(facts.folds < 2 for facts in datasets),
        mapped=len(datasets) > 2,
        explored=not materials[0].tables["duality"].empty,
        appendix=study.appendix,
        constants=Constants(FOLDS, SPLITS, ENOUGH, resampling.FEWEST),
    )
    return Section("methods", ("Methods",), "methods", content)


def _criteria(study: "Study", rules: Collection[str]) -> Iterable[tuple[str, str]]:
    """Describe each threshold rule with the values that the study gives it."""
    words = {"rate": "the data\N{RIGHT SINGLE QUOTATION MARK}s class proportion"}
    for key, value in asdict(study.selection).items():
        if value is not None:
            words[key] = WRITTEN.get(key, str)(value)
    for name in study.selection.considered():
        if name in rules:
            yield name, RULES[name].said.format(**words)


def _measured(study: "Study", materials: Sequence[Material]) -> Iterable[Held]:
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
            yield Held(words, worst, tuple(titles[worst]))


@dataclass(frozen=True)
class Files:
    """A table, or a figure with data, and its files by dataset."""

    name: str
    figure: bool
    files: tuple[tuple[str, str], ...]  # address and dataset of each


@dataclass(frozen=True)
class Provenance:
    """What the report was made of and with."""

    record: Mapping[str, Any]  # the manifest
    configuration: str
    files: tuple[Files, ...]


def provenance(record: Mapping[str, Any]) -> Section:
    """Make the section that says what the report was made of and with."""
    from costcurves.study.strict_yaml import as_yaml  # which needs ruamel.yaml

    content = Provenance(record, as_yaml(record["configuration"]), _files(record["files"]))
    return Section("provenance", ("Provenance",), "provenance", content)


def _files(paths: Iterable[str]) -> tuple[Files, ...]:
    """List every table, and every figure with data, each with its files by dataset."""
    files: dict[tuple[bool, str], list[tuple[str, str]]] = {}
    for path in map(PurePosixPath, sorted(paths)):
        folder, *places = path.with_suffix("").parts
        if path.suffix not in (".csv", ".parquet"):
            continue
        figure = folder == "figures"
        name = places.pop() if figure else places.pop(0)
        dataset = places[0] if places else WHOLE.title
        files.setdefault((figure, name), []).append((str(path), dataset))
    return tuple(Files(name, figure, tuple(files[figure, name])) for figure, name in sorted(files))
