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

from costcurves.command import main, rebuilding
from costcurves.record.manifest import RECORD, SIGNATURE, read_manifest
from tests.command import Ended
from tests.small_study import ROOT
from tests.written_report import MEASURES, STUDY, facts, renewed, stamped, written

FINE: Final = 0
UNVERIFIED: Final = 4
Forgery = Callable[[Path], object]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with predictions of two datasets, their report, and another of the same tables."""
    folder = tmp_path / "home"
    monkeypatch.chdir(tmp_path)
    known = facts(folder)
    written(folder / "reports" / STUDY, known)
    written(folder / "reports" / "other" / STUDY, known | {"seed": 5})
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def report(home: Path, tmp_path: Path) -> Path:
    """A copy of the report, to be forged."""
    return Path(shutil.copytree(home / "reports" / STUDY, tmp_path / "report"))


@pytest.fixture
def rebuild(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options that build the report again, for which the honest report is copied."""

    def build(*_: object, folder: Path) -> None:
        shutil.copytree(home / "reports" / STUDY, folder / "reports" / STUDY)

    monkeypatch.setattr(rebuilding, "build", build)
    return ["--rebuild", "--sources", str(home)]


def then(*steps: Forgery) -> Forgery:
    return lambda report: [step(report) for step in steps]


def edit(name: str, old: str, new: str) -> Forgery:
    """Change something in a file, once."""

    def change(report: Path) -> None:
        text = (report / name).read_text()
        assert old in text
        (report / name).write_text(text.replace(old, new, 1))

    return change


def write(name: str, text: str) -> Forgery:
    return lambda report: (report / name).write_text(text)


def remove(name: str) -> Forgery:
    return lambda report: (report / name).unlink()


def pipe(name: str) -> Forgery:
    def make(report: Path) -> None:
        (report / name).unlink(missing_ok=True)
        os.mkfifo(report / name)

    return make


def link(name: str) -> Forgery:
    def make(report: Path) -> None:
        elsewhere = report.with_name("elsewhere")
        if (report / name).exists():
            shutil.move(report / name, elsewhere)
        (report / name).symlink_to(elsewhere)

    return make


def sparse(name: str) -> Forgery:
    """Make a file of 3 GB that takes no room."""

    def make(report: Path) -> None:
        (report / name).touch()
        os.truncate(report / name, 3_000_000_000)

    return make


def swap(first: str, second: str) -> Forgery:
    """Let two files change places."""

    def make(report: Path) -> None:
        (report / first).rename(aside := report / "aside")
        (report / second).rename(report / first)
        aside.rename(report / second)

    return make


def of_other(name: str) -> Forgery:
    """Take a file from the other report."""
    return lambda report: shutil.copy(Path("reports", "other", STUDY, name), report / name)


TEA: Final = "tables/measures/tea.csv"
CURVES: Final = "figures/tea/cost_curves-a.svg"
PAGE, SUMS, JSON = "report.html", "SHA256SUMS", "manifest.json"
REGULAR: Final = "expected a regular file"
HASH: Final = "changed, its sha256 is not the manifest's"
HUGE: Final = "has 3000000000 bytes, expected at most "
NAME: Final = "x\n\x1b[1Areport: all 26 files are as the manifest says"

# The forgery, and what is said of it.
FOUND: Final[list[tuple[Forgery, str]]] = [
    (then(write(PAGE, "We win.\n"), renewed), f"{PAGE}: is of another manifest, it does not show"),
    (then(write("report.pdf", "%PDF"), renewed), "report.pdf: is of another manifest"),
    (edit(PAGE, "Verdict", "Opinion"), f"{PAGE}: {HASH}"),
    (lambda report: (report / MEASURES).write_bytes(bytes(50)), f"{MEASURES}: {HASH}"),
    (link(MEASURES), f"{MEASURES}: is a link, {REGULAR}"),
    (link("tables"), f"tables: is a link, {REGULAR}"),
    (link(SIGNATURE), f"{SIGNATURE}: is a link, {REGULAR}"),
    (link(JSON), f"{JSON}: is no manifest of a report (it is a link, {REGULAR})"),
    (pipe(MEASURES), f"{MEASURES}: is a pipe or device, {REGULAR}"),
    (pipe("tables/all.csv"), f"tables/all.csv: is a pipe or device, {REGULAR}"),
    (pipe(JSON), f"{JSON}: is no manifest of a report (it is a pipe or device, {REGULAR})"),
    (sparse(SIGNATURE), f"{SIGNATURE}: has 3000000000 bytes, expected at most 65536"),
    (sparse(JSON), f"is no manifest of a report (it {HUGE}"),
    (sparse(PAGE), f"{PAGE}: {HUGE}"),
    (write(f"tables/{SIGNATURE}", "!"), f"tables/{SIGNATURE}: extra, the manifest does not list"),
    (write(NAME, ""), r"  x\n\u001b[1Areport: all 26 files are as the manifest says: extra"),
    (write("errata.html", "!"), "errata.html: extra"),
    (remove(MEASURES), f"{MEASURES}: missing"),
    (remove(JSON), f"{JSON}: is missing"),
    (of_other(JSON), f"{PAGE}: {HASH}"),
    (of_other(SUMS), f"{SUMS}: changed"),
    (swap(MEASURES, TEA), f"{MEASURES}: changed"),
    # A table and its hash; a manifest that says something twice.
    (then(edit(MEASURES, "0.25", "0.2"), of_other(JSON)), f"{MEASURES}: changed"),
    (edit(JSON, '"seed": 3,\n  "code"', '"seed": 3,\n  "seed": 3,\n  "code"'), "says it in other"),
    (edit(JSON, '"seed": 3,\n  "code"', '"seed": 4,\n  "code"'), "it says the fingerprint "),
    # What is no manifest.
    (write(JSON, ""), "is no manifest of a report (JSONDecodeError"),
    (write(JSON, "{}"), "is no manifest of a report (KeyError"),
    (write(JSON, '{"files": {"a": 1}, "fingerprint": "x"}'), "(hashes are text)"),
    (lambda report: (report / JSON).write_bytes(b"\xff"), "(UnicodeDecodeError"),
    (write(JSON, "[" * 100_000), "(RecursionError"),
    (write(JSON, '{"files": {}, "fingerprint": "x", "seed": NaN}'), "(ValueError: Out of range"),
    (write(JSON, '{"files": {}, "fingerprint": "x", "t": "\\ud800"}'), "(UnicodeEncodeError"),
]


@pytest.mark.parametrize(("forge", "message"), FOUND, ids=[text for _, text in FOUND])
def test_it_is_found(
    report: Path,
    opened: list[str],
    ended: Ended,
    forge: Forgery,
    message: str,
) -> None:
    """And no bundle is made of it."""
    forge(report)
    opened.clear()
    status, out, err = ended("verify", str(report))
    assert (status, message in out, err) == (UNVERIFIED, True, ""), out
    large = [
        file
        for file in report.rglob("*")
        if file.is_file() and file.stat().st_size == 3_000_000_000
    ]
    assert not {*map(str, large)} & {*opened}
    into = report.with_name("a.zip")
    assert ended("bundle", str(report), "--output", str(into))[:2] == (UNVERIFIED, "")
    assert not into.exists()


def changed(*part: str, value: Any) -> Forgery:
    """Change something in what the manifest says of how it was made, and all that follows."""

    def make(report: Path) -> None:
        manifest = inner = read_manifest(report)
        for key in part[:-1]:
            inner = inner[key]
        inner[part[-1]] = value
        stamped(report, **{part[0]: manifest[part[0]]})

    return make


# Covered up: manifest and sums are renewed, and fingerprints replaced. What a rebuild says.
COVERED: Final[list[tuple[Forgery, str]]] = [
    (then(edit(MEASURES, "0.25", "0.26"), stamped), f"{MEASURES}: "),
    (then(edit(MEASURES, "0.25", "0.250000000002"), stamped), f"{MEASURES}: "),
    (then(edit(MEASURES, "0.25", ""), stamped), f"{MEASURES}: "),
    (then(remove(MEASURES), stamped), f"{MEASURES}: is only in the rebuild"),
    (then(write("tables/more.csv", "a\n"), stamped), "tables/more.csv: is only in the report"),
    (then(write(MEASURES, ""), stamped), f"{MEASURES}: No columns to parse from file"),
    (then(swap(MEASURES, TEA), stamped), f"{MEASURES}: "),
    (then(write("errata.html", "!"), stamped), "'errata.html'"),
    (then(swap(CURVES, CURVES.replace("tea", "wine")), stamped), f"'{CURVES}'"),
    (changed("configuration", "level", value="fold"), f"{JSON}: configuration is not what the"),
    (changed("seed", value=1), f"{JSON}: seed is not what"),
    (changed("released", value=True), f"'{JSON}'"),
    *((changed("versions", value=value), "") for value in (None, "x", [1])),
]


@pytest.mark.parametrize(("forge", "message"), COVERED)
def test_what_is_covered_up_is_found_by_a_fingerprint_and_by_building_it_again(
    report: Path,
    rebuild: list[str],
    ended: Ended,
    forge: Forgery,
    message: str,
) -> None:
    before = read_manifest(report)["fingerprint"]
    forge(report)
    assert ended("verify", str(report))[0] == FINE
    status, out, _ = ended("verify", str(report), "--expect", before)
    assert (status, "is another report's, its fingerprint is " in out) == (UNVERIFIED, True)
    status, out, _ = ended("verify", str(report), *rebuild)
    assert (status, message in out) == (UNVERIFIED, True), out


@pytest.mark.parametrize(
    "forge",
    [
        edit(PAGE, "Verdict", "Opinion"),
        lambda report: (report / PAGE).write_text(read_manifest(report)["fingerprint"]),
        edit(PAGE, "<style>", "<style>#verdict{display:none}"),
    ],
)
def test_a_page_is_found_by_building_it_again(
    report: Path, rebuild: list[str], ended: Ended, forge: Forgery
) -> None:
    """It shows the fingerprint, which does not cover it."""
    forge(report)
    assert ended("verify", str(report))[0] == UNVERIFIED
    renewed(report)
    status, out, _ = ended("verify", str(report), *rebuild)
    assert (status, out.splitlines()[1:]) == (
        UNVERIFIED,
        [
            f"{report}: built again, all tables and claims are equal",
            f"{report}: pages, figures or records differ: 'SHA256SUMS', '{JSON}', '{PAGE}'",
            "  all versions are the same",
        ],
    )


OTHER = ["all tables", "figures"]


@pytest.mark.parametrize(
    ("tec", "changes", "status", "lines"),
    [
        ("", {}, FINE, ["it is the same"]),
        ("000000000000006", {}, UNVERIFIED, [*OTHER, "all versions are the same"]),
        ("000000000000006", {"versions": {"python": "3.11.7"}}, FINE, [*OTHER, "numpy: None in"]),
        ("", {"libraries": {"Pango": "1.56.0"}}, FINE, [*OTHER, "Pango: 1.56.0 in the report, 1."]),
        ("", {"code": "ab" * 32}, FINE, [*OTHER, "code of costcurves: abab"]),
    ],
)
def test_pages_decide_only_where_versions_are_the_same(
    home: Path,
    tmp_path: Path,
    rebuild: list[str],
    ended: Ended,
    tec: str,
    changes: dict[str, Any],
    status: int,
    lines: list[str],
) -> None:
    made = written(tmp_path / "made", facts(home) | changes, tec=f"0.25{tec}")
    result, out, _ = ended("verify", str(made), *rebuild)
    assert result == status
    for line, text in zip(out.splitlines()[1:], lines, strict=True):
        assert text in line


def test_what_can_not_be_expected(report: Path, ended: Ended) -> None:
    status, _, err = ended("verify", str(report), "--expect", "d5329475")
    assert (status, "--expect is 'd5329475', expected the 64 hexadecimal" in err) == (2, True)
    spaced = read_manifest(report)["fingerprint"].upper().replace("0", " 0")
    assert ended("verify", str(report), "--expect", spaced)[0] == FINE


@pytest.mark.parametrize("page", ["docs/verify.md", "SECURITY.md"])
def test_the_documented_signature(report: Path, tmp_path: Path, page: str) -> None:
    """A line for the author, and two for a reader with the author's key."""
    text = (ROOT / page).read_text()
    (lines,) = re.findall(r"```(?:ba)?sh\n(ssh-keygen -Y sign.*?)```", text, re.DOTALL)
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "id_ed25519")]
    subprocess.run(make, check=True)
    shutil.copy(tmp_path / "id_ed25519.pub", tmp_path / "author.pub")
    places = {"~/.ssh": tmp_path, "reports/cancer": report, "author.pub": tmp_path / "author.pub"}
    script = lines
    for named, place in places.items():
        script = script.replace(named, shlex.quote(str(place)))

    def run(text: str) -> int:
        command = ["bash", "-euc", text]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode

    assert run(script) == 0
    assert main.main(["verify", str(report)]) == FINE
    assert read_manifest(report)["files"].keys().isdisjoint(RECORD)
    edit(SUMS, "a", "b")(report)
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


LEADS_OUT: Final = "leads out of the folders of sources, so it was not opened"
ODD: Final = {  # the path of a source in a stranger's manifest, and what is said of it
    "duckdb:///new.db#COPY (SELECT 1) TO 'made.csv'": "is a URL, which is not opened",
    "HTTP://127.0.0.1:{port}/a.csv": "is a URL, which is not opened; expected a local file",
    "postgresql://127.0.0.1:{port}/a#SELECT 1": "is a URL, which is not opened",
    "file://{home}/secret.csv": "is a URL, which is not opened; expected a local file",
    "{home}/secret.csv": LEADS_OUT,
    "no/../../secret.csv": LEADS_OUT,
    "link.csv": LEADS_OUT,
    "out/secret.csv": LEADS_OUT,
    "out/out/gone.csv": LEADS_OUT,
    "zero.csv": LEADS_OUT,
    "/dev/stdin": LEADS_OUT,
    "pipe.csv": "is no regular file, so it was not opened",
    ".": "is no regular file, so it was not opened",
    "": "is no regular file, so it was not opened",
    "ring.csv": "can't be the path of a file",
    "a" * 5000: "can't be the path of a file",
    "a\0.csv": "can't be the path of a file",
}


@pytest.mark.parametrize("path", ODD)
def test_no_path_of_a_manifest_opens_anything_odd(
    report: Path, reader: Path, opened: list[str], ended: Ended, path: str
) -> None:
    before = sorted(map(str, Path().iterdir()))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        name = path.format(port=listener.getsockname()[1], home=reader)
        secret = hashlib.sha256(b"password\n").hexdigest()
        stamped(report, sources=[{"path": name, "sha256": secret, "rows": 1}])
        opened.clear()
        for options in ([], ["--rebuild"]):
            status, out, err = ended("verify", str(report), *options)
            assert (status, ODD[path] in out) == (UNVERIFIED, True), out
            assert "1 difference from its manifest" in out
            assert [line for line in err.splitlines() if ODD[path] not in line] == []
        with pytest.raises(TimeoutError):
            listener.accept()
    assert {str(reader / "secret.csv"), str(reader), name} & {*opened} == set()
    assert sorted(map(str, Path().iterdir())) == before


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("sources", None),
        ("sources", []),
        ("sources", [{"path": "a"}]),
        ("given", {}),
        ("given", "x"),
    ],
)
def test_a_manifest_that_nothing_can_be_built_from(
    report: Path, ended: Ended, part: str, value: object
) -> None:
    message = "nothing can be built from it"
    stamped(report, **{part: value})
    status, _, err = ended("verify", str(report), "--rebuild")
    assert (status, err.startswith(f"{report}/{JSON}: {message}")) == (UNVERIFIED, True)
    into = report.with_name("a.zip")
    status, _, err = ended("bundle", str(report), "-o", str(into))
    assert (status, message in err, into.exists()) == (UNVERIFIED, True, False)


def test_a_configuration_names_no_file_beside_the_sources(
    report: Path,
    reader: Path,
    opened: list[str],
    ended: Ended,
    rebuild: list[str],
) -> None:
    """The sources of its manifest are honest; its configuration is built again, and has others."""
    secret = str(reader / "secret.csv")
    given = read_manifest(report)["given"]
    given["datasets"][0]["predictions"] = [secret]
    stamped(report, given=given)
    opened.clear()
    status, _, err = ended("verify", str(report), *rebuild)
    assert (status, f"{JSON}: its configuration names '" in err) == (UNVERIFIED, True)
    assert secret not in opened
