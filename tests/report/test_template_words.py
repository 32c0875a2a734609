"""What the pages say, word by word, of a study whose levels, prior and weight are no defaults."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from costcurves.maths.chance.claims import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report import rendering
from costcurves.report.choosing import advised
from costcurves.report.claims import in_short
from costcurves.report.document import Estimate, Report
from costcurves.report.outcomes import largest, outcomes, wins
from costcurves.tables.keys import LEVELS
from tests.fake_report import THREE, assembled, study, tables, verdict
from tests.report.test_rendering import Page
from tests.report.test_summary import material
from tests.said import say


@pytest.fixture(scope="module")
def made() -> Report:
    data = tables(prior=0.2)
    for name in ("intervals", "in_the_running"):
        data[name] = data[name].assign(confidence=0.8)
    for name in ("intervals", "choice_intervals"):
        weighted = data[name]["quantity"] == "tec"
        data[name].loc[weighted, ["value", "low", "high"]] += 0.05
    data["verdicts"] = data["verdicts"].assign(familywise=0.8, confidence=0.9375)
    return assembled({"toy": data}, study(inference={"confidence": 0.8}))


@pytest.fixture(scope="module")
def page(made: Report) -> Page:
    return Page(rendering.html(made))


@pytest.fixture(scope="module")
def said(page: Page) -> str:
    """All words of a page, with one space between any two."""
    (text,) = page.text("main")
    return text


@pytest.mark.parametrize(
    "words",
    [
        # The first page
        "Shown with 80 % confidence: C costs more than A and B from ",
        "5:1: a miss costs five false alarms. Brackets: 80 % intervals, at ratios with the error "
        "of a share of positives taken from the data, uncorrected for picking "
        "the lowest. Statements on a dataset hold together with 80 % confidence.",
        "Small: PC(+), the place on the curves\u2019 axis; at which cost ratios the estimate stays "
        "the lowest; 80 % intervals. Cost: 0 means no mistakes, 1 all wrong",
        # Costs
        "Lower is cheaper; the cheaper no-model baseline (always negative or always positive) has "
        "the area 0.250. Small: 80 % confidence intervals, at ratios with the error of a "
        "share of positives taken from the data. Useful:",
        "B 0.156 0.136\u20130.176 0.206 0.186\u20130.226 0.200 0.170\u20130.230 0.250 at 0.75",
        # Differences
        "All verdicts of this table are meant to hold together with 80 % confidence. "
        "p: adjusted for all pairs (Holm); a pair is decided at 0.200 or less. "
        "Small: simultaneous bands at the confidence that Holm\u2019s steps give the pair, "
        "here 93.75 %. Outside the ranges listed a pair is undecided.",
        "A B 0.34\u20130.88 1:1.3 to 12:1 0.050 0.010\u20130.090 0.750 "
        "B A 0.13\u20130.33 1:4.6 to 1:1.4 0.050 0.010\u20130.090 0.750",
        "A against B B 0.13\u20130.33 1:1.7 to 2:1 0.045 0.18 0.323\u20130.353 "
        "A 0.34\u20130.88 2:1 to 32:1 0.125 0.75 0.879\u20130.909",
        "Cost ratio: a miss to a false alarm.",
        # In simulations, and how models rank
        "Verdicts of 90 % were false in 4.8 % (± 0.48 %) or less in simulations of the nearest "
        "design.",
        "Simulated at a nominal 90 %, not at the 80 % of this study, with known truth",
        "Toy: false in 4.8 % (± 0.48 %) with 35 + 70 in 5 folds.",
        "A against B \u22120.030 0.020 0.13",
        # Choosing
        "use this threshold (predict positive at or above it)",
        "Regret: how much more a threshold rule costs than cross-fitted choice",
        "cross-fitted best 0.156 0.136\u20130.176 0.206 0.186\u20130.226 0.000",
        "0.120 0.440 \u2014 4 of 10",
        "Small: how much lower than cross-fitted, with its 80 % interval",
        "0.125 0.031 (0.026\u20130.036), 20 %",
        # Methods
        "PC(+) = p(+) C(\u2212|+) / ( p(+) C(\u2212|+) + p(\u2212) C(+|\u2212) )",
        "NEC = FN \u00b7 PC(+) + FP \u00b7 (1 \u2212 PC(+)).",
        "Bands and intervals with a confidence of 80 % come from resampling the cases 2000 "
        "times: they are drawn with replacement within their class",
        "A repeat of cross-validation adds no new cases.",
        "Cost ratios are C(\u2212|+) : C(+|\u2212), the cost of a miss to that of a false alarm, "
        "at the proportion of positives where the classifier will be used: "
        "Toy p(+) = 0.200.",
        "the threshold with the least mean cost on the other folds of the same repeat",
        "Familywise 80 % means: with this confidence not a single",
    ],
)
def test_the_page_says(said: str, words: str) -> None:
    assert words in said


def test_the_explorer_begins_at_the_deployment_prior(page: Page) -> None:
    (content,) = [json.loads(it) for it in page.text("script") if it.startswith('{"prior"')]
    assert content["prior"] == 0.2


def test_claims_that_hold_on_a_part_of_their_range_are_counted_as_their_table_calls_them() -> None:
    verdicts = [UNDECIDED] * 9
    rows: list[Any] = [
        SimpleNamespace(verdict=it, kept="a part" if place < 6 else "")
        for place, it in enumerate(verdicts)
    ]
    said = "none contradicted and 9 undecided (6 supported on a part of the range)"
    assert say("claims", in_short(rows)) == f"9 claims: {said}"


def test_claims_are_counted_by_verdict() -> None:
    verdicts = [SUPPORTED] * 3 + [CONTRADICTED] + [UNDECIDED] * 2
    rows: list[Any] = [SimpleNamespace(verdict=it, kept="") for it in verdicts]
    text = say("claims", in_short(rows))
    assert text == "6 claims: 3 supported, 1 contradicted and 2 undecided"


def test_costs_of_other_criteria_go_from_the_least_to_the_most() -> None:
    values = {"c": 0.3, "d": 0.1, "e": 0.2}
    more = {name: Estimate(by, by - 0.01, by + 0.01) for name, by in values.items()}
    text = say("advice", advised("A", "b", Estimate(0.2, 0.1, 0.3), more), "", of="choosing")
    ends = "0.100 (0.090\u20130.110) by d choice to 0.300 (0.290\u20130.310) by c choice."
    assert text.endswith(ends)


def test_a_criterion_whose_interval_begins_at_zero_may_cost_more_by_chance() -> None:
    more = {
        "c": Estimate(0.1, 0.0, 0.2),
        "d": Estimate(0.2, 0.1, 0.3),
        "e": Estimate(0.3, -0.1, 0.7),
    }
    text = say("advice", advised("A", "b", Estimate(0.2, 0.1, 0.3), more), "", of="choosing")
    assert "more than chance explains: 0.200 (0.100\u20130.300) by d choice." in text
    assert "which may be chance: 0.100 (0.000\u20130.200) by c choice to 0.300 (" in text


def test_the_largest_difference_is_that_of_all_stretches() -> None:
    rows = [
        verdict("A", "B", 0.0, 0.2, "A cheaper"),
        verdict("A", "B", 0.2, 0.6, "undecided"),
        verdict("A", "B", 0.6, 0.9, "A cheaper", largest_difference=-0.2, at_pc=0.7),
        verdict("A", "B", 0.9, 1.0, "undecided"),
    ]
    (win,) = wins(outcomes(rows))
    most = largest(win.spans)
    assert (most.difference, most.at_pc) == (-0.2, 0.7)


def test_areas_called_in_sample_are_those_beside_a_headline_of_the_same_level() -> None:
    measures = tables()["measures"]
    measures.loc[measures["headline"], ["level", "area"]] = "fold", 0.9
    found = material(THREE, measures=measures).in_sample
    assert all(row["area"] < 0.9 for row in found.values())
    assert set(found) == {(model, level) for model in THREE for level in LEVELS}


@pytest.mark.parametrize("kept", [None, 0], ids=["computed", "left out"])
def test_thresholds_are_explained_where_they_are_listed(kept: int | None) -> None:
    data = tables()
    data["deployment"] = data["deployment"].iloc[:kept]
    page = rendering.html(assembled({"toy": data}))
    listed = '<th scope="col" class="whole score">Threshold</th>' in page
    assert listed == ("Threshold: positive from this score on" in page) == (kept is None)
