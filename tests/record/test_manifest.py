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
    released,
    sha256,
    unchanged_sources,
    write_manifest,
)
from costcurves.report.libraries import libraries

# Of the three bytes "abc": FIPS 180-4, example B.1.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def staged(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text("abc")
    record = folder / "staged.json"
    sources = [{"path": str(folder / name), "sha256": ABC, "rows": 1} for name in names]
    record.write_text(json.dumps(sources))
    return record


def test_unchanged_sources_pass(tmp_path: Path) -> None:
    record = staged(tmp_path, "a.csv", "b.csv")
    assert sha256(tmp_path / "a.csv") == ABC
    assert [source["rows"] for source in unchanged_sources([record])] == [1, 1]


def test_every_changed_and_missing_source_is_named(tmp_path: Path) -> None:
    record = staged(tmp_path, "a.csv", "b.csv", "c.csv")
    (tmp_path / "a.csv").write_text("abd")
    (tmp_path / "c.csv").unlink()
    with pytest.raises(InputError) as raised:
        unchanged_sources([record])
    first, second = raised.value.findings
    assert "a.csv: changed since it was staged" in first
    assert "c.csv: is gone since it was staged" in second
    assert "none was written" in second


def test_what_changed_since_the_run_began_is_refused_with_its_name() -> None:
    read = [{"path": name, "sha256": ABC, "rows": 1} for name in ("a.csv", "b.csv", "c.csv")]
    check_unchanged(read, {"a.csv": ABC, "b.csv": ABC, "c.csv": ABC})
    with pytest.raises(InputError) as raised:
        check_unchanged(read, {"a.csv": ABC, "b.csv": None, "c.csv": ABC[::-1]})
    assert raised.value.findings == (
        "b.csv: changed since this run began; build it again",
        "c.csv: changed since this run began; build it again",
    )


def test_the_code_hash_knows_contents_and_no_places(tmp_path: Path) -> None:
    files = {}
    for folder, text in (("one", "x = 1"), ("two", "x = 1"), ("three", "x = 2")):
        (tmp_path / folder).mkdir()
        files[folder] = [tmp_path / folder / "a.py", tmp_path / folder / "b.py"]
        files[folder][0].write_text(text)
        files[folder][1].write_text("y = 1")
    assert code_hash(files["one"]) == code_hash(files["two"][::-1]) != code_hash(files["three"])


def test_provenance_names_no_machine(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    facts = provenance(
        [],
        {"seed": 3},
        [tmp_path / "a.py"],
        given={"study": "s"},
        results={},
        libraries=libraries(),
    )
    assert facts["seed"] == 3
    assert facts["given"] == {"study": "s"}
    assert {"Pango", "FreeType of matplotlib", "zlib"} == set(facts["libraries"])
    assert {"python", "costcurves", "numpy", "weasyprint"} <= set(facts["versions"])
    assert str(tmp_path) not in json.dumps(facts)


def test_provenance_says_whether_the_code_is_that_of_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("a.py", "x = 1"), ("b.py", "x = 2"), ("known.json", "{}")):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(manifest, "RELEASED", tmp_path / "known.json")
    of: dict[str, Any] = {"given": {}, "results": {}, "libraries": {}}
    code = code_hash([tmp_path / "a.py"])
    assert released(code) is None
    (tmp_path / "known.json").write_text(json.dumps({"0.1": "ab" * 32, "0.2": code}))
    assert released(code) == "0.2"
    for name, is_one in (("a.py", True), ("b.py", False)):
        assert provenance([], {"seed": 3}, [tmp_path / name], **of)["released"] is is_one


def test_the_manifest_lists_every_file_but_itself(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "é.csv").write_text("abc")
    (tmp_path / "report.html").write_text("")
    write_manifest(tmp_path, {"seed": 1})
    content = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert content["files"]["tables/é.csv"] == ABC
    assert set(content["files"]) == {"report.html", "tables/é.csv"}


def test_a_manifest_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_manifest(tmp_path, {"seed": float("nan")})
