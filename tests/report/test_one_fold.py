"""Where nothing can be cross-fitted, or averaged, the report neither draws nor promises it."""

import functools
import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

from costcurves.figures import drawing
from costcurves.figures.context import context_of
from costcurves.invariants import check_results
from costcurves.report import rendering
from tests.browsed_study import report_of
from tests.fake_report import dataset, drawings, study
from tests.result_tables import staged, tables_of
from tests.small_study import folds_of, scored

Tables = Mapping[str, pd.DataFrame]

FOLDED = 4  # folds of the study that can be cross-fitted


@functools.cache
def tables(repeats: int, folds: int) -> Tables:
    """Two models; without folds there are too few instances to be dealt into some."""
    rows = folds_of(40 if folds > 1 else 10, repeats, folds, seed=1)
    return tables_of(staged(pd.concat([scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3)])))


def drawn(repeats: int, folds: int) -> set[str]:
    made = tables(repeats, folds)
    (only,) = study(datasets=[dataset("d", "D")]).datasets
    context = context_of(study(), only, made, list(made["measures"]["model"].unique()))
    modules = (*drawing.EACH, *drawing.FIRST, *drawing.APPENDIX)
    return {it.NAME for it in modules if len(it.data(made, context))}


@functools.cache
def page(repeats: int, folds: int) -> str:
    """Give the page as it is with those figures that are drawn."""
    named = {name: replace(one, title=name) for name, one in drawings().items()}
    kept = {name: one for name, one in named.items() if name in drawn(repeats, folds)}
    made = report_of({"d": tables(repeats, folds)}, ["D"], {"d": kept})
    return rendering.html(made)


def section(name: str, repeats: int, folds: int) -> str:
    """Give the markup of one of the dataset's sections."""
    found = re.search(
        rf'<section id="data/d/{name}".*?</section>', page(repeats, folds), flags=re.DOTALL
    )
    assert found is not None
    return found[0]


def table(number: int, html: str) -> tuple[str, str]:
    """Give a table's markup, and the note beneath it."""
    found = re.search(
        rf'<table id="table-{number}".*?</table>.*?(<p class="note">.*?</p>)', html, re.DOTALL
    )
    assert found is not None
    return found[0].split("</table>")[0], found[1]


@pytest.mark.parametrize(("repeats", "folds"), [(1, 1), (2, 1), (1, FOLDED), (2, FOLDED)])
def test_every_figure_that_is_drawn_is_shown(repeats: int, folds: int) -> None:
    shown = re.findall(r"Figure \d+\. (\w+)</b>", page(repeats, folds))
    first = re.findall(
        r'<p class="finding"><a [^>]*><bdi>D</bdi></a> (\w+)\.', page(repeats, folds)
    )
    assert {*shown, *first} == drawn(repeats, folds)


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ((2, FOLDED), "with all folds of all repeats"),
        ((1, FOLDED), "with all folds"),
        ((1, 1), "on the whole test set"),
    ],
)
def test_on_what_thresholds_to_use_were_chosen(at: tuple[int, int], words: str) -> None:
    assert f". Chosen {words}; " in section("thresholds", *at)


def test_of_a_single_repeat_there_is_nothing_to_average() -> None:
    assert "averages" in drawn(2, FOLDED) & drawn(2, 1)
    assert "averages" not in drawn(1, FOLDED) | drawn(1, 1)


def test_without_folds_nothing_is_said_to_cost_more_than_thresholds_from_other_folds() -> None:
    assert "thresholds from other folds" in words(section("thresholds", 2, FOLDED))
    alone = words(section("thresholds", 1, 1))
    assert alone.count("The thresholds below have the lowest cost at each ratio in hindsight") == 1
    assert "thresholds from other folds" not in alone


def test_without_folds_the_tables_of_models_warn_that_costs_are_too_low() -> None:
    warning = "In-sample: thresholds are chosen in hindsight, so costs are too low"
    folded, alone = page(2, FOLDED), page(1, 1)
    assert warning not in folded
    rows, note = table(1, alone)
    assert "not compared: in-sample" in rows
    assert warning in note
    assert "in-sample" not in table(1, folded)[0]
    rows, note = table(2, alone)  # without verdicts nobody is in the running
    assert rows.count('<span class="at">in-sample</span>') == 2
    assert warning in note
    assert "in-sample" not in table(3, folded)[0]


WHY = (
    "There is no verdict on A against B: thresholds were chosen in hindsight, which favours the "
    "model with more distinct scores. More cases, or folds to choose on, would help."
)


def words(markup: str) -> str:
    """Give the words of markup, a space between any two."""
    return " ".join(unescape(re.sub("<[^>]*>", "", markup)).split())


def test_without_folds_there_is_no_verdict_and_the_page_says_why() -> None:
    folded, alone = words(page(1, FOLDED)), words(page(1, 1))
    nothing = "These data settle no pair on any range of cost ratios (90 % confidence"
    assert nothing in folded
    assert WHY not in folded
    assert alone.count(WHY) == 1
    for sentence in ("cases would settle", "These data do not settle", nothing):
        assert sentence not in alone
    assert "No pair is tested: thresholds were chosen" in words(section("differences", 1, 1))
    assert "<table" not in section("differences", 1, 1)
    assert nothing in words(section("differences", 1, FOLDED))


@functools.cache
def mixed() -> Tables:
    """Two models with too few positives to choose on, and two decisions, which need none."""
    rows = folds_of(120, 1, 1, seed=1).query("instance < '065'")
    decisions = []
    for name, count in {"Fine": 2, "Poor": 15}.items():
        right, wrong = rows["label"], rows["instance"] < f"{count:03}"
        decisions.append(rows.assign(model=name, decision=np.where(wrong, 1 - right, right)))
    models = [scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3), *decisions]
    return tables_of(staged(pd.concat(models)))


def test_decisions_keep_their_verdicts_beside_models_that_have_none() -> None:
    made = mixed()
    check_results(made)
    verdicts = made["verdicts"].set_index(["model_a", "model_b"])
    of_decisions = verdicts.loc[[("Fine", "Poor")]]
    assert "A cheaper" in of_decisions["finding"].tolist()
    assert of_decisions["confidence"].tolist() == [0.9] * len(of_decisions)  # not a sixth of .1
    others = verdicts.drop(index=("Fine", "Poor"))
    assert len(others) == 5
    assert set(others["finding"]) == {"undecided"}
    assert set(others["reason"]) == {"in-sample selection"}
    assert np.isinf(others["projected"]).all()
    html = words(rendering.html(report_of({"d": made}, ["D"])))
    assert "There is no verdict on 5 of the 6 pairs of models: thresholds" in html
