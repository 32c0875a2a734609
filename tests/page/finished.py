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
Piece = tuple[str, float]


def test_size_in_words_bytes_and_pages() -> None:
    """Names with a digit, such as C4.5, are no numbers; a space within a number ends none."""
    assert (FOLDER / "report.html").stat().st_size <= 1_000_000
    with pikepdf.open(FOLDER / "report.pdf") as pdf:
        pieces = [piece for page in pdf.pages for piece in written(page, page.Resources)]
        first = [text for text, _ in written(pdf.pages[0], pdf.pages[0].Resources)]
        assert len(pdf.pages) <= 20
    assert len(pieces) > 80
    assert min(size for _, size in pieces) >= 7 - 1e-3  # points, in pictures, too
    text = re.sub(r"(?<=\d)\s(?=\d{3}\b)", "", " ".join(first))
    words = [word for word in text.split() if re.search(r"[^\W_]", word)]
    numbers = [word for word in words if re.search(r"\d", word) and not re.search("[A-Z]", word)]
    assert "11640" in numbers
    assert len(numbers) <= 60
    assert len([word for word in words if not re.search(r"\d", word)]) <= 220


@pytest.mark.parametrize("width", [1024, 1200])
def test_no_table_is_cut_off_on_a_laptop(browser: Browser, width: int) -> None:
    with visit(browser, FOLDER / "report.html", width=width) as seen:
        assert seen.page.locator(".use", has_text="DM").count()
        assert cut_off(seen) == []


def test_words_on_a_phone(browser: Browser) -> None:
    with visit(browser, FOLDER / "report.html", width=390) as seen:
        assert min(word_sizes(seen.page.locator(".card svg"))) >= 11
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390


def written(content: Any, resources: Any, within: Matrix = (1, 0, 0, 1)) -> Iterator[Piece]:
    """Read each piece of text and its size in points; of pictures the size alone."""
    outer, size, text, codes, tags = [], 0.0, within, dict[bytes, str](), list[str]()
    for step in pikepdf.parse_content_stream(content):
        operands: Any = step.operands
        match str(step.operator):
            case "BDC" | "BMC":
                tags.append(str(operands[0]))
            case "EMC":
                tags.pop()
            case "q":
                outer.append(within)
            case "Q":
                within = outer.pop()
            case "cm":
                within = times(operands, within)
            case "Tf":
                size, codes = float(operands[1]), codes_of(resources.Font[operands[0]])
            case "Tm":
                text = times(operands, within)
            case "Tj":
                yield "", size * hypot(*text[2:])
            case "TJ":
                parts = (bytes(part) for part in operands[0] if isinstance(part, pikepdf.String))
                shown = b"" if "/Figure" in tags else b"".join(parts)
                places = range(0, len(shown), 2)
                words = "".join(codes[shown[at : at + 2]] for at in places)
                yield words, size * hypot(*text[2:])
            case "Do" if (drawn := resources.XObject[operands[0]]).Subtype == "/Form":
                inner = times(drawn.get("/Matrix", (1, 0, 0, 1)), within)
                for _, inner_size in written(drawn, drawn.get("/Resources", resources), inner):
                    yield "", inner_size


def codes_of(font: Any) -> dict[bytes, str]:
    """Read the letters that the codes of a font stand for."""
    pairs = re.findall(r"<(\w{4})> <(\w+)>", font.ToUnicode.read_bytes().decode())
    read = ((bytes.fromhex(code), bytes.fromhex(text)) for code, text in pairs)
    return {code: text.decode("utf-16-be") for code, text in read}


def times(first: Any, then: Matrix) -> Matrix:
    """Multiply two matrices, without where they move things to."""
    a, b, c, d = (float(number) for number in [*first][:4])
    e, f, g, h = then
    return (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
