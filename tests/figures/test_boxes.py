"""Panels are small, and in a browser, as wide as phones, pages and paper, no words are cut."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from costcurves.figures.style import POINTS
from costcurves.report.pictures import FigureElements, faces, letters
from tests.browser import visit
from tests.figures.odd import MODELS, panels
from tests.small_study import ROOT

STYLES = ROOT / "workflow" / "costcurves" / "report" / "styles"
SLACK = 1.0  # CSS pixels by which boxes of words may overlap, or leave their panel
# Of each panel the words that are cut, and pairs that overlap.
MEASURED = """(slack) => [...document.querySelectorAll("svg")].map((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((text) =>
    [text, text.getBoundingClientRect()]);
  const out = (box) => box.left < frame.left - slack || box.right > frame.right + slack
    || box.top < frame.top - slack || box.bottom > frame.bottom + slack;
  const cut = texts.filter(([, box]) => out(box));
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2.5 * slack;
  const pairs = texts.flatMap(([text, a], place) => texts.slice(place + 1)
    .filter(([, b]) => over(a, b)).map(([other]) => `${text.textContent} on ${other.textContent}`));
  const size = ([text]) => parseFloat(getComputedStyle(text).fontSize) * frame.width / 252.28;
  const words = cut.map(([text]) => text.textContent);
  return [svg.getAttribute("aria-label"), words, pairs, Math.min(...texts.map(size))];
})"""
WIDTHS = {"360": 360, "390": 390, "1280": 1280, "paper": 680}


def page_of(drawn: dict[str, str], file: Path) -> Path:
    """A page of all panels of a study."""
    elements = FigureElements()
    inline = (elements.inline(svg, label) for label, svg in drawn.items())
    cards = [f'<div class="card">{svg}</div>' for svg in inline]
    sheets = [(STYLES / sheet).read_text("utf-8") for sheet in ("page.css", "figures.css")]
    family = ".card text { font-family: Figure; white-space: pre }"
    style = "\n".join([*sheets, family, *faces(letters(drawn.values())), elements.style()])
    head = f"<!doctype html><meta charset='utf-8'><style>{style}</style>"
    file.write_text(f"{head}<main>{''.join(cards)}</main>", encoding="utf-8")
    return file


@pytest.mark.parametrize("name", MODELS)
def test_panels_are_small_and_no_words_are_cut_or_overlap(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    drawn = dict(panels(name))
    assert {"cost_curves", "cost_lines", "roc_and_cost"} <= {label[:-2] for label in drawn}
    for label, svg in drawn.items():
        (width,) = re.findall(r'viewBox="0 0 (\S+) \S+"', svg)
        assert float(width) == pytest.approx(89 / 25.4 * 72, abs=0.01), label
        assert len(svg) <= 45_000, label
        sizes = {float(size) for size in re.findall(r"font-size: ([\d.]+)px", svg)}
        assert sizes == {POINTS}, label
    page = page_of(drawn, tmp_path / "panels.html")
    for where, pixels in WIDTHS.items():
        with visit(browser, page, width=pixels) as seen:
            if where == "paper":
                seen.page.emulate_media(media="print")
            for label, cut, pairs, smallest in seen.page.evaluate(MEASURED, SLACK):
                assert (cut, pairs) == ([], []), (where, label)
                assert smallest >= 9, (where, label)
