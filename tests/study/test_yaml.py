"""What a configuration is as a file, in a table of cases, and the YAML that is written.

Each is answered with findings that a person can act on, or is read as it is.
"""

import os
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
from tests.predictions.test_messages import check


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


LOST = "which does not exist in the folder where the command runs"
CONFIGURATIONS: dict[str, tuple[str | bytes, str]] = {
    # what it is
    "nothing": ("", "c.yaml: is empty, expected the keys of a configuration"),
    "a list": ("- study: s\n", "c.yaml: holds no keys, expected 'study:', 'datasets:' and others"),
    "Latin-1": (PLAIN.encode() + b"title: caf\xe9\n",
        "c.yaml line 4: byte 0xE9 is not UTF-8; save the file as UTF-8"),
    "a mark at the beginning": ("\ufeff" + PLAIN, ""),
    "a control character": (PLAIN + "title: a\0b\n",
        "c.yaml: not YAML: the character '\\x00' is not allowed"),
    "half a character": (PLAIN + 'title: "\\ud800"\n',
        "c.yaml line 4: title is '\\ud800', which is not a value; write text in quotes"),
    "tabs as indents": (PLAIN + "prior:\n\tkind: uniform\n",
        "c.yaml line 5: not YAML: while scanning "
        f"for the next token found character '\\t' that cannot start any token; {INDENT}"),
    "a list without end": (PLAIN + "title: [a\n", "c.yaml line 5: not YAML: while parsing a flow "
        "seque"),
    "two documents": (PLAIN + "---\n" + PLAIN, "c.yaml line 4: not YAML: expected a single "
        "document in "
        "the stream but found another document"),
    "deep": (PLAIN + "title: " + "[" * 100_000,
        "c.yaml line 4: is nested deeper than 20 levels: not a configuration"),
    # what grows, acts or hides
    "anchors": (PLAIN + f"title: &{'x' * 1000} a\n",
        f"c.yaml line 4: anchors and aliases (&{'x' * 60}) "
        "are refused; write it out"),
    "an alias": (PLAIN + "seed: *x\n", "c.yaml line 4: anchors and aliases (*x) are refused; "
        "write it"),
    "an object of Python": (PLAIN + "title: !!python/object/apply:os.system [id]\n",
        "c.yaml line 4: the "
        "tag 'tag:yaml.org,2002:python/object/apply:os.system' is refused; write plain values"),
    "a merge": (PLAIN + "<<: {seed: 1}\n", f"c.yaml line 4: ['<<'] is not a known key; {KEYS}"),
    "a key twice": (PLAIN + "study: t\n", "c.yaml line 4: study occurs twice, first in line 1"),
    # keys
    "an unknown key inside": (PLAIN + "inference: {confidance: 0.9}\n",
        "c.yaml line 4: inference.confidance"
        " is not a known key; did you mean 'confidence'?"),
    "a truth value as a key": (PLAIN + "no: 1\n", "c.yaml line 4: has the key no; write it in "
        "quotes"),
    "a list as a key": (PLAIN + "? [a]\n: 1\n", "c.yaml line 4: has a list or mapping as a key, "
        "expected"),
    # values
    "a number of 5000 digits": (PLAIN + f"seed: {'9' * 5000}\n",
        f"c.yaml line 4: seed is '{'9' * 60}', which is not a value; write text in quotes"),
    "a word of truth in YAML 1.1": (f"%YAML 1.1\n---\n{PLAIN}title: yes\n",
        differently("title", "yes").replace("line 4", "line 6")),
    # files and folders
    "a study outside": (PLAIN.replace("study: s", "study: ../../x"),
        "c.yaml line 1: study is '../../x', expected a name of letters, digits, "),
    "a file that is not there": (PLAIN.replace("wine.csv", "beer.csv"),
        f"c.yaml line 3: datasets[0].predictions[0] is 'beer.csv', {LOST}"),
    "a file name too long": (PLAIN.replace("wine.csv", "é" * 190), LOST),
}  # fmt: skip
ALIKE = {"seed": "010 0x1F 0b11 1:30 1_000", "title": "007 12:30:45 no 2006-01-31 1e-3"}
for key, values in ALIKE.items():
    for value in values.split():
        CONFIGURATIONS[f"{key}: {value}"] = (f"{PLAIN}{key}: {value}\n", differently(key, value))


def findings(path: str) -> tuple[str, ...]:
    """What is said of a configuration; nothing if it is read. Nothing is written either way."""
    before = sorted(Path().iterdir())
    try:
        read_study(path)
    except InputError as error:
        return error.findings
    finally:
        assert sorted(Path().iterdir()) == before
    return ()


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configurations(name: str) -> None:
    text, message = CONFIGURATIONS[name]
    Path("wine.csv").touch()
    Path("c.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    check(findings("c.yaml"), *[message] * bool(message))


PLACES: dict[str, tuple[Callable[[], object], str]] = {
    "a pipe": (lambda: os.mkfifo("c.yaml"), "c.yaml: is a device or pipe, expected a file"),
    "a device": (lambda: Path("c.yaml").symlink_to("/dev/zero"),
        "c.yaml: is a device or pipe, exp"),
    "a folder": (lambda: Path("c.yaml").mkdir(), "c.yaml: can't be read (Is a directory)"),
    "nothing": (lambda: None, "c.yaml: can't be read (No such file or directory)"),
    "a link to itself": (lambda: Path("c.yaml").symlink_to("c.yaml"),
        "c.yaml: can't be read (Too many levels of symbolic links)"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_places_of_configurations(name: str) -> None:
    make, message = PLACES[name]
    make()
    check(findings("c.yaml"), message)


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
