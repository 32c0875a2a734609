"""The house stands: imports go down only, and the maths knows no files."""

import ast
from pathlib import Path

import pytest

import costcurves

PACKAGE = Path(costcurves.__file__).parent
LAYERS = ["maths", "tables", "figures", "report", "command"]
MODULES = sorted(PACKAGE.rglob("*.py"))
FOREIGN_TO_MATHS = {"pandas", "pyarrow", "matplotlib", "jinja2", "weasyprint", "yaml", "jsonschema"}


def imports(file: Path) -> set[str]:
    """Full names of what a file imports, also inside its functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def layer(file: Path) -> int:
    return LAYERS.index(file.relative_to(PACKAGE).parts[0])


INNER = [file for file in MODULES if file.relative_to(PACKAGE).parts[0] in LAYERS]


def test_there_are_modules_in_every_layer() -> None:
    assert {layer(file) for file in INNER} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("file", INNER, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_go_down_only(file: Path) -> None:
    higher = [f"costcurves.{name}" for name in LAYERS[layer(file) + 1 :]]
    assert not [name for name in imports(file) for above in higher if name.startswith(above)]


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nothing_imports_the_workflow_engine(file: Path) -> None:
    assert not [name for name in imports(file) if name.split(".")[0] == "snakemake"]


@pytest.mark.parametrize(
    "file", [f for f in INNER if layer(f) == 0], ids=lambda file: str(file.relative_to(PACKAGE))
)
def test_maths_knows_no_files_and_no_frames(file: Path) -> None:
    assert not {name.split(".")[0] for name in imports(file)} & FOREIGN_TO_MATHS
