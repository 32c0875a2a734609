"""`costcurves completion`: what makes a shell complete commands, options and files."""

from argparse import Namespace
from importlib import import_module
from typing import Any, Final

from costcurves.command.ending import FINE, USAGE, CommandError
from costcurves.command.main import all_commands, parser
from costcurves.printing import say

DESCRIPTION: Final = "Print the completion of a shell, which shtab makes (pip install shtab).\n"
EXAMPLES: Final = "examples:\n  costcurves completion bash > ~/.costcurves.bash   # source it\n"
OPTIONS: Final[dict[str, Any]] = {"shell": {"choices": ["bash", "zsh", "tcsh"], "help": "which"}}


def run(options: Namespace) -> int:
    """Print the completion of all commands; values that are no choice are names of files."""
    try:
        shtab = import_module("shtab")
    except ImportError as error:
        raise CommandError(USAGE, "shtab, which makes it, is missing: pip install shtab") from error
    whole = parser([*all_commands()])
    for action in (it for one in whole.commands.values() for it in one.actions):
        if action.nargs != 0 and not action.choices:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    say(*shtab.complete(whole, shell=options.shell).split("\n"))
    return FINE
