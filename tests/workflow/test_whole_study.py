"""A study with costs of instances, several classes and a map, from files to a verified report."""

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from costcurves.command import main
from costcurves.detail import STAGES
from costcurves.figures import style
from costcurves.many.map import COUNTS
from tests.asymmetric_study import BY_COST, DATASETS, NAME, REFERENCE, STUDY, TABLES
from tests.slow_views import Published
from tests.small_study import PAGES, contents, snakemake


@pytest.fixture(scope="module")
def report(asymmetric: Path) -> Path:
    return asymmetric / "reports" / NAME


@pytest.fixture(scope="module")
def page(report: Path) -> str:
    return (report / "report.html").read_text(encoding="utf-8")


def words_of(page: str, anchor: str) -> str:
    """The text of a section's own page, without its tags and without what follows."""
    section = page.partition(f'<section id="{anchor}"')[2] or page.partition(f'id="{anchor}"')[2]
    return " ".join(re.sub(r"<[^>]+>", " ", section.partition("</section>")[0]).split())


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
    assert {*PAGES, "manifest.json"} <= files


def test_tables_are_published_as_they_were_made(report: Path, published: Published) -> None:
    for file in (report / "tables").rglob("*.csv"):
        stage = file.parent.name if file.parent.name != "tables" else file.stem
        made = published(stage, file.stem if file.stem != stage else "")
        found = pd.read_csv(file, dtype={"fold": str, "repeat": str})
        pd.testing.assert_frame_equal(found, made)


def test_total_expected_costs_of_rules_are_under_the_weight_that_the_study_gives_to_pc(
    published: Published,
) -> None:
    a, b, low, high = (STUDY["prior"][name] for name in ("a", "b", "low", "high"))

    def weight(pc: float) -> float:
        return float(beta.pdf(pc, a, b) / (beta.cdf(high, a, b) - beta.cdf(low, a, b)))

    def cost(pc: float, at0: float, at1: float) -> float:
        return (at0 * (1 - pc) + at1 * pc) * weight(pc)

    curves = published("hybrids", "loans").groupby(["model", "criterion"], observed=True)
    rules = published("criteria", "loans").dropna(subset="tec").set_index(["model", "criterion"])
    assert len(rules) > 12
    for name, own in rules.iterrows():
        total = 0.0
        for piece in curves.get_group(name).itertuples():
            ends = max(piece.pc_from, low), min(piece.pc_to, high)
            if ends[0] < ends[1]:
                total += quad(cost, *ends, args=(piece.at0, piece.at1), epsabs=1e-13)[0]
        assert own["tec"] == pytest.approx(total, abs=1e-11)
        assert abs(own["tec"] - own["area"]) > 1e-4


def test_the_report_names_the_predictions_that_it_was_made_of(report: Path, page: str) -> None:
    said = words_of(page, "provenance")
    known = {
        one["path"]: one for one in json.loads((report / "manifest.json").read_text())["sources"]
    }
    assert sorted(known) == ["calls.csv", "loans.csv", "species.csv"]
    for name, one in known.items():
        content = (report.parent.parent / name).read_bytes()
        assert (one["sha256"], one["rows"]) == (
            sha256(content).hexdigest(),
            content.count(b"\n") - 1,
        )
        assert name in said


def test_models_have_the_same_colours_on_the_map_as_in_all_figures(report: Path) -> None:
    svg = (report / "figures" / "map-a.svg").read_text(encoding="utf-8")
    models = STUDY["datasets"][0]["models"]
    assert [model for place, model in enumerate(models) if style.colour(place) in svg] == [
        "Vote",
        "Bayes",
    ]


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


def test_costs_are_said_in_their_unit_beside_instances_alike(report: Path, page: str) -> None:
    said = words_of(page, "data/loans/case-costs")
    costs = pd.read_csv(report / "tables" / "instance_costs" / f"{BY_COST}.csv")
    assert costs["trivial"].tolist() == [False] * 4 + [True] * 2
    best = costs.sort_values("cost")["model"].iloc[0]
    assert re.search(rf"{best} has the lowest estimate, \S+ kCHF a case", said)
    assert "which is PC(+) = 0.32." in said
    assert "are as informative as" in said
    unweighted, by_cost = (
        pd.read_csv(report / "tables" / "headline" / f"{name}.csv") for name in ("loans", BY_COST)
    )
    assert not unweighted["nec_from"].equals(by_cost["nec_from"])
    drawn = pd.read_csv(report / "figures" / BY_COST / "case_costs.csv")
    shown = drawn[drawn["series"] == "cost"].set_index("model")["x"]
    of_thousand = 1000 * costs.set_index("model")["cost"]
    np.testing.assert_allclose(shown.loc[of_thousand.index], of_thousand, rtol=1e-12)


def test_every_dataset_has_a_vote_and_every_class_a_verdict(report: Path, page: str) -> None:
    table = pd.read_csv(report / "tables" / "map.csv")
    table = table[table["shown"] == "most decided"]
    assert set(zip(table["family"], table["model_a"], table["model_b"], strict=True)) == {
        ("reference", "Vote", REFERENCE)
    }
    assert table[list(COUNTS)].sum(axis=1).eq(5).all()
    assert table[["a_lower", "equal", "b_lower"]].sum(axis=1).eq(3).all()
    assert table["a_lower"].max() == 3
    assert table["p_value"].min() >= 0.25
    said = words_of(page, "datasets")
    assert "With 3 votes even a unanimous vote has a chance of 0.250" in said


def test_the_report_is_as_its_manifest_says(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["verify", str(report)]) == 0
    assert "are as the manifest says" in capsys.readouterr().out


def test_tables_and_figures_are_the_same_with_another_hash_seed(
    asymmetric: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(asymmetric, tmp_path / "copy"))
    shutil.rmtree(copy / "reports")
    results = copy / "results" / NAME
    made = [file for file in results.rglob("*") if file.suffix in (".parquet", ".svg")]
    assert {file.suffix for file in made} == {".parquet", ".svg"}
    for file in made:
        file.unlink()
    run = snakemake(copy, "study.yaml", "--until", *TABLES, hash_seed="4321")
    assert run.returncode == 0, run.stderr
    for path in made:
        assert path.read_bytes() == (asymmetric / path.relative_to(copy)).read_bytes(), path
