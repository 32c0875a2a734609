"""Reports of many rows, models and datasets: wall and processor seconds, and megabytes.

``python -m tests.bench.scale rows 1e5 1e6 1e7`` makes predictions of three models with so many rows
in all, as one Parquet file without folds, and measures a report of it beside reading and sorting
them with pyarrow and NumPy. 10^8 rows need 1.3 GB of disk for the file, and as much again for what
is staged. ``models 30`` measures so many models on 2,000 cases in 10 folds, and ``datasets 10`` so
many datasets of 5 models on 1,000 cases.
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

from tests.bench.whole import BIN, Command, measured, write_study

REPORT: Final = str(BIN / "costcurves"), "report"
READ_AND_SORT: Final = """
import numpy as np, pyarrow.parquet as pq
rows = pq.read_table("rows.parquet", read_dictionary=["model"])
for scores in np.array_split(rows["score"].to_numpy(), 3):
    np.sort(scores)
"""


def write_rows(path: Path, rows: int) -> None:
    """Write predictions of the same instances by three models, 3 of 10 positive, one by one."""
    rng, instance = np.random.default_rng(20061), np.arange(rows // 3)
    label = (instance % 10 < 3).astype(np.int8)
    types = {"model": pa.string(), "instance": pa.int64()}
    types |= {"label": pa.int8(), "score": pa.float64()}
    with pq.ParquetWriter(path, pa.schema(types)) as file:
        for model, shift in (("A", 1.0), ("B", 1.2), ("C", 1.5)):
            columns = pa.repeat(model, len(instance)), instance, label, rng.normal(shift * label)
            file.write_table(pa.table([*columns], names=[*types]))


def show(what: str, command: Command, folder: Path) -> None:
    """Measure a command, and print what it took."""
    start = time.perf_counter()
    cpu, peak = measured(command, folder)
    wall = time.perf_counter() - start
    print(f"{what:36}{wall:8.1f}{cpu:8.1f}{peak:8.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["rows", "models", "datasets"])
    parser.add_argument("counts", nargs="+", type=float)
    options = parser.parse_args()
    print(f"{'':36}{'wall s':>8}{'CPU s':>8}{'MB':>8}")
    for count in map(int, options.counts):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if options.kind == "rows":
                write_rows(folder / "rows.parquet", count)
                show(f"read and sort {count:,} rows", [sys.executable, "-c", READ_AND_SORT], folder)
            else:
                size = (2000, count, 1) if options.kind == "models" else (1000, 5, count)
                write_study(folder, *size)
            file = "rows.parquet" if options.kind == "rows" else "study.yaml"
            show(f"report of {count:,} {options.kind}", [*REPORT, file], folder)


if __name__ == "__main__":
    main()
