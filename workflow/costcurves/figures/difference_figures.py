"""The paired difference of every two models, and where it is more than chance."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables, estimate_of_pairs, methods
from costcurves.figures.kind import Shown, figure_kind
from costcurves.figures.map_figures import EQUIVALENT, PAIR, of_all_pairs
from costcurves.figures.outcomes import Outcome, drawn, most_decided, outcomes, wins
from costcurves.figures.polylines import cost_vertices, fill_between, thinned
from costcurves.figures.sheet import TOP
from costcurves.tables.inference.comparisons import ALL_PAIRS
from costcurves.tables.keys import IN_SAMPLE

ALL: Final = 15  # pairs; of more only
MOST_DECIDED: Final = 9  # are drawn
KEYS: Final = [*PAIR, "estimate", "series", "method", "confidence"]
FINDINGS: Final = ("A cheaper", "B cheaper", "undecided", "equivalent")
FIRST: Final = TOP + 0.14
STRIP: Final = 0.15
NARROW: Final = 2.0  # a panel's width from which on it has room for whole phrases
WORDS: Final = 0.21  # inches kept free above and below the curves for words
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "pointwise": {"color": "#cfcfcf", "linewidth": 0, "zorder": 1},
    "simultaneous": {"color": style.NOTE, "linewidth": 0.7, "zorder": 3},
    "difference": {"color": style.INK, "linewidth": 1.5, "zorder": 4},
}


def differences_data(tables: Tables, _context: Context) -> pd.DataFrame:
    """Differences cost(A) - cost(B), bands and verdicts of all pairs, or the most decided."""
    lines, judged = (
        of_all_pairs(tables[name]).rename(columns={series: "series"})
        for name, series in (("comparisons", "line"), ("verdicts", "finding"))
    )
    pairs = _drawn(judged)
    lines, judged = (
        rows.assign(estimate=estimate_of_pairs(rows, tables["headline"]))
        for rows in (pairs.merge(own, on=PAIR, sort=False) for own in (lines, judged))
    )
    curves = cost_vertices(lines, KEYS)
    low, high = _range(curves["nec"])
    width, height = _Grid(len(pairs), FIRST).size
    drawn = thinned(curves, [*PAIR, "series"], (width, height / (high - low)))
    ends = [judged[[*KEYS, end]].set_axis([*KEYS, "pc"], axis=1) for end in ("pc_from", "pc_to")]
    strips = pd.concat(ends).sort_index(kind="stable").assign(nec=np.nan)
    return pd.concat([drawn, strips], ignore_index=True).rename(columns={"nec": "difference"})


def _drawn(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Choose the pairs to draw: all, or those that are decided in most of PC(+)."""
    decided = verdicts["series"].isin(["A cheaper", "B cheaper"])
    width = ((verdicts["pc_to"] - verdicts["pc_from"]) * decided).round(9)  # hides rounding
    widths = verdicts[PAIR].assign(width=width).groupby(PAIR, sort=False, as_index=False).sum()
    if len(widths) > ALL:
        widths = widths.sort_values("width", ascending=False, kind="stable").iloc[:MOST_DECIDED]
    return widths[PAIR]


def _range(values: "pd.Series[float]") -> tuple[float, float]:
    """Least and greatest difference, 0 included, not nearer than a hundredth."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    return (low, high) if high - low >= 0.01 else (-0.005, 0.005)


class _Grid(sheet.Panels):
    """Panels in rows, each with a strip beneath."""

    GAP = 0.62
    FOOT = 0.04 + STRIP + 0.2

    @property
    def columns(self) -> int:
        return {1: 1, 9: 3}.get(self.count, 2 if self.count <= 10 else 3)  # nine are a square

    @property
    def size(self) -> tuple[float, float]:
        rows = -(-self.count // self.columns)
        return super().size[0], {1: 2.6, 2: 2.0, 3: 1.6}.get(rows, 1.12)


def found_of(shown: Shown[Context], pairs: Sequence[Outcome]) -> list[Row]:
    """Give what was found of pairs, and those without a verdict, up to as many as are drawn."""
    found = [(one.a, one.b, (*wins([one]), *one.found("equivalent")[:1]), True) for one in pairs]
    untested: list[tuple[Any, ...]] = [
        (row["model_a"], row["model_b"], (), False)
        for row in shown.rows("verdicts")
        if row["reason"] == IN_SAMPLE and row["family"] == ALL_PAIRS
    ]
    names = "a", "b", "found", "tested"
    return [dict(zip(names, it, strict=True)) for it in [*found, *untested[:MOST_DECIDED]]]


def _found(shown: Shown[Context]) -> list[Row]:
    """Give what was found of the pairs that are drawn."""
    pairs = drawn(outcomes(shown.rows("verdicts")))
    return found_of(shown, pairs if len(pairs) <= ALL else most_decided(pairs)[:MOST_DECIDED])


@figure_kind(differences_data, _found, ("headline", "comparisons", "verdicts"))
def differences(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the difference of each pair with both bands, and beneath it the verdicts."""
    groups = list(data.groupby(PAIR, sort=False))
    grid = _Grid(len(groups), FIRST)
    all_pairs = len(context.models) * (len(context.models) - 1) // 2
    some = grid.count < all_pairs
    left_out = f"; {grid.count} of {all_pairs} pairs, widest ranges" if some else ""
    drawn = data[~data["series"].isin(FINDINGS)]
    levels = drawn.loc[drawn["series"].str.startswith("pointwise"), "confidence"]
    decided = "strips: what is decided for all pairs and all PC(+) at once; " if len(levels) else ""
    decided += "hatched: equivalent; " if "equivalent" in set(data["series"]) else ""
    notes = f"{context.chosen(data)}{left_out}", f"{decided}{methods(drawn)}"
    height = grid.bottom + grid.FOOT + 0.28
    figure = sheet.sheet(height, context.title, differences.words.title, *notes)
    looks = [("cost(A) \N{MINUS SIGN} cost(B)", LOOKS["difference"])]
    if len(levels):
        level = formats.level(float(levels.iloc[0]))
        looks.append((f"{level} at each PC(+)", {**LOOKS["pointwise"], "linewidth": 5}))
        looks.append(("for the whole curve, all pairs", LOOKS["simultaneous"]))
    sheet.series_list(figure, TOP - 0.04, looks)
    ends = _range(data["difference"])
    for place, (_, rows) in enumerate(groups):
        _draw_pair(figure, grid, place, rows, ends, context)
    return figure


def _draw_pair(
    figure: Figure,
    grid: _Grid,
    place: int,
    rows: pd.DataFrame,
    ends: tuple[float, float],
    context: Context,
) -> None:
    (left, top), (width, height) = grid.corner(place), grid.size
    a, b = (str(rows[name].iloc[0]) for name in PAIR)
    _name_pair(figure, (left, top + grid.head - 0.07), width, a, b)
    axes = sheet.panel(figure, left, top + grid.head, width, height)
    low, high = ends
    spaces.difference_space(axes, low, high, air=(high - low) * WORDS / (height - 2 * WORDS))
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    _draw_lines(axes, rows)
    _say_who(axes, a, b, context)
    strip = sheet.panel(figure, left, top + grid.head + height + 0.04, width, STRIP)
    sheet.tag(strip, sheet.PC_TAG)
    for one in (axes, strip):
        sheet.tag(one, context.tag(a), context.tag(b))
    strip.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
    spaces.unit_ticks(strip, coarse=grid.columns > 1)
    lowest = place + grid.columns >= grid.count
    strip.tick_params(labelbottom=lowest, length=2.5)
    strip.set_xlabel(spaces.PC if lowest else "", size=style.SMALL, labelpad=1)
    strip.spines["left"].set_visible(False)
    for finding, *span in intervals(rows):
        _fill_strip(strip, span, finding, {"A cheaper": a, "B cheaper": b}, context)


def _name_pair(figure: Figure, place: tuple[float, float], width: float, a: str, b: str) -> None:
    """Write whose difference it is, each name a text of its own."""
    left, top = place
    wide = width > NARROW
    parts = ("cost(" * wide, a, f"{')' * wide} \N{MINUS SIGN} {'cost(' * wide}", b, ")" * wide)
    room = width - sum(style.text_width(part, style.SMALL) for part in parts[::2])
    first, second = (style.text_width(name, style.SMALL) for name in (a, b))
    rooms = max(room / 2, room - second), max(room / 2, room - first)
    shown = [style.shorten(*one, style.SMALL) for one in zip((a, b), rooms, strict=True)]
    for part in (parts[0], shown[0], parts[2], shown[1], parts[4]):
        sheet.note(figure, left, top, part)
        left += style.text_width(part, style.SMALL)


def _draw_lines(axes: Axes, rows: pd.DataFrame) -> None:
    lines = {str(name): own[["pc", "difference"]] for name, own in rows.groupby("series")}
    if "pointwise lower" in lines:  # a pair without a verdict has no bands
        fill_between(axes, lines["pointwise lower"], lines["pointwise upper"], **LOOKS["pointwise"])
        for edge in ("lower", "upper"):
            axes.plot(*lines[f"simultaneous {edge}"].to_numpy().T, **LOOKS["simultaneous"])
    axes.plot(*lines["difference"].to_numpy().T, **LOOKS["difference"])


def _say_who(axes: Axes, a: str, b: str, context: Context) -> None:
    """Say who is cheaper above and below zero."""
    width, height = sheet.inches(axes)
    for model, side, y in ((b, "above", height - 0.13), (a, "below", 0.06)):
        rest = f" is cheaper {side} zero" if width > NARROW else " cheaper"
        room = width - style.text_width(rest, style.SMALL, "bold") - 0.06
        shown = style.shorten(model, room, style.SMALL, "bold")
        look: dict[str, Any] = {"size": style.SMALL, "transform": axes.transAxes}
        look |= {"zorder": 5, **context.words(model)}
        axes.text(0.04 / width, y / height, shown, **look)
        x = 0.04 + style.text_width(shown, style.SMALL, "bold")
        axes.text(x / width, y / height, rest, **look)


def intervals(rows: pd.DataFrame) -> Iterator[tuple[str, float, float]]:
    """Read a pair's verdicts: finding, beginning and end, in the order of the rows."""
    found = rows[rows["series"].isin(FINDINGS)]
    ends = found["pc"].to_numpy(float).reshape(-1, 2)
    for finding, (low, high) in zip(found["series"].iloc[::2], ends, strict=True):
        yield str(finding), float(low), float(high)


def _fill_strip(
    axes: Axes, span: Sequence[float], finding: str, cheaper: Mapping[str, str], context: Context
) -> None:
    low, high = span
    color = context.colour(cheaper[finding]) if finding in cheaper else style.EQUAL
    look = {"color": color, "linewidth": 0.3} if finding != "equivalent" else EQUIVALENT
    axes.add_patch(Rectangle((low, 0), high - low, 1, zorder=2 - (finding not in cheaper), **look))
    room = (high - low) * sheet.inches(axes)[0] - 0.1
    said = f"{cheaper[finding]} cheaper" if finding in cheaper else finding
    for text in (said, cheaper.get(finding, "")):
        if text and style.text_width(text, 6.5) <= room:
            ink = style.NOTE if color == style.EQUAL else style.ink_on(color)
            ground = {"boxstyle": "square,pad=0.1", "linewidth": 0}
            ground |= {"facecolor": "white" if finding == "equivalent" else color}
            axes.text((low + high) / 2, 0.3, text, size=6.5, ha="center", color=ink, bbox=ground)
            return
