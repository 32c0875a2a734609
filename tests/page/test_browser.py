"""The page as browsers show it, with and without scripts: quiet, one file, never too wide."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from costcurves.report import rendering
from tests import worded_study
from tests.browser import cut_off, violations, visit

WHOLE = "#appendix"  # opens the appendix
AFTER = """them => them.map((swatch) => {
  const words = document.createRange();
  words.selectNode(swatch.previousSibling);
  return swatch.getBoundingClientRect().left - words.getBoundingClientRect().right;
})"""


@pytest.mark.parametrize(
    ("width", "scripts"),
    [(390, True), (390, False), (768, True), (1024, True), (1200, True), (1200, False)],
)
def test_the_page_is_quiet_and_no_wider_than_the_window(
    browser: Browser, browsed: Path, width: int, scripts: bool
) -> None:
    """On a laptop no table is cut off; a second model's line stands behind the words before it."""
    with visit(browser, browsed, fragment=WHOLE, width=width, java_script_enabled=scripts) as seen:
        widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        wide, window = seen.page.evaluate(widths)
        assert wide <= window == width
        assert seen.page.locator("h1").is_visible()
        assert seen.page.locator(".explorer svg.plot").first.is_visible() == scripts
        assert seen.page.locator(".roc_and_cost figure svg").first.is_visible()
        if width > 1000 and scripts:
            assert seen.page.locator(".scroll").count() >= 15
            assert cut_off(seen) == []
            swatches = seen.page.locator("td .swatch ~ .swatch, th .swatch ~ .swatch")
            gaps = swatches.evaluate_all(AFTER)
            assert len(gaps) > 3
            assert min(gaps) >= 0


def test_no_name_makes_the_page_wider_than_a_phone(browser: Browser, tmp_path: Path) -> None:
    """Of a condition, a model, a dataset and a class, in 64 letters without a blank."""
    markup = rendering.html(worded_study.report())
    for name in ("at 0.45", "Bayes", "Ward", "feverish"):
        assert name in markup
        markup = markup.replace(name, "Abcdefgh" * 8)
    page = tmp_path / "page.html"
    page.write_text(markup, "utf-8")
    with visit(browser, page, fragment=WHOLE, width=390) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_grave_obstacle_for_anybody(browser: Browser, browsed: Path, scheme: str) -> None:
    with visit(browser, browsed, fragment=WHOLE, color_scheme=scheme, bypass_csp=True) as seen:
        assert violations(seen) == []


def test_what_a_page_should_not_do_is_found(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<title>x</title><img src="other.png"><script>nowhere()</script>')
    with (
        pytest.raises(AssertionError, match=r"asked for file:.*other\.png"),
        visit(browser, page) as seen,
    ):
        assert any("nowhere is not defined" in words for words in seen.complaints)
