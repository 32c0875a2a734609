"""The table of the first page: the cheapest at each condition, its cost, and who else may be."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from costcurves.report.answers import as_frame, as_json, what_to_use
from costcurves.report.document import Estimate, Numbering, Values
from costcurves.report.explorer import explorer
from costcurves.report.material import Material
from costcurves.report.rendering import Medium, _page, html
from costcurves.report.thresholds import thresholds
from costcurves.report.to_use import happens, to_use, to_use_on
from costcurves.settings import OperatingCondition
from costcurves.text import Text, plain
from tests.fake_report import THREE, Models, assembled, dataset, study, tables
from tests.report.test_summary import in_sample, of_tables
from tests.said import words

SIX: Models = {**THREE, **dict.fromkeys("DEF", (0.4, 0.4))}
ONE = {"A": "cheapest", "negative": "out", "positive": "out"}


def made(models: Models = THREE, *places: float, **changed: pd.DataFrame) -> Material:
    return of_tables(models, tables(models, conditions=places or (0.5,)) | changed)


def group(material: Material) -> Values:
    table = to_use([material], Numbering())
    assert table is not None
    (only,) = table.rows
    assert isinstance(only, Values)
    return only


def on_its_own(material: Material) -> Values:
    """The table of the dataset's section: all conditions."""
    table = to_use_on(material)
    assert table is not None
    (only,) = table.rows
    assert isinstance(only, Values)
    return only


def row(material: Material) -> Values:
    (only,) = group(material).rows
    assert isinstance(only, Values)
    return only


def others(material: Material) -> str:
    text: Text = row(material).others
    return plain(text)


def standings(**decisions: str) -> pd.DataFrame:
    """How decisions stand at every PC(+), whatever their curves say."""
    names = {"negative": "always negative", "positive": "always positive"}
    rows = {"standing": decisions.values(), "pc_from": 0.0, "pc_to": 1.0}
    return pd.DataFrame({"decision": [names.get(one, one) for one in decisions], **rows})


def ends(it: Estimate) -> list[float]:
    return [it.value, it.low, it.high]


def test_each_condition_has_its_cheapest_model_its_cost_and_what_it_saves() -> None:
    material = made(THREE, 0.5, 0.2)
    middle, low = on_its_own(material).rows
    assert [(it.condition.text, it.best, it.model.name) for it in (middle, low)] == [
        ("PC(+) = 0.5", "A", "A"),
        ("PC(+) = 0.2", "B", "B"),
    ]
    assert [plain(it.place) for it in (middle, low)] == ["1.5:1", "1:2.7"]  # at p(+) = 0.4
    # A goes from 0.2 to 0.1, B from 0.1 to 0.3; an interval reaches 0.03 to either side
    assert ends(middle.cost) == pytest.approx([0.15, 0.12, 0.18])
    assert ends(middle.saved) == pytest.approx([0.35, 0.32, 0.38])
    assert ends(low.cost) == pytest.approx([0.14, 0.11, 0.17])
    assert ends(low.saved) == pytest.approx([0.06, 0.03, 0.09])
    assert plain(middle.others) == "B and always positive"
    assert plain(low.others) == "A and always negative"
    assert [it.threshold for it in (middle, low)] == ["\u2265 0.5", "never"]


def test_a_condition_with_a_name_says_where_it_lies() -> None:
    intervals = tables()["intervals"].replace("PC(+) = 0.5", "ours")
    assert plain(row(made(intervals=intervals)).place) == "PC(+) 0.50, 1.5:1"
    intervals = intervals.replace("ours", "1.5:1")
    assert plain(row(made(intervals=intervals)).place) == "PC(+) 0.50"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (ONE | {"B": "out"}, "none"),
        (ONE | {"C": "in the running", "B": "in the running"}, "B and C"),
        (ONE | dict.fromkeys("EDCB", "in the running"), "B, D, E and 1 more"),
        (ONE | {"B": "in the running", "negative": "in the running"}, "B and always negative"),
        (ONE | dict.fromkeys("BCDEF", "in the running"), "B, D, E and 2 more"),
        (ONE | {"B": "cheapest"}, "B"),  # as cheap as the one that is named first
    ],
)
def test_three_others_are_named_the_cheapest_first(told: dict[str, str], expected: str) -> None:
    material = made(SIX, in_the_running=standings(**dict.fromkeys("BCDEF", "out") | told))
    assert row(material).best == "A"
    assert others(material) == expected


@pytest.mark.parametrize(("at", "best"), [(0.1, "always negative"), (0.9, "always positive")])
def test_where_no_model_costs_less_a_constant_decision_is_the_one_to_use(
    at: float, best: str
) -> None:
    own = {"negative": "cheapest", "positive": "out", "A": "cheapest", "B": "out", "C": "out"}
    if at > 0.5:
        own |= {"negative": "out", "positive": "cheapest"}
    it = row(made(THREE, at, in_the_running=standings(**own)))
    assert (it.best, it.model, it.saved, it.threshold) == (best, None, None, "")
    assert it.cost.value == pytest.approx(0.1)
    assert it.cost.low != it.cost.low  # known exactly: no interval
    assert plain(it.others) == "A"


def test_in_sample_curves_are_not_compared() -> None:
    it = row(made(THREE, **in_sample()))
    assert (it.best, it.estimate, it.others) == ("A", "in-sample selection", None)


def test_without_conditions_there_is_no_table() -> None:
    intervals = tables()["intervals"]
    material = made(intervals=intervals[intervals["quantity"] != "cost"])
    assert to_use([material], Numbering()) is None


def test_page_1_takes_the_condition_that_a_reader_begins_with_and_counts_the_others() -> None:
    many = made(THREE, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7)
    for opens, at in [("PC(+) = 0.6", 0.6), ("1:1", 0.1)]:  # not one of these: their first
        material = replace(many, opens=opens)
        found = group(material)
        assert ([it.condition.text for it in found.rows], found.hidden) == ([f"PC(+) = {at}"], 5)
        assert json.loads(explorer(material))["pc"] == at
    even = tables(THREE, conditions=(0.1, 0.4))["intervals"].replace("PC(+) = 0.4", "1:1")
    assert [it.condition.text for it in group(made(THREE, 0.1, 0.4, intervals=even)).rows] == [
        "1:1"
    ]


@pytest.mark.parametrize(
    ("at", "low", "high", "ratios"),
    [(0.5, 1 / 3, 8 / 9, (0.75, 12)), (0.2, 1 / 8, 1 / 3, (3 / 14, 0.75))],
)
def test_a_row_says_where_its_model_stays_the_cheapest(
    at: float, low: float, high: float, ratios: tuple[float, float]
) -> None:
    """At p(+) = 0.4 a cost ratio is 1.5 times the odds of PC(+)."""
    stays = row(made(THREE, at)).stays
    assert (stays.low, stays.high) == pytest.approx((low, high))
    assert (stays.ratio_low, stays.ratio_high) == pytest.approx(ratios)


def test_what_the_model_to_use_does_is_counted_of_a_thousand_cases() -> None:
    """Of 1000 cases 400 are positive; A has the rates .2 and .1, B .1 and .3."""
    table = happens(made(THREE, 0.05, 0.5, 0.2))
    assert table is not None
    assert [
        (row.condition.text, row.best, row.hits, row.misses, row.alarms, row.rejections)
        for row in table.rows
    ] == [
        ("PC(+) = 0.05", "always negative", 0, 400, 0, 600),
        ("PC(+) = 0.5", "A", 360, 40, 120, 480),
        ("PC(+) = 0.2", "B", 280, 120, 60, 540),
    ]
    intervals = tables()["intervals"]
    assert happens(made(intervals=intervals[intervals["quantity"] != "cost"])) is None
    page = words(html(assembled({"toy": tables(conditions=(0.5, 0.2))}))).replace("\u202f", " ")
    assert "PC(+) = 0.2 B 280 120 60 540 Expected where 40 % are positive, with thresholds" in page


def test_without_thresholds_none_are_said() -> None:
    material = made(deployment=tables()["deployment"].iloc[:0])
    assert row(material).threshold == ""
    assert group(material).files == ("tables/intervals/toy.csv", "tables/in_the_running/toy.csv")


def test_a_decision_that_was_fixed_in_advance_has_no_threshold_to_be_told() -> None:
    material = made(THREE, 0.2)
    fixed = replace(material, facts=replace(material.facts, fixed=("B",)))
    assert [row(it).best for it in (material, fixed)] == ["B", "B"]
    assert [row(it).threshold for it in (material, fixed)] == ["never", "as decided"]


def test_that_a_table_never_says_never_is_seen() -> None:
    material = made()
    served = material.tables["deployment"]
    for ends, constant in [((math.inf, -math.inf), True), ((0.75, 0.25), False)]:
        changed = served.assign(threshold=served["threshold"].replace([math.inf, -math.inf], ends))
        found = thresholds(made(deployment=changed))
        assert found is not None
        assert found.content.constant is constant


def own_costs(**changed: pd.DataFrame) -> Values:
    """The row of what instances cost: A 2, B 2.5, always negative 4, always positive 6."""
    known = {"A": 2.0, "B": 2.5, "C": 5.0, "always negative": 4.0, "always positive": 6.0}
    rows = [
        {"model": model, "cost": cost, "low": cost - 0.5, "high": cost + 0.25}
        | {"nec": cost / 10, "pc": 0.4}
        | {"more": cost - 2, "more_low": cost - 2.75, "more_high": cost - 1.25}
        for model, cost in known.items()
    ]
    material = made()
    own = changed | {"instance_costs": pd.DataFrame(rows)}
    weighted = replace(of_tables(THREE, {**material.tables, **own}), unit="kCHF")
    whole = replace(material, weighted=weighted)
    served = weighted.tables["deployment"].query("model == 'A' and pc_from <= 0.4 < pc_to")
    first, *_ = what_to_use([whole])  # by programs, too, at the threshold of weighted cases
    assert (first["condition"], first["threshold"]) == ("own costs", served["threshold"].item())
    marked, own = on_its_own(whole).rows
    assert (marked.condition.text, marked.amount) == ("PC(+) = 0.5", None)
    assert row(whole).condition.text == own.condition.text  # page 1 begins with own costs
    assert group(whole).hidden == 1
    assert isinstance(own, Values)
    return own


def test_own_costs_are_those_of_a_thousand_cases_in_their_unit() -> None:
    deployed = tables(THREE)["deployment"]
    own = own_costs(deployment=deployed.assign(threshold=deployed["threshold"].replace(0.5, 0.37)))
    assert "0.37" in own.threshold
    assert (own.condition.text, plain(own.place), own.best) == ("own costs", "PC(+) 0.40, 1:1", "A")
    assert ends(own.amount) == [2000, 1500, 2250]
    assert (own.cost.value, own.saved.value) == (0.2, pytest.approx(0.2))
    assert own.cost.low != own.cost.low  # of the normalized cost there is no interval
    assert ends(own.saved_amount) == [2000, 1250, 2750]
    assert own.unit == "kCHF"


@pytest.mark.parametrize(("prior", "per_case"), [(None, 135.0), (0.1, 52.5)])
def test_costs_with_a_unit_are_those_of_a_thousand_cases(
    prior: float | None, per_case: float
) -> None:
    """At 12:1 and 25 EUR a false alarm; the dataset's p(+) is .4."""
    condition = OperatingCondition("", None, prior, cost_ratio=12, cost_fp=25, unit="EUR")
    here, there = on_its_own(replace(made(THREE, 0.5, 0.7), marked={"PC(+) = 0.5": condition})).rows
    assert (here.unit, there.amount) == ("EUR", None)
    for amount, cost in ((here.amount, here.cost), (here.saved_amount, here.saved)):
        assert ends(amount) == pytest.approx([1000 * per_case * end for end in ends(cost)])
        assert cost.low < cost.value < cost.high


def test_the_reader_s_own_ratio_has_the_rates_of_the_cheapest_model() -> None:
    """B is the cheapest from PC(+) = 1/8 to 1/3 and A to 8/9, though B's line goes on to 3/4.

    Beyond, models cost as much as the constant decisions.
    """
    rates = json.loads(explorer(made(THREE)))["rates"]
    ends, fp, fn = ((np.cumsum(rates[name]) / 1e5).tolist() for name in ("pc", "fp", "fn"))
    inner = [it for it in zip(ends, fp, fn, strict=True) if it[1:] not in ((0, 1), (1, 0))]
    assert inner == [(0.33333, 0.1, 0.3), (0.88888, 0.2, 0.1)]


def test_cases_are_counted_at_the_condition_s_own_share_of_positives() -> None:
    """In one case of ten: A misses .1 of 100, and raises .2 of 900 false alarms."""
    own = OperatingCondition("", None, 0.1, cost_ratio=9, cost_fp=25, unit="EUR")
    material = replace(made(THREE, 0.5, 0.2), marked={"PC(+) = 0.5": own})
    table = happens(material)
    assert table is not None
    assert [[it.hits, it.misses, it.alarms, it.rejections] for it in table.rows] == [
        [90, 10, 180, 720],
        [280, 120, 60, 540],
    ]
    amount = on_its_own(material).rows[0].amount.value
    assert amount == pytest.approx(10 * 9 * 25 + 180 * 25)
    assert json.loads(explorer(material))["price"] is None  # at that share alone


@pytest.mark.parametrize(
    ("costs", "price"),
    [
        ([(25, "EUR"), (25, "EUR")], [25, "EUR"]),
        ([(25, "EUR"), (20, "EUR")], None),
        ([(25, "EUR"), (25, "kr")], None),
        ([], None),
    ],
)
def test_the_reader_s_own_ratio_has_a_price_where_all_conditions_have_the_same(
    costs: list[tuple[float, str]], price: object
) -> None:
    priced = {
        f"{number}": OperatingCondition("", None, cost_ratio=number, cost_fp=each, unit=unit)
        for number, (each, unit) in enumerate(costs, start=3)
    }
    assert json.loads(explorer(replace(made(THREE), marked=priced)))["price"] == price


def test_programs_get_what_the_table_says() -> None:
    """B is the cheapest at .2, always negative at .05 and A at .5, where a reader begins here."""
    priced = OperatingCondition("", None, cost_ratio=12, cost_fp=25, unit="EUR")
    material = replace(
        made(THREE, 0.2, 0.05, 0.5), opens="PC(+) = 0.5", marked={"PC(+) = 0.5": priced}
    )
    rows = what_to_use([material])
    table = {it.condition.text: it for it in on_its_own(material).rows}
    assert [row["condition"] for row in rows] == [f"PC(+) = {at}" for at in (0.5, 0.2, 0.05)]
    for row in rows:
        shown = table[row["condition"]]
        assert [row["cheapest"], row["pc"]] == [shown.best, shown.pc]
        assert [row[f"cost{it}"] for it in ("", "_low", "_high")] == pytest.approx(
            ends(shown.cost), nan_ok=True
        )
        saved = ends(shown.saved) if shown.saved else [0, math.nan, math.nan]
        assert [row[f"saved{it}"] for it in ("", "_low", "_high")] == pytest.approx(
            saved, nan_ok=True
        )
        assert row["could_be_cheapest"] == shown.running
        assert ", ".join(shown.running[:3]) in plain(shown.others).replace(" and ", ", ")
    first, second, last = rows
    assert first["amount"] == pytest.approx(1000 * 135 * first["cost"])
    assert (second["unit"], math.isnan(second["amount"])) == ("", True)
    assert [row["threshold"] for row in rows] == [0.5, math.inf, math.inf]
    assert (last["cheapest"], last["flagged"]) == ("always negative", 0)
    read = json.loads(as_json([row | {"could_be_cheapest": ("a; b", "c")} for row in rows]))
    assert [row["threshold"] for row in read] == [0.5, None, None]
    assert read[1]["amount"] is None
    assert read[0]["could_be_cheapest"] == ["a; b", "c"]
    frame = as_frame(rows)
    assert list(frame["cost"]) == [row["cost"] for row in rows]
    assert frame["could_be_cheapest"].str.count(";").tolist() == [
        max(len(row["could_be_cheapest"]) - 1, 0) for row in rows
    ]


UNIT = {"name": "PC(+) = 0.5", "prior": 0.2, "cost_fn": 7, "cost_fp": 3, "unit": "EUR"}


@pytest.mark.parametrize("given", [{}, {"name": "other"}])
def test_the_answer_is_in_the_unit_of_the_condition_that_a_reader_begins_with(
    given: dict[str, str],
) -> None:
    """A costs .15 of 7 / 5 + 12 / 5 EUR a case, 1330 EUR less than always negative."""
    page = words(html(assembled({"toy": tables()}, study(operating_conditions=[UNIT | given]))))
    said = (
        "On Toy, A costs least at PC(+) = 0.5: 570 EUR per 1000 cases, 1330 less "
        "than always negative or positive (1"
    )
    assert (said in page) is (not given)


HINT = "Not given: what a case is and what positive means (about: in the configuration)."


@pytest.mark.parametrize("medium", ["screen", "print"])
@pytest.mark.parametrize(
    ("about", "brief", "whole"),
    [
        ({}, "positive ", "100 cases, 40 positive and 60 negative; "),
        (
            {"case": "loans", "positive": "repaid"},
            "positive (repaid) ",
            "100 cases (loans), 40 positive (repaid) and 60 negative; ",
        ),
        ({"case": "loans"}, "positive ", "100 cases (loans), 40 positive and 60 negative; "),
    ],
)
def test_a_report_says_what_a_case_and_a_positive_are(
    about: dict[str, str], brief: str, whole: str, medium: Medium
) -> None:
    """Page 1 says what positive means, and never that nothing is said of it."""
    own = study(datasets=[dataset("toy", "Toy") | {"about": about}])
    made = assembled({"toy": tables(conditions=(0.5, 0.7))}, own)
    page = words(_page(made, medium))
    first, _, section = page.partition("Toy: what to use.")
    assert f"Toy 100 cases, 40 {brief}" in first
    assert HINT not in first
    note, after = section.split("How to read a cost curve")[0].split("Cost ratios assume")
    assert whole in note
    assert "p(+) = 0.400." in after
    assert (HINT in section) is (not {"case", "positive"} & {*about})


@pytest.mark.parametrize("places", [(0.5,), (0.5, 0.7)])
def test_page_1_names_on_paper_what_could_be_cheapest_if_no_section_does(
    places: tuple[float, ...],
) -> None:
    cover, behind = _page(assembled({"toy": tables(conditions=places)}), "print").partition(
        "</header>"
    )[::2]
    assert ("Could be cheapest, too" in cover) is (len(places) == 1)
    assert ("Could be cheapest, too" in behind) is (len(places) > 1)


def test_a_named_condition_is_decided_by_its_own_family() -> None:
    """B costs more than A there by the test of named conditions, whatever ranges say."""
    differences = [
        {"condition": "PC(+) = 0.5", "pc": 0.5, "model_a": "A", "model_b": "B", "low": -0.09}
        | {"high": -0.01, "familywise": 0.95, "quantity": "cost"},
        {"condition": "PC(+) = 0.5", "pc": 0.5, "model_a": "A", "model_b": "C", "low": -0.5}
        | {"high": 0.1, "familywise": 0.95, "quantity": "cost"},
        {"condition": "", "pc": math.nan, "model_a": "C", "model_b": "A", "low": 0.2}
        | {"high": 0.3, "familywise": 0.9, "quantity": "area"},
    ]
    stands = standings(A="cheapest", B="in the running", C="in the running", negative="out")
    stands = pd.concat([stands, standings(positive="out")]).assign(confidence=0.95)
    named = made(pair_intervals=pd.DataFrame(differences), in_the_running=stands)
    assert others(named) == "C"
    assert row(named).named == 0.95
    assert _out(named) == [[0.5, [1]]]
    turned = [{**differences[0], "model_a": "B", "model_b": "A", "low": 0.01, "high": 0.09}]
    assert others(made(pair_intervals=pd.DataFrame(turned), in_the_running=stands)) == "C"
    unnamed = made(in_the_running=stands)
    assert others(unnamed) == "B and C"
    assert row(unnamed).named is None
    assert _out(unnamed) == []


def _out(material: Material) -> object:
    """What the control under the table has of named conditions: PC(+), and places of models."""
    return json.loads(explorer(material))["named"]
