"""Decision curves draw the headline's own rates, by the definition of net benefit."""

import numpy as np
import pytest

from costcurves.figures import style
from costcurves.figures.benefit_figures import AT, BELOW
from tests.figures.test_figures import case, drawn, shown


@pytest.mark.parametrize("name", ["two", "five", "useless", "pooled"])
def test_net_benefit_is_that_of_the_line_that_serves(name: str) -> None:
    tables, context = case(name)
    p = context.prior
    curves = shown("decision_curves", name).query("series == 'net benefit'").groupby("model")
    for model, pieces in tables["headline"].groupby("model", sort=False):
        curve = curves.get_group(model)
        for t, found in curve[["threshold", "net_benefit"]].to_numpy():
            weight = t / (1 - t)
            pc = p / (p + (1 - p) * weight)
            row = pieces[pieces["pc_to"] >= pc].iloc[0]
            benefit = p * (1 - row["at1"]) - (1 - p) * row["at0"] * weight
            assert found == pytest.approx(max(benefit, BELOW * p), abs=1e-9)


def test_each_panel_has_its_model_treat_all_and_none() -> None:
    context, figure = case("five").context, drawn("decision_curves", "five")
    for model, axes in zip(context.models, figure.axes, strict=True):
        none, everybody, own = axes.get_lines()
        assert own.get_color() == context.colour(model)
        assert {none.get_color(), everybody.get_color()} == {style.QUIET}
        assert np.asarray(none.get_ydata()).tolist() == [0, 0]
        p = context.prior
        expected = p - (1 - p) * AT / (1 - AT)
        assert everybody.get_ydata() == pytest.approx(expected, abs=1e-12)
        data = shown("decision_curves", "five").query("model == @model")
        drawn_data = data[data["series"] == "net benefit"][["threshold", "net_benefit"]]
        assert np.array_equal(own.get_xydata(), drawn_data)
        (band,) = axes.patches
        corners = {tuple(one) for one in np.asarray(band.get_path().vertices)}
        edges = data[data["series"] != "net benefit"][["threshold", "net_benefit"]]
        assert {tuple(one) for one in edges.to_numpy()} <= corners


def test_the_upper_edge_of_costs_is_the_lower_edge_of_benefit() -> None:
    wide = shown("decision_curves", "two").pivot_table(
        index=["model", "threshold"], columns="series", values="net_benefit"
    )
    both = wide.dropna()
    assert (both["upper"] <= both["net benefit"] + 1e-9).all()
    assert (both["net benefit"] <= both["lower"] + 1e-9).all()
