"""A study with costs of instances, several classes and a map, from its files to a verified report.

Each dataset is as small as it can be, and all of them go through the workflow in two batches, those
with instances alike and those by cost: as the datasets of a large study do, and in fewer processes.
"""

import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command import main
from costcurves.tables.map_pairs import COUNTS
from costcurves.tables.results import CONTRACTS
from tests.small_study import PAGES, contents, copied_root, folds_of, scored, snakemake

COLOURS = ["red", "green", "blue"]
DATASETS = ["wine", "sonar", "three--red", "three--green", "three--blue"]
BY_COST = "wine--costs"
MODELS = {"Bayes": 2.5, "Trees": 0.5}


def both(rows: pd.DataFrame) -> pd.DataFrame:
    """Scores of two models, the first much better than the second."""
    return pd.concat([scored(rows, model, skill, 2) for model, skill in MODELS.items()])


def costly(rows: pd.DataFrame) -> pd.DataFrame:
    """Instances of which some cost ten times as much as others, and misses half of that."""
    cost = rows["instance"].astype(int).mod(3).map({0: 10.0, 1: 1.0, 2: 2.0})
    return rows.assign(cost_fp=cost, cost_fn=cost / 2)


def coloured(rows: pd.DataFrame) -> pd.DataFrame:
    """Three classes, and a score for each of them."""
    number = rows["instance"].astype(int).to_numpy() % 3
    rows = rows.assign(label=np.array(COLOURS)[number])
    parts = []
    for model, skill in MODELS.items():
        noise = np.random.default_rng(7).normal(size=(3, len(rows)))
        scores = {
            f"score_{name}": skill * (number == place) + noise[place]
            for place, name in enumerate(COLOURS)
        }
        parts.append(rows.assign(model=model, **scores))
    return pd.concat(parts)


def write_study(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    rows = folds_of(24, 1, 2, seed=1)
    datasets = {"wine": costly(both(rows)), "sonar": both(rows), "three": coloured(rows)}
    for name, frame in datasets.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    extra: dict[str, dict[str, object]] = {
        "wine": {"costs": {"unit": "EUR"}},
        "sonar": {},
        "three": {"classes": COLOURS},
    }
    study = {
        "study": "whole",
        "inference": {"resamples": 40},
        "map": {"models": ["Trees", "Bayes"]},
        "datasets": [
            {"name": name, "predictions": [f"{name}.csv"], **extra[name]} for name in datasets
        ],
    }
    (folder / "study.yaml").write_text(yaml.safe_dump(study, sort_keys=False))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workflow as it is for a study of so many datasets that it is divided into batches."""
    root = copied_root(tmp_path_factory.mktemp("root"))
    batches = root / "workflow" / "costcurves" / "tables" / "batches.py"
    text = batches.read_text()
    for there, instead in (("<= MANY:", "<= 1:"), ("MOST: Final = 8 ", "MOST: Final = 1 ")):
        assert text.count(there) == 1
        text = text.replace(there, instead)
    batches.write_text(text)
    return root


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    write_study(folder)
    run = snakemake(folder, "study.yaml", root=root)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="module")
def report(built: Path) -> Path:
    return built / "reports" / "whole"


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
    for stage in CONTRACTS:
        assert {f"tables/{stage}/{view}.csv" for view in views} <= files, stage
    figures = {name.split("/")[1] for name in files if name.startswith("figures/")}
    assert figures == {*views, "map.csv", "map.pdf", "map.svg"}
    for name in ("cost_views", "instance_costs"):
        having = {Path(file).parent.name for file in files if Path(file).name == f"{name}.csv"}
        assert having & set(views) == {BY_COST}
    assert {*PAGES, "manifest.json"} <= files


def test_sections_come_in_order_and_the_map_first(page: str) -> None:
    anchors = re.findall(r'<section[^>]* id="([^"]+)"', page)
    wholes = [anchor for anchor in anchors if "/" not in anchor or anchor.startswith("classes/")]
    assert wholes[:2] == ["verdict", "datasets"]
    each = [f"data/{name}" for name in DATASETS]
    assert [anchor for anchor in anchors if anchor in each] == each
    assert anchors.index("classes/three") == anchors.index("data/three--red") - 1
    with_costs = [anchor for anchor in anchors if anchor.endswith("/instance-costs")]
    assert with_costs == ["data/wine/instance-costs"]


def test_costs_are_said_in_their_unit_beside_instances_alike(report: Path, page: str) -> None:
    said = words_of(page, "data/wine/instance-costs")
    costs = pd.read_csv(report / "tables" / "instance_costs" / f"{BY_COST}.csv")
    assert costs["model"].tolist() == ["Bayes", "Trees", "always negative", "always positive"]
    best = costs.sort_values("cost")["model"].iloc[0]
    assert re.search(
        rf"At these costs, PC\(\+\) = 0\.33 , .*{best} .*is cheapest with .* EUR", said
    )
    assert "say as much as" in said
    assert "Not judged by cost: rate-driven, rate-fixed." in said
    alike, by_cost = (
        pd.read_csv(report / "tables" / "headline" / f"{name}.csv") for name in ("wine", BY_COST)
    )
    assert not alike["nec_from"].equals(by_cost["nec_from"])
    views = pd.read_csv(report / "figures" / BY_COST / "cost_views.csv")
    implied = views[views["series"] == "implied"]
    marked = implied.pivot_table(index="model", columns="view", values="nec")
    models = costs[~costs["trivial"]].set_index("model")["nec"]
    np.testing.assert_allclose(marked.loc[models.index, "by cost"], models, rtol=1e-12)
    assert not np.allclose(marked["by cost"], marked["alike"])


def test_every_dataset_has_a_vote_and_every_class_a_verdict(report: Path, page: str) -> None:
    table = pd.read_csv(report / "tables" / "map.csv")
    assert table[["model_a", "model_b"]].drop_duplicates().to_numpy().tolist() == [
        ["Bayes", "Trees"]
    ]
    assert table[list(COUNTS)].sum(axis=1).eq(5).all()
    assert table[["a_lower", "equal", "b_lower"]].sum(axis=1).eq(3).all()
    assert table["a_lower"].max() == 3
    assert table["p_value"].min() >= 0.25
    assert set(table["shown"]) == {"chosen"}
    said = words_of(page, "datasets")
    assert "the pair that the study names in advance" in said
    assert "With 3 votes it cannot find anything" in said


def test_the_report_is_as_its_manifest_says(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["verify", str(report)]) == 0
    assert "are as the manifest says" in capsys.readouterr().out


def test_maps_and_views_by_cost_are_the_same_with_another_hash_seed(
    built: Path, root: Path, tmp_path: Path
) -> None:
    """What no other test builds twice; the rest is taken from the first time."""
    copy = Path(shutil.copytree(built, tmp_path / "copy"))
    for path in [*copy.glob(f"results/whole/*/{BY_COST}*"), *copy.glob("results/whole/map*")]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(copy / "reports")
    run = snakemake(copy, "study.yaml", root=root, hash_seed="4321")
    assert run.returncode == 0, run.stderr
    assert contents(copy / "reports") == contents(built / "reports")
