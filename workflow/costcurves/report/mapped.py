"""All datasets together: on how many of them which of two models costs less."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from costcurves.curves.slivers import EXACT
from costcurves.many.map import COUNTS, VOTES, leading_pairs, shown_pair
from costcurves.pairs.differences import REFERENCE
from costcurves.report.answer import Vote
from costcurves.report.document import WHOLE, Drawing, Figure, Model, Numbering, Section, Table
from costcurves.report.material import figure_of
from costcurves.tables.keys import PAIR

Spans = tuple[tuple[float, float], ...]  # ranges of PC(+)


@dataclass(frozen=True)
class PairCounts:
    """How datasets agree on a pair."""

    a: Model
    b: Model
    datasets: int
    a_most: int  # datasets with that verdict at one PC(+), the most
    b_most: int
    equivalent: int
    lower: Mapping[str, Spans]  # where each costs less on more datasets than chance allows
    p_value: float


@dataclass(frozen=True)
class DatasetMap:
    """Pairs of models on all datasets."""

    figure: Figure | None
    table: Table
    confidence: float
    votes: int
    classes: bool  # some datasets are classes of one
    pair: PairCounts  # that the figure shows
    reference: bool
    ahead: tuple[Vote, ...]

    @property
    def unanimous(self) -> float:
        """The chance of a unanimous vote."""
        return 2.0 ** (1 - self.votes)

    @property
    def equivalent(self) -> bool:
        """Whether any pair is equivalent on some dataset."""
        return any(row.equivalent for row in self.table.rows)


def datasets_together(
    table: pd.DataFrame,
    figures: Mapping[str, Drawing],
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
    rows = [_row(counts.loc[[each]], each, roster) for each in leading_pairs(table)]
    content = DatasetMap(
        figure=figure_of("map", figures, WHOLE, numbers),
        table=Table(
            numbers.table(),
            ("Pairs of models on all datasets",),
            WHOLE.table("map"),
            tuple(rows),
        ),
        confidence=float(counts["familywise"].iloc[0]),
        votes=int(counts[list(VOTES)].sum(axis=1).max()),
        classes=classes,
        pair=_row(counts.loc[[pair]], pair, roster),
        reference=pair[0] == REFERENCE,
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
        whole = min(low for low, _ in spans), max(high for _, high in spans)
        votes.append(Vote(winner, tuple(each), spans, whole))
    return tuple(sorted(votes, key=lambda vote: (-len(vote.losers), -_covered(vote.ranges))))


def _row(rows: pd.DataFrame, pair: tuple[str, str, str], roster: Sequence[str]) -> PairCounts:
    a, b = (Model(name, list(roster).index(name)) for name in pair[1:])
    return PairCounts(
        a,
        b,
        datasets=int(rows[list(COUNTS)].sum(axis=1).max()),
        a_most=int(rows["a_cheaper"].max()),
        b_most=int(rows["b_cheaper"].max()),
        equivalent=int(rows["equivalent"].max()),
        lower=ahead(rows, a.name, b.name),
        p_value=float(rows["adjusted"].iloc[0]),
    )


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
