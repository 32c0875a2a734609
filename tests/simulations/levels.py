"""Whether the simulated levels are what reports and documents claim: the last step.

Run by ``make simulations`` after the simulations; no part of ``make test``.
"""

import json
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from costcurves.costs.instance_costs import FEW
from costcurves.report.measured import CLUSTERS, measured
from tests.simulations import choices, inference, optimism

Row = dict[str, Any]
NOMINAL, AT_MOST, BAND, ONE_SIDE = 0.10, 0.12, 0.86, 0.06
BELOW_LEVEL = {  # how far below its level an interval may truly be: of a threshold chosen on it
    "brier": 0.0,
    "miscalibration": 0.0,
    "discrimination": 0.0,
    "difference": 0.0,
    "cost": 0.02,
    "recalibrated": 0.0,
    "hits": 0.02,
    "alarms": 0.02,
    "differences": 0.0,
}


@cache
def results(name: str) -> dict[str, Any]:
    """Read what a simulation gave."""
    file = Path(__file__).parent / "results" / f"{name}.json"
    content: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return content


def rows(name: str, *tables: str) -> list[Row]:
    """Read the rows of some tables."""
    return [row for table in tables for row in results(name)[table]]


def error(share: float, row: Row) -> float:
    """Return the simulation's standard error of a share."""
    return sqrt(share * (1 - share) / row["datasets"])


BY_DESIGN = rows("by_design", "designs")
OPTIMISM = {row["positives"]: row for row in rows("optimism", "rows")}
RARE = {(row["design"], row["grid"]): row for row in rows("rare", "verdicts")}


@pytest.mark.parametrize("row", BY_DESIGN, ids=lambda row: row["design"])
def test_verdicts_and_bands_keep_their_level(row: Row) -> None:
    """Cases taken as independent gave a false verdict in half of the data sets of the first."""
    for kind in ("any", "mean"):
        assert row[kind] - 2 * error(row[kind], row) <= NOMINAL
        assert row[kind] <= AT_MOST
    assert row["named"] - 2 * error(row["named"], row) <= NOMINAL / 2  # half of the error
    assert row["statement"] - 2 * error(row["statement"], row) <= 2 * NOMINAL - NOMINAL**2
    assert max(row["mean"], row["named"]) <= row["statement"]
    for kind in ("band", "each", "area"):
        assert row[kind] >= BAND
    assert min(row["cost"]) >= BAND - 2 * error(BAND, row)


@pytest.mark.parametrize("row", BY_DESIGN, ids=lambda row: row["design"])
def test_a_single_claim_keeps_its_level_on_one_side(row: Row) -> None:
    """A nominal .05, as at the gate; on curves with jumps .064 of 2,000 may be .06."""
    share = max(row["one side"])
    chance = error(2 * share, row) if "with jumps" in row["design"] else 0.0
    assert share - chance <= ONE_SIDE


@pytest.mark.parametrize("design", ["40 + 60", "150 + 150, one test set"])
def test_slivers_make_verdicts_on_curves_with_jumps_rarer(design: str) -> None:
    by_name = {row["design"]: row for row in BY_DESIGN}
    smooth, jumps = by_name[design], by_name[f"{design}, with jumps"]
    noise = error(smooth["any"], smooth) + error(jumps["any"], jumps)
    assert jumps["any"] + 2 * noise < smooth["any"]


def test_bands_of_threshold_rules_keep_their_level() -> None:
    of_rules = [
        design
        for quantity, designs in measured().items()
        for design in designs
        if quantity.split(", ")[0] in choices.CRITERIA
        if design.kind != CLUSTERS and (design.positives, design.negatives) in choices.DESIGNS
    ]
    assert len(of_rules) == len(choices.DESIGNS) * (len(choices.CRITERIA) * 6 - 3)
    assert not {(design.quantity, design.positives) for design in of_rules if design.approximate}


@pytest.mark.parametrize("row", rows("claims", "rows"), ids=str)
def test_the_familywise_error_of_claims_keeps_the_level(row: Row) -> None:
    allowed = NOMINAL
    assert max(row["any"], row["alone"]) <= allowed + 2 * error(allowed, row)


@pytest.mark.parametrize("row", rows("further", "calibration", "matrix"), ids=str)
def test_intervals_hold_as_often_as_they_say(row: Row) -> None:
    """Two standard errors and a half: many are tested, and of decisions the least."""
    for name, below in BELOW_LEVEL.items():
        if name in row:
            assert row[name] >= 0.9 - below - 2.5 * error(0.9, row), name


def test_calibration_is_rejected_where_it_should_be() -> None:
    table = rows("further", "calibration")
    (fair,) = (row for row in table if "consistency band" in row)
    assert fair["rejected"] <= NOMINAL + 2 * error(0.9, fair)
    assert abs(fair["consistency band"] - 0.9) < 2 * error(0.9, fair)
    others = [row["rejected"] for row in table if row.get("rejected", 0) > 0.2]
    assert len(others) == 6
    assert min(others) > 0.8


@pytest.mark.parametrize("size", [20, 50, 500])
def test_cross_fitting_estimates_what_the_deployed_choice_costs(size: int) -> None:
    row = OPTIMISM[size]
    difference = row["cross_fitted - true"]
    assert abs(difference["mean"]) <= 2 * difference["error"] + 0.003
    assert row["fold"]["mean"] < row["pooled"]["mean"] < row["optimum"] < row["true"]["mean"]


def test_values_of_the_derivations() -> None:
    assert OPTIMISM[50]["fold"]["mean"] == pytest.approx(0.122, abs=5e-4)
    assert optimism.optimum() == pytest.approx(0.199, abs=5e-4)


@pytest.mark.parametrize("row", rows("rare", "errors"), ids=str)
def test_standard_errors_of_rare_classes_are_nearly_the_true_ones(row: Row) -> None:
    """Where the true one is less than two false positives, no spread is less than one allows."""
    mean, _, of_mean = row["steps"]
    assert mean - 2 * of_mean <= (1.1 if row["false positives"] > 1.5 else 1.2)
    assert mean <= row["regular"][0] + 1e-9


def test_verdicts_on_rare_classes_keep_their_level_and_power() -> None:
    equal = RARE["equal", "steps"]
    assert equal["any"] - 2 * equal["error of any"] <= NOMINAL
    steps, regular = (RARE["different", grid] for grid in ("steps", "regular"))
    assert steps["any"] >= regular["any"] - steps["error of any"]


@pytest.mark.parametrize("row", rows("verdicts", "equal", "dealt"), ids=str)
def test_false_verdicts_are_as_seldom_as_they_say(row: Row) -> None:
    for kind in {"any", "mean"} & {*row}:
        assert row[kind] - 2 * error(row[kind], row) <= NOMINAL
        assert row[kind] <= AT_MOST


def test_all_designs_together_are_below_nominal() -> None:
    table = rows("verdicts", "equal", "dealt")
    total = sum(row["datasets"] for row in table)
    assert sum(row["any"] * row["datasets"] for row in table) / total <= NOMINAL


def test_what_there_is_to_find_is_found() -> None:
    """At the same rate of false verdicts it is as much as with choices half-way (.78 of .78).

    A mean over all PC(+) needs no band, and finds more; DeLong's test takes models as ranked, while
    a cost also has thresholds that were chosen.
    """
    for row, least in zip(rows("verdicts", "power"), (0.23, 0.74, 0.40, 0.54), strict=True):
        assert row["any"] + 2 * row["error of any"] >= least
        assert row["first"] <= 0.01  # A costs more
        assert row["any"] + 0.1 < row["mean"] < row["auc"]


def test_finer_scores_are_no_merit() -> None:
    for row in rows("verdicts", "dealt"):
        assert row["first"] <= row["any"] <= NOMINAL
        assert row["scatter of five"] < row["scatter of one dealing"]


@pytest.mark.parametrize("row", rows("verdicts", "running"), ids=str)
def test_the_truly_cheapest_is_seldom_ruled_out(row: Row) -> None:
    assert row["any"] - 2 * row["error of any"] <= NOMINAL
    assert 1 <= row["in"] < row["of"]


@pytest.mark.parametrize("row", rows("coverage", "lines"), ids=str)
def test_bands_of_a_line_cover_it(row: Row) -> None:
    assert 0.89 <= row["mean"] <= 0.95
    mixed = (row["positives"], row["fn"], row["fp"]) == (20, 0.0228, 0.067)
    assert row["least"] >= (0.858 if mixed else 0.86)  # one cell of 48 falls short by .0012
    assert row["whole"] >= 0.885


@pytest.mark.parametrize("row", rows("coverage", "equal_crisp"), ids=str)
def test_equal_crisp_classifiers_are_rarely_told_apart(row: Row) -> None:
    assert row["any"] <= NOMINAL


def test_repeats_are_no_new_instances() -> None:
    for row in rows("coverage", "repeats"):
        for name, share in row.items():
            if name.endswith("any") and "kept" not in name:  # kept choices are too sure
                assert share <= 0.11, name


@pytest.mark.parametrize("row", rows("coverage", "curves"), ids=str)
def test_bands_of_curves_cover_what_they_claim(row: Row) -> None:
    assert row["each, mean"] >= 0.88
    assert row["whole"] >= 0.9 - 3 * error(0.9, row)


@pytest.mark.parametrize("row", rows("coverage", "cross_fits"), ids=str)
def test_bands_of_cross_fitted_curves_cover_what_the_choices_cost(row: Row) -> None:
    if row["choices"] == "kept":
        assert row["difference, whole"] < 0.85  # the reason for not keeping them
        return
    # Half-way between what errs too often and what hardly ever does, errors are near nominal: by
    # more than two standard errors of the simulation none is above .115.
    beyond = 0.015 if row["choices"] == "between" else 0.0
    chance = 2 * error(0.9, row) if beyond else 0.0
    assert row["difference, whole"] >= 0.9 - beyond - chance
    assert row["curve, each, mean"] >= 0.9 - beyond
    assert row["curve, whole"] >= 0.9 - beyond - chance
    if row["distance of B"] == 1:
        assert row["any"] <= 0.1 + beyond + chance


def test_counting_the_choice_once_finds_more_than_counting_it_twice() -> None:
    table = [row for row in rows("coverage", "cross_fits") if row["distance of B"] > 1]
    shares = {way: [r["any"] for r in table if r["choices"] == way] for way in inference.WAYS}
    for once, twice in zip(shares["between"], shares["made again"], strict=True):
        assert once > 2 * twice


@pytest.mark.parametrize("row", rows("coverage", "instance_costs"), ids=str)
def test_what_was_simulated_is_what_is_warned_of(row: Row) -> None:
    assert row["curve, each, mean"] >= 0.9 - 0.015
    assert row["curve, whole"] >= 0.9 - 3 * error(0.9, row)
    assert row["equal models, any"] <= 0.1 + 0.015 + 2 * error(0.9, row)
    if row["effective size"] >= FEW:
        assert row["cost per instance"] >= 0.9 - 3 * error(0.9, row)
    else:
        assert row["cost per instance"] < 0.85  # the reason for the warning


@pytest.mark.parametrize("row", rows("coverage", "crisp_costs"), ids=str)
def test_equal_decisions_by_cost_keep_their_level(row: Row) -> None:
    """Familywise over PC(+); decisions with costs are compared by resampling, not sign flips."""
    assert row["any"] <= 0.1 + 3 * row["error of any"]
    assert row["error of any"] < 0.006
