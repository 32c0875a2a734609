"""The page on paper and on a phone."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import violations, visit


def test_paper_shows_everything_but_the_contents(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#%E0") as seen:
        assert seen.number("scrollY") == 0  # a broken fragment leads nowhere
        seen.page.emulate_media(media="print", color_scheme="dark")
        tables = seen.page.locator("main table[id^=table-]")
        expect(seen.page.locator("main table[id^=table-]:visible")).to_have_count(tables.count())
        expect(seen.page.locator(".contents")).to_be_hidden()


def test_on_a_phone_there_is_no_grave_obstacle(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#appendix", width=390, bypass_csp=True) as seen:
        assert violations(seen) == []
        assert seen.number("document.documentElement.scrollWidth") <= 390
