"""Cost space and ROC space: axes with everything in them but the models."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from costcurves.figures import sheet, style
from costcurves.figures.context import ratio_tag
from costcurves.figures.sheet import LEFT, inches
from costcurves.formats import cost
from costcurves.maths.geometry.cost_space import pc_from_ratio

NEC: Final = "normalized expected cost"
PC: Final = "PC(+)"
FP: Final = "false positive rate"
TP: Final = "true positive rate"

SIDE: Final = 2.6  # width of ROC space and of cost space, where they stand side by side

WORDS_ON_GREY: Final[dict[str, Any]] = {
    "size": style.SMALL,
    "color": style.NOTE,
    "bbox": {"boxstyle": "square,pad=0.05", "facecolor": style.SHADE, "linewidth": 0},
}

DASHED: Final[dict[str, Any]] = {
    "color": style.INK,
    "linewidth": 1.0,
    "linestyle": (0, (4, 2)),
    "zorder": 5,
}

# Where room is scarce, the first ones stay.
RATIOS: Final = tuple(digit * 10**power for power in range(5) for digit in (1, 2, 5, 20))


def cost_space(axes: Axes, top: float, step: float, *, coarse: bool = False) -> None:
    """Draw an empty cost space: the trivial classifiers, and grey where one of them is cheaper."""
    axes.fill_between([0, 0.5, 1], [0, 0.5, 0], 1, color=style.SHADE, linewidth=0, zorder=0)
    axes.plot([0, 0.5, 1], [0, 0.5, 0], color=style.QUIET, linewidth=0.9, zorder=1)
    axes.set(xlim=(0, 1), ylim=(0, top))
    sheet.tag(axes, sheet.PC_TAG)
    unit_ticks(axes, coarse=coarse)
    value_ticks(axes.yaxis, 0, top, step)


def unit_ticks(axes: Axes, *, coarse: bool) -> None:
    """Mark the x axis from 0 to 1, with six labels or, where it is short, with three."""
    if coarse:
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "", "0.5", "", "1"])
    else:
        axes.set_xticks(np.linspace(0, 1, 6))


def value_ticks(axis: Axis, low: float, high: float, step: float) -> None:
    """Mark an axis from `low` to `high`, each label with the decimals that `step` needs."""
    axis.set_ticks(np.arange(low, high + step / 2, step))
    decimals = max(1, -int(np.floor(np.log10(step) + 1e-9)))
    axis.set_major_formatter(f"{{x:.{decimals}f}}")


def difference_space(axes: Axes, low: float, high: float, air: float) -> None:
    """Draw an empty space of differences along PC(+), with `air` above and below them."""
    sheet.tag(axes, sheet.PC_TAG)
    axes.set(xlim=(0, 1), ylim=(low - air, high + air))
    axes.axhline(0, color=style.QUIET, linewidth=0.9, zorder=2)
    step = style.round_top(max(high, -low), least=0)[1]
    step = step if (high - low) / step <= 5 else 2 * step
    value_ticks(axes.yaxis, step * np.ceil(low / step - 1e-9) + 0.0, high, step)  # no -0.0


def roc_space(axes: Axes, *, coarse: bool = False) -> None:
    """Draw an empty ROC space: the unit square and the diagonal of random classifiers."""
    axes.plot([0, 1], [0, 1], color=style.QUIET, linewidth=0.9, zorder=1)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    unit_ticks(axes, coarse=coarse)
    value_ticks(axes.yaxis, 0, 1, 0.2)


def both_spaces(figure: Figure, top: float, height: float, *shown: str) -> tuple[Axes, Axes]:
    """Add axes for ROC space and for cost space beside it, each headed."""
    added = []
    for left, words in zip((LEFT, LEFT + sheet.room() - SIDE), shown, strict=True):
        sheet.heading(figure, left, top - 0.09, words)
        added.append(sheet.panel(figure, left, top, SIDE, height))
    roc, costs = added
    roc_space(roc)
    roc.set(xlabel=FP, ylabel=TP)
    costs.set(xlabel=PC, ylabel=NEC)
    return roc, costs


def name_trivial(axes: Axes) -> None:
    """Write outside, where there is room, what the grey means and whose the lines are."""
    width, height = inches(axes)
    top = axes.get_ylim()[1]
    apex = height * min(1.0, 0.5 / top)  # no higher do the lines go
    along = np.array([width * top, height]) / np.hypot(width * top, height)  # up the left line
    thick, off = 1.4 * style.SMALL / 72, 0.035
    for words, left in (("always negative", True), ("always positive", False)):
        half = style.text_width(words, style.SMALL) / 2
        middle = apex - half * along[1] - thick * along[0] - 0.04
        room = middle * along[0] / along[1] - half * along[0] - thick * along[1]
        if min(middle, room) < 0:
            continue
        x, y = middle * along[0] / along[1] - off * along[1], middle + off * along[0]
        axes.text(
            x / width if left else 1 - x / width,
            y / height,
            words,
            rotation=np.degrees(np.arctan2(along[1], along[0])) * (1 if left else -1),
            rotation_mode="anchor",
            ha="center",
            va="bottom",
            transform=axes.transAxes,
            **WORDS_ON_GREY,
        )
        if left and room > 0.9:  # inches for the words
            words = "a no-model\nbaseline is\ncheaper here"
            place: dict[str, Any] = {"va": "top", "transform": axes.transAxes, "linespacing": 1.3}
            axes.text(0.08 / width, 1 - 0.09 / height, words, **WORDS_ON_GREY, **place)


def mark_conditions(
    axes: Axes, conditions: Sequence[tuple[str, float]], tags: Mapping[str, str] | None = None
) -> None:
    """Mark operating conditions in a cost space by hairlines, named above where there is room."""
    width, _ = inches(axes)
    end = -np.inf
    for name, pc in sorted(conditions, key=lambda condition: condition[1]):
        axes.axvline(pc, color=style.QUIET, linewidth=0.7, linestyle=(0, (1, 2)), zorder=1)
        shown = style.shorten(name, 1.5, style.SMALL)
        half = style.text_width(shown, style.SMALL) / 2 / width
        centre = min(max(pc, half), 1 - half)
        if centre - half > end + 0.1 / width:
            look: dict[str, Any] = {"ha": "center", "size": style.SMALL, "color": style.NOTE}
            look |= {"xycoords": axes.get_xaxis_transform(), "textcoords": "offset points"}
            axes.annotate(shown, (centre, 1), (0, 3.5), gid=(tags or {}).get(name), **look)
            end = centre + half


def ratio_axis(axes: Axes, prior: float, below: float, pad: float = 3.5) -> None:
    """Label an axis by cost ratios, `pad` points beneath it, and by PC(+), `below` inches."""
    ticks = ratio_ticks(prior, inches(axes)[0])
    axes.set_xticks([pc for pc, _ in ticks], labels=[words for _, words in ticks])
    for label, (pc, _) in zip(axes.get_xticklabels(), ticks, strict=False):  # or none
        sheet.tag(label, ratio_tag(pc))  # scripts write it at other shares
    axes.tick_params(axis="x", pad=pad)
    if axes.xaxis.get_tick_params()["labelbottom"]:
        scale = axes.secondary_xaxis(-below / inches(axes)[1])
        scale.spines["bottom"].set(color=style.QUIET, linewidth=0.6)
        scale.tick_params(color=style.QUIET, labelcolor=style.NOTE, length=2.5, width=0.6)
        scale.set_xticks([0, 0.5, 1], labels=["0", f"{PC} 0.5", "1"])


def in_ratios(prior: float) -> str:
    """Say what cost ratios are; words that end with the share of positives."""
    return f"cost of a miss : cost of a false alarm, at p(+) = {cost(prior)}"


def ratio_ticks(prior: float, width: float) -> list[tuple[float, str]]:
    """Choose cost ratios to print along PC(+), first the simplest; `width` is in inches.

    >>> [words for _, words in ratio_ticks(0.01, 3.0)]
    ['1:1', '20:1', '50:1', '100:1', '200:1', '500:1']
    """
    chosen: list[tuple[float, float, str]] = []
    for ratio in RATIOS:
        for odds, words in ((ratio, f"{ratio}:1"), (1 / ratio, f"1:{ratio}")):
            pc = float(pc_from_ratio(odds, prior))
            half = style.text_width(words, style.SMALL) / 2 / width
            inside = ratio == 1 or half <= pc <= 1 - half
            if inside and all(abs(pc - p) > half + h + 0.15 / width for p, h, _ in chosen):
                chosen.append((pc, half, words))
    return [(pc, words) for pc, _, words in sorted(chosen)]
