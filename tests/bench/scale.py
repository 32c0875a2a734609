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
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from tests.bench.whole import BIN, Command, measured

MODELS: Final = {"A": 1.0, "B": 1.2, "C": 1.5}  # by how much their scores tell classes apart
BLOCK: Final = 2**22  # rows that are written at once
REPORT: Final = str(BIN / "costcurves"), "report"
READ_AND_SORT: Final = """
import numpy as np, pyarrow.parquet as pq
rows = pq.read_table("rows.parquet", read_dictionary=["model"])
for scores in np.array_split(rows["score"].to_numpy(), 3):
    np.sort(scores)
"""


def write_rows(path: Path, rows: int) -> None:
    """Write predictions of the same instances by each model, 3 of 10 positive, in blocks."""
    rng, each = np.random.default_rng(20061), rows // len(MODELS)
    types = {"model": pa.string(), "instance": pa.int64()}
    types |= {"label": pa.int8(), "score": pa.float64()}
    with pq.ParquetWriter(path, pa.schema(types)) as file:
        for model, shift in MODELS.items():
            for first in range(0, each, BLOCK):
                instance = np.arange(first, min(first + BLOCK, each))
                label = (instance % 10 < 3).astype(np.int8)
                score = rng.normal(shift * label)
                names = pa.repeat(model, len(instance))
                file.write_table(pa.table([names, instance, label, score], names=[*types]))


def write_study(folder: Path, datasets: int, models: int, cases: int) -> None:
    """Write a study of so many datasets, each of so many models on so many cases in 10 folds."""
    rng, instance = np.random.default_rng(20061), np.arange(cases)
    rows = pd.DataFrame({"instance": instance, "fold": instance // 10 % 10})
    rows["label"] = (instance % 10 < 3).astype(int)
    lines = ["study: s", "datasets:"]
    for dataset in range(datasets):
        scores = {
            f"M{model}": rng.normal((1 + model / models) * rows["label"]) for model in range(models)
        }
        each = [rows.assign(model=model, score=score) for model, score in scores.items()]
        pd.concat(each).to_csv(folder / f"d{dataset}.csv", index=False)
        lines.append(f"- {{name: d{dataset}, predictions: [d{dataset}.csv]}}")
    (folder / "study.yaml").write_text("\n".join(lines), "utf-8")


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
                size = (1, count, 2000) if options.kind == "models" else (count, 5, 1000)
                write_study(folder, *size)
            file = "rows.parquet" if options.kind == "rows" else "study.yaml"
            show(f"report of {count:,} {options.kind}", [*REPORT, file], folder)


if __name__ == "__main__":
    main()
