"""Odd studies whose figures are drawn: one model to twelve, odd names, a rare class."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from costcurves.curves.conditions import Condition
from costcurves.figures import axes, drawing, style
from costcurves.figures.context import Context
from costcurves.settings import Selection
from tests.fake_tables import HOSTILE, random_predictions, tables

Tables = dict[str, pd.DataFrame]

LONG: Final = "A gradient boosted ensemble with monotone constraints, number "
MODELS: Final = {
    "one": ("Only model",),
    "two": ("Old", "New"),
    "three": ("Bayes", "Trees", "Rules"),
    "five": HOSTILE[:5],
    "twelve": tuple(f"{LONG}{number}" for number in range(1, 13)),
    "rare": ("Scorecard", "Network"),
}
PRIORS: Final = {"rare": 0.01}
# PC(+), and whether the study names it.
CONDITIONS: Final = {"two": {0.4: True}, "rare": {0.1: True, 0.11: True}}
UNNAMED: Final = {0.4: False}
MODULES: Final = drawing.FIGURES
LIMITS: Final = Selection(max_fp_rate=0.2, capacity="30%")


@cache
def tables_of(name: str) -> Tables:
    """The tables of a study."""
    repeats = 2 if name == "three" else 1
    rows = random_predictions(MODELS[name], repeats=repeats, folds=4, size=20)
    every = tables(rows, [*CONDITIONS.get(name, UNNAMED)])
    number = np.arange(len(every["instance_costs"]))
    costs = {"cost": 116.2 + 13 * number, "low": 98.9 + 12 * number, "high": 133.5 + 14 * number}
    return every | {"instance_costs": every["instance_costs"].assign(confidence=0.9, **costs)}


def context_of(name: str, **changes: pd.DataFrame) -> Context:
    """What its figures need, with some tables changed."""
    conditions = CONDITIONS.get(name, UNNAMED).items()
    return Context(
        tables=tables_of(name) | changes,
        title=f"Data of {name} & <more>",
        models=MODELS[name],
        roster=MODELS[name],
        prior=PRIORS.get(name, 0.4),
        level="repeat",
        conditions=[Condition(f"PC(+) = {pc:g}", pc, named=named) for pc, named in conditions],
        limits=LIMITS,
    )


def made(module: Any, name: str, **changes: pd.DataFrame) -> tuple[pd.DataFrame, Context]:
    """The data of a figure of a study, and what it is made of, with some tables changed."""
    context = context_of(name, **changes)
    return module.data(context), context


def panels(name: str) -> Iterator[tuple[str, str]]:
    """The panels of all figures of a study, by name."""
    for module in MODULES:
        data, context = made(module, name)
        if len(data):
            for letter, svg in drawing.drawn(module, data, context).items():
                yield f"{module.NAME}-{letter}", svg


def drawn(module: Any, data: pd.DataFrame, context: Context, place: int = 0) -> Axes:
    """Axes as a panel draws on them."""
    draw = list(module.panels(data, context).values())[place]
    with style.house_style():
        figure = Figure(figsize=(style.WIDTH / 72, axes.TALL / 72))
        ax = figure.add_axes((0, 0, 1, 1))
        axes.place(ax)
        draw(ax, data, context)
    return ax
