"""The call-outs of the first page: what was decided, and what was not (in grey)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from costcurves.figures.outcomes import Outcome, Range, leading, wins
from costcurves.formats import counted, folds, level, pc_range, share
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report.document import Facts, Model
from costcurves.report.material import Material
from costcurves.report.sentences import (
    AT,
    PARTS,
    against_trivial,
    cheaper,
    equivalent,
    promised,
    undecided,
    untested,
)
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.tables.keys import IN_SAMPLE
from costcurves.text import Number, Text, names, phrase

ANSWERED: Final = 6  # datasets that page 1 answers one by one
SMALLEST: Final = 0.001  # less of the cost left out is not worth a sentence


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
    how = folds(facts.repeats, facts.folds, facts.all_folds)
    return f"{counted(facts.instances, 'instance')}, {how}"


def _alone(material: Material) -> Callout:
    """Compare a single model with the trivial classifiers; say between what its range may end."""
    facts, (row,) = material.facts, material.headline
    where, low, high = None, row["range_from"], row["range_to"]
    if not math.isnan(low):
        where = Range(low, high, *(ratio_from_pc(pc, facts.prior) for pc in (low, high)))
    best = [
        one
        for one in material.rows("in_the_running")
        if one["decision"] == row["model"] and one["standing"] == CHEAPEST
    ]
    text = against_trivial(where, row, facts.table("measures"), PARTS if len(best) > 1 else AT)
    ends = [material.estimates[row["model"], f"range {end}", ""] for end in ("start", "end")]
    if any(math.isnan(one.low) or math.isnan(one.high) for one in ends):
        note = phrase("Chance may be all there is to it; {}.", design(facts))
    else:
        places = [Number(pc_range(one.low, one.high), facts.table("intervals")) for one in ends]
        pattern = "The range begins somewhere in {} and ends in {} ({}); {}."
        note = phrase(pattern, *places, level(material.confidence), design(facts))
    return Callout(text, note, material.model(row["model"]))


def caution(materials: Sequence[Material]) -> Text:
    """Warn of datasets whose thresholds are judged on the data that chose them."""
    in_sample = [one.facts.title for one in materials if one.facts.estimate == IN_SAMPLE]
    pattern = (
        "On {} thresholds are judged on the data that chose them, for want of folds or instances: "
        "every cost there is too low."
    )
    return phrase(pattern, names(in_sample)) if in_sample else ()


def optimism(materials: Sequence[Material]) -> Text:
    """Say what judging thresholds on the data that chose them would promise."""
    promises = []
    for material in materials:
        for row in material.rows("criteria"):
            delivered = row["area"] - row["regret"]  # by cross-fitted choice; NaN: there is none
            if row["criterion"] == "cost-minimizing" and -row["regret"] >= SMALLEST * delivered:
                promises.append((-row["regret"] / delivered, material.facts.table("criteria")))
    if not promises:
        return ()
    low, high = (Number(share(left), href) for left, href in (min(promises), max(promises)))
    return promised(low, high)
