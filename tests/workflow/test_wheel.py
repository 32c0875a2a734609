"""What is installed from the wheel needs no clone: the workflow travels within it."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.small_study import ROOT, folds_of, scored

LISTED = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")


def built(folder: Path, kind: str) -> Path:
    """Build a distribution of what is in a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", "made"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (made,) = (folder / "made").iterdir()
    return made


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the source distribution gives."""
    folder = tmp_path_factory.mktemp("sources")
    listed = subprocess.run(LISTED, cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / "again").mkdir()
    command = ["tar", "-xf", str(built(folder, "sdist")), "-C", str(folder / "again")]
    subprocess.run(command, check=True)
    shutil.rmtree(folder / "made")
    (sources,) = (folder / "again").iterdir()
    from_sources = built(sources, "wheel")
    straight = unpacked(built(folder, "wheel"), folder / "straight")
    again = unpacked(from_sources, folder / "installed")
    names = [path.relative_to(straight) for path in straight.rglob("*") if path.is_file()]
    assert [(again / name).read_bytes() for name in names] == [
        (straight / name).read_bytes() for name in names
    ]
    return again


def run(wheel: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(wheel)}
    command = [sys.executable, "-P", "-m", "costcurves", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )


def test_it_builds_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    rows = folds_of(24, 2, 2, seed=1)
    scored(rows, "Bayes", 2.0, 2).to_csv(tmp_path / "my.csv", index=False)
    where = "import costcurves.code; print(costcurves.code.SNAKEFILE)"
    command, own = [sys.executable, "-P", "-c", where], {**os.environ, "PYTHONPATH": str(wheel)}
    found = subprocess.run(command, env=own, check=True, capture_output=True, text=True)
    assert Path(found.stdout.strip()) == wheel / "costcurves" / "project" / "Snakefile"
    assert run(wheel, tmp_path, "check", "my.csv").returncode == 0
    assert run(wheel, tmp_path, "init", "my.csv").returncode == 0
    elsewhere = run(wheel, tmp_path, "report", "my.yaml", "--profile", "other")
    assert (elsewhere.returncode, elsewhere.stdout) == (2, "")
    known = "'default', 'slurm', or a folder with a config.yaml"
    assert elsewhere.stderr == f"--profile is 'other', expected {known}\n"
    report = run(wheel, tmp_path, "report", "my.yaml")
    assert report.returncode == 0, report.stderr
    assert "reports/my/report.html" in report.stdout
    assert (tmp_path / "reports" / "my" / "report.html").is_file()
    assert run(wheel, tmp_path, "verify", "reports/my").returncode == 0
    packed = run(wheel, tmp_path, "bundle", "reports/my")
    assert (packed.returncode, packed.stderr) == (0, "")
    assert (tmp_path / "my.zip").is_file()
