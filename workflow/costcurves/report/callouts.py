"""The call-outs of the first page: what to use, what was decided, and what was not (in grey)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from costcurves.formats import cost, counted, interval, level, pc_range, share
from costcurves.maths.cost_space import ratio_from_pc
from costcurves.report.document import Facts, Model
from costcurves.report.material import Material
from costcurves.report.outcomes import Outcome, Range, leading, wins
from costcurves.report.sentences import (
    against_trivial,
    cheaper,
    equivalent,
    promised,
    undecided,
    untested,
)
from costcurves.report.text import Name, Number, Text, listed, phrase
from costcurves.tables.inference.verdicts import CHEAPEST, OUT
from costcurves.tables.keys import ALWAYS, IN_SAMPLE

SMALLEST: Final = 0.001  # less of the cost left out is not worth a sentence
CONDITIONS: Final = 3  # that are answered one by one
NAMED: Final = 4  # decisions that are named, beside the cheapest


@dataclass(frozen=True)
class Callout:
    """A sentence, small print, and the model in whose colour it stands."""

    text: Text
    note: Text = ()
    winner: Model | None = None
    decided: bool = False  # then black if several models win; else grey


def callouts(material: Material, most: int) -> tuple[Callout, ...]:
    """Say what the data decide about a dataset's models, in a sentence for `most` pairs at most."""
    if len(material.facts.models) == 1:
        return (_alone(material),)
    found = leading(material.outcomes)
    if found:
        return (*_found(material, found, most), *without(material))
    if pairs := material.untested:
        return (Callout(untested(pairs, len(pairs))),)
    why = "There are no verdicts, as the models were not judged on the same instances and folds."
    return (Callout((why,)),)


def without(material: Material) -> Iterator[Callout]:
    """Say of which pairs there is no verdict, where others have one."""
    if material.untested:
        models = len(material.facts.models)
        yield Callout(untested(material.untested, comb(models, 2)))


def _found(material: Material, found: Sequence[Outcome], most: int) -> Iterator[Callout]:
    """Say what was decided, pair by pair, then which pairs are equivalent, and what stays open."""
    href, each = material.facts.table("verdicts"), wins(found)
    note = phrase("{}; {}.", family(found), design(material.facts))
    for win in each[:most]:
        yield Callout(cheaper([win], href, band=True), note, material.model(win.winner))
    if len(each) > most:
        yield Callout(phrase("{} more below.", counted(len(each) - most, "verdict")))
    open_, projected = undecided(found, href)
    if projected:
        open_ = phrase("{}; {}", open_, projected)
    said = [equivalent(found, href), phrase("{}.", open_) if open_ else ()]
    texts = [text for text in said if text]
    for text in texts:
        yield Callout(text, () if each or text is not texts[-1] else note)


def family(found: Sequence[Outcome]) -> str:
    """Write the familywise confidence of verdicts: "Familywise 90 %"."""
    sure = f"Familywise {level(found[0].familywise)}"
    baseline = found[0].family == "baseline"
    return f"{sure} over all comparisons with the baseline" if baseline else sure


def design(facts: Facts) -> str:
    """Say how many instances were judged, and how: "690 instances, 10 x 10 folds"."""
    folds = counted(facts.folds, "fold")
    repeats = f"{facts.repeats} \u00d7 " if facts.repeats > 1 else ""
    return f"{counted(facts.instances, 'instance')}, {repeats}{folds}"


def _alone(material: Material) -> Callout:
    """Compare a single model with the trivial classifiers; say between what its range may end."""
    facts, (row,) = material.facts, material.headline
    where, low, high = None, row["range_from"], row["range_to"]
    if not math.isnan(low):
        where = Range(low, high, *(ratio_from_pc(pc, facts.prior) for pc in (low, high)))
    text = against_trivial(where, row, facts.table("measures"))
    ends = [material.estimates[row["model"], f"range {end}", ""] for end in ("start", "end")]
    if any(math.isnan(one.low) or math.isnan(one.high) for one in ends):
        note = phrase("Chance may be all there is to it; {}.", design(facts))
    else:
        places = [Number(pc_range(one.low, one.high), facts.table("intervals")) for one in ends]
        pattern = "The range begins somewhere in {} and ends in {} ({}); {}."
        note = phrase(pattern, *places, level(material.confidence), design(facts))
    return Callout(text, note, material.model(row["model"]))


def to_use(material: Material) -> Iterator[Callout]:
    """Say for each marked condition what to use and who else might do; nothing if in-sample."""
    if material.facts.estimate == IN_SAMPLE:
        return
    costs = (row for row in material.rows("intervals") if row["quantity"] == "cost")
    places = {row["condition"]: row["pc"] for row in costs}
    for condition in material.conditions[:CONDITIONS]:
        at = places[condition]
        standing = {
            row["decision"]: row["standing"]
            for row in material.rows("in_the_running")
            if row["pc_from"] <= at <= row["pc_to"]  # where two meet, the later one counts
        }
        best, *equal = [one for one, own in standing.items() if own == CHEAPEST]
        others = [one for one, own in standing.items() if own not in (CHEAPEST, OUT)]
        out = [one for one, own in standing.items() if own == OUT]
        said = _cheapest(material, (best, *equal), condition, at), _others(material, others, out)
        model = None if best in ALWAYS or equal else material.model(best)
        yield Callout(phrase("{} {}", *said), winner=model, decided=True)


def _cheapest(material: Material, best: Sequence[str], condition: str, at: float) -> Text:
    """Say who is the cheapest by estimate, at what cost, and what that saves."""
    constant = min(at, 1 - at)
    names, where = listed([_named(one) for one in best]), Name(condition)
    if set(best) & set(ALWAYS):
        pattern = "At {}, no model costs less than a constant decision: {} ({})."
        return phrase(pattern, where, names, cost(constant))
    own, href = material.estimates[best[0], "cost", condition], material.facts.table("intervals")
    return phrase(
        "At {}, {} {} the cheapest by estimate: {} ({}), {} ({}) less than {}.",
        where,
        names,
        "is" if len(best) == 1 else "are",
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


def optimism(materials: Sequence[Material]) -> tuple[Text, Text] | None:
    """Say, with small print, what judging thresholds on the data that chose them would promise."""
    promises = [
        (row["left_out_share"], material.facts)
        for material in materials
        for row in material.rows("optimism")
        if row["level"] == material.facts.level and row["left_out_share"] >= SMALLEST
    ]
    in_sample = [one.facts for one in materials if one.facts.estimate == IN_SAMPLE]
    if in_sample:
        text = phrase(
            "On {} thresholds are judged on the data that chose them, for want of folds or "
            "instances: every cost there is too low.",
            Name(in_sample[0].title),
        )
        return text, (
            "Judge them on folds of cross-validation to have what they will really cost.",
        )
    if not promises:
        return None
    low, high = (pick(promises, key=lambda one: one[0]) for pick in (min, max))
    numbers = [Number(share(left), facts.table("optimism")) for left, facts in (low, high)]
    note = f"In-sample averages of level {materials[0].facts.level} against cross-fitted areas."
    return promised(*numbers), (note,)
