"""The benches: each a small function that yields ratios, with the bounds that were promised."""

import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from costcurves.maths.envelopes import lower_envelopes
from costcurves.maths.operating_points import from_scores
from costcurves.maths.roc import auc
from costcurves.tables.contract import ARROW
from costcurves.tables.input.predictions import PREDICTIONS
from tests.bench import staged
from tests.bench.measuring import Ratio, case, fresh, in_turn

ROWS = 10**7
FOLDS = 10
Rows = tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.uint8]]


def predictions(rows: int, kind: str = "probabilities") -> Rows:
    """Scores, labels and folds, side by side: binormal, d' = 1.5, three in ten positive."""
    rng = np.random.default_rng(20061)
    labels = (rng.random(rows) < 0.3).astype(np.int8)
    margins = rng.normal(1.5 * labels - 0.75)
    probabilities = 1 / (1 + np.exp(-1.5 * margins))
    scores = {"probabilities": probabilities, "margins": margins, "ties": probabilities.round(3)}
    return scores[kind], labels, np.repeat(np.arange(FOLDS, dtype=np.uint8), rows // FOLDS)


def curves_of(scores: Any, labels: Any, groups: Any = None) -> Callable[[], object]:
    """Operating points, AUC and envelopes of all curves, to be called."""

    def run() -> None:
        points = from_scores(scores=scores, labels=labels, groups=groups)
        auc(points)
        lower_envelopes(points)

    return run


def against_sorting(kind: str) -> Iterator[Ratio]:
    scores, labels, groups = predictions(ROWS, kind)
    order = np.random.default_rng(1).permutation(ROWS)
    shuffled = scores[order], labels[order], groups[order]
    times = in_turn(
        {
            "np.sort": lambda: np.sort(scores),
            "folds": curves_of(scores, labels, groups),
            "shuffled": curves_of(*shuffled),
            "np.argsort": lambda: np.argsort(scores),
        },
        rounds=5,
    )
    note = times.shown("folds", "shuffled", "np.sort", "np.argsort")
    yield Ratio(f"{kind}: folds / np.sort", times.ratio("folds", "np.sort"), 3, note)
    yield Ratio(f"{kind}: folds / np.argsort", times.ratio("folds", "np.argsort"), 0.7, "")
    yield Ratio(f"{kind}: shuffled / np.sort", times.ratio("shuffled", "np.sort"), 5, "")


@case
def sorting() -> Iterator[Ratio]:
    """Points, AUC and envelopes of 10 folds, 10^7 scores, against sorting the same scores."""
    for kind in ("probabilities", "margins", "ties"):
        yield from against_sorting(kind)


@case
def scikit_learn() -> Iterator[Ratio]:
    """The same against roc_curve and roc_auc_score, fold by fold."""
    from sklearn.metrics import roc_auc_score, roc_curve  # a dependency of the bench alone

    scores, labels, groups = predictions(ROWS)
    fold = slice(0, ROWS // FOLDS)

    def theirs() -> None:
        roc_curve(labels[fold], scores[fold])
        roc_auc_score(labels[fold], scores[fold])

    ours = curves_of(scores, labels, groups)
    times = in_turn({"one fold of theirs": theirs, "ten folds of ours": ours}, rounds=3)
    note = times.shown("one fold of theirs", "ten folds of ours") + "; theirs x 10"
    value = FOLDS * times.ratio("one fold of theirs", "ten folds of ours")
    yield Ratio("scikit-learn / folds", value, 12, note, at_least=True)


@case
def growth() -> Iterator[Ratio]:
    """From 10^5 to 10^6 scores in 10 folds, against n log n."""
    small, large = (curves_of(*predictions(rows)) for rows in (10**5, 10**6))
    times = in_turn({"10^5": small, "10^6": large}, rounds=15)
    expected = 10 * math.log(10**6) / math.log(10**5)
    value = times.ratio("10^6", "10^5") / expected
    yield Ratio("growth / n log n", value, 1.25, times.shown("10^5", "10^6"))


def stage(path: Path) -> None:
    """Write staged predictions of one model with all columns of the contract."""
    scores, labels, groups = predictions(ROWS)
    texts = {"dataset": "d", "model": "m", "member": "", "repeat": "1"}
    columns: dict[str, Any] = {name: text_column(np.zeros(ROWS), [texts[name]]) for name in texts}
    columns["fold"] = text_column(groups, [str(fold + 1) for fold in range(FOLDS)])
    columns["instance"] = pa.array(np.arange(ROWS)).cast(pa.string())
    columns |= {"label": labels, "score": scores, "decision": np.full(ROWS, -1, np.int8)}
    none = np.full(ROWS, np.nan)
    columns |= {"train_pc": none, "cost_fp": none, "cost_fn": none, "weight": np.ones(ROWS)}
    schema = pa.schema([(one.name, ARROW[one.dtype]) for one in PREDICTIONS.columns])
    table = pa.table([columns[name] for name in PREDICTIONS.names], schema=schema)
    pq.write_table(table, path, compression="zstd", store_schema=False)


def text_column(codes: NDArray[Any], texts: list[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int32), texts).cast(pa.string())


@case
def whole_process() -> Iterator[Ratio]:
    """Fresh processes from a staged file of 10^7 rows to envelopes: time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.parquet"
        stage(path)
        size = path.stat().st_size
        modes = ("import", "load", "all")
        arguments = {mode: (staged.__file__, mode, str(path)) for mode in modes}
        rounds = [{mode: fresh(*arguments[mode]) for mode in modes} for _ in range(6)]
    wall = {mode: [one[mode][0] for one in rounds[1:]] for mode in modes}
    start, load, everything = (median(wall[mode]) for mode in modes)
    peak = {mode: median(one[mode][1]["peak"] for one in rounds) for mode in modes}
    note = ", ".join(f"{mode} {1000 * median(wall[mode]):.0f} ms" for mode in modes)
    ratio = median(a / b for a, b in zip(wall["all"], wall["load"], strict=True))
    yield Ratio("whole process / loading", ratio, 2, f"{note}; wall time, imports included")
    yield Ratio("without the imports", (everything - start) / (load - start), None, "to know")
    note = f"file {size / 2**20:.0f} MiB; peak RSS {peak['all'] / 2**20:.0f} MiB, not counted the "
    note += f"{peak['import'] / 2**20:.0f} MiB of a process that imports only"
    yield Ratio("peak memory / staged file", (peak["all"] - peak["import"]) / size, 6, note)
