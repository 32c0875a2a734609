"""A build takes the place of an older report alone; what it was made of is known, and no more."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from costcurves.errors import InputError
from costcurves.record import manifest
from costcurves.record.manifest import MANIFEST, sha256
from costcurves.record.places import STUDY_FILE, check_places, check_report, published, receipt_of
from costcurves.report.libraries import libraries
from costcurves.settings import Study
from costcurves.study.reading import parse_study
from tests.small_study import contents
from tests.written_report import edited, facts, written

REPORT, RESULTS, RECEIPT = Path("reports/s"), Path("results/s"), receipt_of("s")
LOST = "a new report would replace"
UNKNOWN = f"{LOST} {{!r}}, which its manifest does not know; move it elsewhere"
NOT_NAMED = "which no manifest of a report names; move it elsewhere, or give the study another name"
EDITED = f"{LOST} 'report.html', changed after it was built; move the folder elsewhere to keep that"
OTHER = f"{LOST} that of another study; move it elsewhere"
PAGE = '{"name": "a page", "icons": [], "start_url": "/"}'
NO_FOLDER = "is a link or file, expected a folder"


@pytest.fixture(autouse=True)
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report in the folder in which its study is built."""
    monkeypatch.chdir(tmp_path)
    RECEIPT.parent.mkdir(parents=True)
    return written(REPORT, facts(Path()) | {"given": {"study": "s"}})


def test_an_older_report_and_nothing_may_be_replaced() -> None:
    check_report(REPORT, "s")
    (REPORT / "report.html").unlink()
    (REPORT / "figures" / ".DS_Store").write_text("left by a file manager")
    check_report(REPORT, "s")
    shutil.rmtree(REPORT)
    check_report(REPORT, "s")
    REPORT.mkdir()
    (REPORT / "Thumbs.db").touch()
    check_report(REPORT, "s")


def put_files(**files: str) -> None:
    """Let files be all that there is."""
    shutil.rmtree(REPORT)
    REPORT.mkdir()
    for name, text in files.items():
        (REPORT / name).write_text(text)


def link(path: Path) -> None:
    path.rename("elsewhere")
    path.symlink_to(Path("elsewhere").resolve())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: put_files(b="", a=""), f"{LOST} 'a', 'b', {NOT_NAMED}"),
        (lambda: put_files(**{MANIFEST: PAGE}), f"{LOST} 'manifest.json', {NOT_NAMED}"),
        (lambda: written(REPORT, facts(Path()) | {"given": {"study": "t"}}), OTHER),
        (lambda: (REPORT / "notes.md").touch(), UNKNOWN.format("notes.md")),
        (lambda: (REPORT / "tables" / "own.csv").touch(), UNKNOWN.format("tables/own.csv")),
        (lambda: (REPORT / "data").symlink_to(Path.cwd()), UNKNOWN.format("data")),
        (lambda: (REPORT / "report.html").write_text("edited by hand"), EDITED),
        (lambda: link(REPORT / "report.html"), EDITED),
        (lambda: link(REPORT), NO_FOLDER),
        (lambda: REPORT.rename("elsewhere") and REPORT.write_text("mine"), NO_FOLDER),
    ],
)
def test_what_is_somebodys_is_named_and_kept(change: Callable[[], object], message: str) -> None:
    change()
    before = contents(REPORT)
    with pytest.raises(InputError) as raised:
        check_report(REPORT, "s")
    assert contents(REPORT) == before
    (finding,) = raised.value.findings
    assert finding.startswith(f"reports/s: {message}")


def study(predictions: str = "p.csv") -> Study:
    (RESULTS / STUDY_FILE).touch()
    Path(predictions).parent.mkdir(exist_ok=True)
    Path(predictions).touch()
    datasets = [{"name": "wine", "predictions": [predictions]}]
    return parse_study({"study": "s", "datasets": datasets})


@pytest.mark.parametrize(
    ("source", "config"),
    [
        ("results/s/p.csv", "study.yaml"),
        ("reports/s/p.csv", "study.yaml"),
        ("data/../reports/s/tables/p.csv", "study.yaml"),
        ("linked.csv", "study.yaml"),
        ("p.csv", "reports/s/study.yaml"),
    ],
)
def test_no_file_of_the_study_lies_where_results_go(source: str, config: str) -> None:
    """Nor is there what a link leads to."""
    Path("data").mkdir()
    Path("linked.csv").symlink_to(Path("reports/s/report.html").resolve())
    file = source if config == "study.yaml" else config
    folder = RESULTS if "results" in file else REPORT
    why = f"lies in {folder}, which is filled by building the study; move it elsewhere, or give"
    with pytest.raises(InputError, match=f"^{file}: {why} the study another name$"):
        check_places(study(source), [config])


def test_results_that_no_build_made_are_kept() -> None:
    check_places(study("reports/s2/p.csv"), ["study.yaml"])
    configured = study()
    shutil.rmtree(RESULTS)
    RESULTS.mkdir()
    check_places(configured, [])
    (RESULTS / "measures.xlsx").touch()
    expected = "^results/s: holds 'measures.xlsx', and nothing says that a build put it there; move"
    with pytest.raises(InputError, match=expected):
        check_places(configured, [])


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, Path.touch])
def test_a_receipt_that_is_damaged_or_no_file_is_none(make: Callable[[Path], None]) -> None:
    make(RECEIPT)  # reading a pipe would wait for ever
    assert not published("s")


def test_a_report_is_there_as_it_was_published_last(report: Path, tmp_path: Path) -> None:
    assert not published("s")
    RECEIPT.write_text(sha256(report / MANIFEST))
    assert published("s")
    assert published("s", tmp_path)
    assert not published("t")
    table = report / "tables" / "measures" / "wine.csv"
    table.rename("wine.csv")
    assert not published("s")
    Path("wine.csv").rename(table)
    assert published("s")
    edited(report, seed=4)  # as of an older one
    assert not published("s")


# What a report was made of

# Of the three bytes "abc": FIPS 180-4, example B.1.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_every_source_that_changed_since_it_was_staged_is_named(tmp_path: Path) -> None:
    record, *paths = [tmp_path / name for name in ("staged.json", "a.csv", "b.csv", "c.csv")]
    for path in paths:
        path.write_text("abc")
    record.write_text(json.dumps([{"path": str(path), "sha256": ABC} for path in paths]))
    sources = manifest.unchanged_sources([record, record])  # as of two classes
    assert [source["path"] for source in sources] == [*map(str, paths)]
    paths[0].write_text("abd")
    paths[2].unlink()
    with pytest.raises(InputError) as raised:
        manifest.unchanged_sources([record])
    why = "the report would mix old and new data, so none was written; build it again"
    assert raised.value.findings == (
        f"{paths[0]}: changed since it was staged; {why}",
        f"{paths[2]}: is gone since it was staged; {why}",
    )


def test_what_changed_since_the_run_began_is_refused_with_its_name() -> None:
    read = [{"path": name, "sha256": ABC} for name in ("a.csv", "b.csv", "c.csv", "beside.csv")]
    manifest.check_unchanged(read, {"a.csv": ABC, "b.csv": ABC, "c.csv": ABC})
    with pytest.raises(InputError) as raised:
        manifest.check_unchanged(read, {"a.csv": ABC, "b.csv": None, "c.csv": ABC[::-1]})
    changed = "changed since this run began; build it again"
    assert raised.value.findings == (f"b.csv: {changed}", f"c.csv: {changed}")


def test_provenance_knows_contents_and_releases_and_no_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest, "RELEASED", tmp_path / "known.json")
    facts = []
    for folder, text in (("one", "x = 1"), ("two", "x = 1"), ("three", "x = 2")):
        files = [tmp_path / folder / name for name in ("a.py", "b.py")]
        files[0].parent.mkdir()
        for file, content in zip(files, (text, "y = 1"), strict=True):
            file.write_text(content)
        files = files[:: -1 if folder == "two" else 1]
        if folder == "one":
            known = {"0.1": "ab" * 32, "0.2": manifest.code_hash(files)}
            manifest.RELEASED.write_text(json.dumps(known))
        more = {"given": {"study": "s"}, "results": {}, "libraries": libraries()}
        facts.append(manifest.provenance([], {"seed": 3}, files, **more))
    first, again, other = facts
    assert first == again
    assert first["code"] != other["code"]
    assert (first["released"], other["released"]) == (True, False)
    assert (first["seed"], first["given"]) == (3, {"study": "s"})
    assert {"Pango", "FreeType of matplotlib", "zlib"} == {*first["libraries"]}
    assert {"python", "costcurves", "numpy", "weasyprint"} <= {*first["versions"]}
    assert str(tmp_path) not in json.dumps(facts)
