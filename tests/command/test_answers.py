"""The answer in the terminal: what to use, in words and as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from costcurves.command import main, report, workflow
from costcurves.command.answers import in_words
from tests.small_study import HOSTILE, folds_of, scored

ROW: dict[str, Any] = {
    "dataset": "churn",
    "title": "Churn",
    "condition": "campaign",
    "cheapest": "Forest",
    "cost": 0.1234,
    "cost_low": 0.101,
    "cost_high": 0.149,
    "saved": 0.0213,
    "saved_low": -0.0034,
    "saved_high": 0.047,
    "unit": "",
    "member": "",
    "threshold": 0.6127,
    "flagged": 0.123,
    "could_be_cheapest": ["Trees", "always negative"],
    "confidence": 0.8,
    "amount": None,
    "saved_amount": None,
}
AMOUNTS = {
    "unit": "EUR",
    "amount": 17240.0,
    "amount_low": 14110.0,
    "amount_high": 20820.0,
    "saved_amount": 2976.0,
    "saved_amount_low": -475.0,
    "saved_amount_high": 6566.0,
}


def said(folder: Path, *rows: dict[str, Any]) -> list[str]:
    (folder / "what_to_use.json").write_text(json.dumps(rows), encoding="utf-8")
    return [" ".join(line.split()) for line in in_words(folder)]


def test_a_dataset_has_two_lines(tmp_path: Path) -> None:
    assert said(tmp_path, ROW, ROW | {"condition": "later"}) == [
        "Churn, campaign: Forest costs least by estimate, 0.123 (80 % interval 0.101 to 0.149), "
        "0.021 (\u22120.0034 to 0.047) less than always negative or positive; threshold 0.613 "
        "(top 12 %).",
        "Could be cheapest, too: Trees, always negative.",
    ]


def test_costs_are_in_their_unit_where_they_have_one(tmp_path: Path) -> None:
    assert said(tmp_path, ROW | AMOUNTS)[0] == (
        "Churn, campaign: Forest costs least by estimate, 17 240 EUR per 1000 cases (80 % interval "
        "14 110 to 20 820), 2976 EUR (\u2212475 to 6566) less than always negative or positive; "
        "threshold 0.613 (top 12 %)."
    )


def test_amounts_without_a_unit_are_amounts(tmp_path: Path) -> None:
    line = said(tmp_path, ROW | AMOUNTS | {"unit": ""})[0]
    assert "by estimate, 17 240 per 1000 cases (80 % interval 14 110 to 20 820), 2976 (" in line


def test_of_what_is_in_hindsight_that_is_said(tmp_path: Path) -> None:
    assert said(tmp_path, ROW | {"could_be_cheapest": None}) == [
        "Churn, campaign: Forest costs least by estimate in hindsight (too low, not compared), "
        "0.123 (80 % interval 0.101 to 0.149), 0.021 (\u22120.0034 to 0.047) less than always "
        "negative or positive; threshold 0.613 (top 12 %)."
    ]


def test_what_is_not_known_is_not_said(tmp_path: Path) -> None:
    none = {"cost_low": None, "cost_high": None, "saved": 0.0, "threshold": None}
    assert said(tmp_path, ROW | none | {"could_be_cheapest": []}) == [
        "Churn, campaign: Forest costs least by estimate, 0.123."
    ]
    assert said(tmp_path) == []
    assert list(in_words(tmp_path / "nowhere")) == []


def test_of_many_the_first_are_named(tmp_path: Path) -> None:
    many = [f"M{n}" for n in range(7)]
    rows = [ROW | {"dataset": f"d{n}", "could_be_cheapest": many} for n in range(9)]
    lines = said(tmp_path, *rows)
    assert len(lines) == 13
    assert lines[1] == "Could be cheapest, too: M0, M1, M2, M3 and 3 more."
    assert lines[-1] == f"3 more datasets: {tmp_path / 'what_to_use.json'}"
    assert said(tmp_path, *rows[:7])[-1].startswith("1 more dataset: ")
    member = said(tmp_path, ROW | {"member": "C=3", "threshold": None, "flagged": None})[0]
    assert member.endswith("; use C=3.")
    family = said(tmp_path, ROW | {"member": "C=3"})[0]
    assert "; C=3 threshold 0.613 (top" in family


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Predictions, and a report as the workflow would have left it."""
    monkeypatch.chdir(tmp_path)
    scored(folds_of(24, 1, 2, seed=1), "Bayes", 2.0, 2).to_csv("bayes.csv", index=False)
    made = tmp_path / "reports" / "bayes"
    made.mkdir(parents=True)
    (made / "report.html").touch()
    hostile = {"title": HOSTILE[0], "cheapest": "a\x1b[2Kb"}
    (made / "what_to_use.json").write_text(json.dumps([ROW | hostile]), encoding="utf-8")
    monkeypatch.setattr(workflow, "build", lambda *_, **__: None)
    monkeypatch.setattr(report, "check_places", lambda *_: None)
    return tmp_path


def test_a_report_prints_it_behind_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["report", "bayes.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Wrote bayes.yaml, the configuration of this study"
    assert lines[2] == "  reports/bayes/report.html"
    assert "a\\u001b[2Kb costs least by estimate" in lines[3]
    assert len(lines) == 5
    assert folder.exists()


def test_as_json_it_is_all_that_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = scored(folds_of(24, 1, 2, seed=1), "Bayes", 2.0, 2)
    rows[["instance", "label", "score"]].to_csv("bayes.csv", index=False)  # its name is the model's
    assert main.main(["report", "bayes.csv", "--json"]) == 0
    said = capsys.readouterr()
    assert "bayes.csv: " in said.err
    found = json.loads(said.out)
    kept = json.loads((folder / "reports/bayes/what_to_use.json").read_text("utf-8"))
    assert found == {"pages": ["reports/bayes/report.html"], "what_to_use": kept}


def test_the_page_is_opened_on_request(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert main.main(["report", "bayes.csv"]) == 0
    assert opened == []
    assert main.main(["report", "bayes.csv", "--open"]) == 0
    assert opened == [(folder / "reports/bayes/report.html").as_uri()]
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_links(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main.main(["report", "bayes.csv"]) == 0
    uri = (folder / "reports/bayes/report.html").as_uri()
    assert capsys.readouterr().out.splitlines()[2] == f"  {uri}"
    assert main.main(["report", "bayes.csv", "--json"]) == 0  # is the same wherever it is printed
    assert json.loads(capsys.readouterr().out)["pages"] == ["reports/bayes/report.html"]
