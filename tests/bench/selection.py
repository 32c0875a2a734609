"""Benches of choosing: cross-fitting, the other criteria, threshold choice."""

from collections.abc import Callable, Iterator

import numpy as np

from costcurves.maths import hybrids, selection, threshold_choice
from costcurves.maths.cross_fitting import cross_fitted, deployed
from costcurves.maths.curves import Curve, trivial
from costcurves.maths.envelopes import Envelope, lower_envelopes
from costcurves.maths.held_out import judged_on_held_out
from costcurves.maths.limits import held_out
from costcurves.maths.operating_points import OperatingPoints, from_scores
from costcurves.maths.selection import neyman_pearson, workforce
from tests.bench.cases import predictions
from tests.bench.measuring import Ratio, case, in_turn

ROWS = 10**6
COST: threshold_choice.Axis = "cost proportion"


def core(rows: int, folds: int = 10) -> Callable[[], list[Envelope]]:
    """Operating points and envelopes of all folds, to be called."""
    scores, labels, _ = predictions(rows)
    groups = np.arange(rows) * folds // rows
    return lambda: lower_envelopes(from_scores(scores=scores, labels=labels, groups=groups))


def fold_points(rows: int, folds: int = 10) -> OperatingPoints:
    """Operating points of the same folds."""
    scores, labels, _ = predictions(rows)
    return from_scores(scores=scores, labels=labels, groups=np.arange(rows) * folds // rows)


def others(points: OperatingPoints, optimum: Curve) -> None:
    """Every other criterion and curve of every fold, with areas, regret and closed forms."""
    for fold, envelope in zip(points, lower_envelopes(points), strict=True):
        for axis in ("skew", COST):
            threshold_choice.rate_driven_loss(fold, axis)
            threshold_choice.decomposition(fold, axis, envelope)
            threshold_choice.score_uniform(fold, axis)
            threshold_choice.rate_uniform(fold, axis)
            threshold_choice.optimal(fold, axis, envelope)
        threshold_choice.score_driven(fold, COST).curve.area()
        threshold_choice.rate_driven(fold, COST).curve.area()
        for served in (
            selection.score_fixed(fold, 0.5),
            selection.rate_fixed(fold, 0.3),
            selection.neyman_pearson(fold, 0.1, envelope),
            selection.workforce(fold, 0.1 * len(fold.fp_count), envelope),
            envelope,
        ):
            hybrids.regret(served.curve, optimum).area()
            hybrids.worse_than_trivial(served.curve)


@case
def choosing() -> Iterator[Ratio]:
    """Cross-fitting and the other criteria, 10 folds of 10^6 scores, over points and envelopes."""
    points = fold_points(ROWS)
    times = in_turn(
        {
            "core": core(ROWS),
            "cross-fit": lambda: cross_fitted(points),
            "others": lambda: others(points, trivial()),
            "deployed": lambda: deployed(points),
            "max FP rate": lambda: held_out(points, lambda pool: neyman_pearson(pool, 0.1)),
            "capacity": lambda: held_out(points, lambda pool: workforce(pool, 0.3 * ROWS)),
        }
    )
    note = times.shown("core", "cross-fit", "others", "deployed", "max FP rate", "capacity")
    yield Ratio("cross-fit / core", times.ratio("cross-fit", "core"), 15, note)
    yield Ratio("other criteria / core", times.ratio("others", "core"), 5, note)
    yield Ratio("deployed choice / core", times.ratio("deployed", "core"), None, note)
    for limit in ("max FP rate", "capacity"):
        yield Ratio(f"{limit}, cross-fit / core", times.ratio(limit, "core"), 5, note)


@case
def choosing_growth() -> Iterator[Ratio]:
    """Cross-fitting: growth with instances against n log n, and with folds against folds."""
    small, large, many = fold_points(ROWS // 10), fold_points(ROWS), fold_points(ROWS, folds=40)
    times = in_turn(
        {
            "10^5": lambda: cross_fitted(small),
            "10^6": lambda: cross_fitted(large),
            "40 folds": lambda: cross_fitted(many),
        },
        rounds=5,
    )
    note = times.shown("10^5", "10^6", "40 folds")
    yield Ratio("10^6 / 10^5, over n log n", times.ratio("10^6", "10^5") / 12, 1.25, note)
    yield Ratio("40 folds / 10 folds, over 4", times.ratio("40 folds", "10^6") / 4, 1.25, note)


@case
def choosing_averages() -> Iterator[Ratio]:
    """Means of curves with a piece for each instance: exact, and for information only."""
    points = fold_points(ROWS)
    times = in_turn(
        {
            "core": core(ROWS),
            "Brier": lambda: hybrids.average(
                [threshold_choice.score_driven(fold).curve for fold in points]
            ),
        },
        rounds=3,
    )
    note = times.shown("core", "Brier") + "; break points of all folds: 10^6"
    yield Ratio("mean of 10 Brier curves / core", times.ratio("Brier", "core"), None, note)


@case
def choosing_again() -> Iterator[Ratio]:
    """Cross-fitting of resamples: 2000 data sets of 10 folds on 512 cells."""
    rng = np.random.default_rng(20061)
    cells = rng.poisson(0.2, size=(2, 200, 10, 512))
    fp_count, tp_count = np.cumsum(cells, axis=-1)
    fn_count = tp_count[..., -1:] - tp_count
    size = np.full(10, 100)
    times = in_turn(
        {
            "core": core(ROWS),
            "200 data sets": lambda: judged_on_held_out(fp_count, fn_count, size, size),
        },
        rounds=3,
    )
    note = times.shown("core", "200 data sets") + "; ten such parts make 2000"
    value = 10 * times.ratio("200 data sets", "core")
    yield Ratio("2000 cross-fits / core", value, None, note)
