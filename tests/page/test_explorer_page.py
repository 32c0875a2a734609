"""The interactive figure: what scripts draw from, and what they draw and read out in a browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Locator

from costcurves import formats
from costcurves.choosing.headline import headline_of
from costcurves.curves import cost_space, reid
from costcurves.figures.polylines import filtered
from tests.browsed_study import SKILLS, browsed_report, browsed_tables
from tests.browser import Visit, visit
from tests.fake_report import assembled, parts_of, tables

MODELS = list(SKILLS)
SEEN = 0.0011  # two roundings of three decimals, and what thinning leaves out
PIXEL = 0.004  # of an axis
RESULTS = browsed_tables()["scores"]
HEADLINE = headline_of(RESULTS["headline"])
PRIOR = float(RESULTS["measures"]["prior"].iloc[0])


def test_decisions_have_no_threshold_and_ratios_begin_at_the_prior_of_deployment() -> None:
    shift = assembled({"toy": tables(prior=0.15)})  # of the data 0.4 are positive
    decisions, shifted = (
        json.loads(parts_of(made, slug)["roc_and_cost"].content.explorer)
        for made, slug in ((browsed_report(), "decisions"), (shift, "toy"))
    )
    holders = [model["points"]["holder"] for model in decisions["models"]]
    assert (holders, shifted["prior"]) == ([["decision"]] * 2, 0.15)


# In a browser


class Figure:
    """The interactive figure of a dataset, and what it shows."""

    def __init__(self, seen: Visit) -> None:
        self.seen = seen
        self.root = seen.page.locator('[id="data/scores/explorer"]')
        self.roc, self.cost = (self.root.locator("svg.plot").nth(place) for place in (0, 1))

    def move(self, pc: float) -> None:
        """Set the slider."""
        slider = self.root.locator("input[type=range]")
        slider.evaluate("(on, x) => { on.value = x; on.dispatchEvent(new Event('input')); }", pc)

    def frame(self, plot: Locator) -> list[float]:
        """Left, top, bottom and right of the axes in the drawing."""
        return numbers(str(plot.locator(".axis").get_attribute("d")))

    def at(self, plot: Locator, x: float, y: float) -> tuple[float, float]:
        """Where in the window shares of the axes are."""
        plot.scroll_into_view_if_needed()
        box: Any = plot.bounding_box()
        left, top, bottom, right = (box["width"] / 460 * end for end in self.frame(plot))
        return box["x"] + left + x * (right - left), box["y"] + bottom - y * (bottom - top)

    def path(self, plot: Locator, name: str, place: int = 0) -> list[tuple[float, float]]:
        """The places that a path goes through, as shares of the ROC axes, or PC(+) and cost."""
        values = numbers(str(plot.locator(f"path{name}").nth(place).get_attribute("d")))
        left, top, bottom, right = self.frame(plot)
        whole = 1.0
        if plot is self.cost:
            whole = float(plot.locator(".tick.end").all_text_contents()[-1])
        pairs = zip(values[::2], values[1::2], strict=True)
        return [
            ((x - left) / (right - left), whole * (bottom - y) / (bottom - top)) for x, y in pairs
        ]

    @property
    def words(self) -> str:
        """Where the slider stands, in words."""
        return str(self.root.locator("output").text_content())

    @property
    def pc(self) -> float:
        """The PC(+) where the slider stands."""
        return float(self.words.split(",")[0])

    def check_rows(self, pc: float, unit: float = 1) -> None:
        """Compare every cell with the tables; `unit` is what a cost of 1 comes to on the axes."""
        script = "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
        rows = self.root.locator("tbody tr").evaluate_all(script)
        assert [row[0] for row in rows] == MODELS
        for model, *cells in rows:
            piece = holders(pc)[model]
            fp, fn = piece["at0"], piece["at1"]
            costs = [unit * float(HEADLINE[model](pc)), unit * cost_space.nec(pc, fp, fn)]
            assert [float(cell) for cell in cells[:2]] == pytest.approx(costs, abs=SEEN)
            assert cells[2] == piece["holder"]
            assert [float(cell) for cell in cells[3:]] == pytest.approx([fp, 1 - fn], abs=SEEN)


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def holders(pc: float) -> dict[str, pd.Series]:
    """The piece of each model's pooled envelope at a PC(+)."""
    here = filtered(RESULTS["envelopes"], level="pooled")
    here = here[here["pc_from"] <= pc]
    return {str(row["model"]): row for _, row in here.groupby("model").tail(1).iterrows()}


@pytest.fixture(scope="module")
def shown(browser: Browser, browsed: Path) -> Iterator[Figure]:
    """One visit for all tests: each sets what it looks at."""
    with visit(browser, browsed) as seen:
        yield Figure(seen)


def test_every_model_is_read_out_and_drawn(shown: Figure) -> None:
    shown.check_rows(0.5)
    for pc in (0.001, 0.205, 0.385, 0.71, 0.995):
        shown.move(pc)
        shown.check_rows(pc)
        ratio = formats.ratio(cost_space.ratio_from_pc(pc, PRIOR))
        assert shown.words == f"{pc:.3f}, cost ratio {ratio}".replace("\u202f", "")
    grid = np.linspace(0, 1, 997)
    around = np.clip(grid + np.linspace(-PIXEL, PIXEL, 9)[:, np.newaxis], 0, 1)
    for number, model in enumerate(MODELS):
        drawn = np.interp(grid, *np.transpose(shown.path(shown.cost, ".line", number)))
        near = HEADLINE[model](around)  # a jump may stand a little aside
        assert (drawn >= near.min(axis=0) - PIXEL).all()
        assert (drawn <= near.max(axis=0) + PIXEL).all()


def test_the_line_of_equal_cost_goes_through_the_lowest_point(shown: Figure) -> None:
    pc = 0.3
    shown.move(pc)
    least = min(cost_space.nec(pc, row["at0"], row["at1"]) for row in holders(pc).values())
    for fp, tp in shown.path(shown.roc, ".condition"):
        assert cost_space.nec(pc, fp, 1 - tp) == pytest.approx(least, abs=PIXEL)
    (_, at0), (_, at1) = shown.path(shown.cost, ".condition")
    assert at0 * (1 - pc) + at1 * pc == pytest.approx(least, abs=PIXEL)


def test_a_point_lights_up_its_line_and_a_press_sets_the_ratio(shown: Figure) -> None:
    shown.move(0.5)
    piece = holders(0.5)["Bayes"]
    fp, fn = float(piece["at0"]), float(piece["at1"])
    mouse = shown.seen.page.mouse
    mouse.move(*shown.at(shown.roc, fp, 1 - fn))
    (low, at0), (high, at1) = shown.path(shown.cost, ".lit")
    assert (low, high, at0, at1) == pytest.approx((0, 1, fp, fn), abs=PIXEL)
    note = shown.root.locator("p.at").text_content()
    assert note == f"Bayes, {piece['holder']}: FP rate {fp:.3f}, TP rate {1 - fn:.3f}."
    mouse.move(0, 0)
    assert shown.cost.locator(".lit").count() == 0
    mouse.click(*shown.at(shown.cost, 0.7, 0.5))
    assert shown.pc == pytest.approx(0.7, abs=PIXEL)
    shown.check_rows(shown.pc)


def test_points_of_ones_own(shown: Figure) -> None:
    shown.move(0.5)
    shown.seen.page.mouse.click(*shown.at(shown.roc, 0.8, 0.3))
    items = shown.root.locator("ol li")
    fp, tp, cost = numbers(items.all_text_contents()[0])
    assert (fp, tp) == pytest.approx((0.8, 0.3), abs=PIXEL)
    assert cost == pytest.approx(cost_space.nec(0.5, fp, 1 - tp), abs=0.0005)
    ends = shown.path(shown.cost, ".own-line")
    assert [nec for _, nec in ends] == pytest.approx([fp, 1 - tp], abs=PIXEL)
    shown.root.get_by_label("FP rate").fill("0")
    second = shown.root.get_by_label("TP rate")
    add = shown.root.get_by_role("button", name="Add a point")
    for text, count in (("", 1), ("-0.001", 1), ("1.001", 1), ("1", 2)):
        second.fill(text)
        add.click()
        assert items.count() == shown.cost.locator(".own-line").count() == count
        assert second.evaluate("field => field === document.activeElement") is (count == 1)
    for _ in range(2):
        shown.root.get_by_role("button", name="Remove this point").first.click()
    assert items.count() == 0


def test_models_can_be_left_out(shown: Figure) -> None:
    first, *others = shown.root.locator("tbody input").all()
    first.uncheck()
    assert shown.cost.locator(".line").count() == len(MODELS) - 1
    for box in others:
        box.uncheck()
    assert shown.root.locator("path.condition").count() == 0
    first.check()
    assert shown.roc.locator(".line").count() == 1
    for box in others:
        box.check()


def test_reids_axes(shown: Figure) -> None:
    shown.move(0.4)
    shown.root.locator("input[type=radio]").last.check()
    c = float(reid.pc(0.4, PRIOR))  # the same formula leads back
    shown.check_rows(0.4, PRIOR * (1 - c) + (1 - PRIOR) * c)
    apex = shown.path(shown.cost, ".shade")[2]
    assert apex == pytest.approx((PRIOR, PRIOR * (1 - PRIOR)), abs=PIXEL)
    assert shown.path(shown.cost, ".upright")[0][0] == pytest.approx(c, abs=PIXEL)
    shown.seen.page.mouse.click(*shown.at(shown.cost, 0.25, 0.5))
    assert shown.pc == pytest.approx(reid.pc(0.25, PRIOR), abs=PIXEL)


def test_touch_moves_the_ratio(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, width=390, has_touch=True) as seen:
        shown = Figure(seen)
        seen.page.touchscreen.tap(*shown.at(shown.cost, 0.25, 0.5))
        assert shown.pc == pytest.approx(0.25, abs=2 * PIXEL)
