"""The answer: what is shown, what is not ruled out, and what to use at each condition."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from costcurves import formats
from costcurves.curves.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.report.answer import (
    Choice,
    Statement,
    answer_of,
    at_ratio,
    dataset_answer,
)
from costcurves.report.answer_text import WORDS, answer_text, fitting
from costcurves.report.control import control
from costcurves.report.document import Estimate, Numbering
from costcurves.report.explorer import explorer
from costcurves.report.material import Material
from costcurves.report.outcomes import Range
from costcurves.report.rendering import Medium, _page
from costcurves.report.what_to_use import as_frame, as_json, what_to_use
from costcurves.settings import OperatingCondition
from costcurves.tables.keys import ALWAYS
from tests.fake_report import (
    THREE,
    Models,
    assembled,
    dataset,
    in_sample,
    study,
    tables,
    toy,
    verdict,
)
from tests.result_tables import made_of, staged, study_of
from tests.said import words
from tests.small_study import folds_of, scored

SIX: Models = {**THREE, **dict.fromkeys("DEF", (0.4, 0.4))}
ONE = {"A": "cheapest", "negative": "ruled out", "positive": "ruled out"}
HALF = "PC(+) = 0.5"
EURO = OperatingCondition(HALF, None, cost_ratio=1.5, cost_fp=25, unit="EUR", named=False)


def made(models: Models = THREE, *places: float, **changed: pd.DataFrame) -> Material:
    return toy(models, **tables(models, conditions=places or (0.5,)) | changed)


def marked(
    material: Material, *conditions: OperatingCondition, reference: str | None = None
) -> Material:
    """The same in a study that marks these conditions, with a reference or without."""
    given = replace(material.study, operating_conditions=conditions, reference=reference)
    return replace(material, study=given)


def first(material: Material) -> Choice:
    choice = dataset_answer(material).start
    assert choice is not None
    return choice


def text(*materials: Material) -> str:
    return answer_text(fitting(answer_of(materials)))


def standings(**decisions: str) -> pd.DataFrame:
    """How decisions stand at every PC(+), whatever their curves say."""
    names = {"negative": "always negative", "positive": "always positive"}
    rows = {"standing": decisions.values(), "pc_from": 0.0, "pc_to": 1.0, "confidence": 0.95}
    rows |= {"ratio_from": 0.0, "ratio_to": math.inf}
    return pd.DataFrame({"decision": [names.get(name, name) for name in decisions], **rows})


def ends(estimate: Estimate) -> list[float]:
    return [estimate.value, estimate.low, estimate.high]


def test_each_condition_has_the_lowest_estimate_and_its_cost() -> None:
    """A goes from 0.2 to 0.1, B from 0.1 to 0.3; an interval reaches 0.03 to either side."""
    rows = middle, low = dataset_answer(made(THREE, 0.5, 0.2)).rows
    assert [row.condition.title for row in rows] == [HALF, "PC(+) = 0.2"]
    assert [row.best for row in rows] == ["A", "B"]
    assert [row.condition.ratio for row in rows] == pytest.approx([1.5, 0.375])  # at p(+) = 0.4
    assert ends(middle.cost) == pytest.approx([0.15, 0.12, 0.18])
    assert ends(low.cost) == pytest.approx([0.14, 0.11, 0.17])
    assert [row.baseline and row.baseline.than for row in rows] == [ALWAYS[0]] * 2
    assert middle.not_ruled_out == ("B", "always positive")
    assert low.not_ruled_out == ("A", "always negative")
    assert [row.serving.words for row in rows] == ["\u2265 0.5", "never"]
    worth = 1000 * (0.4 * 1.5 + 0.6)  # in false alarms, where all is wrong
    assert middle.unit == "false alarms"
    assert ends(middle.amount) == pytest.approx([worth * end for end in (0.15, 0.12, 0.18)])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (ONE | {"B": "ruled out"}, ()),
        (ONE | {"C": "not ruled out", "B": "not ruled out"}, ("B", "C")),
        (ONE | {"B": "not ruled out", "negative": "not ruled out"}, ("B", "always negative")),
        (ONE | {"B": "cheapest"}, ("B",)),  # as cheap as the one that is named first
    ],
)
def test_what_is_not_ruled_out_is_named_the_cheapest_first(
    given: dict[str, str], expected: tuple[str, ...]
) -> None:
    stands = standings(**dict.fromkeys("BCDEF", "ruled out") | given)
    choice = first(made(SIX, not_ruled_out=stands))
    assert (choice.best, choice.not_ruled_out) == ("A", expected)
    assert choice.shown is (expected == ())


@pytest.mark.parametrize(("at", "best"), [(0.1, "negative"), (0.9, "positive")])
def test_where_no_model_costs_less_none_is_needed(at: float, best: str) -> None:
    stand = ONE | {"B": "ruled out", "C": "ruled out", best: "cheapest"}
    material = made(THREE, at, not_ruled_out=standings(**stand))
    choice = first(material)
    assert (choice.best, choice.model, choice.baseline) == (f"always {best}", None, None)
    assert choice.cost.value == pytest.approx(0.1)
    assert math.isnan(choice.cost.low)  # known exactly: no interval
    assert "  How: no model is needed" in text(material)


def test_the_first_condition_is_that_of_the_start() -> None:
    """It is named, 1:1, or else the first one."""
    for named, at in [(0.6, 0.6), (0.1, 0.1), (None, 0.1)]:
        each = (replace(EURO, name=f"PC(+) = {pc}", named=pc == named) for pc in (0.1, 0.6))
        data = marked(made(THREE, 0.1, 0.6), *each)
        assert first(data).condition.title == f"PC(+) = {at}"
        assert json.loads(explorer(data))["pc"] == at


def test_mistakes_are_counted_of_1000_cases_at_the_condition_s_share_of_positives() -> None:
    """A has the rates .1 and .2 from .5 on, B .1 and .3; at .5 one case of ten is positive."""
    pieces = tables(THREE)["headline"]
    middle = pieces.eval("model == 'A' and at0 == 0.2")
    after = pieces[middle].assign(pc_from=0.5, at0=0.1, at1=0.2)
    pieces.loc[middle, "pc_to"] = 0.5
    split = pd.concat([pieces, after]).sort_values(["model", "pc_from"])
    named = replace(EURO, prior=0.1, cost_ratio=9)
    material = marked(made(THREE, 0.5, 0.2, 0.05, headline=split), named)
    rows = dataset_answer(material).rows
    mistakes = [(row.mistakes.misses, row.mistakes.alarms) for row in rows if row.mistakes]
    assert mistakes == [(20, 90), (120, 60), (400, 0)]
    assert rows[0].amount.value == pytest.approx(20 * 9 * 25 + 90 * 25)
    assert [row.condition.ratio for row in rows] == pytest.approx([9, 0.375, 0.0789], abs=1e-4)
    assert rows[0].serving.flagged == pytest.approx(0.1 * 0.9 + 0.9 * 0.2)
    assert material.price == (1, "false alarms")  # the unit is known at that share alone


@pytest.mark.parametrize(
    ("prior", "per_case", "other"), [(None, 30.0, "EUR"), (0.1, 45.0, "false alarms")]
)
def test_costs_with_a_unit_are_those_of_a_thousand_cases(
    prior: float | None, per_case: float, other: str
) -> None:
    """At 25 EUR a false alarm and PC(+) = .5: 1.5:1 at the dataset's p(+) of .4, 9:1 at .1.

    A condition without a unit has that of the others, if these are at the data's own p(+).
    """
    material = marked(made(THREE, 0.5, 0.7), replace(EURO, prior=prior))
    here, there = dataset_answer(material).rows
    assert (here.unit, there.unit) == ("EUR", other)
    assert ends(here.amount) == pytest.approx([1000 * per_case * end for end in ends(here.cost)])


def own_costs() -> Material:
    """What instances cost: A 2, B 2.5, always negative 4, always positive 6."""
    known = {"A": 2.0, "B": 2.5, "C": 5.0, "always negative": 4.0, "always positive": 6.0}
    rows = [
        {"model": model, "cost": cost, "low": cost - 0.5, "high": cost + 0.25}
        | {"nec": cost / 10, "pc": 0.4}
        | {"more": cost - 2, "more_low": cost - 2.75, "more_high": cost - 1.25}
        | {"mean_cost_fp": 6.0}
        for model, cost in known.items()
    ]
    material = made(not_ruled_out=standings(**ONE | {"B": "not ruled out", "C": "ruled out"}))
    costs = {"costs": {"unit": "kCHF"}}
    (_, sibling) = study(datasets=[dataset("toy", "Toy") | costs]).datasets
    kept = {**material.tables, "instance_costs": pd.DataFrame(rows)}
    return replace(material, weighted=replace(material, dataset=sibling, tables=kept))


def test_costs_of_cases_come_first_in_their_unit() -> None:
    material = own_costs()
    choice, other = dataset_answer(material).rows
    assert [row.condition.title for row in (choice, other)] == ["own costs", HALF]
    assert (choice.best, choice.unit, choice.mistakes) == ("A", "kCHF", None)
    assert (choice.cost.value, ends(choice.amount)) == (0.2, [2000, 1500, 2250])
    assert choice.of is not None
    assert choice.baseline is not None
    assert (choice.of.than, choice.of.shown, choice.baseline.shown) == ("B", False, True)
    assert ends(choice.of.amount)[0] == 500
    assert math.isnan(ends(choice.of.amount)[1])  # B is not ruled out: it may be chance
    assert ends(choice.baseline.amount) == [2000, 1250, 2750]
    lines = text(material)
    assert lines.startswith("At own costs, A has the lowest estimate; not ruled out: B.\n")
    less = "2000 less than always negative (1250\u20132750)"
    assert f"500 kCHF less than B (may be chance); {less}" in lines


# Against the reference

DIFFERENCE = {"condition": HALF, "pc": 0.5, "familywise": 0.95, "quantity": "cost"}


def against(low: float, high: float, reference: str | None = "B", turned: int = 1) -> Material:
    """At a named condition the difference of A and B, whose estimate is .05, has these ends."""
    a, b = ("A", "B")[::turned]
    rows = [
        DIFFERENCE | {"model_a": a, "model_b": b, "low": low, "high": high},
        DIFFERENCE | {"model_a": "A", "model_b": "C", "low": -0.5, "high": -0.1},
    ]
    stands = standings(**ONE | {"B": "not ruled out", "C": "ruled out"})
    material = made(pair_intervals=pd.DataFrame(rows), not_ruled_out=stands)
    return marked(material, replace(EURO, named=True), reference=reference)


def test_a_named_condition_is_decided_by_its_own_family() -> None:
    """B costs more than A there by the test of named conditions, whatever ranges say."""
    shown = first(against(-0.09, -0.01))
    assert (shown.not_ruled_out, shown.level) == ((), 0.95)
    assert first(against(-0.09, 0.01)).not_ruled_out == ("B",)
    assert text(against(0.01, 0.09, turned=-1)) == text(against(-0.09, -0.01))


def test_a_condition_may_be_called_as_the_costs_of_cases_are() -> None:
    """It keeps its own test, and the control of page 1 begins at its ratio."""
    decided, costed = against(-0.09, -0.01), own_costs()
    assert costed.weighted is not None
    renamed = {
        stage: decided.tables[stage].replace({"condition": {HALF: "own costs"}})
        for stage in ("intervals", "pair_intervals")
    }
    named = marked(
        replace(decided, tables={**decided.tables, **renamed}),
        replace(EURO, name="own costs", named=True),
    )
    sibling = replace(costed.weighted, tables={**costed.weighted.tables, **renamed})
    of_cases, of_name = dataset_answer(replace(named, weighted=sibling)).rows
    assert of_cases.condition.title == of_name.condition.title == "own costs"
    assert (of_cases.not_ruled_out, of_cases.level) == (("B",), None)
    assert (of_name.not_ruled_out, of_name.level) == ((), 0.95)
    shown = control([costed, named], [dataset_answer(each) for each in (costed, named)])
    assert shown.ratios[shown.start] == pytest.approx(1.5)


# What verdicts show


def shown(*rows: dict[str, object], models: Models = THREE) -> Material:
    return made(models, verdicts=pd.DataFrame(list(rows)))


@pytest.mark.parametrize(
    ("rows", "model", "less", "others", "low", "high"),
    [
        (
            [
                verdict("A", "B", 0.2, 0.6, "A cheaper"),
                verdict("A", "C", 0.3, 0.9, "A cheaper"),
                verdict("B", "C", 0.7, 0.71, "B cheaper"),  # too narrow to say anything
            ],
            *("A", True, {"B", "C"}, 0.3, 0.6),
        ),
        (
            [verdict("A", "C", 0.2, 0.6, "A cheaper"), verdict("B", "C", 0.3, 0.9, "A cheaper")],
            *("C", False, {"A", "B"}, 0.3, 0.6),
        ),
        (
            [
                verdict("A", "B", 0.2, 0.4, "A cheaper"),
                verdict("A", "B", 0.4, 0.5, "undecided"),
                verdict("A", "B", 0.5, 0.9, "A cheaper"),
            ],
            *("A", True, {"B"}, 0.5, 0.9),
        ),
    ],
)
def test_verdicts_become_statements_on_one_model_and_several_others(
    rows: list[dict[str, object]], model: str, less: bool, others: set[str], low: float, high: float
) -> None:
    (statement,) = dataset_answer(shown(*rows)).statements
    assert (statement.model, statement.less, {*statement.others}) == (model, less, others)
    assert statement.all is (len(others) == 2)
    assert (statement.range.low, statement.range.high) == (low, high)
    assert f"{model} costs {'less' if less else 'more'} than " in text(shown(*rows))


def alone() -> Material:
    """One model, which at PC(+) 0.1 to 0.8 costs less than deciding without it."""
    out = standings(**ONE).assign(pc_from=[0, 0.1, 0], pc_to=[1, 1, 0.8])
    rest = standings(negative="cheapest", positive="cheapest")
    rest = rest.assign(pc_from=[0, 0.8], pc_to=[0.1, 1])
    return made({"A": (0.2, 0.1)}, not_ruled_out=pd.concat([out, rest]))


def apart(*verdicts: dict[str, object]) -> list[Material]:
    """Datasets of their own, each with a verdict."""
    each = [(shown(row), f"d{place}") for place, row in enumerate(verdicts)]
    return [replace(data, dataset=replace(data.dataset, of=name)) for data, name in each]


DECIDED = verdict("A", "B", 0.2, 0.6, "A cheaper")
SILENT = verdict("A", "B", 0.0, 1.0, "undecided")
SURE, OPEN = (-0.09, -0.01), (-0.09, 0.01)
EVEN = standings(**ONE | {"B": "cheapest"})
BARE = tables()["intervals"].query("quantity != 'cost'")
MAYBE = standings(**ONE | {"negative": "not ruled out"})
TWINS: Models = {"A": (0.2, 0.1), "B": (0.2, 0.1)}


@pytest.mark.parametrize(
    ("materials", "parts"),
    [
        (
            [made(THREE, **in_sample())],
            "A has the lowest estimate in hindsight; nothing is ruled out|"
            "Compared: with nothing, as thresholds were chosen in hindsight",
        ),
        (
            [made(intervals=BARE)],
            "Shown with 90\u202f% confidence: C costs more than A and B",
        ),
        (
            [against(*SURE)],
            "At PC(+) = 0.5, use A; that costs 1500 EUR less per 1000 cases than B, in use "
            "(300\u20132700).\n",
        ),
        (
            [against(*OPEN)],
            "At PC(+) = 0.5, A has the lowest estimate; not ruled out: B.\n|"
            "1500 EUR less than B, in use (may be chance)",
        ),
        (
            [against(*OPEN, "A")],
            "At PC(+) = 0.5, A, in use, has the lowest estimate; not ruled out: B.\n",
        ),
        (
            [marked(made(TWINS, not_ruled_out=EVEN), EURO, reference="B")],
            "No difference between models is shown. At PC(+) = 0.5, A has|"
            "as much as B, in use; 10\u202f500 EUR less than always negative (9600\u2013",
        ),
        ([alone()], "A costs less than always negative and always positive from 1:6 to 6:1"),
        (
            [made({"A": (0.2, 0.1)}, not_ruled_out=MAYBE)],
            "No difference is shown. At PC(+) = 0.5, A has the lowest",
        ),
        (apart(DECIDED, DECIDED, DECIDED, SILENT), "is shown on 3 of 4 datasets.\n"),
        (apart(*[SILENT] * 4), "A difference is shown on none of 4 datasets.\n"),
    ],
)
def test_the_answer_says_what_is_shown(materials: list[Material], parts: str) -> None:
    assert [part for part in parts.split("|") if part not in text(*materials)] == []


def test_the_answer_keeps_to_its_words() -> None:
    long = "a model with a name of some nine words indeed"
    range_ = Range(0.2, 0.6, 0.5, 2.0)
    statement = Statement(long, True, tuple(f"{long} {n}" for n in range(5)), False, range_)
    data = replace(dataset_answer(made()), statements=(statement,) * 3)
    answer = fitting(replace(answer_of([made()]), datasets=(data,)))
    assert answer.most == (1, 1)
    short = replace(data, statements=(replace(statement, model="A", others=("B",)),) * 3)
    answer = fitting(replace(answer, datasets=(short,)))
    assert answer.most == (2, 3)
    assert len(answer_text(answer).splitlines()[0].split()) <= WORDS


# Thresholds


@pytest.mark.parametrize(("threshold", "copied"), [(0.37, True), (0.99999998, False)])
def test_a_threshold_that_cannot_be_copied_is_a_share_of_cases(
    threshold: float, copied: bool
) -> None:
    """A flags a fifth of 60 negatives of 100 and nine tenths of 40 positives."""
    data = tables(THREE)
    changed = {
        name: data[name].assign(threshold=data[name]["threshold"].replace(0.5, threshold))
        for name in ("deployment", "operating_points")
    }
    material = made(THREE, **changed)
    assert first(material).serving.copyable is copied
    how = "if score ≥ 0.37 (48\u202f% of cases)" if copied else "for the 48\u202f% with the highest"
    assert f"  How: positive {how}" in text(material)


def test_a_decision_that_was_fixed_in_advance_has_no_threshold() -> None:
    measures = tables()["measures"]
    crisp = (measures["model"] == "B") & measures["headline"]
    fixed = measures.assign(estimate=measures["estimate"].mask(crisp, "fixed in advance"))
    none = made(deployment=tables()["deployment"].iloc[:0])
    each = (made(THREE, 0.2), made(THREE, 0.85), made(THREE, 0.2, measures=fixed), none)
    servings = [first(material).serving for material in each]
    assert [serving.words for serving in servings] == ["never", "always", "as decided", ""]
    assert [serving.flagged for serving in servings[:2]] == [0, 1]


# A reader's ratio


@pytest.mark.parametrize("share", [None, 0.1])
@pytest.mark.parametrize(
    ("at", "best", "rates"),
    [(0.11, "always negative", (0, 1)), (0.2, "B", (0.1, 0.3)), (0.6, "A", (0.2, 0.1))],
)
def test_a_reader_s_ratio_is_answered_like_a_condition(
    at: float, best: str, rates: tuple[float, float], share: float | None
) -> None:
    """At any share of positives the decision at a PC(+) is the same, and its mistakes are not."""
    prior = share or 0.4
    ratio = float(ratio_from_pc(at, prior))
    choice = at_ratio(made(THREE, 0.5), ratio, share)
    assert choice.best == best
    assert choice.condition.pc == pytest.approx(at)
    assert choice.condition.title == formats.ratio(ratio)
    assert choice.mistakes is not None
    counts = [1000 * prior * rates[1], 1000 * (1 - prior) * rates[0]]
    assert [choice.mistakes.misses, choice.mistakes.alarms] == pytest.approx(counts, abs=0.5)
    worth = sum(count * each for count, each in zip(counts, (ratio, 1), strict=True))
    assert choice.amount.value == pytest.approx(worth)
    flagged = 0 if best == "B" else (1 - prior) * rates[0] + prior * (1 - rates[1])
    assert choice.serving.flagged == pytest.approx(flagged)


def test_a_reader_s_ratio_that_is_a_condition_is_that_condition() -> None:
    """With its name, and decided by its own test; costs of cases in their unit, too."""
    material = against(-0.09, -0.01)
    assert at_ratio(material, 1.5, None) == first(material)
    assert at_ratio(material, 1.500001, None).not_ruled_out == ("B",)
    assert at_ratio(material, 1.5, 0.1).condition.name == ""
    weighted = own_costs().weighted
    assert weighted is not None
    costed = at_ratio(weighted, float(ratio_from_pc(0.4, 0.4)), None)
    assert (costed.condition.title, costed.amount.value, costed.unit) == ("own costs", 2000, "kCHF")
    other = at_ratio(weighted, 2.0, None)
    assert (other.mistakes, other.unit) == (None, "kCHF")
    assert other.amount.value == pytest.approx(1000 * 6 * (0.4 * 2 + 0.6) * other.cost.value)


@pytest.mark.parametrize(
    ("costs", "price"),
    [
        ([(25, "EUR"), (25, "EUR")], (25, "EUR")),
        ([(25, "EUR"), (20, "EUR")], (1, "false alarms")),
        ([(25, "EUR"), (25, "kr")], (1, "false alarms")),
        ([], (1, "false alarms")),
    ],
)
def test_a_reader_s_ratio_has_a_price_where_all_conditions_have_the_same(
    costs: list[tuple[float, str]], price: object
) -> None:
    priced = (replace(EURO, name=unit + str(each), cost_fp=each, unit=unit) for each, unit in costs)
    assert marked(made(), *priced).price == price


# Programs and pages


def test_programs_read_what_the_answer_says() -> None:
    material = against(-0.09, -0.01)
    (row,) = what_to_use(answer_of([material]).datasets)
    choice = first(material)
    assert [row["lowest"], row["shown"], row["not_ruled_out"]] == ["A", True, ()]
    assert [row[f"cost{end}"] for end in ("", "_low", "_high")] == ends(choice.cost)
    assert (row["unit"], row["amount"]) == ("EUR", pytest.approx(1000 * 30 * row["cost"]))
    assert (row["than"], row["less_amount"]) == ("B", pytest.approx(1500))
    assert [row["less_amount_low"], row["less_amount_high"]] == pytest.approx([300, 2700])
    assert (row["misses"], row["false_alarms"], row["threshold"]) == (40, 120, 0.5)
    assert row["confidence"] == 0.9
    changes = {"saved_amount_low": math.nan, "threshold": math.inf, "not_ruled_out": ("a; b", "c")}
    (read,) = json.loads(as_json([row | changes]))
    assert [read[name] for name in changes] == [None, None, ["a; b", "c"]]
    assert as_frame([row])["not_ruled_out"].tolist() == [""]


@pytest.mark.parametrize(("medium", "places"), [("screen", (0.5, 0.7)), ("print", (0.5,))])
def test_page_1_says_the_answer_and_four_lines(medium: Medium, places: tuple[float, ...]) -> None:
    named = study(datasets=[dataset("toy", "Toy") | {"about": {"positive": "repaid"}}])
    report = assembled({"toy": tables(conditions=places)}, named)
    page = words(_page(report, medium)).replace("\u2068", "").replace("\u2069", "")
    sentence, _, *lines = answer_text(report.sections[0].content.answer).splitlines()
    for line in (sentence, *(re.sub(r"^\s*[^:]*: ", "", line) for line in lines)):
        assert words(line) in page
    assert " misses (repaid), " in page


# Whatever the data: nothing is stated that the tables contradict


def random_material(seed: int) -> Material:
    """A dataset of three models and two conditions, named or not, with a reference or without."""
    random = np.random.default_rng(seed)
    rows = folds_of(int(random.choice([40, 80])), 1, int(random.choice([1, 4])), seed)
    models = [
        scored(rows, model, skill, seed + place)
        for place, (model, skill) in enumerate(zip("ABC", random.uniform(0, 4, 3), strict=True))
    ]
    predictions = staged(pd.concat(models, ignore_index=True))
    given, only = study_of(
        predictions, "repeat", inference={"resamples": 200}, reference=[None, "B"][seed % 2]
    )
    conditions = tuple(
        OperatingCondition(f"c{place}", None, cost_ratio=float(ratio), named=bool(seed % 3))
        for place, ratio in enumerate(np.exp(random.normal(0, 1.5, 2)))
    )
    given = replace(given, operating_conditions=conditions)
    every = made_of(given, only, predictions)
    data = {name: every[name] for name in NEEDED}
    return Material(given, only, data, {}, tuple("ABC"), Numbering())


NEEDED = (
    *("headline", "measures", "bands", "operating_points", "intervals", "not_ruled_out"),
    *("deployment", "verdicts", "pair_intervals", "plausibility"),
)


def differences(material: Material, at: float, condition: str) -> Iterator[tuple[str, str]]:
    """Each pair (cheaper, dearer) that a verdict or the test of a condition calls so there."""
    for row in material.rows("verdicts"):
        if row["pc_from"] <= at <= row["pc_to"]:
            pair = row["model_a"], row["model_b"]
            if row["finding"] in ("A cheaper", "B cheaper"):
                yield pair if row["finding"] == "A cheaper" else pair[::-1]
    for row in material.rows("pair_intervals"):
        pair = row["model_a"], row["model_b"]
        if (row["quantity"], row["condition"]) == ("cost", condition):
            yield from [pair] * (row["high"] < 0) + [pair[::-1]] * (row["low"] > 0)


def check_choice(material: Material, choice: Choice) -> None:
    condition = choice.condition
    known = {*differences(material, condition.pc, condition.name)}
    stands = material.tables["not_ruled_out"]
    here = stands[(stands["pc_from"] <= condition.pc) & (condition.pc <= stands["pc_to"])]
    out = {*here.loc[here["standing"] == "ruled out", "decision"]} | {dearer for _, dearer in known}
    decisions = {*material.facts.models, *ALWAYS}
    assert choice.best not in {dearer for _, dearer in known}
    assert choice.not_ruled_out is not None
    assert {*choice.not_ruled_out} == decisions - out - {choice.best}
    assert choice.shown is (decisions - out <= {choice.best})
    for saving in (choice.of, choice.baseline):
        if saving is None:
            continue
        assert saving.than != choice.best
        assert math.isnan(saving.amount.low) or saving.amount.low > 0
        if saving.shown:
            assert saving.than in out
            assert saving.than in ALWAYS or (choice.best, saving.than) in known
        else:
            assert math.isnan(saving.amount.low)
    if material.reference is not None and choice.best != material.reference:
        assert choice.of is not None
        assert choice.of.than == material.reference


def check_statement(material: Material, statement: Statement) -> None:
    """Its range as it is printed lies inside, and at each place in it verdicts say the same."""
    span = statement.range
    printed = formats.ratio_ends(span.ratio_low, span.ratio_high)
    parts = ([float(part.replace(formats.THIN, "")) for part in end.split(":")] for end in printed)
    prior = material.facts.prior
    low, high = (
        float(pc_from_ratio(missed / alarm if alarm else math.inf, prior))
        for missed, alarm in parts
    )
    assert span.low - 1e-9 <= low <= high <= span.high + 1e-9
    for at in np.linspace(span.low, span.high, 5):
        known = {*differences(material, at, "")}
        for other in statement.others:
            pair = statement.model, other
            assert (pair if statement.less else pair[::-1]) in known


@pytest.mark.parametrize("seed", range(8))
def test_nothing_that_is_stated_is_contradicted_by_a_table(seed: int) -> None:
    material = random_material(seed)
    only = dataset_answer(material)
    for choice in only.rows:
        check_choice(material, choice)
    for ratio in np.exp(np.random.default_rng(seed).normal(0, 1.5, 6)):
        for share in (None, 0.05):
            check_choice(material, at_ratio(material, float(ratio), share))
    for statement in only.statements:
        check_statement(material, statement)
    assert len(text(material).splitlines()[0].split()) <= WORDS
