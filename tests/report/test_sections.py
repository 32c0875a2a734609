"""What each section of a dataset shows, by the rows that decide it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pandas as pd
import pytest

from costcurves.many.map import MAP, leading_pairs
from costcurves.pairs.verdicts import VERDICTS
from costcurves.report.answer import dataset_answer
from costcurves.report.appendix import limit_of
from costcurves.report.document import Figure, Report, Section, Table
from costcurves.report.rendering import html
from costcurves.report.thresholds import RATIOS, flagged, ratios, serving, used
from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE
from costcurves.text import plain
from tests import fake_report, worded_study
from tests.fake_report import THREE, Row, assembled, parts_of, report, tables, toy, verdict
from tests.markup import part, say, words

INF, NAN = math.inf, math.nan
UNTESTED: Row = {"reason": IN_SAMPLE, "p_value": NAN}
Data = dict[str, pd.DataFrame]


def verdicts(*rows: Row) -> Data:
    return {"verdicts": pd.DataFrame(list(rows), columns=VERDICTS.names)}


def choices(**changes: float) -> Data:
    return {"choice_intervals": tables()["choice_intervals"].assign(**changes)}


def undecided(*pairs: str, **changes: Any) -> list[Row]:
    return [verdict(pair[0], pair[1], 0.0, 1.0, "undecided", **changes) for pair in pairs]


IN_SAMPLE_TABLES = fake_report.in_sample()
ONE_TEST_SET = {"measures": tables()["measures"].assign(curves=1, folds=1, repeats=1)}
NOTHING = "These data settle no pair on any range of cost ratios (90 % confidence for all pairs"
WIDEST = [
    verdict("A", "B", 0.0, 0.2, "B cheaper"),
    verdict("A", "B", 0.2, 0.3, "undecided"),
    verdict("A", "B", 0.3, 0.5, "A cheaper"),
    verdict("A", "B", 0.5, 0.6, "A cheaper", largest_difference=-0.2) | {"low": -0.3, "high": -0.1},
]
WITHDRAWN = [
    verdict("A", "B", 0.0, 0.498, "undecided"),
    verdict("A", "B", 0.498, 0.499, "undecided", reason="narrow"),
    verdict("A", "B", 0.499, 1.0, "undecided", largest_difference=0.06, at_pc=0.7),
]
EQUIVALENT = [verdict("A", "B", 0.2, 0.6, "equivalent"), *undecided("AC", "BC")]
SENTENCES: list[tuple[str, Data, str]] = [
    (
        "differences",
        verdicts(*WIDEST, *undecided("BC")),
        "B A 0\u20130.20 below 1:2.7 0.050 0.010\u20130.090 0.012 "
        "A B 0.30\u20130.60 1:1.5 to 2.2:1 0.200 0.100\u20130.300 0.012",
    ),
    ("differences", verdicts(*WITHDRAWN), NOTHING),
    ("differences", verdicts(*EQUIVALENT), "less than another; 1 of 3 pairs are equivalent some"),
    (
        "differences",
        verdicts(*undecided("AB"), *undecided("AC", "BC", **UNTESTED)),
        "Not tested, as thresholds were chosen in hindsight: 2 pairs.",
    ),
    ("differences", verdicts(*undecided("AB", "AC", "BC", **UNTESTED)), "No pair is tested: thr"),
    ("thresholds", IN_SAMPLE_TABLES, "The thresholds below have the lowest cost at each ratio in"),
    ("thresholds", ONE_TEST_SET, ". Chosen on the whole test set; scores are rounded to 3 digits"),
    ("differences", verdicts(), "the models were not judged on the same cases and folds."),
    ("thresholds", choices(low=-0.1), "No threshold rule is shown to cost more than thresholds"),
    ("thresholds", {"choice_intervals": tables()["choice_intervals"].iloc[:0]}, "io by estimate."),
    ("pairs", {"crossovers": tables()["crossovers"].assign(to_low=0.2, to_high=0.75)}, "not loca"),
]


@pytest.mark.parametrize(("name", "changes", "sentence"), SENTENCES)
def test_a_section_says_what_its_rows_decide(name: str, changes: Data, sentence: str) -> None:
    made = parts_of(assembled({"toy": tables() | changes}))
    assert sentence in " ".join(words(part(made[name])).split())
    if sentence == NOTHING:
        assert made[name].content.families[0].table is None


def test_two_models_of_which_one_is_the_reference_are_compared_once() -> None:
    rows = [
        verdict("B", "A", 0, 1, "A cheaper", family=name) for name in ("all pairs", "reference")
    ]
    data = tables({model: THREE[model] for model in "AB"}) | verdicts(*rows)
    (family,) = parts_of(assembled({"toy": data}))["differences"].content.families
    assert "against the reference" in plain(family.table.title)


def test_pairs_that_were_not_tested_are_counted_out_of_all() -> None:
    """A pair of two families is one."""
    pairs = map("".join, combinations("ABCDE", 2))
    rows = [undecided(pair, **(UNTESTED if "E" in pair else {}))[0] for pair in pairs]
    rows += undecided("EA", family="reference", **UNTESTED)
    for given, sentence in [
        (rows, "Toy. There is no verdict on 4 of the 10 pairs of models: thresh"),
        ([], "Toy: there are no verdicts, as the models were not judged on the same cases"),
    ]:
        answer = dataset_answer(toy(dict.fromkeys("ABCDE", (0.2, 0.1)), **verdicts(*given)))
        assert words(say("callouts", answer, of="answer")).startswith(sentence)


def test_a_lead_in_costs_of_cases_is_called_chance_where_it_may_be() -> None:
    costs = parts_of(worded_study.report(), "ward")["case_costs"]
    for changes, lead in (
        ({"more_low": 0.1}, ", 0.14 less than Vote."),
        ({"more": 0.0}, ", as much as Vote."),
    ):
        rows = tuple(row | changes for row in costs.content.rows)
        table = replace(costs.content.table, rows=())
        changed = replace(costs, content=replace(costs.content, rows=rows, table=table))
        opening = words(part(changed)).partition(" Each case")[0]
        assert opening == f"Bayes has the lowest estimate, 1.17 kCHF a case{lead}"


# Thresholds

SECOND: Row = {"model": "A", "pc_to": 0.5, "member": "", "fp": 0.1, "tp": 0.8}


@pytest.mark.parametrize(
    ("model", "pc", "changes", "expected"),
    [
        ("A", 0.2, {}, "never"),
        ("A", 0.21, {}, "≥ 0.123"),
        ("A", 0.5, {}, "≥ 0.123"),
        ("A", 0.51, {}, "always"),
        ("B", 0.1, {}, "≥ 7"),
        ("A", 0.4, {"threshold": -1234.5}, "≥ \u22121.23e+03,\ntop 31\u202f%"),
        ("A", 0.4, {"threshold": 0.999996}, "≥ 0.999996,\ntop 31\u202f%"),
        ("A", 0.4, {"member": "deep", "threshold": 0.25}, "deep ≥ 0.25"),
        ("A", 0.4, {"member": "deep", "threshold": NAN}, "deep"),
        ("A", 0.4, {"threshold": NAN}, "as decided"),
    ],
)
def test_a_condition_is_served_by_the_range_that_holds_it(
    model: str, pc: float, changes: Row, expected: str
) -> None:
    """A threshold that cannot be copied is also a share of cases, of which .3 are positive."""
    served = [
        {"model": "A", "pc_to": 0.2, "member": "", "threshold": INF},
        SECOND | {"threshold": 0.123456} | changes,
        {"model": "A", "pc_to": 1.0, "member": "", "threshold": -INF},
        {"model": "B", "pc_to": 1.0, "member": "", "threshold": 7.0},
    ]
    assert used(serving(served, model, pc), 0.3) == expected


def test_cases_at_or_above_a_threshold_are_counted_whatever_their_fold() -> None:
    """Of 12 cases, with scores in sixths that come twice."""
    pooled: Row = {"model": "A", "level": "pooled", "member": "", "fp_count": range(7)}
    pooled |= {"tp_count": range(7), "negatives": 6, "positives": 6}
    points = pd.DataFrame({**pooled, "threshold": [INF, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]})
    points = points.assign(fp=points["fp_count"] / 6, fn=1 - points["tp_count"] / 6)
    other = points.assign(level="fold", tp_count=0)
    rows = [{"model": "A", "member": "", "threshold": at} for at in (INF, 4 / 6, 0.5, -INF)]
    data = {"operating_points": pd.concat([other, points]), "deployment": pd.DataFrame(rows)}
    shares = [flagged(each, 0.5) for each in toy(THREE, **data).served]
    assert shares == pytest.approx([0, 1 / 2, 2 / 3, NAN], nan_ok=True)


def test_where_a_class_is_rare_columns_are_ratios_that_matter_to_it() -> None:
    shifts = {0.5: 1, 0.06: 1, 0.94: 1, 0.05: 10, 0.002: 1000, 0.99: 0.01}
    for prior, shift in shifts.items():
        assert ratios(prior) == pytest.approx([ratio * shift for ratio in RATIOS])


LIMIT = "An FP rate of at most 0.1, kept on the other folds, came to"
CAPACITY = "A capacity of 30 cases"


@pytest.mark.parametrize(
    ("bound", "held_out", "sentence"),
    [
        (0.1, (0.2,), f"{LIMIT} 0.200 (A) on the folds held out: 1 of 1 model exceeds it on avera"),
        (30.0, (30 + 1e-12, 29), f"{CAPACITY}, kept on the other folds, came to 29 (B) to 30 (A"),
        (30.0, (30 + 1e-12, 31.25), "30 (A) to 31.25 (B) on the folds held out: 1 of 2 models exc"),
        (30.0, (NAN,), f"{CAPACITY}: without other cases to choose on it is not known"),
    ],
)
def test_what_became_of_a_limit_is_said(
    bound: float, held_out: tuple[float, ...], sentence: str
) -> None:
    limit = {"criterion": "neyman-pearson" if bound < 1 else "workforce", "limit": bound}
    limit["folds"] = 0 if math.isnan(held_out[0]) else 10
    models = zip("ABC", held_out, strict=False)
    rows = [{**limit, "model": name, "held_out": value} for name, value in models]
    assert sentence in say("kept", limit_of(rows))


# Facts


def test_models_fixed_in_advance_and_different_counts_are_facts() -> None:
    data = tables()
    data["measures"].loc[data["measures"]["model"] == "B", "instances"] = 99
    headline = data["measures"]["headline"]
    data["measures"].loc[(data["measures"]["model"] == "B") & headline, "estimate"] = FIXED
    facts = toy(THREE, **data).facts
    assert (facts.estimate, facts.fixed, facts.same_counts) == (CROSS_FITTED, ("B",), False)
    data["measures"].loc[headline, "estimate"] = FIXED
    assert toy(THREE, **data).facts.estimate == FIXED
    assert "thresholds" not in parts_of(assembled({"toy": data}))


# The whole

BODY = ["cost_lines", "cost_curves", "thresholds", "roc_and_cost", "differences", "calibration"]
APPENDED = ["averages", "loss_curves", "limits", "pairs", "decision_curves"]


ANCHORED = ("methods", "verdict", "methods.folds", "methods-folds", "figure-1")


@pytest.mark.parametrize("count", [1, 3, 5])
def test_sections_of_later_datasets_are_in_the_appendix(count: int) -> None:
    """Page 1 sums up many datasets; figures and tables are numbered as they are read."""
    made = report(datasets=[fake_report.dataset(name, name) for name in ANCHORED[:count]])
    opening = made.sections[0].content
    heads = [section for section in made.sections if section.part == "dataset"]
    if count > 3:
        assert opening.answer.listed == ()
        assert opening.answer.votes is None, "there is no map"
        assert [head.content.answer for head in heads] == list(opening.answer.datasets)
    body = [[inner.part for inner in head.sections] for head in heads]
    assert body == [BODY, *[["cost_curves", "thresholds"]] * (count - 1)]
    appended = [[inner.part for inner in head.sections] for head in made.sections[-1].sections]
    later = [each for each in BODY if each not in body[-1]] if count > 1 else []
    if count > 3:  # the body of the others has no figures
        later.insert(1, "cost_curves")
    assert appended == [APPENDED, *[[*later, *APPENDED]] * (count - 1)]
    shown = [each for section in made.sections for each in fake_report.shown_in(section)]
    for kind in (Figure, Table):
        numbers = {each.number for each in shown if isinstance(each, kind)}
        assert numbers == set(range(1, len(numbers) + 1))
    anchors = anchors_of(made.sections)
    assert len(anchors) == len({*anchors})


def anchors_of(sections: Sequence[Section]) -> list[str]:
    return [name for each in sections for name in (each.anchor, *anchors_of(each.sections))]


def test_what_cannot_be_shown_is_left_out() -> None:
    """Differences of one model, duality without a condition, limits that none sets, figures."""
    made = assembled({"toy": tables({"A": (0.2, 0.1)}, conditions=())})
    parts = list(parts_of(made))
    assert parts == [part for part in (*BODY, *APPENDED) if part not in ("differences", "pairs")]
    assert made.sections[1].sections[3].content.explorer is None
    data = tables()
    data["constructions"] = data["constructions"].iloc[:0]
    bare = assembled({"toy": data}, drawn={"toy": {}})
    assert {type(each) for each in fake_report.shown_in(bare.sections)} == {Table}
    assert "limits" not in parts_of(bare)


MAPPED = (
    "(its classes share one, in-sample curves have none)",
    ">Datasets and classes</th>",
    "With 3 votes even a unanimous vote has a chance of 0.250",
)


def of_classes(*others: str) -> Report:
    """The report of one dataset in three classes, and perhaps of others."""
    classes = {**fake_report.dataset("tea", "tea"), "classes": ["red", "green", "black"]}
    several = fake_report.study(
        datasets=[*(fake_report.dataset(name, name) for name in others), classes]
    )
    rows, voters = len(several.datasets), 1 + len(others)
    counts = fake_report.row(
        MAP,
        {"family": "all pairs", "model_a": "A", "model_b": "B", "finding": "undecided"},
        {"a_cheaper": rows, "a_lower": voters, "pc_to": 1.0, "p_value": 2.0 ** (1 - voters)},
    )
    table = pd.DataFrame([counts])
    table["shown"] = "most decided" if leading_pairs(table) else ""
    each = {dataset_of.slug: tables() for dataset_of in several.datasets}
    return assembled(each | {"": {"map": table}}, several)


@pytest.mark.parametrize(
    ("others", "second", "facts", "sentences"),
    [
        ((), "classes", "1 dataset (3 with each class), 3 models, 100 cases.</p>", MAPPED[:0]),
        (("one", "two"), "map", "3 datasets (5 with each class), 3 models, 300 cases.</p>", MAPPED),
    ],
)
def test_the_classes_of_a_dataset_are_one_dataset_with_one_vote(
    others: tuple[str, ...], second: str, facts: str, sentences: Sequence[str]
) -> None:
    made = of_classes(*others)
    assert [section.part for section in made.sections[:2]] == ["verdict", second]
    page = html(made)
    assert facts in page
    assert [sentence for sentence in MAPPED if sentence in page] == [*sentences]
