"""Texts as codes: numbers from 0 in order of appearance, without gaps."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Integers = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
BLOCK = 2**15  # rows that fit into the cache of a processor


def blocks(rows: int) -> Iterator[slice]:
    """Cut rows into blocks that fit into the processor's cache."""
    return (slice(first, first + BLOCK) for first in range(0, rows, BLOCK))


def by_appearance(codes: Integers, size: int) -> Integers:
    """Return codes, from 0 and below `size`, numbered anew: in order of appearance, without gaps.

    Codes that are so already are returned themselves.
    """
    if _first_of_each(codes) is not None:
        return codes
    if size > 2 * len(codes):
        return np.asarray(pd.factorize(codes)[0], dtype=codes.dtype)
    begins = np.zeros(len(codes) + 1, dtype=np.bool_)
    begins[first_rows(codes, size)] = True
    new = codes[np.flatnonzero(begins[:-1])]
    numbers = np.zeros(size, dtype=codes.dtype)
    numbers[new] = np.arange(len(new), dtype=codes.dtype)
    return numbers[codes]


def _first_of_each(codes: Integers) -> Integers | None:
    """Return the first row of each number where they are in order of appearance, without gaps."""
    highest, firsts = np.array([-1], dtype=codes.dtype), [np.empty(0, dtype=np.int64)]
    for rows in blocks(len(codes)):
        if codes[rows].max() > highest:  # to look for that is much quicker than what follows
            rising = np.maximum.accumulate(np.append(highest, codes[rows]))
            steps = rising[1:] - rising[:-1]
            if steps.view(f"u{steps.itemsize}").max() > 1:  # they may wrap around
                return None
            firsts.append(rows.start + np.flatnonzero(steps))
            highest = rising[-1:]
    return np.concatenate(firsts)


def first_rows(key: Integers, size: int | None = None) -> Integers:
    """Return the first row of each number of a key: behind all rows, if it does not occur."""
    if size is None and (rows := _first_of_each(key)) is not None:
        return rows
    first = np.full(int(key.max(initial=-1)) + 1 if size is None else size, len(key))
    for rows in reversed([*blocks(len(key))]):
        codes = key[rows][::-1]
        first[codes] = np.arange(rows.start + len(codes) - 1, rows.start - 1, -1)  # the last stays
    return first


def follows(values: Integers, key: Integers) -> bool:
    """Return whether rows with the same number of a key have the same value."""
    firsts = values[first_rows(key)]
    return all((firsts[key[rows]] == values[rows]).all() for rows in blocks(len(key)))
