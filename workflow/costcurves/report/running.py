"""Which model to use: who is the cheapest by estimate, and who may be, by `in_the_running`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Final

from costcurves.formats import cost, counted, interval
from costcurves.report.callouts import Callout
from costcurves.report.document import Values
from costcurves.report.material import Material
from costcurves.report.pictures import standing_strip
from costcurves.report.text import Name, Number, Text, listed, phrase
from costcurves.tables.inference.verdicts import CHEAPEST, OUT, RUNNING
from costcurves.tables.keys import ALWAYS, IN_SAMPLE

CONDITIONS: Final = 3  # that are answered one by one
NAMED: Final = 4  # others that are named
ROWS: Final = 10  # of a dataset, those in the running on most of PC(+)

Rows = Sequence[Mapping[str, Any]]


def to_use(material: Material) -> Iterator[Callout]:
    """Say for each marked operating condition what to use, what it saves, and who else might do.

    Of curves that were chosen on the data that judge them there is nothing to say.
    """
    if material.facts.estimate == IN_SAMPLE:
        return
    costs = (row for row in material.rows("intervals") if row["quantity"] == "cost")
    places = {row["condition"]: row["pc"] for row in costs}
    for condition in material.conditions[:CONDITIONS]:
        at = places[condition]
        standing = {
            row["decision"]: row["standing"]
            for row in material.rows("in_the_running")
            if _holds(row, at)
        }
        best, *equal = [one for one, own in standing.items() if own == CHEAPEST]
        others = [one for one, own in standing.items() if own not in (CHEAPEST, OUT)]
        out = [one for one, own in standing.items() if own == OUT]
        said = _cheapest(material, (best, *equal), condition, at), _others(material, others, out)
        model = None if best in ALWAYS or equal else material.model(best)
        yield Callout(phrase("{} {}", *said), winner=model, decided=True)


def _holds(row: Mapping[str, Any], at: float) -> bool:
    """Say whether a stretch holds a PC(+); where two meet, the later one does."""
    return bool(row["pc_from"] <= at < row["pc_to"] or at == row["pc_to"] == 1)


def _cheapest(material: Material, best: Sequence[str], condition: str, at: float) -> Text:
    """Say who is the cheapest by estimate, at what cost, and what that saves."""
    constant = min(at, 1 - at)
    names, where = listed([_named(one) for one in best]), Name(condition)
    if set(best) & set(ALWAYS):
        pattern = "At {}, no model costs less than a constant decision: {} ({})."
        return phrase(pattern, where, names, cost(constant))
    verb = "is" if len(best) == 1 else "are"
    own, href = material.estimates[best[0], "cost", condition], material.facts.table("intervals")
    return phrase(
        f"At {{}}, {{}} {verb} the cheapest by estimate: {{}} ({{}}), {{}} ({{}}) less than {{}}.",
        where,
        names,
        Number(cost(own.value), href),
        interval(own.low, own.high),
        Number(cost(constant - own.value), href),
        interval(constant - own.high, constant - own.low),
        ALWAYS[at > 0.5],
    )


def _others(material: Material, others: Sequence[str], out: Sequence[str]) -> Text:
    """Name who else is in the running, and who is out of it."""
    constants = ["both constant decisions"] if set(ALWAYS) <= set(out) else []
    beaten = _listed([one for one in out if one not in ALWAYS], constants)
    href = material.facts.table("in_the_running")
    if not others:
        return phrase("{}: {}.", Number("Shown to cost more", href), beaten) if beaten else ()
    running = phrase("{}: {}", Number("Still in the running", href), _listed(others))
    return phrase("{}; shown to cost more: {}." if beaten else "{}{}.", running, beaten)


def _listed(decisions: Sequence[str], more: Sequence[str] = ()) -> Text:
    """Name the first few, and count the others."""
    hidden = [counted(len(decisions) - NAMED, "other")] if len(decisions) > NAMED else []
    return listed([*map(_named, decisions[:NAMED]), *hidden, *more])


def _named(decision: str) -> Name | str:
    return decision if decision in ALWAYS else Name(decision)


def strips(material: Material) -> Values:
    """Draw each model along PC(+): where it is the cheapest, in the running, or out."""
    rows = material.rows("in_the_running")
    stretches = {name: list(own) for name, own in groupby(rows, key=lambda row: row["decision"])}
    constant = [
        (row["pc_from"], row["pc_to"])
        for name in ALWAYS
        for row in stretches[name]
        if row["standing"] == CHEAPEST
    ]
    models = {name: list(_parts(stretches[name], constant)) for name in material.facts.models}
    cheapest = {name: _width(parts, CHEAPEST) for name, parts in models.items()}
    order = sorted(models, key=lambda name: -cheapest[name])
    found = tuple(
        Values(
            model=material.model(name),
            strip=standing_strip(models[name], material.index(name)),
            cheapest=cheapest[name],
            running=cheapest[name] + _width(models[name], RUNNING),
        )
        for name in order[:ROWS]
    )
    return Values(facts=material.facts, rows=found, hidden=len(order) - len(found))


def _parts(
    rows: Rows, constant: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float, str, bool]]:
    """Cut stretches where a constant decision begins, or ends, to be the cheapest."""
    ends = {row["pc_to"] for row in rows} | {end for part in constant for end in part}
    for low, high in pairwise(sorted({0.0, *ends})):
        middle = (low + high) / 2
        standing = next(row["standing"] for row in rows if middle <= row["pc_to"])
        yield low, high, standing, any(start < middle < end for start, end in constant)


def _width(parts: Sequence[tuple[float, float, str, bool]], standing: str) -> float:
    """Add up where a model stands so and no constant decision is the cheapest."""
    return sum(high - low for low, high, own, narrow in parts if own == standing and not narrow)
