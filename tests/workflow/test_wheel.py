"""What is installed from the wheel needs no clone: the workflow travels within it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from costcurves.extra import MODULES
from tests.small_study import ROOT, contents

LISTED = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z")


def built(folder: Path, kind: str) -> Path:
    """Build a distribution of what is in a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", f"made/{kind}"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (made,) = (folder / "made" / kind).iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the source distribution gives, unpacked: the same as straight from a clone."""
    folder = tmp_path_factory.mktemp("sources")
    listed = subprocess.run(LISTED, cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    again, installed, straight = (tmp_path_factory.mktemp(name) for name in ("a", "b", "c"))
    subprocess.run(["tar", "-xf", str(built(folder, "sdist")), "-C", str(again)], check=True)
    (sources,) = again.iterdir()
    for clone, unpacked in ((folder, straight), (sources, installed)):
        with zipfile.ZipFile(built(clone, "wheel")) as file:
            file.extractall(unpacked)
    assert contents(installed) == contents(straight)
    return installed


def run(wheel: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with what the wheel holds."""
    environment, command = {**os.environ, "PYTHONPATH": str(wheel)}, [sys.executable, "-P", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )


def test_the_commands_of_the_readme_succeed_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """In the order in which they stand; but nothing is built twice."""
    text = (ROOT / "README.md").read_text("utf-8")
    shell = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    lines = re.findall("^costcurves (.*)", shell.replace(" --rebuild", ""), re.MULTILINE)
    assert len(lines) > 4
    for line in [*lines, "bundle reports/predictions"]:
        ran = run(wheel, tmp_path, "-m", "costcurves", *shlex.split(line, comments=True))
        assert ran.returncode == 0, f"{line}: {ran.stdout}{ran.stderr}"
    assert (tmp_path / "predictions.zip").is_file()
    place = run(wheel, tmp_path, "-c", "from costcurves.code import SNAKEFILE; print(SNAKEFILE)")
    project = Path(place.stdout.strip()).parent
    assert project == wheel / "costcurves" / "project"
    assert (project / "profiles" / "slurm" / "config.yaml").is_file()


def test_hooks_of_pre_commit_have_what_they_need(wheel: Path) -> None:
    package = PathDistribution(next(wheel.glob("*.dist-info")))
    needs = [Requirement(text) for text in package.requires or ()]
    marked = [need for need in needs if need.marker and need.marker.evaluate({"extra": "report"})]
    assert {*MODULES} <= {re.split("[-.]", need.name)[0] for need in marked}
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["additional_dependencies"] for hook in hooks] == [[".[report]"]] * 3
    assert {hook["entry"].split()[0] for hook in hooks} <= {*package.entry_points.names}
