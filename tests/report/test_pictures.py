"""A figure in a page: what matplotlib drew, as the page's policy allows it, words as text."""

import re
from base64 import b64decode
from dataclasses import replace
from io import BytesIO
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from costcurves.curves.conditions import Condition
from costcurves.figures import drawing
from costcurves.figures.context import Context
from costcurves.pairs.choices import CHOICE_INTERVALS
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
from costcurves.settings import Selection
from tests import fake_report
from tests.fake_tables import random_predictions, tables

XMLNS = ' xmlns="http://www.w3.org/2000/svg"'
NAMES = ("</svg><script>x</script>", 'style="fill:red" url(#a)', "&amp; \u05d0\u05d1")
CHOICES = {"choice_intervals": CHOICE_INTERVALS.empty()}
CONTEXT = Context(
    tables={},
    title="Odd <names>",
    models=NAMES,
    roster=NAMES,
    prior=0.4,
    level="fold",
    conditions=(Condition("PC(+) = 0.35", 0.35, named=True),),
    limits=Selection(max_fp_rate=0.2, capacity="30%"),
)


@pytest.fixture(scope="module")
def drawings() -> dict[str, str]:
    """Every panel of models with names that would like to be more than names."""
    data = CHOICES | tables(random_predictions(NAMES, repeats=1, folds=4, size=20))
    context = replace(CONTEXT, tables=data)
    panels = {}
    for module in drawing.FIRST[1:5]:
        for letter, svg in drawing.drawn(module, module.data(context), context).items():
            panels[f"{module.NAME} {letter}"] = svg
    return panels


def test_a_figure_draws_as_the_pages_policy_allows_it(drawings: dict[str, str]) -> None:
    """Words are text, looks are classes, ids are those of one figure, colours are variables."""
    page = FigureElements()
    shown = {name: page.inline(svg, f'shows <"{name}">') for name, svg in drawings.items()}
    ids, every_word = [], set()
    for name, svg in shown.items():
        root = fromstring(svg.replace(XMLNS, ""))
        elements = list(root.iter())
        tags = {element.tag for element in elements}
        assert tags <= {"svg", "g", "defs", "path", "use", "clipPath", "rect", "text", "pattern"}
        attributes = [pair for element in elements for pair in element.attrib.items()]
        names = {attribute for attribute, _ in attributes}
        assert not names & {"style", "xlink:href", "xmlns"}
        assert not [each for each in names if each.startswith("on") or "}" in each]
        here = [value for attribute, value in attributes if attribute == "id"]
        assert all(value[0] == "#" for attribute, value in attributes if attribute == "href")
        assert set(re.findall(r"#(f[0-9]+-[0-9a-z]+)", repr(attributes))) <= {*here}
        ids += here
        assert (root.attrib["role"], root.attrib["aria-label"]) == ("img", f'shows <"{name}">')
        words = [element.text for element in root.iter("text")]
        source = fromstring(drawings[name])
        texts = [element for element in source.iter() if element.tag.endswith("}text")]
        assert words == ["".join(element.itertext()) for element in texts] != []
        every_word |= {str(word) for word in words}
    assert len(ids) == len(set(ids)) > 0
    assert "&amp; \u05d0\u05d1" in every_word
    assert any(word.startswith("</svg><scr") for word in every_word)
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


# The font


def test_each_letter_of_a_figure_is_in_the_pages_font(drawings: dict[str, str]) -> None:
    used = letters(drawings.values())
    assert [weight for weight, _ in used] == ["400", "700"]
    for (weight, some), face in zip(used, faces(used), strict=True):
        assert f"font-weight: {weight}" in face
        (woff,) = re.findall(r'url\("data:font/woff2;base64,(.*?)"\)', face)
        whole = set(TTFont(FOLDER / f"{FILES[weight]}.ttf").getBestCmap())
        kept = set(TTFont(BytesIO(b64decode(woff))).getBestCmap())
        assert kept == {ord(letter) for letter in some} & whole
        assert len(woff) < 20_000


def test_a_letter_moves_as_matplotlib_measured_it() -> None:
    (face,) = faces([("400", "AVfi\u05d0")])
    font = TTFont(BytesIO(b64decode(re.findall(r"base64,(.*?)\"", face)[0])))
    whole = TTFont(FOLDER / "DejaVuSans.ttf")
    for letter in "AVfi":
        name, same = font.getBestCmap()[ord(letter)], whole.getBestCmap()[ord(letter)]
        assert font["hmtx"][name] == whole["hmtx"][same]
    assert "kern" in font or "GPOS" in font


# Paper, and small pictures


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
