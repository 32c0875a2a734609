"""Obstacles: what keeps a threshold rule from a model, and what to do about it."""

from collections.abc import Callable
from typing import Final

from costcurves.choosing.classifiers import Classifiers
from costcurves.names import some

Needs = Callable[[Classifiers], str]  # the first obstacle, in words; empty: there is none

# Fewer instances of a class say next to nothing about a threshold: of 4 a rate near 1/2 has a
# standard error of 1/4.
FEWEST: Final = 5
# Cost-weighted versions would be other criteria: a share of the costs of false positives is no
# FP rate, and what a workforce handles are cases, whatever they cost.
OF_CASES: Final = (
    "it sets a share or a number of cases, and here instances count by their costs or weights; of "
    "costs see it with unweighted instances"
)


def none(_: Classifiers) -> str:
    """Return nothing: the rule applies to every model."""
    return ""


def folds(classifiers: Classifiers) -> str:
    """Return why thresholds cannot be chosen on other folds than they are judged on."""
    names, sizes = classifiers.others.folds(), ["negatives", "positives"]
    repeats = names.groupby("repeat", sort=False)
    others = repeats[sizes].transform("sum") - names[sizes]
    few = (others < FEWEST).any(axis=1)
    if not few.any():
        return ""
    split = classifiers.split is not None
    if split or len(names) == len(repeats):
        if classifiers.is_weighted() and not split:
            return (
                "it has one fold only, and split at random some folds have no instance of a class "
                "that costs anything: give predictions of cross-validation, or split the test "
                "instances into folds"
            )
        whole = classifiers.folds().iloc[0]
        return (
            f"there are {whole['positives']} positives and {whole['negatives']} negatives, too few "
            "to choose a threshold on some of them and judge it on the others: give "
            f"{FEWEST + 1} or more of each"
        )
    row = int(few.to_numpy().argmax())
    repeat, fold = names[["repeat", "fold"]].iloc[row]
    rest = others.iloc[row]
    return (
        f"without fold {fold!r} of repeat {repeat!r} there are {rest['positives']} positives and "
        f"{rest['negatives']} negatives to choose on, expected {FEWEST} or more of each: give more "
        "instances, or make more and smaller folds"
    )


def scores(classifiers: Classifiers) -> str:
    """Return why there are no scores of one classifier."""
    if len(classifiers.ranking.names):
        return ""
    if classifiers.names["crisp"].all():
        return "it has decisions and no scores, so there is no threshold to set: give scores"
    return (
        "its members have scores of their own, expected the scores of one classifier: give each "
        "member as a model of its own"
    )


def probabilities(classifiers: Classifiers) -> str:
    """Return why there are no scores of one classifier that are probabilities."""
    obstacle = scores(classifiers)
    if obstacle or classifiers.ranking.is_probability():
        return obstacle
    low, high = classifiers.ranking.score_range()
    return (
        f"its scores go from {low:.4g} to {high:.4g}, expected probabilities of the positive "
        "class, from 0 to 1: calibrate them, or leave this criterion out"
    )


def members(classifiers: Classifiers) -> str:
    """Return why there is no family of members that decide, each trained for another PC(+)."""
    if not classifiers.names["member"].any():
        return (
            "it is one classifier and no family of members trained for different PC(+): give a row "
            "for each member, with the columns member, train_pc and decision"
        )
    names = classifiers.decisions.names.drop_duplicates("member")
    if names.empty:
        return (
            "its members have scores and so many operating points each: give a decision for each "
            "member"
        )
    untrained = names.loc[names["train_pc"].isna(), "member"]
    if len(untrained):
        return (
            f"nothing says what its members {some(list(untrained), 3)} were trained for: give it "
            "in the column train_pc"
        )
    for train_pc, same in names.groupby("train_pc")["member"]:
        if len(same) > 1:
            return (
                f"its members {some(list(same), 3)} were trained for the same PC(+), "
                f"{train_pc:.4g}, so none of them is the nearest: give each another train_pc"
            )
    return ""
