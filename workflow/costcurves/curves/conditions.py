"""Operating conditions on PC(+): where those of a study lie on one dataset, and cost ratios."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from costcurves.curves.cost_space import pc_from_ratio
from costcurves.settings import OperatingCondition

# Cost ratios half an octave apart, from 1:2.4 to 108:1; none is simple, as choices change at those.
# Below, a decision costs less than one mistake does, and more places widen simultaneous bands.
STEPS: Final = tuple(math.sqrt(math.sqrt(2.0**n)) for n in range(-5, 28, 2))
NEAR: Final = 1 / 40  # an end of PC(+): there such a step is less than the 1/128 of regular points


def conditions(
    prior: float, operating_conditions: Sequence[Mapping[str, Any]], sampled: bool = False
) -> list[dict[str, Any]]:
    """Return the `name` and the `pc` of each, at the dataset's own proportion of positives.

    `named` says whether it was named beforehand, `by_sample` whether its PC(+) is that of a cost
    ratio at a prior which was read off the data (`sampled`), so that it has a sampling error.

    Cases that are weighted by their costs have the same PC(+) as those that count the same: there a
    cost ratio is the one of the mean costs.
    """
    given = (OperatingCondition(**condition) for condition in operating_conditions)
    return [
        {
            "name": condition.name,
            "pc": condition.at(prior),
            "named": condition.named,
            "by_sample": sampled and condition.pc is None,
        }
        for condition in given
    ]


def marked(conditions: Sequence[Mapping[str, Any]], prior: float) -> list[float]:
    """Return the PC(+) that the evaluation grid must have: theirs, and cost ratios of rare classes.

    With one positive in 500 all ratios up to 4:1 lie before the first regular point, 1/128; where
    negatives are rare, as many lie behind the last.
    """
    rare = [pc for ratio in STEPS if (pc := float(pc_from_ratio(ratio, prior))) < NEAR]
    rare += [pc for ratio in STEPS if (pc := float(pc_from_ratio(1 / ratio, prior))) > 1 - NEAR]
    return [*(float(condition["pc"]) for condition in conditions), *rare]
