"""The figures of a study as files: panels as SVG or PDF, data as CSV, words as JSON."""

import io
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from types import ModuleType
from typing import Any, Final

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context as Values
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from costcurves import formats
from costcurves.curves.cost_space import ratio_from_pc
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
    style,
)
from costcurves.figures.axes import Panel
from costcurves.figures.context import Context, Tables, context_of, context_of_all
from costcurves.settings import Dataset, Study
from costcurves.tables.files import write_csv
from costcurves.text import NAMED, Name, listed_at_most, plain

WORDS: Final = Path(__file__).with_name("words")
FEW: Final = 3  # datasets of which each has the figure of threshold rules in the body


# A figure is a module with its `NAME`, and three functions: `data` returns what is drawn, nothing
# where there is nothing to draw, `panels` the panels by their titles, `words` values of sentences.
EACH: Final = [case_costs, cost_curves]
FIRST: Final = [*EACH, cost_lines, hybrids, roc_and_cost, differences, calibration]
FIGURES: Final = [*FIRST, averages, loss_curves, decision_curves]


def draw_dataset(
    folder: Path, dataset: Dataset, tables: Tables, roster: Sequence[str], study: Study
) -> None:
    """Draw the figures of a dataset into a folder; `roster`: the models of the whole study."""
    context = context_of(study, dataset, tables, roster)
    for module in figures_of(study, dataset):
        _draw(module, folder, context)


def draw_together(folder: Path, tables: Tables, study: Study) -> None:
    """Draw all datasets together: `tables` have the rows of all of them, and the map."""
    _draw(map, folder, context_of_all(study, tables))


def figures_of(study: Study, dataset: Dataset) -> list[ModuleType]:
    """List the figures of a dataset: some of the first one alone, unless there is an appendix."""
    if study.appendix:
        return FIGURES
    if dataset == study.datasets[0]:
        return FIRST
    few = len(study.counted) <= FEW and not dataset.weighted
    # The workflow declares the cost curves of each dataset as an output.
    return [*EACH, hybrids] if few else EACH


def _draw(module: ModuleType, folder: Path, context: Context) -> None:
    """Write a figure's panels, its data and its words."""
    data = module.data(context)
    if data.empty:
        return
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for letter, svg in drawn(module, data, context).items():
        files.append(f"{module.NAME}-{letter}.svg")
        (folder / files[-1]).write_text(svg, "utf-8")
    write_csv(data, folder / f"{module.NAME}.csv")
    words = {**sentences(module, data, context), "panels": files}
    text = json.dumps(words, ensure_ascii=False, indent=1)
    (folder / f"{module.NAME}.json").write_text(f"{text}\n", "utf-8")


def drawn(module: ModuleType, data: pd.DataFrame, context: Context) -> dict[str, str]:
    """Draw the panels of a figure as SVG, by their letters."""
    panels = module.panels(data, context)
    svgs = {}
    for letter, (title, draw) in zip(ascii_lowercase, panels.items(), strict=False):
        words = f"{letter}  {title}" if len(panels) > 1 and all(panels) else title
        svgs[letter] = panel(draw, data, context, words)
    return svgs


def panel(draw: Panel, data: pd.DataFrame, context: Context, title: str) -> str:
    """Draw a panel as SVG, 89 mm wide and as high as it needs to be."""
    with style.house_style():
        figure = Figure(figsize=(style.WIDTH / 72, axes.TALL / 72))
        ax = figure.add_axes((0, 0, 1, 1))
        axes.place(ax)
        draw(ax, data, context)
        box = figure.get_tightbbox()
        # Room for a condition's name even where there is none: panels stand beside each other.
        high = max(72 * box.y1, axes.TALL - axes.ABOVE + axes.LINE + 4) + 2
        if title:
            words = style.fitted(title, style.WIDTH - 8, "bold")
            figure.text(4 / style.WIDTH, high / axes.TALL, words, weight="bold")
            high += axes.LINE
        seen = Bbox([[0, box.y0 - 2 / 72], [style.WIDTH / 72, high / 72]])
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches=seen)
    # Where the axes are in the SVG (left, right, top, bottom), and the ends of their x axis.
    ends = ax.bbox.x0, ax.bbox.x1, high - ax.bbox.y1, high - ax.bbox.y0, *ax.get_xlim()
    place = " ".join(f"{end:g}" for end in ends)
    return tidy(out.getvalue()).replace("<svg ", f'<svg data-axes="{place}" ', 1)


def tidy(svg: str) -> str:
    """Leave out of matplotlib's SVG what draws nothing, and round to tenths of a point."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<g[^>]*) id="[^"]*"', r"\1", svg)
    svg = re.sub(r' d="[^"]*"', _shorter, svg)
    return re.sub(r"\s*\n\s*", "\n", svg)


def _shorter(path: re.Match[str]) -> str:
    """Round the numbers of a path, and leave out that lines follow lines."""
    shorter = re.sub(r"\s*(?:L\s*|\n)", " ", path[0]).replace(' "', '"')
    return re.sub(
        r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), shorter
    )


def sentences(module: ModuleType, data: pd.DataFrame, context: Context) -> Any:
    """Write a figure's title, caption and alternative text by its own template."""
    template = _environment().get_template(f"{module.NAME}.txt.j2")
    values = {"title": context.title, "prior": context.prior, "unit": context.unit}
    values |= {"known": context.short, **module.words(data, context)}
    shown = template.new_context(values)
    return {
        part: re.sub(r"[ \n]+", " ", "".join(block(shown))).strip()
        for part, block in template.blocks.items()
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(WORDS),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - plain texts: what shows them escapes them
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = name, short, shorter, names, where, then, formats.pc_range
    numbers = formats.level, formats.cost, formats.amount, formats.p_stated, formats.share
    environment.filters.update({write.__name__: write for write in words + numbers})
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
    return plain(listed_at_most(NAMED, [short(values, model) for model in models]))


@pass_context
def where(values: Values, span: dict[str, Any]) -> str:
    """Write in which range of cost ratios something is shown, rounded inwards.

    >>> where({"prior": 0.5}, {"low": 0.5, "high": 0.7653})
    ' from 1:1 to 3.2:1'
    """
    ends = span["low"], span["high"]
    low, high = formats.ratio_ends(*(ratio_from_pc(end, values["prior"]) for end in ends))
    if ends[0] <= 0:
        return f" up to {high}" if ends[1] < 1 else " at every cost ratio"
    if ends[1] >= 1:
        return f" from {low} on"
    return f" from {low} to {high}" if low != high else f" at {low}"


def then(loop: Any) -> str:
    """Write what stands behind an item of a list in a sentence."""
    return "" if loop.last else " and " if loop.revindex == 2 else ", "
