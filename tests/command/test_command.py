"""The command line: words that it takes, how it ends, and the engine as it is called."""

import ast
import errno
import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import yaml

import costcurves
from costcurves.code import PROFILES, WORKFLOW
from costcurves.command import main, report, workflow
from docs.site.reference import parser_of
from tests.command import ended
from tests.small_study import HOSTILE, ROOT, folds_of, scored

STUDY = "study: s\ndatasets: [{name: d, predictions: [bayes.csv]}]\n"


@pytest.fixture(autouse=True)
def folder(folder: Path) -> Path:
    """Where the command runs; `named.csv` has no column that names its model."""
    rows = scored(folds_of(24, 1, 2, seed=1), "Bayes", 2.0, 2)
    for name in ("bayes.csv", "--quik.csv", "report.csv"):
        rows.to_csv(name, index=False)
    rows[["instance", "label", "score"]].to_csv("named.csv", index=False)
    Path("bad.csv").write_text("model,instance,label,score\nm,1,0,high\n")
    mine = STUDY.replace("study: s", "study: mine")
    for name, text in {"s": STUDY, "named": STUDY, "mine": mine, "open": "study: ["}.items():
        Path(f"{name}.yaml").write_text(text)
    Path("reports/mine").mkdir(parents=True)
    Path("reports/mine/notes.md").touch()
    return folder


# Words

ALONE = "s.yaml: a configuration is given alone, and says"


WORDS = [
    ("check", 2, "usage: costcurves"),
    ("-- check", 2, "usage: costcurves"),
    ("reprot", 2, "argument COMMAND: invalid choice: 'reprot' (choose from "),
    ("report a.csv --quik", 2, "unrecognized arguments: --quik"),
    ("check bayes.csv --classes some", 2, "argument --classes: invalid choice: 'some'"),
    ("report bayes.csv --quick --appendix", 2, "--quick leaves out what --appendix adds: give"),
    ("audit s.yaml --profile slrum", 2, "--profile is 'slrum', expected 'default', 'slurm', "),
    ("report s.yaml bayes.csv", 2, ALONE),
    ("check s.yaml --positive 1", 2, ALONE),
    ("audit open.yaml", 2, "open.yaml line"),
    ("verify reports/none", 2, "there is no such folder"),
    ("verify .", 4, "manifest.json: is missing"),
    ("check bayes.csv --quie", 0, ""),
    ("check bayes.csv --missing=NA --dec .", 0, ""),
    ("check -- --quik.csv", 0, ""),
    ("check report.csv", 0, ""),
    ("--version", 0, f"costcurves {costcurves.__version__}\n"),
]


@pytest.mark.parametrize(("words", "status", "message"), WORDS)
def test_words(words: str, status: int, message: str) -> None:
    result, out, err = ended(*words.split())
    assert (result, message in out + err) == (status, True), out + err
    assert "Traceback" not in err


def test_help_names_every_command_status_and_option() -> None:
    status, out, _ = ended("--help")
    assert status == 0
    assert all(f"  {status}  " in out for status in (0, 2, 3, 4, 5))
    for name, summary in main.COMMANDS.items():
        assert re.search(rf"^    {name}\s+{re.escape(summary)}$", out, re.MULTILINE)
        page = ended(name, "--help")[1]
        assert f"examples:\n  costcurves {name} " in page
        for action in parser_of(name)._actions:
            assert action.help
            assert all(option in page for option in action.option_strings)


def test_a_command_imports_no_other_and_reading_a_study_is_light() -> None:
    stage = {"numpy", "pandas", "pyarrow"}
    steps = {  # what is done, one after the other, and what is then imported
        "import costcurves.settings, costcurves.study.reading": set(),
        "from costcurves.command.main import parser; parser([])": set(),
        "parser(['stage', 'report'])": stage,
        "parser(['report', 'stage'])": {*stage, "ruamel", "costcurves.command.report"},
    }
    heavy = {"scipy", "matplotlib", "yaml", *[*steps.values()][-1]}
    code = "".join(f"{step}; print({heavy} & {{*sys.modules}} or '')\n" for step in steps)
    run = [sys.executable, "-c", f"import sys; {code}"]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [{*re.findall(r"[\w.]+", line)} for line in lines] == [*steps.values()]


# How it ends


FULL = ImportError("libarrow.so.2600: failed to map segment from shared object")
READ_ONLY = OSError(errno.EROFS, "Read-only file system", "run.lock")


ENDS = [
    ("check named.csv", None, 0, ""),
    ("check bad.csv", None, 3, "bad.csv line 2: score is 'high', expected"),
    ("report gone.csv --dry-run", None, 3, "gone.csv: there is no such file"),
    ("report named.csv", None, 2, "named.yaml: exists, and is not the configuration"),
    ("report gone.yaml", None, 2, "gone.yaml: can't be read"),
    ("report mine.yaml --dry-run", None, 2, "reports/mine: a new report would replace 'notes.md'"),
    ("audit mine.yaml", None, 2, "reports/mine: a new report would replace 'notes.md'"),
    ("gate a b --at=dear --margin=1", None, 2, "--at is 'dear'"),
    ("check named.csv", FULL, 5, "there is not enough memory; free some, or use fewer cores,"),
    ("check named.csv", READ_ONLY, 5, "Read-only file system: 'run.lock'; let this user read"),
    ("check named.csv", KeyboardInterrupt(), 130, "Stopped; finished reports are as they were"),
    ("check named.csv", ValueError("x"), 5, "A fault of costcurves: ValueError: x (see "),
]


@pytest.mark.parametrize("more", ["", "--json", "--json --quiet"])
@pytest.mark.parametrize(("words", "fault", "status", "message"), ENDS)
def test_what_stands_on_each_stream(
    monkeypatch: pytest.MonkeyPatch, words: str, fault: Any, status: int, message: str, more: str
) -> None:
    """Answers on one; on the other an error, and notes unless all went well and quietly."""
    if fault:
        failing = Mock(side_effect=fault)
        monkeypatch.setattr("costcurves.predictions.findings.plausibility", failing)
    result, out, err = ended(*f"{words} {more}".split())
    notes = {line for line in (out + err).splitlines() if line.startswith("named.csv: ")}
    assert bool(notes) == ("named" in words and not ("--quiet" in more and status == 0))
    lines = [line for line in err.splitlines() if line not in notes]
    assert (result, [line.startswith(message) for line in lines]) == (status, [True] * bool(status))
    if log := re.search(r"\(see (.+)\)", err):
        assert "Traceback" in Path(log[1]).read_text()
        Path(log[1]).unlink()
    if more:
        error = {"error": {"status": status, "message": "\n".join(lines)}}
        document = json.loads(out)
        assert document == error if status else document["datasets"]
    else:
        assert status == 0 or {*out.splitlines()} == notes


# The answer


def test_the_answer_is_behind_its_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a report as the workflow would have left it."""
    made, page = folder / "reports" / "bayes", "reports/bayes/report.html"
    made.mkdir(parents=True)
    (made / "report.html").touch()
    (made / "what_to_use.json").write_text('[{"lowest": "a\\u001b[2Kb"}]')
    (made / "answer.txt").write_text(f"{HOSTILE[0]}: use a\x1b[2Kb.\n  How: always\n")
    monkeypatch.setattr(workflow, "build", lambda *_: True)
    monkeypatch.setattr(report, "check_places", lambda *_: None)
    answer, link = f"{HOSTILE[0]}: use a\\u001b[2Kb.\n  How: always\n", (folder / page).as_uri()
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    wrote = "Wrote bayes.yaml, the configuration of this study\nThe report is ready:\n"
    assert ended("report", "bayes.csv") == (0, f"{wrote}  {page}\n{answer}", "")
    monkeypatch.setattr(workflow, "build", lambda *_: False)
    ready = "Nothing has changed; the report is up to date:\n"
    assert ended("report", "bayes.csv", "--open") == (0, f"{ready}  {page}\n{answer}", "")
    assert opened == [link]
    monkeypatch.setattr(workflow, "sys", Mock(stdout=Mock(isatty=lambda: True)))
    assert ended("report", "bayes.yaml") == (0, f"{ready}  {link}\n{answer}", "")
    monkeypatch.setattr(workflow, "sys", sys)
    Path("named.csv").replace("bayes.csv")  # whose name is now that of its model
    Path("bayes.yaml").unlink()
    _, out, err = ended("report", "bayes.csv", "--json")
    assert json.loads(out) == {"pages": [page], "what_to_use": [{"lowest": "a\x1b[2Kb"}]}
    assert "bayes.csv: " in err
    done: list[str] = []  # a lock is removed before anything is built
    monkeypatch.setattr(workflow, "snakemake", lambda _, options, __: done.append(options[-1]))
    monkeypatch.setattr(workflow, "build", lambda *_: done.append("built"))
    assert ended("report", "bayes.csv", "--unlock")[0] == 0
    assert done == ["--unlock", "built"]


# The engine


def test_one_submission_makes_the_tables_of_some_datasets() -> None:
    profile = yaml.safe_load((PROFILES / "slurm" / "config.yaml").read_text())
    rules = "\n".join(file.read_text() for file in (WORKFLOW / "rules").glob("*.smk"))
    of_datasets = r"(?m)^rule (\w+):$(?:\n(?!rule ).*)*?\{\{wildcards\.dataset\}\}"
    assert {*profile["groups"]} == {*re.findall(of_datasets, rules)} - {"figures"}
    assert profile["group-components"] == {"tables": 8}


def engine(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a program in the place of the workflow's engine, but not where the command runs."""
    package = folder / "engine" / "snakemake"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", f"{folder / 'engine'}:{ROOT / 'workflow'}")


USUAL = yaml.safe_load((PROFILES / "default/config.yaml").read_text())
HERE = {"--cores": USUAL["cores"], "--scheduler": USUAL["scheduler"], "--workflow-profile": "none"}
SLURM = {"--workflow-profile": str(PROFILES / "slurm")}
FOLDER = shlex.quote(str(PROFILES / "slurm"))
CHANGES = [
    ("audit", [], HERE),
    ("report --quick --cores 3", ["detail=quick"], HERE | {"--cores": "3"}),
    ("report --html --appendix --profile slurm", ["pdf=False", "appendix=True"], SLURM),
    (f"audit --profile {FOLDER} --cores 3", [], SLURM | {"--cores": "3"}),
]


@pytest.mark.parametrize(("words", "changes", "options"), CHANGES)
def test_no_workflow_runs_but_that_of_the_package(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: str, changes: list[str], options: Any
) -> None:
    """Neither one in the folder or above it, nor a profile or a module that lies there."""
    engine(folder, monkeypatch, "import sys; open('called', 'w').write(repr([sys.path, sys.argv]))")
    below = folder / "below"
    (below / "workflow" / "rules").mkdir(parents=True)
    for file in ("Snakefile", "snakemake.py", "below/Snakefile", "below/snakemake.py"):
        Path(file).write_text("raise SystemExit\n")
    shutil.copy("bayes.csv", "below")
    monkeypatch.chdir(below)
    assert main.main([*shlex.split(words), str(folder / "s.yaml")]) == 5
    paths, arguments = ast.literal_eval(Path("called").read_text())
    assert not {"", str(folder), str(below)} & {*paths}
    given = dict(itertools.pairwise(arguments))
    assert {"--snakefile": str(ROOT / "Snakefile"), **options}.items() <= given.items()
    assert ("--rerun-incomplete" in given) == (options["--workflow-profile"] == "none")
    keys = arguments[arguments.index("--config") + 1 :]
    values = itertools.takewhile(lambda word: not word.startswith("--"), keys)
    assert [*values] == ["print_answer=False", *changes]


@pytest.mark.parametrize(
    ("left", "status"), [("3", 3), ("33", 3), ("35", 5), ("", 5), ("", 2), ("3", 2)]
)
def test_the_status_says_whether_data_or_costcurves_failed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, left: str, status: int
) -> None:
    """As stages that failed have left it in files; what two say alike is said once."""
    for place, number in enumerate(left):
        file = folder / "logs" / "s" / f"{place}" / "averages.failed.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"status": int(number), "message": "bayes: what is wrong"}))
    if status == 2:  # locked by another run
        (folder / ".snakemake" / "locks" / "0.output.lock").mkdir(parents=True)
    engine(folder, monkeypatch, f"raise SystemExit({int(bool(left))})\n")
    wrong = "bayes: what is wrong\n" * (status > 2 and bool(left))
    nothing = "No report was written; what there was is as it was\n"
    assert ended("report", "s.yaml") == (status, "", wrong + nothing)


SLOW_TO_STOP = """\
import pathlib, signal, time
signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    print("one: begun", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.3)
    pathlib.Path("ended").touch()
"""


@pytest.mark.parametrize("behind", [False, True])
def test_it_stops_after_the_workflow_has_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch, behind: bool
) -> None:
    """The command alone gets the signal, and passes it on.

    Behind a shell's & Ctrl-C is for others, and SIGTERM ends it.
    """
    numbers = [signal.SIGINT, signal.SIGTERM] if behind else [signal.SIGINT]
    ctrl_c = signal.SIG_IGN if behind else signal.default_int_handler
    engine(folder, monkeypatch, SLOW_TO_STOP)
    with subprocess.Popen(
        [sys.executable, "-m", "costcurves", "report", "s.yaml"],
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, ctrl_c),
    ) as process:
        assert process.stderr
        assert process.stderr.readline() == b"one: begun\n"
        for number in numbers:
            os.kill(process.pid, number)
        assert process.stderr.read() == b"Stopped; finished reports are as they were\n"
    assert process.returncode == 128 + numbers[-1]
    assert (folder / "ended").exists()
