"""What must be true of the tables that the annex adds, and of those beside them."""

from typing import Final

from costcurves.tables.checks.invariants import Invariants, Tables, Violations, distance
from costcurves.tables.curves.pieces import areas
from costcurves.tables.selection.limited import limits

OF_CHOICES: Final = Invariants()
OF_CHANCE: Final = Invariants()


@OF_CHOICES.add("an expected loss is the area under its curve")
def _losses_are_areas(tables: Tables) -> Violations:
    rows, names = tables["threshold_choice"], ["model", "method", "axis"]
    area = areas(rows, names).to_numpy(float)
    yield distance(rows["loss"], area[rows.groupby(names, sort=False).ngroup()])


@OF_CHOICES.add("constrained points are mixtures within their limits")
def _constraints_are_kept(tables: Tables) -> Violations:
    rows = tables["constructions"]
    names = ["fp", "tp", "limit", "negatives", "positives"]
    for name, one in limits().items():
        yield one.beyond(*rows.loc[rows["criterion"] == name, names].to_numpy(float).T)
    share = rows["share"]
    for rate in ("fp", "tp"):
        mixed = (1 - share) * rows[f"first_{rate}"] + share * rows[f"second_{rate}"]
        yield distance(rows[rate], mixed)


OF_CHANCE.add_intervals("an interval of a choice holds its value", "choice_intervals")
OF_CHANCE.add_intervals("the interval of what is left out holds it", "optimism", "left_out")
