"""The report's section on costs that differ: what it says, and where the cheapest model changes."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import pytest

from costcurves.formats import amount
from costcurves.report.document import Numbering, Report
from costcurves.report.material import Material, facts_of
from costcurves.report.rendering import html
from costcurves.report.sections import CaseCosts, case_costs
from costcurves.settings import Costs, Dataset
from tests import fake_report
from tests.fake_report import drawing
from tests.report.test_rendering import Page
from tests.result_tables import staged, tables_of
from tests.said import words
from tests.tables.test_weighted_tables import by_cost, lognormal, predictions

WINE = Dataset("wine", ("a.csv",), title="Wine", slug="wine", costs=Costs("DM"))


@pytest.fixture(scope="module")
def material() -> Material:
    """Tables unweighted and weighted by cost, without figures."""
    numbers = Numbering()
    unweighted = tables_of(staged(predictions()))
    costed = tables_of(by_cost(lognormal), weighted=True)
    models = tuple(unweighted["measures"]["model"].unique())
    made = [
        Material(facts_of(one, tables, "repeat"), tables, {}, models, numbers, one.unit)
        for one, tables in ((WINE, unweighted), (WINE.sibling, costed))
    ]
    return replace(made[0], weighted=made[1])


def test_a_dataset_without_costs_has_no_section(material: Material) -> None:
    assert case_costs(replace(material, weighted=None)) is None


def test_the_section_says_what_each_decision_costs(material: Material) -> None:
    section = case_costs(material)
    assert section is not None
    content: CaseCosts = section.content
    names = [row["model"] for row in content.table.rows]
    assert names == [*material.facts.models, "always negative", "always positive"]
    assert content.table.href == "tables/instance_costs/wine--costs.csv"
    assert (content.unit, content.facts.slug) == ("DM", "wine--costs")
    best = min(content.table.rows, key=itemgetter("cost"))
    lead = f"{best['model']} has the lowest estimate, {amount(best['cost'])} DM a case"
    assert material.weighted is not None
    assert lead in words(html(reported([material.tables, material.weighted.tables])))


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"more_low": 0.1}, "less than"),
        ({"more_low": -0.1}, "its lead over"),
        ({"more": 0.0}, "as much as"),
    ],
)
def test_a_lead_that_may_be_chance_is_called_so(
    material: Material, own: dict[str, float], said: str
) -> None:
    assert material.weighted is not None
    rows = material.weighted.tables["instance_costs"].assign(**own)
    tables = {**material.weighted.tables, "instance_costs": rows}
    opening = html(reported([material.tables, tables])).partition('id="data/wine/case-costs"')[2]
    assert said in words(opening.partition("</p>")[0])


def reported(made: Sequence[Any], drawn: Sequence[str] = (), **changes: Any) -> Report:
    """The report of a dataset with costs, of its tables unweighted and weighted by cost."""
    wine = {**fake_report.dataset("wine", "Wine"), "costs": {"unit": "DM"}}
    made_of = fake_report.study(datasets=[wine], **changes)
    slugs = [one.slug for one in made_of.datasets]
    tables = dict(zip(slugs, made, strict=True))
    figures = {slug: {name: drawing(name) for name in drawn} for slug in slugs}
    return fake_report.assembled(tables, made_of, figures)


def test_the_page_says_what_each_mistake_costs(material: Material) -> None:
    assert material.weighted is not None
    made = [dict(material.tables), dict(material.weighted.tables)]
    page = html(reported(made, drawn=["case_costs"]))
    (said,) = Page(page).text("main")
    costs = material.weighted.tables["instance_costs"].iloc[0]
    alarm, missed = (amount(costs[f"mean_cost_{name}"]) for name in ("fp", "fn"))
    assert alarm != missed
    assert f"on average {alarm} DM for a false alarm, {missed} for a miss" in said
    rows = material.weighted.rows("instance_costs")
    _, second, *_ = sorted((row for row in rows if not row["trivial"]), key=itemgetter("cost"))
    assert second["more"] > 0
    assert "Cost of mistakes per case (DM)" in said
    assert f"{amount(second['more'])} {amount(second['more_low'])} to" in said
