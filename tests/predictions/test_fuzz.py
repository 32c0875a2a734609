"""Chance against the readers of predictions and configurations.

A valid file is changed in a few places: bytes flipped, parts cut, moved, doubled, odd bytes put in.
Then it is read, or answered in words that a person can act on, and soon.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.predictions.staged import stage
from costcurves.study.reading import read_study
from costcurves.tables import files
from tests.predictions.wine import csv, wine
from tests.small_study import ROOT
from tests.study.test_study import TEXT

LONGEST = 20  # seconds, on a busy machine; milliseconds on another
EACH = ["1,a,1,0,0.25,1.0", "1,a,2,1,0.5,", "1,b,3,0,1e-3,2.0", "1,b,ü 4,1,-7.0,"]
LINES = [f"wine,{model},{row}" for model in ("NB", "T") for row in EACH]
COLUMNS = "dataset,model,repeat,fold,instance,label,score,cost_fp"
CSV = csv("|".join([*LINES, "beer,NB,1,a,1,0,0,"]), COLUMNS)
ODD = [
    b"\0", b"\r", b"\n", b"\n\n", b"\t", b'"', b"'", b",", b";", b": ", b"- ", b"#", b"{", b"[",
    b"}]", b"&a ", b"*a", b"!!python/none ", b"<<: ", b"? ", b"|\n", b"%YAML 1.1\n---\n", b"...",
    b"~", b"no", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", "\u202e".encode(),
    "e\u0301".encode(), "\U0001f642".encode(), b"\\ud800", b"nan", b".inf", b"-", b"1e999", b"010",
    b"1_0", b"9" * 400, b"x" * 300, b"a: " * 30, b"[" * 30, b"PAR1", b"\x1f\x8b", b"\x80\x04",
    b"\x7f\xff\xff\xff",
]  # fmt: skip


@st.composite
def changed(draw: st.DrawFn, whole: bytes) -> bytes:
    """A file's bytes after a few changes."""
    data = whole
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + draw(st.sampled_from([1, 8, 200])))))
        part = data[start:end]
        puts = [b"", part * 2, part * 100, part[::-1], part.upper(), *ODD]
        put = draw(st.sampled_from(puts) | st.binary(max_size=4))
        data = data[:start] + put + data[end:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data


@pytest.fixture(autouse=True)
def parquet(folder: Path) -> bytes:
    """The rows as Parquet, beside files that a configuration names."""
    (folder / "b.csv").touch()
    (folder / "wine.csv").write_text(CSV, encoding="utf-8")
    pd.read_csv("wine.csv", dtype=str).astype({"score": float}).to_parquet("wine.parquet")
    return Path("wine.parquet").read_bytes()


def answered(path: str, read: Callable[[], object], *also: str) -> None:
    """Make sure that a file is read, or that each finding is a line that names it."""
    started = time.monotonic()
    findings: tuple[str, ...] = ()
    try:
        read()
    except InputError as error:
        findings = error.findings
    assert time.monotonic() - started < LONGEST
    for finding in findings:
        assert any(name in finding for name in (path, *also)), finding
        assert finding.isprintable(), finding
        assert len(finding) < 2000, finding


def read_predictions(path: str, positive: str | None = None) -> None:
    frame = stage(wine(path, positive=positive))
    files.write(frame, "staged.parquet", PREDICTIONS)
    again = files.read("staged.parquet", PREDICTIONS)
    # Texts are numbered by appearance in what is read.
    pd.testing.assert_frame_equal(again, frame, check_categorical=False)


def read_configuration() -> None:
    plain = asdict(read_study("c.yaml"))
    json.dumps(plain, allow_nan=False, ensure_ascii=False).encode()


def test_what_is_changed_is_valid() -> None:
    Path("c.yaml").write_text(TEXT, encoding="utf-8")
    read_configuration()
    read_predictions("wine.csv")
    read_predictions("wine.parquet")


TOOLS = ROOT / "tests" / "readers" / "files"
OTHERS = ["weka-distribution.csv", "caret.csv", "wide.csv", "wide.feather"]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", *OTHERS])
@given(data=st.data())
def test_files(name: str, data: st.DataObject, parquet: bytes) -> None:
    whole = (TOOLS / name).read_bytes() if name in OTHERS else CSV.encode()
    Path(name).write_bytes(data.draw(changed(parquet if name == "a.parquet" else whole)))
    positive = "ill" if name in OTHERS else None
    answered(name, lambda: read_predictions(name, positive), "'wine'", "  if")


@given(changed(TEXT.encode()))
def test_configurations(data: bytes) -> None:
    Path("c.yaml").write_bytes(data)
    answered("c.yaml", read_configuration)
