"""Another workflow takes ours as a module, and keeps its own targets, folder and interpreter."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import engine
from tests.small_study import ROOT, of_workflow, write_study

MODULE: Final = f"""
module costcurves:
    snakefile: "{ROOT}/Snakefile"
    config: config

use rule * from costcurves as costs_*
"""
LAUNCHED: Final = MODULE.replace("/Snakefile", "/workflow/Snakefile")
FIRST: Final = """
rule own:
    output: "own.txt"
    shell: "touch {output}"
"""
OWN: Final = FIRST.replace("    output", "    input: rules.costs_all.input\n    output")
LATER: Final = FIRST.replace("own", "later")
NAMED: Final = LATER.replace("    shell", "    default_target: True\n    shell")
PAGE: Final = (ROOT / "docs" / "workflows.md").read_text("utf-8")
ALONE: Final = {"Snakefile": "all", "workflow/Snakefile": "finished"}
TARGETS: Final = {"own", "later", "conclude", "all", "finished", "report"}


def shown(section: str) -> str:
    """The workflow that a section of the page of how-tos shows."""
    return PAGE.partition(f"## {section}\n")[2].partition("```snakemake\n")[2].partition("```")[0]


def host(folder: Path, text: str) -> None:
    """Write a workflow beside a study."""
    dataset = {"name": "one", "predictions": ["one.csv"]}
    write_study(folder, detail="quick", pdf=False, datasets=[dataset])
    (folder / "Snakefile").write_text(text)


def run(
    folder: Path, *words: str, python: str = sys.executable, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the host's workflow as its user would: no profile of ours, no target."""
    command = [python, "-m", "snakemake", "--cores", "2", *words]
    env = {**os.environ, **of_workflow(ROOT, "0"), **variables}
    ran = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder, env=env)
    assert ran.returncode == 0, ran.stderr
    return ran


def planned(folder: Path, *words: str) -> set[str]:
    """The rules of which it would run jobs."""
    words = ("--cores", "2", "--configfile", "study.yaml", *words, "--dry-run", "--quiet", "rules")
    plan = engine.forked(folder, words, {**os.environ, **of_workflow(ROOT, "0")})
    assert plan.returncode == 0, plan.stderr
    return {*re.findall(r"^(\w+) +\d+$", plan.stdout + plan.stderr, re.MULTILINE)}


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (FIRST + MODULE + LATER, {"own"}),
        (MODULE + OWN + NAMED, {"later"}),
        (NAMED + MODULE + OWN, {"later"}),
        (MODULE, {"costs_all", "costs_report"}),  # as a workflow of the catalog is deployed
        (LAUNCHED, {"costs_finished", "costs_report"}),
        (LAUNCHED.replace("rule *", "rule predictions") + NAMED, {"later"}),
        (
            shown("In a workflow of your own").replace("/path/to/costcurves", str(ROOT)),
            {"conclude", "costs_report"},
        ),
        *((f"{ROOT}/{file}", {target, "report"}) for file, target in ALONE.items()),
    ],
)
def test_the_target_is_the_first_rule_or_the_one_that_a_host_names(
    tmp_path: Path, text: str, targets: set[str]
) -> None:
    alone = text.startswith(str(ROOT))
    host(tmp_path, "" if alone else text)
    rules = planned(tmp_path, *(("--snakefile", text) if alone else ()))
    assert {name for name in rules if name.removeprefix("costs_") in TARGETS} == targets


def test_in_a_path_with_a_space_its_jobs_run_once(tmp_path: Path) -> None:
    """Without a profile each job is a line for the shell, with the path of Python in it."""
    folder = tmp_path / "of mine"
    host(folder, MODULE + OWN.replace("    output", "    default_target: True\n    output"))
    (folder / "an env").symlink_to(sys.prefix)
    python = str(folder / "an env" / "bin" / "python")
    for _ in range(2):
        built = run(folder, "--configfile", "study.yaml", python=python)
        assert "not present in the Snakefile" not in built.stderr
    assert "Nothing to be done" in built.stderr
    assert (folder / "own.txt").exists()
    source = folder / "one.csv"
    source.write_text(source.read_text().replace(",0.3", ",0.37"))
    again = planned(folder)
    assert {"own", "costs_predictions", "costs_figures", "costs_report"} <= again


def test_a_workflow_that_fetches_first_as_the_page_shows(tmp_path: Path) -> None:
    """Programs of these names note how they are called."""
    (tmp_path / "Snakefile").write_text(shown("Predictions in a database or on a server"))
    programs = {"curl": 'touch "$4"; echo fetched', "costcurves": 'echo "$@"'}
    for name, line in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n({line}) >> '{tmp_path}/called'\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.yaml").touch()
    for _ in range(2):
        run(tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}")
    called = (tmp_path / "called").read_text().splitlines()
    assert called == ["fetched", "report study.yaml --cores 2"]
