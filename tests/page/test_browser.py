"""The page as browsers show it, with and without scripts: quiet, one file, never too wide."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from costcurves.report import rendering
from tests import worded_study
from tests.browser import Visit, cut_off, violations, visit

AFTER = """them => them.map((swatch) => {
  const words = document.createRange();
  words.selectNode(swatch.previousSibling);
  return swatch.getBoundingClientRect().left - words.getBoundingClientRect().right;
})"""
GROUND = "it => getComputedStyle(it).backgroundColor"


def check_width(seen: Visit, width: int) -> None:
    seen.page.set_viewport_size({"width": width, "height": 900})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def check_first_screen(seen: Visit, width: int) -> None:
    """The control stays in sight, and panels stand side by side where there is room."""
    box: Any = seen.page.locator(".control").bounding_box()
    assert 0 <= box["y"] <= 900 - box["height"]
    assert box["height"] < 110
    fronts: list[Any] = [each.bounding_box() for each in seen.page.locator(".front > div").all()]
    assert (fronts[0]["y"] == fronts[1]["y"]) is (width > 800)
    assert all(front["width"] <= 445 for front in fronts)


def test_all_fits_at_every_width(browser: Browser, browsed: Path) -> None:
    """On a laptop no table is cut off; on a phone columns of wide ones stand beneath each other."""
    with visit(browser, browsed) as seen:
        page, stacked = seen.page, seen.page.locator(".stacked table")
        for width in (1280, 1200, 1024, 768, 390):
            check_width(seen, width)
            seen.settle()
            if width in (390, 1280):
                check_first_screen(seen, width)
            if width in (1200, 1024):
                assert page.locator(".scroll").count() >= 15
                assert cut_off(seen) == []
                expect(stacked).to_have_count(0)
                # A second model's line stands behind the words before it.
                swatches = page.locator("td .swatch ~ .swatch, th .swatch ~ .swatch")
                gaps = swatches.evaluate_all(AFTER)
                assert len(gaps) > 3
                assert min(gaps) >= 0
        assert page.locator(".explorer svg.plot").first.is_visible()
        assert all("In hindsight" in words for words in cut_off(seen)), "explorers alone"
        assert stacked.count() > 3
        for table in stacked.all():
            row = table.locator("tbody tr:not(:has([scope=rowgroup]))").first
            cells = row.locator("> *").evaluate_all("all => all.map(it => it.dataset.head)")
            assert cells == table.locator("thead th").all_text_contents()


def test_without_scripts_all_stands_and_nothing_offers_to_change_it(
    browser: Browser, browsed: Path
) -> None:
    with visit(browser, browsed, java_script_enabled=False) as seen:
        for width in (1200, 390):
            check_width(seen, width)
        front = seen.page.locator('[id="front/scores"]')
        expect(front).to_contain_text("at even, PC(+) 0.50")
        for hidden in (".control", ".explorer svg.plot"):
            assert not seen.page.locator(hidden).first.is_visible()
        note = seen.page.locator("noscript .note").first
        expect(note).to_contain_text("The interactive figure needs scripts, which are switched off")
        assert seen.page.locator(".roc_and_cost figure svg").first.is_visible()


def test_no_name_makes_the_page_wider_than_a_phone(browser: Browser, tmp_path: Path) -> None:
    """Of a condition, a model, a dataset and a class, in 64 letters without a blank."""
    markup = rendering.html(worded_study.report())
    for name in ("at 0.45", "Bayes", "Ward", "feverish"):
        assert name in markup
        markup = markup.replace(name, "Abcdefgh" * 8)
    page = tmp_path / "page.html"
    page.write_text(markup, "utf-8")
    with visit(browser, page, width=390) as seen:
        check_width(seen, 390)


@pytest.mark.parametrize(
    ("scheme", "width", "fragment"),
    [("light", 1280, "#%E0"), ("dark", 1280, ""), ("light", 390, "#appendix")],
)
def test_no_grave_obstacle_for_anybody(
    browser: Browser, browsed: Path, scheme: str, width: int, fragment: str
) -> None:
    """Dark pages have dark figures; paper is light and shows everything but the contents."""
    look = {"color_scheme": scheme, "bypass_csp": True}
    with visit(browser, browsed, width=width, fragment=fragment, **look) as seen:
        assert violations(seen) == []
        check_width(seen, width)
        assert (
            seen.page.evaluate("scrollY") == 0 or fragment == "#appendix"
        )  # a broken one leads nowhere
        panel = seen.page.locator(".card svg").first
        swatch = seen.page.locator(".swatch").first.evaluate("it => getComputedStyle(it).filter")
        assert ("invert" in swatch) is (scheme == "dark")
        if scheme == "dark":
            assert panel.evaluate(GROUND) == "rgb(21, 23, 26)"
        seen.page.emulate_media(media="print")
        assert panel.evaluate(GROUND) == "rgb(255, 255, 255)"
        tables = "main table[id^=table-]"
        assert seen.page.locator(f"{tables}:visible").count() == seen.page.locator(tables).count()
        expect(seen.page.locator(".contents")).to_be_hidden()


def test_what_a_page_should_not_do_is_found(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<title>x</title><img src="other.png"><script>nowhere()</script>')
    complaints = r"asked for file:.*other\.png.*nowhere is not defined"
    with pytest.raises(AssertionError, match=complaints), visit(browser, page):
        pass
