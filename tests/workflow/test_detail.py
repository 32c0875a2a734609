"""What a study computes and shows of each dataset: all, or only what is essential."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from costcurves.command.stage import Files
from costcurves.figures.drawing import figures_of
from costcurves.report.annex import ANNEX
from costcurves.report.document import Report, Section
from costcurves.report.rendering import _page, html
from costcurves.settings import Study
from costcurves.study.reading import read_study
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.detail import BY_MATRIX, LEFT_OUT, MANY, STAGES, left_out
from tests import fake_report
from tests.small_study import PAGES, contents, snakemake, write_study

CLAIMED = {
    "claim": "Scores mislead.",
    "kind": "worse than trivial",
    "datasets": ["d0"],
    "models": ["A"],
    "criterion": "score-driven",
}


def study(count: int = 1, **changes: Any) -> Study:
    each = [fake_report.dataset(f"d{place}", f"D {place}") for place in range(count)]
    return fake_report.study(**{"datasets": each, "detail": "auto", **changes})


# Which stages a study has


def test_the_stages_are_those_that_have_tables() -> None:
    assert [*STAGES, "check_results"] == list(CONTRACTS)
    assert set(LEFT_OUT) < set(STAGES)


def test_many_datasets_have_what_is_essential() -> None:
    assert study(MANY).detail == "standard"
    assert study(MANY + 1).detail == "essential"


def test_each_class_is_a_dataset() -> None:
    classes = [f"c{place}" for place in range(MANY + 1)]
    one = fake_report.dataset("d", "D")
    assert study(datasets=[{**one, "classes": classes}]).detail == "essential"
    assert study(datasets=[{**one, "classes": classes[:MANY]}]).detail == "standard"


@pytest.mark.parametrize("detail", ["full", "standard", "essential", "quick"])
@pytest.mark.parametrize("count", [1, MANY + 1])
def test_what_is_asked_for_is_done(detail: str, count: int) -> None:
    made = study(count, detail=detail)
    assert made.detail == detail
    assert Study.from_plain(made.plain()) == made


def test_a_first_look_has_few_resamples_no_claims_and_no_pdf() -> None:
    inference = {"confidence": 0.8, "resamples": 3000}
    usual, quick = (
        study(detail=detail, inference=inference, claims=[CLAIMED])
        for detail in ("essential", "quick")
    )
    assert (usual.inference.resamples, len(usual.claims)) == (3000, 1)
    assert (quick.inference.resamples, len(quick.claims)) == (200, 0)
    assert (usual.printed, quick.printed) == (True, False)
    assert not study(detail="full", pdf=False).printed
    assert quick.inference.confidence == 0.8
    assert set(usual.stages) - set(quick.stages) == {
        *("criteria", "comparisons", "constructions", "threshold_choice"),
    }
    assert set(quick.stages) - set(usual.stages) == {"deployment", "segments"}


def test_all_stages_are_of_a_full_study() -> None:
    assert study(detail="full").stages == tuple(STAGES)


def test_a_standard_study_has_all_stages_that_it_has_data_for() -> None:
    made = study(detail="standard").stages
    needless = {"instance_costs", *BY_MATRIX}
    assert made == tuple(one for one in STAGES if one not in needless)


def test_an_essential_study_has_few_stages() -> None:
    made = study(detail="essential").stages
    needless = {*LEFT_OUT, "instance_costs", *BY_MATRIX}
    assert made == tuple(one for one in STAGES if one not in needless)


def test_costs_and_criteria_are_essential_where_they_are_given() -> None:
    costly = [{**fake_report.dataset("d0", "D 0"), "costs": {}}]
    assert "instance_costs" in study(detail="essential", datasets=costly).stages
    whole = [{"name": "d0", "predictions": ["d0.csv"]}]
    assert "segments" not in study(detail="standard", datasets=whole).stages
    assert "segments" in study(detail="standard").stages


def test_only_ways_of_choosing_that_are_needed_are_applied() -> None:
    always = ("cross-fitted", "cost-minimizing")
    assert study(detail="quick").applied.considered() == always
    for detail in ("essential", "standard", "full"):
        limited = study(detail=detail, selection={"capacity": 3})
        assert limited.applied == limited.selection


# What is read and drawn where a stage was not run


def test_a_table_that_was_not_made_has_no_rows(tmp_path: Path) -> None:
    files = Files(study(detail="quick"), "d", str(tmp_path))
    files.write({"hybrids": CONTRACTS["hybrids"].empty()})
    assert files.path("hybrids").is_file()
    for name in ("hybrids", "constructions"):
        assert tuple(files[name].columns) == tuple(CONTRACTS[name].names)
        assert files[name].empty


def test_the_first_dataset_has_more_figures_and_an_appendix_all() -> None:
    made = {detail: study(3, detail=detail) for detail in ("standard", "full")}
    many = study(MANY + 1)

    def names(of: Study, place: int) -> list[str]:
        return [one.NAME for one in figures_of(of, of.datasets[place])]

    each = ["cost_curves", "segments", "case_costs"]
    first = ["cost_lines", "hybrids", "roc_and_cost", "differences", "calibration"]
    appendix = ["averages", "loss_curves", "decision_curves"]
    assert names(made["standard"], 0) == names(many, 0) == [*each, *first]
    assert names(made["standard"], 2) == [*each, "hybrids"]
    assert names(many, 2) == each
    assert names(made["full"], 2) == [*each, *first, *appendix]


# What the report shows

DETAILS = ("full", "standard", "essential", "quick")


def reported(detail: str) -> tuple[Study, Report]:
    made = fake_report.study(detail=detail)
    tables = fake_report.tables()
    if detail != "full":
        needless = left_out(detail)
        tables |= {stage: table.head(0) for stage, table in tables.items() if stage in needless}
        averages = tables["averages"]
        tables["averages"] = averages[averages["method"] == "cost-space"]
    drawn = fake_report.drawings()
    shown = {one.NAME for one in figures_of(made, made.datasets[0])}
    shown -= {"calibration"} if detail in ("essential", "quick") else set()
    shown -= {"roc_and_cost", "segments"} if detail == "essential" else set()
    kept = {name: one for name, one in drawn.items() if name in shown}
    return made, fake_report.assembled({"toy": tables}, made, {"toy": kept})


def parts(sections: Sequence[Section]) -> list[str]:
    return [part for one in sections for part in (one.part, *parts(one.sections))]


def test_sections_of_what_was_left_out_are_not_there() -> None:
    shown = {detail: parts(reported(detail)[1].sections) for detail in DETAILS}
    opening, closing = ["verdict", "dataset"], ["methods", "references", "provenance"]
    always = ["reading", "cost_curves", "differences"]
    assert shown["essential"] == [*opening, *always, *closing]
    assert shown["quick"] == [*opening, *always, "thresholds", "segments", *closing]
    assert shown["standard"] == [
        *(*opening, "reading", "cost_curves", "duality", "differences", "thresholds"),
        *("calibration", "segments", *closing),
    ]
    assert shown["full"][: len(shown["standard"])] == shown["standard"]
    inner = [one.__name__ for one in ANNEX]
    assert shown["full"][len(shown["standard"]) :] == ["annex", "annexed", *inner]


@pytest.mark.parametrize("detail", ["full", "standard", "essential"])
def test_paper_has_all_sections_but_those_for_a_hand_and_its_links_lead_somewhere(
    detail: str,
) -> None:
    report = reported(detail)[1]
    on_screen = parts(report.sections)
    assert ("duality" in on_screen) == (detail != "essential")
    assert parts(report.printed()) == on_screen[1:]
    page = _page(report, "print")
    places = re.findall(r'\sid="([^"]*)"', page)
    assert len({*places}) == len(places)
    assert {*re.findall(r'href="#([^"]*)"', page)} <= {*places}
    for kind in ("figure", "table"):
        numbers = [int(one) for one in re.findall(rf'\sid="{kind}-(\d+)"', page)]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_the_page_says_what_is_left_out_and_which_key_shows_it() -> None:
    pages = {d: html(reported(d)[1]) for d in DETAILS}
    first = [d for d in DETAILS if "A first look, from so few resamples" in pages[d]]
    assert first == ["quick"]
    for words in ("<code>detail: full</code>", "<code>costcurves report --annex</code>"):
        assert [d for d in DETAILS if words in pages[d]] == ["standard", "essential", "quick"]
    words = "Of each dataset this report has what is essential"
    assert [d for d in DETAILS if words in pages[d]] == ["essential", "quick"]
    words = "without which threshold to use, and the same condition in ROC space"
    assert [d for d in DETAILS if words in pages[d]] == ["essential"]
    for words in ("Threshold choice methods", "Averages of ROC curves", "The <i>regret</i>"):
        assert [d for d in DETAILS if words in pages[d]] == ["full"]


# From predictions to a report


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("essential")
    claimed = {**CLAIMED, "datasets": ["one"], "models": ["Bayes"]}
    said = {"claims": [claimed], "inference": {"resamples": 60}}
    config = write_study(folder, detail="essential", **said)
    run = snakemake(folder, config.name)
    assert run.returncode == 0, run.stderr
    return folder


def test_a_report_is_built_of_what_is_essential(built: Path) -> None:
    report = contents(built / "reports" / "small")
    tables = {Path(name).parts[1] for name in report if name.startswith("tables/")}
    needless = {*LEFT_OUT, "instance_costs", *BY_MATRIX}
    assert tables == {*CONTRACTS, "map.csv", "claims.csv"} - needless
    drawn = {Path(name).stem for name in report if name.startswith("figures/")}
    assert {it.partition("-")[0] for it in drawn} == {
        *("cost_curves", "cost_lines", "hybrids", "differences"),
    }
    assert b"detail: essential" in report["report.html"]


def test_no_stage_that_is_left_out_was_run(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built)
    made = {path.stem for path in Path("results", "small").rglob("*.parquet")}
    assert made & set(STAGES) == set(read_study(Path("study.yaml")).stages)
    assert not made & {*LEFT_OUT, "choices", "instance_costs"}


def pages(folder: Path) -> set[str]:
    return {path.name for path in (folder / "reports" / "small").glob("*.[hp]*")}


def test_pdfs_that_are_not_wanted_any_longer_go(built: Path, tmp_path: Path) -> None:
    assert pages(built) == PAGES
    copy = Path(shutil.copytree(built, tmp_path / "copy"))
    run = snakemake(copy, "study.yaml", "--config", "pdf=False")
    assert run.returncode == 0, run.stderr
    assert pages(copy) == {"report.html"}


def test_the_report_is_the_same_when_it_is_built_again(built: Path) -> None:
    """With another hash seed."""
    run = subprocess.run(
        [sys.executable, "-m", "costcurves", "verify", "reports/small", "--rebuild"],
        cwd=built,
        env={**os.environ, "PYTHONHASHSEED": "4321"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "reports/small: built again, it is the same\n" in run.stdout
    manifest = json.loads((built / "reports/small/manifest.json").read_text())
    assert not {*LEFT_OUT} & {Path(name).parts[0] for name in manifest["results"]}


def test_claims_of_criteria_are_decided(built: Path) -> None:
    claimed = pd.read_csv(built / "reports/small/tables/claims.csv")
    assert claimed["value"].notna().all()
