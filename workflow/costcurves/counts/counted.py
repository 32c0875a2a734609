"""Operating points: what every threshold, decision or member classifier gets wrong, as counts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.counts.cost_weights import EXACT_TOTAL
from costcurves.counts.folds import SPLIT, RandomSplits, folded, random_splits
from costcurves.counts.operating_points import OperatingPoints, from_decisions, from_scores
from costcurves.counts.ragged import batches, offsets_of, rows_of_slices
from costcurves.tables.codes import first_rows
from costcurves.tables.keys import CURVE_NAMES, LEVELS, curve_codes, group_codes
from costcurves.threads import on_threads

# Each weight, and what it is where all instances weigh 1.
COUNTS: Final = {
    "fp_weight": "fp_count",
    "tp_weight": "tp_count",
    "negatives_weight": "negatives",
    "positives_weight": "positives",
}

SET_TEXTS: Final = [*CURVE_NAMES, "member"]
SET_NAMES: Final = [*SET_TEXTS, "train_pc"]
AT_ONCE: Final = 2**20  # rows of small models that are counted together
PASS: Final = ["repeat", "fold"]


@dataclass(frozen=True, eq=False)
class Counted:
    """Operating points of all curves at one level, scores apart from decisions."""

    points: OperatingPoints  # their counts, and
    weighed: OperatingPoints  # what these weigh: the same thing where cases count the same
    names: pd.DataFrame  # of each curve: `SET_NAMES`, its number `curve`, the model's `place`

    def rank(self) -> tuple[int, bool]:
        """Rank by level, and scores before decisions."""
        return [*LEVELS, SPLIT].index(self.level), not self.scored

    @property
    def level(self) -> str:
        """The level of its curves."""
        return str(self.names["level"].iloc[0])

    @property
    def scored(self) -> bool:
        """Whether its points are thresholds of scores."""
        return not np.isnan(self.points.threshold[0])

    def ranks(self) -> pd.Series:
        """Return which curves are of a model's scores, one for each instance."""
        return self.names["member"].eq("") & self.scored


def models_of(predictions: pd.DataFrame, rows: int = 1) -> list[pd.DataFrame]:
    """Cut predictions into those of each model, or of a few with about `rows` rows together."""
    codes = group_codes(predictions, ["model"])
    starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    if len(starts) > int(codes.max()) + 1:  # rows of a model are apart, as they never are if staged
        return models_of(predictions.iloc[np.argsort(codes, kind="stable")], rows)
    ends = np.append(starts, len(codes))
    return [predictions.iloc[ends[a] : ends[b]] for a, b in batches(ends, rows)]


def counted(predictions: pd.DataFrame, seed: int, threads: int = 1) -> list[Counted]:
    """Count what every threshold gets wrong per fold, per repeat and over all.

    Of a test set without folds also per fold that it is split into at random.
    """
    pooled = folded(predictions)
    splits = random_splits(pooled, seed)
    places = {model: place for place, model in enumerate(pooled["model"].unique())}

    parts = chain.from_iterable(
        on_threads(lambda rows: [*_counted(rows, splits)], models_of(pooled, AT_ONCE), threads)
    )
    placed = (
        replace(part, names=part.names.assign(place=part.names["model"].map(places)))
        for part in parts
    )
    return sorted(placed, key=Counted.rank)


def _counted(rows: pd.DataFrame, splits: RandomSplits | None) -> Iterator[Counted]:
    """Count at each level for some of the models."""
    last: list[Counted] = []
    for level, keys, is_new in levels(rows):
        last = count(rows, level, keys) if is_new else last
        last = [replace(part, names=part.names.assign(level=level, **keys)) for part in last]
        yield from last
    split = rows if splits is None else splits(rows)
    if split is not rows:
        yield from count(split, SPLIT, {})


def dataset_of(counted: Sequence[Counted]) -> str:
    """Return the name of the dataset whose predictions were counted."""
    return str(counted[0].names["dataset"].iloc[0])


def counted_in_folds(predictions: pd.DataFrame) -> list[Counted]:
    """Count what every threshold gets wrong per fold alone."""
    return count(folded(predictions), "fold", {})


def levels(rows: pd.DataFrame) -> Iterator[tuple[str, dict[str, str], bool]]:
    """Yield each level, the keys over which it pools, and whether its curves are new.

    Where there is one fold, or one repeat, levels have the same curves by other names. In `rows`
    folds without a class are pooled.
    """
    before, passes = 0, curve_codes(rows, PASS)[1]
    counts = len(passes), passes["repeat"].nunique(), 1
    for level, count, over in zip(LEVELS, counts, ([], ["fold"], PASS), strict=True):
        yield level, dict.fromkeys(over, ""), count != before
        before = count


def count(rows: pd.DataFrame, level: str, keys: Mapping[str, str]) -> list[Counted]:
    """Count what is decided at a level, and weigh it where instances weigh differently."""
    parts = []
    for scored, given in ((True, rows["score"].notna()), (False, rows["decision"] >= 0)):
        if given.any():
            parts.append(_count(rows if given.all() else rows[given], level, keys, scored))
    return parts


def _count(rows: pd.DataFrame, level: str, keys: Mapping[str, str], scored: bool) -> Counted:
    codes, names = curve_codes(rows, [name for name in SET_TEXTS if name not in ("level", *keys)])
    train_pc = rows["train_pc"].to_numpy()[first_rows(codes.to_numpy())]
    names = names.assign(train_pc=train_pc, level=level, **keys)[SET_NAMES]
    given: Any = {"labels": rows["label"], "groups": codes if len(names) > 1 else None}
    make: Any = partial(from_scores, scores=rows["score"], **given)
    if not scored:
        make = partial(from_decisions, decisions=rows["decision"], **given)
    points, weight = make(), rows["weight"]
    weighed = points if (weight == 1).all() else make(weights=weight)
    return Counted(points, weighed, names.assign(curve=np.arange(len(points))))


def of_curves(points: OperatingPoints, curves: NDArray[np.integer]) -> OperatingPoints:
    """Take some of the curves, in the order in which they are named; all of them are no copy."""
    if np.array_equal(curves, np.arange(len(points))):
        return points
    sizes = np.diff(points.offsets)[curves]
    rows = rows_of_slices(points.offsets[curves], sizes)
    return points.taken(rows, offsets_of(sizes), curves)


def end_to_end(parts: Sequence[OperatingPoints]) -> OperatingPoints:
    """Put curves behind each other; those of one part are no copy."""
    if len(parts) == 1:
        return parts[0]
    return OperatingPoints(
        np.concatenate([part.fp_count for part in parts]),
        np.concatenate([part.tp_count for part in parts]),
        np.concatenate([part.threshold for part in parts]),
        offsets_of(np.concatenate([np.diff(part.offsets) for part in parts])),
        np.concatenate([part.negatives for part in parts]),
        np.concatenate([part.positives for part in parts]),
    )


def from_table(
    points: pd.DataFrame, by: Sequence[str] = CURVE_NAMES
) -> tuple[OperatingPoints, pd.DataFrame]:
    """Read a table's curves, rows of whole curves, back as counts, and what names each curve.

    Counts are the weights, as integers where they are whole.
    """
    codes, curves = curve_codes(points, list(by))
    offsets = offsets_of(np.bincount(codes.to_numpy(), minlength=len(curves)))
    fp, tp, negatives, positives = (points[name].to_numpy() for name in COUNTS)
    first, threshold = offsets[:-1], points["threshold"].to_numpy()
    ragged = OperatingPoints(fp, tp, threshold, offsets, negatives[first], positives[first])
    return as_counts(ragged), curves


def as_counts(points: OperatingPoints) -> OperatingPoints:
    """Return weights as integers where all are whole and below 2^31, like counts; else as floats.

    >>> half = OperatingPoints(*np.ones((3, 1)), np.array([0, 1]), *np.array([[2.5], [2.0]]))
    >>> as_counts(half).fp_count, as_counts(replace(half, negatives=np.array([2.0]))).fp_count
    (array([1.]), array([1]))
    """
    weights = points.fp_count, points.tp_count, points.negatives, points.positives
    whole = all(
        array.max(initial=0) < EXACT_TOTAL
        and (array.dtype.kind == "i" or (array == np.rint(array)).all())
        for array in weights
    )
    kind = np.int64 if whole else np.float64
    fp, tp, negatives, positives = (array.astype(kind, copy=False) for array in weights)
    return OperatingPoints(fp, tp, points.threshold, points.offsets, negatives, positives)


def is_weighted(points: pd.DataFrame) -> bool:
    """Return whether instances have different weights."""
    return any((points[weight] != points[count]).any() for weight, count in COUNTS.items())
