"""What the pages say, word by word, of a study whose levels, prior and weight are no defaults."""

import json

import pytest

from costcurves.many.statements import CONTRADICTED, SUPPORTED, UNDECIDED
from costcurves.report import rendering
from costcurves.report.claims import ClaimShown, in_short
from costcurves.report.document import Report
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
        "of the share of positives, uncorrected for picking "
        "the lowest. Statements on a dataset hold together with 80 % confidence.",
        "Small: PC(+), the place on the curves\u2019 axis; at which cost ratios the estimate stays "
        "the lowest; 80 % intervals. Cost: 0 means no mistakes, 1 all wrong",
        # Costs
        "Lower costs are better, higher AUCs. No model: area 0.250. Small: 80 % confidence "
        "intervals, at ratios with the error of a share of positives taken from the data. Useful:",
        "B 0.156 0.136\u20130.176 0.206 0.186\u20130.226 0.200 0.170\u20130.230 ",
        # Differences
        "Verdicts hold together with 80 % confidence; p is adjusted for all pairs (Holm). "
        "Small: simultaneous bands. Elsewhere a pair is not settled.",
        "A B 0.34\u20130.88 1:1.3 to 12:1 0.050 0.010\u20130.090 0.750 "
        "B A 0.13\u20130.33 1:4.6 to 1:1.4 0.050 0.010\u20130.090 0.750",
        "A against B B 0.13\u20130.33 1:1.7 to 2:1 0.045 at 0.18 0.323\u20130.353 "
        "A 0.34\u20130.88 2:1 to 32:1 0.125 at 0.75 0.879\u20130.909",
        # In simulations
        "Simulated at a nominal 90 %, not at the 80 % of this study, with known truth",
        "Verdicts between cross-fitted curves 4.8 % ± 0.48 % 35 + 70, 5 folds Toy",
        # Choosing
        "Positive from this score on, by the cost of a miss to that of a false alarm.",
        "0.120 0.440 4 of 10",
        # Methods
        "PC(+) = p(+) C(\u2212|+) / ( p(+) C(\u2212|+) + p(\u2212) C(+|\u2212) )",
        "NEC = FN \u00b7 PC(+) + FP \u00b7 (1 \u2212 PC(+)).",
        "Bands and intervals with a confidence of 80 % come from resampling the cases 2000 "
        "times: they are drawn with replacement within their class",
        "A repeat of cross-validation adds no new cases.",
        "Cost ratios are C(\u2212|+) : C(+|\u2212) at the proportion of positives where",
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
    rows = [claim(UNDECIDED, "a part" if place < 6 else "") for place in range(9)]
    said = "none contradicted and 9 undecided (6 supported on a part of the range)"
    assert say("claims", in_short(rows)) == f"9 claims: {said}"


def claim(verdict: str, kept: str = "") -> ClaimShown:
    return ClaimShown({"verdict": verdict}, {"kept": kept}, "", (), apart=False)


def test_claims_are_counted_by_verdict() -> None:
    verdicts = [SUPPORTED] * 3 + [CONTRADICTED] + [UNDECIDED] * 2
    text = say("claims", in_short([*map(claim, verdicts)]))
    assert text == "6 claims: 3 supported, 1 contradicted and 2 undecided"


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
