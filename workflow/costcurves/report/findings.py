"""What was decided, and what was not, as sentences; like `sentences`, nothing here computes.

A projection is called one wherever it is printed: it says how many instances would decide if the
difference and its spread stayed as they were observed.
"""

import math
from collections.abc import Mapping, Sequence

from costcurves.formats import about, cost, interval, pc, pc_range, share
from costcurves.report.document import Estimate
from costcurves.report.outcomes import EQUIVALENT, Outcome, Win, around, largest
from costcurves.report.sentences import AT, names, range_in_words
from costcurves.report.text import Name, Number, Text, listed, phrase

SLIVERS = 5  # withdrawn stretches that are named
PAIRS = 3  # equivalent pairs that a sentence goes through one by one


def cheaper(win: Win, href: str) -> Text:
    """Say who is cheaper than whom, where, and by how much.

    Many short intervals (cross-fitted curves jump) are summed up: how many, between which ends, and
    how much of PC(+) they cover together.

    >>> from costcurves.report.outcomes import Span
    >>> from costcurves.report.text import plain
    >>> span = Span("A cheaper", 0.1, 0.5, 0.2, 1.8, -0.08, 0.25, -0.15, -0.01)
    >>> print(plain(cheaper(Win("A", "B", (span,)), "")))
    A is cheaper than B for PC(+) between 0.10 and 0.50 (a missed positive costs 0.2 to 1.8 times \
a false alarm), by up to 0.080 (band 0.010–0.150) at PC(+) = 0.25.
    """
    most = largest(win.spans)
    sign = -1 if most.difference < 0 else 1
    gain = interval(*sorted((sign * most.band_low, sign * most.band_high)))
    return phrase(
        "{} is cheaper than {} {}, by up to {} (band {}) at PC(+) = {}.",
        Name(win.winner),
        Name(win.loser),
        _where(win, href),
        Number(cost(abs(most.difference)), href),
        Number(gain, href),
        Number(pc(most.at_pc), href),
    )


def _where(win: Win, href: str) -> Text:
    if len(win.spans) == 1:
        return range_in_words(win.whole, href, AT)
    return phrase(
        "in {} short stretches {} that together cover {} of it"
        if win.width < 0.1
        else "in {} stretches {} that together cover {} of it",
        f"{len(win.spans)}",
        "of PC(+)" if win.whole.width == 1 else range_in_words(win.whole, href, "of PC(+) "),
        Number(share(win.width), href),
    )


def cheaper_together(group: Sequence[Win], href: str) -> Text:
    """Say in one sentence what several verdicts have in common: the winner, or the loser.

    >>> from costcurves.report.outcomes import Span
    >>> from costcurves.report.text import plain
    >>> span = Span("A cheaper", 0.1, 0.5, 0.2, 1.8, -0.08, 0.25, -0.15, -0.01)
    >>> print(plain(cheaper_together([Win("A", "C", (span,)), Win("B", "C", (span,))], "")))
    A and B are each cheaper than C in parts of PC(+) between 0.10 and 0.50 (a missed positive \
costs 0.2 to 1.8 times a false alarm), by up to 0.080.
    """
    winners = list(dict.fromkeys(win.winner for win in group))
    losers = list(dict.fromkeys(win.loser for win in group))
    most = max(abs(largest(win.spans).difference) for win in group)
    return phrase(
        "{} {} cheaper than {} {}, by up to {}.",
        names(winners),
        "is" if len(winners) == 1 else "are each",
        names(losers),
        _where(group[0], href) if len(group) == 1 else _parts(group, href),
        Number(cost(most), href),
    )


def _parts(group: Sequence[Win], href: str) -> Text:
    if all(win.everywhere for win in group):
        return ("at every PC(+)",)
    spans = [span for win in group for span in win.spans]
    first, last = min(spans, key=lambda one: one.low), max(spans, key=lambda one: one.high)
    if (first.low, last.high) == (0, 1):
        return ("in parts of PC(+)",)
    return range_in_words(around((first, last)), href, "in parts of PC(+) ")


def equivalent(found: Sequence[Outcome], href: str) -> Text | None:
    """Say which pairs are equivalent, within which difference; None if none are."""
    pairs = [one for one in found if one.found(EQUIVALENT)]
    if not pairs:
        return None
    each = [
        phrase("{} {}", names(one.pair), _where(Win(*one.pair, one.found(EQUIVALENT)), href))
        for one in pairs[:PAIRS]
    ]
    hidden = [f"{len(pairs) - PAIRS} more pairs"] if len(pairs) > PAIRS else []
    delta = Number(cost(pairs[0].equivalence), href)
    return phrase(
        "Equivalent, with differences of {} at most: {}.", delta, listed([*each, *hidden])
    )


def undecided(found: Sequence[Outcome], href: str) -> Text | None:
    """Say in one sentence what the data cannot decide, and what would; None if they decide all."""
    silent = [one for one in found if one.silent]
    if not silent:
        return _elsewhere(found)
    return phrase("The data cannot tell {}; {}.", _whom(silent, found), _projected(silent, href))


def undecided_in_short(found: Sequence[Outcome], href: str) -> tuple[Text, Text] | None:
    """Say what the data cannot decide after what they do decide; None if they decide all.

    Where nothing was found at all, small print says what would decide.
    """
    silent = [one for one in found if one.silent]
    if not silent:
        text = _elsewhere(found)
        return None if text is None else (text, ())
    opening = phrase("The data cannot tell {}.", _whom(silent, found))
    if len(silent) < len(found):
        return opening, ()
    return opening, _capitalized(phrase("{}.", _projected(silent, href)))


def _capitalized(text: Text) -> Text:
    first, *others = text
    return (first[:1].upper() + first[1:], *others) if isinstance(first, str) else text


def _elsewhere(found: Sequence[Outcome]) -> Text | None:
    if all(span.finding != "undecided" for one in found for span in one.spans):
        return None
    them = names(found[0].pair) if len(found) == 1 else "these pairs"
    return phrase("Elsewhere the data cannot tell {} apart.", them)


def _whom(silent: Sequence[Outcome], found: Sequence[Outcome]) -> Text:
    which = _which([one.pair for one in silent], len(found))
    return phrase("{} apart at any PC(+){}", which, _others(silent, found))


def _which(pairs: Sequence[tuple[str, str]], of: int) -> Text:
    """Name a pair, or say how many of all pairs these are."""
    if len(pairs) == 1:
        return names(pairs[0])
    count = "any" if len(pairs) == of else f"{len(pairs)}"
    return (f"{count} of the {of} pairs of models",)


def _others(silent: Sequence[Outcome], found: Sequence[Outcome]) -> str:
    """Say how many pairs of which something was found are undecided elsewhere."""
    others = [one for one in found if one not in silent]
    open_ = [one for one in others if one.found("undecided")]
    if not open_:
        return ""
    if len(open_) > 1:
        which = "the others" if len(open_) == len(others) else f"{len(open_)} of the others"
        return f", nor {which} outside their ranges"
    which = "the other pair" if len(others) == 1 else "one of the others"
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
    pair = phrase("{} against {}", *map(Name, nearest.pair))
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


def withdrawn(one: Outcome) -> Text | None:
    """Name the slivers of a pair on which a model would be cheaper; None if there are none."""
    if not one.narrow:
        return None
    each = [
        phrase("{} on {}", Name(one.a if it.difference < 0 else one.b), pc_range(it.low, it.high))
        for it in one.narrow[:SLIVERS]
    ]
    hidden = [f"{len(one.narrow) - SLIVERS} more"] if len(one.narrow) > SLIVERS else []
    return listed([*each, *hidden])


def promised(low: Number, high: Number) -> Text:
    """Say how much less cost is promised by judging a threshold on the data that chose it."""
    much = phrase("{}", low) if low.text == high.text else phrase("{} to {}", low, high)
    return phrase(
        "Judging a threshold on the data that chose it would promise {} less cost than it "
        "delivers; the curves here do not.",
        much,
    )


def best_criterion(
    model: str, best: tuple[str, Estimate] | None, others: Mapping[str, Estimate], href: str
) -> Text:
    """Say which usable criterion costs a model the least, and what ignoring it costs.

    Without `best` no criterion is usable. `others` is what each other one costs more; without an
    interval (NaN) it was not resampled.
    """
    if best is None:
        return phrase("{}: no way of choosing can be judged on other data.", Name(model))
    opening = phrase(
        "{}: {} choice costs the least, {} on average", Name(model), best[0], _number(best[1], href)
    )
    if not others:
        return phrase("{}; no other way applies.", opening)
    ordered = dict(sorted(others.items(), key=lambda item: item[1].value))
    clear = {name: more for name, more in ordered.items() if more.low > 0}
    unclear = {name: more for name, more in ordered.items() if more.low <= 0}
    unknown = {name: more for name, more in ordered.items() if math.isnan(more.low)}
    said = [
        phrase(pattern, _range_of(group, href))
        for pattern, group in (
            (" Others cost more than chance explains: {}.", clear),
            (" Others cost more, which may be chance: {}.", unclear),
            (" As observed, without an interval, others cost more: {}.", unknown),
        )
        if group
    ]
    return phrase("{}." + "{}" * len(said), opening, *said)


def _range_of(group: Mapping[str, Estimate], href: str) -> Text:
    """Say the least and the most of what criteria cost more; they come in that order."""
    each = [
        phrase("{} by {} choice", _number(more, href), criterion)
        for criterion, more in group.items()
    ]
    return each[0] if len(each) == 1 else phrase("{} to {}", each[0], each[-1])


def _number(it: Estimate, href: str) -> Text:
    number = Number(cost(it.value), href)
    if math.isnan(it.low):
        return (number,)
    return phrase("{} ({})", number, interval(it.low, it.high))
