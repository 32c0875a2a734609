"""The answer in the terminal, as the report has it and as JSON."""

import json
from pathlib import Path

import pytest

from costcurves.command import main, report, workflow
from tests.small_study import HOSTILE, folds_of, scored


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Predictions, and a report as the workflow would have left it."""
    monkeypatch.chdir(tmp_path)
    scored(folds_of(24, 1, 2, seed=1), "Bayes", 2.0, 2).to_csv("bayes.csv", index=False)
    made = tmp_path / "reports" / "bayes"
    made.mkdir(parents=True)
    (made / "report.html").touch()
    (made / "what_to_use.json").write_text('[{"lowest": "a\\u001b[2Kb"}]', encoding="utf-8")
    said = f"{HOSTILE[0]}: use a\x1b[2Kb.\n  How: always\n"
    (made / "answer.txt").write_text(said, encoding="utf-8")
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
    assert lines[3:] == [f"{HOSTILE[0]}: use a\\u001b[2Kb.", "  How: always"]
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
