"""The two spaces, and what stands in them: the roof, cost ratios, conditions, bars, names, keys."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from costcurves.curves.conditions import Condition
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.figures import style
from costcurves.figures.context import Context
from costcurves.figures.polylines import Ranges, Vertices
from costcurves.formats import ratio as ratio_words

NEC: Final = "normalized expected cost"
PC: Final = "PC(+)"
LINE: Final = 10.0  # points from one line of words to the next

Look = dict[str, Any]
Panel = Callable[[Axes, pd.DataFrame, Context], None]

TALL: Final = 900.0  # points of the sheet from which a panel is cut
ABOVE: Final = 80.0  # of them above the axes
LEFT, RIGHT = 40.0, 6.0  # points beside the axes
NAMES: Final = 92.0  # points for names beside the axes
HEIGHT: Final = 128.0  # points of the axes
SQUARE: Final = 165.0  # points of the axes of ROC space, which is nearly square

# Cost ratios to print with their reciprocals, where room is scarce the first ones.
RATIOS: Final = (1.0, 5.0, 20.0, 2.0, 100.0, 10.0, 500.0, 50.0, 2000.0, 10_000.0, 200.0)
# Shares of the axis at which a name may stand, from the middle out.
SHARES: Final = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.14, 0.86, 0.09, 0.91)
# Where a name may begin at a point of its curve: in widths of the name, and in points up.
PLACES: Final = ((-0.5, 3), (-0.5, -12), (0.05, 1), (-1.05, -10), (0.05, -10), (-1.05, 1))
BELOW: Final[Look] = {
    "xycoords": "axes fraction",
    "textcoords": "offset points",
    "va": "top",
}


def by_model(draw: Callable[..., None], data: pd.DataFrame, context: Context) -> dict[str, Panel]:
    """Return a panel for each model of a figure's data, in order."""
    return {context.short[model]: partial(draw, model=model) for model in data["model"].unique()}


def place(
    ax: Axes, left: float = LEFT, height: float = HEIGHT, right: float = RIGHT, below: float = 0
) -> None:
    """Give axes their place on the sheet, in points; `below` is from its upper edge."""
    width = style.WIDTH - left - right
    bottom = TALL - ABOVE - height - below
    ax.yaxis.set_label_coords(-(min(left, LEFT) - 3) / width, 0.5)
    ax.yaxis.label.set_verticalalignment("top")
    ax.set_position((left / style.WIDTH, bottom / TALL, width / style.WIDTH, height / TALL))


def second(ax: Axes) -> Axes:
    """Add axes to the figure of others."""
    return ax.figure.add_axes((0, 0, 1, 1))


def window(context: Context) -> tuple[float, float]:
    """Choose the part of PC(+) to show: all, or where a class is rare that of named conditions."""
    places = [condition.pc for condition in context.conditions if condition.named] or [0.5]
    low, high = min(places), max(places)
    return 1 - 2.5 * (1 - low) if low > 0.85 else 0.0, 2.5 * high if high < 0.15 else 1.0


def cost_space(ax: Axes, context: Context) -> None:
    """Draw an empty cost space: cost ratios, PC(+) beneath, and the roof of no-model baselines."""
    low, high = window(context)
    empty_cost_space(ax, min(0.5, 1.1 * max(high if low == 0 else 1 - low, 0.05)))
    ax.set_ylabel("cost (share of the highest)")
    ratio_axis(ax, context)


def empty_cost_space(ax: Axes, top: float) -> None:
    """Draw the roof of no-model baselines, and costs up to `top`."""
    ax.fill_between([0, 0.5, 1], [0, 0.5, 0], 1, color=style.ROOF, linewidth=0, zorder=0)
    ax.set(xlim=(0, 1), ylim=(0, top))
    ticks(ax, "y")


def ratio_axis(ax: Axes, context: Context) -> None:
    """Print cost ratios along the axis, PC(+) beneath them, and which mistake is worse where."""
    low, high = window(context)
    ax.set_xlim(low, high)
    labels: dict[float, str] = {}
    for size, sign in product(RATIOS, (1, -1)):
        ratio = size**sign
        pc = float(pc_from_ratio(ratio, context.prior))
        words = ratio_words(ratio), f"{pc:.{2 if high - low > 0.3 else 3}f}"
        wide = max(map(style.text_width, words)) / ax.bbox.width * (high - low)
        inside = low + 0.4 * wide < pc < high - 0.4 * wide
        if inside and all(abs(pc - other) > 1.3 * wide for other in labels):
            labels[pc] = "\n".join(words)
    ax.set_xticks(sorted(labels), [labels[pc] for pc in sorted(labels)])
    scale = "ratio\nPC(+)"
    ax.annotate(scale, (0, 0), (-4, -5.5), ha="right", color=style.NOTE, linespacing=1.15, **BELOW)
    directions(ax, 28)


def directions(ax: Axes, down: float, left: float = 0) -> None:
    """Say beneath the x axis which mistake is worse at its ends."""
    ax.annotate("← a false alarm is worse", (0, 0), (left, -down), ha="left", **BELOW)
    ax.annotate("a miss is worse →", (1, 0), (0, -down), ha="right", **BELOW)


def ticks(ax: Axes, axis: Any = "both", steps: int = 5) -> None:
    """Mark an axis in so many round steps at most."""
    ax.locator_params(axis=axis, nbins=steps, steps=(1, 2, 5, 10))


def roof_words(ax: Axes) -> None:
    """Say in the upper corners which no-model baseline is cheaper there."""
    ground = {"facecolor": style.ROOF, "edgecolor": "none", "pad": 0.8}
    look: Look = {"va": "top", "color": style.NOTE, "bbox": ground, "zorder": 6}
    for end, words, place, beside in (
        (0, "always negative\nis cheaper", 0.015, "left"),
        (1, "always positive\nis cheaper", 0.985, "right"),
    ):
        if end in ax.get_xlim():
            ax.text(place, 0.975, words, ha=beside, transform=ax.transAxes, **look)


def roc_space(ax: Axes, steps: int = 5) -> None:
    """Draw an empty ROC space with the diagonal of random classifiers."""
    ax.plot([0, 1], [0, 1], color=style.LIGHT, linewidth=0.8)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="false positive rate", ylabel="true positive rate")
    ticks(ax, steps=steps)


def band(ax: Axes, lower: Vertices, upper: Vertices, colour: str, alpha: float = 0.16) -> None:
    """Fill what is between two curves, jumps included."""
    x, y = (np.r_[start, end[::-1]] for start, end in zip(lower, upper, strict=True))
    ax.fill(x, y, color=colour, alpha=alpha, linewidth=0)


def mark_conditions(ax: Axes, conditions: Iterable[Condition]) -> None:
    """Draw a vertical line at each condition, and its name above the axes, a row each."""
    low, high = ax.get_xlim()
    shown = [(each.pc, each.name) for each in conditions if low <= each.pc <= high]
    for row, (pc, name) in enumerate(sorted(shown)):
        place = (pc - low) / (high - low)
        beside = "left" if place < 0.36 else "right" if place > 0.64 else ""
        top = 0.82 if beside and ax.get_ylim()[0] == 0 else 1  # below the words of the roof
        ax.axvline(pc, ymax=top, color=style.INK, linewidth=0.9, zorder=5, gid="condition")
        look = BELOW | {"ha": beside or "center", "va": "bottom", "weight": "bold"}
        ax.annotate(style.shortened(name), (place, 1), (0, 3 + row * LINE), **look)


def bar(ax: Axes, shown: Ranges) -> None:
    """Draw a bar along the axis: dark where something is shown, light where it may be chance."""
    bar_parts(ax, [(0.0, 1.0)], style.LIGHT)
    bar_parts(ax, shown, style.DARK)
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(axis="x", length=0, pad=7.5)


def bar_parts(ax: Axes, ranges: Ranges, colour: str) -> None:
    """Draw parts of the bar along the axis."""
    for ends in ranges:
        low, high = np.clip(ends, *ax.get_xlim())
        if high > low:
            below = np.array([-5.7, -1.5]) / ax.bbox.height
            ax.axvspan(low, high, *below, color=colour, linewidth=0, clip_on=False)


def name_curves(ax: Axes, curves: Mapping[str, Line2D], others: list[Line2D]) -> list[str]:
    """Write names beside their curves where no other is near, and list those that have room."""
    lines = *curves.values(), *others
    paths = {line: ax.transData.transform_path(line.get_path()) for line in lines}
    marks = [line for line in ax.lines if line.get_gid() == "condition"]
    taken = [drawn.get_window_extent().padded(3) for drawn in (*ax.texts, *marks)]
    named = []
    for name, line in curves.items():
        near = Path.make_compound_path(*(paths[other] for other in paths if other is not line))
        for box in _boxes(ax, line, style.text_width(name, "bold")):
            alone = not near.intersects_bbox(box.padded(7), filled=False)
            if alone and not (paths[line].intersects_bbox(box, False) or box.count_overlaps(taken)):
                x, y = ax.transData.inverted().transform(box.p0)
                ax.text(x, y, name, color=line.get_color(), weight="bold", va="bottom", zorder=6)
                taken.append(box.padded(2))
                named.append(name)
                break
    return named


def _boxes(ax: Axes, line: Line2D, width: float) -> Iterator[Bbox]:
    """List where a name of some width may stand in the axes, from the middle of its curve out."""
    at = np.interp(SHARES, (0, 1), ax.get_xlim())
    vertices = np.column_stack([at, np.interp(at, *np.transpose(line.get_xydata()))])
    for (across, up), (widths, points) in product(ax.transData.transform(vertices), PLACES):
        box = Bbox.from_bounds(across + widths * width, up + points, width, 9)
        if ax.bbox.count_contains(box.get_points()) == 2:
            yield box


def key(ax: Axes, entries: Mapping[str, Look], below: float = 29) -> None:
    """Write a key below the axes, in two columns where words are short."""
    if not entries:
        return
    room = style.WIDTH - 30
    widest = max(map(style.text_width, entries))
    columns = 2 if widest < room / 2 - 24 else 1
    ax.figure.legend(
        [Line2D([], [], **look) for look in entries.values()],
        [style.fitted(words, room / columns - 24) for words in entries],
        loc="upper left",
        bbox_to_anchor=(3 / style.WIDTH, ax.get_position().y0 - below / TALL),
        ncols=columns,
        labelcolor=style.INK,
    )
