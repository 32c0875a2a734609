"""The answer of a study: what is shown, what is not ruled out, and what to use at each condition.

The page, the terminal and ``what_to_use.json`` are made from these objects, whose sentences stand
in ``templates/answer.j2``. What is called shown comes from a verdict, from the interval of a named
condition or from what is ruled out; all else is an estimate.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan
from typing import Final

from costcurves.formats import condition, pc, ratio
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.maths.geometry.curves import line
from costcurves.report.decisions import decided
from costcurves.report.document import Estimate, Facts, Model
from costcurves.report.material import Material
from costcurves.report.measured import Measured
from costcurves.report.outcomes import Outcome, Range, leading, wins
from costcurves.report.thresholds import AS_DECIDED, TOP, chooses, serving, used
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.inference.verdicts import CHEAPEST, OUT
from costcurves.tables.keys import ALWAYS, IN_SAMPLE
from costcurves.text import Name, Part, Ratio, Text, condition_name, joined

CASES: Final = 1000  # for which costs and mistakes are counted
FALSE_ALARMS: Final = "false alarms"  # the unit of costs that have none
NORMALIZED: Final = "of normalized cost"  # where a false alarm costs nothing
OWN_COSTS: Final = "own costs"
LISTED: Final = 3  # datasets that page 1 shows one by one
WIDE: Final = 0.02  # of PC(+); a narrower range of a verdict says almost nothing
DIGITS: Final = 5  # of rates, as the page's scripts have them
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
class Choice:
    """The decision with the lowest estimate at an operating condition."""

    condition: Name | Ratio
    place: Text  # where it lies, besides what its name says
    pc: float
    prior: float
    ratio: float
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

    @property
    def start(self) -> Choice | None:
        """The choice that a reader begins with; None: the study marks no condition."""
        return self.rows[0] if self.rows else None

    @property
    def known(self) -> bool:
        """Whether a difference is shown on some range."""
        return bool(self.statements) or self.alone is not None


@dataclass(frozen=True)
class MatrixAnswer:
    """What a matrix of costs of several classes makes of its models."""

    dataset: str
    title: str
    href: str
    best: str
    cost: Estimate  # of a case
    not_ruled_out: tuple[str, ...]


@dataclass(frozen=True)
class Vote:
    """A model that costs less than others on more datasets than chance allows."""

    winner: str
    losers: tuple[str, ...]
    ranges: Text  # of PC(+)
    whole: tuple[float, float]  # from the first of them to the last


@dataclass(frozen=True)
class Answer:
    """The answer of a study."""

    datasets: tuple[DatasetAnswer, ...]
    matrices: tuple[MatrixAnswer, ...]
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
        matrices=tuple(matrix_answers(materials)),
        votes=votes,
        familywise=tested[0].familywise if tested else materials[0].standing,
        confidence=materials[0].confidence,
        false=max(simulated, key=lambda one: one.share, default=None),
    )


def matrix_answers(materials: Iterable[Material]) -> Iterator[MatrixAnswer]:
    """Read what a matrix of costs decides, which the first of the classes has."""
    for material in materials:
        result = decided(material)
        if result is not None:
            yield MatrixAnswer(
                dataset=material.facts.of,
                title=result.title,
                href=material.facts.table("decisions"),
                best=result.best.label,
                cost=result.best.cost,
                not_ruled_out=tuple(other.label for other in result.others),
            )


def dataset_answer(material: Material) -> DatasetAnswer:
    """Make the answer of a dataset: costs of cases come first, then the condition of `start`."""
    rows = []
    weighted, start = material.weighted, material.start
    if weighted is not None:
        rows.append(_at_own_costs(weighted))
    ordered = sorted(material.conditions, key=lambda name: name != start)
    rows += [_at_condition(material, name) for name in ordered]
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


# What to use at a condition


def _at_condition(material: Material, name: str) -> Choice:
    """Make the choice at a marked condition."""
    at, own = material.conditions[name], material.marked.get(name)
    prior = material.facts.prior if own is None or own.prior is None else own.prior
    unit, most = FALSE_ALARMS, float(prior * ratio_from_pc(at, prior) + 1 - prior)
    if own is not None and own.unit:
        unit, most = own.unit, own.most(material.facts.prior)
    if not isfinite(most):
        unit, most = NORMALIZED, 1 / CASES
    costs = {model: material.estimates[model, "cost", name] for model in material.facts.models}
    for constant, cost in zip(ALWAYS, (at, 1 - at), strict=True):
        costs[constant] = Estimate(cost, nan, nan)
    amounts = {decision: _times(cost, CASES * most) for decision, cost in costs.items()}
    best = _standing(material, at)[1]
    more = {
        than: _times(_difference(material, name, costs, best, than), CASES * most) for than in costs
    }
    return _choice(material, name, at, costs, amounts, more, unit, prior)


def _at_own_costs(material: Material) -> Choice:
    """Make the choice at the costs of cases, from the tables that are weighted by them."""
    rows = {row["model"]: row for row in material.rows("instance_costs")}
    at = next(iter(rows.values()))["pc"]
    best = _standing(material, at)[1]
    costs, amounts, more = {}, {}, {}
    for decision, row in rows.items():
        costs[decision] = Estimate(row["nec"], nan, nan)
        amounts[decision] = _times(Estimate(row["cost"], row["low"], row["high"]), CASES)
        ends = row["more_low"], row["more_high"]
        if rows[best]["more"] > 0:  # differences are from the lowest cost, which is another's
            ends = nan, nan
        more[decision] = _times(Estimate(row["cost"] - rows[best]["cost"], *ends), CASES)
    return _choice(
        material, OWN_COSTS, at, costs, amounts, more, material.unit, material.facts.prior
    )


def _choice(
    material: Material,
    name: str,
    at: float,
    costs: Mapping[str, Estimate],
    amounts: Mapping[str, Estimate],
    more: Mapping[str, Estimate],
    unit: str,
    prior: float,
) -> Choice:
    """Make a choice; `more` is what each decision costs more than the lowest estimate."""
    standing, best = _standing(material, at)
    others = _not_ruled_out(material, standing, best, costs, name)
    savings = []
    for than in (_rival(material, best, costs), _baseline(best, costs)):
        saving = None
        if than is not None:
            difference = more[than]
            shown = _is_shown(material, name, at, others, (best, than), difference.low)
            if not (shown and difference.low > 0):
                difference = Estimate(difference.value, nan, nan)
            saving = Saving(than, difference, shown)
        savings.append(saving)
    return Choice(
        condition=condition_name(name, at, material.facts.prior),
        place=_place(name, at, material.facts.prior),
        pc=at,
        prior=prior,
        ratio=float(ratio_from_pc(at, material.facts.prior)),
        best=best,
        model=None if best in ALWAYS else material.model(best),
        not_ruled_out=others,
        estimate=material.facts.estimate,
        cost=costs[best],
        amount=amounts[best],
        unit=unit,
        of=savings[0],
        baseline=savings[1],
        mistakes=None if name == OWN_COSTS else _mistakes(material, best, at, prior),
        serving=_serving(material, best, at),
        stays=_stays(material, best, at),
        level=material.standing if name in material.dearer else None,
    )


def _standing(material: Material, at: float) -> tuple[dict[str, str], str]:
    """Return how each decision stands at a PC(+), and which one has the lowest estimate.

    Where a decision without a model costs no more than any model, that is the one.
    """
    standing = {
        row["decision"]: row["standing"]
        for row in material.rows("in_the_running")
        if row["pc_from"] <= at <= row["pc_to"]  # where two meet, the later one counts
    }
    decisions = *ALWAYS, *material.facts.models
    best = next(decision for decision in decisions if standing[decision] == CHEAPEST)
    return standing, best


def _not_ruled_out(
    material: Material,
    standing: Mapping[str, str],
    best: str,
    costs: Mapping[str, Estimate],
    name: str,
) -> tuple[str, ...] | None:
    """List the other decisions that the data do not rule out, also by the condition's own test."""
    if material.facts.estimate == IN_SAMPLE:
        return None
    out = {decision for decision, stands in standing.items() if stands == OUT}
    out |= material.dearer.get(name, set())
    others = [decision for decision in standing if decision not in out | {best}]
    return tuple(sorted(others, key=lambda decision: costs[decision].value))


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
    """Return what a decision costs more than the lowest estimate at a condition.

    The cost of a decision without a model is known; of two models only named conditions have an
    interval.
    """
    value, ends = costs[than].value - costs[best].value, (nan, nan)
    if than in ALWAYS:
        ends = costs[than].value - costs[best].high, costs[than].value - costs[best].low
    elif best in ALWAYS:
        ends = costs[than].low - costs[best].value, costs[than].high - costs[best].value
    for row in material.rows("pair_intervals"):
        if (row["quantity"], row["condition"]) == ("cost", name):
            if (row["model_a"], row["model_b"]) == (than, best):
                ends = row["low"], row["high"]
            if (row["model_a"], row["model_b"]) == (best, than):
                ends = -row["high"], -row["low"]
    return Estimate(value, *ends)


def _is_shown(
    material: Material,
    name: str,
    at: float,
    others: tuple[str, ...] | None,
    pair: tuple[str, str],
    low: float,
) -> bool:
    """Return whether the saving of a pair (lowest estimate, rival) is shown.

    The rival is then ruled out, and a verdict or the test of a named condition is on the two. On a
    decision without a model there is neither: the interval, which begins at `low`, has to agree.
    """
    if others is None or pair[1] in others:
        return False
    if low > 0 and (name in material.dearer or {*pair} & {*ALWAYS}):
        return True
    for win in wins(material.outcomes):
        if (win.winner, win.loser) == pair:
            return any(span.low <= at <= span.high for span in win.spans)
    return False


def _times(value: Estimate, factor: float) -> Estimate:
    return Estimate(factor * value.value, factor * value.low, factor * value.high)


def _mistakes(material: Material, best: str, at: float, prior: float) -> Mistakes:
    """Count what a decision does to 1000 cases, of which a share is positive."""
    curves = headline_of(material.tables["headline"])
    curves |= dict(zip(ALWAYS, (line(0, 1), line(1, 0)), strict=True))
    curve, positives = curves[best], CASES * prior
    piece = curve.pc[:-1].searchsorted(at, side="right") - 1
    fp, fn = (round(float(rate[piece]), DIGITS) for rate in (curve.at0, curve.at1))
    misses, alarms = _whole(positives * fn), _whole((CASES - positives) * fp)
    hits = _whole(positives) - misses
    return Mistakes(hits, misses, alarms, CASES - hits - misses - alarms)


def _whole(value: float) -> int:
    """Round a number of cases, halves up, as the page's scripts do."""
    return int(value + 0.5)


def _serving(material: Material, best: str, at: float) -> Serving:
    """Return from which score on the decision is positive."""
    if best in ALWAYS:
        positive = best == ALWAYS[1]
        return Serving("", -inf if positive else inf, float(positive), "", copyable=False)
    if not chooses(material):
        return Serving("", nan, nan, "", copyable=False)
    if best in material.facts.fixed:
        return Serving("", nan, nan, AS_DECIDED, copyable=False)
    row = serving(material.served, best, at)
    constant = {inf: 0.0, -inf: 1.0}.get(row["threshold"], nan)
    flagged = row.get("flagged", constant)
    words = used(row)
    return Serving(row["member"], row["threshold"], flagged, words, copyable=TOP not in words)


def _stays(material: Material, best: str, at: float) -> Range:
    """Find where around a PC(+) a decision has the lowest estimate."""
    rows = [
        row
        for row in material.rows("in_the_running")
        if row["decision"] == best and row["pc_from"] <= at <= row["pc_to"]
    ]
    low, high = rows[-1]["pc_from"], rows[-1]["pc_to"]
    prior = material.facts.prior
    return Range(low, high, float(ratio_from_pc(low, prior)), float(ratio_from_pc(high, prior)))


def _place(name: str, at: float, prior: float) -> Text:
    """Say where a condition lies, but for what its name says."""
    words = ratio(ratio_from_pc(at, prior))
    parts: list[Part] = []
    if name != condition(at):
        parts.append(f"PC(+) {pc(at)}")
    if name != words:
        parts.append(Ratio(words, at))
    return joined(", ", parts)
