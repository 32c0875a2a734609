"""Forgeries of a report, and the verdict that each of them gets.

A forger has the report, the predictions and this very program. What is covered up in the manifest
is found where the report is built again; most of it by a known fingerprint, too. None makes
`verify` open a file elsewhere, wait, send something, or run code.
"""

import hashlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from costcurves.command import main, rebuilding
from costcurves.record.manifest import RECORD, SIGNATURE, read_manifest, write_manifest
from tests.small_study import ROOT, folds_of, scored, snakemake

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
    made: dict[str, Any] = {"study": "honest"}
    made |= {"inference": {"resamples": 50}, "pdf": False, "datasets": datasets}
    (folder / "study.yaml").write_text(yaml.safe_dump(made))
    run = snakemake(folder, "study.yaml")
    assert run.returncode == 0, run.stderr
    report = folder / "reports" / "honest"
    other = shutil.copytree(report, folder / "reports" / "other" / "honest")
    stamped(other, seed=5)
    return folder


@pytest.fixture
def rebuild(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options that build the report again, for which the honest report is copied."""

    def build(*_: object, folder: Path) -> None:
        shutil.copytree(home / "reports" / "honest", folder / "reports" / "honest")

    monkeypatch.setattr(rebuilding, "build", build)
    return ["--rebuild", "--sources", str(home)]


@pytest.fixture
def report(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the report, to be forged."""
    monkeypatch.chdir(home)
    return Path(shutil.copytree(home / "reports" / "honest", tmp_path / "report"))


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


def sparse(file: Path) -> None:
    """Make a file of 3 GB that takes no room."""
    file.touch()
    os.truncate(file, 3_000_000_000)


def removed(report: Path, *names: str) -> None:
    for name in names:
        (report / name).unlink()


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
CURVES: Final = "figures/tea/cost_curves-a.svg"
SENTENCE: Final = ("Verdict", "Opinion")
Forgery = Callable[[Path], object]


def then(*steps: Forgery) -> Forgery:
    return lambda report: [step(report) for step in steps]


# The forgery, and what is said of it.
FOUND: Final[dict[str, tuple[Forgery, str]]] = {
    "HTML replaced by a line": (
        then(lambda it: (it / "report.html").write_text("We win.\n"), renewed),
        "report.html: is of another manifest, it does not show the fingerprint",
    ),
    "PDF of another report": (
        then(lambda it: (it / "report.pdf").write_bytes(b"%PDF-1.7 " + b"ab" * 32), renewed),
        "report.pdf: is of another manifest",
    ),
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
    "3 GB in place of the signature": (
        lambda it: sparse(it / SIGNATURE),
        "SHA256SUMS.sig: has 3000000000 bytes, expected at most 65536",
    ),
    "3 GB in place of the sums": (
        lambda it: sparse(it / "SHA256SUMS"),
        "SHA256SUMS: has 3000000000 bytes, expected at most ",
    ),
    "3 GB in place of the manifest": (
        lambda it: sparse(it / "manifest.json"),
        "is no manifest of a report (it has 3000000000 bytes, expected at most ",
    ),
    "3 GB in place of a page": (
        lambda it: sparse(it / "report.html"),
        "report.html: has 3000000000 bytes, expected at most ",
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
}


@pytest.mark.parametrize("forgery", FOUND)
def test_it_is_found(
    report: Path, opened: list[str], capsys: pytest.CaptureFixture[str], forgery: str
) -> None:
    forge, said = FOUND[forgery]
    forge(report)
    opened.clear()
    assert main.main(["verify", str(report)]) == UNVERIFIED
    out = capsys.readouterr()
    assert said in out.out
    assert not out.err
    large = [it for it in report.rglob("*") if it.is_file() and it.stat().st_size == 3_000_000_000]
    assert not {*map(str, large)} & {*opened}


# Covered up: manifest and sums are renewed, and fingerprints replaced. What a rebuild says.
COVERED: Final[dict[str, tuple[Forgery, str]]] = {
    "a digit of a table": (then(lambda it: other_digit(it, MEASURES), stamped), f"{MEASURES}, row"),
    "a table removed": (
        then(lambda it: removed(it, MEASURES), stamped),
        f"{MEASURES}: is only in the rebuild",
    ),
    "a table that is none": (
        then(lambda it: (it / MEASURES).write_text("all,is\nwell,!\n"), stamped),
        f"{MEASURES}: has 1 rows of the columns 'all', 'is', expected ",
    ),
    "a table without a byte": (
        then(lambda it: (it / MEASURES).write_bytes(b""), stamped),
        f"{MEASURES}: can't be read",
    ),
    "a row more": (
        then(lambda it: (it / MEASURES).write_text((it / MEASURES).read_text() + "x\n"), stamped),
        f"{MEASURES}: has ",
    ),
    "tables swapped between datasets": (
        then(lambda it: swapped(it, MEASURES, "tables/measures/tea.csv"), stamped),
        f"{MEASURES}, row 1: dataset is tea in the report, wine in the rebuild",
    ),
    "a model renamed everywhere": (
        then(another_model, stamped),
        ": model is Woods in the report, Trees in the rebuild",
    ),
    "a file added": (
        then(lambda it: (it / "errata.html").write_text("!"), stamped),
        "'errata.html'",
    ),
    "a figure swapped": (
        then(
            lambda it: swapped(
                it, "figures/tea/cost_curves-a.svg", "figures/wine/cost_curves-a.svg"
            ),
            stamped,
        ),
        f"'{CURVES}'",
    ),
    "data of a figure changed": (
        then(lambda it: other_digit(it, "figures/tea/cost_curves.csv"), stamped),
        "'figures/tea/cost_curves.csv'",
    ),
    "another configuration named as used": (
        lambda it: stamped(it, **made_otherwise(it, "configuration", "level", value="fold")),
        "manifest.json: configuration is not what the report is built from",
    ),
    "another seed named": (lambda it: stamped(it, seed=1), "manifest.json: seed is not what"),
    "said to be made by released code": (lambda it: stamped(it, released=True), "'manifest.json'"),
    **{
        f"{part} that are none, {value!r}": (said_of(part, value), "")
        for part in ("versions", "libraries", "configuration")
        for value in (None, "x", [1])
    },
}
# Pages alone, which show the fingerprint, so that it does not cover them.
PAGES: Final[dict[str, Forgery]] = {
    "a sentence": lambda it: edited(it, "report.html", *SENTENCE),
    "a line that shows the fingerprint": lambda it: (it / "report.html").write_text(
        read_manifest(it)["fingerprint"]
    ),
    "a style that hides a section": lambda it: edited(
        it, "report.html", "<style>", "<style>#verdict{display:none}"
    ),
}


@pytest.mark.parametrize("forgery", COVERED)
def test_what_is_covered_up_is_found_by_a_fingerprint_and_by_building_it_again(
    report: Path, rebuild: list[str], capsys: pytest.CaptureFixture[str], forgery: str
) -> None:
    before = read_manifest(report)["fingerprint"]
    forge, said = COVERED[forgery]
    forge(report)
    assert main.main(["verify", str(report)]) == FINE
    assert main.main(["verify", str(report), "--expect", before]) == UNVERIFIED
    assert "manifest.json: is another report's, its fingerprint is " in capsys.readouterr().out
    assert main.main(["verify", str(report), *rebuild]) == UNVERIFIED
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("forgery", PAGES)
def test_a_page_is_found_by_building_it_again(
    report: Path, rebuild: list[str], capsys: pytest.CaptureFixture[str], forgery: str
) -> None:
    PAGES[forgery](report)
    assert main.main(["verify", str(report)]) == UNVERIFIED
    renewed(report)
    capsys.readouterr()
    assert main.main(["verify", str(report), *rebuild]) == UNVERIFIED
    out = capsys.readouterr().out.splitlines()
    names = "'SHA256SUMS', 'manifest.json', 'report.html'"
    assert out[1:] == [
        f"{report}: built again, all tables and claims are equal",
        f"{report}: pages, figures or records differ: {names}",
        "  all versions are the same",
    ]


def test_what_is_honest_is_fine(
    report: Path, rebuild: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["verify", str(report), *rebuild]) == FINE
    assert f"{report}: built again, it is the same\n" in capsys.readouterr().out


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
    for options in ([], ["--rebuild"]):
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


@pytest.mark.parametrize(
    ("part", "said"),
    [
        *((it, "nothing can be built from it") for it in ("sources", "results")),
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


def test_a_configuration_names_no_file_beside_the_sources(
    report: Path,
    reader: Path,
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    rebuild: list[str],
) -> None:
    """The sources of its manifest are honest; its configuration is built again, and has others."""
    secret = str(reader / "secret.csv")
    given = read_manifest(report)["given"]
    given["datasets"][0]["predictions"] = [secret]
    stamped(report, given=given)
    opened.clear()
    assert main.main(["verify", str(report), *rebuild]) == UNVERIFIED
    assert "manifest.json: its configuration names '" in capsys.readouterr().err
    assert secret not in opened


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
