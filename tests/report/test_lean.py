"""A figure in a page: what matplotlib drew, as the page's policy allows it, words as text."""

import os
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from costcurves.figures import saving, style
from costcurves.figures.catalogue import FIGURES
from costcurves.report.document import Drawing
from costcurves.report.lean import lean, short, short_path, written
from costcurves.report.pictures import (
    FILES,
    FOLDER,
    FigureStyles,
    data_uri,
    faces,
    inline,
    letters,
    paper_uri,
    picture,
    swatch,
)
from tests.drawn import painted
from tests.fake_report import drawing
from tests.figures.test_figures import KINDS, make

Places = NDArray[Any]

NAMES = ("</svg><script>x</script>", 'style="fill:red" url(#a)', "&amp; \u05d0\u05d1")


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Drawing]:
    """Every figure of models with names that would like to be more than names."""
    folder = tmp_path_factory.mktemp("figures")
    tables, context = make(NAMES)
    found = {}
    for kind in FIGURES:
        saving.save([(painted(kind, tables, context), folder / kind.name)])
        found[kind.name] = Drawing((folder / f"{kind.name}.text.svg").read_text("utf-8"), "")
    return found


@pytest.fixture(scope="module")
def pictures(drawings: dict[str, Drawing]) -> dict[str, Element]:
    """The figures as a page has them, read back."""
    return {
        name: fromstring(inline(picture(one, f"shows <{name}>"), name))
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
    assert not names & {"style", "class", "xlink:href", "xmlns"}
    assert not [name for name in names if name.startswith("on") or "}" in name]
    assert all(one.attrib["href"].startswith("#") for one in elements if "href" in one.attrib)


def test_ids_are_the_only_ones_of_a_page_and_every_reference_resolves(
    pictures: dict[str, Element],
) -> None:
    ids = [
        one.attrib["id"] for root in pictures.values() for one in root.iter() if "id" in one.attrib
    ]
    assert len(ids) == len(set(ids))
    for name, root in pictures.items():
        own = {id_ for id_ in ids if id_.startswith(f"{name}/")}
        assert own == set(_references(root))


def _references(root: Element) -> Iterator[str]:
    for one in root.iter():
        for name, value in one.attrib.items():
            if name == "href":
                yield value[1:]
            elif name != "aria-label":
                yield from re.findall(r"url\(#(.*?)\)", value)


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


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_words_stay_words(words: str) -> None:
    page = inline(picture(drawing(words), ""), "a")
    assert [one.tag for one in fromstring(page).iter()] == ["svg", "rect", "path", "text"]
    (shown,) = fromstring(page).iter("text")
    assert (shown.text or "") == re.sub("[\ufffe\uffff]", "\ufffd", words)


def test_a_letter_that_no_svg_may_hold_is_replaced() -> None:
    assert "\ufffd" in written(lean("<svg><text>\uffff</text></svg>"))


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


def test_figures_use_the_weights_that_the_page_has(pictures: dict[str, Element]) -> None:
    elements = [one for root in pictures.values() for one in root.iter()]
    assert {one.get("font-weight", "400") for one in elements} <= set(FILES)
    assert not [one for one in elements if "font-style" in one.attrib]


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


@given(
    st.lists(
        st.tuples(st.integers(-(10**5), 10**5), st.integers(-(10**5), 10**5)),
        min_size=1,
        max_size=9,
    ),
    st.booleans(),
)
def test_a_short_path_goes_where_the_path_goes(places: list[tuple[int, int]], closed: bool) -> None:
    drawn = " ".join(
        f"{'L' if n else 'M'} {x / 100:.6f} {y / 100:.6f}" for n, (x, y) in enumerate(places)
    )
    walked = _walk(short_path(drawn + " z" * closed))
    remaining = iter(walked)
    at = next(remaining)
    assert at == places[0]
    goal = next(remaining, at)
    for start, end in pairwise(places):
        if goal != end and start == goal:
            goal = next(remaining)
        across, up = np.subtract(goal, start)
        assert across * (end[1] - start[1]) == up * (end[0] - start[0])
    assert walked[-1] == places[-1]
    assert len(walked) <= len(places) or len(places) == 1


def _walk(path: str) -> list[tuple[int, int]]:
    """Vertices of a path of M, l, h, v and z, in hundredths."""
    walked: list[tuple[int, int]] = []
    for command, rest in re.findall(r"([Mlhv])([^Mlhvz]*)", path):
        numbers = [round(100 * float(it)) for it in re.findall(r"-?[0-9]*\.?[0-9]+", rest)]
        steps = {
            "h": [(it, 0) for it in numbers],
            "v": [(0, it) for it in numbers],
        }.get(command, list(zip(numbers[::2], numbers[1::2], strict=False)))
        for across, down in steps:
            x, y = walked[-1] if command != "M" else (0, 0)
            walked.append((x + across, y + down))
    return walked


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=12, max_size=40))
def test_a_curve_of_many_vertices_is_kept_to_a_twentieth_of_a_point(
    places: list[tuple[float, float]],
) -> None:
    drawn = " ".join(f"{'L' if n else 'M'} {x:.6f} {y:.6f}" for n, (x, y) in enumerate(places))
    walked: Places = np.array(_walk(short_path(drawn))) / 100
    segments = [*pairwise(walked), (walked[0], walked[0])]
    for place in places:
        away = min(_distance(np.array(place), start, end) for start, end in segments)
        assert away <= 0.05 * np.sqrt(2) + 1e-6


def _distance(place: Places, start: Places, end: Places) -> float:
    step = end - start
    share = np.clip((place - start) @ step / max(float(step @ step), 1e-12), 0, 1)
    return float(np.hypot(*(start + share * step - place)))


def test_curves_and_gaps_are_kept() -> None:
    assert short_path("M 0 0 L 1 0 M 5 5 L 6 6 z") == "M0 0h1M5 5l1 1z"
    assert short_path("M 0 0 C 1.234567 2 3 4 5 6 z ") == "M0 0C1.23 2 3 4 5 6z"


def test_what_matplotlib_leaves_black_stays_black() -> None:
    root = lean(
        '<svg><defs><path id="m" d="M 0 0"/></defs><path d="M 0 0"/><text style="x: y">a</text>'
        '<g transform="scale(2)"><use href="#m"/></g><use href="#m" style="stroke: #ffffff"/></svg>'
    )
    drawn = list(root.iter())
    black = [one.tag for one in drawn if one.get("fill") == "#000"]
    assert black == ["g", "use"], "neighbours share it"
    assert [one.tag for one in root[1]] == ["path", "text", "g"]
    assert root.attrib["fill"] == style.INK
    assert "fill" not in next(root.iter("defs"))[0].attrib


def test_classes_look_like_the_attributes_in_whose_place_they_are(
    drawings: dict[str, Drawing],
) -> None:
    styles = FigureStyles()
    shared = {name: inline(picture(one, ""), name, styles) for name, one in drawings.items()}
    rules = {
        name: dict(one.split(":") for one in rule.replace("px", "").split(";"))
        for name, rule in re.findall(r"\.(l[0-9]+){(.*)}", styles.style())
    }
    assert rules
    for name, page in shared.items():
        plain = inline(picture(drawings[name], ""), name)
        assert len(page) < len(plain)
        pairs = zip(fromstring(page).iter(), fromstring(plain).iter(), strict=True)
        for one, other in pairs:
            look = rules[one.attrib.pop("class")] if "class" in one.attrib else {}
            assert one.attrib | look == other.attrib


def test_every_tick_is_where_it_was(
    drawings: dict[str, Drawing], pictures: dict[str, Element]
) -> None:
    for name, one in drawings.items():
        source = re.sub(r"\sxlink:", " ", one.text)
        lines = set(re.findall(r'<path id="(m\w+)" d="M 0 0 \nL (?:0 \S+|\S+ 0) \n"', source))
        uses = re.findall(r'<use href="#(\w+)" x="(\S+)" y="(\S+)"', source)
        ticks = {(short(float(x)), short(float(y))) for id_, x, y in uses if id_ in lines}
        paths = " ".join(it.get("d", "") for it in pictures[name].iter("path"))
        assert ticks <= set(re.findall(r"M(\S+?) (\S+?)[hv]", paths))
        assert ticks or name in ("verdicts", "optimism"), name


def test_looks_are_said_once_and_never_changed() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg"><g id="x" clip-path="url(#c)">'
        '<path style="fill: #ff0000" d="M 0 0"/></g><path clip-path="url(#c)" '
        'style="fill: #ff0000; opacity: 0.5" d="M 0 1"/>'
        '<path clip-path="url(#c)" transform="rotate(-0 1 2) rotate(9 1 2)" d="M 1 1"/>'
        '<defs><clipPath id="c"><rect width="1" height="1"/></clipPath></defs></svg>'
    )
    assert written(lean(svg, "f/")).partition(">")[2] == (
        '<defs><clipPath id="f/0"><rect width="1" height="1"/></clipPath></defs>'
        '<g clip-path="url(#f/0)"><g fill="#f00"><path d="M0 0"/><path d="M0 1" opacity="0.5"/></g>'
        '</g><path clip-path="url(#f/0)" transform="rotate(9 1 2)" d="M1 1" fill="#000"/></svg>'
    )


# Paper, and small pictures


def test_paper_has_words_as_text_where_its_letters_stand_side_by_side() -> None:
    shown = unquote(paper_uri(picture(drawing("C4.5"), "")))
    assert ">C4.5</text>" in shown
    assert "xmlns='http://www.w3.org/2000/svg'" in shown
    assert "xml:space='preserve'" in shown, "or a space at the beginning of a text is dropped"
    for words in ("\u05d0\u05d1", "e\u0301", "a \u200f"):
        assert "<text" not in unquote(paper_uri(picture(drawing(words), "")))


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
        "optimism",
        "instance_costs",
    }
    for name, found in along.items():
        width, height = (float(it) for it in pictures[name].attrib["viewBox"].split()[2:])
        for axes in found:
            zero, one, top, bottom = (float(it) for it in axes.attrib["data-pc"].split(","))
            assert 0 < one - zero < width
            assert 0 < top < bottom < height


def test_figures_say_whose_lines_and_names_are(pictures: dict[str, Element]) -> None:
    for name in ("cost_curves", "folds", "crossovers", "differences", "hybrids"):
        found = [
            {one.attrib[key] for one in pictures[name].iter() if key in one.attrib}
            for key in ("data-model", "data-name")
        ]
        for seen in found:
            assert {place for these in seen for place in these.split()} == {"0", "1", "2"}


def test_readers_get_classes_of_models_and_no_id_twice(tmp_path: Path) -> None:
    tables, context = make(NAMES)
    saving.save([(painted(KINDS["cost_curves"], tables, context), tmp_path / "one")])
    root = fromstring((tmp_path / "one.svg").read_text("utf-8"))
    ids = [one.attrib["id"] for one in root.iter() if "id" in one.attrib]
    assert len(ids) == len(set(ids))
    assert {"model-0", "name-2"} <= {one.get("class") for one in root.iter()}
