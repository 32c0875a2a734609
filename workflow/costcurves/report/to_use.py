"""The table of the first page: what to use on each dataset at each operating condition."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import nan
from operator import itemgetter
from typing import Final

import numpy as np

from costcurves.formats import condition, pc, ratio
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.maths.geometry.curves import line
from costcurves.report import patterns
from costcurves.report.document import Estimate, Numbering, Table, Values
from costcurves.report.material import Material
from costcurves.report.outcomes import Range
from costcurves.report.thresholds import AS_DECIDED, chooses, use
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.curves.operating_points import MANY
from costcurves.tables.inference.verdicts import CHEAPEST, OUT
from costcurves.tables.keys import ALWAYS, IN_SAMPLE
from costcurves.text import (
    Name,
    Part,
    Ratio,
    Text,
    condition_name,
    joined,
    listed_at_most,
    phrase,
    plain,
)

NAMED: Final = 3  # decisions that are in the running
DIGITS: Final = 5  # of rates, as the page's scripts have them
MATTERS: Final = 0.1, 0.005  # by what share, and cost, trusted scores have to cost more
CASES: Final = 1000  # for which costs are said in their unit


def to_use(materials: Sequence[Material], numbers: Numbering) -> Table | None:
    """List what to use on each dataset where a reader begins; None without conditions."""
    return _table((patterns.TO_USE,), [_of_dataset(it, begins=True) for it in materials], numbers)


def matrix(materials: Sequence[Material], numbers: Numbering) -> Table | None:
    """Give what is cheapest on each dataset at each condition; None without conditions."""
    marked: dict[str, Values] = {}
    rows = []
    for one in map(_of_dataset, materials):
        at = {plain(row.condition): row for row in one.rows}
        marked |= at
        rows.append(Values(facts=one.facts, at=at, marked=marked))
    for row in rows:
        row.at = [row.at.get(name) for name in marked]
    return Table(numbers.table(), (patterns.MATRIX,), "", tuple(rows)) if marked else None


def to_use_on(material: Material) -> Table | None:
    """List the same of one dataset, at all its conditions."""
    title = phrase(patterns.TO_USE_ON, dataset=Name(material.facts.title))
    return _table(title, [_of_dataset(material)], material.numbers)


def everywhere(material: Material) -> Iterator[Values]:
    """Say what to use at own costs and at each condition; first where a reader begins."""
    if material.weighted is not None:
        yield _own_costs(material.weighted)
    for name in sorted(material.conditions, key=lambda name: name != material.start):
        yield _at(material, name, material.conditions[name])


def happens(material: Material) -> Table | None:
    """Count of 1000 cases what the cheapest does at each condition; None without conditions."""
    curves = headline_of(material.tables["headline"])
    curves |= dict(zip(ALWAYS, (line(0, 1), line(1, 0)), strict=True))
    rows = []
    for name, at in material.conditions.items():
        found = _at(material, name, at)
        curve, positives = curves[found.best], CASES * found.prior
        of = curve.pc[:-1].searchsorted(at, side="right") - 1  # a piece
        fp, fn = (round(float(rate[of]), DIGITS) for rate in (curve.at0, curve.at1))
        found.misses, found.alarms = _whole(positives * fn), _whole((CASES - positives) * fp)
        found.hits = _whole(positives) - found.misses
        found.rejections = CASES - _whole(positives) - found.alarms
        rows.append(found)
    return material.table("headline", patterns.HAPPENS, rows) if rows else None


def _whole(value: float) -> int:
    """Round a number of cases, halves up, as the page's scripts do."""
    return int(value + 0.5)


def _table(title: Text, each: Sequence[Values], numbers: Numbering) -> Table | None:
    return Table(numbers.table(), title, "", tuple(each)) if any(it.rows for it in each) else None


def _of_dataset(material: Material, begins: bool = False) -> Values:
    """Take all conditions and own costs; `begins`: own costs, or else the condition of `start`."""
    own, names = material.weighted, [*material.conditions]
    if begins:
        names = names and [material.start] if own is None else []
    rows = [_at(material, name, material.conditions[name]) for name in names]
    files = _files(material, "intervals") if rows else ()
    if own is not None:
        rows.append(_own_costs(own))
        files += _files(own, "instance_costs")
    hidden = len(material.conditions) - len(names)
    return Values(facts=material.facts, rows=tuple(rows), hidden=hidden, files=files)


def _files(material: Material, costs: str) -> tuple[str, ...]:
    """Name the files of the numbers."""
    found = [costs, "in_the_running", *(["deployment"] if chooses(material) else [])]
    return tuple(map(material.facts.table, found))


def _at(material: Material, name: str, at: float) -> Values:
    """Say what to use at a marked condition."""
    models = {one: material.estimates[one, "cost", name] for one in material.facts.models}
    constants = (Estimate(cost, nan, nan) for cost in (at, 1 - at))
    costs = dict(zip(ALWAYS, constants, strict=True)) | models
    found = _row(material, name, at, costs, material.dearer.get(name, set()))
    found.named = material.standing if name in material.dearer else None
    own = material.marked.get(name)
    found.prior = material.facts.prior if own is None or own.prior is None else own.prior
    if own is not None and own.unit:
        per_case, found.unit = own.most(material.facts.prior), own.unit
        found.amount = _of_cases(found.cost, per_case)
        found.saved_amount = found.saved and _of_cases(found.saved, per_case)
    found.trusted = _trusted(material, found)
    return found


def _trusted(material: Material, found: Values) -> Values | None:
    """Say what its scores cost more, were they taken for probabilities; None: not `MATTERS`.

    None, too, where not all thresholds were kept, so that it is not known.
    """
    points = material.tables["operating_points"]
    own = points[points["level"].eq("pooled") & points["model"].eq(found.best)]
    scores = own["threshold"][np.isfinite(own["threshold"])]
    alone = len(scores) > 1 and own["member"].eq("").all() and len(scores) < MANY
    if not (alone and scores.between(0, 1).all() and found.cost.value > 0):
        return None
    facts = material.facts  # scores are probabilities, if so, at the share of the data
    at = 1 / (1 + ratio_from_pc(found.pc, facts.positives / (facts.positives + facts.negatives)))
    point = own.iloc[int(own["threshold"].ge(at).sum()) - 1]
    more = (1 - found.pc) * point["fp"] + found.pc * point["fn"] - found.cost.value
    matters = more >= max(MATTERS[0] * found.cost.value, MATTERS[1])
    return Values(threshold=at, more=more / found.cost.value) if matters else None


def _of_cases(one: Estimate, per_case: float) -> Estimate:
    return Estimate(*(CASES * per_case * end for end in (one.value, one.low, one.high)))


def _own_costs(own: Material) -> Values:
    """Say what to use where costs are as those of the instances, and what that is in their unit."""
    rows = {row["model"]: row for row in own.rows("instance_costs")}
    costs = {one: Estimate(row["nec"], nan, nan) for one, row in rows.items()}
    found = _row(own, "own costs", next(iter(rows.values()))["pc"], costs)
    best = rows[found.best]
    constant = min((rows[one] for one in ALWAYS), key=itemgetter("cost"))
    found.amount = Estimate(*(CASES * best[end] for end in ("cost", "low", "high")))
    more = (CASES * constant[end] for end in ("more", "more_low", "more_high"))
    found.saved_amount = found.saved and Estimate(*more)
    found.unit = own.unit
    return found


def _row(
    material: Material,
    name: str,
    at: float,
    costs: Mapping[str, Estimate],
    dearer: Collection[str] = (),
) -> Values:
    """Give the cheapest decision at a PC(+) and the others in the running, the cheapest first.

    Not in the running is also what is `dearer` by the test of a named condition. Where a constant
    decision costs no more than any model, it is the one to use.
    """
    here = {
        row["decision"]: row
        for row in material.rows("in_the_running")
        if row["pc_from"] <= at <= row["pc_to"]  # where two meet, the later one counts
    }
    standing = {name: row["standing"] for name, row in here.items()}
    best = next(one for one in (*ALWAYS, *material.facts.models) if standing[one] == CHEAPEST)
    others = [one for one in standing if one not in (best, *dearer) and standing[one] != OUT]
    others.sort(key=lambda one: costs[one].value)
    constant, cost = min(at, 1 - at), costs[best]
    saved = Estimate(constant - cost.value, constant - cost.high, constant - cost.low)
    model = None if best in ALWAYS else material.model(best)
    in_sample = material.facts.estimate == IN_SAMPLE
    ends = here[best]["pc_from"], here[best]["pc_to"]
    if model:
        ends = [it[:2] for it in material.stretches[best] if it.low <= at][-1]
    return Values(
        condition=condition_name(name, at, material.facts.prior),
        place=_place(name, at, material.facts.prior),
        pc=at,
        best=best,
        running=None if in_sample else tuple(others),
        stays=Range(*ends, *(ratio_from_pc(end, material.facts.prior) for end in ends)),
        model=model,
        estimate=material.facts.estimate,
        cost=cost,
        others=None if in_sample else _named(others),
        saved=saved if model else None,
        threshold=_threshold(material, best, at) if model else "",
        chooses=chooses(material),
        amount=None,
        named=None,
        trusted=None,
    )


def _place(name: str, at: float, prior: float) -> Text:
    """Say where a condition lies, but for what its name says."""
    words = ratio(ratio_from_pc(at, prior))
    both: tuple[tuple[str, Part], ...]
    both = (condition(at), f"PC(+) {pc(at)}"), (words, Ratio(words, at))
    return joined(", ", [part for said, part in both if said != name])


def _named(others: Sequence[str]) -> Text:
    """Name the first few decisions, and count the others."""
    names = [one if one in ALWAYS else Name(one) for one in others]
    return listed_at_most(NAMED, names) or (patterns.NOBODY,)


def _threshold(material: Material, model: str, at: float) -> str:
    """Say from which score on a model predicts positive; empty where that was not computed."""
    if not chooses(material):
        return ""
    fixed = model in material.facts.fixed
    return AS_DECIDED if fixed else use(material.served, model, at)
