"""The report's style: colours, words, round axes, bytes."""

import re
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from costcurves.figures import saving, style
from tests.drawn import as_drawn
from tests.fake_tables import HOSTILE

TEXTS = st.text(st.characters(categories=("L", "N", "P"), exclude_characters="…"), min_size=1)


def luminance(colour: str) -> float:
    """WCAG's relative luminance, apart from the package's own."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """WCAG's contrast ratio."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


# Colours and dashes


def test_forty_two_models_differ_in_colour_or_dash_and_neighbours_in_both() -> None:
    looks = [(style.colour(i), style.dash(i)) for i in range(42)]
    assert len(set(looks)) == 42
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(looks))


def test_colours_are_okabe_ito_without_the_yellow() -> None:
    okabe_ito = {mpl.colors.to_hex(colour) for colour in mpl.color_sequences["okabe_ito"]}
    assert okabe_ito - set(style.COLOURS) == {"#f0e442"}


@pytest.mark.parametrize("index", range(7))
def test_words_contrast_with_their_ground(index: int) -> None:
    assert contrast(style.ink(index), "#ffffff") >= 4.5
    assert contrast(style.ink_on(style.colour(index)), style.colour(index)) >= 4.5


def test_notes_contrast_with_white_and_with_the_grey() -> None:
    assert contrast(style.NOTE, "#ffffff") >= 4.5
    assert contrast(style.NOTE, style.SHADE) >= 4.5


@pytest.mark.parametrize("index", range(4))
def test_models_of_one_dash_differ_in_grey(index: int) -> None:
    """Up to ten models: the second of each dash is lighter or darker than the first."""
    first, second = luminance(style.colour(index)), luminance(style.colour(index + 6))
    assert abs(first - second) > 0.03


# Widths and shortening


@given(TEXTS, st.floats(0.1, 3), st.sampled_from(["normal", "bold"]))
def test_a_shortened_text_fits_or_cannot_be_shorter(text: str, room: float, weight: str) -> None:
    short = style.shorten(text, room, style.BODY, weight)
    if style.text_width(text, style.BODY, weight) <= room:
        assert short == text
    else:
        head, tail = short.split("…")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) <= 1 or style.text_width(short, style.BODY, weight) <= room


def test_a_shortened_text_keeps_both_ends() -> None:
    short = style.shorten("C4.5 after undersampling to p(+) = 0.35", room=1.5)
    assert short.startswith("C4.5 after")
    assert short.endswith("= 0.35")


def test_mathematics_is_as_wide_as_its_letters() -> None:
    assert style.text_width(r"$\foo$") > style.text_width(r"foo")


# Round axes


@given(st.floats(0, 2), st.sampled_from([0.0001, 0.05]))
def test_a_round_axis_holds_the_data_with_few_round_ticks(highest: float, least: float) -> None:
    top, step = style.round_top(highest, least)
    assert top >= highest
    assert top >= least or top == 0.5
    assert highest > 0.5 or top <= 0.5
    count = top / step
    assert abs(count - round(count)) < 1e-9
    assert round(count) <= 6
    assert re.fullmatch(r"[125]e[+-]\d\d", f"{step:.0e}")


@given(st.floats(0, 0.4))
def test_a_round_axis_leaves_air_but_not_much(highest: float) -> None:
    top, _ = style.round_top(highest)
    assert top >= 1.15 * highest
    assert top <= max(0.05, 2 * highest)


@given(st.text(st.sampled_from("il mWé"), min_size=1, max_size=30), st.floats(0.05, 2))
def test_lines_are_as_long_as_there_is_room(text: str, room: float) -> None:
    """Each line but the last has all letters that fit, or ends at the last blank before."""
    lines = style.wrapped(text, room, style.BODY, "normal", most=40)
    rest = text
    for line in lines[:-1]:
        fits = [n for n in range(2, len(rest)) if style.text_width(rest[:n]) <= room]
        most = max(fits, default=1)
        blank = rest.rfind(" ", 1, most + 1)
        assert line == rest[: blank if blank > 0 else most]
        rest = rest[len(line) :].lstrip()


@pytest.mark.parametrize("size", [7.0, 11.0])
def test_words_are_measured_as_they_are_drawn(size: float) -> None:
    font = FontProperties(family="DejaVu Sans", size=size)
    renderer: Any = RendererSVG
    drawn = renderer(99, 99, StringIO()).get_text_width_height_descent("Aging", font, ismath=False)
    assert style.text_width("Aging", size) == drawn[0] / 72


# Settings and bytes


def test_the_style_is_not_left_behind_and_not_mixed_with_the_users_own() -> None:
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 30}):
        before = dict(mpl.rcParams)
        with style.house_style():
            assert mpl.rcParams["axes.facecolor"] == "white"
            assert mpl.rcParams["text.parse_math"] is False
        assert dict(mpl.rcParams) == before


def test_matplotlib_knows_every_setting_of_the_style_file() -> None:
    """It passes over a key that it does not know."""
    lines = style._STYLE.read_text("utf-8").splitlines()
    named = [line.partition(":")[0] for line in lines if not line.startswith("#")]
    assert named == list(dict.fromkeys(named))
    assert set(style._RC) == set(named)


def _figure(words: str = "words") -> Figure:
    with style.house_style():
        figure = Figure(figsize=(3, 2))
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], label="_hidden")
        axes.fill_between([0, 1], [0, 1], hatch="//")
        axes.text(0.5, 0.5, words)
    return figure


def test_the_same_figure_gives_the_same_bytes(tmp_path: Path) -> None:
    saving.save([(as_drawn(_figure()), tmp_path / "a" / "one")])
    with mpl.rc_context({"svg.hashsalt": None, "font.size": 30}):
        saving.save([(as_drawn(_figure()), tmp_path / "b" / "other")])
    assert (tmp_path / "a/one.svg").read_bytes() == (tmp_path / "b/other.svg").read_bytes()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["one.svg"]


def test_files_say_nothing_of_when_and_with_what_they_were_made(tmp_path: Path) -> None:
    saving.save([(as_drawn(_figure()), tmp_path / "one")])
    svg = (tmp_path / "one.svg").read_text()
    assert "<dc:date>" not in svg
    assert mpl.__version__ not in svg


@pytest.mark.parametrize(
    ("words", "outlined"), [("words", False), ("\u05d0\u05d1", True), ("e\u0301", True)]
)
def test_words_are_text_and_outlines_where_letters_are_not_one_by_one(
    words: str, outlined: bool, tmp_path: Path
) -> None:
    saving.save([(as_drawn(_figure(words)), tmp_path / "one")])
    assert f">{words}</text>" in (tmp_path / "one.svg").read_text()
    outlines = tmp_path / "one.outlines.svg"
    assert outlines.exists() == outlined
    assert not outlined or "<text" not in outlines.read_text()


@pytest.mark.parametrize("words", [*HOSTILE, "日本", "-->", "&amp;"])
def test_any_words_can_be_saved(words: str, tmp_path: Path) -> None:
    saving.save([(as_drawn(_figure(words)), tmp_path / "one")])
    svg = (tmp_path / "one.svg").read_text()
    assert "<script" not in svg
    assert svg.count("-->") == svg.count("<!--")


class Broken(Artist):
    """Cannot be drawn."""

    def draw(self, renderer: RendererBase) -> None:
        raise RuntimeError(f"broken on {type(renderer).__name__}")


def test_a_figure_that_cannot_be_drawn_leaves_what_was_there(tmp_path: Path) -> None:
    saving.save([(as_drawn(_figure()), tmp_path / "one")])
    before = (tmp_path / "one.svg").read_bytes()
    figure = _figure("others")
    figure.add_artist(Broken())
    with pytest.raises(RuntimeError, match="broken"):
        saving.save([(as_drawn(figure), tmp_path / "one")])
    assert (tmp_path / "one.svg").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["one.svg"]
