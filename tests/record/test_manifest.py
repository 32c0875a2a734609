"""What a report was made of: hashes, sources that must not change, and no trace of the machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from costcurves.errors import InputError
from costcurves.record import manifest
from costcurves.record.manifest import (
    check_unchanged,
    code_hash,
    provenance,
    unchanged_sources,
    write_manifest,
)
from costcurves.report.libraries import libraries

# Of the three bytes "abc": FIPS 180-4, example B.1.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
NONE: dict[str, Any] = {"given": {"study": "s"}, "results": {}, "libraries": {}}


def test_every_source_that_changed_since_it_was_staged_is_named(tmp_path: Path) -> None:
    record = tmp_path / "staged.json"
    paths = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    for path in paths:
        path.write_text("abc")
    record.write_text(json.dumps([{"path": str(path), "sha256": ABC} for path in paths]))
    assert [source["path"] for source in unchanged_sources([record])] == [*map(str, paths)]
    paths[0].write_text("abd")
    paths[2].unlink()
    with pytest.raises(InputError) as raised:
        unchanged_sources([record])
    first, second = raised.value.findings
    assert "a.csv: changed since it was staged" in first
    assert "c.csv: is gone since it was staged" in second
    assert "none was written" in second


def test_what_changed_since_the_run_began_is_refused_with_its_name() -> None:
    read = [{"path": name, "sha256": ABC} for name in ("a.csv", "b.csv", "c.csv", "beside.csv")]
    check_unchanged(read, {"a.csv": ABC, "b.csv": ABC, "c.csv": ABC})
    with pytest.raises(InputError) as raised:
        check_unchanged(read, {"a.csv": ABC, "b.csv": None, "c.csv": ABC[::-1]})
    changed = "changed since this run began; build it again"
    assert raised.value.findings == (f"b.csv: {changed}", f"c.csv: {changed}")


def test_the_code_hash_knows_contents_and_no_places_and_of_what_release_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {}
    for folder, text in (("one", "x = 1"), ("two", "x = 1"), ("three", "x = 2")):
        (tmp_path / folder).mkdir()
        files[folder] = [tmp_path / folder / "a.py", tmp_path / folder / "b.py"]
        files[folder][0].write_text(text)
        files[folder][1].write_text("y = 1")
    code = code_hash(files["one"])
    assert code == code_hash(files["two"][::-1]) != code_hash(files["three"])
    known = tmp_path / "known.json"
    known.write_text(json.dumps({"0.1": "ab" * 32, "0.2": code}))
    monkeypatch.setattr(manifest, "RELEASED", known)
    made = [provenance([], {"seed": 3}, files[name], **NONE) for name in ("one", "three")]
    assert [facts["released"] for facts in made] == [True, False]


def test_provenance_names_no_machine(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    of = NONE | {"libraries": libraries()}
    facts = provenance([], {"seed": 3}, [tmp_path / "a.py"], **of)
    assert (facts["seed"], facts["given"]) == (3, {"study": "s"})
    assert {"Pango", "FreeType of matplotlib", "zlib"} == set(facts["libraries"])
    assert {"python", "costcurves", "numpy", "weasyprint"} <= set(facts["versions"])
    assert str(tmp_path) not in json.dumps(facts)


def test_the_manifest_lists_every_file_but_itself(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "é.csv").write_text("abc")
    (tmp_path / "report.html").write_text("")
    write_manifest(tmp_path, {"seed": 1})
    content = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert content["files"]["tables/é.csv"] == ABC
    assert set(content["files"]) == {"report.html", "tables/é.csv"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_manifest(tmp_path, {"seed": float("nan")})
