"""Broken and hostile prediction files, in tables: how each is made, and the message about it.

Every case ends in findings that a person can act on, or is read. None ends in another error, and
none writes anything. What names may be is in `test_names`, what chance makes in `test_fuzz`.
"""

import gzip
import os
import pickle
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from costcurves.errors import InputError
from costcurves.predictions.sources import REFUSED
from costcurves.predictions.staged import stage
from tests.predictions.wine import COLUMNS, NAMED, csv, one_of, paid, wine

GOOD = csv("NB,1,0,0.25|NB,2,1,0.75")
PACKED = gzip.compress(GOOD.encode(), mtime=0)


def findings(*paths: str, **options: Any) -> list[str]:
    """The messages about files, without the answers to a question."""
    before = sorted(Path().iterdir())
    try:
        stage(wine(*paths, **options))
    except InputError as error:
        return [text for text in error.findings if not re.match("  if |.*: with the first", text)]
    finally:
        assert sorted(Path().iterdir()) == before
    return []


def check(messages: Sequence[str], *expected: str) -> None:
    """Compare messages with the parts that each must have; none is long, or breaks a line."""
    assert len(messages) == len(expected), messages
    for message, part in zip(messages, expected, strict=True):
        assert all(words in message for words in part.split(" ... ")), message
        assert len(message) < 500
        assert message.isprintable()


UTF8 = "is not UTF-8; save the file as UTF-8 (in latin-1 this byte is"
NUL = "line 1: has a NUL byte, so this is no text in UTF-8 (UTF-16?); save it as CSV in UTF-8"
CUT = "is the file truncated? If not, end it with a line end"
DAMAGED = "can't be unpacked: it is truncated or damaged; copy or make it again"
READABLE = "expected CSV, Parquet or Feather"
TWICE = "a.{}: columns occur twice: 'score'; keep one of each"
# The content of a file, and its message, if it is not read; perhaps the file's name.
FILES: list[tuple[Any, ...]] = [
    # broken off
    ("\ufeff", "a.csv: holds no text, expected a header and rows"),
    ("\n\n", "a.csv: holds no text, expected a header and rows"),
    (f"{COLUMNS}\n", "a.csv: has a header and no rows"),
    (GOOD[:-2], f"line 3: the last line has no end: 'NB,2,1,0.7'; {CUT}"),
    (csv('NB,"1,0,1|NB,2,1,1'), "line 2: a quoted value goes on in the next line (is a quotation"),
    (csv('NB,1,1,1|NB,1|NB,"2\n3",1,1'), "line 4: a quoted va"),
    ('"model,instance\n', "line 1: the header can't be read (unexpe"),
    (csv(f"NB,{'x' * 3_000_000}|NB,2,1,1"), "can't be read as CSV (a line is longer than a megab"),
    (csv("NB,1,0,0,5"), "has 5 values, expected 4; a decimal comma, or a comma without quotes?"),
    (csv("NB,1,1|NB,2,0,1,1|NB,3,1"), "line 2: has 3 values, expected 4 (first of 3 such, then"),
    (GOOD + "\nNB,3,1,1\n", "a.csv line 4: is blank; remove blank lines"),
    (GOOD.replace("\n", "\r\n\r\n"), "a.csv line 2: is blank; remove blank"),
    ("\n" + GOOD, "a.csv line 1: is blank; remove blank lines"),
    # packed
    (b"", "a.csv.gz: is not packed as its name says; name", "a.csv.gz"),
    (PACKED[:-12], DAMAGED, "a.csv.gz"),
    (PACKED[:20] + b"\xff" + PACKED[21:], DAMAGED, "a.csv.gz"),
    # encodings
    (GOOD.encode("utf-16-be"), f"a.csv {NUL}"),
    ((GOOD + "Bayès,3,1,1\n").encode("latin-1"), f"line 4: byte 0xE8 {UTF8} 'è')"),
    (GOOD.replace("\n", "\r"), "line 1: has a carriage return alone, expected line ends \\n or"),
    # columns
    (csv("NB,1,0,1,1", f"{COLUMNS},score"), TWICE.format("csv")),
    (csv("NB,1,0,.5,.5,.2|NB,2,1,.2,.5,.7", f"{COLUMNS},,"), ""),
    (csv("NB,1,0,1,1,1|NB,2,1,1,1,1", f"{COLUMNS},Score, score"), ""),
    ("NB,1,0,0.5\nNB,2,1,0.5\n", "the first row must name the columns; it has 'NB'"),
    # another thing under this name
    (gzip.compress(pickle.dumps(GOOD)), "a.csv.gz: holds a Python pickle, which", "a.csv.gz"),
    ("\ufeff\n  <!doctype html>\n", f"a.csv: holds HTML or XML, {READABLE}; download the file"),
    (b"ARROW1", "can't be read as Arrow (File is too small: 6); is it trunc", "a.parquet"),
    (GOOD, "a.parquet: does not begin as such data do; name CSV .csv", "a.parquet"),
    (GOOD, "a.doc: expected a name that ends in .csv, .tsv, .txt (also with .gz", "a.doc"),
    *((start + b"\n", f"a.csv: holds {words}") for start, words in REFUSED.items()),
]  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_files(case: tuple[Any, ...]) -> None:
    content, message, path = (*case, "a.csv")[:3]
    Path(path).write_bytes(content.encode() if isinstance(content, str) else content)
    check(findings(path), *[message] * bool(message))


NUMBER = "expected a finite number such as 0.25"
NUMBERS = ["1e309", "inf", "-Infinity", "nan", "1_000", "0x1p3", "1,000.5", "0 5", "\uff11", "True"]
NUMBERS += ["1d5", "=1+1", "9" * 400]


@pytest.mark.parametrize("value", NUMBERS)
def test_what_is_no_number(value: str) -> None:
    Path("a.csv").write_text(csv(f'NB,1,0,"{value}"|NB,2,1,0.5'))
    shown = f"'{value}'" if len(value) < 60 else f"'{value[:60]}'..."
    check(findings("a.csv"), f"a.csv line 2: score is {shown}, {NUMBER}")


# Columns of Parquet, by type.


NO_UTF8 = pa.Array.from_buffers(pa.string(), 2, pa.array([b"N\xff", b"N\xff"]).buffers())
NAMES = "holds numbers that are not whole, expected names: write them as text"
SCORE = "a.parquet row 1: score is"
# A column that is otherwise, and the message about it, if it is not read.
TYPED: list[tuple[str, Any, str]] = [
    ("score", pa.array([0.1, 1]).dictionary_encode(), ""),
    ("score", pa.array([[0.1], [1.0]]), f"{SCORE} '[...]', {NUMBER} (first of 2"),
    ("model", [["NB"], ["NB"]], "column 'model' holds lists or bytes"),
    ("model", [b"N", b"N"], "column 'model' holds lists or bytes"),
    ("model", [True, True], ""),
    *((name, pa.array([0, 1.0], pa.float32()), "") for name in ("label", "decision")),
    ("score", [True, False], f"{SCORE} 'true', {NUMBER}"),
    ("instance", [0.5, None], f"a.parquet: column 'instance' {NAMES}"),
    ("instance", [2.0**53, 1], f"a.parquet: column 'instance' {NAMES}"),
    ("instance", [2.0**53 - 1, 1], ""),
    ("label", [0.5, 1], f"a.parquet: column 'label' {NAMES}"),
    ("instance", pa.array([0, 1], pa.timestamp("us")), ""),
    ("score", pa.nulls(2), "row 1: model 'NB' has neither scores nor decisions"),
    ("score", [0.1, float("inf")], f"row 2: score is 'inf', {NUMBER}"),
    ("model", NO_UTF8, "can't be read as Parquet ("),
    ("model", ["N\0", "N\0"], "row 1: model 'N\\x00' has the control or text-reo"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "message"), TYPED)
def test_columns_of_parquet(name: str, values: Any, message: str) -> None:
    columns = {"model": ["NB", "NB"], "instance": ["1", "2"], "label": ["0", "1"]}
    pq.write_table(pa.table({**columns, "score": [0.1, 1], name: values}), "a.parquet")
    check(findings("a.parquet"), *[message] * bool(message))


def test_parquet_without_rows_with_a_column_twice_and_damaged() -> None:
    """A writer that gives each page a checksum is taken at its word."""
    names = [*COLUMNS.split(","), "score"]
    pq.write_table(pa.table([[]] * 4, names=names[:4]), "a.parquet")
    check(findings("a.parquet"), "a.parquet: has a header and no rows")
    pq.write_table(pa.table([["NB"], ["1"], ["0"], [0.1], [0.2]], names=names), "a.parquet")
    check(findings("a.parquet"), TWICE.format("parquet"))
    rows = {"model": ["NB"] * 2, "instance": ["id 1", "id 2"], "label": [0, 1], "score": [0.1, 0.2]}
    pq.write_table(pa.table(rows), "a.parquet", compression="none", write_page_checksum=True)
    whole = Path("a.parquet").read_bytes()
    assert findings("a.parquet") == []
    flipped = whole.replace(b"id 1", b"id 3", 1)
    for part in (whole[:-20], b"PAR1", whole[:-8] + b"\xff\xff\xff\x7fPAR1", flipped):
        Path("a.parquet").write_bytes(part)
        check(findings("a.parquet"), "is it truncated or damaged? Copy or make it again")


# Places


PLACES: list[tuple[str, Callable[[], object], str]] = [
    ("a.csv", lambda: None, "a.csv: there is no such file"),
    ("a.csv", lambda: os.mkfifo("a.csv"), "is a folder or device, expected a file"),
    ("a.csv", lambda: Path("a.csv").symlink_to("a.csv"),
        "'a.csv': can't be read (Too many levels of symbolic links)"),
    ("é" * 190 + ".csv", lambda: None, f"'{'é' * 60}'...: can't be read (File name too"),
    ("a\0.csv", lambda: None, r"'a\x00.csv': can't be read (embedded null byte)"),
    ("https://example.org/a.csv", lambda: None, "'https://...' is a URL, expected a file on this"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "make", "message"), PLACES)
def test_places(path: str, make: Callable[[], object], message: str) -> None:
    make()
    check(findings(path), message)


def test_all_files_are_read_before_anything_is_refused_and_each_is_named() -> None:
    Path("a.csv").touch()
    Path("b.csv").write_text(GOOD)
    check(findings("a.csv", "b.csv", "c.csv"), "a.csv: holds no text", "c.csv: there is no such")
    rows = {"model": ["NB", "NB"], "instance": ["3", "1"], "label": [0, 0], "score": [1, 1]}
    pq.write_table(pa.table(rows), "b.parquet")
    again = "b.parquet row 2: model 'NB' predicts instance '1' in repeat '1', fold '1' again, first"
    check(findings("b.csv", "b.parquet"), f"{again} in b.csv line 2")


# What the rows say.

BEERS, DECIDED, COSTS = f"dataset,{COLUMNS}", "model,instance,label,decision", "cost_fp,cost_fn"
FOLDS, MEMBERS = "model,repeat,fold,instance,label,score", "model,member,train_pc,instance,label"
MEMBERS, COSTS, WEIGHED = f"{MEMBERS},decision", f"{COLUMNS},{COSTS}", f"{COLUMNS},weight"
CLUSTERED = f"{COLUMNS},cluster"
VECTORS = '0,"[0.9,0.1]",0|1,"[0.2,0.8]",1|0,"[0.7,0.3]",0|1,"[0.4,0.6]",1'
KIND = ["column 'kind' (2 values) has the same number of rows of each class for each value"]
VECTOR = "label,probability,prediction"
ROCKS, TWO = "NB,1,rock,1|NB,2,mine,1", "NB,1,0,0.25|NB,2,1,0.75"
GROWS = {"tp": {"coefficient": 1}, "fp": -1, "fn": 0, "tn": 0}
FRAUD = {"tp": -5, "fp": -5, "tn": 0, "fn": {"coefficient": -1}}
BY_X, FRAUDS = paid(column="x", benefit=GROWS), paid(column="x", benefit=FRAUD)


def case(rows: str, *messages: str, of: str = COLUMNS, **options: Any) -> tuple[Any, ...]:
    return csv(rows, of), options, messages


ROWS = [
    # datasets, models and names
    case("beer,NB,1,0,1|ale,NB,2,1,1", "no rows of dataset 'wine' ... 'beer', 'ale'", of=BEERS),
    case(",NB,1,0,1|wine,NB,2,1,1", "a.csv: dataset is blank in 1 rows", of=BEERS),
    case(TWO, "dataset 'wine': has no model 'C'; those in its files are 'NB'", models=("C", "NB")),
    case(TWO, "no model 'C', which 'reference:' names; its models are 'NB'", reference="C"),
    case(" , ,,1,0,0|T, ,,,1,0", "line 2: model ' ' is blank", "line 2: member ' ' is blank",
        "line 3: instance '' is blank", "line 3: model 'T', repeat '1' has no neg", "line 2: model "
        "' ', repeat '1' has no pos", of=MEMBERS, pairing="unpaired", folds_without_a_class="pool"),
    case("always positive,1,0,1|always positive,2,1,1", "is the name of a no-model base"),
    case("NB,1,,1,0,1|NB,1,,2,1,1", "line 2: fold '' is blank", of=FOLDS),
    case(f"NB,{'x' * 200},0,1|NB,2,1,1"),
    case("NB,0.5,0,1|NB,1.5,1,1"),
    case(f"NB,{'x' * 10**6},0,1|NB,2,1,1", f"'{'x' * 60}'... has 1000000 characters, expected at "),
    case("a b,1,0,1|a b,2,1,1|a  b,1,0,1|a  b,2,1,1", "models 'a b' and 'a  b' look alike; rename"),
    # labels and decisions
    case(ROCKS, "no label is 'Mine' ('positive:'); labels are 'rock', 'mine'", positive="Mine"),
    case(ROCKS + "|NB,3,\x01mine,1", "line 4: label '\\x01mine' has the control or text-reordering "
        "character '\\x01'", positive="mine", rest=True),
    case("NB,1,1,1|NB,2,TRUE,1", "all labels are of one class ('1', 'TRUE'); costs need both"),
    case("NB,1,rock,0|NB,2,mine,mine",
        "line 2: decision is '0'; expected ... 'rock', 'mine'", of=DECIDED, positive="mine"),
    # scores and decisions
    case(TWO + "|C,1,0,|C,2,1,", "line 4: model 'C' has neither scores nor decisions"),
    case(TWO, "line 2: model 'NB' has a score and no decision: 'higher_is: predicted' needs ... "
        "name its column ('columns: {decision: NAME}'", higher_is="predicted"),
    # classes
    case("A,1,a,1,2|A,2,b,2,1|A,3,c,2,1", "has scores of the classes 'a', 'b'; ... or add 'sc",
        of=f"{NAMED},score_a,score_b", **one_of("c", "a", "b")),
    case("A,1,a,1,2|A,2,b,2,1", "has a column 'score'; which of several classes is it of? Name it",
        of=f"{NAMED},score,score_a", **one_of("a", "b")),
    case("A,1,a,1,2|A,2,b,2,1", "no label is 'c' ('classes:'); labels are 'a', 'b'",
        of=f"{NAMED},score_a,score_c", **one_of("c", "a", "b")),
    case("A,1,a,1|A,2,b,2|A,3,d,2", "line 4: label is 'd'; expected one of the classes 'a', 'b' (",
        of=f"{NAMED},score_a", **one_of("a", "b")),
    case("A,1,a,1|A,2,b,2", "'higher_is: negative' can't be said of scores of each class",
        of=f"{NAMED},score_a", higher_is="negative", **one_of("a", "b")),
    # how files are read
    case("NB,1,0,1,3|NB,2,1,1,9", "'where:' (--where): 'weight in 3, 5' has to keep rows by what "
        "'weight' holds: '3', '9'", of=WEIGHED, where=("weight in 3, 5",)),
    case(TWO, "'where:' (--where) has 'site == a', expected a column", where=("site == a",)),
    case(TWO, "'where:' (--where) has 'score > 3', expected a column, ==,", where=("score > 3",)),
    case(TWO, "no column 'w', which 'columns: cluster:' names", columns={"cluster": "w"}),
    case(TWO, "is to have the scores of the class 'a'", columns={"score_a": "pa"}),
    case(TWO, "format: 'wekka': did you mean 'weka'?", format="wekka"),
    case(TWO, "'score' are not those of predictions that caret saved: 'pred', 'o", format="caret"),
    case(VECTORS, "docs/recipes.md, 'Vectors of probabilities'", of=VECTOR),
    case(VECTORS, of=VECTOR, columns={"unused": ["probability"]}),
    case("a,0,.1|a,0,.2|b,1,.3|b,1,.4|c,0,.5|c,0,.6|d,1,.7", "again", of="id,label,p"),
    case("a,0,.1|a,0,.2|b,1,.3|b,1,.4|c,0,.5|c,0,.6|d,1,.7|d,1,.8",
        "column 'id' has 4 values in 8 rows: are rows of the same value repeats", of="id,label,p"),
    case("|".join(f"{place},{place % 2},.{place}" for place in (*range(10), 0)),
        "line 12: model 'a' predicts instance '0' in repeat '1', fold '1' again", of="id,label,p"),
    case("x,0,.1|x,1,.2|x,0,.3|y,0,.5|y,1,.6|y,0,.7", of="kind,label,p"),
    *(case("|".join(f"{first + k},{'xy'[k // 4]},{k % 2},.{k + 1}" for k in range(8)), *asked,
        of="id,kind,label,p") for first, asked in enumerate([[*KIND, "lacks"]] * 2 + [[]])),
    case("a,0,.1|a,1,.2|a,1,.3|b,0,.4|b,1,.5|b,1,.6|b,1,.6", "'run' (2 values) is called as a key",
        "no column says which rows of each model", of="run,label,p"),
    case("0,.1|1,.2|0,.3|1,abc", "line 5: p is 'abc', expected a finite number", of="label,p"),
    case('NB,1,0,"0,5"|NB,2,1,0.5', "score is '0,5'; write a decimal point, not a comma, or say"),
    case("A,1,0,.1,.3|A,2,1,.6,.9", "scores could be in each of columns 'p', 'q'; say in which",
        of="model,instance,label,p,q"),
    case("A;1;0;0.5|A;2;1;0,25", "score is '0.5'", of="model;instance;label;score", decimal=","),
    case("0,.7,.3019|1,.4,.6", "columns 'q', 'p' sum to 1 in each row, as the sc", of="label,q,p"),
    case("0,.7,.3021|1,.4,.6", of="label,q,p"),
    # families
    case("T,a,0.1,1,0,0|T,a,0.1,2,1,0|T,,,1,0,0|T,,,2,1,1", "line 4: model 'T' has no member here "
        "... (first of 2 such, then a.csv line 5)", of=MEMBERS),
    case("T,a,1.5,1,0,0|T,a,0.2,2,1,0|T,a,,3,1,0", "line 4: model 'T', member 'a' has no train_pc ",
        "line 2: train_pc is 1.5, expected 0 to 1 (a PC(+))", "line 3: model 'T', member 'a' has "
        "train_pc 0.2, but 1.5 in a.csv line 2; expected one for each member and f", of=MEMBERS),
    case("T,a,0,1,0,0|T,a,0,2,1,0|T,b,1,1,0,0|T,b,1,2,1,0", of=MEMBERS),
    case("T,a,,1,0,0|T,a,,2,1,0|T,b,,1,0,0", "model 'T', member 'b' lacks 1 of the 2 pred ... "
        "instance '2' in repeat '1', fold '1' (a.csv line 3)", of=MEMBERS, pairing="unpaired"),
    # costs and weights
    case("A,1,0,1,-1,0|A,2,1,1,0,-0.5", "line 2: cost_fp is -1.0 for instance '1', expected at le",
        "line 3: cost_fn is -0.5 for instance '2', expected at least 0", of=COSTS),
    case("A,1,0,1,1e308,1|A,2,1,1,1e300,1", "cost_fp is 1e+308 ... expected at most 1e", of=COSTS),
    case("A,1,0,.1,3,5|A,2,1,.2,3,1|B,1,0,.1,4,5|B,2,1,.1,3,",
        "line 4: instance '1' has cost_fp 4.0, but 3.0 in a.csv line 2; expected one for each inst",
        "line 5: instance '2' has cost_fn missing, but 1.0 in a.csv line 3", of=COSTS, **paid()),
    case("A,1,0,.1,,5|A,2,1,.2,3,|A,3,1,.3,,2", "line 2: cost_fp is missing for instance '1', which"
        " is negative", "cost_fn is missing for instance '2', which is pos", of=COSTS, **paid()),
    case("A,1,0,.1,2|A,2,1,.2,|A,3,1,.2,2",
        "line 3: x is missing for instance '2', which is positive", of=f"{COLUMNS},x", **BY_X),
    case("A,1,0,.1,3,5|A,2,1,.2,3,0", "line 2: repeat '1', fold '1': the costs of all positives are"
        " 0; expected a cost above 0", of=COSTS, **paid()),
    case(TWO, "has no column 'x', which 'costs: column:' names; its columns are 'model',", **BY_X),
    case("A,1,0,-3,30,7|A,2,1,5,20,8", "'costs: score_times_cost' needs a model whose scores are "
        "probabilities, from 0 to 1, and cost_fn", of=COSTS, **paid(score_times_cost=True)),
    case("A,1,0,.1,2|A,2,1,.2,1|A,3,1,.2,9|A,4,1,.2,1",
        "for 2 of 3 cases of the positives a mistake brings more", of=f"{COLUMNS},x", **FRAUDS),
    case("A,1,0,.1,2|A,2,1,.2,1|A,3,1,.2,9", "for 1 of 3 cases a mistake brings more ... leave out "
        "'prior:'", of=f"{COLUMNS},x", prior=0.2, **FRAUDS),
    case("NB,1,0,1,True|NB,2,1,1,False", "line 2: weight is 'True', expected a fini", of=WEIGHED),
    case("NB,1,0,1,0|NB,2,1,1,1", "the weights of all negatives are 0; expected one", of=WEIGHED),
    case("NB,1,0,1,1|NB,2,1,1,0", "the weights of all positives are 0; expected one", of=WEIGHED),
    case("NB,1,0,1,-2|NB,2,1,1,1", "weight is -2.0 for instance '1', expected at le", of=WEIGHED),
    case("NB,1,0,1,|NB,2,1,1,1", "weight is empty; 1 of 2 cases have none; name one", of=WEIGHED),
    case("A,1,0,1,2|A,2,1,1,1|B,1,0,1,3|B,2,1,1,1", "'1' has weight 3.0, but 2.0", of=WEIGHED),
    case("A,1,0,1,p|A,2,1,1,", "line 3: cluster is empty; 1 of 2 cases have none; name one in each "
        "row, or leave the column out", of=CLUSTERED),
    case("A,1,0,1,p|A,2,1,1,q|B,1,0,1,r|B,2,1,1,q",
        "a.csv line 4: instance '1' has cluster 'r', but 'p' in a.csv line 2", of=CLUSTERED),
    # instances, folds and repeats
    case("NB,1,a,1,0,1|NB,1,a,2,1,1|NB,1,b,1,0,1|NB,1,b,3,1,1",
        "line 4: instance '1' has fold 'b', but 'a' in a.csv line 2; expected one", of=FOLDS),
    case(TWO + "|C,1,1,1|C,2,0,1",
        "line 4: instance '1' has label '1', but '0' in a.csv line 2 ... (first of 2 such"),
    # pairing, and folds without a class
    case(TWO + "|NB,3,1,1|C,1,0,1|C,2,1,1|C,4,1,1", "model 'NB' lacks 1 of the 4 predictions ... "
        "instance '4' in repeat '1', fold '1' (a.csv line 7) ... (--unpaired) (first of 2 such)"),
    case("A,1,a,1,0,1|A,1,a,2,1,1|A,1,b,3,0,1|A,1,c,4,0,1", "line 4: repeat '1', fold 'b' has no "
        "positives ... a_class: pool' ... (first of 2 such, then a.csv line 5)", of=FOLDS),
    case("NB,1,a,1,0,1|NB,2,a,2,1,1", "line 3: repeat '2' has no negatives", "line 2: repeat '1' "
        "has no positives; pooling its folds lea", of=FOLDS, folds_without_a_class="pool"),
    case(TWO + "|NB,2,1,1|C,1,x,1", "line 5: label is 'x'", "again", "has label 'x'", "lacks 1"),
    case("beer,NB,1,0,1|wine,C,1,x,1|wine,NB,1,0,1|wine,NB,2,1,1|wine,NB,1,0,1|wine,NB,2,1,1",
        "a.csv line 6: model 'NB' pr", of=BEERS, models=("NB",)),
    case("|".join(f"NB,{place},{place % 2},x" for place in range(5000)),
        "such as 0.25 (first of 5,000 such, then a.csv line 3)"),
]  # fmt: skip


@pytest.mark.parametrize("case", ROWS)
def test_what_is_wrong_with_the_rows(case: tuple[Any, ...]) -> None:
    content, options, messages = case
    Path("a.csv").write_text(content)
    check(findings("a.csv", **options), *messages)
