"""The report's section on costs that differ: what it says, and where the cheapest model changes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from costcurves.figures.context import Context
from costcurves.figures.instance_figures import instance_costs, instance_costs_data
from costcurves.report import alternatives
from costcurves.report import instance_costs as section
from costcurves.report.document import Numbering
from costcurves.report.formats import cost
from costcurves.report.leads import Lead
from costcurves.report.material import Material, facts_of
from costcurves.report.text import plain
from costcurves.tables.settings import Costs
from costcurves.tables.study import Dataset
from tests.fake_report import drawing
from tests.result_tables import staged, tables_of
from tests.small_study import folds_of, scored
from tests.test_weighted_tables import by_cost, lognormal, predictions

WINE = Dataset("wine", "Wine", "wine", ("a.csv",), costs=Costs("DM"))


@pytest.fixture(scope="module")
def material() -> Material:
    """Tables of both views, without figures."""
    numbers = Numbering()
    alike, dear = tables_of(staged(predictions())), tables_of(by_cost(lognormal), weighted=True)
    models = tuple(alike["measures"]["model"].unique())
    made = [
        Material(facts_of(view, tables["measures"], "repeat"), tables, {}, models, numbers)
        for view, tables in ((WINE, alike), (WINE.by_cost, dear))
    ]
    return replace(made[0], by_cost=made[1], unit="DM")


def test_a_dataset_without_costs_has_no_section(material: Material) -> None:
    assert section.instance_costs(replace(material, by_cost=None)) is None


def test_the_section_says_what_each_decision_costs(material: Material) -> None:
    found = section.instance_costs(material)
    assert found is not None
    values = found.content
    names = [row.name for row in values.table.rows]
    assert names == [*material.facts.models, "always negative", "always positive"]
    assert values.table.href == "tables/instance_costs/wine--costs.csv"
    assert (values.unit, values.alike.slug, values.facts.slug) == ("DM", "wine", "wine--costs")
    best = min(values.table.rows, key=lambda row: row.cost.value)
    said = plain(values.cheapest)
    assert said.startswith("At these costs, PC(+) = ")
    assert f"{best.name} is cheapest with" in said
    assert " DM per instance, before " in said
    assert "change who is cheapest" in plain(values.changed)
    assert values.left_out == ("rate-driven", "rate-fixed")
    assert values.decided
    assert all(one.facts.slug == "wine--costs" for one in values.decided)


def test_the_same_costs_change_nothing(material: Material) -> None:
    own = section.instance_costs(replace(material, by_cost=replace(material, tables={
        **material.tables, "instance_costs": material.by_cost.tables["instance_costs"],  # type: ignore[union-attr]
    })))  # fmt: skip
    assert own is not None
    expected = "Who is cheapest is the same with the costs of the instances as without."
    assert plain(own.content.changed) == expected


def test_both_views_stand_side_by_side_and_bands_are_drawn_once(material: Material) -> None:
    own = material.by_cost
    assert own is not None

    def shown(names: Sequence[str], models: tuple[str, ...] = own.facts.models) -> list[str]:
        drawn = {name: drawing(name) for name in names}
        facts = replace(own.facts, models=models)
        found = section.instance_costs(
            replace(material, by_cost=replace(own, facts=facts, figures=drawn))
        )
        assert found is not None
        values = found.content
        return [one.name for one in (values.views, values.curves, values.figure) if one]

    everything = ["cost_views", "cost_curves", "instance_costs"]
    assert shown(everything) == ["cost_views", "instance_costs"]
    assert shown(everything, (*own.facts.models, "D", "E")) == everything
    assert shown(["cost_curves"]) == ["cost_curves"]  # of very many datasets no more is drawn


def test_the_alternative_says_what_each_decision_costs(material: Material) -> None:
    assert material.by_cost is not None
    words = alternatives.cost_views(material.by_cost)
    rows = material.by_cost.rows("instance_costs")
    best = min(rows, key=lambda row: float(row["nec"]))
    assert f"the cheapest first: {best['model']} {cost(best['nec'])}; " in words
    assert all(row["model"] in words for row in rows)


def test_ranges_with_other_leaders_are_found() -> None:
    a, b = ("A",), ("B",)
    alike = [Lead(0.0, 0.5, 0, 1, a), Lead(0.5, 1.0, 1, 2, b)]
    by_costs = [Lead(0.0, 0.3, 0, 1, a), Lead(0.3, 1.0, 1, 2, b)]
    assert list(section._differing(alike, by_costs)) == [(0.3, 0.5, a, b)]
    assert list(section._differing(alike, alike)) == []


def test_decisions_rank_nothing_and_the_figure_says_so() -> None:
    rows = scored(folds_of(20, 1, 1, seed=3).astype({"repeat": str, "fold": str}), "A", 1.5, 1)
    decided = rows.assign(decision=(rows["score"] > 0.5).astype(int), score=np.nan)
    tables = tables_of(by_cost(lognormal, decided), weighted=True)
    context = Context("Wine", ("A",), 0.5, "repeat", 20, 10, 1, 1)
    data = instance_costs_data(tables, context)
    assert data.empty
    words = [text.get_text() for text in instance_costs(data, context).texts]
    assert any("no model has scores" in one for one in words)
