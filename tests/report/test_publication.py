"""A report's folder is either as it was or whole."""

import errno
import os
from pathlib import Path

import pytest

from costcurves.record import folders
from costcurves.record.folders import replaced
from tests.small_study import contents


@pytest.fixture(params=["exchanged", "renamed"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that can exchange two folders, or one that can't."""
    if request.param == "renamed":
        monkeypatch.setattr(folders, "_exchanged", lambda *_: False)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A report that is there."""
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "report.html").write_text("old")
    return tmp_path / "s"


def replace(folder: Path, text: str = "new", error: BaseException | None = None) -> None:
    """Put a report into a folder, or fail after it is half written."""
    with replaced(folder) as fresh:
        (fresh / "report.html").write_text(text)
        if error is not None:
            raise error


@pytest.mark.usefixtures("system")
def test_a_new_folder_takes_the_place_of_the_old(tmp_path: Path) -> None:
    """A failure leaves the old folder and no other."""
    folder = tmp_path / "reports" / "s"
    for text in ("first", "second"):
        with replaced(folder) as fresh:
            assert contents(fresh) == {}
            (fresh / f"{text}.html").write_text(text)
    with pytest.raises(OSError, match="disk full"):
        replace(folder, "half", OSError("disk full"))
    assert contents(tmp_path) == {"reports/s/second.html": b"second"}


def left_behind(folder: Path, *states: str) -> None:
    """What a run that was killed leaves beside a folder."""
    for state in states:
        (folder.with_name(f".{folder.name}~x7") / state).mkdir(parents=True)
        (folder.with_name(f".{folder.name}~x7") / state / "report.html").write_text(state)


def test_what_a_killed_run_left_behind_is_cleared(tmp_path: Path) -> None:
    """What it put aside is back, although the next run fails."""
    left_behind(tmp_path / "s", "old", "new")
    with pytest.raises(KeyboardInterrupt):
        replace(tmp_path / "s", "half", KeyboardInterrupt())
    assert contents(tmp_path) == {"s/report.html": b"old"}
    left_behind(tmp_path / "s", "new", "old")
    left_behind(tmp_path / "s.t", "new")
    replace(tmp_path / "s")
    others = {".s.t~x7/new/report.html": b"new"}
    assert contents(tmp_path) == {"s/report.html": b"new", **others}


def test_there_is_no_moment_without_a_report(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "rename", lambda *_: pytest.fail("for a moment there was none"))
    replace(old)
    assert contents(tmp_path) == {"s/report.html": b"new"}


def test_what_must_not_be_replaced_stays(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    folder.mkdir()

    def refuse(path: Path) -> None:
        raise ValueError(f"{path.name} holds {[*contents(path)]}")

    def fill() -> None:
        with replaced(folder, refuse) as fresh:
            (folder / "notes.md").write_text("mine")  # while the new report is made
            (fresh / "report.html").write_text("new")

    with pytest.raises(ValueError, match=r"s holds \['notes.md'\]"):
        fill()
    assert contents(tmp_path) == {"s/notes.md": b"mine"}


@pytest.mark.parametrize("which", ["new", "back"])
def test_where_a_rename_fails_the_old_folder_comes_back_or_is_kept_aside(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    """The system can exchange no folders, and refuses the new one, or whatever goes there."""
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if path.name == "new" or (which == "back" and target == old):
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(folders, "_exchanged", lambda *_: False)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="Input/output error"):
        replace(old)
    left = contents(tmp_path)
    assert b"old" in left.values()
    assert which == "back" or left == {"s/report.html": b"old"}


@pytest.mark.usefixtures("system")
def test_what_survives_a_killed_run_replaces_nothing(tmp_path: Path) -> None:
    """Another run has swept the new folder away: the first one ends, and the second one's stays."""

    def build() -> None:
        with replaced(tmp_path / "s") as first:
            (first / "first.html").write_bytes(b"first")
            with replaced(tmp_path / "s") as second:
                (second / "second.html").write_bytes(b"second")

    with pytest.raises(FileNotFoundError):
        build()
    assert contents(tmp_path) == {"s/second.html": b"second"}


def test_where_nothing_may_be_written_nothing_is_harmed(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(PermissionError, match="Permission denied"):
        replace(old)
    assert contents(tmp_path) == {"s/report.html": b"old"}


@pytest.mark.skipif(os.name != "posix", reason="folders can't be flushed there")
@pytest.mark.usefixtures("system")
def test_all_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    flush = os.fsync
    flushed: set[int] = set()

    def note(opened: int) -> None:
        flush(opened)
        flushed.add(os.fstat(opened).st_ino)
        assert not folder.exists()

    monkeypatch.setattr(os, "fsync", note)
    with replaced(folder) as fresh:
        (fresh / "tables").mkdir()
        (fresh / "tables" / "map.csv").write_text("map")
    assert flushed == {path.stat().st_ino for path in (folder, *folder.rglob("*"))}
