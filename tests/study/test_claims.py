"""Claims in a configuration: what they become, and what is refused."""

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
    found = study(PAIR, inference={"confidence": 0.95}).claims[0]
    assert (found.condition, found.ends, found.datasets) == (None, None, ("wine", "beer"))
    assert (found.limit, found.average, found.level) == (0.0, False, 0.95)


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
    at = [one.condition for one in (named, ratio, plain, single)]
    assert [one.at(0.25) for one in at if one] == pytest.approx([0.5, 0.5, 0.3, 0.5])
    assert [one.name for one in at if one] == ["ours", "3:1", "", "4:1"]
    assert [one.most(0.25) for one in at[:1] if one] == [15]
    assert (along.ends, along.by_ratio, along.prior) == ((1.0, 4.0), True, None)
    assert study({**PAIR, "at": "5:1"}).claims[0].condition  # one of those that are not named


def test_limits_and_levels_are_kept_and_survive_the_way_through_plain_values() -> None:
    given = study(
        {**PAIR, "kind": "not worse", "margin": 0.02, "level": 0.99, "datasets": ["beer"]},
        {**COST, "at_most": 0.3, "average": True, "at": ["1:1", "3:1"], "prior": 0.1},
        {**PAIR, "at": "2:1"},
    )
    assert [one.limit for one in given.claims] == [0.02, 0.3, 0]
    assert [one.level for one in given.claims] == [0.99, 0.9, 0.9]
    assert Study.from_plain(given.plain()) == given


def test_by_cost_it_is_about_what_has_costs_and_at_these_unless_it_says_where() -> None:
    own, range_, mean, named = study(
        {**PAIR, "by_cost": True},
        {**PAIR, "by_cost": True, "pc": [0.1, 0.4]},
        {**COST, "by_cost": True, "at_most": 0.3, "average": True},
        {**PAIR, "by_cost": True, "datasets": ["wine"]},
        datasets=BY_COST,
    ).claims
    assert own.judged == range_.judged == mean.judged == named.judged == ("wine--costs",)
    assert own.datasets == named.datasets == ("wine",)
    assert [one.at_own_costs for one in (own, range_, mean, named)] == [True, False, False, True]
    assert range_.ends == (0.1, 0.4)
    assert not study(PAIR, datasets=BY_COST).claims[0].at_own_costs
    assert study(PAIR, datasets=BY_COST).claims[0].judged == ("wine", "beer")
    study({**PAIR, "models": ["A", "no model"], "by_cost": True}, datasets=BY_COST)


@pytest.mark.parametrize(
    ("keys", "datasets", "message"),
    [
        ({}, DATASETS, r"claims\[0\]\.by_cost is true, but no dataset has 'costs:'"),
        (
            {"datasets": ["wine", "beer"]},
            BY_COST,
            r"claims\[0\]\.datasets\[1\] is 'beer', which has no 'costs:', needed for 'by_cost'",
        ),
        (
            {"at": "2:1", "prior": 0.2},
            BY_COST,
            r"at is given, but cases say by 'by_cost' what mistakes cost; give 'pc',",
        ),
    ],
)
def test_a_claim_by_cost_needs_costs_and_says_them_once(
    keys: dict[str, Any], datasets: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        study({**PAIR, "by_cost": True, **keys}, datasets=datasets)


def test_a_criterion_serves_both_models_and_two_criteria_serve_one() -> None:
    each = study(
        PAIR,
        {**PAIR, "criterion": "score-driven"},
        {**PAIR, "models": ["A"], "criterion": ["cross-fitted", "score-fixed"]},
        {**PAIR, "criterion": ["rate-driven", "rate-fixed"]},
        {**COST, "at_most": 0.2, "criterion": "score-fixed"},
        {**PAIR, "models": ["no model", "A"], "criterion": "score-fixed"},
    ).claims
    assert [one.sides for one in each] == [
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
    found = study(*claims, datasets=[*DATASETS, tea])
    assert [one.datasets for one in found.claims] == [
        ("wine", "beer", "tea: red", "tea: green", "tea: jade"),
        ("tea: green", "wine"),
        ("tea: red", "tea: green", "tea: jade"),
    ]
    with pytest.raises(InputError, match="is 'tea: blue', which the study has not; did you mean"):
        study({**PAIR, "datasets": ["tea: blue"]}, datasets=[*DATASETS, tea])


@pytest.mark.parametrize(
    ("count", "resamples", "keys", "why"),
    [
        (1, 18, {"datasets": ["wine"]}, "expected 19 or more: 1 claim has the error of a level"),
        (6, 119, {"datasets": ["wine"], "level": 0.9}, None),
        (6, 118, {"datasets": ["wine"]}, "expected 119 or more: 6 claims share the error of a"),
        (6, 400, {}, None),
        (6, 200, {}, "expected 239 or more: 6 claims about up to 2 datasets share the error of a"),
        (
            5,
            400,
            {"datasets": ["beer"], "level": 0.99},
            "level of 0.99; draw more, or claim less",
        ),
        (1, 400, {"level": 0.999999}, "3999999 or more: .*; claim less, or at a lower level"),
    ],
)
def test_too_few_resamples_for_so_many_claims_are_told_before_any_job(
    count: int, resamples: int, keys: dict[str, Any], why: str | None
) -> None:
    claimed = [{**PAIR, **keys}] * count
    if why is None:
        assert len(study(*claimed, inference={"resamples": resamples}).claims) == count
    else:
        with pytest.raises(InputError, match=rf"inference\.resamples is {resamples}, .*{why}"):
            study(*claimed, inference={"resamples": resamples})


def test_chance_is_measured_of_all_criteria_without_a_limit() -> None:
    assert Selection(max_fp_rate=0.1, capacity=3).unlimited() == tuple(
        name for name in RULES if name not in LIMITS
    )


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"selection": {"criteria": ["rate-fixed"]}},
            "is 'score-fixed', expected one of 'cross-fitted', 'cost-minimizing', 'rate-fixed': cr",
        ),
    ],
)
def test_criteria_that_the_study_does_not_measure_are_refused(
    keys: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        study({**PAIR, "criterion": "score-fixed"}, **keys)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"kind": "cheaper"}, r"claims\[0\] lacks the key 'claim'"),
        ({**PAIR, "claim": ""}, r"claims\[0\]\.claim is empty, expected text"),
        ({**PAIR, "claim": "a\u202eb"}, r"claims\[0\]\.claim has the control or text-reordering"),
        ({**PAIR, "kind": "better"}, r"kind is 'better', expected one of 'cheaper', 'not worse'"),
        ({**PAIR, "dataset": ["wine"]}, r"claims\[0\]\.dataset is not a known key; did you mean"),
        ({**PAIR, "datasets": ["wines"]}, r"datasets\[0\] is 'wines', which the study has not; di"),
        ({**PAIR, "datasets": []}, r"claims\[0\]\.datasets is a list of 0, expected 1 or more"),
        ({**PAIR, "datasets": ["wine"] * 2}, "datasets has 'wine' twice, expected each once"),
        ({**PAIR, "models": ["A", "C"]}, r"models\[1\] is 'C', which dataset 'wine' has not; know"),
        ({**PAIR, "models": ["A", "A"]}, "models has 'A' twice"),
        ({**PAIR, "models": ["A"]}, r"models has 1 item, expected 2 for 'cheaper', or 1 with"),
        ({**PAIR, "models": ["A", "B", "C"]}, r"models is a list of 3, expected 2 or fewer"),
        ({**COST, "at_most": 0.1, "models": ["A", "B"]}, "has 2 items, expected 1 for 'at most'"),
        ({**COST, "at_most": 0.1, "models": ["no model"]}, "models expected a model, and one crit"),
        ({**PAIR, "models": ["no model", "always positive"]}, "models expected a model, and one"),
        (
            {**PAIR, "models": ["A", "no model"], "criterion": ["rate-fixed", "score-fixed"]},
            "models expected a model, and one criterion at most, beside a baseline",
        ),
        (
            {**COST, "kind": "operating range"},
            "kind is 'operating range', which was replaced: write 'kind: cheaper', with 'models: "
            r"\[MODEL, no model\]'",
        ),
        (
            {**COST, "kind": "worse than trivial"},
            r"'kind: cheaper', with 'models: \[no model",
        ),
        ({**COST, "kind": "expected cost"}, "which was replaced: write 'kind: at most'"),
        ({**PAIR, "delta": 0.1}, r"claims\[0\]\.delta was renamed: write 'margin'"),
        (
            {**PAIR, "mean": "area"},
            r"claims\[0\]\.mean was replaced: write 'average: true'",
        ),
        (
            {**PAIR, "at": "later"},
            r"at is 'later', expected a condition, '1:5', '1:1', '5:1', ",
        ),
        ({**PAIR, "criterion": "best"}, r"criterion is 'best', expected one of 'cross-fitted', "),
        (
            {**PAIR, "criterion": "neyman-pearson"},
            "is 'neyman-pearson', expected one of .*'rate-fixed': criteria of 'selection:' "
            "that keep no limit",
        ),
        ({**PAIR, "criterion": ["score-driven"]}, r"criterion is a list of 1, expected 2 or more"),
        ({**PAIR, "criterion": ["score-driven"] * 2}, "criterion has 'score-driven' twice"),
        ({**PAIR, "criterion": ["rate-fixed", "x"]}, r"criterion is 'x', expected one of"),
        ({**PAIR, "models": ["A"], "criterion": "rate-fixed"}, "expected 2 .*or 1 with two criter"),
        (
            {**COST, "at_most": 0.1, "criterion": ["rate-fixed", "score-fixed"]},
            r"claims\[0\]\.criterion has 2 items, expected 1 for 'at most'",
        ),
        ({**PAIR, "pc": 1.5}, r"claims\[0\]\.pc is 1\.5, expected a number that is at most 1"),
        ({**PAIR, "pc": [-0.1, 1]}, r"pc\[0\] is -0\.1, expected a number that is at least 0"),
        ({**PAIR, "pc": [0.1]}, r"claims\[0\]\.pc is a list of 1, expected 2 or more"),
        ({**PAIR, "pc": [0.1, 0.2, 0.3]}, r"claims\[0\]\.pc is a list of 3, expected 2 or fewer"),
        ({**PAIR, "pc": [0.5, 0.2]}, r"pc goes from 0\.5 to 0\.2, expected a lower number first"),
        ({**PAIR, "pc": [0.5, 0.5]}, r"pc goes from 0\.5 to 0\.5, expected a lower number first"),
        ({**PAIR, "pc": float("nan")}, r"pc is nan, expected a number that is at least 0"),
        ({**PAIR, "pc": "all"}, r"pc is 'all', expected a number .* or a list"),
        ({**PAIR, "pc": 0.5, "at": ["1:1", "2:1"]}, "has both at and pc"),
        ({**PAIR, "prior": 0.2}, "prior is given, but only cost ratios of 'at' are read at a pri"),
        ({**PAIR, "prior": 1.2, "at": "1:1"}, r"prior is 1\.2, expected .* less than 1"),
        ({**PAIR, "at": ["4:1", "1:1"], "prior": 0.2}, "at goes from 4:1 to 1:1, expected a lower"),
        ({**PAIR, "at": "0:1"}, "at is '0:1', expected a condition, '1:5', '1:1', '5:1', or a c"),
        ({**PAIR, "at": ["1:2", "x"]}, r"at\[1\] is 'x', expected a cost ratio such as 5:1"),
        ({**PAIR, "cost_ratio": 2}, "cost_ratio was replaced: write 'at: "),
        ({**PAIR, "kind": "not worse"}, "lacks the key 'margin', which 'not worse' needs"),
        ({**PAIR, "kind": "equivalent"}, "lacks the key 'margin', which 'equivalent' needs"),
        ({**PAIR, "kind": "equivalent", "margin": 0}, r"margin is 0, expected .* more than 0"),
        ({**PAIR, "kind": "equivalent", "margin": -0.1}, r"is -0\.1, expected .* more than 0"),
        ({**PAIR, "margin": 0.1}, r"claims\[0\]\.margin is given, but 'cheaper' has none"),
        ({**PAIR, "kind": "not worse", "margin": 2}, "margin is 2, expected 1 or less, a n"),
        (COST, "lacks the key 'at_most', which 'at most' needs"),
        ({**COST, "at_most": 0}, r"at_most is 0, expected .* more than 0"),
        ({**COST, "at_most": 1.2, "at": "5:1"}, r"is 1\.2, expected 1 or less, a n"),
        ({**PAIR, "average": True, "pc": 0.3}, "expected a list of two for 'pc'"),
        ({**PAIR, "average": True, "at": "5:1"}, "expected a list of two for 'at', or no 'at'"),
        ({**PAIR, "models": ["A", "no model"]}, "pc reaches 0 or 1, expected"),
        ({**PAIR, "models": ["A", "no model"], "pc": [0.5, 1]}, "no model is below a"),
        ({**PAIR, "level": 90}, r"level is 90, expected a number that is less than 1"),
        ({**PAIR, "level": 0}, r"level is 0, expected a number that is more than 0"),
    ],
)
def test_every_mistake_has_its_message(claim: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study(claim)
