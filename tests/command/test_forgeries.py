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
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from costcurves.command import rebuilding
from costcurves.record.manifest import RECORD, SIGNATURE, read_manifest
from tests.command import ended
from tests.small_study import ROOT
from tests.written_report import MEASURES, STUDY, facts, renewed, stamped, written

FINE: Final = 0
UNVERIFIED: Final = 4


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with predictions of two datasets, their report, and another of the same tables."""
    home = folder / "home"
    for place, seed in {STUDY: 3, "other": 5}.items():
        written(home / "reports" / place, facts(home) | {"seed": seed})
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def report(home: Path) -> Path:
    """A copy of the report, to be forged."""
    return Path(shutil.copytree(home / "reports" / STUDY, home.with_name("report")))


@pytest.fixture
def rebuild(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options that build the report again, for which the honest report is copied."""

    def build(*_: object, folder: Path) -> None:
        shutil.copytree(home / "reports" / STUDY, folder / "reports" / STUDY)

    monkeypatch.setattr(rebuilding, "build", build)
    return ["--rebuild", "--sources", str(home)]


# What a forger does with a file of a report.


def edit(file: Path, old: str, new: str) -> None:
    """Change something in it, once."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def pipe(file: Path) -> None:
    file.unlink(missing_ok=True)
    os.mkfifo(file)


def link(file: Path) -> None:
    elsewhere = file.parents[1] / "elsewhere"
    if file.exists():
        shutil.move(file, elsewhere)
    file.symlink_to(elsewhere)


def sparse(file: Path) -> None:
    """Make it one of 3 GB that takes no room."""
    file.touch()
    os.truncate(file, 3_000_000_000)


def swap(file: Path, other: str) -> None:
    """Let it and another change places."""
    file.rename(aside := file.with_name("aside"))
    (file.parent / other).rename(file)
    aside.rename(file.parent / other)


def of_other(file: Path) -> None:
    """Take it from the other report."""
    shutil.copy(Path("reports/other", file.name), file)


def made_by(report: Path, key: str, value: object) -> None:
    """Change what the manifest says of how the report was made, and all that follows."""
    stamped(report, **{key: value})


PAGE, SUMS, JSON = "report.html", "SHA256SUMS", "manifest.json"
TABLES, FIGURE = "tables/all.csv", "figures/tea/cost_curves-a.svg"
REGULAR: Final = "expected a regular file"
PIPE: Final = f"is a pipe or device, {REGULAR}"
HASH: Final = "changed, its sha256 is not the manifest's"
HUGE: Final = "has 3000000000 bytes, expected at most "
NO: Final = f"{JSON}: is no manifest of a report ("
NAME: Final = "x\n\x1b[1Areport: all 26 files are as the manifest says"
SEED: Final = '"seed": 3,\n  "code"'
NUMBERED: Final = '{"files": {}, "fingerprint": "x", "t": %s}'
Steps = list[tuple[Any, ...]]  # of each the name of a file, what is done with it, and how


def forge(report: Path, steps: Steps) -> None:
    for name, does, *how in steps:
        does(report / name, *how)


# The forgery, and what is said of it.
PLAIN: Final[list[tuple[Steps, str]]] = [
    ([(PAGE, Path.write_text, "We win."), ("", renewed)], f"{PAGE}: is of another manifest, it do"),
    ([("report.pdf", Path.write_text, "%PDF"), ("", renewed)], "report.pdf: is of another manifes"),
    ([(PAGE, edit, "Verdict", "Opinion")], f"{PAGE}: {HASH}"),
    ([(MEASURES, edit, "0.25", "0.2"), (JSON, of_other)], f"{MEASURES}: {HASH}"),
    ([(MEASURES, link)], f"{MEASURES}: is a link, {REGULAR}"),
    ([("tables", link)], f"tables: is a link, {REGULAR}"),
    ([(SIGNATURE, link)], f"{SIGNATURE}: is a link, {REGULAR}"),
    ([(MEASURES, pipe)], f"{MEASURES}: {PIPE}"),
    ([(JSON, pipe)], f"{NO}it {PIPE})"),
    ([(SIGNATURE, sparse)], f"{SIGNATURE}: has 3000000000 bytes, expected at most 65536"),
    ([(JSON, sparse)], f"{NO}it {HUGE}"),
    ([(PAGE, sparse)], f"{PAGE}: {HUGE}"),
    ([(f"tables/{SIGNATURE}", Path.touch)], f"tables/{SIGNATURE}: extra, the manifest does not li"),
    ([(NAME, Path.touch)], r"  x\n\u001b[1Areport: all 26 files are as the manifest says: extra"),
    ([(MEASURES, Path.unlink)], f"{MEASURES}: missing"),
    ([(JSON, Path.unlink)], f"{JSON}: is missing"),
    ([(JSON, of_other)], f"{PAGE}: {HASH}"),
    ([(SUMS, of_other)], f"{SUMS}: changed"),
    # A manifest that says something twice, or what it does not say itself.
    ([(JSON, edit, SEED, SEED.replace("3,", '3,\n  "seed": 3,'))], "says it in other"),
    ([(JSON, edit, SEED, SEED.replace("3", "4"))], "it says the fingerprint "),
    # What is no manifest.
    ([(JSON, Path.write_text, "")], f"{NO}JSONDecodeError"),
    ([(JSON, Path.write_text, "{}")], f"{NO}KeyError"),
    ([(JSON, Path.write_text, '{"files": {"a": 1}, "fingerprint": "x"}')], "(hashes are text)"),
    ([(JSON, Path.write_bytes, b"\xff")], f"{NO}UnicodeDecodeError"),
    ([(JSON, Path.write_text, "[" * 100_000)], f"{NO}RecursionError"),
    ([(JSON, Path.write_text, NUMBERED % "NaN")], f"{NO}ValueError: Out of range"),
    ([(JSON, Path.write_text, NUMBERED % '"\\ud800"')], f"{NO}UnicodeEncodeError"),
]


@pytest.mark.parametrize(("steps", "message"), PLAIN, ids=[text for _, text in PLAIN])
def test_a_forgery_is_caught(report: Path, opened: list[str], steps: Steps, message: str) -> None:
    """And no bundle is made of it."""
    forge(report, steps)
    opened.clear()
    status, out, err = ended("verify", str(report))
    assert (status, message in out, err) == (UNVERIFIED, True, ""), out
    regular = [file for file in report.rglob("*") if file.is_file()]
    assert not {str(file) for file in regular if file.stat().st_size == 3_000_000_000} & {*opened}
    into = report.with_name("a.zip")
    assert ended("bundle", str(report), "--output", str(into))[:2] == (UNVERIFIED, "")
    assert not into.exists()


# Covered up: manifest and sums are renewed, and fingerprints replaced. What a rebuild says.
PAGES: Final = (
    "built again, all tables and claims are equal\nX: pages, figures or records differ: "
    f"'SHA256SUMS', '{JSON}', '{PAGE}'\n  all versions are the same\n"
)
COVERED: Final[list[tuple[Steps, str]]] = [
    ([(MEASURES, edit, "0.25", "0.250000000002"), ("", stamped)], f"{MEASURES}: "),
    ([(MEASURES, Path.unlink), ("", stamped)], f"{MEASURES}: is only in the rebuild"),
    ([(TABLES, Path.write_text, "a\n"), ("", stamped)], f"{TABLES}: is only in the report"),
    ([(MEASURES, Path.write_text, ""), ("", stamped)], f"{MEASURES}: No columns to parse from"),
    ([(MEASURES, swap, "tea.csv"), ("", stamped)], f"{MEASURES}: "),
    ([("errata.html", Path.touch), ("", stamped)], "'errata.html'"),
    ([(FIGURE, swap, "../wine/cost_curves-a.svg"), ("", stamped)], f"'{FIGURE}'"),
    ([("", made_by, "configuration", {"seed": 3})], f"{JSON}: configuration is not what the"),
    ([("", made_by, "seed", 1)], f"{JSON}: seed is not what"),
    ([("", made_by, "released", True)], f"'{JSON}'"),
    *(([("", made_by, "versions", value)], "") for value in (None, "x", [1])),
    # A page shows the fingerprint, which does not cover it.
    ([(PAGE, edit, "<style>", "<style>#verdict{display:none}"), ("", renewed)], PAGES),
]


@pytest.mark.parametrize(("steps", "message"), COVERED)
def test_what_is_covered_up_is_caught_by_a_fingerprint_or_by_building_it_again(
    report: Path, rebuild: list[str], steps: Steps, message: str
) -> None:
    before = read_manifest(report)["fingerprint"]
    forge(report, steps)
    assert ended("verify", str(report))[0] == FINE
    status, out, _ = ended("verify", str(report), "--expect", before)
    other = "is another report's, its fingerprint is " in out
    assert (status, other) == ((FINE, False) if message == PAGES else (UNVERIFIED, True))
    status, out, _ = ended("verify", str(report), *rebuild)
    assert (status, message in out.replace(str(report), "X")) == (UNVERIFIED, True), out


VERSIONS = [
    ("", {}, FINE, "it is the same"),
    ("000000000000006", {}, UNVERIFIED, "all versions are the same"),
    ("000000000000006", {"versions": {"python": "3.11.7"}}, FINE, "numpy: None in"),
    ("", {"libraries": {"Pango": "1.56.0"}}, FINE, "Pango: 1.56.0 in the report, 1."),
    ("", {"code": "ab" * 32}, FINE, "code of costcurves: abab"),
]


@pytest.mark.parametrize(("tec", "changes", "status", "last"), VERSIONS)
def test_pages_decide_only_where_versions_are_the_same(
    home: Path, rebuild: list[str], tec: str, changes: dict[str, Any], status: int, last: str
) -> None:
    made = written(home.with_name("made"), facts(home) | changes, tec=f"0.25{tec}")
    result, out, _ = ended("verify", str(made), *rebuild)
    assert (result, out.count("\n"), last in out) == (status, 4 if tec or changes else 2, True), out
    assert ("all tables and claims are equal" in out) == bool(tec or changes)
    status, _, err = ended("verify", str(made), "--expect", "d5329475")
    assert (status, "--expect is 'd5329475', expected the 64 hexadecimal" in err) == (2, True)
    spaced = read_manifest(made)["fingerprint"].upper().replace("0", " 0")
    assert ended("verify", str(made), "--expect", spaced)[0] == FINE


def test_the_documented_signature(report: Path) -> None:
    """A line for the author, and two for a reader with the author's key."""
    block = re.compile(r"```(?:ba)?sh\n(ssh-keygen -Y sign.*?)```", re.DOTALL)
    pages = [(ROOT / page).read_text() for page in ("docs/verify.md", "SECURITY.md")]
    (script,) = {text for page in pages for text in block.findall(page)}
    home = report.parent
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(home / "id_ed25519")]
    subprocess.run(make, check=True)
    places = {"~/.ssh": home, "reports/cancer": report, "author.pub": home / "id_ed25519.pub"}
    for named, place in places.items():
        script = script.replace(named, shlex.quote(str(place)))

    def run(text: str) -> int:
        command = ["bash", "-euc", text]
        return subprocess.run(command, cwd=home, capture_output=True, check=False).returncode

    assert run(script) == 0
    assert ended("verify", str(report))[0] == FINE
    assert read_manifest(report)["files"].keys().isdisjoint(RECORD)
    edit(report / SUMS, "a", "b")
    assert run(script.partition("\n")[2]) != 0


# What a manifest makes the reader's machine open.

WATCHING: Final[list[list[str]]] = []


def watched(event: str, arguments: tuple[Any, ...]) -> None:
    if WATCHING and event in ("open", "os.listdir", "os.scandir", "socket.connect"):
        WATCHING[0].append(str(arguments[event == "socket.connect"]))


sys.addaudithook(watched)  # for the life of the process


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """What is opened from here on, by its path."""
    paths: list[str] = []
    WATCHING.append(paths)
    yield paths
    WATCHING.clear()


@pytest.fixture
def reader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a reader verifies, beside a secret and odd things."""
    (folder / "secret.csv").write_text("password\n")
    (folder / "here").mkdir()
    monkeypatch.chdir(folder / "here")
    links = {"link.csv": "../secret.csv", "out": "..", "ring.csv": "ring.csv"}
    for name, place in {**links, "zero.csv": "/dev/zero"}.items():
        Path(name).symlink_to(place)
    os.mkfifo("pipe.csv")
    return folder


LEADS_OUT: Final = "leads out of the folders of sources, so it was not opened"
URL: Final = "is a URL, which is not opened; expected a local file"
ODD: Final = {  # the path of a source in a stranger's manifest, and what is said of it
    "duckdb:///new.db#COPY (SELECT 1) TO 'made.csv'": URL,
    "HTTP://127.0.0.1:{port}/a.csv": URL,
    "file://{home}/secret.csv": URL,
    **dict.fromkeys(("{home}/secret.csv", "no/../../secret.csv", "link.csv"), LEADS_OUT),
    **dict.fromkeys(("out/secret.csv", "out/out/gone.csv", "zero.csv", "/dev/stdin"), LEADS_OUT),
    **dict.fromkeys(("pipe.csv", ".", ""), "is no regular file, so it was not opened"),
    **dict.fromkeys(("ring.csv", "a" * 5000, "a\0.csv"), "can't be the path of a file"),
}


@pytest.mark.parametrize("path", ODD)
def test_no_path_opens_odd_things(report: Path, reader: Path, opened: list[str], path: str) -> None:
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


SOURCES: Final[list[object]] = [None, [], [{"path": "a"}]]
PARTS: Final = *(("sources", value) for value in SOURCES), ("given", {}), ("given", "x")


@pytest.mark.parametrize(("key", "value"), PARTS)
def test_a_manifest_that_nothing_can_be_built_from(report: Path, key: str, value: object) -> None:
    stamped(report, **{key: value})
    into = report.with_name("a.zip")
    for words in (["verify", "--rebuild"], ["bundle", "-o", str(into)]):
        status, _, err = ended(*words, str(report))
        assert (status, into.exists()) == (UNVERIFIED, False)
        assert f"{report}/{JSON}: nothing can be built from it" in err


def test_a_configuration_names_no_file_beside_the_sources(
    report: Path, reader: Path, opened: list[str], rebuild: list[str]
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
