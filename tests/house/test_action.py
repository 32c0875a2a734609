"""The action for others' pipelines: what its steps run, as the workflow that uses it tells them."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from costcurves.command import main
from tests.small_study import folds_of, scored

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "audit"
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "audit.yml").read_text("utf-8"))
USES = [
    one["with"]
    for one in WORKFLOW["jobs"]["audit"]["steps"]
    if one["uses"] == f"./{ACTION.relative_to(ROOT).as_posix()}"
]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def ran(folder: Path, told: dict[str, str]) -> tuple[int, str]:
    """Run the steps as a runner does; give the status of the first that fails, and the summary.

    What the environment is set up with is only noted, as there is one.
    """
    action: dict[str, Any] = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
    inputs = {name: one["default"] for name, one in action["inputs"].items()} | told
    assert inputs.keys() == action["inputs"].keys()
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "make").write_text('#!/bin/sh\necho "$@" > made\n')
    (programs / "make").chmod(0o755)
    summary = folder / "summary.md"
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # what others write is never a part of a script
        own = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda it: inputs[it[1]], value)
            for name, value in step["env"].items()
        }
        known = {"GITHUB_ACTION_PATH": str(ACTION), "GITHUB_STEP_SUMMARY": str(summary)}
        path = {"PATH": f"{programs}:{os.environ['PATH']}"}
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            env={**os.environ, **path, **known, **own},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            return run.returncode, run.stdout + run.stderr
    return 0, summary.read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a checkout of this repository, as far as the workflow reads it."""
    for name in ("data", "config"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def test_the_workflow_gates_the_bundled_data(folder: Path) -> None:
    (told,) = (one for one in USES if "gate" in one)
    status, summary = ran(folder, told)
    assert status == 0, summary
    assert summary.startswith("```text\nSUPPORTED: 'Naive Bayes' costs less than 0.05 more than ")
    assert summary.endswith("\n```\n")
    assert (folder / "made").read_text().split()[-2:] == [".venv/ready", "PYTHON=python3"]


def test_what_fails_fails_and_still_writes_all(folder: Path) -> None:
    rows = folds_of(40, 1, 1, seed=1)
    few = pd.concat([scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.2, 3)])
    few.to_csv(folder / "few.csv", index=False)
    (told,) = (one for one in USES if "gate" in one)
    gate = told["gate"].replace("data/sonar.csv.gz", "few.csv")
    gate = gate.replace("C4.5", "Good").replace("Naive Bayes", "Bad")
    status, _ = ran(folder, {"gate": gate, "json": "a.json"})
    assert status == 4
    assert "\nCONTRADICTED: 'Bad' costs" in (folder / "summary.md").read_text("utf-8")
    assert json.loads((folder / "a.json").read_text("utf-8"))["result"] == "failed"
    assert ran(folder, {"gate": "none.csv\nnone.csv\n--at\npc=.5\n--margin\n.1"})[0] == 2


def test_the_workflow_audits_a_configuration(folder: Path) -> None:
    (told,) = (one for one in USES if "config" in one)
    assert (ROOT / told["config"]).is_file()
    status, said = ran(folder, {"config": "none.yaml"})
    assert status == 2
    assert "none.yaml: can't be read (No such file or directory)\n" in said


def test_a_study_without_claims_does_not_pass(folder: Path) -> None:
    """As little as it does as a hook of pre-commit."""
    (hook,) = (one for one in HOOKS if one["id"] == "costcurves-audit")
    assert shlex.split(hook["entry"])[1:] == ["audit", "--need-claims"]
    assert asked(folder, {"config": "c.yaml"}).startswith("audit --need-claims c.yaml --quiet\n")


def asked(folder: Path, told: dict[str, str]) -> str:
    """What the action gives the command, whose every call is noted and ends well."""
    action: dict[str, Any] = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
    away = folder / "one" / "two" / "three"
    away.mkdir(parents=True)
    (folder / ".venv" / "bin").mkdir(parents=True)
    program = folder / ".venv" / "bin" / "costcurves"
    program.write_text('#!/bin/sh\necho "$@" >> "$NOTED"\n')
    program.chmod(0o755)
    environment = {
        **{name.upper(): "" for name in action["inputs"]},
        **{name.upper(): value for name, value in told.items()},
        "GITHUB_ACTION_PATH": str(away),
        "GITHUB_STEP_SUMMARY": os.devnull,
        "NOTED": str(folder / "noted"),
    }
    subprocess.run(
        ["bash", "-eo", "pipefail", "-c", action["runs"]["steps"][-1]["run"]],
        env=os.environ | environment,
        cwd=folder,
        check=True,
    )
    return (folder / "noted").read_text()


@pytest.mark.parametrize(
    "told", [{}, {"config": "a.yaml", "gate": "a.csv\nb.csv"}, {"gate": " \n"}]
)
def test_one_of_its_inputs_is_needed(folder: Path, told: dict[str, str]) -> None:
    said = (
        "Give the action one of its inputs: config (a study to audit) or gate (what to compare)\n"
    )
    assert ran(folder, told) == (2, said)
    assert not (folder / "summary.md").exists()


def test_what_cannot_be_used_leaves_files_that_say_so(folder: Path) -> None:
    for name in ("old", "new"):
        rows = "".join(f"{n},{n % 2},0.{n}\n" for n in range(1, 9))
        (folder / f"{name}.csv").write_text(f"instance,label,score\n{rows}9,1,many\n")
    gate = "\n".join(("old.csv", "new.csv", "--at", "pc=.4", "--margin", ".1"))
    status, said = ran(folder, {"gate": gate, "json": "a.json"})
    assert status == 3
    document = json.loads((folder / "a.json").read_text("utf-8"))
    assert document["error"]["status"] == 3
    message = document["error"]["message"].split("\n")[1]
    assert "old.csv line 10: score is 'many'" in message
    assert message in said
    assert message in (folder / "summary.md").read_text("utf-8")


def test_hooks_are_commands() -> None:
    assert [one["id"] for one in HOOKS] == [
        f"costcurves-{shlex.split(one['entry'])[1]}" for one in HOOKS
    ]
    for one in HOOKS:
        program, name, *options = shlex.split(one["entry"])
        (known,) = (
            choices[name]._option_string_actions
            for action in main.parser([name])._actions
            if isinstance(choices := action.choices, dict)
        )
        assert program == "costcurves"
        assert {*options} <= {*known}
        assert one["pass_filenames"] is False
