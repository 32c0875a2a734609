"""All datasets together: what choosing costs, on how many of them which of two is cheaper."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

import pandas as pd

from costcurves.figures import map_figures
from costcurves.figures.dot_figures import choices
from costcurves.figures.map_figures import MOST_PANELS, Spans, ahead, covered, in_words, most
from costcurves.report import patterns
from costcurves.report.callouts import optimism
from costcurves.report.document import WHOLE, Drawing, Model, Numbering, Section, Table, Values
from costcurves.report.material import Material, figure_of
from costcurves.settings import ALWAYS
from costcurves.tables.inference.comparisons import BASELINE
from costcurves.tables.inference.map import COUNTS, VOTES, leading_pairs, shown_pair
from costcurves.tables.keys import PAIR
from costcurves.text import Text, phrase, plain

SHOWN: Final = 3  # models that page 1 names

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
        figure=figure_of(map_figures.map, figures, WHOLE, numbers),
        small=figure_of(map_figures.maps, figures, WHOLE, numbers),
        panels=min(len(rows), MOST_PANELS),
        table=Table(numbers.table(), title, WHOLE.table("map"), tuple(rows)),
        confidence=float(counts["familywise"].iloc[0]),
        votes=votes,
        unanimous=2.0 ** (1 - votes),
        equivalent=any(row.equivalent.datasets for row in rows),
        pair=shown,
        baseline=pair[0] == BASELINE,
        classes=classes,
    )
    return (Section("datasets", ("All datasets",), "map", content),)


def answer(table: pd.DataFrame, datasets: Text, roster: Sequence[str]) -> Values | None:
    """Give for page 1 which models cost less on more datasets than chance allows."""
    if not shown_pair(table):
        return None
    found = _wins(table)
    ordered = sorted(found, key=lambda name: (-len(found[name]), -covered(*found[name].values())))
    return Values(
        facts=Values(anchor="datasets", title=plain(phrase(patterns.ALL_DATASETS, n=datasets))),
        href=WHOLE.table("map"),
        familywise=float(table["familywise"].iloc[0]),
        wins=tuple(_cheaper(_model(name, roster), found[name]) for name in ordered[:SHOWN]),
        hidden=sum(len(found[name]) for name in ordered[SHOWN:]),
        nearest=_nearest(table),
    )


def _wins(table: pd.DataFrame) -> dict[str, dict[str, Spans]]:
    """Give where each model costs less than which others on more datasets than chance allows."""
    found: dict[str, dict[str, Spans]] = defaultdict(dict)
    counts = table.set_index(PAIR)
    for pair in leading_pairs(table):
        for winner, spans in ahead(counts.loc[[pair]], *pair[1:]).items():
            (loser,) = {*pair[1:]} - {winner}
            found[winner][loser] = spans
    return found


def _cheaper(winner: Model, losers: Mapping[str, Spans]) -> Values:
    spans = [*chain.from_iterable(losers.values())]
    whole = min(low for low, _ in spans), max(high for _, high in spans)
    return Values(winner=winner, losers=tuple(losers), ranges=in_words(spans), whole=whole)


def _nearest(table: pd.DataFrame) -> Values:
    """Find the pair whose vote is nearest to being beyond chance."""
    p_values = table.drop_duplicates(PAIR).set_index(PAIR)["adjusted"].to_dict()
    family, a, b = min(leading_pairs(table), key=p_values.__getitem__)
    return Values(a=a, b=b, baseline=family == BASELINE, p_value=p_values[family, a, b])


def choosing_together(
    figures: Figures, materials: Sequence[Material], numbers: Numbering
) -> tuple[Section, ...]:
    """Make the section on what choosing a threshold costs, if there is anything to choose."""
    figure = figure_of(choices, figures, WHOLE, numbers)
    if figure is None:
        return ()
    drawn = {name for it in materials for name in it.tables["hybrids"]["criterion"].unique()}
    values = Values(figure=figure, promised=optimism(materials), others=bool(drawn - {*ALWAYS}))
    return (Section("choices", ("What choosing a threshold costs",), "choices", values),)


def _row(rows: pd.DataFrame, pair: tuple[str, str, str], roster: Sequence[str]) -> Values:
    a, b = (_model(name, roster) for name in pair[1:])
    return Values(
        a=a,
        b=b,
        datasets=int(rows[list(COUNTS)].sum(axis=1).max()),
        a_most=most(rows, "a_cheaper"),
        b_most=most(rows, "b_cheaper"),
        equivalent=most(rows, "equivalent"),
        lower=map_figures.lower(ahead(rows, a.name, b.name)),
        p_value=float(rows["adjusted"].iloc[0]),
    )


def _model(name: str, roster: Sequence[str]) -> Model:
    return Model(name, list(roster).index(name))
