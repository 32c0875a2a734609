"""A study with costs of instances, several classes and a map, from files to a verified report."""

import html
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from costcurves.detail import STAGES
from costcurves.many.map import COUNTS
from tests.asymmetric_study import BY_COST, DATASETS, NAME, REFERENCE
from tests.oracle.slow_views import Published
from tests.small_study import contents

# What the papers do: the section that shows it, words there, the table that holds it, its rows.
PLACES = [
    ("data/loans/cost-lines", "makes the envelope", "envelopes", {}),
    ("data/loans/cost-curves", "Useful", "intervals", {"quantity": "range start"}),
    ("data/loans/cost-curves", "Weighted cost", "intervals", {"quantity": "tec"}),
    ("appendix/loans/averages", "In ROC space", "roc", {}),
    ("appendix/loans/limits", "limit", "constructions", {"criterion": "neyman-pearson"}),
    ("appendix/loans/limits", "limit", "constructions", {"criterion": "workforce"}),
    ("data/loans/thresholds", "rule", "criteria", {"criterion": "score-driven"}),
    ("data/loans/cost-curves", "band", "bands", {}),
    ("data/loans/differences", "Costs less", "verdicts", {}),
    ("data/loans/thresholds", "score-fixed", "choice_intervals", {}),
    ("data/loans/roc-and-cost", "both spaces", "duality", {}),
    ("appendix/loans/loss_curves", "Loss", "threshold_choice", {}),
    ("data/loans/calibration", "Miscalibration", "calibration", {"part": "brier"}),
    ("data/loans/cost-curves", "AUC", "auc_differences", {}),
    ("data/loans/case-costs", "ROC", "instance_costs", {}),
    ("data/species--virginica/cost-curves", "Useful", "bands", {}),
]


@pytest.fixture(scope="module")
def report(asymmetric: Path) -> Path:
    return asymmetric / "reports" / NAME


@pytest.fixture(scope="module")
def sections(report: Path) -> dict[str, str]:
    """The words of each section, without those of the sections inside it."""
    words = {}
    page = (report / "report.html").read_text(encoding="utf-8")
    for part in re.split(r'(?=<section[^>]* id=")', page):
        anchor = part.partition(' id="')[2].partition('"')[0]
        text = html.unescape(re.sub(r"<(style|svg)\b.*?</\1>|<[^>]+>", " ", part, flags=re.DOTALL))
        words[anchor] = " ".join(text.split())
    return words


def test_what_the_papers_do_is_shown_and_held(report: Path, sections: dict[str, str]) -> None:
    for section, words, table, mark in PLACES:
        assert words in sections[section], section
        view = BY_COST if table == "instance_costs" else section.split("/")[1]
        rows = pd.read_csv(report / "tables" / table / f"{view}.csv")
        assert len(rows), table
        assert all(rows[column].eq(value).any() for column, value in mark.items()), (table, mark)
    assert all(f"{name}.csv" in sections["provenance"] for name in ("loans", "calls", "species"))
    assert "Reid (2009): c and loss" in (report / "report.html").read_text(encoding="utf-8")
    anchors = [*sections]
    assert [anchor for anchor in anchors if anchor.endswith("case-costs")] == [PLACES[14][0]]
    places = ["verdict", "datasets", *(f"data/{name}" for name in DATASETS), "claims"]
    places.insert(places.index("data/species--setosa"), "classes/species")
    assert [anchor for anchor in anchors if anchor in places] == places


def test_every_dataset_class_and_view_has_its_tables_and_figures(
    report: Path, published: Published
) -> None:
    """Tables are published as they were made, and every dataset has its vote in the map."""
    files, views = {*contents(report)}, {*DATASETS, BY_COST}
    tables = {f"tables/{stage}/{view}.csv" for stage in STAGES for view in views}
    checks = {f"tables/check_results/{view}.csv" for view in views}
    listed = {file for file in files if file.startswith("tables/")}
    assert listed == tables | checks | {"tables/map.csv", "tables/claims.csv"}
    for file in listed:
        stage, _, view = file.removeprefix("tables/").removesuffix(".csv").partition("/")
        table = pd.read_csv(report / file, dtype={"fold": str, "repeat": str})
        pd.testing.assert_frame_equal(table, published(stage, view))
    figures = {name.split("/")[1] for name in files if name.startswith("figures/")}
    together = {"map.csv", "map.json", "map-a.svg"}
    assert {*views, *together} <= figures <= {*views, *together, "map-b.svg", "map-c.svg"}
    having = {Path(file).parent.name for file in files if Path(file).name == "case_costs.csv"}
    assert having == {BY_COST}
    votes = published("map").query("shown == 'most decided'")
    pairs = {*votes[["family", "model_a", "model_b"]].itertuples(index=False, name=None)}
    assert pairs == {("reference", "Vote", REFERENCE)}
    assert votes[list(COUNTS)].sum(axis=1).eq(5).all()


def test_costs_are_drawn_for_a_thousand_cases(report: Path, published: Published) -> None:
    costs = published("instance_costs", BY_COST)
    assert costs["trivial"].tolist() == [False] * 4 + [True] * 2
    drawn = pd.read_csv(report / "figures" / BY_COST / "case_costs.csv")
    shown = drawn[drawn["series"] == "cost"].set_index("model")["x"]
    of_thousand = 1000 * costs.set_index("model")["cost"]
    np.testing.assert_allclose(shown.loc[of_thousand.index], of_thousand, rtol=1e-12)
