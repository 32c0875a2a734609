"""A figure in a page: what matplotlib drew, as the page's policy allows it, words as text."""

import os
import re
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from costcurves.figures import saving
from costcurves.figures.catalogue import FIGURES
from costcurves.report.document import Drawing
from costcurves.report.pictures import (
    FILES,
    FOLDER,
    FigureElements,
    data_uri,
    faces,
    letters,
    paper_uri,
    picture,
    swatch,
)
from tests.drawn import painted
from tests.fake_report import drawing
from tests.figures.test_figures import KINDS, make

NAMES = ("</svg><script>x</script>", 'style="fill:red" url(#a)', "&amp; \u05d0\u05d1")


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Drawing]:
    """Every figure of models with names that would like to be more than names."""
    folder = tmp_path_factory.mktemp("figures")
    tables, context = make(NAMES)
    saving.save([(partial(painted, kind, tables, context), folder / kind.name) for kind in FIGURES])
    return {
        kind.name: Drawing((folder / f"{kind.name}.svg").read_text("utf-8"), "", "")
        for kind in FIGURES
    }


@pytest.fixture(scope="module")
def page() -> FigureElements:
    """What the figures of the page share."""
    return FigureElements()


@pytest.fixture(scope="module")
def pictures(drawings: dict[str, Drawing], page: FigureElements) -> dict[str, Element]:
    """The figures as a page has them, read back."""
    return {
        name: fromstring(page.inline(picture(replace(one, alt=f"shows <{name}>"))))
        for name, one in drawings.items()
    }


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
    pictures: dict[str, Element], page: FigureElements
) -> None:
    looks, ids = rules(page), []
    for root in pictures.values():
        own = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
        said = [it for one in root.iter() for it in one.attrib.values()]
        said += [looks.get(one.get("class", ""), "") for one in root.iter()]
        assert set(own) == {it for one in said for it in re.findall(r"#(f[0-9]+-[0-9a-z]+)", one)}
        ids += own
    assert ids
    assert len(ids) == len(set(ids))


def rules(page: FigureElements) -> dict[str, str]:
    """What each class of the page's figures looks like."""
    return dict(re.findall(r"\.(l[0-9]+){(.*)}", page.style()))


def test_a_figure_says_what_it_shows(pictures: dict[str, Element]) -> None:
    for name, root in pictures.items():
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == f"shows <{name}>"
        assert int(root.attrib["width"]) == 643


# The words


def test_every_word_is_there_as_it_was_written(
    drawings: dict[str, Drawing], pictures: dict[str, Element]
) -> None:
    for name, one in drawings.items():
        source = fromstring(one.text)
        words = ["".join(it.itertext()) for it in source.iter() if it.tag.endswith("}text")]
        assert words == [it.text for it in pictures[name].iter("text")]
        assert words
    shown = {it.text for it in pictures["cost_curves"].iter("text")}
    assert {"</svg><script>x</script>", "&amp; \u05d0\u05d1"} <= shown


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")))
def test_any_words_stay_words(words: str) -> None:
    page = FigureElements().inline(picture(drawing(words)))
    assert [one.tag for one in fromstring(page).iter()] == ["svg", "rect", "path", "text"]
    (shown,) = fromstring(page).iter("text")
    assert (shown.text or "") == words


# The font


def test_each_letter_of_a_figure_is_in_the_pages_font(drawings: dict[str, Drawing]) -> None:
    used = letters(one.text for one in drawings.values())
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


# The drawing


DRAWN = ("path", "use", "text", "rect", "pattern")


def test_all_is_drawn_where_and_as_it_was(
    drawings: dict[str, Drawing], pictures: dict[str, Element], page: FigureElements
) -> None:
    """Places as far as one sees: to half a tenth of a point, small shapes to half a hundredth."""
    looks = rules(page)
    for name, one in drawings.items():
        source = [it for it in fromstring(one.text).iter() if it.tag.partition("}")[2] in DRAWN]
        shown = [it for it in pictures[name].iter() if it.tag in DRAWN]
        for was, now in zip(source, shown, strict=True):
            assert was.tag.partition("}")[2] == now.tag
            look, own = was.get("style", ""), looks.get(now.get("class", ""), "")
            assert _without_ids(own) == _without_ids(look)
            for key in ("d", "x", "y", "transform"):
                (letters, places), (kept, rounded) = _parts(was, key), _parts(now, key)
                assert letters == kept
                for place, other in zip(places, rounded, strict=True):
                    assert abs(place - other) <= (0.05 if abs(other) >= 10 else 0.005) + 1e-9


def _without_ids(look: str) -> str:
    return re.sub(r"url\(#.*?\)", "url", look)


def _parts(element: Element, key: str) -> tuple[list[str], list[float]]:
    """The letters of an attribute, and its numbers; a turn by nothing is none."""
    value = re.sub(r"rotate\(-0 .*?\)", "", element.get(key, ""))
    return re.findall("[A-Za-z]", value), [float(it) for it in re.findall(r"-?[0-9.]+", value)]


def test_pages_lose_groups_that_say_nothing(pictures: dict[str, Element]) -> None:
    groups = [one for root in pictures.values() for one in root.iter("g")]
    assert groups
    assert all(one.attrib for one in groups)


# Paper, and small pictures


def test_paper_has_words_as_text() -> None:
    shown = unquote(paper_uri(picture(drawing("C4.5"))))
    assert ">C4.5</text>" in shown
    assert "xmlns='http://www.w3.org/2000/svg'" in shown
    assert "xml:space='preserve'" in shown, "or a space at the beginning of a text is dropped"


def test_addresses_stand_in_double_quotes_and_read_back() -> None:
    svg = '<svg a="1">é#&amp;%\'</svg>'
    uri = data_uri(svg)
    assert not set(uri) & set('"<>#&\n')
    assert unquote(uri.split(",", 1)[1]) == svg
    assert not set(swatch(3)) & set('"<>#&\n')


# What scripts can tell apart


def test_figures_say_where_pc_runs(pictures: dict[str, Element]) -> None:
    along = {name: root.findall(".//g[@data-pc]") for name, root in pictures.items()}
    assert {name for name, found in along.items() if not found} == {
        "cost_ratios",
        "decision_curves",
        "thresholds",
        "verdicts",
        "instance_costs",
        "reliability",
        "segments",
    }
    for name, found in along.items():
        width, height = (float(it) for it in pictures[name].attrib["viewBox"].split()[2:])
        for axes in found:
            zero, one, top, bottom = (float(it) for it in axes.attrib["data-pc"].split(","))
            assert 0 < one - zero < width
            assert 0 < top < bottom < height


def test_readers_get_classes_of_models_and_no_id_twice(tmp_path: Path) -> None:
    tables, context = make(NAMES)
    saving.save([(partial(painted, KINDS["cost_curves"], tables, context), tmp_path / "one")])
    root = fromstring((tmp_path / "one.svg").read_text("utf-8"))
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    assert len(ids) == len(set(ids))
    assert {"model-0", "name-2"} <= {one.get("class") for one in root.iter()}
