"""What choosing a threshold costs: threshold rules of a model over the envelope."""

from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from costcurves.curves.pieces import areas
from costcurves.figures import axes, style
from costcurves.figures.context import Context
from costcurves.figures.polylines import cost_part, curve, filtered, together
from costcurves.formats import cost

NAME: Final = "hybrids"
MODELS: Final = 3
LIMITS: Final = {  # what the study sets for a rule, which stands beside its name
    "score-fixed": "{score_threshold}",
    "neyman-pearson": "at most {max_fp_rate}",
    "workforce": "at most {capacity}",
}
LONG, SHORT, DOTTED, MIXED = (9, 1.8), (3.6, 1.4), (1.1, 1.0), (5.5, 1.3, 1.1, 1.3)
LOOKS: Final[dict[str, axes.Look]] = {
    "cross-fitted": {"linewidth": 2.2, "zorder": 3},
    "cost-minimizing": {"color": style.INK, "linestyle": (0, DOTTED)},
    "nearest-train-pc": {"color": style.COLOURS[3], "linestyle": (0, LONG)},
    "score-driven": {"color": style.COLOURS[2], "linestyle": (0, MIXED)},
    "score-fixed": {"color": style.COLOURS[4], "linestyle": (0, SHORT)},
    "rate-driven": {"color": style.COLOURS[5], "linestyle": (0, LONG)},
    "rate-fixed": {"color": style.COLOURS[3], "linestyle": (0, SHORT)},
    "neyman-pearson": {"color": style.INK, "linestyle": (0, (*MIXED, *MIXED[2:]))},
    "workforce": {"color": style.QUIET, "linestyle": (0, MIXED)},
}


def data(context: Context) -> pd.DataFrame:
    """Return the curves of all threshold rules of the leading models; area is the last column."""
    rows = context.tables["hybrids"]
    if rows["criterion"].nunique() < 2:
        return together([])
    models = context.leading_in(rows, MODELS)
    area = areas(rows, ["model", "criterion"]).rename("area")
    return cost_part(rows["criterion"], rows, models).join(area, on=["model", "series"])


def panels(data: pd.DataFrame, context: Context) -> dict[str, axes.Panel]:
    """Return a panel for each model."""
    return axes.by_model(draw, data, context)


def draw(ax: Axes, data: pd.DataFrame, context: Context, model: str) -> None:
    """Draw the rules of a model, and list them by the area under each."""
    axes.cost_space(ax, context)
    entries = {}
    for rule, area in by_value(data, model).items():
        look = {"color": context.colour(model), **LOOKS[rule]}
        ax.plot(*curve(data, rule, model), **look)
        entries[f"{cost(area)}  {rule_words(rule, context)}"] = look
    axes.key(ax, entries, below=40)


def by_value(data: pd.DataFrame, model: str) -> dict[Any, float]:
    """Return the value of each curve of a model, in the last column, the smallest first."""
    rows = filtered(data, model=model).drop_duplicates("series").set_index("series")
    return rows.iloc[:, -1].sort_values(kind="stable").to_dict()


def rule_words(rule: str, context: Context) -> str:
    """Name a threshold rule with the number that the study sets."""
    if rule not in LIMITS:
        return rule
    return f"{rule} ({LIMITS[rule].format_map(vars(context.limits))})".replace("%", "\u202f%")


def words(data: pd.DataFrame, context: Context) -> dict[str, Any]:
    """Return the areas by model, and the rule that is shown to cost most above cross-fitting."""
    models = data["model"].unique().tolist()
    each = {model: by_value(data, model) for model in models}
    rows = filtered(context.tables["choice_intervals"], criterion_b="cross-fitted", quantity="area")
    rows = filtered(rows[rows["low"] > 0], model_a=models[0], model_b=models[0])
    first, worst = each[models[0]], None
    fitted = "cross-fitted" in first
    if len(rows) and fitted:
        rule = str(rows.set_index("criterion_a")["value"].idxmax())
        more = first[rule] / first["cross-fitted"] - 1
        worst = {"rule": rule_words(rule, context), "more": more, "model": models[0]}
    listed = {
        model: {rule_words(rule, context): area for rule, area in by_rule.items()}
        for model, by_rule in each.items()
    }
    return {"models": models, "worst": worst, "areas": listed, "fitted": fitted}
