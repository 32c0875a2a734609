"""Choices: the curve of every selection criterion of every model in the same resamples.

The tables `choice_bands` and `choice_intervals` rest on them. There are too many to keep their
resamples in files, so one job makes both tables; the draws are the same again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import pandas as pd

from costcurves.maths.resampled_bands import Resampled, difference
from costcurves.tables.inference.resampled_instances import paired_models
from costcurves.tables.selection.resampled_criteria import Choice, ResampledCriteria


class Judged(NamedTuple):
    """What a choice costs; if there is another, what it costs more than that one."""

    a: Choice
    b: Choice | None
    resampled: Resampled


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of one dataset, in the same resamples."""

    costs: Mapping[Choice, Resampled]  # headline curves on the evaluation grid of the headline
    comparable: Mapping[Choice, Resampled]  # the same, all on one evaluation grid
    headline: frozenset[Choice]  # those whose curves are headline curves
    paired: Sequence[str]  # models predicted on the same instances and folds: all, or none


def choices(predictions: pd.DataFrame, resampled_criteria: ResampledCriteria) -> Choices:
    """Resample the curve of each criterion of each model, where there is a way to.

    Where the unit of the study is the fold, there are only headline curves and nothing to compare.
    """
    comparable = {one: resampled_criteria.of(one) for one in resampled_criteria.choices()}
    headline = resampled_criteria.headline
    both = {**comparable, **headline}
    costs = {one: both[one] for one in resampled_criteria.curves if one in both}
    models = list(dict.fromkeys(choice.model for choice in costs))
    return Choices(costs, comparable, frozenset(headline), paired_models(predictions, models))


def judged(found: Choices) -> Iterator[Judged]:
    """Go through all that can be said: costs, criteria of one model, models under one criterion.

    Of two criteria the later one is `a` and the earlier one `b`, so that what is subtracted is the
    cross-fitted choice wherever that is one of them; of two models the earlier one is `a`.
    """
    return (_judged(found, a, b) for a, b in _named(found))


def banded(found: Choices) -> list[Judged]:
    """List what is to have bands of its own: costs, regrets, and models under one criterion.

    The headline curves and the differences between them have theirs already.
    """
    return [
        _judged(found, a, b)
        for a, b in _named(found)
        if not {a, b or a} <= found.headline
        and (b is None or b.criterion in {"cross-fitted", a.criterion})
    ]


def _named(found: Choices) -> Iterator[tuple[Choice, Choice | None]]:
    """Name what can be said, in the order of `judged`."""
    for choice in found.costs:
        yield choice, None
    for b, a in combinations(found.comparable, 2):
        if a.model == b.model:
            yield a, b
    for a, b in combinations(found.comparable, 2):
        if a.criterion == b.criterion and {a.model, b.model} <= set(found.paired):
            yield a, b


def _judged(found: Choices, a: Choice, b: Choice | None) -> Judged:
    if b is None:
        return Judged(a, None, found.costs[a])
    return Judged(a, b, difference(found.comparable[a], found.comparable[b]))
