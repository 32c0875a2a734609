"""Claims about selection criteria: decided by the draws that decide all others, as truth is."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from costcurves.chance.resamples import resampled_instances
from costcurves.errors import InputError
from costcurves.many.audit import audit
from costcurves.many.claims import claims
from costcurves.many.evidence import Basis
from costcurves.settings import Claim
from tests.claimed_data import (
    RESAMPLES,
    UNIFORM,
    Tables,
    claim,
    data_of,
    decide,
    in_folds,
)
from tests.small_study import family, scored

Both = tuple[Basis, Tables]
TRUST = "score-driven"


@pytest.fixture(scope="module")
def known() -> Both:
    """Good and Shy rank alike, but Shy never believes in a positive by more than a tenth.

    Trusting its scores is to say no wherever PC(+) is below 0.9: the wrong trivial classifier from
    0.5 on. Crisp decides as Good does at a score of one half.
    """
    rows = in_folds()
    good = scored(rows, "Good", 3.0, 2)
    shy = good.assign(model="Shy", score=good["score"] / 10)
    decision = (good["score"] >= 0.5).astype(int)
    crisp = good.assign(model="Crisp", decision=decision, score=np.nan)
    return data_of(good, shy, crisp, family(rows, "Family", 4))


def verdicts(both: Both, *wanted: Claim) -> list[str]:
    return decide({"d": both[0]}, [both[1]], *wanted)["verdict"].tolist()


TRUE = [
    claim("cheaper", "Shy", criterion=["cross-fitted", TRUST]),
    claim("cheaper", "Good", "Shy", criterion=TRUST),
    claim("cheaper", "Good", "Family", criterion="cross-fitted"),
    claim("not worse", "Good", criterion=[TRUST, "cross-fitted"], margin=0.1),
    claim("cheaper", "Good", "Shy", criterion=["score-fixed", TRUST]),
    claim("cheaper", "no model", "Shy", criterion=TRUST, pc=[0.6, 0.85]),
    claim("cheaper", "Good", "no model", criterion=TRUST),
    claim("at most", "Good", criterion="rate-fixed", at_most=0.2),
    claim("at most", "Good", criterion="rate-driven", at_most=0.15, average=True),
]
FALSE = [
    claim("cheaper", "Shy", criterion=[TRUST, "cross-fitted"]),
    claim("cheaper", "Shy", "Good", criterion=TRUST),
    claim("equivalent", "Shy", criterion=[TRUST, "cross-fitted"], margin=0.05),
    claim("cheaper", "no model", "Good", criterion=TRUST, pc=[0.4, 0.6]),
    claim("cheaper", "no model", "Good", pc=[0.4, 0.6]),
    claim("cheaper", "Shy", "no model", criterion=TRUST, pc=[0.6, 0.8]),
    claim("at most", "Shy", criterion=TRUST, at_most=0.2),
    claim("at most", "Shy", criterion=TRUST, at_most=0.2, average=True),
]


def test_every_kind_comes_out_as_the_truth_is(known: Both) -> None:
    assert verdicts(known, *TRUE) == ["SUPPORTED"] * len(TRUE)
    assert verdicts(known, *FALSE) == ["CONTRADICTED"] * len(FALSE)


def test_what_is_chosen_on_the_data_that_judge_it_decides_nothing(known: Both) -> None:
    ways = "cost-minimizing", ["cost-minimizing", TRUST]
    wanted = [claim("cheaper", "Good", "Family", criterion=ways[0])]
    wanted += [claim("cheaper", "Shy", criterion=ways[1])]
    wanted += [claim("at most", "Good", criterion=ways[0], at_most=0.5)]
    assert verdicts(known, *wanted) == ["UNDECIDED"] * 3


def costs(data: Basis, threshold: float, pc: float) -> np.ndarray[Any, Any]:
    """What a threshold of Good costs: in the data, then in each resample, fold by fold."""
    drawn = resampled_instances(data.predictions, RESAMPLES, data.resampling.seed, "d")
    rows = data.predictions[data.predictions["model"] == "Good"].astype({"instance": "str"})
    instances = pd.Index(sorted(set(data.predictions["instance"])))
    times = np.vstack([np.ones(len(instances)), drawn.weights.drawn])
    where = instances.get_indexer(pd.Index(rows["instance"]))
    wrong = (rows["score"] >= threshold).astype(int) != rows["label"]
    total = np.zeros(RESAMPLES + 1)
    for label, share in ((0, 1 - pc), (1, pc)):
        of_class = (rows["label"] == label).to_numpy()
        whole = of_class.sum() / times[:, where[of_class]].sum(axis=1)  # one fewer is drawn
        for fold in rows["fold"].unique():
            fold_of = of_class & (rows["fold"] == fold).to_numpy()
            errors = times[:, where[fold_of]] @ wrong[fold_of].to_numpy()
            total += share * whole * errors / fold_of.sum()
    return total / rows["fold"].nunique()


@pytest.mark.parametrize("delta", [0.01, 0.03, 0.06])
def test_a_difference_at_one_condition_is_decided_as_by_hand(known: Both, delta: float) -> None:
    data, tables = known
    pc = 0.25  # a point of the grid, and no score is near 1 - 0.25: they are whole tenths
    before, here, after = (
        costs(data, 0.75, place) - costs(data, 0.5, place)
        for place in (pc - 1 / 128, pc, pc + 1 / 128)
    )
    value, again, dof = here[0], here[1:], data.resampling.weights.dof
    # Deviations from zero that add up to a difference have a size, see `resampled_bands`.
    floors = [abs(edge[0]) / dof**0.5 for edge in (before, after)]
    width = max(np.std(again, ddof=1), *floors, np.hypot(1 - pc, pc) / 100)
    deviations = (again - again.mean()) / width / data.resampling.weights.studentizer
    upper, lower = np.sort(deviations)[-20], np.sort(-deviations)[-20]  # 20 of 401, at most 5 %
    least = t.ppf(0.95, dof)
    wanted = claim("not worse", "Good", criterion=[TRUST, "score-fixed"], margin=delta, pc=pc)
    table = decide({"d": data}, [tables], wanted).iloc[0]
    assert table["value"] == pytest.approx(value)
    assert min(upper, lower) > least
    assert table["low"] == pytest.approx(value - max(upper, least) * width)
    assert table["high"] == pytest.approx(value + max(lower, least) * width)
    height = (value - delta) / width
    beyond = (1 + np.sum(np.sign(height) * deviations >= abs(height))) / (RESAMPLES + 1)
    p_value = min(max(2 * beyond, 2 * t.cdf(-abs(height), dof)), 1)
    assert table["p_value"] == pytest.approx(p_value)


def test_the_deciding_rows_are_named_and_the_audit_says_them(known: Both) -> None:
    data, tables = known
    table = decide({"d": data}, [tables], TRUE[5], TRUE[8], TRUE[0], TRUE[3])
    assert table["stage"].tolist() == ["hybrids", "criteria", "hybrids", "hybrids"]
    assert table["key"][0].startswith("model = Shy, criterion = score-driven, piece = ")
    assert table["key"][1] == "model = Good, criterion = rate-driven"
    assert table["criterion_a"].tolist() == ["", "rate-driven", "cross-fitted", TRUST]
    assert table["criterion_b"].tolist() == [TRUST, "", TRUST, "cross-fitted"]
    assert table["model_b"].tolist() == ["Shy", "", "Shy", "Good"]
    (worse, *_), passed = audit(table, ["contradicted", "undecided"])
    assert passed
    assert worse.startswith("SUPPORTED     1. cheaper ('no model', 'Shy')  [tested: no model cheap")
    assert "[tested: no model cheaper than 'Shy' (score-driven), PC(+) 0.60 to 0.85; -0.2" in worse
    assert "claimed below 0 at PC(+) = 0.60; " in worse
    assert "dataset 'd', table hybrids: model = Shy, criterion = score-driven, piece" in worse


def test_what_is_judged_on_the_data_that_chose_is_called_in_sample(known: Both) -> None:
    data, tables = known
    wanted = [
        claim("at most", "Good", at_most=0.5, **keys)
        for keys in ({}, {"criterion": TRUST}, {"criterion": "cost-minimizing"})
    ]
    table = decide({"d": data}, [tables], *wanted)
    assert table["in_sample"].tolist() == [False, False, True]
    assert [", in-sample, " in line for line in audit(table, [])[0][:3]] == [False, False, True]


def test_criteria_that_do_not_apply_are_named_with_those_that_do(known: Both) -> None:
    wrong = claim("cheaper", "no model", "Family", criterion=TRUST)
    other = claim("cheaper", "Good", "Family", criterion="nearest-train-pc")
    with pytest.raises(InputError) as error:
        claims({"d": known[0]}, [wrong, other], UNIFORM)
    text = str(error.value)
    assert (
        "claims[0].criterion: 'score-driven' does not apply to 'Family' of 'd', expected one of "
        "'cross-fitted', 'cost-minimizing', 'nearest-train-pc': it has decisions and no scores"
    ) in text
    assert "claims[1].criterion: 'nearest-train-pc' does not apply to 'Good' of 'd'" in text
    assert "it is one classifier and no family of members" in text
