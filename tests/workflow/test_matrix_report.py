"""A study with a matrix of costs beside one of two classes: its page says what its tables say."""

import json
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from playwright.sync_api import Browser

from costcurves.command import main
from costcurves.detail import BY_MATRIX
from costcurves.formats import amount
from costcurves.study.reading import parse_study
from tests.browser import violations, visit
from tests.oracle.recompute import recomputed
from tests.small_study import folds_of, scored
from tests.tables.test_cost_matrix import CLASSES, matrix, ward

REPORT = Path("reports", "several")
BY = ["name", "rule"]


def content(**more: Any) -> dict[str, Any]:
    """The configuration: several classes with a matrix, and two classes."""
    first = {"name": "ward", "title": "The ward", "predictions": ["ward.csv"], "classes": CLASSES}
    study = {
        "study": "several",
        "datasets": [
            first | {"cost_matrix": matrix()},
            {"name": "two", "predictions": ["two.csv"]},
        ],
        "inference": {"confidence": 0.8, "resamples": 60},
        "operating_conditions": [
            {"name": "even", "cost_ratio": 1},
            {"name": "dear", "cost_fn": 5, "cost_fp": 1},
        ],
    }
    return study | more


def written(folder: Path, **more: Any) -> Path:
    """Write predictions, of three repeats, and the configuration."""
    ward(132, 3).to_csv(folder / "ward.csv", index=False)
    rows = folds_of(60, 1, 2, seed=5)
    pd.concat([scored(rows, "forest", 2.0, 2), scored(rows, "sharp", 1.0, 3)]).to_csv(
        folder / "two.csv", index=False
    )
    (folder / "study.yaml").write_text(yaml.safe_dump(content(**more), sort_keys=False))
    return folder


def command(folder: Path, *arguments: str) -> list[str]:
    """Run a command; give its lines."""
    run = subprocess.run(
        [sys.executable, "-m", "costcurves", *arguments],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout.splitlines()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = written(tmp_path_factory.mktemp("matrix"))
    command(folder, "report", "study.yaml", "--html")
    return folder


def table(folder: Path, name: str) -> pd.DataFrame:
    file = folder / REPORT / "tables" / name / "ward--ill.csv"
    return pd.read_csv(file, keep_default_na=False, na_values={"low": "", "high": ""})


def text(markup: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", "", markup))).strip()


def page(folder: Path) -> str:
    return (folder / REPORT / "report.html").read_text("utf-8")


def cover(folder: Path) -> str:
    """The words of page 1."""
    return text(page(folder).partition("<h1")[2].split("<section")[1])


def section(folder: Path) -> str:
    """What stands above the classes of the ward."""
    return page(folder).partition('<section id="classes/ward"')[2].partition("<section ")[0]


def cells(markup: str) -> list[list[list[str]]]:
    """The words of each table's rows, without the heads of columns."""
    return [
        [
            [text(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL)]
            for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)
        ]
        for body in re.findall(r"<tbody.*?</tbody>", markup, re.DOTALL)
    ]


def named(row: Any) -> str:
    return f"{row['name']} ({row['rule']})" if row["rule"] == "recalibrated" else str(row["name"])


def in_a_cell(row: Any) -> str:
    own = row["rule"] in ("recalibrated", "most probable")
    return f"{row['name']} {row['rule']}" if own else str(row["name"])


def compared(folder: Path) -> pd.DataFrame:
    found = table(folder, "decisions")
    return found[found["possible"] >= 0].sort_values("cost", kind="stable")


def test_page_1_and_the_section_say_what_the_table_says(built: Path) -> None:
    rows = compared(built)
    best, rest = rows.iloc[0], rows.iloc[1:]
    others = [named(row) for _, row in rest.iterrows() if row["possible"]]
    interval = f"({amount(best['low'])} to {amount(best['high'])})"
    said = f"By the matrix of costs of The ward, {named(best)} has the lowest estimate: "
    said += f"{amount(best['cost'])} a case {interval}."
    listed = (
        " and ".join(others) if len(others) < 3 else f"{', '.join(others[:-1])} and {others[-1]}"
    )
    said += f" Not ruled out: {listed}." if others else " All others are ruled out."
    assert len(others) <= 4  # of more the first are named
    assert cover(built).count("By the matrix of costs of") == 1
    assert said in text(section(built))


def test_the_section_has_all_decisions(built: Path) -> None:
    found = table(built, "decisions")
    of = pd.concat([compared(built), found[found["possible"] < 0].sort_values("cost")])
    standing = ["lowest estimate"] + [
        {1: "not ruled out", 0: "ruled out", -1: "not compared"}[one]
        for one in of["possible"].iloc[1:]
    ]
    expected = [
        [
            in_a_cell(row),
            f"{amount(row['cost'])} {amount(row['low'])} to {amount(row['high'])}",
            standing[place],
        ]
        for place, (_, row) in enumerate(of.iterrows())
    ]
    assert cells(section(built))[0] == expected
    assert "matrix. Small: 80 % confidence intervals" in text(section(built))
    assert "at 80 % confidence for all comparisons at once" in text(section(built))


def test_the_section_has_how_cases_are_decided_by_the_cheapest_model(built: Path) -> None:
    rows = compared(built)
    best = rows[rows["rule"] != "always"].iloc[0]
    counts = table(built, "confusions").set_index([*BY, "true", "decided"])["cases"]
    assert cells(section(built))[1] == [
        [true, *(str(round(counts[(*best[BY], true, it)])) for it in CLASSES)] for true in CLASSES
    ]
    assert f"By {named(best)}: each true class (rows)" in text(section(built))


@pytest.mark.parametrize("detail", ["quick", "standard"])
def test_every_detail_has_the_tables(detail: str) -> None:
    assert {*BY_MATRIX} < {*parse_study(content(detail=detail), files=False).stages}


def test_what_to_use_and_the_terminal_say_it_of_1000_cases(built: Path) -> None:
    best, *others = (row for _, row in compared(built).iterrows() if row["possible"])
    first, *rest = json.loads((built / REPORT / "what_to_use.json").read_text("utf-8"))
    ours = {
        "dataset": "ward",
        "title": "The ward",
        "condition": "by the matrix of costs",
        "lowest": named(best),
        "confidence": 0.8,
        "not_ruled_out": [named(row) for row in others],
    }
    assert {name: first[name] for name in ours} == ours
    for name, column in (("amount", "cost"), ("amount_low", "low"), ("amount_high", "high")):
        assert first[name] == pytest.approx(1000 * best[column])
    empty = {name for name, value in first.items() if value is None}
    assert empty >= {"pc", "cost_ratio", "cost", "threshold", "flagged"}
    assert [one["condition"] for one in rest] == ["even", "dear"] * 4
    assert {one["condition"] for one in rest if one["dataset"] == "two"} == {"even", "dear"}
    said = (built / REPORT / "answer.txt").read_text("utf-8")
    decided = f"{named(best)} has the lowest estimate; not ruled out" if others else "use"
    assert said.startswith(f"By the matrix of costs of The ward, {decided}")


def test_other_datasets_have_no_rows_and_no_sentence(built: Path) -> None:
    for name in BY_MATRIX:
        for slug in ("ward--unsure", "ward--well", "two"):
            assert pd.read_csv(built / REPORT / "tables" / name / f"{slug}.csv").empty
    assert 'id="methods/matrix"' in page(built)
    assert "Zadrozny" in page(built)


def test_a_report_is_as_its_manifest_says_and_other_numbers_agree(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built)
    assert main.main(["verify", str(REPORT)]) == 0
    lines, differ = recomputed(REPORT, built)
    assert not differ, lines
    (whole,) = [line for line in lines if line.startswith("not looked at")]
    assert {*BY_MATRIX} < {*whole.partition(": ")[2].split(", ")}


def test_a_changed_number_is_found(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(built, tmp_path / "copy")
    monkeypatch.chdir(copy)
    table = copy / REPORT / "tables" / "decisions" / "ward--ill.csv"
    table.write_text(table.read_text().replace(",always,", ",cheapest,", 1))
    assert main.main(["verify", str(REPORT)]) == 4


def test_a_second_run_has_nothing_to_do(built: Path) -> None:
    before = (built / REPORT / "report.html").stat().st_mtime_ns
    assert command(built, "report", "study.yaml", "--html")
    assert (built / REPORT / "report.html").stat().st_mtime_ns == before


def test_a_browser_shows_it_without_an_obstacle_and_on_a_telephone(
    built: Path, browser: Browser
) -> None:
    file = built / REPORT / "report.html"
    with visit(browser, file, fragment="#classes/ward") as seen:
        assert not violations(seen)
    with visit(browser, file, width=390) as seen:
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert seen.number(wide) <= 0


@pytest.mark.parametrize("appendix", [False, True])
def test_it_stands_with_and_without_an_appendix(appendix: bool, tmp_path: Path) -> None:
    folder = written(tmp_path, appendix=appendix, datasets=content()["datasets"][:1])
    command(folder, "report", "study.yaml", "--html")
    best = compared(folder).iloc[0]
    answer = rf"By the matrix of costs of The ward, (use )?{re.escape(named(best))}"
    assert re.search(answer, cover(folder))
    assert len(cells(section(folder))) == 2
