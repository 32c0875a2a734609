"""A figure in a page: what matplotlib drew, as the page's policy allows it, words as text."""

import re
from base64 import b64decode
from io import BytesIO
from itertools import islice
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from costcurves.report.pictures import (
    FILES,
    FOLDER,
    FigureElements,
    data_uri,
    faces,
    letters,
    paper_uri,
    size_of,
    swatch,
)
from tests import fake_report
from tests.figures.odd import panels

XMLNS = ' xmlns="http://www.w3.org/2000/svg"'


@pytest.fixture(scope="module")
def drawings() -> dict[str, str]:
    """Some panels of models with names that would like to be more than names."""
    return dict(islice(panels("five"), 9))


def test_a_figure_draws_as_the_pages_policy_allows_it(drawings: dict[str, str]) -> None:
    """Words are text, looks are classes, ids are those of one figure, colours are variables."""
    page = FigureElements()
    ids, every_word = [], set()
    for name, svg in drawings.items():
        shown = page.inline(svg, f'shows <"{name}">')
        root, source = fromstring(shown.replace(XMLNS, "")), fromstring(svg.replace(XMLNS, ""))
        tags = {element.tag for element in root.iter()}
        assert tags <= {"svg", "g", "defs", "path", "use", "clipPath", "rect", "text", "pattern"}
        attributes = [pair for element in root.iter() for pair in element.attrib.items()]
        names = {attribute for attribute, _ in attributes}
        assert not names & {"style", "xlink:href", "xmlns"}
        assert not [each for each in names if each.startswith("on") or "}" in each]
        here = [value for attribute, value in attributes if attribute == "id"]
        assert all(value[0] == "#" for attribute, value in attributes if attribute == "href")
        assert set(re.findall(r"#(f[0-9]+-[0-9a-z]+)", repr(attributes))) <= {*here}
        ids += here
        assert (root.attrib["role"], root.attrib["aria-label"]) == ("img", f'shows <"{name}">')
        words = [element.text for element in root.iter("text")]
        assert words == ["".join(element.itertext()) for element in source.iter("text")] != []
        every_word |= {str(word) for word in words}
    assert len(ids) == len(set(ids)) > 0
    assert any(word.startswith("<script>") for word in every_word)
    used = set(re.findall("#[0-9a-f]{6}|var\\(--figure-[a-z0-9]+\\)", page.style()))
    assert used
    assert all(colour.startswith("var(") for colour in used)
    assert set(re.findall("font-weight: ([^;}]*)", page.style())) <= set(FILES)
    assert "font-style" not in page.style()


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")))
def test_any_words_stay_words(words: str) -> None:
    (panel,) = fake_report.drawing(words).panels
    root = fromstring(FigureElements().inline(panel, words).replace(XMLNS, ""))
    assert [element.tag for element in root.iter()] == ["svg", "path", "text"]
    (shown,) = root.iter("text")
    assert (shown.text or "") == words


def test_each_letter_of_a_figure_is_in_the_pages_font(drawings: dict[str, str]) -> None:
    """It moves as matplotlib measured it."""
    used = letters(drawings.values())
    assert [weight for weight, _ in used] == ["400", "700"]
    for (weight, some), face in zip(used, faces(used), strict=True):
        assert f"font-weight: {weight}" in face
        (woff,) = re.findall(r'url\("data:font/woff2;base64,(.*?)"\)', face)
        font, whole = TTFont(BytesIO(b64decode(woff))), TTFont(FOLDER / f"{FILES[weight]}.ttf")
        names, same = font.getBestCmap(), whole.getBestCmap()
        needed = {ord(letter) for letter in some} & set(same)
        assert needed <= set(names) <= needed | {ord("(")}  # with what `)` is turned round
        assert {at: font["hmtx"][names[at]] for at in names} == {
            at: whole["hmtx"][same[at]] for at in names
        }
        assert "kern" in font or "GPOS" in font
        assert len(woff) < 20_000


def test_pictures_on_paper_have_a_size_words_and_addresses_that_read_back() -> None:
    (panel,) = fake_report.drawing("C4.5").panels
    shown = unquote(paper_uri(panel))
    assert ">C4.5</text>" in shown
    assert "xmlns='http://www.w3.org/2000/svg'" in shown
    assert "xml:space='preserve'" in shown, "or a space at the beginning of a text is dropped"
    assert size_of(panel) == ("252", "100")
    svg = '<svg a="1">é#&amp;%\'</svg>'
    uri = data_uri(svg)
    assert unquote(uri.split(",", 1)[1]) == svg
    assert not set(uri + swatch(3)) & set('"<>#&\n')
