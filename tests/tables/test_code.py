"""The code that results are made of: which of it decides, and for what."""

import ast
from pathlib import Path

import pytest

from costcurves import code
from costcurves.code import PACKAGE, bytes_of, code_hashes
from costcurves.memory import remember, remembered

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
    monkeypatch.setattr(code, "MEMORY", tmp_path / "code.json")
    return tmp_path


def hashes(_: Path) -> dict[str, str]:
    return {layer: one["code"] for layer, one in code_hashes().items()}


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
    before, read = hashes(layers), bytes_of("low")
    remember(layers / "code.json", {read: {"bytes": read, "code": "known"}})
    found = hashes(layers)
    assert found["low"] == "known"
    assert found["high"] != before["high"]  # it rests on what is low
    remember(layers / "code.json", {"others": {"bytes": "others", "code": "known"}, read: {}})
    assert hashes(layers) == before


def test_groups_of_values_alone_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "results" / "hashed.json"
    assert remembered(file) == {}
    remember(file, {"a.csv": {"sha256": "0"}, "b": None})
    assert remembered(file) == {"a.csv": {"sha256": "0"}}


def test_every_file_of_the_package_is_in_a_layer_or_decides_nothing_of_results() -> None:
    inside = [file for file in code.all_files() if file.is_relative_to(PACKAGE)]
    hashed = {file.relative_to(PACKAGE).parts[0] for file in inside}
    around = {"__init__.py", "__main__.py", "py.typed", "api", "command", "code.py"}
    around |= {"atomic.py", "locks.py", "memory.py", "printing.py", "released.json", "threads.py"}
    around |= {"extra.py"}
    pipeline = {path.name for path in (PACKAGE / "pipeline").glob("*.py")}
    planning = {"__init__.py", "asking.py", "folders.py", "plan.py", "preloaded.py", "server.py"}
    planning |= {"stages.py", "upkeep.py"}
    assert {file.name for file in inside if file.parent.name == "pipeline"} == pipeline - planning
    assert len({*code.all_files()}) == len(code.all_files())
    assert {path.name for path in PACKAGE.iterdir()} - {"__pycache__"} == hashed | around
