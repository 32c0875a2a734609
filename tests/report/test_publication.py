"""A report's folder is either as it was or whole, and its largest tables are Parquet."""

import errno
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pytest

from costcurves.contracts import CONTRACTS
from costcurves.many.claims import CLAIMS
from costcurves.many.map import MAP
from costcurves.record import folders
from costcurves.record.folders import replaced
from costcurves.record.manifest import provenance
from costcurves.report import publication
from costcurves.report.document import address
from costcurves.tables import contract
from costcurves.tables.files import read
from tests.fake_report import dataset, study, tables
from tests.small_study import contents


def replace(
    folder: Path,
    name: str = "report.html",
    between: Callable[[], object] = lambda: None,
    check: Callable[[Path], None] | None = None,
) -> None:
    """Put a report of one file into a folder; something happens when it is half written."""
    with replaced(folder, check) as fresh:
        assert contents(fresh) == {}
        (fresh / name).write_text("new")
        between()


def stop(error: BaseException) -> Callable[[], None]:
    def raise_error() -> None:
        raise error

    return raise_error


def left_behind(folder: Path, *states: str) -> None:
    """What a run that was killed leaves beside a folder."""
    for state in states:
        (folder.with_name(f".{folder.name}~x7") / state).mkdir(parents=True)
        (folder.with_name(f".{folder.name}~x7") / state / "report.html").write_text(state)


@pytest.mark.parametrize("exchanging", [True, False])
def test_a_new_folder_takes_the_place_of_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchanging: bool
) -> None:
    """A failure leaves the old folder and no other; all is on the disk before it counts."""
    if not exchanging:  # not every system can exchange two folders
        monkeypatch.setattr(folders, "_exchanged", lambda *_: False)
    folder, flush = tmp_path / "reports" / "s", os.fsync
    flushed: set[int] = set()

    def note(opened: int) -> None:
        flush(opened)
        flushed.add(os.fstat(opened).st_ino)
        assert not folder.exists()

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", note)
        replace(folder, "first.html")
    if os.name == "posix":
        assert flushed == {path.stat().st_ino for path in (folder, *folder.rglob("*"))}
    replace(folder, "second.html")
    with pytest.raises(OSError, match="disk full"):
        replace(folder, "half", stop(OSError("disk full")))
    assert contents(tmp_path) == {"reports/s/second.html": b"new"}
    # Another run has swept the new folder away: the first one ends, and the second one's stays.
    with pytest.raises(FileNotFoundError):
        replace(folder, "third.html", lambda: replace(folder, "fourth.html"))
    assert contents(tmp_path) == {"reports/s/fourth.html": b"new"}

    def refuse(path: Path) -> None:
        raise ValueError(f"{path.name} holds {sorted(contents(path))}")

    with pytest.raises(ValueError, match=r"s holds \['fourth.html', 'notes.md'\]"):
        replace(folder, "fifth.html", (folder / "notes.md").touch, refuse)
    assert {*contents(tmp_path)} == {"reports/s/fourth.html", "reports/s/notes.md"}


def test_what_a_killed_run_left_behind_is_cleared(tmp_path: Path) -> None:
    """What it put aside is back, although the next run fails."""
    left_behind(tmp_path / "s", "old", "new")
    with pytest.raises(KeyboardInterrupt):
        replace(tmp_path / "s", between=stop(KeyboardInterrupt()))
    assert contents(tmp_path) == {"s/report.html": b"old"}
    left_behind(tmp_path / "s", "new", "old")
    left_behind(tmp_path / "s.t", "new")
    replace(tmp_path / "s")
    others = {".s.t~x7/new/report.html": b"new"}
    assert contents(tmp_path) == {"s/report.html": b"new", **others}


@pytest.mark.parametrize("which", ["none", "new", "back", "mkdir"])
def test_where_a_step_fails_the_old_folder_stays_or_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    """No rename may be needed, or the new folder is refused, or whatever goes there, or all."""
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "report.html").write_text("old")
    rename = Path.rename

    def refuse(path: Path, target: object = None, **_: object) -> Path:
        if which in ("none", "mkdir") or path.name == "new" or (which, target) == ("back", folder):
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, str(target))

    if which == "none":  # and for no moment there is no report
        monkeypatch.setattr(Path, "rename", refuse)
        replace(folder)
        assert contents(tmp_path) == {"s/report.html": b"new"}
        return
    monkeypatch.setattr(folders, "_exchanged", lambda *_: False)
    monkeypatch.setattr(Path, "mkdir" if which == "mkdir" else "rename", refuse)
    with pytest.raises(OSError, match="Input/output error"):
        replace(folder)
    left = contents(tmp_path)
    assert b"old" in left.values()
    assert which == "back" or left == {"s/report.html": b"old"}


def test_a_table_of_very_many_rows_is_published_as_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = study(datasets=[dataset("toy", "Toy"), dataset("other", "Other")], pdf=False)
    data = {each.slug: tables() for each in made.datasets}
    most = 2 * len(tables()["bands"]) - 1  # rows of two datasets
    monkeypatch.setattr(contract, "MOST_AS_TEXT", most)
    (tmp_path / "drawn").mkdir()
    drawn = dict.fromkeys((*data, ""), tmp_path / "drawn")
    record = provenance([], asdict(made), [], given={"study": "s"}, results={}, libraries={})
    whole = {"map": MAP.empty(), "claims": CLAIMS.empty()}
    publication.publish(tmp_path / "out", made, {"": whole, **data}, drawn, record)
    files = contents(tmp_path / "out")
    large = {name.split("/")[1] for name in files if name.endswith(".parquet")}
    assert large == {name for name, rows in tables().items() if 2 * len(rows) > most}
    assert {address(name, "toy", large) for name, rows in tables().items() if rows.size} <= {*files}
    kept = read(tmp_path / "out" / address("bands", "toy", large), CONTRACTS["bands"])
    pd.testing.assert_frame_equal(kept, tables()["bands"].reset_index(drop=True))
