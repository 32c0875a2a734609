"""The figures of a study as files: panels as SVG or PDF, data as CSV, words as JSON."""

import io
import json
import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Final, Protocol

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context as Values
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from costcurves import formats
from costcurves.figures import (
    averages,
    axes,
    calibration,
    case_costs,
    cost_curves,
    cost_lines,
    decision_curves,
    differences,
    hybrids,
    loss_curves,
    map,  # noqa: A004 - as its files are called
    roc_and_cost,
    segments,
    style,
)
from costcurves.figures.axes import Panel, range_words
from costcurves.figures.context import Context, Tables, context_of, context_of_all
from costcurves.settings import Dataset, Study
from costcurves.tables.files import write_csv
from costcurves.text import Name, plain

NAMES: Final = 4  # names in a list before "and 3 more"
WORDS: Final = Path(__file__).with_name("words")
NOT_XML: Final = re.compile("[\ufffe\uffff]")
NUMBER: Final = re.compile(r"-?\d+\.\d+")
IDS: Final = re.compile(r'(<g[^>]*) id="[^"]*"')
FEW: Final = 3  # datasets of which each has the figure of threshold rules in the body


class FigureModule(Protocol):
    """What the module of a figure has."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a constant of the module
        """Its name, also that of its files."""

    def data(self, tables: Tables, context: Context, /) -> pd.DataFrame:
        """Return what is drawn; nothing where there is nothing to draw."""

    def panels(self, data: pd.DataFrame, context: Context, /) -> Sequence[Panel]:
        """Return the panels in order, each a function that draws on axes."""

    def words(self, data: pd.DataFrame, tables: Tables, context: Context, /) -> dict[str, Any]:
        """Return the values of its sentences."""


EACH: Final[tuple[FigureModule, ...]] = (cost_curves, segments, case_costs)
FIRST: Final[tuple[FigureModule, ...]] = (
    *(cost_lines, hybrids, roc_and_cost, differences, calibration),
)
APPENDIX: Final[tuple[FigureModule, ...]] = (averages, loss_curves, decision_curves)


def draw_dataset(
    folder: Path, dataset: Dataset, tables: Tables, roster: Sequence[str], study: Study
) -> None:
    """Draw the figures of a dataset into a folder; `roster`: the models of the whole study."""
    context = context_of(study, dataset, tables, roster)
    for module in figures_of(study, dataset):
        _draw(module, folder, tables, context)


def draw_together(folder: Path, tables: Tables, study: Study) -> None:
    """Draw all datasets together: `tables` have the rows of all of them, and the map."""
    _draw(map, folder, tables, context_of_all(study, tables["measures"]))


def figures_of(study: Study, dataset: Dataset) -> list[FigureModule]:
    """List the figures of a dataset: some of the first one alone, unless there is an appendix."""
    if study.appendix:
        return [*EACH, *FIRST, *APPENDIX]
    first = dataset == study.datasets[0]
    few = len(study.counted) <= FEW and not dataset.weighted
    return [*EACH, *(one for one in FIRST if first or (few and one is hybrids))]


def _draw(module: FigureModule, folder: Path, tables: Tables, context: Context) -> None:
    """Write a figure's panels, its data and its words."""
    data = module.data(tables, context)
    if data.empty:
        return
    folder.mkdir(parents=True, exist_ok=True)
    panels = module.panels(data, context)
    files = []
    for letter, draw in zip(ascii_lowercase, panels, strict=False):
        file = folder / f"{module.NAME}-{letter}.svg"
        file.write_text(panel(draw), "utf-8")
        files.append(file.name)
    write_csv(data, folder / f"{module.NAME}.csv")
    words = sentences(module, data, tables, context)
    content = {**words, "panels": files}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (folder / f"{module.NAME}.json").write_text(f"{text}\n", "utf-8")


def panel(draw: Panel) -> str:
    """Draw a panel as SVG, 89 mm wide and as high as it needs to be."""
    with style.house_style(), style.any_glyph():
        figure = Figure(figsize=(style.WIDTH / 72, axes.TALL / 72))
        ax = figure.add_axes((0, 0, 1, 1))
        axes.place(ax)
        draw(ax)
        low, high = axes.extent(figure)
        box = Bbox([[0, low / 72], [style.WIDTH / 72, high / 72]])
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches=box)
    return tidy(out.getvalue()).replace("<svg ", f'<svg data-axes="{_place(ax, high)}" ', 1)


def _place(ax: Axes, highest: float) -> str:
    """Write where axes are in the SVG (left, right, top, bottom), and the ends of their x axis."""
    place = ax.get_position()
    x, y = (place.x0, place.x1), (place.y1, place.y0)
    ends = [*(style.WIDTH * at for at in x), *(highest - axes.TALL * at for at in y)]
    return " ".join(f"{it:g}" for it in (*ends, *ax.get_xlim()))


def tidy(svg: str) -> str:
    """Leave out of matplotlib's SVG what draws nothing, and round to tenths of a point."""
    svg = NOT_XML.sub("\ufffd", svg[svg.index("<svg") :])
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = IDS.sub(r"\1", svg)
    svg = re.sub(r' d="[^"]*"', _shorter, svg)
    return re.sub(r"\s*\n\s*", "\n", svg)


def _shorter(path: re.Match[str]) -> str:
    """Round the numbers of a path, and leave out that lines follow lines."""
    return re.sub(r"\s*(?:L\s*|\n)", " ", NUMBER.sub(_tenths, path[0])).replace(' "', '"')


def _tenths(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")


def sentences(module: FigureModule, data: pd.DataFrame, tables: Tables, context: Context) -> Any:
    """Write a figure's title, caption and alternative text by its own template."""
    template = _environment().get_template(f"{module.NAME}.txt.j2")
    values = {"title": context.title, **module.words(data, tables, context)}
    values |= {"prior": context.prior, "known": context.short, "unit": context.unit}
    written = {}
    for part, block in template.blocks.items():
        lines = "".join(block(template.new_context(values)))
        text = re.sub(r"[ \n]+", " ", lines).strip()
        written[part] = re.sub(r" ([.,;:)])", r"\1", text)
    return written


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(WORDS),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - plain texts: what shows them escapes them
        trim_blocks=True,
        lstrip_blocks=True,
    )
    forms = (formats.level, formats.cost, formats.signed, formats.amount, formats.p_stated)
    own = (name, short, shorter, names, where, then, percent, up, down)
    environment.filters.update({one.__name__: one for one in (*forms, *own)})
    return environment


def name(words: str) -> str:
    """Write a name that a user chose."""
    return plain(Name(words))


@pass_context
def short(values: Values, model: str) -> str:
    """Write the name of a model as figures do."""
    return name(values["known"].get(model, style.shortened(model)))


def shorter(words: str) -> str:
    """Write a long name, other than a model's, shortened."""
    return name(style.shortened(words))


@pass_context
def names(values: Values, models: Sequence[str]) -> str:
    """List models, at most four by name."""
    shown = [short(values, model) for model in models[:NAMES]]
    if len(models) > NAMES:
        shown.append(f"{len(models) - NAMES} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


@pass_context
def where(values: Values, span: dict[str, Any]) -> str:
    """Write in which range of cost ratios something is shown, rounded inwards."""
    low, high = range_words(span["low"], span["high"], values["prior"])
    if span["low"] <= 0 and span["high"] >= 1:
        return " at every cost ratio"
    if span["low"] <= 0:
        return f" up to {high}"
    if span["high"] >= 1:
        return f" from {low} on"
    return f" from {low} to {high}" if low != high else f" at {low}"


def then(loop: Any) -> str:
    """Write what stands behind an item of a list in a sentence."""
    return "" if loop.last else " and " if loop.revindex == 2 else ", "


def percent(value: float) -> str:
    """Write a share in whole per cent, one below 1 with a decimal."""
    return f"{100 * value:.{0 if value >= 0.0095 else 1}f}\u202f%"


def up(value: float) -> str:
    """Write a share, rounded up."""
    return f"{math.ceil(100 * value - 1e-9) / 100:.2f}"


def down(value: float) -> str:
    """Write a share, rounded down."""
    return f"{math.floor(100 * value + 1e-9) / 100:.2f}"
