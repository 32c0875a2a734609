"""Choices: the curve of every selection criterion of every model in the same resamples.

The tables `choice_bands` and `choice_intervals` rest on them. There are too many to keep their
resamples in files, so one job makes both tables; the draws are the same again. Curves are looked at
at regular knots and under the marked operating conditions. A headline curve is not resampled anew:
it is what `resampling` has.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.resampled_bands import Resampled, difference
from costcurves.maths.resampled_curves import cross_fitted_at, envelopes_at, knots
from costcurves.maths.resampled_rules import (
    nearest_train_pc_at,
    rate_driven_at,
    rate_fixed_at,
    score_driven_at,
    score_fixed_at,
)
from costcurves.tables.draws import Draws, draws
from costcurves.tables.headline import estimates_of, headline_of
from costcurves.tables.hybrids import curves_by_criterion
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.tables.pairs import paired_models
from costcurves.tables.resampling import Resamples, joined
from costcurves.tables.settings import Selection

Floats = NDArray[np.float64]
OF_HEADLINE: Final = {CROSS_FITTED: "cross-fitted", IN_SAMPLE: "cost-minimizing"}


class Choice(NamedTuple):
    """A model, and the criterion by which its threshold or member is chosen."""

    model: str
    criterion: str


class Judged(NamedTuple):
    """What a choice costs; if there is another, what it costs more than that one."""

    a: Choice
    b: Choice | None
    resampled: Resampled


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of one dataset, in the same resamples.

    Attributes
    ----------
    costs
        What each choice costs, in order of the models and of the criteria; a headline curve is at
        the knots of the headline.
    comparable
        The same at knots that all have.
    headline
        The choices whose curves are headline curves.
    paired
        The models that were predicted on the same instances and folds, if all of them were.
    """

    costs: Mapping[Choice, Resampled]
    comparable: Mapping[Choice, Resampled]
    headline: frozenset[Choice]
    paired: Sequence[str]


def choices(
    predictions: pd.DataFrame,
    hybrids: pd.DataFrame,
    headline: pd.DataFrame,
    resamples: Resamples,
    *,
    marked: Sequence[float],
    level: str,
    selection: Mapping[str, Any],
) -> Choices:
    """Resample the curve of each criterion of each model.

    Parameters
    ----------
    predictions, hybrids, headline
        Tables of one dataset.
    resamples
        The headline curves in resamples.
    marked
        PC(+) at which costs are wanted.
    level, selection
        Of the study; the latter plain.

    Returns
    -------
    Choices
        A criterion without a way of resampling is not among them. Where the unit of the study is
        the fold, only headline curves are, and there is nothing to compare.
    """
    drawn = draws(predictions, resamples.resamples, resamples.seed)
    at, chosen = knots([], marked), Selection.from_plain(selection)
    heads = headlines(headline, resamples)
    costs, comparable = {}, {}
    names = ["model", "criterion", "estimate"]
    estimates = {(a, b): c for a, b, c in hybrids[names].drop_duplicates().itertuples(index=False)}
    for (model, criterion), curve in curves_by_criterion(hybrids).items():
        choice = Choice(model, criterion)
        if choice in heads:
            costs[choice] = heads[choice]
        if criterion in RESAMPLED and not resamples.folds:
            if choice in heads:
                heights = thinned(resamples, model, at)
            else:
                heights = RESAMPLED[criterion](drawn, model, at, level, chosen)
            own = joined(curve, estimates[choice], at, heights, drawn.weights)
            comparable[choice] = own
            costs.setdefault(choice, own)
    models = list(dict.fromkeys(choice.model for choice in costs))
    return Choices(costs, comparable, frozenset(heads), paired_models(predictions, models))


def headlines(headline: pd.DataFrame, resamples: Resamples) -> dict[Choice, Resampled]:
    """Give the headline curves that are choices; a decision that was fixed in advance is none."""
    curves = headline_of(headline)
    return {
        Choice(model, OF_HEADLINE[estimate]): resamples.of(model, curves[model], estimate)
        for model, estimate in estimates_of(headline).items()
        if estimate in OF_HEADLINE
    }


def thinned(resamples: Resamples, model: str, at: Floats) -> Floats:
    """Take the heights of a headline curve at some of its knots."""
    heights = resamples.heights[resamples.models.index(model)]
    found: Floats = heights[:, np.isin(resamples.knots, at)]
    return found


def judged(found: Choices) -> Iterator[Judged]:
    """Go through all that can be said: costs, criteria of one model, models under one criterion.

    Of two criteria the later one is `a` and the earlier one `b`, so that what is subtracted is the
    cross-fitted choice wherever that is one of them; of two models the earlier one is `a`.
    """
    for choice, cost in found.costs.items():
        yield Judged(choice, None, cost)
    for b, a in combinations(found.comparable, 2):
        if a.model == b.model:
            yield _more(found, a, b)
    for a, b in combinations(found.comparable, 2):
        if a.criterion == b.criterion and {a.model, b.model} <= set(found.paired):
            yield _more(found, a, b)


def banded(found: Choices) -> list[Judged]:
    """List what is to have bands of its own: costs, regrets, and models under one criterion.

    The headline curves and the differences between them have theirs already.
    """
    return [
        one
        for one in judged(found)
        if not {one.a, one.b or one.a} <= found.headline
        and (one.b is None or one.b.criterion in {"cross-fitted", one.a.criterion})
    ]


def _more(found: Choices, a: Choice, b: Choice) -> Judged:
    return Judged(a, b, difference(found.comparable[a], found.comparable[b]))


def envelopes(drawn: Draws, model: str, at: Floats, level: str) -> Floats:
    """Resample the mean of a model's lower envelopes at a level."""
    predicted, _ = drawn.predicted(drawn.of(model), level)
    return envelopes_at(predicted, drawn.weights, at)


def cross_fitting(drawn: Draws, model: str, at: Floats) -> Floats:
    """Resample a model's cross-fitted curve."""
    predicted, folds = drawn.predicted(drawn.of(model), "fold")
    return cross_fitted_at(predicted, _repeats(folds), drawn.weights, at)


def _repeats(folds: pd.DataFrame) -> NDArray[np.int64]:
    return pd.factorize(folds["repeat"])[0]


def _ranking(drawn: Draws, model: str) -> pd.DataFrame:
    """Give the rows with the scores of a model that is no family."""
    rows = drawn.of(model)
    return rows[~rows["crisp"] & rows["member"].eq("")]


def _cross_fitted(drawn: Draws, model: str, at: Floats, _: str, __: Selection) -> Floats:
    return cross_fitting(drawn, model, at)


def _cost_minimizing(drawn: Draws, model: str, at: Floats, level: str, _: Selection) -> Floats:
    return envelopes(drawn, model, at, level)


def _nearest_train_pc(drawn: Draws, model: str, at: Floats, _: str, __: Selection) -> Floats:
    rows = drawn.of(model)
    rows = rows[rows["crisp"] & rows["member"].ne("")]
    trained = rows.drop_duplicates("member")["train_pc"].to_numpy()
    predicted, folds = drawn.predicted(rows, "fold")
    return nearest_train_pc_at(predicted, trained, _repeats(folds), drawn.weights, at)


def _score_driven(drawn: Draws, model: str, at: Floats, _: str, __: Selection) -> Floats:
    predicted, folds = drawn.predicted(_ranking(drawn, model), "fold")
    return score_driven_at(predicted, _repeats(folds), drawn.weights, at)


def _score_fixed(drawn: Draws, model: str, at: Floats, _: str, selection: Selection) -> Floats:
    predicted, folds = drawn.predicted(_ranking(drawn, model), "fold")
    threshold = selection.score_threshold
    return score_fixed_at(predicted, threshold, _repeats(folds), drawn.weights, at)


def _rate_driven(drawn: Draws, model: str, at: Floats, _: str, __: Selection) -> Floats:
    predicted, folds = drawn.predicted(_ranking(drawn, model), "fold")
    return rate_driven_at(predicted, _repeats(folds), drawn.weights, at)


def _rate_fixed(drawn: Draws, model: str, at: Floats, _: str, selection: Selection) -> Floats:
    predicted, folds = drawn.predicted(_ranking(drawn, model), "fold")
    rate = float(predicted.label.mean()) if selection.rate is None else selection.rate
    return rate_fixed_at(predicted, rate, _repeats(folds), drawn.weights, at)


Resampling = Callable[[Draws, str, Floats, str, Selection], Floats]

RESAMPLED: Final[dict[str, Resampling]] = {
    "cross-fitted": _cross_fitted,
    "cost-minimizing": _cost_minimizing,
    "nearest-train-pc": _nearest_train_pc,
    "score-driven": _score_driven,
    "score-fixed": _score_fixed,
    "rate-driven": _rate_driven,
    "rate-fixed": _rate_fixed,
}
