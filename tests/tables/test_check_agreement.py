"""Tables that contradict each other are found, whichever of them is wrong."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from costcurves.errors import InputError
from costcurves.tables.checks.check_inference import AGREEMENTS
from costcurves.tables.checks.check_results import check_results
from costcurves.tables.checks.invariants import held
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.files import read
from costcurves.tables.predicted import PREDICTIONS
from tests.asymmetric_study import BY_COST, NAME
from tests.small_study import result

Tables = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def tables(asymmetric_tables: Path) -> Tables:
    """Every table of the dataset with costs, as the workflow made it."""
    results = asymmetric_tables / "results" / NAME
    stages = {**CONTRACTS, "predictions": PREDICTIONS}
    del stages["check_results"]
    return {name: read(result(results, name, BY_COST), it) for name, it in stages.items()}


def turned(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(ratio_from=rows["ratio_to"], ratio_to=rows["ratio_from"])


def at_the_other_end(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(pc=1 - rows["pc"])


def per_prediction(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(**{name: 3 * rows[name] for name in ("instances", "positives", "negatives")})


def with_costs_exchanged(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(mean_cost_fp=rows["mean_cost_fn"], mean_cost_fn=rows["mean_cost_fp"])


def area_for_tec(rows: pd.DataFrame) -> pd.DataFrame:
    area = rows[rows["quantity"] == "area"].set_index("model")
    wrong = rows["model"].map(area["value"])
    return rows.assign(value=rows["value"].mask(rows["quantity"] == "tec", wrong))


RATIO = "a cost ratio is its PC"
VALUE = "the value of an interval"
COUNTS = "counts of instances"
LEVELS = "have one level, and verdicts Holm's"
DIFFERENCE = "the largest difference"
COSTS = "read at its mean costs"


@pytest.mark.parametrize(
    ("stage", "spoil", "broken"),
    [
        ("verdicts", turned, RATIO),
        ("crossovers", turned, RATIO),
        ("duality", lambda rows: rows.assign(cost_ratio=1 / rows["cost_ratio"]), RATIO),
        ("measures", lambda rows: rows.assign(prior=17 / 48), RATIO),
        ("intervals", area_for_tec, VALUE),
        ("intervals", at_the_other_end, VALUE),
        ("measures", per_prediction, COUNTS),
        ("verdicts", lambda rows: rows.assign(instances=144), COUNTS),
        ("instance_costs", lambda rows: rows.assign(positives=31, negatives=17), COUNTS),
        ("bands", lambda rows: rows.assign(confidence=0.9), LEVELS),
        ("choice_intervals", lambda rows: rows.assign(confidence=0.95), LEVELS),
        ("verdicts", lambda rows: rows.assign(familywise=0.8), LEVELS),
        ("verdicts", lambda rows: rows.assign(confidence=0.8), LEVELS),
        ("comparisons", lambda rows: rows.assign(confidence=0.8), LEVELS),
        ("verdicts", lambda rows: rows.assign(at_pc=1 - rows["at_pc"]), DIFFERENCE),
        ("crossovers", lambda rows: rows.assign(at_pc=1 - rows["at_pc"]), DIFFERENCE),
        ("instance_costs", with_costs_exchanged, COSTS),
        ("instance_costs", at_the_other_end, COSTS),
        ("instance_costs", lambda rows: rows.assign(prior=17 / 48), COSTS),
    ],
)
def test_a_table_that_contradicts_another_is_found(
    tables: Tables, stage: str, spoil: Callable[[pd.DataFrame], pd.DataFrame], broken: str
) -> None:
    with pytest.raises(InputError, match=broken):
        check_results({**tables, stage: spoil(tables[stage])})


def test_every_agreement_has_something_to_check(tables: Tables) -> None:
    checked = check_results(tables).set_index("invariant")["checked"]
    assert checked[list(AGREEMENTS)].gt(0).all()


def test_no_violation_is_zero_without_a_sign() -> None:
    """Of 0.0 and -0.0 a maximum is either, which no byte may tell."""
    table = held("d", {"nothing is below it": lambda _: np.array([-0.0])}, {})
    assert table["worst"].tolist() == [0.0]
    assert not np.signbit(table["worst"]).any()
