"""A report compared with its manifest, its sources with those that are here."""

import os
import subprocess
from pathlib import Path

import pytest

from costcurves.command import rebuilding
from costcurves.record.manifest import anonymous, fingerprint, read_manifest
from costcurves.record.named import local, named
from costcurves.study.strict_yaml import read_document
from tests.command import ended
from tests.small_study import contents
from tests.written_report import STUDY, facts, written


def test_the_fingerprint_covers_all_but_what_shows_it(folder: Path) -> None:
    report = written(folder / "report", facts(folder))
    run = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    assert subprocess.run(run, cwd=report, check=False).returncode == 0
    names = {line[66:] for line in (report / "SHA256SUMS").read_text().splitlines()}
    assert names == {*contents(report)} - {"SHA256SUMS"}
    manifest = read_manifest(report)
    before = manifest["fingerprint"]
    manifest["files"] |= dict.fromkeys(("report.html", "report.pdf"), "0" * 64)
    assert fingerprint(manifest) == before
    for key in set(manifest) - {"fingerprint"}:
        assert fingerprint({**manifest, key: {"changed": "yes"}}) != before
    # Of canonical JSON: printf '{"files":{},"seed":1}' | sha256sum
    expected = "9a518e27b3c3a26d771d929be9709db310b6887cf819477c4dbc709407201067"
    assert fingerprint({"seed": 1, "files": {}}) == expected


def test_sources_are_at_the_paths_of_the_report(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, work = folder / "home" / "study", folder / "work"
    made: dict[str, str] = {}  # what the workflow reads, by the paths of its configuration

    def build(config: Path, *_: object, folder: Path) -> None:
        for dataset in read_document(config).content["datasets"]:
            made.update({path: (folder / path).read_text() for path in dataset["predictions"]})

    monkeypatch.setattr(rebuilding, "build", build)
    paths = "a.csv", "data/b.csv", "../c.csv", str(folder / "d.csv")
    report = written(home / "reports" / STUDY, facts(home, paths))
    work.mkdir()
    again = rebuilding.built_again(report, named(read_manifest(report), [home, folder]), work)
    assert made == {path: Path(path).name for path in paths}
    assert (again.parts[-2:], again.is_relative_to(work)) == (("reports", STUDY), True)


def test_a_source_is_opened_in_folders_that_are_named_and_below_the_current_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, two, here = (folder / name / f"{name}.csv" for name in ("one", "two", "here"))
    for file in (first, two, here):
        file.parent.mkdir()
        file.touch()
    (first.parent / "link.csv").symlink_to("one.csv")
    (first.parent / "out.csv").symlink_to("../two/two.csv")
    monkeypatch.chdir(here.parent)
    expected = {
        "one.csv": first,
        "link.csv": first,
        "out.csv": two,
        str(two): two,
        "gone.csv": None,
    }
    for path, place in {**expected, "two.csv": two, "../here/here.csv": here}.items():
        assert local(path, [first.parent, two.parent]) == place


def test_an_anonymous_manifest_has_names_of_files_only(folder: Path) -> None:
    known = facts(folder, ("one/x.csv", "two/x.csv", "three/y.csv"))
    manifest = anonymous(known | {"seed": 3, "at": [str(folder), "two/x.csv"]})
    assert manifest["at"] == [str(folder), "2/x.csv"]
    assert anonymous(manifest) == manifest
    names = ["1/x.csv", "2/x.csv", "y.csv"]
    assert [source["path"] for source in manifest["sources"]] == names
    given = manifest["given"]["datasets"]
    assert [dataset["predictions"] for dataset in given] == [[name] for name in names]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_sources_are_compared_with_the_manifest_where_they_are(
    folder: Path, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    report = written(folder / "reports" / STUDY, facts(folder, ("a.csv", "data/b.csv")))
    monkeypatch.chdir(report if elsewhere else folder)
    begin = f"{folder}/" if elsewhere else ""
    command = ["verify", str(report), *(["--sources", str(folder)] if elsewhere else [])]
    status, out, _ = ended(*command)
    assert (status, out.count("\n")) == (0, 1)
    (folder / "data" / "b.csv").unlink()
    gone = f"{begin}data/b.csv: is not there; name the folder of the sources with --sources\n"
    not_all = f"{report}: not all of its sources could be compared with its manifest\n  {gone}"
    assert ended(*command) == (0, out + not_all, "")
    assert ended(*command, "--rebuild")[::2] == (3, gone)
    (folder / "a.csv").write_text("other")
    os.utime(folder / "a.csv", (1, 1))
    wrong = f"  {begin}a.csv: is not the file that the report was made of (its sha256)\n"
    status, out, _ = ended(*command)
    assert (status, out) == (4, f"{report}: 1 difference from its manifest\n{wrong}{not_all}")
    status, _, err = ended(*command, "--rebuild")
    assert (status, err) == (4, f"2 findings:\n{wrong}  {gone}")  # the difference prevails
