"""How the report was made: definitions and decisions from the configuration, and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import yaml

from costcurves.formats import DASH, cases, level, threshold, times
from costcurves.report.document import Facts, Section
from costcurves.tables.configuration.settings import Selection
from costcurves.tables.selection.criterion import criterion_of

if TYPE_CHECKING:
    from costcurves.tables.configuration.study import Study

WRITTEN: Final = {"score_threshold": threshold, "rate": level, "max_fp_rate": cases}


@dataclass(frozen=True)
class Methods:
    """The decisions of a study that its methods section explains.

    `chance` names the methods of inference, as the tables call them; `criteria` the ways of
    choosing a threshold that are applied, and what each does. `resamples` are how many are drawn of
    any dataset: always as many, or the fewest and the most.
    """

    level: str
    estimates: tuple[str, ...]
    paired: bool
    pools_folds: bool
    weight: str
    conditions: tuple[tuple[str, float], ...]
    datasets: tuple[Facts, ...]
    confidence: float
    resamples: tuple[int, ...]
    unit: str
    equivalence: float | None
    baseline: str | None
    claims: int
    chance: tuple[str, ...]
    criteria: tuple[tuple[str, str], ...]
    full: bool  # all is computed of each dataset, not only what is essential


@dataclass(frozen=True)
class Source:
    """A file of predictions."""

    path: str
    sha256: str
    rows: int


@dataclass(frozen=True)
class Addition:
    """A file of text or a template that the study adds to the report."""

    path: str
    sha256: str


@dataclass(frozen=True)
class Provenance:
    """What the report was made of and with; `predictions` and `study` are hashes over all of it."""

    sources: tuple[Source, ...]
    added: tuple[Addition, ...]
    versions: tuple[tuple[str, str], ...]
    libraries: tuple[tuple[str, str], ...]
    configuration: str
    seed: int
    code: str
    fingerprint: str
    predictions: str
    study: str


def methods(study: "Study", datasets: Sequence[Facts], chance: Sequence[str]) -> Section:
    """Make the section that says how everything is defined and computed."""
    inference = study.inference
    drawn = [inference.drawn(len(one.models)) for one in datasets]
    values = Methods(
        level=study.level,
        estimates=tuple(dict.fromkeys(one.estimate for one in datasets)),
        paired=study.pairing == "paired",
        pools_folds=study.folds_without_a_class == "pool",
        weight=weight_in_words(study.prior.plain()),
        conditions=tuple((it.name, it.pc) for it in study.operating_conditions),
        datasets=tuple(datasets),
        confidence=inference.confidence,
        resamples=tuple(sorted({min(drawn), max(drawn)})),
        unit=inference.unit,
        equivalence=inference.equivalence,
        baseline=inference.baseline,
        claims=len(study.claims),
        chance=tuple(chance),
        criteria=_criteria(study.applied),
        full=study.detail == "full",
    )
    return Section("methods", ("Methods",), "methods", values)


def _criteria(selection: Selection) -> tuple[tuple[str, str], ...]:
    """Say of each criterion that is applied what it does, with what the study sets for it."""
    given = {key: value for key, value in asdict(selection).items() if value is not None}
    words = {key: WRITTEN.get(key, str)(value) for key, value in given.items()}
    words = {"rate": "the data\N{RIGHT SINGLE QUOTATION MARK}s class proportion", **words}
    names = selection.considered()
    return tuple((name, criterion_of(name).said.format(**words)) for name in names)


def references() -> Section:
    """Make the list of papers."""
    return Section("references", ("References",), "references", None)


def provenance(record: Mapping[str, Any]) -> Section:
    """Make the section that says what the report was made of and with."""
    return Section("provenance", ("Provenance",), "provenance", read_provenance(record))


def read_provenance(record: Mapping[str, Any]) -> Provenance:
    """Take over the provenance as plain values, with one hash over all predictions."""
    sources = tuple(
        Source(str(it["path"]), str(it["sha256"]), int(it["rows"])) for it in record["sources"]
    )
    together = "".join(sorted(source.sha256 for source in sources))
    configuration = _as_yaml(record["configuration"])
    return Provenance(
        sources=sources,
        added=tuple(Addition(it["path"], it["sha256"]) for it in record["report_sources"]),
        versions=_named(record["versions"]),
        libraries=_named(record["libraries"]),
        configuration=configuration,
        seed=int(record["seed"]),
        code=str(record["code"]),
        fingerprint=str(record["fingerprint"]),
        predictions=sha256(together.encode()).hexdigest(),
        study=sha256(configuration.encode()).hexdigest(),
    )


def _named(versions: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(version)) for name, version in versions.items())


def _as_yaml(configuration: object) -> str:
    if isinstance(configuration, str):
        return configuration
    return yaml.safe_dump(
        configuration, sort_keys=False, allow_unicode=True, width=88, default_flow_style=None
    )


def weight_in_words(prior: Mapping[str, Any]) -> str:
    """Say how PC(+) is weighted for the total expected cost.

    >>> weight_in_words({"kind": "uniform"}), weight_in_words({"kind": "beta", "a": 2, "b": 5})
    ('uniform from 0 to 1', 'beta(2, 5) from 0 to 1')
    >>> weight_in_words({"kind": "discrete", "pc": [0.2, 0.5], "weight": [1, 3]})
    'on the values 0.2 (weight 1), 0.5 (weight 3)'
    """
    kind = prior["kind"]
    limits = f"from {times(prior.get('low', 0))} to {times(prior.get('high', 1))}"
    if kind == "uniform":
        return f"uniform {limits}"
    if kind == "beta":
        return f"beta({times(prior['a'])}, {times(prior['b'])}) {limits}"
    weights = [f"(weight {times(weight)})" for weight in prior["weight"]]
    places = _ranges(prior["edges"]) if kind == "histogram" else map(times, prior["pc"])
    return "on the values " + ", ".join(map(" ".join, zip(places, weights, strict=True)))


def _ranges(edges: Sequence[float]) -> list[str]:
    return [f"{times(a)}{DASH}{times(b)}" for a, b in pairwise(edges)]
