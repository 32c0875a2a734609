"""The command `costcurves`: its parameters, and how it ends."""

import argparse
import atexit
import gc
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from itertools import takewhile
from typing import Any, Final, NoReturn

from costcurves import __version__
from costcurves.command import ending
from costcurves.errors import InputError, half, refused
from costcurves.extra import lacking
from costcurves.printing import say, visible

if sys.platform != "win32":
    import resource

COMMANDS: Final = {
    "demo": "write a small example of predictions to begin with",
    "check": "check prediction files without building anything",
    "init": "write a configuration for prediction files",
    "report": "build the report of a study or of prediction files",
    "verify": "check a report against its manifest, or rebuild it",
    "audit": "build a study and hold its claims against the data",
    "gate": "say whether a new model is not worse than an old one",
    "bundle": "write figures, tables and words of a report as files for a paper",
}
FORMER: Final = {"--annex": "appendix"}  # names of options
LISTED: Final = "'costcurves COMMAND --help' lists the options of one"
STAGE: Final = "stage"  # one job of the workflow, which its rules call
SHORT: Final = {"--output": ("-o",)}
LEAST_MEMORY: Final = 400  # MB, to import what commands need
STATUSES: Final = """\
status:
  0  fine
  2  the command or a configuration can't be used
  3  data can't be used
  4  a report is not what its manifest says, or a claim does not hold
  5  a fault of costcurves itself
  130, 143  interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that is given, or that the process was started with; give its status."""
    words = sys.argv[1:] if arguments is None else arguments
    # One job is one thread. More would take memory; where it is out, numpy ends as if by Ctrl-C.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)  # a process that ends would look through all that it has imported
    options, held = argparse.Namespace(), io.StringIO()  # what --quiet keeps back
    try:
        if not words:
            say(*(f"{name:<12}{summary}" for name, summary in COMMANDS.items()), LISTED)
            return ending.FINE
        made = parser(words)
        _check_words(made, words)
        made.parse_args(words, options)
        with redirect_stderr(held if options.quiet else sys.stderr):
            status, lines = int(options.run(options)), []
    except ending.CommandError as error:
        status, lines = error.status, list(error.lines)
    except InputError as error:
        status, lines = ending.DATA, error.lines
    except UnicodeEncodeError as error:
        status, lines = ending.DATA, [half(error)]
    except KeyboardInterrupt as stop:
        status = ending.TERMINATED if isinstance(stop, ending.Terminated) else ending.INTERRUPTED
        lines = ["Stopped; finished reports are as they were"]
    except BrokenPipeError:  # what read the output has enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        status, lines = ending.INTERNAL, [refused(error) or _fault(error)]
    say(*(held.getvalue().splitlines() if status else ()), to=sys.stderr)
    say(*lines, to=sys.stderr, head=True)
    if lines:
        ending.failed(options, status, "\n".join(lines))
    return status


class Parser(argparse.ArgumentParser):
    """What understands arguments; names of files are among them."""

    commands: "Mapping[str, Parser]"
    actions: tuple[argparse.Action, ...] = ()

    def add_argument(self, *names: Any, **said: Any) -> argparse.Action:
        """Add an argument, and keep what it does."""
        self.actions += (action := super().add_argument(*names, **said),)
        return action

    def error(self, message: str) -> NoReturn:
        """Say what can't be understood."""
        super().error(visible(message))


def parser(words: Sequence[str]) -> Parser:
    """Make what understands the commands that are named: only they are imported, for speed."""
    made = Parser(
        prog="costcurves",
        description="Which classifier is cheaper, and under which operating conditions?",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"costcurves {__version__}")
    known = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    made.commands = known.choices
    plain = argparse.RawDescriptionHelpFormatter
    for name, summary in COMMANDS.items():
        one = known.add_parser(name, help=summary, formatter_class=plain)
        if name in words and words[0] != STAGE:
            _complete(one, name)
    if [*words[:1]] == [STAGE]:
        _complete(known.add_parser(STAGE, formatter_class=plain), STAGE)
    return made


def _check_words(made: Parser, words: Sequence[str]) -> None:
    """Refuse an unknown command or option before all else, with the one that was meant."""
    own = made
    for word in takewhile("--".__ne__, ({"-o--": "--output=--"}.get(it, it) for it in words)):
        option = word.startswith("--") and " " not in word
        if not option and (own is not made or word.startswith("-")):
            continue  # a value
        name, _, value = word.partition("=")
        sign, what = ("--", "option") if option else ("", "command")
        options = (it for one in own.actions for it in one.option_strings)
        known = [*(options if option else made.commands)]
        if not (any(it.startswith(name) for it in known) if option else name in known):
            from costcurves.names import closest, quoted

            close = FORMER.get(name)
            close = close or closest(name[len(sign) :], [it.removeprefix(sign) for it in known])
            lists = f"'{own.prog} --help' lists the {what}s"
            hint = lists if close is None else f"Did you mean '{sign}{close}'?"
            raise ending.CommandError(ending.USAGE, f"unknown {what} {quoted(name)}. {hint}")
        if value == "--":  # which argparse drops before Python 3.13
            raise ending.CommandError(ending.USAGE, f"{name} is '--': give it in a configuration")
        own = own if option else made.commands[name]


def _complete(one: argparse.ArgumentParser, name: str) -> None:
    """Add to a command what its module says of it."""
    _check_memory()
    if why := lacking(f"costcurves {name}"):
        raise ending.CommandError(ending.USAGE, why)
    command = import_module(f"costcurves.command.{name}")
    one.description, one.epilog = command.DESCRIPTION, command.EXAMPLES
    for option, said in command.OPTIONS.items():
        one.add_argument(*SHORT.get(option, ()), option, **said)
    one.add_argument("-q", "--quiet", action="store_true", help="print only errors on stderr")
    one.set_defaults(run=command.run)


def _check_memory() -> None:
    """Refuse a limit to the memory of a process with which libraries in C crash as they load."""
    if sys.platform != "win32":
        limit = resource.getrlimit(resource.RLIMIT_AS)[0] // 2**20
        if 0 <= limit < LEAST_MEMORY:
            found = f"A process may have {limit} MB of memory here (ulimit -v)"
            expected = f"expected at least {LEAST_MEMORY}: raise it, then run the same again"
            raise ending.CommandError(ending.INTERNAL, f"{found}, {expected}")


def _fault(error: Exception) -> str:
    """Keep the traceback for a bug report."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="costcurves-", suffix=".log", delete=False, encoding="utf-8"
    ) as log:
        traceback.print_exception(error, file=log)
    return f"A fault of costcurves: {type(error).__name__}: {error} (see {log.name})"
