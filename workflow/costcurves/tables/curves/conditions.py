"""Operating conditions on PC(+): where those of a study lie on one dataset."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from costcurves.tables.configuration.settings import OperatingCondition


def conditions(
    measures: pd.DataFrame, operating_conditions: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Give the `name` and the `pc` of each, at the dataset's own proportion of positives.

    Instances that are weighted by their costs have the same PC(+) as unweighted ones: there a cost
    ratio is the one of the mean costs.
    """
    prior = float(measures["prior"].iloc[0])
    given = (OperatingCondition(**one) for one in operating_conditions)
    return [{"name": one.name, "pc": one.at(prior)} for one in given]


def marked(conditions: Sequence[Mapping[str, Any]]) -> list[float]:
    """Give their PC(+) alone."""
    return [float(one["pc"]) for one in conditions]
