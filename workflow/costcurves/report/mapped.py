"""All datasets together: on how many of them which of two models costs less."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pandas as pd

from costcurves.curves.slivers import EXACT
from costcurves.many.map import COUNTS, VOTES, leading_pairs, shown_pair
from costcurves.report.answer import Vote
from costcurves.report.document import Drawing, Figure, Numbering, Section, Table, address
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
) -> Section | None:
    """Make the section of all datasets, if some pair was judged on three or more.

    With `classes` some are classes of one dataset, which have a row each, but one vote.
    """
    rows = agreed(table)
    if not rows:
        return None
    content = DatasetMap(
        figure=figure_of("map", figures, numbers),
        table=Table(
            next(numbers.tables), ("Pairs of models on all datasets",), address("map"), tuple(rows)
        ),
        confidence=float(table["familywise"].iloc[0]),
        votes=int(table[list(VOTES)].sum(axis=1).max()),
        classes=classes,
        ahead=votes_of(table) or (),
    )
    return Section("datasets", ("All datasets",), "map", content)


def votes_of(table: pd.DataFrame) -> tuple[Vote, ...] | None:
    """Return which models cost less on more datasets than chance allows; None: without a map."""
    rows = agreed(table)
    if not rows:
        return None
    losers: dict[str, dict[str, Spans]] = {}
    for row in rows:
        for winner, spans in row["lower"].items():
            loser = row["b"] if winner == row["a"] else row["a"]
            losers.setdefault(winner, {})[loser] = spans
    votes = (
        Vote(winner, tuple(each), tuple(chain.from_iterable(each.values())))
        for winner, each in losers.items()
    )

    def wins(vote: Vote) -> tuple[int, float]:
        return len(vote.losers), sum(high - low for low, high in vote.ranges)

    return tuple(sorted(votes, key=wins, reverse=True))


def agreed(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return how datasets agree on each pair, if some pair was judged on three or more."""
    if not shown_pair(table):
        return []
    counts = table.set_index(PAIR)
    return [_row(counts.loc[[pair]], *pair[1:]) for pair in leading_pairs(table)]


def _row(rows: pd.DataFrame, a: str, b: str) -> dict[str, Any]:
    """Show how datasets agree on a pair: with each verdict at one PC(+), the most."""
    lower = {
        a: _spans(rows[rows["finding"] == "A cheaper"]),
        b: _spans(rows[rows["finding"] == "B cheaper"]),
    }
    return {name: int(rows[name].max()) for name in COUNTS} | {
        "a": a,
        "b": b,
        "datasets": int(rows[list(COUNTS)].sum(axis=1).max()),
        "lower": {model: spans for model, spans in lower.items() if spans},
        "p_value": float(rows["adjusted"].iloc[0]),
    }


def _spans(rows: pd.DataFrame) -> Spans:
    """Join neighbouring intervals."""
    joined: list[tuple[float, float]] = []
    for low, high in rows[["pc_from", "pc_to"]].itertuples(index=False, name=None):
        near = joined and low - joined[-1][1] < EXACT
        joined.append((joined.pop()[0] if near else low, high))
    return tuple(joined)
