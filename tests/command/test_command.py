"""The command line without a workflow: what it checks and writes, how it ends, what it says."""

import errno
import io
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest
import yaml

import costcurves
from costcurves.code import PROFILES, WORKFLOW
from costcurves.command import main, workflow
from costcurves.predictions.asking import of_files
from costcurves.predictions.sources import study_name
from costcurves.study.initial import find_datasets, initial_config
from costcurves.study.reading import read_study
from tests.small_study import ROOT, contents, family, folds_of, scored

ROWS = folds_of(24, 2, 3, seed=1)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command runs."""
    monkeypatch.chdir(tmp_path)
    scored(ROWS, "Bayes", 2.0, 2).to_csv("bayes.csv", index=False)
    scored(ROWS, "Trees", 1.0, 3).to_csv("trees.csv", index=False)
    family(ROWS, "Boosted", 4).to_parquet("boosted.parquet")
    named = scored(ROWS, "Bayes", 2.0, 2).replace({"label": {0: "well", 1: "ill"}})
    named.assign(dataset="clinic").to_csv("clinic.csv", index=False)
    return tmp_path


def run(*arguments: str) -> int:
    return main.main(arguments)


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The status, and all that was said."""
    status = run(*arguments)
    said = capsys.readouterr()
    return status, said.out + said.err


def test_checking_says_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "bayes.csv", "trees.csv", "boosted.parquet") == 0
    shape = "24 instances, 12 of them positive, 2 repeats, 6 folds in all"
    assert capsys.readouterr().out.splitlines() == [
        "bayes: fine",
        "  240 predictions by 3 models",
        f"    Bayes: {shape}, scores",
        f"    Trees: {shape}, scores",
        f"    Boosted: {shape}, decisions, a family of 3 members",
    ]


def test_checking_counts_positives_where_classes_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = scored(ROWS, "Bayes", 2.0, 2)
    rare = rows["label"].eq(1) & rows["instance"].astype(int).mod(2).eq(0)
    rows[~rare].to_csv("rare.csv", index=False)
    assert run("check", "rare.csv") == 0
    assert "Bayes: 18 instances, 6 of them positive, 2 repeats" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fresh", "said"),
    [
        (True, "The report is ready:\n"),
        (False, "Nothing has changed; the report is up to date:\n"),
    ],
)
def test_a_report_says_whether_it_was_made_anew(
    fresh: bool, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workflow, "build", lambda *_, **__: fresh)
    assert said in ended(capsys, "report", "bayes.csv")[1]


def test_more_models_than_are_compared_unasked_are_told_before_any_job(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    models = [scored(ROWS, f"M{i}", 1.0, i) for i in range(33)]
    pd.concat(models).to_csv("many.csv", index=False)
    status, said = ended(capsys, "report", "many.csv")
    assert status == 3
    assert said.startswith("many: 33 models are 528 pairs, which share the error of a level of 0.9")
    assert "takes 5279 resamples, expected 5000 at most; set inference.resamples to 5279" in said
    assert not (folder / "results").exists()
    assert run("check", "many.csv") == run("init", "many.csv") == 0  # where it can be set


def test_a_positive_class_is_taken_that_labels_say_otherwise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Else the curves of whoever calls 0 positive would be those of 1."""
    assert run("check", "bayes.csv", "--positive", "0") == 0
    assert "positive is the label '0'" in capsys.readouterr().out


BAD = [
    (["missing.csv"], 3, "missing.csv: there is no such file"),
    (["bayes.doc"], 3, "bayes.doc: expected a name that ends in .csv, "),
    (["bayes.csv", "missing.csv", "gone.csv"], 3, "2 findings:"),
    (["clinic.csv"], 2, "labels of dataset 'clinic' are 'ill', 'well': say with --positive"),
    (["clinic.csv", "--positive", "sick"], 2, "--positive is 'sick', but labels of dataset"),
    (["bayes.csv", "--positive", "ill"], 2, "--positive is 'ill', but labels of dataset 'bayes' "),
    (["bayes.csv", "bayes.csv"], 2, "'bayes.csv' is given twice"),
    (["bayes.csv", "--study", "../x"], 2, "--study is '../x', expected letters, digits"),
]


@pytest.mark.parametrize("command", ["check", "init", "report"])
@pytest.mark.parametrize(("arguments", "status", "said"), BAD)
def test_files_that_cannot_be_used(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    arguments: list[str],
    status: int,
    said: str,
) -> None:
    before = sorted(folder.iterdir())
    found, message = ended(capsys, command, *arguments)
    message = message.replace("'well', 'ill'", "'ill', 'well'")  # whichever comes first
    assert (found, said in message) == (status, True), message
    assert "Traceback" not in message
    assert sorted(folder.iterdir()) == before


def test_checking_looks_at_the_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "bayes.csv").read_text()
    (folder / "twice.csv").write_text(text + text.splitlines()[1] + "\n")
    status, message = ended(capsys, "check", "twice.csv")
    assert (status, "twice.csv line 50" in message) == (3, True), message


def test_init_writes_a_study_and_never_over_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("init", "bayes.csv", "trees.csv") == 0
    said = capsys.readouterr().out
    assert said.splitlines() == [
        "Wrote bayes.yaml; build its report with: costcurves report bayes.yaml",
        "  'bayes': models 'Bayes', 'Trees'; labels '0', '1'",
    ]
    study = read_study("bayes.yaml")
    assert (study.name, study.datasets[0].predictions) == ("bayes", ("bayes.csv", "trees.csv"))
    before = (folder / "bayes.yaml").read_bytes()
    status, message = ended(capsys, "init", "trees.csv", "--output", "bayes.yaml")
    assert (status, (folder / "bayes.yaml").read_bytes()) == (2, before)
    assert "bayes.yaml: exists and is left as it is; name another file\n" in message


def several(columns: str, cells: str) -> None:
    rows = [
        f"NB,{fold},{one},{one}{fold},{cells}"
        for fold in range(2)
        for one in ("red", "tea: b", "x")
    ]
    header = f"model,fold,label,instance,{columns}"
    Path("tea.csv").write_text("".join(f"{line}\n" for line in [header, *rows]))


@pytest.mark.parametrize(
    ("columns", "cells", "order"),
    [
        ("score_x,score_red,score_tea: b", "0.5,0.2,0.3", ["x", "red", "tea: b"]),
        ("decision", "red", ["red", "tea: b", "x"]),
    ],
)
def test_several_classes_are_each_the_positive_one(
    capsys: pytest.CaptureFixture[str], columns: str, cells: str, order: list[str]
) -> None:
    several(columns, cells)
    assert run("check", "tea.csv") == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if line.endswith(": fine")] == [
        f"tea: {one}: fine" for one in order
    ]
    assert "6 instances, 2 of them positive" in said[2]
    assert run("init", "tea.csv") == 0
    made = read_study("tea.yaml").datasets
    assert [(one.positive, one.of) for one in made] == [(one, "tea") for one in order]
    told = ended(capsys, "check", "tea.csv", "--positive", order[0])
    assert told[0] == 2
    assert told[1].endswith(", of which each is positive in turn\n")
    scores = columns.split(",") if "," in columns else [f"score_{one}" for one in order]
    assert [one.score for one in made] == scores


def test_scores_of_classes_that_no_label_names_are_not_taken_for_classes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    several("score_calibrated", "0.5")
    status, said = ended(capsys, "check", "tea.csv")
    assert status == 3
    assert said.startswith("tea.csv: "), said


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_init_asks_for_the_positive_class_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("ill\n"))
    assert run("init", "clinic.csv") == 0
    assert "Which label of 'clinic' is the positive class" in capsys.readouterr().out
    assert read_study("clinic.yaml").datasets[0].positive == "ill"


def test_what_is_commented_out_can_be_said(folder: Path) -> None:
    """Every `# key:` is one that a configuration has."""
    text = initial_config("s", find_datasets(of_files(["bayes.csv"])), {})
    alive = re.sub(r"^( *)# (?= *(?:- \w|[a-z_]+:))", r"\1", text, flags=re.MULTILINE)
    (folder / "alive.yaml").write_text(alive)
    study = read_study("alive.yaml")
    assert study.appendix
    assert study.datasets[0].models == ("Bayes",)
    assert [(one.kind, one.models) for one in study.claims] == [("at most", ("Bayes",))]
    (money,) = study.operating_conditions
    assert (money.cost_ratio, money.unit) == (25, "EUR")


@pytest.mark.usefixtures("folder")
def test_money_that_is_given_to_init() -> None:
    assert (
        main.main(["init", "bayes.csv", *["--cost-fn", "500", "--cost-fp", "20", "--unit", "EUR"]])
        == 0
    )
    (money,) = read_study("bayes.yaml").operating_conditions
    assert (money.cost_ratio, money.unit) == (25, "EUR")
    with pytest.raises(SystemExit):
        main.main(["init", "bayes.csv", "--cost-fn", "much"])


def test_files_without_datasets_join_the_only_one() -> None:
    (one,) = find_datasets(of_files(["trees.csv", "clinic.csv"]))
    assert (one.name, [*one.files]) == ("clinic", ["trees.csv", "clinic.csv"])
    (two,) = find_datasets(of_files(["trees.csv", "bayes.csv"]))
    assert (two.name, two.models) == ("trees", ("Trees", "Bayes"))
    assert study_name("/x/CON.csv").startswith("CON-")


CONFIGURATIONS = [
    ("study: [", [], "study.yaml line"),
    ("study: s\nsead: 1\n", [], "sead is not a known key; did you mean 'seed'?"),
    ("study: s\n", ["bayes.csv"], "study.yaml: a configuration is given alone, and says"),
    ("study: s\n", ["--positive", "1"], "study.yaml: a configuration is given alone, and says"),
    ("study: s\n", ["--study", "t"], "study.yaml: a configuration is given alone, and says"),
    ("study: s\n", ["--decimal", ","], "study.yaml: a configuration is given alone, and says"),
]


@pytest.mark.parametrize(("text", "more", "said"), CONFIGURATIONS)
def test_configurations_that_cannot_be_used(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, more: Sequence[str], said: str
) -> None:
    (folder / "study.yaml").write_text(text)
    status, message = ended(capsys, "report", "study.yaml", *more)
    assert (status, said in message) == (2, True), message
    if not more:
        assert ended(capsys, "audit", "study.yaml") == (2, message)


def test_a_report_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, message = ended(capsys, "verify", "reports/none")
    assert (status, "there is no such folder" in message) == (2, True)
    (folder / "reports" / "none").mkdir(parents=True)
    status, message = ended(capsys, "verify", "reports/none")
    assert (status, "manifest.json: is missing" in message) == (4, True)


def test_a_fault_leaves_its_traceback_in_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("costcurves.study.initial.find_datasets", lambda *_: 1 / 0)
    status, message = ended(capsys, "check", "bayes.csv")
    assert status == 5
    named = re.fullmatch(
        r"A fault of costcurves: ZeroDivisionError: division by zero \(see (.+)\)\n", message
    )
    assert named is not None
    log = Path(named[1])
    assert "Traceback" in log.read_text()
    log.unlink()


def test_a_folder_without_leave_to_write_is_no_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", "run.lock")

    monkeypatch.setattr("costcurves.study.initial.find_datasets", read_only)
    assert ended(capsys, "check", "bayes.csv") == (
        5,
        "Read-only file system: 'run.lock'; let this user read and write there, then run the same "
        "again. What was there is unchanged\n",
    )


def test_memory_that_does_not_hold_what_is_imported_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: str) -> None:
        raise ImportError("libarrow.so.2600: failed to map segment from shared object")

    monkeypatch.setattr(main, "import_module", full)
    status, message = ended(capsys, "report", "bayes.csv")
    assert (status, message.split(";")[0]) == (5, "there is not enough memory")


@pytest.mark.parametrize("limit", [200, 399])
def test_a_limit_to_memory_that_nothing_can_be_done_with_is_said(limit: int) -> None:
    """Nothing is imported that could crash; help needs no more."""
    limited = ["bash", "-c", f'ulimit -v {limit * 1024}; exec "$0" "$@"']
    for arguments, status in ((["check", "bayes.csv"], 5), (["--help"], 0)):
        run = subprocess.run(
            [*limited, sys.executable, "-m", "costcurves", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")},
        )
        assert run.returncode == status, run.stderr
        said = f"A process may have {limit} MB of memory here (ulimit -v), expected at least 400"
        assert run.stderr.startswith(said) == (status == 5)
        assert len(run.stderr.splitlines()) == (status == 5)


def test_stopping_and_a_closed_pipe_are_no_faults(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("costcurves.study.initial.find_datasets", stopped)
    assert ended(capsys, "check", "bayes.csv") == (
        130,
        "Stopped; finished reports are as they were\n",
    )


@pytest.mark.parametrize("arguments", [["check"], ["--", "check"], ["-x"]])
def test_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("usage: costcurves")


def test_help_says_every_command_status_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("--help")
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    assert all(f"  {status}  " in said for status in (0, 2, 3, 4, 5))
    for name, summary in main.COMMANDS.items():
        assert re.search(rf"^    {name}\s+{re.escape(summary)}$", said, re.MULTILINE)
        with pytest.raises(SystemExit):
            run(name, "--help")
        own = capsys.readouterr().out
        assert f"examples:\n  costcurves {name} " in own
        (parser,) = (
            choices[name]
            for action in main.parser([name])._actions
            if isinstance(choices := action.choices, dict)
        )
        for action in parser._actions:
            assert action.help
            assert all(option in own for option in action.option_strings)


def test_help_imports_nothing_that_takes_long() -> None:
    told = "import sys; from costcurves.command.main import parser; parser([]); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert not {"numpy", "yaml", "costcurves.command.report"} & set(run.stdout.split())


def test_the_stage_of_a_report_does_not_import_the_command() -> None:
    code = "import sys; from costcurves.command.main import parser; parser(sys.argv[1:]); "
    code += "print('costcurves.command.report' in sys.modules)"
    for words, imported in ((["stage", "report"], "False"), (["report", "stage"], "True")):
        run = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
        )
        assert run.stdout.split() == [imported]


def test_the_version_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"costcurves {costcurves.__version__}\n"
    assert f"\nversion: {costcurves.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_where_jobs_run(monkeypatch: pytest.MonkeyPatch) -> None:
    own, usual = PROFILES / "slurm", yaml.safe_load((PROFILES / "default/config.yaml").read_text())
    here = dict(itertools.pairwise(workflow.engine_options()))
    assert (here["--cores"], here["--scheduler"]) == (usual["cores"], usual["scheduler"])
    assert ("--rerun-incomplete" in here) == usual["rerun-incomplete"]
    assert workflow.engine_options(3)[-2:] == ["--cores", "3"]
    monkeypatch.setattr(workflow, "find_spec", {"snakemake_executor_plugin_slurm": "there"}.get)
    assert workflow.engine_options(profile="slurm") == ["--workflow-profile", str(own)]
    assert workflow.engine_options(3, str(own)) == ["--workflow-profile", str(own), "--cores", "3"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["report", "audit"])
def test_a_profile_that_is_not_there(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert run(command, "study.yaml", "--profile", "slrum") == 2
    known = "'default', 'slurm', or a folder with a config.yaml"
    assert capsys.readouterr().err == f"--profile is 'slrum', expected {known}\n"


def test_a_profile_whose_plugin_is_not_installed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ours").mkdir()
    (folder / "ours" / "config.yaml").write_text("executor: our-grid\n")
    assert run("report", "study.yaml", "--profile", "ours") == 2
    assert capsys.readouterr().err == (
        "--profile is 'ours': it needs snakemake-executor-plugin-our-grid, which is not installed: "
        "pip install snakemake-executor-plugin-our-grid\n"
    )


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


# The workflow as it is seen from outside.


def engine(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a program in the place of the workflow's engine, but not where the command runs."""
    package = folder / "engine" / "snakemake"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(folder / "engine"))


@pytest.mark.parametrize("command", ["report", "audit"])
def test_no_workflow_runs_but_that_of_the_package(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    """Neither one in the folder or above it, nor a profile or a module that lies there."""
    assert run("init", "bayes.csv") == 0
    engine(folder, monkeypatch, "import json, sys\nprint(json.dumps([sys.path, sys.argv]))\n")
    (folder / "below" / "workflow" / "rules").mkdir(parents=True)
    for place in (folder, folder / "below"):
        (place / "Snakefile").write_text("raise SystemExit\n")
        (place / "workflow" / "rules").mkdir(parents=True, exist_ok=True)
        (place / "snakemake.py").write_text("raise SystemExit\n")
        (place / "bayes.csv").touch()
    monkeypatch.chdir(folder / "below")
    assert run(command, str(folder / "bayes.yaml")) == 5
    paths, arguments = json.loads(capfd.readouterr().err.splitlines()[0])
    assert not {"", str(folder), str(folder / "below")} & set(paths)
    given = dict(itertools.pairwise(arguments))
    assert given["--snakefile"] == str(ROOT / "Snakefile")
    assert given["--workflow-profile"] == "none"


@pytest.mark.parametrize(
    ("given", "engines"),
    [
        ([], ""),
        (["--quick"], " detail=quick"),
        (["--html"], " pdf=False"),
        (["--html", "--appendix"], " pdf=False appendix=True"),
    ],
)
def test_less_or_more_is_asked_of_the_workflow(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    given: list[str],
    engines: str,
) -> None:
    engine(folder, monkeypatch, "import sys\nprint(*sys.argv)\n")
    assert run("report", "bayes.csv", *given) == 5
    said = capfd.readouterr().err.splitlines()[0]
    assert said.partition(" --config print_answer=False")[2] == engines


def test_a_workflow_that_leaves_no_report_has_failed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(folder, monkeypatch, "")
    ending = "The workflow ended, and reports/bayes is not its report\n"
    status, said = ended(capsys, "report", "bayes.csv")
    assert (status, ending in said) == (5, True)


@pytest.mark.parametrize("command", ["report", "audit"])
def test_no_folder_of_somebody_is_replaced(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    engine(folder, monkeypatch, "import pathlib\npathlib.Path('begun').touch()\n")
    (folder / "reports" / "s").mkdir(parents=True)
    (folder / "reports" / "s" / "notes.md").write_text("mine")
    for place in ("", "reports/s/"):
        shutil.copy(folder / "bayes.csv", folder / f"{place}p.csv")
        datasets = f"datasets: [{{name: d, predictions: [{place}p.csv]}}]\n"
        (folder / "s.yaml").write_text(f"study: s\n{datasets}")
        before = contents(folder)
        status, message = ended(capsys, command, "s.yaml")
        assert status == 2
        why = "p.csv: lies in reports/s, " if place else "a new report would replace 'notes.md'"
        assert message.startswith(f"reports/s{'/' if place else ': '}{why}")
        assert contents(folder) == before


def test_the_same_holds_of_bare_predictions(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(folder, monkeypatch, "import pathlib\npathlib.Path('begun').touch()\n")
    (folder / "reports" / "bayes").mkdir(parents=True)
    (folder / "reports" / "bayes" / "chart.png").write_text("mine")
    before = contents(folder)
    status, message = ended(capsys, "report", "bayes.csv")
    said = "reports/bayes: a new report would replace 'chart.png', which no manifest of a"
    assert (status, said in message) == (2, True)
    (folder / "bayes.yaml").unlink()  # the configuration, which the command wrote
    assert contents(folder) == before


COMMAND = (
    "RuleException:\nCalledProcessError in file 'x.smk', line 3:\nCommand 'set -e; costcurves'"
)


@pytest.mark.parametrize("given", ["bayes.csv", "s.yaml"])
def test_the_lock_is_removed_before_anything_is_built(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    (folder / "s.yaml").write_text("study: s\ndatasets: [{name: d, predictions: [bayes.csv]}]\n")
    done: list[str] = []
    monkeypatch.setattr(workflow, "snakemake", lambda _, options: done.append(options[-1]))
    monkeypatch.setattr(workflow, "build", lambda *_, **__: done.append("built"))
    assert ended(capsys, "report", given, "--unlock")[0] == 0
    assert done == ["--unlock", "built"]


def test_an_engine_that_is_killed_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(folder, monkeypatch, "import os\nos.kill(os.getpid(), 9)\n")
    status, message = ended(capsys, "report", "bayes.csv")
    assert (status, message.splitlines()[-2:]) == (
        5,
        [
            "The workflow was ended from outside (SIGKILL)",
            "No report was written; what there was is as it was",
        ],
    )


@pytest.mark.parametrize(("statuses", "status"), [([3], 3), ([3, 3], 3), ([3, 5], 5), ([], 5)])
def test_the_status_says_whether_data_or_costcurves_failed(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    statuses: list[int],
    status: int,
) -> None:
    """As stages that failed have left it in files; what two say alike is said once."""
    for place, one in enumerate(statuses):
        left = folder / "logs" / "bayes" / f"{place}" / "averages.failed.json"
        left.parent.mkdir(parents=True)
        left.write_text(json.dumps({"status": one, "message": "bayes: what is wrong"}))
    engine(folder, monkeypatch, "raise SystemExit(1)\n")
    found, message = ended(capsys, "report", "bayes.csv")
    assert found == status
    assert message.count("bayes: what is wrong\n") == bool(statuses)
    assert message.endswith("No report was written; what there was is as it was\n")


def test_a_lock_of_another_run_is_no_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".snakemake" / "locks").mkdir(parents=True)
    (folder / ".snakemake" / "locks" / "0.output.lock").touch()
    engine(folder, monkeypatch, "raise SystemExit(1)\n")
    assert ended(capsys, "report", "bayes.csv")[0] == 2


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
        (signal.default_int_handler, [signal.SIGTERM], 143),
        # Behind a shell's & Ctrl-C is for others, and SIGTERM ends it.
        (signal.SIG_IGN, [signal.SIGINT, signal.SIGTERM], 143),
    ],
)
def test_told_to_stop_it_waits_for_the_workflow_to_end(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    ctrl_c: signal.Handlers,
    numbers: list[signal.Signals],
    status: int,
) -> None:
    """The command alone gets the signal, and passes it on."""
    engine(folder, monkeypatch, SLOW_TO_STOP)
    command = [sys.executable, "-m", "costcurves", "report", "bayes.csv"]
    places = {"PYTHONPATH": f"{folder / 'engine'}:{ROOT / 'workflow'}"}
    with subprocess.Popen(
        command,
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
