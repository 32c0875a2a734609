"""What a study computes and shows of each dataset: with an appendix, or at a first look."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from costcurves.command.main import main
from costcurves.command.stage import Stored, write_tables
from costcurves.contracts import CONTRACTS
from costcurves.detail import FIRST_LOOK
from costcurves.figures.drawing import figures_of
from costcurves.record.places import UNUSABLE, failure_file
from costcurves.report.document import Section
from costcurves.report.rendering import _page, html
from costcurves.settings import Study
from tests import fake_report

FIRST = ["cost_curves", "cost_lines", "hybrids", "roc_and_cost", "differences", "calibration"]
APPENDED = ["averages", "loss_curves", "decision_curves"]


def study(count: int = 1, **changes: Any) -> Study:
    each = [fake_report.dataset(f"d{place}", f"D {place}") for place in range(count)]
    return fake_report.study(**{"datasets": each, "appendix": False, **changes})


def test_a_first_look_has_few_resamples_no_claims_and_no_pdf() -> None:
    claim = {"claim": "Worth it.", "kind": "cheaper", "models": ["A", "no model"], "pc": [0.3, 0.6]}
    inference = {"confidence": 0.8, "resamples": 3000}
    usual, quick = (
        study(detail=detail, inference=inference, claims=[claim])
        for detail in ("standard", "quick")
    )
    assert (usual.inference.resamples, len(usual.claims), usual.printed) == (3000, 1, True)
    assert (quick.inference.resamples, len(quick.claims), quick.printed) == (200, 0, False)
    assert quick.inference.confidence == 0.8
    assert not study(pdf=False).printed
    assert quick.left_out - usual.left_out == {*FIRST_LOOK, "claims"}
    assert usual.left_out == {"instance_costs", "map"}
    assert study(3, appendix=True).left_out == {"instance_costs", "claims"}
    costly = [{**fake_report.dataset("d0", "D 0"), "costs": {}}]
    assert study(datasets=costly).left_out == {"map", "claims"}


def test_a_stage_that_fails_again_says_so_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = study()
    content = json.dumps({"study": made, "given": {}}, default=asdict)
    Path("study.json").write_text(content, "utf-8")
    for _ in range(2):
        assert main(["stage", "predictions", "study.json", "d0"]) == UNUSABLE
        failure = failure_file(made.name, "predictions", "d0")
        assert "no such file" in json.loads(failure.read_text("utf-8"))["message"]
        failure.unlink()


def test_a_table_that_was_not_made_has_no_rows(tmp_path: Path) -> None:
    quick = study(detail="quick")
    write_tables(tmp_path / "cost_lines", {"hybrids": CONTRACTS["hybrids"].empty()})
    assert (tmp_path / "cost_lines" / "hybrids.parquet").is_file()
    tables = Stored(quick, quick.datasets[0], tmp_path)
    for name in ("hybrids", "constructions"):
        assert tuple(tables[name].columns) == tuple(CONTRACTS[name].names)
        assert tables[name].empty


@pytest.mark.parametrize(
    ("count", "place", "appendix", "names"),
    [
        (3, 0, False, FIRST),
        (30, 0, False, FIRST),
        (3, 2, False, ["cost_curves", "hybrids"]),
        (30, 2, False, ["cost_curves"]),
        (3, 2, True, [*FIRST, *APPENDED]),
    ],
)
def test_the_first_dataset_has_more_figures_and_an_appendix_all(
    count: int, place: int, appendix: bool, names: list[str]
) -> None:
    made = study(count, appendix=appendix)
    figures = [module.NAME for module in figures_of(made, made.datasets[place])]
    assert figures == ["case_costs", *names]


def parts(sections: Sequence[Section]) -> list[str]:
    return [part for section in sections for part in (section.part, *parts(section.sections))]


OPENING, CLOSING = ["verdict", "dataset"], ["methods", "references", "provenance"]
BODY = ["cost_lines", "cost_curves", "thresholds", "roc_and_cost", "differences", "calibration"]
APPENDIX = ["appendix", "appended", *APPENDED[:2], "limits", "pairs", "decision_curves"]
LOOK = "A first look, from so few resamples"
OF_APPENDIX = ("Threshold choice methods", "Averages of ROC curves", "Net benefit")


@pytest.mark.parametrize(
    ("changes", "left_out", "appended", "words"),
    [
        ({"detail": "quick"}, {"calibration", "roc_and_cost"}, [], (LOOK,)),
        ({}, set(), [], ()),
        ({"appendix": True}, set(), APPENDIX, OF_APPENDIX),
    ],
)
def test_sections_of_what_was_left_out_are_neither_on_the_page_nor_on_paper(
    changes: dict[str, Any], left_out: set[str], appended: list[str], words: tuple[str, ...]
) -> None:
    """The page says what is left out; on paper all links lead somewhere."""
    made = fake_report.study(**{"appendix": False, **changes})
    empty = {name: CONTRACTS[name].empty() for name in FIRST_LOOK} if left_out else {}
    shown = {module.NAME for module in figures_of(made, made.datasets[0])} - left_out
    drawings = {name: drawn for name, drawn in fake_report.drawings().items() if name in shown}
    tables = fake_report.tables() | empty
    report = fake_report.assembled({"toy": tables}, made, {"toy": drawings})
    body = [part for part in BODY if part not in left_out]
    assert parts(report.sections) == [*OPENING, *body, *CLOSING, *appended]
    page, paper = html(report), _page(report, "print")
    assert tuple(text for text in (LOOK, *OF_APPENDIX) if text in page) == words
    on_paper = re.findall(r'<section id="[^"]*" class="(\w+)"', paper)
    assert on_paper == parts(report.sections)[1:]
    places = re.findall(r'\sid="([^"]*)"', paper)
    assert len({*places}) == len(places)
    assert {*re.findall(r'href="#([^"]*)"', paper)} <= {*places}
