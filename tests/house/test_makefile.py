"""What `make` does: about Pango, for the example, and which tests are quick."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.quick import READ, nearest
from tests.small_study import ROOT

CALLED = (
    "apt-get install --yes --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 "
    "libharfbuzz-subset0\n"
)
LINE = f"There will be no PDF without Pango. To have it: sudo {CALLED}"
FAILED = "could not be installed: there will be no PDF\n"


MACHINES = [
    (1000, "PYTHON=false", None, LINE, LINE),
    (0, "PYTHON=false", None, LINE, LINE),
    (0, "PYTHON=false", "true", "Installing Pango, which the PDF needs: ", CALLED),
    (1000, "PYTHON=false,SUDO=sudo -n", "true", "Installing Pango", CALLED),
    (0, "PYTHON=false", "false", "Installing", FAILED),
    (1000, "PYTHON=true", "true", "", ""),
]


@pytest.mark.parametrize(("user", "variables", "apt", "begins", "ends"), MACHINES)
def test_root_installs_pango_and_anyone_else_is_told_how(
    tmp_path: Path, user: int, variables: str, apt: str | None, begins: str, ends: str
) -> None:
    """On a machine without Pango, whose programs print what they are called with."""
    programs = {"id": f"echo {user}", "sudo": 'echo "sudo $*"; shift; "$@"'}
    programs |= {"apt-get": f'echo "apt-get $*"; {apt}'} if apt else {}
    for name, does in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    for name in ("bash", "env", "sh", "false", "true"):
        place = next(Path(folder, name) for folder in ("/bin", "/usr/bin"))
        (tmp_path / name).symlink_to(place)
    command = ["/usr/bin/make", "--no-print-directory", "-f", str(ROOT / "Makefile"), "pango"]
    command += variables.split(",")
    environment = {"PATH": str(tmp_path), "LANG": os.environ.get("LANG", "C")}
    output = subprocess.check_output(command, env=environment, cwd=ROOT, text=True)
    assert (output.startswith(begins), output.endswith(ends)) == (True, True)
    assert bool(output) == bool(ends)
    assert ("sudo -n env" in output) == ("SUDO=sudo -n" in variables)


def test_a_change_runs_the_tests_that_check_it() -> None:
    assert all((ROOT / "tests" / test).is_file() for tests in READ.values() for test in tests)
    package = ROOT / "workflow" / "costcurves"
    files = {package / "report/templates/parts/verdict.html.j2", package / "curves/hulls.py"}
    assert all(file.is_file() for file in files)
    names = "report/test_sections.py", "curves/test_hulls.py"
    assert {str(ROOT / "tests" / name) for name in names} <= {*nearest(files)}
