"""What a page says of decisions by a matrix of costs, from tables written by hand."""

import re
from dataclasses import replace
from typing import Any

import pandas as pd

from costcurves.report.answers import as_frame, as_json, what_to_use
from costcurves.report.decisions import decided, decisions
from costcurves.report.document import Numbering, Section, Values
from costcurves.report.front import front
from costcurves.report.material import Material
from costcurves.tables.contracts import CONTRACTS
from tests.fake_report import THREE, tables
from tests.report.test_summary import of_tables
from tests.said import part, say, words

NAN = float("nan")
BEST = ("A", "recalibrated", 0.5, 0.25, 0.75, 1)
ROWS = [
    ("A", "cheapest", 0.875, 0.625, 1.25, 0),
    BEST,
    ("B", "cheapest", 0.625, 0.5, 0.75, 1),
    ("B", "recalibrated", 0.75, 0.5, 1.0, 1),
    ("A", "most probable", 0.125, 0.0625, 0.25, -1),
    ("always x", "always", 1.5, 1.25, 1.75, 0),
    ("always y", "always", 1.25, 1.0, 1.5, 1),
]


def made(rows: list[Any] = ROWS, **facts: Any) -> Material:
    """A dataset whose title ends with its class, as one of several classes has."""
    costs = [("toy", *row, 0.8) for row in rows]
    counts = [
        ("toy", name, rule, true, it, 100 * place + at)
        for place, (name, rule) in enumerate((row[:2] for row in rows), start=1)
        for true in "xy"
        for at, it in enumerate("xy", start=(true == "y") * 2)
    ]
    of = {
        "decisions": costs,
        "decision_differences": [],
        "confusions": counts,
    }
    own = {name: pd.DataFrame(it, columns=CONTRACTS[name].names) for name, it in of.items()}
    found = of_tables(THREE, tables(THREE) | own)
    usual = {"of": "ward", "title": "Ward: ill", "positive": "ill"}
    return replace(found, facts=replace(found.facts, **usual | facts))


def sentence(rows: list[Any] = ROWS) -> str:
    return say("by_matrix", decided(made(rows)), "")


def test_the_cheapest_is_said_with_all_that_could_be_so_too() -> None:
    assert sentence() == (
        "By the matrix of costs of Ward, A (recalibrated) costs least by estimate: 0.5 a case "
        "(0.25 to 0.75). Could be cheapest, too: B, B (recalibrated) and always y."
    )


def test_where_none_could_be_cheapest_too_all_are_ruled_out() -> None:
    alone = [(*row[:-1], row[-1] if row == BEST else min(row[-1], 0)) for row in ROWS]
    assert sentence(alone).endswith("(0.25 to 0.75). All others are ruled out.")
    own = [row if row[:2] != BEST[:2] else ("A", "cheapest", *BEST[2:]) for row in alone[1:]]
    assert sentence(own).startswith("By the matrix of costs of Ward, A costs least by estimate")


def test_programs_read_an_amount_for_1000_cases() -> None:
    (first, *_) = what_to_use([made(ROWS)])
    assert (first["amount"], first["amount_low"], first["amount_high"]) == (500, 250, 750)
    assert first["could_be_cheapest"][0] == "B"
    assert '"cost": null' in as_json([first])


def test_a_section_has_costs_and_how_cases_are_decided() -> None:
    found = decisions(made())
    assert found is not None
    assert found.best is found.costs.rows[0]
    assert found.costs.rows[-1].rule == "most probable"
    assert (found.model.name, found.constant.name) == ("A", "always y")
    assert [row.counts for row in found.confused.rows] == [(200, 201), (202, 203)]
    content = Values(decided=found, names=("x", "y"), anchors=("a", "b"))
    markup = part(Section("classes/ward", ("Ward",), "classes", content))
    text = words(markup)
    assert "The cheapest no-model baseline, always y, costs 1.25." in text
    standing = re.findall(
        r"(cheapest by estimate|could be cheapest, too|ruled out|not compared)<", markup
    )
    assert standing == [
        "cheapest by estimate",
        *["could be cheapest, too"] * 2,
        *("ruled out", "could be cheapest, too", "ruled out", "not compared"),
    ]


def test_where_a_constant_decision_is_the_cheapest_no_baseline_is_named_again() -> None:
    rows = [("always x", "always", 0.25, 0.125, 0.375, 1), *ROWS[:5]]
    found = decisions(made(rows))
    assert found is not None
    assert found.best is found.constant
    content = Values(decided=found, names=("x", "y"), anchors=("a", "b"))
    text = words(part(Section("classes/ward", ("Ward",), "classes", content)))
    assert "By the matrix of costs of Ward, always x costs least by estimate" in text
    assert "no-model baseline" not in text
    assert "By A (recalibrated): each true class (rows)" in text


def test_of_many_datasets_page_1_still_has_the_sentence() -> None:
    plain = of_tables(THREE, tables(THREE))
    others = [replace(plain, facts=replace(plain.facts, of=f"d{it}")) for it in range(6)]
    page1 = front([made(), *others], Numbering())
    assert page1.lead == ()
    assert [one.title for one in page1.decided] == ["Ward"]
    said = say("lead", page1.lead, page1.running, page1.decided, of="answers")
    assert said == sentence()


def test_classes_with_a_matrix_have_one_sentence_and_others_their_own() -> None:
    plain = of_tables(THREE, tables(THREE))
    sibling = replace(plain, facts=replace(plain.facts, of="ward"))
    page1 = front([made(), sibling, plain], Numbering())
    assert [one.facts.of for one in page1.lead] == [plain.facts.of]
    assert len(page1.decided) == 1


def test_what_to_use_has_it_first_of_1000_cases() -> None:
    first, *rest = what_to_use([made()])
    assert first["condition"] == "by the matrix of costs"
    assert first["cheapest"] == "A (recalibrated)"
    assert first["could_be_cheapest"] == ("B", "B (recalibrated)", "always y")
    assert [first[f"amount{end}"] for end in ("", "_low", "_high")] == [500, 250, 750]
    assert len(as_frame([first, *rest])) == 1 + len(rest)
    assert {*first} == {*rest[0]}
