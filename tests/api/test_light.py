"""`pip install costcurves` brings five packages, with which the whole Python interface works."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import costcurves as cc
from costcurves.command.main import COMMANDS, STAGE
from costcurves.extra import MODULES
from tests.api.light import GOLDEN, HIDDEN

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LIGHT = {"matplotlib", "numpy", "pandas", "scipy", "threadpoolctl"}
OTHERWISE = {"ruamel-yaml": "ruamel"}
BROUGHT = {"fonttools", "pygments"}  # by WeasyPrint, and for the engine's own report
NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Infinity)|NaN"
LINE = '{} needs packages that are not installed, such as jinja2: pip install "costcurves[report]"'


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in which nothing of the extra is there."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "tests.api.light", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(("workflow", "."))},
        capture_output=True,
        text=True,
        check=False,
    )


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[>=\[]", line)[0] for line in requirements}


def test_five_packages_are_needed_and_those_of_a_report_are_asked_for_by_their_modules() -> None:
    assert named(PROJECT["dependencies"]) == LIGHT
    oldest = ["matplotlib>=3.9", "numpy>=2.2", "pandas>=2.2.3", "scipy>=1.14"]
    assert PROJECT["dependencies"][:4] == oldest  # of two years ago
    needed = named(PROJECT["optional-dependencies"]["report"]) - LIGHT - BROUGHT
    assert {OTHERWISE.get(name, name) for name in needed} == {*MODULES}
    assert {*MODULES} < HIDDEN


def test_every_public_name_gives_the_numbers_of_an_environment_with_the_extra() -> None:
    """To 1e-9, as quantiles of distributions differ in their last digits between versions."""
    ended, known = run(), GOLDEN.read_text("utf-8")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert re.sub(NUMBER, "", ended.stdout) == re.sub(NUMBER, "", known)
    here, there = ([*map(float, re.findall(NUMBER, text))] for text in (ended.stdout, known))
    assert here == pytest.approx(there, 1e-9, 1e-15, nan_ok=True)
    made = json.loads(ended.stdout)
    assert {*made} == {*cc.__all__}
    assert made["read_predictions"] == LINE.format("read_predictions")
    assert made["Comparison"]["report"] == LINE.format("Comparison.report")


@pytest.mark.parametrize("name", [*COMMANDS, STAGE][::4])
def test_a_command_without_the_extra_prints_the_line_that_installs_it(name: str) -> None:
    ended = run(name, "a.csv")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == LINE.format(f"costcurves {name}") + "\n"
    listed = run("--help")
    assert (listed.returncode, listed.stderr) == (0, "")
