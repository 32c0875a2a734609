"""Claims in a configuration: what they become, and what is refused."""

import re
from collections.abc import Callable
from dataclasses import asdict
from operator import attrgetter
from typing import Any, Final

import pytest

from costcurves.errors import InputError
from costcurves.settings import Claim, Study
from costcurves.study.reading import parse_study

Keys = dict[str, Any]

DATASETS = [
    {"name": "wine", "predictions": ["w.csv"], "models": ["A", "B"]},
    {"name": "beer", "predictions": ["b.csv"]},
]
BY_COST: list[Keys] = [{**DATASETS[0], "costs": {}}, DATASETS[1]]
TEA: list[Keys] = [{"name": "tea", "predictions": ["t.csv"], "classes": ["red", "green", "jade"]}]
PAIR: Keys = {"claim": "A is best", "kind": "cheaper", "models": ["A", "B"]}
COST: Keys = {"claim": "A is cheap", "kind": "at most", "models": ["A"]}
MONEY: Keys = {
    "operating_conditions": [{"name": "ours", "cost_fn": 30, "cost_fp": 10, "unit": "EUR"}]
}


def study(*claims: Keys, **keys: Any) -> Study:
    content = {"study": "s", "datasets": DATASETS, "claims": list(claims), **keys}
    return parse_study(content, files=False)


NOT_WORSE = PAIR | {"kind": "not worse", "margin": 0.02}
AGAINST: Keys = {"models": ["A", "no model"]}
TWO: Keys = {"criterion": ["rate-fixed", "score-fixed"]}
DRIVEN: Final = "score-driven"
ONE, BY, WINE = {"models": ["A"]}, {"criterion": DRIVEN}, {"datasets": ["wine"]}
TEA_ALSO: Keys = {"datasets": [*DATASETS, *TEA]}
ALL_TEA = "tea: red", "tea: green", "tea: jade"
COSTLY: Keys = {"datasets": BY_COST}
WORTH = COST | {"at_most": 0.2}
WINE_OF_COSTS = (("wine",), ("wine--costs",), True)


SIDES, DATASET = attrgetter("sides"), attrgetter("datasets")
LIMIT, ENDS_AT = attrgetter("limit", "level"), attrgetter("ends")


def condition(claim: Claim, prior: float = 0.25) -> tuple[str, Any]:
    """Return the name of a claim's condition, and where it lies at a prior."""
    assert claim.condition
    return claim.condition.name, pytest.approx(claim.condition.at(prior))


def of_costs(claim: Claim) -> tuple[Any, ...]:
    return claim.datasets, claim.judged, claim.at_own_costs


# A claim, keys of its study, what is asked of it, and the answer.
MEANT: list[tuple[Keys, Keys, Callable[[Claim], object], object]] = [
    (PAIR, {}, lambda claim: (claim.condition, claim.ends, claim.average), (None, None, False)),
    (PAIR | {"at": "ours"}, MONEY, condition, ("ours", 0.5)),
    (PAIR | {"at": "3:1"}, MONEY, condition, ("3:1", 0.5)),
    (PAIR | {"pc": 0.3}, {}, condition, ("", 0.3)),
    (PAIR | {"at": "4:1", "prior": 0.2}, {}, condition, ("4:1", 0.5)),
    (PAIR | {"at": "5:1"}, MONEY, condition, ("5:1", 0.625)),
    (PAIR | {"at": ["1:1", "4:1"]}, {}, attrgetter("ends", "by_ratio"), ((1.0, 4.0), True)),
    (PAIR | {"by_cost": True, "pc": [0.1, 0.4]}, COSTLY, ENDS_AT, (0.1, 0.4)),
    # limits and levels
    (PAIR, {"inference": {"confidence": 0.95}}, LIMIT, (0, 0.95)),
    (NOT_WORSE | {"confidence": 0.99}, {}, LIMIT, (0.02, 0.99)),
    (WORTH | {"average": True, "at": ["1:1", "3:1"]}, {}, attrgetter("limit"), 0.2),
    (COST | {"at_most": 12, "at": "ours"}, MONEY, attrgetter("limit"), 12),
    # by cost: the datasets are those with costs, and the place is theirs unless given
    (PAIR | {"by_cost": True}, COSTLY, of_costs, WINE_OF_COSTS),
    (PAIR | AGAINST | {"by_cost": True, "datasets": ["wine"]}, COSTLY, of_costs, WINE_OF_COSTS),
    (WORTH | {"by_cost": True, "average": True}, COSTLY, of_costs, (*WINE_OF_COSTS[:2], False)),
    (PAIR, COSTLY, of_costs, (("wine", "beer"), ("wine", "beer"), False)),
    # criteria: one serves both models, and two serve one
    (PAIR, {}, SIDES, (("A", ""), ("B", ""))),
    (PAIR | BY, {}, SIDES, (("A", DRIVEN), ("B", DRIVEN))),
    (PAIR | ONE | TWO, {}, SIDES, (("A", "rate-fixed"), ("A", "score-fixed"))),
    (PAIR | TWO, {}, SIDES, (("A", "rate-fixed"), ("B", "score-fixed"))),
    (WORTH | BY, {}, SIDES, (("A", DRIVEN),)),
    (PAIR | AGAINST | BY | {"pc": 0.3}, {}, SIDES, (("A", DRIVEN), ("no model", ""))),
    # a dataset with classes stands for each of them
    (PAIR, TEA_ALSO, DATASET, ("wine", "beer", *ALL_TEA)),
    (PAIR | {"datasets": ["tea: green"]}, TEA_ALSO, DATASET, ("tea: green",)),
    (PAIR | {"datasets": ["tea"]}, TEA_ALSO, DATASET, ALL_TEA),
    (PAIR | WINE, {"inference": {"resamples": 19}}, DATASET, ("wine",)),  # which are enough
]


@pytest.mark.parametrize(("claim", "keys", "part", "expected"), MEANT)
def test_a_claim_means_what_its_keys_say(
    claim: Keys, keys: Keys, part: Callable[[Claim], object], expected: object
) -> None:
    """And survives the way through plain values."""
    made = study(claim, **keys)
    assert part(made.claims[0]) == expected
    assert Study.from_plain(asdict(made)) == made


RANGE = {"at": ["1:2", "2:1"]}
BASELINE = "models expected a model, and one criterion at most, beside a baseline"
ENDS = "pc reaches 0 or 1, expected a range between them: there no model is below a baseline"
PAIRS: list[tuple[Keys, str]] = [
    ({"kind": "operating range"}, "kind is 'operating range', which was replaced: write 'kind: c"),
    # names
    ({"datasets": ["wines"]}, "is 'wines', which the study has not; did you mean 'wine'?"),
    ({"models": ["A", "C"]}, "models[1] is 'C', which dataset 'wine' has not; known are 'A', 'B'"),
    ({"models": ["A"]}, "models has 1 item, expected 2 for 'cheaper', or 1 with two criteria"),
    ({"models": ["no model", "always positive"]}, BASELINE),
    ({**AGAINST, **TWO}, BASELINE),
    ({"criterion": "neyman-pearson"}, "'rate-fixed': criteria of 'selection:' that keep no limit"),
    ({"criterion": ["rate-fixed", "x"]}, "criterion is 'x', expected one of"),
    # places
    ({"at": "later"}, "at is 'later', expected a condition, '1:5', '1:1', '5:1', or a cost ratio"),
    ({"at": ["1:2", "x"]}, "at[1] is 'x', expected a cost ratio such as 5:1"),
    ({"at": ["4:1", "1:1"]}, "at goes from 4:1 to 1:1, expected a lower number first"),
    ({"pc": [0.5, 0.5]}, "pc goes from 0.5 to 0.5, expected a lower number first"),
    ({"pc": 0.5, **RANGE}, "claims[0] has both at and pc, expected one of them"),
    ({"prior": 0.2}, "prior is given, but only cost ratios of 'at' are read at a prior"),
    ({"average": True, "pc": 0.3}, "average is true, expected a list of two for 'pc', or no 'pc'"),
    ({"average": True, "at": "5:1"}, "expected a list of two for 'at', or no 'at'"),
    *(({**AGAINST, **place}, ENDS) for place in ({}, {"pc": [0.5, 1]}, {"pc": [0, 0.5]})),
    # limits
    ({"kind": "not worse"}, "claims[0] lacks the key 'margin', which 'not worse' needs"),
    ({"margin": 0.1}, "claims[0].margin is given, but 'cheaper' has none"),
    ({"kind": "not worse", "margin": 2}, "margin is 2, expected 1 or less, a normalized cost: an"),
    # by cost
    ({"by_cost": True}, "claims[0].by_cost is true, but no dataset has 'costs:'"),
    ({"by_cost": True, "at": "2:1"}, "at is given, but cases say by 'by_cost' what mistakes cost"),
    ({"by_cost": True, "datasets": ["beer"]}, "[0] is 'beer', which has no 'costs:', needed for"),
]
COSTS: list[tuple[Keys, str]] = [
    ({}, "lacks the key 'at_most', which 'at most' needs"),
    ({"at_most": 1.2, "at": "5:1"}, "at_most is 1.2, expected 1 or less, a normalized cost"),
    ({"at_most": 0.1, "models": ["A", "B"]}, "models has 2 items, expected 1 for 'at most'"),
    ({"at_most": 0.1, **TWO}, "claims[0].criterion has 2 items, expected 1 for 'at most'"),
    ({"at_most": 0.1, "models": ["no model"]}, BASELINE),
]
MEASURED = "is 'score-fixed', expected one of 'cross-fitted', 'cost-minimizing', 'rate-fixed': crit"
BLUE = "is 'tea: blue', which the study has not; did you mean"
SHARE = "expected 239 or more: 6 claims about up to 2 datasets share the error of a"


def of(count: int, resamples: int, why: str, **keys: Any) -> tuple[list[Keys], Keys, str]:
    """Claims and resamples that are too few for them."""
    message = f"inference.resamples is {resamples}, {why}"
    return [{**PAIR, **keys}] * count, {"inference": {"resamples": resamples}}, message


MISTAKES = [
    *(([PAIR | claim], {}, why) for claim, why in PAIRS),
    *(([COST | claim], {}, why) for claim, why in COSTS),
    ([PAIR | TWO], {"selection": {"criteria": ["rate-fixed"]}}, MEASURED),
    ([PAIR | {"datasets": ["tea: blue"]}], {"datasets": TEA}, BLUE),
    of(1, 18, "expected 19 or more: 1 claim has the error of a level", **WINE),
    of(6, 118, "expected 119 or more: 6 claims share the error of a", **WINE),
    of(6, 238, SHARE),
    of(5, 400, "... level of 0.99; draw more, or claim less", confidence=0.99, **WINE),
    of(1, 400, "... 3999999 or ...; claim less, or at a lower level", confidence=0.999999),
]


@pytest.mark.parametrize(("claims", "keys", "message"), MISTAKES)
def test_every_mistake_has_its_message(claims: list[Keys], keys: Keys, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message).replace(r"\.\.\.", ".*")):
        study(*claims, **keys)
