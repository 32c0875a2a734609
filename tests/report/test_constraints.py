"""Sentences about what held-out folds made of a limit."""

import pytest

from costcurves.report.appendix import Limit, limit_of
from tests.said import say

NAN = float("nan")


def limit(criterion: str, bound: float, *held_out: float, folds: int = 10) -> Limit:
    models = zip("ABCD", held_out, strict=False)
    rows = [{"model": name, "held_out": value, "folds": folds} for name, value in models]
    return limit_of(criterion, bound, rows)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            limit("neyman-pearson", 0.1, 0.12, 0.09, 0.11),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.090 (B) to 0.120 "
            "(A) on the folds held out: 2 of 3 models exceed it on average.",
        ),
        (
            limit("workforce", 62.4, 62.4 + 1e-12, 60.0),
            "A capacity of 62.4 cases, kept on the other folds, came to 60 (B) to 62.4 (A) "
            "on the folds held out: 0 of 2 models exceed it on average.",
        ),
        (
            limit("workforce", 30.0, 31.25, 29.0),
            "A capacity of 30 cases, kept on the other folds, came to 29 (B) to 31.25 (A) "
            "on the folds held out: 1 of 2 models exceeds it on average.",
        ),
        (
            limit("neyman-pearson", 0.1, 0.2, 0.3),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.200 (A) to 0.300 "
            "(B) on the folds held out: 2 of 2 models exceed it on average.",
        ),
        (
            limit("neyman-pearson", 0.1, 0.2),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.200 (A) on the "
            "folds held out: 1 of 1 model exceeds it on average.",
        ),
        (
            limit("neyman-pearson", 0.1, 0.05),
            "An FP rate of at most 0.1, kept on the other folds, came to 0.050 (A) on the "
            "folds held out: 0 of 1 model exceed it on average.",
        ),
        (
            limit("workforce", 30.0, NAN, NAN, folds=0),
            "A capacity of 30 cases: without other cases to choose on it is not known whether new "
            "data keep it.",
        ),
    ],
)
def test_what_became_of_a_limit_is_said(found: Limit, sentence: str) -> None:
    assert say("kept", found) == sentence
