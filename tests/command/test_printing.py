"""Names and texts that a terminal would obey, wherever they come from: each is escaped."""

import io
import json
import unicodedata
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.command.ending import CommandError
from costcurves.errors import InputError, under
from costcurves.printing import say, visible
from costcurves.record.manifest import read_manifest
from tests.command import ended
from tests.written_report import edited, facts, written

OBEYED: Final = (
    "\n\r\t\x07\x08\x0b\x1b\x1c\x7f\x85\x9b\u061c\u200b\u200d\u200e\u200f\u2028\u2029\u202a\u202e"
    "\u2060\u2066\u2069\ufeff\ud800\udcff\U000e0041"
)
TEXTS: Final = st.text(st.characters() | st.sampled_from(OBEYED))
EVIL: Final = "a\n\r\x1b[2K\x9b1A\u202eb\u2066\u200f\u061c\u200b\u2028all-is-well"
KEPT: Final = "Dvo\u0159\xe1k \u05d0 \U0001f600 \u2588\u2573, 1\u2009471\xa0%, \u2014"


def is_plain(text: str) -> bool:
    """Say whether a terminal draws every sign of lines where it stands."""
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return not any(unicodedata.category(sign) in hidden for sign in text if sign != "\n")


@given(st.lists(TEXTS, max_size=30))
def test_each_line_is_one_line_and_keeps_its_meaning(lines: list[str]) -> None:
    stream = io.StringIO()
    say(*lines, to=stream)
    printed = stream.getvalue()
    assert is_plain(printed)
    assert printed.count("\n") == len(lines)
    shown = printed.split("\n")[:-1]
    assert [*map(visible, lines)] == [*map(visible, shown)] == shown
    document = visible(json.dumps(lines, ensure_ascii=False))
    assert json.loads(document) == json.loads(json.dumps(lines))
    for error in (InputError(lines), CommandError(4, *under("a headline", lines))):
        more = min(len(lines), 20) + (len(lines) > 20)
        more -= isinstance(error, InputError) and len(lines) == 1
        assert (is_plain(str(error)), str(error).count("\n")) == (True, more)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_what_the_output_can_not_hold_is_escaped(encoding: str) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding)
    say(KEPT, json.dumps([KEPT], ensure_ascii=False), to=stream)
    stream.flush()
    text, document = written.getvalue().decode(encoding).splitlines()
    assert json.loads(document) == [KEPT]
    assert (text == KEPT, "1" in text) == (encoding == "utf-8", True)


COMMANDS: Final = [
    *("verify forged", "verify forged --rebuild", "verify added", "verify {}", "bundle added"),
    *(
        "check {}.csv",
        "check plain.csv",
        "check {}.csv.gz",
        "check {}.yaml",
        "check --{} plain.csv",
    ),
    *("init {}.csv", "report {}.yaml {}.csv", "gate {}.csv plain.csv --at pc={}", "audit {}.yaml"),
    "{}",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_what_a_terminal_obeys(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """With a name of a stranger's as many lines are printed as with a plain one."""
    monkeypatch.setenv("COLUMNS", "1000")
    counts = []
    for number, name in enumerate(("plainly", EVIL)):
        (folder / str(number)).mkdir()
        monkeypatch.chdir(folder / str(number))
        for file in (f"{name}.csv", "plain.csv"):
            Path(file).write_text(f"instance,label,model,score\n1,0,{json.dumps(name)},0.5\n")
        (written(Path("added"), facts(Path())) / name).write_text("!")
        sources = [{"path": f"{name}.csv", "sha256": "0"}]
        report = written(Path("forged"), facts(Path()) | {"sources": sources})
        files = {"files": {**read_manifest(report)["files"], f"{name}.csv": "0"}}
        edited(report, fingerprint=name * 12, **files)
        status, out, err = ended(*(word.format(name) for word in command.split()))
        assert (is_plain(out + err), status in (0, 2, 3, 4)) == (True, True)
        counts.append(status == 0 or len((out + err).splitlines()))
    assert counts[0] == counts[1]
