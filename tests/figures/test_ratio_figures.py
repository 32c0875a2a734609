"""Cost curves over the cost ratio: the headline curves and bands again, on another scale."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.figures.cost_figures import edges_of
from costcurves.figures.ratio_figures import HIGHEST, cost_ratios
from tests.drawn import painted
from tests.figures.test_figures import case, make

RARE = ("Rule", "Bayes", "Vote")


def rare() -> Any:
    """Three models, one positive in fifty, two conditions."""
    return make(RARE, prior=0.02, pcs=(0.1, 0.005))


def height(pieces: pd.DataFrame, at: float) -> set[float]:
    """What a curve costs at a PC(+), exactly; at a jump both of its ends."""
    found, x = set(), Fraction(at)
    for row in pieces[["pc_from", "pc_to", "nec_from", "nec_to"]].to_numpy(float).tolist():
        low, high, start, end = map(Fraction, row)
        if low <= x <= high and low < high:
            rise = (x - low) / (high - low)
            found.add(float(start + rise * (end - start)))
    return found


@pytest.mark.parametrize("name", ["rare", "five", "hostile", "long", "useless", "equal"])
def test_each_place_is_one_of_the_curve(name: str) -> None:
    tables, context = rare() if name == "rare" else case(name)
    data = cost_ratios.data(tables, context)
    pieces = {
        "headline": tables["headline"].assign(series="headline"),
        **dict(iter(edges_of(tables["bands"]).groupby("series"))),
    }
    with_bands = {"headline"} if len(context.models) > 4 else set(pieces)
    assert set(data["series"]) == with_bands
    assert data.groupby("model")["series"].nunique().eq(len(with_bands)).all()
    prior, ends = context.prior, np.log10([data["ratio"].min(), data["ratio"].max()])
    assert ends == pytest.approx(ends.round(), abs=1e-9)
    for row in data.sample(min(len(data), 60), random_state=1).to_dict("records"):
        pc, ratio, nec = (float(row[name]) for name in ("pc", "ratio", "nec"))
        of = pieces[str(row["series"])]
        heights = height(of[of["model"] == row["model"]], pc)
        assert any(nec == pytest.approx(one, abs=1e-12) for one in heights)
        assert row["share"] == pytest.approx(nec / min(pc, 1 - pc))
        assert pc == pytest.approx(prior * ratio / (prior * ratio + 1 - prior))
        along = (np.log10(ratio) - ends[0]) / (ends[1] - ends[0])
        assert row["along"] == pytest.approx(along)


def test_between_its_places_it_is_as_good_as_straight() -> None:
    """Pieces bend on this scale: what is drawn keeps to them within a hundredth of the scale."""
    tables, context = rare()
    data = cost_ratios.data(tables, context).query("series == 'headline'")
    low, high = (np.log10(data["ratio"].min()), np.log10(data["ratio"].max()))
    for model, rows in data.groupby("model"):
        own = tables["headline"][tables["headline"]["model"] == model]
        places = rows[["along", "share"]].to_numpy(float).tolist()
        for (left, start), (right, end) in pairwise(places):
            if right - left < 1e-9 or min(start, end) > HIGHEST:  # above the axes
                continue
            odds = 10 ** (low + (high - low) * (left + right) / 2)
            pc = context.prior * odds / (context.prior * odds + 1 - context.prior)
            (true, *_) = height(own, pc)
            assert (start + end) / 2 == pytest.approx(true / min(pc, 1 - pc), abs=0.01 * HIGHEST)


def test_it_names_conditions_ratios_and_models() -> None:
    figure = painted(cost_ratios, *rare())
    (axes,) = figure.axes
    ticks = [tick.get_text() for tick in axes.get_xticklabels()]
    assert ticks[:3] == ["1:10", "1:1", "10:1"]
    figure.draw_without_rendering()
    assert max(tick.get_window_extent().x1 for tick in axes.get_xticklabels()) < figure.bbox.x1
    assert axes.get_xlabel().endswith("at p(+) = 0.020")
    names = {text.get_text() for text in figure.texts}
    assert {*RARE} <= names
    noted = {text.get_text(): text for text in axes.texts}
    for words, pc in (("PC(+) = 0.1", 0.1), ("PC(+) = 0.005", 0.005)):
        place = (np.log10(pc / (1 - pc) * 0.98 / 0.02) + 1) / (len(ticks) - 1)
        uprights = [np.asarray(line.get_xdata(), float) for line in axes.lines]
        lines = [float(x[0]) for x in uprights if len(x) == 2 and x[0] == x[1]]
        assert words in noted
        assert any(at == pytest.approx(place) for at in lines)
