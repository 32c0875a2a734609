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
PLACES = {
    "cost lines and lower envelopes": ("cost-lines", "makes the envelope", "envelopes", {}),
    "operating range": ("cost-curves", "Useful", "intervals", {"quantity": "range start"}),
    "area under any prior": ("cost-curves", "Weighted cost", "intervals", {"quantity": "tec"}),
    "averages in cost space": ("cost-lines", "average", "averages", {"method": "cost-space"}),
    "averages in ROC space": ("averages", "In ROC space", "roc", {}),
    "Neyman-Pearson": ("limits", "limit", "constructions", {"criterion": "neyman-pearson"}),
    "workforce": ("limits", "limit", "constructions", {"criterion": "workforce"}),
    "suboptimal selection": ("thresholds", "rule", "criteria", {"criterion": "score-driven"}),
    "confidence bands": ("cost-curves", "band", "bands", {}),
    "paired significance": ("differences", "Costs less", "verdicts", {}),
    "hybrids by every rule, with intervals": ("thresholds", "score-fixed", "choice_intervals", {}),
    "one ROC/cost pair": ("roc-and-cost", "both spaces", "duality", {}),
    "threshold choice methods": ("loss_curves", "Loss", "threshold_choice", {}),
    "calibration loss": ("calibration", "Miscalibration", "calibration", {"part": "brier"}),
    "AUC": ("cost-curves", "AUC", "auc_differences", {}),
    "ROC with costs per case": ("case-costs", "ROC", "instance_costs", {}),
}


@pytest.fixture(scope="module")
def report(asymmetric: Path) -> Path:
    return asymmetric / "reports" / NAME


@pytest.fixture(scope="module")
def page(report: Path) -> str:
    return (report / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sections(page: str) -> dict[str, str]:
    """The words of each section, without those of the sections inside it."""
    words = {}
    for part in re.split(r'(?=<section[^>]* id=")', page):
        anchor = part.partition(' id="')[2].partition('"')[0]
        text = html.unescape(re.sub(r"<(style|svg)\b.*?</\1>|<[^>]+>", " ", part, flags=re.DOTALL))
        words[anchor] = " ".join(text.split())
    return words


@pytest.mark.parametrize("what", PLACES)
def test_what_the_papers_do_is_shown_and_held(
    report: Path, sections: dict[str, str], what: str
) -> None:
    section, words, table, mark = PLACES[what]
    home = next(home for home in ("data", "appendix") if f"{home}/loans/{section}" in sections)
    assert words in sections[f"{home}/loans/{section}"]
    view = BY_COST if table == "instance_costs" else "loans"
    rows = pd.read_csv(report / "tables" / table / f"{view}.csv")
    assert all(rows[column].eq(value).any() for column, value in mark.items())
    assert len(rows)


def test_one_class_against_the_rest_and_reids_axes_have_their_places(
    page: str, sections: dict[str, str]
) -> None:
    assert {f"data/species--{name}/cost-curves" for name in ("setosa", "virginica")} <= {*sections}
    assert '"Reid (2009): c and loss"' in page


def test_every_dataset_class_and_view_has_its_tables_and_figures(report: Path) -> None:
    files = set(contents(report))
    views = [*DATASETS, BY_COST]
    for stage in (*STAGES, "check_results"):
        assert {f"tables/{stage}/{view}.csv" for view in views} <= files, stage
    figures = {name.split("/")[1] for name in files if name.startswith("figures/")}
    together = {"map.csv", "map.json", *(f"map-{letter}.svg" for letter in "abc")}
    assert figures <= {*views, *together}
    assert {*views, "map.csv", "map.json", "map-a.svg"} <= figures
    having = {Path(file).parent.name for file in files if Path(file).name == "case_costs.csv"}
    assert having == {BY_COST}
    assert {"report.html", "manifest.json"} <= files


def test_tables_are_published_as_they_were_made(report: Path, published: Published) -> None:
    for file in (report / "tables").rglob("*.csv"):
        stage = file.parent.name if file.parent.name != "tables" else file.stem
        made = published(stage, file.stem if file.stem != stage else "")
        table = pd.read_csv(file, dtype={"fold": str, "repeat": str})
        pd.testing.assert_frame_equal(table, made)


def test_the_report_names_the_predictions_that_it_was_made_of(
    report: Path, sections: dict[str, str]
) -> None:
    sources = json.loads((report / "manifest.json").read_text())["sources"]
    assert [source["path"] for source in sources] == ["loans.csv", "calls.csv", "species.csv"]
    for source in sources:
        content = (report.parent.parent / source["path"]).read_bytes()
        assert source["sha256"] == sha256(content).hexdigest()
        assert source["rows"] == content.count(b"\n") - 1
        assert source["path"] in sections["provenance"]


def test_sections_come_in_order_and_the_map_before_datasets(page: str) -> None:
    anchors = re.findall(r'<section[^>]* id="([^"]+)"', page)
    wholes = [anchor for anchor in anchors if "/" not in anchor or anchor.startswith("classes/")]
    assert wholes[:2] == ["verdict", "datasets"]
    assert anchors.index("claims") > max(anchors.index(f"data/{name}") for name in DATASETS)
    each = [f"data/{name}" for name in DATASETS]
    assert [anchor for anchor in anchors if anchor in each] == each
    assert anchors.index("classes/species") == anchors.index("data/species--setosa") - 1
    with_costs = [anchor for anchor in anchors if anchor.endswith("/case-costs")]
    assert with_costs == ["data/loans/case-costs"]


def test_costs_stand_in_their_unit_beside_instances_alike(
    report: Path, sections: dict[str, str]
) -> None:
    words = sections["data/loans/case-costs"]
    costs = pd.read_csv(report / "tables" / "instance_costs" / f"{BY_COST}.csv")
    assert costs["trivial"].tolist() == [False] * 4 + [True] * 2
    best = costs.sort_values("cost")["model"].iloc[0]
    assert re.search(rf"{best} has the lowest estimate, \S+ kCHF a case", words)
    assert "which is PC(+) = 0.32." in words
    assert "are as informative as" in words
    headlines = [report / "tables" / "headline" / f"{name}.csv" for name in ("loans", BY_COST)]
    unweighted, by_cost = (pd.read_csv(file)["nec_from"] for file in headlines)
    assert not unweighted.equals(by_cost)
    drawn = pd.read_csv(report / "figures" / BY_COST / "case_costs.csv")
    shown = drawn[drawn["series"] == "cost"].set_index("model")["x"]
    of_thousand = 1000 * costs.set_index("model")["cost"]
    np.testing.assert_allclose(shown.loc[of_thousand.index], of_thousand, rtol=1e-12)


def test_every_dataset_has_a_vote_and_every_class_a_verdict(
    report: Path, sections: dict[str, str]
) -> None:
    table = pd.read_csv(report / "tables" / "map.csv").query("shown == 'most decided'")
    assert {*zip(table["family"], table["model_a"], table["model_b"], strict=True)} == {
        ("reference", "Vote", REFERENCE)
    }
    assert table[list(COUNTS)].sum(axis=1).eq(5).all()
    assert table[["a_lower", "equal", "b_lower"]].sum(axis=1).eq(3).all()
    assert table["a_lower"].max() == 3
    assert table["p_value"].min() >= 0.25
    words = "With 3 votes even a unanimous vote has a chance of 0.250"
    assert words in sections["datasets"]


def test_the_report_is_as_its_manifest_says(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["verify", str(report)]) == 0
    assert "are as the manifest says" in capsys.readouterr().out
