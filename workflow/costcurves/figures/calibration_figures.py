"""Reliability: the share of positives that scores stand for, and how many there are of each."""

from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from costcurves import formats
from costcurves.figures import sheet, spaces, style
from costcurves.figures.context import Context, Tables
from costcurves.figures.kind import figure_kind
from costcurves.figures.polylines import by_model, fill_between, thinned
from costcurves.figures.sheet import LEFT, TOP
from costcurves.tables.inference.calibration import CURVE, SCORES

KEYS: Final = ["model", "line", "confidence"]
BANDS: Final = {"simultaneous": "#ececec", "consistent": "#cfcfcf"}  # the wider one beneath
STRIP: Final = 0.36  # inches: how many scores there are
GAP: Final = 0.06  # above it
CLASSES: Final = (("positives", 1.0), ("negatives", -1.0))
SAID: Final = ("miscalibration", "")  # by alternative texts: the part, of each model by itself


def reliability_data(tables: Tables, _context: Context) -> pd.DataFrame:
    """Curves and edges of bands, a row a vertex; of each class its share of cases by score."""
    rows = tables["reliability"]
    lines = rows[rows["line"].ne(SCORES)]
    ends = pd.concat(
        [lines.assign(x=lines[end], y=lines["rate"])[[*KEYS, "x", "y"]] for end in ENDS]
    )
    width, height = _panels(tables).size
    drawn = thinned(ends.sort_index(kind="stable"), KEYS, (width, height))
    scores = rows[rows["line"].eq(SCORES)].assign(
        negatives=lambda it: it["cases"] - it["positives"]
    )
    whole = scores.groupby("model", sort=False)["cases"].transform("sum")
    counted = [
        scores.assign(line=name, x=scores["score_from"], y=sign * scores[name] / whole)
        for name, sign in CLASSES
    ]
    return pd.concat([drawn, *(one[[*KEYS, "x", "y"]] for one in counted)], ignore_index=True)


ENDS: Final = ("score_from", "score_to")


def _panels(tables: Tables) -> sheet.Panels:
    models = tables["reliability"]["model"].unique().tolist()
    return sheet.Panels.of(models, top=TOP + 0.14, foot=STRIP + GAP + 0.12)


@figure_kind(
    reliability_data,
    lambda it: [row for row in it.rows("calibration") if (row["part"], row["minus"]) == SAID],
    ("reliability",),
)
def reliability(data: pd.DataFrame, context: Context) -> Figure:
    """Draw reliability curves with both bands, and the scores of each class beneath."""
    panels = _panels({"reliability": data})
    level = formats.level(float(data["confidence"].iloc[0]))
    banded = data["line"].str.startswith(tuple(BANDS)).any()
    said = f"bands ({level}): dark, where calibrated scores lie; light, where the rates do"
    notes = reliability.words.title, context.counts, said if banded else ""
    figure = sheet.sheet(panels.bottom + STRIP + GAP + 0.5, context.title, *notes)
    panels.label_outside(figure, y="share of positives")
    below = panels.bottom + STRIP + GAP + 0.4
    sheet.write(figure, LEFT + sheet.room() / 2, below, "score", size=style.BODY, ha="center")
    highest = float(data.loc[data["line"].isin(dict(CLASSES)), "y"].abs().max())
    for place, (model, rows) in enumerate(by_model(data, context.models)):
        axes = panels.panel(figure, place, model, context)
        lines = {str(name): own for name, own in rows.groupby("line")}
        for band, color in BANDS.items():
            if f"{band} lower" in lines:
                fill_between(
                    axes, lines[f"{band} lower"], lines[f"{band} upper"], color=color, linewidth=0
                )
        axes.plot([0, 1], [0, 1], color=style.QUIET, linewidth=0.9)
        axes.plot(*lines[CURVE][["x", "y"]].to_numpy().T, linewidth=1.6, **context.line(model))
        axes.set(xlim=(0, 1), ylim=(0, 1))
        spaces.value_ticks(axes.yaxis, 0, 1, 0.5)
        left, top = panels.corner(place)
        width, height = panels.size
        strip = sheet.panel(figure, left, top + panels.head + height + GAP, width, STRIP)
        sheet.tag(strip, context.tag(model))
        for name, sign in CLASSES:
            look: dict[str, Any] = {"color": context.colour(model) if sign > 0 else style.QUIET}
            edges = np.append(lines[name]["x"], 1.0)
            strip.stairs(lines[name]["y"], edges, fill=True, linewidth=0, **look)
        strip.axhline(0, color=style.INK, linewidth=0.6)
        strip.set(xlim=(0, 1), ylim=(-1.05 * highest, 1.05 * highest), yticks=[])
        strip.tick_params(labelbottom=axes.xaxis.get_tick_params()["labelbottom"])
        axes.tick_params(labelbottom=False)
        for one in (axes, strip):
            spaces.unit_ticks(one, coarse=True)
    return figure
