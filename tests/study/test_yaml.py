"""What a configuration is as a file, in a table of cases, and the YAML that is written.

Each is answered with findings that a person can act on, or is read as it is.
"""

from collections.abc import Callable
from contextlib import nullcontext
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

PLAIN = "study: s\ndatasets:\n  - {name: wine, predictions: [wine.csv]}\n"
INDENT = "indent with spaces, and quote text that begins with or holds a special character"
LOST = "which does not exist in the folder where the command runs"
NO_VALUE = "which is not a value; write text in quotes"
LONG, DIGITS = "x" * 1000, "9" * 5000

# Where a text goes on behind `PLAIN`, and is answered for its line 4.
BEHIND: dict[str, str] = {
    'title: "\\ud800"\n': f"title is '\\ud800', {NO_VALUE}",
    "---\nstudy: s\n": "not YAML: expected a single document in the stream but found another doc",
    "title: " + "[" * 100_000: "is nested deeper than 20 levels: not a configuration",
    # what grows, acts or hides
    f"title: &{LONG} a\n": f"anchors and aliases (&{LONG[:60]}) are refused; write it out",
    "seed: *x\n": "anchors and aliases (*x) are refused; write it",
    "title: !!python/object/apply:os.system [id]\n": "the tag 'tag:yaml.org,2002:python/object/app",
    "<<: {seed: 1}\n": f"['<<'] is not a known key; known are {some([*keys_of(StudyKeys)])}",
    "study: t\n": "study occurs twice, first in line 1",
    # keys
    "inference: {confidance: 9}\n": "inference.confidance is not a known key; did you mean 'confid",
    "no: 1\n": "has the key no; write it in quotes",
    "? [a]\n: 1\n": "has a list or mapping as a key, expected",
    # values
    f"seed: {DIGITS}\n": f"seed is '{DIGITS[:60]}', {NO_VALUE}",
}
ALIKE = {"seed": "010 0x1F 0b11 1:30 1_000", "title": "007 12:30:45 no 2006-01-31 1e-3"}
DIFFERENTLY = (
    "{} is {}, which readers of YAML take differently; write true or false, digits such as 1000 or "
    "1.0e-3, or text in quotes"
)
for key, values in ALIKE.items():
    for value in values.split():
        BEHIND[f"{key}: {value}\n"] = DIFFERENTLY.format(key, value)
OTHERS: list[tuple[str | bytes | Callable[[], object], str]] = [
    ("", "c.yaml: is empty, expected the keys of a configuration"),
    ("- study: s\n", "c.yaml: holds no keys, expected 'study:', 'datasets:' and others"),
    (PLAIN.encode() + b"title: \xe9\n", "line 4: byte 0xE9 is not UTF-8; save the file as UTF-8"),
    ("\ufeff" + PLAIN, ""),
    (PLAIN + "title: a\0b\n", "c.yaml: not YAML: the character '\\x00' is not allowed"),
    (PLAIN + "prior:\n\tkind: x\n", f"character '\\t' that cannot start any token; {INDENT}"),
    (PLAIN + "title: [a\n", "c.yaml line 5: not YAML: while parsing a flow seque"),
    (f"%YAML 1.1\n---\n{PLAIN}title: yes\n", f"line 6: {DIFFERENTLY.format('title', 'yes')}"),
    # files and folders
    (PLAIN.replace("study: s", "study: ../../x"), "line 1: study is '../../x', expected a name of"),
    (PLAIN.replace("wine", "beer", 2), f"line 3: datasets[0].predictions[0] is 'beer.csv', {LOST}"),
    (PLAIN.replace("wine.csv", "é" * 190), LOST),
    (lambda: Path("c.yaml").symlink_to("/dev/zero"), "c.yaml: is a device or pipe, expected a fil"),
    (lambda: Path("c.yaml").mkdir(), "c.yaml: can't be read (Is a directory)"),
    (lambda: None, "c.yaml: can't be read (No such file or directory)"),
    (lambda: Path("c.yaml").symlink_to("c.yaml"), "can't be read (Too many levels of symbolic"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [*((PLAIN + more, f"c.yaml line 4: {why}") for more, why in BEHIND.items()), *OTHERS],
    ids=range(len(BEHIND) + len(OTHERS)),
)
def test_configurations(text: str | bytes | Callable[[], object], message: str) -> None:
    """Nothing is written, whether it is read or not."""
    Path("wine.csv").touch()
    if callable(text):
        text()
    else:
        Path("c.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    before = sorted(Path().iterdir())
    with pytest.raises(InputError) if message else nullcontext() as raised:
        read_study("c.yaml")
    check(raised.value.findings if raised else (), *[message] * bool(message))
    assert sorted(Path().iterdir()) == before


TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
ODD = ["no", "Yes", "010", "1:30", "1e-3", "2006-01-31", "a\\b", "<<", "=", "..."]


@given(
    st.recursive(
        SCALARS | st.sampled_from(ODD),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(TEXT.filter(bool), inner, max_size=3)
        ),
    )
)
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
