"""Claims in a configuration: what they become, and what is refused."""

import re
from dataclasses import asdict
from typing import Any

import pytest

from costcurves.choosing.rules import LIMITS, RULES
from costcurves.errors import InputError
from costcurves.settings import Selection, Study
from costcurves.study.reading import parse_study

DATASETS = [
    {"name": "wine", "predictions": ["w.csv"], "models": ["A", "B"]},
    {"name": "beer", "predictions": ["b.csv"]},
]
BY_COST: list[dict[str, Any]] = [{**DATASETS[0], "costs": {}}, DATASETS[1]]
PAIR: dict[str, Any] = {"claim": "A is best", "kind": "cheaper", "models": ["A", "B"]}
COST: dict[str, Any] = {"claim": "A is cheap", "kind": "at most", "models": ["A"]}


def study(*claims: dict[str, Any], **keys: Any) -> Study:
    content = {"study": "s", "datasets": DATASETS, "claims": list(claims), **keys}
    return parse_study(content, files=False)


def test_defaults_are_all_conditions_all_datasets_and_the_studys_level() -> None:
    claim = study(PAIR, inference={"confidence": 0.95}).claims[0]
    assert (claim.condition, claim.ends, claim.datasets) == (None, None, ("wine", "beer"))
    assert (claim.limit, claim.average, claim.level) == (0.0, False, 0.95)


def test_places_are_conditions_or_ranges_at_the_prior_of_each_dataset_or_one_of_their_own() -> None:
    money = {"name": "ours", "cost_fn": 30, "cost_fp": 10, "unit": "EUR"}
    named, ratio, plain, single, along = study(
        {**PAIR, "at": "ours"},
        {**PAIR, "at": "3:1"},
        {**PAIR, "pc": 0.3},
        {**PAIR, "at": "4:1", "prior": 0.2},
        {**PAIR, "at": ["1:1", "4:1"]},
        operating_conditions=[money],
    ).claims
    at = [claim.condition for claim in (named, ratio, plain, single) if claim.condition]
    assert [place.at(0.25) for place in at] == pytest.approx([0.5, 0.5, 0.3, 0.5])
    assert [place.name for place in at] == ["ours", "3:1", "", "4:1"]
    assert at[0].most(0.25) == 15
    assert (along.ends, along.by_ratio, along.prior) == ((1.0, 4.0), True, None)
    assert study({**PAIR, "at": "5:1"}).claims[0].condition  # one of those that are not named


def test_limits_and_levels_are_kept_and_survive_the_way_through_plain_values() -> None:
    given = study(
        {**PAIR, "kind": "not worse", "margin": 0.02, "confidence": 0.99, "datasets": ["beer"]},
        {**COST, "at_most": 0.3, "average": True, "at": ["1:1", "3:1"], "prior": 0.1},
        {**PAIR, "at": "2:1"},
    )
    limits = [(claim.limit, claim.level) for claim in given.claims]
    assert limits == [(0.02, 0.99), (0.3, 0.9), (0, 0.9)]
    assert Study.from_plain(asdict(given)) == given


def test_by_cost_it_is_about_what_has_costs_and_at_these_unless_it_says_where() -> None:
    plain, along, mean, named = study(
        {**PAIR, "by_cost": True},
        {**PAIR, "by_cost": True, "pc": [0.1, 0.4]},
        {**COST, "by_cost": True, "at_most": 0.3, "average": True},
        {**PAIR, "by_cost": True, "datasets": ["wine"], "models": ["A", "no model"]},
        datasets=BY_COST,
    ).claims
    assert plain.judged == along.judged == mean.judged == named.judged == ("wine--costs",)
    assert plain.datasets == named.datasets == ("wine",)
    at_costs = [claim.at_own_costs for claim in (plain, along, mean, named)]
    assert at_costs == [True, False, False, True]
    assert along.ends == (0.1, 0.4)
    uncosted = study(PAIR, datasets=BY_COST).claims[0]
    assert (uncosted.at_own_costs, uncosted.judged) == (False, ("wine", "beer"))


def test_a_criterion_serves_both_models_and_two_criteria_serve_one() -> None:
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
    tea = {"name": "tea", "predictions": ["t.csv"], "classes": ["red", "green", "jade"]}
    claims = [PAIR, {**PAIR, "datasets": ["tea: green", "wine"]}, {**PAIR, "datasets": ["tea"]}]
    claimed = study(*claims, datasets=[*DATASETS, tea]).claims
    assert [claim.datasets for claim in claimed] == [
        ("wine", "beer", "tea: red", "tea: green", "tea: jade"),
        ("tea: green", "wine"),
        ("tea: red", "tea: green", "tea: jade"),
    ]
    with pytest.raises(InputError, match="is 'tea: blue', which the study has not; did you mean"):
        study({**PAIR, "datasets": ["tea: blue"]}, datasets=[*DATASETS, tea])


ONLY = {"datasets": ["wine"]}


@pytest.mark.parametrize(
    ("count", "resamples", "keys", "why"),
    [
        (1, 18, ONLY, "expected 19 or more: 1 claim has the error of a level"),
        (6, 119, ONLY, ""),
        (6, 118, ONLY, "expected 119 or more: 6 claims share the error of a"),
        (6, 239, {}, ""),
        (6, 238, {}, "expected 239 or more: 6 claims about up to 2 datasets share the error of a"),
        (
            5,
            400,
            {"datasets": ["beer"], "confidence": 0.99},
            "level of 0.99; draw more, or claim less",
        ),
        (1, 400, {"confidence": 0.999999}, "3999999 or more: .*; claim less, or at a lower level"),
    ],
)
def test_too_few_resamples_for_so_many_claims_are_told_before_any_job(
    count: int, resamples: int, keys: dict[str, Any], why: str
) -> None:
    claimed = [{**PAIR, **keys}] * count
    if not why:
        assert len(study(*claimed, inference={"resamples": resamples}).claims) == count
        return
    with pytest.raises(InputError, match=rf"inference\.resamples is {resamples}, .*{why}"):
        study(*claimed, inference={"resamples": resamples})


def test_chance_is_measured_of_all_criteria_without_a_limit() -> None:
    unlimited = tuple(name for name in RULES if name not in LIMITS)
    assert Selection(max_fp_rate=0.1, capacity=3).unlimited() == unlimited


RANGE = {"at": ["1:2", "2:1"]}
AGAINST = {"models": ["A", "no model"]}
TWO = {"criterion": ["rate-fixed", "score-fixed"]}
BASELINE = "models expected a model, and one criterion at most, beside a baseline"
PAIRS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "operating range"}, "kind is 'operating range', which was replaced: write 'kind: "
        "cheap"),
    ({"kind": "expected cost"}, "which was replaced: write 'kind: at most'"),
    ({"level": 0.9}, "claims[0].level was renamed: write 'confidence'"),
    # names
    ({"datasets": ["wines"]}, "datasets[0] is 'wines', which the study has not; did you mean "
        "'wine'?"),
    ({"models": ["A", "C"]}, "models[1] is 'C', which dataset 'wine' has not; known are 'A', 'B'"),
    ({"models": ["A"]}, "models has 1 item, expected 2 for 'cheaper', or 1 with two criteria"),
    ({"models": ["no model", "always positive"]}, BASELINE),
    ({**AGAINST, **TWO}, BASELINE),
    ({"criterion": "neyman-pearson"}, "'rate-fixed': criteria of 'selection:' that keep no limit"),
    ({"criterion": ["rate-fixed", "x"]}, "criterion is 'x', expected one of"),
    # places
    ({"at": "later"}, "at is 'later', expected a condition, '1:5', '1:1', '5:1', or a cost ratio "
        "such"),
    ({"at": "0:1"}, "at is '0:1', expected a condition"),
    ({"at": ["1:2", "x"]}, "at[1] is 'x', expected a cost ratio such as 5:1"),
    ({"at": ["4:1", "1:1"]}, "at goes from 4:1 to 1:1, expected a lower number first"),
    ({"pc": [0.5, 0.5]}, "pc goes from 0.5 to 0.5, expected a lower number first"),
    ({"pc": 0.5, **RANGE}, "claims[0] has both at and pc, expected one of them"),
    ({"prior": 0.2}, "prior is given, but only cost ratios of 'at' are read at a prior"),
    ({"average": True, "pc": 0.3}, "average is true, expected a list of two for 'pc', or no 'pc'"),
    ({"average": True, "at": "5:1"}, "expected a list of two for 'at', or no 'at'"),
    (AGAINST, "pc reaches 0 or 1, expected a range between them: there no model is below a "
        "baseline"),
    ({**AGAINST, "pc": [0.5, 1]}, "pc reaches 0 or 1"),
    ({**AGAINST, "pc": [0, 0.5]}, "pc reaches 0 or 1"),
    # limits
    ({"kind": "not worse"}, "claims[0] lacks the key 'margin', which 'not worse' needs"),
    ({"margin": 0.1}, "claims[0].margin is given, but 'cheaper' has none"),
    ({"kind": "not worse", "margin": 2}, "margin is 2, expected 1 or less, a normalized cost: an "
        "amoun"),
    # by cost
    ({"by_cost": True}, "claims[0].by_cost is true, but no dataset has 'costs:'"),
    ({"by_cost": True, "at": "2:1"}, "at is given, but cases say by 'by_cost' what mistakes cost"),
    ({"by_cost": True, "datasets": ["beer"]}, "[0] is 'beer', which has no 'costs:', needed for "
        "'by_c"),
]  # fmt: skip
COSTS: list[tuple[dict[str, Any], str]] = [
    ({}, "lacks the key 'at_most', which 'at most' needs"),
    ({"at_most": 1.2, "at": "5:1"}, "at_most is 1.2, expected 1 or less, a normalized cost"),
    ({"at_most": 0.1, "models": ["A", "B"]}, "models has 2 items, expected 1 for 'at most'"),
    ({"at_most": 0.1, **TWO}, "claims[0].criterion has 2 items, expected 1 for 'at most'"),
    ({"at_most": 0.1, "models": ["no model"]}, BASELINE),
]


@pytest.mark.parametrize(
    ("claim", "message"),
    [*((PAIR | keys, why) for keys, why in PAIRS), *((COST | keys, why) for keys, why in COSTS)],
)
def test_every_mistake_has_its_message(claim: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        study(claim)


def test_criteria_that_the_study_does_not_measure_are_refused() -> None:
    known = "expected one of 'cross-fitted', 'cost-minimizing', 'rate-fixed': criteria of"
    with pytest.raises(InputError, match=f"is 'score-fixed', {known}"):
        study({**PAIR, "criterion": "score-fixed"}, selection={"criteria": ["rate-fixed"]})


def test_amounts_may_be_any_where_a_condition_has_a_unit() -> None:
    money = {"name": "ours", "cost_fn": 30, "cost_fp": 10, "unit": "EUR"}
    claim = {**COST, "at_most": 12, "at": "ours"}
    assert study(claim, operating_conditions=[money]).claims[0].limit == 12
