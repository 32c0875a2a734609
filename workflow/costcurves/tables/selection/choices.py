"""Choices: the curve of every selection criterion of every model, chosen again in each resample.

The resamples are the same for all of them; a headline curve is not resampled anew: it is what
`resampling` has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.maths.chance.resampled_bands import Resampled, difference
from costcurves.maths.chance.resampled_criteria import OfFolds, regret, stretched
from costcurves.maths.chance.resampled_curves import evaluation_grid
from costcurves.maths.geometry.curves import Curve
from costcurves.settings import NEEDS, Selection
from costcurves.tables.curves.headline import estimates_of, headline_of
from costcurves.tables.inference.resampling import (
    ResampledInstances,
    Resamples,
    joined,
    resampled_instances,
)
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
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
        """List those that can be made again: without a limit."""
        return [one for one in self.curves if one.criterion not in NEEDS]

    def of(self, choice: Choice) -> Resampled:
        """Resample what one of them costs."""
        if choice in self.headline:
            known = self.resamples.heights[self.resamples.models.index(choice.model)]
            # A place may be there as another rounding, that of a break of a curve.
            off = np.abs(self.resamples.grid[:, np.newaxis] - self.at)
            heights = known[:, off.argmin(axis=0)]
        else:
            heights = unlimited()[choice.criterion].resampled(self._drawn(choice.model))
        curve, estimate = self.curves[choice], self.estimates[choice]
        repeats = self.resamples.repeats
        found = joined(curve, estimate, self.at, heights, self.drawn.weights, repeats)
        return stretched(found, self._of_folds.get(choice))

    def compared(self, a: Choice, b: Choice, of: Mapping[Choice, Resampled]) -> Resampled:
        """Subtract what one of them costs from another; `of` is what each costs."""
        by_rule = not {a.criterion, b.criterion} <= {*OF_HEADLINE.values()}
        found = (regret if by_rule and a.model == b.model else difference)(of[a], of[b])
        one, other = self._of_folds.get(a), self._of_folds.get(b)
        if one is None or other is None:
            return found
        return stretched(found, one._replace(heights=one.heights - other.heights))

    @cached_property
    def _of_folds(self) -> dict[Choice, OfFolds | None]:
        """The curves on each fold of what is met by ranks, where folds are small."""
        each = {one: unlimited()[one.criterion] for one in self.choices()}
        return {one: it.of_folds(self._drawn(one.model)) for one, it in each.items()}

    def _drawn(self, model: str) -> Drawn:
        return Drawn(self.drawn, model, self.at, self.level, self.selection)


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
        resampled_instances(predictions, resamples.resamples, resamples.seed, resamples.dataset),
        resamples,
        evaluation_grid([], marked),
        level,
        Selection.from_plain(selection),
    )
