"""Tables as files: they read back exactly, are whole or absent, and have the same bytes again."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet as pq

from costcurves.atomic import atomic
from costcurves.contracts import CONTRACTS
from costcurves.errors import InputError
from costcurves.tables.contract import Column, Contract
from costcurves.tables.files import read, read_csv, write, write_csv

TABLE = Contract(
    "things",
    Column("name", "str", "", "its name"),
    Column("area", "float64", "nec", "its area"),
    Column("count", "int64", "instances", "how many"),
    Column("small", "int8", "", "a small number"),
    Column("yes", "bool", "", "whether"),
)
LARGE = Contract("rows", *TABLE.columns, categories=True)


def things(names: list[str], areas: list[float]) -> pd.DataFrame:
    sizes = list(range(len(names)))
    return TABLE.frame(name=names, area=areas, count=sizes, small=0, yes=[i > 0 for i in sizes])


AREAS = [0.1 + 0.2, np.nan, np.inf, -0.0, 5e-324, 1e308]
NAMES = ["007", "NA", "", "9007199254740993", "naïve <b>", "-inf"]
FRAME = things(NAMES, AREAS)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"))


@given(st.lists(st.tuples(TEXT, st.floats())))
@example([])
@example([*zip(NAMES, AREAS, strict=True)])
@example([("'=1", 0.0), ("'", np.nan), ("''@a\n", -0.0), ("'-3", np.inf), ("", 5e-324)])
def test_any_text_and_any_float_read_back(tmp_path: Path, rows: list[tuple[str, float]]) -> None:
    frame = things([name for name, _ in rows], [area for _, area in rows])
    write(frame, tmp_path / "a", TABLE)
    write_csv(frame, tmp_path / "a.csv")
    assert b"\r" not in (tmp_path / "a.csv").read_bytes()
    for back in (read(tmp_path / "a", TABLE), read_csv(tmp_path / "a.csv", TABLE)):
        pd.testing.assert_frame_equal(back, frame, check_exact=True)
        same = np.signbit(back["area"]) == np.signbit(frame["area"])
        assert same[frame["area"].notna()].all()


def test_texts_of_many_rows_are_categories_and_constants_are_held_once(tmp_path: Path) -> None:
    path, names = tmp_path / "study=1" / "a.parquet", ["b", "", "b", "ä"]  # no partition
    rows = LARGE.frame(name=names, area=np.nan, count=[7] * 4, small=[1, 1, 0, 1], yes=True)
    write(rows, path, LARGE)
    back = read(path, LARGE)
    assert list(back["name"].cat.categories) == ["b", "", "ä"]
    pd.testing.assert_frame_equal(back, rows, check_categorical=False, check_exact=True)
    steps = {name: back[name].to_numpy().strides[0] for name in ("area", "count", "small")}
    assert steps == {"area": 0, "count": 0, "small": 1}
    write(back, tmp_path / "b.parquet", LARGE)
    assert path.read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert read(path, LARGE, ["small"])["small"].tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize("kind", ["category", "object", "str", "string"])
def test_a_file_is_plain_and_has_the_same_bytes_however_rows_are_stored(
    tmp_path: Path, kind: str
) -> None:
    write(FRAME, tmp_path / "a.parquet", TABLE)
    rows = pd.concat([FRAME.iloc[:2], FRAME.iloc[2:]]).astype({"name": kind})
    write(rows, tmp_path / "b.parquet", TABLE)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    table = pq.read_table(tmp_path / "a.parquet")
    assert (table.column_names, table["name"].to_pylist()) == (TABLE.names, NAMES)
    assert table.schema.metadata[b"area"] == b"its area [nec]"


BROKEN = [
    (FRAME[TABLE.names[::-1]], r"things: columns are \['yes', .*expected \['name', "),
    (FRAME.assign(area=1), "things: column 'area' is int64, expected float64"),
    (FRAME.assign(small=1), "column 'small' is int64, expected int8"),
    (FRAME.assign(name=1), "column 'name' is int64, 0 null, expected text"),
    (FRAME.assign(name=pd.Series([None, *NAMES[1:]])), "column 'name' is .*, 1 null, expected"),
]


@pytest.mark.parametrize(("frame", "message"), BROKEN)
def test_a_table_that_breaks_its_contract_is_not_written(
    tmp_path: Path, frame: pd.DataFrame, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        write(frame, tmp_path / "a.parquet", TABLE)
    assert not list(tmp_path.iterdir())


def test_contracts_want_every_column_and_no_other_and_describe_each() -> None:
    with pytest.raises(ValueError, match=r"missing \['area', 'count', 'small', 'yes'\]"):
        TABLE.frame(name=[])
    with pytest.raises(ValueError, match=r"missing \[\], unknown \['nam'\]"):
        TABLE.frame(**dict.fromkeys([*TABLE.names, "nam"], ()))
    for contract in CONTRACTS.values():
        assert len({*contract.names}) == len(contract.names)
        assert all(len(column.meaning) > 5 for column in contract.columns)


def flipped(path: Path) -> None:
    """Flip a bit of a number: each page has a checksum."""
    write(things(["a"] * 500, np.random.default_rng(7).random(500).tolist()), path, TABLE)
    whole = path.read_bytes()
    path.write_bytes(whole[:2000] + bytes([whole[2000] ^ 4]) + whole[2001:])


OTHER = Contract("others", TABLE.columns[0])
UNREADABLE = "a.parquet: not a readable table of things .*{}.*delete it and build again"
DAMAGES: list[tuple[Callable[[Path], object], str]] = [
    (Path.unlink, UNREADABLE),
    (lambda path: os.truncate(path, 900), UNREADABLE),
    (flipped, UNREADABLE.format("CRC checksum")),
    (
        lambda path: write(OTHER.frame(name=[]), path, OTHER),
        r"of things \(columns that differ: \['a",
    ),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_a_damaged_table_is_named(tmp_path: Path, damage: Any, message: str) -> None:
    path = tmp_path / "a.parquet"
    write(FRAME, path, TABLE)
    damage(path)
    with pytest.raises(InputError, match=message.format("")):
        read(path, TABLE)


@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "no"), pa.ArrowMemoryError("no")])
def test_what_the_machine_refuses_is_no_reason_to_delete_a_table(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(pq, "ParquetFile", refuse)
    with pytest.raises(type(error)):
        read("a.parquet", TABLE)


def test_a_file_appears_when_it_is_whole_and_an_old_one_stays_until_then(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.txt"
    with atomic(path) as unfinished:
        unfinished.write_text("half")
        assert not path.exists()
        assert (unfinished.parent, unfinished.suffix) == (path.parent, ".txt")
        unfinished.write_text("whole")
    with pytest.raises(ZeroDivisionError), atomic(path) as unfinished:
        unfinished.write_text(f"half {1 // 0}")
    assert path.read_text() == "whole"
    assert list(path.parent.iterdir()) == [path]


CHANGED = [
    ("name,area\na,1\n", "its columns are ['name', 'area'], expected ['name', 'area', 'count'"),
    ("name,area,count,small,yes\na,1,x,0,true\n", "not a readable table of things"),
    ("name,area,count,small,yes\na,1,,0,true\n", "cells of ['count'] are empty"),
    ("", "not a readable table of things (Empty CSV file)"),
]


@pytest.mark.parametrize(("text", "message"), CHANGED)
def test_what_is_published_may_have_been_changed(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        read_csv(tmp_path / "a.csv", TABLE)
