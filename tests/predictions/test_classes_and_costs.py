"""Datasets with classes or costs in a configuration: what they become, and a paper's matrices.

What is staged of them is a part of `test_staged`, what is refused in files of `test_messages`.
"""

import re
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.settings import Benefit, Cell, Dataset, Study
from costcurves.study.reading import parse_study

CLASSES = ["red", "green", "blue"]
# Fawcett 2006: what is printed in Figs 2b, 7b and 9b. In Fig. 9b the cost of a false alarm is
# printed as it was before it is negated, -2 - 0.10x.
FIGURES = [
    (Benefit(Cell(0, 0.02), Cell(0, -1), -20, 20), (Cell(20, 1), Cell(20, 0.02))),
    (Benefit(Cell(0, 0.05), Cell(0, -1), -20, 20), (Cell(20, 1), Cell(20, 0.05))),
    (Benefit(1, -2, Cell(-1, -0.20), Cell(0, 0.10)), (Cell(2, 0.10), Cell(2, 0.20))),
]
CELLS = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9))


@pytest.mark.parametrize(("benefit", "costs"), FIGURES)
def test_the_papers_matrices(benefit: Benefit, costs: tuple[Cell, Cell]) -> None:
    assert benefit.mistakes == costs


@given(CELLS, CELLS, CELLS, CELLS, CELLS)
def test_what_both_actions_bring_alike_does_not_matter(
    tp: Cell, fp: Cell, fn: Cell, tn: Cell, less: Cell
) -> None:
    richer = Benefit(tp.minus(less), fp, fn.minus(less), tn)
    assert richer.mistakes == Benefit(tp, fp, fn, tn).mistakes


def parsed(*datasets: dict[str, Any]) -> Study:
    """A study of datasets that are called d, if nothing else."""
    each = [{"name": "d", "predictions": ["a"]} | dataset for dataset in datasets]
    return parse_study({"study": "s", "datasets": each}, files=False)


def test_classes_are_datasets_in_the_given_order_and_costs_one_more_that_does_not_count() -> None:
    study, paid = parsed({"classes": CLASSES, "title": "D!"}), parsed({"costs": {"unit": "DM"}})
    parts = [(part.name, part.slug, part.title, part.positive) for part in study.datasets]
    assert parts == [(f"d: {name}", f"d--{name}", f"D!: {name}", name) for name in CLASSES]
    both = [(part.name, part.slug, part.weighted, part.unit) for part in paid.datasets]
    assert both == [("d", "d", False, ""), ("d--costs", "d--costs", True, "DM")]
    assert {part.original for part in paid.datasets} == {"d"}
    assert paid.counted == paid.datasets[:1]
    assert [each["name"] for each in paid.configuration["datasets"]] == ["d"]
    for made in (study, paid):
        assert {part.in_files for part in made.datasets} == {"d"}
        assert Study.from_plain(asdict(made)) == made
        assert [Dataset.from_plain(asdict(part)) for part in made.datasets] == list(made.datasets)


BENEFIT = {"tp": 1, "fp": {"coefficient": -1}, "fn": 0, "tn": 0}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"positive": "red"}, "positive can't be given with 'classes:': each class is"),
    ({"prior": 0.2}, "prior can't be given with 'classes:': each class has its own"),
    ({"about": {"positive": "corked"}}, "about.positive can't be given with 'classes:': each"),
    ({"classes": {"a": "p", "b": "p", "c": "q"}}, "classes has the column 'p' twice"),
    *(({"classes": ["a", "b", *last]}, "classes") for last in ([], ["b"], [" "])),
    ({"benefit": BENEFIT}, "costs lacks the key 'column': benefit.fp grows with its number"),
    ({"column": "x"}, "costs.column is given, but no cell of 'benefit:' has a coefficient"),
    ({"column": "label", "benefit": BENEFIT},
        "costs.column is 'label', which holds names, expected one of numbers"),
    ({"benefit": {**BENEFIT, "fp": "x"}}, "costs.benefit.fp is 'x', expected a number (no quotes; "
        "1.0e-3, not 1e-3) or keys with values"),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "message"), WRONG)
def test_what_is_configured_wrongly_is_named(keys: dict[str, Any], message: str) -> None:
    of_costs = message.startswith("costs")
    with pytest.raises(InputError, match=rf"datasets\[0\]\.{re.escape(message)}"):
        parsed({"costs": keys} if of_costs else {"classes": CLASSES, **keys})


OF_CLASSES = {"name": "three", "classes": ["red", "green", "dark blue"]}
ALIKE = [(OF_CLASSES, name) for name in ("Three--Red", "three--Dark blue", "three:  red")]


@pytest.mark.parametrize(("first", "other"), [*ALIKE, ({"name": "d", "costs": {}}, "d--costs")])
def test_datasets_must_not_be_called_as_what_others_become(first: Any, other: str) -> None:
    second = {"name": other}
    for datasets in ([first, second], [second, first]):
        with pytest.raises(InputError) as caught:
            parsed(*datasets)
        earlier, later = (dataset["name"] for dataset in datasets)
        (message,) = caught.value.findings
        assert f"datasets[1] is called {later!r}: it and {earlier!r} both make " in message
        assert message.endswith("as classes and costs are added to names; expected another name")
