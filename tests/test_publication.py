"""A report's folder is either as it was or whole."""

from pathlib import Path

import pytest

from costcurves.report.publication import replaced
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
