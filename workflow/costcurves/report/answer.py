"""The answer of a study: what is shown, what is not ruled out, and what to use at each condition.

The page, the terminal and ``what_to_use.json`` are made from these objects, whose sentences stand
in ``templates/answer.j2``. What is called shown comes from a verdict, from the interval of a named
condition or from what is ruled out; all else is an estimate.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, nan
from typing import Final

from costcurves.curves.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.figures.context import OWN_COSTS, ruled_out
from costcurves.formats import ratio
from costcurves.pairs.not_ruled_out import CHEAPEST, OUT
from costcurves.report.document import Drawing, Estimate, Facts
from costcurves.report.material import FALSE_ALARMS, Material, Pairs
from costcurves.report.measured import VERDICTS, of_dataset, quantities_of
from costcurves.report.outcomes import CHEAPER, Finding, Range, findings, leading, range_of
from costcurves.report.thresholds import AS_DECIDED, chooses, copyable, flagged, serving, used
from costcurves.tables.keys import ALWAYS, IN_SAMPLE
from costcurves.text import Text

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
    """From which score on a decision is positive (NaN: it needs none), and in what share of cases.

    A family decides by a member.
    """

    threshold: float
    flagged: float = nan  # the share of all cases; NaN: not known
    member: str = ""
    words: str = ""  # the same in a table; empty: it was not computed

    @property
    def copyable(self) -> bool:
        """Whether the threshold as it is printed decides the same."""
        return copyable(self.threshold)


@dataclass(frozen=True)
class Mistakes:
    """What a decision does to 1000 cases."""

    misses: int
    alarms: int


@dataclass(frozen=True)
class Condition:
    """Where decisions are compared: a named condition, the costs of cases, or a reader's ratio."""

    name: str
    pc: float
    prior: float  # share of positives
    price: float = 1.0  # of a false alarm
    unit: str = FALSE_ALARMS
    of_cases: bool = False  # the costs of cases, which have no name, whatever a study names so

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
        return OWN_COSTS if self.of_cases else self.name or ratio(self.ratio)


@dataclass(frozen=True)
class Choice:
    """The decision with the lowest estimate at a place."""

    condition: Condition
    best: str
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

    @property
    def model(self) -> str | None:
        """The model that decides; None: the decision needs none."""
        return None if self.best in ALWAYS else self.best


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

    facts: Facts
    named: bool  # the first condition was named by the study, or is the costs of its cases
    statements: tuple[Statement, ...]
    alone: Range | None  # where the only model is shown to cost less than deciding without one
    reference: str | None
    rows: tuple[Choice, ...]
    panel: Drawing | None  # its curves on page 1
    compared: bool  # there is a single model, or pairs were compared
    untested: tuple[tuple[str, str], ...]
    cautions: tuple[Text, ...]

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


@dataclass(frozen=True)
class Answer:
    """The answer of a study."""

    datasets: tuple[DatasetAnswer, ...]
    votes: tuple[Vote, ...] | None  # None: there is no map of datasets
    familywise: float  # of all that is shown of a dataset
    simulated: bool  # how often such statements are false
    most: tuple[int, int] = LENGTHS[0]

    @property
    def listed(self) -> tuple[DatasetAnswer, ...]:
        """The datasets that page 1 shows one by one: all of a few, else none."""
        return self.datasets if len(self.datasets) <= LISTED else ()


def answer_of(materials: Sequence[Material], votes: tuple[Vote, ...] | None = None) -> Answer:
    """Make the answer of a study from the tables of its datasets, and of all of them."""
    levels = [row["familywise"] for material in materials for row in leading(material.verdicts)]
    designs = (
        design.quantity
        for material in materials
        for design in of_dataset(material.facts, quantities_of(material.facts))
    )
    return Answer(
        datasets=tuple(map(dataset_answer, materials)),
        votes=votes,
        familywise=levels[0] if levels else materials[0].standing,
        simulated=not VERDICTS.isdisjoint(designs),
    )


def dataset_answer(material: Material) -> DatasetAnswer:
    """Make the answer of a dataset: costs of cases come first, then the condition of `start`."""
    facts, weighted, start = material.facts, material.weighted, material.start
    ordered = sorted(material.conditions, key=lambda name: name != start)
    rows = [_choice(material, _condition(material, name)) for name in ordered]
    if weighted is not None:
        rows.insert(0, _choice(weighted, _of_cases(weighted)))
    named = [condition.name for condition in material.marked.values() if condition.named]
    single = len(facts.models) == 1
    return DatasetAnswer(
        facts=facts,
        named=weighted is not None or start in named,
        statements=tuple(statements(findings(leading(material.verdicts)), len(facts.models))),
        alone=_alone(material) if single else None,
        reference=material.reference,
        rows=tuple(rows),
        panel=(weighted or material).front,
        compared=single or bool(material.verdicts),
        untested=material.untested,
        cautions=tuple(each.seen for each in material.findings if each.grade == "grave"),
    )


# What verdicts show


def statements(shown: Iterable[Finding], models: int) -> Iterator[Statement]:
    """Join verdicts into statements on a model and as many others as share a wide range.

    Each pair counts with the widest range of its verdicts, in one statement.
    """
    pairs: dict[tuple[str, str], Range] = {}
    for each in sorted(shown, key=lambda each: -round(each.range.width, 9)):
        if each.kind == CHEAPER and each.range.width >= WIDE:
            pairs.setdefault((each.ahead, each.behind), each.range)
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
    shared, members = Range(0, 1, 0, inf), []
    for pair, range_ in pairs.items():
        both = Range(
            max(shared.low, range_.low),
            min(shared.high, range_.high),
            max(shared.ratio_low, range_.ratio_low),
            min(shared.ratio_high, range_.ratio_high),
        )
        if pair[side] == model and both.width >= WIDE:
            shared = both
            members.append(pair)
    return side, shared, members


def _alone(material: Material) -> Range | None:
    """Find the widest range on which the data rule out both decisions without a model."""
    spans = ruled_out(material.tables)
    low, high = max(spans, key=lambda span: span[1] - span[0], default=(0.0, 0.0))
    ratios = (float(ratio_from_pc(pc, material.facts.prior)) for pc in (low, high))
    return Range(low, high, *ratios) if low < high else None


# What to use at a cost ratio


def at_ratio(material: Material, ratio: float, share: float | None) -> Choice:
    """Make the choice at a cost ratio and a share of positives; None: that of the dataset."""
    prior = material.facts.prior if share is None else share
    at = float(pc_from_ratio(ratio, prior))
    known = [_of_cases(material)] if material.by_cost else []
    known += [_condition(material, name) for name in material.conditions]
    for condition in known:
        if abs(condition.pc - at) < SAME and condition.prior == prior:
            return _choice(material, condition)
    return _choice(material, Condition("", at, prior, *material.price))


def _of_cases(material: Material) -> Condition:
    """Return the costs of cases as a condition, of a dataset that is weighted by them."""
    mean = material.own_costs, material.facts.prior
    return Condition("", *mean, *material.price, of_cases=True)


def _condition(material: Material, name: str) -> Condition:
    """Return a marked condition."""
    marked = material.marked.get(name)
    prior, price = material.facts.prior, material.price
    if marked is not None and marked.prior is not None:
        prior = marked.prior
    if marked is not None and marked.unit:
        price = marked.cost_fp, marked.unit
    return Condition(name, material.conditions[name], prior, *price)


def _choice(material: Material, condition: Condition) -> Choice:
    """Make the choice at a condition."""
    worst, unit = condition.worst, condition.unit
    if not isfinite(worst):
        worst, unit = 1.0, NORMALIZED
    costs = material.costs_at(condition.pc, condition.name)
    here = material.standings_at(condition.pc)
    # Where a decision without a model costs no more than any model, that is the one.
    decisions = *ALWAYS, *material.facts.models
    best = next(decision for decision in decisions if here[decision]["standing"] == CHEAPEST)
    pairs = material.pair_costs.get(condition.name, {})
    others: tuple[str, ...] | None = None
    if material.facts.estimate != IN_SAMPLE:
        out = {decision for decision, row in here.items() if row["standing"] == OUT}
        out |= {dearer for (dearer, _), (low, _) in pairs.items() if low > 0} | {best}
        left = [decision for decision in here if decision not in out]
        others = tuple(sorted(left, key=lambda decision: costs[decision].value))
    if condition.of_cases:
        cost, amount, more = _by_case(material, best)
    else:
        cost, amount = costs[best], costs[best].times(worst)
        more = {than: _difference(pairs, costs, best, than).times(worst) for than in costs}
    savings = {}
    for than, each in more.items():
        excluded = others is not None and than not in others
        shown = excluded and _is_shown(material, condition, best, than, each.low)
        known = shown and each.low > 0
        savings[than] = Saving(than, each if known else Estimate(each.value), shown)
    rival = _rival(material, best, costs)
    baseline = min(ALWAYS, key=lambda name: costs[name].value)
    return Choice(
        condition=condition,
        best=best,
        not_ruled_out=others,
        estimate=material.facts.estimate,
        cost=cost,
        amount=amount,
        unit=unit,
        of=None if rival is None else savings[rival],
        baseline=None if best in ALWAYS else savings[baseline],
        mistakes=None if material.by_cost else _mistakes(material, best, condition),
        serving=_serving(material, best, condition),
        stays=range_of(here[best], here[best]),
        level=material.standing if pairs else None,
    )


def _by_case(material: Material, best: str) -> tuple[Estimate, Estimate, dict[str, Estimate]]:
    """Return by the costs of cases what the best decision costs, and others more."""
    rows = {row["model"]: row for row in material.rows("instance_costs")}
    lowest = rows[best]
    more = {}
    for than, row in rows.items():
        value = Estimate(row["cost"] - lowest["cost"])
        if lowest["more"] <= 0:  # else intervals are of differences from another's cost
            value = replace(value, low=row["more_low"], high=row["more_high"])
        more[than] = value.times(CASES)
    amount = Estimate(lowest["cost"], lowest["low"], lowest["high"]).times(CASES)
    return Estimate(lowest["nec"]), amount, more


def _rival(material: Material, best: str, costs: Mapping[str, Estimate]) -> str | None:
    """Name what the lowest estimate is compared with: the reference, or else the next best."""
    if material.reference is not None and best != material.reference:
        return material.reference
    others = [model for model in material.facts.models if model != best]
    return min(others, key=lambda model: costs[model].value, default=None)


def _difference(pairs: Pairs, costs: Mapping[str, Estimate], best: str, than: str) -> Estimate:
    """Return what a decision costs more than the lowest estimate.

    The cost of a decision without a model is known; of two models only named conditions have an
    interval.
    """
    ends = nan, nan
    if than in ALWAYS:
        ends = costs[than].value - costs[best].high, costs[than].value - costs[best].low
    elif best in ALWAYS:
        ends = costs[than].low - costs[best].value, costs[than].high - costs[best].value
    value = costs[than].value - costs[best].value
    return Estimate(value, *pairs.get((than, best), ends))


def _is_shown(material: Material, condition: Condition, best: str, than: str, low: float) -> bool:
    """Return whether more than a range rules a decision out, of which a difference is above `low`.

    That is a verdict on the two, or an interval: at a named condition, or if one needs no model.
    """
    if low > 0 and (condition.name in material.pair_costs or {best, than} & {*ALWAYS}):
        return True
    return any(
        (each.ahead, each.behind, each.kind) == (best, than, CHEAPER)
        and each.range.low <= condition.pc <= each.range.high
        for each in material.findings_of_models
    )


def _mistakes(material: Material, best: str, condition: Condition) -> Mistakes:
    """Count what a decision does to 1000 cases."""
    fp, fn = float(best == ALWAYS[1]), float(best == ALWAYS[0])
    if best not in ALWAYS:
        curve = material.curves[best]
        piece = curve.pc[:-1].searchsorted(condition.pc, side="right") - 1
        fp, fn = float(curve.at0[piece]), float(curve.at1[piece])
    # Halves up; sums that should be one are.
    misses, alarms = CASES * condition.prior * fn, CASES * (1 - condition.prior) * fp
    return Mistakes(int(misses + 0.5 + SAME), int(alarms + 0.5 + SAME))


def _serving(material: Material, best: str, condition: Condition) -> Serving:
    """Return what decides: a score, or what the model or a constant decision says."""
    if best in ALWAYS:
        return Serving(-inf, 1.0) if best == ALWAYS[1] else Serving(inf, 0.0)
    if not chooses(material):
        return Serving(nan)
    if best in material.facts.fixed:
        return Serving(nan, words=AS_DECIDED)
    row, prior = serving(material.served, best, condition.pc), condition.prior
    constant = {inf: 0.0, -inf: 1.0}
    share = constant.get(row["threshold"], flagged(row, prior))
    return Serving(row["threshold"], share, row["member"], used(row, prior))
