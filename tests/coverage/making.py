"""How the tables of simulations are made: by several processes, and with a hash of the maths.

A cell of a table has random numbers of its own, so the same numbers come out in any order and in
any number of processes. What a cell gave is kept below build/simulated, under the hash, so that a
simulation that was stopped goes on where it was. The hash is of what the numbers may depend on: the
simulation's own modules and the maths that they import, directly or through others; of other rooms
what they name. It is of the syntax, so comments, docstrings and layout change nothing.
"""

import ast
import json
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "simulated"
FOLLOWED = "costcurves.maths.", "tests.coverage."

Row = dict[str, Any]
Cell = Callable[[], Row | list[Row]]


def made(*tables: Iterable[Cell]) -> Iterator[list[Row]]:
    """Make the rows of tables, in order; the cells of all of them side by side."""
    with ProcessPoolExecutor() as processes:
        for found in [processes.map(called, cells) for cells in tables]:
            yield list(chain.from_iterable(found))


def called(cell: Cell) -> list[Row]:
    """Make the rows of a cell, or read what it gave with the same maths."""
    module = str(getattr(cell, "func", cell).__module__)
    if module == "__main__":
        module = sys.modules[module].__spec__.name  # type: ignore[union-attr]
    file = KEPT / maths(module)[:16] / f"{sha256(pickle.dumps(cell, 4)).hexdigest()[:16]}.json"
    if file.is_file():
        kept: list[Row] = json.loads(file.read_text("utf-8"))
        return kept
    found = cell()
    rows = found if isinstance(found, list) else [found]
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(rows), "utf-8")
    part.replace(file)  # whole or not at all
    return rows


def maths(module: str) -> str:
    """Hash what the numbers of a simulation depend on; the simulation by its module's name."""
    found = sorted((_own(name), syntax) for name, syntax in behind(module).items())
    return sha256(repr(found).encode()).hexdigest()


def _own(module: str) -> str:
    """Give a module's own name: in which package it is changes no number."""
    package, _, own = module.rpartition(".")
    return "maths" if f"{package}." in FOLLOWED and not _file(module).is_file() else own


def behind(module: str) -> dict[str, object]:
    """Give the syntax of a module and of all that it imports of the maths, by name."""
    found: dict[str, object] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            module, _, part = name.partition(":")
            tree = ast.parse(_file(module).read_text(encoding="utf-8"))
            found[name] = syntax(tree, part)
            waiting += [] if part else _imported(tree)
    return found


def _imported(tree: ast.Module) -> Iterator[str]:
    """List the modules that a module imports as it begins; of other rooms the names it takes."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module != __name__:
            for name in (node.module, *(f"{node.module}.{one.name}" for one in node.names)):
                if name.startswith(FOLLOWED) and _file(name).is_file():
                    yield name
            if node.module.startswith("costcurves.tables."):
                yield from (f"{node.module}:{one.name}" for one in node.names)


def _file(module: str) -> Path:
    folder = ROOT if module.startswith("tests.") else ROOT / "workflow"
    return folder.joinpath(*module.split(".")).with_suffix(".py")


def syntax(tree: ast.Module, part: str = "") -> object:
    """Give a module's syntax without docstrings, as plain values; or of one name's definition."""
    own = [node for node in tree.body if not part or part in _defined(node)]
    imports = [node for node in own if isinstance(node, ast.ImportFrom)]
    others = [node for node in own if node not in imports]
    # Packages decide their order; and how annotations are read decides no number.
    texts = [repr(_plain(node)) for node in imports if node.module != "__future__"]
    return [*sorted(texts), _plain(others)]


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    stored = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return {one.id for one in stored if isinstance(one.ctx, ast.Store)}


def _plain(value: object) -> object:
    """Turn syntax into lists that every version of Python writes alike."""
    if isinstance(value, list):
        return [_plain(one) for one in value if not _is_text(one)]
    if not isinstance(value, ast.AST):
        return repr(value)
    if isinstance(value, ast.ImportFrom):
        return ["ImportFrom", _own(value.module or ""), _plain(list(value.names))]
    fields = [(name, one) for name, one in ast.iter_fields(value) if one not in (None, [])]
    return [type(value).__name__, *((name, _plain(one)) for name, one in fields)]


def _is_text(node: object) -> bool:
    """Say whether a statement is a text alone, as docstrings are."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
