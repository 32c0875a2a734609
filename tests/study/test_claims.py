"""Claims in a configuration: what they become, and what is refused."""

import re
from dataclasses import asdict
from typing import Any

import pytest

from costcurves.errors import InputError
from costcurves.settings import Study
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


def test_places_are_conditions_or_ranges_at_the_prior_of_each_dataset_or_at_a_given_prior() -> None:
    whole, named, ratio, plain, single, along, unnamed = study(
        PAIR,
        {**PAIR, "at": "ours"},
        {**PAIR, "at": "3:1"},
        {**PAIR, "pc": 0.3},
        {**PAIR, "at": "4:1", "prior": 0.2},
        {**PAIR, "at": ["1:1", "4:1"]},
        {**PAIR, "at": "5:1"},
        **MONEY,
    ).claims
    assert (whole.condition, whole.ends, whole.average) == (None, None, False)
    at = [claim.condition for claim in (named, ratio, plain, single) if claim.condition]
    assert [place.at(0.25) for place in at] == pytest.approx([0.5, 0.5, 0.3, 0.5])
    assert [place.name for place in at] == ["ours", "3:1", "", "4:1"]
    assert at[0].most(0.25) == 15
    assert (along.ends, along.by_ratio, along.prior) == ((1.0, 4.0), True, None)
    assert unnamed.condition


def test_limits_and_levels_are_kept_and_survive_the_way_through_plain_values() -> None:
    given = study(
        PAIR,
        {**PAIR, "kind": "not worse", "margin": 0.02, "confidence": 0.99, "datasets": ["beer"]},
        {**COST, "at_most": 0.3, "average": True, "at": ["1:1", "3:1"], "prior": 0.1},
        {**COST, "at_most": 12, "at": "ours"},
        inference={"confidence": 0.95},
        **MONEY,
    )
    limits = [(claim.limit, claim.level) for claim in given.claims]
    assert limits == [(0, 0.95), (0.02, 0.99), (0.3, 0.95), (12, 0.95)]
    assert Study.from_plain(asdict(given)) == given


def test_by_cost_the_datasets_are_those_with_costs_and_the_place_is_theirs_unless_given() -> None:
    *weighted, uncosted = study(
        {**PAIR, "by_cost": True},
        {**PAIR, "by_cost": True, "datasets": ["wine"], "models": ["A", "no model"]},
        {**PAIR, "by_cost": True, "pc": [0.1, 0.4]},
        {**COST, "by_cost": True, "at_most": 0.3, "average": True},
        PAIR,
        datasets=BY_COST,
    ).claims
    assert {(claim.datasets, claim.judged) for claim in weighted} == {(("wine",), ("wine--costs",))}
    assert [claim.at_own_costs for claim in weighted] == [True, True, False, False]
    assert weighted[2].ends == (0.1, 0.4)
    assert (uncosted.at_own_costs, uncosted.judged) == (False, ("wine", "beer"))


def test_a_criterion_serves_both_models_and_two_criteria_serve_one_model() -> None:
    each = study(
        PAIR,
        {**PAIR, "criterion": "score-driven"},
        {**PAIR, "models": ["A"], "criterion": ["cross-fitted", "score-fixed"]},
        {**PAIR, "criterion": ["rate-driven", "rate-fixed"]},
        {**COST, "at_most": 0.2, "criterion": "score-fixed"},
        {**PAIR, "models": ["no model", "A"], "criterion": "score-fixed"},
    ).claims
    assert [claim.sides for claim in each] == [
        (("A", ""), ("B", "")),
        (("A", "score-driven"), ("B", "score-driven")),
        (("A", "cross-fitted"), ("A", "score-fixed")),
        (("A", "rate-driven"), ("B", "rate-fixed")),
        (("A", "score-fixed"),),
        (("no model", ""), ("A", "score-fixed")),
    ]


def test_a_dataset_with_classes_stands_for_each_of_them() -> None:
    claims = [PAIR, {**PAIR, "datasets": ["tea: green", "wine"]}, {**PAIR, "datasets": ["tea"]}]
    tea = "tea: red", "tea: green", "tea: jade"
    expected = [("wine", "beer", *tea), ("tea: green", "wine"), tea]
    claimed = study(*claims, datasets=[*DATASETS, *TEA]).claims
    assert [claim.datasets for claim in claimed] == expected


RANGE = {"at": ["1:2", "2:1"]}
AGAINST = {"models": ["A", "no model"]}
TWO = {"criterion": ["rate-fixed", "score-fixed"]}
BASELINE = "models expected a model, and one criterion at most, beside a baseline"
ENDS = "pc reaches 0 or 1, expected a range between them: there no model is below a baseline"
PAIRS: list[tuple[Keys, str]] = [
    ({"kind": "operating range"}, "kind is 'operating range', which was replaced: write 'kind: c"),
    ({"kind": "expected cost"}, "which was replaced: write 'kind: at most'"),
    ({"level": 0.9}, "claims[0].level was renamed: write 'confidence'"),
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
    ({"at": "0:1"}, "at is '0:1', expected a condition"),
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
    """Claims and resamples that are too few for them, or enough."""
    message = why and f"inference.resamples is {resamples}, {why}"
    return [{**PAIR, **keys}] * count, {"inference": {"resamples": resamples}}, message


WINE = {"datasets": ["wine"]}


MISTAKES = [
    *(([PAIR | claim], {}, why) for claim, why in PAIRS),
    *(([COST | claim], {}, why) for claim, why in COSTS),
    ([PAIR | TWO], {"selection": {"criteria": ["rate-fixed"]}}, MEASURED),
    ([PAIR | {"datasets": ["tea: blue"]}], {"datasets": TEA}, BLUE),
    of(1, 18, "expected 19 or more: 1 claim has the error of a level", **WINE),
    of(6, 119, "", **WINE),
    of(6, 118, "expected 119 or more: 6 claims share the error of a", **WINE),
    of(6, 239, ""),
    of(6, 238, SHARE),
    of(5, 400, "... level of 0.99; draw more, or claim less", confidence=0.99, **WINE),
    of(1, 400, "... 3999999 or ...; claim less, or at a lower level", confidence=0.999999),
]


@pytest.mark.parametrize(("claims", "keys", "message"), MISTAKES)
def test_every_mistake_has_its_message(claims: list[Keys], keys: Keys, message: str) -> None:
    if not message:
        assert len(study(*claims, **keys).claims) == len(claims)
        return
    with pytest.raises(InputError, match=re.escape(message).replace(r"\.\.\.", ".*")):
        study(*claims, **keys)
