"""What costs least at a PC(+), read again from the rows of published tables."""

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from costcurves.tables.keys import ALWAYS


class Lowest(NamedTuple):
    """The decision with the lowest estimate, its rates, and what is not ruled out beside it."""

    name: str
    cost: float
    fp: float
    fn: float
    others: set[str]
    stays: tuple[float, float]  # where it has the lowest estimate


def lowest(table: Callable[[str], pd.DataFrame], pc: float) -> Lowest:
    """Find it among pieces of curves; a model has to cost less than no model."""
    pieces = table("headline").query(f"pc_from <= {pc!r} < pc_to")
    rates = dict(zip(ALWAYS, ((0.0, 1.0), (1.0, 0.0)), strict=True))
    rates |= {row["model"]: (row["at0"], row["at1"]) for row in pieces.to_dict("records")}
    costs = {name: round(fp + pc * (fn - fp), 12) for name, (fp, fn) in rates.items()}
    name = min(costs, key=lambda decision: costs[decision])
    here = table("not_ruled_out").query(f"pc_from <= {pc!r} <= pc_to").set_index("decision")
    out = here.index[here["standing"] == "ruled out"]
    low, high = here.loc[[name], ["pc_from", "pc_to"]].to_numpy()[-1].tolist()
    return Lowest(name, costs[name], *rates[name], {*rates} - {*out, name}, (low, high))
