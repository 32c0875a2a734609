"""Colours: apart from their ground, named for pages, and one for each model."""

import re
from itertools import pairwise

import pytest

from costcurves.figures import style
from tests.small_study import ROOT

CSS = (ROOT / "workflow/costcurves/report/styles/figures.css").read_text("utf-8")


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted([luminance(first), luminance(second)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def grounds(part: str) -> dict[str, str]:
    return dict(re.findall(r"--figure-(\w+): (#[0-9a-f]{6})", part))


@pytest.mark.parametrize("colour", [*style.COLOURS, style.INK, style.NOTE])
def test_words_contrast_with_white_and_with_the_roof(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 4.5
    assert contrast(colour, style.ROOF) >= 4.5


def test_a_dark_page_has_colours_that_contrast_with_its_ground() -> None:
    dark = grounds(CSS.partition("@media")[2])
    for name in [*(f"m{place}" for place in range(7)), "ink", "note"]:
        assert contrast(dark[name], dark["paper"]) >= 4.5, name
        assert contrast(dark[name], dark["roof"]) >= 4.5, name


def test_the_pages_colours_are_those_of_the_figures() -> None:
    light = grounds(CSS.partition("@media")[0])
    assert light == {name: colour for colour, name in style.VARIABLES.items()}
    assert set(grounds(CSS.partition("@media")[2])) == set(light)


def test_models_next_to_each_other_differ_in_colour_and_in_dash() -> None:
    looks = [(style.colour(place), style.dash(place)) for place in range(42)]
    assert len({*looks}) == 42
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(looks))
