"""A study with costs of instances, several classes and a map, from files to a verified report."""

import html
import json
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from costcurves.command import main
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
    ("data/loans/cost-lines", "average", "averages", {"method": "cost-space"}),
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
    ("data/species--setosa/cost-curves", "Useful", "bands", {}),
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
    assert "Reid (2009): c and loss" in (report / "report.html").read_text(encoding="utf-8")
    anchors = [*sections]
    assert [anchor for anchor in anchors if anchor.endswith("case-costs")] == [PLACES[15][0]]
    places = ["verdict", "datasets", *(f"data/{name}" for name in DATASETS), "claims"]
    places.insert(places.index("data/species--setosa"), "classes/species")
    assert [anchor for anchor in anchors if anchor in places] == places


def test_every_dataset_class_and_view_has_its_tables_and_figures(
    report: Path, published: Published
) -> None:
    """Tables are published as they were made."""
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


def test_the_report_names_the_predictions_and_is_as_its_manifest_says(
    report: Path, sections: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    sources = json.loads((report / "manifest.json").read_text())["sources"]
    assert [source["path"] for source in sources] == ["loans.csv", "calls.csv", "species.csv"]
    for source in sources:
        content = (report.parent.parent / source["path"]).read_bytes()
        assert source["sha256"] == sha256(content).hexdigest()
        assert source["rows"] == content.count(b"\n") - 1
        assert source["path"] in sections["provenance"]
    assert main.main(["verify", str(report)]) == 0
    assert "are as the manifest says" in capsys.readouterr().out


def test_costs_stand_in_their_unit_beside_instances_alike(
    report: Path, published: Published, sections: dict[str, str]
) -> None:
    words, costs = sections["data/loans/case-costs"], published("instance_costs", BY_COST)
    assert costs["trivial"].tolist() == [False] * 4 + [True] * 2
    best = costs.sort_values("cost")["model"].iloc[0]
    assert re.search(rf"{best} has the lowest estimate, \S+ kCHF a case", words)
    assert "which is PC(+) = 0.32." in words
    assert "are as informative as" in words
    unweighted, by_cost = (published("headline", view)["nec_from"] for view in ("loans", BY_COST))
    assert not unweighted.equals(by_cost)
    drawn = pd.read_csv(report / "figures" / BY_COST / "case_costs.csv")
    shown = drawn[drawn["series"] == "cost"].set_index("model")["x"]
    of_thousand = 1000 * costs.set_index("model")["cost"]
    np.testing.assert_allclose(shown.loc[of_thousand.index], of_thousand, rtol=1e-12)


def test_every_dataset_has_a_vote_and_every_class_a_verdict(
    published: Published, sections: dict[str, str]
) -> None:
    table = published("map").query("shown == 'most decided'")
    pairs = {*table[["family", "model_a", "model_b"]].itertuples(index=False, name=None)}
    assert pairs == {("reference", "Vote", REFERENCE)}
    assert table[list(COUNTS)].sum(axis=1).eq(5).all()
    assert table[["a_lower", "equal", "b_lower"]].sum(axis=1).eq(3).all()
    assert table["a_lower"].max() == 3
    assert table["p_value"].min() >= 0.25
    assert "With 3 votes even a unanimous vote" in sections["datasets"]
