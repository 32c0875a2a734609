"""The command, run in the process of the tests."""

import io
from contextlib import redirect_stderr, redirect_stdout

from costcurves.command.main import main


def ended(*words: str) -> tuple[int, str, str]:
    """Run the command; return its status, and what it prints on both streams."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as stopped:
            status = int(str(stopped.code))
    return status, out.getvalue(), err.getvalue()
