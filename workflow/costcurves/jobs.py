"""What a job of the workflow needs around its one call: a log, plain errors, files behind it."""

import fcntl
import json
import re
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from costcurves.errors import InputError, refused

ROOT = Path(__file__).parent
# Formatted code has one import a line or in brackets; reading it so takes a tenth of parsing it,
# which counts as it is done before every run.
IMPORT = re.compile(
    rf"^ *(?:from|import) +({ROOT.name}[\w.]*)(?: +import +(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
NAME = re.compile(r"\w+")
FACE = ROOT / "__init__.py"  # it imports the whole public interface, and decides nothing

# Statuses of a job, the same as those of the command.
UNUSABLE = 3
FAILED = 5


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
        With status 3 after an `InputError` (its message is printed, no traceback) and with status
        5 after any other error (the traceback goes to the log, one line to the terminal: what to do
        where the machine has no room, no memory or no leave to write). A process that ends with
        another status had no time to say why.
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    started = time.perf_counter()
    with Path(log).open("a", encoding="utf-8", errors="backslashreplace") as file:
        # The same job of a killed run may still be at work: what this one makes comes last.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        tee = _Tee(file, terminal)
        with redirect_stdout(tee), redirect_stderr(tee):
            try:
                yield
            except InputError as error:
                tee.write(f"\n{title}: {error}\n\n")
                raise SystemExit(UNUSABLE) from None
            except Exception as error:
                traceback.print_exc(file=file)
                said = refused(error) or f"{type(error).__name__}: {error}"
                terminal.write(f"\n{title}: {said} (see {log})\n")
                raise SystemExit(FAILED) from error
            tee.write(f"{title} ({time.perf_counter() - started:.1f} s)\n")


def remember(file: str | Path, values: Mapping[str, Any]) -> None:
    """Write what a rule is told into a file; the file stays as it is where it says so already.

    Parameters
    ----------
    file
        The file; its folder is made where it is missing.
    values
        Plain values by name.

    Raises
    ------
    OSError
        If it can't be written.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "resampling", "sonar.json")
    >>> remember(file, {"seed": 1})
    >>> file.read_text()
    '{"seed": 1}'
    """
    path, text = Path(file), json.dumps(values, sort_keys=True)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def sources(script: str | Path) -> list[str]:
    """Find the source files of this package that a script depends on.

    A workflow that lists them as inputs of a rule runs that rule again when one of them changes.

    Parameters
    ----------
    script
        A Python file.

    Returns
    -------
    list of str
        The files of every module of this package that it imports, directly or through others, in
        alphabetical order. The script itself is not among them.

    Raises
    ------
    OSError
        If the script can't be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
    ...     _ = script.write("from costcurves.errors import InputError")
    ...     script.flush()
    ...     [Path(file).name for file in sources(script.name)]
    ['__init__.py', 'errors.py']
    """
    found: set[Path] = set()
    waiting = [Path(script)]
    while waiting:
        imported = _imports(waiting.pop()) - found
        found |= imported
        waiting.extend(file for file in imported if file != FACE)
    return sorted(str(file) for file in found)


@cache
def _imports(file: Path) -> frozenset[Path]:
    """Find the files of this package that a file imports directly."""
    names: set[str] = set()
    for module, imported in IMPORT.findall(file.read_text(encoding="utf-8")):
        names |= {module, *(f"{module}.{name}" for name in NAME.findall(imported))}
    own = {".".join(name.split(".")[:end]) for name in names for end in (1, 2, 3)}
    return frozenset(path for path in map(_path, own) if path)


def _path(name: str) -> Path | None:
    """Find a module's file without importing anything."""
    stem = ROOT.parent.joinpath(*name.split("."))
    candidates = (stem / "__init__.py", stem.with_name(f"{stem.name}.py"))
    return next((path for path in candidates if path.is_file()), None)
