"""What a job of the workflow needs around its one call: a log, plain errors, its sources."""

import ast
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TextIO

from costcurves.errors import InputError

ROOT = Path(__file__).parents[1]
PACKAGE = "costcurves"


class _Tee:
    """Text goes to the log and to the terminal."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()


@contextmanager
def job(log: str | Path, title: str) -> Iterator[None]:
    """Run a job: what it prints goes to its log and to the terminal, with one line for the reader.

    Parameters
    ----------
    log
        The log file; its folder is made where it is missing.
    title
        What the job does, for a person: "Sonar: lower envelopes".

    Raises
    ------
    SystemExit
        With status 1 after an `InputError` (its message is printed, no traceback) and with status
        2 after any other error (the traceback goes to the log, one line to the terminal).
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    started = time.perf_counter()
    with Path(log).open("w", encoding="utf-8", errors="backslashreplace") as file:
        tee = _Tee(file, terminal)
        with redirect_stdout(tee), redirect_stderr(tee):
            try:
                yield
            except InputError as error:
                tee.write(f"\n{title}: {error}\n\n")
                raise SystemExit(1) from None
            except Exception as error:
                traceback.print_exc(file=file)
                terminal.write(f"\n{title}: {type(error).__name__}: {error} (see {log})\n")
                raise SystemExit(2) from error
            tee.write(f"{title} ({time.perf_counter() - started:.1f} s)\n")


def sources(*modules: str) -> list[str]:
    """Find the source files that modules of this package depend on.

    A workflow that lists them as inputs of a rule runs that rule again when one of them changes.

    Parameters
    ----------
    modules
        Full names such as ``"costcurves.tables.envelopes"``.

    Returns
    -------
    list of str
        The files of these modules and of every module of this package that they import, directly
        or through others, in alphabetical order.

    Raises
    ------
    ModuleNotFoundError
        If a name is not a module of this package.

    Examples
    --------
    >>> [Path(file).name for file in sources("costcurves.errors")]
    ['__init__.py', 'errors.py']
    """
    found: dict[str, str] = {}
    waiting = [PACKAGE, *modules]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found[module] = _file(module)
            waiting.extend(_imports(module, found[module]))
    return sorted(found.values())


def _file(module: str) -> str:
    path = _path(module)
    if path is None:
        raise ModuleNotFoundError(f"{module} is not a module of {PACKAGE}")
    return str(path)


def _path(name: str) -> Path | None:
    """Find a module's file without importing anything."""
    stem = ROOT.joinpath(*name.split("."))
    candidates = (stem / "__init__.py", stem.with_name(f"{stem.name}.py"))
    return next((path for path in candidates if path.is_file()), None)


def _imports(module: str, file: str) -> list[str]:
    """List the modules of this package that a file imports."""
    if module == PACKAGE:  # the public face imports everything and decides nothing
        return []
    names: list[str] = []
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.split(".")[0] == PACKAGE and _path(name)]
