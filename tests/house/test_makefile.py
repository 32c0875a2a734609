"""What `make` does about Pango: root installs it, anyone else is told how, and nobody is asked."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINE = (
    "There will be no PDF without Pango. To have it: sudo apt-get install --yes "
    "--no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0\n"
)


def made(folder: Path, user: int, *told: str, apt: bool = True, works: bool = True) -> str:
    """Make the target on a machine without Pango, and give what it says and calls."""
    programs = {"id": f"echo {user}", "sudo": 'echo "sudo $*"; shift; "$@"'}
    if apt:
        programs["apt-get"] = f'echo "apt-get $*"; {"true" if works else "false"}'
    for name, does in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)
    for name in ("bash", "env", "sh", "false"):
        (folder / name).symlink_to(next(Path(it, name) for it in ("/bin", "/usr/bin")))
    run = subprocess.run(
        ["/usr/bin/make", "--no-print-directory", "-f", str(ROOT / "Makefile"), "pango", *told],
        env={"PATH": str(folder), "LANG": os.environ.get("LANG", "C")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_who_is_not_root_is_told_the_line_and_sudo_is_not_called(tmp_path: Path) -> None:
    assert made(tmp_path, 1000, "PYTHON=false") == LINE


@pytest.mark.parametrize("user", [0, 1000])
def test_without_apt_the_line_is_all(tmp_path: Path, user: int) -> None:
    assert made(tmp_path, user, "PYTHON=false", apt=False) == LINE


def test_root_installs_it_and_shows_that(tmp_path: Path) -> None:
    said = made(tmp_path, 0, "PYTHON=false").splitlines()
    assert said[0].startswith("Installing Pango, which the PDF needs: ")
    assert said[1:] == ["apt-get update -qq", f"apt-get {LINE.partition('apt-get ')[2].strip()}"]


def test_sudo_is_used_where_that_is_said(tmp_path: Path) -> None:
    said = made(tmp_path, 1000, "PYTHON=false", "SUDO=sudo -n").splitlines()
    assert said[1] == "sudo -n apt-get update -qq"
    assert any(line.startswith("sudo -n env DEBIAN_FRONTEND") for line in said)


def test_the_report_is_built_where_it_can_not_be_installed(tmp_path: Path) -> None:
    said = made(tmp_path, 0, "PYTHON=false", works=False)
    assert said.endswith("Pango could not be installed: there will be no PDF\n")


def test_nothing_is_said_where_it_is_there(tmp_path: Path) -> None:
    (tmp_path / "python").symlink_to("/bin/true")
    assert made(tmp_path, 1000, f"PYTHON={tmp_path / 'python'}") == ""
