"""A job's log and its errors."""

import errno
import secrets
import sys
from pathlib import Path

import pandas as pd
import pytest

from costcurves.errors import InputError
from costcurves.pipeline.job import logged
from costcurves.tables.files import write_csv


def test_what_a_job_prints_is_in_its_log_and_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with logged(tmp_path / "logs" / "a.log", "Sonar: envelopes"):
        print("from inside")
        print("a warning", file=sys.stderr)
    log = (tmp_path / "logs" / "a.log").read_text()
    assert log.startswith("from inside\na warning\nSonar: envelopes (")
    assert capsys.readouterr().err == log


def test_bad_input_ends_with_its_message_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped, logged(tmp_path / "a.log", "Sonar: predictions"):
        raise InputError(["a.csv, line 3: no label"])
    assert stopped.value.code == 3
    shown = capsys.readouterr().err
    assert "Sonar: predictions: a.csv, line 3: no label" in shown
    assert shown == (tmp_path / "a.log").read_text()
    assert "Traceback" not in shown


def test_a_log_that_cannot_be_written_is_said_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "a.log")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(SystemExit) as stopped, logged(tmp_path / "a.log", "Sonar: envelopes"):
        pass
    assert stopped.value.code == 5
    said = "No space left on device: 'a.log'; make room, then run the same again"
    assert capsys.readouterr().err == f"\nSonar: envelopes: {said}. What was there is unchanged\n"


def test_a_fault_of_ours_leaves_its_traceback_in_the_log_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped, logged(tmp_path / "a.log", "Sonar: roc"):
        raise ZeroDivisionError("by nothing")
    assert stopped.value.code == 5
    assert "Traceback" in (tmp_path / "a.log").read_text()
    shown = capsys.readouterr().err
    assert "ZeroDivisionError: by nothing (see" in shown
    assert "Traceback" not in shown


AGAIN = "then run the same again. What was there is unchanged"


def test_findings_are_listed_each_on_a_line() -> None:
    found = InputError(["a.csv: no column 'label'", "a.csv: no rows"])
    assert str(found) == "2 findings:\n  a.csv: no column 'label'\n  a.csv: no rows"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "a.csv"),
            f"No space left on device: 'a.csv'; make room, {AGAIN}",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device", "from.csv", None, "to.csv"),
            f"No space left on device: 'to.csv'; make room, {AGAIN}",
        ),
        (
            OSError(errno.EROFS, "Read-only file system", "out"),
            f"Read-only file system: 'out'; let this user read and write there, {AGAIN}",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "out"),
            f"Permission denied: 'out'; let this user read and write there, {AGAIN}",
        ),
        (
            MemoryError(),
            f"there is not enough memory; free some, or use fewer cores, {AGAIN}",
        ),
        (OSError("odd"), "OSError: odd"),
    ],
)
def test_what_the_machine_refuses_is_said_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], error: Exception, message: str
) -> None:
    log = tmp_path / "a.log"
    with pytest.raises(SystemExit) as stopped, logged(log, "Report"):
        raise error
    assert stopped.value.code == 5
    assert capsys.readouterr().err == f"\nReport: {message} (see {log})\n"


def test_a_table_on_a_full_disk_is_refused_and_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    monkeypatch.setattr(secrets, "token_hex", lambda _: "0")
    (tmp_path / ".unfinished-0-a.csv").symlink_to("/dev/full")
    with pytest.raises(SystemExit), logged(tmp_path / "a.log", "Sonar: envelopes"):
        write_csv(pd.DataFrame({"model": ["NB"]}), path)
    assert "No space left on device; make room" in capsys.readouterr().err
    assert path.read_text() == "old"
    assert {file.name for file in tmp_path.iterdir()} == {"a.csv", "a.log"}
