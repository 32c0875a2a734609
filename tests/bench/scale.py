"""Reports of ever more rows, each beside reading and sorting them with pyarrow and NumPy.

``python -m tests.bench.scale 1e5 1e6 1e7`` makes predictions of three models with so many rows in
all, as one Parquet file without folds, and prints what a report takes: wall and processor seconds,
and the memory of its largest process. 10^8 rows need 1.3 GB of disk for the file, and as much again
for what is staged.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.bench.whole import BIN, measured

MODELS: Final = {"A": 1.0, "B": 1.2, "C": 1.5}  # by how much their scores tell classes apart
BLOCK: Final = 2**22  # rows that are written at once
READ_AND_SORT: Final = """
import numpy as np, pyarrow.parquet as pq
rows = pq.read_table("rows.parquet", read_dictionary=["model"])
for scores in np.array_split(rows["score"].to_numpy(), 3):
    np.sort(scores)
"""


def write_rows(path: Path, rows: int) -> None:
    """Write predictions of the same instances by each model, 3 of 10 positive, in blocks."""
    rng, each = np.random.default_rng(20061), rows // len(MODELS)
    types = {
        "model": pa.string(),
        "instance": pa.int64(),
        "label": pa.int8(),
        "score": pa.float64(),
    }
    with pq.ParquetWriter(path, pa.schema(types)) as file:
        for model, shift in MODELS.items():
            for first in range(0, each, BLOCK):
                instance = np.arange(first, min(first + BLOCK, each))
                label = (instance % 10 < 3).astype(np.int8)
                score = rng.normal(shift * label)
                names = pa.repeat(model, len(instance))
                file.write_table(pa.table([names, instance, label, score], names=[*types]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", type=float, default=[1e3, 1e4, 1e5, 1e6])
    print(f"{'rows':>11}  {'':13}{'wall s':>8}{'CPU s':>8}{'MB':>8}")
    for rows in map(int, parser.parse_args().rows):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_rows(folder / "rows.parquet", rows)
            commands = {
                "read and sort": [sys.executable, "-c", READ_AND_SORT],
                "report": [str(BIN / "costcurves"), "report", "rows.parquet"],
            }
            for what, command in commands.items():
                start = time.perf_counter()
                cpu, peak = measured(command, folder)
                wall = time.perf_counter() - start
                print(f"{rows:11,}  {what:13}{wall:8.1f}{cpu:8.1f}{peak:8.0f}", flush=True)


if __name__ == "__main__":
    main()
