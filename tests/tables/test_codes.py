"""Texts as codes, in order of appearance."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.tables import codes as texts
from costcurves.tables.codes import by_appearance, first_rows
from costcurves.tables.files import as_they_appear


@given(st.lists(st.integers(0, 9)), st.integers(10, 40))
def test_numbers_are_those_of_the_slow_way(given_codes: list[int], size: int) -> None:
    codes = np.array(given_codes, dtype=np.int64)
    seen: dict[int, int] = {}
    expected = [seen.setdefault(code, len(seen)) for code in given_codes]
    assert by_appearance(codes, size).tolist() == expected


@given(st.lists(st.integers(0, 9)), st.booleans())
def test_first_rows_are_those_of_the_slow_way(codes: list[int], rising: bool) -> None:
    """Whether or not numbers are in order of appearance: of some there is no row."""
    seen: dict[int, int] = {}
    key = [seen.setdefault(code, len(seen)) for code in codes] if rising else codes
    expected = [key.index(n) if n in key else len(key) for n in range(max(key, default=-1) + 1)]
    assert first_rows(np.array(key, dtype=np.int16)).tolist() == expected


def test_the_largest_number_of_a_type_may_come_first() -> None:
    codes = np.array([127, 0], dtype=np.int8)  # 128 above nothing, which wraps around
    assert by_appearance(codes, 128).tolist() == [0, 1]
    assert first_rows(codes).tolist() == [1, *[2] * 126, 0]


def test_an_order_that_breaks_behind_many_rows_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "BLOCK", 4)
    risen = np.array([0, 0, 1, 2, 2, 3, 1, 4, 0])
    assert by_appearance(risen, 5) is risen
    assert by_appearance(np.append(risen, [6, 5]), 7).tolist() == [*risen.tolist(), 5, 6]
    assert first_rows(risen).tolist() == [0, 2, 3, 5, 7]
    assert first_rows(np.append(risen, [6, 5])).tolist() == [0, 2, 3, 5, 7, 10, 9]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_a_dictionary_has_what_occurs_in_that_order(kind: pa.DataType) -> None:
    parts = (
        pa.DictionaryArray.from_arrays(pa.array([2, 0, 2]), pa.array(["a", "b", "c"], kind)),
        pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.array(["c", "d"], kind)),
    )
    result = as_they_appear(pa.chunked_array(parts))
    assert result.to_pylist() == ["c", "a", "c", "d", "c"]
    assert result.dictionary.to_pylist() == ["c", "a", "d"]
    assert result.type == pa.dictionary(pa.int32(), pa.string())


def test_nothing_has_no_codes() -> None:
    result = as_they_appear(pa.array(pd.Categorical([], categories=["a"])))
    assert result.dictionary.to_pylist() == result.to_pylist() == []
