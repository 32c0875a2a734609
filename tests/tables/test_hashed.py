"""What files hold is known by their bytes, and never by their dates alone."""

import json
import os
import time
from pathlib import Path

import pytest

from costcurves.tables.input import sources
from costcurves.tables.input.sources import hashed
from costcurves.tables.reading_limits import LARGEST
from costcurves.tables.record.manifest import sha256

OLD, LATE = 10**9, 2 * 10**9  # seconds: in 2001, in 2033


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute later, so that nothing was changed just now."""
    later = time.time() + 60
    monkeypatch.setattr(time, "time", lambda: later)


def dated(file: Path, seconds: int, text: str) -> str:
    file.write_text(text)
    os.utime(file, (seconds, seconds))
    return str(file)


def remembered(memory: Path, *files: str) -> dict[str, str | None]:
    """The hashes, with what is known kept as the workflow keeps it."""
    found = hashed(files, memory)
    memory.write_text(json.dumps(found))
    return {Path(file).name: one["sha256"] for file, one in found.items()}


def test_an_untouched_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, memory = dated(tmp_path / "a.csv", OLD, "abc"), tmp_path / "hashed.json"
    first = remembered(memory, file)
    assert first == {"a.csv": sha256(file)}
    monkeypatch.setattr(sources, "sha256", lambda _: pytest.fail("read again"))
    assert remembered(memory, file) == first


@pytest.mark.parametrize("seconds", [OLD, OLD - 1, LATE])
def test_other_bytes_of_the_same_size_are_seen_whatever_their_date(
    tmp_path: Path, seconds: int
) -> None:
    file, memory = dated(tmp_path / "a.csv", OLD, "abc"), tmp_path / "hashed.json"
    first = remembered(memory, file)
    Path(dated(tmp_path / "b.csv", seconds, "abd")).rename(file)
    second = remembered(memory, file)
    assert first != second == {"a.csv": sha256(file)}
    dated(Path(file), seconds, "abe")
    assert remembered(memory, file) == {"a.csv": sha256(file)} != second


def test_what_was_changed_just_now_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second change may get the same dates."""
    file = dated(tmp_path / "a.csv", OLD, "abc")
    status = Path(file).stat()
    monkeypatch.setattr(time, "time", lambda: status.st_ctime + 1)
    assert hashed([file], tmp_path / "none.json")[file]["untouched"] is None
    monkeypatch.setattr(time, "time", lambda: status.st_ctime + 3)
    assert hashed([file], tmp_path / "none.json")[file]["untouched"] == [
        3,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    ]


def test_what_is_no_file_has_no_hash(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    names = [str(tmp_path / name) for name in ("folder", "pipe", "missing")]
    assert set(remembered(tmp_path / "hashed.json", *names).values()) == {None}


def test_what_is_too_large_to_be_read_is_not_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which would take minutes before it is refused."""
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(LARGEST + 1)
    monkeypatch.setattr(sources, "sha256", lambda _: pytest.fail("it was read"))
    large = str(tmp_path / "large.csv")
    assert hashed([large], tmp_path / "none.json")[large]["sha256"] is None


@pytest.mark.parametrize("text", ["", "{", "\udcff", "[" * 100_000])
def test_a_memory_that_can_not_be_read_is_none(tmp_path: Path, text: str) -> None:
    memory = tmp_path / "hashed.json"
    memory.write_bytes(text.encode(errors="surrogateescape"))
    file = dated(tmp_path / "a.csv", OLD, "abc")
    assert remembered(memory, file) == {"a.csv": sha256(file)}


def test_a_memory_that_is_a_pipe_is_none(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / "hashed.json")
    file = dated(tmp_path / "a.csv", OLD, "abc")
    assert hashed([file], tmp_path / "hashed.json")[file]["sha256"] == sha256(Path(file))
