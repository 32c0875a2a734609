"""What looks wrong with predictions that can be read; nothing is changed, all of it is said.

Each function looks for a few things. What they count and compare is whole numbers, so that no order
of rows and no processor makes a difference.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import pandas as pd

from costcurves.tables.checks import plausibility_of_instances as instances
from costcurves.tables.checks import plausibility_of_models as models
from costcurves.tables.checks.plausibility_data import Data
from costcurves.tables.contract import Column, Contract
from costcurves.tables.curves.operating_points import Counted
from costcurves.tables.findings import KINDS, Found
from costcurves.tables.keys import DATASET

PLAUSIBILITY: Final = Contract(
    "plausibility",
    DATASET,
    Column("finding", "str", "", "its name, as 'expected:' in a configuration takes it"),
    Column("grade", "str", "", "grave, look or note"),
    Column("model", "str", "", "the model that it is about; empty: all"),
    Column("other", "str", "", "the other model of two; empty: none"),
    Column("seen", "str", "", "what was seen, in words"),
)

CHECKS: Final[tuple[Callable[[Data], Iterator[Found]], ...]] = (
    *(models.ranking, models.decisions, models.spread, models.scales, models.models),
    *(instances.repeats, instances.copies, instances.folds, instances.clusters),
    *(instances.labels, instances.names),
    lambda data: data.seen,
)


def plausibility(
    predictions: pd.DataFrame, counted: Sequence[Counted], *, by_cost: bool = False
) -> pd.DataFrame:
    """Look for all kinds of findings, in their order; weighing by cost makes no new ones."""
    if by_cost:
        return PLAUSIBILITY.empty()
    data, kinds = Data(predictions, counted), list(KINDS)
    found = (one for check in CHECKS for one in check(data))
    ordered = sorted(found, key=lambda one: kinds.index(one.finding))
    rows = [{**one._asdict(), "grade": KINDS[one.finding].grade} for one in ordered]
    return PLAUSIBILITY.rows(rows, dataset=str(predictions["dataset"].iloc[0]))
