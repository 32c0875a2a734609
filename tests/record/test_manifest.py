"""What a report was made of: hashes, sources that must not change, and no trace of the machine."""

import json
from pathlib import Path

import pytest

from costcurves.errors import InputError
from costcurves.record import manifest
from costcurves.report.libraries import libraries

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
    one, two, three = facts
    assert one == two
    assert one["code"] != three["code"]
    assert (one["released"], three["released"]) == (True, False)
    assert (one["seed"], one["given"]) == (3, {"study": "s"})
    assert {"Pango", "FreeType of matplotlib", "zlib"} == {*one["libraries"]}
    assert {"python", "costcurves", "numpy", "weasyprint"} <= {*one["versions"]}
    assert str(tmp_path) not in json.dumps(facts)
