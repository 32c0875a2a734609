"""Forgeries of a report, and the verdict that each of them gets.

Whoever forges has the report, the predictions and this very program; what a known fingerprint adds
to what `verify` finds by itself stands beside each. None makes it open a file elsewhere, wait, send
something, or run code.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from costcurves.archive import RECOMPUTE
from costcurves.command import main
from costcurves.command import verify as command
from costcurves.report.again import publish_again
from costcurves.report.libraries import libraries
from costcurves.tables.record.manifest import (
    RECORD,
    SIGNATURE,
    read_manifest,
    write_manifest,
)
from tests.small_study import ROOT, folds_of, scored, snakemake

pytestmark = pytest.mark.usefixtures("pango")

FINE: Final = 0
UNVERIFIED: Final = 4
NUMBER: Final = re.compile(r"0\.\d+")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with predictions of two datasets, their report, and another of the same tables."""
    folder = tmp_path_factory.mktemp("honest")
    datasets = []
    for seed, name in enumerate(("tea", "wine"), start=1):
        rows = folds_of(24, 1, 2, seed=seed)
        for model, skill in (("Bayes", 2.0), ("Trees", 1.0)):
            scored(rows, model, skill, 7 * seed + int(skill)).to_csv(
                folder / f"{name}-{model}.csv", index=False
            )
        files = [f"{name}-{model}.csv" for model in ("Bayes", "Trees")]
        datasets.append({"name": name, "predictions": files})
    made: dict[str, Any] = {"study": "honest", "detail": "essential"}
    made |= {"inference": {"resamples": 50}, "pdf": False, "datasets": datasets}
    (folder / "study.yaml").write_text(yaml.safe_dump(made))
    run = snakemake(folder, "study.yaml")
    assert run.returncode == 0, run.stderr
    report = folder / "reports" / "honest"
    manifest = read_manifest(report)
    for part in ("given", "configuration"):
        manifest[part]["title"] = "Another study"
    publish_again(report, manifest, folder, folder / "reports" / "other" / "honest")
    return folder


@pytest.fixture(scope="module")
def printing(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with PDFs, which take a hundred times as long to publish again."""
    folder = tmp_path_factory.mktemp("printed") / "honest"
    shutil.copytree(home, folder)
    config = yaml.safe_load((folder / "study.yaml").read_text())
    (folder / "study.yaml").write_text(yaml.safe_dump(config | {"pdf": True}))
    run = snakemake(folder, "study.yaml")
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was published again, by what it was published from: pages change nothing of it."""
    return tmp_path_factory.mktemp("published")


@pytest.fixture(autouse=True)
def remembering(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish what was published before from what there is of it."""

    def remembered(forged: Path, manifest: dict[str, Any], where: Path, folder: Path) -> None:
        tables = (path for path in sorted(forged.rglob("tables/**/*")) if path.is_file())
        told = [path.read_bytes() for path in tables]
        told.append(json.dumps({**manifest, "files": {}, "fingerprint": ""}).encode())
        known = published / hashlib.sha256(b"".join(told)).hexdigest()
        if not known.exists():
            publish_again(forged, manifest, where, known)
        shutil.copytree(known, folder)

    monkeypatch.setattr(command, "publish_again", remembered)


@pytest.fixture
def report(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the report, to be forged."""
    monkeypatch.chdir(home)
    return Path(shutil.copytree(home / "reports" / "honest", tmp_path / "report"))


@pytest.fixture
def printed(printing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the report that has PDFs."""
    monkeypatch.chdir(printing)
    return Path(shutil.copytree(printing / "reports" / "honest", tmp_path / "report"))


def renewed(report: Path, **changes: Any) -> None:
    """Write manifest and sums anew, as if they had always said so."""
    manifest = read_manifest(report)
    facts = {key: value for key, value in manifest.items() if key not in ("files", "fingerprint")}
    write_manifest(report, facts | changes)


def said_of(part: str, value: Any) -> Callable[[Path], None]:
    """Write something else in the place of a part of the manifest, and all that follows."""
    return lambda report: stamped(report, **{part: value})


def stamped(report: Path, **changes: Any) -> None:
    """Write them anew, and the new fingerprint into the pages."""
    old = read_manifest(report)["fingerprint"]
    renewed(report, **changes)
    new = read_manifest(report)["fingerprint"]
    for page in report.glob("*.[hp]*[lf]"):
        page.write_bytes(page.read_bytes().replace(old.encode(), new.encode()))
    renewed(report, **changes)


def redone(report: Path, **changes: Any) -> None:
    """Publish forged tables with this very program."""
    manifest = {**read_manifest(report), **changes}
    again = report.with_name("again")
    vars(command)["publish_again"](report, manifest, Path(), again)  # what `verify` will ask for
    shutil.rmtree(report)
    again.rename(report)


def edited(report: Path, name: str, old: str | bytes, new: str | bytes) -> None:
    """Change something in a file, once."""
    old, new = (it.encode() if isinstance(it, str) else it for it in (old, new))
    content = (report / name).read_bytes()
    assert old in content
    (report / name).write_bytes(content.replace(old, new, 1))


def other_digit(report: Path, name: str) -> None:
    """Change the first digit behind a point in the first number of a table, or of a figure."""
    text = (report / name).read_text()
    found = NUMBER.search(text)
    assert found is not None
    digit = "7" if found[0][2] != "7" else "2"
    text = f"{text[: found.start() + 2]}{digit}{text[found.start() + 3 :]}"
    (report / name).write_text(text)


def swapped(report: Path, one: str, two: str) -> None:
    """Let two files change places."""
    first, second = (report / name for name in (one, two))
    first.rename(aside := report / "aside")
    second.rename(first)
    aside.rename(second)


def of_other(report: Path, name: str) -> None:
    """Take a file from the other report."""
    shutil.copy(Path("reports", "other", "honest", name), report / name)


def linked(report: Path, name: str) -> None:
    shutil.move(report / name, elsewhere := report.with_name("elsewhere"))
    (report / name).symlink_to(elsewhere)


def removed(report: Path, *names: str) -> None:
    for name in names:
        (report / name).unlink()


def other_pdf(report: Path) -> None:
    mark = read_manifest(report)["fingerprint"]
    (report / "report.pdf").write_bytes(b"%PDF-1.7\nAll is well. " + mark.encode())


def of_other_manifest(report: Path) -> None:
    """Give the PDF the fingerprint of another report."""
    edited(report, "report.pdf", read_manifest(report)["fingerprint"], "ab" * 32)


def page_removed(report: Path) -> None:
    """Take a page out of the PDF, and keep its identifier."""
    import pikepdf

    file = report / "report.pdf"
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        del pdf.pages[1]
        pdf.save(file, static_id=False)


def another_model(report: Path) -> None:
    for file in report.rglob("*"):
        if file.suffix in (".csv", ".html", ".svg"):
            file.write_bytes(file.read_bytes().replace(b"Trees", b"Woods"))


def made_otherwise(report: Path, *part: str, value: Any) -> dict[str, Any]:
    """Change something in what the manifest says of how it was made."""
    manifest = read_manifest(report)
    inner = manifest
    for key in part[:-1]:
        inner = inner[key]
    inner[part[-1]] = value
    return {part[0]: manifest[part[0]]}


MEASURES: Final = "tables/measures/wine.csv"
SENTENCE: Final = ("Verdict", "Opinion")
WORDS: Final = {"texts": [{"section": "verdict", "before": "Opinion"}]}
Forgery = Callable[[Path], object]


def then(*steps: Forgery) -> Forgery:
    return lambda report: [step(report) for step in steps]


# The forgery, and what is said of it.
FOUND: Final[dict[str, tuple[Forgery, str]]] = {
    # Those with which this began: each said "fine" once.
    "a sentence changed": (
        then(lambda it: edited(it, "report.html", *SENTENCE), renewed),
        "report.html: line ",
    ),
    "HTML replaced by a line": (
        then(lambda it: (it / "report.html").write_text("We win.\n"), renewed),
        "report.html: is of another manifest, it does not show the fingerprint",
    ),
    "HTML replaced by a line that shows the fingerprint": (
        then(
            lambda it: (it / "report.html").write_text(read_manifest(it)["fingerprint"]),
            renewed,
        ),
        "report.html: line 1, byte 0",
    ),
    "a table, manifest and fingerprint changed": (
        then(lambda it: other_digit(it, MEASURES), stamped),
        "its pages are not what its tables give",
    ),
    # What is not covered up.
    "a sentence changed, nothing renewed": (
        lambda it: edited(it, "report.html", *SENTENCE),
        "report.html: changed, its sha256 is not the manifest's",
    ),
    "a file of the same size": (
        lambda it: (it / MEASURES).write_bytes(bytes((it / MEASURES).stat().st_size)),
        f"{MEASURES}: changed, its sha256 is not the manifest's",
    ),
    "a link in place of a file": (
        lambda it: linked(it, MEASURES),
        f"{MEASURES}: is a link, expected a regular file",
    ),
    "a pipe in place of a file": (
        then(lambda it: removed(it, MEASURES), lambda it: os.mkfifo(it / MEASURES)),
        f"{MEASURES}: is a pipe or device, expected a regular file",
    ),
    "a pipe in place of a page": (
        then(lambda it: removed(it, "report.html"), lambda it: os.mkfifo(it / "report.html")),
        "report.html: is a pipe or device, expected a regular file",
    ),
    "a link in place of a page": (
        lambda it: linked(it, "report.html"),
        "report.html: is a link, expected a regular file",
    ),
    "a link in place of a folder": (
        lambda it: linked(it, "tables"),
        "tables: is a link, expected a regular file",
    ),
    "a link in place of the sums": (
        lambda it: linked(it, "SHA256SUMS"),
        "SHA256SUMS: is a link, expected a regular file",
    ),
    "a pipe beside the files": (
        lambda it: os.mkfifo(it / "tables" / "all.csv"),
        "tables/all.csv: is a pipe or device, expected a regular file",
    ),
    "a link in place of the signature": (
        lambda it: (it / SIGNATURE).symlink_to(it.with_name("elsewhere")),
        "SHA256SUMS.sig: is a link, expected a regular file",
    ),
    "a pipe in place of the signature": (
        lambda it: os.mkfifo(it / SIGNATURE),
        "SHA256SUMS.sig: is a pipe or device, expected a regular file",
    ),
    "50 MB in place of the signature": (
        lambda it: (it / SIGNATURE).write_bytes(bytes(50_000_000)),
        "SHA256SUMS.sig: has 50000000 bytes, a signature has at most 65536",
    ),
    "a signature in another folder": (
        lambda it: (it / "tables" / SIGNATURE).write_bytes(b"!"),
        "tables/SHA256SUMS.sig: extra, the manifest does not list it",
    ),
    "a file whose name says that all is well": (
        lambda it: (it / "x\n\x1b[1Areport: all 26 files are as the manifest says").touch(),
        r"  x\n\u001b[1Areport: all 26 files are as the manifest says: extra",
    ),
    "a link in place of the manifest": (lambda it: linked(it, "manifest.json"), "is no manifest"),
    "a file added": (lambda it: (it / "errata.html").write_text("!"), "errata.html: extra"),
    "a file removed": (lambda it: removed(it, MEASURES), f"{MEASURES}: missing"),
    "manifest of another report": (
        lambda it: of_other(it, "manifest.json"),
        "report.html: changed, its sha256 is not the manifest's",
    ),
    "sums removed": (lambda it: removed(it, "SHA256SUMS"), "SHA256SUMS: is missing"),
    "sums of another report": (lambda it: of_other(it, "SHA256SUMS"), "SHA256SUMS: changed"),
    "tables swapped between datasets": (
        lambda it: swapped(it, MEASURES, "tables/measures/tea.csv"),
        f"{MEASURES}: changed",
    ),
    # What is covered up: manifest and sums are renewed, fingerprints replaced.
    "a file added, manifest renewed": (
        then(lambda it: (it / "errata.html").write_text("!"), stamped),
        "errata.html: the rebuild has no such file",
    ),
    "a table removed, manifest renewed": (
        then(lambda it: removed(it, MEASURES), stamped),
        "nothing can be published from its tables",
    ),
    "a table that is none, manifest renewed": (
        then(lambda it: (it / MEASURES).write_text("all,is\nwell,!\n"), stamped),
        "measures",
    ),
    "a table that no page shows removed, manifest renewed": (
        then(lambda it: removed(it, "tables/envelopes/tea.csv"), stamped),
        "tables/envelopes/tea.csv: the report has no such file",
    ),
    "tables swapped between datasets, manifest renewed": (
        then(lambda it: swapped(it, MEASURES, "tables/measures/tea.csv"), stamped),
        "tables/measures/tea: has rows of the dataset 'wine', expected 'tea'",
    ),
    "a figure swapped, manifest renewed": (
        then(
            lambda it: swapped(it, "figures/tea/cost_curves.svg", "figures/wine/cost_curves.svg"),
            stamped,
        ),
        "figures/tea/cost_curves.svg: line ",
    ),
    "data of a figure changed, manifest renewed": (
        then(lambda it: other_digit(it, "figures/tea/cost_curves.csv"), stamped),
        "figures/tea/cost_curves.csv: line ",
    ),
    "the file that recomputes numbers changed": (
        then(
            lambda it: edited(it, "tables/recompute.py", "bool(differ)", "False"),
            stamped,
        ),
        "tables/recompute.py: byte ",
    ),
    "a model renamed everywhere": (then(another_model, stamped), "report.html: line "),
    "a style that hides a section": (
        then(
            lambda it: edited(it, "report.html", "<style>", "<style>#verdict{display:none}"),
            renewed,
        ),
        "report.html: line ",
    ),
    "other predictions named": (
        lambda it: stamped(
            it, **made_otherwise(it, "sources", value=[{"path": "a", "sha256": "0", "rows": 9}])
        ),
        "manifest.json: its configuration names 'tea-Bayes.csv', ",
    ),
    "another configuration named as used": (
        lambda it: stamped(it, **made_otherwise(it, "configuration", "level", value="fold")),
        "manifest.json: contradicts itself",
    ),
    "another seed named": (
        lambda it: stamped(it, **made_otherwise(it, "seed", value=1)),
        "report.html: line ",
    ),
    **{
        f"{part} that are none, {value!r}": (
            said_of(part, value),
            "nothing can be published from its tables: ",
        )
        for part in ("versions", "libraries", "configuration")
        for value in (None, "x", [1])
    },
    "said to be made by released code": (
        lambda it: redone(it, released=True),
        "is a release, which it is not",
    ),
    "said to be made by other code": (
        lambda it: stamped(it, code="ab" * 32),
        "its pages: made by unknown code; the report names abababababab",
    ),
    "a text of the study's own, which it does not name": (
        lambda it: stamped(it, **made_otherwise(it, "given", "report", value=WORDS)),
        "manifest.json: contradicts itself",
    ),
}


@pytest.mark.parametrize("forgery", FOUND)
def test_it_is_found(report: Path, capsys: pytest.CaptureFixture[str], forgery: str) -> None:
    forge, said = (FOUND | PRINTED)[forgery]
    forge(report)
    assert main.main(["verify", str(report)]) == UNVERIFIED
    out = capsys.readouterr()
    assert said in out.out
    assert not out.err


# Of a report with a PDF.
PRINTED: Final[dict[str, tuple[Forgery, str]]] = {
    "PDF replaced by a line that shows the fingerprint": (
        then(other_pdf, renewed),
        "report.pdf: byte ",
    ),
    "PDF removed": (
        then(lambda it: removed(it, "report.pdf"), renewed),
        "report.pdf: the report has no such file",
    ),
    "both pages removed": (
        then(lambda it: removed(it, "report.html", "report.pdf"), renewed),
        "report.html: the report has no such file",
    ),
    "a page taken out of the PDF": (then(page_removed, renewed), "report.pdf: "),
    "PDF of another report": (
        then(of_other_manifest, renewed),
        "report.pdf: is of another manifest",
    ),
    "PDF replaced, and said to be made by another version": (
        then(
            other_pdf,
            lambda it: stamped(it, **made_otherwise(it, "libraries", "Pango", value="1.0.0")),
        ),
        "report.html: line ",  # the page does not name that version
    ),
}


@pytest.mark.parametrize("forgery", PRINTED)
def test_a_forged_pdf_is_found(
    printed: Path, capsys: pytest.CaptureFixture[str], forgery: str
) -> None:
    test_it_is_found(printed, capsys, forgery)


def test_what_is_honest_is_fine(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", str(report)]) == FINE
    assert "its tables give the same pages and figures, byte for byte" in capsys.readouterr().out


# A forger who publishes forged tables with this very program: only who computes the tables again,
# or knows the fingerprint or the key, can tell.
COMPUTED: Final[dict[str, Forgery]] = {
    "a digit of a table": then(lambda it: other_digit(it, MEASURES), redone),
    "another model's name": then(
        lambda it: [
            path.write_bytes(path.read_bytes().replace(b"Trees", b"Woods"))
            for path in it.rglob("tables/**/*.csv")
        ],
        redone,
    ),
    "other predictions named": lambda it: redone(
        it, sources=[{"path": "tea-Bayes.csv", "sha256": "0" * 64, "rows": 9}]
    ),
}


@pytest.mark.parametrize("forgery", COMPUTED)
def test_a_known_fingerprint_finds_what_is_published_anew(
    report: Path, capsys: pytest.CaptureFixture[str], forgery: str
) -> None:
    before = read_manifest(report)["fingerprint"]
    assert main.main(["verify", str(report), "--expect", before]) == FINE
    COMPUTED[forgery](report)
    assert main.main(["verify", str(report), "--expect", before]) == UNVERIFIED
    out = capsys.readouterr().out
    assert "manifest.json: is another report's, its fingerprint is " in out


def test_what_can_not_be_expected(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", str(report), "--expect", "d5329475"]) == 2
    assert "--expect is 'd5329475', expected the 64 hexadecimal" in capsys.readouterr().err


@pytest.mark.parametrize("page", ["docs/verify.md", "SECURITY.md"])
def test_the_documented_signature(report: Path, tmp_path: Path, page: str) -> None:
    """A line for the author, and two for a reader with the author's key."""
    text = (ROOT / page).read_text()
    (lines,) = re.findall(r"```(?:ba)?sh\n(ssh-keygen -Y sign.*?)```", text, re.DOTALL)
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "id_ed25519")]
    subprocess.run(make, check=True)
    shutil.copy(tmp_path / "id_ed25519.pub", report.parent / "author.pub")
    places = {
        "~/.ssh": tmp_path,
        "reports/cancer": report,
        "author.pub": report.parent / "author.pub",
    }
    script = lines
    for said, place in places.items():
        script = script.replace(said, shlex.quote(str(place)))

    def run(text: str) -> int:
        command = ["bash", "-euc", text]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode

    assert run(script) == 0
    assert main.main(["verify", str(report)]) == FINE
    assert read_manifest(report)["files"].keys().isdisjoint(RECORD)
    edited(report, "SHA256SUMS", b"a", b"b")
    assert run(script.partition("\n")[2]) != 0


def test_what_is_drawn_by_another_version_is_not_vouched_for(
    printed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine that has another Pango; a changed word is found there, too."""
    here = libraries()
    monkeypatch.setattr(command, "libraries", lambda: {**here, "Pango": "9.9"})
    assert main.main(["verify", str(printed)]) == FINE  # it may draw the same
    edited(printed, "report.pdf", b"%%EOF", b"%EOF%")
    renewed(printed)
    assert main.main(["verify", str(printed)]) == UNVERIFIED
    out = capsys.readouterr().out
    assert "'report.pdf': drawn by other versions of what is used here" in out
    assert f"version: Pango was {here['Pango']}, here it is 9.9" in out
    edited(printed, "report.html", *SENTENCE)
    renewed(printed)
    assert main.main(["verify", str(printed)]) == UNVERIFIED
    assert "report.html: line " in capsys.readouterr().out


# What a manifest makes the reader's machine open.

OPENED: Final[list[str]] = []
WATCHING: Final[list[bool]] = []


def watched(event: str, arguments: tuple[Any, ...]) -> None:
    if WATCHING and event in ("open", "os.listdir", "os.scandir", "socket.connect"):
        OPENED.append(str(arguments[0 if event != "socket.connect" else 1]))


sys.addaudithook(watched)  # for the life of the process


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """What is opened from here on, by its path."""
    OPENED.clear()
    WATCHING.append(True)
    yield OPENED
    WATCHING.clear()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Who would hear of a request."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        yield server


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a reader verifies, beside a secret and odd things."""
    (tmp_path / "secret.csv").write_text("password\n")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("link.csv").symlink_to("../secret.csv")
    Path("out").symlink_to("..")
    Path("ring.csv").symlink_to("ring.csv")
    os.mkfifo("pipe.csv")
    Path("zero.csv").symlink_to("/dev/zero")
    return tmp_path


SQL: Final = "COPY (SELECT 1) TO 'made.csv'"
ODD: Final = {  # the path of a source in a stranger's manifest, and what is said of it
    "duckdb:///new.db#" + SQL: "is a URL, which is not opened",
    "sqlite:///new.db#WITH RECURSIVE n AS (SELECT 1) SELECT * FROM n": "is a URL, which",
    "http://127.0.0.1:{port}/a.csv": "is a URL, which is not opened; expected a local file",
    "HTTP://127.0.0.1:{port}/a.csv": "is a URL, which is not opened; expected a local file",
    "postgresql://127.0.0.1:{port}/a#SELECT 1": "is a URL, which is not opened",
    "file://{home}/secret.csv": "is a URL, which is not opened; expected a local file",
    "{home}/secret.csv": "leads out of the folders of sources, so it was not opened",
    "../secret.csv": "leads out of the folders of sources, so it was not opened",
    "no/../../secret.csv": "leads out of the folders of sources, so it was not opened",
    "link.csv": "leads out of the folders of sources, so it was not opened",
    "out/secret.csv": "leads out of the folders of sources, so it was not opened",
    "out/out/gone.csv": "leads out of the folders of sources, so it was not opened",
    "zero.csv": "leads out of the folders of sources, so it was not opened",
    "/dev/zero": "leads out of the folders of sources, so it was not opened",
    "/dev/stdin": "leads out of the folders of sources, so it was not opened",
    "pipe.csv": "is no regular file, so it was not opened",
    ".": "is no regular file, so it was not opened",
    "": "is no regular file, so it was not opened",
    "ring.csv": "can't be the path of a file",
    "a" * 5000: "can't be the path of a file",
    "a\0.csv": "can't be the path of a file",
}


@pytest.mark.parametrize("path", ODD)
def test_no_path_of_a_manifest_opens_anything_odd(
    report: Path,
    reader: Path,
    listener: socket.socket,
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    path: str,
) -> None:
    told = path.format(port=listener.getsockname()[1], home=reader)
    source = {"path": told, "sha256": hashlib.sha256(b"password\n").hexdigest(), "rows": 1}
    stamped(report, sources=[source])
    opened.clear()
    for options in ([], ["--rebuild", "--recompute"]):
        assert main.main(["verify", str(report), *options]) == UNVERIFIED
        out = capsys.readouterr()
        assert ODD[path] in out.out
        assert "1 difference from its manifest" in out.out
        assert [line for line in out.err.splitlines() if ODD[path] not in line] == []
    assert {str(reader / "secret.csv"), str(reader), told} & {*opened} == set()
    assert sorted(map(str, Path().iterdir())) == [
        "link.csv",
        "out",
        "pipe.csv",
        "ring.csv",
        "zero.csv",
    ]
    with pytest.raises(TimeoutError):
        listener.accept()


def test_a_source_elsewhere_is_opened_where_its_folder_is_named(
    report: Path, reader: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in ("../secret.csv", str(reader / "secret.csv"), "link.csv"):
        stamped(report, sources=[{"path": path, "sha256": "0" * 64, "rows": 1}])
        main.main(["verify", str(report), "--sources", ".", "--sources", str(reader)])
        assert "secret.csv: is not the file that the" in capsys.readouterr().out or "link" in path


def test_versions_that_are_none_are_no_fault_of_a_rebuild(
    report: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stamped(report, versions=None)
    options = ["--sources", str(home), "--rebuild"]
    assert main.main(["verify", str(report), *options]) == UNVERIFIED
    out = capsys.readouterr()
    assert "nothing can be published from its tables: TypeError: " in out.out
    assert re.search("^TypeError: .* NoneType", out.err, re.MULTILINE)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        *((it, "nothing can be built from it") for it in ("sources", "report_sources", "results")),
        ("versions", "can't be bundled"),
    ],
)
def test_a_bundle_takes_only_what_says_its_sources(
    report: Path, capsys: pytest.CaptureFixture[str], part: str, said: str
) -> None:
    stamped(report, **{part: None})
    into = report.with_name("a.zip")
    assert main.main(["bundle", str(report), "-o", str(into)]) == UNVERIFIED
    assert said in capsys.readouterr().err
    assert not into.exists()


@pytest.mark.parametrize("options", [[], ["--rebuild"]])
@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("predictions", "manifest.json: its configuration names '"),
        ("before_file", "expected a path below the folder of the configuration, without '..'"),
    ],
)
def test_a_configuration_names_no_file_beside_the_sources(
    report: Path,
    reader: Path,
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    home: Path,
    named: str,
    expected: str,
    options: list[str],
) -> None:
    """The sources of its manifest are honest; its configuration is built again, and has others."""
    secret = str(reader / "secret.csv")
    given = read_manifest(report)["given"]
    if named == "predictions":
        given["datasets"][0]["predictions"] = [secret]
    else:
        given["report"] = {"texts": [{"section": "verdict", "before_file": secret}]}
    stamped(report, given=given)
    opened.clear()
    assert main.main(["verify", str(report), "--sources", str(home), *options]) == UNVERIFIED
    out = capsys.readouterr()
    assert expected in out.out
    assert secret not in opened


CODE: Final = "open('ran', 'w')\n"


MODULES: Final = ("csv.py", "numpy/__init__.py", "os.py", "pathlib.py", "re.py", "pyarrow.py")


@pytest.mark.parametrize("names", [["recompute.py"], MODULES], ids=["recompute", "modules"])
def test_no_code_of_a_report_is_run(
    report: Path, home: Path, tmp_path: Path, names: Sequence[str]
) -> None:
    """Neither by the command, nor by the released file, nor by a report's own copy of it."""
    (tmp_path / "here").mkdir()
    for name in names:
        file = report / "tables" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(CODE)
    stamped(report)
    sources = ["--sources", str(home)]
    own = report / "tables" / RECOMPUTE.name
    commands = [
        [sys.executable, "-m", "costcurves", "verify", str(report), "--recompute", *sources],
        [sys.executable, "-P", str(RECOMPUTE), str(report), *sources],
        [sys.executable, str(own), *sources],
    ]
    for told in commands if names == MODULES else commands[:2]:
        subprocess.run(told, cwd=tmp_path / "here", check=False, capture_output=True)
        assert not (tmp_path / "here" / "ran").exists()


@pytest.mark.parametrize("name", [".DS_Store", "tables/csv.py", "tables/__pycache__/csv.pyc"])
def test_recomputing_refuses_files_that_are_not_listed(report: Path, home: Path, name: str) -> None:
    command = [sys.executable, "-P", str(RECOMPUTE), str(report)]
    assert subprocess.run(command, cwd=home, check=False).returncode == 0
    (report / name).parent.mkdir(exist_ok=True)
    (report / name).touch()
    run = subprocess.run(command, cwd=home, check=False, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == f"{name}: manifest.json does not list it; remove it\n"
    (report / name).unlink()
    os.mkfifo(report / name)
    run = subprocess.run(command, cwd=home, check=False, capture_output=True, text=True)
    assert run.stderr.startswith(f"{name}: is no regular file, so nothing of ")


def test_an_honest_report_is_recomputed(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", str(report), "--recompute"]) == FINE
    out = capsys.readouterr().out
    assert f"{report}: recomputed from its predictions\n  agree: 4 sha256 of predictions\n" in out
    assert out.endswith("  0 numbers differ\n")
    other_digit(report, MEASURES)
    assert main.main(["verify", str(report), "--recompute"]) == UNVERIFIED
    assert f"  DIFFERS: {MEASURES}, row 1: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "make",
    [
        lambda it: it.write_bytes(bytes(70_000)),
        lambda it: it.symlink_to("/dev/zero"),
        lambda it: os.mkfifo(it),
        lambda it: it.with_name("tables").joinpath("more.csv").touch(),
        lambda it: it.with_name("more").symlink_to("tables"),
    ],
)
def test_bundle_refuses_it_too(
    report: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], object]
) -> None:
    options = ["--output", str(report.with_name("a.zip"))]
    make(report / SIGNATURE)
    assert main.main(["bundle", str(report), *options]) == UNVERIFIED
    assert not report.with_name("a.zip").exists()
    said = capsys.readouterr()
    assert not said.out
    assert re.search("SHA256SUMS.sig: |more", said.err)
