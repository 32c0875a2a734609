"""The curves of models under selection criteria, which choose again in each resample.

The resamples are the same for all of them. Curves are evaluated on a regular grid and under the
marked operating conditions. A headline curve is not resampled anew: it is what `resampling` has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.maths.curves import Curve
from costcurves.maths.resampled_bands import Resampled
from costcurves.maths.resampled_curves import evaluation_grid
from costcurves.tables.configuration.settings import Selection
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.inference.resampling import (
    ResampledInstances,
    Resamples,
    joined,
    resampled_instances,
)
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.tables.selection import NEEDS
from costcurves.tables.selection.criteria import curves_by_criterion
from costcurves.tables.selection.criterion import Drawn, Floats
from costcurves.tables.selection.unlimited import unlimited

# A decision that was fixed in advance is no choice.
OF_HEADLINE: Final = {CROSS_FITTED: "cross-fitted", IN_SAMPLE: "cost-minimizing"}


class Choice(NamedTuple):
    """A model, and the criterion by which its threshold or member is chosen."""

    model: str
    criterion: str


@dataclass(frozen=True, eq=False)
class ResampledCriteria:
    """Resamples what criteria of one dataset cost, each in the same resamples."""

    curves: Mapping[Choice, Curve]
    estimates: Mapping[Choice, str]
    headline: Mapping[Choice, Resampled]  # those whose curves are headline curves
    drawn: ResampledInstances
    resamples: Resamples  # of the headline curves, in the same draws
    at: Floats  # PC(+) of the evaluation grid
    level: str
    selection: Selection

    def choices(self) -> list[Choice]:
        """List those that can be made again: without a limit, and where the unit is no fold."""
        folds = self.resamples.folds
        return [one for one in self.curves if one.criterion not in NEEDS and not folds]

    def of(self, choice: Choice) -> Resampled:
        """Resample what one of them costs."""
        if choice in self.headline:
            known = self.resamples.heights[self.resamples.models.index(choice.model)]
            heights = known[:, np.isin(self.resamples.grid, self.at)]
        else:
            rows = self.drawn.of(choice.model)
            drawn = Drawn(self.drawn, rows, self.at, self.level, self.selection)
            heights = unlimited()[choice.criterion].resampled(drawn)
        curve, estimate = self.curves[choice], self.estimates[choice]
        repeats = self.resamples.repeats
        return joined(curve, estimate, self.at, heights, self.drawn.weights, repeats)


def resampled_criteria(
    predictions: pd.DataFrame,
    hybrids: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    *,
    marked: Sequence[float],
    level: str,
    selection: Mapping[str, Any],
) -> ResampledCriteria:
    """Make what resamples criteria of one dataset; costs are wanted at the `marked` PC(+)."""
    names = ["model", "criterion", "estimate"]
    rows, curves = hybrids[names].drop_duplicates().itertuples(index=False), headline_of(headline)
    return ResampledCriteria(
        {Choice(*name): curve for name, curve in curves_by_criterion(hybrids).items()},
        {Choice(model, criterion): estimate for model, criterion, estimate in rows},
        {
            Choice(model, OF_HEADLINE[kind]): resamples.of(model, curves[model], kind)
            for model, kind in estimates_of(headline).items()
            if kind in OF_HEADLINE
        },
        resampled_instances(predictions, resamples.resamples, resamples.seed),
        resamples,
        evaluation_grid([], marked),
        level,
        Selection.from_plain(selection),
    )
