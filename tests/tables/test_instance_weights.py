"""Costs of instances from files and from benefits: what they become, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from costcurves.errors import InputError
from costcurves.predictions.staged import PRODUCT, stage
from costcurves.settings import Costs, Dataset, Study
from costcurves.study.reading import parse_study

HEADER = "model,instance,label,score,cost_fp,cost_fn\n"
Stage = Callable[..., Any]


@pytest.fixture
def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Stage rows of a file a.csv as a dataset with costs, by cost."""
    monkeypatch.chdir(tmp_path)

    def run(*rows: str, header: str = HEADER, by_cost: bool = True, **costs: Any) -> Any:
        Path("a.csv").write_text(header + "".join(f"{row}\n" for row in rows))
        said = Dataset("wine", ("a.csv",), title="Wine", slug="wine", costs=Costs.from_plain(costs))
        return stage(said.sibling if by_cost else said)

    return run


def findings(staged: Stage, *rows: str, **said: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        staged(*rows, **said)
    return list(caught.value.findings)


def test_a_row_counts_what_a_mistake_of_its_class_costs(staged: Stage) -> None:
    rows = "A,1,0,0.1,30,7", "A,2,0,0.2,20,7", "A,3,1,0.3,5,8", "B,3,1,0.9,5,8"
    frame = staged(*rows, "A,4,1,0.3,5,4", "B,1,0,0,30,7", "B,2,0,0,20,7", "B,4,1,0,5,4")
    assert frame["weight"].tolist() == [3, 2, 2, 1, 2, 3, 2, 1]


def test_unweighted_all_rows_count_one(staged: Stage) -> None:
    frame = staged("A,1,0,0.1,30,7", "A,2,1,0.2,20,7", by_cost=False)
    assert frame["weight"].tolist() == [1, 1]


def test_equal_costs_count_one(staged: Stage) -> None:
    rows = "A,1,0,0.1,0.7,", "A,2,0,0.2,0.7,", "A,3,1,0.3,,1e300"
    assert staged(*rows)["weight"].tolist() == [1, 1, 1]


def test_benefits_make_the_costs_of_the_papers_credit_data(staged: Stage) -> None:
    benefit = {"tp": {"coefficient": 0.05}, "fp": {"coefficient": -1}, "fn": -20, "tn": 20}
    frame = staged(
        "A,1,0,0.1,100", "A,2,1,0.2,100",
        header="model,instance,label,score,x\n", column="x", benefit=benefit,
    )  # fmt: skip
    assert frame["cost_fp"].tolist() == [120, 120]
    assert frame["cost_fn"].tolist() == [25, 25]


def test_benefits_without_an_amount_are_constants(staged: Stage) -> None:
    benefit = {"tp": 1, "fp": -2, "fn": {"constant": -1}, "tn": 0}
    frame = staged("A,1,0,0.1,9,9", "A,2,1,0.2,9,9", benefit=benefit)
    assert (frame["cost_fp"].unique().tolist(), frame["cost_fn"].unique().tolist()) == ([2], [2])


def test_score_times_cost_is_a_model_of_its_own(staged: Stage) -> None:
    frame = staged("A,1,0,0.1,30,7", "A,2,1,0.25,20,8", score_times_cost=True)
    assert frame["model"].tolist() == ["A", "A", PRODUCT.format("A"), PRODUCT.format("A")]
    np.testing.assert_allclose(frame["score"], [0.1, 0.25, 0.7, 2.0])
    assert frame["weight"].tolist() == [1, 1, 1, 1]


def test_score_times_cost_needs_probabilities(staged: Stage) -> None:
    found = findings(staged, "A,1,0,-3,30,7", "A,2,1,5,20,8", score_times_cost=True)
    assert len(found) == 1
    assert found[0].startswith(
        "dataset 'wine': 'costs: score_times_cost' needs a model whose scores are "
    )


CASES: dict[str, tuple[list[str], dict[str, Any], list[str]]] = {
    "missing": (
        ["A,1,0,0.1,,5", "A,2,1,0.2,3,", "A,3,1,0.3,,2"],
        {},
        [
            "a.csv line 2: cost_fp is missing for instance '1', which is negative; expected a "
            "number in each row, as the dataset has 'costs:'",
            "a.csv line 3: cost_fn is missing for instance '2', which is positive; expected a "
            "number in each row, as the dataset has 'costs:'",
        ],
    ),
    "negative": (
        ["A,1,0,0.1,-3,5", "A,2,1,0.2,3,1"],
        {},
        ["a.csv line 2: cost_fp is -3.0 for instance '1', expected at least 0"],
    ),
    "different": (
        ["A,1,0,0.1,3,5", "A,2,1,0.2,3,1", "B,1,0,0.1,4,5", "B,2,1,0.1,3,"],
        {},
        [
            "a.csv line 4: instance '1' has cost_fp 4.0, but 3.0 in a.csv line 2; expected one "
            "for each instance",
            "a.csv line 5: instance '2' has cost_fn missing, but 1.0 in a.csv line 3; expected "
            "one for each instance",
        ],
    ),
    "nothing": (
        ["A,1,0,0.1,3,5", "A,2,1,0.2,3,0"],
        {},
        [
            "a.csv line 2: repeat '1', fold '1': the costs of all positives are 0; expected a cost "
            "above 0 in each class"
        ],
    ),
    "a column that is not there": (
        ["A,1,0,0.1,3,5", "A,2,1,0.2,30,5"],
        {"column": "y", "benefit": {"tp": {"coefficient": 1}, "fp": -1, "fn": 0, "tn": 0}},
        [
            "a.csv: has no column 'y', which 'costs: column:' names; its columns are 'model', "
            "'instance', 'label', 'score', 'cost_fp', 'cost_fn'"
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_costs_that_are_none_are_named(staged: Stage, case: str) -> None:
    rows, costs, expected = CASES[case]
    assert findings(staged, *rows, **costs) == expected


def test_a_missing_amount_is_named_by_its_column(staged: Stage) -> None:
    benefit = {"tp": {"coefficient": 1}, "fp": -1, "fn": 0, "tn": 0}
    found = findings(
        staged, "A,1,0,0.1,2", "A,2,1,0.2,",
        header="model,instance,label,score,x\n", column="x", benefit=benefit,
    )  # fmt: skip
    assert found[0].startswith("a.csv line 3: x is missing for instance '2', which is positive")


def test_missing_costs_pass_where_nothing_is_weighed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(HEADER + "A,1,0,0.1,,\nA,2,1,0.2,0,0\n")
    assert stage(Dataset("wine", ("a.csv",), title="Wine", slug="wine"))["weight"].tolist() == [
        1,
        1,
    ]


# The configuration


def parsed(costs: Any) -> Study:
    content = {"study": "s", "datasets": [{"name": "d", "predictions": ["a"], "costs": costs}]}
    return parse_study(content, files=False)


def test_a_dataset_with_costs_becomes_two_of_which_one_is_counted() -> None:
    study = parsed({"unit": "DM"})
    plain, weighted = study.datasets
    assert (plain.name, plain.slug, plain.weighted, plain.unit) == ("d", "d", False, "")
    assert (weighted.name, weighted.slug) == ("d--costs", "d--costs")
    assert (weighted.weighted, weighted.unit) == (True, "DM")
    assert plain.in_files == weighted.in_files == plain.original == weighted.original == "d"
    assert study.counted == (plain,)
    assert study.configuration["datasets"] == [plain.plain()]
    assert parsed(None).datasets == parsed(None).counted
    assert Study.from_plain(study.plain()) == study


BENEFIT = {"tp": 1, "fp": {"coefficient": -1}, "fn": 0, "tn": 0}
REFUSED: list[tuple[Any, str]] = [
    (
        {"benefit": BENEFIT},
        "datasets[0].costs lacks the key 'column': benefit.fp grows with its number",
    ),
    (
        {"column": "x"},
        "datasets[0].costs.column is given, but no cell of 'benefit:' has a coefficient",
    ),
    (
        {"column": "label", "benefit": BENEFIT},
        "datasets[0].costs.column is 'label', which holds names, expected one of numbers",
    ),
    ({"benefit": {"tp": 1}}, "datasets[0].costs.benefit lacks the key 'fp'"),
    (
        {"benefit": {**BENEFIT, "fp": "x"}},
        "datasets[0].costs.benefit.fp is 'x', expected a number (no quotes; 1.0e-3, not 1e-3) "
        "or keys with values",
    ),
    ({"units": "DM"}, "datasets[0].costs.units is not a known key; did you mean 'unit'?"),
    ("columns", "datasets[0].costs is 'columns', expected keys with values"),
]


@pytest.mark.parametrize(("costs", "message"), REFUSED)
def test_costs_that_are_configured_wrongly_are_named(costs: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parsed(costs)
    assert any(message in finding for finding in caught.value.findings)


def test_names_of_files_must_differ() -> None:
    datasets = [
        {"name": "d", "predictions": ["a"], "costs": {}},
        {"name": "d--costs", "predictions": ["a"]},
    ]
    with pytest.raises(InputError, match=r"'d--costs': it and 'd' both have files called 'd--c"):
        parse_study({"study": "s", "datasets": datasets}, files=False)
