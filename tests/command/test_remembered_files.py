"""What was made of prediction files: it is remembered, and holds for the very same alone."""

import json
import os
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from costcurves.command import init, main, report
from costcurves.tables.input import sources
from costcurves.tables.input.opening import open_files
from tests.small_study import contents

WIDE = "id,truth,Bayes,Trees\n" + "".join(
    f"{case},{'ill' if case % 3 else 'well'},0.{case % 7},0.{case % 5}\n" for case in range(21)
)
OPENING = "costcurves.tables.input.initial_config.open_files"
Built = list[tuple[str, dict[str, list[str]]]]


@pytest.fixture
def built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Built:
    """Studies that were to be built, as text, with the models of their datasets."""
    assert capsys.readouterr().out == ""
    found: Built = []

    def build(config: Path, _engine: object, _asked: object, options: Namespace) -> int:
        models = {name: [*them] for name, them in options.models.items()}
        found.append((config.read_text("utf-8"), models))
        (tmp_path / "results" / config.stem).mkdir(parents=True, exist_ok=True)
        return 0

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report, "_ready", build)
    Path("cases.csv").write_text(WIDE)
    assert main.main(FIRST) == 0
    return found


FIRST = ["report", "cases.csv", "--positive", "ill"]


def expect_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test fail where files are read."""
    monkeypatch.setattr(OPENING, lambda *_: pytest.fail("files were read"))


def test_the_same_files_are_not_read_again(
    built: Built, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = capsys.readouterr()
    assert said.out.startswith("cases.csv: ")  # how it was read
    os.utime("cases.csv", (1, 1))
    expect_memory(monkeypatch)
    for more in ([], ["--dry-run"], ["--html"], ["--quick"]):
        assert main.main([*FIRST, *more]) == 0
        assert capsys.readouterr() == said
    assert main.main([*FIRST, "--json"]) == 0
    assert capsys.readouterr().err == said.out
    assert built == built[:1] * 6
    assert built[0][1] == {"cases": ["Bayes", "Trees"]}


CHANGES: dict[str, tuple[list[str], Callable[[pytest.MonkeyPatch], object]]] = {
    "the other class": (["report", "cases.csv", "--positive", "well"], lambda _: None),
    "a column": ([*FIRST, "--column", "score=Bayes"], lambda _: None),
    "rows": ([*FIRST, "--where", "id != 3"], lambda _: None),
    "another name": ([*FIRST, "--study", "other"], lambda _: None),
    "its name": ([*FIRST, "--study", "cases"], lambda _: None),
    "a file": (
        FIRST,
        lambda _: Path("cases.csv").write_text(WIDE.replace("Trees", "Nets")),
    ),
    "code": (FIRST, lambda patch: patch.setattr(report, "bytes_of", lambda _: "0f")),
    "a memory that was damaged": (
        FIRST,
        lambda _: Path("results/cases/_initial.json").write_text('{"0f": '),
    ),
    "a memory of something else": (FIRST, lambda _: spoilt()),
    "a memory of no texts": (FIRST, lambda _: forged()),
    "code that reads options": (FIRST, lambda patch: patch.setattr(init, "__file__", __file__)),
}


def spoilt() -> None:
    memory = Path("results/cases/_initial.json")
    (key,) = json.loads(memory.read_text("utf-8"))
    memory.write_text(json.dumps({key: {"text": "study: another"}}))


def forged() -> None:
    memory = Path("results/cases/_initial.json")
    (key,) = json.loads(memory.read_text("utf-8"))
    memory.write_text(json.dumps({key: {"text": 1, "notes": 2, "models": 3}}))


@pytest.mark.parametrize("change", CHANGES)
def test_others_are_read(
    built: Built, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    arguments, make = CHANGES[change]
    make(monkeypatch)
    read: list[list[str]] = []

    def seen(files: list[str], said: Any) -> Any:
        read.append(files)
        return open_files(files, said)

    monkeypatch.setattr(OPENING, seen)
    before = contents(Path("results"))
    capsys.readouterr()
    assert main.main([*arguments, "--dry-run"]) == 0
    assert contents(Path("results")) == before  # which writes nothing
    said = capsys.readouterr().out
    assert main.main(arguments) == 0
    assert read == [["cases.csv"]] * 2
    assert main.main(arguments) == 0
    assert (len(read), built[-1]) == (2, built[-2])
    assert capsys.readouterr().out == said * 2
    same = change in ("its name", "code", "code that reads options") or change.startswith(
        "a memory"
    )
    assert (built[-1] == built[0]) == same


def test_a_file_that_is_changed_while_it_is_read_is_refused(
    built: Built, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Were it changed back, what was made of other bytes would be remembered as of these."""
    before = contents(Path("results"))
    Path("cases.csv").write_text(WIDE.replace("Trees", "Nets"))

    def changed(files: list[str], said: Any) -> Any:
        Path("cases.csv").write_text(WIDE.replace("ill", "old"))
        return open_files(files, said)

    monkeypatch.setattr(OPENING, changed)
    assert main.main(["report", "cases.csv", "--positive", "old"]) == 3
    said = "cases.csv: changed since this run began; build it again\n"
    assert capsys.readouterr().err == said
    assert (contents(Path("results")), len(built)) == (before, 1)


@pytest.mark.usefixtures("built")
def test_what_has_no_name_of_predictions_is_not_even_hashed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("model.bin").touch()
    monkeypatch.setattr(sources, "sha256", lambda _: pytest.fail("it was read"))
    assert main.main(["report", "model.bin"]) == 3
    assert "expected a name that ends as those of predictions do" in capsys.readouterr().err


def test_a_folder_that_nobody_may_write_to_is_read_from(
    built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("results/cases/_initial.json").unlink()
    Path("results/cases").rmdir()
    Path("results/cases").write_text("")  # no folder at all
    monkeypatch.setattr(report, "_ready", lambda *_: 0)
    assert main.main(FIRST) == 0
    assert Path("results/cases").read_text() == ""
    assert len(built) == 1
