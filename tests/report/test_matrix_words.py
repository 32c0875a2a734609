"""What a page says of decisions by a matrix of costs, from tables written by hand."""

import re
from dataclasses import replace
from typing import Any

import pandas as pd

from costcurves.contracts import CONTRACTS
from costcurves.report.answer import answer_of
from costcurves.report.answer_text import answer_text
from costcurves.report.decisions import decided, decisions
from costcurves.report.document import Section
from costcurves.report.material import Material
from costcurves.report.summary import Classes
from costcurves.report.what_to_use import as_frame, as_json, what_to_use
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


def rows_of(material: Material) -> list[dict[str, Any]]:
    answer = answer_of([material])
    return what_to_use(answer.datasets, answer.matrices, answer.confidence)


def sentence(rows: list[Any] = ROWS) -> str:
    return say("by_matrix", decided(made(rows)))


def test_the_cheapest_is_said_with_all_that_could_be_so_too() -> None:
    assert sentence() == (
        "By the matrix of costs of Ward, A (recalibrated) has the lowest estimate: 0.5 a case "
        "(0.25 to 0.75). Not ruled out: B, B (recalibrated) and always y."
    )


def test_where_none_could_be_cheapest_too_all_are_ruled_out() -> None:
    alone = [(*row[:-1], row[-1] if row == BEST else min(row[-1], 0)) for row in ROWS]
    assert sentence(alone).endswith("(0.25 to 0.75). All others are ruled out.")
    own = [row if row[:2] != BEST[:2] else ("A", "cheapest", *BEST[2:]) for row in alone[1:]]
    assert sentence(own).startswith("By the matrix of costs of Ward, A has the lowest estimate")


def test_programs_read_an_amount_for_1000_cases() -> None:
    (first, *_) = rows_of(made(ROWS))
    assert (first["amount"], first["amount_low"], first["amount_high"]) == (500, 250, 750)
    assert first["not_ruled_out"][0] == "B"
    assert '"cost": null' in as_json([first])


def test_a_section_has_costs_and_how_cases_are_decided() -> None:
    found = decisions(made())
    assert found is not None
    assert found.decided.best is found.costs.rows[0]
    assert found.costs.rows[-1].rule == "most probable"
    assert (found.decided.by_model.name, found.decided.constant.name) == ("A", "always y")
    assert [row.counts for row in found.confused.rows] == [(200, 201), (202, 203)]
    content = Classes(("x", "y"), ("a", "b"), found)
    markup = part(Section("classes/ward", ("Ward",), "classes", content))
    text = words(markup)
    assert "By A (recalibrated): each true class (rows)" in text
    standing = re.findall(r"(lowest estimate|not ruled out|ruled out|not compared)<", markup)
    assert standing == [
        "lowest estimate",
        *["not ruled out"] * 2,
        *("ruled out", "not ruled out", "ruled out", "not compared"),
    ]


def test_page_1_has_a_sentence_of_the_matrix_and_of_other_datasets_their_own() -> None:
    plain = of_tables(THREE, tables(THREE))
    sibling = replace(plain, facts=replace(plain.facts, of="ward"))
    said = answer_text(answer_of([made(), sibling, plain]))
    assert said.startswith(
        "By the matrix of costs of Ward, A (recalibrated) has the lowest estimate; not ruled out: "
        "B, B (recalibrated) and always y. "
    )
    many = answer_text(answer_of([made(), sibling, plain, plain]))
    assert "A difference is shown on 4 of 4 datasets and classes." in many


def test_what_to_use_has_it_first_of_1000_cases() -> None:
    first, *rest = rows_of(made())
    assert first["condition"] == "by the matrix of costs"
    assert first["lowest"] == "A (recalibrated)"
    assert first["not_ruled_out"] == ("B", "B (recalibrated)", "always y")
    assert [first[f"amount{end}"] for end in ("", "_low", "_high")] == [500, 250, 750]
    assert len(as_frame([first, *rest])) == 1 + len(rest)
    assert {*first} == {*rest[0]}
