"""Constants that prose states are those of the code that it speaks of."""

import re

import numpy as np
import pytest

from costcurves.chance.resampling import degrees_of_freedom, weights
from costcurves.code import REPORT
from costcurves.report import answer, measured

METHODS = "templates/parts/methods.html.j2"


def words(file: str) -> str:
    """What a template says, without tags."""
    text = (REPORT / file).read_text("utf-8").replace("&nbsp;", " ")
    return " ".join(re.sub(r"</?[a-z]\w*[^>{}]*>", "", text).split())


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (METHODS, f"Simulated at a nominal {100 * measured.NOMINAL:g} %"),
        (METHODS, f"if confidence != {measured.NOMINAL:g} %"),
        (METHODS, f"by more than {100 * measured.MISSED:g} % and two standard errors"),
        ("templates/answer.j2", f"per {answer.CASES} cases"),
        ("templates/answer.html.j2", f"; amounts and mistakes are of {answer.CASES} cases"),
    ],
)
def test_constants_are_those_of_the_code(file: str, sentence: str) -> None:
    assert sentence in words(file)


def test_resamples_are_of_as_many_instances_and_degrees_of_freedom_as_is_said() -> None:
    assert "drawn with replacement within their class, one fewer than it has" in words(METHODS)
    assert "n m/(n + m) degrees of freedom, of n negatives and m positives" in words(METHODS)
    assert degrees_of_freedom(7, 3) == 21 / 10
    label = np.repeat([0, 1], [7, 3])
    drawn = weights(label, 5, np.random.default_rng(1)).drawn
    assert {*drawn[:, :7].sum(axis=1)} == {6}
    assert {*drawn[:, 7:].sum(axis=1)} == {2}
