"""What a study claims of its models, as its configuration says it; `claims` decides it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from costcurves.tables.configuration.dataset import name_of, parts
from costcurves.tables.configuration.declared import (
    TWO,
    Must,
    Name,
    Names,
    Plain,
    Positive,
    Proportion,
    Share,
)
from costcurves.tables.configuration.names import items, nearest, quoted, some
from costcurves.tables.configuration.schema import Findings
from costcurves.tables.configuration.settings import MOST_RESAMPLES, Selection

CHEAPER: Final = "cheaper"
NOT_WORSE: Final = "not worse"
EQUIVALENT: Final = "equivalent"
OPERATING_RANGE: Final = "operating range"
WORSE_THAN_TRIVIAL: Final = "worse than trivial"
EXPECTED_COST: Final = "expected cost"

PAIRS: Final = (CHEAPER, NOT_WORSE, EQUIVALENT)  # of two models
NEEDS: Final = {NOT_WORSE: "delta", EQUIVALENT: "delta", EXPECTED_COST: "at_most"}


@dataclass(frozen=True)
class ClaimKeys(Plain):
    """What a configuration says of a claim."""

    claim: Name
    """The sentence: text of at most 200 characters."""

    kind: Annotated[str, Must(enum=[*PAIRS, OPERATING_RANGE, WORSE_THAN_TRIVIAL, EXPECTED_COST])]
    """What it asserts; see below."""

    models: Annotated[Names, Must(maxItems=2)]
    """A list of two models, or of one."""

    criterion: str | Annotated[tuple[str, ...], TWO, Must(uniqueItems=True)] | None = None
    """The selection criterion whose curves are meant; or a list of two, one for each of a pair,
    which may then be one model twice. Default: the headline curves."""

    datasets: Names | None = None
    """The datasets on which it is claimed; one with several classes stands for each of them, and
    `iris: setosa` for one. It is supported only if it is on each of them, and contradicted if it is
    on one. Default: all."""

    by_cost: bool = False
    """Whether instances count by what mistakes on them cost, on datasets with `costs`. Default:
    each counts the same."""

    pc: Share | Annotated[tuple[Share, ...], TWO] | None = None
    """One PC(+), or a list of two: from which to which it is claimed, everywhere in between.
    Default: 0 to 1; with `by_cost` the PC(+) that the prior and the mean costs give."""

    cost_ratio: Positive | Annotated[tuple[Positive, ...], TWO] | None = None
    """The same as one C(-|+) / C(+|-) or as a range of it, with `prior`."""

    prior: Proportion | None = None
    """The proportion of positives in deployment, with `cost_ratio`."""

    delta: Annotated[float, Must(exclusiveMinimum=0, maximum=1)] | None = None
    """The difference of normalized expected cost that `not worse` and `equivalent` allow, above
    0."""

    at_most: Share | None = None
    """What an `expected cost` is at most."""

    mean: Literal["area", "tec", "range"] | None = None
    """The mean of the cost, or of the difference of two: `area` over all PC(+), `tec` weighted by
    the study's `prior`, `range` over that of `pc`, or over that of `cost_ratio` in its logarithm.
    Not of an `operating range`, nor of `worse than trivial`. Default: the cost at every PC(+) of
    the range."""

    level: Proportion | None = None
    """Its level, between 0 and 1. Default: that of `inference`."""


@dataclass(frozen=True)
class Claim(Plain):
    """A sentence, and what it asserts."""

    sentence: str  # the author's words
    kind: str
    models: tuple[str, ...]  # one; of a pair A and B, which may be one model twice
    criteria: tuple[str, ...]  # of each of them; empty: its headline curve is meant
    datasets: tuple[str, ...]  # it is claimed on each of them
    low: float  # from this PC(+) to the next it is claimed, everywhere in between
    high: float
    limit: float  # delta, or the highest expected cost; 0 where there is neither
    mean: str | None  # which is limited; None: the cost at every PC(+) is
    level: float
    by_cost: bool = False
    at_own_costs: bool = False  # at the PC(+) of each dataset's prior and mean costs, not `low`

    @property
    def judged(self) -> tuple[str, ...]:
        """The datasets that decide it: by cost the siblings of those on which it is claimed."""
        return tuple(name_of(one, weighted=self.by_cost) for one in self.datasets)

    @property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """Model and criterion of each curve that it is about."""
        return tuple(zip(self.models, self.criteria, strict=True))

    @classmethod
    def configured(
        cls, content: Mapping[str, Any], datasets: Sequence[Mapping[str, Any]], level: float
    ) -> "Claim":
        """Make a claim of its configuration; all datasets and a level serve as defaults."""
        low, high = _range(content)
        models, criteria = content["models"], _criteria(content) or [""]
        sides = max(len(models), len(criteria))
        key, mean = NEEDS.get(content["kind"]), content.get("mean")
        if mean == "range" and content.get("cost_ratio") is not None:
            mean = "cost ratio"
        return cls(
            sentence=content["claim"],
            kind=content["kind"],
            models=tuple(models * (sides // len(models))),
            criteria=tuple(criteria * (sides // len(criteria))),
            datasets=_datasets(content, datasets),
            low=low,
            high=high,
            limit=float(content[key]) if key else 0.0,
            mean=mean,
            level=float(content.get("level") or level),
            by_cost=bool(content.get("by_cost")),
            at_own_costs=_at_own_costs(content),
        )


def judged(row: Mapping[Any, Any]) -> str:
    """Name the dataset that a row of the table of claims is about, as `Claim.judged` does."""
    return name_of(row["dataset"], weighted=row["by_cost"])


def unknown_models(claimed: Sequence[Claim], dataset: str, known: Sequence[str]) -> Iterator[str]:
    """Find models that claims about a dataset name, and that it has not."""
    for number, one in enumerate(claimed):
        for model in dict.fromkeys(one.models if dataset in one.datasets else ()):
            if model not in known:
                found = f"dataset {quoted(dataset)} has no model {quoted(model)}"
                yield f"claims[{number}].models: {found}; {nearest(model, known)}"


def _datasets(content: Mapping[str, Any], datasets: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name the datasets that a claim is about: if it names none all, by cost those with costs."""
    of = {one["name"]: parts(one) for one in datasets}
    of_costs = [one["name"] for one in datasets if one.get("costs") is not None]
    names = content.get("datasets") or (of_costs if content.get("by_cost") else of)
    return tuple(dict.fromkeys(part for name in names for part in of.get(name, (name,))))


def _at_own_costs(content: Mapping[str, Any]) -> bool:
    given = (content.get(key) for key in ("pc", "cost_ratio", "mean"))
    return bool(content.get("by_cost")) and all(one is None for one in given)


def _criteria(content: Mapping[str, Any]) -> list[str]:
    given = content.get("criterion")
    return given if isinstance(given, list) else [] if given is None else [given]


def _range(content: Mapping[str, Any]) -> tuple[float, float]:
    ratio = content.get("cost_ratio")
    if ratio is None:
        return _ends([0, 1] if content.get("pc") is None else content["pc"])
    from costcurves.maths.geometry.cost_space import pc_from_ratio  # imports numpy

    low, high = (float(pc_from_ratio(end, float(content["prior"]))) for end in _ends(ratio))
    return low, high


def _ends(range_: Any) -> tuple[float, float]:
    low, high = range_ if isinstance(range_, list) else (range_, range_)
    return float(low), float(high)


def broken_claims(content: Mapping[str, Any]) -> Findings:
    """Find claims that assert nothing, or nothing that the study can decide."""
    for index, one in enumerate(content["claims"]):
        of_study = *_of_names(one, content), *_of_costs(one, content), *_of_criteria(one, content)
        for key, why in (*of_study, *_of_kind(one), *_of_range(one)):
            yield ("claims", index, *key), why
    claimed, inference = content["claims"], content["inference"]
    datasets = max((len(_datasets(one, content["datasets"])) for one in claimed), default=0)
    level = max((one.get("level") or inference["confidence"] for one in claimed), default=0)
    if why := too_few(len(claimed), datasets, level, inference["resamples"]):
        yield ("inference", "resamples"), why


def too_few(claims: int, datasets: int, level: float, resamples: int) -> str:
    """Say that resamples are too few for a study's claims, of which `level` is the highest.

    The broadest is about so many `datasets`: to contradict it on one needs as many times more.
    """
    needed = math.ceil(2 * claims * datasets / (1 - Fraction(str(float(level))))) - 1
    if resamples >= needed:
        return ""
    about = f" about up to {datasets} datasets" if datasets > 1 else ""
    share = f"{claims} claims{about} share" if claims > 1 else f"1 claim{about} has"
    possible = needed <= MOST_RESAMPLES
    mend = "draw more, or claim less" if possible else "claim less, or at a lower level"
    of = f"the error of a level of {level:g}"
    return f"is {resamples}, expected {needed} or more: {share} {of}; {mend}"


def _of_names(one: Mapping[str, Any], content: Mapping[str, Any]) -> Findings:
    """Find unknown datasets, and models that a dataset leaves out."""
    names = [dataset["name"] for dataset in content["datasets"]]
    listed = {
        name: dataset.get("models")
        for dataset in content["datasets"]
        for name in (dataset["name"], *parts(dataset))
    }
    named = one.get("datasets") or names
    for number, name in enumerate(named):
        if name not in listed:
            hint = nearest(name, list(listed))
            yield ("datasets", number), f"is {name!r}, which the study has not; {hint}"
    for number, model in enumerate(one["models"]):
        for name in named:
            known = listed.get(name)
            if known and model not in known:
                why = f"is {model!r}, which dataset {name!r} has not; {nearest(model, known)}"
                yield ("models", number), why


def _of_costs(one: Mapping[str, Any], content: Mapping[str, Any]) -> Findings:
    """Find claims by cost about datasets without costs, or beside a cost that is said again."""
    if not one.get("by_cost"):
        return
    lacking = [it for it in content["datasets"] if it.get("costs") is None]
    without = {name for it in lacking for name in (it["name"], *parts(it))}
    for number, name in enumerate(one.get("datasets") or ()):
        if name in without:
            yield ("datasets", number), f"is {name!r}, which has no 'costs:', needed for 'by_cost'"
    if not _datasets(one, content["datasets"]):
        yield ("by_cost",), "is true, but no dataset has 'costs:'"
    if one.get("cost_ratio") is not None:
        why = "instances say by 'by_cost' what mistakes cost"
        yield ("cost_ratio",), f"is given, but {why}; give 'pc', or nothing"


def _of_criteria(one: Mapping[str, Any], content: Mapping[str, Any]) -> Findings:
    """Find criteria that are not resampled, or that the study leaves out."""
    known = Selection.from_plain(content["selection"]).unlimited()
    for name in _criteria(one):
        if name not in known:
            why = "criteria that 'selection:' looks at and that keep no limit"
            yield ("criterion",), f"is {name!r}, expected one of {some(known)}: {why}"


def _of_kind(one: Mapping[str, Any]) -> Findings:
    """Find a wrong number of models, and limits that are missing or mean nothing."""
    kind, models, criteria = one["kind"], one["models"], _criteria(one)
    if kind in PAIRS and len(models) < 2 and len(criteria) < 2:
        yield ("models",), f"has 1 item, expected 2 for {kind!r}, or 1 with two criteria"
    for key, given in (("models", models), ("criterion", criteria)):
        if kind not in PAIRS and len(given) > 1:
            yield (key,), f"has {items(len(given))}, expected 1 for {kind!r}"
    for key in ("delta", "at_most"):
        if NEEDS.get(kind) == key and one.get(key) is None:
            yield (), f"lacks the key {key!r}, which {kind!r} needs"
        if NEEDS.get(kind) != key and one.get(key) is not None:
            yield (key,), f"is given, but {kind!r} has none"
    if kind == EXPECTED_COST and one.get("at_most") == 0:
        yield ("at_most",), "is 0, expected more: no data can show that a model costs less"
    if one.get("mean") is not None and kind not in (*PAIRS, EXPECTED_COST):
        yield ("mean",), f"is given, but {kind!r} has none"


def _of_range(one: Mapping[str, Any]) -> Findings:
    """Find ranges that are empty, given twice, or without what they need."""
    given = [key for key in ("pc", "cost_ratio") if one.get(key) is not None]
    if len(given) == 2:
        yield (), "has both pc and cost_ratio, expected one of them"
    for key in given:
        low, high = _ends(one[key])
        if low > high or (isinstance(one[key], list) and low == high):
            yield (key,), f"goes from {low:g} to {high:g}, expected a lower number first"
    if ("cost_ratio" in given) != (one.get("prior") is not None):
        lacks = "prior" if "cost_ratio" in given else "cost_ratio"
        yield (), f"lacks the key {lacks!r}: a cost ratio becomes a PC(+) at a prior"
    if given and one.get("mean") in ("area", "tec"):
        yield (given[0],), f"is given, but {one['mean']!r} is a mean over all PC(+)"
    if one.get("mean") == "range" and not any(isinstance(one[key], list) for key in given):
        yield ("mean",), "is 'range', which needs a list of two for 'pc' or 'cost_ratio'"
    if one["kind"] == OPERATING_RANGE and "cost_ratio" not in given and not _at_own_costs(one):
        low, high = _ends(one["pc"] if given else [0, 1])
        if low <= 0 or high >= 1:
            expected = "expected a range between them: there no model is below a trivial one"
            yield ("pc",), f"reaches 0 or 1, {expected}"
