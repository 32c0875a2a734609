"""A study from its files to a verified report by the command, and the same without names."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
import pikepdf
import pytest
import yaml

from costcurves.command import main
from costcurves.record.manifest import MANIFEST, read_manifest, sha256
from costcurves.report.libraries import pdf_missing
from tests.small_study import ROOT, contents, folds_of, scored

PERSON = "jo-quaxnor"  # a name that nothing else has
REPORT = Path("reports", "tiny")


def command(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, as a person of a telling name."""
    telling = dict.fromkeys(("USER", "LOGNAME", "HOSTNAME", "GIT_AUTHOR_NAME", "EMAIL"), PERSON)
    environment = {**os.environ, **telling, "PYTHONPATH": str(ROOT / "workflow"), "NO_COLOR": "1"}
    environment |= more
    return subprocess.run(
        [sys.executable, "-m", "costcurves", *arguments],
        check=False,
        capture_output=True,
        encoding=more.get("PYTHONIOENCODING", "utf-8"),
        env=environment,
        cwd=folder,
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study in the folder of a person, from `init` to `report`, of files in other folders."""
    home = tmp_path_factory.mktemp("home") / PERSON
    rows = folds_of(24, 1, 2, seed=1)
    for name, skill in (("Bayes", 2.0), ("Trees", 1.0)):
        (home / name).mkdir(parents=True)
        scored(rows, name, skill, 2).to_csv(home / name / "predictions.csv", index=False)
    folder = home / "study"
    folder.mkdir()
    files = ["../Bayes/predictions.csv", str(home / "Trees" / "predictions.csv")]
    made = command(folder, "init", *files, "--study", "tiny")
    assert made.returncode == 0, made.stderr
    config = yaml.safe_load((folder / "tiny.yaml").read_text())
    config["inference"] = {"resamples": 50}
    (folder / "tiny.yaml").write_text(yaml.safe_dump(config))
    run = command(folder, "report", "tiny.yaml")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("The report is ready:\n  reports/tiny/report.html\n")
    assert not re.search(r"\x1b|Job stats|Select jobs|steps \(", run.stderr)
    return folder


def test_names_that_the_output_can_not_hold_end_no_run(tmp_path: Path) -> None:
    """Names are escaped as in JSON."""
    rows = folds_of(24, 1, 2, seed=1)
    names = "\u0414\u0435\u0440\u0435\u0432\u043e", "n\xe9"
    models = [scored(rows, name, skill, 2) for name, skill in zip(names, (2.0, 1.0), strict=True)]
    pd.concat(models).to_csv(tmp_path / "tiny.csv", index=False)
    encoded = {"PYTHONIOENCODING": "latin-1", "LC_ALL": "C"}
    run = command(tmp_path, "report", "tiny.csv", "--quick", **encoded)
    assert run.returncode == 0, run.stderr
    assert r"\u0414\u0435\u0440\u0435\u0432\u043e" in run.stdout
    again = command(tmp_path, "report", "tiny.csv", "--quick", "--json", **encoded)
    assert json.loads(again.stdout)["what_to_use"][0]["lowest"] in names


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """The built folder and those beside it, which a test may spoil."""
    shutil.copytree(built.parent, tmp_path / PERSON)
    return tmp_path / PERSON / "study"


def sources(copy: Path) -> list[str]:
    """Name the folders in which the sources of a report lie, where paths begin the first."""
    paths = [copy / one["path"] for one in read_manifest(copy / REPORT)["sources"]]
    folders = [copy, *(path.parent for path in paths)]
    return [word for folder in folders for word in ("--sources", str(folder))]


def test_a_second_report_has_nothing_to_do(built: Path) -> None:
    run = command(built, "report", "tiny.yaml")
    assert (run.returncode, run.stdout.splitlines()[0]) == (
        0,
        "Nothing has changed; the report is up to date:",
    )


def test_a_dry_run_lists_the_jobs_that_run(copy: Path) -> None:
    """A result is not there any more, and a page has to be written."""
    (copy / "results" / "tiny" / "predictions" / "confidence" / "bands.parquet").unlink()
    before = contents(copy / "reports")
    run = command(copy, "report", "tiny.yaml", "--html", "--dry-run")
    assert run.returncode == 0, run.stderr
    jobs = {*re.findall(r"^(\w+) +1$", run.stdout + run.stderr, re.MULTILINE)}
    assert jobs == {"confidence", "comparisons", "figures", "map", "report", "all"}
    assert contents(copy / "reports") == before


# From the plain report back to it: each after one that has more and one that has less, if there is.
ASKED = ("--appendix", "", "--html", "--quick", "")


def test_a_report_is_what_was_asked_whatever_was_asked_before(copy: Path) -> None:
    made = {"": contents(copy / REPORT)}
    for option in ASKED:
        asked = ["report", "tiny.yaml", *filter(None, [option])]
        run = command(copy, *asked)
        assert (run.returncode, run.stdout.split(":")[0]) == (0, "The report is ready"), run.stderr
        files = contents(copy / REPORT)
        assert made.setdefault(option, files) == files
    printed = set() if pdf_missing() else {"report.pdf"}
    for option, pdfs in (
        ("", printed),
        ("--appendix", printed),
        ("--quick", set()),
        ("--html", set()),
    ):
        assert {name for name in made[option] if name.endswith(".pdf")} == pdfs
        page = made[option]["report.html"].decode()
        assert ('id="appendix"' in page, "first look" in page) == (
            option == "--appendix",
            option == "--quick",
        )


def appended(file: Path, words: str = "\n") -> None:
    with file.open("a") as text:
        text.write(words)


SPOILT: dict[str, Callable[[Path], object]] = {
    "a source": lambda folder: appended(folder.parent / "Bayes" / "predictions.csv"),
    "the configuration": lambda folder: appended(folder / "tiny.yaml", "seed: 7\n"),
    "no receipt": lambda folder: (folder / "results/tiny/report/published.txt").unlink(),
    "no table": lambda folder: (folder / REPORT / "tables/map.csv").unlink(),
    "another report": lambda folder: appended(folder / REPORT / MANIFEST),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_report_is_written_again_where_anything_differs(copy: Path, what: str) -> None:
    SPOILT[what](copy)
    run = command(copy, "report", "tiny.yaml", "--dry-run")
    assert run.returncode == 0, run.stderr
    assert re.search(r"^report +1$", run.stdout + run.stderr, re.MULTILINE)


def test_what_a_source_holds_decides_and_not_its_date(copy: Path) -> None:
    """Other data in the place of the old, with a date that is still to come."""
    source = copy.parent / "Bayes" / "predictions.csv"
    before = sha256(source)
    scored(folds_of(24, 1, 2, seed=1), "Bayes", 0.5, 9).to_csv(source, index=False)
    os.utime(source, (2 * 10**9, 2 * 10**9))
    verified = command(copy, "verify", str(REPORT), *sources(copy))
    said = "Bayes/predictions.csv: is not the file that the report was made of"
    assert (verified.returncode, verified.stdout.count(said)) == (4, 1)
    appended(copy / "tiny.yaml", "pdf: false\n")
    run = command(copy, "audit", "tiny.yaml")
    assert run.returncode == 0, run.stderr
    made_of = {one["sha256"] for one in read_manifest(copy / REPORT)["sources"]}
    assert (before in made_of, sha256(source) in made_of) == (False, True)
    again = command(copy, "report", "tiny.yaml")
    assert again.stdout.startswith("Nothing has changed"), again.stderr
    assert command(copy, "verify", str(REPORT), *sources(copy)).returncode == 0


def killed(folder: Path, seconds: float) -> None:
    """Begin a report in a folder, and kill everything that works on it after a while."""
    run = subprocess.Popen(
        [sys.executable, "-m", "costcurves", "report", "tiny.yaml", "--unlock"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "workflow")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        run.wait(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.pid, signal.SIGKILL)
    run.wait()


def test_a_run_that_was_killed_is_taken_up_by_the_same_command(copy: Path) -> None:
    before = contents(copy / "reports")
    for folder in ("reports", "results", "logs", ".snakemake"):
        shutil.rmtree(copy / folder)
    for seconds in np.random.default_rng(7).uniform(2, 12, size=2):
        killed(copy, float(seconds))
    shutil.rmtree(
        copy / ".snakemake", ignore_errors=True
    )  # with it goes what the engine knows of unfinished files
    run = command(copy, "report", "tiny.yaml")
    assert run.returncode == 0, run.stderr
    assert contents(copy / "reports") == before


def test_a_lock_that_a_killed_run_left_is_named_and_removed(copy: Path) -> None:
    locks = copy / ".snakemake" / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    appended(copy / "tiny.yaml", "title: Other\n")
    (locks / "0.output.lock").write_text("results/tiny/report/published.txt\n")
    run = command(copy, "report", "tiny.yaml", "--html")
    assert (run.returncode, "--unlock" in run.stderr) == (2, True), run.stderr
    run = command(copy, "report", "tiny.yaml", "--unlock", "--html")
    assert run.returncode == 0, run.stderr


def test_a_study_without_claims_passes_its_audit(built: Path) -> None:
    run = command(built, "audit", "tiny.yaml")
    nothing = "The study makes no claims: there is nothing to audit\n"
    assert (run.returncode, run.stdout) == (0, nothing), run.stderr


def test_data_that_cannot_be_used_end_with_3_and_harm_nothing(copy: Path) -> None:
    table = copy.parent / "Bayes" / "predictions.csv"
    table.write_text(table.read_text().replace(",0.9\n", ",nan\n"))
    before = contents(copy / "reports")
    run = command(copy, "report", "tiny.yaml")
    assert run.returncode == 3, run.stderr
    assert "predictions.csv line" in run.stderr
    assert run.stderr.endswith("No report was written; what there was is as it was\n")
    assert "Traceback" not in run.stderr
    assert contents(copy / "reports") == before


def test_the_manifest_covers_every_stage_and_is_shown(built: Path) -> None:
    manifest = read_manifest(built / REPORT)
    results = built / "results" / "tiny"
    found = [*results.rglob("*.parquet")]
    assert len(manifest["results"]) == len(found)
    for path in found:
        dataset = path.parent.parent.name
        own = path.name if dataset == "tiny" else f"{path.stem}/{dataset}.parquet"
        assert manifest["results"][own] == sha256(path)
    files = contents(built / REPORT)
    mark = manifest["fingerprint"]
    assert f'<code class="hash">{mark}</code>' in files["report.html"].decode()


@pytest.mark.usefixtures("pango")
def test_the_pdf_shows_the_manifest(built: Path) -> None:
    files, mark = contents(built / REPORT), read_manifest(built / REPORT)["fingerprint"]
    with pikepdf.open(BytesIO(files["report.pdf"])) as pdf:
        assert str(pdf.trailer["/ID"][0]) == mark


def test_a_changed_report_ends_with_4(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = copy / REPORT
    table = report / "tables" / "measures" / "predictions.csv"
    text = table.read_bytes()
    table.write_bytes(text[:-2] + bytes([text[-2] ^ 1]) + text[-1:])
    (report / "tables" / "bands" / "predictions.csv").unlink()
    for number in range(30):
        (report / f"{number:02}.txt").write_text("more")
    assert main.main(["verify", str(report), *sources(copy)]) == 4
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{report}: 32 differences from its manifest"
    assert said[1] == "  00.txt: extra, the manifest does not list it"
    assert len(said) == 22
    assert said[-1] == "  ... and 12 more"


def test_built_again_it_is_the_same_and_a_faked_version_is_found(copy: Path) -> None:
    """One rebuild for all: what is faked is in a copy of the report beside it.

    The workflow that lies beside it would copy the report, and call that a rebuild.
    """
    report = copy / REPORT
    (copy / "workflow" / "rules").mkdir(parents=True)
    for name in ("Snakefile", "snakemake.py"):
        (copy / name).write_text("raise SystemExit('the workflow of another')\n")
    manifest = json.loads((report / MANIFEST).read_text())
    manifest["versions"]["numpy"] = "1.0.0"
    (report / MANIFEST).write_text(json.dumps(manifest))
    run = command(copy, "verify", str(REPORT), "--rebuild", *sources(copy))
    assert run.returncode == 4, run.stderr
    said = run.stdout.splitlines()
    assert said[0] == "reports/tiny: 1 difference from its manifest"
    assert said[2] == "reports/tiny: built again, all tables and claims are equal"
    assert said[3] == "reports/tiny: pages, figures or records differ: 'manifest.json'"
    assert said[4].startswith("  numpy: 1.0.0 in the report, ")


def test_no_source_is_taken_for_another(copy: Path) -> None:
    (copy.parent / "Bayes" / "predictions.csv").write_text("other\n")
    run = command(copy, "verify", str(REPORT), "--rebuild", *sources(copy))
    assert run.returncode == 4
    assert "is not the file that the report was made of" in run.stdout
    assert "is not the file that the report was made of" in run.stderr


# Without names.


def words() -> set[str]:
    """What would tell who made a report, and where."""
    asked = (["config", "user.name"], ["config", "user.email"], ["remote", "get-url", "origin"])
    said = (_git(*arguments) for arguments in asked)
    authors = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["authors"]
    found = {PERSON, str(ROOT), str(Path.home()) + "/", socket.gethostname(), *said}
    found |= {author["name"] for author in authors}
    return {word for word in found if len(word) > 2 and word != "localhost"}


def _git(*arguments: str) -> str:
    run = subprocess.run(
        ["git", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    return run.stdout.strip()


def unpacked(content: bytes) -> bytes:
    """A PDF with nothing packed: its pages and metadata."""
    plain, level = BytesIO(), pikepdf.StreamDecodeLevel.generalized
    with pikepdf.open(BytesIO(content)) as pdf:
        pdf.save(
            plain,
            compress_streams=False,
            stream_decode_level=level,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            fix_metadata_version=False,
        )
    return plain.getvalue()


def telling(folder: Path) -> set[tuple[str, str]]:
    """Where which word is said."""
    files = {
        name: unpacked(content) if name.endswith(".pdf") else content
        for name, content in contents(folder).items()
    }
    patterns = {word: re.compile(rb"(?<!\w)" + re.escape(word.encode())) for word in words()}
    return {
        (name, word)
        for name, content in files.items()
        for word, pattern in patterns.items()
        if pattern.search(content) or word in name
    }


def test_an_anonymous_report_names_nobody(copy: Path) -> None:
    assert ("report.html", PERSON) in telling(copy / REPORT)  # whose folder is configured
    with (copy / "tiny.yaml").open("a") as config:
        config.write("anonymous: true\n")
    run = command(copy, "report", "tiny.yaml")
    assert run.returncode == 0, run.stderr
    assert telling(copy / REPORT) == set()
    manifest = read_manifest(copy / REPORT)
    names = ["1/predictions.csv", "2/predictions.csv"]
    assert [source["path"] for source in manifest["sources"]] == names
    assert manifest["given"]["datasets"][0]["predictions"] == names
    assert main.main(["verify", str(copy / REPORT), *sources(copy)]) == 0
