"""The code behind results, in the package or a clone; its comments make no result out of date."""

import ast
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from costcurves.memory import remember, remembered

PACKAGE: Final = Path(__file__).resolve().parent
_INSIDE = PACKAGE / "project"
HOME: Final = _INSIDE if _INSIDE.is_dir() else PACKAGE.parents[1]
PROFILES: Final = HOME / "profiles"
SNAKEFILE: Final = HOME / "Snakefile"
WORKFLOW: Final = HOME / "workflow"
REPORT: Final = WORKFLOW / "report"

CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
MEMORY: Final = CACHE / "costcurves" / "code.json"  # hashes of syntax, which take .8 s

# Each layer rests on those before it.
LAYERS: Final = {
    "tables": (
        *(PACKAGE / name for name in ("errors.py", "formats.py", "markdown.py", "maths", "tables")),
        *(PACKAGE / "pipeline" / name for name in ("job.py", "tables.py")),
    ),
    "figures": (PACKAGE / "text.py", PACKAGE / "figures", PACKAGE / "pipeline" / "figures.py"),
    "report": (PACKAGE / "report", PACKAGE / "pipeline" / "report.py", REPORT),
}


def all_files() -> list[Path]:
    """List every file that a report comes from: of the package, and of the workflow around it."""
    own = [part for parts in LAYERS.values() for part in parts]
    return [SNAKEFILE, *_within(*own, WORKFLOW / "rules")]


def code_hashes() -> dict[str, dict[str, str]]:
    """Hash the code of each layer and those that it rests on, by layer.

    `bytes` hashes the files as they are, `code` leaves out what decides nothing. It is remembered
    by `bytes`, for all folders.
    """
    known, below = remembered(MEMORY), ""
    found: dict[str, dict[str, str]] = {}
    for layer, read, contents in _layers():
        own = known.get(read, {})
        if "code" not in own:
            decisive = [(name, _decisive(name, content)) for name, content in contents]
            own = {"bytes": read, "code": _sha256([("below", below.encode()), *decisive])}
        found[layer], below = own, own["code"]
    if any(one["bytes"] not in known for one in found.values()):
        remember(MEMORY, {one["bytes"]: one for one in found.values()})
    return found


def bytes_of(layer: str) -> str:
    """Hash the files of a layer and of those that it rests on as they are."""
    return next(read for name, read, _ in _layers() if name == layer)


def _layers() -> Iterator[tuple[str, str, list[tuple[str, bytes]]]]:
    """Read each layer; give its name, the hash of its files and those below, and its files."""
    below = ""
    for layer, parts in LAYERS.items():
        contents = [(file.name, file.read_bytes()) for file in _within(*parts)]
        below = _sha256([("below", below.encode()), *contents])
        yield layer, below, contents


def _sha256(contents: list[tuple[str, bytes]]) -> str:
    parts = (f"{name} {hashlib.sha256(content).hexdigest()}\n" for name, content in contents)
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def _decisive(name: str, content: bytes) -> bytes:
    """Leave comments, docstrings and layout out of Python."""
    return repr(_plain(ast.parse(content))).encode() if name.endswith(".py") else content


def _plain(syntax: object) -> object:
    """Give syntax as plain values, without texts that are statements, the same in every Python.

    A newer one has more fields, which are empty where an older one can read the source.
    """
    if isinstance(syntax, list):
        return [_plain(one) for one in syntax if not _is_text(one)]
    if not isinstance(syntax, ast.AST):
        return syntax
    fields = [(name, _plain(one)) for name, one in ast.iter_fields(syntax) if one not in (None, [])]
    return [type(syntax).__name__, *fields]


def _is_text(statement: object) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _within(*parts: Path) -> list[Path]:
    """List files, and those in folders, in order; none that Python has compiled."""
    return [
        file
        for part in parts
        for file in ([part] if part.is_file() else sorted(part.rglob("*")))
        if file.is_file() and "__pycache__" not in file.parts
    ]
