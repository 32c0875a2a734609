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
    snakefile: "{ROOT}/%s"
    config: config

use rule * from costcurves as costs_*
"""
OWN: Final = """
rule own:
    input: rules.costs_all.input
    output: "own.txt"
    shell: "touch {output}"
"""
FIRST: Final = OWN.replace("    input: rules.costs_all.input\n", "")
LATER: Final = FIRST.replace("own", "later")
NAMED: Final = LATER.replace("    shell", "    default_target: True\n    shell")


def host(folder: Path, *parts: str, file: str = "Snakefile") -> None:
    dataset = {"name": "one", "predictions": ["one.csv"]}
    write_study(folder, detail="quick", pdf=False, datasets=[dataset])
    (folder / "Snakefile").write_text("".join(parts).replace("%s", file))


def run(
    folder: Path, *arguments: str, python: str = sys.executable, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the host's workflow as its user would: no profile of ours, no target."""
    command = [python, "-m", "snakemake", "--cores", "2", *arguments]
    environment = {**os.environ, **of_workflow(ROOT, "0"), **variables}
    ran = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=folder, env=environment
    )
    assert ran.returncode == 0, ran.stderr
    return ran


def planned(folder: Path, *arguments: str) -> dict[str, str]:
    """How many jobs of each rule it would run."""
    words = ["--cores", "2", "--configfile", "study.yaml", *arguments]
    environment = {**os.environ, **of_workflow(ROOT, "0")}
    plan = engine.forked(folder, [*words, "--dry-run", "--quiet", "rules"], environment)
    assert plan.returncode == 0, plan.stderr
    return dict(re.findall(r"^(\w+) +(\d+)$", plan.stdout + plan.stderr, re.MULTILINE))


@pytest.mark.parametrize(
    ("parts", "file", "target"),
    [
        ((FIRST, MODULE, LATER), "Snakefile", "own"),
        ((MODULE, OWN, NAMED), "Snakefile", "later"),
        ((NAMED, MODULE, OWN), "Snakefile", "later"),
        ((MODULE,), "Snakefile", "costs_all"),  # as a workflow of the catalog is deployed
        ((MODULE,), "workflow/Snakefile", "costs_finished"),
        ((MODULE.replace("rule *", "rule predictions"), NAMED), "workflow/Snakefile", "later"),
    ],
)
def test_the_target_is_the_first_rule_or_the_one_that_a_host_names(
    tmp_path: Path, parts: tuple[str, ...], file: str, target: str
) -> None:
    host(tmp_path, *parts, file=file)
    targets = {"own", "later", "costs_all", "costs_finished"}
    assert planned(tmp_path).keys() & targets == {target}


def test_alone_the_report_is_the_target(tmp_path: Path) -> None:
    write_study(tmp_path)
    for file, target in (("Snakefile", "all"), ("workflow/Snakefile", "finished")):
        assert planned(tmp_path, "--snakefile", str(ROOT / file))[target] == "1"


def test_in_a_path_with_a_space_its_jobs_run_once(tmp_path: Path) -> None:
    """Without a profile each job is a line for the shell, with the path of Python in it."""
    folder = tmp_path / "of mine"
    host(folder, MODULE, OWN.replace("    output", "    default_target: True\n    output"))
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
    assert {"own", "costs_predictions", "costs_figures", "costs_report"} <= again.keys()


def shown(section: str) -> str:
    """The workflow that a section of the page of how-tos shows."""
    page = (ROOT / "docs" / "workflows.md").read_text("utf-8")
    return page.partition(f"## {section}\n")[2].partition("```snakemake\n")[2].partition("```")[0]


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


def test_a_module_as_the_page_shows_keeps_the_targets_of_its_host(tmp_path: Path) -> None:
    write_study(tmp_path)
    text = shown("In a workflow of your own").replace("/path/to/costcurves", str(ROOT))
    (tmp_path / "Snakefile").write_text(text)
    counts = planned(tmp_path)
    assert counts["conclude"] == counts["costs_report"] == "1"
    assert "costs_all" not in counts
