"""A model's operating points by classifier: by fold, as each is trained anew, and by member.

A curve holds all that a model has on a fold: the thresholds of its scores, its decision, and those
of all members of a family. A choice that is made on some folds and judged on others needs to know
which of them are the same thing on all folds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.counts.counted import Counted, as_counts, end_to_end, of_curves
from costcurves.counts.folds import SPLIT
from costcurves.counts.operating_points import OperatingPoints, union
from costcurves.tables.keys import curve_codes

CLASSIFIER: Final = ["repeat", "fold", "member", "crisp"]


@dataclass(frozen=True, eq=False)
class Classifiers:
    """One model's classifiers, with their operating points, at one level of pooling."""

    points: OperatingPoints  # a curve for each
    # Of each: repeat, fold, member (empty: none), train_pc, crisp (a decision), and how many
    # negatives and positives it was judged on.
    names: pd.DataFrame
    split: "Classifiers | None" = None  # the same on folds split at random

    @property
    def others(self) -> "Classifiers":
        """The same where other folds choose than are judged, or split at random, without folds."""
        return self if self.split is None else self.split

    @property
    def curves(self) -> OperatingPoints:
        """The points of each fold, of all classifiers together."""
        fold = self.codes("repeat", "fold")
        return self.points if len(fold) == fold.max() + 1 else union(self.points, fold)

    @property
    def ranking(self) -> "Classifiers":
        """The scores of a model that is no family; without a classifier if there are none."""
        return self.where(~self.names["crisp"] & self.names["member"].eq(""))

    @property
    def decisions(self) -> "Classifiers":
        """The decisions of a family's members; without a classifier if there are none."""
        return self.where(self.names["crisp"] & self.names["member"].ne(""))

    def where(self, which: pd.Series) -> "Classifiers":
        """Keep some classifiers, in their order."""
        kept = np.flatnonzero(which)
        names = self.names.iloc[kept].reset_index(drop=True)
        return Classifiers(of_curves(self.points, kept), names)

    def codes(self, *by: str) -> NDArray[np.int64]:
        """Return their values of some columns of `names` numbers, in order of appearance."""
        return curve_codes(self.names, list(by))[0].to_numpy(dtype=np.int64)

    def layout(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Say which repeat, fold and member each is, as `choosing.candidates.layout` has it."""
        return self.codes("repeat"), self.codes("repeat", "fold"), self.codes("member", "crisp")

    @property
    def passes(self) -> int:
        """How often the data were gone through: the repeats."""
        return int(self.names["repeat"].nunique())

    @property
    def one_pass(self) -> float:
        """Instances of one pass over the data: the mean over repeats."""
        return float(self.folds()[["negatives", "positives"]].to_numpy().sum() / self.passes)

    def folds(self) -> pd.DataFrame:
        """List the folds, each with its class sizes: `repeat fold negatives positives`."""
        folds = self.names[["repeat", "fold", "negatives", "positives"]]
        return folds.drop_duplicates(["repeat", "fold"], ignore_index=True)

    def is_weighted(self) -> bool:
        """Return whether instances have different weights, by what mistakes on them cost."""
        weights = np.stack([self.points.negatives, self.points.positives], axis=1)
        return bool((weights != self.names[["negatives", "positives"]]).any(axis=None))

    def is_probability(self) -> bool:
        """Return whether all scores of the classifiers lie in [0, 1]."""
        low, high = self.score_range()
        return low >= 0 and high <= 1

    def score_range(self) -> tuple[float, float]:
        """Return the lowest and the highest score; NaN where there are none."""
        scores = self.points.threshold[np.isfinite(self.points.threshold)]
        return (float(scores.min()), float(scores.max())) if len(scores) else (np.nan, np.nan)


def classifiers(counted: Sequence[Counted], level: str = "fold") -> dict[str, Classifiers]:
    """Take the operating points of each model apart.

    They are in order of appearance by repeat, fold, member and whether they are crisp.
    """
    places = pd.concat([part.names[["model", "place"]] for part in counted]).drop_duplicates()
    each = {}
    for model in places.sort_values("place")["model"]:
        at_level, split = (_of_model(counted, model, name) for name in (level, SPLIT))
        if at_level:
            each[str(model)] = replace(at_level, split=split)
    return each


def _of_model(counted: Sequence[Counted], model: str, level: str) -> Classifiers | None:
    """Collect the curves of one model at a level."""
    points, names = [], []
    for part in (part for part in counted if part.level == level):
        curves = np.flatnonzero(part.names["model"].eq(model))
        if len(curves):
            sizes = {
                "negatives": part.points.negatives[curves],
                "positives": part.points.positives[curves],
            }
            points.append(of_curves(part.weighed, curves))
            names.append(part.names.iloc[curves].assign(crisp=not part.scored, **sizes))
    if not points:
        return None
    whole, rows = end_to_end(points), pd.concat(names, ignore_index=True)
    first = whole.offsets[:-1]
    fold = curve_codes(rows, ["repeat", "fold"])[0]
    order = np.lexsort((whole.tp_count[first], whole.fp_count[first], fold))
    columns = [*CLASSIFIER, "train_pc", "negatives", "positives"]
    names_in_order = rows[columns].iloc[order].reset_index(drop=True)
    return Classifiers(as_counts(of_curves(whole, order)), names_in_order)


def equal_classifiers(counted: Sequence[Counted]) -> dict[str, Classifiers]:
    """Take the pooled operating points apart where cases count the same; else give nothing.

    Losses by class proportion are means over cases, in which costs of instances have no place.
    """
    weighted = any(part.weighed is not part.points for part in counted)
    return {} if weighted else classifiers(counted, "pooled")
