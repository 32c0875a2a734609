"""Finding one's way on the page: contents, colours, paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import violations, visit

SCORES, DECISIONS = "data/scores", "data/decisions"


@pytest.fixture
def page(browser: Browser, browsed: Path) -> Iterator[Page]:
    with visit(browser, browsed) as seen:
        yield seen.page


def element(page: Page, anchor: str) -> Locator:
    return page.locator(f'[id="{anchor}"]')


def above(page: Page, anchor: str) -> float:
    """How far below the window's upper edge an element begins, in pixels."""
    box = element(page, anchor).bounding_box()
    assert box is not None
    return box["y"]


# Places


def test_a_broken_fragment_leads_nowhere(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#%E0") as seen:
        assert seen.number("scrollY") == 0


# Colours and paper


def ground(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return found


def test_colours_follow_the_system(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    assert ground(page) == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="dark")
    assert ground(page) == "rgb(21, 23, 26)"


def test_paper_shows_everything_but_the_contents(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    tables = page.locator("main table[id^=table-]")
    expect(page.locator("main table[id^=table-]:visible")).to_have_count(tables.count())
    expect(page.locator(".contents")).to_be_hidden()
    assert ground(page) == "rgb(255, 255, 255)"


# Everybody


def test_without_scripts_there_are_no_controls(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, java_script_enabled=False) as seen:
        assert seen.page.locator("button:visible, input:visible").count() == 0
        tables = seen.page.locator("main table")
        assert tables.count() > 5
        expect(tables.locator("visible=true")).to_have_count(tables.count())


def test_on_a_phone_there_is_no_grave_obstacle(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#appendix", width=390, bypass_csp=True) as seen:
        assert violations(seen) == []
        wide = seen.number("document.documentElement.scrollWidth")
        assert wide <= 390
