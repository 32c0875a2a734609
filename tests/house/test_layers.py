"""Imports go down only, through the layers of the package, and the maths knows no files."""

import ast
from pathlib import Path

import pytest

import costcurves

PACKAGE = Path(costcurves.__file__).parent
# Lowest first; those with a comma between them are one layer; a module with a dot is not in that
# of its package. Modules beside the packages of `costcurves` are of no layer: all may import them.
LAYERS = {
    package: names.split()
    for package, names in {
        "costcurves": "maths,choosing.choice,choosing.candidates,choosing.choosable "
        "tables,choosing predictions study many figures report command api",
        "costcurves.maths": "counts geometry chance costs",
        "costcurves.tables": "codes contract files keys detail "
        "predicted record curves inference evidence claims contracts",
        "costcurves.api": "inputs decisions estimators study trusted curve losses comparison "
        "displays",
    }.items()
}
MODULES = sorted(PACKAGE.rglob("*.py"))
FOREIGN_TO_MATHS = {"pandas", "pyarrow", "matplotlib", "jinja2", "weasyprint", "pydantic", "ruamel"}


def imports(file: Path) -> set[str]:
    """Full names of what a file imports, also inside its functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


IMPORTS = {file.relative_to(PACKAGE): imports(file) for file in MODULES}


def layer(name: str, package: str) -> int:
    """The place of a full name among a package's layers; -1: it is of none."""
    layers = enumerate(LAYERS[package])
    for at, names in layers:
        if any(f"{name}.".startswith(f"{package}.{it}.") for it in names.split(",")):
            return at
    return -1


@pytest.mark.parametrize("package", LAYERS)
def test_all_is_of_a_layer_but_modules_beside_packages(package: str) -> None:
    folder = PACKAGE.joinpath(*package.split(".")[1:])
    there = [file.parent.name for file in folder.glob("*/__init__.py")]
    there += [file.stem for file in folder.glob("[!_]*.py") if folder != PACKAGE]
    named = ",".join(LAYERS[package]).split(",")
    assert sorted(there) == sorted(name for name in named if "." not in name)


@pytest.mark.parametrize("package", LAYERS)
def test_imports_go_down_only(package: str) -> None:
    for file, names in IMPORTS.items():
        own = layer(".".join(("costcurves", *file.with_suffix("").parts)), package)
        assert not [one for one in names if layer(one, package) > own >= 0], file


def test_nothing_imports_the_workflow_engine() -> None:
    for file, names in IMPORTS.items():
        assert not [name for name in names if name.split(".")[0] == "snakemake"], file


def test_maths_knows_no_files_and_no_frames() -> None:
    for file, names in IMPORTS.items():
        if "maths" in file.parts:
            assert not {name.split(".")[0] for name in names} & FOREIGN_TO_MATHS, file


def test_nothing_rules_out_an_operating_system_as_it_is_imported() -> None:
    for file, names in IMPORTS.items():
        if names & {"fcntl", "pwd", "grp", "resource", "termios"}:
            assert "if sys.platform " in (PACKAGE / file).read_text(), file
