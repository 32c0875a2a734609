"""Costs of instances: the matrices of a paper, and what a configuration says of them.

Which weights they become is a part of `test_staged`, what is refused in files of `test_messages`.
"""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.settings import Benefit, Cell, Study
from costcurves.study.reading import parse_study

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


def parsed(costs: Any, *more: dict[str, Any]) -> Study:
    datasets = [{"name": "d", "predictions": ["a"], "costs": costs}, *more]
    return parse_study({"study": "s", "datasets": datasets}, files=False)


def test_a_dataset_with_costs_becomes_two_of_which_one_is_counted() -> None:
    study = parsed({"unit": "DM"})
    parts = [(part.name, part.slug, part.weighted, part.unit) for part in study.datasets]
    assert parts == [("d", "d", False, ""), ("d--costs", "d--costs", True, "DM")]
    assert {name for part in study.datasets for name in (part.in_files, part.original)} == {"d"}
    assert study.counted == study.datasets[:1]
    assert [each["name"] for each in study.configuration["datasets"]] == ["d"]
    assert parsed(None).datasets == parsed(None).counted
    assert Study.from_plain(asdict(study)) == study
    with pytest.raises(InputError, match=r"'d--costs': it and 'd' both make 'd--c"):
        parsed({}, {"name": "d--costs", "predictions": ["a"]})


BENEFIT = {"tp": 1, "fp": {"coefficient": -1}, "fn": 0, "tn": 0}
MISTAKEN: dict[str, Any] = {
    " lacks the key 'column': benefit.fp grows with its number": {"benefit": BENEFIT},
    ".column is given, but no cell of 'benefit:' has a coefficient": {"column": "x"},
    ".column is 'label', which holds names, expected one of numbers": {"column": "label",
                                                                       "benefit": BENEFIT},
    ".benefit lacks the key 'fp'": {"benefit": {"tp": 1}},
    ".benefit.fp is 'x', expected a number (no quotes; 1.0e-3, not 1e-3) or keys with values": {
        "benefit": {**BENEFIT, "fp": "x"}},
    ".units is not a known key; did you mean 'unit'?": {"units": "DM"},
    " is 'columns', expected keys with values": "columns",
}  # fmt: skip


@pytest.mark.parametrize("message", MISTAKEN)
def test_costs_that_are_configured_wrongly_are_named(message: str) -> None:
    with pytest.raises(InputError) as caught:
        parsed(MISTAKEN[message])
    assert any(f"datasets[0].costs{message}" in finding for finding in caught.value.findings)
