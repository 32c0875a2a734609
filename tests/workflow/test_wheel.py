"""What is installed from the wheel needs no clone: the workflow travels within it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

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


def test_the_commands_of_the_readme_succeed_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """In the order in which they stand."""
    text = (ROOT / "README.md").read_text("utf-8")
    shell = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    lines = re.findall("^costcurves (.*)", shell, re.MULTILINE)
    assert len(lines) > 4
    for line in lines:
        ran = run(wheel, tmp_path, *shlex.split(line, comments=True))
        assert ran.returncode == 0, f"{line}: {ran.stdout}{ran.stderr}"
    where = "import costcurves.code; print(costcurves.code.SNAKEFILE)"
    command, variables = [sys.executable, "-P", "-c", where], {"PYTHONPATH": str(wheel)}
    environment = {**os.environ, **variables}
    place = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert Path(place.stdout.strip()) == wheel / "costcurves" / "project" / "Snakefile"
    elsewhere = run(wheel, tmp_path, "report", "predictions.csv", "--profile", "other")
    known = "'default', 'slurm', or a folder with a config.yaml"
    assert (elsewhere.returncode, elsewhere.stdout) == (2, "")
    assert elsewhere.stderr == f"--profile is 'other', expected {known}\n"
    packed = run(wheel, tmp_path, "bundle", "reports/predictions")
    assert (packed.returncode, packed.stderr) == (0, "")
    assert (tmp_path / "predictions.zip").is_file()


def required(package: Distribution, extras: set[str], found: dict[str, set[str]]) -> None:
    """Add the packages that one needs with these extras, and that those need."""
    for text in package.requires or ():
        need = Requirement(text)
        wanted = [{"extra": extra} for extra in ("", *extras)]
        if need.marker is not None and not any(map(need.marker.evaluate, wanted)):
            continue
        if need.name in found and need.extras <= found[need.name]:
            continue
        found[need.name] = found.get(need.name, set()) | need.extras
        required(distribution(need.name), need.extras, found)


def environment_of(hook: dict[str, Any], wheel: Path, folder: Path) -> Path:
    """Make an environment with what pre-commit installs for a hook, and nothing else.

    It runs `pip install . ADDITIONAL_DEPENDENCIES` in a clone. Here packages are linked from the
    environment of the tests, so that nothing is downloaded.
    """
    package = PathDistribution(next(wheel.glob("*.dist-info")))
    found: dict[str, set[str]] = {}
    required(package, set(), found)
    for dependency in hook.get("additional_dependencies", ()):
        (extra,) = re.findall(r"^\.\[(\w+)\]$", dependency)
        assert extra in package.metadata.get_all("Provides-Extra", [])
        required(package, {extra}, found)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in found:
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
    (hook,) = (one for one in hooks if one["id"] == "costcurves-audit")
    programs = environment_of(hook, wheel, tmp_path / "environment")
    study = tmp_path / "repository"
    study.mkdir()
    rows = folds_of(60, 1, 2, seed=1)
    rows.pipe(scored, "Bayes", 2.5, 2).to_csv(study / "my.csv", index=False)
    claim = {"claim": "It helps.", "kind": "at most", "models": ["Bayes"], "average": True}
    content = {"study": "my", "pdf": False, "claims": [claim | {"at_most": 0.4}]}
    content["datasets"] = [{"name": "my", "predictions": ["my.csv"]}]
    (study / "my.yaml").write_text(yaml.safe_dump(content))
    environment = {name: it for name, it in os.environ.items() if not name.startswith("PYTHON")}
    environment["PATH"] = f"{programs}:/usr/bin:/bin"
    command = [*shlex.split(hook["entry"]), "my.yaml"]
    ran = subprocess.run(command, cwd=study, env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.splitlines()[-1:]) == (0, ["1 of 1 claims are supported"])
