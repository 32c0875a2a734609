"""From tables to plain values and sentences."""

import math
import re
from dataclasses import fields, is_dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from costcurves import formats
from costcurves.contracts import CONTRACTS
from costcurves.curves.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.figures import drawing
from costcurves.pairs.verdicts import VERDICTS
from costcurves.report.answer import answer_of
from costcurves.report.callouts import callouts
from costcurves.report.differences import Family, differences
from costcurves.report.document import Figure, Numbering, Section, Table
from costcurves.report.material import Material, facts_of
from costcurves.report.rendering import html
from costcurves.report.sections import model_costs
from costcurves.report.summary import materials_of, summarise
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE
from costcurves.text import Name, phrase, plain
from tests.fake_report import (
    FIGURES,
    THREE,
    Models,
    assembled,
    curve,
    dataset,
    drawings,
    parts_of,
    provenance,
    report,
    study,
    tables,
    verdict,
)
from tests.said import call_outs, part, say, words


def material(models: Models = THREE, **changed: pd.DataFrame) -> Material:
    return of_tables(models, tables(models) | changed)


def of_tables(models: Models, data: dict[str, pd.DataFrame]) -> Material:
    facts = facts_of(study().datasets[0], data, "repeat")
    return Material(facts, data, drawings(), tuple(models), Numbering())


def said(*rows: dict[str, object], models: Models = THREE) -> list[str]:
    """The call-outs beside these verdicts."""
    return called(material(models, verdicts=verdicts(*rows)))


def called(made: Material) -> list[str]:
    """The call-outs of a dataset."""
    return [text for _, text in call_outs("callouts", callouts(made), of="answer")]


def verdicts(*rows: dict[str, object]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=VERDICTS.names)


def test_the_tables_made_here_keep_the_contracts() -> None:
    for stage, table in tables().items():
        assert tuple(table.columns) == tuple(CONTRACTS[stage].names)
    assert verdicts(verdict("A", "B", 0, 1, "undecided")).notna()["p_value"].all()


# Verdicts

TWO = {"A": (0.2, 0.1), "B": (0.1, 0.3)}


def test_withdrawn_stretches_are_undecided() -> None:
    rows = [
        verdict("A", "B", 0.0, 0.498, "undecided"),
        verdict("A", "B", 0.498, 0.499, "undecided", reason="narrow"),
        verdict("A", "B", 0.499, 1.0, "undecided", largest_difference=0.06, at_pc=0.7),
    ]
    (family,) = families_of(*rows)
    assert family.table is None


def test_the_table_of_differences_has_decided_pairs_only() -> None:
    rows = [
        verdict("A", "B", 0.0, 0.5, "A cheaper"),
        verdict("A", "B", 0.5, 1.0, "undecided"),
        verdict("A", "C", 0.0, 1.0, "undecided", projected=420.0),
        verdict("B", "C", 0.0, 1.0, "undecided", projected=math.inf),
    ]
    section = differences(material(THREE, verdicts=verdicts(*rows)))
    assert section is not None
    (family,) = section.content.families
    found = [(one.ahead.name, one.behind.name) for one in family.table.rows]
    assert found == [("A", "B")]
    assert "settle no pair" not in words(part(section))
    none = differences(material(THREE, verdicts=verdicts(*rows[2:])))
    assert none is not None
    nothing = "These data settle no pair on any range of cost ratios"
    level = "90\u202f% confidence for all pairs together"
    assert f"{nothing} ({level})." in words(part(none))


def families_of(*rows: dict[str, object]) -> tuple[Family, ...]:
    """The tables of verdicts in the section of differences."""
    section = differences(material(TWO, verdicts=verdicts(*rows)))
    assert section is not None
    found: tuple[Family, ...] = section.content.families
    return found


def test_pairs_that_were_not_tested_are_no_undecided_ones() -> None:
    why = {"reason": "in-sample selection", "projected": math.inf, "p_value": math.nan}
    rows = [
        verdict("A", "B", 0.0, 1.0, "B cheaper"),
        verdict("A", "C", 0.0, 1.0, "undecided", **why),
        verdict("B", "C", 0.0, 1.0, "undecided", **why),
    ]
    of_reference = [verdict("C", "A", 0.0, 1.0, "undecided", family="reference", **why)]
    assert said(*rows, *of_reference) == [  # a pair of two families is one
        "Toy. There is no verdict on 2 of the 3 pairs of models: thresholds were chosen in "
        "hindsight, which favours the model with more distinct scores. More cases, or folds to "
        "choose on, would help."
    ]


@pytest.mark.parametrize(("models", "families"), [(TWO, 1), (THREE, 2)])
def test_two_models_of_which_one_is_the_reference_are_compared_once(
    models: dict[str, Any], families: int
) -> None:
    rows = [
        verdict(a, "A", 0.0, 1.0, "A cheaper", family=family)
        for family in ("all pairs", "reference")
        for a in [*models][1:]
    ]
    section = differences(material(models, verdicts=verdicts(*rows)))
    assert section is not None
    titles = [plain(one.table.title) for one in section.content.families]
    assert len(titles) == families
    assert "against the reference" in titles[-1]


def test_unpaired_models_have_no_verdicts() -> None:
    assert said() == [
        "Toy: there are no verdicts, as the models were not judged on the same cases and folds."
    ]


# The first page


def test_many_datasets_are_summed_up() -> None:
    made = report(datasets=[dataset(f"d{place}", f"D{place}") for place in range(8)])
    page = made.sections[0].content
    assert page.answer.listed == ()
    assert page.callouts == ()
    answers = [one.content.answer for one in made.sections if one.part == "dataset"]
    assert answers == list(page.answer.datasets)
    tables = [section.content.use for section in made.sections if section.part == "dataset"]
    assert [plain(table.title) for table in tables] == [
        f"D{n}: which decision at each cost ratio" for n in range(8)
    ]
    assert [len(table.rows) for table in tables] == [1] * 8
    assert page.answer.votes is None, "there is no map"


def in_sample() -> dict[str, pd.DataFrame]:
    """Tables of a dataset whose thresholds can't be cross-fitted."""
    data = tables()
    measures = data["measures"]
    kept = measures["estimate"] == IN_SAMPLE
    data["measures"] = measures[kept].assign(headline=measures["level"] == "repeat")
    data["intervals"]["estimate"] = IN_SAMPLE
    data["optimism"][["cross_fitted", "left_out", "left_out_share"]] = np.nan
    data["criteria"] = data["criteria"][data["criteria"]["criterion"] != "cross-fitted"]
    data["choice_intervals"] = data["choice_intervals"].iloc[:0]
    return data


def test_where_folds_lack_the_estimate_is_in_sample_and_says_so() -> None:
    made = material(THREE, **in_sample())
    facts = made.facts
    assert (facts.estimate, facts.repeats, facts.all_folds) == (IN_SAMPLE, 2, 10)
    said = "In-sample: thresholds are chosen in hindsight, so costs are too low."
    assert said in words(html(assembled({"toy": in_sample()})))
    assert said not in words(html(report()))


def test_pairs_without_a_verdict_are_counted_out_of_all() -> None:
    names = "ABCDE"
    pairs = [*combinations(names, 2)]
    rows = [
        verdict(a, b, 0.0, 1.0, "undecided", reason=IN_SAMPLE if "E" in (a, b) else "")
        for a, b in pairs
    ]
    *_, last = said(*rows, models=dict.fromkeys(names, (0.2, 0.1)))
    assert last.startswith("Toy. There is no verdict on 4 of the 10 pairs of models: thresholds")


def test_models_fixed_in_advance_are_facts() -> None:
    data = tables()
    crisp = (data["measures"]["model"] == "B") & data["measures"]["headline"]
    data["measures"].loc[crisp, "estimate"] = FIXED
    made = material(THREE, **data)
    assert (made.facts.estimate, made.facts.fixed) == (CROSS_FITTED, ("B",))
    data["measures"].loc[data["measures"]["headline"], "estimate"] = FIXED
    assert material(THREE, **data).facts.estimate == FIXED
    assert not {"thresholds"} & set(parts_of(assembled({"toy": data})))


# Sentences


def test_names_are_never_patterns() -> None:
    assert plain(phrase("{} and {}", Name("{}"), Name("{0}"))) == "{} and {0}"
    with pytest.raises(ValueError, match="zip"):
        phrase("{}")


def test_models_have_intervals() -> None:
    first = model_costs(material())[0]
    area = curve(0.2, 0.1).area()
    assert [first.area.low, first.area.value, first.area.high] == pytest.approx(
        [area - 0.02, area, area + 0.02]
    )
    assert [cost.value for cost in first.costs] == pytest.approx([0.15])


# The whole


def test_the_report_holds_plain_values_only() -> None:
    allowed = (str, int, float, bool, type(None))
    assert not [value for value in _values(report()) if not isinstance(value, allowed)]


def _values(value: Any) -> list[Any]:
    if is_dataclass(value):
        return [leaf for it in fields(value) for leaf in _values(getattr(value, it.name))]
    if isinstance(value, dict):
        return _values(tuple(value.values()))
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in _values(item)]
    return [value]


def test_figures_and_tables_are_numbered_as_they_are_read() -> None:
    two = [{"name": name, "predictions": ["x.csv"]} for name in ("one", "two")]
    made = report(datasets=two)
    assert [made.sections[0].part, made.sections[-1].part] == ["verdict", "appendix"]
    tables_before, figures_before = 0, 0
    for section in made.sections[1:]:
        shown = _shown(section)
        numbers = [it.number for it in shown if isinstance(it, Table)]
        assert sorted(numbers) == list(range(tables_before + 1, tables_before + len(numbers) + 1))
        tables_before += len(numbers)
        drawn = [it.number for it in shown if isinstance(it, Figure)]
        assert sorted(drawn) == list(range(figures_before + 1, figures_before + len(drawn) + 1))
        figures_before += len(drawn)
    assert figures_before == 2 * (len(FIGURES) - 1)  # page 1 has one of each


def _shown(value: Any) -> list[Any]:
    """Every figure and table in the values of a section."""
    if isinstance(value, Figure | Table):
        return [value]
    if is_dataclass(value):
        return [leaf for it in fields(value) for leaf in _shown(getattr(value, it.name))]
    return [leaf for item in value for leaf in _shown(item)] if isinstance(value, tuple) else []


def test_anchors_are_different_whatever_datasets_are_called() -> None:
    names = ("methods", "verdict", "methods.folds", "methods-folds", "figure-1")
    made = report(datasets=[{"name": name, "predictions": ["x.csv"]} for name in names])
    anchors = _anchors(made.sections)
    assert len(anchors) == len(set(anchors))


def _anchors(sections: tuple[Section, ...]) -> list[str]:
    return [name for it in sections for name in (it.anchor, *_anchors(it.sections))]


def test_one_model_has_no_differences_and_no_condition_no_duality() -> None:
    made = assembled({"toy": tables({"A": (0.2, 0.1)}, conditions=())})
    parts = [one.part for one in made.sections[1].sections]
    assert parts == ["cost_lines", "cost_curves", "thresholds", "roc_and_cost", "calibration"]
    (appended,) = made.sections[-1].sections
    parts = [one.part for one in appended.sections]
    assert parts == ["averages", "loss_curves", "limits", "decision_curves"]


BODY = [
    *("cost_lines", "cost_curves", "thresholds", "roc_and_cost", "differences", "calibration"),
]
APPENDED = ["averages", "loss_curves", "limits", "pairs", "decision_curves"]


@pytest.mark.parametrize("count", [1, 3, 4])
def test_sections_of_later_datasets_are_in_the_appendix(count: int) -> None:
    made = report(datasets=[dataset(f"d{place}", f"D{place}") for place in range(count)])
    body = [
        [inner.part for inner in one.sections] for one in made.sections if one.part == "dataset"
    ]
    assert body[0] == BODY
    assert body[1:] == [["cost_curves", "thresholds"]] * (count - 1)
    appended = [[inner.part for inner in one.sections] for one in made.sections[-1].sections]
    assert appended[0] == APPENDED
    later = [part for part in BODY if part not in body[-1]] if count > 1 else []
    if count > 3:  # the body of the others has no figures
        later.insert(1, "cost_curves")
    assert appended[1:] == [[*later, *APPENDED]] * (count - 1)


def test_each_section_of_a_dataset_opens_with_a_short_sentence() -> None:
    markup = html(report(datasets=[dataset("toy", "Toy"), dataset("two", "Two")]))
    sections = re.findall(
        r'<section id="(?:data|appendix)/\w+/([\w-]+)".*?</h\d>\s*(<p.*?</p>)', markup, re.DOTALL
    )
    assert {name for name, _ in sections} == {name.replace("_", "-") for name in BODY} | {*APPENDED}
    for name, opening in sections:
        assert opening.startswith('<p class="opening">'), name
        sentence = words(opening)
        assert len(sentence.split()) <= 20, sentence
        assert re.fullmatch(r"[^\s]+(?:\s\S+)+[.]", sentence), sentence


def test_every_figure_that_is_drawn_is_shown_with_its_tables() -> None:
    sections = (report().sections[1], report().sections[-1])
    shown = {it.name for it in _shown(sections) if isinstance(it, Figure)}
    shown.add("cost_curves")  # page 1 has its only panel
    assert shown == set(FIGURES)
    modules = (*drawing.EACH, *drawing.FIRST, *drawing.APPENDIX)
    assert {it.NAME for it in modules} - {"case_costs"} == shown, "every figure has its place"


def test_figures_that_are_not_drawn_leave_their_tables() -> None:
    made = assembled({"toy": tables()}, drawn={"toy": {}})
    kinds = {type(it) for section in made.sections for it in _shown(section)}
    assert kinds == {Table}


def test_limits_are_shown_where_there_are_any() -> None:
    data = tables()
    table = parts_of(assembled({"toy": data}))["limits"].content.table
    assert [one.heading.partition(":")[0] for one in table.rows] == ["Neyman-Pearson", "Workforce"]
    without = data | {"constructions": data["constructions"].iloc[:0]}
    assert "limits" not in parts_of(assembled({"toy": without}))


def test_the_positive_label_and_different_counts_are_facts() -> None:
    data = tables()
    data["measures"].loc[data["measures"]["model"] == "B", "instances"] = 99
    chosen = study(datasets=[{"name": "x", "predictions": ["x.csv"], "positive": "good"}])
    facts = facts_of(chosen.datasets[0], data, "repeat")
    assert (facts.positive, facts.same_counts) == ("good", False)


def test_a_model_keeps_its_place_over_datasets() -> None:
    made = study(datasets=[{"name": name, "predictions": ["x.csv"]} for name in ("one", "two")])
    data = {"one": tables(THREE), "two": tables({"D": (0.1, 0.1), "B": (0.2, 0.2)})}
    both = assembled(data, made)
    tables_of_costs = [parts_of(both, slug)["cost_curves"].content.table for slug in data]
    places = [[row.model.index for row in table.rows] for table in tables_of_costs]
    assert places == [[0, 1, 2], [3, 1]]
    assert len(both.swatches) == 4


def test_facts_count_and_say_the_estimate() -> None:
    facts = material().facts
    assert (facts.instances, facts.positives, facts.negatives) == (100, 40, 60)
    assert (facts.repeats, facts.folds, facts.all_folds, facts.level) == (2, 5, 10, "repeat")
    assert (facts.estimate, facts.same_counts) == (CROSS_FITTED, True)
    assert facts.models == ("A", "B", "C")


@pytest.mark.parametrize(("high", "said"), [(0.75, "not located"), (0.65, "0.20\u20130.65")])
def test_a_crossing_that_may_be_on_half_of_the_axis_is_not_located(high: float, said: str) -> None:
    data = tables()
    data["crossovers"] = data["crossovers"].assign(to_low=0.2, to_high=high)
    page = html(assembled({"toy": data}, study(appendix=True)))
    own = page.partition('id="appendix/toy/pairs"')[2].partition("</table>")[0]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>\s*</tr>", own)
    assert len(cells) == 4  # where one of two costs less
    assert set(cells) == {said}


def test_lead_says_what_was_compared() -> None:
    lead = words(html(report()))
    assert "1 dataset, 3 models, 100 cases." in lead


def test_lead_counts_the_instances_of_several_classes_once() -> None:
    several = {**dataset("species", "Species"), "classes": ["red", "green", "blue"]}
    lead = words(html(report(datasets=[dataset("toy", "Toy"), several])))
    assert "2 datasets (4 with each class), 3 models, 200 cases." in lead


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"released": True}, []),
        ({"released": False}, ["Built with a development version."]),
    ],
)
def test_provenance_says_whose_code_this_is(made: dict[str, Any], said: list[str]) -> None:
    data = {one.slug: tables(THREE) for one in study().datasets}
    drawn = {slug: drawings() for slug in data}
    materials = materials_of(study(), data, drawn)
    answer = answer_of(materials)
    found = summarise(study(), materials, data, drawn, provenance() | made, answer)
    assert " ".join(["Provenance", *said, "The same inputs, configuration"]) in words(html(found))


# Formats


@given(st.floats(0, 1), st.floats(0, 1))
def test_ranges_show_different_ends_as_different(first: float, second: float) -> None:
    low, high = sorted((first, second))
    shown = formats.pc_pair(low, high)
    if high - low > 1e-5:
        assert shown[0] != shown[1]
        assert float(shown[0].strip("<>")) <= float(shown[1].strip("<>"))


@given(st.floats(0, 1), st.floats(0, 1))
def test_ranges_in_tables_claim_0_or_1_only_where_they_reach_it(
    first: float, second: float
) -> None:
    low, high = sorted((first, second))
    start, end = re.split("\N{EN DASH}| to ", formats.pc_range(low, high))
    for shown, value in ((start, low), (end, high)):
        said = float(shown.strip("<>"))
        assert (said in (0, 1)) == (value in (0, 1))
        assert value < said if shown[0] == "<" else value > said or shown[0] != ">"
    if high - low > 0.01:
        assert max(map(len, (start, end))) <= len(">0.999")


@given(st.floats(0, 1), st.floats(0, 1), st.floats(1e-3, 0.999))
def test_what_is_said_to_be_shown_lies_inside_what_is(
    first: float, second: float, prior: float
) -> None:
    """Printed ranges of PC(+) and of cost ratios, and shares of the axis, read back."""
    low, high = sorted((first, second))
    assume(high - low > 1e-3)
    start, end = re.split("\N{EN DASH}| to ", formats.pc_range(low, high))
    assert float(start.strip("<")) >= low - 1e-9
    assert float(end.strip(">")) <= high + 1e-9
    share = formats.at_least(high - low).removesuffix("\u202f%")
    assert 0.9 * (high - low) - 1e-9 <= float(share) / 100 <= high - low + 1e-9
    ratios = (float(ratio_from_pc(end, prior)) for end in (low, high))
    for said in formats.ratio_ends(*ratios):
        at = float(pc_from_ratio(read_ratio(said), prior))
        assert low - 1e-9 <= at <= high + 1e-9


def read_ratio(words: str) -> float:
    """Read a cost ratio back."""
    missed, alarm = (float(it.replace(formats.THIN, "")) for it in words.split(":"))
    return missed / alarm if alarm else math.inf


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 0.999997, "0 to >0.999"),
        (1e-9, 0.999979, "<0.001 to >0.999"),
        (0.0004, 0.3, "<0.001 to 0.30"),
        (0.0006, 0.3, "0.01\N{EN DASH}0.30"),
        (1e-9, 2e-9, "<0.000001 to <0.000001"),
    ],
)
def test_ends_of_ranges_that_are_nearly_0_or_1(low: float, high: float, expected: str) -> None:
    assert formats.pc_range(low, high) == expected


@pytest.mark.parametrize("value", [0.0004, 0.0, 1.0, 0.9999, 0.25, 0.445])
def test_stated_numbers_read_as_they_stand(value: float) -> None:
    assert float(formats.stated(value, formats.pc(value))) == value


@given(st.floats(-1, 1))
def test_costs_are_never_shown_as_minus_zero(value: float) -> None:
    assert formats.cost(value) != f"{formats.MINUS}0.000"


@given(st.floats(1e-3, 1e3))
def test_a_ratio_and_its_inverse_read_alike(value: float) -> None:
    first, second = formats.ratio(value), formats.ratio(1 / value)
    if "1:1" not in (first, second):
        assert first.split(":") == second.split(":")[::-1]


def weight(prior: dict[str, Any]) -> str:
    return say("weight", prior, of="macros")


def test_weights_in_words() -> None:
    assert weight({"kind": "uniform", "low": 0.1, "high": 0.4}) == "uniform from 0.1 to 0.4"
    assert weight({"kind": "beta", "a": 2, "b": 5}) == "beta(2, 5) from 0 to 1"
    ratios = {"kind": "cost ratio", "low": 0.25, "high": 8.0, "prior": 0.2}
    assert weight(ratios) == (
        "uniform in the logarithm of the cost ratio from 1:4 to 8:1 at p(+) = 0.200"
    )
