"""What looks wrong with instances: several ids, folds and an order that chance does not make."""

import unicodedata
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from costcurves.formats import count, counted, share
from costcurves.maths.chance.plausibility import beyond_chance, prints, runs, sums
from costcurves.maths.chance.resampling import FEWEST
from costcurves.names import quoted, some
from costcurves.tables.checks.plausibility_data import Data
from costcurves.tables.checks.plausibility_of_models import FEW
from costcurves.tables.findings import Found
from costcurves.tables.keys import group_codes, unit_of

LEVEL: Final = 0.001  # at which folds of a dataset, all repeats together, differ by chance
RUNS: Final = -5.0  # standard deviations
SORTED: Final = 4  # runs at most, or one for 40 instances: classes one after the other
MAJORITY: Final = 0.8  # positives
GROUPS: Final = 20  # of copies, which by chance would not all have the same size
ALIKE: Final = 0.8  # of copies: share that goes without the finest scores, or has the usual size
# Letters of other scripts that look like Latin ones.
LATIN: Final = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0430\u0435\u0455\u0456\u0458\u043e\u0440\u0441\u0443\u0445"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03bf\u03bd\u03b9",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXovi",
)


def repeats(data: Data) -> Iterator[Found]:
    """Find repeats of other instances, and repeats that are copies."""
    repeat, instance, names = data.codes("repeat"), data.codes("instance"), data.names("repeat")
    rows, size = data.judged, len(data.labels)
    if len(names) == 1:
        return
    held = int(group_codes(data.rows, ("repeat", "instance")).max()) + 1
    if held == size:
        sizes = np.unique(np.bincount(repeat[rows]))
        each = count(sizes[0]) if len(sizes) == 1 else f"{count(sizes[0])} to {count(sizes[-1])}"
        yield Found("disjoint-repeats", f"{len(names)} repeats of {each} cases")
        return
    each_row = prints(data.contents.view(np.int64), instance)
    for one in data.models:
        if one.more_than(FEW):
            totals = sums(each_row[one.rows], repeat[one.rows], len(names)).tolist()
            copies = [it for it, total in enumerate(totals) if totals.index(total) < it]
            if copies:
                pair = (copies[0], totals.index(totals[copies[0]]))
                which = "the first being {}, as {}".format(*(quoted(names[it]) for it in pair))
                seen = f"{len(copies)} of {counted(len(names), 'repeat')}, {which}"
                yield Found("copied-repeats", seen, one.name)


def copies(data: Data) -> Iterator[Found]:
    """Find instances whose label and predictions are all those of another."""
    whole, size = data.codes("instance"), len(data.labels)
    units = [data.codes(name) for name in ("model", "repeat")]
    each = prints(data.contents.view(np.int64), *units)
    alike = _alike(sums(each, whole, size), data.labels)
    groups = alike[alike > 1]
    if not len(groups):
        return
    every = int(np.gcd.reduce(alike))
    if every > 1 and len(alike) >= GROUPS:
        seen = f"{count(size)} ids, {count(len(alike))} of them different"
        yield Found("copied-instances", seen)
        return
    finest = max(data.models, key=lambda one: len(one.distinct), default=None)
    if finest is None:
        return
    first = finest.rows[units[1][finest.rows] == units[1][finest.rows[0]]]
    others = np.ones(len(each), dtype=np.bool_)
    others[first] = False
    coarser = _alike(sums(each[others], whole[others], size), data.labels)
    copies, without = int(groups.sum()), int(coarser[coarser > 1].sum())
    usual = np.bincount(groups).max()
    if (
        others.any()
        and len(groups) >= FEW
        and copies >= ALIKE * without
        and usual >= ALIKE * len(groups)
    ):
        yield Found("some-copies", f"{count(copies)} of {counted(size, 'case')}")


def _alike(found: NDArray[np.uint64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the instances of each fingerprint and label."""
    each = np.sort(prints(found.view(np.int64), labels))
    return np.diff(np.flatnonzero(np.diff(each, prepend=~each[:1])), append=len(each))


def folds(data: Data) -> Iterator[Found]:
    """Find folds that were not drawn at random: by their share of positives, and by ids."""
    if len(data.names("fold")) == 1:
        return
    repeat, fold = (data.codes(name)[data.judged] for name in ("repeat", "fold"))
    names, parts, instance = data.names("repeat"), data.names("fold"), data.codes("instance")
    label = data.labels[instance[data.judged]]
    place = np.argsort(data.by_id, kind="stable")
    far, blocks, folds = [], 0, 0
    for which, name in enumerate(names):
        own = np.flatnonzero(repeat == which)
        sizes = np.bincount(fold[own], minlength=len(parts))
        held = np.flatnonzero(sizes)
        folds += len(held)
        ones = np.bincount(fold[own], label[own], minlength=len(parts))[held].astype(np.int64)
        beyond = beyond_chance(ones, sizes[held], LEVEL / len(names))
        overall = share(ones.sum() / sizes.sum())
        far += [
            f"fold {quoted(parts[held[it]])} of repeat {quoted(name)} has "
            f"{share(ones[it] / sizes[held[it]])}, all folds {overall}"
            for it in np.flatnonzero(beyond)
        ]
        if len(place) and 1 < len(held) <= len(own) / FEW:
            lined = fold[own][np.argsort(place[instance[data.judged[own]]], kind="stable")]
            blocks += int(np.count_nonzero(np.diff(lined)) == len(held) - 1)
    if far and unit_of(data.rows) == "instance":  # whole clusters make folds more unequal
        yield Found("prevalence", f"{len(far)} of {counted(folds, 'fold')}: {far[0]}")
    if blocks:
        yield Found("block-folds", f"{blocks} of {counted(len(names), 'repeat')}")


def clusters(data: Data) -> Iterator[Found]:
    """Find clusters in several folds of a repeat, and classes with few clusters."""
    if unit_of(data.rows) == "instance":
        return
    every = len(data.names("cluster"))
    places = data.rows[["cluster", "repeat", "fold"]].drop_duplicates()
    split = places.loc[places.duplicated(["cluster", "repeat"]), "cluster"].nunique()
    if split:
        yield Found("split-clusters", f"{count(split)} of {counted(every, 'cluster')}")
    each = data.rows.groupby("label")["cluster"].nunique()
    if each.min() < FEWEST:
        seen = f"{count(each[1])} with positives, {count(each[0])} with negatives"
        yield Found("few-clusters", f"{counted(every, 'cluster')}: {seen}")


def labels(data: Data) -> Iterator[Found]:
    """Find labels in runs, and a positive class that is the majority by far."""
    positives, size = int(data.labels.sum()), len(data.labels)
    if positives >= MAJORITY * size:
        yield Found("mostly-positive", f"{share(positives / size)} of the cases")
    if len(data.by_id) and unit_of(data.rows) == "instance":
        found, z = runs(data.labels[data.by_id])
        if z < RUNS and found <= max(SORTED, size / 40):
            yield Found("sorted-labels", f"{counted(size, 'case')}, {found} runs")
        elif z < RUNS:
            expected = 1 + 2 * positives * (size - positives) / size
            random = f"{count(round(expected))} in random order"
            yield Found("label-runs", f"{count(found)} runs of equal labels, {random}")


def names(data: Data) -> Iterator[Found]:
    """Find names that look the same in different scripts."""
    for kind in ("model", "member", "repeat", "fold"):
        seen: dict[str, str] = {}
        for name in data.names(kind):
            plain = unicodedata.normalize("NFKC", name).translate(LATIN)
            first = seen.setdefault(plain, name)
            if first != name:
                of = f"{kind} {some([first, name])}"
                odd = (one for one, other in zip(name, first, strict=False) if one != other)
                letters = ", ".join(unicodedata.name(one, "?") for one in list(odd)[:3])
                yield Found("look-alikes", f"{of}; {letters.lower()} in the latter")
