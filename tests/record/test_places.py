"""A build takes the place of an older report of the same study, and of nothing else."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from costcurves.errors import InputError
from costcurves.record.manifest import MANIFEST, sha256
from costcurves.record.places import STUDY_FILE, check_places, check_report, published, receipt_of
from costcurves.settings import Study
from costcurves.study.reading import parse_study
from tests.small_study import contents
from tests.written_report import facts, written


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the study is built."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def report() -> Path:
    return written(Path("reports", "s"), facts(Path()) | {"given": {"study": "s"}})


def refused(folder: Path) -> str:
    """What is said of a folder, which stays as it is."""
    before = contents(folder)
    with pytest.raises(InputError) as raised:
        check_report(folder, folder.name)
    assert contents(folder) == before
    (finding,) = raised.value.findings
    return finding


def test_an_older_report_may_be_replaced(report: Path) -> None:
    check_report(report, "s")
    (report / "report.html").unlink()
    (report / "figures" / ".DS_Store").write_text("left by a file manager")
    check_report(report, "s")


def test_nothing_is_no_obstacle() -> None:
    folder = Path("reports", "s")
    check_report(folder, "s")
    folder.mkdir(parents=True)
    (folder / "Thumbs.db").touch()
    check_report(folder, "s")


def test_files_without_a_report_are_somebodys() -> None:
    folder = Path("reports", "figures")
    folder.mkdir(parents=True)
    for name in ("b.png", "a.png"):
        (folder / name).write_text(name)
    assert refused(folder) == (
        "reports/figures: a new report would replace 'a.png', 'b.png', which no manifest of a "
        "report names; move it elsewhere, or give the study another name"
    )
    (folder / MANIFEST).write_text('{"name": "a page", "icons": [], "start_url": "/"}')
    assert "'b.png', 'manifest.json', which no manifest of a report names" in refused(folder)


def edit(report: Path) -> None:
    (report / "report.html").write_text("edited by hand")


def link_a_page(report: Path) -> None:
    (report / "report.html").rename("report.html")
    (report / "report.html").symlink_to(Path("report.html").resolve())


def link_the_folder(report: Path) -> None:
    report.rename("elsewhere")
    report.symlink_to(Path("elsewhere").resolve())


def write_in_its_place(report: Path) -> None:
    report.rename("elsewhere")
    report.write_text("mine")


UNKNOWN = "a new report would replace {!r}, which its manifest does not know; move it elsewhere"
EDITED = (
    "a new report would replace 'report.html', changed after it was built; move the folder "
    "elsewhere to keep that, or remove it"
)
NO_FOLDER = "is a link or file, expected a folder"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda report: (report / "notes.md").touch(), "notes.md"),
        (lambda report: (report / "tables" / "own.csv").touch(), "tables/own.csv"),
        (lambda report: (report / "data").symlink_to(Path.cwd()), "data"),
        (edit, EDITED),
        (link_a_page, EDITED),
        (link_the_folder, NO_FOLDER),
        (write_in_its_place, NO_FOLDER),
    ],
)
def test_what_somebody_put_into_a_report_is_kept(
    report: Path, change: Callable[[Path], object], message: str
) -> None:
    change(report)
    expected = message if " " in message else UNKNOWN.format(message)
    assert refused(report).startswith(f"reports/s: {expected}")


def test_the_report_of_another_study_is_kept(report: Path) -> None:
    report.rename("reports/s-2025")
    assert "would replace that of another study; move it elsewhere" in refused(
        Path("reports", "s-2025")
    )


def study(predictions: str = "p.csv") -> Study:
    for place in ("results/s", "reports/s", "data"):
        Path(place).mkdir(parents=True, exist_ok=True)
    Path("results/s", STUDY_FILE).touch()
    Path(predictions).touch()
    datasets = [{"name": "wine", "predictions": [predictions]}]
    return parse_study({"study": "s", "datasets": datasets})


@pytest.mark.parametrize("place", ["results/s", "reports/s", "data/../reports/s/tables"])
def test_no_source_lies_where_results_go(place: str) -> None:
    folder = os.path.normpath(place).removesuffix("/tables")
    Path(folder, "tables").mkdir(parents=True)
    why = f"lies in {folder}, which is filled by building the study; move it elsewhere, or give"
    with pytest.raises(InputError, match=f"^{place}/p.csv: {why} the study another name$"):
        check_places(study(f"{place}/p.csv"), ["study.yaml"])


def test_neither_does_a_configuration_nor_what_a_link_leads_to() -> None:
    Path("reports", "s").mkdir(parents=True)
    with pytest.raises(InputError, match=r"^reports/s/study\.yaml: lies in reports/s, "):
        check_places(study(), ["reports/s/study.yaml"])
    Path("reports/s/p.csv").touch()
    Path("linked.csv").symlink_to(Path("reports/s/p.csv").resolve())
    with pytest.raises(InputError, match=r"^linked\.csv: lies in reports/s, "):
        check_places(study("linked.csv"), ["study.yaml"])
    Path("reports", "s").rename("reports/s2")
    check_places(study("reports/s2/p.csv"), ["study.yaml"])


def test_results_that_no_build_made_are_kept() -> None:
    configured = study()
    Path("results/s", STUDY_FILE).unlink()
    check_places(configured, [])
    Path("results/s/measures.xlsx").touch()
    expected = "^results/s: holds 'measures.xlsx', and nothing says that a build put it there; move"
    with pytest.raises(InputError, match=expected):
        check_places(configured, [])


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, Path.touch])
def test_a_receipt_that_is_damaged_or_no_file_is_none(make: Callable[[Path], None]) -> None:
    receipt = receipt_of("s")
    receipt.parent.mkdir(parents=True)
    make(receipt)  # reading a pipe would wait for ever
    assert not published("s")


def test_a_report_is_there_as_it_was_published_last(report: Path, here: Path) -> None:
    receipt = receipt_of("s")
    receipt.parent.mkdir(parents=True)
    assert not published("s")
    receipt.write_text(sha256(report / MANIFEST))
    assert published("s")
    assert published("s", here)
    assert not published("t")
    (report / "tables" / "measures" / "wine.csv").rename("wine.csv")
    assert not published("s")
    Path("wine.csv").rename(report / "tables" / "measures" / "wine.csv")
    manifest = json.loads((report / MANIFEST).read_text())
    (report / MANIFEST).write_text(json.dumps({**manifest, "seed": 4}))  # as of an older one
    assert not published("s")
