"""What models cost under two reports on the same cases: differences, from predictions of both."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd

from costcurves import formats
from costcurves.maths.chance.intervals import Rate
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.study import Study, parse_study
from costcurves.tables.contract import stacked
from costcurves.tables.curves.headline import estimates_of, headline_of, means_of
from costcurves.tables.inference.resampling import are_paired
from costcurves.tables.input.predictions import stage_with_sources
from costcurves.tables.keys import IN_SAMPLE
from costcurves.tables.record.named import named
from costcurves.tables.results import Results

BEFORE, AFTER = "{} (before)", "{} (after)"
SAME: Final = (
    "{}: the same {} cases. Differences are cost after less cost before, case by case, "
    "with {} intervals, each by itself. A cost changed beyond chance if it did so at this "
    "confidence over all {} costs together (Bonferroni)."
)
AWAY: Final = "{}: not compared case by case, as predictions are not here; see --sources."
CHANGED: Final = "{}: not compared case by case, as predictions have changed since a report."
OTHERS: Final = "{}: not compared case by case, as {} differ."
HINDSIGHT: Final = "{}: not compared case by case, as thresholds were chosen in hindsight."
MOVED: Final = "{}, {}: not compared case by case, as it is another PC(+) before and after."
OF_CASES: Final = {
    "label": "labels",
    "case_weight": "weights",
    "cluster": "clusters",
    "cost_fp": "costs of false alarms",
    "cost_fn": "costs of misses",
}

Pair = tuple[str, str]  # a model before, and one after


class Difference(NamedTuple):
    """Cost after less cost before, with its own interval, and whether all of them exclude zero."""

    rate: Rate
    beyond: bool


Compared = dict[Pair, dict[tuple[str, str], Difference]]  # by quantity and condition
Uses = Mapping[tuple[str, str], dict[str, Any]]  # what to use, by dataset and condition


def paired(
    manifests: Sequence[Mapping[str, Any]], uses: Sequence[Uses], folders: Sequence[Path]
) -> tuple[dict[str, Compared], list[str]]:
    """Give cost(after) - cost(before) by dataset and pair, and say on which cases, or why not.

    Compared are each model whose predictions changed, and what is recommended where that changed.
    The sources of the first report are in the first folder, those of the second in the last.
    """
    asked = {
        (place[0], (uses[0][place]["cheapest"], row["cheapest"]))
        for place, row in uses[1].items()
        if place in uses[0]
    }
    data = [(it["sources"], it["given"]["datasets"]) for it in manifests]
    if data[0] == data[1] and all(was == now for _, (was, now) in asked):
        return {}, []
    before, after = (parse_study(it["given"], files=False) for it in manifests)
    known = {one.slug: one for one in before.datasets}
    places = zip(manifests, (folders[0], folders[-1]), strict=True)
    files = [named(manifest, [folder]) for manifest, folder in places]
    gone = CHANGED if any(it.wrong for it in files) else AWAY
    found, notes = dict[str, Compared](), list[str]()
    for one in [it for it in after.datasets if it.slug in known]:
        was = known[one.slug]
        sides = [_read(it, own.files) for it, own in zip((was, one), files, strict=True)]
        there = [it for it in sides if it is not None]
        also = [pair for name, pair in asked if name == one.original]
        own = {it: row["pc"] for it, row in uses[1].items() if it[0] == one.original}
        moved = [it for it, pc in own.items() if uses[0].get(it, {"pc": pc})["pc"] != pc]
        at = {it[1]: pc for it, pc in own.items() if it not in moved}
        means = (before.prior, was.prior) == (after.prior, one.prior)
        note, found[one.slug] = _compared(after, one, there, also, at, gone, means=means)
        found[one.name] = found[one.slug]
        notes += [note] if note else []
        notes += [MOVED.format(one.title, it[1]) for it in moved if len(there) == 2]
    return found, notes


def _read(dataset: Dataset, files: Mapping[str, Path]) -> pd.DataFrame | None:
    there = tuple(str(files[path]) for path in dataset.predictions if path in files)
    if len(there) < len(dataset.predictions):
        return None
    return stage_with_sources(replace(dataset.as_read, predictions=there))[0]


def _compared(
    study: Study,
    dataset: Dataset,
    sides: Sequence[pd.DataFrame],
    asked: Iterable[Pair],
    conditions: Mapping[str, float | None],
    gone: str,
    *,
    means: bool,
) -> tuple[str, Compared]:
    """Take the models of both sides as those of one dataset, and say what is compared."""
    if len(sides) < 2:
        return gone.format(dataset.title), {}
    rows = {
        form.format(model): own.assign(model=pd.Categorical([form.format(model)] * len(own)))
        for form, side in zip((BEFORE, AFTER), sides, strict=True)
        for model, own in side.groupby("model", observed=True)
    }
    pairs = {
        it: own
        for it in [*((name, name) for name in sides[1]["model"].unique()), *asked]
        if {*(own := (AFTER.format(it[1]), BEFORE.format(it[0])))} <= {*rows}
        and not _same(rows[own[0]], rows[own[1]])
    }
    if not pairs:
        return "", {}
    models = [*dict.fromkeys(name for names in pairs.values() for name in names)]
    whole = stacked([rows[name] for name in models])
    each = whole.groupby("instance", observed=True)[[*OF_CASES]].nunique(dropna=False)
    differ = [words for name, words in OF_CASES.items() if each[name].max() > 1]
    if not are_paired(whole, models):
        differ = ["cases or folds"]
    if differ:
        return OTHERS.format(dataset.title, " and ".join(differ)), {}
    results, level = Results(study, dataset, predictions=whole), study.inference.confidence
    if IN_SAMPLE in estimates_of(results.headline).values():
        return HINDSIGHT.format(dataset.title), {}
    over_all = means_of(results.weight_of_pc)
    whole_axis = {name: it for name, it in over_all.items() if means or name == "area"}
    differences = results.resampling.differences([*pairs.values()], headline_of(results.headline))
    at = {name: pc for name, pc in conditions.items() if pc is not None}
    count = (len(whole_axis) + len(at)) * sum(was == now for was, now in pairs)
    strict = 1 - (1 - level) / max(count, 1)
    found = {
        pair: {
            (name, ""): Difference(one.scalar(it, level), _beyond(one.scalar(it, strict)))
            for name, it in whole_axis.items()
        }
        | {
            ("cost", name): Difference(one.at(pc, level), _beyond(one.at(pc, strict)))
            for name, pc in at.items()
        }
        for pair, one in zip(pairs, differences, strict=True)
    }
    return SAME.format(dataset.title, len(each), formats.level(level), count), found


def _beyond(rate: Rate) -> bool:
    return not rate.low <= 0 <= rate.high


def _same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Say whether two models have the same rows, in whatever order."""
    texts = [it.drop(columns=["model", "dataset", "seen"]).astype("str") for it in (one, other)]
    first, second = (it.sort_values([*it]).reset_index(drop=True) for it in texts)
    return bool(first.equals(second))
