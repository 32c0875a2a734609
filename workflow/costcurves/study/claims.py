"""Claims as a configuration says them: what they become, and which assert nothing."""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from costcurves.formats import condition_by_ratio
from costcurves.names import nearest, some
from costcurves.settings import (
    AT_MOST,
    BASELINES,
    CHEAPER,
    CLAIM_NEEDS,
    MOST_RESAMPLES,
    NO_MODEL,
    Claim,
    ClaimKeys,
    ConditionKeys,
    DatasetKeys,
    Findings,
    OperatingCondition,
    StudyKeys,
    several,
)

RATIO: Final = re.compile(r"(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)")
UNNAMED: Final = tuple(ConditionKeys(cost_ratio=ratio) for ratio in (1 / 5, 1, 5))


def conditions_of(study: StudyKeys) -> tuple[OperatingCondition, ...]:
    """Return the operating conditions of a study, which are unnamed if it gives none."""
    given = study.operating_conditions
    keys = UNNAMED if given is None else given
    return tuple(OperatingCondition.configured(each, named=given is not None) for each in keys)


def claim_of(keys: ClaimKeys, study: StudyKeys) -> Claim:
    """Return the claim of its keys; the study's datasets and level serve as defaults."""
    criteria = several(keys.criterion) or [""]
    sides = max(len(keys.models), len(criteria))
    models = keys.models * (sides // len(keys.models))
    criteria = [*criteria] * (sides // len(criteria))
    ends = _ends(keys)
    return Claim(
        sentence=keys.claim,
        kind=keys.kind,
        models=models,
        criteria=tuple(
            "" if model in BASELINES else rule for model, rule in zip(models, criteria, strict=True)
        ),
        datasets=_datasets(keys, study.datasets),
        condition=_condition(keys, study),
        ends=ends,
        by_ratio=ends is not None and keys.at is not None,
        prior=None if ends is None else keys.prior,
        limit=float(keys.margin or keys.at_most or 0),
        average=keys.average,
        level=float(keys.confidence or study.inference.confidence),
        by_cost=keys.by_cost,
    )


def _condition(keys: ClaimKeys, study: StudyKeys) -> OperatingCondition | None:
    """Return the one condition at which something is claimed; None: there is no such one."""
    if isinstance(keys.pc, int | float):
        return OperatingCondition("", float(keys.pc))
    if not isinstance(keys.at, str):
        return None
    known = {condition.name: condition for condition in conditions_of(study)}
    ratio = _ratio(keys.at)
    if keys.at in known or ratio is None:
        return known.get(keys.at)
    name = condition_by_ratio(ratio)
    return OperatingCondition.configured(ConditionKeys(name, None, keys.prior, ratio))


def _ends(keys: ClaimKeys) -> tuple[float, ...] | None:
    """Return the ends of a range of PC(+), or of cost ratios; None: there is no such range."""
    if isinstance(keys.pc, tuple):
        return tuple(map(float, keys.pc))
    if isinstance(keys.at, tuple):
        return tuple(_ratio(end) or 0.0 for end in keys.at)
    return None


def _ratio(text: str) -> float | None:
    """Read a cost ratio such as 5:1; None: it is none."""
    parts = RATIO.fullmatch(text)
    if parts is None or not float(parts[1]) or not float(parts[2]):
        return None
    return float(parts[1]) / float(parts[2])


def _datasets(keys: ClaimKeys, datasets: Sequence[DatasetKeys]) -> tuple[str, ...]:
    """Name the datasets that a claim is about: if it names none all, by cost those with costs."""
    parts = {dataset.name: dataset.parts for dataset in datasets}
    names = keys.datasets or [
        dataset.name for dataset in datasets if dataset.costs is not None or not keys.by_cost
    ]
    return tuple(dict.fromkeys(part for name in names for part in parts.get(name, (name,))))


def broken_claims(study: StudyKeys) -> Findings:
    """Find claims that assert nothing, or nothing that the study can decide."""
    for index, claim in enumerate(study.claims):
        for find in (_of_names, _of_costs, _of_place, _of_kind):
            for place, why in find(claim, study):
                yield ("claims", index, *place), why
    numbers = [len(_datasets(claim, study.datasets)) for claim in study.claims]
    levels = [claim.confidence or study.inference.confidence for claim in study.claims]
    resamples = study.inference.resamples
    why = too_few(len(numbers), max(numbers, default=0), max(levels, default=0), resamples)
    if why:
        yield ("inference", "resamples"), why


def too_few(claims: int, datasets: int, level: float, resamples: int) -> str:
    """Return that resamples are too few for a study's claims, of which `level` is the highest.

    The broadest is about so many `datasets`: to contradict it on one needs as many times more.
    """
    needed = math.ceil(2 * claims * datasets / (1 - Fraction(str(float(level))))) - 1
    if resamples >= needed:
        return ""
    about = f" about up to {datasets} datasets" if datasets > 1 else ""
    share = f"{claims} claims{about} share" if claims > 1 else f"1 claim{about} has"
    possible = needed <= MOST_RESAMPLES
    mend = "draw more, or claim less" if possible else "claim less, or at a lower level"
    why = f"{share} the error of a level of {level:g}"
    return f"is {resamples}, expected {needed} or more: {why}; {mend}"


def _of_names(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find unknown datasets, models that one leaves out, and rules that are not resampled."""
    listed: dict[str, tuple[str, ...] | None] = {}
    for dataset in study.datasets:
        listed.update(dict.fromkeys((dataset.name, *dataset.parts), dataset.models))
    names = claim.datasets or [dataset.name for dataset in study.datasets]
    for number, name in enumerate(names):
        if name not in listed:
            why = f"is {name!r}, which the study has not; {nearest(name, [*listed])}"
            yield ("datasets", number), why
    for number, model in enumerate(claim.models):
        for name in names:
            known = listed.get(name)
            if known and model not in (*known, *BASELINES):
                why = f"is {model!r}, which dataset {name!r} has not; {nearest(model, known)}"
                yield ("models", number), why
    rules = study.selection.unlimited()
    for name in several(claim.criterion):
        if name not in rules:
            why = "criteria of 'selection:' that keep no limit"
            yield ("criterion",), f"is {name!r}, expected one of {some(rules)}: {why}"


def _of_costs(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find claims by cost about datasets without costs, or beside a cost that is said again."""
    if not claim.by_cost:
        return
    without = [each for each in study.datasets if each.costs is None]
    names = [name for each in without for name in (each.name, *each.parts)]
    for number, name in enumerate(claim.datasets or ()):
        if name in names:
            yield ("datasets", number), f"is {name!r}, which has no 'costs:', needed for 'by_cost'"
    if not _datasets(claim, study.datasets):
        yield ("by_cost",), "is true, but no dataset has 'costs:'"
    if claim.at is not None:
        why = "is given, but cases say by 'by_cost' what mistakes cost; give 'pc', or nothing"
        yield ("at",), why


def _of_kind(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find a wrong number of models, and limits that are missing or mean nothing."""
    kind, models, criteria = claim.kind, claim.models, several(claim.criterion)
    judged = [model for model in models if model not in BASELINES]
    if kind != AT_MOST and len(models) < 2 and len(criteria) < 2:
        yield ("models",), f"has 1 item, expected 2 for {kind!r}, or 1 with two criteria"
    for key, given in (("models", models), ("criterion", criteria)):
        if kind == AT_MOST and len(given) > 1:
            yield (key,), f"has {len(given)} items, expected 1 for {kind!r}"
    if not judged or (len(judged) < len(models) and len(criteria) > 1):
        yield ("models",), "expected a model, and one criterion at most, beside a baseline"
    needed = CLAIM_NEEDS.get(kind)
    condition = _condition(claim, study)
    in_amounts = condition is not None and condition.unit != ""
    for key, limit in (("margin", claim.margin), ("at_most", claim.at_most)):
        if needed == key and limit is None:
            yield (), f"lacks the key {key!r}, which {kind!r} needs"
        elif limit is not None and needed != key:
            yield (key,), f"is given, but {kind!r} has none"
        elif limit is not None and limit > 1 and not in_amounts:
            amounts = "an amount needs 'at' and a condition with a 'unit'"
            yield (key,), f"is {limit:g}, expected 1 or less, a normalized cost: {amounts}"


def _of_place(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find ranges that are empty, given twice, or without what they need."""
    if claim.at is not None and claim.pc is not None:
        yield (), "has both at and pc, expected one of them"
    key = "pc" if claim.at is None else "at"
    condition, ends = _condition(claim, study), _ends(claim)
    if isinstance(claim.at, str) and condition is None:
        known = some([condition.name for condition in conditions_of(study)])
        why = f"is {claim.at!r}, expected a condition, {known}, or a cost ratio such as '5:1'"
        yield ("at",), why
    for number, end in enumerate(claim.at if isinstance(claim.at, tuple) else ()):
        if _ratio(end) is None:
            yield ("at", number), f"is {end!r}, expected a cost ratio such as 5:1"
    if ends is not None and ends[0] >= ends[1] > 0:
        given = claim.pc if claim.at is None else claim.at
        low, high = given if isinstance(given, tuple) else ends
        yield (key,), f"goes from {low} to {high}, expected a lower number first"
    if claim.average and condition is not None:
        yield ("average",), f"is true, expected a list of two for {key!r}, or no {key!r}"
    if claim.prior is not None and claim.at is None:
        yield ("prior",), "is given, but only cost ratios of 'at' are read at a prior"
    if claim.kind == CHEAPER and claim.models[1:] == (NO_MODEL,) and claim.at is None:
        everywhere = claim.pc is None and not claim.by_cost and not claim.average
        places = claim.pc if isinstance(claim.pc, tuple) else (claim.pc,)
        if everywhere or places[0] == 0 or places[-1] == 1:
            expected = "expected a range between them: there no model is below a baseline"
            yield ("pc",), f"reaches 0 or 1, {expected}"
