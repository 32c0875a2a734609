"""What each way of choosing a threshold costs, and what choosing on the judged data leaves out."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Row, Tables, methods, rows_of
from costcurves.figures.kind import Shown, figure_kind, grouped
from costcurves.figures.polylines import by_model, cost_vertices, fill_between, height_at, thinned
from costcurves.figures.sheet import LEFT, LINE, TOP
from costcurves.settings import KNOWN_CRITERIA
from costcurves.tables.curves.pieces import curve_from, piece_columns
from costcurves.tables.curves.threshold_choice import COST
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.tables.selection.criteria import curves_by_criterion
from costcurves.tables.selection.criterion import criterion_of

Looks = dict[str, dict[str, Any]]

# Shaded is the first of these that a model has.
SHADED: Final = [name for name in KNOWN_CRITERIA if criterion_of(name).without_data]
REGRET: Final = "#f3d9b8"
SWATCH: Final[dict[str, Any]] = {"color": REGRET, "linewidth": 6, "solid_capstyle": "butt"}
TONES: Final = {"ink": {"color": style.INK}, "quiet": {"color": style.QUIET}}
CRITERIA: Final[Looks] = {
    name: {**TONES.get((one := criterion_of(name)).tone, {}), **one.look} for name in KNOWN_CRITERIA
}
HYBRIDS: Final = ["model", "criterion", "estimate", "regret"]


def hybrids_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Curves of all criteria, a row a vertex; `regret` is a mean over PC(+), NaN where none is."""
    known = tables["criteria"][["model", "criterion", "regret"]]
    rows = tables["hybrids"].merge(known, on=["model", "criterion"], how="left", sort=False)
    vertices = cost_vertices(rows[rows["model"].isin(context.models)], HYBRIDS)
    width, height = _panels(context, vertices).size
    return thinned(vertices, HYBRIDS, (width, height / _scale(vertices)[0]))


def _scale(data: pd.DataFrame) -> tuple[float, float]:
    """End and step of the y axis: no further than where always-the-same is cheaper."""
    return style.round_top(min(0.5, float(data["nec"].max())))


def _panels(context: Context, data: pd.DataFrame) -> sheet.Panels:
    lines = sheet.series_places(list(_series(data)))[-1][0]
    return sheet.Panels.of(context.models, top=TOP + 0.14 + lines * LINE, notes=1)


def _series(data: pd.DataFrame) -> Looks:
    """Words and looks of the criteria that are drawn, and of the shade."""
    drawn = set(data["criterion"])
    looks = {name: {"color": style.NOTE, **CRITERIA[name]} for name in CRITERIA if name in drawn}
    if CROSS_FITTED in drawn and drawn & set(SHADED):
        looks["regret"] = SWATCH
    in_sample = {"cost-minimizing": "cost-minimizing (in-sample, too low)"}
    return {in_sample.get(name, name): look for name, look in looks.items()}


def _honest(shown: Shown[Context]) -> list[Row]:
    """Give what each way of choosing costs that is not judged on the data that chose, by model."""
    rows = shown.tables["criteria"]
    honest = rows["applies"] & rows["estimate"].ne(IN_SAMPLE) & rows["area"].notna()
    return grouped(rows_of(rows[honest]), "model")


@figure_kind(hybrids_data, _honest, ("hybrids", "criteria"))
def hybrids(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the cost curves of all criteria, as Drummond and Holte (2006) do in Figs 21 and 22."""
    panels = _panels(context, data)
    fitted = CROSS_FITTED in set(data["criterion"])
    shades = "shaded, numbers: how much more choosing without data costs than cross-fitted choice"
    notes = [hybrids.words.title, context.counts, *[shades] * fitted]
    figure = sheet.sheet(panels.bottom + 0.5, context.title, *notes)
    sheet.series_list(figure, TOP - 0.04, list(_series(data).items()))
    panels.label_outside(figure, spaces.PC, spaces.NEC)
    scale = _scale(data)
    for place, (model, rows) in enumerate(by_model(data, context.models)):
        axes = panels.panel(figure, place, model, context)
        spaces.cost_space(axes, *scale, coarse=True)
        curves = {str(name): own for name, own in rows.groupby("criterion", sort=False)}
        if fitted:
            panels.annotate(figure, place, _shade(axes, curves))
        for name, own in curves.items():
            look = {"zorder": 3, **context.line(model), "linestyle": "-", **CRITERIA[name]}
            if name == CROSS_FITTED:
                look |= context.line(model)
            axes.plot(own["pc"], own["nec"], **look)
    return figure


def _shade(axes: Axes, curves: dict[str, pd.DataFrame]) -> str:
    """Shade where the first criterion without data is more expensive; say by how much in all."""
    name = next((name for name in SHADED if name in curves), None)
    if CROSS_FITTED not in curves:
        return "no cross-fitted choice to compare with"
    if name is None:
        return "no choice without data to compare with"
    own, reference = curves[name], curves[CROSS_FITTED]
    x = np.unique(np.concatenate([own["pc"], reference["pc"]]))
    higher, lower = (
        np.column_stack([height_at(curve, x, "left"), height_at(curve, x, "right")]).ravel()
        for curve in (own, reference)
    )
    look: dict[str, Any] = {"color": REGRET, "linewidth": 0, "zorder": 0.5, "interpolate": True}
    axes.fill_between(np.repeat(x, 2), higher, lower, where=higher >= lower, **look)
    return f"{name}: {formats.signed(float(own['regret'].iloc[0]))}"


REGRETS: Final = ["model", "criterion", "series", "method", "confidence"]
COARSE: Final = 2  # how much rougher than others these small, jagged curves are drawn


def regrets_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Regrets of the first criterion without data, and the edges of their bands, a row a vertex."""
    vertices = cost_vertices(pd.concat(_lines(tables, context), ignore_index=True), REGRETS)
    low, high = _range(vertices["nec"])
    width, height = sheet.Panels.of(context.models, top=0).size
    data = thinned(vertices, REGRETS, (width / COARSE, height / COARSE / (high - low)))
    return data.rename(columns={"nec": "regret"})


def _lines(tables: Tables, context: Context) -> Iterator[pd.DataFrame]:
    """Give the pieces of each model's regret, and of both edges of its band."""
    curves = curves_by_criterion(tables["hybrids"])
    groups = dict(list(_bands(tables).groupby(["model_a", "criterion_a"], sort=False)))
    for model in context.models:
        name = next((name for name in SHADED if (model, name) in groups), None)
        if name is None:
            continue
        rows = groups[model, name]
        half = curve_from(rows)
        regret = curves[model, name] - curves[model, CROSS_FITTED]
        lines = {"regret": regret, "lower": regret - half, "upper": regret + half}
        for series, curve in lines.items():
            own = {"model": model, "criterion": name, "series": series}
            own |= {one: rows[one].iloc[0] for one in ("method", "confidence")}
            yield pd.DataFrame({**own, **piece_columns([curve])[1]})


def _bands(tables: Tables) -> pd.DataFrame:
    """Take the bands over all PC(+) of what criteria cost a model more than cross-fitted choice."""
    bands = tables["choice_bands"]
    wide = bands[bands["extent"].eq("simultaneous") & bands["criterion_b"].eq(CROSS_FITTED)]
    return wide[wide["model_a"] == wide["model_b"]]


def _range(values: "pd.Series[float]") -> tuple[float, float]:
    """Least and greatest height, 0 included."""
    return min(0.0, float(values.min())), max(0.01, float(values.max()))


def _regrets(shown: Shown[Context]) -> list[Row]:
    """Give the mean regret of each criterion that is not chosen in-sample, with its interval."""
    return [
        row
        for row in shown.rows("choice_intervals")
        if row["quantity"] == "area"
        and row["model_a"] == row["model_b"]
        and row["criterion_b"] == CROSS_FITTED
        and row["criterion_a"] != "cost-minimizing"
    ]


@figure_kind(
    regrets_data,
    _regrets,
    ("hybrids", "choice_bands"),
    tells=lambda tables: _bands(tables)["criterion_a"].isin(SHADED).any(),
)
def regrets(data: pd.DataFrame, context: Context) -> Figure:
    """Draw each model's regret and its band over all PC(+), a panel a model."""
    models = list(by_model(data, context.models))
    panels = sheet.Panels(len(models), top=TOP + 0.14 + LINE, notes=1)  # a list of two lines
    sure = "above zero: more expensive; where the band excludes zero, chance does not explain it"
    notes = regrets.words.title, context.counts, sure
    figure = sheet.sheet(panels.bottom + 0.5, context.title, *notes)
    line: dict[str, Any] = {"color": style.INK, "linewidth": 1.2, "zorder": 3}
    band = f"{formats.level(float(data['confidence'].iloc[0]))} for the whole curve"
    words = "regret: how much more it costs than cross-fitted choice", f"{band}, {methods(data)}"
    sheet.series_list(figure, TOP - 0.04, list(zip(words, (line, SWATCH), strict=True)))
    panels.label_outside(figure, spaces.PC)
    low, high = _range(data["regret"])
    for place, (model, rows) in enumerate(models):
        axes = panels.panel(figure, place, model, context)
        spaces.difference_space(axes, low, high, air=0.04 * (high - low))
        spaces.unit_ticks(axes, coarse=True)
        panels.annotate(figure, place, str(rows["criterion"].iloc[0]))
        lines = {str(name): own[["pc", "regret"]] for name, own in rows.groupby("series")}
        fill_between(axes, lines["lower"], lines["upper"], color=REGRET, linewidth=0, zorder=1)
        axes.plot(*lines["regret"].to_numpy().T, **line)
    return figure


LOSSES: Final = ["model", "method", "loss"]
MOST_MODELS: Final = 10
AXES: Final = (1.3, 1.3)  # width and height
LIST: Final = 1.45  # beside them
COLUMN: Final = 3.2  # from one column to the next
STEP: Final = 1.86  # from one row to the next
METHODS: Final[Looks] = {
    "score-fixed": {"color": style.INK, "linestyle": (0, (4, 2)), "linewidth": 0.9},
    "score-uniform": {"color": style.INK, "linestyle": (0, (1, 1.2)), "linewidth": 0.9},
    "score-driven": {"color": style.INK, "linestyle": "-", "linewidth": 0.9},
    "rate-fixed": {"color": style.QUIET, "linestyle": (0, (4, 2)), "linewidth": 1.2},
    "rate-uniform": {"color": style.QUIET, "linestyle": (0, (1, 1.2)), "linewidth": 1.2},
    "rate-driven": {"color": style.QUIET, "linestyle": "-", "linewidth": 1.2},
}


def thresholds_data(tables: Tables, context: Context) -> pd.DataFrame:
    """Loss curves of the first ten models that have scores, a row a vertex; `loss` is the area."""
    rows = tables["threshold_choice"]
    shown = [model for model in context.models if model in set(rows["model"])][:MOST_MODELS]
    vertices = cost_vertices(rows[(rows["axis"] == COST) & rows["model"].isin(shown)], LOSSES)
    top, _ = style.round_top(float(vertices["nec"].max()))
    drawn = thinned(vertices, LOSSES, (AXES[0], AXES[1] / top))
    return drawn.rename(columns={"pc": "cost_proportion", "nec": "q"})


def _expected(shown: Shown[Context]) -> list[Row]:
    """Give what each method is expected to lose over cost proportions, by model."""
    rows = shown.tables["threshold_choice"]
    each = rows[rows["axis"] == COST].drop_duplicates(["model", "method"])
    return grouped(rows_of(each), "model")


@figure_kind(thresholds_data, _expected, ("threshold_choice",))
def thresholds(data: pd.DataFrame, context: Context) -> Figure:
    """Draw the threshold choice curves of Hernandez-Orallo, Flach and Ferri (2011), Figs 2 to 7."""
    curves = list(by_model(data, context.models))
    first = f"; {len(curves)} models" if len(context.models) > len(curves) else ""
    areas = "numbers: areas, the expected losses if every cost proportion is equally likely"
    pooled = f"all predictions pooled (optimal: in-sample); {context.counts}{first}"
    notes = thresholds.words.title, pooled, areas
    figure = sheet.sheet(TOP + -(-len(curves) // 2) * STEP + 0.3, context.title, *notes)
    highest, step = style.round_top(float(data["q"].max()))
    for place, (model, own) in enumerate(curves):
        row, column = divmod(place, 2)
        left, top = LEFT + column * COLUMN, TOP + row * STEP
        sheet.key(figure, left, top + 0.1, 0.3, linewidth=1.8, **context.line(model))
        room = AXES[0] + LIST - 0.5
        sheet.name(figure, left + 0.36, top + 0.1, model, room, **context.words(model))
        axes = sheet.panel(figure, left, top + 0.2, *AXES)
        axes.set(xlim=(0, 1), ylim=(0, highest))
        spaces.unit_ticks(axes, coarse=True)
        spaces.value_ticks(axes.yaxis, 0, highest, step)
        axes.set_xlabel(COST if place + 2 >= len(curves) else "", size=style.SMALL)
        axes.set_ylabel("" if column else "loss", size=style.SMALL)
        _draw_losses(figure, axes, left + AXES[0], top + 0.34, own, context.line(model))
    return figure


def _draw_losses(
    figure: Figure, axes: Axes, left: float, top: float, rows: pd.DataFrame, line: dict[str, Any]
) -> None:
    """Draw the curves of one model, and list them beside its axes with their areas."""
    curves = {str(method): own for method, own in rows.groupby("method", sort=False)}
    for method, look in {**METHODS, "optimal": {**line, "linewidth": 2.0, "zorder": 4}}.items():
        if method in curves:
            own = curves[method]
            axes.plot(own["cost_proportion"], own["q"], **look)
            sheet.key(figure, left + 0.08, top, 0.22, **look)
            sheet.note(figure, left + 0.35, top, method)
            area = formats.cost(float(own["loss"].iloc[0]))
            sheet.write(figure, left + LIST, top, area, size=style.SMALL, ha="right")
            top += LINE
