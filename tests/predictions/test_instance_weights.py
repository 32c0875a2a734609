"""Costs of instances from files and from benefits: what they become, and what is refused."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.errors import InputError
from costcurves.predictions.staged import PRODUCT, stage
from costcurves.settings import Benefit, Cell, Costs, Dataset, Study
from costcurves.study.reading import parse_study

HEADER = "model,instance,label,score,cost_fp,cost_fn\n"
WITH_X = {"header": "model,instance,label,score,x\n", "column": "x"}
Stage = Callable[..., Any]


@pytest.fixture
def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Stage rows of a file a.csv as a dataset with costs, by cost."""
    monkeypatch.chdir(tmp_path)

    def run(*rows: str, header: str = HEADER, by_cost: bool = True, **costs: Any) -> Any:
        Path("a.csv").write_text(header + "".join(f"{row}\n" for row in rows))
        wine = Dataset("wine", ("a.csv",), title="Wine", slug="wine", costs=Costs.from_plain(costs))
        return stage(wine.sibling if by_cost else wine)

    return run


TWO = ["A,1,0,0.1,30,7", "A,2,1,0.25,20,8"]
UNEQUAL = [
    *("A,1,0,0.1,30,7", "A,2,0,0.2,20,7", "A,3,1,0.3,5,8", "A,4,1,0.3,5,4"),
    *("B,3,1,0.9,5,8", "B,1,0,0,30,7", "B,2,0,0,20,7", "B,4,1,0,5,4"),
]
CREDIT = {"tp": {"coefficient": 0.05}, "fp": {"coefficient": -1}, "fn": -20, "tn": 20}
CONSTANT = {"tp": 1, "fp": -2, "fn": {"constant": -1}, "tn": 0}
GROWS = {"tp": {"coefficient": 1}, "fp": -1, "fn": 0, "tn": 0}
# Rows, how they are read, and columns that come of them.
MADE: dict[str, tuple[list[str], dict[str, Any], dict[str, Any]]] = {
    "what a mistake of its class costs": (UNEQUAL, {}, {"weight": [3, 2, 2, 1, 2, 3, 2, 1]}),
    "unweighted": (TWO, {"by_cost": False}, {"weight": [1, 1]}),
    "equal": (["A,1,0,0.1,0.7,", "A,2,0,0.2,0.7,", "A,3,1,0.3,,1e300"], {}, {"weight": [1, 1, 1]}),
    "the paper's credit data": (["A,1,0,0.1,100", "A,2,1,0.2,100"], {**WITH_X, "benefit": CREDIT},
        {"cost_fp": [120, 120], "cost_fn": [25, 25]}),
    "constants": (["A,1,0,0.1,9,9", "A,2,1,0.2,9,9"], {"benefit": CONSTANT},
        {"cost_fp": [2, 2], "cost_fn": [2, 2]}),
    "missing, where nothing is weighed": (["A,1,0,0.1,,", "A,2,1,0.2,0,0"], {"by_cost": False,
        "benefit": CONSTANT}, {"weight": [1, 1]}),
    "score times cost": (TWO, {"score_times_cost": True}, {"weight": [1, 1, 1, 1],
        "model": ["A", "A", *[PRODUCT.format("A")] * 2],
        "score": pytest.approx([0.1, 0.25, 0.7, 2.0])}),
}  # fmt: skip


@pytest.mark.parametrize("case", MADE)
def test_costs_become_weights(staged: Stage, case: str) -> None:
    rows, read, columns = MADE[case]
    frame = staged(*rows, **read)
    for name, values in columns.items():
        assert frame[name].tolist() == values, name


NONE = (
    "is missing for instance '{}', which is {}; expected a number in each row, as the dataset has"
)
ONE_EACH = "instance '{}' has {}; expected one for each instance"
REFUSED: dict[str, tuple[list[str], dict[str, Any], list[str]]] = {
    "missing": (["A,1,0,0.1,,5", "A,2,1,0.2,3,", "A,3,1,0.3,,2"], {}, [
        f"a.csv line 2: cost_fp {NONE.format(1, 'negative')} 'costs:'",
        f"a.csv line 3: cost_fn {NONE.format(2, 'positive')} 'costs:'"]),
    "a missing amount": (["A,1,0,0.1,2", "A,2,1,0.2,", "A,3,1,0.2,2"],
        {**WITH_X, "benefit": GROWS}, [f"a.csv line 3: x {NONE.format(2, 'positive')} 'costs:'"]),
    "negative": (["A,1,0,0.1,-3,5", "A,2,1,0.2,3,1"], {},
        ["a.csv line 2: cost_fp is -3.0 for instance '1', expected at least 0"]),
    "different": (["A,1,0,0.1,3,5", "A,2,1,0.2,3,1", "B,1,0,0.1,4,5", "B,2,1,0.1,3,"], {}, [
        f"a.csv line 4: {ONE_EACH.format(1, 'cost_fp 4.0, but 3.0 in a.csv line 2')}",
        f"a.csv line 5: {ONE_EACH.format(2, 'cost_fn missing, but 1.0 in a.csv line 3')}"]),
    "nothing": (["A,1,0,0.1,3,5", "A,2,1,0.2,3,0"], {}, ["a.csv line 2: repeat '1', fold '1': the "
        "costs of all positives are 0; expected a cost above 0 in each class"]),
    "a column that is not there": (TWO, {"column": "y", "benefit": GROWS}, ["a.csv: has no column "
        "'y', which 'costs: column:' names; its columns are 'model', 'instance', 'label', 'score', "
        "'cost_fp', 'cost_fn'"]),
    "no probabilities": (["A,1,0,-3,30,7", "A,2,1,5,20,8"], {"score_times_cost": True}, [
        "dataset 'wine': 'costs: score_times_cost' needs a model whose scores are probabilities, "
        "from 0 to 1, and cost_fn in each of its rows, also of negatives; there is none: calibrate "
        "the scores, or leave it out"]),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_costs_that_are_none_are_named(staged: Stage, case: str) -> None:
    rows, read, expected = REFUSED[case]
    with pytest.raises(InputError) as caught:
        staged(*rows, **read)
    assert list(caught.value.findings) == expected


# Fawcett 2006: what is printed in Figs 2b, 7b and 9b. In Fig. 9b the cost of a false alarm is
# printed as it was before it is negated, -2 - 0.10x.
FIGURES = {
    "2": (Benefit(Cell(0, 0.02), Cell(0, -1), -20, 20), (Cell(20, 1), Cell(20, 0.02))),
    "7": (Benefit(Cell(0, 0.05), Cell(0, -1), -20, 20), (Cell(20, 1), Cell(20, 0.05))),
    "9": (Benefit(1, -2, Cell(-1, -0.20), Cell(0, 0.10)), (Cell(2, 0.10), Cell(2, 0.20))),
}
CELLS = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9))


@pytest.mark.parametrize("figure", FIGURES)
def test_the_papers_matrices(figure: str) -> None:
    benefit, costs = FIGURES[figure]
    assert benefit.mistakes == costs


@given(CELLS, CELLS, CELLS, CELLS, CELLS)
def test_what_both_actions_bring_alike_does_not_matter(
    tp: Cell, fp: Cell, fn: Cell, tn: Cell, less: Cell
) -> None:
    richer = Benefit(tp.minus(less), fp, fn.minus(less), tn)
    assert richer.mistakes == Benefit(tp, fp, fn, tn).mistakes


# The configuration


def parsed(costs: Any, *more: dict[str, Any]) -> Study:
    datasets = [{"name": "d", "predictions": ["a"], "costs": costs}, *more]
    return parse_study({"study": "s", "datasets": datasets}, files=False)


def test_a_dataset_with_costs_becomes_two_of_which_one_is_counted() -> None:
    study = parsed({"unit": "DM"})
    plain, weighted = study.datasets
    assert (plain.name, plain.slug, plain.weighted, plain.unit) == ("d", "d", False, "")
    assert (weighted.name, weighted.slug) == ("d--costs", "d--costs")
    assert (weighted.weighted, weighted.unit) == (True, "DM")
    assert plain.in_files == weighted.in_files == plain.original == weighted.original == "d"
    assert study.counted == (plain,)
    assert [each["name"] for each in study.configuration["datasets"]] == ["d"]
    assert parsed(None).datasets == parsed(None).counted
    assert Study.from_plain(asdict(study)) == study


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


def test_names_of_files_must_differ() -> None:
    with pytest.raises(InputError, match=r"'d--costs': it and 'd' both make 'd--c"):
        parsed({}, {"name": "d--costs", "predictions": ["a"]})


# Benefits by which a mistake may bring more than the right decision: the cheaper one is right.

REVIEW = 5  # what looking at a case costs, in the unit of amounts
FRAUD = {"tp": -REVIEW, "fp": -REVIEW, "tn": 0, "fn": {"coefficient": -1}}


def test_a_case_is_by_cost_of_the_class_of_its_cheaper_decision(staged: Stage) -> None:
    """Signs that turn most of a class are refused, and so is a prior of the true classes."""
    rng = np.random.default_rng(21)
    label = (rng.random(160) < 0.4).astype(int)
    amount = np.round(6 * np.exp(1.3 * rng.normal(size=160)), 2) + 1.5
    small = (label == 1) & (amount < REVIEW)  # frauds that cost less than a review
    assert 10 < small.sum() < label.sum() / 2
    rows = [f"A,{place},{label[place]},0.5,{amount[place]}" for place in range(160)]
    plain = staged(*rows, **WITH_X, benefit=FRAUD, by_cost=False)
    assert plain["label"].tolist() == label.tolist()
    assert f'["cheaper-mistakes", "{small.sum()} of 160 cases"' in plain["seen"].iloc[0]
    frame = staged(*rows, **WITH_X, benefit=FRAUD)
    assert frame["label"].tolist() == (label * ~small).tolist()
    assert frame.loc[small, "cost_fp"].tolist() == (REVIEW - amount[small]).tolist()
    kept = ~small & (label == 1)
    assert frame.loc[kept, "cost_fn"].tolist() == (amount[kept] - REVIEW).tolist()
    turned = "of the positives a mistake brings more than the right decision; .* are the signs rig"
    with pytest.raises(InputError, match=turned):
        staged(*rows, **WITH_X, benefit={**FRAUD, "fn": {"coefficient": 1}})
    costs = Costs.from_plain({"column": "x", "benefit": FRAUD})
    with pytest.raises(InputError, match="leave out 'prior:'"):
        stage(Dataset("fraud", ("a.csv",), title="Fraud", slug="fraud", costs=costs, prior=0.2))
