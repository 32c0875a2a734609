"""The command `costcurves`: its parameters, and how it ends."""

import atexit
import gc
import io
import os
import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import redirect_stderr
from importlib import import_module
from typing import Final, NoReturn

from costcurves import __version__
from costcurves.command.ending import (
    DATA,
    INTERNAL,
    INTERRUPTED,
    TERMINATED,
    USAGE,
    CommandError,
    Terminated,
)
from costcurves.errors import InputError, half, refused
from costcurves.extra import lacking
from costcurves.printing import say, say_json, visible

COMMANDS: Final = {
    "demo": "write a small example of predictions to begin with",
    "check": "check prediction files without building anything",
    "init": "write a configuration for prediction files",
    "report": "build the report of a study or of prediction files",
    "verify": "check a report against its manifest, or rebuild it",
    "audit": "build a study and check its claims against the data",
    "gate": "check that a new model is not worse than an old one",
    "bundle": "write figures, tables and words of a report as files for a paper",
}
STAGE: Final = "stage"  # one job of the workflow, which its rules call
STATUSES: Final = """\
'costcurves COMMAND --help' lists the options of one.

status:
  0  fine
  2  the command or a configuration can't be used
  3  data can't be used
  4  a report is not what its manifest says, or a claim does not hold
  5  a fault of costcurves itself
  130, 143  interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command of these arguments, or of the process, and return its status."""
    words = sys.argv[1:] if arguments is None else [*arguments]
    # One job is one thread. More would take memory; where it is out, numpy ends as if by Ctrl-C.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    before = signal.signal(signal.SIGTERM, _terminated)
    atexit.register(gc.freeze)  # collecting all that was imported takes long at the end
    options, notes = Namespace(quiet=False, json=False, words=words), io.StringIO()
    try:
        parser(words).parse_args(words or ["--help"], options)
        with redirect_stderr(notes if options.quiet else sys.stderr):
            status, lines = int(options.run(options)), []
    except CommandError as error:
        status, lines = error.status, [*error.lines]
    except InputError as error:
        status, lines = DATA, error.lines
    except UnicodeEncodeError as error:
        status, lines = DATA, [half(error)]
    except KeyboardInterrupt as stop:
        status = TERMINATED if isinstance(stop, Terminated) else INTERRUPTED
        lines = ["Stopped; finished reports are as they were"]
    except BrokenPipeError:  # what reads the output has enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        status, lines = INTERNAL, [refused(error) or _fault(error)]
    finally:
        signal.signal(signal.SIGTERM, before)
    say(*(notes.getvalue().splitlines() if status else ()), to=sys.stderr)
    say(*lines, to=sys.stderr)
    if lines and options.json:
        say_json({"error": {"status": status, "message": "\n".join(lines)}})
    return status


class Parser(ArgumentParser):
    """Read arguments; in its messages no name obeys the terminal."""

    def error(self, message: str) -> NoReturn:
        """Print what can't be used, and end."""
        super().error(visible(message))


def parser(words: Sequence[str]) -> ArgumentParser:
    """Return the parser of all commands; only the one that is named is imported, for speed."""
    whole = Parser(
        prog="costcurves",
        description="Which classifier is cheaper, and under which operating conditions?",
        epilog=STATUSES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"costcurves {__version__}")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", required=True)
    name = next(iter(words), "")
    for command, summary in COMMANDS.items():
        each = commands.add_parser(
            command, help=summary, formatter_class=RawDescriptionHelpFormatter
        )
        if command == name:
            _complete(each, name)
    if name == STAGE:
        _complete(commands.add_parser(STAGE), STAGE)
    return whole


def _complete(command: ArgumentParser, name: str) -> None:
    """Add to a command the options and words of its module."""
    if why := lacking(f"costcurves {name}"):
        raise CommandError(USAGE, why)
    module = import_module(f"costcurves.command.{name}")
    command.description, command.epilog = module.DESCRIPTION, module.EXAMPLES
    for option, keywords in module.OPTIONS.items():
        names = ["-o", option] if option == "--output" else [option]
        command.add_argument(*names, **keywords)
    command.add_argument("-q", "--quiet", action="store_true", help="print only errors on stderr")
    command.set_defaults(run=module.run)


def _terminated(*_: object) -> None:
    raise Terminated


def _fault(error: Exception) -> str:
    """Write the traceback to a file, for a bug report."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="costcurves-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        traceback.print_exception(error, file=log)
    return f"A fault of costcurves: {type(error).__name__}: {error} (see {log.name})"
