"""Colours: apart from their ground, named for pages, and one for each model."""

import re
from itertools import pairwise, product

import pytest

from costcurves.figures import style
from tests.small_study import ROOT

CSS = (ROOT / "workflow/costcurves/report/styles/figures.css").read_text("utf-8")
LIGHT, DARK = (dict(re.findall(r"--figure-(\w+): (#\w{6})", part)) for part in CSS.split("@media"))
WORDS = [*(f"m{place}" for place in range(len(style.COLOURS))), "ink", "note"]


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_words_contrast_with_the_paper_and_with_the_roof(colours: dict[str, str]) -> None:
    for name, ground in product(WORDS, ("paper", "roof")):
        first, second = luminance(colours[name]), luminance(colours[ground])
        assert (max(first, second) + 0.05) / (min(first, second) + 0.05) >= 4.5, (name, ground)


def test_the_pages_colours_are_those_of_the_figures() -> None:
    assert {name: colour for colour, name in style.VARIABLES.items()} == LIGHT
    assert {*LIGHT} == {*DARK}
    assert {LIGHT[name] for name in WORDS} == {*style.COLOURS, style.INK, style.NOTE}
    assert (LIGHT["paper"], LIGHT["roof"]) == ("#ffffff", style.ROOF)


def test_models_next_to_each_other_differ_in_colour_and_in_dash() -> None:
    looks = [(style.colour(place), style.dash(place)) for place in range(42)]
    assert len({*looks}) == 42
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(looks))
