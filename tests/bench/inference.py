"""Benches of inference: k-levels, paired crisp bands, resampled envelopes."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costcurves.maths import paired
from costcurves.maths import resampled_curves as rc
from costcurves.maths.envelopes import lower_envelopes
from costcurves.maths.heights import heights
from costcurves.maths.intervals import percentiles
from costcurves.maths.operating_points import OperatingPoints, from_scores
from costcurves.maths.resampled_counts import AT_ONCE
from costcurves.maths.resampling import weights
from tests.bench.cases import predictions
from tests.bench.measuring import Ratio, case, in_turn

ROWS = 10**6
RESAMPLES = 2000
PLACES = np.linspace(0, 1, 257)
RNG = np.random.default_rng(20061)


@case
def k_level() -> Iterator[Ratio]:
    """Limits of 2,000 lines: exact levels, against quantiles on a grid of 1,001 points."""
    grid = np.linspace(0, 1, 1001)
    for negatives, positives in ((10, 20), (10**6, 10**6)):
        fp, fn = RNG.binomial(negatives, 0.2, RESAMPLES), RNG.binomial(positives, 0.1, RESAMPLES)

        def on_grid(at0: Any = fp / negatives, at1: Any = fn / positives) -> None:
            heights = np.outer(1 - grid, at0) + np.outer(grid, at1)
            heights.partition([99, RESAMPLES - 100], axis=1)

        def exact(fp: Any = fp, fn: Any = fn, n: int = negatives, m: int = positives) -> None:
            percentiles(fp, fn, n, m, 0.9)

        times = in_turn({"levels": exact, "grid": on_grid})
        pieces = [len(edge) for edge in percentiles(fp, fn, negatives, positives, 0.9)]
        note = f"{times.shown('levels', 'grid')}; {max(pieces)} pieces; grid by np.partition"
        what = f"levels / grid, {negatives}+{positives}"
        yield Ratio(what, times.ratio("levels", "grid"), 2, note)


@case
def paired_crisp() -> Iterator[Ratio]:
    """Two crisp classifiers at 10^6 instances: band and verdicts, against building the tables."""
    scores, labels, _ = predictions(ROWS)
    a, b = scores > 0.5, scores + RNG.normal(0, 0.1, ROWS) > 0.5

    def bands() -> None:
        both = paired.tables(decisions_a=a, decisions_b=b, labels=labels).differences()
        paired.bootstrap(*both, RESAMPLES, RNG)
        paired.sign_flips(*both, RESAMPLES, RNG).simultaneous()

    times = in_turn(
        {
            "tables": lambda: paired.tables(decisions_a=a, decisions_b=b, labels=labels),
            "everything": bands,
        }
    )
    allowed = 3 * times["tables"] + 0.05
    note = f"{times.shown('everything', 'tables')}; tables included"
    yield Ratio("bands / (3 x tables + 50 ms)", times["everything"] / allowed, 1, note)


@case
def resampled_envelopes() -> Iterator[Ratio]:
    """2,000 resampled envelopes of a scoring classifier, against drawing rows for scikit-learn."""
    few, many = (predictions(rows)[:2] for rows in (10**4, ROWS))
    times = in_turn(
        {
            "10^4": envelopes_of(*few),
            "10^6": envelopes_of(*many),
            "paired": paired_envelopes(*many),
        },
        rounds=3,
    )
    loop = RESAMPLES * seconds_of_one_roc_curve(*many)
    note = f"{times['10^6']:.2f} s; the loop {loop:.0f} s, scaled from three of its iterations"
    yield Ratio("scikit-learn's loop / ours", loop / times["10^6"], 200, note, at_least=True)
    yield Ratio(
        "10^6 / 10^4 instances", times.ratio("10^6", "10^4"), 2, times.shown("10^6", "10^4")
    )
    note = "by weights of units, which models share; weights included"
    yield Ratio("paired / alone", times.ratio("paired", "10^6"), None, note)


def envelopes_of(scores: Any, labels: Any) -> Callable[[], NDArray[np.float64]]:
    """From scores to the heights of all resampled envelopes."""
    return lambda: rc.one_envelope_at(
        from_scores(scores=scores, labels=labels), RESAMPLES, RNG, PLACES
    )


def paired_envelopes(scores: Any, labels: Any) -> Callable[[], object]:
    """The same by weights of units."""
    rows = rc.Predicted(
        np.arange(len(labels)), labels, scores, np.zeros(len(labels), dtype=np.int64)
    )
    return lambda: rc.envelopes_at(rows, weights(labels, RESAMPLES, RNG), PLACES)


def seconds_of_one_roc_curve(scores: Any, labels: Any) -> float:
    """Draw the rows of each class again, and let scikit-learn make the curve."""
    from sklearn.metrics import roc_curve

    classes = [np.flatnonzero(labels == value) for value in (0, 1)]
    start = time.process_time()
    for _ in range(3):
        drawn = np.concatenate([RNG.choice(of, len(of)) for of in classes])
        roc_curve(labels[drawn], scores[drawn])
    return (time.process_time() - start) / 3


@case
def cells_of_scores() -> Iterator[Ratio]:
    """Error of resampling counts of cells instead of rows, as a share of the band's width."""
    for kind in ("probabilities", "ties"):
        scores, labels, _ = predictions(10**4, kind)
        points = from_scores(scores=scores, labels=labels)
        exact = limits(rc.one_envelope_at(points, RESAMPLES, same(), PLACES, most_cells=10**4))
        rough = limits(cell_envelopes(points))
        width = (exact[1] - exact[0]).mean()
        error = np.abs(rough - exact).mean() / width
        centred = np.abs((rough[1] - rough[0]) - (exact[1] - exact[0])).mean() / width
        distinct = len(points.fp_count) - 1
        note = f"10^4 instances, {distinct} distinct scores; of the width {100 * centred:.2f} %"
        yield Ratio(f"edge error, % of width, {kind}", 100 * error, 1.5, note)


def same() -> np.random.Generator:
    return np.random.default_rng(1)


def limits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, places) the 5th and the 95th percentile."""
    return np.quantile(values, [0.05, 0.95], axis=0)


def cell_envelopes(points: OperatingPoints) -> NDArray[np.float64]:
    """Heights of envelopes of cells, from the very draws of the rows."""
    from costcurves.maths.cells import cells

    bounds, rng = cells(points), same()
    found = []
    for first in range(0, RESAMPLES, size := max(AT_ONCE // len(points.fp_count), 1)):
        count = min(size, RESAMPLES - first)
        drawn = [
            rng.multinomial(steps.sum() - 1, steps / steps.sum(), count)
            for steps in (np.diff(points.fp_count), np.diff(points.tp_count))
        ]
        above = [np.pad(np.cumsum(one, axis=1), ((0, 0), (1, 0)))[:, bounds] for one in drawn]
        found.append(heights(above[0], above[1], PLACES))
    return np.concatenate(found)


@case
def cross_validated_study() -> Iterator[Ratio]:
    """Bands of ten repeats of 690 instances: resampling, against the envelopes themselves."""
    labels = np.repeat([1, 0], [307, 383])
    scores = (RNG.normal(size=(10, 690)) + 1.5 * labels).ravel()
    rows = rc.Predicted(
        np.tile(np.arange(690), 10), np.tile(labels, 10), scores, np.repeat(np.arange(10), 690)
    )
    draws = weights(labels, RESAMPLES, RNG)
    times = in_turn(
        {
            "resamples": lambda: rc.envelopes_at(rows, draws, PLACES),
            "envelopes": lambda: lower_envelopes(
                from_scores(scores=scores, labels=rows.label, groups=rows.curve)
            ),
        },
        rounds=2,
    )
    note = times.shown("resamples", "envelopes")
    ratio = times.ratio("resamples", "envelopes") / RESAMPLES
    yield Ratio("one resample / the estimate", ratio, None, note)
