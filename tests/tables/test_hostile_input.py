"""Hostile and broken input, in tables: what it is, how it is made, and what it is answered with.

Every case ends in findings that a person can act on, or is read as it is. None ends in another
error, and none writes anything. What names may be is in `test_hostile_names`, what chance finds in
`test_fuzz`.
"""

import gzip
import io
import os
import pickle
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.feather import write_feather

from costcurves.errors import InputError
from costcurves.predictions import sources
from costcurves.predictions.sources import ENDINGS
from costcurves.predictions.staged import stage
from costcurves.settings import Dataset

HEADER = "model,instance,label,score\n"
GOOD = HEADER + "NB,1,0,0.25\nNB,2,1,0.75\n"
PACKED = gzip.compress(GOOD.encode(), mtime=0)

Expected = str | re.Pattern[str] | None
"""An exact finding, the pattern of all of it, or None: the file is read."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def csv(*rows: str, header: str = HEADER) -> str:
    return header + "".join(f"{row}\n" for row in rows)


def findings(path: str, **said: Any) -> tuple[str, ...]:
    """What is said of a file; nothing if it is read. Nothing is written either way."""
    before = sorted(Path().iterdir())
    try:
        stage(Dataset("wine", (path,), title="wine", slug="wine", **said))
    except InputError as error:
        return tuple(one for one in error.findings if ": if " not in one)
    finally:
        assert sorted(Path().iterdir()) == before
    return ()


def check(found: tuple[str, ...], *expected: Expected) -> None:
    """Hold findings to what is expected of each."""
    messages = [message for message in expected if message is not None]
    assert len(found) == len(messages), found
    for said, message in zip(found, messages, strict=True):
        if isinstance(message, str):
            assert said == message
        else:
            assert message.fullmatch(said), said
        assert len(said) < 500
        assert said.isprintable()


# Files of text


def bomb(size: int = 1 << 26) -> bytes:
    return gzip.compress(HEADER.encode() + b"0" * size, mtime=0)


def archive() -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as opened:
        opened.writestr("a.csv", GOOD)
    return whole.getvalue()


def wide(columns: int) -> str:
    names = ",".join(f"x{place}" for place in range(columns))
    return csv("NB,1,0,1" + ",0" * columns, header=f"{HEADER.strip()},{names}\n")


UTF8 = "save the file as UTF-8"
CUT = "is the file truncated? If not, end it with a line end"
PAGE = "download the file itself, not the page that shows it"
SHEET = "save it as CSV in UTF-8 with commas"

TEXT_FILES: list[tuple[str, str, str | bytes | Callable[[], bytes], Expected]] = [
    # broken off
    ("no bytes", "a.csv", "", "a.csv: the file is empty, expected a header and rows"),
    ("only a mark", "a.csv", "\ufeff", "a.csv: holds no text, expected a header and rows"),
    ("only line ends", "a.csv", "\n\n", "a.csv: holds no text, expected a header and rows"),
    ("only a header", "a.csv", HEADER, "a.csv: has a header and no rows"),
    (
        "a header without end",
        "a.csv",
        HEADER.strip(),
        f"a.csv line 1: the last line has no end: 'model,instance,label,score'; {CUT}",
    ),
    (
        "cut in a number",
        "a.csv",
        GOOD[:-2],
        f"a.csv line 3: the last line has no end: 'NB,2,1,0.7'; {CUT}",
    ),
    (
        "cut in quotes",
        "a.csv",
        GOOD + 'NB,"thr',
        f"a.csv line 4: the last line has no end: 'NB,\"thr'; {CUT}",
    ),
    (
        "cut in a character",
        "a.csv",
        GOOD.encode() + "NB,é".encode()[:-1],
        f"a.csv line 4: byte 0xC3 is not UTF-8; {UTF8} (in latin-1 this byte is 'Ã')",
    ),
    (
        "quotes never closed",
        "a.csv",
        csv('NB,"1,0,1', "NB,2,1,1"),
        "a.csv line 2: a quoted value goes on in the next line (is a quotation mark never closed?)",
    ),
    ("a short row", "a.csv", csv("NB,1,0"), "a.csv line 2: has 3 values, expected 4"),
    (
        "a long row",
        "a.csv",
        csv("NB,1,0,0,5"),
        "a.csv line 2: has 5 values, expected 4; a decimal comma, or a comma without quotes?",
    ),
    # packed
    (
        "gzip cut in its head",
        "a.csv.gz",
        PACKED[:6],
        "a.csv.gz: can't be unpacked: it is truncated or damaged; copy or make it again",
    ),
    (
        "gzip cut in its data",
        "a.csv.gz",
        PACKED[:-12],
        "a.csv.gz: can't be unpacked: it is truncated or damaged; copy or make it again",
    ),
    (
        "gzip with a changed byte",
        "a.csv.gz",
        PACKED[:20] + b"\xff" + PACKED[21:],
        "a.csv.gz: can't be unpacked: it is truncated or damaged; copy or make it again",
    ),
    (
        "gzip with something after it",
        "a.csv.gz",
        PACKED + b"rubbish",
        "a.csv.gz: can't be unpacked: it is truncated or damaged; copy or make it again",
    ),
    (
        "gzip in gzip",
        "a.csv.gz",
        gzip.compress(PACKED, mtime=0),
        "a.csv.gz line 1: has a NUL byte, so this is no text in UTF-8 (UTF-16?); save it "
        "as CSV in UTF-8",
    ),
    ("a gzip bomb", "a.csv.gz", bomb, "a.csv.gz: unpacks to more than 33554432 bytes; split it"),
    (
        "more bytes than a file may have",
        "a.csv",
        lambda: GOOD.encode() * 1_000_000,
        "a.csv: has more than 33554432 bytes; split it",
    ),
    # encodings
    ("UTF-8 with a mark", "a.csv", "\ufeff" + GOOD, None),
    (
        "UTF-16 with a mark",
        "a.csv",
        GOOD.encode("utf-16"),
        "a.csv: holds text in UTF-16, expected CSV, Parquet or Feather; save it as CSV in UTF-8",
    ),
    (
        "UTF-16 without",
        "a.csv",
        GOOD.encode("utf-16-be"),
        "a.csv line 1: has a NUL byte, so this is no text in UTF-8 (UTF-16?); save it as "
        "CSV in UTF-8",
    ),
    (
        "UTF-32",
        "a.csv",
        GOOD.encode("utf-32"),
        "a.csv: holds text in UTF-16, expected CSV, Parquet or Feather; save it as CSV in UTF-8",
    ),
    (
        "Latin-1",
        "a.csv",
        (GOOD + "Bayès,3,1,1\n").encode("latin-1"),
        f"a.csv line 4: byte 0xE8 is not UTF-8; {UTF8} (in latin-1 this byte is 'è')",
    ),
    (
        "an overlong slash",
        "a.csv",
        GOOD.encode() + b"NB,\xc0\xaf,1,1\n",
        f"a.csv line 4: byte 0xC0 is not UTF-8; {UTF8} (in latin-1 this byte is 'À')",
    ),
    (
        "half a character",
        "a.csv",
        GOOD.encode() + b"NB,\xed\xa0\x80,1,1\n",
        f"a.csv line 4: byte 0xED is not UTF-8; {UTF8} (in latin-1 this byte is 'í')",
    ),
    (
        "NUL bytes",
        "a.csv",
        GOOD + "NB,3\0,1,1\n",
        "a.csv line 4: has a NUL byte, so this is no text in UTF-8 (UTF-16?); save it as "
        "CSV in UTF-8",
    ),
    (
        "lines that end in CR",
        "a.csv",
        GOOD.replace("\n", "\r"),
        "a.csv line 1: has a carriage return alone, expected line ends \\n or \\r\\n",
    ),
    # separators and columns
    ("semicolons", "a.csv", GOOD.replace(",", ";"), None),
    ("tabs", "a.csv", GOOD.replace(",", "\t"), None),
    (
        "semicolons in one row",
        "a.csv",
        GOOD + "NB;3;1;0.5\n",
        "a.csv line 4: has 1 values, expected 4",
    ),
    (
        "a column twice",
        "a.csv",
        csv("NB,1,0,1,1", header="model,instance,label,score,score\n"),
        "a.csv: columns occur twice: 'score'; keep one of each",
    ),
    (
        "columns that differ in case",
        "a.csv",
        csv("NB,1,0,1,1", header="model,instance,label,Score,score\n"),
        "a.csv: what is column 'Score'? Say --column unused=Score",
    ),
    (
        "columns that differ in spaces",
        "a.csv",
        csv("NB,1,0,1,1", header="model,instance,label,score, score\n"),
        "a.csv: what is column ' score'? Say --column unused= score",
    ),
    (
        "escapes in a column's name",
        "a.csv",
        csv("NB,1,0,1,1", header="model,instance,label,score,\x1b[31mfold\n"),
        "a.csv: what is column '\\x1b[31mfold'? Say --column fold=\\u001b[31mfold or "
        "--column unused=\\u001b[31mfold",
    ),
    (
        "very many columns",
        "a.csv",
        wide(20_000),
        "a.csv: has 20,004 columns, expected at most 2,000; give a row for each model and case",
    ),
    (
        "a header of two megabytes",
        "a.csv",
        "x" * (2 << 20) + "\n",
        "a.csv line 1: the header has 2,097,152 characters, expected at most 1,000,000",
    ),
    # another thing under this name
    (
        "a pickle",
        "a.csv",
        pickle.dumps(GOOD),
        "a.csv: holds a Python pickle, which is never loaded, expected CSV, Parquet or "
        "Feather; write it as Parquet or CSV",
    ),
    (
        "a pickle in gzip",
        "a.csv.gz",
        gzip.compress(pickle.dumps(GOOD), mtime=0),
        "a.csv.gz: holds a Python pickle, which is never loaded, expected CSV, Parquet or"
        " Feather; write it as Parquet or CSV",
    ),
    (
        "an old pickle",
        "a.csv",
        pickle.dumps(GOOD, 0),
        re.compile(r"a\.csv line \d: the last line has no end: .*"),
    ),
    (
        "a zip archive",
        "a.csv",
        archive,
        "a.csv: holds a workbook or archive, expected CSV, Parquet or Feather; "
        "docs/recipes.md, 'Excel', has the lines that make a CSV file of it",
    ),
    (
        "an empty zip archive",
        "a.csv",
        b"PK\x05\x06" + bytes(18),
        "a.csv line 1: has a NUL byte, so this is no text in UTF-8 (UTF-16?); save it as "
        "CSV in UTF-8",
    ),
    (
        "a page",
        "a.csv",
        "\ufeff\n  <!doctype html>\n",
        "a.csv: holds HTML or XML, expected CSV, Parquet or Feather; download the file "
        "itself, not the page that shows it",
    ),
    (
        "JSON of another kind",
        "a.csv",
        "\n [1, 2]\n",
        "a.csv: holds JSON, expected CSV, Parquet or Feather; docs/recipes.md, 'JSON', "
        "has the lines that make a CSV file of it",
    ),
]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [pytest.param(*case[1:], id=case[0]) for case in TEXT_FILES],
)
def test_files_of_text(
    name: str,
    content: str | bytes | Callable[[], bytes],
    message: Expected,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sources, "LARGEST", 1 << 25)
    made = content() if callable(content) else content
    Path(name).write_bytes(made.encode() if isinstance(made, str) else made)
    check(findings(name), message)


# Values


def number(value: str) -> str:
    return f"a.csv line 2: score is {value!r}, expected a finite number such as 0.25"


NUMBERS: list[tuple[str, Expected]] = [
    ("1e308", None),
    ("-1e308", None),
    ("5e-324", None),
    ("-0", None),
    ("1e309", number("1e309")),
    ("inf", number("inf")),
    ("-Infinity", number("-Infinity")),
    ("nan", number("nan")),
    ("1_000", number("1_000")),
    ("0x1p3", number("0x1p3")),
    ("1,000.5", number("1,000.5")),
    (
        "0,5",
        "a.csv line 2: score is '0,5'; write a decimal point, not a comma, or say 'decimal: \",\"'"
        " (--decimal ,)",
    ),
    (" 0.5\t", None),
    ("0 5", number("0 5")),
    ("\uff11", number("\uff11")),
    ("True", number("True")),
    ("1d5", number("1d5")),
    ("'1", 'a.csv line 2: score is "\'1", expected a finite number such as 0.25'),
    ("=1+1", number("=1+1")),
    ("9" * 400, f"a.csv line 2: score is '{'9' * 60}'..., expected a finite number such as 0.25"),
]


@pytest.mark.parametrize(("value", "message"), NUMBERS)
def test_numbers(value: str, message: Expected) -> None:
    Path("a.csv").write_text(csv(f'NB,1,0,"{value}"', "NB,2,1,0.5"))
    check(findings("a.csv"), message)


@pytest.mark.parametrize("after", ["NB,2,1,0.25", "NB,2,1, 0.25"])
@pytest.mark.parametrize("value", ["0.5", " .5", "5e-1\t"])
def test_space_around_a_number_says_nothing(value: str, after: str) -> None:
    Path("a.csv").write_text(csv(f"NB,1,0,{value}", after))
    Path("b.csv").write_text(csv(f"NB,1,0,{value}", after, "NB,3,1,none"))
    scores = [stage(Dataset("wine", ("a.csv",), title="wine", slug="wine"))["score"].to_list()]
    assert scores == [[0.5, 0.25]]
    check(findings("b.csv"), "b.csv line 4: score is 'none', expected a finite number such as 0.25")


def test_ids_may_be_long_numbers_and_not_very_long_text() -> None:
    Path("a.csv").write_text(csv(f"NB,{10**30},0,1", f"NB,{10**30 + 1},1,1"))
    frame = stage(Dataset("wine", ("a.csv",), title="wine", slug="wine"))
    assert frame["instance"].to_list() == [str(10**30), str(10**30 + 1)]
    Path("a.csv").write_text(csv(f"NB,{'x' * 1_000_000},0,1", "NB,2,1,1"))
    said = f"a.csv line 2: instance '{'x' * 60}'... has 1000000 characters, expected at most 200"
    check(findings("a.csv"), said)


COSTS: list[tuple[str, Expected]] = [
    ("1e300", None),
    ("1e308", "a.csv line 2: cost_fp is 1e+308 for instance '1', expected at most 1e+300"),
]


@pytest.mark.parametrize(("cost", "message"), COSTS)
def test_costs_stay_numbers_when_they_are_added(cost: str, message: Expected) -> None:
    header = "model,instance,label,score,cost_fp,cost_fn\n"
    Path("a.csv").write_text(csv(f"NB,1,0,1,{cost},1", "NB,2,1,1,1,1", header=header))
    check(findings("a.csv"), message)


# Parquet


def parquet(**changes: Any) -> None:
    columns = {
        "model": ["NB", "NB"],
        "instance": ["1", "2"],
        "label": ["0", "1"],
        "score": [0.1, 1],
    }
    pq.write_table(pa.table(columns | changes), "a.parquet")


def no_utf8() -> pa.Array:
    return pa.Array.from_buffers(pa.string(), 2, pa.array([b"N\xff", b"N\xff"]).buffers())


def numbered(kind: pa.DataType) -> pa.Array:
    return pa.array([0, 1]).cast(kind)


SECOND = " (first of 2 such, then a.parquet row 2)"


def is_not(column: str, kind: str) -> str:
    return f"a.parquet: column {column!r} is {kind}, expected text"


def no_number(value: str) -> str:
    return f"a.parquet row 1: score is {value!r}, expected a finite number such as 0.25{SECOND}"


NOT_WHOLE = (
    "a.parquet: column 'instance' holds numbers that are not whole, expected names: write them as "
    "text"
)
DAMAGED = re.compile(
    r"a\.parquet: can't be read as Parquet \(.*UTF8.*\); is it truncated or damaged\? "
    r"Copy or make it again"
)

COLUMNS: list[tuple[str, Callable[[], dict[str, Any]], Expected]] = [
    ("a dictionary", lambda: {"model": pa.array(["NB", "NB"]).dictionary_encode()}, None),
    ("a dictionary of numbers", lambda: {"score": pa.array([0.1, 1]).dictionary_encode()}, None),
    ("decimals", lambda: {"score": numbered(pa.decimal128(38, 18))}, None),
    ("long decimals", lambda: {"score": numbered(pa.decimal256(60, 18))}, None),
    ("half floats", lambda: {"score": pa.array(np.array([0, 1], np.float16))}, None),
    ("large whole numbers", lambda: {"score": pa.array([2**64 - 1, 0], pa.uint64())}, None),
    ("a list", lambda: {"score": pa.array([[0.1], [1.0]])},
     no_number("[...]")),
    ("a struct", lambda: {"score": pa.array([{"x": 0.1}, {"x": 1.0}])},
     no_number("[...]")),
    ("lists of names", lambda: {"model": [["NB"], ["NB"]]},
     is_not("model", "list<element: string>")),
    ("decimal ids", lambda: {"instance": numbered(pa.decimal128(30, 0))}, None),
    ("ids that are no whole numbers", lambda: {"instance": pa.array([0.5, 1])},
     NOT_WHOLE),
    ("decimal ids and none", lambda: {"instance": pa.array([1.5, None])},
     NOT_WHOLE),
    ("days", lambda: {"score": pa.array([0, 1], pa.date32())}, no_number("1970-01-01")),
    ("times", lambda: {"instance": pa.array([0, 1], pa.timestamp("us"))},
     is_not("instance", "timestamp[us]")),
    ("nothing", lambda: {"score": pa.nulls(2)},
     "a.parquet row 1: model 'NB' has neither scores nor decisions"),
    ("bytes", lambda: {"model": [b"N\xff", b"N\xff"]}, is_not("model", "binary")),
    ("truth values", lambda: {"score": [True, False]}, no_number("true")),
    ("no text in UTF-8", lambda: {"model": no_utf8()}, DAMAGED),
    ("numbers in no UTF-8", lambda: {"score": no_utf8()}, DAMAGED),
    ("NUL in a name", lambda: {"model": ["N\0", "N\0"]}, "a.parquet row 1: model 'N\\x00' has the "
     "control or text-reordering character '\\x00'"),
    ("infinity", lambda: {"score": [0.1, float("inf")]},
     "a.parquet row 2: score is 'inf', expected a finite number such as 0.25"),
    ("columns that differ in case", lambda: {"SCORE": [1, 1]},
     "a.parquet: what is column 'SCORE'? Say --column unused=SCORE"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "message"), [pytest.param(*it[1:], id=it[0]) for it in COLUMNS])
def test_columns_of_parquet(made: Callable[[], dict[str, Any]], message: Expected) -> None:
    parquet(**made())
    check(findings("a.parquet"), message)


def test_columns_that_parquet_has_twice() -> None:
    values = [["NB"], ["1"], ["0"], [0.1], [0.2]]
    names = [*HEADER.strip().split(","), "score"]
    pq.write_table(pa.table(values, names=names), "a.parquet")
    check(findings("a.parquet"), "a.parquet: columns occur twice: 'score'; keep one of each")


def repeated(name: str, rows: int) -> None:
    """Write rows of one name, which take next to no room as a dictionary."""
    model = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), [name])
    plain = pa.repeat("1", rows)
    columns = {"model": model, "instance": plain, "label": plain, "score": np.ones(rows)}
    pq.write_table(pa.table(columns), "a.parquet", compression="zstd")


TRUNCATED = re.compile(
    r"a\.parquet: can't be read as Parquet \(.*\); is it truncated or damaged\? "
    r"Copy or make it again"
)


def truncated(keep: slice) -> bytes:
    parquet()
    return Path("a.parquet").read_bytes()[keep]


PARQUET_FILES: list[tuple[str, Callable[[], bytes], Expected]] = [
    ("cut in its footer", lambda: truncated(slice(-20)), TRUNCATED),
    ("cut in its data", lambda: truncated(slice(30)), TRUNCATED),
    ("only its mark", lambda: b"PAR1", TRUNCATED),
    ("a footer that is too long", lambda: truncated(slice(-8)) + b"\xff\xff\xff\x7fPAR1",
     TRUNCATED),
    ("no bytes", lambda: b"", "a.parquet: the file is empty, expected a header and rows"),
    ("a pickle", lambda: pickle.dumps(GOOD),
     re.compile("a.parquet: holds a Python pickle, which is never loaded, .*")),
    ("a pickle of protocol 0", lambda: pickle.dumps(GOOD, 0),
     "a.parquet: does not begin as such data do; name CSV .csv"),
    ("a zip archive", archive, re.compile("a.parquet: holds a workbook or archive, .*")),
    ("a page", lambda: b"<html>", re.compile(f"a.parquet: holds HTML or XML, .*; {PAGE}")),
    ("CSV", GOOD.encode, "a.parquet: does not begin as such data do; name CSV .csv"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "message"), [pytest.param(*it[1:], id=it[0]) for it in PARQUET_FILES]
)
def test_files_of_parquet(made: Callable[[], bytes], message: Expected) -> None:
    Path("a.parquet").write_bytes(made())
    check(findings("a.parquet"), message)


# Limits: each is refused before memory or time is spent on its rows


def rows_of(changing: str, count: int) -> str:
    """Two rows for each of very many models, members, folds or datasets."""
    header = ["dataset", "model", "member", "fold", "instance", "label", "score"]
    fixed = dict.fromkeys(header, "wine") | {"score": "1"}
    lines = [",".join(header)]
    for one in range(count):
        for label in "01":
            unit = f"{one}.{label}" if changing == "fold" else label
            row = fixed | {"instance": unit, "label": label, changing: str(one)}
            lines.append(",".join(row[name] for name in header))
    return "\n".join([*lines, ""])


def many(changing: str, count: int = 100_000) -> Callable[[], str]:
    def made() -> str:
        Path("a.csv").write_text(rows_of(changing, count))
        return "a.csv"

    return made


def packed() -> str:
    rows = gzip.compress(b"NB,1,0,0.25\n" * (1 << 16))
    Path("a.csv.gz").write_bytes(gzip.compress(HEADER.encode()) + 1300 * rows)
    return "a.csv.gz"


def long_names() -> str:
    names = ["x" * 100_000 + str(at) for at in range(700)]
    model = pa.DictionaryArray.from_arrays(np.arange(700, dtype=np.int32), names)
    plain = pa.repeat("1", 700)
    columns = {"model": model, "instance": plain, "label": plain, "score": np.ones(700)}
    pq.write_table(pa.table(columns), "a.parquet", compression="zstd")
    return "a.parquet"


def claimed_rows() -> str:
    repeated("NB", 5_000_000)
    return "a.parquet"


def as_held(value: int, width: int = 1) -> bytes:
    """A number as Parquet's metadata have it, in more bytes than it needs."""
    width = max(width, -(-(2 * value).bit_length() // 7))
    digits = [2 * value >> 7 * at & 127 for at in range(width)]
    return bytes([*(one | 128 for one in digits[:-1]), digits[-1]])


def footer_of(raw: bytes) -> int:
    """Where the footer of Parquet data begins."""
    return len(raw) - 8 - int(pq.ParquetFile(pa.BufferReader(raw)).metadata.serialized_size)


def forged(raw: bytes, lies: dict[int, int], *, pages: bool = False) -> None:
    """Write Parquet data with other numbers in their footer, or in the headers of their pages."""
    parts = [raw[: footer_of(raw)], raw[footer_of(raw) :]]
    part = parts[not pages]
    for truth, lie in lies.items():
        assert as_held(truth) in part
        part = part.replace(as_held(truth), as_held(lie, len(as_held(truth))))
    parts[not pages] = part
    Path("a.parquet").write_bytes(b"".join(parts))


def inflated() -> tuple[bytes, pq.RowGroupMetaData]:
    """Make 80 MB of text in a few bytes, and what their footer says."""
    rows, made = 100_000, io.BytesIO()
    text, plain = pa.repeat("x" * 780, rows), pa.repeat("1", rows)
    columns = {"model": plain, "instance": text, "label": plain, "score": np.ones(rows)}
    pq.write_table(pa.table(columns), made, compression="zstd", use_dictionary=False)
    raw = made.getvalue()
    return raw, pq.ParquetFile(pa.BufferReader(raw)).metadata.row_group(0)


def arrow() -> str:
    rows = 10_000
    text, plain = pa.repeat("x" * 8_000, rows), pa.repeat("1", rows)
    made = pa.table({"model": plain, "instance": text, "label": plain, "score": np.ones(rows)})
    write_feather(made, "a.feather", compression="zstd", chunksize=rows)
    return "a.feather"


def lying_footer() -> str:
    raw, group = inflated()
    forged(raw, {group.total_byte_size: 9, group.column(1).total_uncompressed_size: 9})
    return "a.parquet"


def lying_pages() -> str:
    forged(inflated()[0], {1_605_639: 9, 1_329_671: 9}, pages=True)  # of the text
    return "a.parquet"


RATIO = (
    "unpacks to more than 100 times its size, as no predictions do; if it is what it should be, "
)
NAMED = "('models:' in a configuration)"


def written(**options: Any) -> bytes:
    made = io.BytesIO()
    text, rows = ["1"] * 3_000, np.arange(3_000)
    columns = {"model": text, "instance": rows, "label": text, "score": rows / 7}
    pq.write_table(pa.table(columns), made, write_statistics=False, **options)
    return made.getvalue()


AGAIN = "; is it truncated? Make or copy it again"
# Damage


@pytest.mark.parametrize("packing", ["none", "zstd"])
def test_no_flipped_bit_is_read_as_other_rows(packing: str) -> None:
    """A writer that gives each page a checksum is taken at its word."""
    draw = np.random.default_rng(11)
    size = 300
    rows = {
        "model": np.repeat(["NB", "C4.5", "1R"], 100),
        "instance": [f"id {at}" for at in range(100)] * 3,
        "label": np.arange(size) % 100 % 2,
        "score": draw.random(size),
    }
    written = io.BytesIO()
    pq.write_table(pa.table(rows), written, compression=packing, write_page_checksum=True)
    whole = written.getvalue()
    Path("a.parquet").write_bytes(whole)
    wine = Dataset("wine", ("a.parquet",), title="wine", slug="wine")
    expected, said = stage(wine), set()
    for place in draw.integers(0, 8 * len(whole), 150):
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        Path("a.parquet").write_bytes(changed)
        try:
            pd.testing.assert_frame_equal(stage(wine), expected)
        except InputError as error:
            said |= set(error.findings)
    why = "is it truncated or damaged? Copy or make it again"
    assert sum(why in one for one in said) > 1


# Places


def outside() -> None:
    Path("inner").mkdir()
    Path("a.csv").write_text(GOOD)
    os.chdir("inner")


SECRETS = "../../../../../etc/passwd"
PLACES: list[tuple[str, str, Callable[[], object], Expected]] = [
    ("nothing", "a.csv", lambda: None, "a.csv: there is no such file"),
    ("a folder", "a.csv", lambda: Path("a.csv").mkdir(),
     "a.csv: is a folder or device, expected a file"),
    ("a pipe", "a.csv", lambda: os.mkfifo("a.csv"),
     "a.csv: is a folder or device, expected a file"),
    ("a device", "a.csv", lambda: Path("a.csv").symlink_to("/dev/zero"),
     "a.csv: is a folder or device, expected a file"),
    ("a link to itself", "a.csv", lambda: Path("a.csv").symlink_to("a.csv"),
     "'a.csv': can't be read (Too many levels of symbolic links)"),
    ("a link to nothing", "a.csv", lambda: Path("a.csv").symlink_to("b.csv"),
     "a.csv: there is no such file"),
    ("a name too long for a file", "é" * 190 + ".csv", lambda: None,
     f"'{'é' * 60}'...: can't be read (File name too long)"),
    ("an address", "https://example.org/a.csv", lambda: None,
     re.compile(r"'https://\.\.\.' is a URL, expected a file on this computer; .*")),
    ("the system's secrets", SECRETS, lambda: None,
     f"{SECRETS}: expected a name that ends in {ENDINGS}; other files: docs/recipes.md"),
    ("a file of another folder", "../a.csv", outside, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "made", "message"), [pytest.param(*it[1:], id=it[0]) for it in PLACES]
)
def test_places(path: str, made: Callable[[], object], message: Expected) -> None:
    made()
    check(findings(path), message)


@contextmanager
def nobody() -> Iterator[None]:
    """Be somebody who may not read everything, as root may."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)


def test_a_file_that_may_not_be_read() -> None:
    Path("a.csv").write_text(GOOD)
    Path("a.csv").chmod(0)
    Path().chmod(0o755)
    with nobody():
        found = findings("a.csv")
    check(found, "'a.csv': can't be read (Permission denied)")
