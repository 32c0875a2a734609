"""The command line: words that it takes, how it ends, and the engine as it is called."""

import errno
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from argparse import SUPPRESS, Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import costcurves
from costcurves.code import PROFILES, WORKFLOW
from costcurves.command import main, report, workflow
from tests.command import Ended
from tests.small_study import HOSTILE, ROOT, contents, folds_of, scored

NOTHING = "No report was written; what there was is as it was\n"
STUDY = "study: s\ndatasets: [{name: d, predictions: [bayes.csv]}]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command runs; `named.csv` has no column that names its model."""
    monkeypatch.chdir(tmp_path)
    rows = scored(folds_of(24, 1, 2, seed=1), "Bayes", 2.0, 2)
    rows.to_csv("bayes.csv", index=False)
    rows[["instance", "label", "score"]].to_csv("named.csv", index=False)
    Path("bad.csv").write_text("model,instance,label,score\nm,1,0,high\n")
    Path("s.yaml").write_text(STUDY)
    return tmp_path


# Words


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("check", 2, "usage: costcurves"),
        ("-- check", 2, "usage: costcurves"),
        ("reprot", 2, "argument COMMAND: invalid choice: 'reprot' (choose from "),
        ("report a.csv --quik", 2, "unrecognized arguments: --quik"),
        ("check bayes.csv --classes some", 2, "argument --classes: invalid choice: 'some'"),
        ("report --cores two a.csv", 2, "argument --cores: invalid int value: 'two'"),
        ("init bayes.csv --cost-fn much", 2, "argument --cost-fn: invalid float value: 'much'"),
        ("report bayes.csv --quick --appendix", 2, "--quick leaves out what --appendix adds: give"),
        ("audit s.yaml --profile slrum", 2, "--profile is 'slrum', expected 'default', 'slurm', "),
        ("report s.yaml bayes.csv", 2, "s.yaml: a configuration is given alone, and says"),
        ("check s.yaml --positive 1", 2, "s.yaml: a configuration is given alone, and says"),
        ("report s.yaml --decimal ,", 2, "s.yaml: a configuration is given alone, and says"),
        ("report s.yaml --unpaired", 2, "s.yaml: a configuration is given alone, and says"),
        ("check none.yaml", 2, "none.yaml: can't be read (No such file or directory)"),
        ("audit open.yaml", 2, "open.yaml line"),
        ("report open.yaml", 2, "open.yaml line"),
        ("report sead.yaml", 2, "sead is not a known key; did you mean 'seed'?"),
        ("verify reports/none", 2, "there is no such folder"),
        ("verify .", 4, "manifest.json: is missing"),
        ("check bayes.csv --quie", 0, ""),
        ("check bayes.csv --missing NA", 0, ""),
        ("check bayes.csv --missing=NA --dec .", 0, ""),
        ("check -- --quik.csv", 0, ""),
        ("check report.csv", 0, ""),
    ],
)
def test_words(folder: Path, ended: Ended, words: str, status: int, message: str) -> None:
    for name in ("--quik.csv", "report.csv"):
        (folder / name).write_bytes((folder / "bayes.csv").read_bytes())
    (folder / "open.yaml").write_text("study: [")
    (folder / "sead.yaml").write_text("study: s\nsead: 1\n")
    result, out, err = ended(*words.split())
    assert (result, message in out + err) == (status, True), out + err
    assert "Traceback" not in err


def test_help_names_every_command_status_and_option(ended: Ended) -> None:
    status, out, _ = ended("--help")
    assert status == 0
    assert all(f"  {status}  " in out for status in (0, 2, 3, 4, 5))
    for name, summary in main.COMMANDS.items():
        assert re.search(rf"^    {name}\s+{re.escape(summary)}$", out, re.MULTILINE)
        page = ended(name, "--help")[1]
        assert f"examples:\n  costcurves {name} " in page
        (parser,) = (
            choices[name]
            for action in main.parser([name])._actions
            if isinstance(choices := action.choices, dict)
        )
        for action in parser._actions:
            assert action.help
            shown = action.help != SUPPRESS  # as of a former name
            assert all((option in page) == shown for option in action.option_strings)
    version = f"costcurves {costcurves.__version__}\n"
    assert ended("--version") == (0, version, "")
    assert f"\nversion: {costcurves.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_a_command_imports_no_other() -> None:
    code = "import sys; from costcurves.command.main import parser\n"
    for words in ([], ["stage", "report"], ["report", "stage"]):
        code += f"parser({words}); print('costcurves.command.report' in sys.modules, 'numpy' in "
        code += "sys.modules, 'ruamel.yaml' in sys.modules)\n"
    run = [sys.executable, "-c", code]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines == ["False False False", "False True False", "True True True"]


# How it ends


def full(*_: object) -> None:
    raise ImportError("libarrow.so.2600: failed to map segment from shared object")


def read_only(*_: object) -> None:
    raise OSError(errno.EROFS, "Read-only file system", "run.lock")


def stopped(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("failing", "status", "message"),
    [
        (full, 5, "there is not enough memory; free some, or use fewer cores, then run the same"),
        (read_only, 5, "Read-only file system: 'run.lock'; let this user read and write there, "),
        (stopped, 130, "Stopped; finished reports are as they were\n"),
        (lambda *_: 1 / 0, 5, "A fault of costcurves: ZeroDivisionError: division by zero (see "),
    ],
)
def test_what_fails_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    ended: Ended,
    failing: Callable[..., None],
    status: int,
    message: str,
) -> None:
    monkeypatch.setattr("costcurves.study.initial.find_datasets", failing)
    result, _, err = ended("check", "bayes.csv")
    assert (result, err.startswith(message), err.count("\n")) == (status, True, 1), err
    if log := re.search(r"\(see (.+)\)", err):
        assert "Traceback" in Path(log[1]).read_text()
        Path(log[1]).unlink()


FAULT = "A fault of costcurves: ZeroDivisionError: division by zero (see "


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize(
    ("words", "fails", "status", "out", "errors"),
    [
        ("check named.csv --json", False, 0, '{\n "datasets": [', ""),
        ("check bad.csv", False, 3, "", "bad.csv line 2: score is 'high', expected"),
        ("report named.csv --json", False, 2, '{\n "error": {', "named.yaml: exists, and is not"),
        ("check named.csv --json", True, 5, '{\n "error": {', FAULT),
    ],
)
def test_what_stands_on_each_stream(
    monkeypatch: pytest.MonkeyPatch,
    ended: Ended,
    words: str,
    fails: bool,
    status: int,
    out: str,
    errors: str,
    quiet: bool,
) -> None:
    """Answers on one; on the other errors, and notes unless all went well and quietly."""
    if fails:
        monkeypatch.setattr("costcurves.predictions.findings.plausibility", lambda *_: 1 / 0)
    Path("named.yaml").write_text(STUDY)
    result, printed, shown = ended(*words.split(), *["--quiet"] * quiet)
    assert (result, printed.startswith(out), bool(printed)) == (status, True, bool(out))
    lines = shown.splitlines()
    notes = [line for line in lines if line.startswith("named.csv: ")]
    assert bool(notes) == ("--json" in words and not (quiet and status == 0))
    others = [line for line in lines if line not in notes]
    assert [line.startswith(errors) for line in others] == [True] * bool(errors), shown
    if log := re.search(r"\(see (.+)\)", shown):
        Path(log[1]).unlink()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("check bad.csv", 3),
        ("report gone.csv --dry-run", 3),
        ("report gone.yaml", 2),
        ("audit none.yaml", 2),
        ("gate a b --at=dear --margin=1", 2),
    ],
)
def test_bad_input_is_a_document_with_the_error(ended: Ended, words: str, status: int) -> None:
    result, out, err = ended(*words.split(), "--json")
    error = {"status": status, "message": err.rstrip("\n")}
    assert (result, json.loads(out)) == (status, {"error": error})
    assert err


# The answer


@pytest.fixture
def answered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report as the workflow would have left it."""
    made = folder / "reports" / "bayes"
    made.mkdir(parents=True)
    (made / "report.html").touch()
    (made / "what_to_use.json").write_text('[{"lowest": "a\\u001b[2Kb"}]')
    (made / "answer.txt").write_text(f"{HOSTILE[0]}: use a\x1b[2Kb.\n  How: always\n")
    monkeypatch.setattr(workflow, "build", lambda *_: True)
    monkeypatch.setattr(report, "check_places", lambda *_: None)
    return made


def test_the_answer_is_printed_behind_its_place(
    answered: Path, monkeypatch: pytest.MonkeyPatch, ended: Ended
) -> None:
    answer = [f"{HOSTILE[0]}: use a\\u001b[2Kb.", "  How: always"]
    page, link = "reports/bayes/report.html", (answered / "report.html").as_uri()
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert ended("report", "bayes.csv")[1].splitlines() == [
        "Wrote bayes.yaml, the configuration of this study",
        "The report is ready:",
        f"  {page}",
        *answer,
    ]
    monkeypatch.setattr(workflow, "build", lambda *_: False)
    again = ended("report", "bayes.csv", "--open")
    ready = "Nothing has changed; the report is up to date:"
    assert again == (0, "\n".join([ready, f"  {page}", *answer, ""]), "")
    assert opened == [link]
    rows = Path("named.csv").read_text()
    Path("bayes.csv").write_text(rows)  # whose name is now that of its model
    Path("bayes.yaml").unlink()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    _, out, err = ended("report", "bayes.csv", "--json")
    assert json.loads(out) == {"pages": [page], "what_to_use": [{"lowest": "a\x1b[2Kb"}]}
    assert "bayes.csv: " in err
    assert ended("report", "bayes.yaml")[1].splitlines()[1] == f"  {link}"


def test_a_configuration_that_says_something_else_is_left_and_named(
    answered: Path, ended: Ended
) -> None:
    Path("bayes.yaml").write_text(STUDY)
    status, _, err = ended("report", "bayes.csv")
    assert (status, Path("bayes.yaml").read_text(), answered.exists()) == (2, STUDY, True)
    assert "to build what it says: costcurves report bayes.yaml; else remove it" in err


# The engine


def options_of(**changes: object) -> Namespace:
    return Namespace(**{"cores": None, "profile": "default", **changes})


def test_where_jobs_run() -> None:
    usual = yaml.safe_load((PROFILES / "default/config.yaml").read_text())
    here = dict(itertools.pairwise(workflow.engine_options(options_of())))
    assert (here["--cores"], here["--scheduler"]) == (usual["cores"], usual["scheduler"])
    assert ("--rerun-incomplete" in here) == usual["rerun-incomplete"]
    assert workflow.engine_options(options_of(cores=3))[-2:] == ["--cores", "3"]
    slurm = ["--workflow-profile", str(PROFILES / "slurm")]
    assert workflow.engine_options(options_of(profile="slurm")) == slurm
    there = options_of(profile=str(PROFILES / "slurm"), cores=3)
    assert workflow.engine_options(there) == [*slurm, "--cores", "3"]


def test_one_submission_makes_the_tables_of_some_datasets() -> None:
    profile = yaml.safe_load((PROFILES / "slurm" / "config.yaml").read_text())
    rules = "".join(file.read_text() for file in (WORKFLOW / "rules").glob("*.smk"))
    parts = re.split(r"^rule (\w+):$", rules, flags=re.MULTILINE)[1:]
    batched = {
        name
        for name, text in zip(parts[::2], parts[1::2], strict=True)
        if "{{wildcards.dataset}}" in text
    }
    assert set(profile["groups"]) == batched - {"figures"}
    assert profile["group-components"] == {"tables": 8}


def engine(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a program in the place of the workflow's engine, but not where the command runs."""
    package = folder / "engine" / "snakemake"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(folder / "engine"))


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("audit", []),
        ("report", []),
        ("report --quick", ["detail=quick"]),
        ("report --html --appendix", ["pdf=False", "appendix=True"]),
    ],
)
def test_no_workflow_runs_but_that_of_the_package(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: str,
    changes: list[str],
) -> None:
    """Neither one in the folder or above it, nor a profile or a module that lies there."""
    engine(folder, monkeypatch, "import json, sys\nprint(json.dumps([sys.path, sys.argv]))\n")
    (folder / "below" / "workflow" / "rules").mkdir(parents=True)
    for place in (folder, folder / "below"):
        (place / "Snakefile").write_text("raise SystemExit\n")
        (place / "snakemake.py").write_text("raise SystemExit\n")
    shutil.copy("bayes.csv", "below")
    monkeypatch.chdir(folder / "below")
    assert main.main([*words.split(), str(folder / "s.yaml")]) == 5
    paths, arguments = json.loads(capfd.readouterr().err.splitlines()[0])
    assert not {"", str(folder), str(folder / "below")} & set(paths)
    given = dict(itertools.pairwise(arguments))
    assert given["--snakefile"] == str(ROOT / "Snakefile")
    assert given["--workflow-profile"] == "none"
    keys = arguments[arguments.index("--config") + 1 :]
    values = itertools.takewhile(lambda word: not word.startswith("--"), keys)
    assert [*values] == ["print_answer=False", *changes]


@pytest.mark.parametrize(
    ("statuses", "locked", "status"),
    [([3], False, 3), ([3, 3], False, 3), ([3, 5], False, 5), ([], False, 5), ([], True, 2)],
)
def test_the_status_says_whether_data_or_costcurves_failed(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    ended: Ended,
    statuses: list[int],
    locked: bool,
    status: int,
) -> None:
    """As stages that failed have left it in files; what two say alike is said once."""
    for place, left in enumerate(statuses):
        file = folder / "logs" / "s" / f"{place}" / "averages.failed.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"status": left, "message": "bayes: what is wrong"}))
    if locked:  # by another run
        (folder / ".snakemake" / "locks").mkdir(parents=True)
        (folder / ".snakemake" / "locks" / "0.output.lock").touch()
    engine(folder, monkeypatch, f"raise SystemExit({int(bool(statuses))})\n")
    result, _, err = ended("report", "s.yaml")
    assert result == status
    assert err.count("bayes: what is wrong\n") == bool(statuses)
    assert err.endswith(NOTHING)


@pytest.mark.parametrize("words", [["report", "s.yaml"], ["audit", "s.yaml"]])
@pytest.mark.parametrize("file", ["reports/s/notes.md", "reports/s/p.csv", "results/s/mine.txt"])
def test_no_folder_of_somebody_is_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, ended: Ended, words: list[str], file: str
) -> None:
    engine(folder, monkeypatch, "import pathlib\npathlib.Path('begun').touch()\n")
    (folder / file).parent.mkdir(parents=True)
    shutil.copy("bayes.csv", file)
    if file.endswith("p.csv"):
        Path("s.yaml").write_text(STUDY.replace("bayes.csv", file))
    before = contents(folder)
    for more in ([], ["--dry-run"] if words[0] == "report" else []):
        status, _, err = ended(*words, *more)
        assert status == 2
        assert re.match(r"reports/s: a new report would replace|\S*s(/p.csv: lies in|: holds)", err)
        assert contents(folder) == before


def test_the_lock_is_removed_before_anything_is_built(
    monkeypatch: pytest.MonkeyPatch, answered: Path, ended: Ended
) -> None:
    done: list[str] = []
    monkeypatch.setattr(workflow, "snakemake", lambda _, options, __: done.append(options[-1]))
    monkeypatch.setattr(workflow, "build", lambda *_: done.append("built"))
    assert ended("report", "bayes.csv", "--unlock")[0] == 0
    assert (done, answered.exists()) == (["--unlock", "built"], True)


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


@pytest.mark.parametrize(
    ("ctrl_c", "numbers", "status"),
    [
        (signal.default_int_handler, [signal.SIGINT], 130),
        # Behind a shell's & Ctrl-C is for others, and SIGTERM ends it.
        (signal.SIG_IGN, [signal.SIGINT, signal.SIGTERM], 143),
    ],
)
def test_it_stops_after_the_workflow_has_ended(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    ctrl_c: signal.Handlers,
    numbers: list[signal.Signals],
    status: int,
) -> None:
    """The command alone gets the signal, and passes it on."""
    engine(folder, monkeypatch, SLOW_TO_STOP)
    places = {"PYTHONPATH": f"{folder / 'engine'}:{ROOT / 'workflow'}"}
    with subprocess.Popen(
        [sys.executable, "-m", "costcurves", "report", "s.yaml"],
        env={**os.environ, **places},
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, ctrl_c),
    ) as process:
        assert process.stderr
        assert process.stderr.readline() == b"one: begun\n"
        for number in numbers:
            os.kill(process.pid, number)
        assert process.stderr.read() == b"Stopped; finished reports are as they were\n"
    assert process.returncode == status
    assert (folder / "ended").exists()
