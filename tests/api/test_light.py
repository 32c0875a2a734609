"""`pip install costcurves` brings five packages, with which the whole Python interface works."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    ended = run()
    assert (ended.returncode, ended.stderr) == (0, "")
    return dict(json.loads(ended.stdout))


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[>=\[]", line)[0] for line in requirements}


def test_five_packages_are_needed_with_versions_of_two_years_ago() -> None:
    assert named(PROJECT["dependencies"]) == LIGHT
    assert PROJECT["dependencies"][:4] == [
        "matplotlib>=3.9",
        "numpy>=2.2",
        "pandas>=2.2.3",
        "scipy>=1.14",
    ]


def test_what_a_report_needs_is_asked_for_by_its_modules() -> None:
    needed = named(PROJECT["optional-dependencies"]["report"]) - LIGHT - BROUGHT
    assert {OTHERWISE.get(name, name) for name in needed} == {*MODULES}
    assert {*MODULES} < HIDDEN


def test_every_public_name_is_used_without_the_extra(made: dict[str, Any]) -> None:
    assert {*made} == {*cc.__all__}


@pytest.mark.parametrize("name", json.loads(GOLDEN.read_text("utf-8")))
def test_numbers_are_those_of_an_environment_with_the_extra(
    name: str, made: dict[str, Any]
) -> None:
    """To 1e-9, as quantiles of distributions differ in their last digits between versions."""
    known, here = (
        dict(leaves(values[name])) for values in (json.loads(GOLDEN.read_text("utf-8")), made)
    )
    assert here.keys() == known.keys()
    for place, leaf in known.items():
        near = leaf if isinstance(leaf, str) else pytest.approx(leaf, 1e-9, 1e-15, nan_ok=True)
        assert here[place] == near, place


def leaves(value: Any) -> Iterator[tuple[tuple[object, ...], Any]]:
    """Yield all values of nested lists and mappings, with where they stand."""
    if not isinstance(value, dict | list):
        yield (), value
        return
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        for place, leaf in leaves(part):
            yield (key, *place), leaf


def test_what_needs_the_extra_names_the_line_that_installs_it(made: dict[str, Any]) -> None:
    assert made["read_predictions"] == LINE.format("read_predictions")
    assert made["Comparison"]["report"] == LINE.format("Comparison.report")


@pytest.mark.parametrize("name", [*COMMANDS, STAGE])
def test_a_command_without_the_extra_prints_the_line_that_installs_it(name: str) -> None:
    ended = run(name, "a.csv")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == LINE.format(f"costcurves {name}") + "\n"


def test_without_the_extra_commands_are_listed() -> None:
    for word in ("--help", "--version"):
        ended = run(word)
        assert (ended.returncode, ended.stderr) == (0, "")
