"""All datasets together: on how many of them which of two models costs less."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from costcurves.curves.slivers import EXACT
from costcurves.many.map import COUNTS, VOTES, leading_pairs, shown_pair
from costcurves.report.answer import Vote
from costcurves.report.document import WHOLE, Drawing, Figure, Numbering, Section, Table
from costcurves.report.material import figure_of
from costcurves.tables.keys import PAIR

Spans = tuple[tuple[float, float], ...]  # ranges of PC(+)


@dataclass(frozen=True)
class DatasetMap:
    """Pairs of models on all datasets."""

    figure: Figure | None
    table: Table
    confidence: float
    votes: int
    classes: bool  # some datasets are classes of one
    ahead: tuple[Vote, ...]

    @property
    def unanimous(self) -> float:
        """The chance of a unanimous vote."""
        return 2.0 ** (1 - self.votes)


def datasets_together(
    table: pd.DataFrame,
    figures: Mapping[str, Drawing],
    numbers: Numbering,
    *,
    classes: bool = False,
) -> tuple[Section, ...]:
    """Make the section of all datasets, if some pair was judged on three or more.

    With `classes` some are classes of one dataset, which have a row each, but one vote.
    """
    if not shown_pair(table):
        return ()
    counts = table.set_index(PAIR)
    rows = [_row(counts.loc[[pair]], *pair[1:]) for pair in leading_pairs(table)]
    title = ("Pairs of models on all datasets",)
    content = DatasetMap(
        figure=figure_of("map", figures, numbers),
        table=Table(next(numbers.tables), title, WHOLE.table("map"), tuple(rows)),
        confidence=float(counts["familywise"].iloc[0]),
        votes=int(counts[list(VOTES)].sum(axis=1).max()),
        classes=classes,
        ahead=votes_of(table) or (),
    )
    return (Section("datasets", ("All datasets",), "map", content),)


def votes_of(table: pd.DataFrame) -> tuple[Vote, ...] | None:
    """Return which models cost less on more datasets than chance allows; None: without a map."""
    if not shown_pair(table):
        return None
    losers: dict[str, dict[str, Spans]] = {}
    counts = table.set_index(PAIR)
    for pair in leading_pairs(table):
        for winner, spans in ahead(counts.loc[[pair]], *pair[1:]).items():
            loser = pair[2] if winner == pair[1] else pair[1]
            losers.setdefault(winner, {})[loser] = spans
    votes = []
    for winner, each in losers.items():
        spans = tuple(span for ranges in each.values() for span in ranges)
        votes.append(Vote(winner, tuple(each), spans))
    return tuple(sorted(votes, key=lambda vote: (-len(vote.losers), -_covered(vote.ranges))))


def _row(rows: pd.DataFrame, a: str, b: str) -> dict[str, Any]:
    """Show how datasets agree on a pair: with each verdict at one PC(+), the most."""
    most = {name: int(rows[name].max()) for name in COUNTS}
    return most | {
        "a": a,
        "b": b,
        "datasets": int(rows[list(COUNTS)].sum(axis=1).max()),
        "lower": ahead(rows, a, b),
        "p_value": float(rows["adjusted"].iloc[0]),
    }


def ahead(rows: pd.DataFrame, a: str, b: str) -> dict[str, Spans]:
    """Return where each of two models costs less on more datasets than chance allows."""
    spans = {
        model: _spans(rows[rows["finding"] == finding])
        for model, finding in ((a, "A cheaper"), (b, "B cheaper"))
    }
    return {model: ranges for model, ranges in spans.items() if ranges}


def _spans(rows: pd.DataFrame) -> Spans:
    """Join neighbouring intervals."""
    joined: list[tuple[float, float]] = []
    for low, high in rows[["pc_from", "pc_to"]].itertuples(index=False, name=None):
        near = joined and low - joined[-1][1] < EXACT
        joined.append((joined.pop()[0] if near else low, high))
    return tuple(joined)


def _covered(spans: Spans) -> float:
    """Add up how much of PC(+) ranges cover."""
    return sum(high - low for low, high in spans)
