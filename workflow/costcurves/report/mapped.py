"""All datasets together: what choosing costs, on how many of them which of two is cheaper."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

import pandas as pd

from costcurves import formats
from costcurves.maths.geometry.slivers import EXACT
from costcurves.report import patterns
from costcurves.report.answer import Vote
from costcurves.report.document import WHOLE, Drawing, Model, Numbering, Section, Table, Values
from costcurves.report.material import figure_of
from costcurves.tables.inference.comparisons import REFERENCE
from costcurves.tables.inference.map import COUNTS, VOTES, leading_pairs, shown_pair
from costcurves.tables.keys import PAIR
from costcurves.text import Name, Text, joined, listed, phrase

LISTED: Final = 3  # ranges of PC(+) that a cell names one by one

Spans = list[tuple[float, float]]

Figures = Mapping[str, Drawing]


def datasets_together(
    table: pd.DataFrame,
    figures: Figures,
    roster: Sequence[str],
    numbers: Numbering,
    *,
    classes: bool = False,
) -> tuple[Section, ...]:
    """Make the section of all datasets, if some pair was judged on three or more.

    With `classes` some are classes of one dataset, which have a row each, but one vote.
    """
    pair = shown_pair(table)
    if not pair:
        return ()
    counts = table.set_index(PAIR)
    rows = [_row(counts.loc[[one]], one, roster) for one in leading_pairs(table)]
    shown = _row(counts.loc[[pair]], pair, roster)
    votes = int(counts[list(VOTES)].sum(axis=1).max())
    title = ("Pairs of models on all datasets",)
    content = Values(
        figure=figure_of("map", figures, WHOLE, numbers),
        table=Table(numbers.table(), title, WHOLE.table("map"), tuple(rows)),
        confidence=float(counts["familywise"].iloc[0]),
        votes=votes,
        unanimous=2.0 ** (1 - votes),
        equivalent=any(row.equivalent.datasets for row in rows),
        pair=shown,
        reference=pair[0] == REFERENCE,
        classes=classes,
    )
    return (Section("datasets", ("All datasets",), "map", content),)


def votes_of(table: pd.DataFrame) -> tuple[Vote, ...] | None:
    """Return which models cost less on more datasets than chance allows; None: without a map."""
    if not shown_pair(table):
        return None
    found = _wins(table)
    ordered = sorted(found, key=lambda name: (-len(found[name]), -covered(*found[name].values())))
    return tuple(_vote(name, found[name]) for name in ordered)


def _wins(table: pd.DataFrame) -> dict[str, dict[str, Spans]]:
    """Give where each model costs less than which others on more datasets than chance allows."""
    found: dict[str, dict[str, Spans]] = defaultdict(dict)
    counts = table.set_index(PAIR)
    for pair in leading_pairs(table):
        for winner, spans in ahead(counts.loc[[pair]], *pair[1:]).items():
            (loser,) = {*pair[1:]} - {winner}
            found[winner][loser] = spans
    return found


def _vote(winner: str, losers: Mapping[str, Spans]) -> Vote:
    spans = [*chain.from_iterable(losers.values())]
    whole = min(low for low, _ in spans), max(high for _, high in spans)
    return Vote(winner, tuple(losers), in_words(spans), whole)


def _row(rows: pd.DataFrame, pair: tuple[str, str, str], roster: Sequence[str]) -> Values:
    a, b = (_model(name, roster) for name in pair[1:])
    return Values(
        a=a,
        b=b,
        datasets=int(rows[list(COUNTS)].sum(axis=1).max()),
        a_most=most(rows, "a_cheaper"),
        b_most=most(rows, "b_cheaper"),
        equivalent=most(rows, "equivalent"),
        lower=lower(ahead(rows, a.name, b.name)),
        p_value=float(rows["adjusted"].iloc[0]),
    )


def _model(name: str, roster: Sequence[str]) -> Model:
    return Model(name, list(roster).index(name))


class Most(NamedTuple):
    """The most datasets that agree, and a PC(+) where they do."""

    datasets: int
    at: float


def most(rows: pd.DataFrame, finding: str) -> Most:
    """Find the most datasets that agree, and one PC(+) where they do: in the widest interval."""
    found = int(rows[finding].max())
    best = rows[rows[finding] == found]
    widest = best.iloc[int((best["pc_to"] - best["pc_from"]).to_numpy().argmax())]
    return Most(found, float(widest["pc_from"] + widest["pc_to"]) / 2)


def ahead(rows: pd.DataFrame, a: str, b: str) -> dict[str, Spans]:
    """Give where each of two models costs less on more datasets than chance allows, if anywhere."""
    found = {
        model: _spans(rows[rows["finding"] == finding])
        for model, finding in ((a, "A cheaper"), (b, "B cheaper"))
    }
    return {model: spans for model, spans in found.items() if spans}


def _spans(rows: pd.DataFrame) -> Spans:
    """Join neighbouring intervals."""
    joined: Spans = []
    for low, high in rows[["pc_from", "pc_to"]].itertuples(index=False, name=None):
        near = joined and low - joined[-1][1] < EXACT
        joined.append((joined.pop()[0] if near else low, high))
    return joined


def lower(ahead: Mapping[str, Spans]) -> Text:
    """Say where the vote is no chance; nowhere if it is nowhere."""
    each = [
        phrase(patterns.FOR_RANGES, what=Name(one), ranges=in_words(spans))
        for one, spans in ahead.items()
    ]
    return listed(each) or (patterns.NOWHERE,)


def in_words(spans: Spans) -> Text:
    """Say ranges of PC(+) one by one, or how much of all they cover."""
    if len(spans) <= LISTED:
        return joined(", ", [formats.pc_range(*span) for span in spans])
    whole, much = formats.pc_range(spans[0][0], spans[-1][1]), formats.at_least(covered(spans))
    return phrase(patterns.IN_STRETCHES, whole=whole, n=f"{len(spans)}", share=much)


def covered(*ranges: Spans) -> float:
    """Add up how much of PC(+) ranges cover."""
    return sum(high - low for spans in ranges for low, high in spans)
