"""The command, run in the process of the tests."""

import pytest

from costcurves.command.main import main
from tests.command import Ended


@pytest.fixture
def ended(capsys: pytest.CaptureFixture[str]) -> Ended:
    """Run the command: its status, and what it prints on both streams."""

    def run(*words: str) -> tuple[int, str, str]:
        try:
            status = main(words)
        except SystemExit as stopped:
            status = int(str(stopped.code))
        return status, *capsys.readouterr()

    return run
