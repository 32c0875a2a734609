"""What keeps a selection criterion from a model, in plain words: what was found, what to do."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import pandas as pd

from costcurves.tables.names import some
from costcurves.tables.strands import Strands

# Fewer instances of a class say next to nothing about a threshold: of 4 a rate near 1/2 has a
# standard error of 1/4.
FEWEST: Final = 5

Findings = Iterator[str]


def obstacle(criterion: str, strands: Strands) -> str:
    """Say what keeps a criterion from a model.

    Parameters
    ----------
    criterion
        One of `settings.KNOWN_CRITERIA`.
    strands
        The model's strands at level "fold".

    Returns
    -------
    str
        The first thing that does; empty if the criterion applies.
    """
    return next(OBSTACLES.get(criterion, _nothing)(strands), "")


def _nothing(_: Strands) -> Findings:
    yield from ()


def _no_cross_fitting(strands: Strands) -> Findings:
    """Find repeats of one fold, and folds without which too little is left to choose on."""
    folds = strands.folds()
    repeats = folds.groupby("repeat", sort=False)
    alone = folds[repeats["fold"].transform("size") == 1]
    for repeat in alone.loc[alone["fold"] == "", "repeat"]:
        yield (
            f"in repeat {repeat!r} a fold lacks a class, so its folds are pooled and none is left "
            "to choose on: make stratified folds"
        )
    for repeat in alone["repeat"]:
        yield (
            f"repeat {repeat!r} has one fold only, and a choice is made on other folds than it is "
            "judged on: give predictions of cross-validation, or split the test instances into "
            "folds"
        )
    yield from _too_small(folds)


def _too_small(folds: pd.DataFrame) -> Findings:
    totals = folds.groupby("repeat", sort=False)[["negatives", "positives"]].transform("sum")
    others = totals - folds[["negatives", "positives"]]
    for row in np.flatnonzero((others < FEWEST).any(axis=1)):
        repeat, fold = folds[["repeat", "fold"]].iloc[row]
        rest = others.iloc[row]
        yield (
            f"without fold {fold!r} of repeat {repeat!r} there are {rest['positives']} positives "
            f"and {rest['negatives']} negatives to choose on, expected {FEWEST} or more of each: "
            "give more instances, or make more and smaller folds"
        )


def _no_nearest(strands: Strands) -> Findings:
    """Find a model that is no family, and members of a family that can't be the nearest one."""
    if not strands.names["member"].any():
        yield (
            "it is one classifier and no family of members trained for different PC(+): give a "
            "row for each member, with the columns member, train_pc and decision"
        )
    members = strands.decisions.names.drop_duplicates("member")
    if members.empty:
        yield (
            "its members have scores and so many operating points each: give a decision for each "
            "member"
        )
    untold = members.loc[members["train_pc"].isna(), "member"]
    if len(untold):
        yield (
            f"nothing says what its members {some(list(untold), 3)} were trained for: give it in "
            "the column train_pc"
        )
    for train_pc, same in members.groupby("train_pc")["member"]:
        if len(same) > 1:
            yield (
                f"its members {some(list(same), 3)} were trained for the same PC(+), "
                f"{train_pc:.4g}, so none of them is the nearest: give each another train_pc"
            )


def _no_scores(strands: Strands) -> Findings:
    """Find models without the scores of one classifier."""
    if not len(strands.ranking.names):
        if strands.names["crisp"].all():
            yield "it has decisions and no scores, so there is no threshold to set: give scores"
        yield (
            "its members have scores of their own, expected the scores of one classifier: give "
            "each member as a model of its own"
        )


def _no_probabilities(strands: Strands) -> Findings:
    """Find models without scores, and scores that are no probabilities."""
    yield from _no_scores(strands)
    if not strands.ranking.is_probability():
        low, high = strands.ranking.score_range()
        yield (
            f"its scores go from {low:.4g} to {high:.4g}, expected probabilities of the positive "
            "class, from 0 to 1: calibrate them, or leave this criterion out"
        )


def _no_shares(strands: Strands) -> Findings:
    """Find models without scores, and instances that do not count alike."""
    yield from _no_scores(strands)
    yield from _no_cases(strands)


def _no_cases(strands: Strands) -> Findings:
    """Find instances that do not count alike."""
    if strands.is_weighted():
        yield OF_CASES


# Cost-weighted versions would be other criteria: a share of the costs of false positives is no
# FP rate, and what a workforce handles are cases, whatever they cost.
OF_CASES: Final = (
    "it sets a share or a number of cases, and here instances count by their costs: see it where "
    "they count alike"
)

OBSTACLES: Final[dict[str, Callable[[Strands], Findings]]] = {
    "cross-fitted": _no_cross_fitting,
    "nearest-train-pc": _no_nearest,
    "score-driven": _no_probabilities,
    "score-fixed": _no_scores,
    "rate-driven": _no_shares,
    "rate-fixed": _no_shares,
    "neyman-pearson": _no_cases,
    "workforce": _no_cases,
}
