"""How the report was made: definitions and decisions from the configuration, and provenance."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from costcurves.choosing.rules import RULES
from costcurves.formats import cases, level, threshold
from costcurves.maths.chance import paired, resampled_criteria, resampled_curves, resampling
from costcurves.maths.geometry import cells, slivers
from costcurves.report import patterns
from costcurves.report.document import WHOLE, Facts, Section, Values
from costcurves.report.material import Material
from costcurves.report.measured import FAR, WORDS, Measured, of_dataset, said_of
from costcurves.settings import ALWAYS
from costcurves.tables.curves.operating_points import DEALINGS, ENOUGH, FOLDS
from costcurves.tables.inference.resampling import LEAST

if TYPE_CHECKING:
    from costcurves.settings import Study

Simulated = tuple[str, list[str], list[Measured]]  # a title, quantities, their nearest designs
OF_CRITERIA: Final = "area", "cost", "band", "verdicts", "regret", "band of the regret"
WRITTEN: Final = {"score_threshold": threshold, "rate": level, "max_fp_rate": cases}


def methods(study: "Study", materials: Sequence[Material], estimates: Collection[str]) -> Section:
    """Make the section of definitions; `estimates` are kinds of headline curves, also by cost."""
    datasets = [it.facts for it in materials]
    chance = sorted({method for it in materials for method in it.chance})
    rules = {name for it in materials for name in it.tables["hybrids"]["criterion"]}
    inference = study.inference
    given = {key: value for key, value in asdict(study.selection).items() if value is not None}
    words = {"rate": patterns.CLASS_PROPORTION}
    words |= {key: WRITTEN.get(key, str)(value) for key, value in given.items()}
    drawn = [study.of_ranges.drawn(len(one.models)) for one in datasets]
    largest = max(one.clusters or max(one.positives, one.negatives) for one in datasets)
    simulated = _simulated(study, datasets)
    values = Values(
        level=study.level,
        estimates=tuple(dict.fromkeys(estimates)),
        paired=study.pairing == "paired",
        pools_folds=study.folds_without_a_class == "pool",
        weight=Values(**study.prior.plain()),
        conditions=study.operating_conditions,
        datasets=tuple(datasets),
        weighs=len(study.datasets) > len(study.counted),
        compares=any(len(one.models) > 1 for one in datasets),
        confidence=inference.confidence,
        familywise=study.of_ranges.confidence,
        resamples=tuple(sorted({min(drawn), max(drawn)})),  # of any dataset
        equivalence=inference.equivalence,
        reference=study.reference,
        claims=study.claims,
        matrix=any(one.cost_matrix for one in study.datasets),
        chance=tuple(chance),
        families=any(it.tables["operating_points"]["member"].ne("").any() for it in materials),
        criteria=tuple(
            (name, RULES[name].said.format(**words))
            for name in study.selection.considered()
            if name in rules
        ),
        measured=_measured(simulated),
        unlike=tuple(_unlike(simulated)),
        far=FAR,
        approximate=_approximate(datasets, study.selection.unlimited()),
        split=any(one.folds < 2 for one in datasets),
        shared=min(drawn) >= LEAST * DEALINGS,
        grouped=largest > resampling.MOST_UNITS,
        constants=_constants(),
        full=study.appendix,
    )
    return Section("methods", ("Methods",), "methods", values)


def _constants() -> Values:
    """Give what methods rest on, as the code has it; docs/derivations.md says why."""
    again, alone = resampled_curves.MADE_AGAIN, resampled_curves.ALONE
    return Values(
        folds=FOLDS,
        splits=DEALINGS,
        enough=ENOUGH,
        groups=resampling.MOST_UNITS,
        clusters=resampling.FEWEST,
        cells=resampled_curves.MOST_CELLS,
        envelope_cells=cells.MOST_CELLS,
        spacing=resampled_curves.SPACING,
        made_again=again,
        made_again_in_one=again * (alone + (1 - alone) / DEALINGS),
        outcomes=paired.MOST_OUTCOMES,
        sliver=slivers.SLIVER,
        few=resampled_criteria.FEW,
    )


def _simulated(study: "Study", datasets: Sequence[Facts]) -> list[Simulated]:
    """List of what something is said on each dataset, and what was simulated of it."""
    named, claimed = study.of_ranges != study.inference, ["claims"] * bool(study.claims)
    each = [(one, [*said_of(one, named), *claimed]) for one in datasets]
    return [(one.title, said, of_dataset(one, said)) for one, said in each]


def _unlike(simulated: Sequence[Simulated]) -> Iterator[Values]:
    """List what was not simulated for data like those of each dataset."""
    for title, said, designs in simulated:
        found = {one.quantity for one in designs}
        if missing := [WORDS[one] for one in said if one not in found]:
            yield Values(title=title, words=tuple(missing))


def _measured(simulated: Sequence[Simulated]) -> tuple[Values, ...]:
    """Say of each quantity which simulated design is nearest to which datasets."""
    found: dict[str, dict[Measured, list[str]]] = {}
    for title, _, designs in simulated:
        for one in designs:
            found.setdefault(one.quantity, {}).setdefault(one, []).append(title)
    return tuple(
        Values(words=words, designs=tuple((it, tuple(of)) for it, of in found[name].items()))
        for name, words in WORDS.items()
        if name in found
    )


def _approximate(datasets: Sequence[Facts], criteria: Sequence[str]) -> tuple[Measured, ...]:
    """List what is said of ways of choosing and missed its level in simulations."""
    names = [f"{one}, {it}" for one in criteria if one not in ALWAYS for it in OF_CRITERIA]
    found = (one for facts in datasets for one in of_dataset(facts, names))
    return tuple(dict.fromkeys(one for one in found if one.approximate))


def provenance(record: Mapping[str, Any]) -> Section:
    """Make the section that says what the report was made of and with."""
    from costcurves.study.strict_yaml import as_yaml  # which needs ruamel.yaml

    together = "".join(sorted(source["sha256"] for source in record["sources"]))
    configuration = as_yaml(record["configuration"])
    values = Values(
        sources=tuple(Values(**source) for source in record["sources"]),
        versions=tuple(record["versions"].items()),
        libraries=tuple(record["libraries"].items()),
        configuration=configuration,
        remarks=() if record.get("released", True) else (patterns.UNRELEASED,),
        **{name: record[name] for name in ("seed", "code", "fingerprint")},
        predictions=sha256(together.encode()).hexdigest(),
        study=sha256(configuration.encode()).hexdigest(),
        files=_files(record["files"]),
    )
    return Section("provenance", ("Provenance",), "provenance", values)


def _files(paths: Iterable[str]) -> tuple[Values, ...]:
    """List every table, and every figure with data, each with its files by dataset."""
    found: dict[tuple[bool, str], list[Values]] = {}
    for path in map(PurePosixPath, sorted(paths)):
        folder, *places = path.with_suffix("").parts
        if path.suffix not in (".csv", ".parquet"):
            continue
        figure = folder == "figures"
        name = places.pop() if figure else places.pop(0)
        dataset = places[0] if places else WHOLE.title
        found.setdefault((figure, name), []).append(Values(href=str(path), dataset=dataset))
    return tuple(
        Values(name=name, figure=figure, files=tuple(found[figure, name]))
        for figure, name in sorted(found)
    )
