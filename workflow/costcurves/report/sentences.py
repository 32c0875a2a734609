"""What the tables say, as sentences: who is cheapest, and when.

Every sentence is made from values; nothing here computes. Directions are in words ("cheaper"),
operating conditions are given as PC(+) and as what a missed positive costs against a false alarm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from costcurves.formats import cost, counted, pc, pc_pair, times
from costcurves.report.cheapest_ranges import Range
from costcurves.report.text import Name, Number, Part, Text, listed, phrase

NAMED = 4  # names in a list before "and n more"
LEADERS = 3  # leaders whose ranges a sentence gives
RANGES = 2  # ranges it gives of each, the widest
AT = "for PC(+) "
NARROW = 0.05  # narrower ranges it leaves out, unless the leader has no other


@dataclass(frozen=True)
class _Leader:
    """Models that are cheapest in the same ranges (they cost the same there), and these."""

    models: tuple[str, ...]
    ranges: tuple[Range, ...]

    @property
    def width(self) -> float:
        return round(sum(one.width for one in self.ranges), 9)  # so that rounding orders nobody

    @property
    def told(self) -> list[Range]:
        """The ranges that a sentence gives, in order."""
        wide = [one for one in self.ranges if one.width >= NARROW]
        return _widest(wide or [max(self.ranges, key=lambda one: round(one.width, 9))])

    @property
    def in_full(self) -> bool:
        return len(self.told) == len(self.ranges)

    @property
    def name(self) -> Text:
        return cheapest(self.ranges[0])


def answer(models: Sequence[str], ranges: Sequence[Range], href: str) -> Text:
    """Answer in one sentence which of several models is cheapest, and when.

    It names three leaders and two ranges of each at most, the widest, and says so where there are
    more. Where no model is cheaper than a constant decision, that is named.

    >>> from costcurves.report.text import plain
    >>> low, high = Range(0.0, 0.3, 0.0, 0.5, ("A",)), Range(0.3, 1.0, 0.5, 9.0, ("B",))
    >>> print(plain(answer(["A", "B"], [low, high], "")))
    B is cheapest for PC(+) above 0.30 (a missed positive costs more than 0.5 times a false \
alarm), A below 0.30 (less than 0.5 times).
    """
    leaders = _leaders(ranges, len(models))
    constants = [one for one in ranges if one.constant]
    if len(constants) == len(ranges):
        return ("No model is cheaper than a constant decision at any PC(+).",)
    if not leaders:
        where = "where no constant decision is cheaper" if constants else "at every PC(+)"
        return phrase(f"{{}} cost the same {where}.", names(models))
    first, *others = leaders[:LEADERS]
    verb = "is" if len(first.models) == 1 else "are"
    said = [phrase("{} {} cheapest {}", first.name, verb, _ranges(first, href, first=True))]
    said += [phrase("{} {}", other.name, _ranges(other, href)) for other in others]
    tied = any(len(one.models) == len(models) for one in ranges)
    # "Elsewhere" says it where the last holds several ranges, and all others are in full.
    in_full = len(leaders) <= LEADERS and all(leader.in_full for leader in leaders[:-1])
    if others and in_full and len(others[-1].ranges) > 1 and not (tied or constants):
        return phrase("{}, {} elsewhere.", _joined(said[:-1]), others[-1].name)
    text = phrase("{}{}", _joined(said), _constants(constants, href))
    if len(leaders) > LEADERS or not all(leader.in_full for leader in leaders):
        return phrase(f"{{}}; in all the lead changes {len(ranges) - 1} times.", text)
    return phrase("{}; elsewhere all cost the same." if tied else "{}.", text)


def cheapest(one: Range) -> Text:
    """Name who is cheapest, or the constant decision that no model undercuts."""
    if one.constant:
        return (f"a constant decision ({one.constant})",)
    return names(one.models) if len(one.models) == 1 else phrase("{} (equal)", names(one.models))


def _constants(ranges: Sequence[Range], href: str) -> Text:
    """Say where a constant decision is cheapest, the widest ranges in order."""
    if not ranges:
        return ()
    shown = _widest(ranges)
    said = [phrase("{} ({})", _span(one, href), one.constant) for one in shown]
    hidden = len(ranges) - len(shown)
    more = [f"in {counted(hidden, 'narrower range')}"] if hidden else []
    return phrase("; a constant decision is cheapest {}", listed([*said, *more]))


def _widest(ranges: Sequence[Range]) -> list[Range]:
    widest = sorted(ranges, key=lambda one: -round(one.width, 9))[:RANGES]
    return sorted(widest, key=lambda one: one.low)


def against_trivial(where: Range | None, model: Mapping[str, Any], href: str) -> Text:
    """Answer when a single model, given by its measures, is worth having; None: nowhere."""
    name = Name(model["model"])
    if where is None:
        return phrase("{} is nowhere cheaper than the better trivial classifier.", name)
    return phrase(
        "{} is cheaper than both trivial classifiers {}; its cost is largest at PC(+) = {}: {}.",
        name,
        range_in_words(where, href, AT),
        Number(pc(model["largest_pc"]), href),
        Number(cost(model["largest_nec"]), href),
    )


def worse_than_chance(model: str, auc: float) -> Text:
    """Warn of scores that may say how negative an instance is."""
    pattern = (
        "Caution: {} ranks worse than chance would (AUC {}). Are its scores those of the other "
        "class, or the labels swapped? Then give 1 \N{MINUS SIGN} score, or mend the labels or "
        "'positive:'. Nothing was changed."
    )
    return phrase(pattern, Name(model), cost(auc))


def names(models: Sequence[str]) -> Text:
    """List models, at most four by name.

    >>> from costcurves.report.text import plain
    >>> plain(names(["A", "B"])), plain(names(list("ABCDEF")))
    ('A and B', 'A, B, C, D and 2 more')
    """
    shown: list[Part | Text] = [Name(model) for model in models[:NAMED]]
    hidden = len(models) - NAMED
    return listed([*shown, f"{hidden} more"] if hidden > 0 else shown)


def _leaders(ranges: Sequence[Range], count: int) -> list[_Leader]:
    """Group ranges by who is cheapest, the widest first; where all are equal nobody leads."""
    held: dict[tuple[str, ...], tuple[Range, ...]] = {}
    for one in ranges:
        if 0 < len(one.models) < count:
            held[one.models] = (*held.get(one.models, ()), one)
    return sorted((_Leader(*item) for item in held.items()), key=lambda leader: -leader.width)


def _ranges(leader: _Leader, href: str, *, first: bool = False) -> Text:
    told = leader.told
    return listed(
        [range_in_words(one, href, AT if first and one is told[0] else "") for one in told]
    )


def range_in_words(one: Range, href: str, scale: str = "") -> Text:
    """Say a range of PC(+), and in brackets what it means for the costs.

    `scale`, as "for PC(+) ", stands before it where it comes first in its sentence; then the costs
    are in full words.
    """
    if (one.low, one.high) == (0, 1):
        return ("at every PC(+)",)
    return phrase("{}{} ({})", scale, _span(one, href), _costs(one, href, first=bool(scale)))


def _span(one: Range, href: str) -> Text:
    """Say a range of PC(+)."""
    low, high = (Number(end, href) for end in pc_pair(one.low, one.high))
    if one.low == 0:
        return phrase("below {}", high)
    return phrase("above {}", low) if one.high == 1 else phrase("between {} and {}", low, high)


def _costs(one: Range, href: str, *, first: bool) -> Text:
    """Say a range of cost ratios; in full words where it comes first in a sentence."""
    pattern = "a missed positive costs {} times a false alarm" if first else "{} times"
    if one.low == 0:
        return phrase(pattern, phrase("less than {}", Number(times(one.ratio_high), href)))
    if one.high == 1:
        return phrase(pattern, phrase("more than {}", Number(times(one.ratio_low), href)))
    low, high = (Number(times(end), href) for end in (one.ratio_low, one.ratio_high))
    return phrase(
        pattern, phrase("about {}", low) if low == high else phrase("{} to {}", low, high)
    )


def _joined(clauses: Sequence[Text]) -> Text:
    return phrase(", ".join(["{}"] * len(clauses)), *clauses)
