"""Texts as codes, in order of appearance."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from costcurves.tables import codes as texts
from costcurves.tables.codes import by_appearance, first_rows
from costcurves.tables.files import as_they_appear


@given(st.lists(st.integers(0, 9)), st.integers(10, 40), st.booleans())
@example([0, 0, 1, 2, 2, 3, 1, 4, 0], 10, True)
@example([0, 0, 1, 2, 2, 3, 1, 4, 0, 6, 5], 10, False)
def test_numbers_and_first_rows_are_those_of_the_slow_way(
    given_codes: list[int], size: int, rising: bool
) -> None:
    """Whether or not numbers are in order of appearance: of some there is no row."""
    seen: dict[int, int] = {}
    risen = [seen.setdefault(code, len(seen)) for code in given_codes]
    listed = risen if rising else given_codes
    first = [listed.index(n) if n in listed else len(listed) for n in range(max([-1, *listed]) + 1)]
    key = np.array(listed, dtype=np.int16)
    for block in (4, 2**15):  # an order may break behind many rows
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(texts, "BLOCK", block)
            assert by_appearance(key, size).tolist() == risen
            assert first_rows(key).tolist() == first
    assert (by_appearance(key, size) is key) == (listed == risen)


def test_the_largest_number_of_a_type_may_come_first() -> None:
    codes = np.array([127, 0], dtype=np.int8)  # 128 above nothing, which wraps around
    assert by_appearance(codes, 128).tolist() == [0, 1]
    assert first_rows(codes).tolist() == [1, *[2] * 126, 0]


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
    nothing = as_they_appear(pa.array(pd.Categorical([], categories=["a"])))
    assert nothing.dictionary.to_pylist() == nothing.to_pylist() == []
