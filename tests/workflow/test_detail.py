"""What a study computes and shows of each dataset: with an appendix, or at a first look."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from costcurves.command.stage import Stored, write_tables
from costcurves.contracts import CONTRACTS
from costcurves.detail import FIRST_LOOK
from costcurves.errors import InputError
from costcurves.figures.drawing import figures_of
from costcurves.report.document import Report, Section
from costcurves.report.rendering import _page, html
from costcurves.settings import Study
from tests import fake_report

CLAIMED = {
    "claim": "Scores mislead.",
    "kind": "cheaper",
    "datasets": ["d0"],
    "models": ["no model", "A"],
    "criterion": "score-driven",
}


def study(count: int = 1, **changes: Any) -> Study:
    each = [fake_report.dataset(f"d{place}", f"D {place}") for place in range(count)]
    return fake_report.study(**{"datasets": each, "appendix": False, **changes})


# Which tables a study has


@pytest.mark.parametrize("detail", ["full", "essential", "auto"])
def test_another_detail_is_refused_and_the_appendix_named(detail: str) -> None:
    with pytest.raises(InputError, match=f"detail is '{detail}', .* 'appendix: true'"):
        study(detail=detail)


def test_a_first_look_has_few_resamples_no_claims_and_no_pdf() -> None:
    inference = {"confidence": 0.8, "resamples": 3000}
    usual, quick = (
        study(detail=detail, inference=inference, claims=[CLAIMED])
        for detail in ("standard", "quick")
    )
    assert (usual.inference.resamples, len(usual.claims)) == (3000, 1)
    assert (quick.inference.resamples, len(quick.claims)) == (200, 0)
    assert (usual.printed, quick.printed) == (True, False)
    assert not study(pdf=False).printed
    assert quick.inference.confidence == 0.8
    assert quick.left_out - usual.left_out == {*FIRST_LOOK, "claims"}
    assert usual.left_out == {"instance_costs", "map"}
    assert study(3, appendix=True).left_out == {"instance_costs", "claims"}
    costly = [{**fake_report.dataset("d0", "D 0"), "costs": {}}]
    assert study(datasets=costly).left_out == {"map", "claims"}


# What is read and drawn where a stage was not run


def test_a_table_that_was_not_made_has_no_rows(tmp_path: Path) -> None:
    of = study(detail="quick")
    write_tables(tmp_path / "cost_lines", {"hybrids": CONTRACTS["hybrids"].empty()})
    assert (tmp_path / "cost_lines" / "hybrids.parquet").is_file()
    tables = Stored(of, of.datasets[0], tmp_path)
    for name in ("hybrids", "constructions"):
        table = tables[name]
        assert tuple(table.columns) == tuple(CONTRACTS[name].names)
        assert table.empty


def test_the_first_dataset_has_more_figures_and_an_appendix_all() -> None:
    some, appended, many = study(3), study(3, appendix=True), study(30)

    def names(of: Study, place: int) -> list[str]:
        return [module.NAME for module in figures_of(of, of.datasets[place])]

    each = ["case_costs"]
    first = ["cost_curves", "cost_lines", "hybrids", "roc_and_cost", "differences", "calibration"]
    appendix = ["averages", "loss_curves", "decision_curves"]
    assert names(some, 0) == names(many, 0) == [*each, *first]
    assert names(some, 2) == [*each, "cost_curves", "hybrids"]
    assert names(many, 2) == [*each, "cost_curves"]
    assert names(appended, 2) == [*each, *first, *appendix]


# What the report shows

KINDS: dict[str, dict[str, Any]] = {
    "appendix": {"appendix": True},
    "standard": {"appendix": False},
    "quick": {"appendix": False, "detail": "quick"},
}


def reported(kind: str) -> Report:
    made = fake_report.study(**KINDS[kind])
    tables = fake_report.tables()
    if kind == "quick":
        tables |= {name: CONTRACTS[name].empty() for name in FIRST_LOOK}
    shown = {module.NAME for module in figures_of(made, made.datasets[0])}
    shown -= {"calibration", "roc_and_cost"} if kind == "quick" else set()
    drawings = {name: drawn for name, drawn in fake_report.drawings().items() if name in shown}
    return fake_report.assembled({"toy": tables}, made, {"toy": drawings})


def parts(sections: Sequence[Section]) -> list[str]:
    return [part for section in sections for part in (section.part, *parts(section.sections))]


def test_sections_of_what_was_left_out_are_not_there() -> None:
    shown = {kind: parts(reported(kind).sections) for kind in KINDS}
    opening, closing = ["verdict", "dataset"], ["methods", "references", "provenance"]
    body = ["cost_lines", "cost_curves", "thresholds"]
    assert shown["quick"] == [*opening, *body, "differences", *closing]
    whole = [*body, "roc_and_cost", "differences", "calibration"]
    assert shown["standard"] == [*opening, *whole, *closing]
    appended = ["appendix", "appended", "averages", "loss_curves", "limits", "pairs"]
    assert shown["appendix"] == [*shown["standard"], *appended, "decision_curves"]


@pytest.mark.parametrize("kind", KINDS)
def test_paper_has_all_sections_and_its_links_lead_somewhere(kind: str) -> None:
    report = reported(kind)
    page = _page(report, "print")
    on_paper = re.findall(r'<section id="[^"]*" class="(\w+)"', page)
    assert on_paper == parts(report.sections)[1:]
    places = re.findall(r'\sid="([^"]*)"', page)
    assert len({*places}) == len(places)
    assert {*re.findall(r'href="#([^"]*)"', page)} <= {*places}
    for numbered in ("figure", "table"):
        numbers = [int(number) for number in re.findall(rf'\sid="{numbered}-(\d+)"', page)]
        assert sorted(numbers) == [*range(1, len(numbers) + 1)]


def test_the_page_says_what_is_left_out() -> None:
    pages = {kind: html(reported(kind)) for kind in KINDS}
    first = [kind for kind in KINDS if "A first look, from so few resamples" in pages[kind]]
    assert first == ["quick"]
    for words in ("Threshold choice methods", "Averages of ROC curves", "Net benefit"):
        assert [kind for kind in KINDS if words in pages[kind]] == ["appendix"]
