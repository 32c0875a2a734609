"""Operating conditions on PC(+): where those of a study lie on one dataset, and cost ratios."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from costcurves.curves.cost_space import pc_from_ratio
from costcurves.settings import OperatingCondition

# Cost ratios half an octave apart, from 1:2.4 to 108:1; none is simple, as choices change at those.
# Below, a decision costs less than one mistake does, and more places widen simultaneous bands.
STEPS: Final = np.sqrt(np.sqrt(2.0 ** np.arange(-5, 28, 2)))
NEAR: Final = 1 / 40  # an end of PC(+): there such a step is less than the 1/128 of regular points


class Condition(NamedTuple):
    """An operating condition of a study on one dataset."""

    name: str
    pc: float
    named: bool  # by the study, before results were seen; else one of the usual three
    by_sample: bool = False  # a cost ratio at the prior of the data: its PC(+) has an error


def conditions(
    prior: float, given: Sequence[OperatingCondition], sampled: bool = False
) -> list[Condition]:
    """Return where the conditions of a study are, at the dataset's own proportion of positives.

    That is a prior with a sampling error if it was read off the data (`sampled`).

    Cases that are weighted by their costs have the same PC(+) as those that count the same: there a
    cost ratio is the one of the mean costs.
    """
    return [
        Condition(each.name, each.at(prior), each.named, sampled and each.pc is None)
        for each in given
    ]


def marked(conditions: Sequence[Condition], prior: float) -> list[float]:
    """Return the PC(+) that the evaluation grid must have: theirs, and cost ratios of rare classes.

    With one positive in 500 all ratios up to 4:1 lie before the first regular point, 1/128; where
    negatives are rare, as many lie behind the last.
    """
    low, high = pc_from_ratio(STEPS, prior), pc_from_ratio(1 / STEPS, prior)
    rare = np.append(low[low < NEAR], high[high > 1 - NEAR])
    return [*(condition.pc for condition in conditions), *rare.tolist()]
