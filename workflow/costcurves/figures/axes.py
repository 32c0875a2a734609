"""The two spaces, and what stands in them: the roof, cost ratios, conditions, bars, names, keys."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from costcurves.figures import style
from costcurves.figures.context import Condition, Context
from costcurves.figures.polylines import Floats, Ranges
from costcurves.formats import ratio as ratio_words
from costcurves.formats import ratio_ends
from costcurves.maths.geometry.cost_space import pc_from_ratio, ratio_from_pc

NEC: Final = "normalized expected cost"
PC: Final = "PC(+)"
FP: Final = "false positive rate"
TP: Final = "true positive rate"
COST: Final = "cost (share of the highest)"
LINE: Final = 10.0  # points from one line of words to the next

Panel = Callable[[Axes], None]

TALL: Final = 900.0  # points of the sheet from which a panel is cut
ABOVE: Final = 80.0  # of them above the axes
LEFT, RIGHT = 40.0, 6.0  # points beside the axes
HEIGHT: Final = 128.0  # points of the axes

# Cost ratios to print, where room is scarce the first ones.
RATIOS: Final = (1, 5, 1 / 5, 20, 1 / 20, 2, 1 / 2, 100, 1 / 100, 10, 1 / 10, 500, 1 / 500, 50)
RARER: Final = (1 / 50, 2000, 1 / 2000, 10_000, 1 / 10_000, 200, 1 / 200)
# How names may stand at a point of their curve: alignment, and points to move them.
PLACES: Final = (
    ("center", "bottom", 0, 3),
    ("center", "top", 0, -3),
    ("left", "bottom", 3, 1),
    ("right", "top", -3, -1),
    ("left", "top", 3, -1),
    ("right", "bottom", -3, 1),
)
SHIFT: Final = {
    "left": 0.0,
    "bottom": 0.0,
    "baseline": 0.0,
    "center": 0.5,
    "right": 1.0,
    "top": 1.0,
}

Look = dict[str, Any]


def place(
    ax: Axes, left: float = LEFT, height: float = HEIGHT, right: float = RIGHT, below: float = 0
) -> None:
    """Give axes their place on the sheet, in points; `below` is from its upper edge."""
    width = style.WIDTH - left - right
    bottom = TALL - ABOVE - height - below
    ax.yaxis.set_label_coords(-(min(left, LEFT) - 3) / width, 0.5)
    ax.yaxis.label.set_verticalalignment("top")
    ax.set_position((left / style.WIDTH, bottom / TALL, width / style.WIDTH, height / TALL))


def window(context: Context) -> tuple[float, float]:
    """Choose the part of PC(+) to show: all, or where a class is rare that of named conditions."""
    places = [condition.pc for condition in context.conditions if condition.named]
    if places and max(places) < 0.15:
        return 0.0, min(1.0, 2.5 * max(places))
    if places and min(places) > 0.85:
        return max(0.0, 1 - 2.5 * (1 - min(places))), 1.0
    return 0.0, 1.0


def cost_space(ax: Axes, context: Context) -> None:
    """Draw an empty cost space: cost ratios, PC(+) beneath, and the roof of no-model baselines."""
    low, high = window(context)
    empty_cost_space(ax, min(0.5, 1.1 * max(high if low == 0 else 1 - low, 0.05)))
    ax.set_ylabel(COST)
    ratio_axis(ax, context)


def empty_cost_space(ax: Axes, top: float) -> None:
    """Draw the roof of no-model baselines, and costs up to `top`."""
    ax.fill_between([0, 0.5, 1], [0, 0.5, 0], 1, color=style.ROOF, linewidth=0, zorder=0)
    ax.set(xlim=(0, 1), ylim=(0, top))
    value_ticks(ax, 0, top)


def ratio_axis(ax: Axes, context: Context) -> None:
    """Print cost ratios along the axis, PC(+) beneath them, and which mistake is worse where."""
    low, high = window(context)
    width = ax.get_position().width * style.WIDTH
    ticks: list[tuple[float, float, str]] = []
    for ratio in (*RATIOS, *RARER):
        pc = float(pc_from_ratio(ratio, context.prior))
        place = (pc - low) / (high - low) * width
        words = f"{ratio_words(ratio)}\n{pc:.{2 if high - low > 0.3 else 3}f}"
        half = max(style.text_width(line) for line in words.split("\n")) / 2
        inside = half - 3 <= place <= width - half + 5
        if inside and all(abs(place - other) > half + wide + 4 for other, wide, _ in ticks):
            ticks.append((place, half, words))
    ticks.sort()
    places = [low + place / width * (high - low) for place, _, _ in ticks]
    ax.set_xlim(low, high)
    ax.set_xticks(places, [words for _, _, words in ticks])
    ax.tick_params(axis="x", pad=3)
    corner: Look = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
    scale: Look = {**corner, "linespacing": 1.15}
    ax.annotate("ratio\nPC(+)", (0, 0), (-4, -5.5), ha="right", color=style.NOTE, **scale)
    directions(ax, 28)


def directions(ax: Axes, down: float, left: float = 0) -> None:
    """Say beneath the x axis which mistake is worse at its ends."""
    where: Look = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
    ax.annotate("← a false alarm is worse", (0, 0), (left, -down), ha="left", **where)
    ax.annotate("a miss is worse →", (1, 0), (0, -down), ha="right", **where)


def round_ticks(ax: Axes, highest: float, words: Callable[[float], str] = "{:g}".format) -> None:
    """Mark the x axis from 0 in at most four round steps."""
    power = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(size * power for size in (1, 2, 5, 10) if highest / (size * power) <= 4 + 1e-9)
    width = ax.get_position().width * style.WIDTH
    labels = {}
    for number in range(math.floor(highest / step + 1e-9) + 1):
        label = words(round(number * step, 12))
        if number * step / highest * width + style.text_width(label) / 2 <= width + RIGHT:
            labels[number * step] = label
    ax.set_xticks(list(labels), list(labels.values()))


def value_ticks(
    ax: Axes, low: float, high: float, steps: int = 5, *, signed: bool = False, times: float = 1
) -> None:
    """Mark the y axis in round steps, each label with the decimals that the step needs.

    Labels are of so many `times` the values.
    """
    low, high = times * low, times * high
    power = 10.0 ** math.floor(math.log10((high - low) / steps))
    sizes = [size * power for size in (1, 2, 5, 10)]
    step = next(size for size in sizes if (high - low) / size <= steps + 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places, labels = [], []
    for number in range(first, last + 1):
        value = number * step
        words = f"{value:{'+' if signed else ''}.{decimals}f}" if number else "0"
        places.append(value / times)
        labels.append(words.replace("-", "\N{MINUS SIGN}"))
    ax.set_yticks(places, labels)


def roof_words(ax: Axes) -> None:
    """Say in the upper corners which no-model baseline is cheaper there."""
    ground = {"facecolor": style.ROOF, "edgecolor": "none", "pad": 0.8}
    look: Look = {"va": "top", "color": style.NOTE, "bbox": ground, "zorder": 6}
    low, high = ax.get_xlim()
    if low == 0:
        ax.text(0.015, 0.975, "always negative\nis cheaper", transform=ax.transAxes, **look)
    if high == 1:
        words = "always positive\nis cheaper"
        ax.text(0.985, 0.975, words, ha="right", transform=ax.transAxes, **look)


def roc_space(ax: Axes, *, coarse: bool = False) -> None:
    """Draw an empty ROC space with its labels."""
    empty_roc_space(ax)
    ax.set_ylabel(TP)
    unit_ticks(ax, coarse=coarse)
    x_label(ax, FP)


def empty_roc_space(ax: Axes) -> None:
    """Draw the diagonal of random classifiers in the unit square."""
    ax.plot([0, 1], [0, 1], color=style.LIGHT, linewidth=0.8)
    ax.set(xlim=(0, 1), ylim=(0, 1))


def unit_ticks(ax: Axes, *, coarse: bool = True) -> None:
    """Mark both axes from 0 to 1."""
    ticks = [0, 0.5, 1] if coarse else [0, 0.2, 0.4, 0.6, 0.8, 1]
    labels = [f"{value:g}" for value in ticks]
    ax.set_xticks(ticks, labels)
    ax.set_yticks(ticks, labels)


def x_label(ax: Axes, words: str) -> None:
    """Write what the x axis is."""
    where: Look = {"xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate(words, (0.5, 0), (0, -16), ha="center", va="top", **where)


def band(
    ax: Axes,
    lower: tuple[Floats, Floats],
    upper: tuple[Floats, Floats],
    colour: str,
    alpha: float = 0.16,
) -> None:
    """Fill what is between two curves, jumps included."""
    x = np.concatenate([lower[0], upper[0][::-1]])
    y = np.concatenate([lower[1], upper[1][::-1]])
    ax.fill(x, y, color=colour, alpha=alpha, linewidth=0)


def iso_cost(ax: Axes, fp: float, tp: float, pc: float) -> None:
    """Draw the line of ROC points that cost as much as one of them."""
    if 0 < pc < 1:
        look: Look = {"color": style.INK, "linewidth": 0.7, "linestyle": (0, (4, 2))}
        ax.axline((fp, tp), slope=(1 - pc) / pc, **look)


def mark_conditions(ax: Axes, conditions: Sequence[Condition]) -> None:
    """Draw a vertical line at each condition, its name above the axes, in rows where near."""
    low, high = ax.get_xlim()
    width = ax.get_position().width * style.WIDTH
    ends: list[float] = []
    for condition in sorted(conditions, key=lambda condition: condition.pc):
        if not low <= condition.pc <= high:
            continue
        at_words = min(condition.pc - low, high - condition.pc) < 0.36 * (high - low)
        top = 0.82 if ax.get_ylim()[0] == 0 and at_words else 1
        look: Look = {"color": style.INK, "linewidth": 0.9, "zorder": 5, "gid": "condition"}
        ax.axvline(condition.pc, ymax=top, **look)
        name = style.shortened(condition.name)
        half = style.text_width(name, "bold") / 2
        place = (condition.pc - low) / (high - low) * width
        middle = min(max(place, half - 34), width - half + 4)
        row = next((row for row, end in enumerate(ends) if middle - half > end + 4), len(ends))
        ends[row : row + 1] = [middle + half]
        where: Look = {"xycoords": "axes fraction", "textcoords": "offset points"}
        up = (middle - place, 3 + row * LINE)
        at = (place / width, 1)
        ax.annotate(name, at, up, ha="center", va="bottom", weight="bold", **where)


def bar(ax: Axes, shown: Ranges) -> None:
    """Draw a bar along the axis: dark where something is shown, light where it may be chance."""
    bar_part(ax, 0.0, 1.0, style.LIGHT)
    for low, high in shown:
        bar_part(ax, low, high, style.DARK)
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(axis="x", length=0, pad=7.5)


def bar_part(ax: Axes, low: float, high: float, colour: str) -> None:
    """Draw a part of the bar along the axis."""
    left, right = ax.get_xlim()
    low, high = max(low, left), min(high, right)
    unit = 1 / (ax.get_position().height * TALL)
    if high > low:
        where = ax.get_xaxis_transform()
        look: Look = {"color": colour, "linewidth": 0, "clip_on": False, "transform": where}
        ax.add_patch(Rectangle((low, -5.7 * unit), high - low, 4.2 * unit, **look))


def title(ax: Axes, words: str, rows: int = 0) -> None:
    """Write what a panel shows, bold, above its axes and so many rows, or all that stands there."""
    notes: list[Any] = [text for text in ax.texts if getattr(text, "xy", (0, 0))[1] == 1]
    offsets = [note.xyann[1] for note in notes]
    left = 4 - ax.get_position().x0 * style.WIDTH
    shown = style.fitted(words, style.WIDTH - 8, "bold")
    where: Look = {"xycoords": "axes fraction", "textcoords": "offset points"}
    up = max([*offsets, LINE * rows - 6]) + LINE + 3
    ax.annotate(shown, (0, 1), (left, up), weight="bold", va="bottom", **where)


def name_curves(
    ax: Axes,
    curves: Mapping[str, tuple[Floats, Floats, str]],
    others: Mapping[str, tuple[Floats, Floats]] | None = None,
) -> list[str]:
    """Write names beside their curves where each is clearly the nearest; list those without room.

    A curve is x, y and colour; `others` are drawn, too, and not to be named.
    """
    if any(len(name) > style.LONG for name in curves):
        return list(curves)
    scale = ax.figure.dpi / 72
    low, high = ax.get_xlim()
    grid = low + (high - low) * np.linspace(0.01, 0.99, 131)
    paths = {}
    for name, (x, y) in {**(others or {}), **{it: xy[:2] for it, xy in curves.items()}}.items():
        heights = np.interp(grid, x, y)
        paths[name] = ax.transData.transform(np.column_stack([grid, heights]))
    blocked = [text_box(ax, text) for text in ax.texts]
    for line in ax.lines:
        if line.get_gid() == "condition":
            at = ax.transData.transform((float(np.ravel(line.get_xdata())[0]), 0))[0]
            blocked.append(np.array([at - 3, ax.bbox.y0, at + 3, ax.bbox.y1]))
    taken = np.array(blocked).reshape(-1, 4)
    unnamed = []
    shares = np.linspace(0.08, 0.92, 29)
    for name, (x, y, colour) in curves.items():
        size = np.array([style.text_width(name, "bold"), 9.0]) * scale
        at = low + (high - low) * shares
        heights = np.interp(at, x, y)
        corners = ax.transData.transform(np.column_stack([at, heights]))
        best: tuple[float, Any] = (math.inf, None)
        for rank, (across, up, right, above) in enumerate(PLACES):
            start = corners + np.array([right, above]) * scale
            start = start - size * (SHIFT[across], SHIFT[up])
            boxes = np.hstack([start, start + size])
            free = _inside(boxes, ax.bbox) & ~_touch(boxes, taken)
            own = _distance(boxes, paths[name])
            nearest = np.full(len(boxes), 40.0)
            for other, path in paths.items():
                if other != name:
                    nearest = np.minimum(nearest, _distance(boxes, path))
            worth = np.abs(shares - 0.5) + rank / 20 - 0.02 * nearest
            worth[~free | (own <= 0.5) | (own >= nearest / 1.4)] = math.inf
            place = int(worth.argmin())
            if worth[place] < best[0]:
                best = worth[place], (place, boxes[place], across, up, (right, above))
        if best[1] is None:
            unnamed.append(name)
            continue
        place, box, across, up, shift = best[1]
        look: Look = {"color": colour, "weight": "bold", "zorder": 6, "ha": across, "va": up}
        ax.annotate(name, (at[place], heights[place]), shift, textcoords="offset points", **look)
        taken = np.vstack([taken, box + np.array([-2, -2, 2, 2])])
    return unnamed


def text_box(ax: Axes, text: Any) -> Floats:
    """Compute about where a text stands, in pixels: left, bottom, right and top."""
    scale = ax.figure.dpi / 72
    lines = str(text.get_text()).split("\n")
    weight = str(text.get_weight())
    size = np.array([max(style.text_width(line, weight) for line in lines), 9.0 * len(lines)])
    at = text.get_transform().transform(text.get_position())
    if hasattr(text, "xyann"):
        base = ax.transData if text.xycoords == "data" else ax.transAxes
        at = base.transform(text.xy) + np.array(text.xyann) * scale
    start = at - size * scale * (SHIFT[text.get_ha()], SHIFT[text.get_va()])
    return np.array([*(start - 2), *(start + size * scale + 2)])


def _inside(boxes: Floats, frame: Bbox) -> NDArray[np.bool_]:
    """Return which boxes are inside a frame."""
    low = (boxes[:, 0] >= frame.x0) & (boxes[:, 1] >= frame.y0)
    high = (boxes[:, 2] <= frame.x1) & (boxes[:, 3] <= frame.y1)
    return np.asarray(low & high)


def _touch(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Return which boxes overlap any of others."""
    one, other = boxes[:, None], others[None]
    across = (one[..., 0] < other[..., 2]) & (other[..., 0] < one[..., 2])
    up = (one[..., 1] < other[..., 3]) & (other[..., 1] < one[..., 3])
    return np.asarray((across & up).any(axis=1))


def _distance(boxes: Floats, path: Floats) -> Floats:
    """Compute the distance of each box from a curve, in pixels; 0 inside."""
    x, y = path.T
    left, bottom, right, top = boxes.T[..., None]
    across = np.maximum(np.maximum(left - x, x - right), 0)
    up = np.maximum(np.maximum(bottom - y, y - top), 0)
    nearest: Floats = np.hypot(across, up).min(axis=1)
    return nearest


def key(ax: Axes, entries: Mapping[str, Look], below: float = 40) -> None:
    """Write a key below the axes, in two columns where words are short."""
    if not entries:
        return
    room = style.WIDTH - 30
    widest = max(style.text_width(words) for words in entries)
    columns = 2 if len(entries) > 1 and widest < room / 2 - 24 else 1
    handles = []
    for words, look in entries.items():
        shown = style.fitted(words, room / columns - (24 if columns > 1 else 0))
        label = shown if not shown.startswith("_") else f"\N{ZERO WIDTH SPACE}{shown}"
        handles.append(Line2D([], [], label=label, **look))
    bottom = ax.get_position().y0 * TALL
    legend = ax.figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(3 / style.WIDTH, (bottom - below) / TALL),
        ncols=columns,
        labelcolor=style.INK,
    )
    legend.set_gid(f"{columns}")
    legend.set_gid(f"{columns}")


def extent(figure: Figure) -> tuple[float, float]:
    """Return the lowest and the highest point that is drawn, in points of the sheet."""
    low, high = TALL, 0.0
    for ax in figure.axes:
        place = ax.get_position()
        boxes = [text_box(ax, text) * 72 / figure.dpi for text in ax.texts]
        low = min([low, place.y0 * TALL - 13, *(box[1] for box in boxes)])
        high = max([high, place.y1 * TALL + 5, *(box[3] for box in boxes)])
    for legend in figure.legends:
        rows = -(-len(legend.get_texts()) // int(legend.get_gid() or 1))
        top = legend.get_bbox_to_anchor().y0 * 72 / figure.dpi
        low = min(low, top - 1.3 * style.POINTS * rows - 2)
    return low, high


def range_words(low: float, high: float, prior: float) -> tuple[str, str]:
    """Write two ends of a range of PC(+) as cost ratios, rounded inwards.

    >>> range_words(0.5, 0.7653, 0.5)
    ('1:1', '3.2:1')
    """
    return ratio_ends(ratio_from_pc(low, prior), ratio_from_pc(high, prior))
