"""What a study decides about inference, about selection criteria, and about papers' statements.

Like `study`, this is imported before any job runs and needs neither pandas nor pyarrow.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

# In the order in which tables and reports have them.
KNOWN_CRITERIA: Final = (
    "cross-fitted",
    "cost-minimizing",
    "nearest-train-pc",
    "score-driven",
    "score-fixed",
    "rate-driven",
    "rate-fixed",
    "neyman-pearson",
    "workforce",
)
ALWAYS: Final = ("cross-fitted", "cost-minimizing")  # what the others are held against
# Resamples that are drawn without being asked for: those of more would take much memory and time.
MOST_UNASKED: Final = 5000
NEEDS: Final = {"neyman-pearson": "max_fp_rate", "workforce": "capacity"}


class Reading(NamedTuple):
    """What a quantity that papers state needs: how many models and numbers, and a criterion."""

    models: int
    numbers: int
    criterion: bool


QUANTITIES: Final = {
    "operating range": Reading(models=1, numbers=2, criterion=False),
    "largest cost": Reading(models=1, numbers=1, criterion=False),
    "crossing": Reading(models=2, numbers=1, criterion=False),
    "worse than trivial outside": Reading(models=1, numbers=2, criterion=True),
    "nearest to the envelope": Reading(models=1, numbers=1, criterion=True),
    "dearer than the envelope": Reading(models=1, numbers=1, criterion=True),
}


@dataclass(frozen=True)
class Plain:
    """What goes through JSON and comes back equal."""

    def plain(self, *keys: str) -> dict[str, Any]:
        """Give plain JSON types only, as the parameters of a workflow's rule must be.

        Parameters
        ----------
        *keys
            Which keys; all by default. A rule that gets only what it needs runs again only then.
        """
        content: dict[str, Any] = json.loads(json.dumps(asdict(self), allow_nan=False))
        return {key: content[key] for key in keys or content}


@dataclass(frozen=True)
class Inference(Plain):
    """How uncertainty is measured.

    Parameters
    ----------
    confidence
        Level of bands and intervals, in (0, 1).
    resamples
        How many resamples are drawn at the least, 1 or more; see `drawn`.
    unit
        What is resampled: "instances", or "nadeau-bengio" for a corrected variance over folds.
    band
        How the band at each PC(+) of a single decision is made: "wilson", "bootstrap" or "normal".
    equivalence
        The difference of normalized expected cost below which models count as equivalent; None:
        no model is called equivalent.
    baseline
        The model that all others are compared with; None: only all pairs.
    """

    confidence: float = 0.9
    resamples: int = 2000
    unit: str = "instances"
    band: str = "wilson"
    equivalence: float | None = None
    baseline: str | None = None

    def drawn(self, models: int) -> int:
        """Give how many resamples are drawn of a dataset: more where many pairs share the error.

        Parameters
        ----------
        models
            Of the dataset.

        Returns
        -------
        int
            Where P pairs of models share the error e = 1 - confidence, Holm's first step reads a
            pair at e / P, which the largest of B resamples can tell if 1 / (B + 1) is no more.
            `MOST_UNASKED` at most, unless `resamples` is more.

        Examples
        --------
        >>> [Inference().drawn(models) for models in (20, 21, 30, 33)]
        [2000, 2099, 4349, 5000]
        """
        return max(self.resamples, min(self._needed(models), MOST_UNASKED))

    def too_many(self, models: int) -> str:
        """Say that a dataset has too many models to compare; nothing if it has not.

        Examples
        --------
        >>> Inference().too_many(32)
        ''
        >>> Inference(confidence=0.95).too_many(23).partition(": ")[0]
        '23 models are 253 pairs, which share the error of a level of 0.95'
        """
        needed = self._needed(models)
        if self.drawn(models) >= needed:
            return ""
        share = f"which share the error of a level of {self.confidence:g}"
        mend = f"set inference.resamples to {needed} or more, or compare fewer models"
        return (
            f"{models} models are {math.comb(models, 2)} pairs, {share}: that takes {needed} "
            f"resamples, expected {max(self.resamples, MOST_UNASKED)} at most; {mend}"
        )

    def _needed(self, models: int) -> int:
        return math.ceil(math.comb(models, 2) / (1 - Fraction(str(self.confidence)))) - 1


@dataclass(frozen=True)
class Costs(Plain):
    """What mistakes on each instance of a dataset cost.

    Parameters
    ----------
    unit
        What costs are counted in, such as "DM"; empty: not said.
    column
        The column of its files whose number x the benefits grow with; None: they do not.
    benefit
        What each outcome brings: (constant, coefficient of x) by "tp", "fp", "fn" and "tn"; None:
        costs are in the columns ``cost_fp`` and ``cost_fn``.
    score_times_cost
        Whether each model with probabilities is also judged by the product of its score and the
        cost of a false negative, as a model of its own.
    """

    unit: str = ""
    column: str | None = None
    benefit: dict[str, tuple[float, float]] | None = None
    score_times_cost: bool = False

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Costs":
        """Make it of what `plain` gave, or of the configuration: a cell may be a constant.

        Examples
        --------
        >>> Costs.from_plain({"benefit": {"tp": 1, "fp": {"coefficient": -2}}}).benefit
        {'tp': (1.0, 0.0), 'fp': (0.0, -2.0)}
        """
        benefit = plain.get("benefit")
        cells = None if benefit is None else {key: _cell(cell) for key, cell in benefit.items()}
        return cls(**{**plain, "benefit": cells})


def _cell(cell: Any) -> tuple[float, float]:
    if isinstance(cell, Mapping):
        return float(cell.get("constant", 0)), float(cell.get("coefficient", 0))
    constant, coefficient = cell if isinstance(cell, list | tuple) else (cell, 0)
    return float(constant), float(coefficient)


@dataclass(frozen=True)
class Selection(Plain):
    """Which ways of choosing a threshold are looked at.

    Parameters
    ----------
    criteria
        Their names; None: all.
    score_threshold
        The score from which on "score-fixed" predicts positive.
    rate
        The share of cases that "rate-fixed" predicts positive; None: the data's class proportion.
    max_fp_rate
        The highest FP rate that "neyman-pearson" allows; None: it is left out.
    capacity
        What a workforce can handle: so many cases of one pass over the data, or a share of them
        such as "10%"; None: "workforce" is left out.
    """

    criteria: tuple[str, ...] | None = None
    score_threshold: float = 0.5
    rate: float | None = None
    max_fp_rate: float | None = None
    capacity: float | str | None = None

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Selection":
        """Make it of what `plain` gave, or of a part of that: the rest are defaults.

        Examples
        --------
        >>> Selection.from_plain({"criteria": ["score-fixed"], "rate": 0.5})
        Selection(criteria=('score-fixed',), score_threshold=0.5, rate=0.5, max_fp_rate=None, \
capacity=None)
        """
        criteria = plain.get("criteria")
        return cls(**{**plain, "criteria": None if criteria is None else tuple(criteria)})

    def considered(self) -> tuple[str, ...]:
        """List the criteria that the study asks for, and those that they are held against.

        Examples
        --------
        >>> Selection(criteria=("score-fixed",)).considered()
        ('cross-fitted', 'cost-minimizing', 'score-fixed')
        >>> [len(one.considered()) for one in (Selection(), Selection(capacity=3))]
        [7, 8]
        """
        wanted = {*ALWAYS, *(KNOWN_CRITERIA if self.criteria is None else self.criteria)}
        lacking = {name for name, key in NEEDS.items() if getattr(self, key) is None}
        return tuple(name for name in KNOWN_CRITERIA if name in wanted - lacking)

    def unlimited(self) -> tuple[str, ...]:
        """List those of them that keep no limit: chance is measured of their curves only.

        Examples
        --------
        >>> Selection(criteria=("score-fixed", "workforce"), capacity=3).unlimited()
        ('cross-fitted', 'cost-minimizing', 'score-fixed')
        """
        return tuple(name for name in self.considered() if name not in NEEDS)

    def allowed_fp(self) -> float:
        """Give the highest FP rate allowed.

        Examples
        --------
        >>> Selection(max_fp_rate=0).allowed_fp()
        0.0
        >>> Selection().allowed_fp()
        Traceback (most recent call last):
        ValueError: the study has no max_fp_rate
        """
        if self.max_fp_rate is None:
            raise ValueError("the study has no max_fp_rate")
        return float(self.max_fp_rate)

    def handled(self, cases: float, passes: float = 1) -> float:
        """Say how many cases the workforce can handle.

        Parameters
        ----------
        cases
            How many there are.
        passes
            In how many passes over the data: the capacity is that of each.

        Examples
        --------
        >>> Selection(capacity="10%").handled(200), Selection(capacity=30).handled(200, passes=2)
        (20.0, 60.0)
        >>> Selection().handled(200)
        Traceback (most recent call last):
        ValueError: the study has no capacity
        """
        if self.capacity is None:
            raise ValueError("the study has no capacity")
        if isinstance(self.capacity, str):
            return float(self.capacity.removesuffix("%")) * cases / 100
        return float(self.capacity * passes)


@dataclass(frozen=True)
class Statement(Plain):
    """What a paper says of such data, to be held against the results.

    Parameters
    ----------
    paper, figure, statement
        Where it is said, and what.
    dataset
        The dataset's name.
    models
        One model, or two for a crossing.
    quantity
        What is read: one of `QUANTITIES`.
    stated
        The paper's numbers; none if it gives none.
    criterion
        The selection criterion whose curve is read; None: the lower envelope of the pooled data.
    """

    paper: str
    figure: str
    statement: str
    dataset: str
    models: tuple[str, ...]
    quantity: str
    stated: tuple[float, ...] = ()
    criterion: str | None = None

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Statement":
        """Make a statement of what `plain` gave."""
        lists = {key: tuple(plain[key]) for key in ("models", "stated")}
        return cls(**{**plain, **lists})
