"""What is installed from the wheel needs no clone: the workflow travels within it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from tests.small_study import ROOT, contents, folds_of, scored

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
    """The wheel that the source distribution gives, unpacked: the same as straight from a clone."""
    folder = tmp_path_factory.mktemp("sources")
    listed = subprocess.run(LISTED, cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    with tarfile.open(built(folder, "sdist")) as archive:
        archive.extractall(folder / "again", filter="data")
    shutil.rmtree(folder / "made")
    (sources,) = (folder / "again").iterdir()
    straight = unpacked(built(folder, "wheel"), folder / "straight")
    again = unpacked(built(sources, "wheel"), folder / "installed")
    assert contents(again) == contents(straight)
    return again


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
    assert Path(place.stdout.strip()) == wheel / "costcurves" / "project" / "Snakefile"
    words = "-m", "costcurves", "report", "predictions.csv", "--profile", "other"
    elsewhere = run(wheel, tmp_path, *words)
    known = "'default', 'slurm', or a folder with a config.yaml"
    assert (elsewhere.returncode, elsewhere.stdout) == (2, "")
    assert elsewhere.stderr == f"--profile is 'other', expected {known}\n"


def required(package: Distribution, extras: set[str], needed: dict[str, set[str]]) -> None:
    """Add the packages that one needs with these extras, and that those need."""
    for text in package.requires or ():
        need = Requirement(text)
        wanted = [{"extra": extra} for extra in ("", *extras)]
        if need.marker is not None and not any(map(need.marker.evaluate, wanted)):
            continue
        if need.name in needed and need.extras <= needed[need.name]:
            continue
        needed[need.name] = needed.get(need.name, set()) | need.extras
        required(distribution(need.name), need.extras, needed)


def environment_of(hook: dict[str, Any], wheel: Path, folder: Path) -> Path:
    """Make an environment with what pre-commit installs for a hook, and nothing else.

    It runs `pip install . ADDITIONAL_DEPENDENCIES` in a clone. Here packages are linked from the
    environment of the tests, so that nothing is downloaded.
    """
    package = PathDistribution(next(wheel.glob("*.dist-info")))
    needed: dict[str, set[str]] = {}
    required(package, set(), needed)
    for dependency in hook.get("additional_dependencies", ()):
        (extra,) = re.findall(r"^\.\[(\w+)\]$", dependency)
        assert extra in package.metadata.get_all("Provides-Extra", [])
        required(package, {extra}, needed)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in needed:
        files = distribution(name).files or ()
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(str(distribution(name).locate_file(top)))
    shutil.copytree(wheel, packages, dirs_exist_ok=True)
    module, _, function = package.entry_points["costcurves"].value.partition(":")
    program = folder / "bin" / "costcurves"
    start = f"import sys\nfrom {module} import {function}\nsys.exit({function}())\n"
    python = folder / "bin" / "python"
    # Through sh, as pip writes it, too: the first line of a program takes no path with a space.
    program.write_text(f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n{start}")
    program.chmod(0o755)
    return program.parent


def test_a_hook_of_pre_commit_has_what_it_needs(wheel: Path, tmp_path: Path) -> None:
    """The audit builds a report, so it needs more than the others."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert len({repr(hook["additional_dependencies"]) for hook in hooks}) == 1
    (hook,) = (hook for hook in hooks if hook["id"] == "costcurves-audit")
    programs = environment_of(hook, wheel, tmp_path / "environment")
    study = tmp_path / "repository"
    study.mkdir()
    rows = folds_of(60, 1, 2, seed=1)
    rows.pipe(scored, "Bayes", 2.5, 2).to_csv(study / "my.csv", index=False)
    claim = {"claim": "It helps.", "kind": "at most", "models": ["Bayes"], "average": True}
    content = {"study": "my", "pdf": False, "claims": [claim | {"at_most": 0.4}]}
    content["datasets"] = [{"name": "my", "predictions": ["my.csv"]}]
    (study / "my.yaml").write_text(yaml.safe_dump(content))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment["PATH"] = f"{programs}:/usr/bin:/bin"
    command = [*shlex.split(hook["entry"]), "my.yaml"]
    ran = subprocess.run(command, cwd=study, env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.splitlines()[-1:]) == (0, ["1 of 1 claims are supported"])
