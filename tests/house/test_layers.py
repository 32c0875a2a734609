"""Imports go down only, through the packages in their order."""

import ast
from pathlib import Path

import costcurves

PACKAGE = Path(costcurves.__file__).parent
# Lowest first. Modules beside the packages of `costcurves` are of no layer: all may import them.
PACKAGES = [
    *("tables", "counts", "curves", "choosing", "chance", "pairs", "ranking", "costs", "many"),
    *("predictions", "study", "record", "figures", "report", "api", "command"),
]
FOREIGN = {"matplotlib", "jinja2", "weasyprint", "ruamel"}


def imports(file: Path) -> set[str]:
    """Full names of what a file imports, also inside its functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            begin = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names |= {begin + alias.name for alias in node.names}
    return names


IMPORTS = {file.relative_to(PACKAGE): imports(file) for file in PACKAGE.rglob("*.py")}


def layer(name: str) -> int:
    """The place of a full name among the packages; -1: it is of none."""
    package = name.split(".")[1] if name.startswith("costcurves.") else ""
    return PACKAGES.index(package) if package in PACKAGES else -1


def test_imports_go_down_only_and_what_computes_knows_no_page() -> None:
    assert sorted(file.parent.name for file in PACKAGE.glob("*/__init__.py")) == sorted(PACKAGES)
    for file, names in IMPORTS.items():
        place = layer(".".join(("costcurves", *file.with_suffix("").parts)))
        assert not [name for name in names if layer(name) > place >= 0], file
        others = {name.split(".")[0] for name in names}
        assert "snakemake" not in others, file
        assert not (others & FOREIGN and 0 <= place < PACKAGES.index("predictions")), file


def test_nothing_rules_out_an_operating_system_as_it_is_imported() -> None:
    for file, names in IMPORTS.items():
        if names & {"fcntl", "pwd", "grp", "resource", "termios"}:
            assert "if sys.platform " in (PACKAGE / file).read_text(), file
