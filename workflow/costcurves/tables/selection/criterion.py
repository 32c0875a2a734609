"""What every selection criterion says of itself, and what it looks at."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from costcurves.maths.chance.resampled_criteria import OfFolds
from costcurves.maths.counts.operating_points import OperatingPoints
from costcurves.maths.geometry.curves import Curve
from costcurves.settings import Selection
from costcurves.tables.curves.classifiers import Classifiers
from costcurves.tables.inference.resampling import ResampledInstances
from costcurves.tables.keys import FIXED

Floats = NDArray[np.float64]

# The class of each criterion in this package, in the order of tables and reports.
CLASSES: Final = {
    "cross-fitted": "unlimited.CrossFitted",
    "cost-minimizing": "unlimited.CostMinimizing",
    "nearest-train-pc": "unlimited.NearestTrainPC",
    "score-driven": "unlimited.ScoreDriven",
    "score-fixed": "unlimited.ScoreFixed",
    "rate-driven": "unlimited.RateDriven",
    "rate-fixed": "unlimited.RateFixed",
    "neyman-pearson": "limited.NeymanPearson",
    "workforce": "limited.Workforce",
}

# Cost-weighted versions would be other criteria: a share of the costs of false positives is no
# FP rate, and what a workforce handles are cases, whatever they cost.
OF_CASES: Final = (
    "it sets a share or a number of cases, and here instances count by their costs or weights; of "
    "costs see it with unweighted instances"
)


class Model(NamedTuple):
    """What criteria look at of one model: its folds, and what it is at the level of the study."""

    classifiers: Classifiers
    curves: OperatingPoints
    selection: Selection


class Drawn(NamedTuple):
    """What criteria look at of one model in resamples, and at which PC(+)."""

    instances: ResampledInstances
    model: str
    at: Floats
    level: str = "fold"
    selection: Selection = Selection()


class Criterion(ABC):
    """A way of choosing who serves each PC(+)."""

    # What it does, in a report's methods; a key of `selection` in braces stands for its value.
    said: ClassVar[str]
    kind: ClassVar[str] = FIXED  # what kind of estimate its curve is
    of_cases: ClassVar[bool] = False  # it sets a share or a number of cases

    def findings(self, classifiers: Classifiers) -> Iterator[str]:
        """Find what keeps it from a model with these classifiers, and say what to do."""
        yield from ()

    def obstacle(self, classifiers: Classifiers) -> str:
        """Say the first thing that keeps it from a model; empty if it applies."""
        of_cases = OF_CASES if self.of_cases and classifiers.is_weighted() else ""
        return next(self.findings(classifiers), of_cases)

    def estimate(self, classifiers: Classifiers) -> str:
        """Say what kind of estimate its curve is for a model with these classifiers."""
        return self.kind

    @abstractmethod
    def averaged(self, model: Model) -> tuple[Curve, int]:
        """Give its cost curve, and how many curves it is the mean of."""


class Unlimited(Criterion):
    """One that keeps no limit: what it costs can be resampled."""

    def resampled(self, drawn: Drawn) -> Floats:
        """Give the heights of its curve in each resample: here of one that may be a headline."""
        return drawn.instances.heights(drawn.model, self.kind, drawn.level, drawn.at)

    def of_folds(self, drawn: Drawn) -> OfFolds | None:
        """Give its curve on each fold, where resamples alone would spread too little."""
        return None


@cache
def criterion_of(name: str) -> Criterion:
    """Give the criterion of this name."""
    module, own = CLASSES[name].split(".")
    found: Criterion = getattr(import_module(f"{__package__}.{module}"), own)()
    return found
