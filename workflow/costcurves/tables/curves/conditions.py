"""Operating conditions on PC(+): where those of a study lie on one dataset, and cost ratios."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from costcurves.maths.cost_space import pc_from_ratio
from costcurves.tables.configuration.settings import OperatingCondition

# From 1:108 to 108:1 in steps of half an octave; none is simple, as choices change at 1:2 and such.
RATIOS: Final = tuple(math.sqrt(math.sqrt(2.0**n)) for n in range(-27, 28, 2))
NEAR: Final = 1 / 40  # an end of PC(+): there such a step is less than the 1/128 of regular points


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


def marked(conditions: Sequence[Mapping[str, Any]], measures: pd.DataFrame) -> list[float]:
    """Give the PC(+) that the evaluation grid must have: theirs, and near its ends cost ratios.

    With one positive in 500 all ratios up to 4:1 lie before the first regular point, 1/128.
    """
    ratios = pc_from_ratio(RATIOS, measures["prior"].iloc[0]).tolist()
    near = [pc for pc in ratios if not NEAR <= pc <= 1 - NEAR]
    return [*(float(one["pc"]) for one in conditions), *near]
