"""What readers take into their own texts: a recommendation."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from costcurves.formats import DASH
from costcurves.report.document import Report
from tests.browser import visit, write_page
from tests.fake_report import assembled, study, tables

MAY: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}


def copied(page: Page) -> str:
    button = page.locator(".use button.copy").first
    expect(button).to_have_text("Copy")
    button.click()
    expect(button).to_have_text("Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


def priced(at: float = 0.7) -> Report:
    """At p(+) = .4 and 3.5:1 PC(+) is .7; A costs .13 and B .24, always positive .3."""
    named = {"name": f"PC(+) = {at}", "cost_fn": 7, "cost_fp": 2, "unit": "<i>kr"}
    return assembled({"toy": tables(conditions=(at,))}, study(operating_conditions=[named]))


def test_a_recommendation_says_what_its_row_says(browser: Browser, tmp_path: Path) -> None:
    with visit(browser, write_page(priced(), tmp_path), **MAY) as seen:
        assert copied(seen.page) == (
            "Toy, PC(+) = 0.7 (3.5:1): A (above 1:1.3) has the lowest estimate, 0.130 "
            f"(0.100{DASH}0.160, 520 <i>kr (400 to 640)) (normalized expected cost, amounts of "
            "1000 cases, 90\u202f% intervals); threshold ≥ 0.5. Not ruled out: B and always "
            "positive."
        )
        seen.page.evaluate("condition.change({ range: [0.2, 6] })")
        assert copied(seen.page).startswith("Toy, PC(+) = 0.7 (3.5:1): A ")  # a mean has no verdict
        seen.page.locator('[id="condition/ratio"]').fill("0.01")
        said = copied(seen.page)
        assert said.startswith("Toy, 1:100 (PC(+) 0.007, a false alarm: 2 <i>kr): always negative ")
        assert "has the lowest estimate, 0.0066 (8 <i>kr) (normalized" in said
        assert "threshold" not in said


def test_where_a_browser_refuses_it_is_said(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed) as seen:
        seen.page.evaluate("void (navigator.clipboard.write = () => Promise.reject())")
        one = seen.page.locator(".use button.copy").first
        one.click()
        expect(one).to_have_text("The browser refused")
        expect(one).to_have_text("Copy")
