"""A report held to its manifest, and to what comes out when it is built again."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from costcurves.command import main, rebuilding
from costcurves.errors import InputError
from costcurves.record.manifest import (
    anonymous,
    fingerprint,
    read_manifest,
    sha256,
    verify,
    with_files,
    write_manifest,
)
from costcurves.record.named import local, named
from costcurves.study.strict_yaml import read_document
from tests.small_study import contents

STAGES = ("predictions", "envelopes", "bands")
BANDS = "tables/bands/wine.csv"


def facts(**changes: Any) -> dict[str, Any]:
    """What a manifest knows besides its files."""
    known: dict[str, Any] = {
        "sources": [],
        "versions": {"python": "3.11.7", "numpy": "2.4.6"},
        "libraries": {"Pango": "1.50.12"},
        "given": {"study": "s"},
        "configuration": {"study": "s", "seed": 3},
        "seed": 3,
        "code": "cd" * 32,
        "results": {f"{stage}/wine.parquet": "0f" for stage in STAGES},
    }
    return known | changes


def written(folder: Path, *, nec: str = "0.25", **changes: Any) -> Path:
    """A finished report."""
    files = {
        "tables/bands/wine.csv": f"pc,nec\n0,0\n0.5,{nec}\n",
        "tables/envelopes/wine.csv": "pc\n0\n",
        "figures/wine/cost_curves.pdf": "%PDF",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    made = with_files(folder, facts(**changes))
    for name in ("report.html", "report.pdf"):
        (folder / name).write_text(f"fingerprint {made['fingerprint']}\n")
    write_manifest(folder, facts(**changes))
    return folder


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return written(tmp_path / "report")


def edited(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest."""
    content = json.loads((folder / "manifest.json").read_text())
    change(content)
    (folder / "manifest.json").write_text(json.dumps(content))


def test_a_report_as_it_was_built_has_nothing_to_find(report: Path) -> None:
    assert verify(report) == []


def test_one_byte_of_a_table(report: Path) -> None:
    table = report / "tables" / "bands" / "wine.csv"
    table.write_bytes(table.read_bytes().replace(b"0.25", b"0.26"))
    expected = "tables/bands/wine.csv: changed, its sha256 is not the manifest's"
    assert verify(report) == [expected]


@pytest.mark.parametrize("name", ["tables/bands/wine.csv", "manifest.json"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(report: Path, name: str) -> None:
    (report / name).unlink()
    os.mkfifo(report / name)
    (finding,) = verify(report)
    assert name in finding
    assert "regular file" in finding


def test_a_manifest_that_says_something_twice(report: Path) -> None:
    manifest = report / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text.replace('"seed": 3,\n  "code"', '"seed": 4,\n  "seed": 3,\n  "code"'))
    assert json.loads(manifest.read_text()) == json.loads(text)
    (finding,) = verify(report)
    assert finding.startswith("manifest.json: changed, it holds what its fingerprint says, and")


def test_a_table_and_its_hash_changed_together(report: Path) -> None:
    table = report / "tables" / "bands" / "wine.csv"
    table.write_text("pc,nec\n0,0\n")
    edited(report, lambda it: it["files"].update({"tables/bands/wine.csv": sha256(table)}))
    (finding,) = verify(report)
    assert finding.startswith("manifest.json: changed, it says the fingerprint ")


def test_sums_are_what_sha256sum_checks(report: Path) -> None:
    run = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    assert subprocess.run(run, cwd=report, check=False).returncode == 0
    named = {line[66:] for line in (report / "SHA256SUMS").read_text().splitlines()}
    assert named == {*contents(report)} - {"SHA256SUMS"}
    assert "manifest.json" in named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "manifest.json: is missing"),
        ("", "is no manifest of a report (JSONDecodeError"),
        ("[]", "is no manifest of a report (TypeError"),
        ("{}", "is no manifest of a report (KeyError"),
        ('{"files": {"a": 1}, "fingerprint": "x"}', "(hashes are text)"),
        ('{"files": [1], "fingerprint": "x"}', "(AttributeError"),
        (b"\xff", "(UnicodeDecodeError"),
        ("[" * 100_000, "(RecursionError"),
        ('{"files": {}, "fingerprint": "x", "seed": NaN}', "(ValueError: Out of range"),
        ('{"files": {}, "fingerprint": "x", "seed": 1e999}', "(ValueError: Out of range"),
        ('{"files": {}, "fingerprint": "x", "title": "\\ud800"}', "(UnicodeEncodeError"),
    ],
)
def test_what_is_no_manifest(report: Path, text: str | bytes | None, said: str) -> None:
    path = report / "manifest.json"
    path.unlink()
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (finding,) = verify(report)
    assert said in finding
    with pytest.raises(InputError):
        read_manifest(report)


def test_the_fingerprint_covers_all_but_what_shows_it(report: Path) -> None:
    manifest = read_manifest(report)
    before = manifest["fingerprint"]
    assert fingerprint(manifest) == before
    for name in ("report.html", "report.pdf"):
        manifest["files"][name] = "0" * 64
    assert fingerprint(manifest) == before
    for key in set(manifest) - {"fingerprint"}:
        assert fingerprint({**manifest, key: {"changed": "yes"}}) != before


def test_the_fingerprint_is_of_canonical_json() -> None:
    # printf '{"files":{},"seed":1}' | sha256sum
    expected = "9a518e27b3c3a26d771d929be9709db310b6887cf819477c4dbc709407201067"
    assert fingerprint({"seed": 1, "files": {}}) == expected


# Built again.


@pytest.mark.parametrize(
    ("changes", "fits", "said"),
    [
        ({}, True, ["it is the same"]),
        ({"nec": "0.25000000000000006"}, False, ["all tables", "figures", "all versions are the"]),
        (
            {"versions": {"python": "3.11.7", "numpy": "2.5.0"}},
            True,
            [
                "all tables and claims",
                "figures",
                "numpy: 2.4.6 in the report, 2.5.0 in the rebuild",
            ],
        ),
        (
            {"nec": "0.25000000000000006", "versions": {"python": "3.11.7"}},
            True,
            ["all tables", "figures", "numpy: 2.4.6 in the report, none in the rebuild"],
        ),
        (
            {"libraries": {"Pango": "1.56.0"}},
            True,
            ["all tables", "figures", "Pango: 1.50.12 in the report, 1.56.0 in the rebuild"],
        ),
        (
            {"code": "ab" * 32},
            True,
            ["all tables", "figures", "code of costcurves: cdcdcdcdcdcd in the report, abababab"],
        ),
        (
            {"nec": "0.250000000002", "versions": {"python": "3.12.1"}},
            False,
            ["its tables differ", f"{BANDS}, row 2: nec is 0.25 in the report, 0.250000000002 in"],
        ),
        (
            {"nec": ""},
            False,
            ["its tables differ", f"{BANDS}, row 2: nec is 0.25 in the"],
        ),
        ({"nec": "x"}, False, ["its tables differ", f"{BANDS}, row "]),
        (
            {"nec": "0.25\n1,1"},
            False,
            ["its tables differ", f"{BANDS}: has 2 rows of the columns "],
        ),
        (
            {"seed": 4},
            False,
            ["its tables differ", "manifest.json: seed is not what the"],
        ),
        ({"sources": [{"path": "a.csv"}]}, False, ["its tables differ", "manifest.json: sources"]),
    ],
)
def test_tables_decide_and_pages_only_where_versions_are_the_same(
    report: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, Any],
    fits: bool,
    said: list[str],
) -> None:
    again = written(report.parent / "again", **changes)
    assert rebuilding.compared(report, again) is fits
    lines = capsys.readouterr().out.splitlines()
    for line, expected in zip(lines, said, strict=False):
        assert expected in line
    assert len(lines) >= len(said)


# Where it is built again.


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What the workflow finds, by the paths of its configuration, in place of running it."""
    seen: dict[str, bytes] = {}

    def build(config: Path, *_: object, folder: Path) -> None:
        (dataset,) = read_document(config).content["datasets"]
        seen.update({path: (folder / path).read_bytes() for path in dataset["predictions"]})

    monkeypatch.setattr(rebuilding, "build", build)
    return seen


def with_sources(folder: Path, *paths: str, **changes: Any) -> Path:
    """A report of these sources, which are there."""
    known = []
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(Path(path).name)
        known.append({"path": path, "sha256": sha256(folder / path), "rows": 1})
    given = {"study": "s", "datasets": [{"name": "wine", "predictions": list(paths)}]}
    return written(folder / "reports" / "s", sources=known, given=given, **changes)


def rebuilt(report: Path, sources: Path, work: Path) -> Path:
    work.mkdir()
    known = named(read_manifest(report), [sources, sources.parent.parent])
    return rebuilding.built_again(report, known, work)


def test_sources_are_found_by_the_paths_that_the_report_shows(
    tmp_path: Path, made: dict[str, bytes]
) -> None:
    home = tmp_path / "home" / "study"
    paths = ["a.csv", "data/b.csv", "../c.csv", str(tmp_path / "d.csv")]
    report = with_sources(home, *paths)
    again = rebuilt(report, home, tmp_path / "work")
    assert made == {path: Path(path).name.encode() for path in paths}
    assert again.parts[-2:] == ("reports", "s")
    assert again.is_relative_to(tmp_path / "work")


def test_a_source_is_opened_in_folders_that_are_named_and_below_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, here = (tmp_path / name for name in ("one", "two", "here"))
    for folder in (one, two, here):
        folder.mkdir()
        (folder / f"{folder.name}.csv").touch()
    (one / "link.csv").symlink_to("one.csv")
    (one / "out.csv").symlink_to("../two/two.csv")
    monkeypatch.chdir(here)
    assert local("one.csv", [two, one]) == one / "one.csv"
    assert local(str(two / "two.csv"), [one, two]) == two / "two.csv"
    assert local("link.csv", [one]) == one / "one.csv"
    assert local("out.csv", [one, two]) == two / "two.csv"
    assert local("../here/here.csv", [one]) == here / "here.csv"
    assert local("gone.csv", [one]) is None
    for path in ("../two/two.csv", "out.csv", "../two/gone.csv", str(two / "two.csv")):
        with pytest.raises(InputError, match="leads out of the folders of sources, so it was not"):
            local(path, [one])


def test_an_anonymous_report_is_built_from_names_of_files(
    tmp_path: Path, made: dict[str, bytes]
) -> None:
    report = with_sources(tmp_path, "one/x.csv", "two/x.csv", "three/y.csv")
    manifest = anonymous(read_manifest(report))
    (report / "manifest.json").write_text(json.dumps(manifest))
    places = {"1/x.csv": "one/x.csv", "2/x.csv": "two/x.csv", "y.csv": "three/y.csv"}
    for name, path in places.items():
        (tmp_path / "collected" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tmp_path / path, tmp_path / "collected" / name)
    rebuilt(report, tmp_path / "collected", tmp_path / "work")
    assert list(made) == list(places)
    assert anonymous(manifest) == manifest


def test_other_sources_are_refused_before_anything_is_built(
    tmp_path: Path, made: dict[str, bytes]
) -> None:
    report = with_sources(tmp_path, "a.csv", "b.csv", "c.csv")
    (tmp_path / "a.csv").write_text("other")
    (tmp_path / "b.csv").unlink()
    with pytest.raises(InputError) as raised:
        rebuilt(report, tmp_path, tmp_path / "work")
    first, second = raised.value.findings
    assert "a.csv: is not the file that the report was made of" in first
    assert "b.csv: is not there; name the folder of the sources with --sources" in second
    assert not made


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sources", None),
        ("sources", []),
        ("sources", {"path": "a.csv"}),
        ("sources", [{"path": "a.csv"}]),
        ("given", {}),
        ("given", "x"),
        ("results", None),
    ],
)
def test_a_manifest_that_nothing_can_be_built_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, value: object
) -> None:
    report = with_sources(tmp_path, "a.csv")
    edited(report, lambda it: it.update({key: value}))
    assert main.main(["verify", str(report), "--rebuild", "--sources", str(tmp_path)]) == 4
    error = capsys.readouterr().err
    assert error.startswith(f"{report}/manifest.json: nothing can be built from it: ")


def test_a_changed_report_stays_a_finding_where_its_sources_are_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = with_sources(tmp_path, "a.csv")
    (tmp_path / "a.csv").unlink()
    command = ["verify", str(report), "--rebuild", "--sources", str(tmp_path)]
    assert main.main(command) == 3
    (report / "report.html").write_text("changed")
    assert main.main(command) == 4
    said = capsys.readouterr()
    assert "report.html" in said.out
    assert said.err.count("a.csv: is not there; name the folder of the sources") == 2


@pytest.mark.parametrize("elsewhere", [False, True])
def test_sources_are_held_to_the_manifest_where_they_are(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    elsewhere: bool,
) -> None:
    report = with_sources(tmp_path, "a.csv", "data/b.csv")
    monkeypatch.chdir(report if elsewhere else tmp_path)
    begin = f"{tmp_path}/" if elsewhere else ""
    command = ["verify", str(report), *(["--sources", str(tmp_path)] if elsewhere else [])]
    assert main.main(command) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    (tmp_path / "data" / "b.csv").unlink()
    assert main.main(command) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"{report}: not all of its sources could be compared with its manifest",
        f"  {begin}data/b.csv: is not there; name the folder of the sources with --sources",
    ]
    (tmp_path / "a.csv").write_text("other")
    os.utime(tmp_path / "a.csv", (1, 1))
    assert main.main(command) == 4
    assert capsys.readouterr().out.splitlines()[:2] == [
        f"{report}: 1 difference from its manifest",
        f"  {begin}a.csv: is not the file that the report was made of (its sha256)",
    ]


def test_without_a_manifest_nothing_is_built_again(report: Path) -> None:
    (report / "manifest.json").unlink()
    assert main.main(["verify", str(report), "--rebuild"]) == 4


# Without names.


def test_every_path_is_replaced_wherever_it_is_said() -> None:
    given = {
        "datasets": [{"name": "wine", "predictions": ["/home/jo/x.csv", "../jo/x.csv"]}],
    }
    sources = [{"path": path} for path in given["datasets"][0]["predictions"]]
    made = anonymous({"sources": sources, "given": given, "seed": 3})
    assert "jo" not in json.dumps(made)
    assert made["given"]["datasets"] == [{"name": "wine", "predictions": ["1/x.csv", "2/x.csv"]}]
    assert made["seed"] == 3
