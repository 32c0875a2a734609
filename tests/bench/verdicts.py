"""What `compare_models(...).verdicts` takes, by models, cases and how they are folded.

``python -m tests.bench.verdicts`` prints processor seconds of the call, each in a fresh process of
its own that has imported what it takes (by a call on 40 cases), the median of three and their
range; at the end those of a whole report of 30 models. With ``--small`` it leaves out what has a
million cases.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from tests.bench.whole import BIN, measured

ROUNDS: Final = 3
FOLDS: Final = 10
CALL: Final = """
import resource, sys
import pandas as pd
import costcurves
rows = pd.read_parquet("rows.parquet")
models = rows.filter(like="model ")
layout = {"folds": rows["fold"], "repeats": rows["repeat"]} if sys.argv[1] == "folds" else {}
costcurves.compare_models([0, 1] * 20, {"a": range(40), "b": [3, 1, 2, 4] * 10}).verdicts
start = resource.getrusage(resource.RUSAGE_SELF)
costcurves.compare_models(rows["label"], models, instance=rows["instance"], **layout).verdicts
end = resource.getrusage(resource.RUSAGE_SELF)
print(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
"""


class Case(NamedTuple):
    """So many models of so many cases, in folds of so many repeats; 0: one test set."""

    models: int
    cases: int
    repeats: int


CASES: Final = [
    *(
        Case(models, 10**power, repeats)
        for power in (3, 4)
        for models in (2, 10)
        for repeats in (0, 1)
    ),
    Case(2, 10**3, 10),
    Case(10, 10**3, 10),
    Case(2, 10**4, 10),
    Case(2, 10**6, 0),
    Case(2, 10**6, 1),
    Case(10, 10**6, 0),
]


def rows_of(case: Case) -> pd.DataFrame:
    """Draw normal scores, 3 of 10 cases positive, a column a model."""
    rng, repeats = np.random.default_rng(20061), max(case.repeats, 1)
    instance = np.tile(np.arange(case.cases), repeats)
    label = (instance % 10 < 3).astype(int)
    fold = np.concatenate([rng.permutation(case.cases) % FOLDS for _ in range(repeats)])
    same = {"instance": instance, "label": label, "fold": fold}
    scores = {f"model {i}": rng.normal((1 + i / case.models) * label) for i in range(case.models)}
    return pd.DataFrame({**same, "repeat": np.repeat(range(repeats), case.cases), **scores})


def of_call(case: Case, folder: Path) -> float:
    """Take the processor seconds of the call."""
    rows_of(case).to_parquet(folder / "rows.parquet")
    how = "folds" if case.repeats else "none"
    command = [sys.executable, "-c", CALL, how]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=folder)
    return float(said.stdout)


def of_report(case: Case, folder: Path) -> float:
    """Take the processor seconds of a whole report of one CSV."""
    rows = rows_of(case).drop(columns=["fold", "repeat"])
    long = rows.melt(["instance", "label"], var_name="model", value_name="score")
    long.to_csv(folder / "rows.csv", index=False)
    return measured([str(BIN / "costcurves"), "report", "rows.csv"], folder).cpu


def show(what: str, case: Case, measure: Callable[[Case, Path], float]) -> None:
    """Print the median of some rounds, and their range."""
    found = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as name:
            found.append(measure(case, Path(name)))
    layout = f"{case.repeats} x {FOLDS} folds" if case.repeats else "one test set"
    took = f"{median(found):8.2f}  ({min(found):.2f}-{max(found):.2f})"
    print(f"{what:10}{case.models:4} models{case.cases:10,} cases  {layout:14}{took}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    most = 10**4 if parser.parse_args().small else 10**6
    for case in CASES:
        if case.cases <= most:
            show("verdicts", case, of_call)
    show("report", Case(30, 2000, 0), of_report)


if __name__ == "__main__":
    main()
