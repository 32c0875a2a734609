"""From tables to plain values and sentences."""

import math
import re
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.figures.catalogue import FIGURES
from costcurves.report import alternatives, formats
from costcurves.report.document import Numbering, Report, Section
from costcurves.report.leads import leads
from costcurves.report.lean import data_uri, lean
from costcurves.report.marks import picture
from costcurves.report.material import Material, facts_of
from costcurves.report.methods import weight_in_words
from costcurves.report.sections import SECTIONS, judged
from costcurves.report.sentences import answer
from costcurves.report.summary import summarise
from costcurves.report.text import Name, Number, phrase, plain
from costcurves.tables.averages import AVERAGES
from costcurves.tables.crossovers import CROSSOVERS
from costcurves.tables.duality import DUALITY
from costcurves.tables.measures import MEASURES
from tests.fake_report import (
    IN_SAMPLE,
    THREE,
    Models,
    curve,
    drawings,
    provenance,
    report,
    study,
    tables,
)


def material(models: Models = THREE) -> Material:
    data = tables(models)
    facts = facts_of(study().datasets[0], data["measures"])
    return Material(facts, data, drawings(), tuple(models), Numbering())


def said(models: Models) -> str:
    return plain(alternatives.verdict(material(models)))


def test_the_tables_made_here_keep_the_contracts() -> None:
    for contract in (MEASURES, AVERAGES, CROSSOVERS, DUALITY):
        assert tuple(tables()[contract.name].columns) == tuple(contract.names)


# Sentences


def test_answer_names_ranges_costs_and_ties() -> None:
    assert said(THREE) == (
        "A is cheapest for PC(+) between 0.33 and 0.89 (a missed positive costs 0.75 to 12 times a "
        "false alarm), B between 0.13 and 0.33 (0.21 to 0.75 times); elsewhere all cost "
        "the same."
    )


def test_answer_of_equal_models() -> None:
    assert said({"A": (0.2, 0.1), "B": (0.2, 0.1)}) == "A and B cost the same at every PC(+)."


def test_answer_of_one_model() -> None:
    assert said({"A": (0.2, 0.1)}) == (
        "A is cheaper than both trivial classifiers for PC(+) between 0.18 and 0.89 (a missed "
        "positive costs 0.33 to 12 times a false alarm); its cost is largest at PC(+) = 0.18: "
        "0.182."
    )


def test_answer_of_one_model_with_an_empty_operating_range() -> None:
    assert said({"A": (0.6, 0.5)}) == "A is nowhere cheaper than the better trivial classifier."


def test_answer_of_models_that_are_all_useless() -> None:
    useless = {"A": (0.6, 0.5), "B": (0.9, 0.9)}
    assert said(useless) == "A and B cost the same at every PC(+)."


def test_equal_models_share_a_lead() -> None:
    twins = {"A": (0.2, 0.1), "twin": (0.2, 0.1), "B": (0.1, 0.3)}
    assert said(twins).startswith("A and twin (equal) are cheapest for PC(+) between 0.33 and 0.89")


def test_a_model_that_leads_everywhere() -> None:
    perfect = {"A": (0.0, 0.0), "B": (0.1, 0.3)}
    assert said(perfect) == "A is cheapest at every PC(+)."


def test_the_last_leader_of_several_ranges_has_the_rest() -> None:
    lines = [(0.0, 0.3, "A"), (0.3, 0.6, "B"), (0.6, 1.0, "A")]
    assert plain(answer(["A", "B"], _leads(lines), "")) == (
        "A is cheapest for PC(+) below 0.30 (a missed positive costs less than 0.43 times a false "
        "alarm) and above 0.60 (more than 1.5 times), B between 0.30 and 0.60 "
        "(0.43 to 1.5 times)."
    )
    lines = [(0.0, 0.1, "A"), (0.1, 0.9, "B"), (0.9, 1.0, "A")]
    assert plain(answer(["A", "B"], _leads(lines), "")) == (
        "B is cheapest for PC(+) between 0.10 and 0.90 (a missed positive costs 0.11 to 9 times a "
        "false alarm), A elsewhere."
    )


def test_many_leaders_are_counted_not_listed() -> None:
    lines = [(place / 10, (place + 1) / 10, "ABCDE"[place % 5]) for place in range(10)]
    text = plain(answer("ABCDE", _leads(lines), ""))
    assert text.endswith("; in all the lead changes 9 times.")
    assert text.count("cheapest") == 1
    assert " D " not in text


def test_a_model_called_equal_is_a_model() -> None:
    assert said({"equal": (0.2, 0.1), "B": (0.3, 0.3)}).startswith("equal is cheapest for PC(+)")


def test_names_are_never_patterns() -> None:
    assert plain(phrase("{} and {}", Name("{}"), Name("{0}"))) == "{} and {0}"
    with pytest.raises(ValueError, match="zip"):
        phrase("{}")


def _leads(lines: list[tuple[float, float, str]]) -> Any:
    rows = pd.DataFrame(
        {
            "pc_from": [low for low, _, _ in lines],
            "pc_to": [high for _, high, _ in lines],
            "ratio_from": [low / (1 - low) for low, _, _ in lines],
            "ratio_to": [high / (1 - high) if high < 1 else math.inf for _, high, _ in lines],
        }
    )
    names = sorted({name for *_, name in lines})
    winners = [name for *_, name in lines]
    pairs = [
        rows.assign(
            model_a=a,
            model_b=b,
            largest_difference=[-1.0 if w == a else 1.0 if w == b else 0.0 for w in winners],
        )
        for place, a in enumerate(names)
        for b in names[place + 1 :]
    ]
    # Where neither of a pair leads, the leader's own pairs decide.
    return leads(pd.concat(pairs, ignore_index=True), names)


# Who leads where

RATES = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


@given(st.lists(st.tuples(RATES, RATES), min_size=2, max_size=5), st.floats(0, 1))
def test_leads_agree_with_the_curves_themselves(
    rates: list[tuple[float, float]], pc: float
) -> None:
    models = {f"m{place}": rate for place, rate in enumerate(rates)}
    found = leads(tables(models)["crossovers"], list(models))
    assert [found[0].low, found[-1].high] == [0.0, 1.0]
    assert all(a.high == b.low and a.models != b.models for a, b in pairwise(found))
    (held,) = [lead for lead in found if lead.low <= pc < lead.high] or [found[-1]]
    heights = {model: curve(*rate)(pc) for model, rate in models.items()}
    lowest = min(heights.values())
    assert all(heights[model] <= lowest + 1e-9 for model in held.models)


def test_slivers_between_roots_that_differ_by_rounding_are_no_leads() -> None:
    third = 1 / 3
    lines = [
        (0.0, third, "A"),
        (third, np.nextafter(third, 1), "C"),
        (np.nextafter(third, 1), 1.0, "B"),
    ]
    assert [lead.models for lead in _leads(lines)] == [("A",), ("B",)]


def test_cheapest_ranges_leave_out_where_all_are_equal() -> None:
    ranges = {row.model.name: row.cheapest for row in judged(material())}
    assert np.array(ranges["A"]) == pytest.approx(np.array([(1 / 3, 8 / 9)]))
    assert ranges["C"] == ()


# The whole


def test_the_report_holds_plain_values_only() -> None:
    allowed = (str, int, float, bool, type(None))
    assert not [value for value in _values(report()) if not isinstance(value, allowed)]


def _values(value: Any) -> list[Any]:
    if is_dataclass(value):
        return [leaf for it in fields(value) for leaf in _values(getattr(value, it.name))]
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in _values(item)]
    return [value]


def test_figures_and_tables_are_numbered_as_they_are_read() -> None:
    two = [{"name": name, "predictions": ["x.csv"]} for name in ("one", "two")]
    made = report(datasets=two)
    shown = [inner.content for section in made.sections for inner in section.sections]
    assert [it.figure.number for it in shown] == list(range(1, 11))
    assert [made.sections[0].content.table.number, *(it.table.number for it in shown)] == list(
        range(1, 12)
    )


def test_anchors_are_different_whatever_datasets_are_called() -> None:
    names = ("methods", "verdict", "methods.folds", "methods-folds", "figure-1")
    made = report(datasets=[{"name": name, "predictions": ["x.csv"]} for name in names])
    anchors = _anchors(made.sections)
    assert len(anchors) == len(set(anchors))


def _anchors(sections: tuple[Section, ...]) -> list[str]:
    return [name for it in sections for name in (it.anchor, *_anchors(it.sections))]


def test_one_model_has_no_differences_and_no_condition_no_duality() -> None:
    data = {"toy": tables({"A": (0.2, 0.1)}, conditions=())}
    made = summarise(study(), data, {"toy": drawings()}, provenance())
    parts = [inner.part for inner in made.sections[1].sections]
    assert parts == ["cost_curves", "folds", "averaging"]


def test_every_section_of_a_dataset_is_made() -> None:
    assert [inner.part for inner in report().sections[1].sections] == [
        it.__name__ for it in SECTIONS
    ]


def test_every_figure_of_the_catalogue_is_shown_with_its_tables() -> None:
    shown = [inner.content.figure for inner in report().sections[1].sections]
    assert {it.name: it.stages for it in shown} == {kind.name: kind.sources for kind in FIGURES}


def test_the_positive_label_and_different_counts_are_facts() -> None:
    data = tables()
    data["measures"].loc[data["measures"]["model"] == "B", "instances"] = 99
    chosen = study(datasets=[{"name": "x", "predictions": ["x.csv"], "positive": "good"}])
    facts = facts_of(chosen.datasets[0], data["measures"])
    assert (facts.positive, facts.alike) == ("good", False)


def test_a_model_keeps_its_place_over_datasets() -> None:
    made = study(datasets=[{"name": name, "predictions": ["x.csv"]} for name in ("one", "two")])
    data = {"one": tables(THREE), "two": tables({"D": (0.1, 0.1), "B": (0.2, 0.2)})}
    both = summarise(made, data, dict.fromkeys(data, drawings()), provenance())
    groups = both.sections[0].content.table.rows
    assert [[row.model.index for row in group.models] for group in groups] == [[0, 1, 2], [3, 1]]
    assert len(both.swatches) == 4


def test_areas_are_those_of_the_pieces() -> None:
    areas = material().areas
    assert areas["A", "vertical"] == pytest.approx(curve(0.2, 0.1).area())
    assert set(areas) == {(m, how) for m in THREE for how in tables()["averages"]["method"]}


def test_facts_count_and_say_the_estimate() -> None:
    facts = material().facts
    assert (facts.instances, facts.positives, facts.negatives) == (100, 40, 60)
    assert (facts.repeats, facts.folds, facts.curves, facts.level) == (2, 5, 2, "repeat")
    assert (facts.estimate, facts.alike, facts.models) == (IN_SAMPLE, True, ("A", "B", "C"))


def test_alternative_texts_say_numbers_and_stop_somewhere() -> None:
    many = {f"model {place}": (0.01 * place, 0.02 * place) for place in range(1, 12)}
    text = alternatives.crossovers(material(many))
    assert text.count("; ") == 8
    assert text.endswith(" more.")
    assert "A: 0.182 at PC(+) = 0.18" in alternatives.cost_curves(material())


def test_lead_says_what_was_compared() -> None:
    lead = plain(report().lead)
    assert lead.startswith("1 dataset, 3 models, 100 instances.")
    assert "cdcdcdcd" in lead


# Formats


@given(st.floats(0, 1), st.floats(0, 1))
def test_ranges_show_different_ends_as_different(first: float, second: float) -> None:
    low, high = sorted((first, second))
    shown = formats.pc_pair(low, high)
    if high - low > 1e-5:
        assert shown[0] != shown[1]
        assert float(shown[0]) <= float(shown[1])


@given(st.floats(-1, 1))
def test_costs_are_never_shown_as_minus_zero(value: float) -> None:
    assert formats.cost(value) != f"{formats.MINUS}0.000"


@given(st.floats(1e-3, 1e3))
def test_a_ratio_and_its_inverse_read_alike(value: float) -> None:
    first, second = formats.ratio(value), formats.ratio(1 / value)
    if "1:1" not in (first, second):
        assert first.split(":") == second.split(":")[::-1]


def test_weights_in_words() -> None:
    histogram = {"kind": "histogram", "edges": [0, 0.5, 1], "weight": [1, 2]}
    assert weight_in_words(histogram) == (
        f"on the values 0{formats.DASH}0.5 (weight 1), 0.5{formats.DASH}1 (weight 2)"
    )
    assert (
        weight_in_words({"kind": "uniform", "low": 0.1, "high": 0.4}) == "uniform from 0.1 to 0.4"
    )


# Pictures


def test_pictures_are_addresses_that_read_back() -> None:
    uri = data_uri('<!-- 100 % of "it" -->\n<svg a="1">\n  <path d="M 0 0.0625"/> é#&\'</svg>')
    assert not set(uri) & set('"<>#&\n')
    assert unquote(uri.split(",", 1)[1]) == '<svg a="1"><path d="M0 0.06"/> é#&\'</svg>'


@given(st.lists(st.floats(-1e4, 1e4), min_size=2, max_size=8))
def test_places_in_a_lean_picture_are_those_of_the_figure(places: list[float]) -> None:
    path = " ".join(f"L {x:.6f} {x / 3:.6f} " for x in places)
    found = re.findall(r"-?\d+\.?\d*", lean(f'<path d="M 0 0 {path}"/>'))[2:]
    expected = [place for x in places for place in (x, x / 3)]
    assert [float(number) for number in found] == pytest.approx(expected, abs=0.00501)


def test_a_picture_needs_a_size() -> None:
    assert picture(drawings()["folds"], "").width == 643
    with pytest.raises(ValueError, match="viewBox, found none"):
        picture("<svg/>", "")


def test_numbers_know_their_table() -> None:
    numbers = [part for part in alternatives.verdict(material()) if isinstance(part, Number)]
    assert {number.href for number in numbers} == {"tables/crossovers/toy.csv"}


def test_summarise_gives_the_same_twice() -> None:
    first, second = report(), report()
    assert isinstance(first, Report)
    assert repr(first) == repr(second)
