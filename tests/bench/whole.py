"""Whole commands from one CSV and stages from one Parquet file, beside what others do with it.

``python -m tests.bench.whole`` measures all of it, and writes the table of ``speed.md``; with
``--check`` it measures what is small, and fails where a ratio is 1.3 times what it was.
Everything runs in a fresh process: first calls count, and so do the processes that a command
starts. Ratios are of processor time within one run, so what else the machine does hardly matters.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time
from timeit import timeit
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

PAGE: Final = Path(__file__).parent / "speed.md"
TABLE: Final = re.compile(r"(?<=<!-- speed -->\n\n)(?:\|.*\n)+")
GROWN: Final = 1.3  # times what a ratio was: worse than the machine's moods
ROUNDS: Final = 1, 3, 5  # of which the median is taken; more where it has grown
BIN: Final = Path(sys.executable).parent
KEY: Final = ("what", "rows of each of 3 models", "beside")
Command = Sequence[str]
Row = dict[str, str]

# What is measured, each a script of its own in a folder with `rows` and a study.
STAGES: Final = """
from costcurves import stages
from costcurves.contracts import CONTRACTS
from costcurves.predictions.staged import stage_with_sources
from costcurves.study.reading import read_study
from costcurves.tables.files import read, write
study = read_study("study.yaml")
staged, _ = stage_with_sources(study.datasets[0])
write(staged, "staged.parquet", CONTRACTS["predictions"])
tables = {"predictions": read("staged.parquet", CONTRACTS["predictions"])}
counts = stages.count(study, tables)
tables |= stages.cost_lines(counts) | stages.rank(tables, counts)
for name in ("operating_points", "envelopes", "rankings"):
    write(tables[name], f"{name}.parquet", CONTRACTS[name])
"""
CURVES: Final = """
import pandas as pd
from sklearn.metrics import roc_auc_score, roc_curve
rows = pd.read_parquet("rows.parquet")
for _, part in rows.groupby(["model", "fold"]):
    roc_curve(part["label"], part["score"])
    roc_auc_score(part["label"], part["score"])
"""
BOOTSTRAP: Final = """
import numpy as np, pandas as pd
from sklearn.metrics import roc_curve
rng, rows = np.random.default_rng(1), pd.read_csv("rows.csv")
for _, part in rows.groupby("model"):
    labels, scores = part["label"].to_numpy(), part["score"].to_numpy()
    for _ in range(2000):
        drawn = rng.integers(0, len(labels), len(labels))
        roc_curve(labels[drawn], scores[drawn])
"""
OF_B: Final = """
import numpy as np, pandas as pd
rows = pd.read_parquet("rows.parquet", filters=[("model", "==", "M1")])
labels, scores = rows["label"].to_numpy(), rows["score"].to_numpy()
risks, thresholds = 1 / (1 + np.exp(-scores)), np.linspace(0.01, 0.99, 99)
"""
IN_MEMORY: Final = f"{OF_B}\nimport costcurves\ncostcurves.cost_curve(labels, scores)"
ONE_CURVE: Final = f"""{OF_B}
from sklearn.metrics import roc_auc_score, roc_curve
roc_curve(labels, scores), roc_auc_score(labels, scores)
"""
NET_BENEFIT: Final = f"""{OF_B}
import costcurves
costcurves.cost_curve(labels, risks).net_benefit(thresholds, extent=None)
"""
DCURVES: Final = f"""{OF_B}
import warnings
warnings.simplefilter("ignore")
import dcurves
dcurves.dca(pd.DataFrame({{"label": labels, "risk": risks}}), "label", ["risk"], thresholds)
"""
ROCR: Final = """
rows <- read.csv("rows.csv")
for (part in split(rows, list(rows$model, rows$fold)))
    ROCR::performance(ROCR::prediction(part$score, part$label), "ecost")
"""


class Measured(NamedTuple):
    """Processor seconds of a command and all that it started, megabytes of the largest process."""

    cpu: float
    peak: float


class Case(NamedTuple):
    """What of ours is compared with what of others, on so many rows a model."""

    what: str
    rows: int
    ours: Command
    peer: str
    theirs: Command
    before: Command = ()  # of ours, run first and not measured


def cases() -> Iterator[Case]:
    """List what is compared, the smallest first; with what lacks here, less."""
    python, command = [sys.executable, "-c"], str(BIN / "costcurves")
    engine = "snakemake --version", [str(BIN / "snakemake"), "--version"]
    report = [command, "report", "rows.csv"]
    drawn = "scikit-learn: 2,000 resamples of a curve a model", [*python, BOOTSTRAP]
    yield Case("costcurves --help", 100, [command, "--help"], *engine)
    yield Case("report, nothing to do", 100, report, *engine, report)
    yield Case("report --quick, one CSV", 1000, [*report, "--quick"], *drawn)
    yield Case("report, one CSV", 1000, report, *drawn)
    yield Case("report, one CSV", 1000, report, *engine)
    peer = "scikit-learn: a curve and an AUC"
    yield Case("cost_curve, in memory", 10**6, [*python, IN_MEMORY], peer, [*python, ONE_CURVE])
    if find_spec("dcurves"):
        theirs = "dcurves: the same thresholds", [*python, DCURVES]
        yield Case("net benefit, in memory", 10**5, [*python, NET_BENEFIT], *theirs)
    what, ours = "stages to envelopes, one Parquet", [*python, STAGES]
    for rows in (10**5, 10**6):
        yield Case(what, rows, ours, f"{peer} a fold", [*python, CURVES])
    look = ["Rscript", "-e", "library(ROCR)"]  # whose time grows with the square of rows
    if shutil.which("Rscript") and subprocess.run(look, check=False, stderr=-3).returncode == 0:
        yield Case(what, 10**3, ours, "ROCR: the same a fold, one CSV", ["Rscript", "-e", ROCR])


def write_study(folder: Path, cases: int, models: int = 3, datasets: int = 1) -> None:
    """Write predictions in ten folds, as CSV and as Parquet, and a study of them."""
    rng, instance = np.random.default_rng(20061), np.arange(cases)
    rows = pd.DataFrame({"instance": instance, "fold": instance // 10 % 10})
    rows["label"] = (instance % 10 < 3).astype(int)
    lines = ["study: s", "datasets:"]
    for name in ("rows", *(f"rows{number}" for number in range(1, datasets))):
        skills = {f"M{model}": 1 + 0.5 * model / models for model in range(models)}
        each = [
            rows.assign(model=m, score=rng.normal(d * rows["label"])) for m, d in skills.items()
        ]
        whole = pd.concat(each)
        whole.to_csv(folder / f"{name}.csv", index=False)
        whole.to_parquet(folder / f"{name}.parquet")
        lines.append(f"- {{name: {name}, predictions: [{name}.parquet]}}")
    (folder / "study.yaml").write_text("\n".join(lines), encoding="utf-8")


# The processes of jobs outlive who began them, so the command's children are adopted.
MEASURE: Final = """
import contextlib, ctypes, json, os, resource, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
with contextlib.suppress(ChildProcessError):
    while True:
        os.wait()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if done.returncode:
    sys.exit(done.stderr)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


def measured(command: Command, folder: Path) -> Measured:
    """Run a command in a folder (on Linux, which tells what all of its processes took)."""
    words = [sys.executable, "-c", MEASURE, *command]
    run = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=folder)
    return Measured(*json.loads(run.stdout))


def compared(case: Case, rounds: int) -> Row:
    """Measure a case in a folder of its own each round; give the round of the median ratio."""
    pairs = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_study(folder, case.rows)
            if case.before:
                measured(case.before, folder)
            pairs.append((measured(case.ours, folder), measured(case.theirs, folder)))
    ours, theirs = sorted(pairs, key=lambda pair: pair[0].cpu / pair[1].cpu)[rounds // 2]
    row = {"what": case.what, KEY[1]: f"{case.rows}", "CPU s": f"{ours.cpu:.2g}"}
    row |= {"MB": f"{ours.peak:.0f}", "beside": case.peer, "its CPU s": f"{theirs.cpu:.2g}"}
    return row | {"ratio": f"{ours.cpu / theirs.cpu:.2g}"}


def known() -> list[Row]:
    """Read what was measured last."""
    table = TABLE.findall(PAGE.read_text("utf-8"))[0].splitlines()
    head, _, *rows = (line.strip("| ").split(" | ") for line in table)
    return [dict(zip(head, row, strict=True)) for row in rows]


def page(rows: Sequence[Row]) -> str:
    """Return the page with a table of what was measured."""
    lines = [[*rows[0]], ["---"] * len(rows[0]), *(row.values() for row in rows)]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return TABLE.sub(lambda _: table, PAGE.read_text("utf-8"))


def grown(case: Case) -> Row | None:
    """Return a case's row if its ratio has grown, also in the median of more rounds."""
    ratios = {tuple(row[name] for name in KEY): float(row["ratio"]) for row in known()}
    for rounds in ROUNDS:
        row = compared(case, rounds)
        print("  ".join(row.values()), flush=True)
        if float(row["ratio"]) <= GROWN * ratios.get(tuple(row[name] for name in KEY), np.inf):
            return None
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare what is small with speed.md")
    if parser.parse_args().check:
        small = [case for case in cases() if case.rows <= 10**5]
        slower = [row for case in small if (row := grown(case))]
        sys.exit(f"more than {GROWN:g} times what it was: {slower}" if slower else 0)
    values, rows = np.random.default_rng(1).random(10**6), []
    each = [timeit(lambda: np.sort(values), timer=process_time, number=1) for _ in range(9)]
    for case in cases():
        rows.append(compared(case, 1) | {"`np.sort`, ns": f"{1e3 * median(each):.0f}"})
        print("  ".join(rows[-1].values()), flush=True)
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
