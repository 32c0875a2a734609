"""Constants, factors and directions that prose states are those of the code that it speaks of."""

import re

import numpy as np
import pytest

from costcurves.chance.resampled_bands import Resampled
from costcurves.chance.resampling import degrees_of_freedom, weights
from costcurves.code import PACKAGE, REPORT
from costcurves.curves.cost_space import cost_point_to_roc_line, ratio_from_pc
from costcurves.curves.curves import line
from costcurves.figures import decision_curves
from costcurves.ranking.net_benefit import pc_at
from costcurves.report import answer, measured, thresholds

NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PLAIN = {ord("\N{MINUS SIGN}"): "-", ord("\N{RIGHT SINGLE QUOTATION MARK}"): "'"}
METHODS, FIGURES = "templates/parts/methods.html.j2", "figures/words"


def words(file: str) -> str:
    """What a template says, without tags, and with the signs of a keyboard."""
    path = next(folder / file for folder in (REPORT, PACKAGE) if (folder / file).is_file())
    text = path.read_text("utf-8").translate(PLAIN).replace("&nbsp;", " ")
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


def test_constants_that_have_words_of_their_own() -> None:
    assert decision_curves.BELOW == -1 / 4
    caption = words(f"{FIGURES}/decision_curves.txt.j2")
    assert "they fall a quarter of the share of positives below zero" in caption
    assert sum(min(pc, 1 - pc) for pc in np.linspace(0, 1, 2001)) / 2000 == pytest.approx(0.25)
    assert "No model: area 0.250" in words("templates/parts/cost_curves.html.j2")
    assert thresholds.NOTHING == ("never", "always")


def test_the_simultaneous_band_has_the_shape_that_is_said() -> None:
    assert "± c max{s, 4 PC(+) (1 - PC(+)) max s}" in words(METHODS)
    grid = np.array([0.0, 0.1, 0.4, 1.0])
    spread = np.array([0.01, 0.02, 0.05, 0.03])
    nothing = np.zeros(4)
    resampled = Resampled.__new__(Resampled)
    vars(resampled).update(grid=grid, spread=spread, least=nothing, events=nothing)
    expected = [max(s, 4 * pc * (1 - pc) * 0.05) for s, pc in zip(spread, grid, strict=True)]
    assert resampled.wide == pytest.approx(expected)


def test_resamples_are_of_as_many_instances_and_degrees_of_freedom_as_is_said() -> None:
    assert "drawn with replacement within their class, one fewer than it has" in words(METHODS)
    assert "n m/(n + m) degrees of freedom, of n negatives and m positives" in words(METHODS)
    assert degrees_of_freedom(7, 3) == 21 / 10
    label = np.repeat([0, 1], [7, 3])
    drawn = weights(label, 5, np.random.default_rng(1)).drawn
    assert {*drawn[:, :7].sum(axis=1)} == {6}
    assert {*drawn[:, 7:].sum(axis=1)} == {2}


def test_rates_and_lines_are_what_formulas_say() -> None:
    text = words(METHODS)
    assert "NEC = FN · PC(+) + FP · (1 - PC(+))" in text
    assert line(0.2, 0.7)(0.3) == pytest.approx(0.7 * 0.3 + 0.2 * (1 - 0.3))
    assert "lines of equal cost at one PC(+) have the slope 1/PC(+) - 1" in text
    assert cost_point_to_roc_line(0.2, 0.1)[0] == pytest.approx(1 / 0.2 - 1)


@pytest.mark.parametrize("risk", [0.1, 0.35, 0.8])
def test_a_risk_to_treat_from_is_the_odds_that_are_said(risk: float) -> None:
    caption = words(f"{FIGURES}/decision_curves.txt.j2")
    (formula,) = re.findall(r"a miss is as bad as (\S+ . \S+ / t) false", caption)
    odds = eval(formula, {"t": risk})
    for prior in (0.2, 0.5, 0.7):
        assert ratio_from_pc(pc_at(risk, prior), prior) == pytest.approx(odds)
