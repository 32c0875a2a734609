"""The house stands: imports go down only, and the maths knows no files."""

import ast
from pathlib import Path

import costcurves

PACKAGE = Path(costcurves.__file__).parent
LAYERS = [
    "maths",
    "tables",
    "figures",
    "report",
    "pipeline",
    "command",
    "readers",
    "archive",
    "api",
]
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


IMPORTS = {file.relative_to(PACKAGE): imports(file) for file in MODULES}


def layer(file: Path) -> int:
    """The place of a module's layer; what belongs to none may be imported by all."""
    return LAYERS.index(file.parts[0]) if file.parts[0] in LAYERS else -1


def test_there_are_modules_in_every_layer() -> None:
    assert {layer(file) for file in IMPORTS} == {*range(-1, len(LAYERS))}


def test_imports_go_down_only() -> None:
    for file, names in IMPORTS.items():
        if layer(file) >= 0:
            higher = tuple(f"costcurves.{name}" for name in LAYERS[layer(file) + 1 :])
            assert not [name for name in names if name.startswith(higher or "-")], file


def test_nothing_imports_the_workflow_engine() -> None:
    for file, names in IMPORTS.items():
        assert not [name for name in names if name.split(".")[0] == "snakemake"], file


def test_maths_knows_no_files_and_no_frames() -> None:
    for file, names in IMPORTS.items():
        if layer(file) == 0:
            assert not {name.split(".")[0] for name in names} & FOREIGN_TO_MATHS, file


def test_nothing_rules_out_an_operating_system_as_it_is_imported() -> None:
    for file, names in IMPORTS.items():
        if names & {"fcntl", "pwd", "grp", "resource", "termios"}:
            assert "if sys.platform " in (PACKAGE / file).read_text(), file
