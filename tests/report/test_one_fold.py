"""Where nothing can be cross-fitted, or averaged, the report neither draws nor promises it."""

import functools
import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from costcurves.figures import drawing
from costcurves.figures.context import context_of
from costcurves.invariants import check_results
from costcurves.report import rendering
from tests.browsed_study import report_of
from tests.fake_report import dataset, drawings, study
from tests.markup import words
from tests.result_tables import all_tables_of, staged
from tests.small_study import folds_of, scored

Tables = Mapping[str, pd.DataFrame]
FOLDED = 4  # folds of the study that can be cross-fitted
KINDS = [(1, 1), (2, FOLDED)]  # repeats and folds


@functools.cache
def tables(repeats: int, folds: int) -> Tables:
    """Two models; without folds there are too few cases to split into some."""
    rows = folds_of(40 if folds > 1 else 10, repeats, folds, seed=1)
    models = [scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3)]
    return all_tables_of(staged(pd.concat(models)), resamples=100)


@functools.cache
def drawn(repeats: int, folds: int) -> frozenset[str]:
    made = tables(repeats, folds)
    (only,) = study(datasets=[dataset("d", "D")]).datasets
    context = context_of(study(), only, made, list(made["measures"]["model"].unique()))
    return frozenset(each.NAME for each in drawing.FIGURES if len(each.data(context)))


@functools.cache
def page(repeats: int, folds: int) -> str:
    """The page as it is with those figures that are drawn."""
    kept = {name: drawings()[name] for name in drawn(repeats, folds)}
    named = {name: replace(each, title=name) for name, each in kept.items()}
    return rendering.html(report_of({"d": tables(repeats, folds)}, ["D"], {"d": named}))


@pytest.mark.parametrize(("repeats", "folds"), KINDS)
def test_every_figure_that_is_drawn_is_shown(repeats: int, folds: int) -> None:
    markup = page(repeats, folds)
    shown = re.findall(r"Figure \d+\. (\w+)</b>", markup)
    first = re.findall(r'<p class="finding"><a [^>]*><bdi>D</bdi></a> (\w+)\.', markup)
    assert {*shown, *first} == drawn(repeats, folds)
    assert ("averages" in shown) is (repeats > 1), "of a single repeat there is nothing to average"


def mixed() -> Tables:
    """Two models with too few positives to choose on, and two decisions, which need none."""
    rows = folds_of(120, 1, 1, seed=1).query("instance < '065'")
    decisions = []
    for name, count in {"Fine": 2, "Poor": 15}.items():
        right, wrong = rows["label"], rows["instance"] < f"{count:03}"
        decisions.append(rows.assign(model=name, decision=np.where(wrong, 1 - right, right)))
    models = [scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3), *decisions]
    return all_tables_of(staged(pd.concat(models)))


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
    page = words(rendering.html(report_of({"d": made}, ["D"])))
    assert "There is no verdict on 5 of the 6 pairs of models: thresholds" in page
