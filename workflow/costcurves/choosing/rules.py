"""The threshold rules: which threshold or member decides at each PC(+).

A rule is a class with one method, `choose`, and what reports print of it. `choose` looks at counts
of all candidates, of the data and of resamples alike (`choice.Counts`), and says which of them
decide from which PC(+) on. `applying` judges that on the folds. To add a rule, write its class,
put it into `RULES`, name it in `settings.Criterion`, and test it in tests/choosing/test_rules.py.

Sources: [DH00]_, s2.2.2 and s2.3; [DH06]_, s5; J. Hernández-Orallo, P. Flach and C. Ferri,
"Technical note: towards ROC curves in cost space", 2011,
https://doi.org/10.48550/arXiv.1107.5930 (score-driven, rate-driven). The note's class 0 is our
positive class and its scores estimate p(-): everything is mirrored here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np

from costcurves.choosing import obstacles
from costcurves.choosing.choice import (
    Choice,
    Chosen,
    Counts,
    Draw,
    Seen,
    as_placed,
    in_order,
    judged,
    least,
    reached,
    seen_in_other_cases,
    seen_on_others,
    seen_there,
    the_same,
    vertices,
)
from costcurves.choosing.classifiers import Classifiers
from costcurves.counts.elementwise import Array, FloatArray, IntArray
from costcurves.counts.ragged import offsets_of, rows_of_slices
from costcurves.settings import Selection
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE

LOOKED_UP: Final = 1024  # cells of a table of places
AT_ONCE: Final = 2**15  # heights, with a dozen numbers for each: what a processor's cache holds


@dataclass(frozen=True)
class Setting:
    """What rules are to keep to: the keys of a study, and the data's share of positives."""

    selection: Selection = Selection()
    positives: float = 0.5
    one_pass: float = 1.0  # cases in one pass over the data

    @property
    def rate(self) -> float:
        """Which share of the cases is to be predicted positive."""
        return self.positives if self.selection.rate is None else self.selection.rate

    def handled(self, cases: FloatArray) -> FloatArray:
        """Return how many of so many cases can be handled."""
        each = [self.selection.handled(count, count / self.one_pass) for count in np.ravel(cases)]
        return np.reshape(each, np.shape(cases))


class Rule(ABC):
    """A rule that chooses, for each PC(+), the threshold or member that decides."""

    description: ClassVar[str]  # in a report's methods; a key of `selection` in braces is its value
    kind: ClassVar[str] = FIXED  # what kind of estimate its curve is
    judged: ClassVar[Literal["folds", "curves", "scores", "members"]] = "scores"
    again: ClassVar[bool] = False  # of scores: it chooses again in each resample
    of_cases: ClassVar[bool] = False  # it sets a share or a number of cases
    needs: ClassVar[obstacles.Needs] = obstacles.scores

    @abstractmethod
    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        """Choose on every fold of every resample."""

    def heights(self, counts: Counts, grid: FloatArray, setting: Setting) -> FloatArray:
        """Return the (curves, pc) costs of what it chooses, on an evaluation grid."""
        return judged(self.choose(counts, setting), counts).heights(grid)

    def obstacle(self, classifiers: Classifiers) -> str:
        """Return what keeps the rule from a model with these classifiers; empty: nothing."""
        of_cases = obstacles.OF_CASES if self.of_cases and classifiers.is_weighted() else ""
        return type(self).needs(classifiers) or of_cases

    def estimate(self, classifiers: Classifiers) -> str:
        """Return what kind of estimate its curve is for a model with these classifiers."""
        return self.kind


class CrossFitted(Rule):
    """The least mean cost on the other folds, each counting the same ([DH06]_, s5.2)."""

    description = (
        "the cheapest on the other folds of the same repeat, with its cost on the held-out fold: "
        "the cost to expect."
    )
    kind, judged = CROSS_FITTED, "folds"
    needs = obstacles.folds
    seen = staticmethod(seen_on_others)

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        return least(seen_on_others(counts))


class CostMinimizing(Rule):
    """The least cost on the very data that are judged: the lower envelope."""

    description = "the cheapest in hindsight: the lower envelope. In-sample, too low."
    kind, judged = IN_SAMPLE, "curves"
    needs = obstacles.none

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        return least(seen_there(counts))


class NearestTrainPC(Rule):
    """The member trained for the nearest PC(+) ([DH00]_, s2.3; [DH06]_, s5.1.1).

    It switches at the middle of two neighbouring `train_pc`, not of their ratios. The baselines are
    not added: the curve may be worse than they are.
    """

    description = (
        "the member of a family that was trained for the nearest PC(+); the no-model baselines "
        "are not added."
    )
    judged = "members"
    needs = obstacles.members

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        members = np.flatnonzero(~np.isnan(counts.train_pc))
        members = members[np.argsort(counts.train_pc[members], kind="stable")]
        trained = counts.train_pc[members]
        middles = (trained[1:] + trained[:-1]) / 2
        return the_same(counts, np.append(0.0, middles), members)


class ScoreDriven(Rule):
    """Positive where the score is at least 1 - PC(+): scores are trusted as probabilities.

    The Brier curve of the note (s6): its area is the Brier score, the mean of the two classes'.
    [DH06]_'s "threshold = PC(+)" acts on p(-).
    """

    description = (
        "positive where the score, taken as the probability of a positive, is at least "
        "1 \N{MINUS SIGN} PC(+): the scores are trusted."
    )
    needs = obstacles.probabilities

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        score = counts.threshold[1:]  # the first one is inf: nothing is positive
        outside = score[(score < 0) | (score > 1)]
        if len(outside):
            raise ValueError(
                "scores are compared with the operating condition here and must be probabilities "
                f"of the positive class, in [0, 1]; found {outside[0]} ({len(outside)} distinct "
                "scores outside): calibrate them, or leave this criterion out"
            )
        starts = np.append(0.0, 1 - score)
        decide = np.flatnonzero(np.diff(starts, append=1.0) > 0)
        return the_same(counts, starts[decide], decide)


class ScoreFixed(Rule):
    """The same threshold at every PC(+)."""

    description = "the same threshold, {score_threshold}, at every PC(+)."

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        threshold = setting.selection.score_threshold
        at = np.searchsorted(-counts.threshold, -threshold, side="right") - 1
        return the_same(counts, np.zeros(1), np.array([at]))


class OfRanks(Rule):
    """A rule that sets the rate of positive predictions."""

    again, of_cases = True, True

    def __init__(self, balanced: bool) -> None:
        """Let both classes weigh the same, or all cases."""
        self.balanced = balanced


class RateDriven(OfRanks):
    """The rate of positive predictions is PC(+), both classes weighing the same (the note, s4).

    The n cases of a fold can be cut in n + 1 places, and each PC(+) is served by the cut that is
    nearest: the cut of rate r stands for (n r + 1/2) / (n + 1). Within a block of ties a cut is as
    likely to take any case of it: a draw between the block's two ends. (The note's eq. 19 leaves
    gaps, and its Fig. 7 puts tied cases to one side: it switches at 4/11 and has an area of .1518,
    where ties that are spread have .1831.)
    """

    description = (
        "so many are predicted positive that the rate of positive predictions, both classes "
        "weighing the same, is PC(+)."
    )

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        fp, tp = counts.above()
        above, (rate, whole) = fp + tp, rates(fp, tp, self.balanced)
        n = above[:, -1:]
        cut = reached(above, np.arange(n[0, 0] + 1.0)[np.newaxis])  # every one: of the data
        at = (rate.take(cut.candidate) + cut.share * cut.step(rate))[0]
        middles = (at[1:] + at[:-1]) / 2
        starts = np.append(0.0, (n[0] * middles / whole[0] + 0.5) / (n[0] + 1))
        return cut.draw(starts)

    def heights(self, counts: Counts, grid: FloatArray, setting: Setting) -> FloatArray:
        fp, tp = counts.above()
        size = max(AT_ONCE // len(grid), 1)
        blocks = [slice(first, first + size) for first in range(0, len(fp), size)]
        return np.concatenate([self._heights(fp[block], tp[block], grid) for block in blocks])

    def _heights(self, fp: FloatArray, tp: FloatArray, grid: FloatArray) -> FloatArray:
        negatives, positives = fp[:, -1:], tp[:, -1:]
        n, (rate, whole) = negatives + positives, rates(fp, tp, self.balanced)
        # The block of ties that serves each place, and which share of its cases is passed there.
        starts = places_of(grid, (rate * (n / whole) + 0.5) / (n + 1))
        starts[:, 0] = 0
        row = np.arange(len(n))[:, np.newaxis]
        places = np.diff((starts + len(grid) * row).ravel(), append=len(n) * len(grid))
        first = np.repeat(np.arange(rate.size), places).reshape(len(n), len(grid))
        second = np.minimum(first + 1, fp.shape[1] * (row + 1) - 1)
        from_rate, from_fp, from_tp = (counts.take(first) for counts in (rate, fp, tp))
        more_fp, more_tp = fp.take(second) - from_fp, tp.take(second) - from_tp
        cases = np.maximum(more_fp + more_tp, 1.0)
        step = np.maximum(rate.take(second) - from_rate, 1.0)
        passed = (((n + 1) * grid - 0.5) * whole / n - from_rate) / step * cases + 0.5
        share = np.maximum(np.floor(passed), 0.0) / cases
        at0 = (from_fp + share * more_fp) / negatives
        tp_rate = (from_tp + share * more_tp) / positives
        heights: FloatArray = at0 * (1 - grid) + (1 - tp_rate) * grid
        return heights


class RateFixed(OfRanks):
    """The same share of the cases is predicted positive at every PC(+) (the note, eq. 14).

    Between two operating points a draw decides, so that the rate is met exactly.
    """

    description = "the same share of cases is predicted positive at every PC(+): {rate}."

    def choose(self, counts: Counts, setting: Setting) -> Draw:
        rate, whole = rates(*counts.above(), self.balanced)
        return reached(rate, setting.rate * whole).draw(np.zeros(1))


class Limited(Rule):
    """The most true positives within a limit, by a draw between two vertices of the ROC hull.

    It chooses on the cases of the other folds, as one pool, where there are other folds. On the
    held-out fold the limit may be exceeded. Candidates that are equal on the other folds decide by
    turns; the baselines are what they are on every fold.
    """

    judged, of_cases = "folds", True
    needs = obstacles.none
    seen = staticmethod(seen_in_other_cases)
    title: ClassVar[str]
    allows: ClassVar[str]  # in a table
    sentence: ClassVar[str]  # where a sentence begins
    in_cases: ClassVar[bool]  # the limit is a number of cases; else a rate

    def estimate(self, classifiers: Classifiers) -> str:
        return IN_SAMPLE if obstacles.folds(classifiers) else CROSS_FITTED

    def choose(self, counts: Counts, setting: Setting) -> Chosen:
        return self.between(seen_in_other_cases(counts), setting)

    def between(self, seen: Seen, setting: Setting) -> Draw:
        """Find the two vertices between which a draw decides in each curve."""
        fp, fn, order = in_order(seen)
        negatives, positives = fp[:, -1], fn[:, 0]
        vertex, ties = vertices(fp, fn)
        curve = vertex // fp.shape[1]
        starts = np.searchsorted(curve, np.arange(len(fp) + 1))
        # Of what equals a baseline on the other folds, only the baseline is one on every fold.
        first, last = starts[:-1], starts[1:] - 1
        vertex[last] += ties[last] - 1
        ties[first] = ties[last] = 1
        used = self.used(fp.ravel()[vertex], positives[curve] - fn.ravel()[vertex])
        limit = self.limit(setting, negatives, negatives + positives)
        at = first + np.add.reduceat((used <= limit[curve]).astype(np.int64), first) - 1
        following = np.minimum(at + 1, last)
        share = np.zeros(len(fp))
        np.divide(limit - used[at], used[following] - used[at], out=share, where=following > at)
        pc, offsets = np.zeros(len(fp)), np.arange(len(fp) + 1)
        choices = []
        for chosen in (at, following):
            candidate = as_placed(rows_of_slices(vertex[chosen], ties[chosen]), order)
            choices.append(Choice(pc, offsets, candidate, offsets_of(ties[chosen])[:-1]))
        return Draw(choices[0], choices[1], share)

    @staticmethod
    @abstractmethod
    def used(fp: Array, tp: Array) -> Array:
        """Return how much of the limit these false and true positives use."""

    @staticmethod
    @abstractmethod
    def limit(setting: Setting, negatives: Array, cases: Array) -> FloatArray:
        """Return the limit among so many negatives, and cases."""


class NeymanPearson(Limited):
    """An FP rate of at most `max_fp_rate` ([DH06]_, s5.1.3)."""

    description = (
        "the most true positives with an FP rate of at most {max_fp_rate}, on the ROC hull of the "
        "other folds of the same repeat; it then serves the held-out fold, where it may exceed the "
        "limit."
    )
    title, allows = "Neyman-Pearson", "FP rate at most {}"
    sentence, in_cases = "An FP rate of at most {}", False

    @staticmethod
    def used(fp: Array, tp: Array) -> Array:
        return fp

    @staticmethod
    def limit(setting: Setting, negatives: Array, cases: Array) -> FloatArray:
        return float(setting.selection.max_fp_rate or 0) * negatives


class Workforce(Limited):
    """As many predicted positive as a workforce of this `capacity` can handle ([DH06]_, s5.1.4)."""

    description = (
        "the most true positives among the cases that can be handled ({capacity}), in the same way."
    )
    title, allows = "Workforce", "{} cases can be handled"
    sentence, in_cases = "A capacity of {} cases", True

    @staticmethod
    def used(fp: Array, tp: Array) -> Array:
        return fp + tp

    @staticmethod
    def limit(setting: Setting, negatives: Array, cases: Array) -> FloatArray:
        return setting.handled(cases)


def places_of(grid: FloatArray, values: FloatArray) -> IntArray:
    """Return how many places of a grid lie below each value in [0, 1], faster than by a search.

    >>> places_of(np.array([0, 0.25, 0.3, 0.5, 1]), np.array([0, 0.25, 0.26, 0.4, 0.5])).tolist()
    [0, 1, 2, 3, 3]
    """
    cells = np.arange(-1, LOOKED_UP + 1) / LOOKED_UP
    table = np.searchsorted(grid, cells, side="right")
    places = table.take(np.ceil(values * LOOKED_UP).astype(np.int64))
    while (below := grid.take(places, mode="clip") < values).any():
        places += below
    return places


def rates(fp: Array, tp: Array, balanced: bool) -> tuple[Array, Array]:
    """Return rates of positive predictions as whole numbers, and of which whole.

    They are of all cases, or balanced: the mean of the two classes' rates.
    """
    negatives, positives = fp[:, -1:], tp[:, -1:]
    if balanced:
        return fp * positives + tp * negatives, 2 * negatives * positives
    return fp + tp, negatives + positives


# In the order of tables and reports.
RULES: Final[Mapping[str, Rule]] = {
    "cross-fitted": CrossFitted(),
    "cost-minimizing": CostMinimizing(),
    "nearest-train-pc": NearestTrainPC(),
    "score-driven": ScoreDriven(),
    "score-fixed": ScoreFixed(),
    "rate-driven": RateDriven(balanced=True),
    "rate-fixed": RateFixed(balanced=False),
    "neyman-pearson": NeymanPearson(),
    "workforce": Workforce(),
}
LIMITS: Final = {name: rule for name, rule in RULES.items() if isinstance(rule, Limited)}
