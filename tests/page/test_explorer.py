"""What scripts draw from: the tables' numbers, few of them, in a text that nothing can end."""

import json
from typing import Any

import numpy as np
import pytest

from costcurves.report.explorer import GRAIN, TOLERANCE, compact
from costcurves.tables.curves.headline import headline_of
from tests.browsed_study import Tables, browsed_report, browsed_tables
from tests.fake_report import THREE, assembled, tables

PC = np.linspace(0, 1, 997)


def contents(number: int) -> dict[str, Any]:
    """What the page says of a dataset, with curves as vertices."""
    sections = browsed_report().sections[1 + number].sections
    (values,) = [it.content for it in sections if it.part == "duality"]
    content: dict[str, Any] = json.loads(values.explorer)
    for model in content["models"]:
        for name in ("curve", "lower", "upper"):
            steps = [np.array(model[name][axis]) for axis in ("pc", "nec")]
            model[name] = [np.cumsum(step) * GRAIN for step in steps]
    return content


@pytest.fixture(scope="module")
def scores() -> dict[str, Any]:
    return contents(0)


@pytest.fixture(scope="module")
def results() -> Tables:
    return browsed_tables()["scores"]


def test_points_are_the_counts_of_the_pooled_hull(scores: dict[str, Any], results: Tables) -> None:
    pooled = results["operating_points"][results["operating_points"]["level"] == "pooled"]
    held = results["envelopes"][results["envelopes"]["level"] == "pooled"]
    for model in scores["models"]:
        own = pooled[pooled["model"] == model["name"]].set_index("point")
        pieces = held[(held["model"] == model["name"]) & (held["point"] >= 0)]
        points = model["points"]
        assert points["fp"] == own.loc[pieces["point"], "fp_count"].tolist()
        assert points["tp"] == own.loc[pieces["point"], "tp_count"].tolist()
        assert points["holder"] == pieces["holder"].tolist()
        rates = np.array(points["fp"]) / points["negatives"]
        assert rates == pytest.approx(pieces["at0"].to_numpy(), abs=1e-12)


def test_curves_are_the_headline_and_its_band(scores: dict[str, Any], results: Tables) -> None:
    bands = results["bands"]
    pointwise = bands[bands["extent"] == "pointwise"]
    for model in scores["models"]:
        own = pointwise[pointwise["model"] == model["name"]]
        expected = {
            "curve": headline_of(results["headline"])[model["name"]],
            **{edge: headline_of(rows)[model["name"]] for edge, rows in own.groupby("edge")},
        }
        for name, curve in expected.items():
            near = TOLERANCE["headline" if name == "curve" else "band"] + 2 * GRAIN
            around = curve(np.clip(PC + np.linspace(-near, near, 9)[:, np.newaxis], 0, 1))
            drawn = np.interp(PC, *model[name])  # a jump may stand a little aside
            assert (drawn >= around.min(axis=0) - near).all()
            assert (drawn <= around.max(axis=0) + near).all()


def test_curves_are_exact_where_a_condition_is_marked(
    scores: dict[str, Any], results: Tables
) -> None:
    costs = results["intervals"][results["intervals"]["quantity"] == "cost"].set_index("model")
    assert scores["pc"] == 0.5
    for model in scores["models"]:
        row = costs.loc[model["name"]]
        for name, end in (("curve", "value"), ("lower", "low"), ("upper", "high")):
            pc, nec = model[name]
            drawn = max(0.0, row[end])  # no cost is negative
            assert nec[pc == 0.5][-1] == pytest.approx(drawn, abs=GRAIN)


def test_verdicts_are_those_of_all_pairs(scores: dict[str, Any], results: Tables) -> None:
    names = [model["name"] for model in scores["models"]]
    found = {"A": "A cheaper", "B": "B cheaper", "=": "equivalent"}
    said = [
        (names[a], names[b], low, high, found[who]) for a, b, low, high, who in scores["verdicts"]
    ]
    rows = results["verdicts"]
    rows = rows[(rows["family"] == "all pairs") & (rows["finding"] != "undecided")]
    columns = rows[["model_a", "model_b", "pc_from", "pc_to", "finding"]]
    assert said == [tuple(row) for row in columns.round(5).itertuples(index=False)]
    assert said


def test_a_decision_is_one_point_without_a_threshold() -> None:
    for model in contents(1)["models"]:
        assert model["points"]["holder"] == ["decision"]
        assert model["estimate"] == "fixed in advance"


def test_cost_ratios_begin_at_the_prior_of_deployment() -> None:
    made = assembled({"toy": tables(prior=0.15)})
    (values,) = [it.content for it in made.sections[1].sections if it.part == "duality"]
    assert json.loads(values.explorer)["prior"] == 0.15  # of the data 0.4 are positive


def test_one_model_has_no_verdicts() -> None:
    made = assembled({"toy": tables({"A": THREE["A"]})})
    (values,) = [it.content for it in made.sections[1].sections if it.part == "duality"]
    content = json.loads(values.explorer)
    assert (content["familywise"], content["verdicts"]) == (None, [])


def test_no_name_can_end_the_element() -> None:
    names = ["</script>", "<!--", "]]>", "&lt;", "\u2028\u2029", "\u202eright", "'\"\\"]
    written = compact(names)
    assert written.isascii()
    assert not set("<>&") & set(written)
    assert json.loads(written) == names
    with pytest.raises(ValueError, match="not JSON compliant"):
        compact(float("nan"))


def test_the_same_text_twice() -> None:
    first, second = (browsed_report().sections[1].sections for _ in range(2))
    pairs = zip(first, second, strict=True)
    texts = [(a.content.explorer, b.content.explorer) for a, b in pairs if a.part == "duality"]
    assert [a for a, _ in texts] == [b for _, b in texts] != []
