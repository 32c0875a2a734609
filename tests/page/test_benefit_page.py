"""Decision curves in the interactive figure: the report's figure, no finer than is known."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, expect

from costcurves.figures import decision_curves
from costcurves.figures.context import Context
from costcurves.figures.decision_curves import BELOW
from costcurves.maths.costs.net_benefit import pc_at, treat_all
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report.explorer import GRAIN, TOLERANCE
from tests.browsed_study import Tables, browsed_tables
from tests.browser import write_page
from tests.fake_report import assembled, study, tables
from tests.page.test_explorer_page import EXPLORER, PIXEL, Figure, figure

PRIOR = 0.2
FAR = 0.9245  # PC(+) is 0.02 there, and less beyond


@pytest.fixture(scope="module")
def small() -> Tables:
    """At prior 0.2 with two conditions and the level 0.8."""
    made = tables(prior=PRIOR, conditions=(1 / 3, 0.6))
    level = {"confidence": 0.8}
    found = {name: made[name].assign(**level) for name in ("intervals", "bands")}
    return {**made, **found, "verdicts": made["verdicts"].assign(familywise=0.8)}


@pytest.fixture(scope="module")
def toy(small: Tables, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = assembled({"toy": small}, study(inference={"confidence": 0.8}))
    return write_page(made, tmp_path_factory.mktemp("toy"))


@pytest.fixture
def shown(browser: Browser, toy: Path) -> Iterator[Figure]:
    with figure(browser, toy, "#data/toy/explorer?axes=benefit", "toy") as own:
        yield own


def benefits(results: Tables, models: list[str]) -> pd.DataFrame:
    """The report's table of decision curves, with the bands for each threshold by itself."""
    bands = results["bands"]
    own = bands[bands["extent"] == "pointwise"].assign(extent="simultaneous")
    found = {**results, "bands": own}
    context = Context("", tuple(models), tuple(models), PRIOR, "repeat", (), {})
    data = decision_curves.data(found, context)
    return data.rename(columns={"x": "threshold", "y": "net_benefit"})


def check(shown: Figure, results: Tables) -> None:
    """Hold what is said to rows of the report's table, to the last digit that is said."""
    models = list(shown.rows())
    told = benefits(results, models)
    told = told[told["threshold"] < FAR]
    for (model, series), rows in told.groupby(["model", "series"]):
        some = np.linspace(0, len(rows) - 1, 6).astype(int)
        for t, expected in rows[["threshold", "net_benefit"]].to_numpy()[some].tolist():
            shown.move(t)
            cells = shown.rows()[str(model)]
            said = [cells[0], *re.findall("\u2212?[\\d.]+", cells[1])]
            words = said[["net benefit", "upper", "lower"].index(str(series))]  # of costs
            found = max(float(words.replace("\u2212", "-")), BELOW * PRIOR)
            digits = len(words.partition(".")[2])
            assert found == pytest.approx(expected, abs=10.0**-digits), (model, series, t)
            error = TOLERANCE["headline" if series == "net benefit" else "band"] + GRAIN
            error *= PRIOR / pc_at(t, PRIOR)
            assert error <= 0.5 * 10.0**-digits
            assert digits == 3 or error > 0.04 * 10.0**-digits  # nor is one withheld


def test_benefits_are_those_of_the_report_s_figure(shown: Figure, small: Tables) -> None:
    check(shown, small)


def test_benefits_of_curves_that_were_thinned_are_too(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed, f"{EXPLORER}?positives={PRIOR}&axes=benefit") as own:
        check(own, browsed_tables()["scores"])


def test_curves_and_bands_are_drawn_where_the_report_s_figure_has_them(
    shown: Figure, small: Tables
) -> None:
    shown.field("bands").check()
    told = benefits(small, list(shown.rows()))
    places = len(shown.path(shown.cost, ".headline"))
    for number, (model, rows) in enumerate(told.groupby("model", sort=False)):
        around = shown.path(shown.cost, ".band", number)
        drawn = {
            "net benefit": shown.path(shown.cost, ".headline", number),
            "lower": around[:places],
            "upper": around[: places - 1 : -1],
        }
        for series, line in drawn.items():
            own = rows[(rows["series"] == series) & (rows["threshold"] < FAR)]
            t, share = np.array(line[::-1]).T
            heights = np.interp(own["threshold"], t, share) * 1.3 * PRIOR + BELOW * PRIOR
            assert np.maximum(heights, BELOW * PRIOR) == pytest.approx(
                own["net_benefit"].to_numpy(), abs=PIXEL * PRIOR * 2
            ), (model, series)


def test_treating_none_and_all_are_drawn_and_named(shown: Figure) -> None:
    none, everybody = (shown.path(shown.cost, ".ground .trivial", place) for place in (0, 1))
    zero = 0.25 / 1.3
    assert [y for _, y in none] == pytest.approx([zero] * len(none), abs=PIXEL)
    t, share = np.array([place for place in everybody if place[1] > 0]).T
    expected = np.asarray(treat_all(t, PRIOR))
    assert share * 1.3 * PRIOR + BELOW * PRIOR == pytest.approx(expected, abs=PIXEL * PRIOR)
    script = "them => them.map(it => [it.textContent, it.getBoundingClientRect().y])"
    named = dict(shown.cost.locator(".axes .halo").evaluate_all(script))
    assert list(named) == ["treat none", "treat all"]
    assert named["treat none"] < named["treat all"]  # that falls to the lower end of the axis
    for t, what in ((0.01, "treat all"), (0.9, "treat none")):
        shown.move(t)
        assert shown.named().startswith(f"best: {what}, net benefit 0.")
        assert {cells[4] for cells in shown.rows().values()} == {what}


def test_words_are_those_of_decision_curves(shown: Figure) -> None:
    shown.move(0.3)
    assert shown.cost.locator(".axis-name").all_text_contents() == [
        "t, the threshold probability",
        "net benefit at p(+) = 0.200",
    ]
    assert shown.text(".plot-box:nth-child(2) .plot-title") == "Decision curves: higher is better"
    judged = ["Net benefit", "80\u202f% interval", "Better than", "Worse than"]
    chosen = ["Best line", "FP rate", "TP rate", "In-sample net benefit"]
    heads = shown.root.locator(".read thead tr").last.locator("th").all_text_contents()
    assert heads == ["Model", *judged, *chosen]
    assert shown.text(".upright text") == "t = 0.300"
    benefit = 0.2 * 0.9 - 0.8 * 0.2 * 3 / 7
    assert shown.named() == f"best: A, net benefit {benefit:.3f}"
    assert shown.text(".iso text").startswith(f"dashed: net benefit {benefit:.3f} all along")
    assert re.match(r"A is better than [^.]*C", shown.text(".read-verdict"))
    shown.roc.locator("[role=option]").first.focus()
    ends = [f"{pc_at(pc, PRIOR):.3f}" for pc in (0.8 / 0.9, 0.2 / 1.1)]
    assert f"the best of this model for t from {ends[0]} to {ends[1]}." in shown.text(".read-point")
    assert shown.cost.locator(".lit text").all_text_contents() == ["FP 0.200", "TP 0.900"]
    shown.field("own-fp").fill("0.1")
    shown.field("own-tp").fill("0.5")
    shown.root.get_by_role("button", name="Add a point").click()
    (said,) = shown.root.locator(".own-points li span").all_text_contents()
    assert said.endswith(f", net benefit {0.2 * 0.5 - 0.8 * 0.1 * 3 / 7:.3f} here")


def test_keys_pointers_and_addresses_speak_of_thresholds(shown: Figure) -> None:
    page = shown.seen.page
    shown.press(0.3)
    assert shown.x == pytest.approx(0.3, abs=PIXEL)
    ratio = shown.set("ratio").input_value()
    pc = float(pc_at(shown.x, PRIOR))
    assert float(ratio) == pytest.approx(ratio_from_pc(pc, PRIOR), rel=1e-3)
    words = f"t {shown.x:.3f}, best: A, net benefit {shown.rows()['A'][0]}, interval "
    expect(shown.root.locator("[aria-live=polite]")).to_contain_text(words)
    page.wait_for_url("**&axes=benefit")
    shown.field("axes-ours").check()
    page.wait_for_url(lambda address: "axes" not in address)
    assert shown.named().startswith("cheapest: A, cost 0.")


def test_beyond_what_the_page_knows_it_says_so(shown: Figure) -> None:
    for t, known in ((FAR, True), (0.926, False), (1, False)):
        shown.move(t)
        cells = shown.rows()["A"]
        assert [cells[place] == "\u2014" for place in (0, 1, 7)] == [not known] * 3
        assert (shown.cost.locator(".best circle").count() > 0) == known
        why = "Beyond t = 0.925 this page knows costs too coarsely to say a net benefit."
        assert (why in shown.text(".read-verdict")) != known


@pytest.mark.parametrize(
    ("value", "error", "whole", "said"),
    [
        (0.12345, 2.5e-4, 0.2, "0.123"),
        (-0.12345, 2.5e-4, 0.2, "\u22120.123"),
        (0.12345, 6e-4, 0.2, "0.12"),
        (-0.0001, 0, 0.2, "0.000"),
        (0.0012345, 0, 0.004, "0.00123"),
    ],
)
def test_no_digit_is_said_that_is_not_known(
    shown: Figure, value: float, error: float, whole: float, said: str
) -> None:
    assert shown.seen.page.evaluate(f"numbers.known({value}, {error}, {whole})") == said
