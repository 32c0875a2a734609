"""Instances that cost differently: ROC beside ROCIV, and the costs in the order of the scores."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables
from costcurves.figures.kind import figure_kind
from costcurves.figures.polylines import by_model, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.formats import amount
from costcurves.maths.geometry.hulls import hull

MOST_MODELS: Final = 5
BINS: Final = 100  # of instances in the order of their scores
GAP: Final = 0.8
STRIP: Final = 0.8  # height of a model's costs, where there is room
AIR: Final = 0.15  # inches to the left of a strip that amounts leave free
STRIPS: Final = 3.6  # of all of them together, with their names
NAME: Final = 0.3
TITLES: Final = {"ROC": "ROC: unweighted", "ROCIV": "ROCIV: weighted by cost"}
AXES: Final = {
    "ROC": (spaces.FP, spaces.TP),
    "ROCIV": ("share of the cost of false positives", "share of the benefit of true positives"),
}
# What each space counts: false and true positives, and of how many.
SPACES: Final = {
    "ROC": ("fp_count", "tp_count", "negatives", "positives"),
    "ROCIV": ("fp_weight", "tp_weight", "negatives_weight", "positives_weight"),
}
FOOT: Final = 0.1  # inches between the words on hulls and the axes
PARTS: Final = ["part", "model", "x", "y"]


def _side() -> float:
    return (sheet.room() - GAP) / 2


def instance_costs_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves and hulls in ROC and ROCIV space, and what costs models rank, of the first five."""
    points = tables["operating_points"]
    ranked = points[
        (points["level"] == "pooled") & points["threshold"].notna() & points["member"].eq("")
    ]
    ranked = ranked[ranked["model"].isin(context.models[:MOST_MODELS])]
    parts = [_curves(ranked, space) for space in SPACES]
    parts += [_hull(part) for part in parts]
    parts += list(_orders(ranked, tables["instance_costs"].iloc[0]))
    drawn = [thinned(part, ["part", "model"], (_side(), _side())) for part in parts[:2]]
    return pd.concat([*drawn, *parts[2:]], ignore_index=True)


def _curves(points: pd.DataFrame, space: str) -> pd.DataFrame:
    fp, tp, negatives, positives = (points[name] for name in SPACES[space])
    columns = {"x": fp / negatives, "y": tp / positives}
    models = points[["model"]].astype("str")
    return models.assign(part=space, **columns)[PARTS].reset_index(drop=True)


def _hull(curves: pd.DataFrame) -> pd.DataFrame:
    """Give the vertices of the hull of all curves; its ends, trivial decisions, are no model's."""
    ordered = curves.sort_values(["x", "y"], ascending=[True, False], kind="stable")
    rows = hull(ordered["x"].to_numpy(), ordered["y"].to_numpy(), [0, len(ordered)])
    found = ordered.iloc[rows].assign(part=curves["part"] + " hull").reset_index(drop=True)
    trivial = (found["x"] == found["y"]) & found["x"].isin([0, 1])
    return found.assign(model=found["model"].mask(trivial, ""))


def _orders(points: pd.DataFrame, costs: "pd.Series[Any]") -> Iterator[pd.DataFrame]:
    """Spread each model's costs over hundredths of the instances, highest scores first."""
    for model, rows in points.groupby("model", sort=False):
        ranked = (rows["fp_count"] + rows["tp_count"]).to_numpy(float)
        edges = np.linspace(0, 1, BINS + 1)
        for part, weight, size, mean in (
            ("benefit", "tp_weight", "positives", "mean_cost_fn"),
            ("cost", "fp_weight", "negatives", "mean_cost_fp"),
        ):
            whole = rows[f"{size}_weight"].iloc[0]
            paid = rows[weight].to_numpy() / whole * rows[size].iloc[0] * costs[mean]
            found = np.interp(edges * ranked[-1], ranked, paid)
            height = np.diff(found) / (ranked[-1] / BINS)
            frame = pd.DataFrame({"part": part, "model": model, "x": edges[:-1], "y": height})
            yield frame[PARTS]


@figure_kind(
    instance_costs_data,
    lambda it: [row for row in it.rows("instance_costs") if not row["trivial"]],
    ("instance_costs", "operating_points"),
)
def instance_costs(data: pd.DataFrame, context: Context) -> Figure:
    """Draw ROC and ROCIV, and below the costs as models rank them (Fawcett 2006, Fig. 6)."""
    if data.empty:
        reason = "no model has scores, so there is no ranking to draw"
        return sheet.sheet(TOP + 0.3, context.title, instance_costs.words.title, reason)
    order = data[data["part"].isin(["benefit", "cost"])]
    models = list(by_model(order, context.models))
    top = TOP + LINE
    second = top + _side() + 0.9
    height = min(STRIP, STRIPS / max(len(models), 1) - NAME)
    total = second + len(models) * (height + NAME) + 0.25
    counts = f"{context.counts}{context.first(MOST_MODELS)}; hulls are in-sample"
    note = "all predictions pooled; thick: the hull of all models, dots: its corners, by model"
    figure = sheet.sheet(total, context.title, instance_costs.words.title, counts, note)
    for place, (space, words) in enumerate(TITLES.items()):
        left = LEFT + place * (_side() + GAP)
        sheet.heading(figure, left, top - 0.1, words)
        _draw_space(sheet.panel(figure, left, top, _side(), _side()), data, space, context)
    words = "in the order of the scores: up, benefit of a true positive; down, cost of a false one"
    sheet.note(figure, LEFT, second - 0.24, words)
    ends = order.groupby("part")["y"].max()
    for place, (model, rows) in enumerate(models):
        axes = sheet.panel(figure, LEFT, second + place * (height + NAME), sheet.room(), height)
        sheet.tag(axes, context.tag(model))
        _draw_strip(axes, rows, ends, context.colour(model))
        look = {"size": style.SMALL, **context.words(model)}
        shown = style.shorten(model, sheet.room(), style.SMALL, "bold")
        axes.set_title(shown, loc="left", pad=3, **look)
        last = place == len(models) - 1
        axes.tick_params(labelbottom=last)
        words = "share of the cases, highest scores first" if last else ""
        axes.set_xlabel(words, size=style.SMALL)
    return figure


def _draw_space(axes: Axes, data: pd.DataFrame, space: str, context: Context) -> None:
    """Draw ROC curves and their hull: each edge its model's, or grey between two models."""
    spaces.roc_space(axes, coarse=True)
    axes.set_xlabel(AXES[space][0], size=style.SMALL)
    axes.set_ylabel(AXES[space][1], size=style.SMALL)
    for model, rows in by_model(data[data["part"] == space], context.models):
        axes.plot(rows["x"], rows["y"], **{**context.line(model), "linewidth": 1.0})
    vertices = data[data["part"] == f"{space} hull"]
    corners = vertices[["x", "y", "model"]].itertuples(index=False, name=None)
    for (x0, y0, one), (x1, y1, other) in pairwise(corners):
        owner = one or other
        look: dict[str, Any] = {"color": style.QUIET, "linewidth": 1.2, "linestyle": (0, (1, 1))}
        if owner and other in (owner, ""):
            look = {**context.mark(owner), "linewidth": 6, "alpha": 0.35}
        axes.plot([x0, x1], [y0, y1], zorder=1.5, **look)
    for model, rows in by_model(vertices, context.models):
        axes.plot(rows["x"], rows["y"], **_corner(context, model))
    _name_owners(axes, vertices.loc[vertices["model"] != "", "model"], context)


def _corner(context: Context, model: str) -> dict[str, Any]:
    look = {"marker": "o", "markersize": 5, "linestyle": "", "zorder": 4}
    return {**look, "markeredgecolor": "white", "markeredgewidth": 0.6, **context.mark(model)}


def _name_owners(axes: Axes, owners: "pd.Series[str]", context: Context) -> None:
    """List below the diagonal which models hold corners of the hull, and how many."""
    held = [(model, int((owners == model).sum())) for model in context.models]
    rows = [(model, f" {count}") for model, count in held if count][::-1]
    inside: dict[str, Any] = {"ha": "right", "size": style.SMALL, "transform": axes.transAxes}
    for row, (model, count) in enumerate(rows):
        bottom = FOOT + row * LINE
        room = _side() - bottom - 2 * LINE - FOOT - style.text_width(count, style.SMALL, "bold")
        words = style.shorten(model, room, style.SMALL, "bold") + count
        axes.text(1 - FOOT / _side(), bottom / _side(), words, **inside, **context.words(model))
        left = _side() - FOOT - style.text_width(words, style.SMALL, "bold") - 0.09
        place: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
        axes.plot(left / _side(), (bottom + 0.04) / _side(), **_corner(context, model), **place)
    if rows:
        bottom = FOOT + len(rows) * LINE
        words = "corners of the hull"
        axes.text(1 - FOOT / _side(), bottom / _side(), words, color=style.NOTE, **inside)


def _draw_strip(axes: Axes, rows: pd.DataFrame, ends: "pd.Series[float]", color: str) -> None:
    """Draw what a model's positives bring and cost, as shares of the largest of all models."""
    for part, sign in (("benefit", 1), ("cost", -1)):
        own = rows[rows["part"] == part]
        height, edges = sign * own["y"] / ends[part], np.append(own["x"], 1.0)
        look: dict[str, Any] = {"color": color, "alpha": 1.0 if sign > 0 else 0.45, "linewidth": 0}
        axes.stairs(height, edges, fill=True, **look)
    axes.axhline(0, color=style.INK, linewidth=0.8)
    axes.set(xlim=(0, 1), ylim=(-1.05, 1.05), yticks=[-1, 0, 1])
    labels = [amount(ends["cost"]), "0", amount(ends["benefit"])]
    widest = max(style.text_width(label, style.SMALL) for label in labels)
    axes.set_yticklabels(labels, size=style.SMALL * min(1.0, (LEFT - AIR) / widest))
