"""Predictions as checks of their plausibility need them: codes, labels, fingerprints."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.chance.plausibility import prints
from costcurves.tables.codes import Integers, by_appearance, first_rows
from costcurves.tables.curves.operating_points import Counted, measured_curves
from costcurves.tables.findings import Found
from costcurves.tables.keys import group_codes

FIRST: Final = 1000  # scores of a model


@dataclass(frozen=True, eq=False)
class Model:
    """A model that ranks: its name, its rows, and their scores."""

    name: str
    rows: NDArray[np.int64]
    scores: NDArray[np.float64]

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        return float(self.scores.min()), float(self.scores.max())

    @cached_property
    def distinct(self) -> NDArray[np.float64]:
        """The distinct scores in order."""
        ordered = np.sort(self.scores)  # `np.unique` would hash them, which takes longer
        return ordered[np.diff(ordered, prepend=-np.inf) > 0]

    @property
    def is_share(self) -> bool:
        """Whether all scores are from 0 to 1, as probabilities are."""
        return self.ends[0] >= 0 and self.ends[1] <= 1

    def more_than(self, count: int) -> bool:
        """Say whether there are more distinct scores, which the first ones mostly show."""
        return len(np.unique(self.scores[:FIRST])) > count or len(self.distinct) > count


@dataclass(frozen=True)
class Data:
    """The predictions of a dataset, and the operating points of their curves."""

    rows: pd.DataFrame
    counted: Sequence[Counted]

    @property
    def seen(self) -> Iterator[Found]:
        """What was found as the files were read."""
        each = self.rows["seen"].cat.categories if len(self.rows) else ()
        return (Found(*one) for text in each for one in json.loads(text or "[]"))

    def codes(self, name: str) -> Integers:
        """Give a column of text as numbers, from 0 by first appearance."""
        return self._factors[name][0]

    def names(self, name: str) -> pd.Index:
        """Give the texts of a column by first appearance."""
        return self._factors[name][1]

    @cached_property
    def _factors(self) -> dict[str, tuple[Integers, pd.Index]]:
        found = {}
        for name in ("model", "member", "repeat", "fold", "instance", "cluster"):
            own, texts = self.rows[name].cat.codes.to_numpy(), self.rows[name].cat.categories
            codes = by_appearance(own, len(texts))
            found[name] = codes, texts[own[first_rows(codes)]]
        return found

    @cached_property
    def judged(self) -> Integers:
        """The first row of each instance in each repeat and fold."""
        return first_rows(group_codes(self.rows, ("instance", "repeat", "fold")))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """The label of each instance."""
        found = np.zeros(len(self._factors["instance"][1]), dtype=np.int64)
        found[self.codes("instance")] = self.rows["label"].to_numpy()
        return found

    @cached_property
    def contents(self) -> NDArray[np.uint64]:
        """The fingerprint of what each row predicts of its instance, and as which member."""
        columns = (self.rows[name].to_numpy() for name in ("score", "decision"))
        return prints(self.codes("member"), *columns)

    @cached_property
    def models(self) -> list[Model]:
        """The models that rank: those with one score for each instance of a fold."""
        model, scores = self.codes("model"), self.rows["score"].to_numpy()
        ranks = ~np.isnan(scores) & self.rows["member"].eq("").to_numpy()
        order = np.argsort(model, kind="stable")
        order = order[ranks[order]]
        parts = np.split(order, np.flatnonzero(np.diff(model[order])) + 1) if len(order) else []
        names = self.names("model")
        return [Model(names[model[rows[0]]], rows, scores[rows]) for rows in parts]

    @cached_property
    def folds(self) -> pd.DataFrame:
        """Of each fold and model that ranks: `auc`, `lowest` and `highest` score, counts."""
        curves = measured_curves(self.counted)
        return curves[curves["ranks"] & curves["level"].eq("fold")].reset_index(drop=True)

    @cached_property
    def by_id(self) -> NDArray[np.int64]:
        """The instances in the order of their ids, where all are whole numbers, or all times."""
        ids = self._factors["instance"][1].astype("str")
        with suppress(ValueError, OverflowError):
            whole = ids.str.fullmatch("-?[0-9]+").all()
            places = ids if whole else pd.to_datetime(ids, format="ISO8601", utc=True).as_unit("us")
            return np.argsort(places.astype(np.int64), kind="stable")
        return np.empty(0, dtype=np.int64)
