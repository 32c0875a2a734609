"""The section on costs of cases: what it says, and where the lowest estimate may be chance."""

from collections.abc import Mapping
from operator import itemgetter

import pandas as pd
import pytest

from costcurves.formats import amount
from costcurves.report.rendering import html
from costcurves.report.sections import case_costs
from tests import fake_report
from tests.result_tables import all_tables_of, staged
from tests.said import words
from tests.tables.test_weighted_tables import by_cost, lognormal, predictions

Tables = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def made() -> tuple[Tables, Tables]:
    """Tables unweighted and weighted by cost."""
    return dict(all_tables_of(staged(predictions()))), dict(
        all_tables_of(by_cost(lognormal), weighted=True)
    )


def reported(unweighted: Mapping[str, pd.DataFrame], weighted: Mapping[str, pd.DataFrame]) -> str:
    """The words of the page of a dataset with costs."""
    wine = {**fake_report.dataset("wine", "Wine"), "costs": {"unit": "DM"}}
    study = fake_report.study(datasets=[wine])
    slugs = [dataset.slug for dataset in study.datasets]
    tables = dict(zip(slugs, (unweighted, weighted), strict=True))
    return words(html(fake_report.assembled(tables, study)))


def test_the_page_says_what_each_decision_and_each_mistake_costs(
    made: tuple[Tables, Tables],
) -> None:
    assert case_costs(fake_report.toy()) is None, "it has no costs"
    page, rows = reported(*made), made[1]["instance_costs"].to_dict("records")
    best, second = sorted((row for row in rows if not row["trivial"]), key=itemgetter("cost"))[:2]
    alarm, missed = amount(best["mean_cost_fp"]), amount(best["mean_cost_fn"])
    assert alarm != missed
    assert f"on average {alarm} DM for a false alarm, {missed} for a miss" in page
    assert f"{best['model']} has the lowest estimate, {amount(best['cost'])} DM a case" in page
    assert second["more"] > 0
    assert "Cost of mistakes per case (DM)" in page
    assert f"{amount(second['more'])} {amount(second['more_low'])} to" in page


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"more_low": 0.1}, "less than"),
        ({"more_low": -0.1}, "its lead over"),
        ({"more": 0.0}, "as much as"),
    ],
)
def test_a_lead_that_may_be_chance_is_called_so(
    made: tuple[Tables, Tables], changes: dict[str, float], expected: str
) -> None:
    rows = made[1]["instance_costs"].assign(**changes)
    page = reported(made[0], {**made[1], "instance_costs": rows})
    opening = page.split(" DM a case")[1].partition(" Each case")[0]
    assert expected in opening
