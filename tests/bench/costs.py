"""Benches of instance-varying costs: what carrying them along takes, and who else adds them up."""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from costcurves.maths.cost_weights import cost_weights
from costcurves.maths.envelopes import lower_envelopes
from costcurves.maths.operating_points import from_scores
from costcurves.maths.roc import auc
from costcurves.tables.curves.operating_points import counted
from costcurves.tables.input.predictions import PREDICTIONS
from tests.bench.cases import Rows, curves_of, predictions
from tests.bench.measuring import Ratio, case, in_turn

ROWS = 10**6


def weighted(rows: Rows) -> Callable[[], object]:
    """Operating points, AUCIV and envelopes of all curves, to be called."""
    weights = cost_weights(np.random.default_rng(1).lognormal(size=len(rows[0])), rows[1])

    def run() -> None:
        points = from_scores(scores=rows[0], labels=rows[1], groups=rows[2], weights=weights)
        auc(points)
        lower_envelopes(points)

    return run


def staged(rows: Rows, costs: bool) -> pd.DataFrame:
    """Make staged predictions of one model in ten folds, with costs or with none."""
    scores, labels, folds = rows
    paid = np.random.default_rng(1).lognormal(size=len(scores)) if costs else np.ones(len(scores))
    return PREDICTIONS.frame(
        dataset="d",
        model="m",
        member="",
        train_pc=np.nan,
        repeat="1",
        fold=np.array([str(fold) for fold in range(1 + int(folds.max()))])[folds],
        instance=np.arange(len(scores)).astype(str),
        label=labels,
        score=scores,
        decision=-1,
        cost_fp=paid,
        cost_fn=paid,
        weight=cost_weights(paid, labels),
    )


@case
def costs() -> Iterator[Ratio]:
    """10^6 scores with costs against those without: the stage's tables, and its arithmetic."""
    for kind in ("probabilities", "ties"):
        rows = predictions(ROWS, kind)
        frames = [staged(rows, costs) for costs in (False, True)]
        times = in_turn(
            {
                "arrays": curves_of(*rows),
                "arrays with costs": weighted(rows),
                "tables": lambda: counted(frames[0], seed=3),  # noqa: B023 - called right here
                "tables with costs": lambda: counted(frames[1], seed=3),  # noqa: B023
            },
            rounds=3,
        )
        for what in ("tables", "arrays"):
            note = times.shown(f"{what} with costs", what)
            value = times.ratio(f"{what} with costs", what)
            yield Ratio(f"{kind}, {what}: with / without", value, 2, note)


@case
def auciv() -> Iterator[Ratio]:
    """AUCIV against scikit-learn's roc_auc_score with sample weights: the largest difference."""
    from sklearn.metrics import roc_auc_score  # a dependency of the bench alone

    off = 0.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        labels = rng.integers(0, 2, 10_000)
        scores, paid = rng.normal(labels).round(1 + seed % 5), rng.lognormal(sigma=2, size=10_000)
        ours = auc(from_scores(scores=scores, labels=labels, weights=cost_weights(paid, labels)))[0]
        off = max(off, abs(ours - roc_auc_score(labels, scores, sample_weight=paid)))
    yield Ratio("AUCIV - scikit-learn, in 10^-12", off / 1e-12, 1, "20 times 10,000 rows with ties")
