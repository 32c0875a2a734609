"""What the tables say, as sentences; nothing here computes.

A projection is called one wherever it is printed: it says how many instances would decide if the
difference and its spread stayed as they were observed.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from costcurves.figures.outcomes import EQUIVALENT, Outcome, Range, Win, around, largest
from costcurves.formats import about, cost, interval, p_stated, pc, pc_pair, pc_range, share, times
from costcurves.report.document import Estimate
from costcurves.text import Name, Number, Text, listed_at_most, names, phrase

SLIVERS = 5  # withdrawn stretches that are named
PAIRS = 3  # equivalent pairs that a sentence goes through one by one
AT = "for PC(+) "
PARTS = "in parts of PC(+) "


def against_trivial(
    where: Range | None, model: Mapping[str, Any], href: str, scale: str = AT
) -> Text:
    """Say when a single model, given by its measures, is worth having; None: nowhere."""
    name = Name(model["model"])
    if where is None:
        return phrase("{} is nowhere cheaper than the better trivial classifier.", name)
    return phrase(
        "{} is cheaper than both trivial classifiers {}; its cost is largest at PC(+) = {}: {}.",
        name,
        range_in_words(where, href, scale),
        Number(pc(model["largest_pc"]), href),
        Number(cost(model["largest_nec"]), href),
    )


def range_in_words(one: Range, href: str, scale: str = AT) -> Text:
    """Say a range of PC(+) behind `scale`, and in brackets what it means for the costs."""

    def ratio(value: float, at: float) -> Number:
        return Number(times(value), href, at)

    low, high = (Number(end, href) for end in pc_pair(one.low, one.high))
    if (one.low, one.high) == (0, 1):
        return ("at every PC(+)" if scale == AT else scale.strip(),)
    if one.low == 0:
        most = ratio(one.ratio_high, one.high)
        span, ratios = phrase("below {}", high), phrase("less than {}", most)
    elif one.high == 1:
        least = ratio(one.ratio_low, one.low)
        span, ratios = phrase("above {}", low), phrase("more than {}", least)
    else:
        span = phrase("between {} and {}", low, high)
        least, most = ratio(one.ratio_low, one.low), ratio(one.ratio_high, one.high)
        alike = least.text == most.text
        ratios = phrase("about {}", least) if alike else phrase("{} to {}", least, most)
    return phrase("{}{} (a missed positive costs {} times a false alarm)", scale, span, ratios)


def cheaper(group: Sequence[Win], href: str, *, band: bool = False) -> Text:
    """Say what verdicts with a common winner or loser have in common; of one also its `band`.

    >>> from dataclasses import replace
    >>> from costcurves.figures.outcomes import Span
    >>> from costcurves.text import plain
    >>> span = Span(0.1, 0.5, 0.2, 1.8, "A cheaper", -0.08, 0.25, -0.15, -0.01)
    >>> print(plain(cheaper([Win("A", "B", (span,))], "", band=True)))
    A is cheaper than B for PC(+) between 0.10 and 0.50 (a missed positive costs 0.2 to 1.8 times \
a false alarm), by up to 0.080 (band 0.010–0.150) at PC(+) = 0.25.
    >>> more = (replace(span, difference=0.12),)
    >>> print(plain(cheaper([Win("A", "C", (span,)), Win("B", "C", more)], "")))
    A and B are each cheaper than C in parts of PC(+) between 0.10 and 0.50 (a missed positive \
costs 0.2 to 1.8 times a false alarm), by up to 0.120 (B).
    >>> plain(cheaper([Win("A", "B", (span,)), Win("A", "C", more)], ""))[-28:]
    'm), by up to 0.120 (than C).'
    """
    winners = list(dict.fromkeys(win.winner for win in group))
    losers = list(dict.fromkeys(win.loser for win in group))
    leader = max(group, key=lambda win: abs(largest(win.spans).difference))
    most = largest(leader.spans)
    said = phrase(
        "{} {} cheaper than {} {}, by up to {}{}",
        names(winners),
        "is" if len(winners) == 1 else "are each",
        names(losers),
        _where(group[0], href) if len(group) == 1 else _parts(group, href),
        Number(cost(abs(most.difference)), href),
        _whose(leader, winners, losers),
    )
    if not band:
        return phrase("{}.", said)
    sign = -1 if most.difference < 0 else 1
    gain = Number(interval(*sorted((sign * most.band_low, sign * most.band_high))), href)
    return phrase("{} (band {}) at PC(+) = {}.", said, gain, Number(pc(most.at_pc), href))


def _whose(leader: Win, winners: Sequence[str], losers: Sequence[str]) -> Text:
    """Say whose the largest difference is, where it could be that of several."""
    if len(winners) > 1:
        return phrase(" ({})", Name(leader.winner))
    return phrase(" (than {})", Name(leader.loser)) if len(losers) > 1 else ()


def _where(win: Win, href: str) -> Text:
    """Say where a model is cheaper; many short intervals (curves jump) are summed up."""
    if len(win.spans) == 1:
        return range_in_words(win.whole, href)
    return phrase(
        "in {} short stretches {} that together cover {} of all PC(+)"
        if win.width < 0.1
        else "in {} stretches {} that together cover {} of all PC(+)",
        f"{len(win.spans)}",
        range_in_words(win.whole, href, "of PC(+) "),
        Number(share(win.width), href),
    )


def _parts(group: Sequence[Win], href: str) -> Text:
    """Say from where to where several verdicts reach together."""
    spans = [span for win in group for span in win.spans]
    if len(spans) == len(group) and all(span.width == 1 for span in spans):
        return ("at every PC(+)",)
    whole = around((min(spans, key=lambda one: one.low), max(spans, key=lambda one: one.high)))
    return range_in_words(whole, href, PARTS)


def equivalent(found: Sequence[Outcome], href: str) -> Text:
    """Say which pairs are equivalent, within which difference; nothing if none are."""
    pairs = [(one, spans) for one in found if (spans := one.found(EQUIVALENT))]
    if not pairs:
        return ()
    each = [
        phrase("{} {}", names((one.a, one.b)), _where(Win(one.a, one.b, spans), href))
        for one, spans in pairs
    ]
    delta = Number(cost(pairs[0][0].equivalence), href)
    said = listed_at_most(PAIRS, each, "more pairs")
    return phrase("Equivalent, with differences of {} at most: {}.", delta, said)


def undecided(found: Sequence[Outcome], href: str) -> tuple[Text, Text]:
    """Say what the data cannot tell, if anything, and what would decide a pair; no full stops."""
    silent = [one for one in found if one.silent]
    open_ = [one for one in found if one.found("undecided") and not one.silent]
    if silent:
        which = _which([(one.a, one.b) for one in silent], len(found))
        rest = _outside(open_, len(found) - len(silent))
        said = phrase("The data cannot tell {} apart at any PC(+){}", which, rest)
        return said, _projected(silent, href)
    if not open_:
        return (), ()
    them = names((found[0].a, found[0].b)) if len(found) == 1 else "these pairs"
    return phrase("Elsewhere the data cannot tell {} apart", them), ()


def _which(pairs: Sequence[tuple[str, str]], of: int) -> Text:
    """Name a pair, or say how many of all pairs these are."""
    if len(pairs) == 1:
        return names(pairs[0])
    count = "any" if len(pairs) == of else f"{len(pairs)}"
    return (f"{count} of the {of} pairs of models",)


def _outside(open_: Sequence[Outcome], of: int) -> str:
    """Say how many of the pairs of which something was found are undecided elsewhere."""
    if not open_:
        return ""
    if len(open_) > 1:
        which = "the others" if len(open_) == of else f"{len(open_)} of the others"
        return f", nor {which} outside their ranges"
    which = "the other pair" if of == 1 else "one of the others"
    known = [span for span in open_[0].spans if span.finding != "undecided"]
    return f", nor {which} outside its range{'s' if len(known) > 1 else ''}"


def _projected(silent: Sequence[Outcome], href: str) -> Text:
    """Say how many instances would decide the pair that takes the fewest."""
    nearest = min(silent, key=lambda one: one.projected)
    if math.isinf(nearest.projected):
        return ("no difference was observed that more instances could confirm",)
    number = Number(about(nearest.projected), href)
    if len(silent) == 1:
        return phrase("about {} instances would decide (a projection, not a promise)", number)
    pair = phrase("{} against {}", Name(nearest.a), Name(nearest.b))
    pattern = "about {} instances would decide {}, the others need more (projections, not promises)"
    return phrase(pattern, number, pair)


def untested(pairs: Sequence[tuple[str, str]], of: int) -> Text:
    """Say which of so many pairs have no verdict, and why."""
    return phrase(
        "There is no verdict on {}: thresholds were chosen on the data that judge them, which "
        "favours the model with more distinct scores. More instances, or folds to choose "
        "on, would help.",
        _which(pairs, of),
    )


def settled_by(one: Outcome) -> Text:
    """Name an undecided pair, and how many instances would decide it as a projection.

    >>> from costcurves.text import plain
    >>> pair = Outcome("", "A", "B", (), (), 0.41, 0.9, 0.9, math.nan, 1234)
    >>> print(plain(settled_by(pair)))
    A against B (p = 0.410; about 1300 instances)
    """
    if math.isinf(one.projected):
        more = "no difference observed"
    else:
        more = f"about {about(one.projected)} instances"
    return phrase("{} against {} ({}; {})", Name(one.a), Name(one.b), p_stated(one.adjusted), more)


def withdrawn(one: Outcome) -> Text:
    """Name the slivers of a pair on which a model would be cheaper; nothing if there are none."""
    each = [
        phrase("{} on {}", Name(one.a if it.difference < 0 else one.b), pc_range(it.low, it.high))
        for it in one.narrow
    ]
    return listed_at_most(SLIVERS, each, "more")


def promised(low: Number, high: Number) -> Text:
    """Say how much less cost is promised by judging a threshold on the data that chose it."""
    return phrase(
        "Judging a threshold on the data that chose it would promise {} less cost than it "
        "delivers; the cross-fitted curves do not.",
        low if low.text == high.text else phrase("{} to {}", low, high),
    )


def best_criterion(
    model: str, best: tuple[str, Estimate] | None, others: Mapping[str, Estimate], href: str
) -> Text:
    """Say which criterion, if any, costs a model the least, and what the others cost more."""
    if best is None:
        return phrase("{}: no way of choosing can be judged on other data.", Name(model))
    opening = phrase(
        "{}: {} choice costs the least, {} on average", Name(model), best[0], _number(best[1], href)
    )
    if not others:
        return phrase("{}; no other way is compared.", opening)
    ordered = sorted(others.items(), key=lambda item: item[1].value)
    said = []
    for pattern, group in (
        (" Others cost more than chance explains: {}.", [it for it in ordered if it[1].low > 0]),
        (" Others cost more, which may be chance: {}.", [it for it in ordered if it[1].low <= 0]),
        (
            " As observed, without an interval, others cost more: {}.",
            [it for it in ordered if math.isnan(it[1].low)],
        ),
    ):
        each = [phrase("{} by {} choice", _number(more, href), name) for name, more in group]
        if each:
            ends = each[0] if len(each) == 1 else phrase("{} to {}", each[0], each[-1])
            said.append(phrase(pattern, ends))
    return phrase("{}." + "{}" * len(said), opening, *said)


def _number(it: Estimate, href: str) -> Text:
    number = Number(cost(it.value), href)
    if math.isnan(it.low):
        return (number,)
    return phrase("{} ({})", number, interval(it.low, it.high))
