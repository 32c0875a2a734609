"""Where nothing can be cross-fitted, or averaged, the report neither draws nor promises it."""

import re
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
from tests.result_tables import all_tables_of, staged
from tests.small_study import folds_of, scored


@pytest.mark.parametrize(("repeats", "folds"), [(1, 1), (2, 4)])
def test_every_figure_that_is_drawn_is_shown(repeats: int, folds: int) -> None:
    """Of two models; without folds there are too few cases to split into some."""
    rows = folds_of(40 if folds > 1 else 10, repeats, folds, seed=1)
    models = [scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3)]
    made = all_tables_of(staged(pd.concat(models)), resamples=100)
    (only,) = study(datasets=[dataset("d", "D")]).datasets
    context = context_of(study(), only, made, ["A", "B"])
    drawn = {each.NAME for each in drawing.FIGURES if len(each.data(context))}
    named = {name: replace(drawings()[name], title=name) for name in drawn}
    markup = rendering.html(report_of({"d": made}, ["D"], {"d": named}))
    shown = re.findall(r"Figure \d+\. (\w+)</b>", markup)
    first = re.findall(r'<p class="finding"><a [^>]*><bdi>D</bdi></a> (\w+)\.', markup)
    assert {*shown, *first} == drawn
    assert ("averages" in shown) is (repeats > 1), "of a single repeat there is nothing to average"


def test_decisions_keep_their_verdicts_beside_models_that_have_none() -> None:
    """Two models have too few positives to choose on; two decisions need no choice."""
    rows = folds_of(120, 1, 1, seed=1).query("instance < '065'")
    models = [scored(rows, "A", 2.0, 2), scored(rows, "B", 1.0, 3)]
    for name, count in {"Fine": 2, "Poor": 15}.items():
        right, wrong = rows["label"], rows["instance"] < f"{count:03}"
        models.append(rows.assign(model=name, decision=np.where(wrong, 1 - right, right)))
    made = all_tables_of(staged(pd.concat(models)))
    check_results(made)
    verdicts = made["verdicts"].set_index(["model_a", "model_b"])
    of_decisions, others = verdicts.loc[[("Fine", "Poor")]], verdicts.drop(index=("Fine", "Poor"))
    assert "A cheaper" in of_decisions["finding"].tolist()
    assert set(of_decisions["confidence"]) == {0.9}  # not a sixth of .1
    assert others["reason"].tolist() == ["in-sample selection"] * 5
