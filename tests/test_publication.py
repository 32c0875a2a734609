"""A report's folder is either as it was or whole."""

import errno
from pathlib import Path

import pytest

from costcurves.tables.folders import replaced
from tests.small_study import contents


def test_a_new_folder_takes_the_place_of_the_old(tmp_path: Path) -> None:
    folder = tmp_path / "reports" / "s"
    for text in ("first", "second"):
        with replaced(folder) as fresh:
            assert contents(fresh) == {}
            (fresh / f"{text}.html").write_text(text)
    assert contents(tmp_path) == {"reports/s/second.html": b"second"}


def test_a_failure_leaves_the_old_folder_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "report.html").write_text("old")

    def fill() -> None:
        with replaced(folder) as fresh:
            (fresh / "report.html").write_text("half")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fill()
    assert contents(tmp_path) == {"s/report.html": b"old"}


def test_what_a_killed_run_left_behind_is_cleared(tmp_path: Path) -> None:
    for leftover in (".s.new", ".s.old"):
        (tmp_path / leftover).mkdir()
        (tmp_path / leftover / "rest").write_text("rest")
    with replaced(tmp_path / "s") as fresh:
        (fresh / "report.html").write_text("new")
    assert contents(tmp_path) == {"s/report.html": b"new"}


def test_a_failure_between_the_renames_brings_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "report.html").write_text("old")
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if path.name == ".s.new":
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    def fill() -> None:
        with replaced(folder) as fresh:
            (fresh / "report.html").write_text("new")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="Input/output error"):
        fill()
    assert contents(tmp_path) == {"s/report.html": b"old"}


def test_what_a_killed_run_put_aside_is_back_although_the_next_one_fails(tmp_path: Path) -> None:
    for state in ("old", "new"):
        (tmp_path / f".s.{state}").mkdir()
        (tmp_path / f".s.{state}" / "report.html").write_text(state)

    def fill() -> None:
        with replaced(tmp_path / "s"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill()
    assert contents(tmp_path) == {"s/report.html": b"old"}


def test_where_nothing_may_be_written_nothing_is_harmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "report.html").write_text("old")

    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    def fill() -> None:
        with replaced(folder):
            pass

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(PermissionError, match="Permission denied"):
        fill()
    assert contents(tmp_path) == {"s/report.html": b"old"}
