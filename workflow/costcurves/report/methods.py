"""How the report was made: definitions and decisions from the configuration, and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import yaml

from costcurves.formats import DASH, cases, level, threshold, times
from costcurves.report.document import Facts, Section, Values
from costcurves.tables.configuration.settings import Selection
from costcurves.tables.selection.criterion import criterion_of

if TYPE_CHECKING:
    from costcurves.tables.configuration.study import Study

WRITTEN: Final = {"score_threshold": threshold, "rate": level, "max_fp_rate": cases}


def methods(study: "Study", datasets: Sequence[Facts], chance: Sequence[str]) -> Section:
    """Make the section that says how everything is defined and computed.

    `chance` names the methods of inference, as the tables call them.
    """
    inference = study.inference
    drawn = [inference.drawn(len(one.models)) for one in datasets]
    values = Values(
        level=study.level,
        estimates=tuple(dict.fromkeys(one.estimate for one in datasets)),
        paired=study.pairing == "paired",
        pools_folds=study.folds_without_a_class == "pool",
        weight=weight_in_words(study.prior.plain()),
        conditions=tuple((it.name, it.pc) for it in study.operating_conditions),
        datasets=tuple(datasets),
        confidence=inference.confidence,
        resamples=tuple(sorted({min(drawn), max(drawn)})),  # of any dataset
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


def provenance(record: Mapping[str, Any]) -> Section:
    """Make the section that says what the report was made of and with.

    `predictions` and `study` are hashes over all of the predictions and the configuration.
    """
    together = "".join(sorted(source["sha256"] for source in record["sources"]))
    configuration = yaml.safe_dump(
        record["configuration"],
        sort_keys=False,
        allow_unicode=True,
        width=88,
        default_flow_style=None,
    )
    values = Values(
        sources=tuple(Values(**source) for source in record["sources"]),
        added=tuple(Values(**source) for source in record["report_sources"]),
        versions=tuple(record["versions"].items()),
        libraries=tuple(record["libraries"].items()),
        configuration=configuration,
        seed=record["seed"],
        code=record["code"],
        fingerprint=record["fingerprint"],
        predictions=sha256(together.encode()).hexdigest(),
        study=sha256(configuration.encode()).hexdigest(),
    )
    return Section("provenance", ("Provenance",), "provenance", values)


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
