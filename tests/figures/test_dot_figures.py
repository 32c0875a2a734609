"""What each way of choosing costs, as dots: of all datasets, and with the words beside them."""

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from costcurves.figures.dot_figures import MOST, TRIVIAL, choices
from costcurves.figures.map_figures import Survey
from costcurves.formats import cost, interval
from tests.asymmetric_study import NAME

MODELS = ("A", "B", "C")


def made(datasets: int, models: tuple[str, ...] = MODELS) -> dict[str, pd.DataFrame]:
    """Curves and intervals of datasets that differ in every number."""
    rows, known = [], []
    for place in range(datasets):
        for number, model in enumerate(models):
            area = 0.1 + 0.01 * place + 0.02 * number
            own: dict[str, Any] = {"dataset": f"d{place}", "model": model}
            for more, (criterion, estimate) in enumerate(
                [
                    ("cross-fitted", "cross-fitted"),
                    ("cost-minimizing", "in-sample selection"),
                    ("score-fixed", "fixed in advance"),
                    ("workforce", "fixed in advance"),
                ]
            ):
                found = area + (0, -0.0031, 0.0617, 0.2)[more]
                for low, high in ((0.0, 0.3), (0.3, 1.0)):
                    ends = {"pc_from": low, "pc_to": high, "nec_from": 0.0, "nec_to": 2 * found}
                    rows.append({**own, "criterion": criterion, "estimate": estimate, **ends})
            of: dict[str, Any] = {"quantity": "area", "estimate": "cross-fitted", "confidence": 0.8}
            of |= {"low": area - 0.011, "high": area + 0.013, "method": "resampled instances"}
            known += [{**own, **of}, {**own, **of, "quantity": "tec", "low": 0.0}]
    return {"hybrids": pd.DataFrame(rows), "intervals": pd.DataFrame(known)}


def survey(datasets: int, models: tuple[str, ...] = MODELS) -> Survey:
    return Survey("S", models, tuple((f"d{place}", f"D {place}") for place in range(datasets)))


@functools.cache
def drawn(datasets: int) -> tuple[Figure, pd.DataFrame]:
    data = choices.data(made(datasets), survey(datasets))
    return choices.drawn(data, survey(datasets)), data


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text)]


def test_the_upright_line_stands_within_the_axes_however_low_the_costs() -> None:
    curves, known = made(1).values()
    low = known.assign(low=0.01, high=0.02)
    cheap = curves.assign(nec_from=curves["nec_from"] / 9, nec_to=curves["nec_to"] / 9)
    data = choices.data({"hybrids": cheap, "intervals": low}, survey(1))
    figure = choices.drawn(data, survey(1))
    low_end, high_end = figure.axes[0].get_xlim()
    assert low_end < TRIVIAL <= high_end


@pytest.mark.parametrize("count", [1, 3])
def test_dots_and_bars_are_the_data(count: int) -> None:
    figure, data = drawn(count)
    (axes,) = figure.axes
    lines = [np.asarray(line.get_xdata(), float) for line in axes.lines]
    dots = sorted(float(x[0]) for x in lines if len(x) == 1)
    assert dots == sorted(data["area"])
    bars = {tuple(x) for line, x in zip(axes.lines, lines, strict=True) if line.get_linewidth() > 2}
    ends = data.loc[data["low"].notna(), ["low", "high"]].to_numpy(float)
    assert {bar for bar in bars if not np.isnan(bar).any()} == set(map(tuple, ends))
    assert set(data.loc[data["low"].notna(), "criterion"]) == {"cross-fitted"}
    assert set(data["criterion"]) == {"cross-fitted", "cost-minimizing", "score-fixed"}


def test_filled_is_what_is_judged_on_other_data_than_chose() -> None:
    figure, data = drawn(3)
    honest = set(data.loc[data["criterion"] == "cross-fitted", "area"])
    for line in figure.axes[0].lines:
        x = np.asarray(line.get_xdata(), float)
        if len(x) == 1:
            assert (line.get_markerfacecolor() == line.get_color()) == (x[0] in honest)
    assert {"cost-minimizing (in-sample)", "cross-fitted", "score-fixed"} <= set(texts(figure))


def test_each_row_has_the_name_of_its_model_in_its_colour() -> None:
    figure, _ = drawn(3)
    words = texts(figure)
    assert [words.count(model) for model in MODELS] == [3, 3, 3]
    assert {"D 0", "D 1", "D 2"} <= set(words)
    colours = {text.get_text(): text.get_color() for text in figure.texts}
    assert {model: colours[model] for model in MODELS} == {
        model: survey(3).ink(model) for model in MODELS
    }
    assert any(f"bars: 80{chr(0x202F)}%" in one for one in words)


def test_the_title_counts_the_datasets_that_are_drawn() -> None:
    tables = made(3)
    curves = tables["hybrids"]
    nothing_to_choose = curves["dataset"].eq("d0") & curves["criterion"].ne("score-fixed")
    some = choices.data(tables | {"hybrids": curves[~nothing_to_choose]}, survey(3))
    assert list(some["dataset"].unique()) == ["d1", "d2"]
    for data, title in [
        (choices.data(tables, survey(3)), "All datasets"),
        (some, "2 of 3 datasets"),
        (some[some["dataset"] == "d2"], "D 2"),
    ]:
        words = texts(choices.drawn(data, survey(3)))
        assert words[words.index(": what each threshold rule costs") - 1] == title


def test_of_many_datasets_the_first_that_fit_a_page_are_drawn_and_that_is_said() -> None:
    figure, data = drawn(25)
    shown = MOST // (1 + len(MODELS))
    assert list(data["dataset"].unique()) == [f"d{place}" for place in range(shown)]
    assert any(f"{shown} of 25 datasets" in one for one in texts(figure))
    assert figure.get_size_inches()[1] < 9.9
    many = tuple(f"m{place}" for place in range(MOST + 5))
    alone = choices.data(made(2, many), survey(2, many))
    assert set(alone["dataset"]) == {"d0"}, "the first dataset is never left out"


def test_where_nothing_is_chosen_nothing_is_drawn() -> None:
    tables = made(2)
    alone = tables["hybrids"]["criterion"] == "score-fixed"
    assert choices.applies(tables)
    assert not choices.applies(tables | {"hybrids": tables["hybrids"][alone]})


def test_words_are_the_rows_that_are_drawn(asymmetric: Path) -> None:
    """The alternative text goes through what the figure's own file holds, in its order."""
    page = (asymmetric / "reports" / NAME / "report.html").read_text("utf-8")
    data = pd.read_csv(asymmetric / "reports" / NAME / "figures" / "choices.csv")
    start = 'aria-label="Areas under the cost curves of threshold rules'
    said = page.partition(start)[2].partition('"')[0]
    models = list(data.groupby(["dataset", "model"], sort=False))
    assert said
    told = said.partition(": ")[2].split("; ")
    assert len(told) == min(len(models), 8) + (len(models) > 8)
    for words, (_, rows) in zip(told, models[:8], strict=False):
        found: Any = rows.to_dict("records")
        for one in found:
            kind = " (in-sample selection)" if "in-sample" in one["estimate"] else ""
            ends = "" if np.isnan(one["low"]) else f" ({interval(one['low'], one['high'])})"
            assert f"{one['criterion']}{kind} {cost(one['area'])}{ends}" in words
