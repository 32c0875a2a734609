"""A figure in a page: what matplotlib drew, as the page's policy allows it, words as text."""

import os
import re
import subprocess
import sys
from base64 import b64decode
from io import BytesIO
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from costcurves.figures import drawing
from costcurves.figures.context import Condition, Context
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
from tests import fake_report
from tests.fake_tables import random_predictions, tables

XMLNS = ' xmlns="http://www.w3.org/2000/svg"'
NAMES = ("</svg><script>x</script>", 'style="fill:red" url(#a)', "&amp; \u05d0\u05d1")
CONTEXT = Context(
    title="Odd <names>",
    models=NAMES,
    roster=NAMES,
    prior=0.4,
    level="fold",
    conditions=(Condition("PC(+) = 0.35", 0.35, named=True),),
    limits={"score_threshold": 0.5, "max_fp_rate": 0.2, "capacity": "30%"},
)
CHOICES = {"choice_intervals": CHOICE_INTERVALS.empty()}


@pytest.fixture(scope="module")
def drawings() -> dict[str, str]:
    """Every panel of models with names that would like to be more than names."""
    found, context = tables(random_predictions(NAMES, repeats=1, folds=4, size=20)), CONTEXT
    return {
        f"{module.NAME} {letter}": svg
        for module in drawing.FIRST[:4]
        for letter, svg in drawing.drawn(
            module, module.data(CHOICES | found, context), context
        ).items()
    }


@pytest.fixture(scope="module")
def page() -> FigureElements:
    """What the figures of the page share."""
    return FigureElements()


@pytest.fixture(scope="module")
def pictures(drawings: dict[str, str], page: FigureElements) -> dict[str, Element]:
    """The figures as a page has them, read back."""
    shown = {name: page.inline(svg, f'shows <"{name}">') for name, svg in drawings.items()}
    return {name: fromstring(svg.replace(XMLNS, "")) for name, svg in shown.items()}


# What the page's policy asks


def test_no_attribute_holds_a_style_and_no_element_does_more_than_draw(
    pictures: dict[str, Element],
) -> None:
    elements = [one for root in pictures.values() for one in root.iter()]
    tags = {one.tag for one in elements}
    assert tags <= {"svg", "g", "defs", "path", "use", "clipPath", "rect", "text", "pattern"}
    names = {name for one in elements for name in one.attrib}
    assert not names & {"style", "xlink:href", "xmlns"}
    assert not [name for name in names if name.startswith("on") or "}" in name]
    assert all(one.attrib["href"].startswith("#") for one in elements if "href" in one.attrib)


def test_ids_are_the_only_ones_of_a_page_and_every_reference_resolves(
    pictures: dict[str, Element],
) -> None:
    ids = []
    for root in pictures.values():
        own = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
        said = [it for one in root.iter() for it in one.attrib.values()]
        assert {it for one in said for it in re.findall(r"#(f[0-9]+-[0-9a-z]+)", one)} <= {*own}
        ids += own
    assert ids
    assert len(ids) == len(set(ids))


def test_colours_are_variables_that_a_dark_page_changes(
    pictures: dict[str, Element], page: FigureElements
) -> None:
    assert pictures
    used = set(re.findall("#[0-9a-f]{6}|var\\(--figure-[a-z0-9]+\\)", page.style()))
    assert used
    assert all(it.startswith("var(") for it in used)


def test_a_figure_says_what_it_shows(pictures: dict[str, Element]) -> None:
    for name, root in pictures.items():
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == f'shows <"{name}">'


# The words


def test_every_word_is_there_as_it_was_written(
    drawings: dict[str, str], pictures: dict[str, Element]
) -> None:
    for name, svg in drawings.items():
        source = fromstring(svg)
        words = ["".join(it.itertext()) for it in source.iter() if it.tag.endswith("}text")]
        assert words == [it.text for it in pictures[name].iter("text")]
        assert words
    shown = {it.text for root in pictures.values() for it in root.iter("text")}
    assert "&amp; \u05d0\u05d1" in shown
    assert any(str(words).startswith("</svg><scr") for words in shown)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")))
def test_any_words_stay_words(words: str) -> None:
    (panel,) = fake_report.drawing(words).panels
    page = FigureElements().inline(panel, words).replace(XMLNS, "")
    assert [one.tag for one in fromstring(page).iter()] == ["svg", "path", "text"]
    (shown,) = fromstring(page).iter("text")
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


def test_figures_use_the_weights_that_the_page_has(
    pictures: dict[str, Element], page: FigureElements
) -> None:
    assert pictures
    assert set(re.findall("font-weight: ([^;}]*)", page.style())) <= set(FILES)
    assert "font-style" not in page.style()


def test_a_letter_moves_as_matplotlib_measured_it() -> None:
    (face,) = faces([("400", "AVfi\u05d0")])
    font = TTFont(BytesIO(b64decode(re.findall(r"base64,(.*?)\"", face)[0])))
    whole = TTFont(FOLDER / "DejaVuSans.ttf")
    for letter in "AVfi":
        name, same = font.getBestCmap()[ord(letter)], whole.getBestCmap()[ord(letter)]
        assert font["hmtx"][name] == whole["hmtx"][same]
    assert "kern" in font or "GPOS" in font


def test_the_font_is_the_same_bytes_in_another_process() -> None:
    used = [("400", "PC(+) fi"), ("700", "A")]
    code = f"from costcurves.report.pictures import faces; print(faces({used}))"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in "12"
    ]
    assert runs[0].stdout == runs[1].stdout == f"{faces(used)}\n"
    assert not runs[0].stderr


# Paper, and small pictures


def test_paper_has_words_as_text() -> None:
    (panel,) = fake_report.drawing("C4.5").panels
    shown = unquote(paper_uri(panel))
    assert ">C4.5</text>" in shown
    assert "xmlns='http://www.w3.org/2000/svg'" in shown
    assert "xml:space='preserve'" in shown, "or a space at the beginning of a text is dropped"


def test_a_picture_needs_a_size() -> None:
    (panel,) = fake_report.drawing("C4.5").panels
    assert size_of(panel) == ("252", "100")
    with pytest.raises(ValueError, match="expected an SVG with a viewBox"):
        size_of("<svg/>")


def test_addresses_stand_in_double_quotes_and_read_back() -> None:
    svg = '<svg a="1">é#&amp;%\'</svg>'
    uri = data_uri(svg)
    assert not set(uri) & set('"<>#&\n')
    assert unquote(uri.split(",", 1)[1]) == svg
    assert not set(swatch(3)) & set('"<>#&\n')
