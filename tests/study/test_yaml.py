"""What a configuration is as a file, in a table of cases, and the YAML that is written.

Each is answered with findings that a person can act on, or is read as it is.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.names import some
from costcurves.settings import StudyKeys, keys_of
from costcurves.study.reading import read_study
from costcurves.study.strict_yaml import as_yaml, read_text
from tests.tables.test_hostile_input import Expected, check


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


PLAIN = "study: s\ndatasets:\n  - {name: wine, predictions: [wine.csv]}\n"
KEYS = f"known are {some([*keys_of(StudyKeys)])}"
INDENT = "indent with spaces, and quote text that begins with or holds a special character"


def differently(key: str, value: str) -> str:
    mend = "write true or false, digits such as 1000 or 1.0e-3, or text in quotes"
    return f"c.yaml line 4: {key} is {value}, which readers of YAML take differently; {mend}"


def laughs() -> str:
    """Each line ten times the one before."""
    lines = ["a0: &a0 [ha, ha]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join(lines) + "\n"


CONFIGURATIONS: list[tuple[str, str | bytes | Callable[[], str], Expected]] = [
    # what it is
    ("nothing", "", "c.yaml: is empty, expected the keys of a configuration"),
    ("only a comment", "# study: s\n", "c.yaml: is empty, expected the keys of a configuration"),
    ("a list", "- study: s\n", "c.yaml: holds no keys, expected 'study:', 'datasets:' and others"),
    ("a word", "study\n", "c.yaml: holds no keys, expected 'study:', 'datasets:' and others"),
    ("Latin-1", PLAIN.encode() + b"title: caf\xe9\n",
     "c.yaml line 4: byte 0xE9 is not UTF-8; save the file as UTF-8"),
    ("UTF-16", PLAIN.encode("utf-16"),
     "c.yaml line 1: byte 0xFF is not UTF-8; save the file as UTF-8"),
    ("a mark at the beginning", "\ufeff" + PLAIN, None),
    ("a control character", PLAIN + "title: a\0b\n",
     "c.yaml: not YAML: the character '\\x00' is not allowed"),
    ("half a character", PLAIN + 'title: "\\ud800"\n',
     "c.yaml line 4: title is '\\ud800', which is not a value; write text in quotes"),
    ("tabs as indents", PLAIN + "prior:\n\tkind: uniform\n", "c.yaml line 5: not YAML: while "
     f"scanning for the next token found character '\\t' that cannot start any token; {INDENT}"),
    ("a colon in a value", PLAIN + "title: a: b\n",
     f"c.yaml line 4: not YAML: mapping values are not allowed here; {INDENT}"),
    ("a list without end", PLAIN + "title: [a\n", "c.yaml line 5: not YAML: while parsing a flow "
     f"sequence expected ',' or ']', but got '<stream end>'; {INDENT}"),
    ("two documents", PLAIN + "---\n" + PLAIN, "c.yaml line 4: not YAML: expected a single "
     f"document in the stream but found another document; {INDENT}"),
    ("too large", lambda: "#" * (1 << 19),
     "c.yaml: is larger than 262144 bytes: not a configuration"),
    ("deep", lambda: PLAIN + "title: " + "[" * 100_000,
     "c.yaml line 4: is nested deeper than 20 levels: not a configuration"),
    # what grows, acts or hides
    ("a bomb of anchors", laughs, re.compile(
        r"c\.yaml line \d+: anchors and aliases \([&*]a\d\) are refused; write it out")),
    ("a long anchor", PLAIN + f"title: &{'x' * 1000} a\n", "c.yaml line 4: anchors and aliases "
     f"(&{'x' * 60}) are refused; write it out"),
    ("an object of Python", PLAIN + "title: !!python/object/apply:os.system [id]\n",
     "c.yaml line 4: the tag 'tag:yaml.org,2002:python/object/apply:os.system' is refused; write "
     "plain values"),
    ("bytes", PLAIN + "title: !!binary aGk=\n",
     "c.yaml line 4: the tag 'tag:yaml.org,2002:binary' is refused; write plain values"),
    ("an alias", PLAIN + "title: &x a\nseed: *x\n", re.compile(
        r"c\.yaml line [45]: anchors and aliases \([&*]x\) are refused; write it out")),
    ("a tag of YAML's own", PLAIN + "title: !!str s\n",
     "c.yaml line 4: the tag 'tag:yaml.org,2002:str' is refused; write plain values"),
    ("a tag of one's own", PLAIN + "title: !mine s\n",
     "c.yaml line 4: the tag '!mine' is refused; write plain values"),
    ("a merge", PLAIN + "<<: {seed: 1}\n", f"c.yaml line 4: ['<<'] is not a known key; {KEYS}"),
    ("a key twice", PLAIN + "study: t\n",
     "c.yaml line 4: study occurs twice, first in line 1"),
    ("a long key twice", PLAIN + f"{'x' * 1000}: 1\n" * 2,
     f"c.yaml line 5: ['{'x' * 60}'...] occurs twice, first in line 4"),
    # keys
    ("an unknown key", PLAIN + "sead: 1\n",
     "c.yaml line 4: sead is not a known key; did you mean 'seed'?"),
    ("a key in capitals", PLAIN + "Seed: 1\n",
     "c.yaml line 4: Seed is not a known key; did you mean 'seed'?"),
    ("an unknown key inside", PLAIN + "inference: {confidance: 0.9}\n", "c.yaml line 4: "
     "inference.confidance is not a known key; did you mean 'confidence'?"),
    ("a long unknown key", PLAIN + f"? {'x' * 100_000}\n: 1\n",
     f"c.yaml line 4: ['{'x' * 60}'...] is not a known key; {KEYS}"),
    ("a truth value as a key", PLAIN + "no: 1\n",
     "c.yaml line 4: has the key no; write it in quotes"),
    ("a number as a key", PLAIN + "1: 1\n",
     "c.yaml line 4: has the key 1; write it in quotes"),
    ("a list as a key", PLAIN + "? [a]\n: 1\n",
     "c.yaml line 4: has a list or mapping as a key, expected text"),
    # values
    ("no number", PLAIN + "prior: {kind: uniform, low: .nan}\n",
     "c.yaml line 4: prior.low is nan, expected a number that is at least -1e+100"),
    ("infinity", PLAIN + "prior: {kind: uniform, high: -.inf}\n",
     "c.yaml line 4: prior.high is -inf, expected a number that is at least -1e+100"),
    ("a number too large", PLAIN + "selection: {score_threshold: 1.0e+999}\n", "c.yaml line 4: "
     "selection.score_threshold is inf, expected a number that is at most 1e+100"),
    ("a number of 400 digits", PLAIN + f"seed: {'9' * 400}\n", "c.yaml line 4: seed is "
     f"{'9' * 60}..., expected a number that is at most 9223372036854775807"),
    ("a number of 5000 digits", PLAIN + f"seed: {'9' * 5000}\n",
     f"c.yaml line 4: seed is '{'9' * 60}', which is not a value; write text in quotes"),
    ("octal", PLAIN + "seed: 010\n", differently("seed", "010")),
    ("octal as a name", PLAIN + "title: 007\n", differently("title", "007")),
    ("hexadecimal", PLAIN + "seed: 0x1F\n", differently("seed", "0x1F")),
    ("binary", PLAIN + "seed: 0b11\n", differently("seed", "0b11")),
    ("base 60", PLAIN + "seed: 1:30\n", differently("seed", "1:30")),
    ("a time", PLAIN + "title: 12:30:45\n", differently("title", "12:30:45")),
    ("underscores", PLAIN + "seed: 1_000\n", differently("seed", "1_000")),
    ("a truth value as text", PLAIN + "title: no\n",
     differently("title", "no")),
    ("a day as text", PLAIN + "title: 2006-01-31\n",
     differently("title", "2006-01-31")),
    ("a day that is none", PLAIN + "title: 2006-99-01\n",
     "c.yaml line 4: title is '2006-99-01', which is not a value; write text in quotes"),
    ("text as a number", PLAIN + "seed: one\n", "c.yaml line 4: seed is 'one', expected a whole "
     "number (no quotes)"),
    ("keys as a number", PLAIN + "seed: {a: 1}\n",
     "c.yaml line 4: seed is keys 'a', expected a whole number (no quotes)"),
    ("a long title", PLAIN + f"title: {'x' * 200_000}\n",
     "c.yaml line 4: title has 200000 characters, expected at most 200"),
    ("an invisible title", PLAIN + 'title: "\\u200d\\u2060"\n', "c.yaml line 4: title is blank"),
    ("more resamples than memory", PLAIN + "inference: {resamples: 1000000000000}\n",
     "c.yaml line 4: inference.resamples is 1000000000000, expected a number that is at most "
     "1000000"),
    ("an endless capacity", PLAIN + f"selection: {{capacity: '{'9' * 400}%'}}\n", "c.yaml line 4: "
     f"selection.capacity is '{'9' * 60}'..., expected a whole number of cases, or a "
     "share of them such as '10%'"),
    ("own texts", PLAIN + "report: {texts: []}\n",
     "c.yaml line 4: report was removed: put your words into 'description'"),
    ("a word of truth in a document that is of YAML 1.1", f"%YAML 1.1\n---\n{PLAIN}title: yes\n",
     differently("title", "yes").replace("line 4", "line 6")),
    ("a number with an exponent alone", PLAIN + "selection: {rate: 1e-3}\n",
     differently("selection.rate", "1e-3")),
    ("an end of a line that is none to all", PLAIN + "title: a\u2028b\n",
     "c.yaml line 4: the character '\\u2028' ends a line to some readers of YAML"),
    # files and folders
    ("a study outside", PLAIN.replace("study: s", "study: ../../x"), re.compile(
        r"c\.yaml line 1: study is '\.\./\.\./x', expected a name of letters, digits, .*")),
    ("a file that is not there", PLAIN.replace("wine.csv", "beer.csv"), "c.yaml line 3: "
     "datasets[0].predictions[0] is 'beer.csv', which does not exist in the folder where the "
     "command runs"),
    ("a file name too long", PLAIN.replace("wine.csv", "é" * 190), re.compile(
        r"c\.yaml line 3: datasets\[0\]\.predictions\[0\] is 'é+', which does not exist in .*")),
]  # fmt: skip


def answered(path: str) -> tuple[str, ...]:
    """What is said of a configuration; nothing if it is read. Nothing is written either way."""
    before = sorted(Path().iterdir())
    try:
        read_study(path)
    except InputError as error:
        return error.findings
    finally:
        assert sorted(Path().iterdir()) == before
    return ()


@pytest.mark.parametrize(
    ("text", "message"), [pytest.param(*it[1:], id=it[0]) for it in CONFIGURATIONS]
)
def test_configurations(text: str | bytes | Callable[[], str], message: Expected) -> None:
    made = text() if callable(text) else text
    Path("wine.csv").touch()
    Path("c.yaml").write_bytes(made.encode() if isinstance(made, str) else made)
    found = answered("c.yaml")
    check(found, *[message] * max(1, len(found)))


CONFIGURED_PLACES: list[tuple[str, Callable[[], object], Expected]] = [
    ("a pipe", lambda: os.mkfifo("c.yaml"), "c.yaml: is a device or pipe, expected a file"),
    ("a device", lambda: Path("c.yaml").symlink_to("/dev/zero"),
     "c.yaml: is a device or pipe, expected a file"),
    ("a folder", lambda: Path("c.yaml").mkdir(), "c.yaml: can't be read (Is a directory)"),
    ("nothing", lambda: None, "c.yaml: can't be read (No such file or directory)"),
    ("a link to itself", lambda: Path("c.yaml").symlink_to("c.yaml"),
     "c.yaml: can't be read (Too many levels of symbolic links)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "message"), [pytest.param(*it[1:], id=it[0]) for it in CONFIGURED_PLACES]
)
def test_places_of_configurations(made: Callable[[], object], message: Expected) -> None:
    made()
    check(answered("c.yaml"), message)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8"), max_size=12)
    | st.sampled_from(["no", "Yes", "010", "1:30", "1e-3", "2006-01-31", "a\\b", "<<", "=", "..."]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=1), inner, max_size=3)
    ),
)


@given(VALUES)
def test_what_is_written_is_read_by_all_readers_as_it_was(content: Any) -> None:
    text = as_yaml(content)
    assert read_text(text, "c.yaml").content == content
    assert yaml.safe_load(text) == content  # of YAML 1.1, as the workflow engine's


WORDS = ["no", "on", "y", "1e3", "1.0e+3", "010", "0o7", "1_0", "1:30", "2006-01-31", ".5", "-.inf"]
WORDS += ["~", "null", "TRUE", "=", "- ", "? ", ": ", "'", '"', "#", " ", "\n", "\n  ", "[", "]"]
WORDS += ["{", "}", ",", "a", "b: ", "\\u0041"]


@given(st.lists(st.sampled_from(WORDS), max_size=8).map("".join))
def test_what_is_read_is_what_other_readers_read(text: str) -> None:
    try:
        content = read_text(text, "c.yaml").content
    except InputError:
        return
    assert yaml.safe_load(text) == content
