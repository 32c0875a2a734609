"""Claims as a configuration says them: what they become, and which assert nothing."""

import math
from collections.abc import Sequence
from fractions import Fraction

from costcurves.names import items, nearest, some
from costcurves.settings import (
    CLAIM_NEEDS,
    EXPECTED_COST,
    MOST_RESAMPLES,
    OPERATING_RANGE,
    PAIRS,
    Claim,
    ClaimKeys,
    DatasetKeys,
    Findings,
    StudyKeys,
)


def claim_of(keys: ClaimKeys, datasets: Sequence[DatasetKeys], level: float) -> Claim:
    """Return the claim of its keys; all datasets and a level serve as defaults."""
    low, high = _range(keys)
    criteria = _criteria(keys) or ("",)
    sides = max(len(keys.models), len(criteria))
    limit = {"delta": keys.delta, "at_most": keys.at_most}.get(CLAIM_NEEDS.get(keys.kind, ""))
    by_ratio = keys.mean == "range" and keys.cost_ratio is not None
    return Claim(
        sentence=keys.claim,
        kind=keys.kind,
        models=keys.models * (sides // len(keys.models)),
        criteria=criteria * (sides // len(criteria)),
        datasets=_datasets(keys, datasets),
        low=low,
        high=high,
        limit=float(limit or 0),
        mean="cost ratio" if by_ratio else keys.mean,
        level=float(keys.level or level),
        by_cost=keys.by_cost,
        at_own_costs=_at_own_costs(keys),
    )


def _datasets(keys: ClaimKeys, datasets: Sequence[DatasetKeys]) -> tuple[str, ...]:
    """Name the datasets that a claim is about: if it names none all, by cost those with costs."""
    parts = {dataset.name: dataset.parts for dataset in datasets}
    names = keys.datasets or [
        dataset.name for dataset in datasets if dataset.costs is not None or not keys.by_cost
    ]
    return tuple(dict.fromkeys(part for name in names for part in parts.get(name, (name,))))


def _at_own_costs(keys: ClaimKeys) -> bool:
    return keys.by_cost and keys.pc is None and keys.cost_ratio is None and keys.mean is None


def _criteria(keys: ClaimKeys) -> tuple[str, ...]:
    if keys.criterion is None:
        return ()
    return (keys.criterion,) if isinstance(keys.criterion, str) else keys.criterion


def _range(keys: ClaimKeys) -> tuple[float, float]:
    if keys.cost_ratio is None:
        return _ends((0, 1) if keys.pc is None else keys.pc)
    from costcurves.maths.geometry.cost_space import pc_from_ratio  # imports numpy

    low, high = _ends(keys.cost_ratio)
    prior = float(keys.prior or 0)
    return float(pc_from_ratio(low, prior)), float(pc_from_ratio(high, prior))


def _ends(given: float | Sequence[float]) -> tuple[float, float]:
    low, high = (given, given) if isinstance(given, int | float) else given
    return float(low), float(high)


def broken_claims(study: StudyKeys) -> Findings:
    """Find claims that assert nothing, or nothing that the study can decide."""
    for index, claim in enumerate(study.claims):
        of_study = [*_of_names(claim, study), *_of_costs(claim, study), *_of_criteria(claim, study)]
        for place, why in (*of_study, *_of_kind(claim), *_of_range(claim)):
            yield ("claims", index, *place), why
    numbers = [len(_datasets(claim, study.datasets)) for claim in study.claims]
    levels = [claim.level or study.inference.confidence for claim in study.claims]
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
    of = f"the error of a level of {level:g}"
    return f"is {resamples}, expected {needed} or more: {share} {of}; {mend}"


def _of_names(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find unknown datasets, and models that a dataset leaves out."""
    listed: dict[str, tuple[str, ...] | None] = {}
    for dataset in study.datasets:
        listed.update(dict.fromkeys((dataset.name, *dataset.parts), dataset.models))
    names = claim.datasets or [dataset.name for dataset in study.datasets]
    for number, name in enumerate(names):
        if name not in listed:
            yield (
                ("datasets", number),
                f"is {name!r}, which the study has not; {nearest(name, [*listed])}",
            )
    for number, model in enumerate(claim.models):
        for name in names:
            known = listed.get(name)
            if known and model not in known:
                why = f"is {model!r}, which dataset {name!r} has not; {nearest(model, known)}"
                yield ("models", number), why


def _of_costs(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find claims by cost about datasets without costs, or beside a cost that is said again."""
    if not claim.by_cost:
        return
    without: set[str] = set()
    for dataset in study.datasets:
        if dataset.costs is None:
            without.update((dataset.name, *dataset.parts))
    for number, name in enumerate(claim.datasets or ()):
        if name in without:
            yield ("datasets", number), f"is {name!r}, which has no 'costs:', needed for 'by_cost'"
    if not _datasets(claim, study.datasets):
        yield ("by_cost",), "is true, but no dataset has 'costs:'"
    if claim.cost_ratio is not None:
        why = "cases say by 'by_cost' what mistakes cost"
        yield ("cost_ratio",), f"is given, but {why}; give 'pc', or nothing"


def _of_criteria(claim: ClaimKeys, study: StudyKeys) -> Findings:
    """Find threshold rules that are not resampled, or that the study leaves out."""
    known = study.selection.unlimited()
    for name in _criteria(claim):
        if name not in known:
            why = "criteria that 'selection:' looks at and that keep no limit"
            yield ("criterion",), f"is {name!r}, expected one of {some(known)}: {why}"


def _of_kind(claim: ClaimKeys) -> Findings:
    """Find a wrong number of models, and limits that are missing or mean nothing."""
    kind, criteria = claim.kind, _criteria(claim)
    if kind in PAIRS and len(claim.models) < 2 and len(criteria) < 2:
        yield ("models",), f"has 1 item, expected 2 for {kind!r}, or 1 with two criteria"
    for key, given in (("models", claim.models), ("criterion", criteria)):
        if kind not in PAIRS and len(given) > 1:
            yield (key,), f"has {items(len(given))}, expected 1 for {kind!r}"
    needed = CLAIM_NEEDS.get(kind)
    for key, limit in (("delta", claim.delta), ("at_most", claim.at_most)):
        if needed == key and limit is None:
            yield (), f"lacks the key {key!r}, which {kind!r} needs"
        if needed != key and limit is not None:
            yield (key,), f"is given, but {kind!r} has none"
    if kind == EXPECTED_COST and claim.at_most == 0:
        yield ("at_most",), "is 0, expected more: no data can show that a model costs less"
    if claim.mean is not None and kind not in (*PAIRS, EXPECTED_COST):
        yield ("mean",), f"is given, but {kind!r} has none"


def _of_range(claim: ClaimKeys) -> Findings:
    """Find ranges that are empty, given twice, or without what they need."""
    given = {"pc": claim.pc, "cost_ratio": claim.cost_ratio}
    ranges = {key: value for key, value in given.items() if value is not None}
    if len(ranges) == 2:
        yield (), "has both pc and cost_ratio, expected one of them"
    for key, value in ranges.items():
        low, high = _ends(value)
        if low > high or (isinstance(value, tuple) and low == high):
            yield (key,), f"goes from {low:g} to {high:g}, expected a lower number first"
    if ("cost_ratio" in ranges) != (claim.prior is not None):
        lacks = "prior" if "cost_ratio" in ranges else "cost_ratio"
        yield (), f"lacks the key {lacks!r}: a cost ratio becomes a PC(+) at a prior"
    if ranges and claim.mean in ("area", "tec"):
        yield (next(iter(ranges)),), f"is given, but {claim.mean!r} is a mean over all PC(+)"
    if claim.mean == "range" and not any(isinstance(value, tuple) for value in ranges.values()):
        yield ("mean",), "is 'range', which needs a list of two for 'pc' or 'cost_ratio'"
    by_pc = "cost_ratio" not in ranges and not _at_own_costs(claim)
    if claim.kind == OPERATING_RANGE and by_pc:
        low, high = _ends((0, 1) if claim.pc is None else claim.pc)
        if low <= 0 or high >= 1:
            expected = "expected a range between them: there no model is below a trivial one"
            yield ("pc",), f"reaches 0 or 1, {expected}"
