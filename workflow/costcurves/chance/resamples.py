"""Resampling: the headline curves in resamples of the instances, the same draws for all models.

The draws depend on the study's seed, the dataset's name and its instances only. So a stage may make
them again instead of keeping them, and they are the very same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.atomic import atomic
from costcurves.chance.largest import EQUAL
from costcurves.chance.resampled_bands import Resampled, difference, one_event, resampled
from costcurves.chance.resampled_counts import Predicted
from costcurves.chance.resampled_curves import (
    MADE_AGAIN,
    cross_fitted_at,
    envelopes_at,
    evaluation_grid,
    lines_at,
)
from costcurves.chance.resampling import Weights, generator, weights
from costcurves.choosing.headline import estimates_of, headline_of
from costcurves.counts.counted import models_of
from costcurves.counts.folds import RandomSplits, folded, random_splits
from costcurves.curves.curves import EQUAL_BREAKS, Curve, line, trivial
from costcurves.errors import InputError
from costcurves.settings import Inference
from costcurves.tables.codes import Floats, Integers, first_rows
from costcurves.tables.contract import stacked
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE, curve_codes, group_codes, unit_of
from costcurves.threads import on_threads

JUDGED = ("repeat", "fold", "instance")
OF_WEIGHTS = (  # that a file has
    *("scale", "share", "mean", "negatives", "positives", "odds", "per_cluster", "too_few", "dof"),
    "studentizer",
)
LEAST = 100  # resamples that choose again in each random split
KEYS = {"fold": ["repeat", "fold"], "repeat": ["repeat"], "pooled": ["dataset"]}


@dataclass(frozen=True, eq=False)
class ResampledInstances:
    """Predictions of one dataset, and resamples of its instances."""

    # `drawn` is the instance's place in the weights. Folds without a class are pooled, as in the
    # operating points.
    rows: pd.DataFrame
    splits: RandomSplits | None
    weights: Weights

    @property
    def repeats(self) -> int:
        """How many repeats there are, random splits among them."""
        return self.rows["repeat"].nunique() if self.splits is None else self.splits.repeats

    @property
    def shared(self) -> int:
        """Among how many random splits the resamples are shared out."""
        splits = 1 if self.splits is None else len(self.splits.orders)
        return splits if len(self.weights) >= LEAST * splits else 1

    @cached_property
    def _models(self) -> dict[str, pd.DataFrame]:
        return {str(rows["model"].iloc[0]): rows for rows in models_of(self.rows)}

    def of(self, model: str) -> pd.DataFrame:
        """Return the rows of a model; a value is a score or a decision, `crisp` says which."""
        return _below_each_other(self._models[model])

    def others(self, model: str) -> pd.DataFrame:
        """Return the rows of a model for a choice that is judged on other folds than made it."""
        rows = self._models[model]
        return _below_each_other(rows if self.splits is None else self.splits(rows))

    def predicted(self, rows: pd.DataFrame, level: str) -> tuple[Predicted, pd.DataFrame]:
        """Turn rows of a model into arrays, members in order of appearance, and name its curves."""
        curve, curves = curve_codes(rows, KEYS[level])
        members, _ = curve_codes(rows, ["member", "crisp"])
        predicted = Predicted(
            rows["drawn"].to_numpy(),
            rows["label"].to_numpy(),
            rows["value"].to_numpy(),
            curve.to_numpy(np.int64),
            members.to_numpy(np.int64) if members.any() else None,
        )
        return predicted, curves

    def folds(self, rows: pd.DataFrame) -> tuple[Predicted, NDArray[np.int64]]:
        """Turn rows of a model into arrays with a curve a fold, and give the repeat of each."""
        predicted, folds = self.predicted(rows, "fold")
        return predicted, pd.factorize(folds["repeat"])[0]

    def heights(self, model: str, estimate: str, level: str, at: Floats) -> Floats:
        """Resample what a model costs, by what kind of estimate its curve is."""
        if estimate == FIXED:
            return lines_at(*self.folds(self.of(model)), self.weights, at)
        if estimate == IN_SAMPLE:
            return envelopes_at(self.predicted(self.of(model), level)[0], self.weights, at)
        return cross_fitted_at(*self.folds(self.others(model)), self.weights, at, self.shared)


def resampled_instances(
    predictions: pd.DataFrame, resamples: int, seed: int, dataset: str
) -> ResampledInstances:
    """Draw the instances of one dataset, with the random numbers of that name."""
    place, first = by_name(predictions)
    each = (predictions[name].to_numpy()[first] for name in ("label", "weight", "case_weight"))
    labels, costs, cases = each
    clusters = None
    if unit_of(predictions) == "cluster":
        clusters = group_codes(predictions.iloc[first], ["cluster"])
    rng = generator(seed, dataset, "weights")
    drawn = weights(labels, resamples, rng, costs=costs, clusters=clusters, cases=cases)
    pooled = folded(predictions.assign(drawn=place))
    return ResampledInstances(pooled, random_splits(pooled, seed), drawn)


def by_name(predictions: pd.DataFrame) -> tuple[Integers, Integers]:
    """Return the place of each row's instance in the order of names, and the first row of each."""
    codes = group_codes(predictions, ["instance"])
    first = first_rows(codes)
    instances = predictions["instance"].array[first]
    order = instances.categories.take(instances.codes).astype("str").array.argsort()
    number = np.empty(len(first), dtype=np.int32)
    number[order] = np.arange(len(order))
    return number[codes], first[order]


def _below_each_other(rows: pd.DataFrame) -> pd.DataFrame:
    """Lay scores and decisions below each other, as one column of values."""
    parts = []
    for name, given in (("score", rows["score"].notna()), ("decision", rows["decision"] >= 0)):
        part = rows if given.all() else rows[given]
        parts.append(part.assign(crisp=name == "decision", value=part[name].astype(float)))
    return stacked(parts)


def are_paired(predictions: pd.DataFrame, models: Sequence[str]) -> bool:
    """Return whether models were predicted on the same instances and folds."""
    of_models = predictions["model"].isin(models).to_numpy()
    rows = predictions if of_models.all() else predictions[of_models]
    judged, model = group_codes(rows, list(JUDGED)), group_codes(rows, ["model"])
    by_model = np.zeros((int(judged.max(initial=-1)) + 1, len(models)), dtype=bool)
    by_model[judged, model] = True
    return bool(by_model.all())


def paired_models(predictions: pd.DataFrame, models: list[str]) -> list[str]:
    """List the models that were predicted on the same instances and folds, if all of them were."""
    return models if are_paired(predictions, models) else []


@dataclass(frozen=True, eq=False)
class Resamples:
    """Every model of one dataset in the same resamples."""

    models: tuple[str, ...]
    paired: bool  # whether all were predicted on the same instances and folds
    grid: Floats  # of evaluation: PC(+), rising from 0 to 1
    heights: Floats  # (models, resamples, grid)
    weights: Weights  # `unit`, `weight` and `drawn` say nothing once they are read from a file
    repeats: int  # the most of any model
    resamples: int
    seed: int
    dataset: str  # whose random numbers they are
    drawn: ResampledInstances | None = None  # None: they are read from a file

    @property
    def of_cases(self) -> bool:
        """Whether cases are drawn one by one, not clusters."""
        return self.weights.per_cluster == 1

    def of(self, model: str, curve: Curve, estimate: str) -> Resampled:
        """Join a model's headline curve and its resamples."""
        values = self.heights[self.models.index(model)]
        return joined(curve, estimate, self.grid, values, self.weights, self.repeats)

    def differences(
        self, pairs: Sequence[tuple[str, str]], curves: Mapping[str, Curve]
    ) -> Iterator[Resampled]:
        """Join the difference of each two models' headline curves and its resamples, one by one."""
        models = {model for pair in pairs for model in pair}
        each = {model: self.of(model, curves[model], CROSS_FITTED) for model in models}
        # Where nothing is known of the spread, a band goes as far as a difference can.
        bounds = (line(-1, -1), line(1, 1)) if self.weights.too_few else None
        return (replace(difference(each[a], each[b]), bounds=bounds) for a, b in pairs)


def check_models(predictions: pd.DataFrame, inference: Inference) -> None:
    """Make sure that all models of a dataset can be compared, if any can."""
    models = list(predictions["model"].unique())
    why = inference.too_many(len(models))
    if why and are_paired(predictions, models):
        raise InputError([f"{predictions['dataset'].iloc[0]}: {why}"])


def resampling(
    predictions: pd.DataFrame,
    headline: pd.DataFrame,
    *,
    level: str,
    marked: Sequence[float],
    inference: Inference,
    seed: int,
    dataset: str,
    threads: int = 1,
) -> Resamples:
    """Resample the instances of one dataset, and choose every threshold again in each resample.

    Each `dataset` has random numbers of its own, which one weighted by cost shares.
    """
    curves, estimates = headline_of(headline), estimates_of(headline)
    check_models(predictions, inference)
    resamples = inference.drawn(len(curves))
    drawn = resampled_instances(predictions, resamples, seed, dataset)
    at = _apart(evaluation_grid(list(curves.values()), marked), marked)

    def values(model: str) -> Floats:
        return drawn.heights(model, estimates[model], level, at)

    return Resamples(
        tuple(curves),
        are_paired(predictions, [*curves]),
        at,
        np.stack(on_threads(values, estimates, threads)),
        drawn.weights,
        drawn.repeats,
        resamples,
        seed,
        dataset,
        drawn,
    )


def _apart(grid: Floats, kept: Sequence[float]) -> Floats:
    """Leave out places that are another rounding of a neighbour, but none that is to be kept.

    Between two roundings a line would be as steep as can be.
    """
    close, stays = np.diff(grid) <= EQUAL_BREAKS, np.isin(grid, [0.0, 1.0, *kept])
    left_out = np.append(False, close & ~stays[1:])
    left_out[:-1] |= close & stays[1:] & ~stays[:-1]
    return np.asarray(grid[~left_out])


def joined(
    curve: Curve, estimate: str, grid: Floats, values: Floats, weights: Weights, repeats: int
) -> Resampled:
    """Join a curve and its heights in the resamples, by what kind of estimate it is.

    Where a cross-fitted curve is no cheaper than a constant decision, choices are about to switch
    to that one, which costs the same in every resample: choices that are kept hardly vary, and the
    spread is that of choices made again.
    """
    whole = resampled(curve, grid, values, weights, estimate != FIXED, repeats)
    if estimate != CROSS_FITTED:
        return whole
    switching = curve(grid) >= trivial()(grid) * (1 - EQUAL)
    again = np.where(switching, whole.spread / MADE_AGAIN, 0.0)
    events = np.maximum(one_event(grid, whole.sizes), again)
    # What other folds chose may cost more than a no-model baseline.
    return replace(whole, events=events, bounds=(line(0, 0), line(1, 1)))


def write_resamples(resamples: Resamples, path: str | Path) -> None:
    """Write the resamples of a dataset, whole or not at all; the same give the same bytes."""
    arrays = vars(resamples) | {name: getattr(resamples.weights, name) for name in OF_WEIGHTS}
    del arrays["weights"], arrays["drawn"]
    with atomic(path) as file:
        np.savez(file, allow_pickle=False, **arrays)


def read_resamples(path: str | Path) -> Resamples:
    """Read what `write_resamples` wrote."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    values: dict[str, Any] = {
        name: array if array.ndim else array.item() for name, array in arrays.items()
    }
    known = {name: values.pop(name) for name in OF_WEIGHTS}
    none, empty = np.empty((values["resamples"], 0), dtype=np.float32), np.empty(0, dtype=np.int64)
    weights = Weights(unit=empty, holds=none > 0, weight=None, drawn=none, **known)
    return Resamples(**values | {"models": tuple(values["models"].tolist()), "weights": weights})
