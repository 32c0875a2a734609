"""The curve of every threshold rule of every model in resamples, the same draws for all.

A headline curve is not resampled anew: it is what `resampling` has.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_criteria import OfFolds, on_small_folds, regret, stretched
from costcurves.chance.resampled_curves import Choose, chosen_again_at, evaluation_grid, kept_at
from costcurves.chance.resamples import ResampledInstances, Resamples, joined, resampled_instances
from costcurves.choosing.choice import Chosen, Counts
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.choosing.hybrids import curves_by_criterion
from costcurves.choosing.rules import RULES, Rule, Setting
from costcurves.counts.elementwise import FloatArray
from costcurves.curves.curves import Curve
from costcurves.settings import NEEDS, Selection
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE

# A decision that was fixed in advance is no choice.
OF_HEADLINE: Final = {CROSS_FITTED: "cross-fitted", IN_SAMPLE: "cost-minimizing"}


class Ruled(NamedTuple):
    """A model, and the rule by which its threshold or member is chosen."""

    model: str
    criterion: str


def rule_heights(
    rule: Rule,
    drawn: ResampledInstances,
    model: str,
    at: FloatArray,
    level: str = "fold",
    selection: Selection | None = None,
) -> FloatArray:
    """Resample the curve of a rule: (resamples, pc) heights at these PC(+)."""
    if rule.judged in ("folds", "curves"):
        return drawn.heights(model, rule.kind, level, at)
    rows, choose = _asked(rule, drawn, model, selection or Selection())
    predicted, repeats = drawn.folds(rows)
    if rule.again:
        return chosen_again_at(choose, predicted, repeats, drawn.weights, at)
    train_pc = None
    if rule.judged == "members":
        train_pc = rows.drop_duplicates("member")["train_pc"].to_numpy()
    return kept_at(choose, predicted, repeats, drawn.weights, at, train_pc)


def _asked(
    rule: Rule, drawn: ResampledInstances, model: str, selection: Selection
) -> tuple[pd.DataFrame, Choose]:
    """Return the rows that a rule is for, and the rule with what it is to keep to."""
    rows = drawn.of(model)
    is_member = rows["member"].ne("")
    of_members = rule.judged == "members"
    rows = rows[rows["crisp"] & is_member if of_members else ~rows["crisp"] & ~is_member]
    setting = Setting(selection, float(rows["label"].mean()))

    def choose(counts: Counts, places: FloatArray) -> Chosen:
        return rule.choose(counts, setting, places)

    return rows, choose


@dataclass(frozen=True, eq=False)
class ResampledCriteria:
    """Resamples what rules of one dataset cost, each in the same resamples."""

    curves: Mapping[Ruled, Curve]
    estimates: Mapping[Ruled, str]
    headline: Mapping[Ruled, Resampled]  # those whose curves are headline curves
    drawn: ResampledInstances
    resamples: Resamples  # of the headline curves, in the same draws
    at: FloatArray  # PC(+) of the evaluation grid
    level: str
    selection: Selection

    def choices(self) -> list[Ruled]:
        """List those that can be made again: without a limit."""
        return [one for one in self.curves if one.criterion not in NEEDS]

    def of(self, choice: Ruled) -> Resampled:
        """Resample what one of them costs."""
        if choice in self.headline:
            known = self.resamples.heights[self.resamples.models.index(choice.model)]
            # A place may be there as another rounding, that of a break of a curve.
            off = np.abs(self.resamples.grid[:, np.newaxis] - self.at)
            heights = known[:, off.argmin(axis=0)]
        else:
            rule = RULES[choice.criterion]
            heights = rule_heights(
                rule, self.drawn, choice.model, self.at, self.level, self.selection
            )
        curve, estimate = self.curves[choice], self.estimates[choice]
        repeats = self.resamples.repeats
        whole = joined(curve, estimate, self.at, heights, self.drawn.weights, repeats)
        return stretched(whole, self._of_folds.get(choice))

    def compared(self, a: Ruled, b: Ruled, of: Mapping[Ruled, Resampled]) -> Resampled:
        """Subtract what one of them costs from another; `of` is what each costs."""
        by_rule = not {a.criterion, b.criterion} <= {*OF_HEADLINE.values()}
        more = (regret if by_rule and a.model == b.model else difference)(of[a], of[b])
        folds_a, folds_b = self._of_folds.get(a), self._of_folds.get(b)
        if folds_a is None or folds_b is None:
            return more
        return stretched(more, folds_a._replace(heights=folds_a.heights - folds_b.heights))

    @cached_property
    def _of_folds(self) -> dict[Ruled, OfFolds | None]:
        """The curves on each fold of what is met by ranks, where folds are small."""
        each = {}
        for choice in self.choices():
            rule = RULES[choice.criterion]
            if rule.again and rule.judged == "scores":
                rows, choose = _asked(rule, self.drawn, choice.model, self.selection)
                again = partial(chosen_again_at, choose, grid=self.at)
                each[choice] = on_small_folds(again, *self.drawn.folds(rows), self.drawn.weights)
        return each


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
    """Make what resamples rules of one dataset; costs are wanted at the `marked` PC(+)."""
    names = ["model", "criterion", "estimate"]
    rows, curves = hybrids[names].drop_duplicates().itertuples(index=False), headline_of(headline)
    return ResampledCriteria(
        {Ruled(*name): curve for name, curve in curves_by_criterion(hybrids).items()},
        {Ruled(model, criterion): estimate for model, criterion, estimate in rows},
        {
            Ruled(model, OF_HEADLINE[kind]): resamples.of(model, curves[model], kind)
            for model, kind in estimates_of(headline).items()
            if kind in OF_HEADLINE
        },
        resampled_instances(predictions, resamples.resamples, resamples.seed, resamples.dataset),
        resamples,
        evaluation_grid([], marked),
        level,
        Selection.from_plain(selection),
    )
