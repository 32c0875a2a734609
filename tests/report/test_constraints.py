"""Sentences about what held-out folds made of a limit."""

import pytest

from costcurves.report.choosing import kept
from costcurves.report.document import Model, Values
from tests.said import say

NAN = float("nan")


def limit(criterion: str, bound: float, *held_out: float, folds: int = 10) -> Values:
    rows = tuple(
        Values(model=Model(name, 0), held_out=value, folds=folds)
        for name, value in zip("ABCD", held_out, strict=False)
    )
    return Values(criterion=criterion, limit=bound, rows=rows)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            limit("neyman-pearson", 0.1, 0.12, 0.09, 0.11),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.090 (B) to 0.120 "
            "(A) on the folds held out: on average 2 of 3 models exceed it.",
        ),
        (
            limit("workforce", 62.4, 62.4 + 1e-12, 60.0),
            "A capacity of 62.4 cases, kept on the other folds, came to 60 (B) to 62.4 (A) "
            "on the folds held out: on average neither model exceeds the limit.",
        ),
        (
            limit("workforce", 30.0, 31.25, 29.0),
            "A capacity of 30 cases, kept on the other folds, came to 29 (B) to 31.25 (A) "
            "on the folds held out: on average 1 of 2 models exceeds it.",
        ),
        (
            limit("neyman-pearson", 0.1, 0.2, 0.3),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.200 (A) to 0.300 "
            "(B) on the folds held out: on average both models exceed it.",
        ),
        (
            limit("neyman-pearson", 0.1, 0.2),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.200 (A) on the "
            "folds held out: above the limit on average.",
        ),
        (
            limit("neyman-pearson", 0.1, 0.05),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.050 (A) on the "
            "folds held out: within the limit on average.",
        ),
        (
            limit("workforce", 30.0, NAN, NAN, folds=0),
            "A capacity of 30 cases: without other cases to choose on it is not known whether new "
            "data keep it.",
        ),
    ],
)
def test_what_became_of_a_limit_is_said(found: Values, sentence: str) -> None:
    assert say("kept", kept(found), "", of="choosing") == sentence
