"""The default study's report as it is finished: how long it is, and that all its words can be read.

It needs `make report`, so CI runs it by its name after that:
``python -m pytest tests/page/finished.py``.
"""

import re
from collections.abc import Iterator
from math import hypot
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from playwright.sync_api import Browser

from tests.browser import cut_off, visit, word_sizes

FOLDER = Path("reports/default").resolve()
Matrix = tuple[float, float, float, float]


def test_pages() -> None:
    with pikepdf.open(FOLDER / "report.pdf") as pdf:
        assert len(pdf.pages) <= 20


def test_words_and_numbers_of_page_1() -> None:
    """Names with a digit, such as C4.5, are no numbers; a space within a number ends none."""
    with pikepdf.open(FOLDER / "report.pdf") as pdf:
        text = re.sub(r"(?<=\d)\s(?=\d{3}\b)", "", " ".join(texts(pdf.pages[0])))
    words = [word for word in text.split() if re.search(r"[^\W_]", word)]
    numbers = [word for word in words if re.search(r"\d", word) and not re.search("[A-Z]", word)]
    assert "11640" in numbers
    assert len(numbers) <= 60
    assert len([word for word in words if not re.search(r"\d", word)]) <= 220


def test_size() -> None:
    assert (FOLDER / "report.html").stat().st_size <= 1_000_000


@pytest.mark.parametrize("width", [1024, 1200])
def test_no_table_is_cut_off_on_a_laptop(browser: Browser, width: int) -> None:
    with visit(browser, FOLDER / "report.html", width=width) as seen:
        assert seen.page.locator(".use", has_text="DM").count()
        assert cut_off(seen) == []


def test_words_on_a_phone(browser: Browser) -> None:
    with visit(browser, FOLDER / "report.html", width=390) as seen:
        assert min(word_sizes(seen.page.locator(".card svg"))) >= 11
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_words_on_paper() -> None:
    with pikepdf.open(FOLDER / "report.pdf") as pdf:
        sizes = [size for page in pdf.pages for size in letters(page, page.Resources)]
    assert len(sizes) > 80
    assert min(sizes) >= 7 - 1e-3


def texts(page: Any) -> Iterator[str]:
    """Read each piece of text of a page, without those in its pictures."""
    codes: dict[str, dict[bytes, str]] = {}
    for name, font in page.Resources.Font.items():
        pairs = re.findall(r"<(\w{4})> <(\w+)>", font.ToUnicode.read_bytes().decode())
        read = ((bytes.fromhex(code), bytes.fromhex(text)) for code, text in pairs)
        codes[name] = {code: text.decode("utf-16-be") for code, text in read}
    font_codes: dict[bytes, str] = {}
    tags: list[str] = []
    for step in pikepdf.parse_content_stream(page):
        operands: Any = step.operands
        match str(step.operator):
            case "BDC" | "BMC":
                tags.append(str(operands[0]))
            case "EMC":
                tags.pop()
            case "Tf":
                font_codes = codes[str(operands[0])]
            case "TJ" if "/Figure" not in tags:
                shown = b"".join(
                    bytes(part) for part in operands[0] if isinstance(part, pikepdf.String)
                )
                yield "".join(font_codes[shown[at : at + 2]] for at in range(0, len(shown), 2))


def letters(content: Any, resources: Any, within: Matrix = (1, 0, 0, 1)) -> Iterator[float]:
    """Give the size of each piece of text in points, in pictures, too."""
    outer, size, text = [], 0.0, within
    for step in pikepdf.parse_content_stream(content):
        operands: Any = step.operands
        match str(step.operator):
            case "q":
                outer.append(within)
            case "Q":
                within = outer.pop()
            case "cm":
                within = times(operands, within)
            case "Tf":
                size = float(operands[1])
            case "Tm":
                text = times(operands, within)
            case "Tj" | "TJ":
                yield size * hypot(*text[2:])
            case "Do" if (drawn := resources.XObject[operands[0]]).Subtype == "/Form":
                inner = times(drawn.get("/Matrix", (1, 0, 0, 1)), within)
                yield from letters(drawn, drawn.get("/Resources", resources), inner)


def times(first: Any, then: Matrix) -> Matrix:
    """Multiply two matrices, without where they move things to."""
    a, b, c, d = (float(number) for number in [*first][:4])
    e, f, g, h = then
    return (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
