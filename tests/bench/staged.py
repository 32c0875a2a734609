"""A process from staged predictions to envelopes: ``staged.py import|load|all FILE``.

It prints its peak memory in bytes as JSON. `load` reads what `all` needs and stops there.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas  # noqa: F401 - pyarrow would import it when it first makes a numpy array
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from costcurves.maths.envelopes import lower_envelopes
from costcurves.maths.operating_points import from_scores
from costcurves.maths.roc import auc

KEYS = ["model", "repeat", "fold"]
ROWS = 2**17


def load(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.uint16]]:
    """Read scores, labels and the curve of each row, a batch at a time."""
    with pq.ParquetFile(path, read_dictionary=KEYS) as file:
        rows = file.metadata.num_rows
        scores, labels, groups = np.empty(rows), np.empty(rows, np.int8), np.empty(rows, np.uint16)
        curves: dict[tuple[str, ...], int] = {}
        end = 0
        for batch in batches(file):
            start, end = end, end + batch.num_rows
            scores[start:end] = batch["score"].to_numpy(zero_copy_only=False)
            labels[start:end] = batch["label"].to_numpy(zero_copy_only=False)
            groups[start:end] = curve_codes([batch[key] for key in KEYS], curves)
    return scores, labels, groups


def batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """Read a row group at a time: one reader of all of them would keep the whole file in memory."""
    for group in range(file.num_row_groups):
        yield from file.iter_batches(ROWS, row_groups=[group], columns=[*KEYS, "label", "score"])
    pa.default_memory_pool().release_unused()


def curve_codes(keys: list[Any], curves: dict[tuple[str, ...], int]) -> NDArray[np.uint16]:
    """Number the curves that dictionary-encoded columns name, going on from `curves`."""
    sizes = [len(key.dictionary) for key in keys]
    codes = np.ravel_multi_index([key.indices.to_numpy() for key in keys], sizes)
    number = np.zeros(int(np.prod(sizes)), np.uint16)
    for code in np.flatnonzero(np.bincount(codes, minlength=len(number))):
        places = np.unravel_index(code, sizes)
        names = tuple(key.dictionary[int(i)].as_py() for key, i in zip(keys, places, strict=True))
        number[code] = curves.setdefault(names, len(curves))
    numbers: NDArray[np.uint16] = number[codes]
    return numbers


def main(what: str, path: Path) -> None:
    if what != "import":
        scores, labels, groups = load(path)
    if what == "all":
        points = from_scores(scores=scores, labels=labels, groups=groups)
        auc(points)
        lower_envelopes(points)
    print(json.dumps({"peak": peak_memory()}))


def peak_memory() -> int:
    """Give the most memory that was resident since the program started (Linux alone says so)."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    line = next(line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
