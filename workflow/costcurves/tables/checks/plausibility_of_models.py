"""What looks wrong with models: how they rank, which scores they have, whether they are copies."""

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from costcurves.formats import amount, cost, count, counted, share
from costcurves.maths.chance.plausibility import prints
from costcurves.names import quoted
from costcurves.tables.checks.plausibility_data import Data, Model
from costcurves.tables.codes import Integers
from costcurves.tables.curves.ranked import above_chance
from costcurves.tables.findings import Found
from costcurves.tables.keys import group_codes, unit_of

# Models that know nothing, cross-validated, rank worse than this once in thousands of times: as
# each fold is one that others were trained on, their spread is up to 1.4 times that of chance
# (simulated for nearest neighbours, nearest mean and linear discriminant).
REVERSED: Final = -5.0
DOUBTFUL: Final = -3.0  # likewise, once in fifty times
ORDINARY: Final = 0.9  # AUC elsewhere that makes a perfect fold no surprise
OF_CLASS: Final = 10  # instances of a fold, of each class, that are hardly perfect by chance
FEW: Final = 10  # scores, of which more tell instances apart
MANY: Final = 50  # instances of which few scores are worth a word
OUTSIDE: Final = 0.1  # of scores, that tells another scale from rounding
FOLLOWS: Final = 0.75  # share of pairs, from which on decisions are made of scores
APART: Final = 0.1  # mean score from the share of positives, and 10 standard deviations


def ranking(data: Data) -> Iterator[Found]:
    """Find models that rank worse than chance, or without a mistake."""
    # Cases of a cluster say together as much as one at the least.
    alike = math.sqrt(len(data.labels) / len(data.names(unit_of(data.rows))))
    above = above_chance(data.counted).set_index("model")["auc_z"] / alike
    for model, own in data.folds.groupby("model", sort=False):
        name, auc, z = str(model), float(own["auc"].mean()), float(above.get(model, math.nan))
        if z < DOUBTFUL:
            yield Found("reversed" if z < REVERSED else "below-chance", f"AUC {cost(auc)}", name)
        perfect = own["auc"].eq(1)
        if perfect.all():
            yield Found("perfect", "AUC 1", name)
            continue
        elsewhere = float(own.loc[~perfect, "auc"].mean())
        large = own[["negatives", "positives"]].min(axis=1).ge(OF_CLASS) & own["fold"].ne("")
        if (perfect & large).any() and elsewhere < ORDINARY:
            first = own[perfect & large].iloc[0]
            folds = f"{int(perfect.sum())} of {counted(len(own), 'fold')}, the first being"
            where = f"{folds} fold {quoted(first['fold'])} of repeat {quoted(first['repeat'])}"
            yield Found("perfect-folds", f"{where}; mean AUC of the others {cost(elsewhere)}", name)


def decisions(data: Data) -> Iterator[Found]:
    """Find models whose decisions do not follow their scores: in each fold the higher is positive.

    Thresholds may differ between folds, and a class of several be the most likely one of all: then
    decisions follow the score, if not to the last. Those of the predicted class are never low.
    """
    decision = data.rows["decision"].to_numpy()
    if (decision < 0).all():
        return
    fold = group_codes(data.rows, ("repeat", "fold"))
    for one in data.models:
        decided = decision[one.rows]
        if (decided < 0).any() or decided.min() == decided.max():
            continue
        follow = _following(one.scores, decided, fold[one.rows])
        highest = 1 if one.is_share else 100
        confident = one.ends[0] >= highest / 2 and one.ends[1] <= highest
        if follow < FOLLOWS or (confident and follow < 1):
            least = f"none is below {amount(highest / 2)}; " if confident else ""
            seen = f"{least}a case decided positive outscores one decided negative in"
            yield Found("contradiction", f"{seen} {share(follow)} of pairs", one.name)


def _following(scores: NDArray[np.float64], decided: NDArray[Any], fold: Integers) -> float:
    """Give the share of pairs, decided differently in a fold, whose scores differ likewise."""
    above = pairs = 0  # twice
    order = np.lexsort((scores, fold))
    for own in np.split(order, np.flatnonzero(np.diff(fold[order])) + 1):
        _, tied = np.unique(scores[own], return_inverse=True)
        ones, every = (np.bincount(tied[it]) for it in (decided[own] == 1, slice(None)))
        ones = np.pad(ones, (0, len(every) - len(ones)))
        zeros = every - ones
        above += int((ones * (2 * np.cumsum(zeros) - zeros)).sum())
        pairs += int(2 * ones.sum() * zeros.sum())
    return above / pairs if pairs else 1.0


def spread(data: Data) -> Iterator[Found]:
    """Find models with few different scores."""
    instance = data.codes("instance")
    constant = data.folds.groupby("model", sort=False)[["lowest", "highest"]]
    for one in data.models:
        folds = constant.get_group(one.name)
        if folds["lowest"].eq(folds["highest"]).all():
            yield Found("constant-scores", "", one.name)
        elif not one.more_than(2):
            yield Found("two-scores", " and ".join(map(amount, one.distinct)), one.name)
        elif not one.more_than(FEW) and np.bincount(instance[one.rows]).astype(bool).sum() >= MANY:
            yield Found("few-scores", count(len(one.distinct)), one.name)


def scales(data: Data) -> Iterator[Found]:
    """Find scores that are no probabilities where others are, and probabilities that can't be."""
    beside = any(one.is_share and one.more_than(2) for one in data.models)
    for one in data.models:
        outside = one.scores[(one.scores < 0) | (one.scores > 1)]
        size, many = len(one.scores), len(outside)
        if not many:
            yield from _calibration(data, one)
        elif (outside == outside[0]).all() and not -1 < outside[0] < 2 and many <= OUTSIDE * size:
            code = amount(float(outside[0]))
            yield Found("missing-code", f"{code} in {count(many)} of {count(size)} rows", one.name)
        elif folds := _inside(data, one, many):
            yield Found("mixed-scales", folds, one.name)
        elif beside and many > OUTSIDE * size:
            seen = "from {} to {}".format(*map(amount, one.ends))
            yield Found("beside-probabilities", seen, one.name)


def _inside(data: Data, one: Model, outside: int) -> str:
    """Say in how many folds scores are from 0 to 1, while in the others most are not."""
    own = data.folds[data.folds["model"] == one.name]
    inside = own["lowest"].ge(0) & own["highest"].le(1)
    sizes = own["negatives"] + own["positives"]
    few = sizes[inside].lt(OF_CLASS).any() or sizes[inside].sum() < 3 * OF_CLASS
    return "" if few or outside * 2 <= sizes[~inside].sum() else f"{inside.sum()} of {len(own)}"


def _calibration(data: Data, one: Model) -> Iterator[Found]:
    """Hold the mean of scores from 0 to 1 to the share of positives."""
    positives = int(data.rows["label"].to_numpy()[one.rows].sum())
    size, mean = len(one.rows), _mean(one.scores)
    off, spread = abs(mean - positives / size), math.sqrt(_mean(one.scores * (1 - one.scores)))
    if one.more_than(2) and off > max(APART, 10 * spread / math.sqrt(size)):
        seen = f"mean {cost(mean)}, {share(positives / size)} positive"
        yield Found("uncalibrated", seen, one.name)


def _mean(shares: NDArray[np.float64]) -> float:
    """Average numbers from 0 to 1 on a grain, so in any order the same."""
    return int(np.rint(shares * 2.0**32).astype(np.int64).sum()) / 2**32 / len(shares)


def models(data: Data) -> Iterator[Found]:
    """Find models that have every score of an earlier one."""
    known: dict[tuple[int, int], str] = {}
    units = (data.codes(name) for name in ("instance", "repeat"))
    each = prints(data.contents.view(np.int64), *units)
    for one in data.models:
        if one.more_than(FEW):
            key = (len(one.rows), int(each[one.rows].sum()))
            first = known.setdefault(key, one.name)
            if first != one.name:
                yield Found("identical-models", "", first, one.name)
