"""How often bands and verdicts held in simulations: of each quantity the nearest design."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import log
from typing import Final

import pandas as pd

from costcurves.code import REPORT
from costcurves.figures.context import rows_of
from costcurves.report.document import Facts
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE

MEASURED: Final = REPORT / "measured.csv"  # as tests/simulations/atlas.py writes it
COLUMNS: Final = ("quantity", "kind", "positives", "negatives", "folds", "share", "error")
# How a design judges; a quantity that was simulated for no kind in particular stands for both that
# have neither clusters nor weights.
FOLDS: Final = "folds"
ONE_TEST_SET: Final = "one test set"
CLUSTERS: Final = "clusters"
WEIGHTS: Final = "weights"
NOMINAL: Final = 0.9  # of all simulations
MISSED: Final = 0.03  # what a share may fall short of that, and still be called by its level
# Shares of data sets with a false one.
FALSE: Final = {"verdicts", "means", "named", "statements", "running", "sign flips", "claims"}
VERDICTS: Final = {"verdicts", "sign flips"}
WORDS: Final = {
    "line, each": "Wilson bands of decisions at each PC(+)",
    "line, whole": "Simultaneous bands of decisions",
    "sign flips": "Verdicts between decisions",
    "curve, each": "Bands of cross-fitted curves at each PC(+)",
    "curve, whole": "Simultaneous bands of cross-fitted curves",
    "cross-fitted, area": "Intervals of areas under cross-fitted curves",
    "cross-fitted, cost": "Intervals of their costs at one PC(+)",
    "verdicts": "Verdicts between cross-fitted curves",
    "means": "Differences of their mean costs",
    "named": "Differences at three named conditions",
    "statements": "Any of these three",
    "running": "Ruled out, though truly the cheapest",
    "envelope, each": "Bands of in-sample averages at each PC(+)",
    "envelope, whole": "Simultaneous bands of in-sample averages",
    "by cost, each": "Bands of curves weighted by cost at each PC(+)",
    "by cost, whole": "Simultaneous bands of curves weighted by cost",
    "by cost, verdicts": "Verdicts between curves weighted by cost",
    "cost per instance": "Intervals of costs per case",
    "claims": "Any claim called wrongly",
}
BY_COST: Final = ("by cost, each", "by cost, whole", "by cost, verdicts", "cost per instance")
SPLIT: Final = 10  # folds of a test set that is split at random
FAR: Final = 20.0  # product of the factors between counts from which on a design is no guide


@dataclass(frozen=True)
class Measured:
    """What was simulated of a quantity with one design, and whose design that is nearest to."""

    quantity: str
    positives: int
    negatives: int
    folds: int
    share: float
    error: float  # standard error of the simulation; 0: exact
    kind: str = ""  # of design; empty: any without clusters

    @property
    def false(self) -> bool:
        """Whether the share is that of data sets with a false verdict, not of those covered."""
        return self.quantity.split(", ")[-1] in FALSE

    @property
    def missing(self) -> float:
        """What it falls short of its level."""
        return NOMINAL - (1 - self.share if self.false else self.share)

    @property
    def approximate(self) -> bool:
        """Whether it misses its level, by more than the simulation's error explains."""
        return self.missing > max(MISSED, 2 * self.error)


@cache
def measured() -> dict[str, list[Measured]]:
    """Read what was simulated, by quantity."""
    table = pd.read_csv(MEASURED, keep_default_na=False)
    return {
        str(quantity): [Measured(**row) for row in rows_of(rows)]
        for quantity, rows in table.groupby("quantity")
    }


def nearest(
    quantity: str, positives: float, negatives: float, folds: int, kind: str = FOLDS
) -> Measured | None:
    """Find the design of a kind nearest by size, class ratio and folds, as factors.

    Of several that are as near it is the worst. None: no such design was simulated, or none that is
    near: the product of these factors is above `FAR` for all.
    """

    def apart(design: Measured) -> float:
        factors = design.positives / positives, design.negatives / negatives, design.folds / folds
        return round(sum(abs(log(factor)) for factor in factors), 9)  # ties are ties

    kinds = {kind} if kind in {CLUSTERS, WEIGHTS} else {kind, ""}
    designs = [design for design in measured().get(quantity, ()) if design.kind in kinds]
    least = min(map(apart, designs), default=0.0)
    near = [design for design in designs if apart(design) <= least <= log(FAR)]
    return max(near, key=lambda design: design.missing, default=None)


def of_dataset(facts: Facts, quantities: Iterable[str]) -> list[Measured]:
    """List the nearest design of each quantity of a dataset that was simulated for its kind.

    Where there are clusters, sizes are theirs, and where cases have weights, those of so many of
    equal weight: as many of a class as it has of the cases.
    """
    cases = (facts.clusters or facts.effective) / facts.instances
    sizes = facts.positives * cases, facts.negatives * cases
    folds = facts.folds if facts.folds > 1 else SPLIT
    designs = (nearest(quantity, *sizes, folds, kind_of(facts)) for quantity in quantities)
    return [design for design in designs if design is not None]


def kind_of(facts: Facts) -> str:
    """Name the kind of design of a dataset."""
    if facts.clusters:
        return CLUSTERS
    if facts.is_weighted:
        return WEIGHTS
    return FOLDS if facts.folds > 1 else ONE_TEST_SET


def of_costs(facts: Facts, negatives: float, positives: float) -> list[Measured]:
    """List the same of a dataset weighted by cost, as if of so many instances of equal cost."""
    equal = replace(
        facts,
        positives=round(positives),
        negatives=round(negatives),
        effective=facts.instances,
    )
    return of_dataset(equal, BY_COST)


def quantities_of(facts: Facts, names: bool = False) -> list[str]:
    """List the quantities that a report states of a dataset.

    `names`: whether the study names conditions.
    """
    chosen = [model for model in facts.models if model not in facts.fixed]
    fitted = facts.estimate == CROSS_FITTED
    in_sample = facts.estimate == IN_SAMPLE
    quantities: list[str] = []
    if facts.fixed and facts.all_folds == 1:
        quantities += ["line, each", "line, whole"]
    if len(facts.fixed) > 1:
        quantities.append("sign flips")
    if fitted:
        quantities += ["curve, each", "curve, whole", "cross-fitted, area", "cross-fitted, cost"]
    if fitted and len(chosen) > 1:
        quantities += ["verdicts", "means", *["named", "statements"] * names]
    return quantities + (["envelope, each", "envelope, whole"] if in_sample else ["running"])
