"""A study from its files to a verified report by the command, and the same without names.

It is built at a first look, which is quick; the anonymous report is whole, with its PDF.
"""

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
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import yaml

from costcurves.command import main
from costcurves.record.manifest import MANIFEST, read_manifest, sha256
from tests.small_study import PAGES, ROOT, contents, folds_of, scored

PERSON = "jo-quaxnor"  # a name that nothing else has
REPORT = Path("reports", "tiny")
READY, SAME = "The report is ready:", "Nothing has changed; the report is up to date:"


def command(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, as a person of a telling name."""
    telling = dict.fromkeys(("USER", "LOGNAME", "HOSTNAME", "GIT_AUTHOR_NAME", "EMAIL"), PERSON)
    return subprocess.run(
        [sys.executable, "-m", "costcurves", *arguments],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **telling, "PYTHONPATH": str(ROOT / "workflow"), **more},
        cwd=folder,
    )


def built_by(folder: Path, *arguments: str) -> str:
    """Run a command that succeeds; give the first line of its answer."""
    run = command(folder, *arguments)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()[0]


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
    built_by(folder, "init", *files, "--study", "tiny")
    config = yaml.safe_load((folder / "tiny.yaml").read_text())
    made = config | {"inference": {"resamples": 50}, "detail": "quick"}
    (folder / "tiny.yaml").write_text(yaml.safe_dump(made))
    run = command(folder, "report", "tiny.yaml")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"{READY}\n  reports/tiny/report.html\n")
    assert not re.search(r"\x1b|Job stats|Select jobs|steps \(", run.stderr)
    return folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """The built folder and those beside it, which a test may spoil."""
    shutil.copytree(built.parent, tmp_path / PERSON)
    return tmp_path / PERSON / "study"


def sources(copy: Path) -> list[str]:
    """Name the folders in which the sources of a report lie, where paths begin the first."""
    paths = [copy / source["path"] for source in read_manifest(copy / REPORT)["sources"]]
    folders = [copy, *(path.parent for path in paths)]
    return [word for folder in folders for word in ("--sources", str(folder))]


def test_the_report_is_whole_and_shows_its_manifest(built: Path) -> None:
    """A second run and an audit have nothing to do."""
    manifest = read_manifest(built / REPORT)
    made = [*(built / "results" / "tiny").rglob("*.parquet")]
    assert len(manifest["results"]) == len(made)
    for path in made:
        name = path.relative_to(built / "results" / "tiny").as_posix()
        assert manifest["results"][name] == sha256(path)
    page = (built / REPORT / "report.html").read_text()
    assert f'<code class="hash">{manifest["fingerprint"]}</code>' in page
    assert "first look" in page
    assert built_by(built, "report", "tiny.yaml") == SAME
    nothing = "The study makes no claims: there is nothing to audit"
    assert built_by(built, "audit", "tiny.yaml") == nothing


@pytest.mark.parametrize(
    ("spoilt", "text", "jobs"),
    [
        ("../Bayes/predictions.csv", "\n", {"predictions", "report"}),
        ("tiny.yaml", "seed: 7\n", {"cost_lines", "report"}),
        ("results/tiny/predictions/confidence/bands.parquet", "", {"confidence", "report"}),
        ("reports/tiny/manifest.json", "\n", {"report"}),
    ],
)
def test_what_differs_is_made_again(copy: Path, spoilt: str, text: str, jobs: set[str]) -> None:
    file = copy / spoilt
    if text:
        with file.open("a") as stream:
            stream.write(text)
    else:
        file.unlink()
    before = contents(copy / "reports")
    page = ["--html"] if "bands" in spoilt else []  # else the report needs no bands
    run = command(copy, "report", "tiny.yaml", "--dry-run", *page)
    assert run.returncode == 0, run.stderr
    listed = {*re.findall(r"^(\w+) +1$", run.stdout + run.stderr, re.MULTILINE)}
    assert jobs <= listed
    assert (listed == {"report", "all"}) == (jobs == {"report"})
    assert contents(copy / "reports") == before


def test_what_a_source_holds_decides_and_not_its_date(copy: Path) -> None:
    """Other data in the place of the old, with a date that is still to come; and unusable ones."""
    source, before = copy.parent / "Bayes" / "predictions.csv", contents(copy / "reports")
    text, digest = source.read_text(), sha256(source)
    source.write_text(text.replace(",0.9\n", ",nan\n"))
    run = command(copy, "report", "tiny.yaml")
    assert run.returncode == 3, run.stderr
    assert "predictions.csv line" in run.stderr
    assert run.stderr.endswith("No report was written; what there was is as it was\n")
    assert "Traceback" not in run.stderr
    assert contents(copy / "reports") == before
    source.write_text(text.replace(",0.9\n", ",0.8\n"))
    os.utime(source, (2 * 10**9, 2 * 10**9))
    verified = command(copy, "verify", str(REPORT), "--rebuild", *sources(copy))
    other = "Bayes/predictions.csv: is not the file that the report was made of"
    assert (verified.returncode, other in verified.stdout, other in verified.stderr) == (4, 1, 1)
    assert built_by(copy, "report", "tiny.yaml") == READY
    digests = {source["sha256"] for source in read_manifest(copy / REPORT)["sources"]}
    assert (digest in digests, sha256(source) in digests) == (False, True)
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


def test_a_run_that_was_killed_is_taken_up(copy: Path) -> None:
    """Also without what the engine knows of it, and where a lock is left."""
    before = contents(copy / "reports")
    for folder in ("reports", "results", "logs", ".snakemake"):
        shutil.rmtree(copy / folder)
    killed(copy, float(np.random.default_rng().uniform(2, 9)))
    shutil.rmtree(copy / ".snakemake", ignore_errors=True)
    locks = copy / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("results/tiny/report/published.txt\n")
    run = command(copy, "report", "tiny.yaml")
    assert (run.returncode, "--unlock" in run.stderr) == (2, True), run.stderr
    built_by(copy, "report", "tiny.yaml", "--unlock")
    assert contents(copy / "reports") == before


def test_built_again_it_is_the_same_and_a_faked_version_is_found(copy: Path) -> None:
    """One rebuild for all: what is faked is in a copy of the report beside it.

    The workflow that lies beside it would copy the report, and call that a rebuild.
    """
    (copy / "workflow" / "rules").mkdir(parents=True)
    for name in ("Snakefile", "snakemake.py"):
        (copy / name).write_text("raise SystemExit('the workflow of another')\n")
    manifest = json.loads((copy / REPORT / MANIFEST).read_text())
    manifest["versions"]["numpy"] = "1.0.0"
    (copy / REPORT / MANIFEST).write_text(json.dumps(manifest))
    run = command(copy, "verify", str(REPORT), "--rebuild", *sources(copy), PYTHONHASHSEED="4321")
    assert run.returncode == 4, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "reports/tiny: 1 difference from its manifest"
    assert lines[2] == "reports/tiny: built again, all tables and claims are equal"
    assert lines[3] == "reports/tiny: pages, figures or records differ: 'manifest.json'"
    assert lines[4].startswith("  numpy: 1.0.0 in the report, ")


# Without names.


def telling(folder: Path) -> set[tuple[str, str]]:
    """Which word that tells who made a report, or where, stands in which of its files."""
    words = {PERSON, str(ROOT), f"{Path.home()}/", socket.gethostname()}
    for arguments in (["config", "user.name"], ["config", "user.email"], ["remote", "get-url"]):
        git = ["git", *arguments, *(["origin"] if "remote" in arguments else [])]
        run = subprocess.run(git, check=False, capture_output=True, cwd=ROOT)
        words.add(run.stdout.decode().strip())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    words |= {author["name"] for author in project["authors"]}
    words = {word for word in words if len(word) > 2 and word != "localhost"}
    telling = set()
    for name, content in contents(folder).items():
        plain = unpacked(content) if name.endswith(".pdf") else content
        for word in words:
            if word in name or re.search(rb"(?<!\w)" + re.escape(word.encode()), plain):
                telling.add((name, word))
    return telling


def unpacked(content: bytes) -> bytes:
    """A PDF with nothing packed: its pages and metadata."""
    plain = BytesIO()
    with pikepdf.open(BytesIO(content)) as pdf:
        pdf.save(
            plain,
            compress_streams=False,
            stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            fix_metadata_version=False,
        )
    return plain.getvalue()


@pytest.mark.usefixtures("pango")
def test_a_whole_report_without_names(copy: Path) -> None:
    """The options of the command prevail over the configuration."""
    assert ("report.html", PERSON) in telling(copy / REPORT)  # whose folder is configured
    text = (copy / "tiny.yaml").read_text().replace("detail: quick", "anonymous: true")
    (copy / "tiny.yaml").write_text(text)
    assert built_by(copy, "report", "tiny.yaml", "--appendix") == READY
    assert {file.name for file in (copy / REPORT).glob("*.[hp]*")} == PAGES
    page = (copy / REPORT / "report.html").read_text()
    assert ('id="appendix"' in page, "first look" in page) == (True, False)
    assert telling(copy / REPORT) == set()
    manifest = read_manifest(copy / REPORT)
    names = ["1/predictions.csv", "2/predictions.csv"]
    assert [source["path"] for source in manifest["sources"]] == names
    assert manifest["given"]["datasets"][0]["predictions"] == names
    with pikepdf.open(copy / REPORT / "report.pdf") as pdf:
        assert str(pdf.trailer["/ID"][0]) == manifest["fingerprint"]
    assert main.main(["verify", str(copy / REPORT), *sources(copy)]) == 0
