"""Broken and hostile prediction files, in tables: what it is, how it is made, and what is said.

Every case ends in findings that a person can act on, or is read. None ends in another error, and
none writes anything. What names may be is in `test_hostile_names`,
        what chance makes in `test_fuzz`.
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

from costcurves.errors import InputError
from costcurves.predictions.staged import stage
from costcurves.settings import Dataset

HEADER = "model,instance,label,score\n"
GOOD = HEADER + "NB,1,0,0.25\nNB,2,1,0.75\n"
PACKED = gzip.compress(GOOD.encode(), mtime=0)
Case = tuple[str | bytes, str] | tuple[str, str | bytes, str]  # perhaps a name; bytes; a message


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def csv(*rows: str, more: str = "", header: str = HEADER) -> str:
    return header.replace("\n", f"{more}\n") + "".join(f"{row}\n" for row in rows)


def findings(*paths: str, **options: Any) -> list[str]:
    """What is said of files, without the answers to a question."""
    before = sorted(Path().iterdir())
    try:
        stage(Dataset("wine", paths, title="wine", slug="wine", **options))
    except InputError as error:
        return [text for text in error.findings if not re.match("  if |.*: with the first", text)]
    finally:
        assert sorted(Path().iterdir()) == before
    return []


def check(messages: list[str] | tuple[str, ...], *expected: str) -> None:
    """Compare messages with what each has to say; none is long, or breaks a line."""
    assert len(messages) == len(expected), messages
    for message, part in zip(messages, expected, strict=True):
        assert part in message
        assert len(message) < 500
        assert message.isprintable()


def archive() -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        file.writestr("a.csv", GOOD)
    return whole.getvalue()


UTF8 = "is not UTF-8; save the file as UTF-8 (in latin-1 this byte is"
NUL = "line 1: has a NUL byte, so this is no text in UTF-8 (UTF-16?); save it as CSV in UTF-8"
CUT = "is the file truncated? If not, end it with a line end"
DAMAGED = "can't be unpacked: it is truncated or damaged; copy or make it again"
KINDS = "expected CSV, Parquet or Feather"
RECIPE = "has the lines that make a CSV file of it"

FILES: dict[str, Case] = {
    # broken off
    "no bytes": ("", "a.csv: holds no text, expected a header and rows"),
    "no bytes, packed": ("a.csv.gz", PACKED[:0], "a.csv.gz: is not packed as its name says; name"),
    "only a mark": ("\ufeff", "a.csv: holds no text, expected a header and rows"),
    "only line ends": ("\n\n", "a.csv: holds no text, expected a header and rows"),
    "only a header": (HEADER, "a.csv: has a header and no rows"),
    "cut in a number": (GOOD[:-2], f"line 3: the last line has no end: 'NB,2,1,0.7'; {CUT}"),
    "cut in quotes": (GOOD + 'NB,"thr', f"line 4: the last line has no end: 'NB,\"thr'; {CUT}"),
    "cut in a character": ((GOOD + "NB,é").encode()[:-1], f"line 4: byte 0xC3 {UTF8} 'Ã')"),
    "quotes never closed": (csv('NB,"1,0,1', "NB,2,1,1"),
        "line 2: a quoted value goes on in the next line (is a quotation mark never closed?)"),
    "a value on two lines": (csv("NB,1,1,1", "NB,1", 'NB,"2\n3",1,1'), "line 4: a quoted va"),
    "a header in quotes": ('"model,instance\n', "line 1: the header can't be read (unexpe"),
    "a line that never ends": (csv("NB," + "x" * 3_000_000, "NB,2,1,1"),
        "can't be read as CSV (a line is longer than a megabyte, or a quotation mark is never "
        "closed)"),
    "a short row": (csv("NB,1,0"), "a.csv line 2: has 3 values, expected 4"),
    "a long row": (csv("NB,1,0,0,5"),
        "line 2: has 5 values, expected 4; a decimal comma, or a comma without quotes?"),
    "several odd rows": (csv("NB,1,1", "NB,2,0,1,1", "NB,3,1"),
        "line 2: has 3 values, expected 4 (first of 3 such, then a.csv line 3)"),
    "semicolons in one row": (GOOD + "NB;3;1;0.5\n", "line 4: has 1 values, expected 4"),
    "a blank line": (GOOD + "\nNB,3,1,1\n", "a.csv line 4: is blank; remove blank lines"),
    "blank lines": (GOOD.replace("\n", "\r\n\r\n"), "a.csv line 2: is blank; remove blank"),
    "blank at first": ("\n" + GOOD, "a.csv line 1: is blank; remove blank lines"),
    # packed
    "cut in its head": ("a.csv.gz", PACKED[:6], DAMAGED),
    "cut in its data": ("a.csv.gz", PACKED[:-12], DAMAGED),
    "a changed byte": ("a.csv.gz", PACKED[:20] + b"\xff" + PACKED[21:], DAMAGED),
    "packed twice": ("a.csv.gz", gzip.compress(PACKED, mtime=0), f"a.csv.gz {NUL}"),
    # encodings
    "UTF-8 with a mark": ("\ufeff" + GOOD, ""),
    "UTF-16": (GOOD.encode("utf-16"), f"a.csv: holds text in UTF-16, {KINDS}; save it as CSV"),
    "UTF-16 without a mark": (GOOD.encode("utf-16-be"), f"a.csv {NUL}"),
    "Latin-1": ((GOOD + "Bayès,3,1,1\n").encode("latin-1"), f"line 4: byte 0xE8 {UTF8} 'è')"),
    "carriage returns": (GOOD.replace("\n", "\r"),
        "line 1: has a carriage return alone, expected line ends \\n or \\r\\n"),
    # columns
    "semicolons": (GOOD.replace(",", ";"), ""),
    "tabs": (GOOD.replace(",", "\t"), ""),
    "a column twice": (csv("NB,1,0,1,1", more=",score"),
        "a.csv: columns occur twice: 'score'; keep one of each"),
    "two columns without a name": (csv("NB,1,0,.5,.5,.2", "NB,2,1,.2,.5,.7", more=",,"), ""),
    "another case or space": (csv("NB,1,0,1,1,1", "NB,2,1,1,1,1", more=",Score, score"), ""),
    "no header": ("NB,1,0,0.5\nNB,2,1,0.5\n", "the first row must name the columns; it has 'NB'"),
    "no truth": ("a,b,c\n1,1,1\n", "no column is known as the truth; say which it is (--column "
        "label=NAME, in a configuration 'columns: {label: NAME}'); of another file: --truth "
        "FILE --on"),
    "no scores": ("model,instance,label\n1,1,1\n", "no column is known as scores; name those"),
    # another thing under this name
    "a pickle": (pickle.dumps(GOOD),
        f"holds a Python pickle, which is never loaded, {KINDS}; write it as Parquet or CSV"),
    "a packed pickle": ("a.csv.gz", gzip.compress(pickle.dumps(GOOD)),
        "a.csv.gz: holds a Python pickle,"),
    "a zip archive": (archive(),
        f"a workbook or archive, {KINDS}; docs/recipes.md, 'Excel', {RECIPE}"),
    "an old workbook": (b"\xd0\xcf\x11\xe0", f"holds an old Excel workbook, {KINDS}"),
    "a page": ("\ufeff\n  <!doctype html>\n",
        f"holds HTML or XML, {KINDS}; download the file itself, not the page that shows it"),
    "JSON": ("\n [1, 2]\n", f"a.csv: holds JSON, {KINDS}; docs/recipes.md, 'JSON', {RECIPE}"),
    "a pointer": ("version https://git-lfs.github.com/spec/v1\n", "fetch it with 'git lfs pull'"),
    "bzip2": (b"BZh9", f"holds bzip2 data, {KINDS}; unpack it"),
    "Parquet in CSV": (b"PAR1....PAR1", "a.csv: can't be read as Parquet ("),
    "short Arrow": ("a.parquet", b"ARROW1",
        "can't be read as Arrow (File is too small: 6); is it trunc"),
    "CSV in Parquet": ("a.parquet", GOOD,
        "a.parquet: does not begin as such data do; name CSV .csv"),
    "another ending": ("a.doc", GOOD,
        "a.doc: expected a name that ends in .csv, .tsv, .txt (also with .gz"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    path, content, message = ("a.csv", *FILES[name])[-3:]
    Path(path).write_bytes(content.encode() if isinstance(content, str) else content)
    check(findings(path), *[message] * bool(message))


NUMBER = "expected a finite number such as 0.25"
NUMBERS = ["1e309", "inf", "-Infinity", "nan", "1_000", "0x1p3", "1,000.5", "0 5", "\uff11", "True"]
NUMBERS += ["1d5", "=1+1", "9" * 400]


@pytest.mark.parametrize("value", NUMBERS)
def test_what_is_no_number(value: str) -> None:
    Path("a.csv").write_text(csv(f'NB,1,0,"{value}"', "NB,2,1,0.5"))
    shown = f"'{value}'" if len(value) < 60 else f"'{value[:60]}'..."
    check(findings("a.csv"), f"a.csv line 2: score is {shown}, {NUMBER}")


@pytest.mark.parametrize("value", ["1e308", "5e-324", "-0", " 0.5\t", " .5", "5e-1\t"])
@pytest.mark.parametrize("after", ["0.25", " 0.25", "none"])
def test_what_is_a_number_with_space_around_it(value: str, after: str) -> None:
    Path("a.csv").write_text(csv(f"NB,1,0,{value}", f"NB,2,1,{after}"))
    bad = f"a.csv line 3: score is 'none', {NUMBER}"
    check(findings("a.csv"), *[bad] * (after == "none"))
    if after != "none":
        frame = stage(Dataset("wine", ("a.csv",), title="wine", slug="wine"))
        assert frame["score"].to_list() == [float(value), 0.25]


# Columns of Parquet, by type.


def numbered(kind: pa.DataType) -> pa.Array:
    return pa.array([0, 1]).cast(kind)


def no_utf8() -> pa.Array:
    return pa.Array.from_buffers(pa.string(), 2, pa.array([b"N\xff", b"N\xff"]).buffers())


NAMES = "holds numbers that are not whole, expected names: write them as text"
SCORE = "a.parquet row 1: score is"
COLUMNS: dict[str, tuple[dict[str, Any], str]] = {
    "a dictionary": ({"model": pa.array(["NB", "NB"]).dictionary_encode()}, ""),
    "a dictionary of numbers": ({"score": pa.array([0.1, 1]).dictionary_encode()}, ""),
    "long decimals": ({"score": numbered(pa.decimal256(60, 18))}, ""),
    "half floats": ({"score": pa.array(np.array([0, 1], np.float16))}, ""),
    "large whole numbers": ({"score": pa.array([2**64 - 1, 0], pa.uint64())}, ""),
    "decimal ids": ({"instance": numbered(pa.decimal128(30, 0))}, ""),
    "a list": ({"score": pa.array([[0.1], [1.0]])}, f"{SCORE} '[...]', {NUMBER} (first of 2"),
    "lists of names": ({"model": [["NB"], ["NB"]]}, "column 'model' holds lists or bytes"),
    "bytes": ({"model": [b"N", b"N"]}, "column 'model' holds lists or bytes"),
    "truth values as names": ({"model": [True, True]}, ""),
    "truth values as scores": ({"score": [True, False]}, f"{SCORE} 'true', {NUMBER}"),
    "fractions as ids": ({"instance": [0.5, None]}, f"a.parquet: column 'instance' {NAMES}"),
    "fractions as labels": ({"label": [0.5, 1]}, f"a.parquet: column 'label' {NAMES}"),
    "days": ({"score": pa.array([0, 1], pa.date32())}, f"{SCORE} '1970-01-01', {NUMBER}"),
    "times": ({"instance": pa.array([0, 1], pa.timestamp("us"))}, ""),
    "nothing": ({"score": pa.nulls(2)}, "row 1: model 'NB' has neither scores nor decisions"),
    "infinity": ({"score": [0.1, float("inf")]}, f"row 2: score is 'inf', {NUMBER}"),
    "no UTF-8": ({"model": no_utf8()}, "can't be read as Parquet ("),
    "NUL in a name": ({"model": ["N\0", "N\0"]},
        "row 1: model 'N\\x00' has the control or text-reo"),
    "no rows": ({name: [] for name in HEADER.strip().split(",")},
        "a.parquet: has a header and no rows"),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_parquet(name: str) -> None:
    changes, message = COLUMNS[name]
    columns = {
        "model": ["NB", "NB"],
        "instance": ["1", "2"],
        "label": ["0", "1"],
        "score": [0.1, 1],
    }
    pq.write_table(pa.table(columns | changes), "a.parquet")
    check(findings("a.parquet"), *[message] * bool(message))


def test_a_column_twice_and_damage_in_parquet() -> None:
    names = [*HEADER.strip().split(","), "score"]
    pq.write_table(pa.table([["NB"], ["1"], ["0"], [0.1], [0.2]], names=names), "a.parquet")
    check(findings("a.parquet"), "a.parquet: columns occur twice: 'score'; keep one of each")
    whole = Path("a.parquet").read_bytes()
    for part in (whole[:-20], whole[30:], b"PAR1", whole[:-8] + b"\xff\xff\xff\x7fPAR1"):
        Path("a.parquet").write_bytes(part)
        again = "is it truncated or damaged? Copy or make it again"
        (message,) = findings("a.parquet") if part != whole[30:] else [again]
        assert message.endswith(again)


@pytest.mark.parametrize("packing", ["none", "zstd"])
def test_no_flipped_bit_is_read_as_other_rows(packing: str) -> None:
    """A writer that gives each page a checksum is taken at its word."""
    draw, size = np.random.default_rng(11), 300
    rows = {
        "model": np.repeat(["NB", "C4.5", "1R"], 100),
        "instance": [f"id {place}" for place in range(100)] * 3,
        "label": np.arange(size) % 100 % 2,
        "score": draw.random(size),
    }
    pq.write_table(pa.table(rows), "a.parquet", compression=packing, write_page_checksum=True)
    whole = Path("a.parquet").read_bytes()
    wine = Dataset("wine", ("a.parquet",), title="wine", slug="wine")
    expected, messages = stage(wine), set[str]()
    for place in draw.integers(0, 8 * len(whole), 60):
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        Path("a.parquet").write_bytes(changed)
        try:
            pd.testing.assert_frame_equal(stage(wine), expected)
        except InputError as error:
            messages |= {*error.findings}
    assert sum("is it truncated or damaged? Copy or make it again" in text for text in messages) > 1


# Places


def outside() -> None:
    Path("inner").mkdir()
    Path("a.csv").write_text(GOOD)
    os.chdir("inner")


PLACES: dict[str, tuple[str, Callable[[], object], str]] = {
    "nothing": ("a.csv", lambda: None, "a.csv: there is no such file"),
    "a folder": ("a.csv", lambda: Path("a.csv").mkdir(), "is a folder or device, expected a file"),
    "a pipe": ("a.csv", lambda: os.mkfifo("a.csv"), "is a folder or device, expected a file"),
    "a device": ("a.csv", lambda: Path("a.csv").symlink_to("/dev/zero"),
        "is a folder or device, exp"),
    "a link to itself": ("a.csv", lambda: Path("a.csv").symlink_to("a.csv"),
        "'a.csv': can't be read (Too many levels of symbolic links)"),
    "a long name": ("é" * 190 + ".csv", lambda: None,
        f"'{'é' * 60}'...: can't be read (File name too"),
    "NUL in a name": ("a\0.csv", lambda: None, r"'a\x00.csv': can't be read (embedded null byte)"),
    "an address": ("https://example.org/a.csv", lambda: None,
        "'https://...' is a URL, expected a file on this computer; "),
    "the system's secrets": ("../../etc/passwd", lambda: None,
        "passwd: expected a name that ends in"),
    "a file of another folder": ("../a.csv", outside, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_places(name: str) -> None:
    path, make, message = PLACES[name]
    make()
    check(findings(path), *[message] * bool(message))


@contextmanager
def nobody() -> Iterator[None]:
    """Be somebody who may not read everything, as root may."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_file_that_may_not_be_read() -> None:
    Path("a.csv").write_text(GOOD)
    Path("a.csv").chmod(0)
    Path().chmod(0o755)
    with nobody():
        messages = findings("a.csv")
    check(messages, "'a.csv': can't be read (Permission denied)")


def test_all_files_are_read_before_anything_is_said() -> None:
    Path("a.csv").touch()
    Path("b.csv").write_text(GOOD)
    check(findings("a.csv", "b.csv", "c.csv"), "a.csv: holds no text", "c.csv: there is no such")


# What the rows say.

BEERS = "dataset,model,instance,label,score\n"
FOLDS = "model,repeat,fold,instance,label,score\n"
MEMBERS = "model,member,train_pc,instance,label,decision\n"
DECIDED = "model,instance,label,decision\n"
COSTS = "model,instance,label,score,cost_fp,cost_fn\n"
UNPAIRED = "predict all on the same instances and folds, or say 'pairing: unpaired' (--unpaired)"
POOL = "say 'folds_without_a_class: pool' in a configuration to pool the folds of such a repeat"
EMPTY = "label is empty; 1 of {} cases have no label: are they not known yet?"
ROCKS = ["NB,1,rock,1", "NB,2,mine,1"]

ROWS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    # datasets, models and names
    "no rows of the dataset": (csv("beer,NB,1,0,1", "ale,NB,2,1,1", header=BEERS), {},
        ["a.csv: has no rows of dataset 'wine'; those in its column 'dataset' are 'beer', 'ale'"]),
    "a blank dataset": (csv(",NB,1,0,1", "wine,NB,2,1,1", header=BEERS), {},
        ["a.csv: dataset is blank in 1 rows"]),
    "no such model": (GOOD, {"models": ("C4.5", "NB")},
        ["dataset 'wine': has no model 'C4.5'; those in its files are 'NB'"]),
    "no such reference": (GOOD, {"reference": "C4.5"},
        ["has no model 'C4.5', which 'reference:' names; its models are 'NB'"]),
    "blank names": (csv(" , ,,1,0,0", "T, ,,,1,0", header=MEMBERS),
        {"pairing": "unpaired", "folds_without_a_class": "pool"}, ["line 2: model ' ' is blank",
        "line 2: member ' ' is blank", "line 3: instance '' is blank",
        "line 3: model 'T', repeat '1' has no neg", "line 2: model ' ', repeat '1' has no positi"]),
    "a baseline's name": (csv("always positive,1,0,1", "always positive,2,1,1"), {},
        ["line 2: model 'always positive' is the name of a no-model baseline: leave it out, as "
        "all have those, or ren"]),
    "a blank fold": (csv("NB,1,,1,0,1", "NB,1,,2,1,1", header=FOLDS), {},
        ["line 2: fold '' is blank"]),
    "a long id": (csv(f"NB,{'x' * 1_000_000},0,1", "NB,2,1,1"), {},
        [f"a.csv line 2: instance '{'x' * 60}'... has 1000000 characters, expected at most 200"]),
    # labels and decisions
    "an empty label": (csv("NB,1,0,1", "NB,2,1,1", "NB,3,,1"), {}, [f"line 4: {EMPTY.format(3)}"]),
    "labels that say nothing": (csv(*ROCKS), {}, ["line 2: label is 'rock'; labels are 'rock', "
        "'mine': which is positive ('positive:' or --positive)?"]),
    "no such label": (csv(*ROCKS), {"positive": "Mine"},
        ["dataset 'wine': no label is 'Mine' ('positive:'); labels are 'rock', 'mine'"]),
    "three labels": (csv(*ROCKS, "NB,3,sand,1"), {"positive": "mine"},
        ["line 2: label is 'rock'; labels are 'rock', 'mine', 'sand': are all but 'mine' "
        "negative ('classes: rest' or --classes rest)? To take each class in turn, name a "
        "column with the scores of each"]),
    "a control character": (csv(*ROCKS, "NB,3,\x01mine,1"), {"positive": "mine", "rest": True},
        ["line 4: label '\\x01mine' has the control or text-reordering character '\\x01'"]),
    "one class": (csv("NB,1,1,1", "NB,2,TRUE,1"), {},
        ["dataset 'wine': all labels are of one class ('1', 'TRUE'); costs need both"]),
    "a decision of no class": (csv("NB,1,rock,0", "NB,2,mine,mine", header=DECIDED),
        {"positive": "mine"},
        ["a.csv line 2: decision is '0'; expected what labels are: 'rock', 'mine'"]),
    # scores and decisions
    "some scores": (csv("NB,1,0,", "NB,2,1,1", "NB,3,0,1"), {},
        ["line 2: model 'NB' has no score here, but has one elsewhere; 1 rows of 1 of 3 cases "
        "have none; say what such cases count as ('abstain:')"]),
    "some decisions": (csv("NB,1,0,0", "NB,2,1,1", "NB,3,1,", header=DECIDED), {},
        ["line 4: model 'NB' has no decisi"]),
    "neither": (GOOD + "C,1,0,\nC,2,1,\n", {},
        ["line 4: model 'C' has neither scores nor decisions"]),
    # families
    "some members": (
        csv("T,a,0.1,1,0,0", "T,a,0.1,2,1,0", "T,,,1,0,0", "T,,,2,1,1", header=MEMBERS), {},
        ["line 4: model 'T' has no member here, but has one elsewhere; expected one in each of "
        "its rows, or in none (first of 2 such, then a.csv line 5)"]),
    "training proportions": (csv("T,a,1.5,1,0,0", "T,a,0.2,2,1,0", "T,a,,3,1,0", header=MEMBERS),
        {}, ["line 4: model 'T', member 'a' has no train_pc here",
        "line 2: train_pc is 1.5, expected 0 to 1 (a PC(+))",
        "line 3: model 'T', member 'a' has train_pc 0.2, but 1.5 in a.csv line 2; expected "
        "one for each member and fold"]),
    "a member that lacks": (csv("T,a,,1,0,0", "T,a,,2,1,0", "T,b,,1,0,0", header=MEMBERS),
        {"pairing": "unpaired"}, ["dataset 'wine': model 'T', member 'b' lacks 1 of the 2 "
        "predictions that others have, such as instance '2' in repeat '1', fold '1' (a.csv "
        "line 3); predict all on the same"]),
    # costs
    "negative costs": (csv("NB,1,0,1,-1,0", "NB,2,1,1,0,-0.5", header=COSTS), {},
        ["line 2: cost_fp is -1.0 for instance '1', expected at least 0",
        "line 3: cost_fn is -0.5 for instance '2', expected at least 0"]),
    "large costs": (csv("NB,1,0,1,1e308,1", "NB,2,1,1,1e300,1", header=COSTS), {},
        ["line 2: cost_fp is 1e+308 for instance '1', expected at most 1e+300"]),
    "weights that are true or false": (csv("NB,1,0,1,True", "NB,2,1,1,False", more=",weight"), {},
        ["line 2: weight is 'True', expected a finite number such as 0.25"]),
    # instances, folds and repeats
    "a row twice": (GOOD + "NB,1,0,0.3\n", {}, ["line 4: model 'NB' predicts instance '1' in "
        "repeat '1', fold '1' again, first in a.csv line 2"]),
    "two folds": (
        csv("NB,1,a,1,0,1", "NB,1,a,2,1,1", "NB,1,b,1,0,1", "NB,1,b,3,1,1", header=FOLDS),
        {}, ["line 4: instance '1' has fold 'b', but 'a' in a.csv line 2; expected one for each "
        "instance and repeat"]),
    "two labels": (GOOD + "C,1,1,1\nC,2,0,1\n", {},
        ["line 4: instance '1' has label '1', but '0' in a.csv line 2; expected one for each "
        "instance (first of 2 such"]),
    # pairing, and folds without a class
    "other cases": (GOOD + "NB,3,1,1\nC,1,0,1\nC,2,1,1\nC,4,1,1\n", {},
        ["dataset 'wine': model 'NB' lacks 1 of the 4 predictions that others have, such as "
        f"instance '4' in repeat '1', fold '1' (a.csv line 7); {UNPAIRED} (first of 2 such)"]),
    "other folds": (
        csv("NB,1,a,1,0,1", "NB,1,a,2,1,1", "C,1,b,1,0,1", "C,1,b,2,1,1", header=FOLDS), {},
        ["model 'NB' lacks 2 of the 4 predictions"]),
    "folds without a class": (
        csv("NB,1,a,1,0,1", "NB,1,a,2,1,1", "NB,1,b,3,0,1", "NB,1,c,4,0,1", header=FOLDS), {},
        [f"line 4: repeat '1', fold 'b' has no positives; make stratified folds, or {POOL} "
        "(first of 2 such, then a.csv line 5)"]),
    "a repeat without": (csv("NB,1,a,1,0,1", "NB,2,a,2,1,1", header=FOLDS),
        {"folds_without_a_class": "pool"}, ["line 3: repeat '2' has no negatives", "line 2: repeat "
        "'1' has no positives; pooling its folds leaves it without that class; leave such repe"]),
    "all at once": (GOOD + "NB,2,1,1\nC,1,x,1\n", {}, ["line 5: label is 'x'", "again",
        "has label 'x'", "lacks 1"]),
    "among other datasets and models": (
        csv("beer,NB,1,0,1", "wine,C,1,x,1", *["wine,NB,1,0,1", "wine,NB,2,1,1"] * 2, header=BEERS),
        {"models": ("NB",)}, ["a.csv line 6: model 'NB' pr"]),
    "very many": (csv(*(f"NB,{place},{place % 2},x" for place in range(5000))), {},
        ["such as 0.25 (first of 5,000 such, then a.csv line 3)"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_what_is_wrong_with_the_rows(name: str) -> None:
    content, options, messages = ROWS[name]
    Path("a.csv").write_text(content)
    check(findings("a.csv", **options), *messages)


def test_rows_of_parquet_and_of_a_second_file_are_named() -> None:
    Path("a.csv").write_text(GOOD)
    rows = {"model": ["NB", "NB"], "instance": ["3", "1"], "label": [0, 0], "score": [1, 1]}
    pq.write_table(pa.table(rows), "b.parquet")
    check(
        findings("a.csv", "b.parquet"),
        "b.parquet row 2: model 'NB' predicts instance '1' in repeat '1', fold '1' again, first in "
        "a.csv line 2",
    )
