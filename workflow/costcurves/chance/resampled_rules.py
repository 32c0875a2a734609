"""What threshold rules cost in resamples: the curve of every rule of every model, the same draws.

A headline curve is not resampled anew: it is what `resamples` has. Bands are as in
`resampled_bands`, but for two things; what they cover is in tests/simulations/results/choices.json.

Regrets. A threshold or a rate that is set in advance makes mistakes at PC(+) = 0 and 1, too. So
what it costs more than choice is not surer towards the ends, as a difference of two cost curves is:
the floor below its spread does not fall there.

Small folds. A rate of positive predictions is met by ranks within a fold. Where a fold has fewer
than `FEW` instances of a class, more than one in a hundred resamples lack that class there and
leave it as it was, so that they spread too little. They are then stretched until they spread, at
every PC(+), at least by the standard error over folds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from costcurves.chance.resampled_bands import Resampled, difference
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampled_curves import (
    Heights,
    chosen_again_at,
    evaluation_grid,
    kept_at,
)
from costcurves.chance.resamples import ResampledInstances, Resamples, joined, resampled_instances
from costcurves.chance.resampling import Weights
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.choosing.rules import RULES, Rule, Setting
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import curves_of
from costcurves.settings import NEEDS, Selection
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE

FEW: Final = 5


class OfFolds(NamedTuple):
    """The curve of a rule on each fold."""

    heights: FloatArray  # (folds, pc) on the evaluation grid
    repeat: IntArray  # (folds,) codes: the repeat of each


def regret(a: Resampled, b: Resampled) -> Resampled:
    """Subtract what one criterion costs from another of the same model, as `difference` does.

    The spread of its simultaneous band is nowhere less than the largest of resamples.
    """
    return replace(difference(a, b), flat=True)


def on_small_folds(
    heights: Heights,
    predicted: Predicted,
    repeats: ArrayLike,
    weights: Weights,
    grid: FloatArray,
) -> OfFolds | None:
    """Compute the curve of a rule on each fold, if a fold has few instances of a class.

    Parameters are those of `chosen_again_at`. A repeat of one fold alone has no standard error over
    folds.
    """
    repeat = np.asarray(repeats)
    smallest = np.bincount(2 * predicted.curve + predicted.label, minlength=2 * len(repeat)).min()
    if smallest >= FEW or np.bincount(repeat).min() < 2:
        return None
    once = replace(weights, drawn=np.ones_like(weights.drawn[:1]), share=np.ones((1, 2)))
    each = []
    for fold in predicted.parted(predicted.curve):
        alone = replace(fold, curve=np.zeros_like(fold.curve))
        each.append(chosen_again_at([heights], alone, [0], once, grid)[0])
    return OfFolds(np.concatenate(each), repeat)


def stretched(resampled: Resampled, of_folds: OfFolds | None) -> Resampled:
    """Let resamples spread at least by the standard error over folds, at every PC(+)."""
    return resampled if of_folds is None else resampled.stretched(standard_error(of_folds))


def standard_error(of_folds: OfFolds) -> FloatArray:
    """Compute the (pc,) standard error over the folds of a repeat, its mean square over repeats.

    >>> heights = np.array([[0.1], [0.3], [0.2], [0.2]])
    >>> standard_error(OfFolds(heights, np.array([0, 0, 1, 1]))).round(4).tolist()
    [0.0707]
    """
    squares = []
    for repeat in np.unique(of_folds.repeat):
        heights = of_folds.heights[of_folds.repeat == repeat]
        squares.append(heights.var(axis=0, ddof=1) / len(heights))
    error: FloatArray = np.sqrt(np.mean(squares, axis=0))
    return error


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
    """Resample the curve of a rule that keeps its choices: (resamples, pc) heights at these PC(+).

    That of cross-fitted or of least cost, too.
    """
    if rule.judged in ("folds", "curves"):
        return drawn.heights(model, rule.kind, level, at)
    rows, setting = _asked(rule, drawn, model, selection or Selection())
    train_pc = None
    if rule.judged == "members":
        train_pc = rows.drop_duplicates("member")["train_pc"].to_numpy()
    choose = partial(rule.choose, setting=setting)
    return kept_at(choose, *drawn.folds(rows), drawn.weights, at, train_pc)


def _asked(
    rule: Rule, drawn: ResampledInstances, model: str, selection: Selection
) -> tuple[pd.DataFrame, Setting]:
    """Return the rows that a rule chooses among, and the limits that it keeps."""
    rows = drawn.of(model)
    is_member = rows["member"].ne("")
    of_members = rule.judged == "members"
    rows = rows[rows["crisp"] & is_member if of_members else ~rows["crisp"] & ~is_member]
    return rows, Setting(selection, float(rows["label"].mean()))


@dataclass(frozen=True, eq=False, kw_only=True)
class ResampledCriteria:
    """Resamples what rules of one dataset cost, each in the same resamples."""

    curves: Mapping[Ruled, tuple[Curve, str]]  # each with its kind of estimate
    headline: Mapping[Ruled, Resampled]  # those whose curves are headline curves
    drawn: ResampledInstances
    resamples: Resamples  # of the headline curves, in the same draws
    at: FloatArray  # PC(+) of the evaluation grid
    level: str
    selection: Selection

    def choices(self) -> list[Ruled]:
        """List those that can be made again: without a limit."""
        return [choice for choice in self.curves if choice.criterion not in NEEDS]

    def of(self, choices: Sequence[Ruled]) -> dict[Ruled, Resampled]:
        """Resample what some rules of one model cost; those that choose again share their draws."""
        again = [choice for choice in choices if RULES[choice.criterion].again]
        heights: dict[Ruled, FloatArray] = {}
        if again:
            rules, of_model = self._choosing(again)
            each = chosen_again_at(rules, *of_model, self.drawn.weights, self.at)
            heights = dict(zip(again, each, strict=True))
        resampled = {}
        for choice in choices:
            known = heights[choice] if choice in heights else self._known(choice)
            whole = joined(
                *self.curves[choice], self.at, known, self.drawn.weights, self.resamples.repeats
            )
            resampled[choice] = stretched(whole, self._of_folds.get(choice))
        return resampled

    def _known(self, choice: Ruled) -> FloatArray:
        """Return (resamples, pc) heights of a headline curve, or of a rule that chooses once."""
        model, rule = choice.model, RULES[choice.criterion]
        if choice not in self.headline:
            return rule_heights(rule, self.drawn, model, self.at, self.level, self.selection)
        known = self.resamples.heights[self.resamples.models.index(model)]
        # A place may be there as another rounding, that of a break of a curve.
        off = np.abs(self.resamples.grid[:, np.newaxis] - self.at)
        return np.asarray(known[:, off.argmin(axis=0)])

    def _choosing(
        self, choices: Sequence[Ruled]
    ) -> tuple[list[Heights], tuple[Predicted, IntArray]]:
        """Return what rules of one model cost, of counts, and the folds to count in."""
        rules = [RULES[choice.criterion] for choice in choices]
        rows, setting = _asked(rules[0], self.drawn, choices[0].model, self.selection)
        return [partial(rule.heights, setting=setting) for rule in rules], self.drawn.folds(rows)

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
            if RULES[choice.criterion].again:
                (heights,), of_model = self._choosing([choice])
                each[choice] = on_small_folds(heights, *of_model, self.drawn.weights, self.at)
        return each


def resampled_criteria(
    predictions: pd.DataFrame,
    hybrids: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    *,
    marked: Sequence[float],
    level: str,
    selection: Selection,
) -> ResampledCriteria:
    """Make what resamples rules of one dataset; costs are wanted at the `marked` PC(+)."""
    curves = headline_of(headline)
    return ResampledCriteria(
        curves={
            Ruled(row["model"], row["criterion"]): (curve, row["estimate"])
            for row, curve in curves_of(hybrids, ["model", "criterion", "estimate"])
        },
        headline={
            Ruled(model, OF_HEADLINE[kind]): resamples.of(model, curves[model], kind)
            for model, kind in estimates_of(headline).items()
            if kind in OF_HEADLINE
        },
        drawn=resamples.drawn
        or resampled_instances(predictions, resamples.resamples, resamples.seed, resamples.dataset),
        resamples=resamples,
        at=evaluation_grid([], marked),
        level=level,
        selection=selection,
    )
