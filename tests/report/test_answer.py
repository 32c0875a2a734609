"""The answer: what is shown, what is not ruled out, and what to use at each condition."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from costcurves import formats
from costcurves.curves.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.report.answer import Choice, Statement, answer_of, at_ratio, dataset_answer
from costcurves.report.answer_text import WORDS, answer_text, fitting
from costcurves.report.control import control
from costcurves.report.document import Numbering
from costcurves.report.explorer import explorer
from costcurves.report.material import Material
from costcurves.report.outcomes import Range
from costcurves.report.what_to_use import as_frame, as_json, what_to_use
from costcurves.settings import OperatingCondition
from costcurves.tables.keys import ALWAYS, FIXED
from tests import fake_report
from tests.fake_report import THREE, Models, Row, tables, verdict
from tests.report.lowest import lowest
from tests.result_tables import made_of, staged, study_of
from tests.small_study import folds_of, scored

INF, NAN = math.inf, math.nan
NEGATIVE, POSITIVE = ALWAYS
OUT = {"A": "cheapest", "B": "ruled out", "negative": "ruled out", "positive": "ruled out"}
HALF = "PC(+) = 0.5"
EURO = OperatingCondition(HALF, None, cost_ratio=1.5, cost_fp=25, unit="EUR", named=False)


def made(models: Models = THREE, *places: float, **changed: pd.DataFrame) -> Material:
    return fake_report.toy(models, **tables(models, conditions=places or (0.5,)) | changed)


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
    """How decisions stand at every PC(+), whatever their curves say; those not named are out."""
    stands = OUT | {"C": "ruled out"} | decisions
    names = {"negative": NEGATIVE, "positive": POSITIVE}
    rows = {"standing": stands.values(), "pc_from": 0.0, "pc_to": 1.0, "confidence": 0.95}
    rows |= {"ratio_from": 0.0, "ratio_to": INF}
    return pd.DataFrame({"decision": [names.get(name, name) for name in stands], **rows})


# Materials: conditions, standings, costs of cases, a reference, verdicts


def leading(models: Models = THREE, at: float = 0.5, **stands: str) -> Material:
    """A has the lowest estimate, unless another has, and these are not ruled out."""
    return made(models, at, not_ruled_out=standings(**stands))


def rare() -> Material:
    """At the only condition one case of ten is positive."""
    return marked(made(), replace(EURO, prior=0.1, cost_ratio=9))


def own_costs() -> Material:
    """What instances cost: A 2, B 2.5, always negative 4, always positive 6."""
    known = {"A": 2.0, "B": 2.5, "C": 5.0, NEGATIVE: 4.0, POSITIVE: 6.0}
    rows = [
        {"model": model, "cost": cost, "low": cost - 0.5, "high": cost + 0.25}
        | {"nec": cost / 10, "pc": 0.4, "mean_cost_fp": 6.0}
        | {"more": cost - 2, "more_low": cost - 2.75, "more_high": cost - 1.25}
        for model, cost in known.items()
    ]
    material = leading(B="not ruled out")
    costs = {"costs": {"unit": "kCHF"}}
    (_, sibling) = fake_report.study(datasets=[fake_report.dataset("toy", "Toy") | costs]).datasets
    kept = {**material.tables, "instance_costs": pd.DataFrame(rows)}
    return replace(material, weighted=replace(material, dataset=sibling, tables=kept))


def against(low: float, high: float, reference: str | None = "B", turned: int = 1) -> Material:
    """At a named condition the difference of A and B, whose estimate is .05, has these ends."""
    of_named = {"condition": HALF, "pc": 0.5, "familywise": 0.95, "quantity": "cost"}
    a, b = ("A", "B")[::turned]
    rows = [
        of_named | {"model_a": a, "model_b": b, "low": low, "high": high},
        of_named | {"model_a": "A", "model_b": "C", "low": -0.5, "high": -0.1},
    ]
    stands = standings(B="not ruled out")
    material = made(pair_intervals=pd.DataFrame(rows), not_ruled_out=stands)
    return marked(material, replace(EURO, named=True), reference=reference)


def shown(*verdicts: Row) -> Material:
    return made(verdicts=pd.DataFrame(list(verdicts)))


def alone() -> Material:
    """One model, which at PC(+) 0.1 to 0.8 costs less than deciding without it."""
    out = standings().assign(pc_from=[0, 0, 0.1, 0, 0], pc_to=[1, 1, 1, 0.8, 1])
    rest = standings(negative="cheapest", positive="cheapest")[2:4]
    rest = rest.assign(pc_from=[0, 0.8], pc_to=[0.1, 1])
    return made({"A": (0.2, 0.1)}, not_ruled_out=pd.concat([out, rest]))


def called(positive: str) -> Material:
    material = made()
    about = replace(material.dataset.about, positive=positive)
    return replace(material, dataset=replace(material.dataset, about=about))


def threshold_of_nearly_1() -> Material:
    """A flags a fifth of 60 negatives of 100 and nine tenths of 40 positives, from there on."""
    data = tables(THREE)
    names = "deployment", "operating_points"
    scores = {name: data[name]["threshold"].replace(0.5, 0.99999998) for name in names}
    return made(THREE, **{name: data[name].assign(threshold=scores[name]) for name in names})


def fixed_in_advance() -> Material:
    measures = tables()["measures"]
    crisp = (measures["model"] == "B") & measures["headline"]
    return made(
        THREE, 0.2, measures=measures.assign(estimate=measures["estimate"].mask(crisp, FIXED))
    )


LEFT = "not ruled out"
SURE, OPEN = (-0.09, -0.01), (-0.09, 0.01)
SIX: Models = {**THREE, **dict.fromkeys("DEF", (0.4, 0.4))}
REST = dict.fromkeys("DEF", "ruled out")
TWINS: Models = {"A": (0.2, 0.1), "B": (0.2, 0.1)}
DECIDED, SILENT, OF_C, NARROW = (
    verdict("A", "B", 0.2, 0.6, "A cheaper"),
    verdict("A", "B", 0.0, 1.0, "undecided"),
    verdict("A", "C", 0.3, 0.9, "A cheaper"),
    verdict("B", "C", 0.7, 0.71, "B cheaper"),  # too narrow to say anything
)
TWO_RANGES = (
    verdict("A", "B", 0.2, 0.4, "A cheaper"),
    verdict("A", "B", 0.4, 0.5, "undecided"),
    verdict("A", "B", 0.5, 0.9, "A cheaper"),
)
BOTH = verdict("A", "C", 0.2, 0.6, "A cheaper"), verdict("B", "C", 0.3, 0.9, "A cheaper")
IN_USE = "use A; that costs 1500 EUR less per 1000 cases than B, in use (300\u20132700)."


@pytest.mark.parametrize(
    ("materials", "parts"),
    [
        ([leading(THREE, 0.1, negative="cheapest")], "  How: no model is needed"),
        ([made(THREE, 0.85)], "How: positive always"),
        ([fixed_in_advance()], "How: as the model decides"),
        ([threshold_of_nearly_1()], "positive for the 48\u202f% with the highest scores"),
        ([called("repaid")], "40 misses (repaid), "),
        ([against(*SURE)], f"At PC(+) = 0.5, {IN_USE}"),
        ([against(0.01, 0.09, turned=-1)], f"At PC(+) = 0.5, {IN_USE}"),
        ([against(*OPEN)], "At PC(+) = 0.5, A has the lowest estimate; not ruled out: B.\n"),
        ([against(*OPEN, "A")], "A, in use, has the lowest estimate; not ruled out: B.\n"),
        ([marked(leading(TWINS, B="cheapest"), EURO, reference="B")], "between models is shown."),
        (
            [marked(leading(TWINS, B="cheapest"), EURO, reference="B")],
            "as much as B, in use; 10\u202f500 EUR less than always negative (9600\u2013",
        ),
        # Verdicts become statements on one model and several others, on the widest range.
        ([shown(DECIDED, OF_C, NARROW)], ": A costs less than C and B from 1:1.5 to 2.2:1. "),
        ([shown(*BOTH)], "confidence: C costs more than B and A from 1:1.5 to 2.2:1. "),
        ([shown(*TWO_RANGES)], "confidence: A costs less than B from 1.5:1 to 13:1. "),
        ([alone()], "A costs less than always negative and always positive from 1:6 to 6:1"),
        ([leading({"A": (0.2, 0.1)}, negative=LEFT)], "No difference is shown. At PC(+) = 0.5, A"),
        ([shown(SILENT)] * 4, "A difference is shown on none of 4 datasets and classes.\n"),
    ],
)
def test_the_answer_says_what_is_shown(materials: list[Material], parts: str) -> None:
    assert parts in text(*materials)


def interval(name: str, value: float, low: float = NAN, high: float = NAN) -> Row:
    return {name: value, f"{name}_low": low, f"{name}_high": high}


@pytest.mark.parametrize(
    ("material", "place", "expected"),
    [
        (  # A goes from 0.2 to 0.1, an interval 0.03 to either side; all wrong costs 1200
            *(made(THREE, 0.5, 0.2), 0),
            {"condition": HALF, "lowest": "A", "cost_ratio": 1.5, "unit": "false alarms"}
            | interval("cost", 0.15, 0.12, 0.18)
            | interval("amount", 180, 144, 216)
            | {"baseline": NEGATIVE, "not_ruled_out": f"B; {POSITIVE}", "confidence": 0.9}
            | {"threshold": 0.5, "flagged": 0.48, "misses": 40, "false_alarms": 120},
        ),
        (  # B from 0.1 to 0.3
            *(made(THREE, 0.5, 0.2), 1),
            {"condition": "PC(+) = 0.2", "lowest": "B", "cost_ratio": 0.375, "threshold": INF}
            | interval("cost", 0.14, 0.11, 0.17)
            | {"baseline": NEGATIVE, "not_ruled_out": f"A; {NEGATIVE}", "flagged": 0},
        ),
        (made(THREE, 0.85), 0, {"threshold": -INF, "flagged": 1}),
        (fixed_in_advance(), 0, {"threshold": NAN, "flagged": NAN}),
        # What is not ruled out, the cheapest first
        (leading(SIX, 0.5, C=LEFT, B=LEFT, **REST), 0, {"shown": False, "not_ruled_out": "B; C"}),
        *(
            (
                *(leading(THREE, at, **{name.removeprefix("always "): "cheapest"}), 0),
                {"lowest": name, "baseline": name, "saved_amount": 0} | interval("cost", 0.1),
            )
            for at, name in zip((0.1, 0.9), ALWAYS, strict=True)
        ),
        # Of 1000 cases at the condition's share of positives, in the unit of its costs
        (
            *(rare(), 0),
            {"misses": 10, "false_alarms": 180, "cost_ratio": 9, "flagged": 0.27}
            | {"amount": 10 * 9 * 25 + 180 * 25, "unit": "EUR"},
        ),
        (marked(made(THREE, 0.5, 0.7), EURO), 1, {"unit": "EUR"}),
        (
            *(own_costs(), 0),
            {"condition": "own costs", "unit": "kCHF", "misses": NAN, "cost": 0.2}
            | interval("amount", 2000, 1500, 2250)
            | interval("less_amount", 500)
            | interval("saved_amount", 2000, 1250, 2750),
        ),
        # A named condition is decided by its own family, whatever ranges say.
        (against(*SURE), 0, {"not_ruled_out": ""} | interval("less_amount", 1500, 300, 2700)),
        (against(*OPEN), 0, {"not_ruled_out": "B"} | interval("less_amount", 1500)),
    ],
)
def test_programs_read_what_the_answer_says(material: Material, place: int, expected: Row) -> None:
    row = as_frame(what_to_use(answer_of([material]).datasets)).iloc[place].to_dict()
    assert {name: row[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_json_has_null_for_what_is_no_finite_number() -> None:
    changes = {"cost_low": NAN, "threshold": INF, "not_ruled_out": ("a; b", "c")}
    (row,) = json.loads(as_json([row | changes for row in what_to_use([dataset_answer(made())])]))
    assert [row[name] for name in changes] == [None, None, ["a; b", "c"]]


def test_the_first_condition_is_that_of_the_start() -> None:
    """It is named, 1:1, or else the first one."""
    for named, at in [(0.6, 0.6), (0.1, 0.1), (None, 0.1)]:
        each = (replace(EURO, name=f"PC(+) = {pc}", named=pc == named) for pc in (0.1, 0.6))
        data = marked(made(THREE, 0.1, 0.6), *each)
        assert first(data).condition.title == f"PC(+) = {at}"
        assert json.loads(explorer(data))["pc"] == at


def test_a_condition_may_be_called_as_the_costs_of_cases_are() -> None:
    """It keeps its own test, and the control of page 1 begins at its ratio."""
    decided, costed = against(*SURE), own_costs()
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
    rows = dataset_answer(replace(named, weighted=sibling)).rows
    assert [row.condition.title for row in rows] == ["own costs"] * 2
    assert [(row.not_ruled_out, row.level) for row in rows] == [(("B",), None), ((), 0.95)]
    shown = control([costed, named], [dataset_answer(each) for each in (costed, named)])
    assert shown.ratios[shown.start] == pytest.approx(1.5)


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


# A reader's ratio


def test_a_reader_s_ratio_that_is_a_condition_is_that_condition() -> None:
    """With its name, and decided by its own test; costs of cases in their unit, too."""
    material = against(*SURE)
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


def test_a_reader_s_ratio_has_a_price_where_all_conditions_have_the_same() -> None:
    """At another share of positives than the data's a price is known at that share alone."""
    same, cheaper, other = EURO, replace(EURO, name="b", cost_fp=20), replace(EURO, unit="kr")
    for conditions, price in (
        ([same, replace(EURO, name="b")], (25, "EUR")),
        ([same, cheaper], (1, "false alarms")),
        ([same, replace(other, name="b")], (1, "false alarms")),
        ([replace(EURO, prior=0.1)], (1, "false alarms")),
        ([], (1, "false alarms")),
    ):
        assert marked(made(), *conditions).price == price


# Whatever the data: nothing is stated that the tables contradict

NEEDED = (
    *("headline", "measures", "bands", "operating_points", "intervals", "not_ruled_out"),
    *("deployment", "verdicts", "pair_intervals", "plausibility"),
)


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
    condition, mistakes = choice.condition, choice.mistakes
    expected = lowest(material.tables.__getitem__, condition.pc)
    known = {*differences(material, condition.pc, condition.name)}
    dearer = {loser for _, loser in known}
    assert choice.best == expected.name
    assert choice.best not in dearer
    assert choice.cost.value == pytest.approx(expected.cost)
    assert choice.not_ruled_out is not None
    assert {*choice.not_ruled_out} == expected.others - dearer
    assert choice.shown is (not expected.others - dearer)
    assert (choice.stays.low, choice.stays.high) == expected.stays
    misses, alarms = condition.prior * expected.fn, (1 - condition.prior) * expected.fp
    assert mistakes is not None
    counts = mistakes.misses / 1000, mistakes.alarms / 1000
    assert counts == pytest.approx((misses, alarms), abs=0.000501)
    assert choice.amount.value == pytest.approx(1000 * (condition.ratio * misses + alarms))
    for saving in filter(None, (choice.of, choice.baseline)):
        assert saving.than != choice.best
        assert math.isnan(saving.amount.low) or (saving.shown and saving.amount.low > 0)
        if saving.shown:
            assert saving.than not in choice.not_ruled_out
            assert saving.than in ALWAYS or (choice.best, saving.than) in known
    if material.reference is not None and choice.best != material.reference:
        assert choice.of is not None
        assert choice.of.than == material.reference


def check_statement(material: Material, statement: Statement) -> None:
    """Its range as it is printed lies inside, and at each place in it verdicts say the same."""
    assert statement.all is (len(statement.others) == 2)
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
            choice = at_ratio(material, float(ratio), share)
            assert choice.condition.title == (choice.condition.name or formats.ratio(ratio))
            assert choice.condition.pc == pc_from_ratio(ratio, choice.condition.prior)
            check_choice(material, choice)
    for statement in only.statements:
        check_statement(material, statement)
    assert len(text(material).splitlines()[0].split()) <= WORDS
