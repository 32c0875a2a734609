"""What a configuration says, and the study that follows from it, as frozen dataclasses.

A class is a group of keys and a field is a key: its annotation gives the type and the bounds, its
value the default, and the text below it the meaning, for ``config/README.md`` and the published
schema. `built` makes these classes of plain JSON, and says what breaks types and bounds.
"""

import json
import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from operator import ge, gt, le, lt
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from costcurves.detail import FIRST_LOOK
from costcurves.errors import refuse
from costcurves.formats import condition, condition_by_ratio
from costcurves.names import SLUG, SLUG_WORDS, nearest, quoted, slugs, some

Place = tuple[str | int, ...]  # of a key, such as ("datasets", 0, "name")
Findings = Iterator[tuple[Place, str]]  # what is wrong, and where

REMOVED: Final = {  # keys of former versions by their group, and what to do without them
    ("StudyKeys", "audit"): "was removed: an audit fails on claims that are contradicted or "
    "undecided; 'costcurves audit --allow-undecided' passes undecided ones",
    ("StudyKeys", "report"): "was removed: put your words into 'description'",
    ("ClaimKeys", "cost_ratio"): """was replaced: write 'at: "5:1"', or a list of two""",
    ("ClaimKeys", "delta"): "was renamed: write 'margin'",
    ("ClaimKeys", "level"): "was renamed: write 'confidence'",
    ("ClaimKeys", "mean"): "was replaced: write 'average: true', for the mean over the range of "
    "'pc' or 'at', or without one over all PC(+) as the study's 'prior' weighs them",
    ("DatasetKeys", "cost_matrix"): "was removed: 'compare_decisions' in Python compares models by "
    "a matrix; a report has each class against the rest ('classes'), at 'operating_conditions' "
    "with what a miss and a false alarm of that class cost",
    ("DatasetKeys", "segments"): "was removed: describe each segment in a dataset of its own, with "
    "the same files and 'where: [\"site == north\"]', and compare their sections",
    ("Inference", "baseline"): "was replaced: name the model in use in 'reference', a key "
    "of the study",
}


Detail = Literal["standard", "quick"]
HINTS: Final = {Detail: "; 'appendix: true' adds further figures and tables"}  # of values


class Bounds:
    """What the value of a key must keep to besides its type, in words of JSON Schema."""

    def __init__(self, **words: Any) -> None:
        self.words: Final = words

    def broken(self, value: Any) -> str:
        """Return what is wrong with a value of the right type; empty: nothing is."""
        for word, (keeps, expected) in TESTS.items():
            if word in self.words and not keeps(value, self.words[word]):
                words = expected.format(self.words[word], **self.words)
                twice = repeated(value) if word == "uniqueItems" else []
                what = f"has {some(twice)} twice" if twice else f"is {shown(value)}"
                return f"{what}, expected {words}"
        return ""


def repeated(values: Sequence[Any]) -> list[str]:
    """Return the values that occur more than once."""
    return [str(value) for value, count in Counter(values).items() if count > 1]


# NaN keeps to no bound, and each number has one: its square can still be added up.
TESTS: Final[Mapping[str, tuple[Callable[[Any, Any], bool], str]]] = {
    "minimum": (ge, "a number that is at least {}"),
    "maximum": (le, "a number that is at most {}"),
    "exclusiveMinimum": (gt, "a number that is more than {}"),
    "exclusiveMaximum": (lt, "a number that is less than {}"),
    "pattern": (lambda text, pattern: re.fullmatch(pattern, text) is not None, "{title}"),
    "minLength": (lambda text, least: len(text) >= least, "text"),
    "minItems": (lambda values, least: len(values) >= least, "{} or more"),
    "maxItems": (lambda values, most: len(values) <= most, "{} or fewer"),
    "minProperties": (lambda values, least: len(values) >= least, "{} or more"),
    "uniqueItems": (lambda values, _: not repeated(values), "each once"),
}
Number = Annotated[float, Bounds(minimum=-1e100, maximum=1e100)]
Name = Annotated[str, Bounds(minLength=1)]
Names = Annotated[tuple[Name, ...], Bounds(minItems=1, uniqueItems=True)]
Share = Annotated[float, Bounds(minimum=0, maximum=1)]
Proportion = Annotated[float, Bounds(exclusiveMinimum=0, exclusiveMaximum=1)]
Positive = Annotated[float, Bounds(minimum=1e-12, maximum=1e12)]
Shares = Annotated[tuple[Share, ...], Bounds(minItems=2, maxItems=2)]
Ratios = Annotated[tuple[Positive, ...], Bounds(minItems=2, maxItems=2)]

# Threshold rules, in the order of tables and reports.
Criterion = Literal[
    "cross-fitted",
    "cost-minimizing",
    "nearest-train-pc",
    "score-driven",
    "score-fixed",
    "rate-driven",
    "rate-fixed",
    "neyman-pearson",
    "workforce",
]
KNOWN_CRITERIA: Final[tuple[Criterion, ...]] = get_args(Criterion)
# Those that keep a limit, and the key of `selection` that sets it.
NEEDS: Final = {"neyman-pearson": "max_fp_rate", "workforce": "capacity"}
ALWAYS: Final = ("cross-fitted", "cost-minimizing")  # what the others are compared with
CAPACITY: Final = "a whole number of cases, or a share of them such as '10%'"
# Resamples that are drawn unasked: more would take much memory and time.
MOST_CONDITIONS: Final = 100  # operating conditions of a study, marked in each figure
MOST_UNASKED: Final = 5000
QUICK: Final = 200  # resamples of a first look
MOST_RESAMPLES: Final = 1_000_000

CHEAPER: Final = "cheaper"
NOT_WORSE: Final = "not worse"
EQUIVALENT: Final = "equivalent"
AT_MOST: Final = "at most"
ClaimKind = Literal["cheaper", "not worse", "equivalent", "at most"]
CLAIM_NEEDS: Final = {NOT_WORSE: "margin", EQUIVALENT: "margin", AT_MOST: "at_most"}
FORMER_KINDS: Final = {
    "operating range": "'kind: cheaper', with 'models: [MODEL, no model]'",
    "worse than trivial": "'kind: cheaper', with 'models: [no model, MODEL]'",
    "expected cost": "'kind: at most'",
}
NO_MODEL: Final = "no model"  # the cheaper of the two constant decisions
BASELINES: Final = (NO_MODEL, "always negative", "always positive")  # in place of a model

BY_COST: Final = "--costs"  # ends the name of a dataset that is weighted by cost
OF_CLASS: Final = "score_"  # before the name of a class: the column of its scores
TEXT: Final = (
    *("dataset", "model", "member", "repeat", "fold"),
    *("instance", "cluster", "label", "decision"),
)
LISTS: Final = ("score", "decision", "model", "unused")  # roles of which several may be typed
REST: Final = "rest"  # in place of classes: one against all others
SIGN: Final = r"[\x01-\t\x0b\x0c\x0e-!#-~]"  # as the readers of CSV take them
A_SIGN: Final = "one character of ASCII, no quotation mark or line break"
Columns = dict[str, Name | Names]


class Group:
    """A group of keys."""

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the group of plain JSON, as `asdict` writes it; left out keys are defaults."""
        findings: list[tuple[Place, str]] = []
        group: Self = built(cls, plain, (), findings)
        refuse(f"{'.'.join(map(str, place))} {why}" for place, why in findings)
        return group


TYPES: Final[Mapping[Any, str]] = {
    str: "text (in quotes)",
    int: "a whole number (no quotes)",
    float: "a number (no quotes; 1.0e-3, not 1e-3)",
    bool: "true or false",
    tuple: "a list (- before each item)",
    dict: "keys with values",
}


@cache
def keys_of(group: Any) -> Mapping[str, Any]:
    """Return the keys of a group with their annotations."""
    return get_type_hints(group, include_extras=True)


def alternatives(kind: Any) -> list[tuple[Any, Bounds | None]]:
    """Return the types that a value may have, each with its bounds."""
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [get_args(part)[:2] if get_origin(part) is Annotated else (part, None) for part in parts]


def fits(kind: Any, value: Any) -> bool:
    """Return whether a value of JSON is of a type, whatever it holds."""
    origin = get_origin(kind) or kind
    if origin is Literal:
        return value in get_args(kind)
    if origin is dict or is_dataclass(origin):
        return isinstance(value, Mapping)
    if origin is tuple:
        return isinstance(value, list | tuple)
    if isinstance(value, bool):
        return origin is bool
    return isinstance(value, int | float if origin is float else origin)


def shown(value: Any) -> str:
    """Return a value as a message shows it."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return f"keys {some([str(key) for key in value])}" if value else "no keys"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "empty" if value == "" else quoted(value)


def mismatch(kind: Any, value: Any) -> str:
    """Return in words that a value is of another type than is expected."""
    if kind == ClaimKind and value in (*FORMER_KINDS,):
        return f"is {shown(value)}, which was replaced: write {FORMER_KINDS[value]}"
    words = []
    for part, _ in alternatives(kind):
        if get_origin(part) is Literal:
            words.append(f"one of {some(get_args(part), 99)}")
        elif part is not NoneType:
            words.append(TYPES.get(get_origin(part) or part, TYPES[dict]))
    return f"is {shown(value)}, expected {' or '.join(words)}{HINTS.get(kind, '')}"


def unknown(key: str, group: type) -> str:
    """Return that a group has no such key, and which is meant, or what to do without it."""
    if (group.__name__, key) in REMOVED:
        return REMOVED[group.__name__, key]
    return f"is not a known key; {nearest(key, [*keys_of(group)])}"


def built(kind: Any, value: Any, place: Place, findings: list[tuple[Place, str]]) -> Any:
    """Return a value of a type made of plain JSON; what is wrong with it is added to findings."""
    fitting = [choice for choice in alternatives(kind) if fits(choice[0], value)]
    if not fitting:
        findings.append((place, mismatch(kind, value)))
        return None
    chosen, bounds = fitting[0]
    count = len(findings)
    if is_dataclass(chosen):
        return _group(chosen, value, place, findings)
    if isinstance(value, list | tuple):
        kind = get_args(chosen)[0]
        value = tuple(built(kind, item, (*place, at), findings) for at, item in enumerate(value))
    elif isinstance(value, Mapping):
        kind = get_args(chosen)[1]
        value = {key: built(kind, item, (*place, key), findings) for key, item in value.items()}
    why = bounds.broken(value) if bounds and len(findings) == count else ""
    if why:
        findings.append((place, why))
    return value


def _group(group: Any, plain: Mapping[str, Any], place: Place, findings: Any) -> Any:
    known, count = keys_of(group), len(findings)
    values = {}
    needed = [field.name for field in fields(group) if field.default is MISSING]
    findings += [(place, f"lacks the key {key!r}") for key in needed if key not in plain]
    for key, value in plain.items():
        if key in known:
            values[key] = built(known[key], value, (*place, key), findings)
        else:
            findings.append(((*place, key), unknown(key, group)))
    return group(**values) if len(findings) == count else None


@dataclass(frozen=True)
class Prior(Group):
    """How PC(+) is weighted for the total expected cost."""

    kind: Literal["uniform", "beta", "cost ratio"]
    """`uniform`: all PC(+) weigh the same; from 0 to 1 that gives the area under the cost curve.
    `beta`: a beta distribution of PC(+). `cost ratio`: uniform in the logarithm of the cost ratio,
    so 1:4 to 1:2 weighs as much as 1:1 to 2:1."""

    low: Number | None = None
    """The lower end: a PC(+), or of a `cost ratio` the ratio C(-|+) / C(+|-), which it needs.
    Default: 0."""

    high: Number | None = None
    """The upper end, likewise. Default: 1."""

    a: Positive | None = None
    """The first shape parameter of a `beta`."""

    b: Positive | None = None
    """The second shape parameter of a `beta`."""

    prior: Proportion | None = None
    """The proportion of positives in deployment, at which a `cost ratio` becomes a PC(+)."""


@dataclass(frozen=True)
class Inference(Group):
    """How uncertainty is measured."""

    confidence: Proportion = 0.9
    """The level of bands and intervals, between 0 and 1."""

    resamples: Annotated[int, Bounds(minimum=1, maximum=MOST_RESAMPLES)] = 2000
    """How many resamples are drawn at least, a whole number from 1 to 1,000,000. All pairs of
    models share the error, so many models need more: 30 models are 435 pairs, which take 4,349 at a
    confidence of 0.9. Up to 5,000 are drawn unasked. Where that is too few to compare all models
    (33 of them at 0.9, 23 at 0.95), the study is refused with the number to set here."""

    band: Literal["wilson", "bootstrap", "normal"] = "wilson"
    """The band at each PC(+) of a model with one decision a case and one test set: `wilson`; or, as
    in the papers, `bootstrap` (resampled confusion matrices) or `normal` (equation 8), which cover
    less than they claim."""

    equivalence: Annotated[float, Bounds(exclusiveMinimum=0, maximum=1e100)] | None = None
    """The difference of normalized expected cost within which two models count as equivalent,
    above 0."""

    def drawn(self, models: int) -> int:
        """Return how many resamples are drawn of a dataset.

        Where P pairs share the error e = 1 - confidence, Holm's first step reads a pair at e / P,
        which the largest of B resamples can tell if 1 / (B + 1) is no more.
        """
        return max(self.resamples, min(self._needed(models), MOST_UNASKED))

    def too_many(self, models: int) -> str:
        """Return that a dataset has too many models, or the level is too high; empty if not."""
        needed = self._needed(models)
        if self.drawn(models) >= needed:
            return ""
        takes, mend = f"a level of {self.confidence}", "lower inference.confidence"
        if models > 2:
            pairs = f"{models} models are {math.comb(models, 2)} pairs"
            takes, mend = f"{pairs}, which share the error of {takes}: that", "compare fewer models"
        why = f"{takes} takes {needed} resamples, expected {self.drawn(models)} at most"
        return f"{why}; set inference.resamples to {needed} or more, or {mend}"

    def _needed(self, models: int) -> int:
        # One model, too, is compared: with the constant decisions. The paper's band has two edges.
        error, edges = 1 - Fraction(str(self.confidence)), 2 if self.band == "bootstrap" else 0
        return max(math.ceil(max(math.comb(models, 2), 1) / error) - 1, math.ceil(edges / error))


@dataclass(frozen=True)
class Cell(Group):
    """What an outcome brings, where that grows with a number x."""

    constant: Number = 0
    """What it brings whatever x is."""

    coefficient: Number = 0
    """What it brings for each 1 of x."""

    def minus(self, other: "Cell") -> "Cell":
        """Subtract what another outcome brings."""
        constant = self.constant - other.constant
        return Cell(constant, self.coefficient - other.coefficient)


@dataclass(frozen=True)
class Benefit(Group):
    """What each outcome brings: a number, or a constant and the coefficient of x."""

    tp: Number | Cell
    """Of predicting a positive positive."""

    fp: Number | Cell
    """Of predicting a negative positive."""

    fn: Number | Cell
    """Of predicting a positive negative."""

    tn: Number | Cell
    """Of predicting a negative negative."""

    @property
    def cells(self) -> dict[str, Cell]:
        """What each brings, a number as a constant."""
        given: dict[str, float | Cell] = vars(self)
        return {
            name: Cell(cell) if not isinstance(cell, Cell) else cell for name, cell in given.items()
        }

    @property
    def mistakes(self) -> tuple[Cell, Cell]:
        """What a false positive and a false negative cost beyond the right decision.

        Only what predicting positive changes matters (Fawcett 2006, section 4).
        """
        cells = self.cells
        return cells["tn"].minus(cells["fp"]), cells["tp"].minus(cells["fn"])


@dataclass(frozen=True)
class Costs(Group):
    """What mistakes on each case of a dataset cost."""

    unit: str = ""
    """What costs are counted in, such as DM. Default: none."""

    column: Name | None = None
    """The column of the files with the number x."""

    benefit: Benefit | None = None
    """What each outcome brings; see below. It takes the place of `cost_fp` and `cost_fn` in the
    files."""

    score_times_cost: bool = False
    """Whether each model with probabilities is judged a second time by its score times `cost_fn`,
    as a model "... \u00d7 cost": what one may do where costs are known when deciding."""


@dataclass(frozen=True)
class Selection(Group):
    """Which threshold rules are applied."""

    criteria: Annotated[tuple[Criterion, ...], Bounds(minItems=1, uniqueItems=True)] | None = None
    """Which threshold rules, of the list below. `cross-fitted` and `cost-minimizing` are always
    applied, as the others are compared with them. Default: all that apply."""

    score_threshold: Number = 0.5
    """The score from which on `score-fixed` predicts positive."""

    rate: Share | None = None
    """The share of cases that `rate-fixed` predicts positive, from 0 to 1. Default: the data's
    class proportion."""

    max_fp_rate: Share | None = None
    """The highest FP rate that `neyman-pearson` allows, from 0 to 1."""

    capacity: (
        Annotated[float, Bounds(minimum=0, maximum=10**12)]
        | Annotated[str, Bounds(pattern="^[0-9]{1,12}([.][0-9]+)?%$", title=CAPACITY)]
        | None
    ) = None
    """What the `workforce` can handle: a whole number of cases, of those of one pass over the data
    (of one repeat), or a share of them such as `10%`."""

    def considered(self) -> tuple[str, ...]:
        """List the rules that the study asks for, and those that they are compared with."""
        wanted = {*ALWAYS, *(KNOWN_CRITERIA if self.criteria is None else self.criteria)}
        lacking = {name for name, key in NEEDS.items() if getattr(self, key) is None}
        return tuple(name for name in KNOWN_CRITERIA if name in wanted - lacking)

    def unlimited(self) -> tuple[str, ...]:
        """List those of them that keep no limit: only their curves are resampled."""
        return tuple(name for name in self.considered() if name not in NEEDS)

    def handled(self, cases: float, passes: float = 1) -> float:
        """Return how many cases the workforce can handle, in so many passes over the data."""
        if isinstance(self.capacity, str):
            return float(self.capacity.removesuffix("%")) * cases / 100
        return float((self.capacity or 0) * passes)


@dataclass(frozen=True)
class ConditionKeys(Group):
    """What a configuration says of an operating condition."""

    name: Name | None = None
    """How figures and tables call it. Default: its PC(+), such as "PC(+) = 0.5", or without a prior
    its cost ratio, such as "5:1"."""

    pc: Share | None = None
    """PC(+), the probability cost, from 0 to 1."""

    prior: Proportion | None = None
    """The proportion of positives in deployment, between 0 and 1. Default, with costs: each
    dataset's own, so that the condition has another PC(+) on each."""

    cost_ratio: Positive | None = None
    """C(-|+) / C(+|-): what a miss costs, in false alarms."""

    cost_fn: Positive | None = None
    """C(-|+), the cost of a miss, above 0."""

    cost_fp: Positive | None = None
    """C(+|-), the cost of a false alarm, above 0."""

    unit: Name | None = None
    """What these two costs are counted in, such as EUR: the report then also gives in it what 1000
    cases cost."""


@dataclass(frozen=True)
class OperatingCondition(Group):
    """A marked operating condition."""

    name: str
    pc: float | None  # None: what the cost ratio comes to at the prior of each dataset
    prior: float | None = None  # in deployment; None: given as PC(+), or that of each dataset
    cost_ratio: float | None = None  # C(-|+) / C(+|-); None: given as PC(+)
    named: bool = True  # beforehand, by the study: there is inference for these alone
    cost_fp: float = 1.0
    unit: str = ""  # of costs; empty: none is named

    @classmethod
    def configured(cls, keys: ConditionKeys, named: bool = True) -> "OperatingCondition":
        """Return the condition of its keys: a PC(+), or a ratio of costs with a prior or without.

        >>> made = OperatingCondition.configured(ConditionKeys(prior=0.5, cost_fn=3, cost_fp=1))
        >>> made.name, made.pc, made.cost_ratio
        ('PC(+) = 0.75', 0.75, 3.0)
        """
        if keys.pc is not None:
            return cls(keys.name or condition(keys.pc), float(keys.pc), named=named)
        ratio = float(keys.cost_ratio or (keys.cost_fn or 1) / (keys.cost_fp or 1))
        name, pc, prior = condition_by_ratio(ratio), None, keys.prior
        if prior is not None:
            pc, prior = cls("", None, cost_ratio=ratio).at(prior), float(prior)
            name = condition(pc)
        costs = float(keys.cost_fp or 1), keys.unit or ""
        return cls(keys.name or name, pc, prior, ratio, named, *costs)

    def most(self, prior: float) -> float:
        """Return what a case costs in its unit where every decision is wrong.

        `prior` is the dataset's; that of the condition comes before it.

        >>> OperatingCondition("churn", None, cost_ratio=12, cost_fp=25, unit="EUR").most(0.25)
        93.75
        """
        prior = prior if self.prior is None else self.prior
        return self.cost_fp * ((self.cost_ratio or 0.0) * prior + 1 - prior)

    def at(self, prior: float) -> float:
        """Return its PC(+) on a dataset with this proportion of positives in deployment.

        >>> OperatingCondition("5:1", None, cost_ratio=5).at(0.5)
        0.8333333333333334
        """
        if self.pc is not None:
            return self.pc
        if self.cost_ratio is None:
            raise ValueError("the condition has neither a PC(+) nor a cost ratio")
        from costcurves.curves import cost_space

        return float(cost_space.pc_from_ratio(self.cost_ratio, prior))


@dataclass(frozen=True)
class ClaimKeys(Group):
    """What a configuration says of a claim."""

    claim: Name
    """The sentence: text of at most 200 characters."""

    kind: ClaimKind
    """What it asserts; see below."""

    models: Annotated[tuple[Name, ...], Bounds(minItems=1, maxItems=2, uniqueItems=True)]
    """A list of two models, or of one. In place of one of two: `always negative`, `always positive`
    or `no model`, the cheaper of both."""

    criterion: (
        str | Annotated[tuple[str, ...], Bounds(minItems=2, maxItems=2, uniqueItems=True)] | None
    ) = None
    """The threshold rule whose curves are meant; or a list of two, one for each of a pair, which
    may then be one model twice. Default: the headline curves."""

    datasets: Names | None = None
    """The datasets on which it is claimed; one with several classes stands for each of them, and
    `iris: setosa` for one. It is supported only if it is on each of them, and contradicted if it is
    on one. Default: all."""

    by_cost: bool = False
    """Whether cases count by what mistakes on them cost, on datasets with `costs`. Default: each
    counts the same."""

    at: Name | Annotated[tuple[Name, ...], Bounds(minItems=2, maxItems=2)] | None = None
    """The operating condition at which it is claimed: the name of one of the study, or a cost ratio
    such as `"5:1"`, in quotes. If the condition has a `unit`, `margin` and `at_most` are amounts
    for a case. Or a list of two cost ratios: everywhere in between."""

    pc: Share | Shares | None = None
    """In place of `at` one PC(+), or a list of two: from which to which it is claimed, everywhere
    in between. Default: 0 to 1; with `by_cost` the PC(+) that the prior and the mean costs give."""

    prior: Proportion | None = None
    """The proportion of positives in deployment, with cost ratios. Default: each dataset's own."""

    margin: Annotated[float, Bounds(exclusiveMinimum=0, maximum=1e100)] | None = None
    """The difference of cost that `not worse` and `equivalent` allow, above 0."""

    at_most: Annotated[float, Bounds(exclusiveMinimum=0, maximum=1e100)] | None = None
    """What the cost is `at most`, above 0."""

    average: bool = False
    """`true`: the mean of the cost, or of the difference of two, over the range: of `pc` with all
    PC(+) alike, of cost ratios even in their logarithm; without a range over all PC(+), weighted by
    the study's `prior`. Default: the cost at every PC(+) of the range."""

    confidence: Proportion | None = None
    """The level of its verdict, between 0 and 1. Default: that of `inference`."""


@dataclass(frozen=True, kw_only=True)
class Claim(Group):
    """A sentence, and what it asserts."""

    sentence: str  # the author's words
    kind: str
    models: tuple[str, ...]  # one; of a pair A and B, which may be one model twice, or a baseline
    criteria: tuple[str, ...]  # of each of them; empty: its headline curve, or a baseline's
    datasets: tuple[str, ...]  # it is claimed on each of them
    condition: OperatingCondition | None = None  # at which alone it is claimed
    ends: tuple[float, ...] | None = None  # or between which PC(+), or cost ratios
    by_ratio: bool = False
    prior: float | None = None  # at which ratios are read; None: that of each dataset
    limit: float = 0.0  # the margin, or the highest cost: normalized, or in the condition's unit
    average: bool = False  # whether the mean over the range is meant, not the cost at every PC(+)
    level: float
    by_cost: bool = False

    @property
    def judged(self) -> tuple[str, ...]:
        """The datasets that decide it: by cost the siblings of those on which it is claimed."""
        return tuple(name_of(name, weighted=self.by_cost) for name in self.datasets)

    @property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """Model, or baseline, and threshold rule of each curve that it is about."""
        return tuple(zip(self.models, self.criteria, strict=True))

    @property
    def at_own_costs(self) -> bool:
        """Whether it is about the PC(+) of each dataset's prior and mean costs."""
        return self.by_cost and self.condition is None and self.ends is None and not self.average

    @property
    def of_all(self) -> bool:
        """Whether it is about every PC(+) from 0 to 1."""
        return self.condition is None and self.ends is None and not self.at_own_costs


def judged(row: Mapping[Any, Any]) -> str:
    """Name the dataset that a row of the table of claims is about, as `Claim.judged` does."""
    return name_of(row["dataset"], weighted=row["by_cost"])


def unknown_models(claims: Sequence[Claim], dataset: str, known: Sequence[str]) -> Iterator[str]:
    """Find models that claims about a dataset name, and that it has not."""
    for number, claim in enumerate(claims):
        for model in dict.fromkeys(claim.models if dataset in claim.datasets else ()):
            if model not in (*known, *BASELINES):
                lacks = f"dataset {quoted(dataset)} has no model {quoted(model)}"
                yield f"claims[{number}].models: {lacks}; {nearest(model, known)}"


@dataclass(frozen=True)
class Cases(Group):
    """What the cases of a dataset are, in words of the report."""

    case: Name | None = None
    """What a case is, such as `sonar returns`."""

    positive: Name | None = None
    """What a positive case is, such as `mines`."""


@dataclass(frozen=True, kw_only=True)
class ReadingKeys(Group):
    """How the prediction files of a dataset are to be read."""

    format: Name | None = None
    """What the files are, where they could be several things: a name in docs/prediction-files.md.
    Default: as their columns say."""

    columns: Columns | None = None
    """Which column is what, such as `{instance: patient, label: outcome}`. `score` takes a list of
    columns, a model each, `score_a` the column with the scores of the class `a`, and `model` a list
    of those that tell models apart; `unused` a list of columns of no use. `on` is the id by
    which the truth is found in the last file. `instance: "#"` says that rows at the
    same place of each file, or of each model, are the same case, `repeat: "#"` that rows with the
    same id are its repeats, and `fold: "#"` that the folder of each file is called as its fold."""

    delimiter: Annotated[str, Bounds(pattern=f"^{SIGN}$", title=A_SIGN)] | None = None
    """What separates the columns of a file of text. Default: a comma, or else a semicolon, tab or
    vertical bar."""

    decimal: Literal[".", ","] = "."
    """The decimal sign of numbers in text."""

    missing: Names | None = None
    """Texts that mean that there is no value, such as `NA`. Default: none, but for an empty one."""

    where: Names | None = None
    """Which rows to keep, such as `[evaluationType == Test, "site in A, B"]`: `==`, `!=` or `in`
    after the name of a column, and one text or several. All conditions must hold, and the report
    says how many rows they keep. Default: all rows."""

    missing_labels: Literal["refuse", "drop"] = "refuse"
    """What to do with cases whose label is empty: `refuse` the data, or `drop` these cases and say
    in the report how many."""

    abstain: Literal["refuse", "positive", "negative", "drop"] = "refuse"
    """What to do where a model gives no score, or no decision, for some cases: `refuse` the data,
    count these cases as predicted `positive` or `negative` at every threshold, or `drop` them for
    all models. The report says how many they are."""

    higher_is: Literal["positive", "negative", "predicted"] = "positive"
    """Which class a higher score speaks for. `predicted`: the class in the column of decisions, as
    probabilities of the predicted class do; where that is negative, 1 - score is read."""

    def given(self) -> dict[str, Any]:
        """Return what is said of reading and is not the default."""
        usual = asdict(ReadingKeys())
        given = {key: getattr(self, key) for key in usual if getattr(self, key) != usual[key]}
        plain: dict[str, Any] = json.loads(json.dumps(given))
        return plain

    def options(self) -> str:
        """Return the same as options of a command, for a shell."""
        given = self.given()
        roles = given.pop("columns", {}).items()
        given["column"] = [f"{role}={_listed(role, several(names))}" for role, names in roles]
        words = []
        for key, values in given.items():
            for value in several(values):
                words += [f"--{key.replace('_', '-')}", value]
        return shlex.join(words)


def _listed(role: str, names: Sequence[str]) -> str:
    """Return names of columns with commas, in quotation marks where a name has one itself."""
    mark = '"' if role in LISTS and any("," in name for name in names) else ""
    return ",".join(f"{mark}{name}{mark}" for name in names)


def several(names: str | Sequence[str] | None) -> Sequence[str]:
    """Return names of which there may be one, several or none."""
    return [names] if isinstance(names, str) else names or []


@dataclass(frozen=True)
class DatasetKeys(ReadingKeys):
    """What a configuration says of a dataset."""

    name: Name
    """As in the column `dataset` of its files. It may be any text of at most 200 characters; files
    get a name made from it. No other dataset may be called so, nor like a class of another
    (`tea: red`, in files `tea--red`)."""

    predictions: Names
    """A list of files, relative to the folder where the command runs. What they may be is
    below."""

    title: Name | None = None
    """How the report calls it. Default: the name."""

    about: Cases = Cases()
    """What a case is and what positive means, for the report; see below."""

    positive: Name | None = None
    """Which label is the positive class. Needed unless labels are 0 and 1, or true and false: the
    positive class is never guessed."""

    prior: Proportion | None = None
    """The proportion of positives in deployment, at which PC(+) is read as a cost ratio. Default:
    the data's own."""

    models: Names | None = None
    """Which models, in which order. Default: all, in order of appearance."""

    classes: (
        Annotated[tuple[Name, ...], Bounds(minItems=3, uniqueItems=True)]
        | Annotated[dict[str, Name], Bounds(minProperties=3)]
        | Literal["rest"]
        | None
    ) = None
    """The classes, where labels have more than two values; see below. `rest`: all labels but the
    positive one are negative. Default: two classes."""

    costs: Costs | None = None
    """What mistakes on each case cost; see below. Without it all mistakes of a kind cost the
    same."""

    expected: Annotated[tuple[str, ...], Bounds(uniqueItems=True)] = ()
    """A list of findings about its predictions that are meant, such as `reversed`: they become
    notes. See docs/messages.md."""

    @property
    def each_class(self) -> tuple[str, ...]:
        """The classes of which each is positive in turn."""
        return () if self.classes == REST else tuple(self.classes or ())

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the datasets that it becomes: itself, or one for each of its classes.

        >>> DatasetKeys(name="tea", predictions=("a.csv",), classes=("red", "green", "jade")).parts
        ('tea: red', 'tea: green', 'tea: jade')
        """
        return tuple(f"{self.name}: {part}" for part in self.each_class) or (self.name,)

    def part_files(self, slug: str) -> tuple[str, ...]:
        """Return what the files of these are called, such as ``tea--red``."""
        return tuple(f"{slug}--{part}" for part in slugs([*self.each_class])) or (slug,)

    @property
    def all_columns(self) -> dict[str, str | tuple[str, ...]] | None:
        """Which column is what, with those that `classes:` names."""
        named = self.classes if isinstance(self.classes, Mapping) else {}
        others = {f"{OF_CLASS}{name}": column for name, column in named.items()}
        return {**(self.columns or {}), **others} or None


@dataclass(frozen=True, kw_only=True)
class Dataset(DatasetKeys):
    """One dataset of a study: what its configuration says, and what follows from that.

    Several classes make several of it, each class against all others, after Drummond and Holte
    (2006), section 6, https://doi.org/10.1007/s10994-006-8199-5.
    """

    title: str
    slug: str  # what its files are called
    classes: tuple[str, ...] | None = None  # all, where it is one of them against all others
    rest: bool = False  # whether all labels but the positive one are negative
    folds_without_a_class: str = "refuse"
    pairing: str = "paired"
    reference: str | None = None
    weighted: bool = False  # whether its cases count by what mistakes on them cost
    of: str | None = None  # the dataset with several classes, where it is one of them
    score: str = "score"  # the column of its scores

    @property
    def in_files(self) -> str:
        """Its name in the column ``dataset`` of its files."""
        return self.of or self.original

    @property
    def original(self) -> str:
        """The dataset whose cases and random numbers it shares, as its sibling, or itself."""
        return self.name.removesuffix(BY_COST) if self.weighted else self.name

    @property
    def unit(self) -> str:
        """The unit of the costs by which its cases are weighted; empty: none is named."""
        return self.costs.unit if self.weighted and self.costs else ""

    @property
    def sibling(self) -> "Dataset":
        """The same dataset with its cases weighted by what mistakes on them cost."""
        name, slug = name_of(self.name, weighted=True), name_of(self.slug, weighted=True)
        title = f"{self.title}, weighted by cost"
        return replace(self, name=name, slug=slug, title=title, weighted=True)

    @property
    def as_read(self) -> "Dataset":
        """The same without what no staged row depends on: to change that reads nothing again."""
        costs = self.costs and replace(self.costs, unit="")
        return replace(self, title=self.name, prior=None, expected=(), costs=costs, about=Cases())


def name_of(dataset: str, *, weighted: bool) -> str:
    """Name a dataset, or its files, by what its cases count: the same, or their costs.

    >>> name_of("loans", weighted=False), name_of("loans", weighted=True)
    ('loans', 'loans--costs')
    """
    return f"{dataset}{BY_COST}" if weighted else dataset


@dataclass(frozen=True, kw_only=True)
class StudyKeys(Group):
    """What a configuration says."""

    study: Annotated[str, Bounds(pattern=f"^{SLUG.pattern}$", title=SLUG_WORDS)]
    """Its name, at most 64 letters, digits, `.`, `_`, `-`. Results go to `results/<study>`, the
    report to `reports/<study>`; no file that the study is made of may lie in them."""

    title: Name | None = None
    """The report's title. Default: the name."""

    description: Name | None = None
    """What the study is about, as plain text: paragraphs below the report's title, with blank lines
    between them. Default: nothing."""

    reference: Name | None = None
    """The model in use. The answer, savings, verdicts and the map of all datasets are then against
    it; other pairs are compared besides. Every dataset must have it. Default: none; savings are
    against the next best model and the cheaper of always negative and always positive."""

    seed: Annotated[int, Bounds(minimum=0, maximum=2**63 - 1)] = 20061
    """Where random numbers start. The same seed gives the same report, byte for byte."""

    level: Literal["fold", "repeat", "pooled"] = "repeat"
    """Whose lower envelopes the headline curve averages: those of each `fold`, of each `repeat`
    (its folds pooled), or the one of all cases `pooled`. Tables hold all three. The smaller the
    set, the more an envelope is too low: it is chosen on the data that judge it."""

    folds_without_a_class: Literal["refuse", "pool"] = "refuse"
    """What to do when a fold has no positives or no negatives, and so no cost curve: `refuse` the
    data and name the folds, or `pool` the folds of such a repeat. A repeat that lacks a class
    altogether is refused."""

    pairing: Literal["paired", "unpaired"] = "paired"
    """`paired`: all models of a dataset must be predicted on the same cases, in the same folds.
    `unpaired` lets them differ, and the report says so."""

    operating_conditions: (
        Annotated[tuple[ConditionKeys, ...], Bounds(maxItems=MOST_CONDITIONS)] | None
    ) = None
    """Operating conditions at which the report says what to use, and which figures and tables mark;
    see below. Half of the error of `inference.confidence` is for them, as they were named before
    the data were looked at. Default: the cost ratios 1:5, 1:1 and 5:1 at the class ratio of each
    dataset, which are not named: all of the error is for verdicts on ranges of PC(+)."""

    prior: Prior = Prior("uniform")
    """How PC(+) is weighted for the total expected cost; see below. Default: uniform."""

    inference: Inference = Inference()
    """How uncertainty is measured; see below."""

    selection: Selection = Selection()
    """Which threshold rules are applied; see below."""

    claims: tuple[ClaimKeys, ...] = ()
    """What is claimed of the models, to be decided by the data; see below."""

    anonymous: bool = False
    """`true` leaves the folders of the prediction files out of the report, for review without
    names; see below."""

    detail: Detail = "standard"
    """What is computed of each dataset: `quick` is a first look; see below."""

    appendix: bool = False
    """`true` adds an appendix to the report, on the command line `--appendix`; see below."""

    pdf: bool = True
    """`false` makes the page alone, without the PDF; on the command line `--html`."""

    datasets: Annotated[tuple[DatasetKeys, ...], Bounds(minItems=1)]
    """The datasets, in the report's order; see below."""


@dataclass(frozen=True, kw_only=True)
class Study(StudyKeys):
    """A study: what its configuration says, and what follows from that."""

    title: str
    operating_conditions: tuple[OperatingCondition, ...]  # type: ignore[assignment]
    claims: tuple[Claim, ...]  # type: ignore[assignment]
    datasets: tuple[Dataset, ...]

    @property
    def name(self) -> str:
        """Its name, a slug: results go to ``results/<name>``."""
        return self.study

    @property
    def counted(self) -> tuple[Dataset, ...]:
        """The datasets that are counted and vote: those weighted by cost are the same again."""
        return tuple(dataset for dataset in self.datasets if not dataset.weighted)

    @property
    def claimed(self) -> tuple[Dataset, ...]:
        """The datasets that decide claims."""
        names = {name for claim in self.claims for name in claim.judged}
        return tuple(dataset for dataset in self.datasets if dataset.name in names)

    @property
    def of_ranges(self) -> Inference:
        """How uncertainty of verdicts on ranges is measured: half of the error is for conditions.

        Where none is named beforehand, all of it is for ranges.
        """
        if not any(place.named for place in self.operating_conditions):
            return self.inference
        share = 1 - Fraction(str(self.inference.confidence))
        return replace(self.inference, confidence=float(1 - share / 2))

    @property
    def configuration(self) -> dict[str, Any]:
        """What its configuration says, with its defaults and the datasets that it names."""
        return asdict(
            replace(self, datasets=self.counted),
            dict_factory=lambda keys: {key: value for key, value in keys if value is not None},
        )

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The tables that the study does not make."""
        tables = {*FIRST_LOOK} if self.detail == "quick" else set()
        if all(dataset.costs is None for dataset in self.datasets):
            tables.add("instance_costs")
        if len(self.counted) == 1:
            tables.add("map")
        if not self.claims:
            tables.add("claims")
        return frozenset(tables)

    @property
    def printed(self) -> bool:
        """Whether the report is also written as a PDF."""
        return self.pdf and self.detail != "quick"
