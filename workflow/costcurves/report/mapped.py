"""All datasets together: what choosing costs, on how many of them which of two is cheaper."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

import pandas as pd

from costcurves.figures.map_figures import MOST_PANELS
from costcurves.formats import counted, level, p_value, pc, pc_range, share
from costcurves.maths.geometry.slivers import EXACT
from costcurves.report import alternatives
from costcurves.report.callouts import Callout, optimism
from costcurves.report.document import (
    WHOLE,
    Drawing,
    Figure,
    Model,
    Numbering,
    Section,
    Table,
    Values,
)
from costcurves.report.material import Material
from costcurves.report.pictures import picture
from costcurves.report.sentences import names
from costcurves.report.text import Name, Number, Text, listed, phrase, plain
from costcurves.tables.configuration.settings import ALWAYS
from costcurves.tables.inference.comparisons import BASELINE
from costcurves.tables.inference.map import CHOSEN, COUNTS, VOTES, leading_pairs, shown_pair
from costcurves.tables.keys import PAIR

TOLD: Final = 3  # ranges of PC(+) that a cell names one by one, and models that page 1 does


Figures = Mapping[str, Drawing]
Spans = list[tuple[float, float]]


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
        figure=_figure(figures, "map", _of_one(shown), numbers),
        small=_figure(figures, "maps", _of_all(rows[:MOST_PANELS]), numbers),
        panels=min(len(rows), MOST_PANELS),
        table=Table(numbers.table(), title, WHOLE.table("map"), tuple(rows)),
        confidence=float(counts["familywise"].iloc[0]),
        votes=votes,
        unanimous=2.0 ** (1 - votes),
        equivalent=any(row.equivalent.datasets for row in rows),
        pair=shown,
        baseline=pair[0] == BASELINE,
        chosen=bool((table["shown"] == CHOSEN).any()),
        classes=classes,
    )
    return (Section("datasets", ("All datasets",), "map", content),)


def answer(table: pd.DataFrame, datasets: str, roster: Sequence[str]) -> Values | None:
    """Say for page 1 which models cost less on more datasets than chance allows."""
    if not shown_pair(table):
        return None
    wins = _wins(table)
    told = sorted(wins, key=lambda name: (-len(wins[name]), -_covered(*wins[name].values())))
    said = [
        Callout(_cheaper(name, wins[name]), winner=_model(name, roster), decided=True)
        for name in told[:TOLD]
    ]
    if hidden := sum(len(wins[name]) for name in told[TOLD:]):
        said.append(Callout(phrase("{} more below.", counted(hidden, "such pair"))))
    if not said:
        said = [_nobody(table)]
    return Values(
        facts=Values(anchor="datasets", title=f"All {datasets}"),
        sentences=tuple(said),
        design=f"sign test, familywise {level(float(table['familywise'].iloc[0]))}",
    )


def _wins(table: pd.DataFrame) -> dict[str, dict[str, Spans]]:
    """Give where each model costs less than which others on more datasets than chance allows."""
    found: dict[str, dict[str, Spans]] = defaultdict(dict)
    counts = table.set_index(PAIR)
    for pair in leading_pairs(table):
        for winner, spans in _ahead(counts.loc[[pair]], *pair[1:]).items():
            (loser,) = {*pair[1:]} - {winner}
            found[winner][loser] = spans
    return found


def _cheaper(winner: str, losers: Mapping[str, Spans]) -> Text:
    spans = [*chain.from_iterable(losers.values())]
    if len(losers) == 1:
        where = f"for PC(+) {_ranges(spans)}"
    else:
        low, high = min(low for low, _ in spans), max(high for _, high in spans)
        where = f"in parts of PC(+) {pc_range(low, high)}"
    pattern = "{} costs less than {} on more datasets than chance allows, {}."
    return phrase(pattern, Name(winner), names([*losers]), Number(where, WHOLE.table("map")))


def _nobody(table: pd.DataFrame) -> Callout:
    """Say that no vote is beyond chance, and which pair comes nearest to it."""
    counts = table.set_index(PAIR)
    p_values = {
        pair: float(counts.loc[[pair]]["adjusted"].iloc[0]) for pair in leading_pairs(table)
    }
    nearest = min(p_values, key=lambda pair: p_values[pair])
    family, a, b = nearest
    which = (
        phrase("a model that costs less, or more, than {}, the baseline,", Name(b))
        if family == BASELINE
        else ("a model that costs less than another",)
    )
    return Callout(
        phrase("The sign test does not find {} on more datasets than chance allows.", which),
        phrase(
            "The smallest adjusted p is {}, of {} against {}; it has to be at most {}.",
            Number(p_value(p_values[nearest]), WHOLE.table("map")),
            Name(a),
            Name(b),
            p_value(1 - float(table["familywise"].iloc[0])),
        ),
    )


def _covered(*ranges: Spans) -> float:
    return sum(high - low for spans in ranges for low, high in spans)


def choosing_together(
    figures: Figures, materials: Sequence[Material], numbers: Numbering
) -> tuple[Section, ...]:
    """Make the section on what choosing a threshold costs, if there is anything to choose."""
    if "choices" not in figures:
        return ()
    figure = _figure(figures, "choices", alternatives.choices(materials), numbers)
    drawn = {name for it in materials for name in it.tables["hybrids"]["criterion"].unique()}
    values = Values(figure=figure, promised=optimism(materials), others=bool(drawn - {*ALWAYS}))
    return (Section("choices", ("What choosing a threshold costs",), "choices", values),)


def _row(rows: pd.DataFrame, pair: tuple[str, str, str], roster: Sequence[str]) -> Values:
    a, b = (_model(name, roster) for name in pair[1:])
    return Values(
        a=a,
        b=b,
        datasets=int(rows[list(COUNTS)].sum(axis=1).max()),
        a_most=_most(rows, "a_cheaper"),
        b_most=_most(rows, "b_cheaper"),
        equivalent=_most(rows, "equivalent"),
        lower=_lower(_ahead(rows, a.name, b.name)),
        p_value=float(rows["adjusted"].iloc[0]),
    )


def _model(name: str, roster: Sequence[str]) -> Model:
    return Model(name, list(roster).index(name))


def _most(rows: pd.DataFrame, name: str) -> Values:
    """Find the most datasets that agree, and one PC(+) where they do: in the widest interval."""
    most = int(rows[name].max())
    best = rows[rows[name] == most]
    widest = best.iloc[int((best["pc_to"] - best["pc_from"]).to_numpy().argmax())]
    return Values(datasets=most, at=float(widest["pc_from"] + widest["pc_to"]) / 2)


def _lower(ahead: Mapping[str, Spans]) -> Text:
    """Say where the vote is no chance; nowhere if it is nowhere."""
    each = [phrase("{} for PC(+) {}", Name(one), _ranges(spans)) for one, spans in ahead.items()]
    return listed(each) or ("nowhere",)


def _ahead(rows: pd.DataFrame, a: str, b: str) -> dict[str, Spans]:
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


def _ranges(spans: Spans) -> str:
    if len(spans) <= TOLD:
        return ", ".join(pc_range(*span) for span in spans)
    whole = pc_range(spans[0][0], spans[-1][1])
    return f"{whole} in {len(spans)} stretches that cover {share(_covered(spans))} of all PC(+)"


def _figure(figures: Figures, name: str, alt: str, numbers: Numbering) -> Figure | None:
    if name not in figures:
        return None
    number, shown = numbers.figure(WHOLE.drawing(name, "svg")), picture(figures[name], alt)
    return Figure(number, name, shown, WHOLE, ("map",))


def _of_one(row: Values) -> str:
    """Say what the map of one pair shows."""
    return (
        f"A map of {row.datasets} rows. {_agreed(row)} The observed costs "
        f"favour one of them on more datasets than chance allows: {plain(row.lower)}."
    )


def _agreed(row: Values) -> str:
    most = (
        f"{model.name} is cheaper on {found.datasets} at most (at PC(+) = {pc(found.at)})"
        if found.datasets
        else f"{model.name} is cheaper on none"
        for model, found in ((row.a, row.a_most), (row.b, row.b_most))
    )
    return "; ".join(most) + "."


def _of_all(rows: Sequence[Values]) -> str:
    """Say what the small maps show."""
    each = " ".join(f"{row.a.name} and {row.b.name}: {_agreed(row)}" for row in rows[:TOLD])
    more = f" And {len(rows) - TOLD} more pairs." if len(rows) > TOLD else ""
    return f"A small map for each of {len(rows)} pairs of models. {each}{more}"
