"""The answer of a study: what is shown, what is not ruled out, and what to use at each condition.

The page, the terminal and ``what_to_use.json`` are made from these objects, whose sentences stand
in ``templates/answer.j2``. What is called shown comes from a verdict, from the interval of a named
condition or from what is ruled out; all else is an estimate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, nan
from typing import Final

from costcurves import formats
from costcurves.curves.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.figures.context import OWN_COSTS
from costcurves.formats import pc, ratio
from costcurves.pairs.verdicts import CHEAPEST, OUT
from costcurves.report.document import Drawing, Estimate, Facts, Model
from costcurves.report.material import FALSE_ALARMS, Material
from costcurves.report.measured import Measured
from costcurves.report.outcomes import Outcome, Range, leading, wins
from costcurves.report.thresholds import AS_DECIDED, TOP, chooses, serving, used
from costcurves.tables.keys import ALWAYS, IN_SAMPLE

CASES: Final = 1000  # for which costs and mistakes are counted
NORMALIZED: Final = "of normalized cost"  # where a false alarm costs nothing

LISTED: Final = 3  # datasets that page 1 shows one by one
WIDE: Final = 0.02  # of PC(+); a narrower range of a verdict says almost nothing
SAME: Final = 1e-9  # two PC(+) nearer than this are one
# How many statements of a dataset and how many names of each stand in the answer, the most first.
LENGTHS: Final = ((2, 3), (1, 3), (1, 2), (1, 1))


@dataclass(frozen=True)
class Saving:
    """How much less the lowest estimate is than the cost of another decision, in 1000 cases.

    There is an interval only where the difference is `shown`; else it may be chance.
    """

    than: str
    amount: Estimate
    shown: bool


@dataclass(frozen=True)
class Serving:
    """Who decides, and from which score on: NaN where it is decided without one."""

    member: str
    threshold: float
    flagged: float  # the share of all cases at or above the threshold; NaN: not known
    words: str  # the same in a table; empty: it was not computed
    copyable: bool  # the threshold as it is printed decides the same


@dataclass(frozen=True)
class Mistakes:
    """What a decision does to 1000 cases."""

    hits: int
    misses: int
    alarms: int
    rejections: int


@dataclass(frozen=True)
class Condition:
    """Where decisions are compared: a condition, the costs of cases, or a reader's ratio ("")."""

    name: str
    pc: float
    prior: float  # share of positives
    price: float = 1.0  # of a false alarm
    unit: str = FALSE_ALARMS

    @property
    def ratio(self) -> float:
        """The cost of a miss over that of a false alarm."""
        return float(ratio_from_pc(self.pc, self.prior))

    @property
    def worst(self) -> float:
        """What 1000 cases cost where every decision is wrong; infinite: false alarms are free."""
        return CASES * self.price * (self.prior * self.ratio + 1 - self.prior)

    @property
    def title(self) -> str:
        """Its name, or its ratio."""
        return self.name or ratio(self.ratio)

    @property
    def place(self) -> str:
        """Where it lies, besides what its name says."""
        words = ratio(self.ratio)
        parts: list[str] = []
        if self.name != formats.condition(self.pc):
            parts.append(f"PC(+) {pc(self.pc)}")
        if self.name not in {"", words}:
            parts.append(words)
        return ", ".join(parts)


@dataclass(frozen=True)
class Choice:
    """The decision with the lowest estimate at a place."""

    condition: Condition
    best: str
    model: Model | None  # None: the decision needs no model
    not_ruled_out: tuple[str, ...] | None  # others, the lowest estimate first; None: in-sample
    estimate: str
    cost: Estimate
    amount: Estimate  # of 1000 cases
    unit: str  # of amounts
    of: Saving | None  # against the reference, or else the next best model
    baseline: Saving | None  # against the cheaper no-model baseline
    mistakes: Mistakes | None  # None: at costs of cases, whose rates are weighted
    serving: Serving
    stays: Range  # where the estimate stays the lowest
    level: float | None  # of what is ruled out by the condition's own test; None: by ranges

    @property
    def shown(self) -> bool:
        """Whether every other decision is ruled out."""
        return self.not_ruled_out == ()


@dataclass(frozen=True)
class Statement:
    """A model that is shown to cost less, or more, than each of others on a range."""

    model: str
    less: bool
    others: tuple[str, ...]
    all: bool  # the others are all other models
    range: Range


@dataclass(frozen=True)
class DatasetAnswer:
    """What is shown of a dataset, and what to use at its conditions, the first one first."""

    name: str
    facts: Facts
    named: bool  # the first condition was named by the study, or is the costs of its cases
    statements: tuple[Statement, ...]
    alone: Range | None  # where the only model is shown to cost less than deciding without one
    reference: str | None
    in_sample: bool
    rows: tuple[Choice, ...]
    panel: Drawing | None  # its curves on page 1

    @property
    def start(self) -> Choice | None:
        """The choice that a reader begins with; None: the study marks no condition."""
        return self.rows[0] if self.rows else None

    @property
    def known(self) -> bool:
        """Whether a difference is shown on some range."""
        return bool(self.statements) or self.alone is not None


@dataclass(frozen=True)
class Vote:
    """A model that costs less than others on more datasets than chance allows."""

    winner: str
    losers: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]  # of PC(+)
    whole: tuple[float, float]  # from the first of them to the last


@dataclass(frozen=True)
class Answer:
    """The answer of a study."""

    datasets: tuple[DatasetAnswer, ...]
    votes: tuple[Vote, ...] | None  # None: there is no map of datasets
    familywise: float  # of all that is shown of a dataset
    confidence: float  # of intervals
    false: Measured | None  # the worst simulation of statements
    most: tuple[int, int] = LENGTHS[0]

    @property
    def listed(self) -> tuple[DatasetAnswer, ...]:
        """The datasets that page 1 shows one by one: all of a few, else none."""
        return self.datasets if len(self.datasets) <= LISTED else ()


def answer_of(materials: Sequence[Material], votes: tuple[Vote, ...] | None = None) -> Answer:
    """Make the answer of a study from the tables of its datasets, and of all of them."""
    tested = [outcome for material in materials for outcome in leading(material.outcomes)]
    simulated = [one for material in materials for one in material.measured if one.of_verdicts]
    return Answer(
        datasets=tuple(map(dataset_answer, materials)),
        votes=votes,
        familywise=tested[0].familywise if tested else materials[0].standing,
        confidence=materials[0].confidence,
        false=max(simulated, key=lambda one: one.share, default=None),
    )


def dataset_answer(material: Material) -> DatasetAnswer:
    """Make the answer of a dataset: costs of cases come first, then the condition of `start`."""
    rows = []
    weighted, start = material.weighted, material.start
    if weighted is not None:
        rows.append(_at_own_costs(weighted))
    ordered = sorted(material.conditions, key=lambda name: name != start)
    rows += [_choice(material, _condition(material, name)) for name in ordered]
    facts, first = material.facts, material.marked.get(start)
    return DatasetAnswer(
        name=str(material.tables["headline"]["dataset"].iloc[0]),
        facts=facts,
        named=weighted is not None or (first is not None and first.named),
        statements=tuple(statements(leading(material.outcomes), len(facts.models))),
        alone=_alone(material) if len(facts.models) == 1 else None,
        reference=material.reference,
        in_sample=facts.estimate == IN_SAMPLE,
        rows=tuple(rows),
        panel=(material if weighted is None else weighted).front,
    )


# What verdicts show


def statements(outcomes: Sequence[Outcome], models: int) -> Iterator[Statement]:
    """Join verdicts into statements on a model and as many others as share a wide range.

    Each pair counts with the widest range of its verdicts, in one statement.
    """
    pairs: dict[tuple[str, str], Range] = {}
    for win in wins(outcomes):
        widest = max(win.spans, key=lambda span: span.width)
        if widest.width >= WIDE:
            pairs[win.winner, win.loser] = widest
    while pairs:
        candidates = [
            _star(pairs, model, side)
            for side in (0, 1)
            for model in dict.fromkeys(pair[side] for pair in pairs)
        ]
        side, range_, members = max(candidates, key=lambda star: (len(star[2]), star[1].width))
        others = tuple(pair[1 - side] for pair in members)
        model = members[0][side]
        yield Statement(model, side == 0, others, len(others) == models - 1, range_)
        for pair in members:
            del pairs[pair]


def _star(
    pairs: Mapping[tuple[str, str], Range], model: str, side: int
) -> tuple[int, Range, list[tuple[str, str]]]:
    """Take the pairs of a model on one side, the widest first, while they share a wide range."""
    own = [pair for pair in pairs if pair[side] == model]
    own.sort(key=lambda pair: -pairs[pair].width)
    shared, members = pairs[own[0]], own[:1]
    for pair in own[1:]:
        both = _common(shared, pairs[pair])
        if both.width >= WIDE:
            shared = both
            members.append(pair)
    return side, shared, members


def _common(one: Range, other: Range) -> Range:
    low = max(one.low, other.low), max(one.ratio_low, other.ratio_low)
    high = min(one.high, other.high), min(one.ratio_high, other.ratio_high)
    return Range(low[0], high[0], low[1], high[1])


def _alone(material: Material) -> Range | None:
    """Find the widest range on which the data rule out both decisions without a model."""
    rows = [row for row in material.rows("in_the_running") if row["standing"] == OUT]
    negative, positive = (
        [
            Range(row["pc_from"], row["pc_to"], row["ratio_from"], row["ratio_to"])
            for row in rows
            if row["decision"] == constant
        ]
        for constant in ALWAYS
    )
    ranges = [_common(one, other) for one in negative for other in positive]
    widest = max(ranges, key=lambda both: both.width, default=None)
    return widest if widest is not None and widest.width > 0 else None


# What to use at a cost ratio


def at_ratio(material: Material, ratio: float, share: float | None = None) -> Choice:
    """Make the choice at a cost ratio and a share of positives; None: that of the dataset."""
    prior = material.facts.prior if share is None else share
    at = float(pc_from_ratio(ratio, prior))
    if material.by_cost and abs(at - material.own_costs) < SAME and share is None:
        return _at_own_costs(material)
    for name in material.conditions:
        named = _condition(material, name)
        if abs(named.pc - at) < SAME and named.prior == prior:
            return _choice(material, named)
    return _choice(material, Condition("", at, prior, *material.price))


def _condition(material: Material, name: str) -> Condition:
    """Return a marked condition."""
    pc, own = material.conditions[name], material.marked.get(name)
    prior, price = material.facts.prior, material.price
    if own is not None and own.prior is not None:
        prior = own.prior
    if own is not None and own.unit:
        price = own.cost_fp, own.unit
    return Condition(name, pc, prior, *price)


def _choice(material: Material, condition: Condition) -> Choice:
    """Make the choice at a condition."""
    at, prior = condition.pc, condition.prior
    costs = material.costs_at(at, condition.name)
    standing = material.standing_at(at)
    decisions = *ALWAYS, *material.facts.models
    # Where a decision without a model costs no more than any model, that is the one.
    best = next(decision for decision in decisions if standing[decision] == CHEAPEST)
    others: tuple[str, ...] | None = None
    if material.facts.estimate != IN_SAMPLE:
        out = {decision for decision, stands in standing.items() if stands == OUT}
        out |= material.dearer.get(condition.name, set()) | {best}
        left = [decision for decision in standing if decision not in out]
        others = tuple(sorted(left, key=lambda decision: costs[decision].value))
    worst, unit = condition.worst, condition.unit
    if not isfinite(worst):
        worst, unit = 1.0, NORMALIZED
    savings = []
    for than in (_rival(material, best, costs), _baseline(best, costs)):
        saving = None
        if than is not None:
            difference = _difference(material, condition.name, costs, best, than)
            saving = _saving(material, condition, others, best, than, difference.times(worst))
        savings.append(saving)
    return Choice(
        condition=condition,
        best=best,
        model=None if best in ALWAYS else material.model(best),
        not_ruled_out=others,
        estimate=material.facts.estimate,
        cost=costs[best],
        amount=costs[best].times(worst),
        unit=unit,
        of=savings[0],
        baseline=savings[1],
        mistakes=None if material.by_cost else _mistakes(material, best, at, prior),
        serving=_serving(material, best, at, prior),
        stays=_stays(material, best, at),
        level=material.standing if condition.name in material.dearer else None,
    )


def _at_own_costs(material: Material) -> Choice:
    """Make the choice at the costs of cases, from the tables that are weighted by them."""
    rows = {row["model"]: row for row in material.rows("instance_costs")}
    condition = Condition(OWN_COSTS, material.own_costs, material.facts.prior, *material.price)
    choice = _choice(material, condition)
    best, savings = rows[choice.best], []
    for saving in (choice.of, choice.baseline):
        if saving is not None:
            row = rows[saving.than]
            ends = row["more_low"], row["more_high"]
            if best["more"] > 0:  # differences are from the lowest cost, which is another's
                ends = nan, nan
            more = Estimate(row["cost"] - best["cost"], *ends).times(CASES)
            pair = choice.best, saving.than
            saving = _saving(material, condition, choice.not_ruled_out, *pair, more)
        savings.append(saving)
    amount = Estimate(best["cost"], best["low"], best["high"]).times(CASES)
    cost = Estimate(best["nec"], nan, nan)
    return replace(choice, cost=cost, amount=amount, of=savings[0], baseline=savings[1])


def _rival(material: Material, best: str, costs: Mapping[str, Estimate]) -> str | None:
    """Name what the lowest estimate is compared with: the reference, or else the next best."""
    if material.reference is not None and best != material.reference:
        return material.reference
    others = [model for model in material.facts.models if model != best]
    return min(others, key=lambda model: costs[model].value, default=None)


def _baseline(best: str, costs: Mapping[str, Estimate]) -> str | None:
    """Name the cheaper decision without a model; None: it has the lowest estimate itself."""
    return None if best in ALWAYS else min(ALWAYS, key=lambda constant: costs[constant].value)


def _difference(
    material: Material, name: str, costs: Mapping[str, Estimate], best: str, than: str
) -> Estimate:
    """Return what a decision costs more than the lowest estimate.

    The cost of a decision without a model is known; of two models only named conditions have an
    interval.
    """
    value, ends = costs[than].value - costs[best].value, (nan, nan)
    if than in ALWAYS:
        ends = costs[than].value - costs[best].high, costs[than].value - costs[best].low
    elif best in ALWAYS:
        ends = costs[than].low - costs[best].value, costs[than].high - costs[best].value
    for row in material.rows("pair_intervals") if name in material.dearer else ():
        if (row["quantity"], row["condition"]) == ("cost", name):
            if (row["model_a"], row["model_b"]) == (than, best):
                ends = row["low"], row["high"]
            if (row["model_a"], row["model_b"]) == (best, than):
                ends = -row["high"], -row["low"]
    return Estimate(value, *ends)


def _saving(
    material: Material,
    condition: Condition,
    others: tuple[str, ...] | None,
    best: str,
    than: str,
    more: Estimate,
) -> Saving:
    """Return a saving, and whether it is shown; only then it has an interval.

    The rival is then ruled out, and a verdict or the test of a named condition is on the two. On a
    decision without a model there is neither: the interval has to agree.
    """
    shown = False
    if others is not None and than not in others:
        shown = more.low > 0 and (
            condition.name in material.dearer or bool({best, than} & {*ALWAYS})
        )
        for win in material.wins:
            if (win.winner, win.loser) == (best, than):
                shown |= any(span.low <= condition.pc <= span.high for span in win.spans)
    known = shown and more.low > 0
    return Saving(than, more if known else Estimate(more.value, nan, nan), shown)


def _mistakes(material: Material, best: str, at: float, prior: float) -> Mistakes:
    """Count what a decision does to 1000 cases, of which a share is positive."""
    fp, fn = float(best == ALWAYS[1]), float(best == ALWAYS[0])
    if best not in ALWAYS:
        curve = material.curves[best]
        piece = curve.pc[:-1].searchsorted(at, side="right") - 1
        fp, fn = float(curve.at0[piece]), float(curve.at1[piece])
    positives = CASES * prior
    misses, alarms = _whole(positives * fn), _whole((CASES - positives) * fp)
    hits = _whole(positives) - misses
    return Mistakes(hits, misses, alarms, CASES - hits - misses - alarms)


def _whole(value: float) -> int:
    """Round a number of cases, halves up; sums that should be one are."""
    return int(value + 0.5 + SAME)


def _serving(material: Material, best: str, at: float, prior: float) -> Serving:
    """Return from which score on the decision is positive, in which share of all cases."""
    if best in ALWAYS:
        positive = best == ALWAYS[1]
        return Serving("", -inf if positive else inf, float(positive), "", copyable=False)
    if not chooses(material):
        return Serving("", nan, nan, "", copyable=False)
    if best in material.facts.fixed:
        return Serving("", nan, nan, AS_DECIDED, copyable=False)
    row = serving(material.served, best, at)
    constant = {inf: 0.0, -inf: 1.0}.get(row["threshold"], nan)
    flagged = (1 - prior) * row["fp"] + prior * row["tp"] if "fp" in row else constant
    words = used(row)
    return Serving(row["member"], row["threshold"], flagged, words, copyable=TOP not in words)


def _stays(material: Material, best: str, at: float) -> Range:
    """Find where around a PC(+) a decision has the lowest estimate."""
    rows = [
        row
        for row in material.standings
        if row["decision"] == best and row["pc_from"] <= at <= row["pc_to"]
    ]
    low, high = rows[-1]["pc_from"], rows[-1]["pc_to"]
    prior = material.facts.prior
    return Range(low, high, float(ratio_from_pc(low, prior)), float(ratio_from_pc(high, prior)))
