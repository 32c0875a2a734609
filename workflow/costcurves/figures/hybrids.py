"""What choosing a threshold costs: threshold rules of a model over the envelope."""

from functools import partial
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.figures import axes, style
from costcurves.figures.context import Context, Tables, leading
from costcurves.figures.polylines import COLUMNS, cost_part, curve, together
from costcurves.formats import cost
from costcurves.tables.curves.pieces import curve_from

NAME: Final = "hybrids"
MODELS: Final = 3
RULES: Final = {
    "cross-fitted": "chosen on other folds",
    "cost-minimizing": "best in hindsight (envelope)",
    "nearest-train-pc": "nearest training share",
    "score-driven": "score as probability",
    "score-fixed": "fixed score {score_threshold}",
    "rate-driven": "rate as share",
    "rate-fixed": "fixed rate",
    "neyman-pearson": "FP rate at most {max_fp_rate}",
    "workforce": "at most {capacity} of cases",
}
LOOKS: Final[dict[str, axes.Look]] = {
    "cross-fitted": {"linestyle": "-", "linewidth": 2.2, "zorder": 3},
    "cost-minimizing": {"color": style.INK, "linestyle": (0, (1.1, 1.0)), "linewidth": 1.1},
    "nearest-train-pc": {"color": style.COLOURS[3], "linestyle": (0, (9, 1.8))},
    "score-driven": {"color": style.COLOURS[2], "linestyle": (0, (5.5, 1.3, 1.1, 1.3))},
    "score-fixed": {"color": style.COLOURS[4], "linestyle": (0, (3.6, 1.4))},
    "rate-driven": {"color": style.COLOURS[5], "linestyle": (0, (9, 1.8))},
    "rate-fixed": {"color": style.COLOURS[3], "linestyle": (0, (3.6, 1.4))},
    "neyman-pearson": {"color": style.INK, "linestyle": (0, (5.5, 1.3, 1.1, 1.3, 1.1, 1.3))},
    "workforce": {"color": style.QUIET, "linestyle": (0, (5.5, 1.3, 1.1, 1.3))},
}


def data(tables: Tables, context: Context) -> pd.DataFrame:
    """Return the curves of all threshold rules of the leading models; area is the last column."""
    rows = tables["hybrids"]
    if rows["criterion"].nunique() < 2:
        return together([])
    parts = []
    models = [model for model in leading(tables, context) if model in set(rows["model"])]
    for model in models[:MODELS]:
        own = rows[rows["model"] == model]
        for rule, pieces in own.groupby("criterion", sort=False):
            vertices = cost_part(str(rule), pieces, [model])
            parts.append(vertices.assign(area=curve_from(pieces).area()))
    return together(parts) if parts else pd.DataFrame(columns=[*COLUMNS, "area"])


def panels(data: pd.DataFrame, context: Context) -> list[axes.Panel]:
    """Return a panel for each model."""
    models = list(data["model"].unique())
    letters = "abc" if len(models) > 1 else " "
    pairs = zip(models, letters, strict=False)
    return [partial(draw, data=data, context=context, model=it, letter=at) for it, at in pairs]


def draw(ax: Axes, data: pd.DataFrame, context: Context, model: str, letter: str) -> None:
    """Draw the rules of a model, and list them by the area under each."""
    axes.cost_space(ax, context)
    entries = {}
    for rule, area in areas(data, model).items():
        look = {"linewidth": 1.0, **LOOKS[rule]}
        look.setdefault("color", context.colour(model))
        ax.plot(*curve(data, rule, model), **look)
        entries[f"{cost(area)}  {rule_words(rule, context)}"] = look
    axes.key(ax, entries)
    axes.title(ax, f"{letter}  {context.short[model]}".strip())


def areas(data: pd.DataFrame, model: str) -> dict[str, float]:
    """Return the area under each rule of a model, the smallest first."""
    rows = data[data["model"] == model].drop_duplicates("series").sort_values("area")
    return dict(rows[["series", "area"]].itertuples(index=False, name=None))


def rule_words(rule: str, context: Context) -> str:
    """Name a threshold rule with the numbers that the study sets."""
    return RULES[rule].format(**context.limits).replace("%", "\u202f%")


def words(data: pd.DataFrame, tables: Tables, context: Context) -> dict[str, Any]:
    """Return the areas by model, and the rule that is shown to cost most above cross-fitting."""
    models = [str(model) for model in data["model"].unique()]
    rows = tables["choice_intervals"]
    if len(rows):
        rows = rows[(rows["model_a"] == models[0]) & (rows["model_b"] == models[0])]
        rows = rows[(rows["criterion_b"] == "cross-fitted") & (rows["quantity"] == "area")]
        rows = rows[rows["low"] > 0]
    first = areas(data, models[0])
    worst = None
    if len(rows) and "cross-fitted" in first:
        rule = str(rows.iloc[int(rows["value"].argmax())]["criterion_a"])
        more = first[rule] / first["cross-fitted"] - 1
        worst = {"rule": rule_words(rule, context), "more": more, "model": models[0]}
    listed = {
        model: {rule_words(rule, context): area for rule, area in areas(data, model).items()}
        for model in models
    }
    return {"models": models, "worst": worst, "areas": listed}
