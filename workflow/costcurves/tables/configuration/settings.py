"""What a study decides about inference, selection criteria, costs and operating conditions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from costcurves.formats import condition, condition_by_ratio
from costcurves.tables.configuration.declared import Must, Name, Plain, Positive, Proportion, Share

# The class of each criterion in `tables.selection`, in the order of tables and reports.
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
KNOWN_CRITERIA: Final = tuple(CLASSES)
# Those that keep a limit, and the key of `selection` that sets it.
NEEDS: Final = {"neyman-pearson": "max_fp_rate", "workforce": "capacity"}
ALWAYS: Final = ("cross-fitted", "cost-minimizing")  # what the others are compared with
# Resamples that are drawn unasked: more would take much memory and time.
MOST_UNASKED: Final = 5000
QUICK: Final = 200  # resamples of a first look
MOST_RESAMPLES: Final = 1_000_000

CAPACITY: Final = "a whole number of cases, or a share of them such as '10%'"
Criterion = Annotated[str, Must(enum=[*KNOWN_CRITERIA])]


@dataclass(frozen=True)
class Inference(Plain):
    """How uncertainty is measured."""

    confidence: Proportion = 0.9
    """The level of bands and intervals, between 0 and 1."""

    resamples: Annotated[int, Must(minimum=1, maximum=MOST_RESAMPLES)] = 2000
    """How many resamples are drawn at the least, a whole number from 1 to 1,000,000. All pairs of
    models share the error, so many models need more: 30 models are 435 pairs, which at a
    confidence of 0.9 take 4,349. Up to 5,000 are drawn unasked; where that is too few to compare
    all models (33 of them at 0.9, 23 at 0.95), the study is refused with the number to set here."""

    band: Literal["wilson", "bootstrap", "normal"] = "wilson"
    """The band at each PC(+) of a model with one decision an instance and one test set: `wilson`;
    or, as in the papers, `bootstrap` (resampled confusion matrices) or `normal` (equation 8), which
    cover less than they say."""

    equivalence: Annotated[float, Must(exclusiveMinimum=0)] | None = None
    """The difference of normalized expected cost within which two models count as equivalent,
    above 0."""

    baseline: Name | None = None
    """A model that all others are compared with, besides all pairs; the map of all datasets shows
    these comparisons. Every dataset must have it."""

    def of_ranges(self, named: bool) -> "Inference":
        """Give the level of verdicts: half of the error is for conditions, if some are named.

        >>> Inference(confidence=0.9).of_ranges(named=True).confidence
        0.95
        """
        share = 1 - Fraction(str(self.confidence))
        return replace(self, confidence=float(1 - share / 2)) if named else self

    def drawn(self, models: int) -> int:
        """Give how many resamples are drawn of a dataset.

        Where P pairs share the error e = 1 - confidence, Holm's first step reads a pair at e / P,
        which the largest of B resamples can tell if 1 / (B + 1) is no more.
        """
        return max(self.resamples, min(self._needed(models), MOST_UNASKED))

    def too_many(self, models: int) -> str:
        """Say that a dataset has too many models, or the level is too high; nothing if not."""
        needed = self._needed(models)
        if self.drawn(models) >= needed:
            return ""
        level, expected = f"level of {self.confidence}", max(self.resamples, MOST_UNASKED)
        said, mend = f"a {level} takes", "lower inference.confidence"
        if models > 2:
            said = f"{models} models are {math.comb(models, 2)} pairs, which share the error of"
            said, mend = f"{said} a {level}: that takes", "compare fewer models"
        takes = f"{said} {needed} resamples, expected {expected} at most"
        return f"{takes}; set inference.resamples to {needed} or more, or {mend}"

    def _needed(self, models: int) -> int:
        # One model, too, is compared: with the constant decisions. The paper's band has two edges.
        error, edges = 1 - Fraction(str(self.confidence)), 2 if self.band == "bootstrap" else 0
        return max(math.ceil(max(math.comb(models, 2), 1) / error) - 1, math.ceil(edges / error))


@dataclass(frozen=True)
class Cell(Plain):
    """What an outcome brings, where that grows with a number x."""

    constant: float = 0
    """What it brings whatever x is."""

    coefficient: float = 0
    """What it brings for each 1 of x."""


@dataclass(frozen=True)
class Benefit(Plain):
    """What each outcome brings: a number, or a constant and the coefficient of x."""

    tp: float | Cell
    """Of predicting a positive positive."""

    fp: float | Cell
    """Of predicting a negative positive."""

    fn: float | Cell
    """Of predicting a positive negative."""

    tn: float | Cell
    """Of predicting a negative negative."""

    @property
    def cells(self) -> dict[str, Cell]:
        """What each brings, a number as a constant."""
        given: dict[str, float | Cell] = vars(self)
        return {key: it if isinstance(it, Cell) else Cell(it) for key, it in given.items()}


@dataclass(frozen=True)
class Costs(Plain):
    """What mistakes on each instance of a dataset cost."""

    unit: str = ""
    """What costs are counted in, such as DM. Default: not said."""

    column: Name | None = None
    """The column of the files with the number x."""

    benefit: Benefit | None = None
    """What each outcome brings; see below. It takes the place of `cost_fp` and `cost_fn` in the
    files."""

    score_times_cost: bool = False
    """Whether each model with probabilities is judged a second time by its score times `cost_fn`,
    as a model "... \u00d7 cost": what one may do where costs are known when deciding."""


@dataclass(frozen=True)
class Selection(Plain):
    """Which ways of choosing a threshold are looked at."""

    criteria: Annotated[tuple[Criterion, ...], Must(minItems=1, uniqueItems=True)] | None = None
    """Which criteria, of the list below. `cross-fitted` and `cost-minimizing` are always there, as
    the others are held against them. Default: all that apply."""

    score_threshold: float = 0.5
    """The score from which on `score-fixed` predicts positive."""

    rate: Share | None = None
    """The share of cases that `rate-fixed` predicts positive, from 0 to 1. Default: the data's
    class proportion."""

    max_fp_rate: Share | None = None
    """The highest FP rate that `neyman-pearson` allows, from 0 to 1."""

    capacity: (
        Annotated[float, Must(minimum=0, maximum=10**12)]
        | Annotated[str, Must(pattern="^[0-9]{1,12}([.][0-9]+)?%$", title=CAPACITY)]
        | None
    ) = None
    """What the `workforce` can handle: a whole number of cases, of those of one pass over the data
    (of one repeat), or a share of them such as `10%`."""

    def considered(self) -> tuple[str, ...]:
        """List the criteria that the study asks for, and those that they are compared with."""
        wanted = {*ALWAYS, *(KNOWN_CRITERIA if self.criteria is None else self.criteria)}
        lacking = {name for name, key in NEEDS.items() if getattr(self, key) is None}
        return tuple(name for name in KNOWN_CRITERIA if name in wanted - lacking)

    def unlimited(self) -> tuple[str, ...]:
        """List those of them that keep no limit: only their curves are resampled."""
        return tuple(name for name in self.considered() if name not in NEEDS)

    def allowed_fp(self) -> float:
        """Give the highest FP rate allowed."""
        if self.max_fp_rate is None:
            raise ValueError("the study has no max_fp_rate")
        return float(self.max_fp_rate)

    def handled(self, cases: float, passes: float = 1) -> float:
        """Say how many cases the workforce can handle, in so many passes over the data."""
        if self.capacity is None:
            raise ValueError("the study has no capacity")
        if isinstance(self.capacity, str):
            return float(self.capacity.removesuffix("%")) * cases / 100
        return float(self.capacity * passes)


GIVEN: Final = Must(type="number")  # one that is not given is left out: null is none
COSTS: Final = (("cost_ratio",), ("cost_fn", "cost_fp"), ("cost_fn", "cost_fp", "unit"))
WAYS: Final = (("pc",), *COSTS, *(("prior", *costs) for costs in COSTS))


@dataclass(frozen=True)
class ConditionKeys(Plain):
    """What a configuration says of an operating condition."""

    name: Name | None = None
    """How figures and tables call it. Default: its PC(+), such as "PC(+) = 0.5", or without a prior
    its cost ratio, such as "5:1"."""

    pc: Annotated[Share | None, GIVEN] = None
    """PC(+), the probability cost, from 0 to 1."""

    prior: Annotated[Proportion | None, GIVEN] = None
    """The proportion of positives in deployment, between 0 and 1. Default, with costs: each
    dataset's own, so that the condition has another PC(+) on each."""

    cost_ratio: Annotated[Positive | None, GIVEN] = None
    """C(-|+) / C(+|-), the cost of a false negative over that of a false positive."""

    cost_fn: Annotated[Positive | None, GIVEN] = None
    """C(-|+), the cost of a false negative, above 0."""

    cost_fp: Annotated[Positive | None, GIVEN] = None
    """C(+|-), the cost of a false positive, above 0."""

    unit: Annotated[Name | None, Must(type="string")] = None
    """What these two costs are counted in, such as EUR: the report then also says in it what 1000
    cases cost."""


OneWay = Annotated[
    ConditionKeys,
    Must(
        title="either pc, or cost_ratio, or cost_fn and cost_fp (with an optional unit; with costs "
        "an optional prior, and in each case an optional name)",
        oneOf=[{"required": [*way], "propertyNames": {"enum": ["name", *way]}} for way in WAYS],
    ),
]


@dataclass(frozen=True)
class OperatingCondition(Plain):
    """A marked operating condition."""

    name: str
    pc: float | None  # None: what the cost ratio comes to at the prior of each dataset
    prior: float | None = None  # in deployment; None: given as PC(+), or that of each dataset
    cost_ratio: float | None = None  # C(-|+) / C(+|-); None: given as PC(+)
    named: bool = True  # beforehand, by the study: there is inference for these alone
    cost_fp: float = 1.0
    unit: str = ""  # of costs; empty: none is named

    @classmethod
    def configured(cls, content: Mapping[str, Any], named: bool = True) -> "OperatingCondition":
        """Make one of its configuration: a PC(+), or a ratio of costs with a prior or without.

        >>> found = OperatingCondition.configured({"prior": 0.5, "cost_fn": 3, "cost_fp": 1})
        >>> found.name, found.pc, found.cost_ratio
        ('PC(+) = 0.75', 0.75, 3.0)
        """
        name, pc, prior = (content.get(key) for key in ("name", "pc", "prior"))
        if pc is not None:
            return cls(name or condition(pc), float(pc), named=named)
        ratio = float(content.get("cost_ratio") or content["cost_fn"] / content["cost_fp"])
        costs = named, float(content.get("cost_fp") or 1), content.get("unit") or ""
        if prior is None:
            return cls(name or condition_by_ratio(ratio), None, None, ratio, *costs)
        pc = cls("", None, cost_ratio=ratio).at(prior)
        return cls(name or condition(pc), pc, float(prior), ratio, *costs)

    def most(self, prior: float) -> float:
        """Give what a case costs in its unit where every decision is wrong.

        `prior` is the dataset's; that of the condition comes before it.

        >>> OperatingCondition("churn", None, cost_ratio=12, cost_fp=25, unit="EUR").most(0.25)
        93.75
        """
        prior = prior if self.prior is None else self.prior
        return self.cost_fp * ((self.cost_ratio or 0.0) * prior + 1 - prior)

    def at(self, prior: float) -> float:
        """Give its PC(+) on a dataset with this proportion of positives in deployment.

        >>> OperatingCondition("5:1", None, cost_ratio=5).at(0.5)
        0.8333333333333334
        """
        if self.pc is not None:
            return self.pc
        if self.cost_ratio is None:
            raise ValueError("the condition has neither a PC(+) nor a cost ratio")
        from costcurves.maths.geometry import cost_space  # imports numpy

        return float(cost_space.pc_from_ratio(self.cost_ratio, prior))
