"""A study from its files to a verified report by the command, and the same without names.

It is built at a first look, which is quick; the anonymous report is whole, with its PDF.
"""

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
TELLING = dict.fromkeys(("USER", "LOGNAME", "HOSTNAME", "GIT_AUTHOR_NAME", "EMAIL"), PERSON)


def ended(
    folder: Path, *words: str, status: int = 0, kill: float | None = None, **more: str
) -> tuple[str, str]:
    """Run the command as a person of a telling name, and perhaps kill all of it after a while."""
    with subprocess.Popen(
        [sys.executable, "-m", "costcurves", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, **TELLING, "PYTHONPATH": str(ROOT / "workflow"), **more},
        cwd=folder,
        start_new_session=True,
    ) as run:
        try:
            out, err = run.communicate(timeout=kill)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            out, err = run.communicate()
    assert kill or run.returncode == status, err
    return out, err


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
    ended(folder, "init", *files, "--study", "tiny")
    config = yaml.safe_load((folder / "tiny.yaml").read_text())
    config |= {"inference": {"resamples": 50}, "detail": "quick"}
    (folder / "tiny.yaml").write_text(yaml.safe_dump(config))
    out, err = ended(folder, "report", "tiny.yaml")
    assert out.startswith(f"{READY}\n  reports/tiny/report.html\n")
    assert not re.search(r"\x1b|Job stats|Select jobs|steps \(", err)
    return folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """The built folder and those beside it, which a test may spoil."""
    return Path(shutil.copytree(built.parent, tmp_path / PERSON)) / "study"


def sources(copy: Path) -> list[str]:
    """Name the folders in which the sources of a report lie, where paths begin the first."""
    paths = [copy / source["path"] for source in read_manifest(copy / REPORT)["sources"]]
    folders = [copy, *(path.parent for path in paths)]
    return [word for folder in folders for word in ("--sources", str(folder))]


def test_the_report_is_whole_and_shows_its_manifest(built: Path) -> None:
    """A second run has nothing to do."""
    manifest, results = read_manifest(built / REPORT), built / "results" / "tiny"
    made = {path.relative_to(results).as_posix(): path for path in results.rglob("*.parquet")}
    assert manifest["results"] == {name: sha256(path) for name, path in made.items()}
    page = (built / REPORT / "report.html").read_text()
    assert f'<code class="hash">{manifest["fingerprint"]}</code>' in page
    assert "first look" in page
    assert ended(built, "report", "tiny.yaml")[0].startswith(SAME)


def test_what_a_source_holds_decides_and_not_its_date(copy: Path) -> None:
    """Other data in the place of the old, with a date that is still to come; and unusable ones."""
    source, before = copy.parent / "Bayes" / "predictions.csv", contents(copy / "reports")
    text, digest = source.read_text(), sha256(source)
    source.write_text(text.replace(",0.9\n", ",nan\n"))
    _, err = ended(copy, "report", "tiny.yaml", status=3)
    assert "predictions.csv line" in err
    assert err.endswith("No report was written; what there was is as it was\n")
    assert "Traceback" not in err
    source.write_text(text.replace(",0.9\n", ",0.8\n"))
    os.utime(source, (2 * 10**9, 2 * 10**9))
    printed = ended(copy, "verify", str(REPORT), "--rebuild", *sources(copy), status=4)
    other = "Bayes/predictions.csv: is not the file that the report was made of"
    assert all(other in words for words in printed)
    listed = "".join(ended(copy, "report", "tiny.yaml", "--dry-run"))
    assert {"predictions", "report"} <= {*re.findall(r"^(\w+) +1$", listed, re.MULTILINE)}
    assert contents(copy / "reports") == before
    assert ended(copy, "report", "tiny.yaml")[0].startswith(READY)
    digests = {source["sha256"] for source in read_manifest(copy / REPORT)["sources"]}
    assert (digest in digests, sha256(source) in digests) == (False, True)
    ended(copy, "verify", str(REPORT), *sources(copy))


def test_a_run_that_was_killed_is_taken_up(copy: Path) -> None:
    """Also without what the engine knows of it, and where a lock is left."""
    before = contents(copy / "reports")
    for folder in ("reports", "results", "logs", ".snakemake"):
        shutil.rmtree(copy / folder)
    ended(copy, "report", "tiny.yaml", kill=float(np.random.default_rng().uniform(2, 9)))
    shutil.rmtree(copy / ".snakemake", ignore_errors=True)
    locks = copy / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("results/tiny/report/published.txt\n")
    assert "--unlock" in ended(copy, "report", "tiny.yaml", status=2)[1]
    ended(copy, "report", "tiny.yaml", "--unlock")
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
    words = ("verify", str(REPORT), "--rebuild", *sources(copy))
    lines = ended(copy, *words, status=4, PYTHONHASHSEED="4321")[0].splitlines()
    assert lines[0] == "reports/tiny: 1 difference from its manifest"
    assert lines[2] == "reports/tiny: built again, all tables and claims are equal"
    assert lines[3] == "reports/tiny: pages, figures or records differ: 'manifest.json'"
    assert lines[4].startswith("  numpy: 1.0.0 in the report, ")


# Without names.


def telling(folder: Path) -> set[tuple[str, str]]:
    """Which word that tells who made a report, or where, stands in which of its files."""
    words = {PERSON, str(ROOT), f"{Path.home()}/", socket.gethostname()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    words |= {author["name"] for author in project["authors"]}
    words = {word for word in words if len(word) > 2 and word != "localhost"}
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, words))})".encode())
    telling = {(name, word) for name in contents(folder) for word in words if word in name}
    for name, content in contents(folder).items():
        plain = unpacked(content) if name.endswith(".pdf") else content
        telling |= {(name, word.decode()) for word in pattern.findall(plain)}
    return telling


def unpacked(content: bytes) -> bytes:
    """A PDF with nothing packed: its pages and metadata."""
    plain = BytesIO()
    with pikepdf.open(BytesIO(content)) as pdf:
        every = pikepdf.StreamDecodeLevel.generalized
        pdf.save(plain, qdf=True, stream_decode_level=every, fix_metadata_version=False)
    return plain.getvalue()


@pytest.mark.usefixtures("pango")
def test_a_whole_report_without_names(copy: Path) -> None:
    """The options of the command prevail over the configuration."""
    assert ("report.html", PERSON) in telling(copy / REPORT)  # whose folder is configured
    text = (copy / "tiny.yaml").read_text().replace("detail: quick", "anonymous: true")
    (copy / "tiny.yaml").write_text(text)
    assert ended(copy, "report", "tiny.yaml", "--appendix")[0].startswith(READY)
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
