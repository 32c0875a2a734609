"""Figures in a browser: one cursor for all of a dataset, true numbers."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator

from costcurves.figures import saving
from costcurves.figures.catalogue import FIGURES
from costcurves.figures.context import context_from
from costcurves.formats import DASH
from costcurves.report.document import Drawing
from costcurves.tables.curves.headline import headline_of
from tests.browsed_study import SKILLS, browsed_tables
from tests.browser import Visit, visit, word_sizes, write_page
from tests.drawn import painted
from tests.fake_report import assembled, dataset, study

KINDS = ("cost_curves", "folds", "differences", "verdicts")
SEEN = 0.0011  # a rounding of three decimals, and what thinning leaves out
PIXEL = 1.5


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of one dataset with some of its real figures."""
    folder = tmp_path_factory.mktemp("figures")
    tables = browsed_tables()["scores"]
    made = study(datasets=[dataset("scores", "Scores")])
    conditions = [{"name": "even", "pc": 0.5}]
    measures = tables["measures"]
    context = context_from(made.datasets[0], conditions, measures, list(measures["model"].unique()))
    for kind in (kind for kind in FIGURES if kind.name in KINDS):
        saving.save([(partial(painted, kind, tables, context), folder / kind.name)])
    figures = {name: Drawing((folder / f"{name}.svg").read_text(), "", "") for name in KINDS}
    return write_page(assembled({"scores": tables}, made, {"scores": figures}), folder)


@pytest.fixture
def seen(browser: Browser, drawn: Path) -> Iterator[Visit]:
    with visit(browser, drawn, width=1280) as seen:
        yield seen


@pytest.fixture
def whole(browser: Browser, drawn: Path) -> Iterator[Visit]:
    """The page with its annex unfolded."""
    with visit(browser, drawn, fragment="#annex", width=1280) as seen:
        yield seen


def figure(seen: Visit, title: str) -> Locator:
    """The drawing that has these words in its title."""
    return seen.page.locator("figure svg:visible", has_text=title).first


def ground(drawing: Locator, place: int = 0) -> tuple[float, float, float, float]:
    """Where PC(+) is 0 and 1 in axes of a drawing, and their upper and lower end, in the window."""
    said = str(drawing.locator("[data-pc]").nth(place).get_attribute("data-pc"))
    box: Any = drawing.bounding_box()
    scaled = box["width"] / float(str(drawing.get_attribute("viewBox")).split()[2])
    zero, one, top, bottom = (float(it) * scaled for it in said.split(","))
    return box["x"] + zero, box["x"] + one, box["y"] + top, box["y"] + bottom


def point_at(seen: Visit, drawing: Locator, pc: float, height: float = 0.5) -> float:
    """Point at a PC(+) in the first axes of the main figure; give its x."""
    drawing.scroll_into_view_if_needed()
    zero, one, top, bottom = ground(drawing)
    x = zero + pc * (one - zero)
    seen.page.mouse.move(x, top + height * (bottom - top))
    seen.page.wait_for_timeout(60)
    return x


def cursors(seen: Visit) -> list[list[float]]:
    """PC(+) of each visible cursor, by the box of its axes, and the x of the line."""
    found: list[list[float]] = seen.page.locator("svg:visible .cursor").evaluate_all(
        """lines => lines.filter(it => getComputedStyle(it).visibility === "visible").map(it => {
          const [zero, one] = it.parentElement.dataset.pc.split(",").map(Number);
          return [(it.getAttribute("x1") - zero) / (one - zero), it.getBoundingClientRect().x];
        })"""
    )
    return found


def read_out(seen: Visit) -> dict[str, list[float]]:
    rows = seen.page.locator(".costs-here p:has(b)").all_inner_texts()
    cells = [re.split(r"\s*\n\s*", row.strip()) for row in rows]
    return {
        name: [float(it) for it in re.split(f"[\n{DASH}]", "\n".join(rest))]
        for name, *rest in cells
    }


# The cursor


@pytest.mark.parametrize("pc", [0.03, 0.37, 0.9])
def test_the_cursor_stands_where_one_points_in_every_figure(whole: Visit, pc: float) -> None:
    main = figure(whole, "Lower is cheaper")
    x = point_at(whole, main, pc)
    found = cursors(whole)
    assert len(found) == (2 + 1) * len(SKILLS) + 2 * 6  # with strips, folds, two axes a pair
    assert [it[0] for it in found] == pytest.approx([pc] * len(found), abs=0.003)
    assert min(abs(it[1] - x) for it in found) < PIXEL


def test_the_cursor_hides_outside_the_axes(seen: Visit) -> None:
    main = figure(seen, "Lower is cheaper")
    point_at(seen, main, 0.4)
    assert cursors(seen)
    point_at(seen, main, 0.4, height=-0.5)  # on the title
    assert not cursors(seen)
    assert seen.page.locator(".costs-here").count() == 0
    point_at(seen, main, 0.4)
    seen.page.mouse.move(2, 2)
    seen.page.wait_for_timeout(60)
    assert not cursors(seen)


@pytest.mark.parametrize("pc", [0.1234, 0.5, 0.77])
def test_what_is_read_out_is_what_the_tables_say(seen: Visit, pc: float) -> None:
    point_at(seen, figure(seen, "Lower is cheaper"), pc)
    words = seen.page.locator(".costs-here p").first.inner_text()
    (at,) = re.findall(r"PC\(\+\) (0\.\d+)", words)
    assert float(at) == pytest.approx(pc, abs=0.003)
    shown, curves = read_out(seen), headline_of(browsed_tables()["scores"]["headline"])
    assert set(shown) == set(SKILLS)
    for model, (cost, low, high) in shown.items():
        near = curves[model](np.linspace(float(at) - 0.0006, float(at) + 0.0006, 25))
        assert near.min() - SEEN <= cost <= near.max() + SEEN
        assert low <= high
    assert all(a[0] <= b[0] for a, b in pairwise(shown.values()))


def test_what_is_read_out_covers_no_axes_that_one_points_at(seen: Visit) -> None:
    main = figure(seen, "Lower is cheaper")
    point_at(seen, main, 0.9)
    box: Any = seen.page.locator(".costs-here").bounding_box()
    window = seen.page.viewport_size
    _, _, top, bottom = ground(main)
    assert box["y"] >= bottom or box["y"] + box["height"] <= top
    assert window is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= window["width"]


def test_a_finger_moves_the_cursor_and_a_touch_elsewhere_takes_it_away(
    browser: Browser, drawn: Path
) -> None:
    with visit(browser, drawn, width=390, has_touch=True) as seen:
        main = figure(seen, "Lower is cheaper")
        main.scroll_into_view_if_needed()
        zero, one, top, bottom = ground(main)
        seen.page.touchscreen.tap(0.7 * zero + 0.3 * one, (top + bottom) / 2)
        seen.page.wait_for_timeout(60)
        assert len(cursors(seen)) > 1
        shown: Any = seen.page.locator(".costs-here").bounding_box()
        assert 0 <= shown["x"] <= shown["x"] + shown["width"] <= 390
        seen.page.locator("h1").scroll_into_view_if_needed()
        seen.page.locator("h1").tap()
        assert not cursors(seen)


def test_on_a_phone_a_figure_is_readable_and_moved_by_fingers_and_keys(
    browser: Browser, drawn: Path
) -> None:
    with visit(browser, drawn, fragment="#annex", width=390, has_touch=True) as seen:
        main = figure(seen, "cost(A)")
        assert min(word_sizes(figure(seen, "Lower is cheaper"))) >= 11
        assert main.locator("xpath=..").get_attribute("tabindex") == "0"
        main.scroll_into_view_if_needed()
        main.locator("xpath=..").evaluate("card => { card.scrollLeft = 90; }")
        zero, one, top, bottom = ground(main)
        seen.page.touchscreen.tap(max(0.5 * (zero + one), 20), (top + bottom) / 2)
        seen.page.wait_for_timeout(60)
        shown: Any = seen.page.locator(".costs-here").bounding_box()
        assert 0 <= shown["x"] <= shown["x"] + shown["width"] <= 390


def test_without_scripts_figures_are_pictures(browser: Browser, drawn: Path) -> None:
    with visit(browser, drawn, java_script_enabled=False) as seen:
        main = figure(seen, "Lower is cheaper")
        assert main.get_attribute("role") == "img"
        assert main.locator("[role=button]").count() == 0
