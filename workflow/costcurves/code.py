"""The code behind results. What of it decides nothing, such as comments, makes nothing again."""

import ast
import hashlib
import json
from pathlib import Path
from typing import Any, Final

from costcurves.home import PACKAGE, SNAKEFILE, WORKFLOW

# Each layer rests on those before it.
LAYERS: Final = {
    "tables": (PACKAGE / "errors.py", PACKAGE / "maths", PACKAGE / "tables", WORKFLOW / "scripts"),
    "figures": (PACKAGE / "figures",),
    "report": (PACKAGE / "report", WORKFLOW / "report"),
}
DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def all_files() -> list[Path]:
    """List every file that a report comes from: of the package, and of the workflow around it."""
    own = [file for layer in LAYERS for file in _files(layer)]
    around = (file for part in ("rules", "schemas") for file in _within(WORKFLOW / part))
    return [SNAKEFILE, *own, *around]


def code_hashes(memory: Path) -> dict[str, dict[str, str]]:
    """Hash the code of each layer and those that it rests on.

    Parameters
    ----------
    memory
        A JSON file that holds what this gave before; it need not exist.

    Returns
    -------
    dict
        By layer, "tables", "figures" and "report", the sha256 of its files' `bytes`, and of its
        `code`: Python without comments, docstrings and layout, and templates as they are. The
        second is taken from memory where the first is the same.
    """
    try:
        known = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    found: dict[str, dict[str, str]] = {}
    below = {"bytes": "", "code": ""}
    for layer in LAYERS:
        below = found[layer] = _hashed(layer, below, known.get(layer, {}))
    return found


def bytes_of(layer: str) -> str:
    """Hash the files of a layer and those that it rests on as they are."""
    read = ""
    for own in LAYERS:
        contents = [(file.name, file.read_bytes()) for file in _files(own)]
        read = _sha256([read.encode(), *(part for one in contents for part in _pair(*one))])
        if own == layer:
            break
    return read


def _hashed(layer: str, below: dict[str, str], known: dict[str, Any]) -> dict[str, str]:
    contents = [(file.name, file.read_bytes()) for file in _files(layer)]
    read = _sha256([below["bytes"].encode(), *(part for one in contents for part in _pair(*one))])
    if known.get("bytes") == read:
        return known
    decisive = (_pair(name, _decisive(name, content)) for name, content in contents)
    code = _sha256([below["code"].encode(), *(part for one in decisive for part in one)])
    return {"bytes": read, "code": code}


def _pair(name: str, content: bytes) -> tuple[bytes, bytes]:
    return name.encode(), hashlib.sha256(content).digest()


def _sha256(parts: list[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _decisive(name: str, content: bytes) -> bytes:
    """Leave out of Python what does not decide what it does."""
    if not name.endswith(".py"):
        return content
    tree = ast.parse(content)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree).encode()


def _files(layer: str) -> list[Path]:
    return [file for part in LAYERS[layer] for file in _within(part)]


def _within(part: Path) -> list[Path]:
    """List a file, or the files in a folder, in order; none that Python has compiled."""
    if part.is_file():
        return [part]
    return sorted(
        file for file in part.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )
