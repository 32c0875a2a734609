"""Captions and alternative texts say of the curves what the figures' own data say."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.figures.catalogue import FIGURES
from costcurves.figures.context import Context, context_from
from costcurves.formats import cost, interval, ratio, share
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report import rendering
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE
from tests.browsed_study import report_of
from tests.fake_report import dataset, study
from tests.report.test_rendering import Page
from tests.result_tables import staged, tables_of
from tests.small_study import folds_of, scored

Tables = Mapping[str, pd.DataFrame]
KINDS = {kind.name: kind for kind in FIGURES}

# In each repeat another set of folds; two repeats with too few instances to be dealt into folds;
# one test set, which is; nothing to choose.
ESTIMATES = {
    "folds": CROSS_FITTED,
    "repeats": IN_SAMPLE,
    "alone": CROSS_FITTED,
    "decided": FIXED,
}
OF_ESTIMATE = {
    CROSS_FITTED: "Cross-fitted: thresholds are chosen on other folds",
    IN_SAMPLE: "In-sample: there are no other cases to choose thresholds on",
    FIXED: "Fixed in advance: there is no threshold to choose",
}


@cache
def studied() -> dict[str, Tables]:
    """Result tables of more negatives than positives, by what there is to choose thresholds on."""
    return {
        "folds": _tables(repeats=3, folds=3),
        "repeats": _tables(repeats=2, folds=1, positives=5),
        "alone": _tables(repeats=1, folds=1),
        "decided": _tables(repeats=3, folds=3, crisp=True),
    }


def _tables(
    repeats: int, folds: int, positives: int = 20, *, crisp: bool = False, **columns: Any
) -> Tables:
    rows = folds_of(60, repeats, folds, seed=1)
    number = rows["instance"].astype(int)
    rows = rows[(rows["label"] == 0) | (number % 3 > 0) & (number < 30 + 1.5 * positives)]
    models = [scored(rows, "Bayes", 2.2, 1), scored(rows, "Trees", 0.9, 2)]
    if crisp:
        models = [
            it.assign(decision=(it["score"] > 0.6).astype(int), score=np.nan) for it in models
        ]
    made = pd.concat(models, ignore_index=True).assign(**columns)
    return tables_of(staged(made), resamples=20)


@pytest.fixture(scope="module")
def html() -> str:
    return rendering.html(report_of(studied(), [f"Set {name}" for name in ESTIMATES]))


def words(html: str, figure: str, name: str) -> tuple[str, str]:
    """The caption and the alternative text of one figure of one dataset."""
    (own,) = [it for it in html.split("<figure ")[1:] if f"figures/{name}/{figure}.svg" in it]
    page = Page(f"<figure {own.split('</figure>')[0]}</figure>")
    (caption,), (picture,) = page.text("figcaption"), page.all("svg")
    return caption, picture["aria-label"]


def drawn(figure: str, name: str) -> pd.DataFrame:
    """What a figure draws of a dataset."""
    return KINDS[figure].data(studied()[name], context_of(name))


def context_of(name: str) -> Context:
    """What figures know of a dataset besides its tables."""
    measures = studied()[name]["measures"]
    (only,) = study(datasets=[dataset(name, f"Set {name}")]).datasets
    return context_from(only, [], measures, list(measures["model"].unique()))


def areas(data: pd.DataFrame) -> dict[tuple[str, str], float]:
    """The mean area under the curves of each model and series."""
    curves = data.groupby(["model", "series", "number"], sort=False)
    each = curves[["pc", "nec"]].apply(lambda it: np.trapezoid(it["nec"], it["pc"]))
    return dict(each.groupby(["model", "series"]).mean())


@pytest.mark.parametrize("name", ["folds", "repeats", "decided"])
def test_the_folds_are_called_what_they_are(html: str, name: str) -> None:
    caption, alternative = words(html, "folds", name)
    data = drawn("folds", name)
    headline = data[data["series"] == "headline"]
    (estimate,) = headline["estimate"].unique()
    assert estimate == ESTIMATES[name]
    thin, thick = caption.split("Thick, ")
    assert "in-sample selection" in thin
    assert "too low" in thin
    assert OF_ESTIMATE[estimate] in thick
    assert not [of for kind, of in OF_ESTIMATE.items() if kind != estimate and of in caption]
    found = areas(data)
    for model in ("Bayes", "Trees"):
        pattern = (
            rf"{model}: (\S+) under the average of folds, (\S+) under the headline \({estimate}\)"
        )
        said = re.search(pattern, alternative)
        assert said, alternative
        series = [found[model, it] for it in ("average of folds", "headline")]
        assert [float(it) for it in said.groups()] == pytest.approx(series, abs=0.0015)
    assert alternative.startswith("Lower envelopes of single folds and their average (in-sample")


@pytest.mark.parametrize("name", ESTIMATES)
def test_cost_curves_are_called_what_they_are(html: str, name: str) -> None:
    caption, _ = words(html, "cost_curves", name)
    said = {kind for kind, of in OF_ESTIMATE.items() if of in caption}
    assert said == {ESTIMATES[name]}
    assert ("means of lower envelopes, one for each repeat" in caption) == (name == "repeats")
    assert ("pale, could still be cheapest; blank, ruled out" in caption) == (name != "repeats")
    series = set(drawn("cost_curves", name)["series"])
    assert ("in the running" in series) == (name != "repeats")
    assert "outlined" not in caption


def _numbers(rows: pd.DataFrame) -> pd.Series:
    return rows["instance"].astype(int)


COUNTING: dict[str, dict[str, Any]] = {
    "alike": {},
    "together": {"cluster": lambda it: (_numbers(it) // 2).astype(str)},
    "differently": dict.fromkeys(("case_weight", "weight"), lambda it: 1.0 + _numbers(it) % 2),
}


def test_reliability_explains_bands_where_there_are_some() -> None:
    made = {name: _tables(repeats=1, folds=3, **more) for name, more in COUNTING.items()}
    shown = rendering.html(report_of(made, [*COUNTING]))
    for name, tables in made.items():
        caption, alternative = words(shown, "reliability", name)
        banded = tables["reliability"]["line"].str.contains("lower").any()
        assert banded == (name == "alike")
        assert ("Dark band: where the line would lie at each score" in caption) == banded
        assert ("Light band: where all true shares lie at once" in caption) == banded
        assert ("No bands: cases belong together or count differently" in caption) == (not banded)
        rows = tables["calibration"].query("part == 'miscalibration' and minus == ''")
        assert list(rows["model"]) == ["Bayes", "Trees"]
        for row in rows.to_dict("records"):
            value, chance = cost(row["value"]), cost(row["by_chance"])
            assert f"{row['model']}: {value}, of it {chance} by chance" in alternative


@pytest.mark.parametrize("name", ["folds", "alone"])
def test_how_to_read_a_curve_is_said_with_the_numbers_of_the_first_dataset(name: str) -> None:
    data, tables = drawn("reading", name), studied()[name]
    point = data[data["series"] == "point"].set_index("space")
    fp, tp, pc, nec = point.loc[["roc", "cost"], ["x", "y"]].to_numpy(float).ravel().tolist()
    (model,) = set(data["model"])
    marked, costs = tables["duality"], tables["intervals"].query("quantity == 'cost'")
    (condition,) = marked.loc[marked["pc"].eq(pc) & marked["model"].eq(model), "condition"]
    own = costs[costs["condition"].eq(condition) & costs["model"].eq(model)]
    value, low, high = (float(own[it].iloc[0]) for it in ("value", "low", "high"))
    assert value == pytest.approx(headline_of(tables["headline"])[model](pc))
    shown = rendering.html(report_of({name: tables}, ["Set"]))
    (said,) = [it for it in Page(shown).text("p") if it.startswith("Point:")]
    at = ratio(float(ratio_from_pc(pc, float(tables["measures"]["prior"].iloc[0]))))
    for words_of_it in (
        f"{model} raises false alarms on {share(fp)} of the negatives and misses {share(1 - tp)}",
        f"from {cost(fp)} where only false alarms matter (left) to {cost(1 - tp)} where only",
        f"and is {cost(nec)} at the cost ratio {at}.",
        f"and is {cost(value)} there, the cost to expect.",
        f"shows how far, here {interval(low, high)}; below the grey",
    ):
        assert words_of_it.replace("\u202f", " ") in said
    caption, _ = words(shown, "reading", name)
    assert ("the lower envelope of each fold" in caption) == (name == "folds")
    figure = KINDS["reading"].drawn(data, context_of(name))
    texts = [text.get_text() for text in figure.texts]
    assert ("one fold: its lower envelope" in texts) == (name == "folds")
