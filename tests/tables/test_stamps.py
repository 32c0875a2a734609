"""What results are made of: their code, parameters and inputs, and nothing else."""

import ast
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from costcurves import code
from costcurves.code import PACKAGE, bytes_of, code_hashes
from costcurves.errors import InputError
from costcurves.stamps import check_inputs, discard, is_current, remember, remembered, stamp_of
from costcurves.tables.contract import Column, Contract, write

CODE = '"""Says."""\n\n\ndef f(x: int) -> int:\n    """Add one."""\n    return x + 1  # one\n'


@pytest.fixture
def layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two layers of code, and a template."""
    for name in ("low", "high"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "module.py").write_text(CODE)
    (tmp_path / "high" / "page.html").write_text("<p>")
    found = {name: (tmp_path / name,) for name in ("low", "high")}
    monkeypatch.setattr(code, "LAYERS", found)
    return tmp_path


def hashes(layers: Path) -> dict[str, str]:
    return {layer: one["code"] for layer, one in code_hashes(layers / "code.json").items()}


def test_comments_docstrings_and_layout_decide_nothing(layers: Path) -> None:
    before, read = hashes(layers), bytes_of("low")
    said = "def f(\n    x: int,\n) -> int:\n    return (x + 1)\n"
    (layers / "low" / "module.py").write_text(said)
    assert hashes(layers) == before
    assert bytes_of("low") != read


def test_what_a_newer_python_adds_to_syntax_decides_nothing(
    layers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hashes(layers)
    monkeypatch.setattr(ast.FunctionDef, "_fields", ("new", *ast.FunctionDef._fields))
    assert hashes(layers) == before


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("low/module.py", CODE.replace("+ 1", "+ 2"), {"low", "high"}),
        ("high/module.py", CODE.replace("f(", "g("), {"high"}),
        ("high/page.html", "<p >", {"high"}),
        ("low/more.py", "", {"low", "high"}),
    ],
)
def test_code_decides_for_its_layer_and_those_above(
    layers: Path, file: str, text: str, changed: set[str]
) -> None:
    before = hashes(layers)
    (layers / file).write_text(text)
    assert {layer for layer, own in hashes(layers).items() if own != before[layer]} == changed


def test_what_is_remembered_holds_for_the_same_bytes_alone(layers: Path) -> None:
    before = hashes(layers)
    remember(layers / "code.json", {"low": {"bytes": bytes_of("low"), "code": "known"}})
    found = hashes(layers)
    assert found["low"] == "known"
    assert found["high"] != before["high"]  # it rests on what is low
    remember(layers / "code.json", {"low": {"bytes": "others", "code": "known"}, "high": {}})
    assert hashes(layers) == before


def test_groups_of_values_alone_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "results" / "hashed.json"
    assert remembered(file) == {}
    remember(file, {"a.csv": {"sha256": "0"}, "b": None})
    assert remembered(file) == {"a.csv": {"sha256": "0"}}


def test_every_file_of_the_package_is_in_a_layer_or_decides_nothing_of_results() -> None:
    inside = [file for file in code.all_files() if file.is_relative_to(PACKAGE)]
    hashed = {file.relative_to(PACKAGE).parts[0] for file in inside}
    around = {"__init__.py", "__main__.py", "py.typed", "api", "bundle", "command", "code.py"}
    around |= {"jobs.py", "locks.py", "printing.py", "released.json", "stamps.py"}
    assert {path.name for path in PACKAGE.iterdir()} - {"__pycache__"} == hashed | around


def test_parameters_and_the_stamps_of_inputs_decide() -> None:
    stamps = {
        stamp_of(*given)
        for given in [
            ("a", {"seed": 1}, ["x", "y"]),
            ("b", {"seed": 1}, ["x", "y"]),
            ("a", {"seed": 2}, ["x", "y"]),
            ("a", {"seed": 1}, ["y", "x"]),
        ]
    }
    assert len(stamps) == 4


def test_a_file_is_current_that_holds_the_stamp(tmp_path: Path) -> None:
    file = tmp_path / "stamp"
    assert not is_current(file, "a")
    file.write_text("a")
    assert is_current(file, "a")
    assert not is_current(file, "b")
    file.write_bytes(b"\xff")
    assert not is_current(file, "a")


def test_tables_that_a_job_reads_carry_what_they_were_made_of(tmp_path: Path) -> None:
    contract = Contract("toy", Column("n", "int64", "", "a number"))
    frame = pd.DataFrame({"n": [1]})
    own, other, none, bad = (str(tmp_path / f"{name}.parquet") for name in "abcd")
    write(frame, own, contract, "made of this")
    write(frame, other, contract, "made of that")
    frame.to_parquet(none)
    Path(bad).write_text("no table")
    check_inputs({own: "made of this", str(tmp_path / "arrays.npz"): "nothing is read of it"})
    with pytest.raises(InputError) as raised:
        check_inputs(dict.fromkeys((own, other, none, bad), "made of this"))
    assert [finding.partition(":")[0] for finding in raised.value.findings] == [other, none, bad]
    assert "was not made by this run's code and configuration" in raised.value.findings[0]


def test_memory_that_does_not_hold_a_table_says_nothing_of_what_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: str) -> None:
        raise pa.ArrowMemoryError("malloc of size 64 failed")

    monkeypatch.setattr("pyarrow.parquet.read_metadata", full)
    with pytest.raises(MemoryError):
        check_inputs({str(tmp_path / "a.parquet"): "made of this"})


def test_files_and_folders_are_discarded_and_links_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "mine").touch()
    folder, file, link = tmp_path / "folder", tmp_path / "file", tmp_path / "link"
    folder.mkdir()
    (folder / "a").touch()
    file.touch()
    link.symlink_to(kept)
    discard([folder, file, link, tmp_path / "nothing"])
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "mine").exists()
