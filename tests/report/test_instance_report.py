"""The report's section on costs that differ: what it says, and where the cheapest model changes."""

import re
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.choosing.hybrids import criteria, hybrids
from costcurves.formats import amount, share
from costcurves.report import instance_costs as section
from costcurves.report.document import Numbering, Report
from costcurves.report.instance_costs import SLIVER
from costcurves.report.material import Material, facts_of
from costcurves.report.measured import nearest
from costcurves.report.rendering import html
from costcurves.settings import Costs, Dataset
from costcurves.tables.curves.operating_points import counted
from tests import fake_report
from tests.fake_report import drawing
from tests.report.test_rendering import Page
from tests.result_tables import UNIFORM, staged, tables_of
from tests.said import part, words
from tests.tables.test_weighted_tables import Tables, by_cost, lognormal, predictions

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
    assert section.instance_costs(replace(material, weighted=None)) is None


def test_the_section_says_what_each_decision_costs(material: Material) -> None:
    found = section.instance_costs(material)
    assert found is not None
    values = found.content
    names = [row.name for row in values.table.rows]
    assert names == [*material.facts.models, "always negative", "always positive"]
    assert values.table.href == "tables/instance_costs/wine--costs.csv"
    assert (values.unit, values.unweighted.slug, values.facts.slug) == ("DM", "wine", "wine--costs")
    best = min(values.table.rows, key=lambda row: row.cost.value)
    markup = part(found)
    said = words(markup)
    assert "At these costs, PC(+) = " in said
    assert f"{best.name} is cheapest: its mistakes cost " in said
    assert " DM per case. Next is " in said
    assert "change what is cheapest" in said
    assert values.left_out == ("rate-driven", "rate-fixed")
    (decided,) = found.sections  # weighted by cost
    assert decided.content.facts.slug == "wine--costs"
    assert decided.content.families


def test_the_same_costs_change_nothing(material: Material) -> None:
    own = section.instance_costs(replace(material, weighted=replace(material, tables={
        **material.tables, "instance_costs": material.weighted.tables["instance_costs"],  # type: ignore[union-attr]
    })))  # fmt: skip
    assert own is not None
    expected = "The same decisions are cheapest with and without the costs of cases."
    assert expected in words(part(own))


def test_costs_are_not_said_to_change_what_another_way_of_choosing_may_have_changed(
    material: Material,
) -> None:
    own = material.weighted
    assert own is not None
    assert own.facts.estimate != "fixed in advance"
    apart = replace(material, facts=replace(material.facts, estimate="fixed in advance"))
    found = section.instance_costs(apart)
    assert found is not None
    assert "so they are not compared with these." in words(part(found))


@pytest.mark.parametrize("changes", [True, False])
def test_what_leads_on_a_sliver_alone_changes_nothing(
    material: Material, monkeypatch: pytest.MonkeyPatch, *, changes: bool
) -> None:
    """B instead of A from .3 on, for a sliver or for more."""
    end = 0.3 + (1.5 if changes else 0.5) * SLIVER
    leaders = iter(
        [[(0.0, 1.0, ("A",))], [(0.0, 0.3, ("A",)), (0.3, end, ("B",)), (end, 1.0, ("A",))]]
    )
    monkeypatch.setattr(section, "_cheapest", lambda _: next(leaders))
    own = section.instance_costs(material)
    assert own is not None
    expected = "At some cost ratios the costs of cases change what is cheapest."
    assert (expected in words(part(own))) is changes


def reported(made: list[Tables], drawn: Sequence[str] = (), **changes: Any) -> Report:
    """The report of a dataset with costs, of its tables unweighted and weighted by cost."""
    wine = {**fake_report.dataset("wine", "Wine"), "costs": {"unit": "DM"}}
    made_of = fake_report.study(datasets=[wine], **changes)
    slugs = [one.slug for one in made_of.datasets]
    tables = dict(zip(slugs, made, strict=True))
    figures = {slug: {name: drawing(name) for name in drawn} for slug in slugs}
    return fake_report.assembled(tables, made_of, figures)


def of_decisions(limits: dict[str, Any]) -> list[Tables]:
    """Tables of two models that have a decision for each instance, and no scores."""
    rows = predictions().query("model != 'F'")
    rows = rows.assign(decision=(rows["score"] > 0.5).astype(int), score=np.nan)
    both = staged(rows), by_cost(lognormal, rows)
    made = [tables_of(one, weighted=place == 1) for place, one in enumerate(both)]
    return [own | {"criteria": limited(own, limits)} for own in made]


def limited(tables: Tables, limits: dict[str, Any]) -> pd.DataFrame:
    counts = counted(tables["predictions"], seed=1)
    curves = hybrids(counts, "repeat", limits)
    return criteria(counts, curves, limits, UNIFORM)


JUDGED = "so they are judged"


def test_criteria_of_cases_are_linked_where_a_section_shows_them(material: Material) -> None:
    assert material.weighted is not None
    made = [dict(material.tables), dict(material.weighted.tables)]
    limits = {"capacity": 3, "max_fp_rate": 0.1}
    reports = {
        "appendix": reported(made),
        "none": reported(made, appendix=False),
        "decisions": reported(of_decisions(limits), selection=limits),
    }
    for name, one in reports.items():
        page = html(one)
        assert "Not judged by cost: " in page
        assert (JUDGED in page) == (name == "appendix")
        assert ('<a href="#data/wine/choosing">with unweighted' in page) == (name == "appendix")
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r' id="([^"]+)"', page))


def test_the_page_says_what_each_mistake_costs(material: Material) -> None:
    assert material.weighted is not None
    made = [dict(material.tables), dict(material.weighted.tables)]
    page = html(reported(made, drawn=["instance_costs"]))
    (said,) = Page(page).text("main")
    costs = material.weighted.tables["instance_costs"].iloc[0]
    alarm, missed = (amount(costs[f"mean_cost_{name}"]) for name in ("fp", "fn"))
    assert alarm != missed
    assert f"A false alarm costs {alarm} DM on average, a miss {missed}: at p(+)" in said
    positives, negatives = (round(costs[f"{it}_effective"]) for it in ("positives", "negatives"))
    near = nearest("cost per instance", positives, negatives, 10)
    assert near is not None
    assert near.approximate
    held = f"held in {share(near.share)} (± {share(near.error)}) with"
    of = f"{near.positives} + {near.negatives} of equal cost in 10 folds"
    assert " ".join(f"intervals of costs per case {held} {of}".split()) in said
    rows = material.weighted.rows("instance_costs")
    _, second, *_ = sorted((row for row in rows if not row["trivial"]), key=itemgetter("cost"))
    assert second["more"] > 0
    assert "Cost of mistakes per case (DM)" in said
    assert f"{amount(second['more'])} {amount(second['more_low'])} to" in said
