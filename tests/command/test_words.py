"""What is typed at a shell: commands, suggestions, quiet, colours, an example."""

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from costcurves.command import main
from tests.small_study import contents, folds_of, scored


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command runs; `named.csv` has no column that names its model."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    rows = scored(folds_of(24, 1, 2, seed=1), "Bayes", 2.0, 2)
    rows.to_csv("bayes.csv", index=False)
    rows[["instance", "label", "score"]].to_csv("named.csv", index=False)
    (tmp_path / "bad.csv").write_text("model,instance,label,score\nm,1,0,high\n")
    return tmp_path


def ended(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The status, and what was printed on both streams."""
    status = main.main(words)
    return status, *capsys.readouterr()


# What is not a command or an option


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("reprot", "argument COMMAND: invalid choice: 'reprot' (choose from "),
        ("report a.csv --quik", "unrecognized arguments: --quik"),
        ("check bayes.csv --classes some", "argument --classes: invalid choice: 'some'"),
        ("report --cores two a.csv", "argument --cores: invalid int value: 'two'"),
    ],
)
def test_a_word_that_is_unknown_is_named(
    capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    with pytest.raises(SystemExit) as end:
        main.main(words.split())
    assert (end.value.code, said in capsys.readouterr().err) == (2, True)


@pytest.mark.parametrize(
    "words", [["--quie"], ["--missing", "NA"], ["--missing=NA"], ["--dec", "."]]
)
def test_options_may_be_shortened_and_have_values(words: list[str]) -> None:
    assert main.main(["check", "bayes.csv", *words]) == 0


def test_files_may_be_called_like_options_and_commands(folder: Path) -> None:
    for name in ("--quik.csv", "report", "-- a.csv"):
        (folder / f"{name.removesuffix('.csv')}.csv").write_bytes(
            (folder / "bayes.csv").read_bytes()
        )
    for words in (["-- a.csv"], ["report.csv"], ["--", "--quik.csv"]):
        assert main.main(["check", *words]) == 0


# Quiet


def test_quiet_prints_no_note_and_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    status, said, errors = ended(capsys, "check", "named.csv", "--json")
    assert (status, "named.csv: " in errors) == (0, True)
    assert ended(capsys, "check", "named.csv", "--json", "--quiet") == (0, said, "")
    assert ended(capsys, "check", "-q", "bayes.csv")[1].startswith("bayes: fine\n")


@pytest.mark.parametrize(("file", "status"), [("bad.csv", 3), ("none.csv", 3), ("a.db", 3)])
def test_quiet_prints_errors_as_they_are(
    capsys: pytest.CaptureFixture[str], file: str, status: int
) -> None:
    loud = ended(capsys, "report", file)
    assert (loud[0], loud[1]) == (status, "")
    assert ended(capsys, "report", file, "--quiet") == loud


# Documents for programs


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status, said, _ = ended(capsys, *words, "--json")
    document: dict[str, Any] = json.loads(said)
    return status, document


def test_a_check_is_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = as_json(capsys, "check", "bayes.csv")
    counts = {"instance": 24, "repeat": 1, "fold": 2}
    (own,) = found["datasets"]
    assert (status, own["dataset"], own["models"]) == (0, "bayes", {"Bayes": counts})
    said = ended(capsys, "check", "bayes.csv")[1]
    assert [f"  {it['grade']} ({it['name']}): {it['text']}" in said for it in own["findings"]] == (
        [True] * len(own["findings"])
    )
    assert own["claims"] == []


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_a_strict_check_is_one_document_and_an_error(
    capsys: pytest.CaptureFixture[str], quiet: list[str]
) -> None:
    rows = scored(folds_of(120, 2, 3, seed=5), "Good", 2.0, 2)
    rows.assign(score=-rows["score"]).to_csv("turned.csv", index=False)
    status, said, errors = ended(capsys, "check", "turned.csv", "--json", "--strict", *quiet)
    found = {it["name"]: it["grade"] for it in json.loads(said)["datasets"][0]["findings"]}
    assert (status, found["reversed"]) == (3, "grave")
    assert errors == "1 grave finding, expected none: mend them, or say what is meant\n"
    assert as_json(capsys, "check", "turned.csv") == (0, json.loads(said))


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
@pytest.mark.parametrize("command", ["check", "report"])
@pytest.mark.parametrize(("file", "status"), [("bad.csv", 3), ("gone.csv", 3), ("gone.yaml", 2)])
def test_bad_input_is_a_document_with_the_error(
    capsys: pytest.CaptureFixture[str], command: str, file: str, status: int, quiet: list[str]
) -> None:
    found, said, errors = ended(capsys, command, file, "--json", *quiet)
    error = {"status": status, "message": errors.rstrip("\n")}
    assert (found, json.loads(said)) == (status, {"error": error})
    assert errors


# What would be built


def test_a_dry_run_refuses_what_a_run_would(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "reports" / "bayes").mkdir(parents=True)
    (folder / "reports" / "bayes" / "chart.png").write_text("mine")
    loud = ended(capsys, "report", "bayes.csv", "--dry-run")
    assert (loud[0], "would replace 'chart.png'" in loud[2]) == (2, True)
    for file in ("bad.csv", "gone.csv"):
        status, found = as_json(capsys, "report", file, "--dry-run")
        assert (status, [*found]) == (3, ["error"])


# An example


def test_an_example_is_small_and_the_same_and_can_be_checked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "Wrote {0}; build its report with: costcurves report {0}\n"
    assert ended(capsys, "demo") == (0, said.format("predictions.csv"), "")
    other = "a folder/b/predictions.csv"
    quoted = f"Wrote {other}; build its report with: costcurves report '{other}'\n"
    assert ended(capsys, "demo", "a folder/b") == (0, quoted, "")
    text = (folder / "predictions.csv").read_bytes()
    assert (folder / other).read_bytes() == text
    assert len(text) < 30_000
    rows = [*csv.DictReader(text.decode().splitlines())]
    assert Counter(row["model"] for row in rows) == dict.fromkeys(("forest", "logit", "rule"), 300)
    assert {row["fold"] for row in rows} == {*"12345"}
    assert all(bool(row["decision"]) == (row["model"] == "rule") for row in rows)
    assert all(bool(row["score"]) != (row["model"] == "rule") for row in rows)
    status, checked, _ = ended(capsys, "check", "predictions.csv", "--strict")
    assert (status, checked.splitlines()[0]) == (0, "predictions: fine")
    assert checked.count("300 instances, 75 of them positive, 1 repeat, 5 folds in all") == 3


def a_file(folder: Path) -> str:
    (folder / "taken").touch()
    return "taken"


def an_example(folder: Path) -> str:
    (folder / "predictions.csv").write_text("mine")
    return "."


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (an_example, "exists and is left as it is"),
        (a_file, "exists and is left as it is"),
        (lambda _: "x" * 300, "can't be written (File name too long)"),
    ],
)
def test_an_example_is_never_written_over_anything(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    place: Callable[[Path], str],
    why: str,
) -> None:
    where = place(folder)
    before = contents(folder)
    status, said, errors = ended(capsys, "demo", where)
    assert (status, said, contents(folder)) == (2, "", before)
    assert errors == f"{Path(where, 'predictions.csv')}: {why}; name another file\n"
