"""The core stands without what stands on it: each addition's folder may be gone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from costcurves.additions import NAMES, additions, commands
from tests.house.test_layers import IMPORTS
from tests.small_study import copied_root, write_study

LIST = Path("additions.py")  # the module that finds them


def test_the_core_imports_no_addition() -> None:
    added = tuple(f"costcurves.{name}" for name in NAMES)
    for file, names in IMPORTS.items():
        if file != LIST and file.parts[0] not in NAMES:
            assert not [one for one in names if one.startswith(added)], file


def test_additions_import_none_of_each_other() -> None:
    for file, names in IMPORTS.items():
        others = tuple(f"costcurves.{name}" for name in NAMES if name != file.parts[0])
        if file.parts[0] in NAMES:
            assert not [one for one in names if one.startswith(others or "-")], file


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_built_and_verified_without_an_addition(name: str, tmp_path: Path) -> None:
    """One with the annex: that none imports another is tested above."""
    code = copied_root(tmp_path / "code")
    shutil.rmtree(code / "workflow" / "costcurves" / name)
    (code / "workflow" / "costcurves" / name / "__pycache__").mkdir(parents=True)  # git leaves it
    one = {"name": "one", "predictions": ["one.csv", "family.csv.gz"]}
    few = {"confidence": 0.8, "resamples": 60}
    detail = "full" if name == "readers" else "standard"
    made = {"detail": detail, "pdf": False, "datasets": [one], "inference": few}
    config = write_study(tmp_path / "study", **made)

    def costcurves(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "costcurves", *words],
            cwd=config.parent,
            env={**os.environ, "PYTHONPATH": str(code / "workflow")},
            capture_output=True,
            text=True,
            check=False,
        )

    run = costcurves("report", "study.yaml")
    assert run.returncode == 0, run.stderr
    page = (config.parent / "reports/small/report.html").read_text("utf-8")
    assert ("verify --recompute" in page) == (name != "archive")
    assert ("report --annex" in page) == (name == "archive")
    assert ('id="annex"' in page) == (name == "readers")
    assert costcurves("verify", "reports/small").returncode == 0
    if name == "annex":
        full = costcurves("report", "study.yaml", "--annex")
        assert full.returncode == 2
        assert "annex, which makes that, is not there" in full.stdout + full.stderr
    own = additions()[NAMES.index(name)]
    assert all(one in commands() for one in own.commands)
    for command in own.commands:
        run = costcurves(command, "--help")
        assert (run.returncode, "unknown command" in run.stderr) == (2, True)


def test_an_addition_names_the_tables_that_it_makes() -> None:
    """By their stages, where pandas is not imported yet."""
    for one in additions():
        if one.made is None:
            assert not one.tables
            continue
        added = one.made()
        names = [name for tables in one.tables.values() for name in tables]
        assert sorted(names) == sorted(contract.name for contract in added.contracts)
        assert all(hasattr(added.results, name) for name in names)
