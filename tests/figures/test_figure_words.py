"""What figures say: verdicts and no more, ranges rounded inwards, titles of ten words; colours."""

import re
from dataclasses import replace
from itertools import pairwise, product
from types import ModuleType

import pandas as pd
import pytest

from costcurves.curves.cost_space import pc_from_ratio
from costcurves.figures import cost_curves, cost_lines, differences, drawing, hybrids, style
from tests.fake_tables import random_predictions, tables
from tests.figures.odd import MODELS, MODULES, context_of, made, tables_of
from tests.small_study import ROOT

RATIO = re.compile(r"([\d,.]+):([\d,.]+)")


def words_of(module: ModuleType, name: str, **changes: pd.DataFrame) -> dict[str, str]:
    """The words of a figure of a study, some of its tables changed."""
    data, context = made(module, name, **changes)
    return drawing.sentences(module, data, context) if len(data) else {}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)
def test_titles_have_ten_words_and_name_models(module: ModuleType, name: str) -> None:
    words = words_of(module, name)
    if not words:
        return
    assert set(words) == {"title", "caption", "alt"}
    title = words["title"]
    for short in context_of(name).short.values():
        title = title.replace(short, "M")
    assert len(title.replace("\u202f%", "%").split()) <= 12 if "M and M" in title else 11, title
    for text in words.values():
        assert not re.search(r"  |\s[.,;:)]|\(\s|None|nan|<=", text), text
        assert name != "five" or "49" not in re.sub(r"\d\.\d+", "", text)  # as of {{ 7 * 7 }}
    assert words["caption"].endswith(".")
    assert words["alt"].endswith(".")


@pytest.mark.parametrize("module", [cost_curves, differences], ids=lambda module: module.NAME)
@pytest.mark.parametrize("name", ["two", "three", "twelve"])
def test_what_titles_state_is_a_verdict(module: ModuleType, name: str) -> None:
    context, rows = context_of(name), tables_of(name)["verdicts"]
    title = words_of(module, name)["title"]
    names = {short: model for model, short in context.short.items()}
    parts = re.fullmatch(r"(.*) costs less than (.*?) (?:from|at|up to) (.*)", title)
    assert parts is not None
    ratios = [[float(part.replace(",", "")) for part in pair] for pair in RATIO.findall(parts[3])]
    ends = [float(pc_from_ratio(first / second, context.prior)) for first, second in ratios]
    pair = names[parts[1]], names[parts[2]]
    shown = {("A cheaper", *pair), ("B cheaper", *reversed(pair))}
    stated = rows.set_index(["finding", "model_a", "model_b"]).index.isin(shown)
    spans = rows.loc[stated, ["pc_from", "pc_to"]].to_numpy(float)
    assert any(low - 1e-9 <= min(ends) <= max(ends) <= high + 1e-9 for low, high in spans)


def test_without_verdicts_and_intervals_nothing_is_stated() -> None:
    undecided = tables_of("three")["verdicts"].assign(finding="undecided")
    for module, title in (
        (cost_curves, "No model is shown to cost less than another"),
        (differences, "No difference between two models is shown"),
    ):
        assert words_of(module, "three", verdicts=undecided)["title"] == title
    assert tables_of("two")["choice_intervals"].empty
    assert words_of(hybrids, "two")["title"].startswith("No threshold")


def test_names_are_short_different_and_told_apart_where_they_differ() -> None:
    short = style.short_names(MODELS["twelve"])
    assert len({*short.values()}) == 12
    assert all(len(name) <= style.LONG for name in short.values())
    assert short[MODELS["twelve"][11]].endswith("number 12")
    same = ["x" * 70 + "a" + "y" * 30, "x" * 70 + "b" + "y" * 30]
    assert len({*style.short_names(same).values()}) == 2


def test_a_model_whose_envelope_has_no_corner_has_lines_and_no_points() -> None:
    rows = random_predictions(("Only model",), repeats=1, folds=4, size=20).assign(score=0.5)
    context = replace(context_of("one"), tables=tables(rows))
    data = cost_lines.data(context)
    assert len(drawing.drawn(cost_lines, data, context)) == 3
    alt = drawing.sentences(cost_lines, data, context)["alt"]
    assert alt.startswith("Only model on Data of one & <more>: 2 cost lines under their envelope;")


# Colours: apart from their ground, named for pages, and one for each model

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
