"""Predictions that a query of a database gives."""

import sqlite3
from pathlib import Path

import pytest

from costcurves.command import main
from costcurves.tables.input.databases import is_database
from costcurves.tables.input.remote import not_fetchable
from costcurves.tables.input.sources import model_name

URL = "sqlite:///runs.db#SELECT who AS id, y, score AS p FROM predictions"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect("runs.db") as held:
        held.execute("CREATE TABLE predictions (who TEXT, y INTEGER, score REAL)")
        rows = [(f"p{at}", at % 2, at / 7) for at in range(9)]
        held.executemany("INSERT INTO predictions VALUES (?, ?, ?)", rows)
    held.close()


def test_what_a_query_gives_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("runs.db").read_bytes()
    assert main.main(["check", URL]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("the truth is column 'y', instances column 'id', its model 'runs'")
    assert "runs: 9 instances, 4 of them positive, 1 repeat, 1 fold in all, scores" in said[-1]
    assert main.main(["check", "sqlite:///runs.db#DROP TABLE predictions"]) == 3
    assert "readonly database); mend its query" in capsys.readouterr().err
    assert Path("runs.db").read_bytes() == before


@pytest.mark.parametrize(
    ("url", "why"),
    [
        (URL, None),
        ("sqlite:///runs.db", "has no query after a '#', as 'sqlite:///results.db#SELECT * FROM "
         "predictions' has"),
        ("sqlite:///gone.db#SELECT 1", "names 'gone.db', which is no file in the folder where the "
         "command runs"),
        ("postgresql://jo:secret@host/results#SELECT 1", "has a user in it, which the report would "
         "show; give credentials otherwise"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(url: str, why: str | None) -> None:
    assert not_fetchable(url) == why


def test_a_database_that_nothing_here_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("costcurves.tables.input.databases.find_spec", lambda _: None)
    for scheme, package in (("duckdb", "duckdb"), ("mysql+pymysql", "sqlalchemy")):
        why = not_fetchable(f"{scheme}:///runs.db#SELECT 1")
        assert why == f"needs {package}, which is not installed: pip install 'costcurves[database]'"


def test_which_urls_are_of_databases() -> None:
    assert is_database("duckdb:///a.duckdb#SELECT 1")
    assert not is_database("https://example.org/a.csv#b")
    assert model_name(URL) == "runs"
