"""The action for others' pipelines: what its steps run, with the inputs of the workflow."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from costcurves.command import main

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "audit"
STEPS: dict[str, Any] = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
NEITHER = "Give the action one of its inputs: config (a study to audit) or gate (what to compare)\n"


def ran(folder: Path, inputs: dict[str, str]) -> tuple[int, str]:
    """Run the steps as a runner does; return the status of the first that fails, and the summary.

    The command that sets up the environment is only noted, as there is one.
    """
    values = {name: value["default"] for name, value in STEPS["inputs"].items()} | inputs
    assert values.keys() == STEPS["inputs"].keys()
    programs, summary = folder / "programs", folder / "summary.md"
    programs.mkdir()
    (programs / "make").write_text('#!/bin/sh\necho "$@" > made\n')
    (programs / "make").chmod(0o755)
    places = {"GITHUB_ACTION_PATH": str(ACTION), "GITHUB_STEP_SUMMARY": str(summary)}
    environment = os.environ | places | {"PATH": f"{programs}:{os.environ['PATH']}"}
    for step in STEPS["runs"]["steps"]:
        assert "${{" not in step["run"]  # what others write is never a part of a script
        for name, value in step["env"].items():
            environment[name] = re.sub(
                r"\$\{\{ inputs\.(\w+) \}\}", lambda of: values[of[1]], value
            )
        shell = [step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        run = subprocess.run(shell, env=environment, cwd=folder, capture_output=True, text=True)
        if run.returncode:
            return run.returncode, run.stdout + run.stderr
    return 0, summary.read_text("utf-8")


def test_the_workflow_gates_the_bundled_data(tmp_path: Path) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "audit.yml").read_text("utf-8"))
    steps = workflow["jobs"]["audit"]["steps"]
    audited, gated = (step["with"] for step in steps if step["uses"].startswith("./.github"))
    assert (ROOT / audited["config"]).is_file()
    (tmp_path / "data").symlink_to(ROOT / "data")
    status, summary = ran(tmp_path, gated)
    assert (status, summary[-5:]) == (0, "\n```\n"), summary
    assert summary.startswith("```text\nSUPPORTED: 'Naive Bayes' costs less than 0.05 more than ")
    assert (tmp_path / "made").read_text().split()[-2:] == [".venv/ready", "PYTHON=python3"]


FAILING = [
    ({}, 2, NEITHER),
    ({"config": "a.yaml", "gate": "a.csv\nb.csv"}, 2, NEITHER),
    ({"config": "none.yaml"}, 2, "none.yaml: can't be read (No such file or directory)"),
    ({"gate": "old.csv\nnew.csv\n--at\npc=.4\n--margin\n.1"}, 4, "CONTRADICTED: 'new' costs"),
    ({"gate": "old.csv\nbad.csv\n--at\npc=.4\n--margin\n.1"}, 3, "line 10: score is 'many'"),
]


@pytest.mark.parametrize(("inputs", "status", "message"), FAILING)
def test_what_fails_ends_with_its_status_and_still_writes_all(
    tmp_path: Path, inputs: dict[str, str], status: int, message: str
) -> None:
    for name, skill in {"old": 0.6, "new": 0, "bad": 0}.items():
        rows = [f"{n},{n % 2},{n * 37 % 101 / 101 + skill * (n % 2):.3f}" for n in range(1, 101)]
        rows[8] = "9,1,many" if name == "bad" else rows[8]
        (tmp_path / f"{name}.csv").write_text("\n".join(["instance,label,score", *rows, ""]))
    ended, printed = ran(tmp_path, {"json": "a.json", **inputs})
    assert (ended, message in printed) == (status, True), printed
    assert (tmp_path / "summary.md").exists() == (message != NEITHER)
    if message != NEITHER:
        document = json.loads((tmp_path / "a.json").read_text("utf-8"))
        assert message in (tmp_path / "summary.md").read_text("utf-8")
        assert document["result"] == "failed" if status == 4 else message in str(document["error"])


def test_hooks_and_the_action_are_commands_that_fail_without_claims() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for hook in hooks:
        program, *words = shlex.split(hook["entry"])
        assert (program, hook["pass_filenames"]) == ("costcurves", False)
        assert hook["id"] == f"costcurves-{words[0]}"
        more = ["b.csv", "--at=pc=.5", "--margin=1"] if words[0] == "gate" else []
        main.parser([words[0]]).parse_args([*words, "a.yaml", *more])
    assert "costcurves audit --need-claims" in [hook["entry"] for hook in hooks]
    assert "command+=(audit --need-claims" in STEPS["runs"]["steps"][1]["run"]
