"""Criteria that keep a limit: a highest FP rate, or a workforce's capacity."""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

import numpy as np

from costcurves.maths.choosing import limits as maths
from costcurves.maths.choosing import selection as rules
from costcurves.maths.choosing.hybrids import Hybrid, average
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve, Extreme
from costcurves.settings import NEEDS, Selection
from costcurves.tables.curves.classifiers import Classifiers
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.tables.selection.criterion import Criterion, Floats, Model, criterion_of
from costcurves.tables.selection.unlimited import CrossFitted

ROUNDING: Final = 1e-9  # of cases: a limit that is met exactly is not broken
DOTTED: Final = (0, (1, 1.2))
HELD_OUT: Final = ("held_out_fp", "held_out_tp", "held_out", "folds", "exceeded")


class Limited(Criterion):
    """The most true positives within a limit, kept on other folds where there are any."""

    of_cases = True
    in_cases: ClassVar[bool]  # the limit is a number of cases of one pass; else an FP rate
    title: ClassVar[str]
    allows: ClassVar[str]  # in a table
    sentence: ClassVar[str]  # where a sentence begins
    serving: ClassVar[Callable[..., Hybrid]]  # finds the best point of a curve within it

    def estimate(self, classifiers: Classifiers) -> str:
        return IN_SAMPLE if CrossFitted().obstacle(classifiers) else CROSS_FITTED

    def averaged(self, model: Model) -> tuple[Curve, int]:
        """Choose on the other folds; where there are none, on each curve in-sample."""
        classifiers, selection = model.classifiers, model.selection
        if self.estimate(classifiers) == CROSS_FITTED:
            found = self._on_held_out(classifiers, selection)
            return average(found.curves(), found.repeats), len(found.repeats)
        curves = [self._choose(own, classifiers.one_pass, selection).curve for own in model.curves]
        return average(curves), len(curves)

    def held_out(self, classifiers: Classifiers, selection: Selection) -> dict[str, float]:
        """Compare the held-out folds with the limit, in columns of the table `constructions`."""
        if self.estimate(classifiers) == IN_SAMPLE:
            return dict(zip(HELD_OUT, (np.nan, np.nan, np.nan, 0, 0), strict=True))
        found, one_pass = self._on_held_out(classifiers, selection), classifiers.one_pass
        mean = average(found.curves(), found.repeats)
        fp, tp = float(mean.at0[0]), 1 - float(mean.at1[0])
        cases = float((found.fp_count + found.tp_count).sum()) / classifiers.others.passes
        negatives, positives = (one.astype(float) for one in (found.negatives, found.positives))
        sizes = (negatives + positives).tolist()
        allowed = np.array([self.allowed(selection, own, own / one_pass) for own in sizes])
        beyond = negatives * self.beyond(found.fp, found.tp, allowed, negatives, positives)
        reached, exceeded = cases if self.in_cases else fp, int((beyond > ROUNDING).sum())
        return dict(zip(HELD_OUT, (fp, tp, reached, len(sizes), exceeded), strict=True))

    def _on_held_out(self, classifiers: Classifiers, selection: Selection) -> maths.HeldOut:
        rule = partial(self._choose, one_pass=classifiers.one_pass, selection=selection)
        return maths.held_out(classifiers.others.points, rule, *classifiers.others.layout())

    def _choose(self, points: OperatingPoints, one_pass: float, selection: Selection) -> Hybrid:
        cases = float(points.negatives[0] + points.positives[0])
        return self.serving(points, self.allowed(selection, cases, cases / one_pass))

    def beyond(self, fp: Floats, tp: Floats, *limit: Floats) -> Floats:
        """Give by how much FP rates exceed those of `ends`, at these TP rates."""
        low, high = self.ends(*limit)
        return fp - low - tp * (high - low)

    @abstractmethod
    def allowed(self, selection: Selection, cases: float, passes: float) -> float:
        """Give the limit for so many cases, of so many passes over the data."""

    @abstractmethod
    def ends(self, limit: Floats, negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
        """Give the FP rates that just keep the limit where TP is 0, and where it is 1."""

    @abstractmethod
    def dual(self, allowed: float, negatives: int, positives: int) -> Extreme | None:
        """Give the limit's point in cost space; None: it is at infinity."""


class NeymanPearson(Limited):
    said = (
        "the most true positives with an FP rate of at most {max_fp_rate}, on the ROC hull of the "
        "other folds of the same repeat; it then serves the held-out fold, where it may exceed the "
        "limit."
    )
    in_cases = False
    title, allows = "Neyman-Pearson", "FP rate at most {}"
    sentence = "An FP rate of at most {}"
    serving = staticmethod(rules.neyman_pearson)

    def allowed(self, selection: Selection, cases: float, passes: float) -> float:
        return selection.allowed_fp()

    def ends(self, limit: Floats, negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
        return limit, limit

    def dual(self, allowed: float, negatives: int, positives: int) -> Extreme:
        return Extreme(0, allowed)


class Workforce(Limited):
    said = (
        "the most true positives among the cases that can be handled ({capacity}), in the same way."
    )
    in_cases = True
    title, allows = "Workforce", "{} cases can be handled"
    sentence = "A capacity of {} cases"
    serving = staticmethod(rules.workforce)

    def allowed(self, selection: Selection, cases: float, passes: float) -> float:
        return selection.handled(cases, passes)

    def ends(self, limit: Floats, negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
        return limit / negatives, (limit - positives) / negatives

    def dual(self, allowed: float, negatives: int, positives: int) -> Extreme | None:
        return rules.workforce_point(negatives, positives, allowed)


def limits() -> dict[str, Limited]:
    """Give the criteria that keep a limit, by name."""
    found = {name: criterion_of(name) for name in NEEDS}
    return {name: one for name, one in found.items() if isinstance(one, Limited)}
