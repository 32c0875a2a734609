"""The commands of the README run in the order in which they stand, in an empty folder."""

import re
import shlex
from pathlib import Path

import pytest

from costcurves.command import main
from tests.small_study import ROOT

TEXT = (ROOT / "README.md").read_text("utf-8")
SHELL = "".join(re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL))
LINES = re.findall("^costcurves .*", SHELL, re.MULTILINE)
TYPED = [shlex.split(line, comments=True)[1:] for line in LINES]


def test_typed_as_they_stand_they_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in TYPED:
        status = main.main(words)
        printed = capsys.readouterr()
        assert status == 0, f"{words}: {printed.out}{printed.err}"
        assert printed.err == "" or words[0] == "gate", words
